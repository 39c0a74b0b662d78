//! The habits of the other sides, judged by their moves in the game so far.

use std::cmp::Reverse;

use crate::game_state::GameState;
use crate::view::SideView;
use linesman_games::{Rules, eliminated, is_elimination};
use linesman_types::seat::MAX_SEATS;

/// Minimum number of turns with a choice from which the habits of a side are inferred.
const MIN_TURNS: u32 = 2;

/// Maximum number of legal moves of a turn that is examined. With more, the examination would cost more than it helps.
const MAX_MOVES: usize = 600;

/// Finds the sides that play greedily, in games with at least three sides.
///
/// A search that expects all others to play as well as itself relies on them to cooperate, for example to stop a third
/// side. A side that looks only at its next position does not cooperate, but its moves can be predicted.
pub(super) struct Habits<R: Rules> {
    /// The position up to which the game was examined.
    position: Option<R::Position>,
    token: Option<String>,
    moves: Vec<String>,
    legal: Vec<R::Move>,
    /// For each side, the number of turns with a choice, and the number of those in which it played the move that
    /// looked best.
    turns: [(u32, u32); MAX_SEATS],
}

impl<R: Rules> Habits<R> {
    pub(super) fn new() -> Habits<R> {
        Habits {
            position: None,
            token: None,
            moves: Vec::new(),
            legal: Vec::new(),
            turns: Default::default(),
        }
    }

    /// Examines the game up to its current position. Returns true for each side that plays greedily.
    pub(super) fn watch(&mut self, game: &GameState<R>) -> [bool; MAX_SEATS] {
        if game.teams.sides() < 3 {
            return [false; MAX_SEATS];
        }
        if self.token != game.token || !game.moves.starts_with(&self.moves) {
            self.position = None;
        }
        let mut position = match self.position.take() {
            Some(position) => position,
            None => {
                self.moves.clear();
                self.turns = Default::default();
                self.token.clone_from(&game.token);
                let start = game.token.as_ref().and_then(|token| game.rules.parse_position(token).ok());
                start.unwrap_or_else(|| game.rules.start())
            }
        };
        for text in &game.moves[self.moves.len()..] {
            self.observe(game, &mut position, text);
        }
        self.moves.extend_from_slice(&game.moves[self.moves.len()..]);
        self.position = Some(position);
        self.turns.map(|(turns, best)| turns >= MIN_TURNS && 4 * best >= 3 * turns)
    }

    /// Examines one move of the game.
    fn observe(&mut self, game: &GameState<R>, position: &mut R::Position, text: &str) {
        let rules = &game.rules;
        if is_elimination(text) {
            eliminated(text).into_iter().for_each(|seat| rules.eliminate(position, seat));
            return;
        }
        let Ok(mv) = rules.parse_move(text) else { return };
        self.legal.clear();
        rules.legal_moves(position, &mut self.legal);
        if (2..=MAX_MOVES).contains(&self.legal.len()) {
            let mover = rules.to_move(position);
            let view = SideView::new(game.teams.clone(), mover, game.max_plies);
            let value = |mv: R::Move| greedy_value(rules, position, mv, &view);
            let played = value(mv);
            let (turns, best) = &mut self.turns[game.teams.side(mover).index()];
            *turns += 1;
            *best += u32::from(self.legal.iter().all(|other| value(*other) <= played));
        }
        rules.play(position, mv);
    }
}

/// The value of the position after a move for the mover, as the greedy engine sees it.
fn greedy_value<R: Rules>(rules: &R, position: &R::Position, mv: R::Move, view: &SideView) -> i32 {
    let next = rules.after(position, mv);
    view.ended(rules, &next).unwrap_or_else(|| view.evaluation(rules, &next))
}

/// The index of the move that looks best to its mover, or the first of several.
pub(super) fn best_looking<R: Rules>(
    game: &GameState<R>,
    position: &R::Position,
    moves: impl Iterator<Item = R::Move>,
) -> Option<usize> {
    let view = SideView::new(game.teams.clone(), game.rules.to_move(position), game.max_plies);
    let value = |mv| greedy_value(&game.rules, position, mv, &view);
    let ranked = moves.enumerate().map(|(place, mv)| (value(mv), Reverse(place)));
    ranked.max().map(|(_, Reverse(place))| place)
}

#[cfg(test)]
mod tests {
    use linesman_games::tandem::Tandem;
    use linesman_protocol::Position;
    use linesman_types::seat::Seat;

    use super::*;
    use crate::Engine;
    use crate::greedy::Greedy;
    use crate::mcts::Mcts;
    use crate::searcher::Searcher;
    use crate::tests::sides::choose;

    const PLIES: usize = 18;

    /// Plays the first [`PLIES`] moves of a game between a search and two greedy sides.
    fn first_moves(mut game: GameState<Tandem>) -> Vec<String> {
        let mut settings = Engine::Mcts.settings();
        for (name, value) in [("Nodes", "3000"), ("Hash", "1")] {
            settings.set(name, value).expect("the search has the option");
        }
        let mut search = Mcts::new(&settings, &game.rules);
        let mut moves: Vec<String> = Vec::new();
        while moves.len() < PLIES {
            let (mv, _) = match game.to_move() {
                Seat::SECOND => choose(&mut search, &game),
                _ => choose(&mut Greedy, &game),
            };
            moves.push(game.rules.text_of(mv));
            game.follow(&Position { token: None, moves: moves.clone() }).expect("searchers play legal moves");
        }
        moves
    }

    #[test]
    fn greedy_sides_are_distinguished_from_others() {
        let game = || GameState::<Tandem>::unplayed(3, "test", "players=3".to_owned());
        let moves = first_moves(game().expect("the options are right"));
        let mut game = game().expect("the options are right");
        let mut habits = Habits::new();
        assert_eq!(habits.watch(&game), [false; MAX_SEATS], "nobody has moved");
        // The game is examined in parts, then taken back.
        for (number, expected) in [(6, None), (PLIES, Some([true, false, true, false])), (1, None)] {
            let position = Position { token: None, moves: moves[..number].to_vec() };
            game.follow(&position).expect("the game can be followed");
            let watched = habits.watch(&game);
            assert_eq!(watched, Habits::new().watch(&game), "after {number} moves");
            assert!(expected.is_none_or(|expected| expected == watched), "{watched:?}");
        }
    }
}
