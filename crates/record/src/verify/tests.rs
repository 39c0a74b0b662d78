//! Correct records, and the findings in incorrect ones.

use std::io::Cursor;

use crate::testing::played;
use crate::tests::SMALLEST;
use crate::verify::{Checked, Finding, Replayer, Summary, verify};
use crate::{
    AdjudicationRecord, EvidenceRecord, FaultFields, FaultRecord, GameRecord, OpeningRecord, RecordReader,
    SaidRecord, VoidRecord,
};
use linesman_games::legal_moves;

/// In `expected`, `…` stands for the game's own words.
#[track_caller]
fn compare(record: &GameRecord, expected: Result<Checked, &str>) {
    let found = Replayer::default().check(record).map_err(|violation| violation.to_string());
    match (&found, expected.as_ref().err().and_then(|expected| expected.strip_suffix('…'))) {
        (Err(said), Some(start)) => assert!(said.starts_with(start), "{said}"),
        _ => assert_eq!(found, expected.map_err(str::to_owned)),
    }
}

/// Checks the findings in the record of a random game after this change.
#[track_caller]
fn check(change: impl FnOnce(&mut GameRecord), expected: Result<Checked, &str>) {
    let mut record = played(2);
    assert!(matches!(Replayer::default().check(&record), Ok(Checked::Replayed { .. })));
    change(&mut record);
    compare(&record, expected);
}

/// The same for a game that seat 1 could not finish: four moves have been played, seat 1 is on move and
/// loses.
#[track_caller]
fn check_failure(fault: FaultFields, change: impl FnOnce(&mut GameRecord), expected: Result<Checked, &str>) {
    let mut record = unfinished();
    record.reason = Some("failure".to_owned());
    record.faults = vec![fault.into()];
    change(&mut record);
    compare(&record, expected);
}

const CORRECT: Result<Checked, &str> = Ok(Checked::Replayed { moves: 4 });

fn unfinished() -> GameRecord {
    let mut record: GameRecord = serde_json::from_str(SMALLEST).unwrap();
    record.moves = Some(["c1c5", "a1a5", "e1e5", "a2e2"].map(str::to_owned).to_vec());
    record.times_us = Some(vec![1_000; 4]);
    record.time_control = Some("movetime=1s".to_owned());
    record.margin_ms = Some(50);
    record.places = Some(vec![2, 1]);
    record
}

fn fault(kind: &str) -> FaultFields {
    FaultFields { seat: 1, fault: kind.to_owned(), ..FaultFields::default() }
}

fn answer(kind: &str, text: &str) -> FaultFields {
    FaultFields { text: Some(text.to_owned()), ..fault(kind) }
}

fn late(limit_us: u64, used_us: u64) -> FaultFields {
    FaultFields { limit_us: Some(limit_us), used_us: Some(used_us), margin_us: Some(50_000), ..fault("time") }
}

#[test]
fn games_played_by_the_rules_are_correct() {
    let mut replayer = Replayer::default();
    let mut reasons = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let record = played(seed);
        let moves = record.moves.as_ref().map_or(0, Vec::len);
        assert_eq!(replayer.check(&record), Ok(Checked::Replayed { moves }));
        reasons.insert(record.reason);
    }
    assert!(reasons.len() >= 2, "{reasons:?}");
}

#[test]
fn a_changed_result_is_found() {
    let won = played(2);
    assert_eq!((won.places.as_deref(), won.reason.as_deref()), (Some([2, 1].as_slice()), Some("line")));
    check(|record| record.places = Some(vec![1, 2]), Err("the places are 1,2, but should be 2,1"));
    check(
        |record| record.places = Some(vec![2, 2]),
        Err("the places 2,2 are impossible: a place is 1 + the number of sides that did better"),
    );
    check(|record| record.places = Some(vec![1]), Err("`places` has 1 places for 2 seats"));
    check(
        |record| record.reason = Some("max_plies".to_owned()),
        Err("the reason is `max_plies`, but by the rules the game ended by `line`"),
    );
    check(
        |record| record.reason = Some("resignation".to_owned()),
        Err("the reason is `resignation`, but by the rules the game ended by `line`"),
    );
    check(|record| record.reason = Some("luck".to_owned()), Err("`reason` can't be `luck`"));
    check(
        |record| record.marks[0].squares[0] = "b2".to_owned(),
        Err("the marks are not the squares that decided the game"),
    );
    check(
        |record| record.faults = vec![fault("crash").into()],
        Err("seat 1 failed (`crash`), but the reason is `line`"),
    );
}

#[test]
fn a_changed_game_is_found_where_it_was_changed() {
    check(
        |record| record.moves.as_mut().unwrap()[2] = "b2b1".to_owned(),
        Err("move 3 (`b2b1`): not legal here: …"),
    );
    check(
        |record| record.moves.as_mut().unwrap()[0] = "pass\u{1b}".to_owned(),
        Err("move 1 (`pass\\u{1b}`): …"),
    );
    check(
        |record| record.moves.as_mut().unwrap()[1] = "!2".to_owned(),
        Err("move 2 (`!2`): seat 2 can't be eliminated here"),
    );
    check(
        |record| record.moves.as_mut().unwrap()[1] = "!7".to_owned(),
        Err("move 2 (`!7`): there is no seat `!7`"),
    );
    check(
        |record| {
            let again = record.moves.as_ref().unwrap()[0].clone();
            record.push_move(&again, std::time::Duration::ZERO, Default::default());
        },
        Err(&format!(
            "move {} (`{}`): not legal here: the game is over",
            played(2).moves.unwrap().len() + 1,
            played(2).moves.unwrap()[0]
        )),
    );
    check(
        |record| {
            record.moves.as_mut().unwrap().pop();
            record.times_us.as_mut().unwrap().pop();
            record.said.as_mut().unwrap().pop();
        },
        Err("the reason is `line`, but by the rules the game is not over after the last move"),
    );
    check(
        |record| record.times_us.as_mut().unwrap()[1] = 1_050_001,
        Err(&format!(
            "move 2 (`{}`): it took 1.050001s, more than the limit of 1s plus the margin of 50ms",
            played(2).moves.unwrap()[1]
        )),
    );
    check(
        |record| record.times_us = Some(vec![1]),
        Err(&format!("`times_us` has 1 entries for {} moves", played(2).moves.unwrap().len())),
    );
}

#[test]
fn a_game_that_can_t_be_set_up_is_reported() {
    check(|record| record.game = "chess".to_owned(), Err("there is no game `chess`"));
    check(
        |record| _ = record.options.insert("size".to_owned(), 9.into()),
        Err("invalid options: option `size` can't be `9`: it must be 3 to 8"),
    );
    check(|record| record.seats.push(record.seats[0].clone()), Err("`places` has 2 places for 3 seats"));
    check(
        |record| {
            record.seats.push(record.seats[0].clone());
            record.places = Some(vec![1, 2, 3]);
        },
        Err("the game has 2 seats with these options, not 3"),
    );
    check(
        |record| record.time_control = Some("movetime=7".to_owned()),
        Err("the time control can't be read: `7` has no unit (write `7ms` or `7s`)"),
    );
    check(
        |record| record.opening = Some(OpeningRecord { token: None, moves: vec!["a1a1".to_owned()] }),
        Err("opening move 1 (`a1a1`): not legal here: …"),
    );
}

#[test]
fn games_continue_from_their_opening() {
    let mut record = unfinished();
    let moves = record.moves.take().unwrap();
    record.times_us = None;
    record.opening = Some(OpeningRecord { token: None, moves: moves[..2].to_vec() });
    record.moves = Some(moves[2..].to_vec());
    record.reason = Some("resignation".to_owned());
    assert_eq!(Replayer::default().check(&record), Ok(Checked::Replayed { moves: 2 }));
    let mut table = linesman_games::find("quixo").unwrap().configure(&[]).unwrap().start();
    moves[..2].iter().for_each(|text| table.play(text).unwrap());
    record.opening = Some(OpeningRecord { token: Some(table.token()), moves: Vec::new() });
    assert_eq!(Replayer::default().check(&record), Ok(Checked::Replayed { moves: 2 }));
}

#[test]
fn a_seat_that_resigns_loses() {
    let mut record = unfinished();
    record.reason = Some("resignation".to_owned());
    assert_eq!(Replayer::default().check(&record), Ok(Checked::Replayed { moves: 4 }));
    record.places = Some(vec![1, 2]);
    let violation = Replayer::default().check(&record).unwrap_err();
    assert_eq!(violation.to_string(), "the places are 1,2, but should be 2,1");
    record.reason = None;
    let violation = Replayer::default().check(&record).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "the game is not over after the last move, and no `reason` says why it ended"
    );
}

#[test]
fn a_seat_that_fails_loses() {
    check_failure(fault("crash"), |_| {}, CORRECT);
    check_failure(
        fault("crash"),
        |record| record.faults[0].seat = 2,
        Err("the places are 2,1, but should be 1,2"),
    );
    check_failure(
        fault("crash"),
        |record| record.places = Some(vec![1, 1]),
        Err("the places are 1,1, but should be 2,1"),
    );
    check_failure(
        fault("crash"),
        |record| record.faults.clear(),
        Err("the reason is `failure`, but 2 sides were left in the game"),
    );
    check_failure(
        fault("crash"),
        |record| record.faults.push(FaultFields { seat: 2, ..fault("crash") }.into()),
        Err("the reason is `failure`, but 0 sides were left in the game"),
    );
    check_failure(
        fault("crash"),
        |record| record.reason = Some("resignation".to_owned()),
        Err("seat 1 failed (`crash`), but the reason is `resignation`"),
    );
    check_failure(
        fault("not_started"),
        |_| {},
        Err("seat 1 can't have failed with `not_started` after moves were played"),
    );
    check_failure(
        fault("not_started"),
        |record| (record.moves, record.times_us) = (Some(Vec::new()), None),
        Ok(Checked::Replayed { moves: 0 }),
    );
    check_failure(fault("bored"), |_| {}, Err("`faults.fault` can't be `bored`"));
}

#[test]
fn an_illegal_move_has_to_be_illegal() {
    check_failure(answer("illegal_move", "c3c5"), |_| {}, CORRECT);
    check_failure(answer("not_a_move", "castle"), |_| {}, CORRECT);
    check_failure(answer("not_a_move", ""), |_| {}, CORRECT);
    check_failure(
        answer("illegal_move", "c1c5"),
        |_| {},
        Err("seat 1 is recorded with an illegal move, but `c1c5` is legal there"),
    );
    check_failure(
        answer("illegal_move", "castle"),
        |_| {},
        Err("`castle` of seat 1 is recorded as `illegal_move`, but …"),
    );
    check_failure(
        answer("not_a_move", "c3c5"),
        |_| {},
        Err("`c3c5` of seat 1 is recorded as `not_a_move`, but …"),
    );
    check_failure(
        FaultFields { seat: 2, ..answer("illegal_move", "c3c5") },
        |record| record.places = Some(vec![1, 2]),
        Err("seat 2 can't have failed with `illegal_move`: seat 1 was on move"),
    );
}

#[test]
fn a_loss_on_time_has_to_be_late() {
    check_failure(late(1_000_000, 1_050_001), |_| {}, CORRECT);
    check_failure(late(500_000, 600_000), |_| {}, CORRECT);
    check_failure(
        late(1_000_000, 1_049_999),
        |_| {},
        Err("seat 1 is recorded as late, but used only 1.049999s of 1s plus a margin of 50ms"),
    );
    check_failure(
        late(2_000_000, 3_000_000),
        |_| {},
        Err("seat 1 is recorded with a limit of 2s, but the time control gave it 1s"),
    );
    // Seat 1 has used 1.8 of its 2 seconds and gained 100 ms for each move.
    let clock = |record: &mut GameRecord| {
        record.time_control = Some("tc=2s+100ms".to_owned());
        record.times_us = Some(vec![900_000, 1, 900_000, 1]);
    };
    check_failure(late(400_000, 450_001), clock, CORRECT);
    check_failure(
        late(400_001, 500_000),
        clock,
        Err("seat 1 is recorded with a limit of 400.001ms, but the time control gave it 400ms"),
    );
    // A seat's own time control replaces that one, and does not affect the other seat.
    let own = |seat: usize| {
        move |record: &mut GameRecord| record.seats[seat].time_control = Some("movetime=2s".to_owned())
    };
    check_failure(late(2_000_000, 3_000_000), own(0), CORRECT);
    check_failure(
        late(2_000_000, 3_000_000),
        own(1),
        Err("seat 1 is recorded with a limit of 2s, but the time control gave it 1s"),
    );
    // Where CPU time counts, the wall bound may have been exceeded.
    let by_wall = |cpu_us: u64, wall_us: u64| FaultFields {
        wall_us: Some(wall_us),
        wall_bound_us: Some(10_500_000),
        evidence: Some(EvidenceRecord { cpu_us, ..EvidenceRecord::default() }),
        ..late(1_000_000, cpu_us)
    };
    check_failure(by_wall(1_050_000, 1_100_000), |_| {}, CORRECT);
    check_failure(by_wall(3, 10_500_000), |_| {}, CORRECT);
    check_failure(
        by_wall(3, 10_499_999),
        |_| {},
        Err("seat 1 is recorded as late, but used only 3µs of 1s plus a margin of 50ms"),
    );
    // The same with two fresh seconds after its second move.
    let sessions = |record: &mut GameRecord| {
        clock(record);
        record.time_control = Some("tc=2/2s+100ms".to_owned());
    };
    check_failure(late(2_400_000, 2_450_001), sessions, CORRECT);
    check_failure(
        late(2_400_001, 2_500_000),
        sessions,
        Err("seat 1 is recorded with a limit of 2.400001s, but the time control gave it 2.4s"),
    );
}

#[test]
fn void_games_have_no_result() {
    let void =
        |kind: &str| Some(VoidRecord { kind: kind.to_owned().into(), why: None, ..VoidRecord::default() });
    let change = |record: &mut GameRecord, kind: &str| {
        record.places = None;
        record.reason = None;
        record.faults.clear();
        record.void = void(kind);
    };
    check_failure(fault("crash"), |record| change(record, "host"), Ok(Checked::Void));
    check_failure(fault("crash"), |record| change(record, "flood"), Err("`void.kind` can't be `flood`"));
    check_failure(
        fault("crash"),
        |record| change(record, "no_bot_played"),
        Err("the record says that no bot played, but there are moves"),
    );
    let nobody = |faults: Vec<FaultFields>| {
        move |record: &mut GameRecord| {
            change(record, "no_bot_played");
            (record.moves, record.times_us, record.faults) =
                (Some(Vec::new()), None, faults.into_iter().map(FaultRecord::from).collect());
        }
    };
    let both = vec![fault("not_started"), FaultFields { seat: 2, ..fault("not_started") }];
    check_failure(fault("crash"), nobody(both), Ok(Checked::Void));
    check_failure(
        fault("crash"),
        nobody(vec![fault("not_started")]),
        Err("the record says that no bot played, but not every side failed"),
    );
    check_failure(
        fault("crash"),
        |record| {
            change(record, "host");
            record.reason = Some("failure".to_owned());
        },
        Err("the game is void, but has the reason `failure`"),
    );
}

#[test]
fn a_decision_of_the_referee_is_accepted() {
    check_failure(
        fault("crash"),
        |record| {
            record.faults.clear();
            record.reason = Some("adjudication".to_owned());
            record.places = Some(vec![1, 1]);
        },
        CORRECT,
    );
}

/// The record of a game that the referee decided because its bots agreed, with two moves each.
fn decided() -> GameRecord {
    let mut record = unfinished();
    record.reason = Some("adjudication".to_owned());
    record.adjudication =
        Some(AdjudicationRecord { win_score: Some(300), win_moves: Some(2), ..Default::default() });
    let said = |score| Some(SaidRecord { score_cp: Some(score), ..SaidRecord::default() });
    record.said = Some([-300, 500, -301, 300].map(said).to_vec());
    record
}

#[test]
fn a_decision_by_scores_is_checked() {
    #[track_caller]
    fn check(change: impl FnOnce(&mut GameRecord), expected: Result<Checked, &str>) {
        let mut record = decided();
        change(&mut record);
        compare(&record, expected);
    }
    check(|_| (), CORRECT);
    check(|record| record.places = Some(vec![1, 2]), Err("the places are 1,2, but should be 2,1"));
    let not_agreed =
        "the reason is `adjudication`, but the bots did not agree on the result for enough moves";
    check(|record| record.said.as_mut().unwrap()[2] = None, Err(not_agreed));
    check(|record| record.said = None, Err(not_agreed));
    // A table may decide otherwise.
    check(
        |record| {
            record.said = None;
            record.adjudication.as_mut().unwrap().table = Some("sha256:00".to_owned());
        },
        CORRECT,
    );
    check(
        |record| record.adjudication.as_mut().unwrap().win_moves = Some(1),
        Err("move 3 (`e1e5`): the game should have ended before this move, because the bots agreed on the \
             result"),
    );
    check(
        |record| {
            record.reason = Some("resignation".to_owned());
            record.adjudication.as_mut().unwrap().win_moves = Some(2);
        },
        Err(
            "the game should have been adjudicated after the last move: both sides reported a win by 300 or \
             more for 2 moves in a row; …",
        ),
    );
}

#[test]
fn the_games_of_a_pair_must_match() {
    let game = |seed: u64, change: &dyn Fn(&mut GameRecord)| {
        let mut record = played(seed);
        record.pair = Some("greedy~random#1".to_owned());
        record.id = format!("g{seed}");
        change(&mut record);
        record
    };
    let returned = |record: &mut GameRecord| record.seats.reverse();
    let untrue = |records: &[GameRecord]| -> Vec<String> {
        let lines: Vec<String> =
            records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
        let mut said = Vec::new();
        let mut found = |finding| match finding {
            Finding::Untrue { id, violation, .. } => said.push(format!("{id}: {violation}")),
            other => panic!("{other:?}"),
        };
        let summary = verify(RecordReader::from_input("f", Cursor::new(lines.join("\n"))), &mut found);
        assert_eq!((summary.untrue, summary.replayed + summary.untrue), (said.len() as u64, summary.records));
        said
    };
    // Seeds 0, 4 and 8 use the same board size.
    assert_eq!(untrue(&[game(0, &|_| ()), game(4, &returned)]), [] as [&str; 0]);
    let other_pair = |record: &mut GameRecord| record.pair = Some("greedy~random#2".to_owned());
    assert_eq!(untrue(&[game(0, &|_| ()), game(4, &other_pair)]), [] as [&str; 0]);
    let other_league = |record: &mut GameRecord| record.league = Some("other".to_owned());
    assert_eq!(untrue(&[game(0, &|_| ()), game(4, &other_league)]), [] as [&str; 0]);
    assert_eq!(
        untrue(&[game(0, &|_| ()), game(4, &|_| ())]),
        [
            "g4: `greedy` is in position 1 again in the pair `greedy~random#1`, although its games exchange seats"
        ]
    );
    let third = |record: &mut GameRecord| record.seats[0].name = "third".to_owned();
    assert_eq!(
        untrue(&[game(0, &|_| ()), game(4, &third)]),
        ["g4: earlier games of the pair `greedy~random#1` were played by other bots"]
    );
    let opened = |record: &mut GameRecord| {
        record.seats.reverse();
        let first = record.moves.as_mut().unwrap().remove(0);
        record.times_us.as_mut().unwrap().remove(0);
        record.said.as_mut().unwrap().remove(0);
        record.opening = Some(OpeningRecord { token: None, moves: vec![first] });
    };
    let other_opening = "earlier games of the pair `greedy~random#1` have another opening, game or options";
    assert_eq!(untrue(&[game(0, &|_| ()), game(4, &opened)]), [format!("g4: {other_opening}")]);
    assert_eq!(untrue(&[game(0, &|_| ()), game(1, &returned)]), [format!("g1: {other_opening}")]);
    // An incorrect record does not affect the check of the others.
    let wrong = |record: &mut GameRecord| record.places = Some(vec![2, 2]);
    assert_eq!(untrue(&[game(0, &wrong), game(4, &|_| ())]).len(), 1);
}

#[test]
fn all_findings_are_reported_in_order() {
    let line = |record: &GameRecord| serde_json::to_string(record).unwrap();
    let mut untrue = played(1);
    untrue.places = untrue.places.map(|places| places.into_iter().rev().collect());
    let mut swapped = played(3);
    swapped.seats.reverse();
    let text = [
        line(&played(0)),
        line(&untrue),
        SMALLEST.to_owned(),
        "{}".to_owned(),
        line(&played(0)),
        line(&swapped),
        "{\"v\":1,".to_owned(),
    ]
    .join("\n");
    let mut said = Vec::new();
    let summary = verify(RecordReader::from_input("f", Cursor::new(text)), &mut |finding| {
        said.push(match finding {
            Finding::Untrue { place, id, .. } => format!("{place} {id} untrue"),
            Finding::Duplicate { place, id } => format!("{place} {id} duplicate"),
            Finding::OtherBots { place, id } => format!("{place} {id} other bots"),
            Finding::Unreadable(error) => format!("{} unreadable", error.place),
            Finding::Torn(torn) => format!("{} torn, {} bytes", torn.place, torn.bytes),
        });
    });
    assert_eq!(
        said,
        [
            "f:2 greedy~random~2 untrue",
            "f:4 unreadable",
            "f:5 greedy~random~1 duplicate",
            "f:6 greedy~random~4 other bots",
            "f:7 torn, 7 bytes",
        ]
    );
    let moves = [0, 0, 3].map(|seed| played(seed).moves.unwrap().len() as u64).iter().sum();
    assert_eq!(
        summary,
        Summary {
            records: 5,
            replayed: 3,
            moves,
            without_moves: 1,
            void: 0,
            void_by_host: 0,
            untrue: 1,
            other_bots: 1,
            duplicates: 1,
            unreadable: 1,
            torn: 1,
        }
    );
}

#[test]
fn any_single_wrong_move_is_found() {
    let record = played(2);
    let moves = record.moves.clone().unwrap();
    let setup =
        linesman_games::find("quixo").unwrap().configure(&[("size", "5"), ("max_plies", "60")]).unwrap();
    let mut table = setup.start();
    for (index, text) in moves.iter().enumerate() {
        let legal = legal_moves(&*table);
        let illegal =
            ["a1a5", "a1e1", "c1c5", "e1e5"].iter().find(|text| !legal.iter().any(|known| known == *text));
        if let Some(illegal) = illegal {
            let mut changed = record.clone();
            changed.moves.as_mut().unwrap()[index] = (*illegal).to_owned();
            let violation = Replayer::default().check(&changed).unwrap_err();
            assert_eq!(violation.at.map(|at| at.number), Some(index + 1));
        }
        table.play(text).unwrap();
    }
}

#[test]
fn teammates_play_for_one_team() {
    let line = include_str!("../../../../tests/records/tables.jsonl").lines().nth(1).unwrap();
    let mut record: GameRecord = serde_json::from_str(line).unwrap();
    assert_eq!(Replayer::default().check(&record).map(drop), Ok(()));
    record.seats[2].team = Some("mixed".to_owned());
    let violation = Replayer::default().check(&record).unwrap_err();
    assert_eq!(violation.to_string(), "seats 1 and 3 are teammates, but play for `thinkers` and `mixed`");
    record.seats[2].team = None;
    let violation = Replayer::default().check(&record).unwrap_err();
    assert_eq!(violation.to_string(), "seats 1 and 3 are teammates, but play for `thinkers` and no team");
}

#[test]
fn seats_that_failed_before_the_first_move_share_the_last_place() {
    #[track_caller]
    fn check(fault_of_4: &str, moves: &[&str], places: [u8; 4], is_true: bool) {
        let record = format!(
            r#"{{"v":1,"id":"a~b~c~d~1","game":"tandem","options":{{"players":4,"layout":"quick5"}},
            "seats":[{{"name":"a"}},{{"name":"b"}},{{"name":"c"}},{{"name":"d"}}],
            "moves":{moves:?},"places":{places:?},"reason":"failure","faults":[
            {{"seat":4,{fault_of_4}}},
            {{"seat":2,"fault":"not_ready","stage":"readyok","limit_us":1000000}},
            {{"seat":1,"fault":"crash","exit_code":1}}]}}"#
        );
        let record: GameRecord = serde_json::from_str(&record).expect("it is a record");
        let checked = Replayer::default().check(&record);
        assert_eq!(checked.is_ok(), is_true, "{checked:?}");
    }
    let closed = r#""fault":"closed_output""#;
    let ready = r#""fault":"not_ready","stage":"ugiok","limit_us":1000000"#;
    for fault in [closed, ready, r#""fault":"crash","exit_code":1"#] {
        check(fault, &["!2", "!4"], [2, 3, 1, 3], true);
        // No bot was asked, and one is left: the record does not show whether the last one was asked.
        check(fault, &[], [2, 2, 1, 2], true);
        // Otherwise it failed when it was asked, which happens only to a bot that had been ready.
        check(fault, &["!2", "!4"], [2, 4, 1, 3], fault != ready);
        check(fault, &["!2", "!4"], [2, 3, 1, 4], false);
    }
}

#[test]
fn an_eliminated_seat_is_an_exclamation_mark_and_its_plain_number() {
    let check = |text: &str| {
        let record = format!(
            r#"{{"v":1,"id":"a~b~c~d~1","game":"tandem","options":{{"players":4,"layout":"quick5"}},
            "seats":[{{"name":"a"}},{{"name":"b"}},{{"name":"c"}},{{"name":"d"}}],
            "moves":[{text:?},"!4"],"places":[2,3,1,3],"reason":"failure","faults":[
            {{"seat":4,"fault":"closed_output"}},
            {{"seat":2,"fault":"not_ready","stage":"readyok","limit_us":1000000}},
            {{"seat":1,"fault":"crash","exit_code":1}}]}}"#
        );
        let record: GameRecord = serde_json::from_str(&record).expect("it is a record");
        Replayer::default().check(&record).map(|_| ()).map_err(|violation| violation.to_string())
    };
    assert_eq!(check("!2"), Ok(()));
    for text in ["!02", "!+2"] {
        assert_eq!(check(text), Err(format!("move 1 (`{text}`): seat 2 can't be eliminated here")));
    }
    for text in ["!-2", "! 2", "!2 ", "!2.0", "!two", "!", "!!2", "!0", "!5"] {
        assert_eq!(check(text), Err(format!("move 1 (`{text}`): there is no seat `{text}`")));
    }
}

#[test]
fn pondered_moves_lead_to_the_bot_s_next_turn() {
    let ponder = |moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(|mv| (*mv).to_owned()).collect();
        move |record: &mut GameRecord| record.ponder = Some(vec![None, Some(moves), None, None])
    };
    // After the second move of four, which seat 2 made.
    check_failure(fault("crash"), ponder(&["e1e5"]), CORRECT);
    check_failure(
        fault("crash"),
        ponder(&["b2b5"]),
        Err("move 2 (`a1a5`): a bot can't have pondered on `b2b5` after it: …"),
    );
    check_failure(
        fault("crash"),
        ponder(&["e1e5", "a2e2"]),
        Err(
            "move 2 (`a1a5`): a bot can't have pondered on the moves `e1e5 a2e2` after it: seat 2 would not be on move",
        ),
    );
    check_failure(
        fault("crash"),
        |record| record.ponder = Some(vec![None]),
        Err("`ponder` has 1 entries for 4 moves"),
    );
}
