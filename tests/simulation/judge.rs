//! Checks of a game's verdict and moves against the witnessed events.

use std::collections::BTreeSet;
use std::time::Duration;

use linesman::direction::Direction;
use linesman::referee::core::PlayedMove;
use linesman::referee::driver::{Played, TranscriptLine};
use linesman::seat::Seat;
use linesman::verdict::{Fault, SeatFault, Verdict, Void};

use crate::behaviours::{Guilt, Proof};
use crate::runtime::{HostTrouble, Witness};

/// The maximum delay of a referee on a machine without trouble.
const AT_ONCE: Duration = Duration::from_millis(1);

/// Checks that only the failing seat is blamed, for its own fault, and that every
/// move in time is played and charged its time. An error says what is wrong.
pub fn judge(
    played: &Played,
    witness: &Witness,
    trouble: &HostTrouble,
    name: impl Fn(Seat) -> String,
) -> Result<(), String> {
    let verdict = &played.finished.verdict;
    let void = match verdict {
        Verdict::Void { void: void @ (Void::Host(_) | Void::Overload(_)), .. } => Some(void),
        _ => None,
    };
    blame(verdict.faults(), void, witness, name)?;
    let is_lost = |fault: &SeatFault| fault.fault.is_overload();
    if verdict.faults().iter().any(is_lost) {
        return Err(format!("what the host did is a loss: {:?}", verdict.faults()));
    }
    if !witness.is_a_race {
        compare(&played.finished.moves, void, witness)?;
    }
    if trouble.keeps_time() && witness.excused.is_empty() {
        compare_times(&played.finished.moves, verdict.faults(), witness)?;
    }
    Ok(())
}

fn blame(
    faults: &[SeatFault],
    void: Option<&Void>,
    witness: &Witness,
    name: impl Fn(Seat) -> String,
) -> Result<(), String> {
    let is_explained = match void {
        None => true,
        Some(Void::Overload(_)) => witness.host_stood_still,
        Some(_) => witness.host_failed,
    };
    if !is_explained {
        return Err("it is void, and nothing was wrong with the machine".to_owned());
    }
    let is_about = |guilt: &Guilt, seat: Seat| {
        guilt.bot == name(seat) && guilt.seat.is_none_or(|guilty| guilty == seat.number())
    };
    for SeatFault { seat, fault, .. } in faults {
        let word = fault.word();
        let fits = |guilt: &&Guilt| is_about(guilt, *seat) && guilt.words.contains(&word);
        if !witness.guilt.iter().any(|guilt| fits(&guilt)) {
            return Err(format!("seat {seat} is blamed for {fault:?}; guilty are {:#?}", witness.guilt));
        }
    }
    let once: BTreeSet<usize> = faults.iter().map(|fault| fault.seat.index()).collect();
    if once.len() < faults.len() {
        return Err(format!("somebody fails twice: {faults:?}"));
    }
    if void.is_some() || witness.is_a_race {
        // The game can have ended before the bot misbehaved.
        return Ok(());
    }
    for guilt in witness.guilt.iter().filter(|guilt| guilt.proof == Proof::Sure) {
        if !faults.iter().any(|fault| is_about(guilt, fault.seat)) {
            return Err(format!("nobody is blamed for {guilt:?}; the faults are {faults:?}"));
        }
    }
    Ok(())
}

/// Checks that the played moves are those that were printed in time.
fn compare(moves: &[PlayedMove], void: Option<&Void>, witness: &Witness) -> Result<(), String> {
    let moves: Vec<(usize, &str)> = own_moves(moves).map(|mv| (mv.seat.number(), &*mv.text)).collect();
    let answers: Vec<(usize, &str)> =
        witness.answers.iter().map(|answer| (answer.seat, &*answer.text)).collect();
    // A game aborted by the host can lack the last move.
    let is_broken_off = matches!(void, Some(Void::Host(_)));
    let is_short = is_broken_off && answers.len() == moves.len() + 1 && answers.starts_with(&moves);
    if moves == answers || is_short {
        return Ok(());
    }
    Err(format!("these moves were printed in time: {answers:?}\nand these were played: {moves:?}"))
}

/// Checks that the times charged for moves, and for missing moves, are the times
/// that they took.
fn compare_times(moves: &[PlayedMove], faults: &[SeatFault], witness: &Witness) -> Result<(), String> {
    for (mv, answer) in own_moves(moves).zip(&witness.answers).filter(|_| !witness.is_a_race) {
        // Whole microseconds are charged.
        let thought = answer.thought - Duration::from_nanos(u64::from(answer.thought.subsec_nanos() % 1_000));
        let is_right =
            mv.used >= thought && (!answer.was_read_at_once || mv.used <= answer.thought + AT_ONCE);
        if !is_right {
            return Err(format!("{:?} is charged for {answer:?}", mv.used));
        }
    }
    for SeatFault { seat, fault, .. } in faults {
        if let Fault::Time { limit, used, margin, excuse, .. } = fault
            && *used > *limit + *margin + *excuse + 2 * AT_ONCE
        {
            return Err(format!("seat {seat} was waited for too long: {fault:?}"));
        }
    }
    Ok(())
}

/// Returns the moves made by bots.
fn own_moves(moves: &[PlayedMove]) -> impl Iterator<Item = &PlayedMove> {
    moves.iter().filter(|mv| !mv.is_elimination)
}

/// Returns the last lines of a game, for debugging.
pub fn last_lines(played: &Played) -> String {
    let line = |line: TranscriptLine<'_>| {
        let arrow = if line.direction == Direction::ToBot { '>' } else { '<' };
        let text = String::from_utf8_lossy(line.bytes);
        let short: String = text.chars().take(100).collect();
        format!("{:?} {} {arrow} {short:?}\n", line.at.0, line.seat)
    };
    played.transcript.lines().map(line).collect()
}
