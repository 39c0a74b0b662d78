//! Tests of the solver: against a second, slow solver, against the rules, and against known numbers.

use super::*;
use linesman_games::kengu::Kengu;
use linesman_games::options::split_options;
use linesman_games::quixo::Quixo;
use linesman_games::quixo_teams::QuixoTeams;
use linesman_games::tandem::Tandem;
use linesman_games::trexo::Trexo;
use proof::Prover;
use std::sync::atomic::AtomicBool;

fn values<R: Rules>(text: &str) -> OptionValues {
    let given = split_options(text).expect("names and values");
    OptionValues::resolve(R::OPTIONS, given).expect("the options are right")
}

fn solved(game: &str, options: &OptionValues, threads: usize) -> Solved {
    let threads = NonZero::new(threads).expect("some threads");
    solve(game, options, threads, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn bytes(solved: &Solved) -> &[u8] {
    match &solved.table.known {
        KnownValues::Numbered(bytes) => bytes,
        KnownValues::Keyed(_) => panic!("the game's positions have numbers"),
    }
}

/// A second implementation of three by three Quixo, on plain arrays and without regard for speed. A board is its nine
/// cubes from `a1` on: 0 is blank, 1 belongs to the seat to move, and 2 to the other seat.
mod plain {
    pub type Board = [u8; 9];

    pub fn number(board: &Board) -> usize {
        board.iter().rev().fold(0, |number, cube| number * 3 + usize::from(*cube))
    }

    pub fn board(mut number: usize) -> Board {
        std::array::from_fn(|_| {
            let cube = (number % 3) as u8;
            number /= 3;
            cube
        })
    }

    pub fn has_line(board: &Board, of: u8) -> bool {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        lines.iter().any(|line| line.iter().all(|square| board[*square] == of))
    }

    /// The boards after all moves, as the other seat sees them.
    pub fn after(board: &Board) -> Vec<Board> {
        let mut boards = Vec::new();
        for from in (0..9).filter(|from| *from != 4 && board[*from] != 2) {
            let (file, rank) = (from % 3, from / 3);
            for to in [rank * 3, rank * 3 + 2, file, file + 6] {
                if to == from {
                    continue;
                }
                let step = if to / 3 == rank { 1 } else { 3 };
                let mut next = *board;
                let mut gap = from;
                while gap != to {
                    let neighbour = if to > gap { gap + step } else { gap - step };
                    next[gap] = next[neighbour];
                    gap = neighbour;
                }
                next[to] = 1;
                boards.push(next.map(|cube| [0, 2, 1][usize::from(cube)]));
            }
        }
        boards
    }

    /// The value of each board: its outcome (1 or -1) and the number of plies to the end; `None` for a draw.
    pub fn values() -> Vec<Option<(i8, u8)>> {
        let over = |number: usize| {
            let board = board(number);
            match (has_line(&board, 1), has_line(&board, 2)) {
                (true, _) => Some((1, 0)),
                (false, true) => Some((-1, 0)),
                (false, false) => None,
            }
        };
        let mut values: Vec<Option<(i8, u8)>> = (0..19_683).map(over).collect();
        loop {
            let before = values.clone();
            for (number, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_none()) {
                let replies: Vec<_> =
                    after(&board(number)).iter().map(|next| before[self::number(next)]).collect();
                let losing = replies.iter().flatten().filter(|(outcome, _)| *outcome < 0);
                let quickest = losing.map(|(_, plies)| plies + 1).min();
                let all_win = replies.iter().all(|reply| reply.is_some_and(|(outcome, _)| outcome > 0));
                let slowest = replies.iter().flatten().map(|(_, plies)| plies + 1).max();
                *value = match quickest {
                    Some(plies) => Some((1, plies)),
                    None if all_win => slowest.map(|plies| (-1, plies)),
                    None => None,
                };
            }
            if values == before {
                return values;
            }
        }
    }
}

#[test]
fn every_three_by_three_board_has_the_value_that_a_slow_solver_finds() {
    let solved = solved("quixo", &values::<Quixo>("size=3"), 2);
    let expected = plain::values();
    assert_eq!(bytes(&solved).len(), expected.len());
    for (number, expected) in expected.iter().enumerate() {
        let found = match retrograde::value(bytes(&solved)[number]) {
            Value::Win { plies } => Some((1, plies as u8)),
            Value::Loss { plies } => Some((-1, plies as u8)),
            Value::Draw => None,
        };
        assert_eq!(found, *expected, "{:?}", plain::board(number));
    }
    let over = |number: usize| expected[number].is_some_and(|(_, plies)| plies == 0);
    let count = |outcome: Option<i8>| {
        let of = |number: &usize| !over(*number) && expected[*number].map(|(outcome, _)| outcome) == outcome;
        (0..expected.len()).filter(of).count() as u64
    };
    let all = solved.all.expect("every board was settled");
    assert_eq!(all.finished, (0..expected.len()).filter(|number| over(*number)).count() as u64);
    assert_eq!((all.win, all.loss, all.draw), (count(Some(1)), count(Some(-1)), count(None)));
    assert_eq!(solved.boards, all.finished + all.win + all.loss + all.draw);
    assert_eq!(solved.start, Outcome::Win);
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let options = values::<Quixo>("size=3");
    assert_eq!(solved("quixo", &options, 1), solved("quixo", &options, 3));
}

/// Solves 43 million boards. Run it in a release build: `cargo test --release -p linesman-engines -- --ignored`
#[test]
#[ignore = "takes minutes without optimization"]
fn every_four_by_four_board_has_the_value_of_its_best_move() {
    let options = values::<Quixo>("size=4");
    let solved = solved("quixo", &options, 2);
    let all = solved.all.expect("every board was settled");
    assert_eq!(solved.boards, 3u64.pow(16));
    assert_eq!(solved.boards, all.finished + all.win + all.loss + all.draw);
    assert_eq!(solved.start, Outcome::Win);
    // The numbering agrees with the rules, and the value of each board is that of its best move.
    let rules = Quixo::new(4);
    let Ok(Solvable::Numbered(numbered)) = rules.solvable() else { panic!("the boards have numbers") };
    let value = |number: u32| retrograde::value(bytes(&solved)[number as usize]);
    let (mut moves, mut token, mut seen) = (Vec::new(), String::new(), 0);
    for number in (0..numbered.positions()).step_by(7) {
        // Seat 1 is to move, at a ply that is late enough for any number of cubes.
        token.clear();
        for rank in (0..4).rev() {
            (0..4).for_each(|file| {
                token.push(['.', 'x', 'o'][(number / 3u32.pow(4 * rank + file) % 3) as usize])
            });
            token.push(if rank == 0 { ':' } else { '/' });
        }
        token.push_str("1:40");
        let Ok(position) = rules.parse_position(&token) else { continue };
        assert_eq!(numbered.number(&position), number);
        moves.clear();
        rules.legal_moves(&position, &mut moves);
        let after = moves.iter().map(|mv| {
            let mut next = position;
            rules.play(&mut next, *mv);
            value(numbered.number(&next)).before()
        });
        let Some(best) = after.max_by_key(|value| value.rank()) else { continue };
        assert_eq!(value(number), best, "{token}");
        seen += 1;
    }
    assert!(seen > 5_000_000, "{seen}");
}

/// Determines the value of a position by playing every move to the end.
fn minimax(position: &<Kengu as Rules>::Position) -> Outcome {
    if let Some(ending) = Kengu.ending(position) {
        let (own, other) = (Kengu.to_move(position), Kengu.to_move(position).next(2));
        return match ending.places[other].cmp(&ending.places[own]) {
            std::cmp::Ordering::Greater => Outcome::Win,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Loss,
        };
    }
    let mut moves = Vec::new();
    Kengu.legal_moves(position, &mut moves);
    let after = moves.into_iter().map(|mv| {
        let mut next = *position;
        Kengu.play(&mut next, mv);
        minimax(&next).reversed()
    });
    after.max().expect("a game that is not over goes on")
}

#[test]
fn a_proof_finds_the_same_values_as_a_full_search() {
    let Ok(Solvable::Keyed(keyed)) = Kengu.solvable() else { panic!("the positions have keys") };
    let mut chance = crate::chance::Chance::of("kengu");
    let mut met = [0; 3];
    let proven = Proven::new(12);
    let stop = AtomicBool::new(false);
    for _ in 0..150 {
        let mut position = Kengu.start();
        let mut moves = Vec::new();
        while Kengu.ply(&position) < 13 && !Kengu.is_over(&position) {
            moves.clear();
            Kengu.legal_moves(&position, &mut moves);
            Kengu.play(&mut position, moves[chance.below(moves.len())]);
        }
        if Kengu.is_over(&position) {
            continue;
        }
        let expected = minimax(&position);
        let mut report = |_| {};
        let mut prover = Prover::new(&Kengu, &*keyed, &proven, &stop, &mut report);
        assert_eq!(prover.value(&position), Some(expected), "{position:?}");
        let to = prover.holding(&position, expected).expect("a seat can hold its value");
        assert_eq!(minimax(&to).reversed(), expected);
        met[expected as usize] += 1;
    }
    assert!(met.iter().all(|times| *times > 0), "{met:?}");
}

#[test]
fn a_search_gives_up_when_it_is_stopped_or_out_of_budget() {
    let Ok(Solvable::Keyed(keyed)) = Kengu.solvable() else { panic!("the positions have keys") };
    let (proven, stop) = (Proven::new(12), AtomicBool::new(true));
    let mut report = |_| {};
    assert_eq!(Prover::new(&Kengu, &*keyed, &proven, &stop, &mut report).value(&Kengu.start()), None);
    let stop = AtomicBool::new(false);
    let mut report = |_| {};
    let mut prover = Prover::new(&Kengu, &*keyed, &proven, &stop, &mut report).within(1000);
    assert_eq!(prover.value(&Kengu.start()), None);
}

/// Run it in a release build: `cargo test --release -p linesman-engines -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn the_first_seat_wins_kengu_and_the_table_has_the_strategy() {
    let solved = solved("kengu", &values::<Kengu>(""), 2);
    assert_eq!((solved.start, solved.all), (Outcome::Win, None));
    let KnownValues::Keyed(known) = &solved.table.known else { panic!("the positions have keys") };
    assert!(known.is_sorted_by(|one, next| one.0 < next.0));
    assert!(known.iter().all(|(_, best)| *best == Outcome::Loss));
    // At least one first card is in the table, as lost for the second seat.
    let Ok(Solvable::Keyed(keyed)) = Kengu.solvable() else { panic!("the positions have keys") };
    let mut moves = Vec::new();
    Kengu.legal_moves(&Kengu.start(), &mut moves);
    let held = moves.iter().filter(|mv| {
        let mut next = Kengu.start();
        Kengu.play(&mut next, **mv);
        keyed.key(&next).is_some_and(|key| known.binary_search_by_key(&key, |(key, _)| *key).is_ok())
    });
    assert!(held.count() > 0);
}

fn written(table: &SolvedTable) -> Vec<u8> {
    let mut file = Vec::new();
    table.write(&mut file).expect("memory can be written");
    file
}

#[test]
fn a_table_that_was_written_can_be_read_back() {
    let options = values::<Quixo>("size=3,max_plies=10");
    let numbered = solved("quixo", &options, 1).table;
    let keyed = SolvedTable::new::<Kengu>(
        &values::<Kengu>(""),
        KnownValues::Keyed(vec![
            (0, Outcome::Loss),
            (1, Outcome::Draw),
            (300, Outcome::Loss),
            (1 << 59, Outcome::Draw),
        ]),
    );
    for table in [&numbered, &keyed] {
        let file = written(table);
        assert_eq!(SolvedTable::read(&mut &file[..]).as_ref().ok(), Some(table));
    }
    let head = String::from_utf8_lossy(&written(&numbered)[..200]).into_owned();
    let lines: Vec<&str> = head.lines().take(6).collect();
    let version = concat!("version ", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        lines,
        ["linesman table 1", "game quixo", "options size=3", version, "kind numbered", "bytes 19683"]
    );
    // The limits on endless play are not options of the table.
    assert_eq!((numbered.game(), numbered.options()), ("quixo", "size=3"));
    assert!(numbered.check("quixo", &values::<Quixo>("size=3,repetition=0")).is_ok());
    let wrong = numbered.check("quixo", &values::<Quixo>("size=4")).expect_err("it is another board");
    assert_eq!(wrong.to_string(), "the table is for quixo size=3, not for quixo size=4");
    let wrong = numbered.check("kengu", &values::<Kengu>("")).expect_err("it is another game");
    assert_eq!(wrong.to_string(), "the table is for quixo size=3, not for kengu");
}

#[test]
fn an_invalid_table_is_refused_with_the_reason() {
    let file = written(&solved("quixo", &values::<Quixo>("size=3"), 1).table);
    let refused = |file: &[u8], expected: &str| {
        let error = SolvedTable::read(&mut &*file).expect_err("something is wrong with it");
        assert_eq!(error.to_string(), expected);
    };
    let no_table = "it is not the table of a solved game (its first line must be `linesman table 1`)";
    refused(b"", no_table);
    refused(b"\x00\xff\n", no_table);
    refused(&[b'x'; 5000], no_table);
    refused(b"linesman table 1\noptions size=3\n", "its header lacks `game`");
    refused(b"linesman table 1\ngame quixo\n", no_table);
    refused(&file[..file.len() - 3], "it must contain 19683 bytes but contains 19680");
    refused(&[&file[..], b"x"].concat(), "it must contain 19683 bytes but contains more");
    let mut damaged = file.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    refused(&damaged, "it is damaged: its contents don't match the digest in its header");
    let text = String::from_utf8_lossy(&file[..40]).into_owned();
    assert!(text.starts_with("linesman table 1\n"));
}

#[test]
fn games_that_are_too_large_are_refused_with_the_reason() {
    let refused = |game: &str, options: &OptionValues, expected: &str| {
        let error = solve(game, options, NonZero::<usize>::MIN, &mut |_| {}).expect_err("it is too large");
        assert_eq!(error.to_string(), expected);
    };
    refused(
        "quixo",
        &values::<Quixo>(""),
        "quixo can't be solved: a board of 5 by 5 cubes has 3^25 positions (about 8e11), too many to examine; \
         use `size` 3 or 4",
    );
    for (game, options, expected) in [
        ("quixo-teams", values::<QuixoTeams>(""), "5^25"),
        ("trexo", values::<Trexo>("size=6"), "any height"),
        ("tandem", values::<Tandem>(""), "2e34"),
    ] {
        let error = solve(game, &options, NonZero::<usize>::MIN, &mut |_| {}).expect_err("it is too large");
        let text = error.to_string();
        assert!(text.starts_with(&format!("{game} can't be solved: ")) && text.contains(expected), "{text}");
    }
    refused("chess", &OptionValues::default(), "there is no game `chess`");
}

#[test]
fn an_oracle_returns_the_values_of_the_table() {
    let options = values::<Quixo>("size=3,max_plies=200");
    let solved = solved("quixo", &options, 1);
    let oracle = oracle(solved.table.clone(), "quixo", &options).expect("the table is for this game");
    assert_eq!(oracle.outcome(".../.../...:1:0"), Some(solved.start));
    assert_eq!(oracle.outcome("no token"), None);
    // Seat 1 wins with its next move, by a full column.
    assert_eq!(oracle.outcome("x.o/x../.o.:1:4"), Some(Outcome::Win));
    // The win takes another ply, which the limit does not allow.
    assert_eq!(oracle.outcome("x.o/x../.o.:1:200"), Some(Outcome::Draw));
    let other = values::<Quixo>("size=4");
    let refused = super::oracle(solved.table, "quixo", &other).map(drop).expect_err("another board");
    assert_eq!(refused.to_string(), "the table is for quixo size=3, not for quixo size=4");
}
