//! The cost of starting a bot, a game with idle bots, and the program.

use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use linesman::process::isolation::{Layers, Sandbox};
use linesman::process::{Bot, Interest, Process as _, QuitOverruns, wait_for};
use linesman::seat::Seat;

use crate::bot::{Manner, arguments};
use crate::counters::{ended_cpu, process_cpu};
use crate::floor::{BareBot, bare_bot, floor, game};
use crate::players::{NotMeasured, Placement, by_turns};
use crate::recorded::Recorded;
use crate::referee::{Conduct, command, layers, linesman, referee};
use crate::run::run;
use crate::table::{Row, print, print_or_explain};
use crate::{Plan, this_program};

pub fn start(plan: &Plan) {
    fresh_bots(plan, "");
    starts_with_memory(plan);
    let what = format!("game of {KEPT_PLIES} moves with bots that are kept, beyond the floor's");
    print_or_explain(&what, kept_bots(plan, &what));
    whole_match(plan);
    version(plan);
}

/// The argument that makes this program measure starts with much memory resident.
pub const RESIDENT: &str = "--resident";

/// Measures starts of bots from another process with much resident memory, which slows starts down.
fn starts_with_memory(plan: &Plan) {
    let quick = (plan.rounds <= 2).then_some("--quick");
    let status = Command::new(this_program()).arg(RESIDENT).args(quick).status().expect("it starts");
    assert!(status.success(), "it measures: {status}");
}

/// The process that [`starts_with_memory`] runs.
pub fn with_memory(plan: &Plan) {
    let resident = vec![1_u8; 512 << 20];
    fresh_bots(plan, ", 512 MiB resident");
    drop(std::hint::black_box(resident));
}

fn bot_arguments() -> Vec<String> {
    arguments("started", "a1a5".to_owned(), &Manner::Instant, None)
}

/// Starts a bot, reads one answer and ends it.
fn bare_start() {
    let mut bot = bare_bot(&bot_arguments());
    let input = bot.0.stdin.as_mut().expect("piped");
    input.write_all(b"ugi\n").expect("the bot reads");
    let mut line = String::new();
    let output = bot.0.stdout.as_mut().expect("piped");
    BufReader::new(output).read_line(&mut line).expect("the bot answers");
    assert_eq!(line, "ugiok\n");
}

fn referee_start(layers: Option<&Layers>) {
    let bot = Bot::start_here(command(bot_arguments(), layers.cloned())).expect("it can be launched");
    bot.write_now(b"ugi\n").expect("the bot reads");
    let (mut answer, mut buffer) = (Vec::new(), [0; 64]);
    while !answer.ends_with(b"\n") {
        wait_for([Interest::Output(&bot)], Duration::from_secs(10)).expect("a pipe can be waited for");
        let count = bot.read_now(&mut buffer).expect("a pipe can be read").unwrap_or(0);
        answer.extend_from_slice(&buffer[..count]);
    }
    assert_eq!(answer, b"ugiok\n");
    let left = bot.quit_later(b"quit\n".to_vec(), Duration::from_secs(5), QuitOverruns::default()).wait();
    assert_eq!(left.processes, 0, "it has ended");
}

/// Milliseconds of wall-clock and of CPU time.
type Cost = (f64, f64);

fn cost(times: u32, work: impl Fn()) -> Cost {
    let (wall, cpu) = (Instant::now(), process_cpu() + ended_cpu());
    (0..times).for_each(|_| work());
    let each = |all: Duration| all.as_secs_f64() * 1e3 / f64::from(times);
    (each(wall.elapsed()), each(process_cpu() + ended_cpu() - cpu))
}

/// A way to start a bot: its name, its aim, and the function.
type Kind<'k> = (&'k str, &'k str, Box<dyn Fn() + 'k>);

fn fresh_bots(plan: &Plan, when: &str) {
    let times = if plan.rounds > 2 { 20 } else { 2 };
    let (portable, auto) = (layers(Sandbox::Portable), layers(Sandbox::Auto));
    let kinds: [Kind<'_>; 4] = [
        ("bare: spawned, first answer, reaped", "", Box::new(bare_start)),
        ("by the referee, no sandbox", "<= 1.5", Box::new(|| referee_start(None))),
        ("by the referee, sandbox portable", "<= 1.5", Box::new(|| referee_start(Some(&portable)))),
        ("by the referee, sandbox auto", "<= 1.5", Box::new(|| referee_start(Some(&auto)))),
    ];
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); kinds.len()];
    for _ in 0..plan.rounds {
        for ((.., start), costs) in kinds.iter().zip(&mut costs) {
            costs.push(cost(times, start));
        }
    }
    for ((name, aim, _), own) in kinds.iter().zip(&costs) {
        let what = format!("start of a bot, {name}{when}");
        let share =
            |of: fn(&Cost) -> f64| own.iter().zip(&costs[0]).map(move |(own, bare)| of(own) / of(bare));
        print([Row::new(&what, "ms").wall(own.iter().map(|cost| cost.0)).cpu(own.iter().map(|cost| cost.1))]);
        if !aim.is_empty() {
            print([Row::new(&what, "x of bare")
                .wall(share(|cost| cost.0))
                .cpu(share(|cost| cost.1))
                .aim(*aim)]);
        }
    }
}

/// The length of games with idle bots.
const KEPT_PLIES: usize = 2;

/// Measures games of two plies, whose cost is mostly their start and end.
fn kept_bots(plan: &Plan, what: &str) -> Result<Vec<Row>, NotMeasured> {
    let recorded = Arc::new(Recorded::of(KEPT_PLIES));
    let cpus = &plan.cpus[..1];
    let sides = [
        floor(&recorded, 1, &Manner::Instant, Placement::Bound, cpus)?,
        referee(&recorded, &Conduct::of("kept", 1), cpus)?,
    ];
    let samples = by_turns(plan.rounds, plan.window, &sides)?;
    let pairs = || samples[1].iter().zip(&samples[0]);
    let plies = KEPT_PLIES as f64;
    Ok(vec![
        Row::new(what, "us a game")
            .wall(pairs().map(|(own, bare)| 1e6 * plies * (1.0 / own.speed - 1.0 / bare.speed)))
            .cpu(pairs().map(|(own, bare)| plies * (own.all - bare.all)))
            .aim("<= 200"),
    ])
}

/// Compares a whole match of one game with the same game of bare bots, their start and end included.
fn whole_match(plan: &Plan) {
    const PLIES: usize = 60;
    let recorded = Recorded::of(PLIES);
    let bot = |seat| arguments("match", recorded.script(seat), &Manner::Instant, None);
    let words: Vec<String> = Seat::all(2)
        .flat_map(|seat| {
            let program = this_program().into_os_string().into_string().expect("it is a plain path");
            let command = std::iter::once(program).chain(bot(seat)).collect::<Vec<_>>().join(" ");
            ["--bot".to_owned(), command]
        })
        .collect();
    let options = format!("max_plies={PLIES},repetition=0");
    let usual = ["match", "--game", "quixo", "--options", &options, "--games", "1", "--movetime", "10s"];
    let all: Vec<&str> = usual.into_iter().chain(words.iter().map(String::as_str)).collect();
    let (mut beyond, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let began = Instant::now();
        let mut bots: Vec<BareBot> = Seat::all(2).map(|seat| bare_bot(&bot(seat))).collect();
        game(&recorded, &mut bots);
        drop(bots);
        let bare = began.elapsed().as_secs_f64();
        let own = run(linesman(), &all).expect("it runs and is content").wall;
        whole.push(1e3 * own);
        beyond.push(1e3 * (own - bare));
    }
    let what = format!("`linesman match` of one game of {PLIES} moves");
    print([
        Row::new(&what, "ms").wall(whole),
        Row::new(format!("{what}, beyond the floor's"), "ms").wall(beyond).aim("<= 20"),
    ]);
}

/// Measures `linesman --version`.
fn version(plan: &Plan) {
    let times = if plan.rounds > 2 { 20 } else { 2 };
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let costs: Vec<_> =
            (0..times).map(|_| run(linesman(), &["--version"]).expect("it runs and is content")).collect();
        let mean = |of: fn(&crate::run::Cost) -> f64| costs.iter().map(of).sum::<f64>() / f64::from(times);
        walls.push(1e3 * mean(|cost| cost.wall));
        cpus.push(1e3 * mean(crate::run::Cost::cpu));
    }
    print([Row::new("`linesman --version`", "ms").wall(walls).cpu(cpus).aim("<= 5")]);
}
