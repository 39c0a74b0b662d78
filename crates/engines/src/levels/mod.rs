//! Opponents of measured strength: ten levels for each game.
//!
//! A level is a [`Strength`]: the share of random moves, the share of greedy moves, and the number of positions that
//! are searched for the other moves. [`Level::all`] reads the levels from `version-1.csv`, which never changes, so
//! that a level is the same opponent in every version of the program. `benches/levels` measured them.

mod player;

use super::engine::Engine;
use super::settings::{EngineOption, Strength};
pub(super) use player::{Leveled, OPTIONS};

/// The version of the levels.
pub const VERSION: u32 = 1;

/// The number of levels of a game.
pub const LEVELS: u8 = 10;

/// The name in `version-1.csv` for the levels of games that were not measured.
pub const UNMEASURED: &str = "*";

pub(super) const LEVEL: EngineOption = EngineOption {
    name: "Level",
    about: "strength, from 1 (random moves) to 10 (the strongest search)",
    default: 5,
    min: 1,
    max: LEVELS as i64,
};

/// A level of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// The game, or [`UNMEASURED`].
    pub game: &'static str,
    /// The number of seats, or 0 for any.
    pub seats: usize,
    /// The level, from 1.
    pub number: u8,
    /// The parameters of the level.
    pub strength: Strength,
    /// The measured strength, if it was measured.
    pub measured: Option<Measured>,
}

/// The measured strength of a level.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Measured {
    /// The rating relative to level 1, in Elo.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval of the difference from the level below, in Elo; `None` at level
    /// 1.
    pub margin: Option<f64>,
    /// The score against the level below, from 0 to 1; `None` at level 1.
    pub score: Option<f64>,
}

const TABLE: &str = include_str!("version-1.csv");

impl Level {
    /// The levels of all games, by game and number.
    pub fn all() -> impl Iterator<Item = Level> {
        TABLE.lines().skip(1).map(|line| read(line).expect("the table is tested"))
    }

    /// Finds a level of a game for this number of seats. Games that were not measured have levels, too.
    ///
    /// # Panics
    /// If there is no level of this number.
    pub fn find(game: &str, seats: usize, number: u8) -> Level {
        let of = |game: &str, seats: usize| {
            Level::all().find(|level| (level.game, level.seats, level.number) == (game, seats, number))
        };
        of(game, seats).or_else(|| of(UNMEASURED, 0)).expect("the table has all levels")
    }
}

/// Reads a level from its line in the table.
fn read(line: &'static str) -> Option<Level> {
    let mut cells = line.split(',');
    let game = cells.next()?;
    let seats = cells.next()?.parse().ok()?;
    let number = cells.next()?.parse().ok()?;
    let strength = Strength {
        random: cells.next()?.parse().ok()?,
        greedy: cells.next()?.parse().ok()?,
        search: Engine::find(cells.next()?)?,
        nodes: cells.next()?.parse().ok()?,
    };
    let elo = cells.next()?.parse().ok();
    let mut number_if_any = || cells.next().map(|cell| cell.parse().ok());
    let (margin, score) = (number_if_any()?, number_if_any()?);
    let measured = elo.map(|elo| Measured { elo, margin, score });
    Some(Level { game, seats, number, strength, measured })
}
