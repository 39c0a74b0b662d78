//! Quixo against its twin.

use super::{Case, NO_INTEREST, case, compare_counts, play_games};
use crate::naive::quixo::Game;

#[test]
fn quixo_matches_its_twin_in_random_games() {
    let sizes = ["3", "4", "5", "6", "7", "8"];
    let mut cases: Vec<Case> = sizes.iter().map(|size| case(&[("size", size)], 500).up_to(60)).collect();
    cases.push(case(&[("size", "3"), ("repetition", "2")], 300));
    cases.push(case(&[("max_plies", "20")], 100));
    let tally = play_games::<Game>(&cases, NO_INTEREST);
    for (times, what) in [(600, "line"), (10, "repetition"), (50, "max_plies")] {
        tally.at_least(times, what);
    }
}

#[test]
fn quixo_has_the_counts_of_its_twin() {
    for (size, depth) in [("3", 4), ("4", 3), ("5", 3), ("6", 3), ("7", 3), ("8", 3)] {
        compare_counts::<Game>(&case(&[("size", size)], 0), depth, if size < "6" { 20 } else { 0 }, 2);
    }
}
