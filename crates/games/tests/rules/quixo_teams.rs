//! Quixo for teams against its twin.

use super::{Interest, case, compare_counts, play_games};
use crate::naive::quixo_teams::Game;

#[test]
fn quixo_teams_matches_its_twin_in_random_games() {
    // Passes come up in positions in which the whole border belongs to others.
    let interest = Interest {
        prefers: |_| false,
        note: |chosen, tally| {
            tally.note_if(chosen.name == "pass", "passes");
            let first_round = ["0", "1", "2", "3"].map(|ply| format!(":{ply}"));
            tally.note_if(first_round.iter().any(|ply| chosen.token.ends_with(ply)), "first round");
        },
    };
    let cases = [
        case(&[], 1500).up_to(100),
        case(&[], 100).from("nenen/e...e/n...n/e...e/nenen:1:40"),
        case(&[], 100).from("swsws/w...w/s...s/w...w/swsws:3:42"),
        case(&[], 100).from("nwnwn/w...w/n...n/w...w/nwnwn:4:43"),
        case(&[], 100).from("sese./e...s/s...e/e...s/seses:2:41"),
        case(&[("repetition", "2"), ("max_plies", "44")], 200).from("nenen/e...e/n...n/e...e/nenen:1:40"),
    ];
    let tally = play_games::<Game>(&cases, interest);
    for (times, what) in [(500, "line"), (400, "passes"), (4000, "first round"), (100, "max_plies")] {
        tally.at_least(times, what);
    }
}

#[test]
fn quixo_teams_has_the_counts_of_its_twin() {
    compare_counts::<Game>(&case(&[], 0), 3, 20, 2);
    let passes = case(&[], 0).from("nenen/e...e/n...n/e...e/nenen:1:40");
    compare_counts::<Game>(&passes, 5, 10, 2);
}
