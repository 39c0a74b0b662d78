//! What a league keeps count of in a record, and no more: several times faster than all of it.

use std::borrow::Cow;

use super::outcome::Outcome;
use linesman_types::seat::BySeat;

/// What a league keeps count of in a record. Texts are borrowed from the line that was read
/// wherever it spells them plainly.
#[derive(Clone, Debug)]
pub struct LeagueGame<'a> {
    /// Who played and what came of it.
    pub outcome: Outcome<'a>,
    /// By what each seat played.
    pub programs: BySeat<Program<'a>>,
    /// The time control, as text.
    pub time_control: Option<Cow<'a, str>>,
    /// The game's seed.
    pub seed: Option<u64>,
    /// The game's options, what it started from and its moves: as JSON, if the record has them.
    pub(super) options: Option<&'a str>,
    pub(super) opening: Option<&'a str>,
    pub(super) moves: Option<&'a str>,
}

impl<'a> LeagueGame<'a> {
    /// The game's options, as JSON, if the record has them.
    pub fn options(&self) -> Option<&'a str> {
        self.options
    }

    /// What it started from, as JSON, if the record says so.
    pub fn opening(&self) -> Option<&'a str> {
        self.opening
    }
}

/// By what a seat played.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Program<'a> {
    /// The command that started it.
    pub command: Option<Cow<'a, str>>,
    /// The digest of the files that the command names.
    pub digest: Option<Cow<'a, str>>,
}
