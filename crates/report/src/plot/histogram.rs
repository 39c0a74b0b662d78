//! A histogram of the lengths of games.

use super::axis::{Axis, rounded_out, step, ticks};
use super::sheet::{Anchor, Sheet, place};
use super::{Canvas, Room};
use crate::describe::grouped;
use crate::markup::{Html, html};

/// Games of similar length.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Bin {
    /// Minimum length.
    pub from: u64,
    /// Maximum length.
    pub to: u64,
    pub games: u64,
}

/// Numbers of games by length.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HistogramPlot {
    /// The bins in ascending order, without gaps and equally wide.
    pub bins: Vec<Bin>,
    /// The mean length.
    pub mean: Option<f64>,
    /// Number of games that are longer than those shown.
    pub beyond: u64,
}

impl HistogramPlot {
    /// Draws the plot. Returns `None` without games.
    pub(crate) fn draw(&self, canvas: &Canvas<'_>) -> Option<Html> {
        let (first, last) = (self.bins.first()?, self.bins.last()?);
        let highest_bar = self.bins.iter().map(|bin| bin.games).max()?;
        let sheet_width = canvas.width();
        let height = if canvas.room() == Room::Wide { 300.0 } else { 270.0 };
        let grid_step = step(0.0, highest_bar as f64, 5, 1.0);
        let range = rounded_out(0.0, highest_bar as f64, grid_step);
        let (left, right) = (64.0, sheet_width - 20.0);
        let (top, bottom) = (52.0, height - 46.0);
        // The bar of a length of 12 reaches from 12 to 13.
        let across = Axis::new((first.from as f64, last.to as f64 + 1.0), (left, right));
        let up = Axis::new(range, (bottom, top));

        let mut sheet =
            Sheet::new(canvas, (sheet_width, height), "Game lengths", &self.description(highest_bar));
        for games in ticks(range.0, range.1, grid_step) {
            sheet.stroke("grid", (left, up.at(games)), (right, up.at(games)));
            sheet.text("tick", (left - 8.0, up.at(games) + 4.0), Anchor::End, &grouped(games as u64));
        }
        for bin in &self.bins {
            let (from, to) = (across.at(bin.from as f64) + 0.5, across.at(bin.to as f64 + 1.0) - 0.5);
            let up_to = up.at(bin.games as f64);
            sheet.line(html!(
                r#"<rect class="bar" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>"#,
                place(from),
                place(up_to),
                place((to - from).max(0.1)),
                place(bottom - up_to),
                in_words(bin)
            ));
        }
        sheet.stroke("base", (left, bottom), (right, bottom));
        let (low, high) = across.ends();
        let plies_step = step(low, high, canvas.ticks(), 1.0);
        for plies in ticks(low, high - 1.0, plies_step) {
            let x = across.at(plies + 0.5);
            sheet.stroke("base", (x, bottom), (x, bottom + 5.0));
            sheet.text("tick", (x, bottom + 19.0), Anchor::Middle, &grouped(plies as u64));
        }
        if let Some(mean) = self.mean.filter(|mean| (low..=high).contains(mean)) {
            let x = across.at(mean + 0.5);
            sheet.stroke("halo", (x, top - 8.0), (x, bottom));
            sheet.stroke("middle", (x, top - 8.0), (x, bottom));
            let (anchor, shift) =
                if x > f64::midpoint(left, right) { (Anchor::End, -5.0) } else { (Anchor::Start, 5.0) };
            sheet.text("tick", (x + shift, top - 6.0), anchor, &format!("mean {mean:.1}"));
        }
        sheet.text("unit", (f64::midpoint(left, right), height - 8.0), Anchor::Middle, "length (plies)");
        sheet.upright_text("unit", (14.0, f64::midpoint(top, bottom)), "games");
        Some(sheet.finish())
    }

    fn description(&self, highest_bar: u64) -> String {
        let games: u64 = self.bins.iter().map(|bin| bin.games).sum();
        let (first, last) = (self.bins.first(), self.bins.last());
        let between = match (first, last) {
            (Some(first), Some(last)) => {
                format!("between {} and {} plies long", grouped(first.from), grouped(last.to))
            }
            _ => String::new(),
        };
        let highest = self.bins.iter().find(|bin| bin.games == highest_bar).map(in_words).unwrap_or_default();
        let mean = self.mean.map_or_else(String::new, |mean| format!(" The mean is {mean:.1} plies."));
        let beyond = match self.beyond {
            0 => String::new(),
            beyond => format!(" {} games are longer and not shown.", grouped(beyond)),
        };
        format!(
            "A bar for the games of each length. {} games are {between}. The highest bar: {highest}.{mean}{beyond}",
            grouped(games)
        )
    }
}

/// Describes a bin: `20 to 24 plies: 1,024 games`.
fn in_words(bin: &Bin) -> String {
    let length = if bin.from == bin.to {
        grouped(bin.from)
    } else {
        format!("{} to {}", grouped(bin.from), grouped(bin.to))
    };
    let plies = if bin.from == bin.to && bin.from == 1 { "ply" } else { "plies" };
    let games = if bin.games == 1 { "game" } else { "games" };
    format!("{length} {plies}: {} {games}", grouped(bin.games))
}
