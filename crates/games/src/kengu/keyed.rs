//! Positions by key, for the solver.
//!
//! The value of a position does not change if the board is rotated or mirrored, or if the two colours of one
//! player's cards are swapped, since a line consists of one player's cards: 32 positions share a key.

use crate::kengu::Position;
use crate::kengu::board::{Cards, Colour, SQUARES};
use crate::solvable::{Keyed, Outcome, QuickCheck};

/// Kengu's positions by key.
pub(super) struct KenguKeys {
    /// The contribution of a set of squares of half a board to a key.
    worth: [u64; 1 << (SQUARES / 2)],
}

impl KenguKeys {
    pub(super) fn new() -> KenguKeys {
        let worth_of = |set: usize| {
            let squares = (0..SQUARES / 2).filter(|square| set >> square & 1 == 1);
            squares.map(|square| 5u64.pow(square as u32)).sum()
        };
        KenguKeys { worth: std::array::from_fn(worth_of) }
    }

    /// Returns the base-5 number that has digit 1 for each square of a set.
    fn digits(&self, set: u64) -> u64 {
        const UPPER_HALF: u64 = 5u64.pow(SQUARES as u32 / 2);
        self.worth[(set & 0xff) as usize] + self.worth[(set >> 8 & 0xff) as usize] * UPPER_HALF
    }
}

impl Keyed<Position> for KenguKeys {
    fn positions(&self) -> u64 {
        // The ply determines the number of cards of each player on the board. Each card shows one of two colours.
        let ways =
            |chosen: u64, among: u64| (0..chosen).fold(1, |ways, index| ways * (among - index) / (index + 1));
        (0..=SQUARES as u64)
            .map(|ply| {
                let (crosses, noughts) = (ply.div_ceil(2), ply / 2);
                ways(crosses, 16) * ways(noughts, 16 - crosses) * (1 << ply)
            })
            .sum()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        // With one card left, playing on is as fast as a look-up.
        if position.ply() as usize + 1 >= SQUARES {
            return None;
        }
        let canonical = canonical(lanes(position.own(), position.theirs()));
        let lane = |number: u32| self.digits(canonical >> (16 * number) & 0xffff) * u64::from(number + 1);
        Some((0..4).map(lane).sum())
    }

    fn quick_check(&self, position: &Position) -> QuickCheck {
        if position.is_lost_by_flip() {
            return QuickCheck::Decided(Outcome::Win);
        }
        let (mut safe, mut losing) = (0, 0);
        for flip in position.flips() {
            if position.loses(flip) {
                losing += 1;
            } else {
                safe += 1;
            }
        }
        let threatened = position.theirs().has_line();
        if safe == 0 && (losing > 0 || threatened) {
            return QuickCheck::Decided(Outcome::Loss);
        }
        if position.is_full() {
            return QuickCheck::Decided(Outcome::Draw);
        }
        QuickCheck::Open { promise: 4 * safe - 3 * losing - if threatened { 4 } else { 0 } }
    }
}

/// Packs four sets of squares: own red and yellow, the opponent's red and yellow.
fn lanes(own: Cards, theirs: Cards) -> u64 {
    let lane = |cards: Cards, colour| u64::from(cards.showing(colour));
    lane(own, Colour::Red)
        | lane(own, Colour::Yellow) << 16
        | lane(theirs, Colour::Red) << 32
        | lane(theirs, Colour::Yellow) << 48
}

const EACH_LANE: u64 = 0x0001_0001_0001_0001;

/// Returns the smallest image of a position.
fn canonical(lanes: u64) -> u64 {
    let mut min = u64::MAX;
    for start in [lanes, transposed(lanes)] {
        let mirrored = files_mirrored(start);
        for image in [start, mirrored, ranks_mirrored(start), ranks_mirrored(mirrored)] {
            min = min.min(with_colours_in_order(image));
        }
    }
    min
}

/// Orders each player's colours so that the red set is the larger number.
fn with_colours_in_order(lanes: u64) -> u64 {
    let in_order = |cards: u32| if (cards & 0xffff) < cards >> 16 { cards.rotate_left(16) } else { cards };
    u64::from(in_order(lanes as u32)) | u64::from(in_order((lanes >> 32) as u32)) << 32
}

fn ranks_mirrored(lanes: u64) -> u64 {
    let lower = 0x00ff * EACH_LANE;
    let halves = (lanes >> 8 & lower) | (lanes & lower) << 8;
    let even = 0x0f0f * EACH_LANE;
    (halves >> 4 & even) | (halves & even) << 4
}

fn files_mirrored(lanes: u64) -> u64 {
    let left = 0x3333 * EACH_LANE;
    let halves = (lanes >> 2 & left) | (lanes & left) << 2;
    let even = 0x5555 * EACH_LANE;
    (halves >> 1 & even) | (halves & even) << 1
}

/// Swaps files and ranks: first within blocks of two by two squares, then the
/// blocks themselves.
fn transposed(lanes: u64) -> u64 {
    let odd = (lanes ^ lanes >> 3) & (0x0a0a * EACH_LANE);
    let within = lanes ^ odd ^ odd << 3;
    let blocks = (within ^ within >> 6) & (0x00cc * EACH_LANE);
    within ^ blocks ^ blocks << 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::kengu::{Kengu, board};

    /// Returns the position mirrored, rotated or with a player's colours swapped,
    /// made square by square.
    fn image(position: &Position, number: usize) -> Position {
        let cards = |cards: Cards, swap: bool| {
            let mut image = Cards::default();
            for index in board::squares(cards.squares()) {
                let (mut file, mut rank) = (index % 4, index / 4);
                if number & 1 != 0 {
                    file = 3 - file;
                }
                if number & 2 != 0 {
                    rank = 3 - rank;
                }
                if number & 4 != 0 {
                    (file, rank) = (rank, file);
                }
                let shown = cards.colour_at(index).expect("a card lies there");
                let colour = Colour::ALL[(shown as usize) ^ usize::from(swap)];
                image = image.with(4 * rank + file, colour);
            }
            image
        };
        let [first, second] = [position.own(), position.theirs()];
        let (first, second) = (cards(first, number & 8 != 0), cards(second, number & 16 != 0));
        let ply = position.ply() as u8;
        Position::new(if ply.is_multiple_of(2) { [first, second] } else { [second, first] }, ply)
    }

    #[test]
    fn only_the_images_of_a_position_share_its_key() {
        let keys = KenguKeys::new();
        let mut found = std::collections::HashMap::new();
        let mut positions = vec![Kengu.start()];
        for _ in 0..3 {
            let mut next = std::collections::HashSet::new();
            for position in &positions {
                let mut images: Vec<Position> = (0..32).map(|number| image(position, number)).collect();
                images.sort_by_key(|image| format!("{image:?}"));
                let key = keys.key(position);
                assert!(images.iter().all(|image| keys.key(image) == key && key < Some(1 << 60)));
                let first = found.entry(key).or_insert(images[0]);
                assert_eq!(*first, images[0], "two positions share a key");
                let mut moves = Vec::new();
                Kengu.legal_moves(position, &mut moves);
                for mv in moves {
                    let mut after = *position;
                    Kengu.play(&mut after, mv);
                    next.insert(after);
                }
            }
            positions = next.into_iter().collect();
        }
        // No card; one card in a corner, at an edge or in the middle; and a second card on
        // any other square: nine of these differ if the first card is in a corner or in
        // the middle, all fifteen if it is at an edge.
        assert_eq!(found.len(), 1 + 3 + (9 + 15 + 9));
    }

    #[test]
    fn positions_are_counted_by_their_cards() {
        assert_eq!(
            KenguKeys::new().positions(),
            1 + 32 + 960 + {
                let later: u64 = (3..=16u64)
                    .map(|ply| {
                        let factorial = |number: u64| (1..=number).product::<u64>();
                        let (crosses, noughts) = (ply.div_ceil(2), ply / 2);
                        factorial(16) / factorial(crosses) / factorial(noughts) / factorial(16 - ply)
                            * (1 << ply)
                    })
                    .sum();
                later
            }
        );
    }
}
