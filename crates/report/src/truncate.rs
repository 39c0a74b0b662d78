//! Names and lines cut to a width so that as much information as possible is left.

use std::collections::HashSet;

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

/// The sign in place of removed text.
const ELLIPSIS: char = '…';

/// Fractions of the room for the front of a name, in quarters. The first one that keeps different names
/// different is used.
const FRONTS: [usize; 4] = [2, 1, 3, 0];

/// Number of terminal columns that a text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Names in at most `most` columns each. A name that is too long loses its middle, since versions of a bot,
/// and bots of a family, differ at the end.
pub fn names<N: AsRef<str>>(names: &[N], most: usize) -> Vec<String> {
    let cut = |front: usize| -> Vec<String> {
        names.iter().map(|name| name_cut(name.as_ref(), most, front)).collect()
    };
    if names.iter().all(|name| columns(name.as_ref()) <= most) {
        return names.iter().map(|name| name.as_ref().to_owned()).collect();
    }
    let different = |names: &mut dyn Iterator<Item = &str>| names.collect::<HashSet<_>>().len();
    let all = different(&mut names.iter().map(AsRef::as_ref));
    let told_apart = FRONTS
        .iter()
        .map(|front| cut(*front))
        .find(|own| different(&mut own.iter().map(String::as_str)) == all);
    told_apart.unwrap_or_else(|| cut(FRONTS[0]))
}

fn name_cut(name: &str, most: usize, front: usize) -> String {
    if columns(name) <= most {
        return name.to_owned();
    }
    let room = most.saturating_sub(1);
    let mut kept = start(name, (room * front).div_ceil(4)).to_owned();
    kept.push(ELLIPSIS);
    let room = most.saturating_sub(columns(&kept));
    kept.push_str(end(&name[kept.len() - ELLIPSIS.len_utf8()..], room));
    kept
}

/// A text in at most `most` columns. One that is too long loses its end.
pub fn line(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut kept = start(text, most.saturating_sub(1)).trim_end().to_owned();
    kept.push(ELLIPSIS);
    kept
}

/// The longest start of a text that fits.
fn start(text: &str, most: usize) -> &str {
    let ends = text.char_indices().map(|(at, symbol)| at + symbol.len_utf8());
    let fits = ends.take_while(|end| columns(&text[..*end]) <= most).last();
    &text[..fits.unwrap_or(0)]
}

/// The longest end of a text that fits.
fn end(text: &str, most: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let fits = starts.take_while(|start| columns(&text[*start..]) <= most).last();
    // A combining mark without its letter would join the one before.
    text[fits.unwrap_or(text.len())..].trim_start_matches(|symbol: char| columns(&symbol.to_string()) == 0)
}

/// Words in lines of at most `most` columns; those after the first are indented by `indent`. A word that is
/// longer than a line is broken at the line's end.
pub fn wrapped(words: &str, most: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut is_empty = true;
    for word in words.split(' ') {
        let mut word = word;
        let used = lines.last().map_or(0, |line| columns(line));
        if !is_empty && used + 1 + columns(word) <= most {
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
            let room = most.saturating_sub(columns(line)).max(1);
            let own = match start(word, room) {
                // A wide character in a narrow place may exceed it.
                "" => &word[..word.chars().next().map_or(0, char::len_utf8)],
                own => own,
            };
            line.push_str(own);
            word = &word[own.len()..];
            if word.is_empty() {
                break;
            }
            lines.push(" ".repeat(indent));
        }
        is_empty = false;
    }
    lines
}

/// Words in lines of at most `most` columns, of which escape sequences take none. A longer word stays whole.
pub fn whole_words(text: &str, most: usize) -> Vec<String> {
    let shown = |text: &str| columns(&strip_str(text).to_string());
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if shown(line) + 1 + shown(word) <= most => {
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
    fn different_names_stay_different_where_that_can_be() {
        let versions = ["engine-1-with-a-long-name-tuned", "engine-2-with-a-long-name-tuned"];
        let at_the_end = ["engine-with-a-long-name-111-x-y", "engine-with-a-long-name-222-x-y"];
        for pair in [versions, at_the_end] {
            for most in 12..31 {
                let short = names(&pair, most);
                assert_ne!(short[0], short[1], "{most}");
                assert!(short.iter().all(|name| columns(name) <= most), "{most}: {short:?}");
            }
        }
    }

    #[test]
    fn wide_characters_and_marks_are_not_torn() {
        for most in 1..12 {
            for name in
                ["囲碁囲碁囲碁囲碁", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}"]
            {
                let short = names(&[name], most);
                assert!(columns(&short[0]) <= most, "{most}: {short:?}");
                assert!(!short[0].contains("…\u{301}"), "{short:?}");
            }
        }
    }

    #[test]
    fn words_are_wrapped_between_them() {
        assert_eq!(wrapped("one two three", 8, 2), ["one two", "  three"]);
        assert_eq!(wrapped("abcdefghij k", 4, 1), ["abcd", " efg", " hij", " k"]);
        assert_eq!(wrapped("", 4, 1), [""]);
        assert_eq!(line("one two three", 9), "one two…");
        for most in 1..20 {
            let lines = wrapped("囲碁囲碁 and more", most, 2);
            assert!(lines.iter().all(|line| columns(line) <= most.max(4)), "{lines:?}");
        }
    }
}
