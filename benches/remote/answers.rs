//! Players that answer each game with its record from a league played earlier.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use linesman::league::assigned::{Assignments, NextGame, PlayedElsewhere};
use linesman::league::league_games::EndedGame;
use linesman::league::withdrawal::Part;
use linesman::process::Leaked;
use linesman::record::GameRecord;
use linesman::referee::core::IgnoredLines;
use linesman::referee::driver::StopSwitch;
use linesman::referee::driver::workers::Workers;
use linesman::remote::nats::{AssignedPlayers, BrokerAddress, OpenedPlan, WorkerSetup, WorkerStopper, work};
use linesman::remote::worker::WorkerNotice;
use linesman::seat::BySeat;

/// A league's records by game id.
#[derive(Clone)]
pub struct Answers(Arc<HashMap<String, GameRecord>>);

impl Answers {
    pub fn read(path: &Path) -> Answers {
        let text = fs::read_to_string(path).expect("there are records");
        let record = |line: &str| serde_json::from_str::<GameRecord>(line).expect("it is a record");
        Answers(Arc::new(text.lines().map(record).map(|record| (record.id.clone(), record)).collect()))
    }

    fn of(&self, id: &str) -> Option<PlayedElsewhere> {
        let record = Box::new(self.0.get(id)?.clone());
        let part = Part { moves: 1, was_ready: true };
        let parts = BySeat::from_values([part, part])?;
        let ignored = BySeat::from_values([IgnoredLines::default(), IgnoredLines::default()])?;
        let game = EndedGame { record, notes: Vec::new(), leaked: Leaked::default(), ignored };
        Some(PlayedElsewhere { game, parts, paused: Vec::new() })
    }
}

/// Answers each game after a given time.
struct Answering {
    answers: Answers,
    takes: Duration,
    refusals: Vec<Option<String>>,
}

impl AssignedPlayers for Answering {
    fn refusals(&self) -> &[Option<String>] {
        &self.refusals
    }

    fn start(self: Box<Self>, stop: &StopSwitch, assignments: Arc<dyn Assignments>) -> io::Result<Workers> {
        let stop = stop.clone();
        Workers::on_one_thread("leader", 0, move || {
            let bell = assignments.events();
            loop {
                let rung = bell.value();
                match assignments.next() {
                    NextGame::Game(number, game) => {
                        if !self.takes.is_zero() {
                            std::thread::sleep(self.takes);
                        }
                        assignments.ended(number, self.answers.of(&game.pairing.id));
                    }
                    NextGame::Wait if stop.must_abort() => return Leaked::default(),
                    NextGame::Wait => bell.wait(rung),
                    NextGame::Done => return Leaked::default(),
                }
            }
        })
    }
}

/// Runs a worker that answers games until it is stopped. Returns the number of games it played.
pub fn work_by(
    answers: &Answers,
    (url, name, slots, takes): (&str, String, usize, Duration),
    listen: impl FnOnce(WorkerStopper),
    tell: impl Fn(WorkerNotice) + 'static,
) -> u64 {
    let answers = answers.clone();
    let setup = WorkerSetup {
        address: BrokerAddress::parse(url).expect("it is an address"),
        name,
        slots,
        until_idle: false,
        cache: None,
        open: Arc::new(move |plan, _| {
            let refusals = plan.bots.iter().map(|_| None).collect();
            let answering = Answering { answers: answers.clone(), takes, refusals };
            Ok(OpenedPlan {
                players: Box::new(answering),
                entrants: plan.bots.len(),
                seats: 2,
                least_speed: None,
            })
        }),
        clock: || None,
        // Otherwise thousands of workers would each measure this machine's speed.
        measure: || None,
        tell: Box::new(tell),
    };
    work(setup, |stopper| {
        listen(stopper);
        Ok(())
    })
    .expect("the broker is there")
}
