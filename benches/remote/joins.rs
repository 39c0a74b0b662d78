//! Thousands of workers that join a league, each with its own connection.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use linesman::random::SplitMix64;
use linesman::remote::worker::WorkerNotice;

use crate::answers::{Answers, work_by};
use crate::broker::Broker;
use crate::league::{League, OwnChild};
use crate::{status_mib, this_program};

/// The argument that makes this program a group of workers. The broker's address, the first worker's number, the
/// number of workers and the file of answers follow.
pub const WORKERS: &str = "--workers";

/// The maximum number of workers per process.
const PER_PROCESS: usize = 625;

/// The time within which the workers join, each at a random moment.
const JITTER: Duration = Duration::from_secs(20);

/// The duration of a game, long enough that each worker gets one.
const TAKES: Duration = Duration::from_secs(30);

/// The maximum number of printed errors per process.
const MAX_PRINTED: u64 = 5;

/// The timeout for a process to end.
const TIMEOUT: Duration = Duration::from_secs(150);

/// The ticks per second of the CPU times that Linux reports, on all architectures.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs workers until stdin ends, then prints the numbers of joined workers, errors and games.
pub fn workers(arguments: &[String]) {
    let [url, first, number, answers] = arguments else { panic!("an address, two numbers and a file") };
    // Ends workers that hang, even if their parent is gone.
    std::thread::spawn(|| {
        std::thread::sleep(2 * TIMEOUT);
        eprintln!("these workers do not end");
        std::process::exit(1);
    });
    let [first, number]: [u64; 2] = [first, number].map(|text| text.parse().expect("a number"));
    let answers = Answers::read(Path::new(answers));
    let (joined, errors, games) =
        (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (sender, stoppers) = mpsc::channel();
    let threads: Vec<_> = (first..first + number)
        .map(|number| {
            let (answers, url, sender) = (answers.clone(), url.clone(), sender.clone());
            let (joined, errors, games) = (Arc::clone(&joined), Arc::clone(&errors), Arc::clone(&games));
            let body = move || {
                let jitter = SplitMix64(number).below(JITTER.as_millis() as u64);
                std::thread::sleep(Duration::from_millis(jitter));
                let tell = move |notice: WorkerNotice| match notice {
                    WorkerNotice::Joined(_) => drop(joined.fetch_add(1, Ordering::Relaxed)),
                    WorkerNotice::Connected | WorkerNotice::Left { .. } | WorkerNotice::Measured(_) => {}
                    WorkerNotice::Disconnected(_)
                    | WorkerNotice::CantPlay(_)
                    | WorkerNotice::Overloaded(_)
                    | WorkerNotice::Refused
                    | WorkerNotice::SetAside => {
                        if errors.fetch_add(1, Ordering::Relaxed) < MAX_PRINTED {
                            eprintln!("w{number}: {notice:?}");
                        }
                    }
                };
                let of_worker = (url.as_str(), format!("w{number}"), 1, TAKES);
                let played = work_by(&answers, of_worker, |stopper| drop(sender.send(stopper)), tell);
                games.fetch_add(played, Ordering::Relaxed);
            };
            std::thread::Builder::new().stack_size(256 << 10).spawn(body).expect("there is room for a thread")
        })
        .collect();
    drop(sender);
    // The parent closes stdin.
    let _ = std::io::stdin().read_line(&mut String::new());
    stoppers.iter().take(threads.len()).for_each(|stopper| stopper.finish());
    threads.into_iter().for_each(|thread| thread.join().expect("it ends well"));
    let [joined, errors, games] = [joined, errors, games].map(|count| count.load(Ordering::Relaxed));
    println!("{joined} {errors} {games}");
}

/// Lets workers join and play a game each; prints the rows.
pub fn joins(server: &PathBuf, number: usize) {
    let league = League::new(number, Duration::ZERO, 2);
    league.played_here("here");
    let broker = Broker::start(server);
    let began = Instant::now();
    let mut leader = OwnChild(league.leader("there", &broker, Duration::from_millis(1)));
    let mut processes: Vec<_> = (0..number.div_ceil(PER_PROCESS))
        .map(|process| {
            let first = process * PER_PROCESS;
            let several = PER_PROCESS.min(number - first);
            let mut command = Command::new(this_program());
            command.args([WORKERS, &broker.url, &first.to_string(), &several.to_string()]);
            command.arg(league.records("here")).stdin(Stdio::piped()).stdout(Stdio::piped());
            OwnChild(command.spawn().expect("it starts"))
        })
        .collect();
    let (status, leader_cpu) = ended(&mut leader);
    let seconds = began.elapsed().as_secs_f64();
    let (memory, broker_cpu) = (status_mib(broker.id(), "VmHWM"), cpu_seconds(broker.id()));
    let workers_cpu: f64 = processes.iter().map(|process| cpu_seconds(process.0.id())).sum();
    processes.iter_mut().for_each(|process| drop(process.0.stdin.take()));
    let mut counts = [0; 3];
    for process in &mut processes {
        let mut text = String::new();
        // A process that does not end in time is killed and not counted.
        if let (Some(_), _) = ended(process)
            && let Some(stdout) = &mut process.0.stdout
        {
            stdout.read_to_string(&mut text).expect("it is text");
        }
        for (sum, word) in counts.iter_mut().zip(text.split_whitespace()) {
            *sum += word.parse::<u64>().expect("a number");
        }
    }
    let [joined, errors, games] = counts;
    let what = format!("{number} workers that join within {} s", JITTER.as_secs());
    println!("| {what}: of them joined | {joined} | {number} |");
    println!("| {what}: errors | {errors} | 0 |");
    println!("| {what}: games by them, of {} s each | {games} | {number} |", TAKES.as_secs());
    println!("| {what}: seconds from the first to the end of the league | {seconds:.1} | |");
    println!("| {what}: peak of the broker's memory, MiB | {memory:.0} | |");
    println!(
        "| {what}: CPU seconds of broker, leader, workers | {broker_cpu:.1}, {leader_cpu:.1}, {workers_cpu:.1} | |"
    );
    match status {
        Some(status) => league.ended(status, "there"),
        None => println!("| {what}: the league did not end within {} s | | |", TIMEOUT.as_secs()),
    }
}

/// Waits for a process. Returns its status, or `None` after a timeout, and its CPU time in seconds.
fn ended(process: &mut OwnChild) -> (Option<ExitStatus>, f64) {
    let (began, mut cpu) = (Instant::now(), 0.0);
    while began.elapsed() < TIMEOUT {
        if let Some(status) = process.0.try_wait().expect("it is our child") {
            return (Some(status), cpu);
        }
        cpu = cpu_seconds(process.0.id());
        std::thread::sleep(Duration::from_millis(50));
    }
    (None, cpu)
}

/// Returns the CPU time of a process in seconds, or 0 if it is gone.
fn cpu_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, which can contain spaces, ends at the last parenthesis.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: f64 =
        fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / TICKS_PER_SECOND
}
