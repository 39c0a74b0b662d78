//! Random games, which show the size of a usual lead.

use super::chance::Chance;
use linesman_games::Rules;

/// The number of moves in all games together.
const MOVES: usize = 4_000;

/// The maximum number of moves of one game, since play may be endless.
const MOVES_PER_GAME: usize = 200;

/// Plays some random games, which are the same every time. Calls `each` with every position in which the game is not
/// over, except for the start.
pub(super) fn each_position<R: Rules>(rules: &R, mut each: impl FnMut(&R::Position)) {
    let mut chance = Chance::of("usual lead");
    let (mut moves, mut played) = (Vec::new(), 0);
    while played < MOVES {
        let mut position = rules.start();
        for _ in 0..MOVES_PER_GAME {
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
