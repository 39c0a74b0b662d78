//! Tandem on arrays of seat numbers, every rule spelled out.

use std::rc::Rc;

use super::{DIRECTIONS, Slow, number};

/// The default boards.
const LATIN6: &str = "rbypgo/gpobyr/bygrop/orpybg/pgbory/yorgpb|opgrby/yrbogp/goyprb/pbrgyo/ryobpg/bgpyor";

/// A square: column from the left and rank from the bottom, from 0.
type Spot = (usize, usize);

/// Ranks from the bottom, of a board of at most nine by nine.
type Array = [[u8; 9]; 9];

/// The settings, which do not change during a game.
struct Settings {
    seats: usize,
    line: usize,
    points: usize,
    width: usize,
    height: usize,
    /// The colours of both boards, ranks from the bottom.
    colours: [Array; 2],
}

#[derive(Clone)]
pub struct Game {
    settings: Rc<Settings>,
    /// The seat whose tile lies on each square, 0 for none.
    boards: [Array; 2],
    to_move: usize,
    ply: usize,
    /// By seat, from 1 on.
    stocks: [usize; 5],
    points: [usize; 5],
    passes: usize,
    /// The eliminated seats, in order.
    out: Vec<usize>,
}

/// A step of a tile, from the stock or from a square of the board.
#[derive(Copy, Clone)]
struct Step {
    from: Option<Spot>,
    to: Spot,
}

/// The two ends of a window.
type Window = (Spot, Spot);

#[derive(Copy, Clone)]
pub enum Move {
    Turn(Turn),
    Pass,
}

/// The step and the scored window, for each board.
#[derive(Copy, Clone)]
pub struct Turn {
    steps: [Step; 2],
    scored: [Option<Window>; 2],
}

/// A step and the full windows after it.
struct PossibleStep {
    step: Step,
    windows: Vec<Window>,
}

impl Slow for Game {
    const ID: &'static str = "tandem";
    type Move = Move;

    fn start(options: &[(&str, &str)]) -> Game {
        let seats = number(options, "players", 2);
        let layout = options.iter().find(|(name, _)| *name == "layout").map_or(LATIN6, |(_, value)| value);
        let layout = if layout == "latin6" { LATIN6 } else { layout };
        let (mut colours, mut height, mut width) = ([[[0; 9]; 9]; 2], 0, 0);
        for (board, rows) in layout.split('|').enumerate() {
            for (rank, row) in rows.split('/').rev().enumerate() {
                for (column, colour) in row.bytes().enumerate() {
                    colours[board][rank][column] = colour;
                    (height, width) = (rank + 1, column + 1);
                }
            }
        }
        let settings = Settings {
            seats,
            line: number(options, "line", if seats == 2 { 5 } else { 4 }),
            points: number(options, "points", 3),
            width,
            height,
            colours,
        };
        Game {
            settings: Rc::new(settings),
            boards: [[[0; 9]; 9]; 2],
            to_move: 1,
            ply: 0,
            stocks: [number(options, "tiles", 14); 5],
            points: [0; 5],
            passes: 0,
            out: Vec::new(),
        }
    }

    fn from_token(options: &[(&str, &str)], token: &str) -> Game {
        let read = |text: &str| -> usize { text.parse().expect("the field is a number") };
        let mut game = Game::start(options);
        let fields: Vec<&str> = token.split(':').collect();
        for (board, rows) in fields[0].split('|').enumerate() {
            for (row, cells) in rows.split('/').rev().enumerate() {
                for (column, cell) in cells.bytes().enumerate() {
                    game.boards[board][row][column] = if cell == b'.' { 0 } else { cell - b'0' };
                }
            }
        }
        game.to_move = read(fields[1]);
        game.ply = read(fields[2]);
        for (index, (stock, points)) in fields[3].split(',').zip(fields[4].split(',')).enumerate() {
            game.stocks[index + 1] = read(stock);
            game.points[index + 1] = read(points);
        }
        game.passes = read(fields[5]);
        if let Some(out) = fields.get(6) {
            game.out = out.split('!').skip(1).map(read).collect();
        }
        game
    }

    fn token(&self) -> String {
        let seats = self.settings.seats;
        let board = |board: &Array| {
            let cell = |seat: &u8| if *seat == 0 { ".".to_owned() } else { seat.to_string() };
            let rows = board[..self.settings.height].iter().rev();
            let rows: Vec<String> =
                rows.map(|row| row[..self.settings.width].iter().map(cell).collect()).collect();
            rows.join("/")
        };
        let list = |numbers: &[usize; 5]| {
            numbers[1..=seats].iter().map(usize::to_string).collect::<Vec<String>>().join(",")
        };
        let mut token = format!(
            "{}|{}:{}:{}:{}:{}:{}",
            board(&self.boards[0]),
            board(&self.boards[1]),
            self.to_move,
            self.ply,
            list(&self.stocks),
            list(&self.points),
            self.passes,
        );
        for (index, seat) in self.out.iter().enumerate() {
            token += if index == 0 { ":!" } else { "!" };
            token += &seat.to_string();
        }
        token
    }

    fn moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        let lays = [self.lays(0), self.lays(1)];
        let stock = self.stocks[self.to_move];
        if stock >= 2 {
            self.add_turns(&lays[0], &lays[1], &mut moves);
        } else {
            let slides = [self.slides(0), self.slides(1)];
            if stock == 1 {
                self.add_turns(&lays[0], &slides[1], &mut moves);
                self.add_turns(&slides[0], &lays[1], &mut moves);
            } else {
                self.add_turns(&slides[0], &slides[1], &mut moves);
            }
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves
    }

    fn name(&self, mv: &Move) -> String {
        let Move::Turn(turn) = mv else { return "pass".to_owned() };
        let square = |(column, rank): Spot| super::square_name(column, rank);
        let step = |board: usize| {
            let Step { from, to } = turn.steps[board];
            format!("{}{}{}", board + 1, from.map(square).unwrap_or_default(), square(to))
        };
        let mut name = format!("{}/{}", step(0), step(1));
        for board in 0..2 {
            if let Some((one, other)) = turn.scored[board] {
                name += &format!("!{}{}{}", board + 1, square(one), square(other));
            }
        }
        name
    }

    fn play(&mut self, mv: &Move) {
        let mover = self.to_move;
        match mv {
            Move::Pass => self.passes += 1,
            Move::Turn(turn) => {
                self.passes = 0;
                for board in 0..2 {
                    self.step(board, turn.steps[board]);
                }
                for board in 0..2 {
                    if let Some(window) = turn.scored[board] {
                        for (column, rank) in spots_of(window) {
                            self.boards[board][rank][column] = 0;
                        }
                        self.points[mover] += 1;
                        self.stocks[mover] += self.settings.line - 1;
                    }
                }
            }
        }
        self.ply += 1;
        self.next_seat();
    }

    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        if self.remaining().iter().any(|seat| self.points[*seat] >= self.settings.points) {
            Some((self.tie(), "points"))
        } else if self.passes >= self.remaining().len() {
            Some((self.tie(), "passes"))
        } else {
            None
        }
    }

    /// By points, with eliminated seats below all others: the first one is last.
    fn tie(&self) -> Vec<usize> {
        let remaining = self.remaining();
        (1..=self.settings.seats)
            .map(|seat| match self.out.iter().position(|out| *out == seat) {
                Some(index) => self.settings.seats - index,
                None => 1 + remaining.iter().filter(|other| self.points[**other] > self.points[seat]).count(),
            })
            .collect()
    }

    fn eliminate(&mut self, seat: usize) {
        self.out.push(seat);
        if self.to_move == seat {
            self.next_seat();
        }
    }
}

/// Returns the squares from one end of a window to the other.
fn spots_of((one, other): Window) -> Vec<Spot> {
    let (right, up) = (other.0 as i32 - one.0 as i32, other.1 as i32 - one.1 as i32);
    let length = right.abs().max(up.abs());
    (0..=length)
        .map(|steps| {
            let at = |start: usize, way: i32| (start as i32 + way.signum() * steps) as usize;
            (at(one.0, right), at(one.1, up))
        })
        .collect()
}

impl Game {
    /// The remaining seats.
    fn remaining(&self) -> Vec<usize> {
        (1..=self.settings.seats).filter(|seat| !self.out.contains(seat)).collect()
    }

    fn next_seat(&mut self) {
        loop {
            self.to_move = self.to_move % self.settings.seats + 1;
            if !self.out.contains(&self.to_move) {
                return;
            }
        }
    }

    fn spots(&self) -> impl Iterator<Item = Spot> {
        let width = self.settings.width;
        (0..self.settings.height).flat_map(move |rank| (0..width).map(move |column| (column, rank)))
    }

    fn at(&self, board: usize, (column, rank): Spot) -> usize {
        usize::from(self.boards[board][rank][column])
    }

    /// Plays a step of the seat to move, without scoring.
    fn step(&mut self, board: usize, step: Step) {
        match step.from {
            Some((column, rank)) => self.boards[board][rank][column] = 0,
            None => self.stocks[self.to_move] -= 1,
        }
        self.boards[board][step.to.1][step.to.0] = self.to_move as u8;
    }

    fn possible_step(&self, board: usize, step: Step) -> PossibleStep {
        let mut after = self.clone();
        after.step(board, step);
        PossibleStep { step, windows: after.full_windows(board) }
    }

    fn lays(&self, board: usize) -> Vec<PossibleStep> {
        let empty = self.spots().filter(|spot| self.at(board, *spot) == 0);
        empty
            .filter(|_| self.stocks[self.to_move] > 0)
            .map(|to| self.possible_step(board, Step { from: None, to }))
            .collect()
    }

    fn slides(&self, board: usize) -> Vec<PossibleStep> {
        let mut steps = Vec::new();
        for from in self.spots().filter(|spot| self.at(board, *spot) == self.to_move) {
            for to in self.spots().filter(|spot| self.at(board, *spot) == 0) {
                steps.push(self.possible_step(board, Step { from: Some(from), to }));
            }
        }
        steps
    }

    /// Returns the windows of a board that hold only tiles of the seat to move.
    fn full_windows(&self, board: usize) -> Vec<Window> {
        let Settings { width, height, line, .. } = *self.settings;
        let mut windows = Vec::new();
        for spot in self.spots() {
            for (right, up) in DIRECTIONS {
                let away =
                    |steps: usize| (spot.0 as i32 + right * steps as i32, spot.1 as i32 + up * steps as i32);
                let is_full = (0..line).all(|steps| {
                    let (column, rank) = away(steps);
                    let on_board = column >= 0 && column < width as i32 && rank >= 0 && rank < height as i32;
                    on_board && self.at(board, (column as usize, rank as usize)) == self.to_move
                });
                if is_full {
                    let (column, rank) = away(line - 1);
                    windows.push((spot, (column as usize, rank as usize)));
                }
            }
        }
        windows
    }

    /// Adds every turn with a step on each board and each choice of windows.
    fn add_turns(&self, first: &[PossibleStep], second: &[PossibleStep], moves: &mut Vec<Move>) {
        let colour = |board: usize, (column, rank): Spot| self.settings.colours[board][rank][column];
        for one in first {
            for other in second {
                if colour(0, one.step.to) != colour(1, other.step.to) {
                    continue;
                }
                for scored_first in choices(&one.windows) {
                    for scored_second in choices(&other.windows) {
                        let steps = [one.step, other.step];
                        moves.push(Move::Turn(Turn { steps, scored: [scored_first, scored_second] }));
                    }
                }
            }
        }
    }
}

/// Lists the choices of what to score on a board: one window if there is any.
fn choices(windows: &[Window]) -> Vec<Option<Window>> {
    if windows.is_empty() { vec![None] } else { windows.iter().copied().map(Some).collect() }
}
