//! The suite on every registered game.

use super::*;
use crate::games::GAMES;

#[test]
fn every_registered_game_conforms() {
    let effort = Effort { seed: 1, games: 10, texts: 6, perft_nodes: 400_000 };
    for game in GAMES {
        let coverage = check_registered(game.id(), effort)
            .expect("what is listed is registered")
            .unwrap_or_else(|breach| panic!("{breach}"));
        for (what, number) in [
            ("positions", coverage.positions),
            ("illegal moves", coverage.illegal),
            ("texts that are no moves", coverage.not_moves),
            ("tokens that can be read", coverage.tokens_read),
            ("tokens that can't", coverage.tokens_refused),
        ] {
            assert!(number > 20, "{}: the suite met just {number} {what}", game.id());
        }
    }
}
