//! Bots that think on the others' time: begins and ends their searches.
//!
//! A bot that announced pondering adds to its move the moves that it expects until its next turn. The referee
//! then lets it think about the position that they lead to. Once all of them have been played, its turn
//! begins with `ponderhit`. As soon as something else happens, it is sent `stop`, and its answer to that is ignored.

use std::time::Duration;

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use crate::ponder_state::{PonderSearch, PonderState};
use crate::seat_state::SeatProgress;
use crate::state_machine::{Core, Phase};
use crate::turn::bounded;
use crate::turn_state::Turn;
use crate::{About, Action, GameTime, SendKind};
use linesman_games::Refusal;
use linesman_protocol::{FromBot, Said, ToBot, Variation, printable};
use linesman_types::seat::{MAX_SEATS, Seat};
use linesman_types::time_control::TimeControl;

/// Maximum wait for the answer to `stop`. After that the bot's clock runs.
pub const MAX_STOPPING: Duration = Duration::from_secs(1);

/// The permission for bots to think on the others' time.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Pondering {
    /// No bot may.
    #[default]
    Off,
    /// The bots that announce it may.
    On,
}

/// The reason why a bot can't ponder on what it named.
enum NoSearch {
    /// The game would be over.
    Over,
    Refused {
        text: String,
        why: Refusal,
    },
    /// It named too few moves: its next turn comes later.
    TooFew(usize),
}

impl Core {
    pub(super) fn ponders(&self, seat: Seat) -> bool {
        let has_time = match self.clock.control(seat) {
            TimeControl::MoveTime(_) | TimeControl::Clock { .. } => true,
            // A fixed amount of work must be the same in every game.
            TimeControl::Work(_) => false,
        };
        self.setup.pondering == Pondering::On && self.seats[seat].introduction.ponders && has_time
    }

    /// Returns true if some bot ponders or has not answered `stop`: its output must be read while others think.
    pub fn is_pondering(&self) -> bool {
        self.seats.values().any(|state| state.is_heard() && state.ponder.is_active())
    }

    /// Returns true if a seat's bot was sent `stop` and has not answered.
    pub fn is_stopping(&self, seat: Seat) -> bool {
        self.seats.get(seat).is_some_and(|state| matches!(state.ponder, PonderState::Stopping(_)))
    }

    /// Lets a seat ponder after its move of this index, if it wants to.
    pub(super) fn ponder(&mut self, seat: Seat, index: usize, wanted: &Variation) {
        let is_in = self.phase == Phase::Playing && self.seats[seat].progress == SeatProgress::Playing;
        // A seat that was eliminated meanwhile counts as an unexpected move.
        let is_as_expected = self.moves.len() == index + 1;
        if wanted.is_empty() || !is_in || !is_as_expected || !self.ponders(seat) {
            return;
        }
        match self.expected(seat, wanted) {
            Ok((text, expected)) => {
                self.moves[index].ponder = Some(Box::new(expected.iter().collect()));
                let state = &mut self.seats[seat];
                let search = PonderSearch { expected, played: 0, said: Said::default() };
                (state.ponder, state.bytes_pondering) = (PonderState::Searching(search), 0);
                if std::mem::take(&mut state.is_paused) {
                    self.actions.push(Action::Resume { seat });
                }
                self.actions.push(Action::AskEvidence { seat, about: About::PonderBegins });
                self.actions.push(Action::Send { seat, text, kind: SendKind::Ponder });
            }
            Err(NoSearch::Over) => {}
            Err(NoSearch::Refused { text, why }) => {
                let why = match why {
                    Refusal::Illegal(illegal) => illegal.why,
                    Refusal::NotAMove(error) => error.why,
                };
                let text = printable(text.as_bytes(), 80);
                self.note(seat, format!("can't ponder on `{text}`: {why}"));
            }
            Err(NoSearch::TooFew(named)) => {
                let why = format!("its next turn comes later than the moves that it named ({named})");
                self.note(seat, format!("can't ponder: {why}"));
            }
        }
    }

    /// Returns the text that lets a seat ponder, and the moves that it expects.
    fn expected(
        &self,
        seat: Seat,
        wanted: &Variation,
    ) -> Result<(String, ArrayVec<SmolStr, { MAX_SEATS - 1 }>), NoSearch> {
        let (mut table, mut position) = (self.table.fork(), self.position.clone());
        let mut expected = ArrayVec::new();
        for text in wanted.moves().take(MAX_SEATS - 1) {
            if table.is_over() || (table.to_move() == seat && !expected.is_empty()) {
                break;
            }
            table.play(text).map_err(|why| NoSearch::Refused { text: text.to_owned(), why })?;
            position.push(text);
            expected.push(SmolStr::from(text));
        }
        if table.is_over() {
            return Err(NoSearch::Over);
        }
        if table.to_move() != seat {
            return Err(NoSearch::TooFew(expected.len()));
        }
        let mut text = self.position_text(seat, &position, &*table);
        ToBot::GoPonder(self.going(seat, self.limit(seat))).print(&mut text);
        text.push('\n');
        Ok((text, expected))
    }

    /// Compares a played move with the others' expectations. Bots that did not expect it are sent `stop`.
    pub(super) fn compare_with_expected(&mut self, text: &str) {
        for seat in Seat::all(self.teams.seats()) {
            let PonderState::Searching(search) = &mut self.seats[seat].ponder else { continue };
            if search.expected.get(search.played).is_some_and(|expected| expected == text) {
                search.played += 1;
            } else {
                self.stop_pondering(seat);
            }
        }
    }

    pub(super) fn stop_pondering(&mut self, seat: Seat) {
        // A bot whose turn has begun is about to receive `ponderhit`, and answers that.
        let is_on_move = self.on_move() == Some(seat);
        let state = &mut self.seats[seat];
        if is_on_move || !matches!(state.ponder, PonderState::Searching(_)) {
            return;
        }
        if !state.is_heard() {
            state.ponder = PonderState::None;
            return;
        }
        state.ponder = PonderState::Stopping(self.now);
        let text = format!("{}\n", ToBot::Stop);
        self.actions.push(Action::Send { seat, text, kind: SendKind::Stop });
    }

    /// Begins the turn of a seat: at once, or after its answer to `stop`.
    pub(super) fn begin_turn(&mut self, seat: Seat) {
        match &self.seats[seat].ponder {
            PonderState::None => self.ask(seat),
            PonderState::Searching(search) if search.played == search.expected.len() => {
                let text = format!("{}\n", ToBot::PonderHit);
                self.ask_with(seat, text);
            }
            PonderState::Searching(_) => {
                self.stop_pondering(seat);
                self.wait_for_stop(seat, self.now);
            }
            PonderState::Stopping(since) => self.wait_for_stop(seat, *since),
        }
    }

    fn wait_for_stop(&mut self, seat: Seat, since: GameTime) {
        let turn = Turn::new(self.now, seat, self.limit(seat), None);
        self.turn = Some(Turn { stopping: Some(since.after(MAX_STOPPING)), ..turn });
    }

    pub(super) fn never_stopped(&mut self, seat: Seat) {
        let text = format!("did not answer `stop` within {} s: its clock runs", MAX_STOPPING.as_secs());
        self.note(seat, text);
        self.ask(seat);
    }

    /// Handles a message of a bot that ponders or has not answered `stop`.
    pub(super) fn pondering(&mut self, seat: Seat, message: FromBot, line: &[u8]) {
        let is_on_move = self.turn.as_ref().is_some_and(|turn| turn.is_asked(seat, self.now));
        match (message, &mut self.seats[seat].ponder) {
            (FromBot::BestMove { .. } | FromBot::Resign, PonderState::Stopping(_)) => {
                self.has_stopped(seat);
            }
            (FromBot::BestMove { .. } | FromBot::Resign, PonderState::Searching(_) | PonderState::None) => {
                let expected = "`bestmove` after `ponderhit` or `stop`, and not before";
                self.answered_early(seat, line, expected);
            }
            (FromBot::Info(said), PonderState::Searching(search)) => search.said.update(bounded(said)),
            // It is about a position that will not be reached.
            (FromBot::Info(_), PonderState::Stopping(_)) => {}
            (
                message @ (FromBot::IdName(_)
                | FromBot::IdAuthor(_)
                | FromBot::Protocol(_)
                | FromBot::Option(_)
                | FromBot::Feature(_)
                | FromBot::UgiOk
                | FromBot::ReadyOk
                | FromBot::Tell(_)
                | FromBot::Unknown),
                _,
            )
            | (message @ FromBot::Info(_), PonderState::None) => match is_on_move {
                true => self.answer(seat, message, line),
                false => self.off_move(seat, message, line),
            },
        }
    }

    pub(super) fn has_stopped(&mut self, seat: Seat) {
        self.seats[seat].ponder = PonderState::None;
        match self.turn.as_ref().filter(|turn| turn.seat == seat) {
            // Its time is counted from the beginning of its turn.
            Some(turn) if turn.stopping.is_none() => {}
            Some(_) => {
                self.actions.push(Action::AskEvidence { seat, about: About::PonderEnds });
                self.ask(seat);
            }
            None => self.actions.push(Action::AskEvidence { seat, about: About::PonderEnds }),
        }
    }
}
