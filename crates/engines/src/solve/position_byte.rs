//! The byte of a position during the retrograde analysis, in which several threads change it.

use super::sync::atomic::{AtomicU8, Ordering::Relaxed};

// The byte of a settled position has its distance from the end, and a bit for a win. The byte of an open position has
// the number of moves that may still save it.
pub(super) const OPEN: u8 = 0x80;
pub(super) const WIN: u8 = 0x40;
pub(super) const DISTANCE: u8 = 0x3f;

/// The byte of an open position with one move left.
const LAST: u8 = OPEN | 1;

pub(super) struct PositionByte(AtomicU8);

impl PositionByte {
    pub(super) fn new(byte: u8) -> PositionByte {
        PositionByte(AtomicU8::new(byte))
    }

    pub(super) fn get(&self) -> u8 {
        self.0.load(Relaxed)
    }

    pub(super) fn set(&self, byte: u8) {
        self.0.store(byte, Relaxed);
    }

    pub(super) fn into_inner(self) -> u8 {
        self.0.into_inner()
    }

    /// Notes that a move leads to a lost or won position at this distance from the end. Returns true if this settles
    /// the position.
    pub(super) fn is_settled_by(&self, to_lost: bool, distance: u8) -> bool {
        let change = |known| one_move_before(known, to_lost, distance);
        self.0.fetch_update(Relaxed, Relaxed, change).is_ok_and(|known| to_lost || known == LAST)
    }
}

/// The next byte of a position after one of its moves was found to lead to a lost or won position of this layer; `None`
/// if the position is settled already.
///
/// A thread applies this to one byte in one atomic step, and the bytes of the next layer do not depend on each other.
/// So the order of the threads does not matter if it does not matter for one byte, which a test shows.
pub(super) fn one_move_before(known: u8, to_lost: bool, distance: u8) -> Option<u8> {
    match known {
        settled if settled & OPEN == 0 => None,
        _ if to_lost => Some(WIN | (distance + 1)),
        LAST => Some(distance + 1),
        more => Some(more - 1),
    }
}
