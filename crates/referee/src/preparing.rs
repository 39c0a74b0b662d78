//! Before the first move: starts the bots, introduces them, and gets them ready.

use std::time::Duration;

use crate::fairness::MAX_EVIDENCE_WAIT;
use crate::handshake::HandshakeStep;
use crate::seat_state::SeatProgress;
use crate::state_machine::{Core, Phase};
use crate::{About, Action, BotState, SendKind};
use linesman_protocol::{FromBot, GameHeader, ToBot, printable};
use linesman_types::reading::Reading;
use linesman_types::seat::Seat;
use linesman_types::time_control::TimeControl;
use linesman_types::verdict::{Cause, Evidence, Fault, Stage, Void};

impl Core {
    pub(super) fn begin(&mut self) {
        self.phase = Phase::Preparing;
        for seat in Seat::all(self.teams.seats()) {
            match self.setup.seats[seat].bot {
                BotState::Cold => {
                    let until = self.now.after(self.setup.seats[seat].limits.start);
                    self.seats[seat].progress = SeatProgress::Handshake { until };
                    self.actions.push(Action::Start { seat });
                    self.actions.push(Action::Send { seat, text: "ugi\n".to_owned(), kind: SendKind::Other });
                }
                BotState::Warm(_) => self.get_ready(seat),
            }
        }
    }

    /// Announces the game to a bot and waits until it is ready.
    fn get_ready(&mut self, seat: Seat) {
        let ponders = self.ponders(seat);
        let setup = &self.setup.seats[seat];
        let mut text = String::new();
        let mut say = |message: ToBot| {
            message.print(&mut text);
            text.push('\n');
        };
        if setup.bot == BotState::Cold {
            for (name, value) in setup.options.clone() {
                say(ToBot::SetOption { name, value });
            }
        }
        say(ToBot::NewGame);
        say(ToBot::Game(GameHeader {
            game: self.setup.game.clone(),
            seat,
            seats: self.teams.seats(),
            id: self.setup.id.clone(),
            clock: self.setup.clock,
            ponders,
            options: self.setup.options.clone(),
        }));
        say(ToBot::IsReady);
        let until = self.now.after(setup.limits.ready);
        self.seats[seat].progress = SeatProgress::GettingReady { until };
        self.actions.push(Action::Send { seat, text, kind: SendKind::GetReady });
    }

    /// Handles a message between `ugi` and `ugiok`.
    pub(super) fn handshake(&mut self, seat: Seat, message: FromBot, line: &[u8]) {
        if let FromBot::Protocol(version) = message
            && version > linesman_protocol::VERSION
        {
            let own = format!("this linesman speaks version {}", linesman_protocol::VERSION);
            self.note(seat, format!("speaks version {version} of the protocol, but {own}"));
        }
        let work = match self.clock.control(seat) {
            TimeControl::Work(work) => Some(work),
            TimeControl::Clock { .. } | TimeControl::MoveTime(_) => None,
        };
        match self.seats[seat].introduction.take(message, work) {
            HandshakeStep::Continues => {}
            HandshakeStep::Introduced => {
                self.seats[seat].introduced = true;
                self.note_missing_options(seat);
                self.get_ready(seat);
            }
            HandshakeStep::Failed(fault) => self.fail(seat, fault),
            HandshakeStep::Unasked => self.answered_unasked(seat, line),
            HandshakeStep::Ignored(FromBot::Unknown) => self.ignore(seat, &FromBot::Unknown, line, "unknown"),
            HandshakeStep::Ignored(message) => self.ignore(seat, &message, line, "before `ugiok`"),
        }
    }

    fn note_missing_options(&mut self, seat: Seat) {
        let offered = &self.seats[seat].introduction.options;
        let missing: Vec<String> = (self.setup.seats[seat].options.iter())
            .filter(|(name, _)| !offered.iter().any(|option| option.name.eq_ignore_ascii_case(name)))
            .map(|(name, _)| printable(name.as_bytes(), 80))
            .collect();
        for name in missing {
            self.note(seat, format!("does not offer the option `{name}`, which is set"));
        }
    }

    /// Handles a message between `isready` and `readyok`.
    pub(super) fn getting_ready(&mut self, seat: Seat, message: FromBot, line: &[u8]) {
        match message {
            FromBot::ReadyOk => {
                self.seats[seat].progress = SeatProgress::Playing;
                self.seats[seat].was_ready = true;
                self.settle();
            }
            FromBot::BestMove { .. } | FromBot::Resign => self.answered_unasked(seat, line),
            FromBot::Unknown => self.ignore(seat, &message, line, "unknown"),
            FromBot::IdName(_)
            | FromBot::IdAuthor(_)
            | FromBot::Protocol(_)
            | FromBot::Option(_)
            | FromBot::Feature(_)
            | FromBot::UgiOk
            | FromBot::Info(_)
            | FromBot::Tell(_) => self.ignore(seat, &message, line, "not now"),
        }
    }

    /// Begins play once every bot is ready or has failed.
    pub(super) fn settle(&mut self) {
        if self.seats.values().any(|state| state.until().is_some()) {
            return;
        }
        for seat in Seat::all(self.teams.seats()) {
            if self.seats[seat].progress == SeatProgress::Failed {
                self.mark_out(seat, 0);
            }
        }
        match self.sides_left() {
            0 => self.finish_void(Void::NoBotPlayed),
            1 => self.finish_decided(Cause::Failure),
            _ => {
                self.phase = Phase::Playing;
                for seat in Seat::all(self.teams.seats()) {
                    if self.seats[seat].out.is_some() {
                        self.play_elimination(seat);
                    }
                }
                self.next_turn();
            }
        }
    }

    /// Asks the host why a bot was not ready in time.
    pub(super) fn unready(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        if std::mem::replace(&mut state.is_readiness_asked, true) {
            // The host has no figures.
            return self.never_ready(seat);
        }
        state.wait_until(self.now.after(MAX_EVIDENCE_WAIT));
        self.actions.push(Action::AskEvidence { seat, about: About::Readiness });
    }

    /// Judges a bot that was not ready in time by the host's figures.
    pub(super) fn judge_readiness(&mut self, seat: Seat, reading: Option<&Reading>, lag: Duration) {
        let setup = &self.setup.seats[seat];
        let state = &mut self.seats[seat];
        if state.until().is_none() || !std::mem::take(&mut state.is_readiness_asked) {
            return;
        }
        let before = state.measured.last.as_ref().or(setup.fairness.earlier.as_ref());
        let limits = &setup.limits;
        let max_total = match state.progress {
            SeatProgress::Handshake { .. } => limits.start,
            SeatProgress::GettingReady { .. }
            | SeatProgress::Playing
            | SeatProgress::Out
            | SeatProgress::Failed => limits.start.saturating_add(limits.ready),
        };
        let more = reading.and_then(|reading| {
            // Without an earlier reading, all CPU time of the bot counts for this game.
            let (cpu, wait) = reading.since(before.unwrap_or(&Reading::default()));
            let evidence = Evidence { cpu, wait, lag };
            state.ready_extension.extend(self.now, reading, evidence, setup.fairness.cpus, max_total)
        });
        match more {
            Some(more) => state.wait_until(self.now.after(more)),
            None => self.never_ready(seat),
        }
    }

    fn never_ready(&mut self, seat: Seat) {
        let limits = &self.setup.seats[seat].limits;
        let (stage, limit) = match self.seats[seat].progress {
            SeatProgress::Handshake { .. } => (Stage::Handshake, limits.start),
            _ => (Stage::Ready, limits.ready),
        };
        let granted = self.seats[seat].ready_extension.granted();
        self.fail(seat, Fault::NotReady { stage, limit, granted });
    }
}
