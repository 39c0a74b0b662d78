//! Tandem against its twin.

use super::{Interest, case, compare_counts, play_games};
use crate::naive::tandem::Game;

/// Boards of the maximum size.
const NINE: &str = "abcdefghi/bcdefghia/cdefghiab/defghiabc/efghiabcd/fghiabcde/ghiabcdef/hiabcdefg/iabcdefgh|\
    efghiabcd/ghiabcdef/iabcdefgh/bcdefghia/defghiabc/fghiabcde/hiabcdefg/abcdefghi/cdefghiab";

/// Boards of three by three, of three colours.
const THREE: &str = "rby/byr/yrb|yrb/rby/byr";
/// Boards on which seats with two tiles can only slide back and forth.
const TWO: &str = "ab/ba|ba/ab";
/// Boards of one colour, on which any two steps make a turn.
const PLAIN: &str = "aaa/aaa/aaa|aaa/aaa/aaa";
/// Boards that are wider than high, with different numbers of squares of each colour.
const WIDE: &str = "rbyg/grrb/bgry|ybgr/rgby/gyrb";
const FIVE: &str = "abcde/cdeab/eabcd/bcdea/deabc|bcdea/eabcd/cdeab/abcde/deabc";

#[test]
fn tandem_matches_its_twin_in_random_games() {
    let interest = Interest {
        prefers: |name| name.contains('!'),
        note: |chosen, tally| {
            let fields: Vec<&str> = chosen.token.split(':').collect();
            let mover: usize = fields[1].parse().expect("a seat is a number");
            let stock = fields[3].split(',').nth(mover - 1).expect("every seat has a stock");
            if chosen.name == "pass" {
                tally.note("passes");
                tally.note_if(fields[5] != "0", "passes after passes");
            } else {
                tally.note_if(stock == "1", "turns with one tile");
                tally.note_if(stock == "0", "turns without a tile");
            }
            tally.note_if(chosen.name.matches('!').count() == 1, "scores");
            tally.note_if(chosen.name.matches('!').count() == 2, "scores on both boards");
            let same_steps = |pair: &[&String]| {
                let steps = |mv: &'_ str| mv.split_once('!').map(|(steps, _)| steps.to_owned());
                steps(pair[0]).is_some() && steps(pair[0]) == steps(pair[1])
            };
            tally.note_if(chosen.legal.windows(2).any(same_steps), "choices among windows");
        },
    };
    let four = ("players", "4");
    let three = ("players", "3");
    let cases = [
        case(&[], 40).up_to(40),
        case(&[three], 40).up_to(60),
        case(&[four], 40).up_to(60),
        case(&[("tiles", "1"), three], 10),
        case(&[("layout", NINE), four, ("tiles", "81")], 4).up_to(30),
        case(&[("layout", THREE), ("line", "3"), ("tiles", "4"), ("points", "1")], 200).up_to(40),
        case(&[("layout", THREE), ("line", "3"), ("tiles", "3"), ("points", "2")], 100).up_to(40),
        case(&[("layout", THREE), ("line", "2"), ("tiles", "5"), ("points", "2"), three], 300),
        case(&[("layout", THREE), ("line", "2"), ("tiles", "3"), ("points", "1"), four], 300),
        case(&[("layout", THREE), ("line", "3"), ("tiles", "81"), four], 150),
        case(&[("layout", PLAIN), ("line", "3"), ("tiles", "5")], 150).up_to(40),
        case(&[("layout", PLAIN), ("line", "2"), ("tiles", "6"), ("points", "5")], 300).up_to(40),
        case(&[("layout", PLAIN), ("line", "2"), ("tiles", "3"), ("points", "9"), three], 100).up_to(40),
        case(&[("layout", WIDE), ("line", "4"), ("tiles", "6")], 40).up_to(40),
        case(&[("layout", WIDE), ("line", "2"), ("tiles", "4"), ("points", "2"), three], 200),
        case(&[("layout", FIVE), ("line", "3"), ("tiles", "3")], 50).up_to(40),
        case(&[("layout", FIVE), ("line", "2"), ("tiles", "8"), ("points", "9"), four], 50),
        case(
            &[
                ("layout", THREE),
                ("line", "3"),
                ("tiles", "2"),
                ("max_plies", "25"),
                ("repetition", "2"),
                four,
            ],
            200,
        ),
        case(&[("layout", TWO), ("line", "2"), ("tiles", "2"), ("repetition", "3")], 50),
    ];
    let tally = play_games::<Game>(&cases, interest);
    for (times, what) in [
        (500, "points"),
        (50, "passes"),
        (20, "passes after passes"),
        (500, "turns with one tile"),
        (500, "turns without a tile"),
        (1000, "scores"),
        (200, "scores on both boards"),
        (200, "choices among windows"),
        (200, "eliminations"),
        (40, "repetition"),
        (20, "max_plies"),
    ] {
        tally.at_least(times, what);
    }
}

#[test]
fn tandem_has_the_counts_of_its_twin() {
    compare_counts::<Game>(&case(&[], 0), 3, 0, 0);
    compare_counts::<Game>(&case(&[("players", "4"), ("layout", FIVE)], 0), 3, 0, 0);
    let first_point = [("layout", THREE), ("line", "2"), ("points", "1"), ("players", "3")];
    compare_counts::<Game>(&case(&first_point, 0), 4, 20, 2);
    let few_tiles = [("layout", THREE), ("line", "2"), ("tiles", "3"), ("points", "1")];
    compare_counts::<Game>(&case(&few_tiles, 0), 5, 20, 2);
    let crossing = [("layout", PLAIN), ("line", "2"), ("tiles", "5"), ("points", "2")];
    compare_counts::<Game>(&case(&crossing, 0), 2, 8, 2);
}
