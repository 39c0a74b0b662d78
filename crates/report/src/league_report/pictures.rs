//! The plots of a report.

use super::Report;
use crate::markup::Html;
use crate::plot::{Canvas, CoursePlot, Estimate, HistogramPlot, IntervalPlot, Track};
use linesman_rating::Method;

/// Maximum number of bars for the lengths of games.
const MAX_BARS: usize = 30;

/// Maximum number of bots whose ratings are drawn, including those without a label.
const MAX_TRACKS: usize = 40;

/// Approximate number of games per bot from which ratings are drawn; earlier ones are mostly chance.
const SETTLED_GAMES: u64 = 4;

/// A plot of a report.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Picture {
    /// Ratings with their intervals.
    Intervals,
    /// Ratings over the games.
    Course,
    Lengths,
}

/// All plots of a report.
pub const PICTURES: [Picture; 3] = [Picture::Intervals, Picture::Course, Picture::Lengths];

impl Picture {
    pub fn file_name(self) -> &'static str {
        match self {
            Picture::Intervals => "intervals.svg",
            Picture::Course => "course.svg",
            Picture::Lengths => "lengths.svg",
        }
    }

    /// Returns its id in a page.
    pub(super) fn id(self) -> &'static str {
        match self {
            Picture::Intervals => "intervals-plot",
            Picture::Course => "course-plot",
            Picture::Lengths => "lengths-plot",
        }
    }
}

impl Report<'_> {
    /// Draws a plot. Returns `None` if there is nothing to show.
    pub fn picture(&self, picture: Picture, canvas: &Canvas<'_>) -> Option<String> {
        self.plot(picture, canvas).map(Html::into_string)
    }

    /// Draws a plot as markup.
    pub(super) fn plot(&self, picture: Picture, canvas: &Canvas<'_>) -> Option<Html> {
        match picture {
            Picture::Intervals => self.interval_plot().draw(canvas),
            Picture::Course => self.course_plot().draw(canvas),
            Picture::Lengths => {
                let lengths = &self.statistics.lengths;
                let (bins, mean) = (lengths.bins(MAX_BARS), lengths.span.mean());
                HistogramPlot { bins, mean, beyond: lengths.beyond }.draw(canvas)
            }
        }
    }

    fn interval_plot(&self) -> IntervalPlot {
        let middle = match &self.ratings.method {
            Method::Likelihood(options) => match options.anchors.as_slice() {
                [] => Some((options.mean, format!("mean {:.0}", options.mean))),
                [anchor] => Some((anchor.elo, format!("{} is fixed", anchor.name))),
                _ => None,
            },
            _ => None,
        };
        let estimates = self.standings.names().filter_map(|name| {
            let rating = self.ratings.of(name)?;
            Some(Estimate {
                name: name.to_owned(),
                elo: rating.elo?,
                interval: rating.interval.map(|interval| (interval.low, interval.high)),
            })
        });
        IntervalPlot { estimates: estimates.collect(), middle }
    }

    fn course_plot(&self) -> CoursePlot {
        let games = SETTLED_GAMES * self.facts.entrants as u64 / self.tally.seats() as u64;
        let stations = self.course.settled(games);
        let track = |name: &str| {
            let point = |station: &super::course::Station| Some((station.games, station.of(name)?.elo));
            Track { name: name.to_owned(), points: stations.iter().filter_map(point).collect() }
        };
        let has_early = stations.len() < self.course.all().len();
        CoursePlot {
            tracks: self.standings.names().take(MAX_TRACKS).map(track).collect(),
            drawn_from: stations.first().filter(|_| has_early).map(|station| station.games),
        }
    }
}
