//! The suite on Quixo with one defect at a time: mistakes that authors of games have made.

use std::hash::{Hash, Hasher};

use super::{Breach, Effort, check};
use crate::ending::Ending;
use crate::notation::{Illegal, NotAMove, NotAPosition, Square};
use crate::options::{OptionError, OptionSpec, OptionValues};
use crate::quixo::{Move, Position, Quixo};
use crate::rules::Rules;
use crate::scene::{MarkKind, Scene};
use crate::solvable::{Numbered, PositionStatus, Solvable, Unsolvable};
use linesman_types::seat::{BySeat, Place, Seat, Side, Teams};
use linesman_types::verdict::Reason;

const NOTHING: u8 = 0;
const PLACES_EXCHANGED: u8 = 1;
const WINNER_EXCHANGED: u8 = 2;
const EVALUATION_NEGATED: u8 = 3;
const OPEN_EVALUATION_NEGATED: u8 = 4;
const WRONG_RULE: u8 = 5;
const WRONG_WORDS: u8 = 6;
const LAST_MOVE_NOT_TRANSFORMED: u8 = 7;
const RARE_MOVE_NOT_TRANSFORMED: u8 = 8;
const MIRRORED_NEIGHBOUR: u8 = 9;
const MOVE_NOT_LISTED: u8 = 10;
const MOVE_TOO_MUCH: u8 = 11;
const MOVE_NOT_KNOWN: u8 = 12;
const PLY_LOST_IN_TOKEN: u8 = 13;
const HASH_OF_HISTORY: u8 = 14;
const EQUALITY_OF_HISTORY: u8 = 15;
const WRONG_COUNT: u8 = 16;
const WRONG_PLY: u8 = 17;
const WRONG_UNDO: u8 = 18;
const LINE_NOT_MARKED: u8 = 19;

/// Quixo with a mistake.
struct Spoiled<const BUG: u8>(Quixo);

/// A position of Quixo, and the number of moves that were made in this object.
#[derive(Clone, Debug)]
struct PlantedGame<const BUG: u8> {
    position: Position,
    moves: u32,
}

impl<const BUG: u8> PartialEq for PlantedGame<BUG> {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && (BUG != EQUALITY_OF_HISTORY || self.moves == other.moves)
    }
}

impl<const BUG: u8> Eq for PlantedGame<BUG> {}

impl<const BUG: u8> Hash for PlantedGame<BUG> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
        if BUG == HASH_OF_HISTORY {
            self.moves.hash(state);
        }
    }
}

fn played<const BUG: u8>(position: Position) -> PlantedGame<BUG> {
    PlantedGame { position, moves: 0 }
}

/// True for the moves that some of the mistakes affect: those from the second square of the first rank.
fn is_rare(mv: Move) -> bool {
    mv.from() == Square::new(1, 0)
}

impl<const BUG: u8> Rules for Spoiled<BUG> {
    const ID: &'static str = Quixo::ID;
    const TITLE: &'static str = Quixo::TITLE;
    const ABOUT: &'static str = Quixo::ABOUT;
    const PERFT: &'static str = Quixo::PERFT;
    const REFUSALS: &'static str = Quixo::REFUSALS;
    const BREAKABLE: &'static [&'static str] = Quixo::BREAKABLE;
    const REASONS: &'static [Reason] = Quixo::REASONS;
    const OPTIONS: &'static [OptionSpec] = Quixo::OPTIONS;
    type Position = PlantedGame<BUG>;
    type Move = Move;

    fn with_options(values: &OptionValues) -> Result<Self, OptionError> {
        Quixo::with_options(values).map(Spoiled)
    }

    fn teams(&self) -> Teams {
        self.0.teams()
    }

    fn start(&self) -> PlantedGame<BUG> {
        played(self.0.start())
    }

    fn to_move(&self, at: &PlantedGame<BUG>) -> Seat {
        self.0.to_move(&at.position)
    }

    fn ply(&self, at: &PlantedGame<BUG>) -> u32 {
        let ply = self.0.ply(&at.position);
        if BUG == WRONG_PLY && ply > 5 { ply + 1 } else { ply }
    }

    fn repetition_key(&self, at: &PlantedGame<BUG>) -> PlantedGame<BUG> {
        played(self.0.repetition_key(&at.position))
    }

    fn legal_moves(&self, at: &PlantedGame<BUG>, moves: &mut Vec<Move>) {
        self.0.legal_moves(&at.position, moves);
        match BUG {
            MOVE_NOT_LISTED | MOVE_NOT_KNOWN if moves.len() > 3 => moves.retain(|mv| !is_rare(*mv)),
            MOVE_TOO_MUCH if moves.len() > 3 => {
                moves.extend(Move::new(Square::new(1, 1), Square::new(1, 0)));
            }
            _ => {}
        }
    }

    fn count_legal_moves(&self, at: &PlantedGame<BUG>, buffer: &mut Vec<Move>) -> u64 {
        buffer.clear();
        self.legal_moves(at, buffer);
        buffer.len() as u64 + u64::from(BUG == WRONG_COUNT && self.ply(at) == 7)
    }

    fn is_legal(&self, at: &PlantedGame<BUG>, mv: Move, buffer: &mut Vec<Move>) -> bool {
        let is_known = BUG != MOVE_NOT_KNOWN || !is_rare(mv);
        is_known && self.0.is_legal(&at.position, mv, buffer)
    }

    fn play(&self, at: &mut PlantedGame<BUG>, mv: Move) {
        let mirrored = self.0.transformed_move(&at.position, mv, 1);
        let mv = if BUG == MIRRORED_NEIGHBOUR && is_rare(mv) { mirrored } else { mv };
        self.0.play(&mut at.position, mv);
        at.moves += 1;
    }

    fn ending(&self, at: &PlantedGame<BUG>) -> Option<Ending> {
        let mut ending = self.0.ending(&at.position)?;
        if BUG == PLACES_EXCHANGED || BUG == WINNER_EXCHANGED {
            let teams = self.teams();
            ending.places = BySeat::by_measure(&teams, |seat| ending.places[seat] != Place::FIRST);
        }
        for mark in &mut ending.marks {
            if let (WINNER_EXCHANGED, MarkKind::Line(side)) = (BUG, mark.kind) {
                mark.kind = MarkKind::Line(Side::from_index(1 - side.index()));
            }
        }
        if BUG == LINE_NOT_MARKED {
            ending.marks.clear();
        }
        Some(ending)
    }

    fn evaluate(&self, at: &PlantedGame<BUG>) -> BySeat<i32> {
        let is_open = !self.0.is_over(&at.position);
        let values = self.0.evaluate(&at.position);
        let is_wrong = match BUG {
            EVALUATION_NEGATED => true,
            OPEN_EVALUATION_NEGATED => is_open,
            // A game that confuses the seats does so everywhere.
            PLACES_EXCHANGED | WINNER_EXCHANGED => !is_open,
            _ => false,
        };
        values.map(|_, value| if is_wrong { -value } else { *value })
    }

    fn explain(&self, at: &PlantedGame<BUG>, mv: Move) -> Illegal {
        let illegal = self.0.explain(&at.position, mv);
        match (BUG, illegal.rule) {
            (WRONG_RULE, "not-end") => Illegal { rule: "same-square", ..illegal },
            (WRONG_WORDS, "not-end") => Illegal::new("not-end", "the cube shows the opponent's symbol"),
            _ => illegal,
        }
    }

    fn write_move(&self, mv: Move, text: &mut String) {
        self.0.write_move(mv, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotAMove> {
        self.0.parse_move(text)
    }

    fn write_position(&self, at: &PlantedGame<BUG>, text: &mut String) {
        self.0.write_position(&at.position, text);
    }

    fn parse_position(&self, token: &str) -> Result<PlantedGame<BUG>, NotAPosition> {
        let position = self.0.parse_position(token)?;
        let is_lost = BUG == PLY_LOST_IN_TOKEN && self.0.ply(&position) > 5;
        Ok(played(if is_lost { self.0.repetition_key(&position) } else { position }))
    }

    fn scene(&self, at: &PlantedGame<BUG>, last: Option<Move>) -> Scene {
        let mut scene = self.0.scene(&at.position, last);
        scene.marks.extend(self.ending(at).into_iter().flat_map(|ending| ending.marks));
        scene
    }

    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn transformed(&self, at: &PlantedGame<BUG>, symmetry: usize) -> PlantedGame<BUG> {
        PlantedGame { position: self.0.transformed(&at.position, symmetry), moves: at.moves }
    }

    fn transformed_move(&self, at: &PlantedGame<BUG>, mv: Move, symmetry: usize) -> Move {
        let mut moves = Vec::new();
        self.0.legal_moves(&at.position, &mut moves);
        let is_wrong = match BUG {
            LAST_MOVE_NOT_TRANSFORMED => moves.last() == Some(&mv),
            RARE_MOVE_NOT_TRANSFORMED => is_rare(mv),
            _ => false,
        };
        if is_wrong { mv } else { self.0.transformed_move(&at.position, mv, symmetry) }
    }

    fn solvable(&self) -> Result<Solvable<PlantedGame<BUG>>, Unsolvable> {
        match self.0.solvable()? {
            Solvable::Numbered(numbered) => Ok(Solvable::Numbered(Box::new(Boards(numbered)))),
            Solvable::Keyed(_) => Err(Unsolvable::because("Quixo is solved by numbers")),
        }
    }
}

struct Boards(Box<dyn Numbered<Position>>);

impl<const BUG: u8> Numbered<PlantedGame<BUG>> for Boards {
    fn positions(&self) -> u32 {
        self.0.positions()
    }

    fn number(&self, at: &PlantedGame<BUG>) -> u32 {
        self.0.number(&at.position)
    }

    fn status(&self, number: u32) -> PositionStatus {
        self.0.status(number)
    }

    fn before(&self, number: u32, numbers: &mut Vec<u32>) {
        self.0.before(number, numbers);
        if BUG == WRONG_UNDO {
            numbers.retain(|before| before % 3 != 1);
        }
    }
}

fn run<const BUG: u8>() -> Result<(), Breach> {
    let effort = Effort { seed: 5, games: 4, texts: 2, perft_nodes: 3_000 };
    check::<Spoiled<BUG>>(effort).map(|_| ())
}

/// The suite finds the mistake and reports it in these words.
#[track_caller]
fn finds<const BUG: u8>(words: &str) {
    let breach = run::<BUG>().expect_err("the game is spoiled").to_string();
    let (line, repeat) = breach.split_once('\n').expect("what was found, and how to repeat it");
    assert!(line.contains(words) && line.len() < 400, "{breach}");
    assert_eq!(repeat, "repeat: cargo test -p linesman-games conforms::quixo");
}

#[test]
fn a_game_that_is_not_spoiled_conforms() {
    assert_eq!(run::<NOTHING>(), Ok(()));
}

#[test]
fn the_suite_finds_a_game_whose_winner_and_loser_are_exchanged() {
    finds::<PLACES_EXCHANGED>("which is not first");
    finds::<WINNER_EXCHANGED>("no piece of it lies there");
    finds::<LINE_NOT_MARKED>("a line that is not marked");
}

#[test]
fn the_suite_finds_a_game_whose_evaluation_has_the_wrong_sign() {
    finds::<EVALUATION_NEGATED>("at the end the first is evaluated");
    finds::<OPEN_EVALUATION_NEGATED>("against random moves");
}

#[test]
fn the_suite_finds_a_game_whose_explanation_is_wrong() {
    finds::<WRONG_RULE>("breaks the rule `same-square`");
    finds::<WRONG_WORDS>("shows the opponent's symbol");
}

#[test]
fn the_suite_finds_a_game_whose_symmetry_is_wrong_for_some_moves() {
    finds::<LAST_MOVE_NOT_TRANSFORMED>("under symmetry");
    finds::<RARE_MOVE_NOT_TRANSFORMED>("under symmetry");
}

#[test]
fn the_suite_finds_a_game_whose_neighbours_are_mirrored() {
    finds::<MIRRORED_NEIGHBOUR>("under symmetry");
}

#[test]
fn the_suite_finds_a_game_whose_list_of_moves_lacks_one_or_has_one_too_much() {
    finds::<MOVE_NOT_LISTED>("under symmetry");
    finds::<MOVE_TOO_MUCH>("is listed and yet not legal");
    finds::<MOVE_NOT_KNOWN>("under symmetry");
}

#[test]
fn the_suite_finds_a_game_whose_tokens_or_hashes_lose_something() {
    finds::<PLY_LOST_IN_TOKEN>("the token that was read");
    finds::<HASH_OF_HISTORY>("the hash of the position of the token");
    finds::<EQUALITY_OF_HISTORY>("is not the one that was played");
}

#[test]
fn the_suite_finds_a_game_whose_count_is_wrong() {
    finds::<WRONG_COUNT>("the number of legal moves");
}

#[test]
fn the_suite_finds_a_game_whose_ply_or_undo_is_wrong() {
    finds::<WRONG_PLY>("the ply");
    finds::<WRONG_UNDO>("the ways back from number");
}
