//! Checks that a record belongs to the game that it names. A record may have been edited by hand, or be from another
//! league whose games have the same ids.
//!
//! The check covers only what the plan alone determines and no later plan may change: the bots in their seats, the game
//! with its options, and the opening. What a record lacks is not checked.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde_json::Value;

use crate::file::Tournament;
use crate::openings::{Drawer, Opening};
use crate::schedule::{Pairing, game_seed};
use crate::version_name::split_version;
use linesman_record::text::printable;
use linesman_record::{LeagueGame, OpeningRecord, Outcome, WorkerRecord};
use linesman_types::time_control::TimeControl;

/// Maximum length of a text from a record in a message, in bytes.
const SHOWN_BYTES: usize = 80;

/// The values with which all records of a league's games must agree.
#[derive(Clone, Debug)]
pub struct Compatibility {
    /// The names that the league has had, the current one first; empty if they are not certain.
    names: Vec<String>,
    seed: u64,
    time_control: TimeControl,
    /// The speed for which the time controls are chosen.
    reference_speed: Option<NonZeroU64>,
    /// The bots' own time controls, by name; `None` if a bot has none of its own.
    own_times: BTreeMap<String, Option<TimeControl>>,
    game: String,
    options: BTreeMap<String, String>,
    drawer: Option<Drawer>,
    /// The last options that matched, as written in a record.
    matched_options: String,
}

/// Evidence that a record was written by another league.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Stranger {
    /// The record names another league.
    #[error("belongs to the league `{found}`, not to `{expected}`, and does not count")]
    League {
        /// The current name of this league.
        expected: String,
        /// The name in the record.
        found: String,
    },
    /// The game was played with another time control, which never changes within a league.
    #[error(
        "was played with `{found}`, not with `{expected}`: it is not a game of this league and does not count"
    )]
    TimeControl {
        /// The time control of this league.
        expected: TimeControl,
        /// The time control in the record.
        found: TimeControl,
    },
    /// The seed does not follow from the id and this league's master seed.
    #[error("is not a game of this league and does not count")]
    Seed,
}

/// A contradiction between a record and the plan of its league.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// The id names other bots, or the same bots in another order.
    #[error("the id `{id}` does not match the bots in the seats: {}", quoted(seats))]
    Seats {
        id: String,
        /// The names of the bots in seat order.
        seats: Vec<String>,
    },
    /// The record has another game.
    #[error("`{id}` is recorded as a game of `{found}`, but this league plays `{expected}`")]
    Game {
        id: String,
        /// The game of the league.
        expected: String,
        /// The value in the record.
        found: String,
    },
    /// The record has another value of an option, or an option that the game does not have.
    #[error("`{id}` was played with `{name}` = {found}, but this league has {expected}")]
    Options {
        id: String,
        /// The option.
        name: String,
        /// The value of the league.
        expected: String,
        /// The value in the record.
        found: String,
    },
    /// The record has another opening.
    #[error("`{id}` started from {found}, but the tournament file says {expected}")]
    Opening {
        id: String,
        /// The value in the plan, in words.
        expected: String,
        /// The value in the record, in words.
        found: String,
    },
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl Compatibility {
    /// Makes the conditions of a tournament whose bots have the names of their versions.
    pub fn of(tournament: &Tournament) -> Compatibility {
        let options = tournament.game.options();
        Compatibility {
            names: Vec::new(),
            seed: tournament.seed,
            time_control: tournament.time_control,
            reference_speed: tournament.workers.reference_speed,
            own_times: (tournament.bots.iter()).map(|bot| (bot.name.clone(), bot.time_control)).collect(),
            game: tournament.game.id().to_owned(),
            options: options.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect(),
            drawer: Drawer::of(tournament),
            matched_options: String::new(),
        }
    }

    /// Sets the names of the league, if they are certain: the current one first, then the former ones. Records that
    /// name another league do not belong to this one.
    #[must_use]
    pub fn named(mut self, names: impl IntoIterator<Item = String>) -> Compatibility {
        self.names = names.into_iter().collect();
        self
    }

    /// Returns evidence that another league wrote a record, if there is any. Records without a league and a seed, which
    /// other programs may have written, count as this league's.
    pub fn stranger(&self, game: &LeagueGame<'_>) -> Option<Stranger> {
        let outcome = &game.outcome;
        if let (Some(found), Some(expected)) = (&outcome.league, self.names.first())
            && !self.names.iter().any(|name| name == found)
        {
            let [expected, found] = [expected, &**found].map(|name| printable(name, SHOWN_BYTES));
            return Some(Stranger::League { expected, found });
        }
        let found = game.time_control.as_ref().and_then(|text| text.parse().ok());
        let expected = self.on_worker(game, self.time_control);
        if let Some(found) = found.filter(|found| *found != expected) {
            return Some(Stranger::TimeControl { expected, found });
        }
        if let Some((expected, found)) = self.time_mismatch(game) {
            return Some(Stranger::TimeControl { expected, found });
        }
        let is_seed_wrong = game.seed.is_some_and(|seed| seed != game_seed(self.seed, &outcome.id));
        // If the id was edited by hand, the seed is wrong, too. Such a record is a contradiction, not a stranger.
        (is_seed_wrong && names_its_bots(outcome)).then_some(Stranger::Seed)
    }

    /// Scales a time control to the worker that played a game.
    fn on_worker(&self, game: &LeagueGame<'_>, control: TimeControl) -> TimeControl {
        let worker = game.worker.as_ref().filter(|worker| worker.reference_speed == self.reference_speed);
        match worker.and_then(WorkerRecord::time_scale) {
            Some(scale) => control.scaled(scale),
            None => control,
        }
    }

    /// Returns the time controls of a bot in this league and in a record, if they differ.
    fn time_mismatch(&self, game: &LeagueGame<'_>) -> Option<(TimeControl, TimeControl)> {
        game.programs.iter().find_map(|(seat, program)| {
            let name = game.outcome.bots.get(seat)?;
            // A removed bot is not in the file. A later version has the time control of the first one.
            let own_time = self.own_times.get(split_version(name).0)?;
            let found = program.time_control.as_ref().map(|text| text.parse().ok());
            let common = self.on_worker(game, self.time_control);
            let found = found.unwrap_or(Some(common))?;
            let expected = own_time.map_or(common, |own_time| self.on_worker(game, own_time));
            (game.time_control.is_some() && found != expected).then_some((expected, found))
        })
    }

    /// Checks that a record belongs to the scheduled game with its id. `pairing` is called if the check needs it.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(
        &mut self,
        pairing: impl FnOnce() -> Option<Pairing>,
        game: &LeagueGame<'_>,
    ) -> Result<(), Contradiction> {
        let outcome = &game.outcome;
        if !names_its_bots(outcome) {
            let shown = |name: &dyn AsRef<str>| printable(name.as_ref(), SHOWN_BYTES);
            let seats = outcome.bots.values().map(|name| shown(name)).collect();
            return Err(Contradiction::Seats { id: shown(&outcome.id), seats });
        }
        if outcome.game != self.game {
            return Err(Contradiction::Game {
                id: outcome.id.to_string(),
                expected: self.game.clone(),
                found: printable(&outcome.game, SHOWN_BYTES),
            });
        }
        self.check_options(game)?;
        self.check_opening(pairing, game)
    }

    fn check_options(&mut self, game: &LeagueGame<'_>) -> Result<(), Contradiction> {
        let Some(text) = game.options.filter(|text| *text != self.matched_options) else { return Ok(()) };
        // A value that is not an object was refused when the line was read.
        let found: BTreeMap<String, Value> = serde_json::from_str(text).unwrap_or_default();
        for (name, value) in found {
            let value = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
            let expected = self.options.get(&name);
            if expected != Some(&value) {
                return Err(Contradiction::Options {
                    id: game.outcome.id.to_string(),
                    name: printable(&name, SHOWN_BYTES),
                    expected: expected
                        .map_or_else(|| "no such option".to_owned(), |value| format!("`{value}`")),
                    found: format!("`{}`", printable(&value, SHOWN_BYTES)),
                });
            }
        }
        text.clone_into(&mut self.matched_options);
        Ok(())
    }

    fn check_opening(
        &self,
        pairing: impl FnOnce() -> Option<Pairing>,
        game: &LeagueGame<'_>,
    ) -> Result<(), Contradiction> {
        let found = game.opening.and_then(|text| serde_json::from_str::<OpeningRecord>(text).ok());
        let found = found.unwrap_or_default();
        let found = Opening { token: found.token, moves: found.moves };
        let usual = Opening::default();
        let pairing = self.drawer.as_ref().and_then(|drawer| Some((drawer, pairing()?)));
        let drawn = pairing.as_ref().map(|(drawer, pairing)| drawer.draw(pairing));
        let expected = drawn.as_ref().map_or(&usual, |drawn| drawn.opening);
        if found == *expected {
            return Ok(());
        }
        let words = |opening: &Opening| match opening {
            opening if *opening == usual => "the usual start".to_owned(),
            opening => format!("`{}`", printable(&opening.to_string(), SHOWN_BYTES)),
        };
        Err(Contradiction::Opening {
            id: game.outcome.id.to_string(),
            expected: words(expected),
            found: words(&found),
        })
    }
}

/// True if the game's id names the bots in seat order.
fn names_its_bots(outcome: &Outcome<'_>) -> bool {
    let pairing = outcome.id.rsplit_once('/').map_or(&*outcome.id, |(_, pairing)| pairing);
    let after_names = outcome.bots.values().try_fold(pairing, |rest, name| {
        rest.strip_prefix(name.as_ref()).and_then(|rest| rest.strip_prefix('~'))
    });
    after_names.is_some_and(|number| !number.contains('~'))
}
