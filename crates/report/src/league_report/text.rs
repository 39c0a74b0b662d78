//! A report for a terminal.

use std::fmt::Write;

use super::crossed::Crossed;
use super::shown::Shown;
use super::{Part, Report};
use crate::{layout, truncate};
use linesman_record::text::printable;

/// Width of text if nothing limits it.
const USUAL_WIDTH: usize = 100;

/// Maximum number of rows of tables that are rarely read to their end.
const MAX_ROWS: usize = 60;

/// Formats these parts of a report as plain text, at most `width` columns wide if that is given. Tables that do not fit
/// are split or lose some columns, which is noted.
pub fn text(report: &Report<'_>, parts: &[Part], width: Option<usize>) -> String {
    let mut text = String::new();
    let facts = report.facts.in_short(report.entrant_word());
    let head = format!("{}: {}", printable(&report.facts.league, 200), facts.join(", "));
    wrapped(&mut text, "", &head, width);
    for part in report.parts_of(parts) {
        let _ = write!(text, "\n{}\n", part.title(report.rules));
        match (part, report.crossed().filter(|_| part == Part::Crosstable)) {
            (_, Some(crossed)) => cross_section(&mut text, &crossed, width),
            (part, None) => match report.shown(part) {
                None => wrapped(&mut text, "", part.nothing(), width),
                Some(shown) => section(&mut text, &shown.first(max_rows(part)), width),
            },
        }
        if part == Part::Standings {
            text.push_str("\nNotes\n");
            for sentence in report.sentences() {
                wrapped(&mut text, "- ", &sentence.to_string(), width);
            }
        }
    }
    text
}

fn section(text: &mut String, shown: &Shown, width: Option<usize>) {
    text.push_str(&layout::text(&shown.table, shown.layout, width));
    for line in &shown.below {
        wrapped(text, "", line, width);
    }
}

/// Writes the crosstable, or a note if it does not fit, since it would be unreadable in parts.
fn cross_section(text: &mut String, crossed: &Crossed<'_>, width: Option<usize>) {
    match (crossed.fitting(width), width) {
        (None, Some(room)) => wrapped(text, "", &crossed.too_wide(room), width),
        (cells, _) => {
            let cells = cells.unwrap_or_else(|| crossed.cells());
            text.push_str(&crossed.table(cells).to_text(width));
            crossed.below(cells).iter().for_each(|line| wrapped(text, "", line, width));
        }
    }
}

/// Returns the maximum number of rows of a part.
fn max_rows(part: Part) -> usize {
    match part {
        // Not cut, since every user looks for a particular bot there.
        Part::Ranking | Part::Bracket | Part::Standings => usize::MAX,
        Part::Seats
        | Part::Faults
        | Part::Crosstable
        | Part::Endings
        | Part::Lengths
        | Part::Openings
        | Part::Course
        | Part::Workers => MAX_ROWS,
    }
}

/// Wraps words into lines. Lines after the first are indented by the width of the bullet.
fn wrapped(text: &mut String, bullet: &str, words: &str, width: Option<usize>) {
    let room = width.unwrap_or(USUAL_WIDTH).max(bullet.len() + 8);
    for line in truncate::wrapped(&format!("{bullet}{words}"), room, bullet.len()).iter() {
        text.push_str(line);
        text.push('\n');
    }
}
