//! The view of a run, drawn into memory.

use std::num::NonZeroU64;
use std::time::Duration;

use ratatui::buffer::Buffer;

use super::draw::{KeyInput, draw, draw_step};
use super::lines::in_lines;
use super::model::{Elo, Elos, Leads, LiveStanding, LiveStep, Model};
use super::running::seconds;
use super::words::in_short;
use crate::league::leader_notice::{Presence, WorkerSeen};
use crate::league::schedule::Length;
use crate::league::session::Points;
use crate::referee::core::{Doing, GameTime, Readiness, Status, Wait};
use crate::seat::{BySeat, Seat};
use crate::verdict::FaultKind;

fn text(view: &Buffer) -> String {
    let area = view.area;
    let line = |y| {
        let line: String = (0..area.width).map(|x| view[(x, y)].symbol()).collect();
        line.trim_end().to_owned()
    };
    (0..area.height).map(line).collect::<Vec<_>>().join("\n")
}

fn row(name: &str, points: f64, games: u64) -> Points {
    Points { name: name.to_owned(), points, games }
}

fn asking(id: &str, plies: usize) -> Status {
    let clocks = BySeat::from_fn(2, |seat| Duration::from_secs(60 - seat.index() as u64));
    let doing = Doing::Asking {
        seat: Seat::SECOND,
        since: Duration::from_millis(1_250),
        limit: Duration::from_secs(59),
        clocks,
    };
    Status { id: id.to_owned(), at: GameTime(Duration::from_secs(9)), plies, doing }
}

fn worker(name: &str, silent: u64) -> WorkerSeen {
    WorkerSeen {
        name: name.to_owned(),
        instance: 1,
        presence: Presence::There,
        slots: 4,
        running: 3,
        played: 1_234,
        faults: 2,
        speed: NonZeroU64::new(20_100_000),
        silent: Duration::from_secs(silent),
    }
}

#[test]
fn workers_are_shown_with_their_games_speeds_and_last_words() {
    let mut model = league(2);
    model.workers.update(worker("anna", 0));
    model.workers.update(worker("ben", 12));
    let wide = text(&draw(&model, (90, 40), KeyInput::Read));
    let row = |name: &str, word: &str| format!("{name:30}   3 of 4    1,234       2    20,100,000  {word}");
    for line in [row("anna", "now"), row("ben", "12s ago")] {
        assert!(wide.lines().any(|shown| shown == line), "{line}\n{wide}");
    }
    let narrow = text(&draw(&model, (50, 40), KeyInput::Read));
    assert!(narrow.contains("2 workers play 6 of 8 games at once"), "{narrow}");
    let gone = WorkerSeen { presence: Presence::Gone, ..worker("ben", 20) };
    model.workers.update(gone);
    assert!(!text(&draw(&model, (90, 40), KeyInput::Read)).contains("ben "));
}

/// A league of many bots, a minute after its start.
fn league(bots: usize) -> Model {
    let mut model = Model::new(Length::Exactly(300), 10, 2);
    model.elapsed = Duration::from_secs(60);
    for game in 0..24 {
        let id = format!("ada~bob~{game}");
        model.began(game % 2, &id, 1, &["ada", "bob"], &["ada", "bob"]);
        model.played(&id, "ada won by a line in 23 plies");
    }
    model.began(0, "ada~bob~25", 1, &["ada", "bob"], &["ada", "bob"]);
    model.began(1, "bob~cleo~1", 1, &["bob", "cleo"], &["bob", "cleo"]);
    model.set_status(0, asking("ada~bob~25", 11));
    for kind in [FaultKind::Time, FaultKind::Crash, FaultKind::Time] {
        model.failed("bob", kind);
    }
    let names = (0..bots).map(|bot| format!("bot{bot:02}"));
    let rows = names.map(|name| row(&name, 9.5, 12)).collect();
    model.standing =
        LiveStanding { done: 34, summary: "bot00 leads".to_owned(), rows, ..LiveStanding::default() };
    let elo = Elo { elo: 1_612.4, interval: Some([1_500.0, f64::INFINITY]) };
    model.elos = Elos { after: 30, by_name: [("bot00".to_owned(), elo)].into() };
    model
}

#[test]
fn the_usual_terminal_shows_all_parts() {
    insta::assert_snapshot!(text(&draw(&league(30), (80, 24), KeyInput::Read)), @r#"
    ━╸───────────── 34 of 300 games, 11m to go, 60s elapsed, 24.0 games a minute
    3 faults (3 new): bob 2 time, bob 1 crash
       #  bot                        points  games   score     Elo  95 % after 30
       1  bot00                         9.5     12   0.792    1612  > 1500
       2  bot01                         9.5     12   0.792
       3  bot02                         9.5     12   0.792
       4  bot03                         9.5     12   0.792
    and 26 more bots
    running games
    ada~bob~25  ply 12  bob on move 1.2 s of 59 s
    bob~cleo~1  begins
    last results
    ada~bob~23: ada won by a line in 23 plies
    ada~bob~22: ada won by a line in 23 plies
    ada~bob~21: ada won by a line in 23 plies
    ada~bob~20: ada won by a line in 23 plies
    ada~bob~19: ada won by a line in 23 plies
    t: state of each game   Ctrl-C: stop after the running games
    "#);
}

#[test]
fn late_moves_due_to_overload_are_counted_separately() {
    let mut model = Model::new(Length::Exactly(300), 0, 1);
    let mut fault = |bot: &str, kind: FaultKind| {
        model.failed(bot, kind);
        model.faults_in_words()
    };
    assert_eq!(fault("ada", FaultKind::Overload).as_deref(), Some("1 overload: ada 1 overload"));
    fault("ada", FaultKind::Overload);
    assert_eq!(
        fault("bob", FaultKind::Time).as_deref(),
        Some("1 fault, 2 overload: ada 2 overload, bob 1 time")
    );
}

#[test]
fn a_small_terminal_shows_a_piece_of_each_part() {
    insta::assert_snapshot!(text(&draw(&league(30), (40, 10), KeyInput::Read)), @r#"
    ╸────── 34 of 300 games, 11m to go
    3 faults (3 new): bob 2 time, bob 1 cr…
       1  bot00                  9.5     12
    and 29 more bots
    ada~bob~25  bob on move 1.2 s of 59 s
    bob~cleo~1  begins
    ada~bob~23: ada won by a line in 23
      plies
    t: state of games  Ctrl-C: stop
    "#);
}

#[test]
fn a_test_shows_its_llr_and_that_it_may_end_early() {
    let mut model = Model::new(Length::AtMost(100_000), 0, 1);
    model.elapsed = Duration::from_secs(10);
    model.played("new~base~1", "new won by a line in 8 plies");
    let test = ["LLR      1.20 (-2.94, 2.94)", "Elo      12.0 (95 %: -5.0 to 29.0)", "pairs    7: ..."];
    let test = test.map(str::to_owned).to_vec();
    let rows = vec![row("new", 1.0, 1), row("base", 0.0, 1)];
    model.standing =
        LiveStanding { done: 1, summary: "LLR 1.20".to_owned(), rows, test, ..LiveStanding::default() };
    model.stopping = Some("stopping after the running games");
    insta::assert_snapshot!(text(&draw(&model, (80, 24), KeyInput::Ignored)), @r#"
    ╸────────────── 1 of at most 100000 games, 10s elapsed, 6.0 games a minute
    LLR      1.20 (-2.94, 2.94)
    Elo      12.0 (95 %: -5.0 to 29.0)
    pairs    7: ...
    last results
    new~base~1: new won by a line in 8 plies
    stopping after the running games
    "#);
    assert_eq!(model.line(), "1 of at most 100000 games: LLR 1.20; 6.0 games a minute");
}

#[test]
fn a_line_has_progress_rate_and_faults() {
    let model = league(2);
    assert_eq!(
        model.line(),
        "34 of 300 games (24 new): bot00 leads; 24.0 games a minute, 11m to go, 3 faults (3 new)"
    );
}

#[test]
fn the_view_fits_any_size() {
    let model = league(1_000);
    for columns in [1, 2, 7, 20, 39, 64, 65, 80, 200, 500] {
        for rows in [1, 2, 3, 5, 8, 11, 12, 15, 16, 17, 24, 50, 200] {
            let view = draw(&model, (columns, rows), KeyInput::Read);
            assert!(view.area.width < columns.max(2), "{columns}x{rows}");
            assert!(view.area.height <= rows.saturating_sub(1).max(1), "{columns}x{rows}");
        }
    }
    let view = text(&draw(&model, (200, 50), KeyInput::Read));
    assert!(view.contains("more bots"), "{view}");
}

#[test]
fn hostile_texts_are_escaped() {
    let mut model = Model::new(Length::Exactly(2), 0, 1);
    let evil = "\x1b[2Jevil\u{202e}\n";
    model.began(0, &format!("{evil}~b~1"), 1, &[evil, "b"], &[evil, "b"]);
    let rows = vec![
        row(evil, 1.0, 1),
        row("囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁", 0.0, 1),
        row("b", 0.0, 1),
    ];
    model.standing = LiveStanding { done: 1, rows, ..LiveStanding::default() };
    model.failed(evil, FaultKind::Crash);
    model.played(&format!("{evil}~b~0"), evil);
    let view = text(&draw(&model, (80, 24), KeyInput::Read));
    assert!(!view.contains(|c: char| c != '\n' && c.is_control()) && !view.contains('\u{202e}'), "{view:?}");
    assert!(view.contains("\\u{1b}[2Jevil"), "{view}");
    // The game can still be removed by its id.
    model.remove(&format!("{evil}~b~1"));
    assert!(model.running[0].is_none());
}

#[test]
fn the_full_status_names_the_activity() {
    let mut model = Model::new(Length::Endless, 0, 1);
    model.began(0, "a~b~1", 2, &["a", "b"], &["a", "b"]);
    let status = |model: &Model| model.running[0].as_ref().map(super::model::Running::in_full);
    assert_eq!(status(&model).as_deref(), Some("a~b~1 (try 2): a against b: begins"));
    // A status of an earlier game is ignored.
    model.set_status(0, asking("c~d~1", 3));
    assert_eq!(status(&model).as_deref(), Some("a~b~1 (try 2): a against b: begins"));
    model.set_status(0, asking("a~b~1", 3));
    assert_eq!(
        status(&model).as_deref(),
        Some(
            "a~b~1 (try 2): a against b, running for 9 s: ply 4, b (seat 2) on move for 1.2 s of 59 s, \
             clocks 60 s and 59 s"
        )
    );
    let readiness = [
        Readiness::GettingReady(Wait { until: GameTime(Duration::from_secs(10)), granted: Duration::ZERO }),
        Readiness::Ready,
    ];
    let doing = Doing::Preparing(BySeat::from_fn(2, |seat| readiness[seat.index()]));
    model.set_status(0, Status { doing, ..asking("a~b~1", 0) });
    assert_eq!(
        status(&model).as_deref(),
        Some(
            "a~b~1 (try 2): a against b, running for 9 s: a is getting ready, 1 s left to answer `readyok`, \
             b is ready"
        )
    );
    model.set_status(0, Status { doing: Doing::Waking(Seat::FIRST), ..asking("a~b~1", 0) });
    assert!(status(&model).is_some_and(|status| status.contains("waiting for a to finish its last game")));
}

#[test]
fn times_are_shown_in_their_largest_unit() {
    let words = [0, 99, 100, 5_999, 6_000, 172_799, 172_800].map(|s| in_short(Duration::from_secs(s)));
    assert_eq!(words, ["0s", "99s", "1m", "99m", "1h40m", "47h59m", "2d0h"]);
    assert_eq!(seconds(Duration::from_millis(1_999)), "1.9 s");
    assert_eq!(seconds(Duration::from_secs(30)), "30 s");
}

/// A run of two bots whose long names differ only at the end.
fn long_names() -> Model {
    let bots = ["my-very-long-experimental-bot-v2.1-rc1", "my-very-long-experimental-bot-v2.1-rc2"];
    let id = |number: u32| format!("{}~{}~{number}", bots[0], bots[1]);
    let mut model = Model::new(Length::AtMost(3), 0, 1);
    model.elapsed = Duration::from_secs(10);
    for (number, how) in [
        (1, "won by a line in 23 plies".to_owned()),
        (2, "lost by the illegal move `b2b3`: `b2` is not on the border; only cubes on the border may be taken".to_owned()),
    ] {
        model.began(0, &id(number), 1, &bots, &bots);
        model.played(&id(number), &format!("{} {how}", bots[1]));
    }
    model.failed(bots[1], FaultKind::IllegalMove);
    model.began(0, &id(3), 1, &bots, &bots);
    let doing = Doing::Asking {
        seat: Seat::SECOND,
        since: Duration::from_millis(12),
        limit: Duration::from_millis(50),
        clocks: BySeat::from_fn(2, |_| Duration::from_millis(50)),
    };
    model.set_status(0, Status { doing, ..asking(&id(3), 4) });
    let rows = vec![row(bots[0], 1.0, 2), row(bots[1], 1.0, 2), row("greedy", 0.0, 0)];
    model.standing = LiveStanding { done: 2, rows, ..LiveStanding::default() };
    let elo = Elo { elo: 1_500.0, interval: Some([1_400.0, 1_600.0]) };
    model.elos = Elos { after: 2, by_name: [(bots[0].to_owned(), elo)].into() };
    model
}

#[test]
fn cut_names_stay_distinct_and_reasons_are_whole() {
    insta::assert_snapshot!(text(&draw(&long_names(), (80, 24), KeyInput::Read)), @r"
    ━━━━━━━━━━╸──── 2 of at most 3 games, at most 5s to go, 10s elapsed
    1 fault: my-very-long-experimental-bot-v2.1-rc2 1 illegal move
       #  bot                        points  games   score     Elo  95 %
       1  my-very-long…ot-v2.1-rc1      1.0      2   0.500    1500  1400..1600
       2  my-very-long…ot-v2.1-rc2      1.0      2   0.500
       3  greedy                        0.0      0
    running games
    my-very….1-rc1~my-very….1-rc2~3  ply 5  my-very….1-rc2 on move 12 ms of 50 ms
    last results
    my-ve…-rc1~my-ve…-rc2~2: my-ve…-rc2 lost by the illegal move `b2b3`: `b2` is
      not on the border; only cubes on the border may be taken
    my-very-…2.1-rc1~my-very-…2.1-rc2~1: my-very-…2.1-rc2 won by a line in 23 plies
    t: state of each game   Ctrl-C: stop after the running games
    ");
    let small = text(&draw(&long_names(), (60, 20), KeyInput::Read));
    assert!(small.replace("\n  ", " ").contains("only cubes on the border may be taken"), "{small}");
    assert!(small.contains("12 ms of 50 ms") && small.contains("-rc1") && small.contains("-rc2 "), "{small}");
    let wide = text(&draw(&long_names(), (240, 40), KeyInput::Read));
    assert!(!wide.contains('…'), "{wide}");
}

#[test]
fn a_small_terminal_shows_the_time_of_a_move_of_four_bots() {
    let bots: Vec<String> = (1..=4).map(|number| format!("slowpoke{number}")).collect();
    let id = format!("r1/{}~1", bots.join("~"));
    let line = |columns| {
        let mut model = Model::new(Length::Exactly(30), 0, 1);
        let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
        model.began(0, &id, 1, &bots, &bots);
        model.set_status(0, Status { ..asking(&id, 16) });
        let view = text(&draw(&model, (columns, 18), KeyInput::Read));
        view.lines().find(|line| line.starts_with("r1/")).map(str::to_owned).unwrap_or(view)
    };
    assert_eq!(
        line(100),
        "r1/slowpoke1~slowpoke2~slowpoke3~slowpoke4~1  ply 17  slowpoke2 on move 1.2 s of 59 s"
    );
    assert_eq!(line(60), "r1/slowpo…wpoke4~1  ply 17  slowpoke2 on move 1.2 s of 59 s");
    assert_eq!(line(45), "r1/sl…ke4~1  slowpoke2 on move 1.2 s of 59 s");
}

#[test]
fn messages_above_the_view_are_broken_between_words() {
    let message = "stopping after the running games; once more aborts them";
    assert_eq!(in_lines(message, 40), "stopping after the running games; once\n  more aborts them");
    assert_eq!(in_lines(message, 200), message);
    // Commands stay whole, colours take no columns, and drawings stay unchanged.
    assert_eq!(
        in_lines("\u{1b}[1mhint\u{1b}[0m: to go on: `linesman league run cup.toml`", 32),
        "\u{1b}[1mhint\u{1b}[0m: to go on:\n  `linesman league run cup.toml`"
    );
    assert_eq!(in_lines("  |  a long line of a file", 10), "  |  a long line of a file");
}

#[test]
fn a_maximum_that_is_reached_is_shown_as_the_total() {
    let mut model = Model::new(Length::AtMost(2), 1, 1);
    model.cancelled(0);
    assert_eq!(model.so_far(), "1 of at most 2 games");
    model.played("a~b~1", "a won");
    assert_eq!(model.so_far(), "2 of 2 games");
}

#[test]
fn steps_take_one_line_on_any_terminal() {
    #[track_caller]
    fn check((done, total): (u64, u64), columns: u16, expected: &str) {
        let step = LiveStep { done, total, words: "3 of 12 openings found".to_owned() };
        assert_eq!(text(&draw_step(&step, Duration::from_secs(30), (columns, 24))), expected);
    }
    check((3, 12), 80, "━━━╸─────────── 3 of 12 openings found, 90s to go, 30s elapsed");
    check((0, 12), 80, "╸────────────── 3 of 12 openings found, 30s elapsed");
    // The total is unknown.
    check((0, 0), 80, "3 of 12 openings found, 30s elapsed");
    check((12, 12), 80, "━━━━━━━━━━━━━━━ 3 of 12 openings found, 30s elapsed");
    check((3, 12), 24, "━╸── 3 of 12 openings…");
}

#[test]
fn the_leader_is_the_first_of_the_table() {
    let mut model = Model::new(Length::Exactly(30), 0, 1);
    let rows = vec![row("ada", 9.0, 10), row("bob", 8.0, 10), row("cleo", 1.0, 10)];
    model.standing = LiveStanding { done: 15, rows, ..LiveStanding::default() };
    assert_eq!(
        model.line(),
        "15 of 30 games: ada has the most points, 9.0 of 10",
        "nothing else is known yet"
    );
    let elos = [("ada", 1_600.0), ("bob", 1_700.0), ("cleo", 1_200.0)];
    let elo = |(name, elo): (&str, f64)| (name.to_owned(), Elo { elo, interval: None });
    model.elos = Elos { after: 12, by_name: elos.map(elo).into() };
    assert_eq!(model.line(), "15 of 30 games: bob leads with 8.0 of 10");
    let view = text(&draw(&model, (80, 24), KeyInput::Ignored));
    assert!(view.find("bob") < view.find("ada"), "{view}");
    // With its own rules a schedule may have another leader, which only its ranking shows.
    model.standing.leads = Leads::OwnRules;
    assert_eq!(model.line(), "15 of 30 games: ada has the most points in games, 9.0 of 10");
}

#[test]
fn those_who_share_the_lead_are_named_together() {
    let mut model = Model::new(Length::Exactly(18), 0, 1);
    let mut line = |rows: &[(&str, f64, u64)]| {
        let rows = rows.iter().map(|(name, points, games)| row(name, *points, *games)).collect();
        model.standing = LiveStanding { done: 18, rows, ..LiveStanding::default() };
        model.line()
    };
    assert_eq!(
        line(&[("greedy", 10.0, 12), ("searcher", 10.0, 12), ("random", 0.0, 12)]),
        "18 of 18 games: greedy and searcher have the most points, 10.0 of 12"
    );
    let six = ["a", "b", "c", "d", "e", "f"].map(|name| (name, 1.0, 2));
    assert_eq!(line(&six), "18 of 18 games: a, b, c and 3 others have the most points, 1.0 of 2");
    assert_eq!(
        line(&[("ada", 3.0, 3), ("bob", 8.0, 12)]),
        "18 of 18 games: ada has the best score, 3.0 of 3",
        "the other has more points"
    );
}

#[test]
fn earlier_games_and_faults_count_and_new_ones_are_shown_separately() {
    let before = [(("bob".to_owned(), FaultKind::Time), 5)];
    let mut model = Model::new(Length::Exactly(30), 10, 1).with_faults(before.into());
    for kind in [FaultKind::Time, FaultKind::Crash] {
        model.failed("bob", kind);
    }
    model.played("a~b~1", "a won");
    let summary = "a 6.0 : 5.0 b".to_owned();
    model.standing = LiveStanding { done: 11, summary, ..LiveStanding::default() };
    assert_eq!(model.line(), "11 of 30 games (1 new): a 6.0 : 5.0 b; 7 faults (2 new)");
    assert_eq!(model.faults_in_words().as_deref(), Some("7 faults (2 new): bob 6 time, bob 1 crash"));
}
