//! The state of one seat's bot.

use std::collections::VecDeque;

use crate::fairness::Measured;
use crate::handshake::STRAY_CHARACTERS;
use crate::ponder_state::PonderState;
use crate::ready_extension::ReadyExtension;
use crate::{BotState, GameTime, IgnoredLines, Introduction, SeatSetup};
use linesman_protocol::printable;
use linesman_types::seat::Seat;
use linesman_types::verdict::{Fault, SeatFault};

/// Number of a bot's ignored lines that are kept.
const STRAY_LINES: usize = 20;
/// Maximum number of notes about one seat in a game.
const NOTES: u32 = 20;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum SeatProgress {
    /// It was started; `ugiok` is due at this time.
    Handshake {
        until: GameTime,
    },
    /// `readyok` is due at this time.
    GettingReady {
        until: GameTime,
    },
    Playing,
    /// Its side was eliminated without its own failure; it waits for the end.
    Out,
    /// It failed and was killed.
    Failed,
}

#[derive(Debug)]
pub(super) struct SeatState {
    pub progress: SeatProgress,
    pub introduction: Introduction,
    /// True if it has said `ugiok`, now or in an earlier game.
    pub introduced: bool,
    /// True if it has ever said `readyok`.
    pub was_ready: bool,
    /// The fault at its next turn, if its process or its output has ended.
    pub ended: Option<Fault>,
    /// Its place in the order of eliminations, 0 before the first move was asked for; `None` while it is in the game.
    pub out: Option<u32>,
    /// Number of bytes that it printed while not on move.
    pub bytes_off_move: u64,
    /// Number of bytes that it has printed in its current ponder search.
    pub bytes_pondering: u64,
    /// Its ponder search while others are on move.
    pub ponder: PonderState,
    /// Number of bytes of text in its reports on its moves so far.
    pub words_kept: usize,
    /// The time that it has used, if it is known.
    pub measured: Measured,
    /// The extensions of its time to get ready.
    pub ready_extension: ReadyExtension,
    /// True if the host has been asked for the reason why the bot is not ready.
    pub is_readiness_asked: bool,
    /// True if it is stopped until its next turn.
    pub is_paused: bool,
    /// Its unfinished line, as last reported.
    pub unfinished: Vec<u8>,
    stray_lines: VecDeque<String>,
    pub ignored: IgnoredLines,
    notes: u32,
}

impl SeatState {
    pub(super) fn new(setup: &SeatSetup) -> SeatState {
        let (introduction, is_warm) = match &setup.bot {
            BotState::Cold => (Introduction { protocol: 1, ..Introduction::default() }, false),
            BotState::Warm(introduction) => (introduction.clone(), true),
        };
        SeatState {
            progress: SeatProgress::Handshake { until: GameTime::default() },
            introduction,
            introduced: is_warm,
            was_ready: is_warm,
            ended: None,
            out: None,
            bytes_off_move: 0,
            bytes_pondering: 0,
            ponder: PonderState::None,
            words_kept: 0,
            measured: Measured::default(),
            ready_extension: ReadyExtension::default(),
            is_readiness_asked: false,
            is_paused: false,
            unfinished: Vec::new(),
            stray_lines: VecDeque::new(),
            ignored: IgnoredLines::default(),
            notes: 0,
        }
    }

    /// Returns the time until which the referee waits for the bot, before the first move.
    pub(super) fn until(&self) -> Option<GameTime> {
        match self.progress {
            SeatProgress::Handshake { until } | SeatProgress::GettingReady { until } => Some(until),
            SeatProgress::Playing | SeatProgress::Out | SeatProgress::Failed => None,
        }
    }

    /// Waits until this time for the bot's next step before the first move.
    pub(super) fn wait_until(&mut self, moment: GameTime) {
        match &mut self.progress {
            SeatProgress::Handshake { until } | SeatProgress::GettingReady { until } => *until = moment,
            SeatProgress::Playing | SeatProgress::Out | SeatProgress::Failed => {}
        }
    }

    /// Returns true if the bot's events still matter.
    pub(super) fn is_heard(&self) -> bool {
        self.progress != SeatProgress::Failed && self.ended.is_none()
    }

    /// Keeps an ignored line, for the evidence.
    pub(super) fn keep_stray_line(&mut self, line: &[u8]) {
        let Some(kept) = self.keep_evidence(line) else { return };
        self.ignored.number += 1;
        if self.ignored.number == 1 {
            self.ignored.first = kept;
        }
    }

    /// Keeps a line among the last few, unless it is empty.
    fn keep_evidence(&mut self, line: &[u8]) -> Option<String> {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return None;
        }
        if self.stray_lines.len() == STRAY_LINES {
            self.stray_lines.pop_front();
        }
        let kept = printable(line, STRAY_CHARACTERS);
        self.stray_lines.push_back(kept.clone());
        Some(kept)
    }

    /// Returns the fault with the stray lines, if they may show the cause.
    pub(super) fn with_evidence(&mut self, seat: Seat, fault: Fault) -> SeatFault {
        let (stray_lines, without_legal) = match fault {
            Fault::NotStarted { .. } | Fault::NotReady { .. } => (self.take_stray_lines(), false),
            Fault::Time { .. }
            | Fault::CpuClock { .. }
            | Fault::Crash { .. }
            | Fault::ClosedOutput { .. } => (self.take_stray_lines(), !self.introduction.wants_legal),
            Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => (Vec::new(), false),
        };
        SeatFault { seat, fault, stray_lines, without_legal }
    }

    /// Removes and returns the last lines that the referee ignored, including an unfinished one.
    pub(super) fn take_stray_lines(&mut self) -> Vec<String> {
        let unfinished = std::mem::take(&mut self.unfinished);
        self.keep_evidence(&unfinished);
        std::mem::take(&mut self.stray_lines).into()
    }

    /// Returns the note if there is room for it. The last one says that no more follow.
    pub(super) fn take_note(&mut self, mut text: String) -> Option<String> {
        if self.notes == NOTES {
            return None;
        }
        self.notes += 1;
        if self.notes == NOTES {
            text.push_str(" (the last note for this seat)");
        }
        Some(text)
    }
}
