//! The prospects of each seat in a position as odds, for engines that search.
//!
//! [`evaluate`](super::evaluate) ranks the positions after a move. A search must compare positions at different
//! plies with each other and with certain endings, so it needs the value of a lead. Most numbers here were
//! fitted to the final places of games between `mcts` and `greedy` (250 each with three and four seats, fewer
//! with two) and rounded. Those for immediate wins, forks and threats were set by hand.

use crate::tandem::evaluate::{Prospects, prospects};
use crate::tandem::{Position, Tandem};
use linesman_types::seat::{BySeat, Seat};

/// The values in games with a given number of seats, in thousandths of the
/// logarithm of the odds.
struct Worth {
    /// Lacking two points, and lacking one, if the game needs more points than that.
    points: [i32; 2],
    /// A tile in stock.
    stock: i32,
    /// An open window, by the number of tiles that it lacks, 1 to 3.
    lacking: [i32; 3],
    /// A window with another seat's tile in the way, and one that also lacks a tile.
    pinned: [i32; 2],
    /// An open window that lacks two tiles, for the seat to move.
    soon: i32,
    /// A square on which a tile scores, for the seat to move.
    scores: i32,
    /// A square on which a tile scores, for another seat: an opponent will take it.
    threatens: i32,
    /// More squares on which a tile wins than a turn can block, by the number of turns before, from one on.
    forks: [i32; 3],
}

/// The values by the number of seats, 2 to 4.
const WORTH: [Worth; 3] = [
    Worth {
        points: [700, 2_650],
        stock: 35,
        lacking: [470, 110, 30],
        pinned: [70, 20],
        soon: 70,
        scores: 100,
        threatens: -250,
        forks: [600, 0, 0],
    },
    Worth {
        points: [680, 1_600],
        stock: 27,
        lacking: [200, 40, 11],
        pinned: [20, 6],
        soon: 60,
        scores: 0,
        threatens: -180,
        forks: [1_500, 500, 0],
    },
    Worth {
        points: [700, 1_930],
        stock: -40,
        lacking: [155, 30, 8],
        pinned: [25, 5],
        soon: 20,
        scores: 250,
        threatens: -50,
        forks: [1_500, 600, 90],
    },
];

/// The value of having the turn when one tile wins.
const WINS: i32 = 5_000;
/// The value of an eliminated seat.
const OUT: i32 = -10_000;

pub(super) fn odds(rules: &Tandem, position: &Position) -> BySeat<i32> {
    let worth = &WORTH[rules.seats - 2];
    let prospects = prospects::<true>(rules, position);
    let mut odds = BySeat::from_fn(rules.seats, |_| OUT);
    let mut seat = position.to_move();
    for before in 0..position.seats_in() {
        odds[seat] = worth.of(rules, position, seat, &prospects[seat.index()], before);
        seat = position.next_in(seat);
    }
    odds
}

impl Worth {
    /// Returns the value of a seat's tiles, stock and points. `before` is the number of other seats' turns before
    /// its own.
    fn of(&self, rules: &Tandem, position: &Position, seat: Seat, tiles: &Prospects, before: usize) -> i32 {
        let missing = rules.points.saturating_sub(position.points(seat));
        let points = match missing {
            _ if missing == rules.points => 0,
            0 | 1 => self.points[1],
            2 => self.points[0],
            _ => 0,
        };
        let windows = self.lacking.iter().zip(tiles.lacking);
        let windows: i32 = windows.map(|(worth, number)| worth * i32::from(number)).sum();
        let pinned = self.pinned.iter().zip(tiles.pinned);
        let pinned: i32 = pinned.map(|(worth, number)| worth * i32::from(number)).sum();
        let steady = points + windows + pinned + self.stock * i32::from(position.stock(seat));
        let soon = if before == 0 { self.soon * i32::from(tiles.lacking[1]) } else { 0 };
        if tiles.scoring == [0, 0] {
            return steady + soon;
        }
        let tiles = Prospects { scoring: within_reach(rules, position, seat, tiles), ..*tiles };
        if tiles.scoring == [0, 0] {
            return steady + soon + self.threatens;
        }
        let at_once = tiles.scores_twice(rules);
        let wins = missing <= if at_once { 2 } else { 1 };
        let threat = match before.checked_sub(1) {
            None if wins => WINS,
            None => self.scores,
            Some(others) if wins && tiles.is_fork(at_once) => self.forks[others],
            Some(_) => self.threatens,
        };
        steady + soon + threat
    }
}

/// Returns the squares on which a tile scores and that a turn can reach, by board: a
/// tile is available, and a square of their colour is empty on the other board.
fn within_reach(rules: &Tandem, position: &Position, seat: Seat, prospects: &Prospects) -> [u128; 2] {
    let own = &position.tiles[seat.index()];
    std::array::from_fn(|board| {
        let squares = prospects.scoring[board];
        let spare = position.stock(seat) > 0
            || (own[1 - board] != 0 && own[board].count_ones() as usize >= rules.line);
        if squares == 0 || !spare {
            return 0;
        }
        let free = position.empty(1 - board);
        let colours = rules.layout.colours.iter();
        let open = colours.filter(|(_, colour)| colour[1 - board] & free != 0);
        squares & open.fold(0, |open, (_, colour)| open | colour[board])
    })
}
