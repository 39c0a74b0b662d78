//! The games' rules, against second implementations and through the
//! conformance suite.

use linesman::games::{self, Setup, legal_moves};
use linesman::seat::Seat;
use std::sync::Arc;

use crate::naive;

fn quixo(size: usize) -> Arc<dyn Setup> {
    let game = games::find("quixo").expect("quixo is registered");
    // The slow implementation knows no limits on endless play.
    let size = size.to_string();
    game.configure(&[("size", &size), ("max_plies", "0"), ("repetition", "0")])
        .expect("the options are in range")
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[(self.next() % from.len() as u64) as usize]
    }
}

#[track_caller]
fn same(table: &dyn games::Table, slow: &naive::quixo::Game) {
    assert_eq!(table.token(), slow.token());
    assert_eq!(legal_moves(table), slow.legal(), "{}", slow.token());
    let first = table.ending().map(|ending| {
        let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
        assert!(places == [1, 2] || places == [2, 1], "{places:?}");
        if ending.places[Seat::FIRST].number() == 1 { 'x' } else { 'o' }
    });
    assert_eq!(first, slow.winner(), "{}", slow.token());
}

#[test]
fn quixo_is_the_slow_quixo_in_thousands_of_games() {
    let mut numbers = Numbers(1);
    let mut won = [0, 0];
    for game in 0..3000 {
        let size = 3 + game % 6;
        let (mut table, mut slow) = (quixo(size).start(), naive::quixo::Game::start(size));
        same(&*table, &slow);
        // Random play may go on for long on large boards.
        for _ in 0..60 {
            let Some(winner) = slow.winner() else {
                let legal = slow.legal();
                let mv = numbers.pick(&legal);
                table.play(mv).expect("both agree that the move is legal");
                slow.play(mv);
                same(&*table, &slow);
                continue;
            };
            won[usize::from(winner == 'o')] += 1;
            break;
        }
    }
    assert!(won.iter().all(|games| *games > 300), "{won:?}");
}

#[test]
fn quixo_counts_what_the_slow_quixo_counts() {
    for (size, depth) in [(3, 4), (4, 3), (5, 3), (6, 3), (7, 3), (8, 3)] {
        let counted = quixo(size).perft(None, depth).expect("the start can be read");
        assert_eq!(counted, naive::quixo::Game::start(size).perft(depth), "size {size}, depth {depth}");
    }
}

#[test]
fn quixo_counts_what_the_slow_quixo_counts_near_the_end_of_games() {
    let mut numbers = Numbers(2);
    let mut finished = 0;
    for game in 0..60 {
        let size = 3 + game % 6;
        let mut slow = naive::quixo::Game::start(size);
        let mut moves = Vec::new();
        while slow.winner().is_none() && moves.len() < 100 {
            moves.push(numbers.pick(&slow.legal()).clone());
            slow.play(&moves[moves.len() - 1]);
        }
        // A move before the end some sequences end early.
        moves.pop();
        let mut slow = naive::quixo::Game::start(size);
        moves.iter().for_each(|mv| slow.play(mv));
        let counted = quixo(size).perft(Some(&slow.token()), 2).expect("both print the same tokens");
        assert_eq!(counted, slow.perft(2), "{}", slow.token());
        let ends_at_once = |mv: &String| {
            let mut next = slow.clone();
            next.play(mv);
            next.winner().is_some()
        };
        finished += usize::from(slow.legal().iter().any(ends_at_once));
    }
    assert!(finished > 20, "{finished}");
}
