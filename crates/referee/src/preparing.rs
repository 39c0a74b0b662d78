//! Before the first move: starting the bots, their handshakes, `readyok`.

use crate::seat_state::{STRAY_CHARACTERS, SeatProgress, SeatState};
use crate::state_machine::{Core, Phase};
use crate::{Action, BotState, GameTime, SendKind};
use linesman_protocol::{FromBot, GameHeader, ToBot, printable};
use linesman_types::seat::Seat;
use linesman_types::verdict::{Cause, Fault, Void};

impl SeatState {
    /// What the end of its process or output means before the first move.
    pub(super) fn before_play(&self, fault: Fault) -> Fault {
        match fault {
            Fault::Crash { status, stderr_tail } if !self.was_ready => {
                let answer = if self.introduced { "readyok" } else { "ugiok" };
                let error = format!("it ended before `{answer}` with {status}");
                Fault::NotStarted { error, stderr_tail }
            }
            fault => fault,
        }
    }
}

impl Core {
    pub(super) fn begin(&mut self, actions: &mut Vec<Action>) {
        self.phase = Phase::Preparing;
        let now = GameTime::default();
        for seat in Seat::all(self.teams.seats()) {
            match self.setup.seats[seat].bot {
                BotState::Cold => {
                    let until = now.after(self.setup.seats[seat].limits.start);
                    self.seats[seat].progress = SeatProgress::Handshake { until };
                    actions.push(Action::Start { seat });
                    actions.push(Action::Send { seat, text: "ugi\n".to_owned(), kind: SendKind::Other });
                }
                BotState::Warm(_) => self.get_ready(now, seat, actions),
            }
        }
    }

    /// Tells a bot which game it plays and waits until it is ready.
    fn get_ready(&mut self, at: GameTime, seat: Seat, actions: &mut Vec<Action>) {
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
            options: self.setup.options.clone(),
        }));
        say(ToBot::IsReady);
        let until = at.after(setup.limits.ready);
        self.seats[seat].progress = SeatProgress::GettingReady { until };
        actions.push(Action::Send { seat, text, kind: SendKind::Other });
    }

    /// A message between `ugi` and `ugiok`.
    pub(super) fn handshake(
        &mut self,
        at: GameTime,
        seat: Seat,
        message: FromBot,
        line: &[u8],
        actions: &mut Vec<Action>,
    ) {
        let introduction = &mut self.seats[seat].introduction;
        let short = |text: String| Some(text.chars().take(STRAY_CHARACTERS).collect());
        match message {
            FromBot::IdName(name) => introduction.name = short(name),
            FromBot::IdAuthor(author) => introduction.author = short(author),
            FromBot::Protocol(version) => {
                introduction.protocol = version;
                if version > linesman_protocol::VERSION {
                    let text = format!(
                        "speaks version {version} of the protocol, but this linesman speaks version 1"
                    );
                    self.note(seat, text, actions);
                }
            }
            FromBot::Option(option) => introduction.options.push(option),
            FromBot::Feature(features) => {
                introduction.wants_state |= features.iter().any(|feature| feature == "state");
                introduction.wants_legal |= features.iter().any(|feature| feature == "legal");
            }
            FromBot::UgiOk => {
                self.seats[seat].introduced = true;
                self.note_missing_options(seat, actions);
                self.get_ready(at, seat, actions);
            }
            FromBot::BestMove(_) | FromBot::Resign => self.answered_unasked(at, seat, line, actions),
            FromBot::ReadyOk | FromBot::Info(_) | FromBot::Tell(_) => {
                self.ignore(seat, &message, line, "before `ugiok`", actions);
            }
            FromBot::Unknown => self.ignore(seat, &message, line, "unknown", actions),
        }
    }

    fn note_missing_options(&mut self, seat: Seat, actions: &mut Vec<Action>) {
        let offered = &self.seats[seat].introduction.options;
        let missing: Vec<String> = (self.setup.seats[seat].options.iter())
            .filter(|(name, _)| !offered.iter().any(|option| option.name.eq_ignore_ascii_case(name)))
            .map(|(name, _)| {
                format!("does not offer the option `{}`, which is set", printable(name.as_bytes(), 80))
            })
            .collect();
        missing.into_iter().for_each(|text| self.note(seat, text, actions));
    }

    /// A message between `isready` and `readyok`.
    pub(super) fn getting_ready(
        &mut self,
        at: GameTime,
        seat: Seat,
        message: FromBot,
        line: &[u8],
        actions: &mut Vec<Action>,
    ) {
        match message {
            FromBot::ReadyOk => {
                self.seats[seat].progress = SeatProgress::Playing;
                self.seats[seat].was_ready = true;
                self.settle(at, actions);
            }
            FromBot::BestMove(_) | FromBot::Resign => self.answered_unasked(at, seat, line, actions),
            FromBot::Unknown => self.ignore(seat, &message, line, "unknown", actions),
            _ => self.ignore(seat, &message, line, "not now", actions),
        }
    }

    /// Begins to play once every bot is ready or has failed.
    pub(super) fn settle(&mut self, at: GameTime, actions: &mut Vec<Action>) {
        if self.seats.values().any(|state| state.until().is_some()) {
            return;
        }
        for seat in Seat::all(self.teams.seats()) {
            if self.seats[seat].progress == SeatProgress::Failed {
                self.mark_out(seat, 0);
            }
        }
        match self.sides_left() {
            0 => self.finish_void(Void::NoBotPlayed, actions),
            1 => self.finish_decided(Cause::Failure, actions),
            _ => {
                self.phase = Phase::Playing;
                for seat in Seat::all(self.teams.seats()) {
                    if self.seats[seat].out.is_some() {
                        self.withdraw(seat);
                    }
                }
                self.next_turn(at, actions);
            }
        }
    }
}
