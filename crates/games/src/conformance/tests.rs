//! The suite on every registered game, and on a game with bugs of every kind.

use std::cell::Cell;

use super::*;
use crate::OptionError;
use crate::ending::Ending;
use crate::notation::{Illegal, NotAMove, NotAPosition, Square, bad_position, plain_number};
use crate::scene::{Board, Mark, MarkKind, Piece, Scene};
use linesman_types::seat::{BySeat, Seat, Side, Teams};
use linesman_types::verdict::Reason;

/// Runs the suite on a registered game.
pub(crate) fn conforms<R: Rules>(perft: &str, refusals: &str) {
    let effort = Effort { seed: 1, games: 10, texts: 6, perft_nodes: 400_000 };
    let coverage = check::<R>(effort, perft, refusals).unwrap_or_else(|breach| panic!("{breach}"));
    for (what, number) in [
        ("positions", coverage.positions),
        ("illegal moves", coverage.illegal),
        ("texts that are no moves", coverage.not_moves),
        ("tokens that can be read", coverage.tokens_read),
        ("tokens that can't", coverage.tokens_refused),
    ] {
        assert!(number > 20, "{}: the suite met just {number} {what}", R::ID);
    }
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Bug {
    Nothing,
    SecretMove,
    Alias,
    SeatWithoutPlace,
    WrongCount,
    ForgetfulToken,
    SmallScene,
    SilentRefusal,
    EliminatedSeatToMove,
    Endless,
    WrongPerft,
    LooseToken,
    Stuck,
    WrongPlaces,
    ActionMissing,
    HiddenLevel,
}

thread_local! {
    /// The bug in the games that this thread makes. It is not a type parameter, so that the suite is compiled only
    /// once.
    static PLANTED: Cell<Bug> = const { Cell::new(Bug::Nothing) };
}

/// Three seats climb a ladder of 20 rungs, one or two in each turn; the seat that reaches the top wins.
struct Ladder {
    bug: Bug,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Rung {
    height: u32,
    ply: u32,
    to_move: Seat,
    out: Vec<Seat>,
}

const TOP: u32 = 20;
const TOP_REACHED: Reason = Reason::new("top", "at the top");

impl Ladder {
    fn next(position: &Rung) -> Seat {
        let mut seat = position.to_move.next(3);
        while position.out.contains(&seat) {
            seat = seat.next(3);
        }
        seat
    }
}

impl Rules for Ladder {
    const REASONS: &'static [Reason] = &[TOP_REACHED];
    const BREAKABLE: &'static [&'static str] = &["rungs"];
    const ID: &'static str = "ladder";
    const TITLE: &'static str = "Ladder";
    const ABOUT: &'static str = "a game for tests";
    type Position = Rung;
    type Move = u32;

    fn with_options(_: &OptionValues) -> Result<Self, OptionError> {
        Ok(Ladder { bug: PLANTED.get() })
    }

    fn teams(&self) -> Teams {
        Teams::singles(3)
    }

    fn start(&self) -> Rung {
        Rung { height: 0, ply: 0, to_move: Seat::FIRST, out: Vec::new() }
    }

    fn to_move(&self, position: &Rung) -> Seat {
        position.to_move
    }

    fn ply(&self, position: &Rung) -> u32 {
        position.ply
    }

    fn repetition_key(&self, position: &Rung) -> Rung {
        Rung { ply: 0, ..position.clone() }
    }

    fn legal_moves(&self, position: &Rung, moves: &mut Vec<u32>) {
        let stuck = self.bug == Bug::Stuck && position.height == 7;
        if position.height < TOP && !stuck {
            moves.extend([1, 2]);
        }
    }

    fn count_legal_moves(&self, position: &Rung, _: &mut Vec<u32>) -> u64 {
        if position.height < TOP { if self.bug == Bug::WrongCount { 3 } else { 2 } } else { 0 }
    }

    fn is_legal(&self, position: &Rung, mv: u32, _: &mut Vec<u32>) -> bool {
        position.height < TOP && (mv <= 2 || self.bug == Bug::SecretMove)
    }

    fn play(&self, position: &mut Rung, mv: u32) {
        position.height += mv;
        if self.bug == Bug::Endless {
            position.height %= TOP;
        }
        position.ply = position.ply.saturating_add(1);
        position.to_move = Self::next(position);
    }

    fn ending(&self, position: &Rung) -> Option<Ending> {
        (position.height >= TOP).then(|| {
            let seats = if self.bug == Bug::SeatWithoutPlace { 2 } else { 3 };
            let places = match self.bug {
                Bug::WrongPlaces => BySeat::from_fn(3, |seat| {
                    linesman_types::seat::Place::new(seat.number() + 1).expect("few seats")
                }),
                _ => BySeat::by_measure(&Teams::singles(seats), |seat| seat == position.to_move),
            };
            Ending { places, reason: TOP_REACHED, marks: Vec::new(), why: "nothing is left".into() }
        })
    }

    fn evaluate(&self, position: &Rung) -> BySeat<i32> {
        let won = |seat| position.height >= TOP && seat == position.to_move;
        BySeat::from_fn(3, |seat| i32::from(won(seat)))
    }

    fn eliminate(&self, position: &mut Rung, seat: Seat) {
        position.out.push(seat);
        if position.to_move == seat && self.bug != Bug::EliminatedSeatToMove {
            position.to_move = Self::next(position);
        }
    }

    fn explain(&self, _: &Rung, mv: u32) -> Illegal {
        let why = format!("{mv} rungs are too many");
        Illegal::new("rungs", if self.bug == Bug::SilentRefusal { String::new() } else { why })
    }

    fn write_move(&self, mv: u32, text: &mut String) {
        text.push_str(&mv.to_string());
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotAMove> {
        let text = if self.bug == Bug::Alias { text.trim() } else { text };
        plain_number(text)
            .filter(|number| (1..=9).contains(number))
            .ok_or_else(|| NotAMove { why: "a move is a number of rungs".to_owned() })
    }

    fn write_position(&self, position: &Rung, text: &mut String) {
        text.push_str(&format!("{}:{}:{}", position.height, position.to_move, position.ply));
        if self.bug != Bug::ForgetfulToken {
            position.out.iter().for_each(|seat| text.push_str(&format!("!{seat}")));
        }
    }

    fn parse_position(&self, token: &str) -> Result<Rung, NotAPosition> {
        let bad = || bad_position("the token", "it is no rung");
        let mut parts = token.split('!');
        let fields: Vec<&str> = parts.next().unwrap_or_default().split(':').collect();
        let [height, to_move, ply] = fields[..] else { return Err(bad()) };
        let height = if self.bug == Bug::LooseToken { height.trim_start_matches('0') } else { height };
        let height = if height.is_empty() && self.bug == Bug::LooseToken { "0" } else { height };
        let seat = |text: &str| plain_number(text).and_then(Seat::new).filter(|seat| seat.number() <= 3);
        let out = parts.map(|text| seat(text).ok_or_else(bad)).collect::<Result<Vec<Seat>, _>>()?;
        let to_move = seat(to_move).filter(|seat| !out.contains(seat)).ok_or_else(bad)?;
        let height = plain_number(height).filter(|height| *height <= TOP + 1).ok_or_else(bad)?;
        let ply = plain_number(ply).ok_or_else(bad)?;
        Ok(Rung { height, ply, to_move, out })
    }

    fn actions(&self) -> Vec<String> {
        if self.bug == Bug::ActionMissing {
            vec!["1".to_owned()]
        } else {
            vec!["1".to_owned(), "2".to_owned()]
        }
    }

    fn scene(&self, position: &Rung, last: Option<u32>) -> Scene {
        let mut board = Board::new(1, 1);
        if self.bug == Bug::HiddenLevel {
            let piece = Piece::plain('x', Side::from_index(0));
            board.cells[0].piece = Some(Piece { level: Some(position.height), ..piece });
        }
        if self.bug == Bug::SmallScene {
            board.cells.clear();
        }
        let mark = Mark { kind: MarkKind::To, board: 0, squares: vec![Square::new(0, 0)] };
        Scene { boards: vec![board], marks: last.map(|_| mark).into_iter().collect(), captions: Vec::new() }
    }
}

fn run(bug: Bug) -> Result<Coverage, String> {
    PLANTED.set(bug);
    let effort = Effort { seed: 3, games: 40, texts: 8, perft_nodes: 100 };
    let perft = match bug {
        Bug::WrongPerft => " | startpos | 1 2 4 7",
        _ => " | startpos | 1 2 4 8\n | 20:1:30 | 1 0 0",
    };
    let refusals = " | startpos | 3 | rungs | too many";
    check::<Ladder>(effort, perft, refusals).map_err(|breach| breach.to_string())
}

#[track_caller]
fn finds(bug: Bug, words: &str) {
    let breach = run(bug).expect_err("the game has a fault");
    assert!(breach.starts_with("ladder with : ") && breach.contains(words), "{breach}");
}

#[test]
fn a_game_of_three_sides_conforms() {
    let coverage = run(Bug::Nothing).expect("nothing is wrong with it");
    assert_eq!(coverage.games, 40);
    assert_eq!(coverage.counts, 7);
}

#[test]
fn the_suite_finds_each_kind_of_bug() {
    finds(Bug::SecretMove, "is listed: false, but Ok");
    finds(Bug::Alias, "is listed: false, but Ok");
    finds(Bug::SeatWithoutPlace, "the seats that have places");
    finds(Bug::WrongCount, "the number of legal moves");
    finds(Bug::ForgetfulToken, "the token that was read");
    finds(Bug::SmallScene, "the cells of a board");
    finds(Bug::SilentRefusal, "nothing is said against");
    finds(Bug::EliminatedSeatToMove, "after seat");
    finds(Bug::Endless, "the game goes on after 2000 plies");
    finds(Bug::WrongPerft, "sequences of length 3");
    finds(Bug::LooseToken, "the token that was read");
    finds(Bug::Stuck, "whether there are no moves");
    finds(Bug::WrongPlaces, "the places");
    finds(Bug::ActionMissing, "of the move `2` is no action");
    finds(Bug::HiddenLevel, "no plane shows all of");
}
