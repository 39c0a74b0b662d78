//! A report as Markdown, in the dialect of GitHub and others.

use std::fmt::Write;

use super::sentence::{Sentence, SentencePart};
use super::shown::BARS;
use super::{Part, Report};
use crate::table::{Align, Cell, Column, Table};
use linesman_record::text::printable;

/// Formats these parts of a report as Markdown: headings, tables in GitHub's dialect and a list of sentences.
///
/// Text that others chose is written as code, escaped so that it can start no markup, no link and no mention.
pub fn markdown(report: &Report<'_>, parts: &[Part]) -> String {
    let facts = report.facts.in_short(report.entrant_word());
    let facts: Vec<String> = facts.iter().map(|fact| escaped(fact)).collect();
    let mut text = format!("# {}\n\n{}\n", escaped(&printable(&report.facts.league, 200)), facts.join(", "));
    for part in report.parts_of(parts) {
        let _ = write!(text, "\n## {}\n\n", part.title(report.rules));
        match report.shown(part) {
            None => {
                let _ = writeln!(text, "{}", part.nothing());
            }
            Some(shown) => {
                text.push_str(&table(&shown.table.only(|_, column| column.key != BARS)));
                for line in &shown.below {
                    let _ = write!(text, "\n{line}\n");
                }
            }
        }
        if part == Part::Standings {
            text.push('\n');
            for sentence in report.sentences() {
                let _ = writeln!(text, "- {}", in_markdown(&sentence));
            }
        }
    }
    text
}

fn table(table: &Table) -> String {
    let mut text = String::new();
    let row = |text: &mut String, cells: &mut dyn Iterator<Item = String>| {
        text.push('|');
        for cell in cells {
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    };
    // The titles of columns are words of this program.
    row(&mut text, &mut table.columns().iter().map(Column::shown_title));
    row(
        &mut text,
        &mut table.columns().iter().map(|column| match column.align {
            Align::Left => "---".to_owned(),
            Align::Right => "---:".to_owned(),
        }),
    );
    for cells in table.rows() {
        row(&mut text, &mut table.columns().iter().zip(cells).map(|(column, value)| cell(column, value)));
    }
    text
}

fn cell(column: &Column, cell: &Cell) -> String {
    match (cell, column.is_of_others()) {
        (Cell::Empty, _) => "-".to_owned(),
        (Cell::Text(name), true) if !name.is_empty() => code(name),
        (Cell::Text(text), _) => escaped(text),
        (number, _) => number.plain(),
    }
}

fn in_markdown(sentence: &Sentence) -> String {
    let part = |part: &SentencePart| match part {
        SentencePart::Words(words) => words.clone(),
        SentencePart::Mixed(words) => escaped(words),
        SentencePart::Name(text) | SentencePart::Quoted(text) => code(text),
    };
    sentence.parts().iter().map(part).collect()
}

/// Formats a name as code. In a code span, nothing is a link or a mention.
fn code(name: &str) -> String {
    let is_simple = |symbol: char| symbol.is_ascii_alphanumeric() || " ._+-()/:,=".contains(symbol);
    if name.chars().all(is_simple) && name.trim() == name && !name.is_empty() {
        return format!("`{name}`");
    }
    // A span in backticks can't hold every text; this element can.
    format!("<code>{}</code>", escaped(name))
}

/// Escapes every symbol that a Markdown renderer may take for markup, by its number.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = None;
    let mut symbols = text.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let after = symbols.peek().copied();
        match symbol {
            // Alone in an element it is neither a mention nor the number of an issue.
            '@' | '#' => {
                let _ = write!(safe, "<span>&#{};</span>", u32::from(symbol));
            }
            other if is_plain(before, other, after) => safe.push(other),
            other => {
                let _ = write!(safe, "&#{};", u32::from(other));
            }
        }
        before = Some(symbol);
    }
    safe
}

/// Returns true if a symbol between two others has no special meaning.
fn is_plain(before: Option<char>, symbol: char, after: Option<char>) -> bool {
    let is_letter = |symbol: Option<char>| symbol.is_some_and(char::is_alphanumeric);
    let is_at_end = after.is_none_or(|after| after == ' ');
    match symbol {
        ' ' | ',' | '%' | '(' | ')' | ';' | '\'' | '?' | '/' => true,
        // At the beginning it would start a list, or underline a heading.
        '-' | '+' | '=' => before.is_some(),
        // Within a word it does not emphasize.
        '_' => is_letter(before) && is_letter(after),
        // Within a word it may make a link, and after a number a list.
        '.' => {
            before.is_some_and(|before| before.is_ascii_digit() || before == '.') && !is_at_end
                || is_at_end && before.is_some_and(char::is_alphabetic)
        }
        // Before another symbol it may start a link, and with a second one an emoji.
        ':' => (is_letter(before) || matches!(before, Some('%' | ')'))) && is_at_end,
        other => other.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_markup_is_escaped() {
        for text in [
            "quixo size=3,max_plies=200,repetition=3",
            "only one-sided results against others; the distance to them depends on the prior",
            "1585..2156, 54.2 % (95 %: 36.1 to 77.6); -3 and 1.5",
            "It ends here.",
        ] {
            assert_eq!(escaped(text), text);
        }
        for (text, shown) in [
            ("1. no list", "1&#46; no list"),
            ("- no list", "&#45; no list"),
            ("_it_ a__b", "&#95;it&#95; a&#95;&#95;b"),
            ("www.evil.example", "www&#46;evil&#46;example"),
            ("http://x", "http&#58;//x"),
            ("a~b~1 *c* :tada:", "a&#126;b&#126;1 &#42;c&#42; &#58;tada:"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
