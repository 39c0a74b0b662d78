//! The shipped layouts, and errors in other layouts.

use super::*;
use crate::options::{OptionKind, TextForm};
use crate::tandem::layout::{DEFAULT, Layout};

fn form() -> &'static TextForm {
    let spec = Tandem::OPTIONS.iter().find(|spec| spec.name == "layout").expect("there is one");
    match &spec.kind {
        OptionKind::Text { form, .. } => form,
        other => panic!("a layout is text, not {other:?}"),
    }
}

fn read_file(text: &str) -> Result<String, String> {
    let read = form().of_file.expect("a layout may come from a file");
    read(text).map_err(|error| format!("{}:{}: {}", error.line, error.column, error.why))
}

#[test]
fn every_shipped_layout_is_named_and_can_be_played() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tandem/layouts");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("plain names"))
        .collect();
    files.sort();
    let mut named: Vec<String> = form().named.iter().map(|layout| format!("{}.txt", layout.name)).collect();
    named.sort();
    assert_eq!(files, named);
    assert!(named.len() >= 4);
    assert!(form().named.iter().any(|layout| layout.name == DEFAULT));
    for layout in form().named {
        let text = std::fs::read_to_string(format!("{folder}/{}.txt", layout.name)).expect("it can be read");
        let written_out = read_file(&text).expect("it is a layout");
        let by_name = setup(&format!("layout={}", layout.name));
        let by_text = setup(&format!("layout={written_out}"));
        assert_eq!(by_name.start().scene(), by_text.start().scene(), "{}", layout.name);
        assert!(!crate::legal_moves(&*by_name.start()).is_empty());
    }
}

#[test]
fn the_default_layout_does_not_change() {
    let known = "rbypgo/gpobyr/bygrop/orpybg/pgbory/yorgpb|opgrby/yrbogp/goyprb/pbrgyo/ryobpg/bgpyor";
    let (default, known) = (setup(""), setup(&format!("layout={known}")));
    assert!(default.options().to_string().contains("layout=latin6"));
    assert_eq!(default.start().scene(), known.start().scene());
}

/// Counts the pairs of neighbouring squares of one colour on both boards.
fn count_touching(layout: &Layout) -> usize {
    let tint_at = |board: usize, file: usize, rank: usize| {
        let square = crate::notation::Square::new(file, rank);
        layout.tint(board, crate::tandem::board::index(square))
    };
    let mut number = 0;
    for board in 0..2 {
        for rank in 0..layout.height {
            for file in 0..layout.width {
                let near = [
                    (file + 1, rank),
                    (file, rank + 1),
                    (file + 1, rank + 1),
                    (file.wrapping_sub(1), rank + 1),
                ];
                let near =
                    near.into_iter().filter(|(file, rank)| *file < layout.width && *rank < layout.height);
                number += near.filter(|(f, r)| tint_at(board, *f, *r) == tint_at(board, file, rank)).count();
            }
        }
    }
    number
}

#[test]
fn shipped_layouts_match_their_descriptions() {
    for name in ["latin6", "quick5", "pairs7"] {
        let layout = Layout::of(name).expect("it is shipped");
        assert_eq!(count_touching(&layout), 0, "{name}");
        for (tint, boards) in &layout.colours {
            for set in boards {
                let (files, ranks): (Vec<usize>, Vec<usize>) = crate::tandem::board::squares(*set)
                    .map(crate::tandem::board::square)
                    .map(|square| (square.file(), square.rank()))
                    .unzip();
                for mut found in [files, ranks] {
                    found.sort_unstable();
                    assert_eq!(found, (0..layout.width).collect::<Vec<_>>(), "{tint} of {name}");
                }
            }
        }
    }
    let alike = |name: &str| {
        let layout = Layout::of(name).expect("it is shipped");
        layout.colours.iter().map(|(_, [one, other])| (one & other).count_ones()).sum::<u32>()
    };
    assert_eq!(alike("latin6"), 0);
    let pairs = Layout::of("pairs7").expect("it is shipped");
    for (_, [one, _]) in &pairs.colours {
        for (_, [_, other]) in &pairs.colours {
            assert_eq!((one & other).count_ones(), 1);
        }
    }
    let blocks = Layout::of("blocks8").expect("it is shipped");
    for file in [0, 2, 4, 6] {
        for rank in [0, 2, 4, 6] {
            let block = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(f, r)| crate::notation::Square::new(file + f, rank + r))
                .map(crate::tandem::board::index);
            let mut colours = block.map(|square| (blocks.tint(0, square).0, blocks.tint(1, square).0));
            assert!(colours.iter().all(|(one, _)| *one == colours[0].0));
            colours.sort_unstable_by_key(|(_, other)| *other);
            assert_eq!(colours.map(|(_, other)| other), ['b', 'g', 'r', 'y']);
        }
    }
}

#[track_caller]
fn refused(layout: &str, why: &str) {
    let game = crate::find("tandem").expect("it is registered");
    let Err(error) = game.configure(&[("layout", layout)]) else { panic!("`{layout}` is taken") };
    assert_eq!(error.to_string(), format!("option `layout` can't be `{layout}`: {why}"));
}

#[test]
fn errors_in_a_layout_name_the_mistake_and_its_place() {
    refused(
        "latin7",
        "there is no such layout; use `latin6`, `quick5`, `pairs7`, `blocks8`, or write the layout out as `rows|rows`",
    );
    refused("ab/ba", "a layout must have two boards, not 1 (board 2, row 1, column 1)");
    refused("ab/ba|ab/ba|ab/ba", "a layout must have two boards, not 3 (board 3, row 1, column 1)");
    refused("ab/ba|ab", "a board must have 2 to 9 rows, not 1 (board 2, row 2, column 1)");
    refused("ab/ba|ab/ba/ab", "the board has 3 rows, but board 1 has 2 (board 2, row 3, column 1)");
    refused(
        "ab/ba|ab/bab",
        "the row has 3 squares, but the first row of board 1 has 2 (board 2, row 2, column 3)",
    );
    refused(
        "abc/ba|ab/ba",
        "the row has 2 squares, but the first row of board 1 has 3 (board 1, row 2, column 3)",
    );
    refused("a/b|a/b", "a row must have 2 to 9 squares, not 1 (board 1, row 1, column 2)");
    refused("ab/bA|ab/ba", "a color must be a letter from `a` to `z`, not 'A' (board 1, row 2, column 2)");
    refused("ab/b.|ab/ba", "a color must be a letter from `a` to `z`, not '.' (board 1, row 2, column 2)");
    refused("ab/cb|ab/ba", "the color `c` is missing on board 2 (board 1, row 2, column 1)");
    refused("ab/ba|ab/bc", "the color `c` is missing on board 1 (board 2, row 2, column 2)");
    refused("ab/ba/|ab/ba", "a row must have 2 to 9 squares, not 0 (board 1, row 3, column 1)");
    let long = "aaaaaaaaaa/aaaaaaaaaa|aaaaaaaaaa/aaaaaaaaaa";
    refused(long, "a row must have 2 to 9 squares, not 10 (board 1, row 1, column 10)");
    let high = ["aa"; 10].join("/");
    refused(&format!("{high}|{high}"), "a board must have 2 to 9 rows, not 10 (board 1, row 10, column 1)");
}

#[test]
fn colours_can_occur_different_numbers_of_times() {
    let start = setup("layout=aab/aab|abb/bbb,line=3").start();
    // Four and one squares of `a`, two and five of `b`.
    assert_eq!(crate::legal_moves(&*start).len(), 4 + 2 * 5);
}

#[test]
fn a_layout_file_has_two_boards_separated_by_an_empty_line() {
    assert_eq!(read_file("ab\nba\n\nba\nab\n"), Ok("ab/ba|ba/ab".to_owned()));
    assert_eq!(read_file("ab\r\nba\r\n\r\nba\r\nab\r\n"), Ok("ab/ba|ba/ab".to_owned()));
    assert_eq!(read_file("ab\nba\n\nba\nab"), Ok("ab/ba|ba/ab".to_owned()));
    for (file, mistake) in [
        ("", "1:1: a board is missing: a layout has two boards, separated by one empty line"),
        ("ab\nba\n", "3:1: a layout must have two boards, not 1"),
        ("ab\nba\n\nab\nba\n\nab\n", "7:1: a layout must have two boards, not 3"),
        (
            "\nab\nba\n\nab\nba\n",
            "1:1: a board is missing: a layout has two boards, separated by one empty line",
        ),
        (
            "ab\nba\n\n\nab\nba\n",
            "4:1: a board is missing: a layout has two boards, separated by one empty line",
        ),
        ("ab\nba\n\nab\nbaa\n", "5:3: the row has 3 squares, but the first row of board 1 has 2"),
        ("ab\nba\n\nab\nb a\n", "5:2: a color must be a letter from `a` to `z`, not ' '"),
        ("ab\nba\n\nab\nbc\n", "5:2: the color `c` is missing on board 1"),
        ("ab\nba\n\nab\n", "5:1: a board must have 2 to 9 rows, not 1"),
    ] {
        assert_eq!(read_file(file), Err(mistake.to_owned()), "{file:?}");
    }
}

#[test]
fn the_longer_side_limits_the_length_of_a_line() {
    assert!(setup("layout=ab/ba|ba/ab").options().to_string().contains("line=2,"));
    assert!(setup("players=3,layout=abc/bca|cab/abc").options().to_string().contains("line=3,"));
    assert!(setup("players=3").options().to_string().contains("line=4,"));
    assert!(setup("").options().to_string().contains("line=5,"));
    let game = crate::find("tandem").expect("it is registered");
    let error =
        game.configure(&[("layout", "ab/ba/ab|ba/ab/ba"), ("line", "4")]).err().expect("it is too long");
    assert_eq!(error.to_string(), "option `line` can't be `4`: it must be 2 to 3");
}
