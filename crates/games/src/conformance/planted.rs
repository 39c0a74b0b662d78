//! The suite on Quixo with one defect at a time: mistakes that authors of games have made.

use std::cell::Cell;
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

/// A mistake.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Bug {
    Nothing,
    PlacesExchanged,
    WinnerExchanged,
    EvaluationNegated,
    OpenEvaluationNegated,
    WrongRule,
    WrongWords,
    LastMoveNotTransformed,
    RareMoveNotTransformed,
    MirroredNeighbour,
    MoveNotListed,
    MoveTooMuch,
    MoveNotKnown,
    PlyLostInToken,
    HashOfHistory,
    EqualityOfHistory,
    WrongCount,
    WrongPly,
    WrongUndo,
    LineNotMarked,
}

thread_local! {
    /// The mistake of the games that this thread makes. It is no parameter of a type, so that the suite is compiled
    /// once for all of them.
    static PLANTED: Cell<Bug> = const { Cell::new(Bug::Nothing) };
}

/// Quixo with a mistake.
struct Spoiled {
    rules: Quixo,
    bug: Bug,
}

/// A position of Quixo, and the number of moves that were made in this object.
#[derive(Clone, Debug)]
struct PlantedGame {
    position: Position,
    moves: u32,
    bug: Bug,
}

impl PartialEq for PlantedGame {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && (self.bug != Bug::EqualityOfHistory || self.moves == other.moves)
    }
}

impl Eq for PlantedGame {}

impl Hash for PlantedGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
        if self.bug == Bug::HashOfHistory {
            self.moves.hash(state);
        }
    }
}

impl Spoiled {
    fn played(&self, position: Position) -> PlantedGame {
        PlantedGame { position, moves: 0, bug: self.bug }
    }
}

/// True for the moves that some of the mistakes affect: those from the second square of the first rank.
fn is_rare(mv: Move) -> bool {
    mv.from() == Square::new(1, 0)
}

impl Rules for Spoiled {
    const ID: &'static str = Quixo::ID;
    const TITLE: &'static str = Quixo::TITLE;
    const ABOUT: &'static str = Quixo::ABOUT;
    const PERFT: &'static str = Quixo::PERFT;
    const REFUSALS: &'static str = Quixo::REFUSALS;
    const BREAKABLE: &'static [&'static str] = Quixo::BREAKABLE;
    const REASONS: &'static [Reason] = Quixo::REASONS;
    const OPTIONS: &'static [OptionSpec] = Quixo::OPTIONS;
    type Position = PlantedGame;
    type Move = Move;

    fn with_options(values: &OptionValues) -> Result<Self, OptionError> {
        Ok(Spoiled { rules: Quixo::with_options(values)?, bug: PLANTED.get() })
    }

    fn teams(&self) -> Teams {
        self.rules.teams()
    }

    fn start(&self) -> PlantedGame {
        self.played(self.rules.start())
    }

    fn to_move(&self, at: &PlantedGame) -> Seat {
        self.rules.to_move(&at.position)
    }

    fn ply(&self, at: &PlantedGame) -> u32 {
        let ply = self.rules.ply(&at.position);
        if self.bug == Bug::WrongPly && ply > 5 { ply + 1 } else { ply }
    }

    fn repetition_key(&self, at: &PlantedGame) -> PlantedGame {
        self.played(self.rules.repetition_key(&at.position))
    }

    fn legal_moves(&self, at: &PlantedGame, moves: &mut Vec<Move>) {
        self.rules.legal_moves(&at.position, moves);
        match self.bug {
            Bug::MoveNotListed | Bug::MoveNotKnown if moves.len() > 3 => moves.retain(|mv| !is_rare(*mv)),
            Bug::MoveTooMuch if moves.len() > 3 => {
                moves.extend(Move::new(Square::new(1, 1), Square::new(1, 0)));
            }
            _ => {}
        }
    }

    fn count_legal_moves(&self, at: &PlantedGame, buffer: &mut Vec<Move>) -> u64 {
        buffer.clear();
        self.legal_moves(at, buffer);
        buffer.len() as u64 + u64::from(self.bug == Bug::WrongCount && self.ply(at) == 7)
    }

    fn is_legal(&self, at: &PlantedGame, mv: Move, buffer: &mut Vec<Move>) -> bool {
        let is_known = self.bug != Bug::MoveNotKnown || !is_rare(mv);
        is_known && self.rules.is_legal(&at.position, mv, buffer)
    }

    fn play(&self, at: &mut PlantedGame, mv: Move) {
        let mirrored = self.rules.transformed_move(&at.position, mv, 1);
        let mv = if self.bug == Bug::MirroredNeighbour && is_rare(mv) { mirrored } else { mv };
        self.rules.play(&mut at.position, mv);
        at.moves += 1;
    }

    fn ending(&self, at: &PlantedGame) -> Option<Ending> {
        let mut ending = self.rules.ending(&at.position)?;
        if self.bug == Bug::PlacesExchanged || self.bug == Bug::WinnerExchanged {
            let teams = self.teams();
            ending.places = BySeat::by_measure(&teams, |seat| ending.places[seat] != Place::FIRST);
        }
        for mark in &mut ending.marks {
            if let (Bug::WinnerExchanged, MarkKind::Line(side)) = (self.bug, mark.kind) {
                mark.kind = MarkKind::Line(Side::from_index(1 - side.index()));
            }
        }
        if self.bug == Bug::LineNotMarked {
            ending.marks.clear();
        }
        Some(ending)
    }

    fn evaluate(&self, at: &PlantedGame) -> BySeat<i32> {
        let is_open = !self.rules.is_over(&at.position);
        let values = self.rules.evaluate(&at.position);
        let is_wrong = match self.bug {
            Bug::EvaluationNegated => true,
            Bug::OpenEvaluationNegated => is_open,
            // A game that confuses the seats does so everywhere.
            Bug::PlacesExchanged | Bug::WinnerExchanged => !is_open,
            _ => false,
        };
        values.map(|_, value| if is_wrong { -value } else { *value })
    }

    fn explain(&self, at: &PlantedGame, mv: Move) -> Illegal {
        let illegal = self.rules.explain(&at.position, mv);
        match (self.bug, illegal.rule) {
            (Bug::WrongRule, "not-end") => Illegal { rule: "same-square", ..illegal },
            (Bug::WrongWords, "not-end") => Illegal::new("not-end", "the cube shows the opponent's symbol"),
            _ => illegal,
        }
    }

    fn write_move(&self, mv: Move, text: &mut String) {
        self.rules.write_move(mv, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotAMove> {
        self.rules.parse_move(text)
    }

    fn write_position(&self, at: &PlantedGame, text: &mut String) {
        self.rules.write_position(&at.position, text);
    }

    fn parse_position(&self, token: &str) -> Result<PlantedGame, NotAPosition> {
        let position = self.rules.parse_position(token)?;
        let is_lost = self.bug == Bug::PlyLostInToken && self.rules.ply(&position) > 5;
        Ok(self.played(if is_lost { self.rules.repetition_key(&position) } else { position }))
    }

    fn scene(&self, at: &PlantedGame, last: Option<Move>) -> Scene {
        let mut scene = self.rules.scene(&at.position, last);
        scene.marks.extend(self.ending(at).into_iter().flat_map(|ending| ending.marks));
        scene
    }

    fn symmetries(&self) -> usize {
        self.rules.symmetries()
    }

    fn transformed(&self, at: &PlantedGame, symmetry: usize) -> PlantedGame {
        PlantedGame { position: self.rules.transformed(&at.position, symmetry), ..at.clone() }
    }

    fn transformed_move(&self, at: &PlantedGame, mv: Move, symmetry: usize) -> Move {
        let mut moves = Vec::new();
        self.rules.legal_moves(&at.position, &mut moves);
        let is_wrong = match self.bug {
            Bug::LastMoveNotTransformed => moves.last() == Some(&mv),
            Bug::RareMoveNotTransformed => is_rare(mv),
            _ => false,
        };
        if is_wrong { mv } else { self.rules.transformed_move(&at.position, mv, symmetry) }
    }

    fn solvable(&self) -> Result<Solvable<PlantedGame>, Unsolvable> {
        match self.rules.solvable()? {
            Solvable::Numbered(numbered) => {
                Ok(Solvable::Numbered(Box::new(Boards { numbered, bug: self.bug })))
            }
            Solvable::Keyed(_) => Err(Unsolvable::because("Quixo is solved by numbers")),
        }
    }
}

struct Boards {
    numbered: Box<dyn Numbered<Position>>,
    bug: Bug,
}

impl Numbered<PlantedGame> for Boards {
    fn positions(&self) -> u32 {
        self.numbered.positions()
    }

    fn number(&self, at: &PlantedGame) -> u32 {
        self.numbered.number(&at.position)
    }

    fn status(&self, number: u32) -> PositionStatus {
        self.numbered.status(number)
    }

    fn before(&self, number: u32, numbers: &mut Vec<u32>) {
        self.numbered.before(number, numbers);
        if self.bug == Bug::WrongUndo {
            numbers.retain(|before| before % 3 != 1);
        }
    }
}

fn run(bug: Bug) -> Result<(), Breach> {
    PLANTED.set(bug);
    let effort = Effort { seed: 5, games: 4, texts: 2, perft_nodes: 3_000 };
    check::<Spoiled>(effort).map(|_| ())
}

/// The suite finds the mistake and reports it in these words.
#[track_caller]
fn finds(bug: Bug, words: &str) {
    let breach = run(bug).expect_err("the game is spoiled").to_string();
    let (line, repeat) = breach.split_once('\n').expect("what was found, and how to repeat it");
    assert!(line.contains(words) && line.len() < 400, "{breach}");
    assert_eq!(repeat, "repeat: cargo test -p linesman-games conforms::quixo");
}

#[test]
fn a_game_that_is_not_spoiled_conforms() {
    assert_eq!(run(Bug::Nothing), Ok(()));
}

#[test]
fn the_suite_finds_a_game_whose_winner_and_loser_are_exchanged() {
    finds(Bug::PlacesExchanged, "which is not first");
    finds(Bug::WinnerExchanged, "no piece of it lies there");
    finds(Bug::LineNotMarked, "a line that is not marked");
}

#[test]
fn the_suite_finds_a_game_whose_evaluation_has_the_wrong_sign() {
    finds(Bug::EvaluationNegated, "at the end the first is evaluated");
    finds(Bug::OpenEvaluationNegated, "against random moves");
}

#[test]
fn the_suite_finds_a_game_whose_explanation_is_wrong() {
    finds(Bug::WrongRule, "breaks the rule `same-square`");
    finds(Bug::WrongWords, "shows the opponent's symbol");
}

#[test]
fn the_suite_finds_a_game_whose_symmetry_is_wrong_for_some_moves() {
    finds(Bug::LastMoveNotTransformed, "under symmetry");
    finds(Bug::RareMoveNotTransformed, "under symmetry");
}

#[test]
fn the_suite_finds_a_game_whose_neighbours_are_mirrored() {
    finds(Bug::MirroredNeighbour, "under symmetry");
}

#[test]
fn the_suite_finds_a_game_whose_list_of_moves_lacks_one_or_has_one_too_much() {
    finds(Bug::MoveNotListed, "under symmetry");
    finds(Bug::MoveTooMuch, "is listed and yet not legal");
    finds(Bug::MoveNotKnown, "under symmetry");
}

#[test]
fn the_suite_finds_a_game_whose_tokens_or_hashes_lose_something() {
    finds(Bug::PlyLostInToken, "the token that was read");
    finds(Bug::HashOfHistory, "the hash of the position of the token");
    finds(Bug::EqualityOfHistory, "is not the one that was played");
}

#[test]
fn the_suite_finds_a_game_whose_count_is_wrong() {
    finds(Bug::WrongCount, "the number of legal moves");
}

#[test]
fn the_suite_finds_a_game_whose_ply_or_undo_is_wrong() {
    finds(Bug::WrongPly, "the ply");
    finds(Bug::WrongUndo, "the ways back from number");
}
