//! The games: their rules, and the registry by which everything else finds them.
//!
//! A game is a folder here and a line in [the registry](GAMES). It implements
//! [`Rules`] with its own position and move types; from that one
//! implementation follow the object-safe faces [`Game`], [`Setup`] and
//! [`Table`], perft, pictures, engines and the conformance suite.
//!
//! Nothing here does I/O, reads a clock or draws a random number.

pub mod conformance;
pub mod consultation;
pub mod departures;
pub mod ending;
pub mod kengu;
pub mod limits;
pub mod notation;
pub mod options;
pub mod perft;
pub mod quixo;
pub mod quixo_teams;
mod replay;
pub mod rules;
pub mod scene;
pub mod solvable;
pub mod symmetry;
pub mod table;
pub mod tandem;
pub mod trexo;

pub use consultation::Consultation;
pub use departures::Departures;
pub use ending::Ending;
pub use notation::{Illegal, NotAMove, NotAPosition, Refusal, Square};
pub use options::{OptionError, OptionSpec, OptionValues};
pub use replay::{CantReplay, replay};
pub use rules::Rules;
pub use table::{Game, Setup, Table, legal_moves};

use linesman_types::verdict::Reason;

/// Something to be done with the rules of a game whose name is known only at
/// run time: what [`with_rules`] calls.
pub trait RulesVisitor {
    /// What comes of it.
    type Output;
    /// Does it with the rules of one game.
    fn visit<R: Rules>(self) -> Self::Output;
}

/// The registry: one line a game.
macro_rules! games {
    ($($rules:ty),* $(,)?) => {
        /// Every game, in the order in which lists show them.
        pub static GAMES: &[&dyn Game] = &[$(&table::Named::<$rules>::NEW),*];

        /// The way from a game's name to its static rules.
        pub fn with_rules<V: RulesVisitor>(id: &str, visitor: V) -> Option<V::Output> {
            $(if id == <$rules as Rules>::ID {
                return Some(visitor.visit::<$rules>());
            })*
            None
        }
    };
}

games! {
    quixo::Quixo,
    quixo_teams::QuixoTeams,
    trexo::Trexo,
    kengu::Kengu,
    tandem::Tandem,
}

/// Whether an option bears on which positions and moves there are. The limits on
/// endless play do not, nor does whether mates may talk.
pub fn bears_on_positions(option: &str) -> bool {
    !limits::is_limit(option) && !consultation::is_consultation(option)
}

/// The reason of this word for which a game ended: the game's own, or that of another
/// game where the game is unknown or has none of this word.
pub fn reason(game: &str, word: &str) -> Option<Reason> {
    let own = GAMES.iter().filter(|known| known.id() == game);
    let of_games = own.chain(GAMES).flat_map(|game| game.reasons());
    of_games.chain(limits::REASONS).copied().find(|reason| reason.word() == word)
}

/// The game of this name.
pub fn find(id: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.id() == id)
}
