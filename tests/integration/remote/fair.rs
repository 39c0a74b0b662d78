//! Tests of workers of different speeds, of repeated games, and of reports on workers.

use super::*;

/// Returns a league of deterministic bots, with further lines of the tournament file. The games with these numbers
/// are held.
pub(super) fn deterministic_cup(head: &str, held: impl IntoIterator<Item = u32>) -> Scratch {
    let scratch = held_cup(head, held);
    let text = scratch.read("cup.toml").replace("command = ", "deterministic = true\ncommand = ");
    scratch.write("cup.toml", text);
    scratch
}

/// Returns the speed that a worker reported when it started.
fn speed(record: &Value) -> u64 {
    record["worker"]["speed"].as_u64().expect("it was measured")
}

#[test]
fn times_follow_the_speed_of_the_worker_and_records_have_them() {
    let Some(broker) = Broker::start() else { return };
    // Faster than any machine.
    let reference = 1_000_000_000_000_u64;
    let scratch = cup(&format!("rounds = 1\n[workers]\nreference_speed = {reference}\n"));
    let one = worker(&scratch, &broker, "one");
    one.wait_for("the speed of a core is");
    let running = leader(&scratch, &broker);
    running.wait_for("positions per second");
    running.end().said(0, "12 games, by workers");
    ends_well(one);
    let records = recorded(&scratch);
    assert_eq!(records.len(), 12);
    for record in &records {
        assert_eq!(record["worker"]["name"], "one");
        assert_eq!(record["worker"]["reference_speed"], reference);
        let milliseconds = (30_000 * u128::from(reference)).div_ceil(speed(record).into());
        let expected = TimeControl::MoveTime(Duration::from_millis(milliseconds as u64));
        assert_eq!(record["time_control"], expected.to_string(), "{record}");
    }
    assert_eq!(scratch.run(["verify", "runs/cup"]).status, Some(0));
    let id = records[0]["id"].as_str().expect("it has one");
    let control = records[0]["time_control"].as_str().expect("it has one");
    let dialogue = scratch.run(["replay", "runs/cup", "--game", id, "--dialogue"]);
    assert!(dialogue.done().contains(control), "{}", dialogue.stdout);
    scratch.run(["replay", "runs/cup", "--game", id, "--rerun"]).done();
    // The games belong to this league.
    leader(&scratch, &broker).end().said(0, "12");
    assert_eq!(recorded(&scratch).len(), 12);
}

#[test]
fn a_worker_that_is_too_slow_plays_nothing_and_the_leader_reports_it() {
    let Some(broker) = Broker::start() else { return };
    let scratch = cup("rounds = 1\n[workers]\nleast_speed = 1000000000000000\n");
    let slow = worker(&scratch, &broker, "slow");
    let running = leader(&scratch, &broker);
    running.wait_for("worker `slow` gives games back: its speed is");
    running.signal(Signal::INT);
    running.end().said(3, "to continue");
    ends_well(slow);
    assert_eq!(lines(&scratch), 0);
}

#[test]
fn repeats_are_played_by_another_owner_and_do_not_count() {
    let Some(broker) = Broker::start() else { return };
    let head = "rounds = 4\nseed = 7\n[workers]\nrepeat_share = 1.0\n";
    let scratch = deterministic_cup(head, 1..=4);
    let running = leader(&scratch, &broker);
    // No game of `dan` ends before both are connected: an owner's games are repeated only if there is another owner.
    let workers = ["anna_1", "ben"].map(|name| worker_in_place(&scratch, &broker, name));
    ["anna_1", "ben"].iter().for_each(|name| running.wait_for(&format!("worker `{name}` joins")));
    (1..=4).for_each(|number| release(&scratch, number));
    let run = running.end();
    run.said(0, "48 games, by workers");
    assert!(!run.stderr.contains("came to different games"), "{}", run.stderr);
    workers.into_iter().for_each(ends_well);
    let records = recorded(&scratch);
    let alone = held_cup("rounds = 4\nseed = 7\n", []);
    alone.run(["league", "run", "cup.toml"]).done();
    assert_eq!(games(&records), games(&recorded(&alone)));
    let repeats = self::records(&scratch.path("runs/cup/repeats.jsonl"));
    assert!(!repeats.is_empty());
    for repeat in &repeats {
        let original = records.iter().find(|record| record["id"] == repeat["id"]).expect("it was played");
        assert_eq!(repeat["worker"]["repeat"], 1);
        assert_ne!(repeat["worker"]["name"], original["worker"]["name"], "another owner plays it");
        assert_eq!((&repeat["moves"], &repeat["places"]), (&original["moves"], &original["places"]));
    }
    let report = scratch.run(["league", "report", "runs/cup", "--json"]).done().to_owned();
    let report: Value = serde_json::from_str(&report).expect("it is JSON");
    let rows = report["workers"].as_array().expect("there are workers");
    let sum = |key: &str| rows.iter().filter_map(|row| row[key].as_u64()).sum::<u64>();
    assert_eq!((sum("games"), sum("repeats")), (48, 2 * repeats.len() as u64), "{report}");
    assert_eq!((sum("repeats_deterministic"), sum("repeats_other_moves")), (sum("repeats"), 0));
    assert_eq!(report["games_with_result"], 48);
    let page = scratch.run(["league", "report", "runs/cup", "--format", "html"]).done().to_owned();
    assert!(page.contains("id=\"workers\"") && page.contains("anna_1"));
    let alone = scratch.run(["league", "report", "runs/cup", "--part", "workers"]).done().to_owned();
    assert!(alone.contains("ben") && alone.contains("last game began"), "{alone}");
    assert_eq!(scratch.run(["verify", "runs/cup/repeats.jsonl"]).status, Some(0));
}

#[test]
fn repeats_that_no_other_owner_could_play_are_played_in_a_later_run() {
    let Some(broker) = Broker::start() else { return };
    let head = "rounds = 20\nseed = 7\n[workers]\nrepeat_share = 0.5\n";
    let scratch = deterministic_cup(head, [MIDDLE]);
    let anna = worker_in_place(&scratch, &broker, "anna_1");
    let running = leader(&scratch, &broker);
    wait_until("some games are recorded", || lines(&scratch) >= 20);
    stops(running, &scratch, MIDDLE);
    let before = recorded(&scratch);
    let before = ids(&before);
    assert!(!scratch.path("runs/cup/repeats.jsonl").exists(), "there is no other owner");
    // Before the other worker starts, which could otherwise play all games that are left.
    ends_well(anna);
    let ben = worker_in_place(&scratch, &broker, "ben");
    leader(&scratch, &broker).end().said(0, "240 games");
    ends_well(ben);
    let repeats = records(&scratch.path("runs/cup/repeats.jsonl"));
    let made_up: Vec<&Value> =
        repeats.iter().filter(|repeat| before.iter().any(|id| repeat["id"] == *id)).collect();
    assert!(!made_up.is_empty(), "none of {before:?}");
    assert!(made_up.iter().all(|repeat| repeat["worker"]["name"] == "ben"), "{made_up:?}");
    assert_eq!(scratch.run(["verify", "runs/cup/repeats.jsonl"]).status, Some(0));
}

#[test]
fn events_report_workers() {
    let Some(broker) = Broker::start() else { return };
    let scratch = cup("rounds = 1\n");
    let one = worker(&scratch, &broker, "one");
    one.wait_for("the speed of a core is");
    let run = ["league", "run", "cup.toml", "--via", &broker.url(), "--events", "jsonl"];
    let events = scratch.run(run).done().to_owned();
    ends_well(one);
    let workers = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let workers: Vec<Value> = workers.filter(|event| event["event"] == "worker").collect();
    assert!(!workers.is_empty(), "{events}");
    for event in workers {
        assert_eq!((&event["worker"], &event["slots"]), (&json!("one"), &json!(1)));
        assert!(event["speed"].as_u64().is_some() && event["silent_ms"].as_u64().is_some(), "{event}");
    }
}
