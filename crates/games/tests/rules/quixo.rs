//! Quixo, against its slow twin.

use super::{Case, NOTHING, case, count, play_games};
use crate::naive::quixo::Game;

#[test]
fn quixo_is_the_slow_quixo_in_thousands_of_games() {
    let sizes = ["3", "4", "5", "6", "7", "8"];
    let mut cases: Vec<Case> = sizes.iter().map(|size| case(&[("size", size)], 500).up_to(60)).collect();
    cases.push(case(&[("size", "3"), ("repetition", "2")], 300));
    cases.push(case(&[("max_plies", "20")], 100));
    let met = play_games::<Game>(&cases, NOTHING);
    for (times, what) in [(600, "line"), (10, "repetition"), (50, "max_plies")] {
        met.at_least(times, what);
    }
}

#[test]
fn quixo_counts_what_the_slow_quixo_counts() {
    for (size, depth) in [("3", 4), ("4", 3), ("5", 3), ("6", 3), ("7", 3), ("8", 3)] {
        count::<Game>(&case(&[("size", size)], 0), depth, if size < "6" { 20 } else { 0 }, 2);
    }
}
