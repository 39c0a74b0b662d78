//! Trexo on an array of the visible halves of tiles, every rule spelled out.

use super::{DIRECTIONS, NEIGHBOURS, Slow, number};

/// A visible half of a tile.
#[derive(Copy, Clone)]
struct Half {
    symbol: u8,
    /// The direction of the other half, even if it is covered: `n`, `e`, `s` or `w`.
    other: u8,
    level: u16,
}

/// A square: column from the left and rank from the bottom, from 0.
type Spot = (usize, usize);

#[derive(Clone)]
pub struct Game {
    size: usize,
    tiles: u32,
    line: usize,
    /// Ranks from the bottom.
    halves: [[Option<Half>; 16]; 16],
    ply: u32,
}

/// The squares of the two halves of a tile.
#[derive(Clone)]
pub struct Move {
    cross: Spot,
    nought: Spot,
}

impl Slow for Game {
    const ID: &'static str = "trexo";
    type Move = Move;

    fn start(options: &[(&str, &str)]) -> Game {
        let size = number(options, "size", 10);
        let tiles = number(options, "tiles", 60) as u32;
        Game { size, tiles, line: number(options, "line", 5), halves: [[None; 16]; 16], ply: 0 }
    }

    fn from_token(options: &[(&str, &str)], token: &str) -> Game {
        let mut game = Game::start(options);
        let fields: Vec<&str> = token.split(':').collect();
        for (row, cells) in fields[0].split('/').enumerate() {
            for (column, cell) in cells.split(',').enumerate() {
                if cell != "." {
                    let (symbol, other) = (cell.as_bytes()[0], cell.as_bytes()[1]);
                    let level = cell[2..].parse().expect("a half ends with its level");
                    game.halves[game.size - 1 - row][column] = Some(Half { symbol, other, level });
                }
            }
        }
        game.ply = fields[2].parse().expect("a token ends with the ply");
        game
    }

    fn token(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..self.size).rev() {
            let cells: Vec<String> = self.halves[rank][..self.size]
                .iter()
                .map(|half| match half {
                    None => ".".to_owned(),
                    Some(half) => format!("{}{}{}", half.symbol as char, half.other as char, half.level),
                })
                .collect();
            rows.push(cells.join(","));
        }
        format!("{}:{}:{}", rows.join("/"), self.ply % 2 + 1, self.ply)
    }

    fn moves(&self) -> Vec<Move> {
        if self.outcome_of_lines().is_some() || self.ply == self.tiles {
            return Vec::new();
        }
        self.places_for_a_tile()
    }

    fn name(&self, mv: &Move) -> String {
        let square = |(column, rank): Spot| super::square_name(column, rank);
        square(mv.cross) + &square(mv.nought)
    }

    fn play(&mut self, mv: &Move) {
        let level = self.level(mv.cross) + 1;
        let half = |symbol, from, to| Some(Half { symbol, other: direction(from, to), level });
        self.halves[mv.cross.1][mv.cross.0] = half(b'x', mv.cross, mv.nought);
        self.halves[mv.nought.1][mv.nought.0] = half(b'o', mv.nought, mv.cross);
        self.ply += 1;
    }

    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        if let Some(places) = self.outcome_of_lines() {
            Some((places, "line"))
        } else if self.ply == self.tiles {
            Some((vec![1, 1], "stock"))
        } else if !self.has_place_for_a_tile() {
            Some((vec![1, 1], "blocked"))
        } else {
            None
        }
    }

    fn tie(&self) -> Vec<usize> {
        vec![1, 1]
    }
}

/// Returns the direction from a square to a neighbour.
fn direction(from: Spot, to: Spot) -> u8 {
    if to.1 > from.1 {
        b'n'
    } else if to.0 > from.0 {
        b'e'
    } else if to.1 < from.1 {
        b's'
    } else {
        b'w'
    }
}

impl Game {
    fn level(&self, (column, rank): Spot) -> u16 {
        self.halves[rank][column].map_or(0, |half| half.level)
    }

    /// Returns the square some steps away, if it is on the board.
    fn away(&self, (column, rank): Spot, (right, up): (i32, i32)) -> Option<Spot> {
        let (column, rank) = (column as i32 + right, rank as i32 + up);
        let on_board = |number: i32| number >= 0 && number < self.size as i32;
        (on_board(column) && on_board(rank)).then_some((column as usize, rank as usize))
    }

    /// Lists every way to lay a tile, even if none is left.
    fn places_for_a_tile(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for rank in 0..self.size {
            for column in 0..self.size {
                let cross = (column, rank);
                for neighbour in NEIGHBOURS {
                    if let Some(nought) = self.away(cross, neighbour)
                        && self.can_lay(cross, nought)
                    {
                        moves.push(Move { cross, nought });
                    }
                }
            }
        }
        moves
    }

    fn has_place_for_a_tile(&self) -> bool {
        let mut spots = (0..self.size).flat_map(|rank| (0..self.size).map(move |column| (column, rank)));
        spots.any(|one| {
            let mut neighbours = NEIGHBOURS.iter().filter_map(|neighbour| self.away(one, *neighbour));
            neighbours.any(|other| self.can_lay(one, other))
        })
    }

    fn can_lay(&self, one: Spot, other: Spot) -> bool {
        self.level(one) == self.level(other) && !self.is_one_tile(one, other)
    }

    /// Returns true if two squares at one level show the halves of one tile.
    fn is_one_tile(&self, one: Spot, other: Spot) -> bool {
        self.halves[one.1][one.0].is_some_and(|half| half.other == direction(one, other))
    }

    fn shows(&self, (column, rank): Spot, symbol: u8) -> bool {
        self.halves[rank][column].is_some_and(|half| half.symbol == symbol)
    }

    fn has_line(&self, symbol: u8) -> bool {
        for rank in 0..self.size {
            for column in 0..self.size {
                for (right, up) in DIRECTIONS {
                    let shown = (0..self.line as i32).all(|steps| {
                        match self.away((column, rank), (right * steps, up * steps)) {
                            Some(spot) => self.shows(spot, symbol),
                            None => false,
                        }
                    });
                    if shown {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn outcome_of_lines(&self) -> Option<Vec<usize>> {
        // The player to move did not make the current lines.
        let crosses_wait = self.ply.is_multiple_of(2);
        let (waiting, moved) = if crosses_wait { (b'x', b'o') } else { (b'o', b'x') };
        let winner = if self.has_line(waiting) {
            waiting
        } else if self.has_line(moved) {
            moved
        } else {
            return None;
        };
        Some(if winner == b'x' { vec![1, 2] } else { vec![2, 1] })
    }
}
