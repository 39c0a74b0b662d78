//! The kept part of a bot's stderr: its beginning and its end.

use std::collections::VecDeque;

/// Maximum number of bytes that a bot may write to stderr in a game.
pub const STDERR_LIMIT: u64 = 64 * 1024 * 1024;

const FIRST_BYTES: usize = 16 * 1024;
const LAST_BYTES: usize = 48 * 1024;

/// The first 16 and the last 48 KiB of a stream, and its length.
#[derive(Debug, Default)]
pub(crate) struct StderrBuffer {
    first: Vec<u8>,
    last: VecDeque<u8>,
    total: u64,
}

impl StderrBuffer {
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = FIRST_BYTES - self.first.len();
        let taken = room.min(bytes.len());
        self.first.extend_from_slice(&bytes[..taken]);
        bytes = &bytes[taken..];
        let kept = &bytes[bytes.len().saturating_sub(LAST_BYTES)..];
        let surplus = (self.last.len() + kept.len()).saturating_sub(LAST_BYTES);
        self.last.drain(..surplus);
        self.last.extend(kept);
    }

    /// Returns the length of the whole stream in bytes.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the bytes after the first `skipped`, as far as they are kept.
    pub(crate) fn since(&self, skipped: u64) -> Vec<u8> {
        let first = usize::try_from(skipped).unwrap_or(usize::MAX).min(self.first.len());
        let last_from = self.total - self.last.len() as u64;
        let last = usize::try_from(skipped.saturating_sub(last_from)).unwrap_or(usize::MAX);
        let last = self.last.iter().skip(last).copied();
        self.first[first..].iter().copied().chain(last).collect()
    }

    pub(crate) fn clear(&mut self) {
        *self = StderrBuffer::default();
    }

    /// Returns the kept bytes as text, with a line about the missing ones.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.first).into_owned();
        let missing = self.total - (self.first.len() + self.last.len()) as u64;
        let last: Vec<u8> = self.last.iter().copied().collect();
        if missing > 0 {
            text.push_str(&format!("\n[... {missing} bytes left out ...]\n"));
        }
        text.push_str(&String::from_utf8_lossy(&last));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_stream_is_kept_whole_and_a_long_one_at_both_ends() {
        let mut buffer = StderrBuffer::default();
        buffer.add(b"Traceback\n");
        buffer.add(b"ValueError\n");
        assert_eq!(buffer.text(), "Traceback\nValueError\n");

        let mut buffer = StderrBuffer::default();
        let stream: Vec<u8> = (0..100_000u32).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        stream.chunks(7_000).for_each(|chunk| buffer.add(chunk));
        let text = buffer.text();
        assert!(text.starts_with("0\n1\n2\n"));
        assert!(text.ends_with("99998\n99999\n"));
        let missing = stream.len() - FIRST_BYTES - LAST_BYTES;
        assert!(text.contains(&format!("[... {missing} bytes left out ...]")));
        assert_eq!(buffer.total(), stream.len() as u64);
        let total = buffer.total();
        assert_eq!(buffer.since(total), b"");
        assert_eq!(buffer.since(total - 6), b"99999\n");
        assert_eq!(buffer.since(0).len(), FIRST_BYTES + LAST_BYTES);
    }
}
