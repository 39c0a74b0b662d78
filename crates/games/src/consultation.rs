//! The option by which team mates may talk during a game. The referee heeds it;
//! the rules don't.

use crate::options::{Flag, OptionSpec, OptionValue, OptionValues};

const NAME: &str = "consultation";

/// Returns true if an option says whether mates may talk, and so is none of the rules' own.
pub fn is_consultation(name: &str) -> bool {
    name == NAME
}

/// The permission for team mates to send each other text through the referee.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Consultation {
    /// They may.
    On,
    /// They may not, or the game has no teams.
    Off,
}

impl Consultation {
    /// The permission that a game's options give.
    pub fn of(options: &OptionValues) -> Consultation {
        match options.get(NAME) {
            Some(OptionValue::Flag(Flag::On)) => Consultation::On,
            _ => Consultation::Off,
        }
    }
}

/// The option `consultation`.
pub const fn consultation() -> OptionSpec {
    OptionSpec::flag(NAME, "whether teammates may send each other text through the referee", Flag::Off)
}
