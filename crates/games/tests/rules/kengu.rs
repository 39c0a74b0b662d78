//! Kengu against its twin.

use super::{Interest, case, compare_counts, play_games};
use crate::naive::kengu::Game;

#[test]
fn kengu_matches_its_twin_in_random_games() {
    // Random flips soon lose; moves that place a card prolong the game.
    let interest = Interest {
        prefers: |name| name.len() != 4,
        note: |chosen, tally| {
            tally.note_if(chosen.name.len() == 4, "losing flips");
            tally.note_if(chosen.legal.iter().all(|mv| mv.len() == 4), "only losing flips");
            tally.note_if(chosen.name.len() == 3, "placements without a flip");
            tally.note_if(chosen.name.len() == 3 && !chosen.token.ends_with(":0"), "later ones");
        },
    };
    let tally = play_games::<Game>(&[case(&[], 3000)], interest);
    for (times, what) in [
        (300, "flip"),
        (300, "line"),
        (50, "cards"),
        (300, "losing flips"),
        (10, "only losing flips"),
        (3000, "placements without a flip"),
        (50, "later ones"),
    ] {
        tally.at_least(times, what);
    }
}

#[test]
fn kengu_has_the_counts_of_its_twin() {
    compare_counts::<Game>(&case(&[], 0), 3, 40, 3);
}
