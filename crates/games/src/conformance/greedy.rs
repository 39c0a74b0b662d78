//! A greedy player against random moves, as a check of the evaluation.

use super::Suite;
use super::texts::Random;
use crate::rules::Rules;
use linesman_types::seat::{BySeat, Place, Seat};

/// Number of games; equal for each side if the number of sides divides it.
const GAMES: usize = 12;
/// Maximum number of moves to evaluate in a position.
const MAX_MOVES: usize = 40;
/// Ply at which an unfinished game is decided by its tie-break scores.
const MAX_PLIES: u32 = 300;

impl<R: Rules> Suite<'_, R> {
    /// Checks that a side with greedy moves scores more than random moves. Games that evaluate every position
    /// before the end as 0 are exempt.
    pub(super) fn greedy_beats_random(&self, random: &mut Random) -> Result<(), String> {
        let teams = self.rules.teams();
        let (mut score, mut has_evaluation) = (0.0, false);
        for game in 0..GAMES {
            let greedy = Seat::from_index(game % teams.seats());
            let is_greedy = |seat| teams.together(seat, greedy);
            let places = self.play_greedy_game(is_greedy, random, &mut has_evaluation);
            score += places.score(&teams, greedy);
        }
        if has_evaluation && score <= GAMES as f64 / 2.0 {
            return Err(format!(
                "who plays what is evaluated best scores just {score} of {GAMES} against random moves"
            ));
        }
        Ok(())
    }

    fn play_greedy_game(
        &self,
        is_greedy: impl Fn(Seat) -> bool,
        random: &mut Random,
        has_evaluation: &mut bool,
    ) -> BySeat<Place> {
        let rules = self.rules;
        let mut position = rules.start();
        let mut moves = Vec::new();
        while !rules.is_over(&position) && rules.ply(&position) < MAX_PLIES {
            moves.clear();
            rules.legal_moves(&position, &mut moves);
            let mover = rules.to_move(&position);
            let tried = if is_greedy(mover) { moves.len().min(MAX_MOVES) } else { 1 };
            let mut best: Option<(i32, R::Position)> = None;
            for _ in 0..tried {
                let Some(mv) = random.pick(&moves) else { break };
                let next = rules.after(&position, *mv);
                let values = rules.evaluate(&next);
                *has_evaluation |= !rules.is_over(&next) && values.values().any(|value| *value != 0);
                let value = values.get(mover).copied().unwrap_or_default();
                if best.as_ref().is_none_or(|(best_value, _)| value > *best_value) {
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
