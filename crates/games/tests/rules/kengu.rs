//! Kengu, against its slow twin.

use super::{Interest, case, count, play_games};
use crate::naive::kengu::Game;

#[test]
fn kengu_is_the_slow_kengu_in_thousands_of_games() {
    // Random flips lose soon; those after which a card is placed keep the game going.
    let interest = Interest {
        favourite: |name| name.len() != 4,
        note: |chosen, met| {
            met.note_if(chosen.name.len() == 4, "losing flips");
            met.note_if(chosen.legal.iter().all(|mv| mv.len() == 4), "only losing flips");
            met.note_if(chosen.name.len() == 3, "placements without a flip");
            met.note_if(chosen.name.len() == 3 && !chosen.token.ends_with(":0"), "later ones");
        },
    };
    let met = play_games::<Game>(&[case(&[], 3000)], interest);
    for (times, what) in [
        (300, "flip"),
        (300, "line"),
        (50, "cards"),
        (300, "losing flips"),
        (10, "only losing flips"),
        (3000, "placements without a flip"),
        (50, "later ones"),
    ] {
        met.at_least(times, what);
    }
}

#[test]
fn kengu_counts_what_the_slow_kengu_counts() {
    count::<Game>(&case(&[], 0), 3, 40, 3);
}
