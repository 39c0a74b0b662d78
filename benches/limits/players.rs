//! Threads that play in turns, and what a turn cost.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use linesman::process;
use linesman::referee::driver::StopSwitch;

use crate::counters::{bots_of, cpu_of, own_cpu};

/// Where threads and bots run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Placement {
    /// Every game and its bots on one CPU, games dealt to the CPUs in turn: `affinity = auto`.
    Bound,
    /// Wherever the system puts them.
    Free,
}

/// How long is waited for the first games of a side, whose bots are started for them.
const TO_START: Duration = Duration::from_secs(120);
/// How long is waited for the games to end that a window has begun.
const TO_FINISH: Duration = Duration::from_secs(60);
/// How long is waited for a thread to end, and its bots.
const TO_END: Duration = Duration::from_secs(60);

/// Why something was not measured.
#[derive(Debug)]
pub struct NotMeasured(pub String);

impl fmt::Display for NotMeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not measured: {}", self.0)
    }
}

/// A thread that plays whole games until a moment and says how many moves it took.
pub struct Player {
    until: Option<Sender<Instant>>,
    moves: Receiver<u64>,
    thread: Option<std::thread::JoinHandle<()>>,
    stop: StopSwitch,
}

impl Player {
    /// Starts a thread that plays games with `play` when it is told to, and gives
    /// up when the switch says so.
    pub fn start(
        cpu: Option<usize>,
        stop: StopSwitch,
        prepare: impl FnOnce() -> Box<dyn FnMut(Instant) -> u64> + Send + 'static,
    ) -> Player {
        let (until, orders) = channel();
        let (results, moves) = channel();
        let thread = std::thread::spawn(move || {
            if let Some(cpu) = cpu {
                process::pin_this_thread(&[cpu]).expect("the CPU is ours");
            }
            let mut play = prepare();
            for moment in orders {
                if results.send(play(moment)).is_err() {
                    break;
                }
            }
        });
        Player { until: Some(until), moves, thread: Some(thread), stop }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.until = None;
        let latest = Instant::now() + TO_END;
        // The thread's end of this channel is the last that it lets go of.
        let is_over = loop {
            match self.moves.recv_timeout(latest.saturating_duration_since(Instant::now())) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => break true,
                Err(RecvTimeoutError::Timeout) => break false,
            }
        };
        let Some(thread) = self.thread.take() else { return };
        if !is_over {
            eprintln!("warning: a thread that plays did not end; it may disturb what follows");
        } else if thread.join().is_err() {
            eprintln!("warning: a thread that plays has panicked, as was said above");
        }
    }
}

/// One of the sides that are compared.
pub struct Side {
    players: Vec<Player>,
    bots: Vec<u32>,
}

/// What a window cost.
#[derive(Copy, Clone, Debug)]
pub struct Sample {
    /// Moves a second.
    pub speed: f64,
    /// CPU microseconds a move of this process.
    pub own: f64,
    /// The same with the bots'.
    pub all: f64,
}

impl Side {
    /// A side whose bots are known by their tag, and that has played its first games.
    pub fn new(players: Vec<Player>, tag: &str, bots: usize) -> Result<Side, NotMeasured> {
        let mut side = Side::unseen(players);
        // The first games start the bots.
        side.play_for(Duration::from_millis(1), TO_START)?;
        side.bots = bots_of(tag);
        match side.bots.len() {
            running if running == bots => Ok(side),
            running => Err(NotMeasured(format!("{running} of {bots} bots run"))),
        }
    }

    /// A side that is not measured, and has played nothing.
    pub fn unseen(players: Vec<Player>) -> Side {
        Side { players, bots: Vec::new() }
    }

    /// Plays without being measured: how many moves.
    pub fn play(&self, window: Duration) -> Result<u64, NotMeasured> {
        self.play_for(window, TO_FINISH)
    }

    fn play_for(&self, window: Duration, patience: Duration) -> Result<u64, NotMeasured> {
        let until = Instant::now() + window;
        // Who has ended can't be told, and is found out below.
        for told in self.players.iter().filter_map(|player| player.until.as_ref()) {
            let _ = told.send(until);
        }
        let mut sum = 0;
        for player in &self.players {
            let left = (until + patience).saturating_duration_since(Instant::now());
            match player.moves.recv_timeout(left) {
                Ok(moves) => sum += moves,
                Err(error) => {
                    self.players.iter().for_each(|player| player.stop.abort_running());
                    return Err(NotMeasured(match error {
                        RecvTimeoutError::Disconnected => "a game went wrong, as stderr says".to_owned(),
                        RecvTimeoutError::Timeout => {
                            format!("some games had not ended after {} s", (window + patience).as_secs())
                        }
                    }));
                }
            }
        }
        Ok(sum)
    }

    /// Plays and is measured.
    pub fn sample(&self, window: Duration) -> Result<Sample, NotMeasured> {
        let (own, theirs) = (own_cpu(), cpu_of(&self.bots));
        let start = Instant::now();
        let moves = self.play(window)?;
        let wall = start.elapsed();
        let (own, theirs) = (own_cpu() - own, cpu_of(&self.bots) - theirs);
        let a_move = |time: Duration| time.as_secs_f64() * 1e6 / moves as f64;
        let speed = moves as f64 / wall.as_secs_f64();
        Ok(Sample { speed, own: a_move(own), all: a_move(own + theirs) })
    }
}

/// Lets sides play by turns, so many rounds, and who begins changes: for each side a sample a round.
pub fn by_turns(rounds: usize, window: Duration, sides: &[Side]) -> Result<Vec<Vec<Sample>>, NotMeasured> {
    let mut samples = vec![Vec::new(); sides.len()];
    for round in 0..rounds {
        for turn in 0..sides.len() {
            let side = (round + turn) % sides.len();
            samples[side].push(sides[side].sample(window)?);
        }
    }
    Ok(samples)
}

/// Something of one side divided by the same of another, round by round.
pub fn ratios(above: &[Sample], below: &[Sample], of: fn(&Sample) -> f64) -> Vec<f64> {
    above.iter().zip(below).map(|(above, below)| of(above) / of(below)).collect()
}
