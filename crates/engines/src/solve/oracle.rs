//! Looks positions up in the table of a solved game.

use std::sync::Arc;

use super::retrograde;
use super::table::{KnownValues, SolvedTable, best_in_table};
use crate::cant_follow::CantFollow;
use linesman_games::solvable::{Oracle, Outcome, QuickCheck, Solvable};
use linesman_games::{OptionValues, Rules, RulesVisitor, with_rules};

/// Creates an oracle that looks up the values of positions in a table, for a game with these options.
///
/// A win that takes longer than `max_plies` allows is a draw. Earlier occurrences of positions are not considered. If a
/// table has only the strategy of one seat (Kengu), most positions have no value.
///
/// # Errors
/// The table is for another game, or for other options.
pub fn oracle(table: SolvedTable, game: &str, options: &OptionValues) -> Result<Arc<dyn Oracle>, CantFollow> {
    with_rules(game, Making { table, options })
        .unwrap_or_else(|| Err(CantFollow::Game { game: game.to_owned() }))
}

struct Making<'m> {
    table: SolvedTable,
    options: &'m OptionValues,
}

impl RulesVisitor for Making<'_> {
    type Output = Result<Arc<dyn Oracle>, CantFollow>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Making { table, options } = self;
        let bad = |error| CantFollow::Options { game: R::ID.to_owned(), error };
        let rules = R::with_options(options).map_err(bad)?;
        let solvable = table.solvable(&rules, options)?;
        Ok(Arc::new(OfRules { rules, solvable, table, max_plies: options.limit("max_plies") }))
    }
}

struct OfRules<R: Rules> {
    rules: R,
    solvable: Solvable<R::Position>,
    table: SolvedTable,
    max_plies: Option<u32>,
}

impl<R: Rules> Oracle for OfRules<R> {
    fn outcome(&self, token: &str) -> Option<Outcome> {
        let position = self.rules.parse_position(token).ok()?;
        match (&self.solvable, &self.table.known) {
            (Solvable::Numbered(numbered), KnownValues::Numbered(bytes)) => {
                let value = retrograde::value(*bytes.get(numbered.number(&position) as usize)?);
                let left = self.max_plies.map(|max| max.saturating_sub(self.rules.ply(&position)));
                Some(value.within(left).outcome())
            }
            (Solvable::Keyed(keyed), KnownValues::Keyed(known)) => match keyed.quick_check(&position) {
                QuickCheck::Decided(outcome) => Some(outcome),
                // The other values in the table are only upper bounds.
                QuickCheck::Open { .. } => {
                    best_in_table(&**keyed, known, &position).filter(|best| *best == Outcome::Loss)
                }
            },
            _ => None,
        }
    }
}
