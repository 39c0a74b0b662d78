//! Lines as text: their permitted characters, their words, and a form that is safe to show.

use std::fmt::{self, Write};
use std::str::FromStr;

/// The text expected instead of a line with control characters, such as a terminal's escape sequences.
pub const WITHOUT_CONTROL_CHARACTERS: &str = "text without control characters";

/// Returns the text of a line without its `\n`. Drops one `\r` at the end and a byte
/// order mark at the start. The error says what was expected.
pub(super) fn line_text(line: &[u8]) -> Result<&str, &'static str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|_| "UTF-8 text")?;
    if has_control(text) {
        return Err(WITHOUT_CONTROL_CHARACTERS);
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn has_control(text: &str) -> bool {
    let plain = text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    !plain && text.chars().any(|c| c.is_control() && c != '\t')
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// The part of a line that is left to read.
#[derive(Clone, Debug)]
pub(super) struct Words<'t>(&'t str);

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str) -> Words<'t> {
        Words(text)
    }

    /// Returns all that is left, without the blanks around it.
    pub(super) fn rest(&self) -> &'t str {
        self.0.trim_matches(is_blank)
    }

    /// Reads the next word as a number.
    pub(super) fn number<N: FromStr>(&mut self) -> Option<N> {
        self.next()?.parse().ok()
    }

    /// Reads the words before the first one that `ends`, and joins them with single blanks.
    /// That word, if any, is not read.
    pub(super) fn until(&mut self, ends: impl Fn(&str) -> bool) -> String {
        let mut joined = String::new();
        let mut ahead = self.clone();
        while let Some(word) = ahead.next() {
            if ends(word) {
                break;
            }
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word);
            *self = ahead.clone();
        }
        joined
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.0.trim_start_matches(is_blank);
        let end = text.find(is_blank).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Appends text with its control characters as blanks, so that it stays on its line.
pub(super) fn push_clean(line: &mut String, text: &str) {
    line.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
}

/// Appends a value to a line, after the text `before`.
pub(super) fn push_display(line: &mut String, before: &str, value: impl fmt::Display) {
    // Writing to a string can't fail.
    let _ = write!(line, "{before}{value}");
}

/// Returns bytes from a bot as text that is safe to show. Control characters, changes of
/// the writing direction and bytes that are not UTF-8 are escaped. After
/// `max_chars` characters, the rest becomes `...`.
pub fn printable(bytes: &[u8], max_chars: usize) -> String {
    let mut shown = String::new();
    let mut room = max_chars;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if room == 0 {
                shown.push_str("...");
                return shown;
            }
            room -= 1;
            match c {
                '"' | '\'' | '\\' => shown.push(c),
                _ => shown.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            if room == 0 {
                shown.push_str("...");
                return shown;
            }
            room -= 1;
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_text_without_control_characters() {
        for (line, expected) in [
            (&b"bestmove a1\r"[..], Ok("bestmove a1")),
            (b"a\tb ", Ok("a\tb ")),
            (b"\xef\xbb\xbfugiok", Ok("ugiok")),
            ("id name Zoë".as_bytes(), Ok("id name Zoë")),
            (b"", Ok("")),
            (b"\r", Ok("")),
            (b"a\r\r", Err(WITHOUT_CONTROL_CHARACTERS)),
            (b"a\rb", Err(WITHOUT_CONTROL_CHARACTERS)),
            (b"\0", Err(WITHOUT_CONTROL_CHARACTERS)),
            (b"\x1b[1m", Err(WITHOUT_CONTROL_CHARACTERS)),
            (b"\x7f", Err(WITHOUT_CONTROL_CHARACTERS)),
            ("\u{85}".as_bytes(), Err(WITHOUT_CONTROL_CHARACTERS)),
            (b"\xff", Err("UTF-8 text")),
        ] {
            assert_eq!(line_text(line), expected, "{line:?}");
        }
    }

    #[test]
    fn only_blanks_and_tabs_separate_words() {
        assert_eq!(Words::new("  a \t b\u{a0}c ").collect::<Vec<_>>(), ["a", "b\u{a0}c"]);
        let mut words = Words::new("name  Hash\tsize type spin");
        words.next();
        assert_eq!(words.until(|word| word == "type"), "Hash size");
        assert_eq!(words.next(), Some("type"));
        assert_eq!(words.rest(), "spin");
        assert_eq!(words.until(|word| word == "type"), "spin");
        assert_eq!(words.next(), None);
    }

    #[test]
    fn printable_text_is_escaped_and_cut() {
        assert_eq!(printable(b"a\x1b[1m\xffb\0", 99), "a\\u{1b}[1m\\xffb\\0");
        assert_eq!(printable("\u{202e}it's \"\\\"".as_bytes(), 99), "\\u{202e}it's \"\\\"");
        assert_eq!(printable(b"abcdef", 6), "abcdef");
        assert_eq!(printable(b"abcdef", 5), "abcde...");
    }
}
