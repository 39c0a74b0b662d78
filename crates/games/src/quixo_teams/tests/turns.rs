//! The order of turns, the first round, passing, and repetitions.

use super::*;
use crate::limits::BY_LENGTH;
use crate::limits::BY_REPETITION;
use crate::table::configure;
use crate::{Table, legal_moves};

#[test]
fn turns_go_round_the_table_and_teammates_sit_opposite() {
    let (rules, mut position) = position("...../...../...../...../.....:1:0");
    for (mv, seat, ply) in [("a1a5n", 2, 1), ("b1b5e", 3, 2), ("c1c5s", 4, 3), ("d1d5w", 1, 4)] {
        play(&rules, &mut position, mv);
        assert_eq!((rules.to_move(&position).number(), rules.ply(&position)), (seat, ply), "{mv}");
    }
    assert_eq!(token(&rules, &position), "nesw./...../...../...../.....:1:4");
    let teams = rules.teams();
    assert!(teams.together(Seat::from_index(0), Seat::from_index(2)));
    assert!(teams.together(Seat::from_index(1), Seat::from_index(3)));
    assert_eq!(teams.sides(), 2);
}

#[test]
fn at_the_start_there_are_88_moves() {
    let (rules, position) = position("...../...../...../...../.....:1:0");
    assert_eq!(legal(&rules, &position).len(), 88);
}

#[test]
fn in_the_first_round_only_blank_cubes_may_be_taken() {
    let border = "a1 a2 a3 a4 a5 b1 b5 c1 c5 d1 d5 e1 e2 e3 e4 e5";
    for (token, without) in [
        ("...../...../...../...../.....:1:0", &[][..]),
        ("...../...../...../...../n....:2:1", &["a1"]),
        // Seat 3 may not take the cube at a1, although its dot points at seat 3.
        ("...../...../...../...../nw...:3:2", &["a1", "b1"]),
        ("...../...../...../...../nen..:4:3", &["a1", "b1", "c1"]),
    ] {
        let left: Vec<&str> = border.split(' ').filter(|square| !without.contains(square)).collect();
        assert_eq!(takeable(token), left, "{token}");
    }
    // From the second round on, own cubes may be taken too.
    assert!(takeable("...../...../...../...../swne.:1:4").contains(&"a1".to_owned()));
}

#[test]
fn a_cube_may_be_taken_only_by_the_seat_its_dot_points_at() {
    let cubes = "swne./...../...../...../.....";
    for (turn, own) in [(":1:4", "a5"), (":2:5", "b5"), (":3:6", "c5"), (":4:7", "d5")] {
        let squares = takeable(&format!("{cubes}{turn}"));
        let marked: Vec<&str> = ["a5", "b5", "c5", "d5"]
            .into_iter()
            .filter(|square| squares.iter().any(|takeable| takeable == square))
            .collect();
        assert_eq!(marked, [own], "{turn}");
        assert_eq!(squares.len(), 16 - 4 + 1, "{turn}");
    }
}

#[test]
fn a_pass_is_the_only_move_without_a_cube_to_take() {
    let (rules, mut position) = position(STUCK);
    assert_eq!(legal(&rules, &position), ["pass"]);
    assert!(!rules.is_over(&position));
    play(&rules, &mut position, "pass");
    assert_eq!(token(&rules, &position), "nwnen/w.s.w/n.e.n/e.s.e/nwnen:2:41");
}

#[test]
fn one_cube_to_take_rules_out_a_pass() {
    let taken = STUCK.replace("nwnen:1", "nwnes:1");
    let (rules, position) = position(&taken);
    assert_eq!(legal(&rules, &position), ["e1a1n", "e1a1s", "e1e5n", "e1e5s"]);
    let (rules, position) = self::position(&STUCK.replace("nwnen:1", "nw.en:1"));
    assert_eq!(legal(&rules, &position).len(), 6);
}

#[test]
fn blank_and_own_cubes_inside_the_border_do_not_help() {
    let blank = STUCK.replace("w.s.w", "w...w").replace("n.e.n", "n...n");
    let own = STUCK.replace("w.s.w", "wsssw").replace("n.e.n", "nsesn");
    for token in [blank, own] {
        let (rules, position) = position(&token);
        assert_eq!(legal(&rules, &position), ["pass"], "{token}");
    }
}

#[test]
fn any_seat_can_be_without_a_cube_to_take() {
    // The dots that point at the seat to move are turned to its teammate.
    for (turn, from, to) in
        [(":1:40", 's', 'n'), (":2:41", 'w', 'e'), (":3:42", 'n', 's'), (":4:43", 'e', 'w')]
    {
        let all = "nwsen/w...w/s...s/e...e/nwsen".replace(from, &to.to_string());
        let (rules, position) = position(&format!("{all}{turn}"));
        assert_eq!(legal(&rules, &position), ["pass"], "{turn}");
    }
}

#[test]
fn a_pass_counts_as_a_ply() {
    let setup = configure::<QuixoTeams>(&[("max_plies", "41")]).expect("options");
    let mut table = setup.from_token(STUCK).expect("a position");
    assert_eq!(legal_moves(&*table), ["pass"]);
    table.play("pass").expect("the only move");
    let ending = table.ending().expect("the game is as long as it may be");
    assert_eq!((ending.reason, table.ply()), (BY_LENGTH, 41));
    assert!(ending.places.values().all(|place| place.number() == 1));
}

/// Plays moves until a game with `repetition=2` ends, and returns the move that ended it.
fn repeats(start: &str, moves: &str) -> Option<String> {
    let setup = configure::<QuixoTeams>(&[("repetition", "2")]).expect("options");
    let mut table: Box<dyn Table> = setup.from_token(start).expect("a position");
    for mv in moves.split(' ') {
        table.play(mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        if let Some(ending) = table.ending() {
            assert_eq!(ending.reason, BY_REPETITION);
            return Some(mv.to_owned());
        }
    }
    None
}

#[test]
fn positions_repeat_at_any_ply_but_not_with_a_different_dot() {
    // Every player pushes an own cube to the other end of its row, and back.
    let start = "s..../w..../...../n..../e....:1:4";
    let there = "a5e5s a4e4w a2e2n a1e1e";
    assert_eq!(repeats(start, &format!("{there} e5a5s e4a4w e2a2n e1a1e")).as_deref(), Some("e1a1e"));
    assert_eq!(repeats(start, &format!("{there} e5a5s e4a4w e2a2n e1a1w")), None);
    assert_eq!(repeats(start, &format!("{there} e5a5s e4a4w e2a2n b1a1e")), None);
}

#[test]
fn repetition_keys_ignore_the_ply_but_not_the_seat_or_the_dots() {
    let (rules, one) = position("snwe./...../..s../..w../.....:1:8");
    let (_, later) = position("snwe./...../..s../..w../.....:1:12");
    let (_, other_seat) = position("snwe./...../..s../..w../.....:3:10");
    let (_, other_dot) = position("nnwe./...../..s../..w../.....:1:8");
    assert_ne!(one, later);
    assert_eq!(rules.repetition_key(&one), rules.repetition_key(&later));
    for other in [other_seat, other_dot] {
        assert_ne!(rules.repetition_key(&one), rules.repetition_key(&other));
    }
}
