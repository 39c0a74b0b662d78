//! Violations: statements of a record that contradict the rules or each other.

use std::fmt;
use std::time::Duration;

use crate::fault::UnreadableVerdict;
use crate::outcome::Malformed;
use linesman_games::{NotAPosition, OptionError, Refusal};
use linesman_types::seat::Seat;
use linesman_types::time_control::TimeError;

/// An incorrect statement of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The move that it is about, if any.
    pub at: Option<MoveNumber>,
    pub(crate) kind: Box<ViolationKind>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "{at}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl From<ViolationKind> for Violation {
    fn from(kind: ViolationKind) -> Violation {
        Violation { at: None, kind: Box::new(kind) }
    }
}

/// A move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveNumber {
    /// The list that has it.
    pub list: MoveList,
    /// Its number in that list, from 1.
    pub number: usize,
    /// Its text, made printable.
    pub text: String,
}

/// A list of moves in a record.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MoveList {
    /// `opening.moves`
    Opening,
    /// `moves`
    Moves,
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = match self.list {
            MoveList::Opening => "opening move",
            MoveList::Moves => "move",
        };
        write!(f, "{list} {} (`{}`)", self.number, self.text)
    }
}

/// A kind of violation, with its figures.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum ViolationKind {
    /// The record contradicts itself.
    #[error(transparent)]
    Malformed(Malformed),
    #[error("there is no game `{0}`")]
    UnknownGame(String),
    #[error("invalid options: {0}")]
    Options(OptionError),
    #[error("the game has {needed} seats with these options, not {seats}")]
    Seats { seats: usize, needed: usize },
    #[error("seats {} and {} are teammates, but play for {} and {}", .seats[0], .seats[1], named(&.teams[0]), named(&.teams[1]))]
    Mates { seats: [Seat; 2], teams: [Option<String>; 2] },
    #[error("the time control can't be read: {0}")]
    TimeControl(TimeError),
    #[error("the opening's position can't be read: {0}")]
    OpeningToken(NotAPosition),
    #[error("`{column}` has {length} entries for {moves} moves")]
    Column { column: &'static str, length: usize, moves: usize },
    #[error("not legal here: {0}")]
    Illegal(Refusal),
    #[error("{0}")]
    NotAMove(Refusal),
    #[error("seat {0} can't be eliminated here")]
    Eliminated(Seat),
    #[error("a bot can't have pondered on `{text}` after it: {why}")]
    PonderedMove { text: String, why: Refusal },
    #[error("a bot can't have pondered on the moves {moves} after it: seat {seat} would not be on move")]
    Pondered { moves: String, seat: Seat },
    #[error("it took {used:?}, more than the limit of {limit:?} plus the margin of {margin:?}")]
    TooLate { used: Duration, limit: Duration, margin: Duration },
    #[error("the game is not over after the last move, and no `reason` says why it ended")]
    NotOver,
    #[error("the reason is `{reason}`, but by the rules the game is not over after the last move")]
    NotOverBy { reason: String },
    #[error("the reason is `{reason}`, but by the rules the game ended by `{by_rules}`")]
    Reason { reason: String, by_rules: &'static str },
    #[error("the places are {places}, but should be {expected}")]
    Places { places: String, expected: String },
    #[error("the places {0} are impossible: a place is 1 + the number of sides that did better")]
    ImpossiblePlaces(String),
    #[error("the marks are not the squares that decided the game")]
    Marks,
    #[error("{0}")]
    Unreadable(UnreadableVerdict),
    #[error("seat {seat} failed (`{fault}`), but the reason is `{reason}`")]
    IneffectiveFault { seat: Seat, fault: &'static str, reason: String },
    #[error("the game should have ended before this move, because the bots agreed on the result")]
    Decided,
    #[error("the game should have been adjudicated after the last move: {why}")]
    NotDecided { why: String },
    #[error("the reason is `adjudication`, but the bots did not agree on the result for enough moves")]
    NotAgreed,
    #[error("the reason is `{reason}`, but {left} sides were left in the game")]
    SidesLeft { reason: &'static str, left: usize },
    #[error("seat {seat} can't have failed with `{fault}`: seat {on_move} was on move")]
    NotOnMove { seat: Seat, fault: &'static str, on_move: Seat },
    #[error("seat {seat} can't have failed with `{fault}` after moves were played")]
    AfterMoves { seat: Seat, fault: &'static str },
    #[error("seat {seat} is recorded with an illegal move, but `{text}` is legal there")]
    LegalAfterAll { seat: Seat, text: String },
    #[error("`{text}` of seat {seat} is recorded as `{fault}`, but {refusal}")]
    OtherFault { seat: Seat, text: String, fault: &'static str, refusal: Refusal },
    #[error(
        "seat {seat} is recorded as late, but used only {used:?} of {limit:?} plus a margin of {margin:?}"
    )]
    InTime { seat: Seat, used: Duration, limit: Duration, margin: Duration },
    #[error("seat {seat} is recorded with a limit of {limit:?}, but the time control gave it {given:?}")]
    TimeLimit { seat: Seat, limit: Duration, given: Duration },
    #[error("the game is void, but has the reason `{0}`")]
    VoidWithReason(String),
    #[error("earlier games of the pair `{pair}` have another opening, game or options")]
    OtherOpening { pair: String },
    #[error("earlier games of the pair `{pair}` were played by other bots")]
    OtherEntrants { pair: String },
    #[error("`{name}` is in position {number} again in the pair `{pair}`, although its games exchange seats")]
    SameSeat {
        pair: String,
        name: String,
        /// The number of the seat, or of the side in games of teams.
        number: usize,
    },
    #[error("the record says that no bot played, but {0}")]
    SomebodyPlayed(&'static str),
}

fn named(team: &Option<String>) -> String {
    team.as_ref().map_or_else(|| "no team".to_owned(), |team| format!("`{}`", team.escape_debug()))
}
