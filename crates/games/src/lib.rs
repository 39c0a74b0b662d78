//! The rules of the games, and the registry that finds a game by its name.
//!
//! ```
//! use linesman_games::{find, legal_moves};
//!
//! let quixo = find("quixo").ok_or("there is no such game")?;
//! let setup = quixo.configure(&[("size", "3")])?;
//! let mut table = setup.start();
//! assert!(legal_moves(&*table).contains(&"a1a3".to_owned()));
//!
//! for mv in ["a1a3", "c1c3", "a1a3", "c1c3", "a1a3"] {
//!     table.play(mv)?;
//! }
//! let ending = table.ending().ok_or("the game goes on")?;
//! assert_eq!(ending.reason.word(), "line");
//! assert_eq!(ending.places.score(table.teams(), linesman_types::seat::Seat::FIRST), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game is a folder of this crate and a line in [the registry](GAMES), which declares its module. It
//! implements [`Rules`] with its own types for positions and moves. That implementation gives [`Game`] (the
//! game by name) and two traits whose trait objects serve every game: [`Setup`] (its options fixed) and
//! [`Table`] (one game being played).
//!
//! # Modules
//!
//! - The games: a folder each, in the order of the registry.
//! - What a game implements: [`rules`], and for solvers [`solvable`].
//! - What a game is written with: [`options`], [`notation`], [`ending`], [`scene`], [`symmetry`], and in this
//!   crate `grid`.
//! - What every game gets: [`mod@table`], [`limits`] on endless play, [`eliminations`] of seats,
//!   [`consultation`] between teammates, [`fn@replay`] of a list of moves, [`mod@perft`], [`actions`] and
//!   [`observation`] for programs that learn.
//! - `conformance`: the suite that every game must pass, built for tests only.
//!
//! This crate reads no clock and no file, and it draws no random number.

pub mod actions;
#[cfg(test)]
mod conformance;
pub mod consultation;
pub mod eliminations;
pub mod ending;
mod grid;
pub mod limits;
pub mod notation;
pub mod observation;
pub mod options;
pub mod perft;
mod replay;
pub mod rules;
pub mod scene;
pub mod solvable;
pub mod symmetry;
pub mod table;
#[cfg(test)]
mod testkit;

pub use actions::Actions;
pub use consultation::Consultation;
pub use eliminations::{Eliminations, eliminated, elimination, is_elimination};
pub use ending::Ending;
pub use notation::{Illegal, NotAMove, NotAPosition, Refusal, Square};
pub use options::{OptionError, OptionSpec, OptionValues};
pub use replay::{CantReplay, replay};
pub use rules::Rules;
pub use table::{Game, Setup, Table, legal_moves};

use linesman_types::verdict::Reason;

/// An action on the rules of a game whose name is known only at run time: [`with_rules`] calls it.
pub trait RulesVisitor {
    /// The result.
    type Output;
    /// Runs the action with the rules of one game.
    fn visit<R: Rules>(self) -> Self::Output;
}

/// The registry. `$` is an argument because the macro defines another macro.
macro_rules! games {
    ($d:tt $($module:ident::$rules:ident),* $(,)?) => {
        $(pub mod $module;)*

        /// All games, in the order of lists.
        pub static GAMES: &[Game] = &[$(
            Game::of::<$module::$rules>(include_str!(concat!(stringify!($module), "/page.md")))
        ),*];

        /// Calls the visitor with the rules of the game of this name; `None` if the game is unknown.
        pub fn with_rules<V: RulesVisitor>(id: &str, visitor: V) -> Option<V::Output> {
            $(if id == <$module::$rules as Rules>::ID {
                return Some(visitor.visit::<$module::$rules>());
            })*
            None
        }

        /// Passes the modules of all games to a macro: `each_game!(callback)` is `callback!(quixo, ...)`.
        /// Other crates build their lists of games with it.
        #[macro_export]
        macro_rules! each_game {
            ($d callback:ident) => { $d callback!($($module),*); };
        }

        /// The conformance suite, a test for each game.
        #[cfg(test)]
        mod conforms {
            $(#[test]
            fn $module() {
                let perft = include_str!(concat!(stringify!($module), "/perft.txt"));
                let refusals = include_str!(concat!(stringify!($module), "/refusals.txt"));
                crate::conformance::tests::conforms::<crate::$module::$rules>(perft, refusals);
            })*
        }
    };
}

games! { $
    quixo::Quixo,
    quixo_teams::QuixoTeams,
    trexo::Trexo,
    kengu::Kengu,
    tandem::Tandem,
}

/// Returns true for an option that affects the possible positions and moves: all except the limits on endless play
/// and the permission for teammates to talk.
pub fn bears_on_positions(option: &str) -> bool {
    !limits::is_limit(option) && option != consultation::NAME
}

/// Finds the reason for the end of a game by its word: the game's own or, if the game is unknown or has no
/// reason of this word, another game's.
pub fn reason(game: &str, word: &str) -> Option<Reason> {
    let named = GAMES.iter().filter(|known| known.id == game);
    let reasons = named.chain(GAMES).flat_map(|game| game.reasons);
    reasons.chain(limits::REASONS).copied().find(|reason| reason.word() == word)
}

/// Finds the game of this name.
pub fn find(id: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.id == id)
}
