//! The state of one seat's bot.

use std::collections::VecDeque;

use crate::fairness::Measured;
use crate::pondering::PonderState;
use crate::ready_deadline::ReadyDeadline;
use crate::{BotState, GameTime, IgnoredLines, Introduction, SeatSetup};
use linesman_protocol::printable;
use linesman_types::verdict::{Fault, SeatFault};

/// Number of a bot's meaningless lines that are kept.
const STRAY_LINES: usize = 20;
/// Number of characters of a line that are kept.
pub(super) const STRAY_CHARACTERS: usize = 200;
/// Maximum number of notes about one seat in a game.
const NOTES: u32 = 20;

/// The progress of a seat's bot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum SeatProgress {
    /// It was started; `ugiok` is waited for until then.
    Handshake { until: GameTime },
    /// `readyok` is waited for until then.
    GettingReady { until: GameTime },
    /// It plays.
    Playing,
    /// Its side is out of the game by no failure of its own; it waits for the end.
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
    /// Its process or its output has ended: the fault that this will be when its turn comes.
    pub ended: Option<Fault>,
    /// The order in which its side went out of the game: 0 before the first move was asked,
    /// then counting up. None while it is in.
    pub out: Option<u32>,
    /// The bytes it printed while not on move.
    pub bytes_off_move: u64,
    /// The bytes it printed since it was told to ponder, as long as it ponders.
    pub bytes_pondering: u64,
    /// What it does while others are on move, because it was told to.
    pub ponder: PonderState,
    /// Bytes of what it said of its moves that are to be kept.
    pub words_kept: usize,
    /// The time that it has used, as far as it is known.
    pub measured: Measured,
    /// The extensions of its time to get ready.
    pub ready_deadline: ReadyDeadline,
    /// The host has been asked why the bot is not ready.
    pub is_readiness_asked: bool,
    /// True if it is stopped until its next turn.
    pub is_paused: bool,
    /// A line that it had begun and not ended when it was last looked at.
    pub unfinished: Vec<u8>,
    stray_lines: VecDeque<String>,
    /// All of its meaningless lines.
    pub ignored: IgnoredLines,
    notes: u32,
}

impl SeatState {
    pub(super) fn new(setup: &SeatSetup) -> SeatState {
        let (introduction, warm) = match &setup.bot {
            BotState::Cold => (Introduction { protocol: 1, ..Introduction::default() }, false),
            BotState::Warm(introduction) => (introduction.clone(), true),
        };
        SeatState {
            progress: SeatProgress::Handshake { until: GameTime::default() },
            introduction,
            introduced: warm,
            was_ready: warm,
            ended: None,
            out: None,
            bytes_off_move: 0,
            bytes_pondering: 0,
            ponder: PonderState::None,
            words_kept: 0,
            measured: Measured::default(),
            ready_deadline: ReadyDeadline::default(),
            is_readiness_asked: false,
            is_paused: false,
            unfinished: Vec::new(),
            stray_lines: VecDeque::new(),
            ignored: IgnoredLines::default(),
            notes: 0,
        }
    }

    /// Until when something is waited for, before the first move.
    pub(super) fn until(&self) -> Option<GameTime> {
        match self.progress {
            SeatProgress::Handshake { until } | SeatProgress::GettingReady { until } => Some(until),
            SeatProgress::Playing | SeatProgress::Out | SeatProgress::Failed => None,
        }
    }

    /// Waits until then for what is waited for before the first move.
    pub(super) fn wait_until(&mut self, moment: GameTime) {
        match &mut self.progress {
            SeatProgress::Handshake { until } | SeatProgress::GettingReady { until } => *until = moment,
            SeatProgress::Playing | SeatProgress::Out | SeatProgress::Failed => {}
        }
    }

    /// Returns true if what comes from the bot still matters.
    pub(super) fn is_heard(&self) -> bool {
        self.progress != SeatProgress::Failed && self.ended.is_none()
    }

    /// Keeps a line that meant nothing, for the evidence.
    pub(super) fn keep_stray_line(&mut self, line: &[u8]) {
        let Some(kept) = self.keep_evidence(line) else { return };
        self.ignored.number += 1;
        if self.ignored.number == 1 {
            self.ignored.first = kept;
        }
    }

    /// Keeps a line among the last few, if there is anything in it.
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

    /// The fault with the stray lines, where they may tell what went wrong.
    pub(super) fn with_evidence(&mut self, seat: linesman_types::seat::Seat, fault: Fault) -> SeatFault {
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

    /// The last lines that meant nothing to the referee, one without an end included.
    pub(super) fn take_stray_lines(&mut self) -> Vec<String> {
        let unfinished = std::mem::take(&mut self.unfinished);
        self.keep_evidence(&unfinished);
        std::mem::take(&mut self.stray_lines).into()
    }

    /// The room for one more note. The last one is to say so.
    pub(super) fn next_note(&mut self) -> Option<NoteRoom> {
        self.notes += 1;
        match self.notes {
            NOTES => Some(NoteRoom::Last),
            1..NOTES => Some(NoteRoom::More),
            _ => {
                self.notes = NOTES;
                None
            }
        }
    }
}

/// The room for notes after this one.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum NoteRoom {
    More,
    Last,
}
