//! Games played at random, which show the size of a usual lead.

use super::chance::Chance;
use linesman_games::Rules;

/// The number of moves played.
const MOVES: usize = 4_000;

/// The maximum number of moves of one game: endless play says nothing.
const MOVES_A_GAME: usize = 200;

/// Calls `each` with the positions of some random games in which the game goes on. They are the same every time.
pub(super) fn each_position<R: Rules>(rules: &R, mut each: impl FnMut(&R::Position)) {
    let mut chance = Chance::of("usual lead");
    let (mut moves, mut played) = (Vec::new(), 0);
    while played < MOVES {
        let mut position = rules.start();
        for _ in 0..MOVES_A_GAME {
            played += 1;
            let Some(mv) = rules.random_move(&position, &mut moves, |end| chance.below(end)) else { break };
            rules.play(&mut position, mv);
            if rules.is_over(&position) {
                break;
            }
            each(&position);
        }
    }
}
