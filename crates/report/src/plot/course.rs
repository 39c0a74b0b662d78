//! Ratings over the games of a league.

use super::axis::{Axis, rounded_out, step, ticks};
use super::sheet::{Anchor, Sheet, cut_names, name, place, width};
use super::{Canvas, Room};
use crate::describe::{grouped, whole};
use crate::markup::{Html, html};

/// Maximum number of tracks that are distinguished and labelled.
const MAX_NAMED: usize = 8;

/// Number of colours; further tracks are dashed.
const COLOURS: usize = 6;

/// Height of letters, and minimum distance between names at the right end.
const LETTERS: f64 = 13.0;
const NAME_GAP: f64 = 17.0;

/// The course of one bot's rating.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    /// The bot.
    pub name: String,
    /// Its rating after numbers of games of the league, from the first to the last.
    pub points: Vec<(u64, f64)>,
}

/// Ratings over the games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoursePlot {
    /// The bots, beginning with those whose names are shown.
    pub tracks: Vec<Track>,
    /// The number of games at which the tracks begin, if there are earlier ratings, which are mostly chance.
    pub drawn_from: Option<u64>,
}

impl CoursePlot {
    /// Draws the plot. Returns `None` if no rating has two points.
    pub(crate) fn draw(&self, canvas: &Canvas<'_>) -> Option<Html> {
        if !self.tracks.iter().any(|track| track.points.len() > 1) {
            return None;
        }
        let points = || self.tracks.iter().flat_map(|track| &track.points);
        let games = points().map(|(games, _)| *games).max()?;
        let lowest = points().map(|(_, elo)| *elo).fold(f64::INFINITY, f64::min);
        let highest = points().map(|(_, elo)| *elo).fold(f64::NEG_INFINITY, f64::max);
        if !(lowest.is_finite() && highest.is_finite()) {
            return None;
        }
        let sheet_width = canvas.width();
        let height = if canvas.room() == Room::Wide { 380.0 } else { 320.0 };
        let (named, others) = self.tracks.split_at(self.tracks.len().min(MAX_NAMED));
        let max_label_width = sheet_width * 0.3;
        let names: Vec<_> = named.iter().map(|track| name(&track.name)).collect();
        let labels = cut_names(&names, LETTERS, max_label_width);
        let label_room = labels.iter().map(|label| width(label, LETTERS)).fold(0.0, f64::max);

        let grid_step = step(lowest, highest, 6, 1.0);
        let range = rounded_out(lowest, highest, grid_step);
        let (left, right) = (58.0, sheet_width - label_room - 30.0);
        let (top, bottom) = (42.0, height - 46.0);
        let across = Axis::new((0.0, games as f64), (left, right));
        let up = Axis::new(range, (bottom, top));

        let mut sheet =
            Sheet::new(canvas, (sheet_width, height), "Ratings over time", &self.description(games));
        for elo in ticks(range.0, range.1, grid_step) {
            sheet.stroke("grid", (left, up.at(elo)), (right, up.at(elo)));
            sheet.text("tick", (left - 8.0, up.at(elo) + 4.0), Anchor::End, &whole(elo));
        }
        sheet.stroke("base", (left, bottom), (right, bottom));
        let games_step = step(0.0, games as f64, canvas.ticks(), 1.0);
        for count in ticks(0.0, games as f64, games_step) {
            let x = across.at(count);
            sheet.stroke("base", (x, bottom), (x, bottom + 5.0));
            sheet.text("tick", (x, bottom + 19.0), Anchor::Middle, &grouped(count as u64));
        }
        sheet.text("unit", (f64::midpoint(left, right), height - 8.0), Anchor::Middle, &self.unit());
        sheet.upright_text("unit", (14.0, f64::midpoint(top, bottom)), "rating (Elo)");

        for track in others {
            path(&mut sheet, "other", track, &across, &up);
        }
        for (index, track) in named.iter().enumerate().rev() {
            let dashes = if index < COLOURS { "" } else { " dashed" };
            path(&mut sheet, &format!("own series-{}{dashes}", index % COLOURS), track, &across, &up);
        }
        let end = |(index, track): (usize, &Track)| Some((index, up.at(track.points.last()?.1)));
        let ends: Vec<(usize, f64)> = named.iter().enumerate().filter_map(end).collect();
        for ((index, end), label_at) in ends.iter().zip(spread(&ends, (top, bottom))) {
            let class = format!("series-{}", index % COLOURS);
            sheet.stroke(&format!("leader {class}"), (right, *end), (right + 20.0, label_at));
            mark(&mut sheet, &class, *index, (right, *end));
            sheet.text("name", (right + 24.0, label_at + 4.5), Anchor::Start, &labels[*index]);
        }
        Some(sheet.finish())
    }

    /// The unit of the axis of games.
    fn unit(&self) -> String {
        match self.drawn_from {
            Some(games) => format!("games played (drawn from {} on)", grouped(games)),
            None => "games played".to_owned(),
        }
    }

    fn description(&self, games: u64) -> String {
        let ends: Vec<String> = self
            .tracks
            .iter()
            .take(MAX_NAMED)
            .filter_map(|track| Some(format!("{} {}", name(&track.name), whole(track.points.last()?.1))))
            .collect();
        let others = match self.tracks.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            others => format!("; {others} more without labels"),
        };
        let early = self.drawn_from.map_or_else(String::new, |games| {
            format!(" Ratings after fewer than {} games are mostly chance and are not drawn.", grouped(games))
        });
        format!(
            "A line for each of {} bots: its rating in Elo over the games of the league.{early} After {} games: \
             {}{others}.",
            self.tracks.len(),
            grouped(games),
            ends.join(", ")
        )
    }
}

fn path(sheet: &mut Sheet, class: &str, track: &Track, across: &Axis, up: &Axis) {
    let points: Vec<String> = track
        .points
        .iter()
        .map(|(games, elo)| format!("{} {}", place(across.at(*games as f64)), place(up.at(*elo))))
        .collect();
    if !points.is_empty() {
        sheet.line(html!(
            r#"<path class="{}" d="M{}"><title>{}</title></path>"#,
            class,
            points.join("L"),
            name(&track.name)
        ));
    }
}

/// Draws the mark at the end of a track: a disc, a square, a diamond or a triangle.
fn mark(sheet: &mut Sheet, class: &str, index: usize, (x, y): (f64, f64)) {
    let shape = match index % 4 {
        0 => format!("M{} {}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", place(x - 5.0), place(y)),
        1 => format!("M{} {}h9v9h-9z", place(x - 4.5), place(y - 4.5)),
        2 => format!("M{} {}l6 6l-6 6l-6 -6z", place(x), place(y - 6.0)),
        _ => format!("M{} {}l6 10h-12z", place(x), place(y - 6.0)),
    };
    sheet.line(html!(r#"<path class="dot {}" d="{}"/>"#, class, shape));
}

/// Returns positions of names at which none covers another: as near to the ends of their tracks as possible, in the
/// same order.
fn spread(ends: &[(usize, f64)], (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|one, other| ends[*one].1.total_cmp(&ends[*other].1));
    let gap = NAME_GAP.min((bottom - top) / ends.len().max(1) as f64);
    let mut places = vec![0.0; ends.len()];
    let mut next = top;
    for index in &order {
        places[*index] = ends[*index].1.max(next);
        next = places[*index] + gap;
    }
    let mut last = bottom;
    for index in order.iter().rev() {
        places[*index] = f64::min(places[*index], last);
        last = places[*index] - gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_never_cover_each_other(ends in proptest::collection::vec(40.0..330.0_f64, 0..=MAX_NAMED)) {
            let ends: Vec<(usize, f64)> = ends.into_iter().enumerate().collect();
            let places = spread(&ends, (40.0, 330.0));
            for (one, at) in places.iter().enumerate() {
                prop_assert!((40.0..=330.0).contains(at), "{places:?}");
                for (other, there) in places.iter().enumerate().filter(|(other, _)| *other != one) {
                    prop_assert!((at - there).abs() >= NAME_GAP - 1e-6, "{places:?}");
                    prop_assert!(ends[one].1 >= ends[other].1 || at < there, "in the order of the ends");
                }
            }
        }
    }
}
