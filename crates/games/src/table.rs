//! One game being played, by name and as text: the object-safe interface of the rules, derived once for all
//! games.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::ending::Ending;
use crate::limits::Limits;
use crate::notation::{Illegal, NotAPosition, Refusal};
use crate::options::{OptionError, OptionKind, OptionSpec, OptionValues};
use crate::perft;
use crate::rules::Rules;
use crate::scene::{Counter, PieceProperty, Scene};
use crate::symmetry;
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::verdict::Reason;

/// A game by name, as in the registry.
pub struct Game {
    /// The game's name in commands, files and protocol.
    pub id: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// A description of the game in one line.
    pub about: &'static str,
    /// The page that explains the game, as Markdown: rules, moves, positions, options.
    pub page: &'static str,
    /// The reasons for which its rules end a game.
    pub reasons: &'static [Reason],
    /// The game's options.
    pub options: &'static [OptionSpec],
    configure: Configure,
}

impl Game {
    /// Makes the game of these rules with its page.
    pub(crate) const fn of<R: Rules>(page: &'static str) -> Game {
        Game {
            id: R::ID,
            title: R::TITLE,
            about: R::ABOUT,
            page,
            reasons: R::REASONS,
            options: R::OPTIONS,
            configure: configure::<R>,
        }
    }

    /// Fixes the options, each given as name and text.
    ///
    /// # Errors
    /// Unknown options, or values that an option does not take.
    pub fn configure(&self, given: &[(&str, &str)]) -> Result<Arc<dyn Setup>, OptionError> {
        (self.configure)(given)
    }

    /// Returns the range of the number of seats, with each number option at either end of its range and the
    /// others at their defaults.
    pub fn seats(&self) -> RangeInclusive<usize> {
        let Ok(usual) = self.configure(&[]) else { return 0..=0 };
        let usual_seats = usual.teams().seats();
        let mut seats = usual_seats..=usual_seats;
        for spec in self.options {
            let OptionKind::Integer { min, max, .. } = &spec.kind else { continue };
            for end in [min, max] {
                let value = end.value(usual.options()).to_string();
                if let Ok(setup) = self.configure(&[(spec.name, &value)]) {
                    let number = setup.teams().seats();
                    seats = number.min(*seats.start())..=number.max(*seats.end());
                }
            }
        }
        seats
    }
}

/// Fixes the options of a game by its rules, each given as name and text.
pub(crate) fn configure<R: Rules>(given: &[(&str, &str)]) -> Result<Arc<dyn Setup>, OptionError> {
    let options = OptionValues::resolve(R::OPTIONS, given.iter().copied())?;
    let rules = Arc::new(R::with_options(&options)?);
    Ok(Arc::new(Configured { rules, options: Arc::new(options) }))
}

type Configure = fn(&[(&str, &str)]) -> Result<Arc<dyn Setup>, OptionError>;

/// A game with its options fixed: the starting point of every game of a tournament.
pub trait Setup: Send + Sync {
    /// The game's name.
    fn id(&self) -> &'static str;
    /// Every option with its value.
    fn options(&self) -> &OptionValues;
    /// The side of each seat.
    fn teams(&self) -> Teams;
    /// Makes a table with the start position.
    fn start(&self) -> Box<dyn Table>;
    /// Makes a table with the position of a token, at which the history of the game begins.
    ///
    /// # Errors
    /// A token that can't be read.
    #[expect(clippy::wrong_self_convention, reason = "it makes a table from a token, not from the setup")]
    fn from_token(&self, token: &str) -> Result<Box<dyn Table>, NotAPosition>;
    /// Runs [`perft::perft`] on a position.
    ///
    /// # Errors
    /// A token that can't be read.
    fn perft(&self, token: Option<&str>, depth: u32) -> Result<u64, NotAPosition>;
    /// Runs [`perft::divide`] on a position.
    ///
    /// # Errors
    /// A token that can't be read.
    fn divide(&self, token: Option<&str>, depth: u32) -> Result<Vec<(String, u64)>, NotAPosition>;
    /// The actions that make up the moves: [`Rules::actions`]. [`Actions`](crate::Actions) numbers them.
    fn actions(&self) -> Vec<String>;
    /// Returns the first action of a move, or of the rest of a move.
    fn first_action<'t>(&self, text: &'t str) -> &'t str;
    /// The properties that pieces can show.
    fn piece_properties(&self) -> Vec<PieceProperty>;
}

/// One game being played, as text: the interface for referee, files and pages.
///
/// Limits on endless play are in force. After the end no move is legal.
pub trait Table: Send {
    /// The side of each seat.
    fn teams(&self) -> &Teams;
    /// The seat whose turn it is; after the end, the seat whose turn it would be.
    fn to_move(&self) -> Seat;
    /// The number of plies since the game's start.
    fn ply(&self) -> u32;
    /// Visits every legal move in byte order of its spelling.
    fn legal(&self, visit: &mut dyn FnMut(&str));
    /// Plays a move.
    ///
    /// # Errors
    /// Text that is not a move, or an illegal move; the table does not change.
    fn play(&mut self, text: &str) -> Result<(), Refusal>;
    /// Returns the end of the game, if it has ended.
    fn ending(&self) -> Option<Ending>;
    /// Returns true if the game has ended; [`Table::ending`] without its words.
    fn is_over(&self) -> bool;
    /// Tie-break score of each seat, which decides the places when a limit ends the game.
    fn tie_break_scores(&self) -> BySeat<i32>;
    /// Takes a seat out of a game with three sides or more.
    fn eliminate(&mut self, seat: Seat);
    /// The position's token.
    fn token(&self) -> String;
    /// Returns the first, in byte order, of the tokens of this position and of all that are symmetric to it.
    fn canonical_token(&self) -> String {
        self.token()
    }
    /// Describes the position as a scene, with marks for the last move and for the squares that decided the game.
    fn scene(&self) -> Scene;
    /// The numbers of the position that are not on a board.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }
    /// Makes an independent copy.
    fn fork(&self) -> Box<dyn Table>;
}

/// Lists the legal moves, in byte order of their spelling.
pub fn legal_moves(table: &dyn Table) -> Vec<String> {
    let mut moves = Vec::new();
    table.legal(&mut |text| moves.push(text.to_owned()));
    moves
}

struct Configured<R> {
    rules: Arc<R>,
    options: Arc<OptionValues>,
}

impl<R: Rules> Configured<R> {
    fn position(&self, token: Option<&str>) -> Result<R::Position, NotAPosition> {
        token.map_or_else(|| Ok(self.rules.start()), |token| self.rules.parse_position(token))
    }

    fn table(&self, position: R::Position) -> Box<dyn Table> {
        Box::new(TableOf {
            rules: Arc::clone(&self.rules),
            teams: self.rules.teams(),
            limits: Limits::new(&self.options, &*self.rules, &position),
            position,
            last: None,
        })
    }
}

impl<R: Rules> Setup for Configured<R> {
    fn id(&self) -> &'static str {
        R::ID
    }

    fn options(&self) -> &OptionValues {
        &self.options
    }

    fn teams(&self) -> Teams {
        self.rules.teams()
    }

    fn start(&self) -> Box<dyn Table> {
        self.table(self.rules.start())
    }

    fn from_token(&self, token: &str) -> Result<Box<dyn Table>, NotAPosition> {
        Ok(self.table(self.rules.parse_position(token)?))
    }

    fn perft(&self, token: Option<&str>, depth: u32) -> Result<u64, NotAPosition> {
        Ok(perft::perft(&*self.rules, &self.position(token)?, depth))
    }

    fn divide(&self, token: Option<&str>, depth: u32) -> Result<Vec<(String, u64)>, NotAPosition> {
        Ok(perft::divide(&*self.rules, &self.position(token)?, depth))
    }

    fn actions(&self) -> Vec<String> {
        self.rules.actions()
    }

    fn first_action<'t>(&self, text: &'t str) -> &'t str {
        self.rules.first_action(text)
    }

    fn piece_properties(&self) -> Vec<PieceProperty> {
        self.rules.piece_properties()
    }
}

struct TableOf<R: Rules> {
    rules: Arc<R>,
    teams: Teams,
    limits: Limits<R>,
    position: R::Position,
    last: Option<R::Move>,
}

/// Returns the first sixteen bytes as a number. Texts with different numbers have the order of these numbers.
fn first_bytes(text: &str) -> u128 {
    let mut bytes = [0; 16];
    let first = &text.as_bytes()[..text.len().min(16)];
    bytes[..first.len()].copy_from_slice(first);
    u128::from_be_bytes(bytes)
}

impl<R: Rules> Table for TableOf<R> {
    fn teams(&self) -> &Teams {
        &self.teams
    }

    fn to_move(&self) -> Seat {
        self.rules.to_move(&self.position)
    }

    fn ply(&self) -> u32 {
        self.rules.ply(&self.position)
    }

    fn legal(&self, visit: &mut dyn FnMut(&str)) {
        if self.is_over() {
            return;
        }
        let mut moves = Vec::new();
        self.rules.legal_moves(&self.position, &mut moves);
        // All in one string, since there can be many thousands. The first bytes distinguish most of them.
        let mut text = String::new();
        let mut ranges = Vec::with_capacity(moves.len());
        for mv in moves {
            let start = text.len();
            self.rules.write_move(mv, &mut text);
            let range = start..text.len();
            ranges.push((first_bytes(&text[range.clone()]), range));
        }
        ranges.sort_unstable_by(|(one_first, one), (other_first, other)| {
            one_first.cmp(other_first).then_with(|| text[one.clone()].cmp(&text[other.clone()]))
        });
        ranges.into_iter().for_each(|(_, range)| visit(&text[range]));
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let mv = self.rules.parse_move(text)?;
        if self.is_over() {
            return Err(Illegal::over().into());
        }
        if !self.rules.is_legal(&self.position, mv, &mut Vec::new()) {
            return Err(self.rules.refusal(&self.position, mv).into());
        }
        self.rules.play(&mut self.position, mv);
        self.last = Some(mv);
        self.limits.reached(&self.rules, &self.position);
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        self.limits.ending(&self.rules, &self.position)
    }

    fn is_over(&self) -> bool {
        self.limits.is_over(&self.rules, &self.position)
    }

    fn tie_break_scores(&self) -> BySeat<i32> {
        self.rules.tie_break_scores(&self.position)
    }

    fn eliminate(&mut self, seat: Seat) {
        self.rules.eliminate(&mut self.position, seat);
        self.limits.reached(&self.rules, &self.position);
    }

    fn token(&self) -> String {
        self.rules.token_of(&self.position)
    }

    fn canonical_token(&self) -> String {
        symmetry::canonical_token(&*self.rules, &self.position)
    }

    fn scene(&self) -> Scene {
        let mut scene = self.rules.scene(&self.position, self.last);
        scene.marks.extend(self.rules.ending(&self.position).into_iter().flat_map(|ending| ending.marks));
        scene
    }

    fn counters(&self) -> Vec<Counter> {
        self.rules.counters(&self.position)
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(TableOf {
            rules: Arc::clone(&self.rules),
            teams: self.teams.clone(),
            limits: self.limits.clone(),
            position: self.position.clone(),
            last: self.last,
        })
    }
}
