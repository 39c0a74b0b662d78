//! A game as the person sees it: the board, the moves, the turn and the possible actions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::events::{Beginning, Suggestion};
use crate::games::{Eliminations, Refusal, Setup, Table, legal_moves};
use crate::league::openings::Opening;
use crate::process::suspended;
use crate::protocol::{GoLimit, Position, printable};
use crate::record::{GameRecord, SeatRecord, VERSION, microseconds};
use crate::referee::driver::MoveMade;
use crate::report::describe;
use crate::report::replay::Replay;
use crate::seat::{BySeat, GameResult, Place, Seat, Teams};
use crate::time_control::TimeControl;

/// Minimum score, in hundredths, of a win that a built-in bot has found.
const WIN_SCORE: i64 = 900_000;

/// Maximum number of typed characters in a message.
const SHOWN: usize = 60;

/// The conditions of all games of a run.
pub(super) struct Terms {
    pub(super) setup: Arc<dyn Setup>,
    pub(super) time_control: TimeControl,
    /// True if all seats have clocks.
    pub(super) has_clocks: bool,
    pub(super) own_limit: Option<Duration>,
}

impl Terms {
    /// True if the person's time is limited, so that moves can't be taken back.
    pub(super) fn limits_the_person(&self) -> bool {
        self.has_clocks || self.own_limit.is_some()
    }
}

#[derive(Copy, Clone, Debug)]
pub(super) struct OwnTurn {
    pub(super) asked: Instant,
    /// The time during which this program had been suspended before. Only later suspensions extend the turn.
    pub(super) suspended: Duration,
    pub(super) limit: Option<Duration>,
}

pub(super) struct PersonGame {
    pub(super) beginning: Beginning,
    pub(super) teams: Teams,
    pub(super) table: Box<dyn Table>,
    /// The moves since the position from which the game started, including the opening.
    pub(super) moves: Vec<String>,
    movers: Vec<Seat>,
    times: Vec<Option<Duration>>,
    eliminations: Eliminations,
    pub(super) turn: Option<OwnTurn>,
    /// A turn that begins once this number of moves is known.
    due: Option<(usize, OwnTurn)>,
    /// The places once the game is over; the inner `None` means no result.
    pub(super) over: Option<Option<BySeat<Place>>>,
    pub(super) record: Option<Box<GameRecord>>,
}

impl PersonGame {
    pub(super) fn new(terms: &Terms, beginning: Beginning) -> PersonGame {
        let start = Opening { token: beginning.token.clone(), moves: Vec::new() };
        // The opening was checked with the plan.
        let table = start.table(&*terms.setup).unwrap_or_else(|_| terms.setup.start());
        let opening = beginning.opening.clone();
        let mut game = PersonGame {
            teams: terms.setup.teams(),
            beginning,
            table,
            moves: Vec::new(),
            movers: Vec::new(),
            times: Vec::new(),
            eliminations: Eliminations::default(),
            turn: None,
            due: None,
            over: None,
            record: None,
        };
        opening.iter().for_each(|mv| game.push(mv, None));
        game
    }

    fn push(&mut self, mv: &str, time: Option<Duration>) {
        // The referee has already played the move.
        if let Ok(mover) = self.eliminations.play(&mut *self.table, mv) {
            self.moves.push(mv.to_owned());
            self.movers.push(mover);
            self.times.push(time);
        }
    }

    /// Enters that the person is asked for a move. Events of the last moves may arrive later.
    pub(super) fn asked(&mut self, position: &Position, going: &GoLimit, asked: Instant, terms: &Terms) {
        let limit = match going {
            GoLimit::MoveTime(_) | GoLimit::Work(_) | GoLimit::Infinite => terms.own_limit,
            GoLimit::Clocks(clocks) => clocks.times.get(self.person()).copied(),
        };
        self.due = Some((position.moves.len(), OwnTurn { asked, suspended: suspended(), limit }));
        self.begin_turn();
    }

    /// Begins a turn that is due, if all moves before it are known.
    fn begin_turn(&mut self) {
        let due = self.due.take_if(|(moves, _)| self.moves.len() >= *moves);
        self.turn = due.map(|(_, turn)| turn).or(self.turn);
    }

    /// Enters a move. Returns true if it is new.
    pub(super) fn moved(&mut self, made: &MoveMade) -> bool {
        let index = self.beginning.opening.len() + made.number - 1;
        if made.played.seat == self.person() {
            self.turn = None;
        }
        let is_new = index == self.moves.len();
        if is_new {
            self.push(&made.played.text, Some(made.played.used));
        } else if let Some(time) = self.times.get_mut(index) {
            *time = Some(made.played.used);
        }
        self.begin_turn();
        is_new
    }

    /// Enters that moves were taken back; `left` is the number of those that are left.
    pub(super) fn taken_back(&mut self, left: usize, terms: &Terms) {
        let (moves, times) = (self.moves.clone(), self.times.clone());
        let beginning = self.beginning.clone();
        let from = beginning.opening.len();
        *self = PersonGame::new(terms, beginning);
        moves.iter().zip(times).take(left).skip(from).for_each(|(mv, time)| self.push(mv, time));
    }

    pub(super) fn person(&self) -> Seat {
        self.beginning.person
    }

    /// The legal moves that begin with this text, if it is the person's turn.
    pub(super) fn legal(&self, start: &str) -> Vec<String> {
        let mut legal = if self.turn.is_some() { legal_moves(&*self.table) } else { Vec::new() };
        legal.retain(|mv| mv.starts_with(start));
        legal
    }

    pub(super) fn last(&self) -> Option<(Seat, &str, Option<Duration>)> {
        let last = self.moves.len().checked_sub(1)?;
        Some((self.movers[last], &self.moves[last], self.times[last]))
    }

    pub(super) fn name(&self, seat: Seat) -> &str {
        &self.beginning.names[seat]
    }

    /// Checks a typed move. The error is the reason why it can't be played, in the words of the rules.
    pub(super) fn check(&self, mv: &str) -> Result<(), String> {
        self.table.fork().play(mv).map_err(|refusal| {
            let shown = printable(mv.as_bytes(), SHOWN);
            match refusal {
                Refusal::Illegal(illegal) => format!("{shown} is not legal: {}", illegal.why),
                Refusal::NotAMove(error) => format!("{shown} is not a move: {}", error.why),
            }
        })
    }

    /// Enters the record. Its places count if the referee sent none, as to a player on move when a fault ends the game.
    pub(super) fn recorded(&mut self, record: Box<GameRecord>) {
        let place = |number: &u8| Place::new(usize::from(*number));
        let places = || record.places.as_ref()?.iter().map(place).collect::<Option<Vec<_>>>();
        let places = || places().and_then(BySeat::from_values);
        self.over = Some(self.over.take().flatten().or_else(places));
        self.turn = None;
        self.record = Some(record);
    }

    /// The number of moves left when the person goes back to their last turn, or the reason why that is impossible.
    pub(super) fn way_back(&self, terms: &Terms) -> Result<usize, &'static str> {
        if self.over.is_some() {
            return Err("the game is over, and its record is kept");
        }
        if terms.limits_the_person() {
            return Err("moves can't be taken back where your time is limited");
        }
        if !self.eliminations.seats().is_empty() {
            return Err("moves can't be taken back after a player has left the game");
        }
        let opening = self.beginning.opening.len();
        let last = self.movers.iter().rposition(|mover| *mover == self.person());
        last.filter(|index| *index >= opening).ok_or("you have not moved yet")
    }

    pub(super) fn replay(&self, terms: &Terms) -> Option<Replay> {
        if let Some(record) = &self.record {
            return Replay::new(record).ok();
        }
        let opening = self.beginning.opening.len();
        let given = Opening { token: self.beginning.token.clone(), moves: self.beginning.opening.clone() };
        let name = |name: &String| SeatRecord { name: name.clone(), ..SeatRecord::default() };
        let times: Option<Vec<u64>> =
            self.times.iter().skip(opening).map(|time| time.map(microseconds)).collect();
        let mut record = GameRecord {
            v: VERSION,
            id: self.beginning.id.clone(),
            game: terms.setup.id().to_owned(),
            seats: self.beginning.names.values().map(name).collect(),
            time_control: Some(terms.time_control.to_string()),
            opening: (given != Opening::default()).then(|| (&given).into()),
            moves: Some(self.moves[opening..].to_vec()),
            times_us: times,
            ..GameRecord::default()
        };
        record.set_options(terms.setup.options());
        Replay::new(&record).ok()
    }

    /// The end of the game in words: the verdict of its record, or the places before there is a record.
    pub(super) fn ending(&self) -> Option<String> {
        let places = self.over.as_ref()?;
        if let Some(record) = &self.record {
            let replay = Replay::new(record);
            let verdict = replay.map_or_else(|_| describe::verdict(record), |replay| replay.verdict);
            // The record of a game with help has no result, but the places are known.
            return Some(match places {
                Some(places) => format!("{}: {verdict}", self.placed(places)),
                None => format!("The game is over: {verdict}"),
            });
        }
        let none = || "The game has no result".to_owned();
        Some(places.as_ref().map_or_else(none, |places| self.placed(places)))
    }

    /// The person's result in words.
    fn placed(&self, places: &BySeat<Place>) -> String {
        match places.result(&self.teams, self.person()) {
            GameResult::Won => "You won".to_owned(),
            GameResult::Drawn if self.teams.sides() == 2 => "The game is a draw".to_owned(),
            GameResult::Drawn => "You share the first place".to_owned(),
            GameResult::Lost if self.teams.sides() == 2 => "You lost".to_owned(),
            GameResult::Lost => format!("You came in at place {}", places[self.person()]),
        }
    }
}

impl Suggestion {
    pub(super) fn in_words(&self) -> String {
        let Some(mv) = &self.mv else { return format!("{} has no hint", self.bot) };
        match self.score_cp {
            Some(score) if score >= WIN_SCORE => format!("{} would play {mv} and sees a win", self.bot),
            Some(score) if score <= -WIN_SCORE => format!("{} would play {mv} and sees a loss", self.bot),
            Some(score) => format!("{} would play {mv} (score {:+.2})", self.bot, score as f64 / 100.0),
            None => format!("{} would play {mv}", self.bot),
        }
    }
}
