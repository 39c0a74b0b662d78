//! Threads that play in turns, and what a turn cost.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use linesman::process;

use crate::counters::{bots_of, cpu_of, own_cpu};

/// Where threads and bots run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Placement {
    /// Every game and its bots on one CPU, games dealt to the CPUs in turn: `affinity = auto`.
    Bound,
    /// Wherever the system puts them.
    Free,
}

/// A thread that plays whole games until a moment and says how many moves it took.
pub struct Player {
    until: Option<Sender<Instant>>,
    moves: Receiver<u64>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Player {
    /// Starts a thread that plays games with `play` when it is told to.
    pub fn start(
        cpu: Option<usize>,
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
                results.send(play(moment)).expect("somebody waits for the result");
            }
        });
        Player { until: Some(until), moves, thread: Some(thread) }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.until = None;
        let ended = self.thread.take().map(std::thread::JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "the player ended well");
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
    pub fn new(players: Vec<Player>, tag: &str, bots: usize) -> Side {
        let mut side = Side::unseen(players);
        // The first games start the bots.
        side.play(Duration::from_millis(1));
        side.bots = bots_of(tag);
        assert_eq!(side.bots.len(), bots, "every bot of `{tag}` runs");
        side
    }

    /// A side that is not measured, and has played nothing.
    pub fn unseen(players: Vec<Player>) -> Side {
        Side { players, bots: Vec::new() }
    }

    /// Plays without being measured: how many moves.
    pub fn play(&self, window: Duration) -> u64 {
        let until = Instant::now() + window;
        for player in &self.players {
            player.until.as_ref().expect("it is not dropped").send(until).expect("the player lives");
        }
        self.players.iter().map(|player| player.moves.recv().expect("the player lives")).sum()
    }

    /// Plays and is measured.
    pub fn sample(&self, window: Duration) -> Sample {
        let (own, theirs) = (own_cpu(), cpu_of(&self.bots));
        let start = Instant::now();
        let moves = self.play(window);
        let wall = start.elapsed();
        let (own, theirs) = (own_cpu() - own, cpu_of(&self.bots) - theirs);
        let a_move = |time: Duration| time.as_secs_f64() * 1e6 / moves as f64;
        Sample { speed: moves as f64 / wall.as_secs_f64(), own: a_move(own), all: a_move(own + theirs) }
    }
}

/// Lets sides play by turns, so many rounds, and who begins changes: for each side a sample a round.
pub fn by_turns(rounds: usize, window: Duration, sides: &[Side]) -> Vec<Vec<Sample>> {
    let mut samples = vec![Vec::new(); sides.len()];
    for round in 0..rounds {
        for turn in 0..sides.len() {
            let side = (round + turn) % sides.len();
            samples[side].push(sides[side].sample(window));
        }
    }
    samples
}

/// Something of one side divided by the same of another, round by round.
pub fn ratios(above: &[Sample], below: &[Sample], of: fn(&Sample) -> f64) -> Vec<f64> {
    above.iter().zip(below).map(|(above, below)| of(above) / of(below)).collect()
}
