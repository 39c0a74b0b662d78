//! The option that allows teammates to talk during a game. The referee enforces it; the rules ignore it.

use crate::options::{Flag, OptionSpec, OptionValue, OptionValues};

const NAME: &str = "consultation";

/// Returns true for the option that allows teammates to talk, which does not belong to the rules.
pub fn is_consultation(name: &str) -> bool {
    name == NAME
}

/// The permission for teammates to send each other text through the referee.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Consultation {
    /// Granted.
    On,
    /// Not granted, or the game has no teams.
    Off,
}

impl Consultation {
    /// Reads the permission from a game's options.
    pub fn of(options: &OptionValues) -> Consultation {
        match options.get(NAME) {
            Some(OptionValue::Flag(Flag::On)) => Consultation::On,
            _ => Consultation::Off,
        }
    }
}

/// Makes the option `consultation`.
pub const fn consultation() -> OptionSpec {
    OptionSpec::flag(NAME, "whether teammates may send each other text through the referee", Flag::Off)
}
