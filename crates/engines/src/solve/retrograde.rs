//! Solves a game in which every position has a number, backwards from its ends.
//!
//! Positions are settled in layers by their distance from the end. In layer 0 the game is over. Each layer settles
//! positions one move before. A position with a move to a loss of the opponent is a win. A position whose moves all
//! lead to wins of the opponent is a loss, which is found by counting down its remaining moves. A position that is
//! never settled is a draw by endless play.
//!
//! A position takes one byte, the only memory that grows with the game. Threads share a layer and change bytes
//! atomically. Since a layer only settles the next one, the result does not depend on the order of the threads.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use super::position_byte::{DISTANCE, OPEN, PositionByte, WIN};
use super::value::{TooDeep, Value};
use linesman_games::solvable::{Numbered, PositionStatus};

/// The byte of a draw when everything is settled.
const DRAW: u8 = OPEN;

/// The number of positions in one piece of work for a thread.
const CHUNK: u32 = 1 << 16;

/// The value of a position by its byte when everything is settled.
pub(super) fn value(byte: u8) -> Value {
    let plies = u32::from(byte & DISTANCE);
    match byte {
        open if open & OPEN != 0 => Value::Draw,
        win if win & WIN != 0 => Value::Win { plies },
        _ => Value::Loss { plies },
    }
}

/// Settles all positions, and returns their bytes. `progress` is called with the current layer, in plies to the end,
/// and the number of settled positions.
///
/// # Errors
/// Some win takes more plies than a byte can hold.
pub(super) fn settle<P>(
    game: &dyn Numbered<P>,
    threads: NonZero<usize>,
    progress: &mut dyn FnMut((u32, u64)),
) -> Result<Vec<u8>, TooDeep> {
    let bytes: Vec<PositionByte> = (0..game.positions()).map(|_| PositionByte::new(DRAW)).collect();
    let positions = game.positions();
    let mut settled =
        each_chunk(positions, threads, |chunk, _| survey(game, &bytes, chunk), |sum| progress((0, sum)));
    for distance in 0.. {
        if distance == DISTANCE {
            return Err(TooDeep { most: u32::from(DISTANCE) });
        }
        let work = |chunk, scratch: &mut _| spread(game, &bytes, distance, chunk, scratch);
        let report = |sum| progress((u32::from(distance) + 1, settled + sum));
        let more = each_chunk(positions, threads, work, report);
        if more == 0 {
            break;
        }
        settled += more;
    }
    let draw_where_open = |byte: PositionByte| match byte.into_inner() {
        open if open & OPEN != 0 => DRAW,
        settled => settled,
    };
    Ok(bytes.into_iter().map(draw_where_open).collect())
}

/// Notes the positions in which the game is over, and the number of moves in the others. Returns the number of the
/// former.
fn survey<P>(game: &dyn Numbered<P>, bytes: &[PositionByte], chunk: Range<u32>) -> u64 {
    let mut settled = 0;
    for number in chunk {
        let byte = match game.status(number) {
            PositionStatus::Won => WIN,
            PositionStatus::Lost => 0,
            PositionStatus::Open { moves } => {
                assert!((1..u32::from(OPEN)).contains(&moves), "a position has 1 to 127 moves, not {moves}");
                OPEN | moves as u8
            }
        };
        settled += u64::from(byte & OPEN == 0);
        bytes[number as usize].set(byte);
    }
    settled
}

/// Applies the values of one layer to the positions one move before. Returns the number of positions that this settles.
fn spread<P>(
    game: &dyn Numbered<P>,
    bytes: &[PositionByte],
    distance: u8,
    chunk: Range<u32>,
    before: &mut Vec<u32>,
) -> u64 {
    let (won, lost) = (WIN | distance, distance);
    let mut settled = 0;
    for number in chunk {
        let byte = bytes[number as usize].get();
        if byte != won && byte != lost {
            continue;
        }
        before.clear();
        game.before(number, before);
        for before in before.iter() {
            settled += u64::from(bytes[*before as usize].is_settled_by(byte == lost, distance));
        }
    }
    settled
}

/// Performs `work` on all positions in chunks, and adds up the results. Calls `report` with each new sum.
fn each_chunk(
    positions: u32,
    threads: NonZero<usize>,
    work: impl Fn(Range<u32>, &mut Vec<u32>) -> u64 + Sync,
    mut report: impl FnMut(u64),
) -> u64 {
    let next = AtomicU32::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut sum = 0;
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                let mut scratch = Vec::new();
                loop {
                    let start = next.fetch_add(1, Relaxed).checked_mul(CHUNK);
                    let Some(start) = start.filter(|start| *start < positions) else { break };
                    let chunk = start..start.saturating_add(CHUNK).min(positions);
                    // The receiver listens until all senders are gone.
                    let _ = sender.send(work(chunk, &mut scratch));
                }
            });
        }
        drop(sender);
        for part in receiver {
            sum += part;
            report(sum);
        }
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::position_byte::one_move_before;

    #[test]
    fn the_order_of_the_threads_changes_no_byte() {
        // Positions with up to six moves, each of which leads to a lost or a won position of the layer or to neither.
        for moves in 1..=6_u8 {
            for orders in 0..3_u32.pow(moves.into()) {
                let kinds = (0..moves).map(|index| orders / 3_u32.pow(index.into()) % 3);
                let found: Vec<bool> = kinds.filter(|kind| *kind < 2).map(|kind| kind == 0).collect();
                let mut byte = OPEN | moves;
                let mut times_settled = 0;
                for to_lost in &found {
                    if let Some(next) = one_move_before(byte, *to_lost, 4) {
                        times_settled += u32::from(next & OPEN == 0);
                        byte = next;
                    }
                }
                let expected = match found.len() {
                    _ if found.contains(&true) => WIN | 5,
                    all if all == usize::from(moves) => 5,
                    some => OPEN | (moves - some as u8),
                };
                assert_eq!((byte, times_settled), (expected, u32::from(expected & OPEN == 0)));
            }
        }
    }
}
