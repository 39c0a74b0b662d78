//! Positions and moves under the symmetries of the board.

use super::texts::Random;
use super::{Suite, ensure, same};
use crate::ending::Ending;
use crate::rules::Rules;
use crate::symmetry;

/// Maximum number of random moves to compare under each symmetry.
const MAX_MOVES: usize = 4;
/// Maximum number of symmetries to compare in a position.
const MAX_SYMMETRIES: usize = 4;

impl<R: Rules> Suite<'_, R> {
    /// Checks that a transformed position has the same prospects, and that its moves are the transformed ones.
    pub(super) fn check_symmetries(
        &self,
        position: &R::Position,
        moves: &[R::Move],
        ending: Option<&Ending>,
        random: &mut Random,
    ) -> Result<(), String> {
        let rules = self.rules;
        same(
            "the token under symmetry 0",
            &rules.token_of(&rules.transformed(position, 0)),
            &rules.token_of(position),
        )?;
        // Some symmetries in each position, so that a game covers all of them.
        let step = rules.symmetries().div_ceil(MAX_SYMMETRIES).max(1);
        let first = rules.ply(position) as usize % step;
        for symmetry in (first..rules.symmetries()).step_by(step) {
            let image = rules.transformed(position, symmetry);
            self.same_prospects(position, &image, ending)
                .map_err(|what| format!("{what} under symmetry {symmetry}"))?;
            for _ in 0..MAX_MOVES.min(moves.len()) {
                let Some(mv) = random.pick(moves) else { break };
                self.same_outcome(position, &image, *mv, symmetry)?;
            }
            if symmetry + step >= rules.symmetries() {
                let [one, other] =
                    [position, &image].map(|position| symmetry::canonical_token(rules, position));
                same(&format!("the canonical token under symmetry {symmetry}"), &other, &one)?;
            }
        }
        Ok(())
    }

    fn same_prospects(
        &self,
        position: &R::Position,
        image: &R::Position,
        ending: Option<&Ending>,
    ) -> Result<(), String> {
        let rules = self.rules;
        same("the seat to move", &rules.to_move(image), &rules.to_move(position))?;
        same("the ply", &rules.ply(image), &rules.ply(position))?;
        same("the tie-break scores", &rules.tie_break_scores(image), &rules.tie_break_scores(position))?;
        same("the evaluation", &rules.evaluate(image), &rules.evaluate(position))?;
        let count = |position| rules.count_legal_moves(position, &mut Vec::new());
        same("the number of legal moves", &count(image), &count(position))?;
        let result = |ending: &Ending| (ending.places.clone(), ending.reason);
        same("the ending", &rules.ending(image).as_ref().map(result), &ending.map(result))
    }

    fn same_outcome(
        &self,
        position: &R::Position,
        image: &R::Position,
        mv: R::Move,
        symmetry: usize,
    ) -> Result<(), String> {
        let rules = self.rules;
        let transformed = rules.transformed_move(position, mv, symmetry);
        ensure(rules.is_legal(image, transformed, &mut Vec::new()), || {
            let (own, other) = (rules.text_of(mv), rules.text_of(transformed));
            format!("`{own}` becomes `{other}` under symmetry {symmetry} and is not legal there")
        })?;
        let (mut after, mut image_after) = (position.clone(), image.clone());
        rules.play(&mut after, mv);
        rules.play(&mut image_after, transformed);
        same(
            &format!("the outcome of `{}` under symmetry {symmetry}", rules.text_of(mv)),
            &rules.token_of(&image_after),
            &rules.token_of(&rules.transformed(&after, symmetry)),
        )
    }
}
