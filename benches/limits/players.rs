//! Threads that play in turns, and the cost of a turn.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use linesman::process;
use linesman::referee::driver::StopSwitch;

use crate::counters::{bots_of, cpu_of, process_cpu};

/// Where threads and bots run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Placement {
    /// Each game and its bots on one CPU, with games dealt to the CPUs in turn: `affinity = auto`.
    Bound,
    /// On the CPUs that the system chooses.
    Free,
}

/// The timeout for a side's first games, including the starts of its bots.
const TO_START: Duration = Duration::from_secs(120);
/// The timeout, after a window, for its last games.
const TO_FINISH: Duration = Duration::from_secs(60);
/// The timeout for a thread and its bots to end.
const TO_END: Duration = Duration::from_secs(60);

/// The reason why something was not measured.
#[derive(Debug)]
pub struct NotMeasured(pub String);

impl fmt::Display for NotMeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not measured: {}", self.0)
    }
}

/// A thread that plays whole games until a given time and reports the number of moves.
pub struct Player {
    until: Option<Sender<Instant>>,
    moves: Receiver<u64>,
    thread: Option<std::thread::JoinHandle<()>>,
    stop: StopSwitch,
}

impl Player {
    /// Starts a thread that calls the function made by `prepare` on each order. `stop` aborts
    /// its games.
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
        // The thread drops its end of this channel last.
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

/// One of the compared sides.
pub struct Side {
    players: Vec<Player>,
    bots: Vec<u32>,
}

/// The cost of a window.
#[derive(Copy, Clone, Debug)]
pub struct Sample {
    /// Moves per second.
    pub speed: f64,
    /// CPU microseconds per move of this process.
    pub own: f64,
    /// CPU microseconds per move of this process and the bots.
    pub all: f64,
}

impl Side {
    /// Creates a side whose bots have `tag`, and plays its first games.
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

    /// Creates a side that is not measured and has played nothing.
    pub fn unseen(players: Vec<Player>) -> Side {
        Side { players, bots: Vec::new() }
    }

    /// Plays without measuring and returns the number of moves.
    pub fn play(&self, window: Duration) -> Result<u64, NotMeasured> {
        self.play_for(window, TO_FINISH)
    }

    fn play_for(&self, window: Duration, patience: Duration) -> Result<u64, NotMeasured> {
        let until = Instant::now() + window;
        // Sending to a thread that has ended fails; that is noticed below.
        for orders in self.players.iter().filter_map(|player| player.until.as_ref()) {
            let _ = orders.send(until);
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

    /// Plays for a window and returns its cost.
    pub fn sample(&self, window: Duration) -> Result<Sample, NotMeasured> {
        let (own, theirs) = (process_cpu(), cpu_of(&self.bots));
        let start = Instant::now();
        let moves = self.play(window)?;
        let wall = start.elapsed();
        let (own, theirs) = (process_cpu() - own, cpu_of(&self.bots) - theirs);
        let a_move = |time: Duration| time.as_secs_f64() * 1e6 / moves as f64;
        let speed = moves as f64 / wall.as_secs_f64();
        Ok(Sample { speed, own: a_move(own), all: a_move(own + theirs) })
    }
}

/// Lets the sides play in turns, with a different first side each round. Returns each side's samples by round.
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

/// Returns one side's values divided by another's, round by round.
pub fn ratios(above: &[Sample], below: &[Sample], of: fn(&Sample) -> f64) -> Vec<f64> {
    above.iter().zip(below).map(|(above, below)| of(above) / of(below)).collect()
}
