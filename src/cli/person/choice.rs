//! The choice of a move, square by square.
//!
//! The choice depends only on the list of legal moves and the sizes of the boards. A move is divided into steps: each
//! ends with a square, and the text after the last square is another step. The person chooses among the steps that
//! continue a legal move. A step without alternatives is taken automatically, and when one move is left, that move is
//! chosen.

use crate::games::notation::Square;
use crate::games::scene::Scene;
use crate::games::{Refusal, Table};

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct BoardSquare {
    pub(super) board: usize,
    pub(super) square: Square,
}

/// A part of a move.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct ChoiceStep {
    /// The text of the move from the end of the previous step, including the square.
    pub(super) text: String,
    /// The length of the text before the square.
    lead: usize,
    /// The square; `None` after the last one.
    pub(super) place: Option<BoardSquare>,
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum Chosen {
    /// More has to be chosen.
    Part,
    /// One move is left.
    Move(String),
}

/// The legal moves, and the steps that have been chosen.
#[derive(Clone, Debug)]
pub(super) struct MoveChoice {
    moves: Vec<(String, Vec<ChoiceStep>)>,
    /// The steps that have been chosen or taken.
    made: Vec<ChoiceStep>,
    /// Number of steps before each choice of the person.
    choices: Vec<usize>,
}

impl MoveChoice {
    pub(super) fn new(legal: &[String], scene: &Scene) -> MoveChoice {
        let sizes: Vec<(usize, usize)> =
            scene.boards.iter().map(|board| (board.width, board.height)).collect();
        let moves = legal.iter().map(|text| (text.clone(), steps(text, &sizes))).collect();
        MoveChoice { moves, made: Vec::new(), choices: Vec::new() }
    }

    fn left(&self) -> impl Iterator<Item = &(String, Vec<ChoiceStep>)> {
        self.moves.iter().filter(|(_, steps)| steps.starts_with(&self.made))
    }

    /// The steps that continue legal moves, each once.
    pub(super) fn next(&self) -> Vec<&ChoiceStep> {
        let mut next: Vec<&ChoiceStep> = Vec::new();
        for (_, steps) in self.left() {
            if let Some(step) = steps.get(self.made.len()).filter(|step| !next.contains(step)) {
                next.push(step);
            }
        }
        next
    }

    /// The squares that can be chosen now, each once.
    pub(super) fn targets(&self) -> Vec<BoardSquare> {
        let mut targets = Vec::new();
        for place in self.next().into_iter().filter_map(|step| step.place) {
            if !targets.contains(&place) {
                targets.push(place);
            }
        }
        targets
    }

    /// The squares that have been chosen.
    pub(super) fn squares(&self) -> impl Iterator<Item = BoardSquare> {
        self.made.iter().filter_map(|step| step.place)
    }

    /// The part of the move that has been chosen.
    pub(super) fn text(&self) -> String {
        self.made.iter().map(|step| step.text.as_str()).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// The moves to choose from a list: those that continue without a square, and the chosen part if it is a move.
    pub(super) fn listed(&self) -> Vec<&str> {
        let whole = self.left().filter(|(_, steps)| steps.len() == self.made.len());
        let rest = self
            .left()
            .filter(|(_, steps)| steps.get(self.made.len()).is_some_and(|step| step.place.is_none()));
        whole.chain(rest).map(|(text, _)| text.as_str()).collect()
    }

    /// Chooses a square, by the step at the index `which` of those that lead to it. Returns `None` if there is none.
    pub(super) fn choose(&mut self, place: BoardSquare, which: usize) -> Option<Chosen> {
        let step = self.next().into_iter().filter(|step| step.place == Some(place)).nth(which)?.clone();
        self.choices.push(self.made.len());
        self.made.push(step);
        Some(self.settle())
    }

    /// The chosen part, continued by each step that leads to a square.
    pub(super) fn ways(&self, place: BoardSquare) -> Vec<String> {
        let steps = self.next().into_iter().filter(|step| step.place == Some(place));
        steps.map(|step| format!("{}{}", self.text(), step.text)).collect()
    }

    /// Takes the steps without alternatives.
    fn settle(&mut self) -> Chosen {
        loop {
            let mut left = self.left();
            if let (Some((text, _)), None) = (left.next(), left.next()) {
                return Chosen::Move(text.clone());
            }
            drop(left);
            let is_whole = self.left().any(|(_, steps)| steps.len() == self.made.len());
            let only = match self.next().as_slice() {
                [only] if !is_whole => (*only).clone(),
                _ => return Chosen::Part,
            };
            self.made.push(only);
        }
    }

    /// Takes back the last choice. Returns false if there is none.
    pub(super) fn take_back(&mut self) -> bool {
        let Some(made) = self.choices.pop() else { return false };
        self.made.truncate(made);
        true
    }

    /// The reason why a square can't be chosen now, in the words of the rules.
    /// The rules explain whole moves, so the square replaces a target in the legal move whose other squares are nearest
    /// to it.
    pub(super) fn explain(&self, place: BoardSquare, table: &dyn Table) -> String {
        let at = self.made.len();
        let same_board = |steps: &[ChoiceStep]| {
            steps.get(at).and_then(|step| step.place).is_some_and(|target| target.board == place.board)
        };
        let mut templates: Vec<&[ChoiceStep]> =
            self.left().map(|(_, steps)| steps.as_slice()).filter(|steps| same_board(steps)).collect();
        let nearness = |steps: &&[ChoiceStep]| {
            let others = steps[at + 1..].iter().filter_map(|step| step.place);
            let nearest = others.filter(|other| other.board == place.board);
            nearest.map(|other| distance(other.square, place.square)).min().unwrap_or(0)
        };
        templates.sort_by_key(nearness);
        for steps in templates {
            let replaced = |(index, step): (usize, &ChoiceStep)| match index == at {
                true => format!("{}{}", &step.text[..step.lead], place.square),
                false => step.text.clone(),
            };
            let text: String = steps.iter().enumerate().map(replaced).collect();
            if let Err(Refusal::Illegal(illegal)) = table.fork().play(&text) {
                let name = place.square.to_string();
                let is_named = illegal.why.contains(&name);
                return if is_named { illegal.why } else { format!("{name}: {}", illegal.why) };
            }
        }
        format!("{} can't be chosen now", place.square)
    }
}

/// The distance between two squares in steps of a chess king.
fn distance(one: Square, other: Square) -> usize {
    one.file().abs_diff(other.file()).max(one.rank().abs_diff(other.rank()))
}

/// Divides a move into steps. With several boards, a digit before a square names its board; without a digit, the square
/// is on the board of the previous one.
fn steps(text: &str, sizes: &[(usize, usize)]) -> Vec<ChoiceStep> {
    let mut steps = Vec::new();
    let (mut begin, mut at, mut board) = (0, 0, 0);
    while at < text.len() {
        let named = text[begin..at].chars().next_back().and_then(|digit| digit.to_digit(10));
        let named = named.map(|digit| digit as usize).filter(|digit| (1..=sizes.len()).contains(digit));
        let here = named.filter(|_| sizes.len() > 1).map_or(board, |number| number - 1);
        let is_on = |square: &Square| {
            sizes.get(here).is_some_and(|(width, height)| square.file() < *width && square.rank() < *height)
        };
        match Square::parse_prefix(&text[at..]).filter(|(square, _)| is_on(square)) {
            Some((square, rest)) => {
                let end = text.len() - rest.len();
                steps.push(ChoiceStep {
                    text: text[begin..end].to_owned(),
                    lead: at - begin,
                    place: Some(BoardSquare { board: here, square }),
                });
                (begin, at, board) = (end, end, here);
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    if begin < text.len() {
        steps.push(ChoiceStep { text: text[begin..].to_owned(), lead: 0, place: None });
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{find, legal_moves};

    fn table(game: &str, options: &[(&str, &str)], moves: &[&str]) -> Box<dyn Table> {
        let mut table = find(game).unwrap().configure(options).unwrap().start();
        moves.iter().for_each(|mv| table.play(mv).unwrap());
        table
    }

    fn choice(table: &dyn Table) -> MoveChoice {
        MoveChoice::new(&legal_moves(table), &table.scene())
    }

    fn on(board: usize, text: &str) -> BoardSquare {
        BoardSquare { board, square: Square::parse_prefix(text).unwrap().0 }
    }

    fn named(targets: &[BoardSquare]) -> String {
        let name = |place: &BoardSquare| format!("{}{}", place.board + 1, place.square);
        targets.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check_steps(text: &str, boards: usize, expected: &[&str]) {
        let steps = steps(text, &vec![(12, 12); boards]);
        assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), expected);
        assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<String>(), text);
    }

    #[test]
    fn moves_are_divided_after_their_squares() {
        check_steps("c1c5", 1, &["c1", "c5"]);
        check_steps("l12k12", 1, &["l12", "k12"]);
        check_steps("c1c5n", 1, &["c1", "c5", "n"]);
        check_steps("b2b3/b2y", 1, &["b2", "b3", "/b2", "y"]);
        check_steps("1c1/2e5!1b1d1!2a1c1", 2, &["1c1", "/2e5", "!1b1", "d1", "!2a1", "c1"]);
        check_steps("1d1c1/2a5e5", 2, &["1d1", "c1", "/2a5", "e5"]);
        check_steps("pass", 2, &["pass"]);
    }

    #[test]
    fn every_legal_move_can_be_chosen_by_squares_and_lists() {
        for (game, options, moves) in [
            ("quixo", &[][..], &["c1c5", "a1a5", "c1c5"][..]),
            ("quixo-teams", &[], &["c1c5n"]),
            ("trexo", &[("size", "6")], &["a1b1", "c1d1"]),
            ("kengu", &[], &["b2r", "b2b3/b2y"]),
            (
                "tandem",
                &[("layout", "quick5"), ("line", "3")],
                &["1a1/2d2", "1a3/2d5", "1b1/2e2", "1b3/2b4", "1d1/2a5", "1c5/2d4"],
            ),
        ] {
            let table = table(game, options, moves);
            let legal = legal_moves(&*table);
            for mv in &legal {
                let mut choice = choice(&*table);
                let mut chosen = Chosen::Part;
                while chosen == Chosen::Part {
                    let at = choice.made.len();
                    let wanted =
                        choice.moves.iter().find(|(text, _)| text == mv).and_then(|(_, steps)| steps.get(at));
                    chosen = match wanted.and_then(|step| step.place) {
                        Some(place) => {
                            let which =
                                choice.ways(place).iter().position(|way| mv.starts_with(way.as_str()));
                            choice.choose(place, which.unwrap()).unwrap()
                        }
                        None => {
                            assert!(choice.listed().contains(&mv.as_str()), "{game}: {mv} is not listed");
                            Chosen::Move(mv.clone())
                        }
                    };
                }
                assert_eq!(chosen, Chosen::Move(mv.clone()), "{game}");
            }
        }
    }

    #[test]
    fn targets_are_the_squares_that_continue_legal_moves() {
        let table = table("quixo", &[("size", "3")], &[]);
        let mut choice = choice(&*table);
        assert_eq!(named(&choice.targets()), "1a1 1a2 1a3 1b1 1b3 1c1 1c2 1c3");
        assert_eq!(choice.choose(on(0, "b2"), 0), None);
        assert_eq!(choice.choose(on(0, "a1"), 0), Some(Chosen::Part));
        assert_eq!((choice.text().as_str(), named(&choice.targets())), ("a1", "1a3 1c1".to_owned()));
        assert!(choice.take_back() && choice.is_empty() && !choice.take_back());
        choice.choose(on(0, "a1"), 0);
        assert_eq!(choice.choose(on(0, "c1"), 0), Some(Chosen::Move("a1c1".to_owned())));
    }

    #[test]
    fn a_color_is_chosen_from_a_list_and_a_step_without_alternatives_is_automatic() {
        let table = table("kengu", &[], &["b2r", "b2b3/b2y"]);
        let mut choice = choice(&*table);
        assert_eq!(named(&choice.targets()), "1b2");
        choice.choose(on(0, "b2"), 0);
        choice.choose(on(0, "a2"), 0);
        assert!(choice.targets().contains(&on(0, "b2")), "{choice:?}");
        choice.choose(on(0, "b2"), 0);
        assert_eq!(choice.listed(), ["b2a2/b2r", "b2a2/b2y"]);
        assert!(choice.targets().is_empty());
    }

    #[test]
    fn the_rules_explain_why_a_square_cannot_be_chosen() {
        let table = table("quixo", &[], &[]);
        let mut choice = choice(&*table);
        let why = choice.explain(on(0, "c3"), &*table);
        assert!(why.contains("c3") && why.contains("border"), "{why}");
        choice.choose(on(0, "c1"), 0);
        let why = choice.explain(on(0, "b5"), &*table);
        assert!(why.contains("b5"), "{why}");
    }
}
