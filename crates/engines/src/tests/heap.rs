//! A game for two to four seats that is small enough to solve by hand: seats take one to three stones in turn, and the
//! seat that takes the last one wins.

use linesman_games::notation::bad_position;
use linesman_games::options::{Bound, OptionKind, Zero};
use linesman_games::scene::Scene;
use linesman_games::trexo::STOCK;
use linesman_games::{Ending, Illegal, NotAMove, NotAPosition, OptionError, OptionSpec, OptionValues, Rules};
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::verdict::Reason;

pub(super) struct Heap {
    stones: u32,
    teams: Teams,
}

#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub(super) struct Stones {
    left: u32,
    ply: u32,
    to_move: Seat,
    out: [bool; 4],
}

const fn number(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    let kind = OptionKind::Integer {
        default: Bound::Fixed(default),
        min: Bound::Fixed(min),
        max: Bound::Fixed(max),
        zero: Zero::Plain,
    };
    OptionSpec { name, about: "", kind }
}

const OPTIONS: &[OptionSpec] =
    &[number("stones", 10, 1, 100), number("seats", 2, 2, 4), number("pairs", 0, 0, 1)];

impl Rules for Heap {
    const REASONS: &'static [Reason] = &[STOCK];
    const BREAKABLE: &'static [&'static str] = &["stones"];
    const OPTIONS: &'static [OptionSpec] = OPTIONS;
    const ID: &'static str = "heap";
    const TITLE: &'static str = "Heap";
    const ABOUT: &'static str = "take the last stone";

    type Position = Stones;
    type Move = u32;

    fn with_options(values: &OptionValues) -> Result<Heap, OptionError> {
        let teams = match values.integer("pairs") {
            0 => Teams::singles(values.integer("seats") as usize),
            _ => Teams::opposite_pairs(),
        };
        Ok(Heap { stones: values.integer("stones") as u32, teams })
    }

    fn teams(&self) -> Teams {
        self.teams.clone()
    }

    fn start(&self) -> Stones {
        Stones { left: self.stones, ply: 0, to_move: Seat::FIRST, out: [false; 4] }
    }

    fn to_move(&self, position: &Stones) -> Seat {
        position.to_move
    }

    fn ply(&self, position: &Stones) -> u32 {
        position.ply
    }

    fn repetition_key(&self, position: &Stones) -> Stones {
        Stones { ply: 0, ..position.clone() }
    }

    fn legal_moves(&self, position: &Stones, moves: &mut Vec<u32>) {
        moves.extend((1..=3).filter(|taken| *taken <= position.left));
    }

    fn play(&self, position: &mut Stones, taken: u32) {
        position.left -= taken;
        position.ply += 1;
        self.pass_on(position);
    }

    fn ending(&self, position: &Stones) -> Option<Ending> {
        let seats = self.teams.seats();
        let winner = (0..seats - 1).fold(position.to_move, |seat, _| seat.next(seats));
        let places = BySeat::by_measure(&self.teams, |seat| seat == winner);
        (position.left == 0).then(|| Ending { places, reason: STOCK, marks: Vec::new(), why: "".into() })
    }

    fn evaluate(&self, _: &Stones) -> BySeat<i32> {
        BySeat::from_fn(self.teams.seats(), |_| 0)
    }

    fn eliminate(&self, position: &mut Stones, seat: Seat) {
        position.out[seat.index()] = true;
        if position.to_move == seat {
            self.pass_on(position);
        }
    }

    fn explain(&self, position: &Stones, taken: u32) -> Illegal {
        Illegal::new("stones", format!("there are {} stones, not {taken}", position.left))
    }

    fn write_move(&self, taken: u32, text: &mut String) {
        text.push_str(&taken.to_string());
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotAMove> {
        text.parse().map_err(|_| NotAMove { why: "a move is a number".to_owned() })
    }

    fn write_position(&self, position: &Stones, text: &mut String) {
        text.push_str(&position.left.to_string());
    }

    fn parse_position(&self, token: &str) -> Result<Stones, NotAPosition> {
        let left = token.parse().map_err(|_| bad_position("the token", "no number"))?;
        Ok(Stones { left, ..self.start() })
    }

    fn scene(&self, _: &Stones, _: Option<u32>) -> Scene {
        Scene::default()
    }
}

impl Heap {
    fn pass_on(&self, position: &mut Stones) {
        loop {
            position.to_move = position.to_move.next(self.teams.seats());
            if !position.out[position.to_move.index()] {
                break;
            }
        }
    }

    /// Returns true if the side of `seat` can take the last stone even if all others play against it.
    pub(super) fn wins(&self, position: &Stones, seat: Seat) -> bool {
        if position.left == 0 {
            return self.ending(position).is_some_and(|ending| ending.places[seat].number() == 1);
        }
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        let wins_after = |taken: &u32| self.wins(&self.after(position, *taken), seat);
        match self.teams.together(position.to_move, seat) {
            true => moves.iter().any(wins_after),
            false => moves.iter().all(wins_after),
        }
    }
}
