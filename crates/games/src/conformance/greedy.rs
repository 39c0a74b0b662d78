//! The evaluation against random moves.

use super::Suite;
use super::texts::Numbers;
use crate::rules::Rules;
use linesman_types::seat::{BySeat, Place, Seat};

/// Number of games; the same number for each side if the number of sides divides it.
const GAMES: usize = 12;
/// Maximum number of moves that are evaluated in a position.
const MOST_MOVES: usize = 40;
/// Ply at which an unfinished game is decided by its tie-break scores.
const LONGEST: u32 = 300;

impl<R: Rules> Suite<'_, R> {
    /// A seat that plays the moves with the best evaluation scores more than random moves do. Games that give
    /// every position before the end the same value are exempt.
    pub(super) fn greedy_beats_random(&self, numbers: &mut Numbers) -> Result<(), String> {
        let teams = self.rules.teams();
        let (mut score, mut has_evaluation) = (0.0, false);
        for game in 0..GAMES {
            let greedy = Seat::from_index(game % teams.seats());
            let is_greedy = |seat| teams.together(seat, greedy);
            let places = self.game_of_greedy(is_greedy, numbers, &mut has_evaluation);
            score += places.score(&teams, greedy);
        }
        if has_evaluation && score <= GAMES as f64 / 2.0 {
            return Err(format!(
                "who plays what is evaluated best scores just {score} of {GAMES} against random moves"
            ));
        }
        Ok(())
    }

    fn game_of_greedy(
        &self,
        is_greedy: impl Fn(Seat) -> bool,
        numbers: &mut Numbers,
        has_evaluation: &mut bool,
    ) -> BySeat<Place> {
        let rules = self.rules;
        let mut position = rules.start();
        let mut moves = Vec::new();
        while !rules.is_over(&position) && rules.ply(&position) < LONGEST {
            moves.clear();
            rules.legal_moves(&position, &mut moves);
            let mover = rules.to_move(&position);
            let tried = if is_greedy(mover) { moves.len().min(MOST_MOVES) } else { 1 };
            let mut best: Option<(i32, R::Position)> = None;
            for _ in 0..tried {
                let Some(mv) = numbers.pick(&moves) else { break };
                let next = rules.after(&position, *mv);
                let values = rules.evaluate(&next);
                *has_evaluation |= !rules.is_over(&next) && values.values().any(|value| *value != 0);
                let value = values.get(mover).copied().unwrap_or_default();
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, next));
                }
            }
            let Some((_, next)) = best else { break };
            position = next;
        }
        let scores = rules.tie_break_scores(&position);
        let by_limit = || BySeat::by_measure(&rules.teams(), |seat| scores[seat]);
        rules.ending(&position).map_or_else(by_limit, |ending| ending.places)
    }
}
