//! Quixo for two teams on an array of characters, every rule spelled out.

use super::Slow;

const SIZE: usize = 5;

/// A board as an array of rows from the top: `.` for a blank cube, otherwise the
/// direction of its dot, `n` and `s` on crosses, `w` and `e` on noughts.
#[derive(Clone)]
pub struct Game {
    cubes: [[u8; SIZE]; SIZE],
    ply: u32,
}

/// A square: column from the left and row from the top, from 0.
type Spot = (usize, usize);

#[derive(Clone)]
pub enum Move {
    /// A cube is taken and put back with its dot in this direction.
    Push {
        from: Spot,
        to: Spot,
        dot: u8,
    },
    Pass,
}

impl Slow for Game {
    const ID: &'static str = "quixo-teams";
    type Move = Move;

    fn start(_: &[(&str, &str)]) -> Game {
        Game { cubes: [[b'.'; SIZE]; SIZE], ply: 0 }
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
        let rows: Vec<String> =
            self.cubes.iter().map(|row| row.iter().map(|symbol| *symbol as char).collect()).collect();
        format!("{}:{}:{}", rows.join("/"), self.seat(), self.ply)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.winners().is_some() {
            return moves;
        }
        let last = SIZE - 1;
        for column in 0..SIZE {
            for row in 0..SIZE {
                let on_border = column == 0 || column == last || row == 0 || row == last;
                if !on_border || !self.may_take(self.cubes[row][column]) {
                    continue;
                }
                for to in [(0, row), (last, row), (column, 0), (column, last)] {
                    if to == (column, row) {
                        continue;
                    }
                    for dot in dots(self.crosses_move()) {
                        moves.push(Move::Push { from: (column, row), to, dot });
                    }
                }
            }
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves
    }

    fn name(&self, mv: &Move) -> String {
        let square = |(column, row): Spot| super::square_name(column, SIZE - 1 - row);
        match mv {
            Move::Push { from, to, dot } => format!("{}{}{}", square(*from), square(*to), *dot as char),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn play(&mut self, mv: &Move) {
        if let Move::Push { from, to, dot } = mv {
            let (mut column, mut row) = *from;
            // The gap moves from where the cube was taken to where it is put back.
            while (column, row) != *to {
                let next_column =
                    if to.0 > column { column + 1 } else { column - usize::from(to.0 < column) };
                let next_row = if to.1 > row { row + 1 } else { row - usize::from(to.1 < row) };
                self.cubes[row][column] = self.cubes[next_row][next_column];
                (column, row) = (next_column, next_row);
            }
            self.cubes[row][column] = *dot;
        }
        self.ply += 1;
    }

    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        let places = if self.winners()? == Team::Crosses { vec![1, 2, 1, 2] } else { vec![2, 1, 2, 1] };
        Some((places, "line"))
    }

    fn tie(&self) -> Vec<usize> {
        vec![1, 1, 1, 1]
    }
}

#[derive(Copy, Clone, PartialEq)]
enum Team {
    Crosses,
    Noughts,
}

/// Returns the dots of a team's cubes: one for each of its two members.
fn dots(crosses: bool) -> [u8; 2] {
    if crosses { [b'n', b's'] } else { [b'w', b'e'] }
}

impl Game {
    /// The seat to move: 1 south, 2 west, 3 north, 4 east.
    fn seat(&self) -> u32 {
        self.ply % 4 + 1
    }

    fn crosses_move(&self) -> bool {
        self.seat() == 1 || self.seat() == 3
    }

    /// Returns true if the player to move may take a border cube that shows this.
    fn may_take(&self, symbol: u8) -> bool {
        let points_at_mover = match self.seat() {
            1 => b's',
            2 => b'w',
            3 => b'n',
            _ => b'e',
        };
        let first_round = self.ply < 4;
        symbol == b'.' || (!first_round && symbol == points_at_mover)
    }

    fn has_line(&self, team: Team) -> bool {
        let shown = dots(team == Team::Crosses);
        let shows = |row: usize, column: usize| shown.contains(&self.cubes[row][column]);
        for fixed in 0..SIZE {
            if (0..SIZE).all(|free| shows(fixed, free)) || (0..SIZE).all(|free| shows(free, fixed)) {
                return true;
            }
        }
        (0..SIZE).all(|both| shows(both, both)) || (0..SIZE).all(|both| shows(SIZE - 1 - both, both))
    }

    /// Returns the team that has won. A team that makes the other's line loses,
    /// even with an own line.
    fn winners(&self) -> Option<Team> {
        let (moves_now, has_moved) =
            if self.crosses_move() { (Team::Crosses, Team::Noughts) } else { (Team::Noughts, Team::Crosses) };
        if self.has_line(moves_now) {
            Some(moves_now)
        } else if self.has_line(has_moved) {
            Some(has_moved)
        } else {
            None
        }
    }
}
