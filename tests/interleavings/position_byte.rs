//! Checks of positions settled by a solver's threads.

#[path = "../../crates/engines/src/solve/position_byte.rs"]
#[expect(dead_code, reason = "bytes are set before threads share them")]
mod checked;

use std::sync::Arc;

use checked::{OPEN, PositionByte, WIN};

use super::{check, sync, thread};

/// Settles a position with several threads, each of which has the result of one move; other moves have no result
/// yet. Exactly one thread must report that it has settled the position, unless it stays open.
fn is_settled_once(other_moves: u8, to_lost: &'static [bool], expected: u8) {
    check(move || {
        let byte = Arc::new(PositionByte::new(OPEN | (other_moves + to_lost.len() as u8)));
        let threads: Vec<_> = to_lost
            .iter()
            .map(|to_lost| {
                let byte = Arc::clone(&byte);
                thread::spawn(move || byte.is_settled_by(*to_lost, 4))
            })
            .collect();
        let said = threads.into_iter().map(|thread| thread.join().expect("no thread panics"));
        let times = said.filter(|is_settled| *is_settled).count();
        assert_eq!((byte.get(), times), (expected, usize::from(expected & OPEN == 0)));
    });
}

#[test]
fn a_position_whose_moves_all_lead_to_won_ones_is_lost() {
    is_settled_once(0, &[false, false, false], 5);
}

#[test]
fn a_position_with_another_move_stays_open() {
    is_settled_once(1, &[false, false], OPEN | 1);
}

#[test]
fn a_position_with_a_move_to_a_lost_one_is_won() {
    is_settled_once(0, &[true, false, true], WIN | 5);
}
