//! The suite on Quixo with one bug at a time, of the kinds that authors of games have made.

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

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Bug {
    Nothing,
    PlacesSwapped,
    WinnerSwapped,
    EvaluationNegated,
    OpenEvaluationNegated,
    WrongRule,
    WrongWords,
    LastMoveNotTransformed,
    RareMoveNotTransformed,
    MirroredNeighbour,
    MoveNotListed,
    ExtraMove,
    MoveNotLegal,
    PlyLostInToken,
    HistoryInHash,
    HistoryInEquality,
    WrongCount,
    WrongPly,
    WrongUndo,
    LineNotMarked,
    PlyInKey,
    EndingInScene,
}

thread_local! {
    /// The bug of the games that this thread makes. It is not a type parameter, so that the suite is compiled only
    /// once.
    static PLANTED: Cell<Bug> = const { Cell::new(Bug::Nothing) };
}

struct BuggyQuixo {
    rules: Quixo,
    bug: Bug,
}

/// A position of Quixo, and the number of moves played since it was made or read.
#[derive(Clone, Debug)]
struct BuggyPosition {
    position: Position,
    moves: u32,
    bug: Bug,
}

impl PartialEq for BuggyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && (self.bug != Bug::HistoryInEquality || self.moves == other.moves)
    }
}

impl Eq for BuggyPosition {}

impl Hash for BuggyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
        if self.bug == Bug::HistoryInHash {
            self.moves.hash(state);
        }
    }
}

impl BuggyQuixo {
    fn wrap(&self, position: Position) -> BuggyPosition {
        BuggyPosition { position, moves: 0, bug: self.bug }
    }
}

/// Returns true for the moves that some of the bugs affect: those from the second square of the first rank.
fn is_rare(mv: Move) -> bool {
    mv.from() == Square::new(1, 0)
}

impl Rules for BuggyQuixo {
    const ID: &'static str = Quixo::ID;
    const TITLE: &'static str = Quixo::TITLE;
    const ABOUT: &'static str = Quixo::ABOUT;
    const BREAKABLE: &'static [&'static str] = Quixo::BREAKABLE;
    const REASONS: &'static [Reason] = Quixo::REASONS;
    const OPTIONS: &'static [OptionSpec] = Quixo::OPTIONS;
    type Position = BuggyPosition;
    type Move = Move;

    fn with_options(values: &OptionValues) -> Result<Self, OptionError> {
        Ok(BuggyQuixo { rules: Quixo::with_options(values)?, bug: PLANTED.get() })
    }

    fn teams(&self) -> Teams {
        self.rules.teams()
    }

    fn start(&self) -> BuggyPosition {
        self.wrap(self.rules.start())
    }

    fn to_move(&self, at: &BuggyPosition) -> Seat {
        self.rules.to_move(&at.position)
    }

    fn ply(&self, at: &BuggyPosition) -> u32 {
        let ply = self.rules.ply(&at.position);
        if self.bug == Bug::WrongPly && ply > 5 { ply + 1 } else { ply }
    }

    fn repetition_key(&self, at: &BuggyPosition) -> BuggyPosition {
        let has_ply = self.bug == Bug::PlyInKey;
        self.wrap(if has_ply { at.position } else { self.rules.repetition_key(&at.position) })
    }

    fn legal_moves(&self, at: &BuggyPosition, moves: &mut Vec<Move>) {
        self.rules.legal_moves(&at.position, moves);
        match self.bug {
            Bug::MoveNotListed | Bug::MoveNotLegal if moves.len() > 3 => moves.retain(|mv| !is_rare(*mv)),
            Bug::ExtraMove if moves.len() > 3 => {
                moves.extend(Move::new(Square::new(1, 1), Square::new(1, 0)));
            }
            _ => {}
        }
    }

    fn count_legal_moves(&self, at: &BuggyPosition, buffer: &mut Vec<Move>) -> u64 {
        buffer.clear();
        self.legal_moves(at, buffer);
        buffer.len() as u64 + u64::from(self.bug == Bug::WrongCount && self.ply(at) == 7)
    }

    fn is_legal(&self, at: &BuggyPosition, mv: Move, buffer: &mut Vec<Move>) -> bool {
        let is_known = self.bug != Bug::MoveNotLegal || !is_rare(mv);
        is_known && self.rules.is_legal(&at.position, mv, buffer)
    }

    fn play(&self, at: &mut BuggyPosition, mv: Move) {
        let mirrored = self.rules.transformed_move(&at.position, mv, 1);
        let mv = if self.bug == Bug::MirroredNeighbour && is_rare(mv) { mirrored } else { mv };
        self.rules.play(&mut at.position, mv);
        at.moves += 1;
    }

    fn ending(&self, at: &BuggyPosition) -> Option<Ending> {
        let mut ending = self.rules.ending(&at.position)?;
        if self.bug == Bug::PlacesSwapped || self.bug == Bug::WinnerSwapped {
            let teams = self.teams();
            ending.places = BySeat::by_measure(&teams, |seat| ending.places[seat] != Place::FIRST);
        }
        for mark in &mut ending.marks {
            if let (Bug::WinnerSwapped, MarkKind::Line(side)) = (self.bug, mark.kind) {
                mark.kind = MarkKind::Line(Side::from_index(1 - side.index()));
            }
        }
        if self.bug == Bug::LineNotMarked {
            ending.marks.clear();
        }
        Some(ending)
    }

    fn evaluate(&self, at: &BuggyPosition) -> BySeat<i32> {
        let is_open = !self.rules.is_over(&at.position);
        let values = self.rules.evaluate(&at.position);
        let is_wrong = match self.bug {
            Bug::EvaluationNegated => true,
            Bug::OpenEvaluationNegated => is_open,
            // A game that confuses the seats does so everywhere.
            Bug::PlacesSwapped | Bug::WinnerSwapped => !is_open,
            _ => false,
        };
        values.map(|_, value| if is_wrong { -value } else { *value })
    }

    fn explain(&self, at: &BuggyPosition, mv: Move) -> Illegal {
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

    fn write_position(&self, at: &BuggyPosition, text: &mut String) {
        self.rules.write_position(&at.position, text);
    }

    fn parse_position(&self, token: &str) -> Result<BuggyPosition, NotAPosition> {
        let position = self.rules.parse_position(token)?;
        let is_lost = self.bug == Bug::PlyLostInToken && self.rules.ply(&position) > 5;
        Ok(self.wrap(if is_lost { self.rules.repetition_key(&position) } else { position }))
    }

    fn scene(&self, at: &BuggyPosition, last: Option<Move>) -> Scene {
        let mut scene = self.rules.scene(&at.position, last);
        if self.bug == Bug::EndingInScene {
            scene.marks.extend(self.ending(at).into_iter().flat_map(|ending| ending.marks));
        }
        scene
    }

    fn symmetries(&self) -> usize {
        self.rules.symmetries()
    }

    fn transformed(&self, at: &BuggyPosition, symmetry: usize) -> BuggyPosition {
        BuggyPosition { position: self.rules.transformed(&at.position, symmetry), ..at.clone() }
    }

    fn transformed_move(&self, at: &BuggyPosition, mv: Move, symmetry: usize) -> Move {
        let mut moves = Vec::new();
        self.rules.legal_moves(&at.position, &mut moves);
        let is_wrong = match self.bug {
            Bug::LastMoveNotTransformed => moves.last() == Some(&mv),
            Bug::RareMoveNotTransformed => is_rare(mv),
            _ => false,
        };
        if is_wrong { mv } else { self.rules.transformed_move(&at.position, mv, symmetry) }
    }

    fn solvable(&self) -> Result<Solvable<BuggyPosition>, Unsolvable> {
        match self.rules.solvable()? {
            Solvable::Numbered(numbered) => {
                Ok(Solvable::Numbered(Box::new(BuggyNumbers { numbered, bug: self.bug })))
            }
            Solvable::Keyed(_) => Err(Unsolvable::because("Quixo is solved by numbers")),
        }
    }
}

struct BuggyNumbers {
    numbered: Box<dyn Numbered<Position>>,
    bug: Bug,
}

impl Numbered<BuggyPosition> for BuggyNumbers {
    fn positions(&self) -> u32 {
        self.numbered.positions()
    }

    fn number(&self, at: &BuggyPosition) -> u32 {
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
    let (perft, refusals) = (include_str!("../quixo/perft.txt"), include_str!("../quixo/refusals.txt"));
    check::<BuggyQuixo>(effort, perft, refusals).map(|_| ())
}

/// Checks that the suite finds the bug and reports it in these words.
#[track_caller]
fn finds(bug: Bug, words: &str) {
    let breach = run(bug).expect_err("the game is spoiled").to_string();
    let (line, repeat) = breach.split_once('\n').expect("what was found, and how to repeat it");
    assert!(line.contains(words) && line.len() < 400, "{breach}");
    assert_eq!(repeat, "repeat: cargo test -p linesman-games conforms::quixo");
}

#[test]
fn a_game_without_a_bug_conforms() {
    assert_eq!(run(Bug::Nothing), Ok(()));
}

#[test]
fn the_suite_finds_wrong_winners_and_unmarked_lines() {
    finds(Bug::PlacesSwapped, "which is not first");
    finds(Bug::WinnerSwapped, "no piece of it lies there");
    finds(Bug::LineNotMarked, "a line that is not marked");
    finds(Bug::EndingInScene, "the scene without a last move has marks");
}

#[test]
fn the_suite_finds_negated_evaluations() {
    finds(Bug::EvaluationNegated, "at the end the first is evaluated");
    finds(Bug::OpenEvaluationNegated, "against random moves");
}

#[test]
fn the_suite_finds_wrong_explanations() {
    finds(Bug::WrongRule, "breaks the rule `same-square`");
    finds(Bug::WrongWords, "shows the opponent's symbol");
}

#[test]
fn the_suite_finds_wrong_symmetries() {
    finds(Bug::LastMoveNotTransformed, "under symmetry");
    finds(Bug::RareMoveNotTransformed, "under symmetry");
}

#[test]
fn the_suite_finds_mirrored_neighbours() {
    finds(Bug::MirroredNeighbour, "under symmetry");
}

#[test]
fn the_suite_finds_missing_and_extra_moves() {
    finds(Bug::MoveNotListed, "under symmetry");
    finds(Bug::ExtraMove, "is listed and yet not legal");
    finds(Bug::MoveNotLegal, "under symmetry");
}

#[test]
fn the_suite_finds_wrong_tokens_hashes_and_equality() {
    finds(Bug::PlyLostInToken, "the token that was read");
    finds(Bug::HistoryInHash, "the hash of the position of the token");
    finds(Bug::HistoryInEquality, "is not the one that was played");
}

#[test]
fn the_suite_finds_wrong_counts() {
    finds(Bug::WrongCount, "the number of legal moves");
}

#[test]
fn the_suite_finds_wrong_plies_and_undos() {
    finds(Bug::WrongPly, "the ply");
    finds(Bug::WrongUndo, "the ways back from number");
    finds(Bug::PlyInKey, "the repetition key contains the ply");
}
