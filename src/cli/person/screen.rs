//! The state of the person's screen, which keys and events change.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::choice::{BoardSquare, Chosen, MoveChoice};
use super::events::{Suggestion, TableEvent};
use super::game::{PersonGame, Terms};
use crate::cli::replay::PAGE;
use crate::games::legal_moves;
use crate::games::notation::Square;
use crate::report::picture::{Facing, Highlights};
use crate::report::replay::Replay;

#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum KeyEffect {
    Redraw,
    Play(String),
    /// Take moves back until this number of moves is left.
    TakeBack(usize),
    Suggest,
    Resign,
    NextGame,
    Leave,
    /// Leave as after this signal.
    Interrupt(u8),
    /// Suspend the program until the shell continues it.
    Suspend,
}

/// A question that is answered with `y` or any other key.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Question {
    Leave,
    Resign,
}

pub(super) struct PlayScreen<'t> {
    pub(super) terms: &'t Terms,
    pub(super) game: Option<PersonGame>,
    /// The moves so far as a replay, which is drawn.
    pub(super) replay: Option<Replay>,
    /// The move that is being chosen in the person's turn.
    pub(super) choice: Option<MoveChoice>,
    pub(super) cursor: BoardSquare,
    /// The chosen square, if several steps lead to it; they are listed.
    several: Option<BoardSquare>,
    /// The index of the selected entry of the list.
    pub(super) entry: usize,
    pub(super) typed: Option<String>,
    pub(super) message: String,
    pub(super) question: Option<Question>,
    pub(super) shows_keys: bool,
    pub(super) facing: Facing,
    /// The earlier ply that is shown; `None` for the current position.
    earlier_ply: Option<usize>,
    /// True if no more games will be played.
    pub(super) is_closed: bool,
}

impl<'t> PlayScreen<'t> {
    pub(super) fn new(terms: &'t Terms) -> PlayScreen<'t> {
        PlayScreen {
            terms,
            game: None,
            replay: None,
            choice: None,
            cursor: BoardSquare { board: 0, square: Square::new(0, 0) },
            several: None,
            entry: 0,
            typed: None,
            message: "starting the bots".to_owned(),
            question: None,
            shows_keys: false,
            facing: Facing::default(),
            earlier_ply: None,
            is_closed: false,
        }
    }

    pub(super) fn handle(&mut self, event: TableEvent) {
        match event {
            TableEvent::Begins(beginning) => {
                self.game = Some(PersonGame::new(self.terms, *beginning));
                self.earlier_ply = None;
                self.message.clear();
                self.end_choice();
            }
            TableEvent::Asked { position, going, at } => {
                if let Some(game) = &mut self.game {
                    game.asked(&position, &going, at, self.terms);
                }
            }
            TableEvent::Moved(made) => {
                if let Some(game) = &mut self.game {
                    game.moved(&made);
                }
            }
            TableEvent::TakenBack { left } => {
                self.earlier_ply = None;
                if let Some(game) = &mut self.game {
                    game.taken_back(left, self.terms);
                }
                "back at your last turn; this game is not rated any more".clone_into(&mut self.message);
            }
            TableEvent::Over { places } => {
                if let Some(game) = &mut self.game {
                    game.turn = None;
                    game.over = Some(places);
                }
                self.end_choice();
            }
            TableEvent::Recorded(record) => {
                if let Some(game) = &mut self.game {
                    game.recorded(record);
                }
                self.end_choice();
            }
            TableEvent::Note(note) => self.message = note,
        }
        self.replay = self.game.as_ref().and_then(|game| game.replay(self.terms));
        if self.choice.is_none() && self.game.as_ref().is_some_and(|game| game.turn.is_some()) {
            self.begin_choice();
        }
    }

    /// Shows a hint, unless the number of moves has changed.
    pub(super) fn suggested(&mut self, moves: usize, suggestion: &Suggestion) {
        if self.game.as_ref().is_some_and(|game| game.moves.len() == moves) {
            self.message = format!("hint: {}; this game is not rated any more", suggestion.in_words());
        }
    }

    fn begin_choice(&mut self) {
        let Some(game) = &self.game else { return };
        let choice = MoveChoice::new(&legal_moves(&*game.table), &game.table.scene());
        let is_first = self.cursor == BoardSquare { board: 0, square: Square::new(0, 0) };
        if let (true, Some(target)) = (is_first, choice.targets().first()) {
            self.cursor = *target;
        }
        (self.several, self.entry) = (None, 0);
        self.choice = Some(choice);
    }

    fn end_choice(&mut self) {
        (self.choice, self.several, self.typed, self.entry) = (None, None, None, 0);
        if self.question == Some(Question::Resign) {
            self.question = None;
        }
    }

    /// True while the screen shows a running clock.
    pub(super) fn has_clock(&self) -> bool {
        self.game.as_ref().and_then(|game| game.turn).is_some_and(|turn| turn.limit.is_some())
    }

    pub(super) fn ply(&self) -> usize {
        let last = self.replay.as_ref().map_or(0, Replay::last);
        self.earlier_ply.map_or(last, |ply| ply.min(last))
    }

    pub(super) fn looks_back(&self) -> bool {
        self.earlier_ply.is_some()
    }

    /// Shows the position at a ply; from the last ply on, the current position.
    fn look_at(&mut self, ply: usize) {
        let last = self.replay.as_ref().map_or(0, Replay::last);
        self.earlier_ply = (ply < last).then_some(ply);
    }

    /// Handles a key that steps through the moves. Any other key that concerns the board only returns to the current
    /// position, so that nobody plays on an earlier board. Returns false if the key has another effect.
    fn look(&mut self, code: KeyCode) -> bool {
        let ply = self.ply();
        match code {
            KeyCode::Char(',') => self.look_at(ply.saturating_sub(1)),
            KeyCode::Char('.') => self.look_at(ply + 1),
            KeyCode::PageUp => self.look_at(ply.saturating_sub(PAGE)),
            KeyCode::PageDown => self.look_at(ply + PAGE),
            KeyCode::Home => self.look_at(0),
            KeyCode::End => self.earlier_ply = None,
            KeyCode::Char('v' | '?' | 'q') => return false,
            _ => return self.earlier_ply.take().is_some(),
        }
        true
    }

    pub(super) fn highlights(&self) -> Highlights {
        if self.looks_back() {
            return Highlights::default();
        }
        let pair = |place: BoardSquare| (place.board, place.square);
        let Some(choice) = &self.choice else { return Highlights::default() };
        Highlights {
            targets: choice.targets().into_iter().map(pair).collect(),
            chosen: choice.squares().map(pair).collect(),
            cursor: Some(pair(self.cursor)),
        }
    }

    /// The entries of the list: moves, or beginnings of moves.
    pub(super) fn list(&self) -> Vec<String> {
        let Some(choice) = &self.choice else { return Vec::new() };
        match self.several {
            Some(place) => choice.ways(place),
            None => choice.listed().into_iter().map(str::to_owned).collect(),
        }
    }

    /// True if there is nothing to choose on the boards.
    fn is_list_only(&self) -> bool {
        self.several.is_some() || self.choice.as_ref().is_some_and(|choice| choice.targets().is_empty())
    }

    /// The legal moves that begin with the typed text.
    pub(super) fn completions(&self) -> Vec<String> {
        let (Some(game), Some(typed)) = (&self.game, &self.typed) else { return Vec::new() };
        game.legal(typed)
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> KeyEffect {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => KeyEffect::Interrupt(2),
                KeyCode::Char('z') => KeyEffect::Suspend,
                _ => KeyEffect::Redraw,
            };
        }
        if let Some(question) = self.question.take() {
            return match (key.code, question) {
                (KeyCode::Char('y' | 'Y'), Question::Leave) => KeyEffect::Leave,
                (KeyCode::Char('y' | 'Y'), Question::Resign) => KeyEffect::Resign,
                _ => KeyEffect::Redraw,
            };
        }
        if std::mem::take(&mut self.shows_keys) {
            return KeyEffect::Redraw;
        }
        if self.typed.is_some() {
            return self.type_move(key.code);
        }
        if self.look(key.code) {
            return KeyEffect::Redraw;
        }
        match self.arrow(key.code) {
            KeyCode::Left => self.go(-1, 0),
            KeyCode::Right => self.go(1, 0),
            KeyCode::Up => self.go(0, 1),
            KeyCode::Down => self.go(0, -1),
            KeyCode::Tab => self.go_to_target(),
            KeyCode::Enter | KeyCode::Char(' ') => return self.choose(),
            KeyCode::Esc => self.take_back_choice(),
            KeyCode::Char('u') => return self.take_back(),
            KeyCode::Char('t') => return self.ask_for_hint(),
            KeyCode::Char('R') if self.choice.is_some() => self.question = Some(Question::Resign),
            KeyCode::Char('v') => self.facing = self.facing.turned(),
            KeyCode::Char('?') => self.shows_keys = true,
            KeyCode::Char('q') => return self.leave(),
            KeyCode::Char(':' | '/') => self.begin_typing(None),
            KeyCode::Char(digit @ '1'..='9') if !self.list().is_empty() => {
                return self.choose_entry(digit as usize - '1' as usize);
            }
            KeyCode::Char(letter) => self.begin_typing(Some(letter)),
            _ => {}
        }
        KeyEffect::Redraw
    }

    /// The arrow key that a letter stands for, or the key itself.
    fn arrow(&self, code: KeyCode) -> KeyCode {
        match code {
            KeyCode::Char('h') if self.has_letter_arrows() => KeyCode::Left,
            KeyCode::Char('l') if self.has_letter_arrows() => KeyCode::Right,
            KeyCode::Char('k') if self.has_letter_arrows() => KeyCode::Up,
            KeyCode::Char('j') if self.has_letter_arrows() => KeyCode::Down,
            other => other,
        }
    }

    /// True if `h`, `j`, `k` and `l` move the cursor: no board has a column `h`, whose moves begin with that letter.
    pub(super) fn has_letter_arrows(&self) -> bool {
        const BEFORE_H: usize = 7;
        let scene = self.game.as_ref().map(|game| game.table.scene());
        scene.is_none_or(|scene| scene.boards.iter().all(|board| board.width <= BEFORE_H))
    }

    /// Starts to read a typed move. A letter starts it only if a legal move begins with that letter.
    fn begin_typing(&mut self, letter: Option<char>) {
        let Some(game) = self.game.as_ref().filter(|game| game.turn.is_some()) else { return };
        let typed = letter.map_or_else(String::new, String::from);
        if letter.is_none() || !game.legal(&typed).is_empty() {
            self.message.clear();
            self.typed = Some(typed);
        }
    }

    fn type_move(&mut self, code: KeyCode) -> KeyEffect {
        let completions = self.completions();
        let Some(typed) = &mut self.typed else { return KeyEffect::Redraw };
        match code {
            KeyCode::Esc => self.typed = None,
            KeyCode::Backspace if typed.is_empty() => self.typed = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Tab => {
                if let Some(more) = common_prefix(&completions) {
                    *typed = more;
                }
            }
            KeyCode::Char(letter) => typed.push(letter),
            KeyCode::Enter if typed.is_empty() => self.typed = None,
            KeyCode::Enter => {
                let mv = match completions.as_slice() {
                    [only] => only.clone(),
                    _ => typed.clone(),
                };
                match self.game.as_ref().map(|game| game.check(&mv)) {
                    Some(Ok(())) => return self.play(mv),
                    Some(Err(why)) => self.message = why,
                    None => {}
                }
            }
            _ => {}
        }
        KeyEffect::Redraw
    }

    fn play(&mut self, mv: String) -> KeyEffect {
        self.end_choice();
        self.message.clear();
        if let Some(game) = &mut self.game {
            game.turn = None;
        }
        KeyEffect::Play(mv)
    }

    /// Moves the cursor, or the selection in the list.
    fn go(&mut self, right: isize, up: isize) {
        let list = self.list().len();
        if self.is_list_only() && list > 0 {
            let forward = right > 0 || up < 0;
            self.entry = if forward { (self.entry + 1) % list } else { (self.entry + list - 1) % list };
            return;
        }
        // Turning does not change the order of the boards: the next one is to the right or below.
        let forward = right - up;
        let (right, up) = match self.facing {
            Facing::FirstRankBelow => (right, up),
            Facing::FirstRankAbove => (-right, -up),
        };
        let Some(game) = &self.game else { return };
        let boards = game.table.scene().boards;
        let BoardSquare { board, square } = self.cursor;
        let Some(current) = boards.get(board) else { return };
        let file = square.file().checked_add_signed(right).filter(|file| *file < current.width);
        let rank = square.rank().checked_add_signed(up).filter(|rank| *rank < current.height);
        if let (Some(file), Some(rank)) = (file, rank) {
            self.cursor.square = Square::new(file, rank);
            return;
        }
        let Some(board) = board.checked_add_signed(forward) else { return };
        let Some(next) = boards.get(board) else { return };
        // The cursor enters the other board at the opposite edge.
        let enter = |at: usize, by: isize, length: usize| match by {
            0 => at.min(length - 1),
            1.. => 0,
            _ => length - 1,
        };
        let file = enter(square.file(), right, next.width);
        let rank = enter(square.rank(), up, next.height);
        self.cursor = BoardSquare { board, square: Square::new(file, rank) };
    }

    fn go_to_target(&mut self) {
        let Some(choice) = &self.choice else { return };
        let targets = choice.targets();
        let at = targets.iter().position(|target| *target == self.cursor);
        let next = at.map_or(0, |at| (at + 1) % targets.len());
        self.cursor = targets.get(next).copied().unwrap_or(self.cursor);
    }

    /// Chooses the square under the cursor, or the selected entry of the list.
    fn choose(&mut self) -> KeyEffect {
        if self.game.as_ref().is_some_and(|game| game.record.is_some()) {
            return if self.is_closed { KeyEffect::Leave } else { KeyEffect::NextGame };
        }
        if self.is_list_only() {
            return self.choose_entry(self.entry);
        }
        let (Some(choice), Some(game)) = (&self.choice, &self.game) else { return KeyEffect::Redraw };
        match choice.ways(self.cursor).len() {
            0 => self.message = choice.explain(self.cursor, &*game.table),
            1 => return self.choose_way(self.cursor, 0),
            _ => (self.several, self.entry) = (Some(self.cursor), 0),
        }
        KeyEffect::Redraw
    }

    fn choose_way(&mut self, place: BoardSquare, which: usize) -> KeyEffect {
        self.message.clear();
        (self.several, self.entry) = (None, 0);
        match self.choice.as_mut().and_then(|choice| choice.choose(place, which)) {
            Some(Chosen::Move(mv)) => self.play(mv),
            Some(Chosen::Part) | None => KeyEffect::Redraw,
        }
    }

    fn choose_entry(&mut self, entry: usize) -> KeyEffect {
        let list = self.list();
        let Some(text) = list.get(entry) else { return KeyEffect::Redraw };
        match self.several {
            Some(place) => self.choose_way(place, entry),
            None => self.play(text.clone()),
        }
    }

    fn take_back_choice(&mut self) {
        self.message.clear();
        self.entry = 0;
        if let (None, Some(choice)) = (self.several.take(), &mut self.choice) {
            choice.take_back();
        }
    }

    fn take_back(&mut self) -> KeyEffect {
        let Some(game) = &mut self.game else { return KeyEffect::Redraw };
        match game.way_back(self.terms) {
            Ok(left) => {
                game.turn = None;
                self.end_choice();
                KeyEffect::TakeBack(left)
            }
            Err(why) => {
                why.clone_into(&mut self.message);
                KeyEffect::Redraw
            }
        }
    }

    fn ask_for_hint(&mut self) -> KeyEffect {
        if self.choice.is_none() {
            return KeyEffect::Redraw;
        }
        "looking for a hint".clone_into(&mut self.message);
        KeyEffect::Suggest
    }

    /// Leaves, or asks first if a game is in progress.
    fn leave(&mut self) -> KeyEffect {
        if self.game.as_ref().is_some_and(|game| game.record.is_none()) {
            self.question = Some(Question::Leave);
            return KeyEffect::Redraw;
        }
        KeyEffect::Leave
    }
}

fn common_prefix(texts: &[String]) -> Option<String> {
    let first = texts.first()?;
    let is_common = |end: &usize| texts.iter().all(|text| text.get(..*end) == first.get(..*end));
    let end = (0..=first.len()).rev().find(|end| first.is_char_boundary(*end) && is_common(end))?;
    Some(first[..end].to_owned())
}
