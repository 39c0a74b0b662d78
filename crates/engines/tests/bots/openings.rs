//! Openings that are found by a search.

use std::collections::HashSet;

use linesman_engines::openings::{CantMake, MadeOpenings, Wanted, make};
use linesman_games::Setup;

fn wanted(plies: u32, count: usize) -> Wanted {
    Wanted { plies, count, seed: 1, most: None, nodes: 500 }
}

fn made(game: &str, options: &[(&str, &str)], wanted: &Wanted) -> Result<MadeOpenings, CantMake> {
    let setup =
        linesman_games::find(game).expect("there is the game").configure(options).expect("good options");
    make(setup.id(), setup.options(), wanted, &mut |_| {})
}

/// Checks that the openings are legal, undecided, different, even, and the same every time.
#[track_caller]
fn check(game: &str, options: &[(&str, &str)], wanted: &Wanted) {
    let setup =
        linesman_games::find(game).expect("there is the game").configure(options).expect("good options");
    let found = made(game, options, wanted).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.openings.len(), wanted.count);
    let mut seen = HashSet::new();
    for opening in &found.openings {
        assert_eq!(opening.moves.len(), wanted.plies as usize);
        assert!(opening.score.unsigned_abs() <= u64::from(found.most), "{opening:?}");
        let mut table = setup.start();
        opening.moves.iter().for_each(|mv| table.play(mv).expect("the moves are legal"));
        assert!(!table.is_over(), "{opening:?}");
        assert!(seen.insert(table.canonical_token()), "{opening:?} looks like another one");
    }
    assert_eq!(made(game, options, wanted).as_ref(), Ok(&found));
    let other = made(game, options, &Wanted { seed: 2, ..wanted.clone() });
    assert_ne!(other.map(|other| other.openings), Ok(found.openings));
}

#[test]
fn openings_of_every_game_are_legal_undecided_different_and_repeatable() {
    // Some are found among all positions, others in random games.
    check("quixo", &[], &wanted(2, 8));
    check("quixo", &[], &wanted(5, 8));
    check("quixo", &[("size", "8")], &wanted(4, 4));
    check("quixo-teams", &[], &wanted(4, 4));
    check("trexo", &[("size", "6")], &wanted(3, 4));
    check("kengu", &[], &wanted(4, 4));
    check("tandem", &[], &wanted(4, 4));
    check("tandem", &[("players", "3")], &wanted(6, 4));
    check("tandem", &[("players", "4"), ("layout", "quick5")], &wanted(4, 4));
}

#[test]
fn a_small_number_of_openings_is_counted() {
    let all = Wanted { most: Some(u32::MAX), ..wanted(1, 1_000) };
    let found = made("quixo", &[], &all).expect("there are some");
    assert_eq!(found.all, Some(found.openings.len() as u64));
    let setup: std::sync::Arc<dyn Setup> =
        linesman_games::find("quixo").expect("it is there").configure(&[]).expect("usual");
    let mut images = HashSet::new();
    for mv in linesman_games::legal_moves(&*setup.start()) {
        let mut table = setup.start();
        table.play(&mv).expect("it is legal");
        images.insert(table.canonical_token());
    }
    assert_eq!(found.openings.len(), images.len());
    let even = made("quixo", &[], &Wanted { most: Some(0), ..all }).expect("it is looked for");
    assert!(even.openings.len() < images.len() && even.all == found.all, "{even:?}");
}

#[test]
fn games_that_are_over_too_early_have_no_openings() {
    let error = made("quixo", &[("max_plies", "4")], &wanted(4, 1)).expect_err("it is over then");
    assert_eq!(error.to_string(), "every game of quixo is over after 4 plies");
    let error = made("kengu", &[], &wanted(16, 1)).expect_err("all cards are placed then");
    assert_eq!(error.to_string(), "every game of kengu is over after 16 plies");
    assert_eq!(made("quixo", &[("max_plies", "4")], &wanted(3, 1)).map(|made| made.openings.len()), Ok(1));
}

#[test]
fn if_too_few_openings_are_even_the_necessary_distance_is_known() {
    let wanted = Wanted { most: Some(0), ..wanted(2, 5) };
    let found = made("kengu", &[], &wanted).expect("it is looked for");
    assert!(found.openings.len() < 5, "{found:?}");
    let most = found.most_for(5).expect("so many were judged");
    let more = Wanted { most: Some(most.try_into().expect("it is no proof")), ..wanted };
    assert_eq!(made("kengu", &[], &more).map(|made| made.openings.len()), Ok(5));
    assert_eq!(found.most_for(found.judged + 1), None);
}
