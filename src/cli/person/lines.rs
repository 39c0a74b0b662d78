//! Playing line by line, without a full-screen terminal, such as in a pipe.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use super::events::{Leaving, PersonEvent, TableEvent};
use super::game::{PersonGame, Terms};
use super::suggest;
use super::table::Controls;
use crate::cli::error::Failure;
use crate::cli::replay::terminal::Message;
use crate::cli::ui::Ui;
use crate::report::describe::time;
use crate::report::picture::terminal::{self, USUAL_WIDTH};

const HELP: &str = "\
MOVE      play a move, such as one that `:legal` lists
:legal    list the legal moves; `:legal TEXT` lists those that begin so
:board    show the board again
:hint     ask a built-in bot for a move (the game then has no result in its record)
:undo     go back to your last turn (the game then has no result in its record)
:resign   give up the game
:quit     leave; a game that is not over leaves no record
";

/// Starts to read the input in a separate thread.
pub(super) fn listen(events: Sender<PersonEvent>) -> io::Result<()> {
    let read = move || {
        let lines = io::stdin().lock().lines().map_while(Result::ok);
        for line in lines {
            if events.send(PersonEvent::Typed(line)).is_err() {
                return;
            }
        }
        let _ = events.send(PersonEvent::InputOver);
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

pub(super) struct LinePlayer<'t> {
    terms: &'t Terms,
    controls: Arc<Controls>,
    events: Sender<PersonEvent>,
    ui: &'t Ui,
    game: Option<PersonGame>,
    /// Lines that wait for the person's turn.
    typed: VecDeque<String>,
    is_input_over: bool,
    /// True if the person has been asked for a move in this turn.
    is_asked: bool,
    /// True while a built-in bot computes a hint.
    awaits_hint: bool,
    /// True while moves are being taken back at the table.
    awaits_table: bool,
}

impl<'t> LinePlayer<'t> {
    pub(super) fn new(
        terms: &'t Terms,
        controls: Arc<Controls>,
        events: Sender<PersonEvent>,
        ui: &'t Ui,
    ) -> LinePlayer<'t> {
        LinePlayer {
            terms,
            controls,
            events,
            ui,
            game: None,
            typed: VecDeque::new(),
            is_input_over: false,
            is_asked: false,
            awaits_hint: false,
            awaits_table: false,
        }
    }

    pub(super) fn play(&mut self, events: &Receiver<PersonEvent>) -> Result<Leaving, Failure> {
        while let Ok(event) = events.recv() {
            match event {
                PersonEvent::Table(event) => self.handle(event)?,
                PersonEvent::Typed(line) => self.typed.push_back(line),
                PersonEvent::InputOver => self.is_input_over = true,
                PersonEvent::Suggested { moves, suggestion } => {
                    self.awaits_hint = false;
                    if self.game.as_ref().is_some_and(|game| game.moves.len() == moves) {
                        self.print(&format!("hint: {}\n", suggestion.in_words()))?;
                        self.prompt()?;
                    }
                }
                PersonEvent::Terminal(Message::Signal(signal)) => return Ok(Leaving::Signal(signal)),
                // Keys matter only in full screen.
                PersonEvent::Terminal(Message::Key(_) | Message::Changed | Message::Gone) => {}
                PersonEvent::Closed => return Ok(Leaving::Played),
            }
            self.show_turn()?;
            if let Some(leaving) = self.take_lines()? {
                return Ok(leaving);
            }
        }
        Ok(Leaving::Played)
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        let mut data = self.ui.data();
        data.write_all(text.as_bytes())?;
        data.flush()?;
        Ok(())
    }

    fn handle(&mut self, event: TableEvent) -> Result<(), Failure> {
        match event {
            TableEvent::Begins(beginning) => {
                let players = beginning.names.iter().map(|(seat, name)| format!("seat {seat}: {name}"));
                let players = players.collect::<Vec<_>>().join(", ");
                self.print(&format!("{}   {players}\n", beginning.id))?;
                self.game = Some(PersonGame::new(self.terms, *beginning));
            }
            TableEvent::Asked { position, going, at } => {
                self.awaits_table = false;
                let Some(game) = &mut self.game else { return Ok(()) };
                game.asked(&position, &going, at, self.terms);
            }
            TableEvent::Moved(made) => {
                let Some(game) = &mut self.game else { return Ok(()) };
                if game.moved(&made) {
                    let name = game.name(made.played.seat).to_owned();
                    let (number, mv, used) = (game.moves.len(), &made.played.text, time(made.played.used));
                    self.print(&format!("move {number}: {mv} by {name}, {used}\n"))?;
                }
            }
            TableEvent::TakenBack { left } => {
                if let Some(game) = &mut self.game {
                    game.taken_back(left, self.terms);
                }
                self.print("back at your last turn\n")?;
            }
            TableEvent::Over { places } => {
                let Some(game) = &mut self.game else { return Ok(()) };
                game.turn = None;
                game.over = Some(places);
            }
            TableEvent::Recorded(record) => {
                let Some(game) = &mut self.game else { return Ok(()) };
                game.recorded(record);
                let ending = game.ending().unwrap_or_default();
                let text = format!("{}{ending}\n", self.board());
                self.print(&text)?;
                self.controls.start_next_game();
            }
            TableEvent::Note(note) => self.ui.note(note),
        }
        Ok(())
    }

    fn board(&self) -> String {
        let width = self.ui.data_width().unwrap_or(USUAL_WIDTH);
        self.game.as_ref().map_or_else(String::new, |game| terminal::coloured(&game.table.scene(), width))
    }

    /// Shows the board when the person's turn begins.
    fn show_turn(&mut self) -> Result<(), Failure> {
        let is_on_move = self.game.as_ref().is_some_and(|game| game.turn.is_some());
        if is_on_move && !std::mem::replace(&mut self.is_asked, is_on_move) {
            self.print(&self.board())?;
            self.prompt()?;
        }
        self.is_asked = is_on_move;
        Ok(())
    }

    fn prompt(&self) -> Result<(), Failure> {
        let Some(game) = &self.game else { return Ok(()) };
        let legal = game.legal("").len();
        let moves = if legal == 1 { "move" } else { "moves" };
        self.print(&format!("your turn, seat {}: {legal} legal {moves} (:help)\n", game.person()))
    }

    /// True if a line can be taken: it is the person's turn, and no hint or other answer is awaited.
    fn is_free(&self) -> bool {
        !self.awaits_hint && !self.awaits_table && self.game.as_ref().is_some_and(|game| game.turn.is_some())
    }

    fn take_lines(&mut self) -> Result<Option<Leaving>, Failure> {
        while self.is_free() {
            let Some(line) = self.typed.pop_front() else {
                if self.is_input_over {
                    self.print("the input has ended\n")?;
                    return Ok(Some(Leaving::Left));
                }
                break;
            };
            let line = line.trim();
            self.print(&format!("> {line}\n"))?;
            if line == ":quit" {
                return Ok(Some(Leaving::Left));
            }
            let reply = self.take_line(line);
            self.print(&reply)?;
            self.is_asked = self.is_free() || self.awaits_hint;
        }
        Ok(None)
    }

    /// Handles a line of the person. Returns the reply.
    fn take_line(&mut self, line: &str) -> String {
        let Some(game) = &mut self.game else { return String::new() };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => String::new(),
            "?" | ":help" => HELP.to_owned(),
            ":board" => self.board(),
            ":legal" => match game.legal(rest.trim()).join(" ") {
                none if none.is_empty() => "no legal move begins so\n".to_owned(),
                matching => format!("{matching}\n"),
            },
            ":hint" => match suggest::begin(game, self.terms, self.events.clone()) {
                Ok(()) => {
                    self.controls.count_hint();
                    self.awaits_hint = true;
                    String::new()
                }
                Err(error) => format!("no hint is available: {error}\n"),
            },
            ":undo" => match game.way_back(self.terms) {
                Ok(left) => {
                    game.turn = None;
                    self.awaits_table = true;
                    self.controls.take_back(left);
                    String::new()
                }
                Err(why) => format!("{why}\n"),
            },
            ":resign" => {
                game.turn = None;
                self.controls.answer("bestmove resign");
                String::new()
            }
            command if command.starts_with(':') => {
                format!("there is no command `{command}`; `:help` lists them\n")
            }
            mv => match game.check(mv) {
                Ok(()) => {
                    game.turn = None;
                    self.controls.answer(&format!("bestmove {mv}"));
                    String::new()
                }
                Err(why) => match game.legal(mv).join(" ") {
                    none if none.is_empty() => format!("{why}\n"),
                    matching => format!("{why}\nlegal moves that begin so: {matching}\n"),
                },
            },
        }
    }
}
