//! The facts about a game's dialogue that follow from its record.

use std::sync::Arc;

use super::NoDialogue;
use linesman_driver::Direction;
use linesman_games::solvable::{Oracle, Outcome};
use linesman_record::{FaultRecord, GameRecord, Playthrough, TranscriptRecord, VoidKind, set_up};
use linesman_referee::TableRule;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::{Fault, Stage};

pub(super) fn clock_of(record: &GameRecord) -> Result<ClockKind, NoDialogue> {
    match record.clock.as_deref() {
        None => Ok(ClockKind::Wall),
        Some(_) => {
            let bound = record.wall_bound.and_then(std::num::NonZeroU32::new);
            Ok(ClockKind::Cpu { wall_bound: bound.ok_or(NoDialogue::Lacks("wall bound"))? })
        }
    }
}

/// The rule by which the referee decided a game, if it did.
pub(super) fn adjudication(record: &GameRecord, end: &Playthrough) -> Option<TableRule> {
    if record.reason.as_deref() != Some("adjudication") {
        return None;
    }
    let (mover, teams) = (end.table.to_move(), end.table.teams());
    let place = |seat: Seat| record.places.as_ref()?.get(seat.index()).copied();
    let other = Seat::all(teams.seats()).find(|seat| !teams.together(*seat, mover))?;
    let outcome = match place(mover)?.cmp(&place(other)?) {
        std::cmp::Ordering::Less => Outcome::Win,
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Greater => Outcome::Loss,
    };
    Some(TableRule { oracle: Arc::new(Decided(outcome)), from: end.table.ply() })
}

/// An oracle that knows the referee's decision.
struct Decided(Outcome);

impl Oracle for Decided {
    fn outcome(&self, _token: &str) -> Option<Outcome> {
        Some(self.0)
    }
}

pub(super) fn fault_of(record: &GameRecord, seat: Seat) -> Option<&FaultRecord> {
    record.faults.iter().find(|fault| usize::from(fault.seat) == seat.number())
}

/// The last lines of a seat in the record, in order.
fn transcript_of(record: &GameRecord, seat: u8) -> impl Iterator<Item = &TranscriptRecord> {
    record.transcript.iter().filter(move |line| line.seat == seat)
}

pub(super) fn seat_of(line: &TranscriptRecord) -> Option<Seat> {
    Seat::new(usize::from(line.seat))
}

pub(super) fn is_to_bot(line: &TranscriptRecord) -> bool {
    line.direction == Direction::ToBot.word()
}

fn verb(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// True for the lines of a turn.
pub(super) fn is_of_a_turn(text: &str) -> bool {
    ["position", "state", "legal", "go", "ponderhit"].contains(&verb(text))
}

/// True for the line that asks for a move.
fn asks(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("go") => words.next() != Some("ponder"),
        word => word == Some("ponderhit"),
    }
}

/// True unless the record's last lines show that a seat was not told to stop pondering.
pub(super) fn was_stopped(record: &GameRecord, seat: Seat) -> bool {
    let own: Vec<&TranscriptRecord> = transcript_of(record, seat.number() as u8).collect();
    let begun = own.iter().rposition(|line| is_to_bot(line) && line.text.starts_with("go ponder"));
    begun.is_none_or(|begun| own[begun..].iter().any(|line| is_to_bot(line) && verb(&line.text) == "stop"))
}

/// True if a bot was asked for a move in this game.
pub(super) fn has_begun(record: &GameRecord) -> bool {
    let is_go = |line: &TranscriptRecord| is_to_bot(line) && verb(&line.text) == "go";
    let has_moved = record.moves.iter().flatten().any(|text| !text.starts_with('!'));
    if record.void.as_ref().is_some_and(|void| void.kind == VoidKind::NoBotPlayed) {
        return false;
    }
    has_moved || record.transcript.is_empty() || record.transcript.iter().any(is_go)
}

/// True if a bot failed before the first move was asked for.
pub(super) fn is_early(record: &GameRecord, fault: &FaultRecord) -> bool {
    fault.fault.as_ref().is_ok_and(|fault| fault.before_play().is_some()) || !has_begun(record)
}

/// True if a bot that failed before the first move had sent `ugiok`.
pub(super) fn was_introduced(record: &GameRecord, fault: &FaultRecord) -> bool {
    if let Ok(Fault::NotReady { stage, .. }) = &fault.fault {
        return *stage == Stage::Ready;
    }
    transcript_of(record, fault.seat).any(|line| is_to_bot(line) && verb(&line.text) == "isready")
}

/// True unless the record's last lines show that a seat was not asked for its next move.
pub(super) fn was_asked(record: &GameRecord, seat: Seat) -> bool {
    let own: Vec<&TranscriptRecord> = transcript_of(record, seat.number() as u8).collect();
    let Some(go) = own.iter().rposition(|line| is_to_bot(line) && asks(&line.text)) else {
        return !own.iter().any(|line| is_to_bot(line) && verb(&line.text) == "isready");
    };
    let answer = own[go..].iter().find(|line| !is_to_bot(line) && verb(&line.text) == "bestmove");
    // The last move that counts answers the last complete turn.
    let is_counted = |answer: &&TranscriptRecord| {
        let word = answer.text.split_whitespace().nth(1).unwrap_or_default();
        last_move_of(record, seat).is_some_and(|text| text == word)
    };
    !answer.is_some_and(is_counted)
}

/// The last move of a seat that counts.
fn last_move_of(record: &GameRecord, seat: Seat) -> Option<&str> {
    let setup = set_up(record).ok()?;
    let mut game = Playthrough::new(&*setup, record).ok()?;
    game.play_opening(record, |_, _, _| {}).ok()?;
    let mut last = None;
    for text in record.moves.iter().flatten() {
        let made = game.play(text, None).ok()?;
        if made.seat == seat && !text.starts_with('!') {
            last = Some(text.as_str());
        }
    }
    last
}
