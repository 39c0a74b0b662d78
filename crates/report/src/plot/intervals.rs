//! Ratings with their intervals, one below the other.

use super::axis::{Axis, rounded_out, step, ticks};
use super::sheet::{Anchor, Sheet, cut, cut_names, name, place, width};
use super::{Canvas, Room};
use crate::describe::whole;
use crate::markup::{Html, html};

/// Maximum number of bots that are shown.
const MAX_ROWS: usize = 60;

const LETTERS: f64 = 13.0;
const ROW: f64 = 24.0;

/// Space for the arrow of an interval without a bound, as a fraction of the range of all values.
const OPEN_ROOM: f64 = 0.1;

/// A rating with its uncertainty.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The bot.
    pub name: String,
    pub elo: f64,
    /// The 95 % confidence interval; infinite if there is no bound.
    pub interval: Option<(f64, f64)>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct IntervalPlot {
    /// The bots in the order of the standings.
    pub estimates: Vec<Estimate>,
    /// The rating in the middle, and the name of that value: `mean`.
    pub middle: Option<(f64, String)>,
}

impl IntervalPlot {
    /// Draws the plot. Returns `None` without bots.
    pub(crate) fn draw(&self, canvas: &Canvas<'_>) -> Option<Html> {
        let shown = &self.estimates[..self.estimates.len().min(MAX_ROWS)];
        if !shown.iter().any(|estimate| estimate.elo.is_finite()) {
            return None;
        }
        let (lowest, highest) = self.ends(shown);
        let wide = canvas.room() == Room::Wide;
        let sheet_width = canvas.width();
        let names: Vec<String> = shown.iter().map(|row| name(&row.name)).collect();
        let labels = cut_names(&names, LETTERS, sheet_width * 0.34);
        let values: Vec<String> = shown.iter().map(|row| value(row, wide)).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| width(text, LETTERS)).fold(0.0, f64::max);

        let (left, right) = (24.0 + widest(&labels), sheet_width - widest(&values) - 22.0);
        let top = 44.0;
        let bottom = top + ROW * shown.len() as f64;
        let height = bottom + 48.0;
        let grid_step = step(lowest, highest, canvas.ticks().min(6), 1.0);
        let range = rounded_out(lowest, highest, grid_step);
        let across = Axis::new(range, (left, right));

        let title = "Ratings with 95 % intervals";
        let mut sheet = Sheet::new(canvas, (sheet_width, height), title, &self.description(shown));
        for row in (0..shown.len()).step_by(2) {
            let y = place(top + ROW * row as f64);
            sheet.line(html!(
                r#"<rect class="lane" x="12" y="{}" width="{}" height="{}"/>"#,
                y,
                place(sheet_width - 24.0),
                place(ROW)
            ));
        }
        for elo in ticks(range.0, range.1, grid_step) {
            let x = across.at(elo);
            sheet.stroke("grid", (x, top), (x, bottom));
            sheet.text("tick", (x, bottom + 18.0), Anchor::Middle, &whole(elo));
        }
        sheet.stroke("base", (left, bottom), (right, bottom));
        if let Some((elo, what)) = &self.middle {
            let x = across.at(*elo);
            sheet.stroke("middle", (x, top), (x, bottom));
            sheet.text("tick", (x, top - 6.0), Anchor::Middle, &cut(&name(what), 12.0, 160.0));
        }
        sheet.text("unit", (f64::midpoint(left, right), height - 9.0), Anchor::Middle, "rating (Elo)");
        for (index, estimate) in shown.iter().enumerate() {
            let y = top + ROW * (index as f64 + 0.5);
            sheet.text("name", (18.0, y + 4.5), Anchor::Start, &labels[index]);
            sheet.text("value", (sheet_width - 16.0, y + 4.5), Anchor::End, &values[index]);
            if let Some(interval) = estimate.interval {
                whisker(&mut sheet, interval, &across, y);
            }
            if estimate.elo.is_finite() {
                let (x, y) = (place(across.at(estimate.elo)), place(y));
                sheet.line(html!(r#"<circle class="estimate" cx="{}" cy="{}" r="4.5"/>"#, x, y));
            }
        }
        Some(sheet.finish())
    }

    /// Returns the lowest and the highest value shown, with space for arrows.
    fn ends(&self, shown: &[Estimate]) -> (f64, f64) {
        let of = |estimate: &Estimate| {
            let (low, high) = estimate.interval.unwrap_or((estimate.elo, estimate.elo));
            [low, estimate.elo, high]
        };
        let middle = self.middle.iter().map(|(elo, _)| *elo);
        let ends = || shown.iter().flat_map(of).chain(middle.clone()).filter(|end| end.is_finite());
        let (lowest, highest) =
            (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
        let open = |end: fn((f64, f64)) -> f64| {
            shown.iter().filter_map(|row| row.interval).any(|interval| end(interval).is_infinite())
        };
        let room = ((highest - lowest) * OPEN_ROOM).max(1.0);
        let low = if open(|interval| interval.0) { lowest - room } else { lowest };
        let high = if open(|interval| interval.1) { highest + room } else { highest };
        (low, high)
    }

    fn description(&self, shown: &[Estimate]) -> String {
        let rows: Vec<String> =
            shown.iter().map(|row| format!("{} {}", name(&row.name), value(row, true))).collect();
        let more = match self.estimates.len() - shown.len() {
            0 => String::new(),
            more => format!("; {more} more are not shown"),
        };
        format!("A dot for each bot's rating in Elo and a bar for its interval: {}{more}.", rows.join(", "))
    }
}

/// Draws a bar with an end at each bound, or with an arrow if there is no bound.
fn whisker(sheet: &mut Sheet, (low, high): (f64, f64), across: &Axis, y: f64) {
    let (from, to) = (across.at(low), across.at(high));
    sheet.stroke("whisker", (from, y), (to, y));
    for (end, x, inwards) in [(low, from, 5.0), (high, to, -5.0)] {
        if end.is_finite() {
            sheet.stroke("whisker", (x, y - 5.0), (x, y + 5.0));
        } else {
            let (x, back, above, below) = (place(x), place(x + inwards), place(y - 5.0), place(y + 5.0));
            sheet.line(html!(
                r#"<path class="whisker" d="M{} {}L{} {}L{} {}"/>"#,
                back,
                above,
                x,
                place(y),
                back,
                below
            ));
        }
    }
}

/// Formats an estimate: `1712 (1650 to 1774)`.
fn value(estimate: &Estimate, with_interval: bool) -> String {
    let elo = whole(estimate.elo);
    match estimate.interval.filter(|_| with_interval) {
        None => elo,
        Some((low, high)) => match (low.is_finite(), high.is_finite()) {
            (true, true) if low == high => format!("{elo} (fixed)"),
            (true, true) => format!("{elo} ({} to {})", whole(low), whole(high)),
            (true, false) => format!("{elo} (above {})", whole(low)),
            (false, true) => format!("{elo} (below {})", whole(high)),
            (false, false) => elo,
        },
    }
}
