//! What a move costs in the referee, beside a bare ping-pong over pipes.
//!
//! Both play the same recorded game with the same instantly answering bot (this
//! program itself, see [`bot`]), so the same bytes go both ways. The bare side is
//! a thread a game that writes and reads, blocking: no rules, no records, no
//! deadlines. The referee's side plays Quixo for real. Both get the same
//! placement and take turns in short windows, so that whatever else the machine
//! does hits both; ratios are of neighbouring windows.
//!
//! `cargo bench --bench roundtrip`, or with `-- --quick` for a smoke run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]

use std::io::{Read, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use linesman::games::{self, Consultation, Setup, legal_moves};
use linesman::process;
use linesman::referee::core::{
    Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Introduction,
    SeatLimits, SeatSetup, SendKind,
};
use linesman::referee::driver::shared::SharedMachine;
use linesman::referee::driver::{BotSpec, Game, Played, Slot, SlotSettings, StopSwitch};
use linesman::seat::{BySeat, Seat};
use linesman::time_control::TimeControl;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

/// How many moves the recorded game has.
const PLIES: usize = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == BOT) {
        return bot(&arguments[2]);
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let plan = if has("--quick") {
        Plan { rounds: 2, window: Duration::from_millis(30), games: &[1, 2, 16] }
    } else {
        Plan { rounds: 15, window: Duration::from_millis(200), games: &[1, 2, 16, 64] }
    };
    let sessions = if has("--same-session") { Sessions::Same } else { Sessions::Own };
    let recorded = Arc::new(Recorded::new());
    let mut cpus = process::allowed_cpus();
    if has("--one-cpu") {
        cpus.truncate(1);
        process::pin_this_thread(&cpus).expect("the CPU is ours");
    }
    println!("{} CPUs, {PLIES} moves a game, {} rounds of {:?}\n", cpus.len(), plan.rounds, plan.window);
    println!("placement  games  moves/s   bare moves/s  x wall (q1..q3)      x all CPU  own us  bare own us");
    for placement in [Placement::Bound, Placement::Free] {
        for games in plan.games {
            compare(&plan, &recorded, placement, sessions, *games, &cpus);
        }
    }
}

/// Whether the bare bots have sessions of their own, as the referee's have: where
/// the kernel groups processes by session to share CPUs among them, that
/// decides how they are scheduled.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Sessions {
    Own,
    Same,
}

struct Plan {
    rounds: usize,
    window: Duration,
    games: &'static [usize],
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Placement {
    /// Every game's referee and bots together on one CPU, games dealt to the CPUs in turn.
    Bound,
    /// Wherever the system puts them.
    Free,
}

// --- the recorded game

/// What goes to a seat, and what comes back, if anything does.
struct Step {
    seat: Seat,
    text: String,
    answer: Option<String>,
}

struct Recorded {
    rules: Arc<dyn Setup>,
    setup: GameSetup,
    moves: Vec<String>,
    steps: Vec<Step>,
}

impl Recorded {
    fn new() -> Recorded {
        let options = [("max_plies", PLIES.to_string()), ("repetition", "0".to_owned())];
        let options = [(options[0].0, options[0].1.as_str()), (options[1].0, options[1].1.as_str())];
        let rules =
            games::find("quixo").expect("Quixo is there").configure(&options).expect("options are good");
        let moves = (1..).find_map(|seed| long_game(&*rules, seed)).expect("there are long games");
        let setup = setup(&*rules);
        let steps = record(&*rules, &setup, &moves);
        Recorded { rules, setup, moves, steps }
    }

    /// The moves of a seat, as the bot is told them.
    fn script(&self, seat: Seat) -> String {
        self.moves.iter().skip(seat.index()).step_by(2).cloned().collect::<Vec<_>>().join(",")
    }
}

/// Moves drawn by lot, if nobody wins before the end.
fn long_game(rules: &dyn Setup, mut seed: u64) -> Option<Vec<String>> {
    let mut table = rules.start();
    let mut moves = Vec::new();
    while !table.is_over() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut legal = legal_moves(&*table);
        let mv = legal.swap_remove((seed >> 33) as usize % legal.len());
        table.play(&mv).expect("the move is legal");
        moves.push(mv);
    }
    (moves.len() == PLIES).then_some(moves)
}

fn setup(rules: &dyn Setup) -> GameSetup {
    let introduction = Introduction { protocol: 1, ..Introduction::default() };
    let limits = SeatLimits {
        start: Duration::from_secs(10),
        ready: Duration::from_secs(10),
        most_a_move: None,
        line: 64 << 10,
        output_on_move: 8 << 20,
        output_off_move: 1 << 20,
    };
    let seat = SeatSetup {
        bot: BotState::Warm(introduction),
        options: Vec::new(),
        limits,
        fairness: Fairness::default(),
    };
    GameSetup {
        game: rules.id().to_owned(),
        options: rules.options().to_string(),
        consultation: Consultation::of(rules.options()),
        id: "a~b~1".to_owned(),
        opening_token: None,
        opening_moves: Vec::new(),
        time_control: TimeControl::MoveTime(Duration::from_secs(1)),
        margin: Duration::from_millis(50),
        adjudication: Adjudication::default(),
        seats: BySeat::from_fn(2, |_| seat.clone()),
    }
}

/// Plays the game once without processes and writes down what goes to and fro.
fn record(rules: &dyn Setup, setup: &GameSetup, moves: &[String]) -> Vec<Step> {
    let mut core = Core::new(setup.clone(), rules.start());
    let (mut actions, mut steps, mut ply) = (Vec::new(), Vec::new(), 0);
    core.start(&mut actions);
    while !actions.is_empty() {
        for action in std::mem::take(&mut actions) {
            let Action::Send { seat, text, kind } = action else { continue };
            let at = GameTime(Duration::from_millis(steps.len() as u64));
            let answer = if kind == SendKind::Turn {
                core.handle(Input { at, event: Event::Sent { seat } }, &mut actions);
                ply += 1;
                Some(format!("bestmove {}", moves[ply - 1]))
            } else {
                text.ends_with("isready\n").then(|| "readyok".to_owned())
            };
            if let Some(answer) = &answer {
                core.line(at, seat, answer.as_bytes(), &mut actions);
            }
            steps.push(Step { seat, text, answer });
        }
    }
    assert_eq!(ply, PLIES, "the whole game was recorded");
    steps
}

// --- the bot

const BOT: &str = "--bot";

/// Answers at once: the next move of its script for every `go`. It looks at the
/// last line of what it reads only.
fn bot(script: &str) {
    let answers: Vec<String> = script.split(',').map(|mv| format!("bestmove {mv}\n")).collect();
    let (mut input, mut output) = (std::io::stdin(), std::io::stdout());
    let (mut next, mut filled) = (0, 0);
    let mut buffer = [0; 16 * 1024];
    loop {
        match input.read(&mut buffer[filled..]) {
            Ok(0) | Err(_) => return,
            Ok(count) => filled += count,
        }
        let Some(text) = buffer[..filled].strip_suffix(b"\n") else { continue };
        let start = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let answer = match &text[start..] {
            b"ugi" => "ugiok\n",
            b"isready" => {
                next = 0;
                "readyok\n"
            }
            b"quit" => return,
            line if line.starts_with(b"go ") => {
                next += 1;
                answers[next - 1].as_str()
            }
            _ => "",
        };
        filled = 0;
        if !answer.is_empty() && output.write_all(answer.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

fn bot_arguments(tag: &str, script: String) -> [String; 3] {
    [BOT.to_owned(), tag.to_owned(), script]
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("a program knows itself")
}

/// The bots of one side, found by their tag.
fn bots_of(tag: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is a `/proc`").flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| {
                let mut words = line.split(|byte| *byte == 0).skip(1);
                words.next() == Some(BOT.as_bytes()) && words.next() == Some(tag.as_bytes())
            })
        })
        .collect()
}

/// The CPU time that processes have used.
fn cpu_of(processes: &[u32]) -> Duration {
    let used = processes.iter().map(|pid| {
        let file = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
        file.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    });
    Duration::from_nanos(used.sum())
}

/// The CPU time that this program has used.
#[expect(unsafe_code, reason = "there is no safe face to this call")]
fn own_cpu() -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the out pointer lives through the call, and zeros are a valid rusage.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    let duration = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1_000);
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

// --- the two sides

/// A thread that plays whole games until a moment and says how many moves it took.
struct Player {
    until: Sender<Instant>,
    moves: Receiver<u64>,
}

/// Starts a thread that plays games with `play` when it is told to.
fn player(
    cpu: Option<usize>,
    prepare: impl FnOnce() -> Box<dyn FnMut(Instant) -> u64> + Send + 'static,
) -> Player {
    let (until, orders) = channel();
    let (results, moves) = channel();
    std::thread::spawn(move || {
        if let Some(cpu) = cpu {
            process::pin_this_thread(&[cpu]).expect("the CPU is ours");
        }
        let mut play = prepare();
        for moment in orders {
            results.send(play(moment)).expect("somebody waits for the result");
        }
    });
    Player { until, moves }
}

struct BareBot(Child);

impl Drop for BareBot {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The floor: a thread a game, write and read.
fn bare_game(recorded: &Recorded, bots: &mut [BareBot]) {
    let mut buffer = [0; 4096];
    for step in &recorded.steps {
        let bot = &mut bots[step.seat.index()].0;
        let (input, output) = (bot.stdin.as_mut().expect("piped"), bot.stdout.as_mut().expect("piped"));
        input.write_all(step.text.as_bytes()).expect("the bot reads");
        if step.answer.is_some() {
            let mut filled = 0;
            while filled == 0 || buffer[filled - 1] != b'\n' {
                filled += output.read(&mut buffer[filled..]).expect("the bot answers");
            }
        }
    }
}

fn bare_player(recorded: &Arc<Recorded>, tag: &str, sessions: Sessions, cpu: Option<usize>) -> Player {
    let recorded = Arc::clone(recorded);
    let tag = tag.to_owned();
    player(cpu, move || {
        // Started here, so that they share this thread's placement.
        let mut bots: Vec<BareBot> = Seat::all(2)
            .map(|seat| {
                let mut command = match sessions {
                    Sessions::Same => Command::new(this_program()),
                    Sessions::Own => Command::new("setsid"),
                };
                if sessions == Sessions::Own {
                    command.arg(this_program());
                }
                command.args(bot_arguments(&tag, recorded.script(seat)));
                BareBot(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts"))
            })
            .collect();
        Box::new(move |until| {
            let mut moves = 0;
            while moves == 0 || Instant::now() < until {
                bare_game(&recorded, &mut bots);
                moves += PLIES as u64;
            }
            moves
        })
    })
}

/// The referee: a thread for so many games.
fn referee_player(recorded: &Arc<Recorded>, tag: &str, cpu: Option<usize>, games: usize) -> Player {
    let recorded = Arc::clone(recorded);
    let base =
        process::Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() };
    let bots = BySeat::from_fn(2, |seat| BotSpec {
        identity: format!("{seat}"),
        command: process::Command {
            launcher: env!("CARGO_BIN_EXE_linesman").into(),
            program: this_program().into(),
            arguments: bot_arguments(tag, recorded.script(seat)).map(Into::into).to_vec(),
            directory: "/".into(),
            environment: base.closed::<&str, &str>([]),
            cpus: Vec::new(),
            isolation: None,
        },
        cpus: NonZeroU32::MIN,
        quit: Duration::from_millis(500),
    });
    let settings = SlotSettings {
        cpus: cpu.into_iter().collect(),
        games_at_once: NonZeroU32::new(games as u32).expect("not zero"),
        ..SlotSettings::default()
    };
    let new_game =
        move || Game { setup: recorded.setup.clone(), table: recorded.rules.start(), bots: bots.clone() };
    let count = |played: Option<Played>| {
        let played = played.expect("nobody stops it");
        assert_eq!(played.finished.moves.len(), PLIES, "{:?}", played.finished.verdict);
        PLIES as u64
    };
    if games == 1 {
        return player(cpu, move || {
            let mut slot = Slot::new(settings, StopSwitch::new());
            Box::new(move |until| {
                let mut moves = 0;
                while moves == 0 || Instant::now() < until {
                    moves += count(slot.play(new_game()));
                }
                moves
            })
        });
    }
    player(cpu, move || {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let machines = runtime.block_on(async { SharedMachine::for_this_thread(games) });
        let new_slot = |machine| Slot::in_world(machine, settings.clone(), StopSwitch::new());
        let mut slots: Vec<_> = machines.into_iter().map(new_slot).collect();
        let local = LocalSet::new();
        let new_game = Rc::new(new_game);
        Box::new(move |until| {
            let playing: Vec<_> = std::mem::take(&mut slots)
                .into_iter()
                .map(|mut slot| {
                    let new_game = Rc::clone(&new_game);
                    local.spawn_local(async move {
                        let mut moves = 0;
                        while moves == 0 || Instant::now() < until {
                            moves += count(slot.play_among_others(new_game()).await);
                        }
                        (moves, slot)
                    })
                })
                .collect();
            let played = local.block_on(&runtime, async {
                let mut all = Vec::new();
                for one in playing {
                    all.push(one.await.expect("nobody panics"));
                }
                all
            });
            let moves = played.iter().map(|(moves, _)| moves).sum();
            slots = played.into_iter().map(|(_, slot)| slot).collect();
            moves
        })
    })
}

// --- measuring

struct Sample {
    moves_a_second: f64,
    own: f64,
    all: f64,
}

fn sample(players: &[Player], bots: &[u32], window: Duration) -> Sample {
    let (own, theirs) = (own_cpu(), cpu_of(bots));
    let start = Instant::now();
    for player in players {
        player.until.send(start + window).expect("the player lives");
    }
    let moves: u64 = players.iter().map(|player| player.moves.recv().expect("the player lives")).sum();
    let wall = start.elapsed();
    let (own, theirs) = (own_cpu() - own, cpu_of(bots) - theirs);
    let a_move = |time: Duration| time.as_secs_f64() * 1e6 / moves as f64;
    Sample { moves_a_second: moves as f64 / wall.as_secs_f64(), own: a_move(own), all: a_move(own + theirs) }
}

fn compare(
    plan: &Plan,
    recorded: &Arc<Recorded>,
    placement: Placement,
    sessions: Sessions,
    games: usize,
    cpus: &[usize],
) {
    let cpu_for = |game: usize| (placement == Placement::Bound).then(|| cpus[game % cpus.len()]);
    let bare_tag = format!("bare-{placement:?}-{games}");
    let tag = format!("referee-{placement:?}-{games}");
    let bare: Vec<Player> =
        (0..games).map(|game| bare_player(recorded, &bare_tag, sessions, cpu_for(game))).collect();
    let threads = games.min(cpus.len());
    let referee: Vec<Player> = (0..threads)
        .map(|thread| {
            let share = (thread..games).step_by(threads).count();
            referee_player(recorded, &tag, cpu_for(thread), share)
        })
        .collect();
    // The first games start the bots.
    sample(&bare, &[], plan.window);
    sample(&referee, &[], plan.window);
    let (bare_bots, bots) = (bots_of(&bare_tag), bots_of(&tag));
    assert_eq!((bare_bots.len(), bots.len()), (2 * games, 2 * games), "every game has two bots");
    let mut rounds = Vec::new();
    for _ in 0..plan.rounds {
        rounds.push((sample(&bare, &bare_bots, plan.window), sample(&referee, &bots, plan.window)));
    }
    let of = |measure: &dyn Fn(&(Sample, Sample)) -> f64| -> [f64; 3] {
        let mut values: Vec<f64> = rounds.iter().map(measure).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len() - 1;
        [values[last / 4], values[last / 2], values[last - last / 4]]
    };
    let [low, middle, high] = of(&|(bare, referee)| referee.moves_a_second / bare.moves_a_second);
    println!(
        "{:<9}  {games:>5}  {:>8.0}  {:>12.0}  {middle:.2} ({low:.2}..{high:.2})  {:>9.2}  {:>9.2}  {:>11.2}",
        format!("{placement:?}").to_lowercase(),
        of(&|(_, referee)| referee.moves_a_second)[1],
        of(&|(bare, _)| bare.moves_a_second)[1],
        of(&|(bare, referee)| bare.all / referee.all)[1],
        of(&|(_, referee)| referee.own)[1],
        of(&|(bare, _)| bare.own)[1],
    );
}
