//! The elimination of seats, and the end of the game.

use std::cmp::Reverse;
use std::time::Duration;

use crate::ponder_state::PonderState;
use crate::seat_state::SeatProgress;
use crate::state_machine::{Core, Phase};
use crate::{Action, BotAfter, Finished, PlayedMove, SendKind};
use linesman_games::scene::Mark;
use linesman_games::{Ending, elimination};
use linesman_protocol::ToBot;
use linesman_types::seat::{BySeat, Place, Seat, Side};
use linesman_types::verdict::{Cause, Verdict, Void};

impl Core {
    /// Returns the number of sides that have all their seats in the game.
    pub(super) fn sides_left(&self) -> usize {
        let is_in = |side| self.teams.members(side).all(|seat| self.seats[seat].out.is_none());
        (0..self.teams.sides()).filter(|side| is_in(Side::from_index(*side))).count()
    }

    /// Marks a seat's whole side as eliminated.
    pub(super) fn mark_out(&mut self, seat: Seat, order: u32) {
        for mate in self.teams.members(self.teams.side(seat)) {
            let state = &mut self.seats[mate];
            state.out.get_or_insert(order);
            if state.progress != SeatProgress::Failed {
                state.progress = SeatProgress::Out;
            }
        }
    }

    /// Takes a seat out of the position and adds that to the list of moves.
    pub(super) fn play_elimination(&mut self, seat: Seat) {
        self.table.eliminate(seat);
        let text = elimination(seat);
        self.position.push(&text);
        self.moves.push(PlayedMove {
            seat,
            is_elimination: true,
            text: text.into(),
            used: Duration::ZERO,
            wall: None,
            said: None,
            evidence: None,
            ponder: None,
        });
    }

    /// Eliminates a seat during play, with its side.
    pub(super) fn eliminate(&mut self, seat: Seat, cause: Cause) {
        self.eliminated_sides += 1;
        self.mark_out(seat, self.eliminated_sides);
        if self.sides_left() <= 1 {
            return self.finish_decided(cause);
        }
        let members: arrayvec::ArrayVec<Seat, 4> = self.teams.members(self.teams.side(seat)).collect();
        members.into_iter().for_each(|member| self.play_elimination(member));
        // No bot had expected this.
        Seat::all(self.teams.seats()).for_each(|seat| self.stop_pondering(seat));
        let is_asked = self.turn.as_ref().is_some_and(|turn| self.seats[turn.seat].out.is_none());
        if !is_asked {
            self.next_turn();
        } else if let Some(ending) = self.ending_by_rules() {
            self.finish_by_rules(ending);
        }
    }

    pub(super) fn ending_by_rules(&self) -> Option<Ending> {
        if self.table.is_over() { self.table.ending() } else { None }
    }

    pub(super) fn finish_by_rules(&mut self, ending: Ending) {
        let places = self.places(|seat| ending.places[seat]);
        self.finish_with(places, Cause::Rules(ending.reason), ending.marks);
    }

    /// Ends a game in which one side is left.
    pub(super) fn finish_decided(&mut self, cause: Cause) {
        let places = self.places(|_| Place::FIRST);
        self.finish_with(places, cause, Vec::new());
    }

    /// Returns the places: those in the game by their own, and below them the eliminated ones, later before earlier.
    fn places(&self, place_in_game: impl Fn(Seat) -> Place) -> BySeat<Place> {
        BySeat::by_measure(&self.teams, |seat| match self.seats[seat].out {
            None => (u32::MAX, Reverse(place_in_game(seat))),
            Some(order) => (order, Reverse(Place::FIRST)),
        })
    }

    pub(super) fn finish_with(&mut self, places: BySeat<Place>, cause: Cause, marks: Vec<Mark>) {
        let message =
            ToBot::GameOver { places: Some(places.clone()), reason: cause.kind().word().to_owned() };
        let verdict = Verdict::Finished { places, cause, faults: std::mem::take(&mut self.faults) };
        self.finish(verdict, &message, marks);
    }

    pub(super) fn finish_void(&mut self, void: Void) {
        let message = ToBot::GameOver { places: None, reason: void.word().to_owned() };
        let verdict = Verdict::Void { void, faults: std::mem::take(&mut self.faults) };
        self.finish(verdict, &message, Vec::new());
    }

    fn finish(&mut self, verdict: Verdict, message: &ToBot, marks: Vec<Mark>) {
        self.phase = Phase::Finished;
        let asked = self.turn.take().filter(|turn| turn.stopping.is_none()).map(|turn| turn.seat);
        let farewell = format!("{message}\n");
        let ponders = BySeat::from_fn(self.teams.seats(), |seat| self.ponders(seat));
        let bots = self.seats.map(|seat, state| match state.progress {
            SeatProgress::Failed => BotAfter::Gone,
            _ if state.ended.is_some() => {
                self.actions.push(Action::Kill { seat });
                BotAfter::Gone
            }
            SeatProgress::Handshake { .. } => BotAfter::Busy,
            SeatProgress::GettingReady { .. } | SeatProgress::Playing | SeatProgress::Out => {
                if state.is_paused {
                    self.actions.push(Action::Resume { seat });
                }
                // It answers `stop` before it gets ready for another game.
                let (text, kind) = match state.ponder {
                    PonderState::Searching(_) => (format!("{}\n{farewell}", ToBot::Stop), SendKind::Stop),
                    PonderState::None | PonderState::Stopping(_) => (farewell.clone(), SendKind::Other),
                };
                self.actions.push(Action::Send { seat, text, kind });
                let is_busy = state.until().is_some() || asked == Some(seat);
                if is_busy { BotAfter::Busy } else { BotAfter::Waiting }
            }
        });
        let introductions = self.seats.map(|_, state| state.introduced.then(|| state.introduction.clone()));
        self.actions.push(Action::Finish(Box::new(Finished {
            verdict,
            marks,
            moves: std::mem::take(&mut self.moves),
            introductions,
            ponders,
            were_ready: self.seats.map(|_, state| state.was_ready),
            bots,
            ignored: self.seats.map(|_, state| state.ignored.clone()),
        })));
    }
}
