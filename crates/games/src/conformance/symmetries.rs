//! Positions and moves under the symmetries of the board.

use super::texts::Numbers;
use super::{Suite, hold, same};
use crate::ending::Ending;
use crate::rules::Rules;
use crate::symmetry;

/// Maximum number of moves that are compared under each symmetry, drawn at random.
const MOST_MOVES: usize = 4;
/// Maximum number of symmetries that are compared in a position.
const MOST_SYMMETRIES: usize = 4;

impl<R: Rules> Suite<'_, R> {
    /// A transformed position has the same prospects, and its moves are the transformed ones.
    pub(super) fn symmetries(
        &self,
        position: &R::Position,
        moves: &[R::Move],
        ending: Option<&Ending>,
        numbers: &mut Numbers,
    ) -> Result<(), String> {
        let rules = self.rules;
        same(
            "the token under symmetry 0",
            &rules.token_of(&rules.transformed(position, 0)),
            &rules.token_of(position),
        )?;
        // Some of them in each position, so that a game covers all of them.
        let every = rules.symmetries().div_ceil(MOST_SYMMETRIES).max(1);
        let first = rules.ply(position) as usize % every;
        for symmetry in (first..rules.symmetries()).step_by(every) {
            let seen = rules.transformed(position, symmetry);
            self.same_prospects(position, &seen, ending)
                .map_err(|what| format!("{what} under symmetry {symmetry}"))?;
            for _ in 0..MOST_MOVES.min(moves.len()) {
                let Some(mv) = numbers.pick(moves) else { break };
                self.same_outcome(position, &seen, *mv, symmetry)?;
            }
            if symmetry + every >= rules.symmetries() {
                let [one, other] = [position, &seen].map(|own| symmetry::canonical_token(rules, own));
                same(&format!("the canonical token under symmetry {symmetry}"), &other, &one)?;
            }
        }
        Ok(())
    }

    fn same_prospects(
        &self,
        position: &R::Position,
        seen: &R::Position,
        ending: Option<&Ending>,
    ) -> Result<(), String> {
        let rules = self.rules;
        same("the seat to move", &rules.to_move(seen), &rules.to_move(position))?;
        same("the ply", &rules.ply(seen), &rules.ply(position))?;
        same("the tie-break scores", &rules.tie_break_scores(seen), &rules.tie_break_scores(position))?;
        same("the evaluation", &rules.evaluate(seen), &rules.evaluate(position))?;
        let count = |position| rules.count_legal_moves(position, &mut Vec::new());
        same("the number of legal moves", &count(seen), &count(position))?;
        let said = |ending: &Ending| (ending.places.clone(), ending.reason);
        same("the ending", &rules.ending(seen).as_ref().map(said), &ending.map(said))
    }

    fn same_outcome(
        &self,
        position: &R::Position,
        seen: &R::Position,
        mv: R::Move,
        symmetry: usize,
    ) -> Result<(), String> {
        let rules = self.rules;
        let transformed = rules.transformed_move(position, mv, symmetry);
        hold(rules.is_legal(seen, transformed, &mut Vec::new()), || {
            let (own, other) = (rules.text_of(mv), rules.text_of(transformed));
            format!("`{own}` becomes `{other}` under symmetry {symmetry} and is not legal there")
        })?;
        let (mut after, mut seen_after) = (position.clone(), seen.clone());
        rules.play(&mut after, mv);
        rules.play(&mut seen_after, transformed);
        same(
            &format!("the outcome of `{}` under symmetry {symmetry}", rules.text_of(mv)),
            &rules.token_of(&seen_after),
            &rules.token_of(&rules.transformed(&after, symmetry)),
        )
    }
}
