//! Splits a stream of bytes into lines of bounded length.

use memchr::memchr;

/// Output of a [`LineReader`].
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum LineEvent<'a> {
    /// A whole line without its `\n`.
    Line(&'a [u8]),
    /// The line is longer than the maximum. Nothing follows.
    TooLong {
        /// The maximum number of bytes in a line, plus one, whatever the line's real length.
        bytes: u64,
    },
}

/// Splits chunks of bytes into lines. The output does not depend on the chunk boundaries.
#[derive(Debug)]
pub struct LineReader {
    longest: usize,
    partial: Vec<u8>,
    given_up: bool,
}

impl LineReader {
    /// Creates a reader at the start of a line. `longest` is the maximum number of bytes in a line, without its end.
    pub fn new(longest: usize) -> LineReader {
        LineReader { longest, partial: Vec::new(), given_up: false }
    }

    /// Sets the maximum number of bytes in a line.
    pub fn set_max_length(&mut self, longest: usize) {
        self.longest = longest;
    }

    /// Returns true if a line was too long. The reader then passes on nothing more.
    pub fn is_too_long(&self) -> bool {
        self.given_up
    }

    /// Reads the next chunk and passes on the lines that it completes, in order.
    pub fn feed(&mut self, mut chunk: &[u8], mut pass_on: impl FnMut(LineEvent<'_>)) {
        while !self.given_up {
            let end = memchr(b'\n', chunk);
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            if self.partial.len() + piece.len() > self.longest {
                self.given_up = true;
                self.partial = Vec::new();
                pass_on(LineEvent::TooLong { bytes: self.longest as u64 + 1 });
                return;
            }
            let Some(end) = end else {
                self.partial.extend_from_slice(piece);
                return;
            };
            if self.partial.is_empty() {
                pass_on(LineEvent::Line(piece));
            } else {
                self.partial.extend_from_slice(piece);
                pass_on(LineEvent::Line(&self.partial));
                self.partial.clear();
            }
            chunk = &chunk[end + 1..];
            if chunk.is_empty() {
                return;
            }
        }
    }

    /// Returns the bytes of the unfinished line.
    pub fn partial(&self) -> &[u8] {
        &self.partial
    }

    /// Removes and returns the bytes of the unfinished line. A reader that has given up stays so.
    pub fn take_partial(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.partial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LONGEST: usize = 64 * 1024;

    /// Reads the bytes in chunks of this size. Returns the lines, and the reported length of one that is too
    /// long.
    fn read_in_chunks(bytes: &[u8], size: usize) -> (Vec<Vec<u8>>, Option<u64>) {
        let mut reader = LineReader::new(LONGEST);
        let (mut lines, mut too_long) = (Vec::new(), None);
        for chunk in bytes.chunks(size) {
            reader.feed(chunk, |event| {
                assert_eq!(too_long, None, "nothing follows a line that is too long");
                match event {
                    LineEvent::Line(line) => lines.push(line.to_owned()),
                    LineEvent::TooLong { bytes } => too_long = Some(bytes),
                }
            });
        }
        (lines, too_long)
    }

    fn lines(texts: &[&[u8]]) -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.to_vec()).collect()
    }

    #[test]
    fn only_complete_lines_are_passed_on() {
        assert_eq!(read_in_chunks(b"a\n\nbc\r\nd", 100), (lines(&[b"a", b"", b"bc\r"]), None));
        let mut reader = LineReader::new(LONGEST);
        reader.feed(b"x\nhalf", |_| {});
        assert_eq!(reader.take_partial(), b"half");
    }

    #[test]
    fn a_line_of_maximum_length_passes_and_one_byte_more_ends_the_stream() {
        let longest = vec![b'x'; LONGEST];
        let with_end = [&longest[..], b"\nnext\n"].concat();
        let one_more = [&longest[..], b"x\nnext\n"].concat();
        for size in [1_000, 16 * 1024, with_end.len()] {
            assert_eq!(read_in_chunks(&with_end, size), (lines(&[&longest, b"next"]), None));
            assert_eq!(read_in_chunks(&one_more, size), (Vec::new(), Some(LONGEST as u64 + 1)));
        }
    }

    proptest! {
        #[test]
        fn chunk_boundaries_change_nothing(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            size in 1usize..20,
        ) {
            prop_assert_eq!(read_in_chunks(&bytes, size), read_in_chunks(&bytes, 1_000));
        }
    }
}
