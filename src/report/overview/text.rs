//! A report for a terminal.

use std::fmt::Write;

use super::tables::{Fit, Shown};
use super::{Part, Report};
use crate::record::text::printable;
use crate::report::table::{Align, Table};

/// How wide words run where nobody limits them.
const USUAL_WIDTH: usize = 100;

/// How wide a column of texts must be left at least.
const LEAST_TEXT: usize = 12;

/// Between two columns.
const GAP: usize = 2;

/// These parts of a report as plain text, nothing wider than `width` if that is
/// given: tables are parted or go without some columns, and say so.
pub fn text(report: &Report<'_>, parts: &[Part], width: Option<usize>) -> String {
    let mut text = String::new();
    let facts = report.facts.in_short(report.entrant_word());
    let head = format!("{}: {}", printable(&report.facts.league, 200), facts.join(", "));
    wrapped(&mut text, "", &head, width);
    for part in parts {
        let _ = write!(text, "\n{}\n", part.title());
        match report.shown(*part) {
            None => wrapped(&mut text, "", part.nothing(), width),
            Some(shown) => section(&mut text, &shown, width),
        }
        if *part == Part::Standings {
            text.push_str("\nIn words\n");
            for sentence in report.sentences() {
                wrapped(&mut text, "- ", &sentence.to_string(), width);
            }
        }
    }
    text
}

fn section(text: &mut String, shown: &Shown, width: Option<usize>) {
    let mut left_out = Vec::new();
    let tables = match (width, shown.fit) {
        (None, _) => vec![shown.table.clone()],
        (Some(width), Fit::LeaveOut(groups)) => {
            let (table, without) = narrowed(&shown.table, groups, width);
            left_out = without;
            vec![table]
        }
        (Some(width), Fit::Part) => parted(&shown.table, width),
    };
    for (number, table) in tables.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&table.to_text(width));
    }
    if !left_out.is_empty() {
        let words = format!("Left out for want of room: {}.", left_out.join(", "));
        wrapped(text, "", &words, width);
    }
    for line in &shown.below {
        wrapped(text, "", line, width);
    }
}

/// How wide a table is at least: numbers are never broken, texts may be.
fn least_width(table: &Table) -> usize {
    let widths = table.widths();
    let columns = table.columns().iter().zip(&widths);
    let least = columns.map(|(column, width)| match column.align() {
        Align::Right => *width,
        Align::Left => (*width).min(LEAST_TEXT),
    });
    least.map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// The table without as many columns as must go, and what they are called.
fn narrowed(table: &Table, groups: &[&[&str]], width: usize) -> (Table, Vec<String>) {
    let mut left_out = Vec::new();
    let mut narrow = table.clone();
    for group in groups {
        if least_width(&narrow) <= width {
            break;
        }
        let goes = |key: &str| group.contains(&key);
        let titles = narrow.columns().iter().filter(|column| goes(column.key()));
        left_out.extend(titles.map(|column| column.shown_title()).filter(|title| !title.is_empty()));
        narrow = narrow.only(|_, column| !goes(column.key()));
    }
    (narrow, left_out)
}

/// The table in parts that fit, each with its first two columns; a single
/// column stays whole even if it does not.
fn parted(table: &Table, width: usize) -> Vec<Table> {
    const REPEATED: usize = 2;
    let widths = table.widths();
    let least = |index: usize| match table.columns()[index].align() {
        Align::Right => widths[index],
        Align::Left => widths[index].min(LEAST_TEXT),
    };
    let head: usize = (0..REPEATED.min(widths.len())).map(|index| least(index) + GAP).sum();
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    let mut used = usize::MAX;
    for index in REPEATED..widths.len() {
        let more = least(index) + GAP;
        // The last column of a part has no gap after it.
        if used.saturating_add(more) > width + GAP {
            parts.push(index..index);
            used = head;
        }
        used += more;
        if let Some(part) = parts.last_mut() {
            part.end = index + 1;
        }
    }
    if parts.is_empty() {
        return vec![table.clone()];
    }
    parts.iter().map(|part| table.only(|index, _| index < REPEATED || part.contains(&index))).collect()
}

/// Words in lines that fit, those after the first as far in as the first's
/// words. A word that is longer than a line is broken where the line ends.
fn wrapped(text: &mut String, bullet: &str, words: &str, width: Option<usize>) {
    let indent = " ".repeat(bullet.len());
    let room = width.unwrap_or(USUAL_WIDTH).saturating_sub(bullet.len()).max(8);
    let mut line = String::new();
    let mut lines = Vec::new();
    for word in words.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        let fits =
            |line: &str, more: usize| line.chars().count() + usize::from(!line.is_empty()) + more <= room;
        if !fits(&line, word.len()) && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        while word.len() > room {
            lines.push(word.drain(..room).collect());
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word);
    }
    lines.push(line);
    for (number, line) in lines.iter().enumerate() {
        text.push_str(if number == 0 { bullet } else { &indent });
        text.push_str(line);
        text.push('\n');
    }
}
