//! A fast parser for the part of a line that ratings need: a single pass over the bytes of plainly written lines.
//!
//! The result is the same as that of the [general parser](PlayedRecord). At anything that is not plain (an escape
//! in a text, a field that occurs twice, a value of an unexpected type, or an error) the scanner gives up and
//! leaves the line to the general parser.

use std::borrow::Cow;

use arrayvec::ArrayVec;

use crate::summary::{Few, PlayedRecord, PlayedSeat, plain};

/// Maximum depth of values that are skipped; deeper ones are not plain.
const MAX_DEPTH: u32 = 32;

/// The part of a line that ratings need, if the line is plain.
pub(super) fn played(line: &[u8]) -> Option<PlayedRecord<'_>> {
    let mut scanner = Scanner { text: std::str::from_utf8(line).ok()?, at: 0 };
    let (mut version, mut id, mut game, mut seats) = (None, None, None, None);
    let (mut league, mut pair, mut opening, mut moves, mut places) = (None, None, None, None, None);
    scanner.members(|scanner, key| match key {
        "v" => once(&mut version, scanner.number()?),
        "id" => once(&mut id, scanner.text()?),
        "game" => once(&mut game, scanner.text()?),
        "seats" => once(&mut seats, scanner.list(Scanner::seat)?),
        "league" => once(&mut league, scanner.optional(Scanner::text)?),
        "pair" => once(&mut pair, scanner.optional(Scanner::text)?),
        "opening" => once(&mut opening, scanner.optional(Scanner::raw)?),
        "moves" => once(&mut moves, scanner.optional(Scanner::raw)?),
        "places" => once(&mut places, scanner.optional(|scanner| scanner.list(Scanner::place))?),
        // Games without a result are rare.
        "void" => None,
        _ => scanner.skip(MAX_DEPTH),
    })?;
    scanner.skip_blanks();
    if scanner.at != line.len() {
        return None;
    }
    Some(PlayedRecord {
        v: version?,
        id: Cow::Borrowed(id?),
        league: league.flatten().map(plain),
        game: Cow::Borrowed(game?),
        pair: pair.flatten().map(plain),
        seats: seats?,
        opening: opening.flatten(),
        moves: moves.flatten(),
        places: places.flatten(),
        void: None,
    })
}

/// Stores a value; `None` if there was one already.
fn once<T>(kept: &mut Option<T>, value: T) -> Option<()> {
    kept.replace(value).is_none().then_some(())
}

/// A text and the current position. Every method returns `None` where the text is not plain.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
    }

    /// Takes this byte, after any blanks.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_blanks();
        (self.byte()? == byte).then(|| self.at += 1)
    }

    /// Takes the separator or end after a value of an array or object. Returns true if another value follows.
    fn has_next(&mut self, end: u8) -> Option<bool> {
        self.skip_blanks();
        let byte = self.byte()?;
        self.at += 1;
        match byte {
            b',' => Some(true),
            byte if byte == end => Some(false),
            _ => None,
        }
    }

    /// Takes the end of an array or object if it is empty, and returns true then.
    fn ends_at_once(&mut self, end: u8) -> bool {
        self.take(end).is_some()
    }

    /// Takes an object and leaves its values to `member`.
    fn members(&mut self, mut member: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.ends_at_once(b'}') {
            return Some(());
        }
        loop {
            let key = self.text()?;
            self.take(b':')?;
            member(self, key)?;
            if !self.has_next(b'}')? {
                return Some(());
            }
        }
    }

    /// Takes an array of at most as many elements as a game can have seats.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Few<T>> {
        let mut first = ArrayVec::new();
        self.take(b'[')?;
        if !self.ends_at_once(b']') {
            loop {
                first.try_push(element(self)?).ok()?;
                if !self.has_next(b']')? {
                    break;
                }
            }
        }
        let length = first.len();
        Some(Few { first, length })
    }

    fn seat(&mut self) -> Option<PlayedSeat<'a>> {
        let (mut name, mut team) = (None, None);
        self.members(|scanner, key| match key {
            "name" => once(&mut name, scanner.text()?),
            "team" => once(&mut team, scanner.optional(Scanner::text)?),
            _ => scanner.skip(MAX_DEPTH),
        })?;
        Some(PlayedSeat { name: Cow::Borrowed(name?), team: team.flatten().map(plain) })
    }

    fn place(&mut self) -> Option<u8> {
        u8::try_from(self.number()?).ok()
    }

    /// Takes a value, or `null`.
    fn optional<T>(&mut self, value: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        self.skip_blanks();
        if self.byte()? == b'n' { self.word("null").map(|()| None) } else { value(self).map(Some) }
    }

    /// Takes a text without escapes.
    fn text(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let length = plain_bytes(rest)?;
        self.at += length + 1;
        // There are quotes before and after it, so its characters are complete.
        (rest[length] == b'"').then(|| &self.text[start..start + length])
    }

    /// Takes a whole number of a few digits.
    fn number(&mut self) -> Option<u32> {
        self.skip_blanks();
        let start = self.at;
        let mut number = 0_u32;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        let digits = self.at - start;
        let is_plain = (1..10).contains(&digits) && (digits == 1 || self.text.as_bytes()[start] != b'0');
        // A fraction or an exponent would not be plain.
        (is_plain && matches!(self.byte()?, b',' | b']' | b'}' | b' ')).then_some(number)
    }

    /// Takes any value and returns its JSON.
    fn raw(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let start = self.at;
        self.skip(MAX_DEPTH)?;
        Some(&self.text[start..self.at])
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let is_there = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        is_there.then(|| self.at += word.len())
    }

    /// Takes any value up to this depth.
    fn skip(&mut self, depth: u32) -> Option<()> {
        self.skip_blanks();
        match self.byte()? {
            b'"' => self.text().map(|_| ()),
            b'[' => {
                let depth = depth.checked_sub(1)?;
                self.at += 1;
                if self.ends_at_once(b']') {
                    return Some(());
                }
                loop {
                    self.skip(depth)?;
                    if !self.has_next(b']')? {
                        return Some(());
                    }
                }
            }
            b'{' => {
                let depth = depth.checked_sub(1)?;
                self.members(|scanner, _| scanner.skip(depth))
            }
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.skip_number(),
        }
    }

    /// Takes a number of JSON (RFC 8259, section 6).
    fn skip_number(&mut self) -> Option<()> {
        if self.byte()? == b'-' {
            self.at += 1;
        }
        match self.byte()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.byte()? == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if let b'e' | b'E' = self.byte()? {
            self.at += 1;
            if let b'+' | b'-' = self.byte()? {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}

/// Returns the number of bytes before the first one that ends the text or is not plain.
fn plain_bytes(text: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut length = 0;
    // Eight bytes at a time. An exclusive or turns the sought character into 0. The lowest high bit that is
    // then set belongs to the first byte that is below a blank, or 0 after the exclusive or.
    while let Some(chunk) = text.get(length..).and_then(|rest| rest.first_chunk::<8>()) {
        let bytes = u64::from_le_bytes(*chunk);
        let below = |bytes: u64, by: u64| bytes.wrapping_sub(ONES * by) & !bytes;
        let quote = below(bytes ^ (ONES * u64::from(b'"')), 1);
        let escape = below(bytes ^ (ONES * u64::from(b'\\')), 1);
        let found = (quote | escape | below(bytes, u64::from(b' '))) & (ONES << 7);
        if found != 0 {
            return Some(length + found.trailing_zeros() as usize / 8);
        }
        length += 8;
    }
    let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    Some(length + text[length..].iter().position(is_special)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::played as record;
    use crate::tests::SMALLEST;

    /// Compares the results of both parsers. Returns true if the fast one has a result.
    #[track_caller]
    fn check(line: &[u8]) -> bool {
        let usual = serde_json::from_slice::<PlayedRecord<'_>>(line);
        let Some(quick) = played(line) else { return false };
        let usual = usual.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(line)));
        assert_eq!((quick.v, &quick.opening, &quick.moves), (usual.v, &usual.opening, &usual.moves));
        assert_eq!(format!("{:?}", quick.game()), format!("{:?}", usual.game()));
        true
    }

    #[test]
    fn plain_lines_are_read_as_by_the_general_parser() {
        for (line, is_plain) in [
            (SMALLEST.to_owned(), true),
            (SMALLEST.replace(':', " : ").replace(',', " ,\t"), true),
            (
                SMALLEST
                    .replace("\"A\"", "\"\u{56f2}\u{7881}\",\"team\":\"red\",\"usage\":{\"x\":[-1.5e+7,{}]}"),
                true,
            ),
            (SMALLEST.replace("\"v\"", "\"league\":null,\"pair\":\"a#1\",\"moves\":[\"a\",[]],\"v\""), true),
            (SMALLEST.replace("\"v\"", "\"opening\": {\"token\" : null} ,\"moves\":null,\"v\""), true),
            (SMALLEST.replace("[1,2]", "[1,2,3]"), true),
            (SMALLEST.replace("[1,2]", "null"), true),
            (SMALLEST.replace("\"A\"", "\"\\u0041\""), false),
            (SMALLEST.replace("\"A\"", "\"A\tB\""), false),
            (SMALLEST.replace("\"v\":1", "\"v\":1.0"), false),
            (SMALLEST.replace("\"v\":1", "\"v\":01"), false),
            (SMALLEST.replace("\"v\":1", "\"v\":99999999999"), false),
            (SMALLEST.replace("\"v\":1", "\"v\":1,\"v\":1"), false),
            (SMALLEST.replace("\"v\":1", "\"v\":1,\"x\":01"), false),
            (SMALLEST.replace("\"v\":1", "\"v\":1,\"x\":[1,]"), false),
            (SMALLEST.replace("\"v\":1", "\"v\":1,\"x\":tru"), false),
            (SMALLEST.replace("[1,2]", "[1,2],\"void\":null"), false),
            (SMALLEST.replace("[1,2]", "[1,300]"), false),
            (SMALLEST.replace("[1,2]", "[1,2,3,4,5]"), false),
            (format!("{SMALLEST}]"), false),
            (SMALLEST[..SMALLEST.len() - 1].to_owned(), false),
            (
                SMALLEST.replace("\"v\":1", &format!("\"v\":1,\"x\":{}{}", "[".repeat(40), "]".repeat(40))),
                false,
            ),
            (String::new(), false),
        ] {
            assert_eq!(check(line.as_bytes()), is_plain, "{line}");
        }
        assert!(!check(b"{\"v\":1,\"id\":\"\xff\"}"));
    }

    #[test]
    fn records_without_faults_are_plain() {
        let lines = (0..40).map(record).filter(|record| record.faults.is_empty() && record.void.is_none());
        let lines: Vec<Vec<u8>> = lines.map(|record| serde_json::to_vec(&record).unwrap()).collect();
        assert!(lines.len() > 5);
        assert!(lines.iter().all(|line| check(line)));
    }

    proptest! {
        #[test]
        fn damaged_lines_are_never_read_differently(
            seed in 0_u64..20,
            damage in proptest::collection::vec((0_usize..2_000, any::<u8>()), 1..4),
        ) {
            let mut bytes = serde_json::to_vec(&record(seed)).unwrap();
            for (at, byte) in damage {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            check(&bytes);
        }

        #[test]
        fn changed_characters_are_never_read_differently(
            changes in proptest::collection::vec((0_usize..200, "[\\[\\]{},:\"0-9a-z\\\\ .eE+-]"), 1..4),
        ) {
            let mut bytes = SMALLEST.as_bytes().to_vec();
            for (at, character) in changes {
                let at = at % bytes.len();
                bytes[at] = character.as_bytes()[0];
            }
            check(&bytes);
        }
    }
}
