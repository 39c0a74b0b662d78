//! Names and lines cut to a width so that as much information as possible is left.

use std::collections::HashSet;

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

/// The symbol for removed text.
const ELLIPSIS: char = '…';

/// Fractions of the room for the front of a name, in quarters. The first one that keeps different names
/// different is used.
const FRONTS: [usize; 4] = [2, 1, 3, 0];

/// Returns the number of terminal columns that a text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Cuts names to at most `max_columns` columns each. A name that is too long loses its middle, since versions of a bot,
/// and bots of a family, differ at the end.
pub fn names<N: AsRef<str>>(names: &[N], max_columns: usize) -> Vec<String> {
    let cut = |front: usize| -> Vec<String> {
        names.iter().map(|name| name_cut(name.as_ref(), max_columns, front)).collect()
    };
    if names.iter().all(|name| columns(name.as_ref()) <= max_columns) {
        return names.iter().map(|name| name.as_ref().to_owned()).collect();
    }
    let different = |names: &mut dyn Iterator<Item = &str>| names.collect::<HashSet<_>>().len();
    let all = different(&mut names.iter().map(AsRef::as_ref));
    let distinct = FRONTS
        .iter()
        .map(|front| cut(*front))
        .find(|short| different(&mut short.iter().map(String::as_str)) == all);
    distinct.unwrap_or_else(|| cut(FRONTS[0]))
}

fn name_cut(name: &str, max_columns: usize, front: usize) -> String {
    if columns(name) <= max_columns {
        return name.to_owned();
    }
    let room = max_columns.saturating_sub(1);
    let mut kept = start(name, (room * front).div_ceil(4)).to_owned();
    kept.push(ELLIPSIS);
    let room = max_columns.saturating_sub(columns(&kept));
    kept.push_str(end(&name[kept.len() - ELLIPSIS.len_utf8()..], room));
    kept
}

/// Cuts a text to at most `max_columns` columns. A text that is too long loses its end.
pub fn line(text: &str, max_columns: usize) -> String {
    if columns(text) <= max_columns {
        return text.to_owned();
    }
    let mut kept = start(text, max_columns.saturating_sub(1)).trim_end().to_owned();
    kept.push(ELLIPSIS);
    kept
}

/// Returns the longest start of a text that fits.
fn start(text: &str, max_columns: usize) -> &str {
    let ends = text.char_indices().map(|(at, symbol)| at + symbol.len_utf8());
    let fits = ends.take_while(|end| columns(&text[..*end]) <= max_columns).last();
    &text[..fits.unwrap_or(0)]
}

/// Returns the longest end of a text that fits.
fn end(text: &str, max_columns: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let fits = starts.take_while(|start| columns(&text[*start..]) <= max_columns).last();
    // A combining mark without its letter would join the symbol before it.
    text[fits.unwrap_or(text.len())..].trim_start_matches(|symbol: char| columns(&symbol.to_string()) == 0)
}

/// Wraps words into lines of at most `max_columns` columns; lines after the first are indented by `indent`. A word that
/// is longer than a line is broken at the line's end.
pub fn wrapped(words: &str, max_columns: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut is_empty = true;
    for word in words.split(' ') {
        let mut word = word;
        let used = lines.last().map_or(0, |line| columns(line));
        if !is_empty && used + 1 + columns(word) <= max_columns {
            let line = lines.last_mut().expect("there is a line from the start");
            line.push(' ');
            line.push_str(word);
            continue;
        }
        if !is_empty {
            lines.push(" ".repeat(indent));
        }
        loop {
            let line = lines.last_mut().expect("there is a line from the start");
            let room = max_columns.saturating_sub(columns(line)).max(1);
            let part = match start(word, room) {
                // A wide character in a narrow place may exceed it.
                "" => &word[..word.chars().next().map_or(0, char::len_utf8)],
                part => part,
            };
            line.push_str(part);
            word = &word[part.len()..];
            if word.is_empty() {
                break;
            }
            lines.push(" ".repeat(indent));
        }
        is_empty = false;
    }
    lines
}

/// Wraps words into lines of at most `max_columns` columns, of which escape sequences take none. A longer word stays
/// whole.
pub fn whole_words(text: &str, max_columns: usize) -> Vec<String> {
    let shown = |text: &str| columns(&strip_str(text).to_string());
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if shown(line) + 1 + shown(word) <= max_columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_start_and_its_end() {
        assert_eq!(names(&["my-very-long-bot-v2.1-rc1", "greedy"], 12), ["my-ver…1-rc1", "greedy"]);
        assert_eq!(names(&["short"], 5), ["short"]);
        assert_eq!(names(&["abc"], 1), ["…"]);
        assert_eq!(names(&["abc"], 0), ["…"]);
    }

    #[test]
    fn different_names_stay_different_if_possible() {
        let versions = ["engine-1-with-a-long-name-tuned", "engine-2-with-a-long-name-tuned"];
        let at_the_end = ["engine-with-a-long-name-111-x-y", "engine-with-a-long-name-222-x-y"];
        for pair in [versions, at_the_end] {
            for max_columns in 12..31 {
                let short = names(&pair, max_columns);
                assert_ne!(short[0], short[1], "{max_columns}");
                assert!(short.iter().all(|name| columns(name) <= max_columns), "{max_columns}: {short:?}");
            }
        }
    }

    #[test]
    fn wide_characters_and_marks_are_not_torn() {
        for max_columns in 1..12 {
            for name in
                ["囲碁囲碁囲碁囲碁", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}"]
            {
                let short = names(&[name], max_columns);
                assert!(columns(&short[0]) <= max_columns, "{max_columns}: {short:?}");
                assert!(!short[0].contains("…\u{301}"), "{short:?}");
            }
        }
    }

    #[test]
    fn lines_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8, 2), ["one two", "  three"]);
        assert_eq!(wrapped("abcdefghij k", 4, 1), ["abcd", " efg", " hij", " k"]);
        assert_eq!(wrapped("", 4, 1), [""]);
        assert_eq!(line("one two three", 9), "one two…");
        for max_columns in 1..20 {
            let lines = wrapped("囲碁囲碁 and more", max_columns, 2);
            assert!(lines.iter().all(|line| columns(line) <= max_columns.max(4)), "{lines:?}");
        }
    }
}
