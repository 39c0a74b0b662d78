//! Games of three and four seats, and eliminated seats.

use super::*;
use crate::limits::BY_LENGTH;
use crate::tandem::PASSES;
use crate::tandem::POINTS;
use linesman_types::seat::Seat;

const BOARDS: &str = "..../..../..../....|..../..../..../....";

fn seat(number: usize) -> Seat {
    Seat::new(number).expect("a seat")
}

#[track_caller]
fn without(options: &str, token: &str, seats: &[usize]) -> Box<dyn Table> {
    let mut table = table(options, token);
    seats.iter().for_each(|number| table.eliminate(seat(*number)));
    table
}

fn three() -> String {
    format!("{PLAIN},players=3")
}

fn four() -> String {
    format!("{PLAIN},players=4")
}

#[test]
fn seats_take_turns_in_order() {
    for players in 2..=4 {
        let mut table = setup(&format!("players={players}")).start();
        let mut seen = Vec::new();
        for _ in 0..2 * players {
            seen.push(table.to_move().number());
            let mv = crate::legal_moves(&*table).swap_remove(0);
            table.play(&mv).expect("it is listed");
        }
        let round: Vec<usize> = (1..=players).collect();
        assert_eq!(seen, [round.clone(), round].concat());
    }
}

#[test]
fn an_eliminated_seat_keeps_its_tiles_and_is_skipped() {
    let start = token("3.../..../..../....|3.../..../..../....", 2, 10, 8, &[0, 0, 1], 0);
    let mut table = without(&three(), &start, &[3]);
    assert_eq!(table.token(), "3.../..../..../....|3.../..../..../....:2:10:8,8,5:0,0,1:0:!3");
    table.play("1a1/2a1").expect("seat 2 lays");
    assert_eq!(table.to_move(), Seat::FIRST);
    assert_eq!(table.ply(), 11);
}

#[test]
fn the_next_seat_is_to_move_if_the_eliminated_seat_was() {
    let table = without(&three(), &token(BOARDS, 3, 11, 8, &[0, 0, 0], 0), &[3]);
    assert_eq!((table.to_move(), table.ply()), (Seat::FIRST, 11));
    let table = without(&four(), &token(BOARDS, 2, 9, 8, &[0, 0, 0, 0], 0), &[3, 2]);
    assert_eq!(table.to_move(), seat(4));
}

#[test]
fn eliminated_seats_are_listed_in_their_order() {
    let table = without(&four(), &token(BOARDS, 1, 8, 8, &[0, 0, 0, 0], 0), &[3, 2]);
    let token = table.token();
    assert!(token.ends_with(":0:!3!2"), "{token}");
    assert_eq!(setup(&four()).from_token(&token).expect("it was written").token(), token);
}

#[test]
fn eliminated_seats_are_placed_below_all_others_in_reverse_order() {
    let table = without(&four(), &token(BOARDS, 1, 8, 8, &[0, 2, 2, 1], 0), &[3, 2]);
    assert_eq!(table.tie_break_scores().as_slice(), [0, -3, -4, 1]);
    let limits = format!("{},max_plies=8", four());
    let ending = without(&limits, &token(BOARDS, 1, 8, 8, &[0, 2, 2, 1], 0), &[3, 2]).ending();
    let ending = ending.expect("the game is long enough");
    let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
    assert_eq!((ending.reason, places), (BY_LENGTH, vec![2, 3, 4, 1]));
}

#[test]
fn eliminated_seats_are_placed_last_even_with_more_points() {
    let start = token("11../..../..../....|..../..../..../....", 1, 9, 8, &[2, 1, 2], 0);
    let mut table = without(&three(), &start, &[3]);
    table.play("1c4/2a1!1a4c4").expect("it is legal");
    let ending = table.ending().expect("seat 1 has three points");
    let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
    assert_eq!((ending.reason, places), (POINTS, vec![1, 2, 3]));
}

#[test]
fn an_elimination_ends_the_game_if_all_remaining_seats_have_passed() {
    let start = token(BOARDS, 3, 11, 8, &[2, 1, 0], 2);
    assert!(!table(&three(), &start).is_over());
    let table = without(&three(), &start, &[3]);
    let ending = table.ending().expect("seats 1 and 2 have passed");
    let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
    assert_eq!((ending.reason, places), (PASSES, vec![1, 2, 3]));
    assert_eq!(ending.why.to_string(), "all 2 seats have passed in a row; points: seat 1 2, seat 2 1");
    assert!(setup(&three()).from_token(&table.token()).is_ok_and(|table| table.is_over()));
}

#[test]
fn an_elimination_does_not_change_the_number_of_passes() {
    for (passes, out) in [(1, 1), (1, 2), (2, 3), (2, 4)] {
        let start = token(BOARDS, 1, 12, 8, &[0, 0, 0, 0], passes);
        let table = without(&four(), &start, &[out]);
        assert!(table.token().ends_with(&format!(":{passes}:!{out}")), "{}", table.token());
        assert!(!table.is_over());
    }
    // A pass of each remaining seat ends the game, whichever seat was eliminated.
    let start = token(BOARDS, 1, 12, 8, &[0, 0, 0, 0], 3);
    for out in 1..=4 {
        let table = without(&four(), &start, &[out]);
        assert_eq!(table.ending().map(|ending| ending.reason), Some(PASSES), "{out}");
    }
}

#[test]
fn two_remaining_seats_play_on() {
    let mut table = without(&four(), &token(BOARDS, 1, 8, 8, &[0, 0, 0, 0], 0), &[1, 3]);
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(table.to_move().number());
        let mv = crate::legal_moves(&*table).swap_remove(0);
        table.play(&mv).expect("it is listed");
    }
    assert_eq!(seen, [2, 4, 2, 4]);
}

#[test]
fn the_token_stays_readable_at_the_maximum_ply() {
    for players in 2..=4_u32 {
        let options = format!("{PLAIN},players={players},max_plies=0");
        let seat = u32::MAX % players + 1;
        let points = vec![0; players as usize];
        let mut table = table(&options, &token(BOARDS, seat as usize, u32::MAX, 8, &points, 0));
        table.play("1a1/2a1").expect("it is legal");
        let token = table.token();
        assert!(setup(&options).from_token(&token).is_ok(), "{token}");
    }
}
