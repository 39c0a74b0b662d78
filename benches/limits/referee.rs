//! The referee's side: whole games played by its driver, in the same threads as in leagues.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use linesman::process::isolation::{Isolation, Layers, Policy, Sandbox, SandboxPlan, SlotUsers};
use linesman::process::{self, Environment};
use linesman::referee::core::Pausing;
use linesman::referee::driver::runtime::Runtime;
use linesman::referee::driver::shared::SharedRuntime;
use linesman::referee::driver::{BotSpec, Game, Played, Slot, SlotSettings, StopSwitch};
use linesman::seat::BySeat;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use crate::bare::BareMachine;
use crate::bot::{Manner, arguments};
use crate::players::{NotMeasured, Placement, Player, Side};
use crate::recorded::Recorded;
use crate::this_program;

/// The referee's settings.
#[derive(Clone)]
pub struct Conduct {
    /// The tag that identifies its bots.
    pub tag: String,
    /// The number of concurrent games.
    pub games: usize,
    pub manner: Manner,
    /// The sandbox's layers; `None` = supervised only.
    pub layers: Option<Layers>,
    pub pausing: Pausing,
    pub supervision: Supervision,
    pub placement: Placement,
    /// The number of idle bots kept for their next game.
    pub idle_bots: usize,
}

/// The supervision of bots.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Supervision {
    /// The usual referee.
    Supervised,
    /// Plain child processes, no host evidence, no alarms. Only with one game per thread.
    Bare,
}

impl Conduct {
    /// Settings for concurrent games of instant bots, bound to their CPUs, in this host's default sandbox.
    pub fn of(tag: &str, games: usize) -> Conduct {
        Conduct {
            tag: tag.to_owned(),
            games,
            manner: Manner::Instant,
            layers: Some(layers(Sandbox::Auto)),
            pausing: Pausing::Off,
            supervision: Supervision::Supervised,
            placement: Placement::Bound,
            idle_bots: 8,
        }
    }
}

/// Returns the path of the built binary, which is also the launcher.
pub fn linesman() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_linesman"))
}

/// Returns the layers of a sandbox that work on this host.
pub fn layers(sandbox: Sandbox) -> Layers {
    // Larger than the usual range: several sides with hundreds of games each are alive at once.
    let users = SlotUsers { first: 70_000, count: 3_000 };
    let status = SandboxPlan::find(sandbox, linesman(), &std::env::temp_dir(), users).confirm();
    status.expect("only `strict` can be refused").layers
}

/// Returns the command that starts this program as a bot.
pub fn command(arguments: Vec<String>, layers: Option<Layers>) -> process::Command {
    let environment =
        Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() };
    let read = vec![this_program().parent().expect("a program lies in a folder").to_owned()];
    process::Command {
        launcher: linesman().into(),
        program: this_program().into(),
        arguments: arguments.into_iter().map(Into::into).collect(),
        directory: "/".into(),
        environment: environment.closed::<&str, &str>([]),
        cpus: Vec::new(),
        shares_cpus: false,
        isolation: layers.map(|layers| Isolation { policy: Policy { read, ..Policy::default() }, layers }),
    }
}

pub fn bots(recorded: &Recorded, conduct: &Conduct, delays: Option<PathBuf>) -> BySeat<Arc<BotSpec>> {
    let bot = |seat| {
        let arguments = arguments(&conduct.tag, recorded.script(seat), &conduct.manner, delays.clone());
        let spec = BotSpec::new(format!("{seat}"), command(arguments, conduct.layers.clone()));
        BotSpec { quit: Duration::from_secs(5), ..spec }
    };
    BySeat::from_fn(2, |seat| Arc::new(bot(seat)))
}

/// Returns the recorded game, ready to be played.
pub fn game(recorded: &Recorded, bots: BySeat<Arc<BotSpec>>, pausing: Pausing) -> Game {
    let mut setup = recorded.setup.clone();
    for (seat, _) in bots.iter() {
        setup.seats[seat].fairness.pausing = pausing;
    }
    Game { setup, table: recorded.rules.start(), bots, on_move: None, dialogue: None }
}

/// Supplies the games for a thread's slots and takes the results.
pub trait Source: Send + Sync + 'static {
    fn next(&self, slot: usize) -> Game;
    /// Takes a played game and returns the number of moves to count.
    fn done(&self, slot: usize, played: Played) -> u64;
}

/// Repeats the recorded game.
pub struct Again {
    recorded: Arc<Recorded>,
    bots: BySeat<Arc<BotSpec>>,
    pausing: Pausing,
}

impl Source for Again {
    fn next(&self, _slot: usize) -> Game {
        game(&self.recorded, self.bots.clone(), self.pausing)
    }

    fn done(&self, _slot: usize, played: Played) -> u64 {
        assert_eq!(played.finished.moves.len(), self.recorded.plies(), "{:?}", played.finished.verdict);
        self.recorded.plies() as u64
    }
}

/// Starts a thread that plays one game at a time, blocking.
fn alone(
    cpu: Option<usize>,
    settings: SlotSettings,
    stop: StopSwitch,
    bare: Supervision,
    source: Arc<dyn Source>,
) -> Player {
    Player::start(cpu, stop.clone(), move || match bare {
        Supervision::Bare => playing_in_turn(Slot::in_runtime(BareMachine, settings, stop), source),
        Supervision::Supervised => playing_in_turn(Slot::new(settings, stop), source),
    })
}

fn playing_in_turn<W: Runtime + 'static>(
    slot: Slot<W>,
    source: Arc<dyn Source>,
) -> Box<dyn FnMut(Instant) -> u64> {
    let mut closing = Closing(Some(slot));
    Box::new(move |until| {
        let slot = closing.0.as_mut().expect("it is not dropped");
        play_until(until, || slot.play(source.next(0)).map(|played| source.done(0, played)))
    })
}

/// A slot that asks its bots to quit when dropped, and waits for them.
struct Closing<W: Runtime>(Option<Slot<W>>);

impl<W: Runtime> Drop for Closing<W> {
    fn drop(&mut self) {
        let left = self.0.take().map(Slot::close).unwrap_or_default();
        assert!(std::thread::panicking() || left.processes == 0, "all bots have ended");
    }
}

/// Plays games until `until`, at least one unless stopped, and returns the number of moves.
fn play_until(until: Instant, mut play: impl FnMut() -> Option<u64>) -> u64 {
    let mut sum = 0;
    while sum == 0 || Instant::now() < until {
        let Some(moves) = play() else { break };
        sum += moves;
    }
    sum
}

/// The number of games started at once. If all bots started together, they would slow each
/// other down beyond the limit for a bot's first answer.
const STARTED_AT_ONCE: usize = 16;

/// Starts a thread that plays several games at once.
fn together(
    cpu: Option<usize>,
    settings: SlotSettings,
    stop: StopSwitch,
    games: usize,
    source: Arc<dyn Source>,
) -> Player {
    Player::start(cpu, stop.clone(), move || {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let machines = runtime.block_on(async { SharedRuntime::for_this_thread(games) });
        let new_slot = |machine| Slot::in_runtime(machine, settings.clone(), stop.clone());
        let mut slots: Vec<_> = machines.into_iter().map(new_slot).collect();
        let local = LocalSet::new();
        let source = Rc::new(source);
        let mut at_once = STARTED_AT_ONCE.min(games);
        Box::new(move |until| {
            let mut sum = 0;
            let mut waiting = std::mem::take(&mut slots).into_iter().enumerate();
            while slots.len() < games {
                let playing: Vec<_> = (waiting.by_ref().take(at_once))
                    .map(|(number, mut slot)| {
                        let source = Rc::clone(&source);
                        local.spawn_local(async move {
                            let mut moves = 0;
                            while moves == 0 || Instant::now() < until {
                                let played = slot.play_among_others(source.next(number)).await;
                                let Some(played) = played else { break };
                                moves += source.done(number, played);
                            }
                            (moves, slot)
                        })
                    })
                    .collect();
                for task in playing {
                    let (moves, slot) = local.block_on(&runtime, task).expect("nobody panics");
                    sum += moves;
                    slots.push(slot);
                }
            }
            // From now on all bots are running.
            at_once = games;
            sum
        })
    })
}

/// Starts a thread per CPU that plays its share of the games, as leagues do.
pub fn players(conduct: &Conduct, cpus: &[usize], source: &Arc<dyn Source>) -> Vec<Player> {
    let threads = conduct.games.min(cpus.len());
    let stop = StopSwitch::new();
    (0..threads)
        .map(|thread| {
            let games = (thread..conduct.games).step_by(threads).count();
            let cpu = (conduct.placement == Placement::Bound).then(|| cpus[thread]);
            let settings = SlotSettings {
                cpus: cpu.into_iter().collect(),
                idle_bots: conduct.idle_bots,
                games_at_once: NonZeroU32::new(games as u32).expect("every thread has a game"),
            };
            let source = Arc::clone(source);
            match games {
                1 => alone(cpu, settings, stop.clone(), conduct.supervision, source),
                _ => together(cpu, settings, stop.clone(), games, source),
            }
        })
        .collect()
}

/// Starts the referee's side.
pub fn referee(recorded: &Arc<Recorded>, conduct: &Conduct, cpus: &[usize]) -> Result<Side, NotMeasured> {
    let source: Arc<dyn Source> = Arc::new(Again {
        recorded: Arc::clone(recorded),
        bots: bots(recorded, conduct, None),
        pausing: conduct.pausing,
    });
    Side::new(players(conduct, cpus, &source), &conduct.tag, 2 * conduct.games)
}
