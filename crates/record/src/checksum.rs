//! The checksum of a line, which detects bytes that changed after they were written.
//!
//! A line that this program writes ends with `,"check":"1a2b3c4d"}`: the CRC-32 (that of IEEE 802.3, as in
//! gzip and PNG) of all bytes of the line before that comma. A line with another ending has no checksum and is
//! read without a check.

use super::format::GameRecord;

const BEFORE: &[u8] = b",\"check\":\"";
const DIGITS: usize = 8;
const AFTER: &[u8] = b"\"}";

/// A line whose bytes do not match its checksum.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Mismatch {
    /// The checksum in the line.
    pub written: String,
    /// The checksum of its bytes.
    pub computed: String,
}

impl GameRecord {
    /// The record as a line of a file, with its checksum and without the line end.
    ///
    /// # Errors
    /// A value that can't be JSON. Records have none.
    pub fn to_line(&self) -> serde_json::Result<String> {
        let mut line = serde_json::to_string(self)?;
        seal(&mut line);
        Ok(line)
    }
}

/// Appends the checksum of its bytes to a JSON object, as its last field. The object must have fields and
/// take one line.
pub fn seal(line: &mut String) {
    line.pop();
    let check = checksum(line.as_bytes());
    line.push_str(&format!(",\"check\":\"{check}\"}}"));
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// Returns the mismatch between a line's bytes and its checksum, if it has one.
pub(super) fn mismatch(line: &[u8]) -> Option<Mismatch> {
    let (written, bytes) = split_checksum(line)?;
    if read(written) == Some(crc32fast::hash(bytes)) {
        return None;
    }
    Some(Mismatch { written: String::from_utf8_lossy(written).into_owned(), computed: checksum(bytes) })
}

/// The hexadecimal digits of a line's checksum, and the bytes that it covers, if the line has one.
fn split_checksum(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_suffix(AFTER)?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    Some((digits, rest.strip_suffix(BEFORE)?))
}

fn read(digits: &[u8]) -> Option<u32> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0')),
        b'a'..=b'f' => Some(u32::from(byte - b'a') + 10),
        _ => None,
    };
    digits.iter().try_fold(0, |number: u32, byte| Some(number << 4 | digit(*byte)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::played;
    use crate::tests::SMALLEST;

    #[test]
    fn a_checksum_is_that_of_ieee_802_3_in_eight_digits() {
        // The check value of CRC-32/ISO-HDLC from catalogues of such codes.
        assert_eq!(checksum(b"123456789"), "cbf43926");
        assert_eq!(checksum(b""), "00000000");
        let mut line = SMALLEST.to_owned();
        seal(&mut line);
        assert_eq!(line, SMALLEST.replace("[1,2]}", "[1,2],\"check\":\"291fdf0a\"}"));
    }

    #[test]
    fn every_flipped_bit_of_a_line_is_detected_or_leaves_the_record_unchanged() {
        let record = played(3);
        let line = record.to_line().unwrap().into_bytes();
        assert_eq!(mismatch(&line), None);
        for bit in 0..line.len() * 8 {
            let mut flipped = line.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if mismatch(&flipped).is_none() {
                // The flipped bit is in the name of the field itself.
                let read = serde_json::from_slice::<GameRecord>(&flipped);
                assert!(read.is_err() || read.is_ok_and(|read| read == record), "bit {bit}");
            }
        }
    }

    #[test]
    fn only_the_last_field_in_its_exact_form_is_a_checksum() {
        let line = |end: &str| SMALLEST.replace("[1,2]}", &format!("[1,2]{end}"));
        for (end, is_wrong) in [
            ("}", false),
            (",\"check\":\"00000000\"}", true),
            (",\"check\":\"291FDF0A\"}", true),
            (",\"check\":\"291fdf0 \"}", true),
            (", \"check\": \"00000000\"}", false),
            (",\"check\":\"0\"}", false),
            (",\"check\":null}", false),
            (",\"check\":\"00000000\",\"x\":1}", false),
        ] {
            assert_eq!(mismatch(line(end).as_bytes()).is_some(), is_wrong, "{end}");
        }
        assert_eq!(mismatch(b"\"}"), None);
    }
}
