//! The facts about a game's dialogue that follow from its record.

use std::sync::Arc;

use super::NoDialogue;
use linesman_games::is_elimination;
use linesman_games::solvable::{Oracle, Outcome};
use linesman_protocol::FromBot;
use linesman_record::{FaultRecord, GameRecord, Playthrough, TranscriptRecord, VoidKind, set_up};
use linesman_referee::TableRule;
use linesman_types::direction::Direction;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::{CauseKind, Fault, Stage};

pub(super) fn clock_of(record: &GameRecord) -> Result<ClockKind, NoDialogue> {
    match record.clock.as_deref() {
        None => Ok(ClockKind::Wall),
        Some(_) => {
            let bound = record.wall_bound.and_then(std::num::NonZeroU32::new);
            Ok(ClockKind::Cpu { wall_bound: bound.ok_or(NoDialogue::Lacks("wall bound"))? })
        }
    }
}

/// Returns the rule by which the referee adjudicated a game, if it did.
pub(super) fn adjudication(record: &GameRecord, end: &Playthrough) -> Option<TableRule> {
    if record.cause() != Some(CauseKind::Adjudication) {
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
    Some(TableRule { oracle: Arc::new(RecordedDecision(outcome)), from: end.table.ply() })
}

struct RecordedDecision(Outcome);

impl Oracle for RecordedDecision {
    fn outcome(&self, _token: &str) -> Option<Outcome> {
        Some(self.0)
    }
}

pub(super) fn fault_of(record: &GameRecord, seat: Seat) -> Option<&FaultRecord> {
    record.faults.iter().find(|fault| usize::from(fault.seat) == seat.number())
}

/// Returns the last lines of a seat in the record, in order.
fn transcript_of(record: &GameRecord, seat: u8) -> impl Iterator<Item = &TranscriptRecord> {
    record.transcript.iter().filter(move |line| line.seat == seat)
}

pub(super) fn seat_of(line: &TranscriptRecord) -> Option<Seat> {
    Seat::new(usize::from(line.seat))
}

pub(super) fn is_to_bot(line: &TranscriptRecord) -> bool {
    line.direction == Ok(Direction::ToBot)
}

fn verb(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

pub(super) fn is_turn_line(text: &str) -> bool {
    ["position", "state", "legal", "go", "ponderhit"].contains(&verb(text))
}

fn asks_for_move(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("go") => words.next() != Some("ponder"),
        word => word == Some("ponderhit"),
    }
}

/// Returns true unless the record's last lines show that a pondering seat received no `stop`.
pub(super) fn was_stopped(record: &GameRecord, seat: Seat) -> bool {
    let lines: Vec<&TranscriptRecord> = transcript_of(record, seat.number() as u8).collect();
    let start = lines.iter().rposition(|line| is_to_bot(line) && line.text.starts_with("go ponder"));
    start.is_none_or(|start| lines[start..].iter().any(|line| is_to_bot(line) && verb(&line.text) == "stop"))
}

/// Returns true if a bot was asked for a move in this game.
pub(super) fn has_started(record: &GameRecord) -> bool {
    let is_go = |line: &TranscriptRecord| is_to_bot(line) && verb(&line.text) == "go";
    if record.void.as_ref().is_some_and(|void| void.kind == VoidKind::NoBotPlayed) {
        return false;
    }
    record.has_moves() || record.transcript.is_empty() || record.transcript.iter().any(is_go)
}

/// Returns true if a bot failed before any bot was asked for a move.
pub(super) fn is_early(record: &GameRecord, fault: &FaultRecord) -> bool {
    fault.fault.as_ref().is_ok_and(|fault| fault.before_play().is_some()) || !has_started(record)
}

/// Returns true if a bot that failed before the first move had sent `ugiok`.
pub(super) fn was_introduced(record: &GameRecord, fault: &FaultRecord) -> bool {
    if let Ok(Fault::NotReady { stage, .. }) = &fault.fault {
        return *stage == Stage::Ready;
    }
    transcript_of(record, fault.seat).any(|line| is_to_bot(line) && verb(&line.text) == "isready")
}

/// Returns true unless the record's last lines show that a seat was not asked for its next move.
pub(super) fn was_asked(record: &GameRecord, seat: Seat) -> bool {
    let lines: Vec<&TranscriptRecord> = transcript_of(record, seat.number() as u8).collect();
    let Some(go) = lines.iter().rposition(|line| is_to_bot(line) && asks_for_move(&line.text)) else {
        return !lines.iter().any(|line| is_to_bot(line) && verb(&line.text) == "isready");
    };
    let answer = lines[go..].iter().find(|line| !is_to_bot(line) && verb(&line.text) == "bestmove");
    // The last accepted move answers the last complete turn.
    let is_accepted = |answer: &&TranscriptRecord| match FromBot::parse(answer.text.as_bytes()) {
        Ok(FromBot::BestMove { mv, .. }) => last_move_of(record, seat) == Some(mv.as_str()),
        Ok(
            FromBot::Resign
            | FromBot::IdName(_)
            | FromBot::IdAuthor(_)
            | FromBot::Protocol(_)
            | FromBot::Option(_)
            | FromBot::Feature(_)
            | FromBot::UgiOk
            | FromBot::ReadyOk
            | FromBot::Info(_)
            | FromBot::Tell(_)
            | FromBot::Unknown,
        )
        | Err(_) => false,
    };
    !answer.is_some_and(is_accepted)
}

/// Returns the last accepted move of a seat.
fn last_move_of(record: &GameRecord, seat: Seat) -> Option<&str> {
    let setup = set_up(record).ok()?;
    let mut game = Playthrough::new(&*setup, record).ok()?;
    game.play_opening(record, |_, _, _| {}).ok()?;
    let mut last = None;
    for text in record.moves.iter().flatten() {
        let made = game.play(text, None).ok()?;
        if made.seat == seat && !is_elimination(text) {
            last = Some(text.as_str());
        }
    }
    last
}
