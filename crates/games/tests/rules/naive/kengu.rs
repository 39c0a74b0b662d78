//! Kengu on an array of characters, every rule spelled out.

use super::{DIRECTIONS, NEIGHBOURS, Slow};

const SIZE: usize = 4;

/// A square: column from the left and rank from the bottom, from 0.
type Spot = (usize, usize);

/// Ranks from the bottom: `.` empty, `X` and `O` red cards, `x` and `o` yellow ones.
#[derive(Clone)]
pub struct Game {
    cards: [[u8; SIZE]; SIZE],
    ply: u32,
}

/// A flip from a square onto another, and a card placed with this side up.
#[derive(Clone)]
pub struct Move {
    flip: Option<(Spot, Spot)>,
    place: Option<(Spot, Colour)>,
}

#[derive(Copy, Clone, PartialEq)]
enum Colour {
    Red,
    Yellow,
}

#[derive(Copy, Clone, PartialEq)]
enum Player {
    Crosses,
    Noughts,
}

impl Slow for Game {
    const ID: &'static str = "kengu";
    type Move = Move;

    fn start(_: &[(&str, &str)]) -> Game {
        Game { cards: [[b'.'; SIZE]; SIZE], ply: 0 }
    }

    fn from_token(options: &[(&str, &str)], token: &str) -> Game {
        let mut game = Game::start(options);
        let fields: Vec<&str> = token.split(':').collect();
        for (row, symbols) in fields[0].split('/').enumerate() {
            for (column, symbol) in symbols.bytes().enumerate() {
                game.cards[SIZE - 1 - row][column] = symbol;
            }
        }
        game.ply = fields[2].parse().expect("a token ends with the ply");
        game
    }

    fn token(&self) -> String {
        let rows: Vec<String> =
            self.cards.iter().rev().map(|row| row.iter().map(|symbol| *symbol as char).collect()).collect();
        format!("{}:{}:{}", rows.join("/"), self.ply % 2 + 1, self.ply)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        let flips = self.flips_of(self.waiting());
        if flips.is_empty() {
            self.add_placements(None, &mut moves);
        }
        for (from, to) in flips {
            let mut flipped = self.clone();
            flipped.flip(from, to);
            if flipped.has_line(self.waiting()) {
                moves.push(Move { flip: Some((from, to)), place: None });
            } else {
                flipped.add_placements(Some((from, to)), &mut moves);
            }
        }
        moves
    }

    fn name(&self, mv: &Move) -> String {
        let square = |(column, rank): Spot| super::square_name(column, rank);
        let flip = mv.flip.map(|(from, to)| square(from) + &square(to));
        let place =
            mv.place.map(|(spot, colour)| square(spot) + if colour == Colour::Red { "r" } else { "y" });
        [flip, place].into_iter().flatten().collect::<Vec<String>>().join("/")
    }

    fn play(&mut self, mv: &Move) {
        if let Some((from, to)) = mv.flip {
            self.flip(from, to);
        }
        if let Some((spot, colour)) = mv.place {
            self.cards[spot.1][spot.0] = card(self.to_move(), colour);
        }
        self.ply += 1;
    }

    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        let (to_move, has_moved) = (self.to_move(), self.waiting());
        let won_by = |player| if player == Player::Crosses { vec![1, 2] } else { vec![2, 1] };
        if self.has_line(to_move) {
            return Some((won_by(to_move), "flip"));
        }
        if self.has_line(has_moved) {
            let can_be_broken = self.flips_of(has_moved).into_iter().any(|(from, to)| {
                let mut flipped = self.clone();
                flipped.flip(from, to);
                !flipped.has_line(has_moved)
            });
            if !can_be_broken {
                return Some((won_by(has_moved), "line"));
            }
        }
        (self.ply == 16).then(|| (vec![1, 1], "cards"))
    }

    fn tie(&self) -> Vec<usize> {
        vec![1, 1]
    }
}

fn card(player: Player, colour: Colour) -> u8 {
    match (player, colour) {
        (Player::Crosses, Colour::Red) => b'X',
        (Player::Crosses, Colour::Yellow) => b'x',
        (Player::Noughts, Colour::Red) => b'O',
        (Player::Noughts, Colour::Yellow) => b'o',
    }
}

fn away((column, rank): Spot, (right, up): (i32, i32)) -> Option<Spot> {
    let (column, rank) = (column as i32 + right, rank as i32 + up);
    let on_board = |number: i32| number >= 0 && number < SIZE as i32;
    (on_board(column) && on_board(rank)).then_some((column as usize, rank as usize))
}

fn all_spots() -> impl Iterator<Item = Spot> {
    (0..SIZE).flat_map(|rank| (0..SIZE).map(move |column| (column, rank)))
}

impl Game {
    fn to_move(&self) -> Player {
        if self.ply.is_multiple_of(2) { Player::Crosses } else { Player::Noughts }
    }

    fn waiting(&self) -> Player {
        if self.ply.is_multiple_of(2) { Player::Noughts } else { Player::Crosses }
    }

    fn at(&self, (column, rank): Spot) -> u8 {
        self.cards[rank][column]
    }

    /// Returns every flip of a card of this player.
    fn flips_of(&self, player: Player) -> Vec<(Spot, Spot)> {
        let mut flips = Vec::new();
        for from in all_spots() {
            let is_own = [card(player, Colour::Red), card(player, Colour::Yellow)].contains(&self.at(from));
            if !is_own {
                continue;
            }
            for neighbour in NEIGHBOURS {
                if let Some(to) = away(from, neighbour)
                    && self.at(to) == b'.'
                {
                    flips.push((from, to));
                }
            }
        }
        flips
    }

    fn flip(&mut self, from: Spot, to: Spot) {
        let other_side = match self.at(from) {
            b'X' => b'x',
            b'x' => b'X',
            b'O' => b'o',
            b'o' => b'O',
            other => panic!("{other} is no card"),
        };
        self.cards[from.1][from.0] = b'.';
        self.cards[to.1][to.0] = other_side;
    }

    fn add_placements(&self, flip: Option<(Spot, Spot)>, moves: &mut Vec<Move>) {
        for spot in all_spots().filter(|spot| self.at(*spot) == b'.') {
            for colour in [Colour::Red, Colour::Yellow] {
                moves.push(Move { flip, place: Some((spot, colour)) });
            }
        }
    }

    fn has_line(&self, player: Player) -> bool {
        for colour in [Colour::Red, Colour::Yellow] {
            let wanted = card(player, colour);
            for spot in all_spots() {
                for (right, up) in DIRECTIONS {
                    let shown = (0..3).all(|steps| {
                        away(spot, (right * steps, up * steps)).is_some_and(|spot| self.at(spot) == wanted)
                    });
                    if shown {
                        return true;
                    }
                }
            }
        }
        false
    }
}
