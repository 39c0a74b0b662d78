//! The trait that every game implements.

use std::fmt::Debug;
use std::hash::Hash;

use crate::ending::Ending;
use crate::notation::{Illegal, NotAMove, NotAPosition};
use crate::options::{OptionError, OptionSpec, OptionValues};
use crate::scene::{Counter, PieceProperty, Scene};
use crate::solvable::{Solvable, Unsolvable};
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::verdict::Reason;

/// The rules of one game with its options fixed.
///
/// The same position and move always give the same position: no I/O, no clock, no randomness. The data that
/// all positions share (tables, layouts) is kept here, so that a position stays a few words that are cheap to
/// copy. A turn is one move, no matter how many steps it has.
///
/// The limits on endless play (`max_plies`, `repetition`) do not belong to the rules but to
/// [`Limits`](crate::limits::Limits).
pub trait Rules: Sized + Send + Sync + 'static {
    /// The game's name in commands, files and protocol.
    const ID: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// A description of the game in one line.
    const ABOUT: &'static str;
    /// The reasons for which the rules end a game.
    const REASONS: &'static [Reason];
    /// Codes of the rules that a move can break, without [`Illegal::OVER`].
    const BREAKABLE: &'static [&'static str];
    /// The options of the game. The bounds of an option may depend on those before it.
    const OPTIONS: &'static [OptionSpec] = &[];

    /// A position: all that the rules need to continue the game, except the options.
    type Position: Clone + Eq + Hash + Debug + Send + 'static;
    /// A whole turn of one seat.
    type Move: Copy + Eq + Hash + Debug + Send + 'static;

    /// Makes the rules with these options.
    ///
    /// # Errors
    /// Values that are each in range but contradict each other.
    fn with_options(values: &OptionValues) -> Result<Self, OptionError>;

    /// The teams: by default two seats against each other.
    fn teams(&self) -> Teams {
        Teams::singles(2)
    }

    /// The position in which every game starts.
    fn start(&self) -> Self::Position;

    /// The seat whose turn it is; after the end, the seat whose turn it would be.
    fn to_move(&self, position: &Self::Position) -> Seat;

    /// The number of plies since the start.
    fn ply(&self, position: &Self::Position) -> u32;

    /// Returns the repetition key: the position without its ply. Positions with equal keys count as repeated. By
    /// default it is the position itself, for games in which none recurs, so that a position determines its ply.
    fn repetition_key(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Appends every legal move once. There are none only if the game is over.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Draws a legal move, with equal probabilities; `None` if the game is over. `below` draws a number below its
    /// argument, and may be called any number of times. `buffer` is for games that must list their moves; its
    /// content afterwards is unspecified.
    fn random_move(
        &self,
        position: &Self::Position,
        buffer: &mut Vec<Self::Move>,
        mut below: impl FnMut(usize) -> usize,
    ) -> Option<Self::Move> {
        buffer.clear();
        self.legal_moves(position, buffer);
        if buffer.is_empty() { None } else { Some(buffer[below(buffer.len())]) }
    }

    /// Counts the legal moves. `buffer` is for games that must list them, as for [`Rules::random_move`].
    fn count_legal_moves(&self, position: &Self::Position, buffer: &mut Vec<Self::Move>) -> u64 {
        buffer.clear();
        self.legal_moves(position, buffer);
        buffer.len() as u64
    }

    /// Returns true for a legal move. `buffer` is for games that must list the legal moves.
    fn is_legal(&self, position: &Self::Position, mv: Self::Move, buffer: &mut Vec<Self::Move>) -> bool {
        buffer.clear();
        self.legal_moves(position, buffer);
        buffer.contains(&mv)
    }

    /// Plays a legal move.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// Returns the position after a legal move.
    #[inline]
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut next = position.clone();
        self.play(&mut next, mv);
        next
    }

    /// Returns the end of the game by the rules, if it has ended.
    fn ending(&self, position: &Self::Position) -> Option<Ending>;

    /// Returns true if the game has ended by the rules; [`Rules::ending`] without its words.
    fn is_over(&self, position: &Self::Position) -> bool {
        self.ending(position).is_some()
    }

    /// Tie-break score of each seat, which decides the places when a limit ends the game: higher is better. By
    /// default all are equal, and the game is drawn.
    fn tie_break_scores(&self, _position: &Self::Position) -> BySeat<i32> {
        BySeat::from_fn(self.teams().seats(), |_| 0)
    }

    /// Evaluates the position for each seat, for engines: 0 is even, 100 a usual lead, and at the end of the
    /// game a seat with a better place has a higher value than one with a worse place.
    fn evaluate(&self, position: &Self::Position) -> BySeat<i32>;

    /// Returns the odds in a position that is not over, for engines that search: the difference between two seats
    /// is the logarithm, in thousandths, of the odds that the first is placed before the second. `None` if the odds are
    /// unknown, so that searches use [`Rules::evaluate`].
    fn odds(&self, _position: &Self::Position) -> Option<BySeat<i32>> {
        None
    }

    /// Takes a seat out of a game with three sides or more. With two sides it is never called: the other side
    /// has won.
    fn eliminate(&self, _position: &mut Self::Position, _seat: Seat) {}

    /// Explains the rule that a move breaks, by code and in words. Called only with illegal moves, and only
    /// before the end of the game.
    fn explain(&self, position: &Self::Position, mv: Self::Move) -> Illegal;

    /// Returns the reason why an illegal move is refused: [`Rules::explain`], or that the game is over.
    fn refusal(&self, position: &Self::Position, mv: Self::Move) -> Illegal {
        if self.is_over(position) { Illegal::over() } else { self.explain(position, mv) }
    }

    /// Appends the unique spelling of a move.
    fn write_move(&self, mv: Self::Move, text: &mut String);

    /// Reads a move; checks only the syntax, so the move may be illegal here.
    ///
    /// # Errors
    /// Text that is not a move under any options.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotAMove>;

    /// Returns the unique spelling of a move.
    fn text_of(&self, mv: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(mv, &mut text);
        text
    }

    /// Returns a position's token.
    fn token_of(&self, position: &Self::Position) -> String {
        let mut token = String::new();
        self.write_position(position, &mut token);
        token
    }

    /// Appends a position's token.
    fn write_position(&self, position: &Self::Position, text: &mut String);

    /// Reads a position's token.
    ///
    /// # Errors
    /// A token that the rules reject, with the mistake and its place.
    fn parse_position(&self, token: &str) -> Result<Self::Position, NotAPosition>;

    /// Describes a position as a scene, with marks for the last move.
    /// [`Table::scene`](crate::Table::scene) adds the squares that decided the game.
    fn scene(&self, position: &Self::Position, last: Option<Self::Move>) -> Scene;

    /// Lists the actions that make up the moves under these options, each once, in any order: see
    /// [`Actions`](crate::Actions). By default they are the moves of the start position.
    fn actions(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.legal_moves(&self.start(), &mut moves);
        moves.into_iter().map(|mv| self.text_of(mv)).collect()
    }

    /// Returns the first action of a move, or of the rest of a move. By default a move is one action.
    fn first_action<'t>(&self, text: &'t str) -> &'t str {
        text
    }

    /// Lists the properties that pieces can show in a scene besides their side, for observations; by default none.
    fn piece_properties(&self) -> Vec<PieceProperty> {
        Vec::new()
    }

    /// Lists the numbers of a position that are not on a board, such as stocks: the same counters in the same order in
    /// every position. By default there are none.
    fn counters(&self, _position: &Self::Position) -> Vec<Counter> {
        Vec::new()
    }

    /// Number of symmetries: ways to mirror and rotate the board that leave the game the same. Number 0
    /// changes nothing.
    fn symmetries(&self) -> usize {
        1
    }

    /// Transforms a position by a symmetry: the same seat is to move at the same ply, and each seat has the same
    /// prospects.
    fn transformed(&self, position: &Self::Position, _symmetry: usize) -> Self::Position {
        position.clone()
    }

    /// Transforms a legal move of a position by a symmetry. Played in the transformed position, the result leads to
    /// the transformed outcome.
    fn transformed_move(&self, _position: &Self::Position, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// Returns how a solver can treat the game.
    ///
    /// # Errors
    /// The reason why it can't.
    fn solvable(&self) -> Result<Solvable<Self::Position>, Unsolvable> {
        Err(Unsolvable::because("its positions are not numbered"))
    }
}
