//! Quixo on an array of characters, every rule spelled out.

use super::Slow;

/// A board as an array of rows from the top, each of `.`, `x` and `o`.
#[derive(Clone)]
pub struct Game {
    size: usize,
    cubes: [[u8; 8]; 8],
    ply: u32,
}

/// A square: column from the left and row from the top, from 0.
type Spot = (usize, usize);

/// The squares where a cube is taken and put back.
#[derive(Clone)]
pub struct Move {
    from: Spot,
    to: Spot,
}

impl Slow for Game {
    const ID: &'static str = "quixo";
    type Move = Move;

    fn start(options: &[(&str, &str)]) -> Game {
        Game { size: super::number(options, "size", 5), cubes: [[b'.'; 8]; 8], ply: 0 }
    }

    fn from_token(options: &[(&str, &str)], token: &str) -> Game {
        let mut game = Game::start(options);
        let fields: Vec<&str> = token.split(':').collect();
        for (row, symbols) in fields[0].split('/').enumerate() {
            for (column, symbol) in symbols.bytes().enumerate() {
                game.cubes[row][column] = symbol;
            }
        }
        game.ply = fields[2].parse().expect("a token ends with the ply");
        game
    }

    fn token(&self) -> String {
        let rows: Vec<String> = (0..self.size)
            .map(|row| self.cubes[row][..self.size].iter().map(|symbol| *symbol as char).collect())
            .collect();
        let seat = if self.own() == b'x' { 1 } else { 2 };
        format!("{}:{seat}:{}", rows.join("/"), self.ply)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.winner().is_some() {
            return moves;
        }
        let last = self.size - 1;
        for column in 0..self.size {
            for row in 0..self.size {
                let on_border = column == 0 || column == last || row == 0 || row == last;
                if !on_border || self.cubes[row][column] == self.others() {
                    continue;
                }
                for to in [(0, row), (last, row), (column, 0), (column, last)] {
                    if to != (column, row) {
                        moves.push(Move { from: (column, row), to });
                    }
                }
            }
        }
        moves
    }

    fn name(&self, mv: &Move) -> String {
        let square = |(column, row): Spot| super::square_name(column, self.size - 1 - row);
        square(mv.from) + &square(mv.to)
    }

    /// Plays a move, cube by cube.
    fn play(&mut self, mv: &Move) {
        let (mut column, mut row) = mv.from;
        let to = mv.to;
        let own = self.own();
        // The gap moves from where the cube was taken to where it is put back.
        while (column, row) != to {
            let next_column = if to.0 > column { column + 1 } else { column - usize::from(to.0 < column) };
            let next_row = if to.1 > row { row + 1 } else { row - usize::from(to.1 < row) };
            self.cubes[row][column] = self.cubes[next_row][next_column];
            (column, row) = (next_column, next_row);
        }
        self.cubes[row][column] = own;
        self.ply += 1;
    }

    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        let places = if self.winner()? == b'x' { vec![1, 2] } else { vec![2, 1] };
        Some((places, "line"))
    }

    fn tie(&self) -> Vec<usize> {
        vec![1, 1]
    }
}

impl Game {
    /// The symbol of the player whose turn it is.
    fn own(&self) -> u8 {
        if self.ply.is_multiple_of(2) { b'x' } else { b'o' }
    }

    fn others(&self) -> u8 {
        if self.own() == b'x' { b'o' } else { b'x' }
    }

    fn has_line(&self, symbol: u8) -> bool {
        let size = self.size;
        for fixed in 0..size {
            if (0..size).all(|free| self.cubes[fixed][free] == symbol) {
                return true;
            }
            if (0..size).all(|free| self.cubes[free][fixed] == symbol) {
                return true;
            }
        }
        (0..size).all(|both| self.cubes[both][both] == symbol)
            || (0..size).all(|both| self.cubes[size - 1 - both][both] == symbol)
    }

    /// Returns the symbol that has won. A player who makes the opponent's line
    /// loses, even with an own line.
    fn winner(&self) -> Option<u8> {
        // It is now the opponent's turn, so `own` is the opponent's symbol.
        if self.has_line(self.own()) {
            Some(self.own())
        } else if self.has_line(self.others()) {
            Some(self.others())
        } else {
            None
        }
    }
}
