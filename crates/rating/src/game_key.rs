//! A game as a number: its players on their seats, and its result.
//!
//! The 64 bits of a game of two bots hold, from the highest to the lowest: first seat, second seat, score.
//! Any other game is represented by the number of its sheet.

use super::score::Score;

/// The maximum number of bots whose numbers fit into a key.
pub(super) const MAX_BOTS: u32 = 1 << 29;

const SHEET: u64 = 1 << 63;
const SECOND_SHIFT: u32 = 2;
const FIRST_SHIFT: u32 = 32;

/// The game that a key represents.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum GameKind {
    /// A game of two bots: the bots in the first and the second seat, and the first one's score.
    Duel(u32, u32, Score),
    /// Any other game, by the number of its sheet.
    Sheet(u32),
}

pub(super) fn of_duel(first: u32, second: u32, score: Score) -> u64 {
    let score = match score {
        Score::Win => 0,
        Score::Draw => 1,
        Score::Loss => 2,
    };
    u64::from(first) << FIRST_SHIFT | u64::from(second) << SECOND_SHIFT | score
}

pub(super) fn of_sheet(number: u32) -> u64 {
    SHEET | u64::from(number)
}

pub(super) fn decode(key: u64) -> GameKind {
    if key & SHEET != 0 {
        return GameKind::Sheet(key as u32);
    }
    let score = match key & 0b11 {
        0 => Score::Win,
        1 => Score::Draw,
        _ => Score::Loss,
    };
    let second = (key as u32) >> SECOND_SHIFT;
    GameKind::Duel((key >> FIRST_SHIFT) as u32, second, score)
}

/// The key of the same game after bots and sheets are renumbered.
pub(super) fn renumbered(key: u64, bots: &[u32], sheets: &[u32]) -> u64 {
    match decode(key) {
        GameKind::Duel(first, second, score) => of_duel(bots[first as usize], bots[second as usize], score),
        GameKind::Sheet(number) => of_sheet(sheets[number as usize]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_decode_to_their_games() {
        for score in [Score::Win, Score::Draw, Score::Loss] {
            for (first, second) in [(0, 1), (7, 3), (MAX_BOTS - 1, MAX_BOTS - 2)] {
                assert_eq!(decode(of_duel(first, second, score)), GameKind::Duel(first, second, score));
            }
        }
        assert_eq!(decode(of_sheet(u32::MAX)), GameKind::Sheet(u32::MAX));
        let duel = of_duel(1, 0, Score::Draw);
        assert_eq!(decode(renumbered(duel, &[5, 6], &[])), GameKind::Duel(6, 5, Score::Draw));
        assert_eq!(decode(renumbered(of_sheet(1), &[], &[3, 2])), GameKind::Sheet(2));
    }
}
