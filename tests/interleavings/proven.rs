//! Checks of the table shared by a solver's threads.

#[path = "../../crates/engines/src/solve/proven.rs"]
mod checked;

use std::sync::Arc;

use checked::Proven;

use super::{check, sync, thread};

/// The outcomes of a game, as in `linesman_games::solvable`.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
enum Outcome {
    Loss,
    Draw,
    Win,
}

const UNKNOWN: (Outcome, Outcome) = (Outcome::Loss, Outcome::Win);

/// Returns a table with one full bucket.
fn full_of(keys: &[u64]) -> Arc<Proven> {
    let proven = Proven::new(2);
    keys.iter().for_each(|key| proven.note(*key, Outcome::Draw, Outcome::Draw));
    keys.iter().for_each(|key| assert_eq!(proven.bounds(*key), (Outcome::Draw, Outcome::Draw)));
    Arc::new(proven)
}

/// Adds each note in its own thread, and reads meanwhile.
fn note_and_read(proven: &Arc<Proven>, notes: &[(u64, Outcome, Outcome)], read: impl FnOnce()) {
    let noting: Vec<_> = notes
        .iter()
        .map(|&(key, worst, best)| {
            let proven = Arc::clone(proven);
            thread::spawn(move || proven.note(key, worst, best))
        })
        .collect();
    read();
    noting.into_iter().for_each(|thread| thread.join().expect("no thread panics"));
}

#[test]
fn a_proof_is_never_that_of_another_position() {
    check(|| {
        let proven = full_of(&[]);
        let notes = [(1, Outcome::Win, Outcome::Win), (2, Outcome::Loss, Outcome::Loss)];
        let is_true = |(key, worst, best): (u64, _, _)| {
            let bounds = proven.bounds(key);
            assert!(bounds == UNKNOWN || bounds == (worst, best), "{key}: {bounds:?}");
        };
        note_and_read(&proven, &notes, || notes.iter().for_each(|note| is_true(*note)));
        notes.iter().for_each(|note| is_true(*note));
    });
}

#[test]
fn a_replaced_proof_is_whole_or_gone() {
    check(|| {
        let proven = full_of(&[1, 2, 3, 4]);
        // The new proof replaces one of them.
        let notes = [(5, Outcome::Win, Outcome::Win)];
        note_and_read(&proven, &notes, || {
            for key in [1, 5] {
                let bounds = proven.bounds(key);
                let own = if key == 5 { Outcome::Win } else { Outcome::Draw };
                assert!(bounds == UNKNOWN || bounds == (own, own), "{key}: {bounds:?}");
            }
        });
        assert_eq!((proven.bounds(5), proven.bounds(1)), ((Outcome::Win, Outcome::Win), UNKNOWN));
    });
}

#[test]
fn two_threads_proofs_of_a_position_are_never_mixed_up() {
    check(|| {
        let proven = full_of(&[]);
        // A draw: one thread has proven that it is not lost, the other that it is not won.
        let notes = [(1, Outcome::Draw, Outcome::Win), (1, Outcome::Loss, Outcome::Draw)];
        let is_true = || {
            let bounds = proven.bounds(1);
            let is_noted = notes.iter().any(|(_, worst, best)| bounds == (*worst, *best));
            assert!(bounds == UNKNOWN || is_noted, "{bounds:?}");
        };
        note_and_read(&proven, &notes, is_true);
        is_true();
    });
}
