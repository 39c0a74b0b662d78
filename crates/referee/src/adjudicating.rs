//! Games that are decided before their rules end them.

use crate::state_machine::Core;
use linesman_games::solvable::Outcome;
use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::adjudication::Decision;

impl Core {
    /// Returns the decision after a seat's move with this score, if there is one and the rules have not ended the game.
    pub(super) fn decision(&mut self, seat: Seat, score: Option<i64>) -> Option<Decision> {
        let agreed = self.scores.played(seat, score, self.table.ply());
        if self.table.is_over() {
            return None;
        }
        agreed.or_else(|| self.decision_by_table())
    }

    fn decision_by_table(&self) -> Option<Decision> {
        let rule = self.setup.adjudication.table.as_ref()?;
        if self.teams.sides() != 2 || self.table.ply() < rule.from {
            return None;
        }
        let outcome = rule.oracle.outcome(&self.table.token())?;
        let mover = self.table.to_move();
        let places = BySeat::by_measure(&self.teams, |seat| {
            if self.teams.together(seat, mover) { outcome } else { outcome.reversed() }
        });
        let why = match outcome {
            Outcome::Draw => "neither side can win according to the table of the solved game",
            Outcome::Win | Outcome::Loss => "the result is certain according to the table of the solved game",
        };
        Some(Decision { places, why: why.to_owned() })
    }
}
