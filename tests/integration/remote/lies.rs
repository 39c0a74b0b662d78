//! Test of a worker that lies about the time that bots use.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, OnceLock};

use super::*;
use linesman::league::assigned::{Assignments, NextGame, PlayedElsewhere};
use linesman::league::dispatcher::Assignment;
use linesman::league::league_games::EndedGame;
use linesman::league::withdrawal::Part;
use linesman::process::Leaked;
use linesman::record::FaultFields;
use linesman::referee::core::IgnoredLines;
use linesman::referee::driver::StopSwitch;
use linesman::referee::driver::workers::Workers;
use linesman::remote::nats::{AssignedPlayers, BrokerAddress, OpenedPlan, WorkerSetup, WorkerStopper, work};
use linesman::seat::BySeat;

/// The number of games that the liar plays.
const LIES: usize = 60;

/// The true games of a league, and a bot that is reported to have lost all of its games on time.
struct Lies {
    records: HashMap<String, GameRecord>,
    late: &'static str,
    /// Where the liar and the test wait for each other before the first lie.
    begin: Barrier,
    played: AtomicUsize,
    stopper: OnceLock<WorkerStopper>,
}

impl Lies {
    fn about(late: &'static str, truth: &Scratch) -> Arc<Lies> {
        let records = truth.read(GAMES);
        let record = |line: &str| serde_json::from_str::<GameRecord>(line).expect("it is a record");
        let records = records.lines().map(record).map(|record| (record.id.clone(), record)).collect();
        let (begin, played) = (Barrier::new(2), AtomicUsize::new(0));
        Arc::new(Lies { records, late, begin, played, stopper: OnceLock::new() })
    }

    /// Returns a played game in which the bot was late with its first move.
    fn of(&self, game: &Assignment) -> PlayedElsewhere {
        let mut record = self.records[&game.pairing.id].clone();
        record.attempt = game.attempt;
        if let Some(seat) = record.seats.iter().position(|seat| seat.name == self.late) {
            record.moves.as_mut().expect("it was played").truncate(seat);
            record.times_us.as_mut().expect("it was played").truncate(seat);
            record.said = None;
            // Only a busy machine has evidence.
            record.evidence = None;
            record.marks = Vec::new();
            record.places = Some((0..2).map(|index| 1 + u8::from(index == seat)).collect());
            record.reason = Some("failure".to_owned());
            let fault = FaultFields {
                seat: 1 + seat as u8,
                fault: "time".to_owned(),
                limit_us: Some(30_000_000),
                used_us: Some(40_000_000),
                margin_us: record.margin_ms.map(|margin| 1_000 * margin),
                ..FaultFields::default()
            };
            record.faults = vec![fault.into()];
        }
        let part = Part { moves: 1, was_ready: true };
        let ignored = BySeat::from_values([IgnoredLines::default(), IgnoredLines::default()]);
        PlayedElsewhere {
            game: EndedGame {
                record: Box::new(record),
                notes: Vec::new(),
                leaked: Leaked::default(),
                ignored: ignored.expect("there are two seats"),
            },
            parts: BySeat::from_values([part, part]).expect("there are two seats"),
            paused: Vec::new(),
        }
    }
}

/// Reports results without playing.
struct Liars {
    lies: Arc<Lies>,
    refusals: Vec<Option<String>>,
}

impl AssignedPlayers for Liars {
    fn refusals(&self) -> &[Option<String>] {
        &self.refusals
    }

    fn start(self: Box<Self>, stop: &StopSwitch, assignments: Arc<dyn Assignments>) -> io::Result<Workers> {
        let stop = stop.clone();
        Workers::on_one_thread("leader", 0, move || {
            let events = assignments.events();
            self.lies.begin.wait();
            loop {
                let seen = events.value();
                match assignments.next() {
                    NextGame::Game(number, game) => {
                        assignments.ended(number, Some(self.lies.of(&game)));
                        if self.lies.played.fetch_add(1, Ordering::Relaxed) + 1 == LIES {
                            self.lies.stopper.get().expect("it was handed over first").finish();
                        }
                    }
                    NextGame::Wait if stop.must_abort() => return Leaked::default(),
                    NextGame::Wait => events.wait(seen),
                    NextGame::Done => return Leaked::default(),
                }
            }
        })
    }
}

/// Runs a worker that reports [`LIES`] games falsely and ends. Returns their number.
fn lie(lies: &Arc<Lies>, url: &str) -> u64 {
    let own = Arc::clone(lies);
    let setup = WorkerSetup {
        address: BrokerAddress::parse(url).expect("it is an address"),
        name: "liar".to_owned(),
        slots: 1,
        until_idle: true,
        cache: None,
        open: Arc::new(move |plan, _| {
            let refusals = vec![None; plan.bots.len()];
            Ok(OpenedPlan {
                players: Box::new(Liars { lies: Arc::clone(&own), refusals }),
                entrants: plan.bots.len(),
                seats: 2,
                least_speed: None,
            })
        }),
        clock: || None,
        measure: || None,
        tell: Box::new(|_| ()),
    };
    let played = work(setup, |stopper| {
        assert!(lies.stopper.set(stopper).is_ok(), "it is handed over once");
        Ok(())
    });
    played.expect("the broker is there")
}

#[test]
fn a_worker_that_lies_about_time_is_named_by_repeats_and_by_the_report() {
    let Some(broker) = Broker::start() else { return };
    let head = "rounds = 15\nseed = 5\n[workers]\nrepeat_share = 0.2\n";
    let truth = fair::deterministic_cup(head, []);
    let scratch = fair::deterministic_cup(head, 1..=15);
    truth.run(["league", "run", "cup.toml"]).done();
    let running = leader(&scratch, &broker);
    let (lies, url) = (Lies::about("cleo", &truth), broker.url());
    let own = Arc::clone(&lies);
    let liar = std::thread::spawn(move || lie(&own, &url));
    running.wait_for("worker `liar` joins");
    // Workers of two other owners, connected before the first lie, since repeats are given to connected workers. A
    // held game of `dan` stops them until the last lie, so that enough games are left for all of them.
    let honest = ["anna", "ben"].map(|name| worker_in_place(&scratch, &broker, name));
    ["anna", "ben"].iter().for_each(|name| running.wait_for(&format!("worker `{name}` joins")));
    lies.begin.wait();
    wait_until("the liar has told its lies", || liar.is_finished());
    (1..=15).for_each(|number| release(&scratch, number));
    let lies_told = liar.join().expect("it does not panic");
    let run = running.end();
    assert!(lies_told >= LIES as u64, "it told {lies_told} lies: {}", run.stderr);
    run.said(0, "180 games, by workers");
    honest.into_iter().for_each(ends_well);
    assert!(run.stderr.contains("`liar` differs from the others"), "{}", run.stderr);
    assert!(
        !run.stderr.contains("`anna` differs") && !run.stderr.contains("`ben` differs"),
        "{}",
        run.stderr
    );
    // The rules do not contradict its records.
    assert_eq!(scratch.run(["verify", "runs/cup"]).status, Some(0));
    let report = scratch.run(["league", "report", "runs/cup"]).done().to_owned();
    let message = "the results of worker `liar` differ from those of the others";
    assert!(report.contains(message), "{report}");
    let report = scratch.run(["league", "report", "runs/cup", "--json"]).done().to_owned();
    let report: Value = serde_json::from_str(&report).expect("it is JSON");
    let rows = report["workers"].as_array().expect("there are workers");
    let of = |name: &str| rows.iter().find(|row| row["worker"] == name).expect("it played");
    assert_eq!(of("liar")["bot"], "cleo", "{report}");
    assert!(of("liar")["excess"].as_f64().is_some_and(|excess| excess < 0.0), "{report}");
    assert!(of("liar")["repeats_other_moves"].as_u64() > of("anna")["repeats_other_moves"].as_u64());
}
