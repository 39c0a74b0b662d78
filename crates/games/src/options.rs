//! The options of a game: their specifications, and a full set of checked values.

use std::fmt;

/// One option of a game.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name in commands, files and protocol.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The values that it takes.
    pub kind: OptionKind,
}

/// The values that an option takes, and its default.
#[derive(Debug)]
pub enum OptionKind {
    /// A whole number.
    Integer {
        /// The value if none is given.
        default: Bound,
        /// The minimum.
        min: Bound,
        /// The maximum.
        max: Bound,
        /// The meaning of 0, if it is outside the range.
        zero: Zero,
    },
    /// Yes or no: `true`, `false`.
    Flag {
        /// The value if none is given.
        default: Flag,
    },
    /// Text that the game itself reads, such as the name of a layout.
    Text {
        /// The value if none is given.
        default: &'static str,
        /// The texts that it takes.
        form: &'static TextForm,
    },
}

/// The texts that a text option takes. The value is the text itself, not a file name, so that a game can be
/// replayed anywhere.
#[derive(Debug)]
pub struct TextForm {
    /// The form of its values, in a few words.
    pub takes: &'static str,
    /// The named values.
    pub named: &'static [NamedText],
    /// Checks a value; the error describes the mistake.
    pub check: fn(&str) -> Result<(), String>,
    /// Converts the text of a file to a value and checks it; `None` if the option can't be given as a file.
    pub of_file: Option<FileParser>,
}

/// A function from the text of a file to the value of an option.
pub type FileParser = fn(&str) -> Result<String, BadText>;

/// A named value.
#[derive(Debug)]
pub struct NamedText {
    /// The name, which is a value of the option.
    pub name: &'static str,
    /// The meaning, in one line.
    pub about: &'static str,
}

/// A mistake in the text of a file, and its place.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why} (line {line}, column {column})")]
pub struct BadText {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The mistake.
    pub why: String,
}

/// A number in the specification of an option.
#[derive(Debug)]
pub enum Bound {
    /// A constant.
    Fixed(i64),
    /// A function of the options before this one.
    By(fn(&OptionValues) -> i64),
}

impl Bound {
    /// Returns the number, given the values of the options before this one.
    pub fn value(&self, before: &OptionValues) -> i64 {
        match self {
            Bound::Fixed(number) => *number,
            Bound::By(number) => number(before),
        }
    }
}

/// The meaning of 0 for a number option.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Zero {
    /// 0 switches the option off.
    Off,
    /// 0 has no special meaning.
    Plain,
}

/// The value of a flag.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Flag {
    /// `true`
    On,
    /// `false`
    Off,
}

/// The value of an option.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum OptionValue {
    /// A whole number.
    Integer(i64),
    /// Yes or no.
    Flag(Flag),
    /// Text.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Integer(number) => write!(f, "{number}"),
            OptionValue::Flag(Flag::On) => f.write_str("true"),
            OptionValue::Flag(Flag::Off) => f.write_str("false"),
            OptionValue::Text(text) => f.write_str(text),
        }
    }
}

/// Every option of a game with its value, in the order of their specs.
///
/// Prints as `size=5,max_plies=200,repetition=3`.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct OptionValues(Vec<(&'static str, OptionValue)>);

impl OptionValues {
    /// Checks given values against specs and fills in the defaults.
    ///
    /// # Errors
    /// The first given option that does not exist, is given twice or has an
    /// invalid value.
    pub fn resolve<'t>(
        specs: &'static [OptionSpec],
        given: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<OptionValues, OptionError> {
        let mut texts: Vec<(&str, &str)> = Vec::new();
        for (name, value) in given {
            if !specs.iter().any(|spec| spec.name == name) {
                let known = specs.iter().map(|spec| spec.name).collect();
                return Err(OptionError::Unknown { name: name.to_owned(), known });
            }
            if texts.iter().any(|(earlier, _)| *earlier == name) {
                return Err(OptionError::Twice { name: name.to_owned() });
            }
            texts.push((name, value));
        }
        let mut values = OptionValues::default();
        for spec in specs {
            let text = texts.iter().find(|(name, _)| *name == spec.name).map(|(_, text)| *text);
            let value = spec.read(text, &values)?;
            values.0.push((spec.name, value));
        }
        Ok(values)
    }

    /// Returns the value of an option, if the game has it.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The value of a number option.
    ///
    /// # Panics
    /// If the game has no such option: its specs and its code disagree.
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(OptionValue::Integer(number)) => *number,
            other => panic!("`{name}` is no number option but {other:?}"),
        }
    }

    /// The value of a number option whose range is not negative, as a count.
    ///
    /// # Panics
    /// If the game has no such option: its specs and its code disagree.
    pub fn count(&self, name: &str) -> usize {
        usize::try_from(self.integer(name)).expect("the option's range is not negative")
    }

    /// The value of a number option that limits something; `None` if it is 0, which means no limit, or if the
    /// game has no such option.
    pub fn limit(&self, name: &str) -> Option<u32> {
        match self.get(name) {
            Some(OptionValue::Integer(number)) if *number > 0 => u32::try_from(*number).ok(),
            _ => None,
        }
    }

    /// The value of a flag option; `Off` if the game has no such option.
    pub fn flag(&self, name: &str) -> Flag {
        match self.get(name) {
            Some(OptionValue::Flag(flag)) => *flag,
            _ => Flag::Off,
        }
    }

    /// The value of a text option.
    ///
    /// # Panics
    /// If the game has no such option: its specs and its code disagree.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::Text(text)) => text,
            other => panic!("`{name}` is no text option but {other:?}"),
        }
    }

    /// Names and values in the order of the specs.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &OptionValue)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{name}={value}")?;
        }
        Ok(())
    }
}

impl OptionSpec {
    /// Makes a number option without a special meaning of 0.
    pub const fn number(
        name: &'static str,
        about: &'static str,
        default: Bound,
        (min, max): (Bound, Bound),
    ) -> OptionSpec {
        OptionSpec { name, about, kind: OptionKind::Integer { default, min, max, zero: Zero::Plain } }
    }

    /// Makes a number option with a constant default and range.
    pub const fn fixed(
        name: &'static str,
        about: &'static str,
        default: i64,
        (min, max): (i64, i64),
    ) -> OptionSpec {
        OptionSpec::number(name, about, Bound::Fixed(default), (Bound::Fixed(min), Bound::Fixed(max)))
    }

    /// Makes the option `size` of a square board.
    pub const fn size(default: i64, min: i64, max: i64) -> OptionSpec {
        OptionSpec::fixed("size", "the number of rows and columns", default, (min, max))
    }

    /// Makes a flag option.
    pub const fn flag(name: &'static str, about: &'static str, default: Flag) -> OptionSpec {
        OptionSpec { name, about, kind: OptionKind::Flag { default } }
    }

    fn read(&self, text: Option<&str>, before: &OptionValues) -> Result<OptionValue, OptionError> {
        let wrong = |expected: String| OptionError::Value {
            name: self.name,
            value: text.unwrap_or_default().to_owned(),
            expected,
        };
        match &self.kind {
            OptionKind::Integer { default, min, max, zero } => {
                let Some(text) = text else { return Ok(OptionValue::Integer(default.value(before))) };
                let (min, max) = (min.value(before), max.value(before));
                let number = crate::notation::plain_number(text)
                    .filter(|number| (min..=max).contains(number) || (*number == 0 && *zero == Zero::Off));
                number.map(OptionValue::Integer).ok_or_else(|| wrong(self.range(before)))
            }
            OptionKind::Flag { default } => match text {
                None => Ok(OptionValue::Flag(*default)),
                Some("true") => Ok(OptionValue::Flag(Flag::On)),
                Some("false") => Ok(OptionValue::Flag(Flag::Off)),
                Some(_) => Err(wrong(self.range(before))),
            },
            OptionKind::Text { default, form } => {
                let text = text.unwrap_or(default);
                let wrong = |why| OptionError::Text { name: self.name, value: text.to_owned(), why };
                (form.check)(text).map_err(wrong)?;
                Ok(OptionValue::Text(text.to_owned()))
            }
        }
    }

    /// Describes the values that the option takes, given the options before it.
    pub fn range(&self, before: &OptionValues) -> String {
        match &self.kind {
            OptionKind::Integer { min, max, zero, .. } => {
                let off = if *zero == Zero::Off { ", or 0 for off" } else { "" };
                format!("{} to {}{off}", min.value(before), max.value(before))
            }
            OptionKind::Flag { .. } => "true or false".to_owned(),
            OptionKind::Text { form, .. } => form.takes.to_owned(),
        }
    }
}

/// Lists the named values of a text option.
pub fn named_texts(specs: &[OptionSpec], name: &str) -> impl Iterator<Item = &'static str> + use<> {
    let form = specs.iter().find_map(|spec| match &spec.kind {
        OptionKind::Text { form, .. } if spec.name == name => Some(*form),
        _ => None,
    });
    form.into_iter().flat_map(|form| form.named).map(|text| text.name)
}

/// Splits `size=4,repetition=0` into names and values.
///
/// # Errors
/// A part without `=`.
pub fn split_options(text: &str) -> Result<Vec<(&str, &str)>, OptionError> {
    text.split(',')
        .filter(|part| !part.is_empty())
        .map(|part| part.split_once('=').ok_or_else(|| OptionError::NoValue { text: part.to_owned() }))
        .collect()
}

/// Invalid options.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("there is no option `{name}`")]
    Unknown {
        /// The name given.
        name: String,
        /// The existing names.
        known: Vec<&'static str>,
    },
    /// The option was given twice.
    #[error("option `{name}` is given twice")]
    Twice {
        /// The option's name.
        name: String,
    },
    /// An option without a value.
    #[error("`{text}` is not an option (write `name=value`, separated by commas)")]
    NoValue {
        /// The text that was read.
        text: String,
    },
    /// A value that the option does not take.
    #[error("option `{name}` can't be `{value}`: it must be {expected}")]
    Value {
        /// The option's name.
        name: &'static str,
        /// The value given.
        value: String,
        /// The values that the option takes.
        expected: String,
    },
    /// A text that the option does not take.
    #[error("option `{name}` can't be `{value}`: {why}")]
    Text {
        /// The option's name.
        name: &'static str,
        /// The text given.
        value: String,
        /// The mistakes in it.
        why: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[OptionSpec] = &[
        OptionSpec {
            name: "size",
            about: "",
            kind: OptionKind::Integer {
                default: Bound::Fixed(5),
                min: Bound::Fixed(3),
                max: Bound::Fixed(8),
                zero: Zero::Plain,
            },
        },
        OptionSpec {
            name: "line",
            about: "",
            kind: OptionKind::Integer {
                default: Bound::By(|before| before.integer("size")),
                min: Bound::Fixed(3),
                max: Bound::By(|before| before.integer("size")),
                zero: Zero::Off,
            },
        },
        OptionSpec { name: "talk", about: "", kind: OptionKind::Flag { default: Flag::Off } },
    ];

    fn resolved(text: &str) -> Result<String, String> {
        let given = split_options(text).map_err(|error| error.to_string())?;
        let values = OptionValues::resolve(SPECS, given).map_err(|error| error.to_string())?;
        Ok(values.to_string())
    }

    #[test]
    fn defaults_and_ranges_can_depend_on_earlier_options() {
        assert_eq!(resolved(""), Ok("size=5,line=5,talk=false".to_owned()));
        assert_eq!(resolved("size=4"), Ok("size=4,line=4,talk=false".to_owned()));
        assert_eq!(resolved("line=0,talk=true"), Ok("size=5,line=0,talk=true".to_owned()));
    }

    #[test]
    fn errors_name_the_mistake() {
        for (text, expected) in [
            ("size=9", "option `size` can't be `9`: it must be 3 to 8"),
            ("size=04", "option `size` can't be `04`: it must be 3 to 8"),
            ("size=4,line=5", "option `line` can't be `5`: it must be 3 to 4, or 0 for off"),
            ("talk=yes", "option `talk` can't be `yes`: it must be true or false"),
            ("sice=4", "there is no option `sice`"),
            ("size=4,size=4", "option `size` is given twice"),
            ("size", "`size` is not an option (write `name=value`, separated by commas)"),
        ] {
            assert_eq!(resolved(text), Err(expected.to_owned()));
        }
    }
}
