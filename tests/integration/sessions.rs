//! Tests of the run loop as a library: leagues are played, observed and stopped without the command line.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

use linesman::league::directory::{Plan, RunDirectory};
use linesman::league::session::{
    Observer, Observers, Platform, Preflight, Results, RunEvent, RunOutcome, Session, Stop, Stopper, Wants,
};
use linesman::process::Environment;
use linesman::process::isolation::SlotUsers;

use crate::support::bots::{LETS_BOTS_WRITE, records, tournament, waiting_bot};
use crate::support::scratch::Scratch;

const ADA: (&str, &str) = ("ada", "sh waits.sh");
const BOB: (&str, &str) = ("bob", "linesman bot greedy");

fn platform() -> Platform {
    Platform {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_linesman")),
        software: "a test",
        host: "here".to_owned(),
        path: "/usr/bin:/bin".into(),
        cache: std::env::temp_dir().join("linesman-cache"),
        environment: Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() },
        users: SlotUsers::default(),
        cores: NonZeroU32::MIN,
        now: || "2026-01-01T00:00:00.000Z".to_owned(),
    }
}

/// An observer that collects the finished games.
#[derive(Default)]
struct Diary {
    /// The moves of each game, in the order of the events.
    moves: BTreeMap<String, Vec<String>>,
    played: Vec<String>,
    standings: u64,
    /// True if it stops the run when the first game starts.
    stops: bool,
    stopper: Option<Stopper>,
    /// A file created when the run stops, which lets the first game continue.
    open: PathBuf,
    is_recorded: bool,
}

impl Observer for Diary {
    fn on(&mut self, event: &RunEvent<'_>) {
        if let RunEvent::Moved(made) = event {
            let moves = self.moves.entry(made.id.clone()).or_default();
            moves.push(made.played.text.to_string());
            assert_eq!(made.number, moves.len(), "none is left out, and none told twice");
        }
        if let RunEvent::Played(game) = event {
            let recorded = game.record.moves.clone().unwrap_or_default();
            assert_eq!(self.moves.get(&game.record.id), Some(&recorded), "they were told before the end");
            self.played.push(game.record.id.clone());
        }
        if let (RunEvent::Began { .. }, true, Some(stopper)) = (event, self.stops, &self.stopper) {
            stopper.stop(Stop::Finish);
        }
        if let RunEvent::Stopping(_) = event {
            std::fs::write(&self.open, "").expect("the file can be written");
        }
        self.standings += u64::from(matches!(event, RunEvent::Standing { .. }));
        self.is_recorded |= matches!(event, RunEvent::Recorded { .. });
    }

    fn wants(&self) -> Wants {
        Wants { standing: true, moves: true, ..Wants::default() }
    }
}

fn play(scratch: &Scratch, diary: &mut Diary, stops: bool) -> (RunOutcome, Results) {
    let plan = Plan::read(&scratch.path("cup.toml"), None).unwrap_or_else(|error| panic!("{error}"));
    let directory = RunDirectory::at(scratch.path("run"));
    let mut session = Session::new(&plan, platform(), Preflight::MustPass, &mut Observers::default())
        .unwrap_or_else(|error| panic!("{error}"));
    diary.stops = stops;
    let (sender, stopper) = std::sync::mpsc::channel();
    let mut listen = |stopper: Stopper| sender.send(stopper).map_err(std::io::Error::other);
    let mut late = LateStopper { diary, stopper };
    session
        .run_in(&directory, &mut listen, &mut Observers::default().with(&mut late))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A diary that receives its stop switch after the run has created it.
struct LateStopper<'d> {
    diary: &'d mut Diary,
    stopper: std::sync::mpsc::Receiver<Stopper>,
}

impl Observer for LateStopper<'_> {
    fn on(&mut self, event: &RunEvent<'_>) {
        if let RunEvent::Started(_) = event {
            self.diary.stopper = self.stopper.try_recv().ok();
        }
        self.diary.on(event);
    }

    fn wants(&self) -> Wants {
        self.diary.wants()
    }
}

#[test]
fn a_league_is_played_stopped_and_continued_with_a_custom_observer() {
    let scratch = Scratch::new();
    let head = format!("rounds = 3\nconcurrency = 1\n{LETS_BOTS_WRITE}");
    scratch.write("waits.sh", waiting_bot());
    scratch.write("cup.toml", tournament(&head, &[ADA, BOB]));
    let mut diary = Diary { open: scratch.path("open"), ..Diary::default() };
    let (outcome, results) = play(&scratch, &mut diary, true);
    assert_eq!(
        (outcome, diary.played.len()),
        (RunOutcome::Stopped, 1),
        "the first game waits until the run stops"
    );
    assert_eq!((results.games(), results.own().games), (1, 1));
    let (outcome, results) = play(&scratch, &mut diary, false);
    assert_eq!(outcome, RunOutcome::Complete);
    assert_eq!((results.games(), results.own().games), (6, 5));
    assert!(diary.standings > 0 && diary.is_recorded);
    let recorded = records(&scratch.path("run/games.jsonl"));
    let ids: Vec<&str> = recorded.iter().filter_map(|record| record["id"].as_str()).collect();
    assert_eq!(diary.played, ids, "in the order of the records");
    // No game is left.
    assert_eq!(play(&scratch, &mut diary, false).0, RunOutcome::Complete);
    assert_eq!(diary.played.len(), 6);
}
