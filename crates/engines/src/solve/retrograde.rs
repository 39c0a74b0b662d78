//! Solving a game of which every position has a number, from its ends backwards.
//!
//! Positions are settled in layers by their distance from the end. In those of
//! layer 0 the game is over. The positions of a layer decide about those before
//! them. One move before a loss is a win. A position whose moves all lead to wins
//! of the opponent is a loss, which is found by counting down its remaining moves.
//! A position that is never settled is a draw by endless play.
//!
//! A position takes one byte, the only memory that grows with the game. Threads
//! share a layer and change bytes atomically; since a layer makes only the next
//! one, the result does not depend on the order of the threads.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use super::position_byte::{DISTANCE, OPEN, PositionByte, WIN};
use super::value::{TooDeep, Value};
use linesman_games::solvable::{Numbered, PositionStatus};

/// The byte of a draw, once all is known.
const DRAW: u8 = OPEN;

/// The number of positions that a thread takes at a time.
const CHUNK: u32 = 1 << 16;

/// The value of a position by its byte, when all is known.
pub(super) fn value(byte: u8) -> Value {
    let plies = u32::from(byte & DISTANCE);
    match byte {
        open if open & OPEN != 0 => Value::Draw,
        win if win & WIN != 0 => Value::Win { plies },
        _ => Value::Loss { plies },
    }
}

/// The byte of every position, when all is known. `progress` is told the layer in
/// work, in plies to the end, and the number of positions settled.
///
/// # Errors
/// A win that takes more plies than a byte can hold.
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
        let tell = |sum| progress((u32::from(distance) + 1, settled + sum));
        let more = each_chunk(positions, threads, work, tell);
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

/// Notes which positions are over, and the number of moves of the others. Returns
/// the number of positions that are over.
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

/// Spreads the values of one layer to the positions one move before. Returns the
/// number of positions that this settles.
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

/// Does `work` on all positions, chunk by chunk, and adds up the results.
fn each_chunk(
    positions: u32,
    threads: NonZero<usize>,
    work: impl Fn(Range<u32>, &mut Vec<u32>) -> u64 + Sync,
    mut tell: impl FnMut(u64),
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
            tell(sum);
        }
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::position_byte::one_move_before;

    #[test]
    fn the_order_in_which_threads_come_changes_no_byte() {
        // Positions of up to six moves, of which any lead to lost and any to won positions of the layer.
        for moves in 1..=6_u8 {
            for orders in 0..3_u32.pow(moves.into()) {
                let kinds = (0..moves).map(|index| orders / 3_u32.pow(index.into()) % 3);
                let told: Vec<bool> = kinds.filter(|kind| *kind < 2).map(|kind| kind == 0).collect();
                let mut byte = OPEN | moves;
                let mut times_settled = 0;
                for to_lost in &told {
                    if let Some(next) = one_move_before(byte, *to_lost, 4) {
                        times_settled += u32::from(next & OPEN == 0);
                        byte = next;
                    }
                }
                let expected = match told.len() {
                    _ if told.contains(&true) => WIN | 5,
                    all if all == usize::from(moves) => 5,
                    some => OPEN | (moves - some as u8),
                };
                assert_eq!((byte, times_settled), (expected, u32::from(expected & OPEN == 0)));
            }
        }
    }
}
