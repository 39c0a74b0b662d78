//! The byte of a position while layers are settled; several threads change it.

use super::sync::atomic::{AtomicU8, Ordering::Relaxed};

// A byte of a settled position is its distance from the end, and whether it is
// a win; of one that is not, the number of moves that may still save it.
pub(super) const OPEN: u8 = 0x80;
pub(super) const WIN: u8 = 0x40;
pub(super) const DISTANCE: u8 = 0x3f;

/// The byte of an open position with one move left.
const LAST: u8 = OPEN | 1;

/// The byte of a position.
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

    /// Notes that a move leads to a lost or to a won position at this distance from the end. Returns true if
    /// this settles the position.
    pub(super) fn is_settled_by(&self, to_lost: bool, distance: u8) -> bool {
        let change = |known| one_move_before(known, to_lost, distance);
        self.0.fetch_update(Relaxed, Relaxed, change).is_ok_and(|known| to_lost || known == LAST)
    }
}

/// The byte of a position that was open, after one of its moves turned out to lead to a lost position
/// of this layer or to a won one; nothing if it is settled.
///
/// A thread applies this in one atomic step to one byte, and no byte depends on another of the next layer. So the
/// order in which threads come changes nothing if it changes nothing for one byte, which a test shows.
pub(super) fn one_move_before(known: u8, to_lost: bool, distance: u8) -> Option<u8> {
    match known {
        settled if settled & OPEN == 0 => None,
        _ if to_lost => Some(WIN | (distance + 1)),
        LAST => Some(distance + 1),
        more => Some(more - 1),
    }
}
