//! The limits on endless play: one wrapper around the rules of any game.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::ending::Ending;
use crate::options::{Bound, OptionKind, OptionSpec, OptionValues, Zero};
use crate::rules::Rules;
use linesman_types::seat::BySeat;
use linesman_types::verdict::Reason;

/// Returns true if an option limits endless play, and so does not belong to the rules.
pub fn is_limit(name: &str) -> bool {
    [MAX_PLIES, REPETITION].contains(&name)
}

const MAX_PLIES: &str = "max_plies";
const REPETITION: &str = "repetition";

/// The reason if the same position occurred too often.
pub const BY_REPETITION: Reason = Reason::new(REPETITION, "by repetition");
/// The reason if the game reached its maximum length.
pub const BY_LENGTH: Reason = Reason::new(MAX_PLIES, "at the ply limit");
/// The reasons for which the limits end a game.
pub const REASONS: &[Reason] = &[BY_REPETITION, BY_LENGTH];

/// Makes the option `max_plies` with its default.
pub const fn max_plies(default: Bound) -> OptionSpec {
    limit(MAX_PLIES, "the game ends after this many plies", default, (1, 1_000_000))
}

/// Makes the option `repetition`.
pub const fn repetition() -> OptionSpec {
    let about = "the game ends when the same position comes up this many times";
    limit(REPETITION, about, Bound::Fixed(3), (2, 100))
}

const fn limit(
    name: &'static str,
    about: &'static str,
    default: Bound,
    (min, max): (i64, i64),
) -> OptionSpec {
    let (min, max) = (Bound::Fixed(min), Bound::Fixed(max));
    OptionSpec { name, about, kind: OptionKind::Integer { default, min, max, zero: Zero::Off } }
}

/// The limits of one game being played, and the history that they need.
#[derive(Debug)]
pub struct Limits<R: Rules> {
    max_plies: Option<u32>,
    repetition: Option<u32>,
    seen: HashMap<R::Position, u32, FixedState>,
    repeated: bool,
}

// A derived implementation would require rules that can be cloned.
impl<R: Rules> Clone for Limits<R> {
    fn clone(&self) -> Limits<R> {
        Limits { seen: self.seen.clone(), ..*self }
    }
}

impl<R: Rules> Limits<R> {
    /// Makes the limits that the options set, for a game that starts from `start`.
    pub fn new(options: &OptionValues, rules: &R, start: &R::Position) -> Limits<R> {
        let mut limits = Limits {
            max_plies: options.limit(MAX_PLIES),
            repetition: options.limit(REPETITION),
            seen: HashMap::default(),
            repeated: false,
        };
        limits.reached(rules, start);
        limits
    }

    /// Records that the game has reached a position.
    pub fn reached(&mut self, rules: &R, position: &R::Position) {
        if let Some(max_times) = self.repetition {
            let times = self.seen.entry(rules.repetition_key(position)).or_insert(0);
            *times += 1;
            self.repeated = *times >= max_times;
        }
    }

    /// Returns the end of the game in its latest position: by its rules, else by repetition, else by its length.
    pub fn ending(&self, rules: &R, position: &R::Position) -> Option<Ending> {
        let limit = |reason, why: String| {
            let scores = rules.tie_break_scores(position);
            let places = BySeat::by_measure(&rules.teams(), |seat| scores[seat]);
            Ending { places, reason, marks: Vec::new(), why: why.into() }
        };
        let by_repetition = || {
            let times = self.repetition.filter(|_| self.repeated)?;
            Some(limit(BY_REPETITION, format!("the same position came up {times} times")))
        };
        let by_length = || {
            let max_plies = self.max_plies.filter(|max_plies| rules.ply(position) >= *max_plies)?;
            Some(limit(BY_LENGTH, format!("the game has reached its limit of {max_plies} plies")))
        };
        rules.ending(position).or_else(by_repetition).or_else(by_length)
    }

    /// Returns true if the game has ended; [`Limits::ending`] without its words.
    pub fn is_over(&self, rules: &R, position: &R::Position) -> bool {
        self.repeated
            || self.max_plies.is_some_and(|max_plies| rules.ply(position) >= max_plies)
            || rules.is_over(position)
    }
}
