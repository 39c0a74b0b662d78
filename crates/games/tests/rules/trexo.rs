//! Trexo against its twin.

use super::{Interest, case, compare_counts, play_games};
use crate::naive::trexo::Game;

/// A board with room for two more tiles only.
const GAPS: &str = "oe2,xw2,xe1,ow1,oe2,xw2/xe1,ow1,oe2,xw2,xe1,ow1/oe2,xw2,.,.,oe2,xw2/xe1,ow1,oe2,xw2,xe1,ow1/\
    oe2,xw2,xe1,ow1,oe2,xw2/.,.,oe2,xw2,xe1,ow1:2:25";

/// Nine full levels, so that the next tiles lie at the tenth.
const HIGH: &str = "oe9,xw9,xe9,ow9,oe9,xw9/xe9,ow9,oe9,xw9,xe9,ow9/oe9,xw9,xe9,ow9,oe9,xw9/\
    xe9,ow9,oe9,xw9,xe9,ow9/oe9,xw9,xe9,ow9,oe9,xw9/xe9,ow9,oe9,xw9,xe9,ow9:1:162";

#[test]
fn trexo_matches_its_twin_in_random_games() {
    let interest = Interest {
        prefers: |_| false,
        note: |chosen, tally| {
            tally.note_if(chosen.token.contains('2'), "tiles on tiles");
            tally.note_if(chosen.token.contains("e10") || chosen.token.contains("n10"), "tenth levels");
        },
    };
    let cases = [
        case(&[], 400),
        case(&[("size", "6"), ("line", "3")], 400),
        case(&[("size", "6"), ("line", "6")], 300),
        case(&[("size", "7"), ("line", "6"), ("tiles", "512")], 200),
        case(&[("size", "7"), ("tiles", "9")], 200),
        case(&[("tiles", "1")], 20),
        case(&[("size", "11"), ("line", "4"), ("tiles", "45")], 150),
        case(&[("size", "16"), ("line", "16"), ("tiles", "512")], 2).up_to(512),
        case(&[("size", "16")], 30),
        case(&[("size", "6")], 400).from(GAPS),
        case(&[("size", "6"), ("line", "6"), ("tiles", "512")], 200).from(HIGH).up_to(400),
    ];
    let tally = play_games::<Game>(&cases, interest);
    for (times, what) in
        [(500, "line"), (100, "stock"), (100, "blocked"), (3000, "tiles on tiles"), (100, "tenth levels")]
    {
        tally.at_least(times, what);
    }
}

#[test]
fn trexo_has_the_counts_of_its_twin() {
    compare_counts::<Game>(&case(&[], 0), 3, 4, 2);
    compare_counts::<Game>(&case(&[("size", "6"), ("line", "4")], 0), 3, 20, 2);
    compare_counts::<Game>(&case(&[("size", "6"), ("tiles", "2")], 0), 4, 4, 2);
    compare_counts::<Game>(&case(&[("size", "16"), ("line", "3")], 0), 2, 4, 2);
    compare_counts::<Game>(&case(&[("size", "6")], 0).from(GAPS), 5, 8, 2);
}
