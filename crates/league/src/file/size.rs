//! Sizes in bytes with a unit: `64KiB`, `8MiB`.

use std::fmt;

/// The reason why a text can't be parsed as a size.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum SizeError {
    /// A number without a unit.
    #[error("`{0}` has no unit")]
    NoUnit(String),
    /// A size above the maximum.
    #[error("`{0}` is more than 1024GiB")]
    TooLarge(String),
    /// A text that is not a size.
    #[error("`{0}` is not a valid size")]
    Unreadable(String),
}

const UNITS: [(&str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// Reads a size with its unit: `512B`, `64KiB`, `8MiB`, `1GiB`; whole numbers only.
///
/// # Errors
/// The text has no unit, is not a size, or is above the maximum.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let unreadable = || SizeError::Unreadable(text.to_owned());
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if number.is_empty() {
        return Err(unreadable());
    }
    if unit.is_empty() {
        return Err(SizeError::NoUnit(text.to_owned()));
    }
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(unreadable)?;
    // A number that overflows is too large as well.
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*factor));
    bytes.filter(|bytes| *bytes <= 1 << 40).ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

/// Guesses the meaning of a text that is not a size: `2GiB` for `2GB`, `2 gb` and `2G`.
pub(super) fn likely_size(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "b" | "byte" | "bytes" => "B",
        "k" | "kb" | "kib" => "KiB",
        "m" | "mb" | "mib" => "MiB",
        "g" | "gb" | "gib" => "GiB",
        _ => return None,
    };
    Some(format!("{number}{unit}")).filter(|size| parse_size(size).is_ok_and(|bytes| bytes > 0))
}

/// A number of bytes. `Display` prints it as [`parse_size`] reads it, in the largest unit that keeps it whole.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |factor: u64| self.0 != 0 && self.0.is_multiple_of(factor);
        let (unit, factor) = UNITS.into_iter().find(|(_, factor)| fits(*factor)).unwrap_or(("B", 1));
        write!(f, "{}{unit}", self.0 / factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_printed() {
        for (text, bytes) in
            [("0B", 0), ("512B", 512), ("64KiB", 65_536), ("8MiB", 8 << 20), ("1GiB", 1 << 30)]
        {
            assert_eq!(parse_size(text), Ok(bytes));
            assert_eq!(Size(bytes).to_string(), text);
        }
    }

    #[test]
    fn sizes_need_a_unit() {
        assert_eq!(parse_size("64"), Err(SizeError::NoUnit("64".to_owned())));
        for text in ["", "KiB", "64kB", "1.5MiB", "-1B", "B64"] {
            assert_eq!(parse_size(text), Err(SizeError::Unreadable(text.to_owned())));
        }
        for text in ["99999999999999999999B", "9999999GiB", "1025GiB"] {
            assert_eq!(parse_size(text), Err(SizeError::TooLarge(text.to_owned())));
        }
    }

    #[test]
    fn near_misses_are_understood() {
        for (text, size) in
            [("2GB", "2GiB"), ("2 gb", "2GiB"), ("64k", "64KiB"), ("8Mib", "8MiB"), ("9b", "9B")]
        {
            assert_eq!(likely_size(text).as_deref(), Some(size));
        }
        for text in ["", "GB", "0GB", "2", "1.5GB", "2XB", "99999GB"] {
            assert_eq!(likely_size(text), None, "{text}");
        }
    }
}
