//! Moves as numbers, for programs that choose among a fixed list.
//!
//! An action is a whole move or, in a game with too many moves to list them all, a part of a move. The
//! spelling of a move is the joined spelling of its actions.

use crate::table::{Setup, Table};

/// All actions of a game under its options, in any position, numbered from 0.
#[derive(Clone, Debug)]
pub struct Actions {
    /// In byte order.
    texts: Vec<String>,
}

impl Actions {
    /// Collects the actions of a game with its options fixed.
    pub fn of(setup: &dyn Setup) -> Actions {
        let mut texts = setup.actions();
        texts.sort_unstable();
        Actions { texts }
    }

    /// The texts of the actions in byte order. An action's index is its number.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The number of an action, if the game has it.
    pub fn number(&self, text: &str) -> Option<usize> {
        self.texts.binary_search_by(|action| action.as_str().cmp(text)).ok()
    }

    /// Visits the number of each action that can follow the `chosen` ones of a turn, given as their joined
    /// texts. It may visit an action more than once. It visits none if `chosen` is a whole move or does not
    /// begin a legal one.
    pub fn next(&self, setup: &dyn Setup, table: &dyn Table, chosen: &str, mut visit: impl FnMut(usize)) {
        table.legal(&mut |text| {
            let Some(rest) = rest_after(setup, text, chosen) else { return };
            if !rest.is_empty() {
                let action = setup.first_action(rest);
                visit(self.number(action).expect("moves are made of the game's actions"));
            }
        });
    }
}

/// Returns the rest of a move's text after the chosen actions, if it begins with them.
fn rest_after<'t>(setup: &dyn Setup, text: &'t str, chosen: &str) -> Option<&'t str> {
    if !text.starts_with(chosen) {
        return None;
    }
    // A common prefix is not enough: the text of the square `a10` begins with that of `a1`.
    let mut rest = text;
    while text.len() - rest.len() < chosen.len() {
        rest = &rest[setup.first_action(rest).len()..];
    }
    (text.len() - rest.len() == chosen.len()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::setup;

    #[test]
    fn each_game_has_its_number_of_actions() {
        for (game, options, number) in [
            ("quixo", "", 44),
            ("quixo", "size=3", 20),
            ("quixo-teams", "", 4 * 44 + 1),
            ("trexo", "", 360),
            // Cards placed, flips that lose, and flips with a card placed anywhere except on the flipped one.
            ("kengu", "", 32 + 48 + 48 * 30),
            // Placements, slides and windows on each board, and the pass.
            ("tandem", "", 2 * (36 + 36 * 35 + 32) + 1),
        ] {
            let actions = Actions::of(&*setup(game, options));
            assert_eq!(actions.texts().len(), number, "{game} {options}");
        }
    }

    #[test]
    fn a_move_is_chosen_one_action_at_a_time() {
        let setup = setup("tandem", "");
        let mut table = setup.start();
        let actions = Actions::of(&*setup);
        let next = |table: &dyn Table, chosen: &str| {
            let mut next = Vec::new();
            actions.next(&*setup, table, chosen, |number| next.push(actions.texts()[number].clone()));
            next.sort();
            next.dedup();
            next
        };
        assert_eq!(next(&*table, "").len(), 36);
        // The six squares of board 2 that have the colour of c3 on board 1.
        assert_eq!(next(&*table, "1c3").len(), 6);
        assert_eq!(next(&*table, "1c"), [""; 0], "half an action begins no move");
        let second = next(&*table, "1c3")[0].clone();
        let mv = format!("1c3{second}");
        assert_eq!(next(&*table, &mv), [""; 0], "the move is whole");
        table.play(&mv).expect("it is made of actions that could come next");
    }
}
