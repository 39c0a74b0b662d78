//! Tables from records.

use std::io::Cursor;

use super::crosstable::{crosstable, pairs};
use super::results::ResultsCsv;
use super::standings::{Rated, Standings, View};
use super::table::Table;
use linesman_rating::Note;
use linesman_record::Tally;
use linesman_record::testing::{played, played_with};
use linesman_record::{
    EvidenceRecord, FaultFields, GameRecord, LoadRecord, OpeningRecord, RecordReader, SeatRecord,
    UsageRecord, VoidKind, VoidRecord,
};
use linesman_types::seat::Teams;

fn record(bots: [&str; 2], places: [u8; 2]) -> GameRecord {
    GameRecord {
        v: 1,
        id: format!("{}~{}~1", bots[0], bots[1]),
        attempt: 1,
        game: "quixo".to_owned(),
        seats: bots.map(|name| SeatRecord { name: name.to_owned(), ..SeatRecord::default() }).to_vec(),
        places: Some(places.to_vec()),
        ..GameRecord::default()
    }
}

fn field() -> Vec<GameRecord> {
    let fault = |seat, kind: &str| {
        vec![FaultFields { seat, fault: kind.to_owned(), ..FaultFields::default() }.into()]
    };
    vec![
        record(["ada", "bob"], [1, 2]),
        record(["bob", "ada"], [1, 1]),
        GameRecord { faults: fault(2, "time"), ..record(["ada", "cleo"], [1, 2]) },
        GameRecord { faults: fault(1, "crash"), ..record(["cleo", "ada"], [2, 1]) },
        record(["bob", "cleo"], [2, 1]),
        GameRecord {
            places: None,
            void: Some(VoidRecord { kind: VoidKind::Host, why: None, ..VoidRecord::default() }),
            faults: fault(1, "limit"),
            ..record(["cleo", "bob"], [1, 2])
        },
        GameRecord {
            places: None,
            void: Some(VoidRecord { kind: VoidKind::NoBotPlayed, why: None, ..VoidRecord::default() }),
            faults: fault(1, "not_started"),
            ..record(["cleo", "bob"], [1, 2])
        },
    ]
}

fn tally(records: &[GameRecord]) -> Tally {
    let mut tally = Tally::of_bots(["dan"]);
    for record in records {
        tally.add(&record.outcome().unwrap());
    }
    tally
}

fn csv(table: &Table) -> String {
    let mut bytes = Vec::new();
    table.write_csv(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn unrated(_: &str) -> Rated {
    Rated::default()
}

fn rated(name: &str) -> Rated {
    match name {
        "ada" => Rated {
            elo: Some(1700.04),
            interval: Some((1500.0, f64::INFINITY)),
            note: Some(Note::PriorWonAll),
        },
        "dan" => Rated::default(),
        _ => Rated { elo: Some(1400.0), interval: Some((1300.25, 1499.75)), note: None },
    }
}

#[test]
fn standings_show_bots_by_success() {
    let tally = tally(&field());
    insta::assert_snapshot!(Standings::new(&tally, unrated).table(View::Brief).to_text(None), @r#"
    #  bot   games  points  score  wins  draws  losses  faults
    1  ada       4     3.5  0.875     3      1       0       0
    2  cleo      3     1.0  0.333     1      0       2       3
    3  bob       3     0.5  0.167     0      1       2       0
    4  dan       0     0.0      -     0      0       0       0
    "#);
    insta::assert_snapshot!(Standings::new(&tally, rated).table(View::Brief).to_text(None), @r#"
    #  bot   games  points  score  wins  draws  losses   Elo        95 %  faults
    1  ada       4     3.5  0.875     3      1       0  1700      > 1500       0
    2  cleo      3     1.0  0.333     1      0       2  1400  1300..1500       3
    3  bob       3     0.5  0.167     0      1       2  1400  1300..1500       0
    4  dan       0     0.0      -     0      0       0     -           -       0
    "#);
    assert_eq!(
        Standings::new(&tally, rated).notes().collect::<Vec<_>>(),
        ["ada: won every game; its Elo depends on the prior"]
    );
    insta::assert_snapshot!(csv(&Standings::new(&tally, rated).table(View::Full)), @r#"
    rank,bot,games,points,score,wins,draws,losses,elo,elo_low,elo_high,games_seat_1,points_seat_1,games_seat_2,points_seat_2,faults,faults_not_started,faults_not_ready,faults_time,faults_crash,faults_closed_output,faults_illegal_move,faults_not_a_move,faults_protocol,faults_limit,open,voids,overload,cpu_share,cpu_s,off_move_ms,off_move_games,paused_games,peak_kib,note
    1,ada,4,3.5,0.875000,3,1,0,1700.040000,1500.000000,,2,2.0,2,1.5,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,0,0,,won every game; its Elo depends on the prior
    2,cleo,3,1.0,0.333333,1,0,2,1400.000000,1300.250000,1499.750000,1,0.0,2,1.0,3,1,0,1,1,0,0,0,0,0,0,0,0,,,,0,0,,
    3,bob,3,0.5,0.166667,0,1,2,1400.000000,1300.250000,1499.750000,2,0.5,1,0.0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,0,0,,
    4,dan,0,0.0,,0,0,0,,,,0,0.0,0,0.0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,0,0,,
    "#);
}

#[test]
fn notes_gather_the_bots_to_which_they_apply() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let mut games: Vec<GameRecord> = names.iter().map(|name| record([name, "z"], [1, 2])).collect();
    games.push(record(["z", "y"], [1, 2]));
    let note = |name: &str| match name {
        "z" => None,
        "y" => Some(Note::PriorLostAll),
        _ => Some(Note::PriorWonAll),
    };
    let standings = Standings::new(&tally(&games), |name| Rated { note: note(name), ..Rated::default() });
    assert_eq!(
        standings.notes().collect::<Vec<_>>(),
        [
            "won every game, so their Elo depends on the prior: a, b, c and 4 others",
            "y: lost every game; its Elo depends on the prior",
        ]
    );
}

#[test]
fn annulled_games_and_late_moves_are_counted() {
    let mut late = record(["a", "b"], [1, 2]);
    late.faults.push(
        FaultFields { seat: 2, fault: "time".to_owned(), overload: true, ..FaultFields::default() }.into(),
    );
    let mut void = record(["a", "b"], [1, 2]);
    void.places = None;
    void.void = Some(VoidRecord { kind: VoidKind::Host, seat: Some(2), ..VoidRecord::default() });
    let note = |games: &[GameRecord]| Standings::new(&tally(games), unrated).overload_note();
    assert_eq!(note(&[record(["a", "b"], [1, 2])]), None);
    assert_eq!(
        note(&[void.clone(), void, late]).as_deref(),
        Some("bots waited for a CPU: 2 tries of games were annulled, 1 late move counted")
    );
}

#[test]
fn standings_show_the_cpu_share_and_cpu_time_out_of_turn() {
    let used = |cpu_us, off_move_cpu_us, paused| UsageRecord {
        moves: 10,
        measured: 10,
        wall_us: 1_000_000,
        cpu_us,
        wait_us: 1_000_000 - cpu_us,
        lag_us: 0,
        total_cpu_us: Some(cpu_us + off_move_cpu_us),
        off_move_cpu_us: Some(off_move_cpu_us),
        ponder_cpu_us: None,
        peak_kib: Some(9_000),
        paused,
    };
    let mut played = record(["a", "b"], [1, 2]);
    played.seats[0].usage = Some(used(430_000, 0, false));
    played.seats[1].usage = Some(used(410_000, 123_000, true));
    let mut void = record(["a", "b"], [1, 2]);
    void.places = None;
    void.void = Some(VoidRecord { kind: VoidKind::Host, seat: Some(2), ..VoidRecord::default() });
    let mut tally = Tally::default();
    tally.add(&void.outcome().unwrap());
    insta::assert_snapshot!(Standings::new(&tally, unrated).table(View::Brief).to_text(None), @r#"
    #  bot  games  points  score  wins  draws  losses  open  voids
    1  a        0     0.0      -     0      0       0     1      0
    1  b        0     0.0      -     0      0       0     1      1
    "#);
    tally.add(&played.outcome().unwrap());
    let standings = Standings::new(&tally, unrated);
    insta::assert_snapshot!(standings.table(View::Brief).to_text(None), @r#"
    #  bot  games  points  score  wins  draws  losses  voids   CPU         off move
    1  a        1     1.0  1.000     1      0       0      0  43 %                -
    2  b        1     0.0  0.000     0      0       1      1  41 %  12.3 ms, paused
    "#);
    assert!(standings.host_note().is_some_and(|note| {
        note.to_string().starts_with("The machine is overloaded: bots spent 58 % of their thinking time")
    }));
    let full = csv(&standings.table(View::Full));
    assert!(
        full.lines().nth(2).is_some_and(|row| row.ends_with(",1,0,0.410000,0.533,12.300,1,1,9000,")),
        "{full}"
    );
}

#[test]
fn late_moves_on_an_overloaded_host_are_not_faults_of_the_bot() {
    let asked = |fault: FaultFields| FaultFields {
        used_us: Some(400_000),
        evidence: Some(EvidenceRecord { cpu_us: 100_000, wait_us: 300_000, lag_us: 0 }),
        ..fault
    };
    let late =
        |overload| FaultFields { seat: 2, fault: "time".to_owned(), overload, ..FaultFields::default() };
    let of_bot = GameRecord { faults: vec![late(false).into()], ..record(["a", "b"], [1, 2]) };
    let of_host = GameRecord { faults: vec![asked(late(true)).into()], ..record(["a", "b"], [1, 2]) };
    let table =
        |records: &[GameRecord]| Standings::new(&tally(records), unrated).table(View::Brief).to_text(None);
    insta::assert_snapshot!(table(&[of_bot.clone(), of_host.clone(), of_host.clone()]), @r#"
    #  bot  games  points  score  wins  draws  losses  faults  overload   CPU
    1  a        3     3.0  1.000     3      0       0       0         0     -
    2  b        3     0.0  0.000     0      0       3       1         2  25 %
    3  dan      0     0.0      -     0      0       0       0         0     -
    "#);
    let only = tally(&[of_host]);
    let standings = Standings::new(&only, unrated);
    assert!(!standings.table(View::Brief).to_text(None).contains("faults"));
    assert!(!table(&[of_bot]).contains("overload"));
    // There was no other long move, so the note depends on this move only.
    assert!(
        standings
            .host_note()
            .is_some_and(|note| note.to_string().starts_with("The machine is overloaded: bots spent 75 % "))
    );
    let full = csv(&standings.table(View::Full));
    let mut lines = full.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let of_b = lines.find(|row| row[1] == "b").unwrap();
    let cell = |name: &str| of_b[header.iter().position(|column| *column == name).unwrap()];
    assert_eq!((cell("faults"), cell("faults_time"), cell("overload"), cell("losses")), ("0", "0", "1", "1"));
}

#[test]
fn void_tries_count_for_the_cpu_share() {
    let usage = UsageRecord {
        moves: 1,
        measured: 1,
        wall_us: 500_000,
        cpu_us: 100_000,
        wait_us: 300_000,
        ..UsageRecord::default()
    };
    let mut void = record(["a", "b"], [1, 2]);
    void.places = None;
    void.seats[0].usage = Some(usage);
    void.void = Some(VoidRecord {
        kind: VoidKind::Host,
        seat: Some(2),
        used_us: Some(500_000),
        evidence: Some(EvidenceRecord { cpu_us: 100_000, wait_us: 300_000, lag_us: 0 }),
        ..VoidRecord::default()
    });
    let standings = Standings::new(&tally(&[void]), unrated);
    assert!(
        standings
            .host_note()
            .is_some_and(|note| note.to_string().starts_with("The machine is overloaded: bots spent 60 % "))
    );
}

#[test]
fn standings_do_not_depend_on_the_order_of_records() {
    let records: Vec<GameRecord> = (0..60)
        .map(|seed| {
            played_with(seed, ["a", "b", "c"][(seed % 3) as usize], ["b", "c", "d"][(seed % 3) as usize])
        })
        .collect();
    let backwards: Vec<GameRecord> = records.iter().rev().cloned().collect();
    let table = |records: &[GameRecord]| {
        let tally = tally(records);
        let standings = Standings::new(&tally, unrated);
        csv(&standings.table(View::Full)) + &csv(&pairs(&tally, &standings))
    };
    assert_eq!(table(&records), table(&backwards));
}

#[test]
fn equals_share_a_rank() {
    let tally = tally(&[record(["y", "x"], [1, 1]), record(["z", "w"], [1, 2])]);
    let ranks: Vec<String> = Standings::new(&tally, unrated)
        .table(View::Brief)
        .rows()
        .iter()
        .map(|row| format!("{} {}", row[0].plain(), row[1].plain()))
        .collect();
    assert_eq!(ranks, ["1 z", "2 x", "2 y", "4 w", "5 dan"]);
}

#[test]
fn a_crosstable_shows_the_results_of_each_pair() {
    let tally = tally(&field());
    let standings = Standings::new(&tally, unrated);
    insta::assert_snapshot!(csv(&crosstable(&tally, &standings)), @r#"
    bot,ada,cleo,bob,dan
    ada,,2W 0D 0L,1W 1D 0L,
    cleo,0W 0D 2L,,1W 0D 0L,
    bob,0W 1D 1L,0W 0D 1L,,
    dan,,,,
    "#);
    insta::assert_snapshot!(csv(&pairs(&tally, &standings)), @r#"
    bot,opponent,games,points,wins,draws,losses
    ada,cleo,2,2.0,2,0,0
    ada,bob,2,1.5,1,1,0
    cleo,ada,2,0.0,0,0,2
    cleo,bob,1,1.0,1,0,0
    bob,ada,2,0.5,0,1,1
    bob,cleo,1,0.0,0,0,1
    "#);
}

/// Returns a game of two teams: seats 1 and 3 against 2 and 4.
fn team_record(bots: [&str; 4], teams: Option<[&str; 2]>, places: [u8; 2]) -> GameRecord {
    let seat = |(index, name): (usize, &str)| SeatRecord {
        name: name.to_owned(),
        team: teams.map(|teams| teams[index % 2].to_owned()),
        ..SeatRecord::default()
    };
    GameRecord {
        game: "quixo-teams".to_owned(),
        seats: bots.into_iter().enumerate().map(seat).collect(),
        places: Some([places, places].concat()),
        ..record(["a", "b"], [1, 2])
    }
}

#[test]
fn games_of_teams_are_counted_by_team() {
    let crash = FaultFields { seat: 4, fault: "crash".to_owned(), ..FaultFields::default() };
    let records = [
        team_record(["a", "c", "b", "d"], Some(["reds", "blues"]), [1, 2]),
        GameRecord {
            faults: vec![crash.into()],
            ..team_record(["d", "b", "c", "a"], Some(["blues", "reds"]), [1, 2])
        },
        team_record(["a", "e", "b", "e"], Some(["reds", "e"]), [1, 1]),
        // In other records, teams may have no names.
        team_record(["x", "e", "w", "e"], None, [2, 1]),
    ];
    let mut tally = Tally::default();
    records.iter().for_each(|record| tally.add(&record.outcome().unwrap()));
    let standings = Standings::new(&tally, unrated);
    insta::assert_snapshot!(standings.table(View::Brief).to_text(None), @r#"
    #  team   games  points  score  wins  draws  losses  faults
    1  e          2     1.5  0.750     1      1       0       0
    2  reds       3     1.5  0.500     1      1       1       1
    3  blues      2     1.0  0.500     1      0       1       0
    4  w+x        1     0.0  0.000     0      0       1       0
    "#);
    assert_eq!(standings.by_seat(), None);
    insta::assert_snapshot!(csv(&standings.table(View::Full)).lines().take(2).collect::<Vec<_>>().join("\n"), @r#"
    rank,team,games,points,score,wins,draws,losses,elo,elo_low,elo_high,games_side_1,points_side_1,games_side_2,points_side_2,faults,faults_not_started,faults_not_ready,faults_time,faults_crash,faults_closed_output,faults_illegal_move,faults_not_a_move,faults_protocol,faults_limit,open,voids,overload,cpu_share,cpu_s,off_move_ms,off_move_games,paused_games,peak_kib,note
    1,e,2,1.5,0.750000,1,1,0,,,,0,0.0,2,1.5,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,0,0,,
    "#);
    insta::assert_snapshot!(csv(&crosstable(&tally, &standings)), @r#"
    team,e,reds,blues,w+x
    e,,0W 1D 0L,,1W 0D 0L
    reds,0W 1D 0L,,1W 0D 1L,
    blues,,1W 0D 1L,,
    w+x,0W 0D 1L,,,
    "#);
    insta::assert_snapshot!(results(&records[1..], &Teams::opposite_pairs()), @r#"
    id,try,league,game,options,bot_1,bot_2,bot_3,bot_4,team_1,team_2,team_3,team_4,place_1,place_2,place_3,place_4,score_1,score_2,score_3,score_4,time_ms_1,time_ms_2,time_ms_3,time_ms_4,reason,void,faults,moves,time_control,margin_ms,opening,duration_ms,started,void_seat,cpu_share_1,cpu_share_2,cpu_share_3,cpu_share_4,off_move_ms_1,off_move_ms_2,off_move_ms_3,off_move_ms_4,paused_1,paused_2,paused_3,paused_4,pressure,steal_ms,pair
    a~b~1,1,,quixo-teams,,d,b,c,a,blues,reds,blues,reds,1,2,1,2,1.00,0.00,1.00,0.00,,,,,,,4:crash,,,,,,,,,,,,,,,,,,,,,,
    a~b~1,1,,quixo-teams,,a,e,b,e,reds,e,reds,e,1,1,1,1,0.50,0.50,0.50,0.50,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    a~b~1,1,,quixo-teams,,x,e,w,e,w+x,e,w+x,e,2,1,2,1,0.00,1.00,0.00,1.00,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    "#);
}

/// Returns a game of four single players.
fn record_of_four(bots: [&str; 4], places: [u8; 4]) -> GameRecord {
    GameRecord {
        game: "unknown".to_owned(),
        seats: bots.map(|name| SeatRecord { name: name.to_owned(), ..SeatRecord::default() }).to_vec(),
        places: Some(places.to_vec()),
        ..record(["a", "b"], [1, 2])
    }
}

#[test]
fn places_and_seats_are_counted_if_there_are_more_than_two() {
    let mut tally = Tally::default();
    for (bots, places) in [
        (["a", "b", "c", "d"], [1, 2, 2, 4]),
        (["b", "c", "d", "a"], [3, 2, 4, 1]),
        (["a", "b", "c", "d"], [1, 2, 3, 4]),
        (["a", "b", "d", "c"], [1, 1, 1, 1]),
    ] {
        tally.add(&record_of_four(bots, places).outcome().unwrap());
    }
    let standings = Standings::new(&tally, unrated);
    insta::assert_snapshot!(standings.table(View::Brief).to_text(None), @r#"
    #  bot  games  points  score  1st  2nd  3rd  4th
    1  a        4    3.50  0.875    4    0    0    0
    2  b        4    2.00  0.500    1    2    1    0
    2  c        4    2.00  0.500    1    2    1    0
    4  d        4    0.50  0.125    1    0    0    3
    "#);
    insta::assert_snapshot!(standings.by_seat().unwrap().to_text(None), @r#"
    bot     seat 1     seat 2     seat 3     seat 4
    a    2.50 of 3          -          -  1.00 of 1
    b    0.33 of 1  1.67 of 3          -          -
    c            -  0.67 of 1  0.83 of 2  0.50 of 1
    d            -          -  0.50 of 2  0.00 of 2
    "#);
    insta::assert_snapshot!(csv(&standings.table(View::Full)).lines().take(2).collect::<Vec<_>>().join("\n"), @r#"
    rank,bot,games,points,score,wins,draws,losses,place_1,place_2,place_3,place_4,elo,elo_low,elo_high,games_seat_1,points_seat_1,games_seat_2,points_seat_2,games_seat_3,points_seat_3,games_seat_4,points_seat_4,faults,faults_not_started,faults_not_ready,faults_time,faults_crash,faults_closed_output,faults_illegal_move,faults_not_a_move,faults_protocol,faults_limit,open,voids,overload,cpu_share,cpu_s,off_move_ms,off_move_games,paused_games,peak_kib,note
    1,a,4,3.50,0.875000,3,1,0,4,0,0,0,,,,3,2.50,0,0.00,0,0.00,1,1.00,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,0,0,,
    "#);
    assert_eq!(
        standings.balance_note(4).map(|note| note.to_string()).as_deref(),
        Some("after all 4 games, seats are not balanced: `a` has seat 1 in 3 games, `c` in none")
    );
    assert!(
        standings
            .balance_note(5_040)
            .is_some_and(|note| note.to_string().starts_with("after 4 of 5,040 games, seats"))
    );
}

#[test]
fn in_a_game_of_many_every_pair_has_a_result() {
    let mut many = record(["a", "b"], [1, 2]);
    many.game = "unknown".to_owned();
    many.seats.push(SeatRecord { name: "c".to_owned(), ..SeatRecord::default() });
    many.places = Some(vec![2, 2, 1]);
    let tally = tally(&[many]);
    let standings = Standings::new(&tally, unrated);
    insta::assert_snapshot!(standings.table(View::Brief).to_text(None), @r#"
    #  bot  games  points  score  1st  2nd  3rd
    1  c        1    1.00  1.000    1    0    0
    2  a        1    0.25  0.250    0    1    0
    2  b        1    0.25  0.250    0    1    0
    4  dan      0    0.00      -    0    0    0
    "#);
    insta::assert_snapshot!(csv(&pairs(&tally, &standings)), @r#"
    bot,opponent,games,points,wins,draws,losses
    c,a,1,1.0,1,0,0
    c,b,1,1.0,1,0,0
    a,c,1,0.0,0,0,1
    a,b,1,0.5,0,1,0
    b,c,1,0.0,0,0,1
    b,a,1,0.5,0,1,0
    "#);
}

fn results(records: &[GameRecord], teams: &Teams) -> String {
    let mut bytes = Vec::new();
    let mut csv = ResultsCsv::new(&mut bytes, teams, false).unwrap();
    for record in records {
        csv.add(record).unwrap();
    }
    csv.finish().unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn results_have_a_row_for_each_record() {
    let mut records = vec![played(0)];
    records.extend(field().split_off(3));
    insta::assert_snapshot!(results(&records, &Teams::singles(2)), @r#"
    id,try,league,game,options,bot_1,bot_2,place_1,place_2,score_1,score_2,time_ms_1,time_ms_2,reason,void,faults,moves,time_control,margin_ms,opening,duration_ms,started,void_seat,cpu_share_1,cpu_share_2,off_move_ms_1,off_move_ms_2,paused_1,paused_2,pressure,steal_ms,pair
    greedy~random~1,1,demo,quixo,"size=3,max_plies=60,repetition=3",greedy,random,1,2,1.0,0.0,30.587,14.618,line,,,5,movetime=1s,50,,123,2026-11-21T12:00:00Z,,,,,,,,,,
    cleo~ada~1,1,,quixo,,cleo,ada,2,1,0.0,1.0,,,,,1:crash,,,,,,,,,,,,,,,,
    bob~cleo~1,1,,quixo,,bob,cleo,2,1,0.0,1.0,,,,,,,,,,,,,,,,,,,,,
    cleo~bob~1,1,,quixo,,cleo,bob,,,,,,,,host,1:limit,,,,,,,,,,,,,,,,
    cleo~bob~1,1,,quixo,,cleo,bob,,,,,,,,no_bot_played,1:not_started,,,,,,,,,,,,,,,,
    "#);
}

#[test]
fn results_show_the_cpu_share_and_cpu_time_out_of_turn() {
    let mut played = record(["a", "b"], [1, 2]);
    played.seats[1].usage = Some(UsageRecord {
        moves: 10,
        measured: 8,
        wall_us: 1_000_000,
        cpu_us: 410_000,
        total_cpu_us: Some(533_000),
        off_move_cpu_us: Some(123_000),
        paused: true,
        ..UsageRecord::default()
    });
    played.load = Some(LoadRecord { span_us: 2_000_000, pressure_us: Some(500_000), steal_us: Some(20_000) });
    let mut void = record(["a", "b"], [1, 2]);
    void.places = None;
    void.void = Some(VoidRecord { kind: VoidKind::Host, seat: Some(2), ..VoidRecord::default() });
    void.load = Some(LoadRecord { span_us: 2_000_000, ..LoadRecord::default() });
    let text = results(&[played, void], &Teams::singles(2));
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert!(rows[0].ends_with(",,,0.410000,,12.300,,1,0.250000,20.000,"), "{text}");
    assert!(rows[1].ends_with(",2,,,,,,,,,"), "{text}");
}

#[test]
fn much_cpu_out_of_turn_is_worth_a_warning() {
    let used = |off_move_cpu_us| UsageRecord {
        moves: 10,
        off_move_cpu_us: Some(off_move_cpu_us),
        ..UsageRecord::default()
    };
    let mut played = record(["a", "b"], [1, 2]);
    played.seats[0].usage = Some(used(2_000_000));
    played.seats[1].usage = Some(used(2_010_000));
    let standings = Standings::new(&tally(&[played]), unrated);
    let note = standings.off_move_note().unwrap();
    assert!(note.to_string().starts_with("b used 201 ms of CPU time per move"), "{note}");
}

#[test]
fn a_hostile_record_stays_a_row_of_texts() {
    let mut hostile = record(["=cmd|' /C calc'!A0", "b\u{1b}[2J\nb"], [1, 2]);
    hostile.id = "@SUM(A1)".to_owned();
    hostile.reason = Some("-1".to_owned());
    let text = results(&[hostile], &Teams::singles(2));
    let row: csv::StringRecord = csv::Reader::from_reader(text.as_bytes()).records().next().unwrap().unwrap();
    assert_eq!(&row[0], "'@SUM(A1)");
    assert_eq!(&row[5], "'=cmd|' /C calc'!A0");
    assert_eq!(&row[6], "b\\u{1b}[2J\\u{a}b");
    assert!(row.iter().any(|cell| cell == "'-1"));
}

#[test]
fn times_are_summed_by_seat_from_the_first_mover_on() {
    let mut game = record(["a", "b"], [1, 2]);
    game.opening = Some(OpeningRecord { token: None, moves: vec!["c1c5".to_owned()] });
    game.moves = Some(["a1a5", "e1e5", "a2e2"].map(str::to_owned).to_vec());
    game.times_us = Some(vec![1_000, 20_500, 3_000]);
    let times = |game: &GameRecord| {
        let text = results(std::slice::from_ref(game), &Teams::singles(2));
        let row = csv::Reader::from_reader(text.as_bytes()).records().next().unwrap().unwrap();
        format!("{} {}", &row[11], &row[12])
    };
    assert_eq!(times(&game), "20.500 4.000");
    game.opening =
        Some(OpeningRecord { token: Some("o.x../...../...../...../.....:1:2".to_owned()), moves: vec![] });
    assert_eq!(times(&game), "4.000 20.500");
    game.times_us = None;
    assert_eq!(times(&game), " ");
}

#[test]
fn tables_do_not_depend_on_how_a_record_was_read() {
    let records: Vec<GameRecord> = (0..10).map(played).collect();
    let text: String = records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect();
    let mut reader = RecordReader::from_input("f", Cursor::new(text));
    let mut lean = Tally::of_bots(["dan"]);
    while let Some(line) = reader.next_line().unwrap() {
        lean.add(&line.league_game().unwrap().outcome);
    }
    let table = |tally: &Tally| csv(&Standings::new(tally, unrated).table(View::Full));
    assert_eq!(table(&lean), table(&tally(&records)));
}
