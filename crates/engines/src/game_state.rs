//! A game that an engine follows from the referee's lines.

use std::collections::HashMap;

use super::cant_follow::CantFollow;
use super::chance::fingerprint;
use super::view::SideView;
use linesman_games::options::split_options;
use linesman_games::{NotAMove, OptionError, OptionValues, Rules, eliminated, is_elimination};
use linesman_protocol::{GameHeader, Position};
use linesman_types::seat::{Seat, Teams};
use linesman_types::time_control::ClockKind;

/// A game in progress: its rules, its history and its position.
pub(super) struct GameState<R: Rules> {
    /// The rules with the options of the `game` line.
    pub(super) rules: R,
    /// All options of the game, with the values of the `game` line.
    pub(super) options: OptionValues,
    pub(super) header: GameHeader,
    pub(super) teams: Teams,
    pub(super) position: R::Position,
    /// The ply at which the limit on plies ends the game, if any.
    pub(super) max_plies: Option<u32>,
    repetition: Option<u32>,
    /// The token of the position from which the game started, if that is not the usual one.
    pub(super) token: Option<String>,
    /// The moves since then.
    pub(super) moves: Vec<String>,
    /// Number of occurrences of each position, by its fingerprint.
    seen: HashMap<u64, u32>,
}

impl<R: Rules> GameState<R> {
    /// Creates the game that a `game` line announces, at its start.
    pub(super) fn new(header: GameHeader) -> Result<GameState<R>, CantFollow> {
        let (rules, options) = Self::rules_of(&header)
            .map_err(|error| CantFollow::Options { game: header.game.clone(), error })?;
        let mut game_state = GameState {
            teams: rules.teams(),
            position: rules.start(),
            max_plies: options.limit("max_plies"),
            repetition: options.limit("repetition"),
            token: None,
            moves: Vec::new(),
            seen: HashMap::new(),
            header,
            rules,
            options,
        };
        game_state.note_position();
        Ok(game_state)
    }

    /// Creates a game at its start, as the first seat sees it, without a `game` line.
    pub(super) fn unplayed(seats: usize, id: &str, options: String) -> Result<GameState<R>, CantFollow> {
        GameState::new(GameHeader {
            game: R::ID.to_owned(),
            seat: Seat::FIRST,
            seats,
            id: id.to_owned(),
            clock: ClockKind::Wall,
            ponders: false,
            options,
        })
    }

    fn rules_of(header: &GameHeader) -> Result<(R, OptionValues), OptionError> {
        let options = OptionValues::resolve(R::OPTIONS, split_options(&header.options)?)?;
        Ok((R::with_options(&options)?, options))
    }

    /// True if another game is played by the same rules with the same options.
    pub(super) fn same_rules(&self, header: &GameHeader) -> bool {
        header.game == self.header.game && header.options == self.header.options
    }

    /// Starts another game by the same rules.
    pub(super) fn restart(&mut self, header: GameHeader) {
        self.header = header;
        self.begin(None, self.rules.start());
    }

    /// Goes to the position of a `position` line. Only new moves are played.
    pub(super) fn follow(&mut self, target: &Position) -> Result<(), CantFollow> {
        if self.token != target.token || !target.moves.starts_with(&self.moves) {
            let start = match &target.token {
                None => self.rules.start(),
                Some(token) => self
                    .rules
                    .parse_position(token)
                    .map_err(|error| CantFollow::Position { token: token.clone(), error })?,
            };
            self.begin(target.token.clone(), start);
        }
        for text in &target.moves[self.moves.len()..] {
            self.step(text)?;
            self.moves.push(text.clone());
            self.note_position();
        }
        Ok(())
    }

    fn begin(&mut self, token: Option<String>, start: R::Position) {
        self.token = token;
        self.position = start;
        self.moves.clear();
        self.seen.clear();
        self.note_position();
    }

    fn step(&mut self, text: &str) -> Result<(), CantFollow> {
        let number = self.moves.len() + 1;
        let not_a_move = |error| CantFollow::NotAMove { number, text: text.to_owned(), error };
        if is_elimination(text) {
            let seat = eliminated(text).filter(|seat| seat.number() <= self.teams.seats());
            let seat =
                seat.ok_or_else(|| not_a_move(NotAMove { why: "there is no such seat".to_owned() }))?;
            self.rules.eliminate(&mut self.position, seat);
            return Ok(());
        }
        let mv = self.rules.parse_move(text).map_err(not_a_move)?;
        if !self.rules.is_legal(&self.position, mv, &mut Vec::new()) {
            let error = self.rules.refusal(&self.position, mv);
            return Err(CantFollow::Illegal { number, text: text.to_owned(), error });
        }
        self.rules.play(&mut self.position, mv);
        Ok(())
    }

    fn note_position(&mut self) {
        if self.repetition.is_some() {
            *self.seen.entry(fingerprint(self.rules.repetition_key(&self.position))).or_insert(0) += 1;
        }
    }

    /// True if another occurrence of the position with this fingerprint ends the game by repetition.
    pub(super) fn would_repeat(&self, fingerprint: u64) -> bool {
        let occurs_often = |limit| self.seen.get(&fingerprint).is_some_and(|times| times + 1 >= limit);
        self.repetition.is_some_and(occurs_often)
    }

    pub(super) fn to_move(&self) -> Seat {
        self.rules.to_move(&self.position)
    }

    pub(super) fn view(&self) -> SideView {
        SideView::new(self.teams.clone(), self.to_move(), self.max_plies)
    }
}
