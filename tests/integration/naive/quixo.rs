//! Quixo on an array of characters, every rule spelled out.

/// A board as rows from the top, each a row of `.`, `x` and `o`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub rows: Vec<Vec<char>>,
    pub ply: u32,
}

/// Where something is: column from the left and row from the top, from 0.
type Spot = (usize, usize);

impl Game {
    pub fn start(size: usize) -> Game {
        Game { rows: vec![vec!['.'; size]; size], ply: 0 }
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    /// The symbol of the player whose turn it is.
    pub fn own(&self) -> char {
        if self.ply.is_multiple_of(2) { 'x' } else { 'o' }
    }

    fn others(&self) -> char {
        if self.own() == 'x' { 'o' } else { 'x' }
    }

    pub fn token(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        let seat = if self.own() == 'x' { 1 } else { 2 };
        format!("{}:{seat}:{}", rows.join("/"), self.ply)
    }

    fn has_line(&self, symbol: char) -> bool {
        let size = self.size();
        let full = |spots: Vec<Spot>| spots.iter().all(|(column, row)| self.rows[*row][*column] == symbol);
        for fixed in 0..size {
            if full((0..size).map(|free| (free, fixed)).collect()) {
                return true;
            }
            if full((0..size).map(|free| (fixed, free)).collect()) {
                return true;
            }
        }
        full((0..size).map(|both| (both, both)).collect())
            || full((0..size).map(|both| (both, size - 1 - both)).collect())
    }

    /// The symbol that has won. Who made the opponent's line loses, whatever
    /// else he made.
    pub fn winner(&self) -> Option<char> {
        // It is now the opponent's turn, so that "own" is his symbol.
        if self.has_line(self.own()) {
            Some(self.own())
        } else if self.has_line(self.others()) {
            Some(self.others())
        } else {
            None
        }
    }

    /// Every legal move as text, in byte order.
    pub fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.winner().is_some() {
            return moves;
        }
        for column in 0..self.size() {
            for row in 0..self.size() {
                for to in self.ends((column, row)) {
                    moves.push(self.name((column, row)) + &self.name(to));
                }
            }
        }
        moves.sort();
        moves
    }

    /// Where the cube on a spot may be put back; nowhere if it may not be taken.
    fn ends(&self, (column, row): Spot) -> Vec<Spot> {
        let last = self.size() - 1;
        let on_border = column == 0 || column == last || row == 0 || row == last;
        if !on_border || self.rows[row][column] == self.others() {
            return Vec::new();
        }
        let mut ends = Vec::new();
        for end in [(0, row), (last, row), (column, 0), (column, last)] {
            if end != (column, row) {
                ends.push(end);
            }
        }
        ends
    }

    fn name(&self, (column, row): Spot) -> String {
        format!("{}{}", (b'a' + column as u8) as char, self.size() - row)
    }

    fn spot(&self, name: &str) -> Spot {
        let bytes = name.as_bytes();
        ((bytes[0] - b'a') as usize, self.size() - (bytes[1] - b'0') as usize)
    }

    /// Plays a legal move, cube by cube.
    pub fn play(&mut self, text: &str) {
        let (mut column, mut row) = self.spot(&text[..2]);
        let to = self.spot(&text[2..]);
        let own = self.own();
        // The gap wanders from where the cube was taken to where it goes.
        while (column, row) != to {
            let next_column = if to.0 > column { column + 1 } else { column - usize::from(to.0 < column) };
            let next_row = if to.1 > row { row + 1 } else { row - usize::from(to.1 < row) };
            self.rows[row][column] = self.rows[next_row][next_column];
            (column, row) = (next_column, next_row);
        }
        self.rows[row][column] = own;
        self.ply += 1;
    }

    /// Sequences of legal moves of this length.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        for mv in self.legal() {
            let mut next = self.clone();
            next.play(&mv);
            nodes += next.perft(depth - 1);
        }
        nodes
    }
}
