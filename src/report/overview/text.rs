//! A report for a terminal.

use std::fmt::Write;

use super::tables::Shown;
use super::{Part, Report};
use crate::record::text::printable;
use crate::report::{fit, shorten};

/// How wide words run where nobody limits them.
const USUAL_WIDTH: usize = 100;

/// These parts of a report as plain text, nothing wider than `width` if that is
/// given: tables are parted or go without some columns, and say so.
pub fn text(report: &Report<'_>, parts: &[Part], width: Option<usize>) -> String {
    let mut text = String::new();
    let facts = report.facts.in_short(report.entrant_word());
    let head = format!("{}: {}", printable(&report.facts.league, 200), facts.join(", "));
    wrapped(&mut text, "", &head, width);
    for part in report.parts_of(parts) {
        let _ = write!(text, "\n{}\n", part.title());
        match report.shown(part) {
            None => wrapped(&mut text, "", part.nothing(), width),
            Some(shown) => section(&mut text, &shown, width),
        }
        if part == Part::Standings {
            text.push_str("\nIn words\n");
            for sentence in report.sentences() {
                wrapped(&mut text, "- ", &sentence.to_string(), width);
            }
        }
    }
    text
}

fn section(text: &mut String, shown: &Shown, width: Option<usize>) {
    text.push_str(&fit::text(&shown.table, shown.fit, width));
    for line in &shown.below {
        wrapped(text, "", line, width);
    }
}

/// Words in lines that fit, those after the first as far in as the first's words.
fn wrapped(text: &mut String, bullet: &str, words: &str, width: Option<usize>) {
    let room = width.unwrap_or(USUAL_WIDTH).max(bullet.len() + 8);
    for line in shorten::wrapped(&format!("{bullet}{words}"), room, bullet.len()).iter() {
        text.push_str(line);
        text.push('\n');
    }
}
