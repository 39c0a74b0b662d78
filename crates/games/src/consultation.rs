//! The option that allows teammates to talk during a game. The referee enforces it; the rules ignore it.

use crate::options::{Flag, OptionSpec, OptionValues};

pub(crate) const NAME: &str = "consultation";

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
        match options.flag(NAME) {
            Flag::On => Consultation::On,
            Flag::Off => Consultation::Off,
        }
    }
}

/// The option `consultation`, off by default.
pub const fn consultation() -> OptionSpec {
    OptionSpec::flag(NAME, "whether teammates may send each other text through the referee", Flag::Off)
}
