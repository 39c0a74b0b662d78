//! Thousands of workers that join a league, each with a connection of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use linesman::random::SplitMix64;
use linesman::remote::worker::WorkerNotice;

use crate::answers::{Answers, work_by};
use crate::broker::Broker;
use crate::league::League;
use crate::{status_mib, this_program};

/// The argument by which this program is so many workers: their address, the first one's number, their number and the
/// file of answers follow.
pub const WORKERS: &str = "--workers";

/// Number of workers in a process.
const IN_A_PROCESS: usize = 625;

/// Time within which they join, each when chance says.
const JITTER: Duration = Duration::from_secs(20);

/// Time that a game takes, so that each worker gets one.
const TAKES: Duration = Duration::from_secs(30);

/// These workers, until stdin ends. Prints the number of those that joined, of errors, and of games.
pub fn workers(arguments: &[String]) {
    let [url, first, number, answers] = arguments else { panic!("an address, two numbers and a file") };
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
                    WorkerNotice::Joined { .. } => drop(joined.fetch_add(1, Ordering::Relaxed)),
                    WorkerNotice::Connected | WorkerNotice::Left { .. } | WorkerNotice::Measured { .. } => {}
                    WorkerNotice::Disconnected { .. }
                    | WorkerNotice::CantPlay { .. }
                    | WorkerNotice::Overloaded { .. }
                    | WorkerNotice::Refused
                    | WorkerNotice::SetAside => {
                        eprintln!("w{number}: {notice:?}");
                        errors.fetch_add(1, Ordering::Relaxed);
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
    // The parent closes it.
    let _ = std::io::stdin().read_line(&mut String::new());
    stoppers.iter().take(threads.len()).for_each(|stopper| stopper.finish());
    threads.into_iter().for_each(|thread| thread.join().expect("it ends well"));
    let [joined, errors, games] = [joined, errors, games].map(|count| count.load(Ordering::Relaxed));
    println!("{joined} {errors} {games}");
}

/// So many workers join, and play a game each.
pub fn joins(server: &PathBuf, number: usize) {
    let league = League::new(number, Duration::ZERO, 2);
    league.played_here("here");
    let broker = Broker::start(server);
    let began = Instant::now();
    let mut leader = crate::league::OwnChild(league.leader("there", &broker, Duration::from_millis(1)));
    let processes: Vec<_> = (0..number.div_ceil(IN_A_PROCESS))
        .map(|process| {
            let first = process * IN_A_PROCESS;
            let several = IN_A_PROCESS.min(number - first);
            let mut command = Command::new(this_program());
            command.args([WORKERS, &broker.url, &first.to_string(), &several.to_string()]);
            command.arg(league.records("here")).stdin(Stdio::piped()).stdout(Stdio::piped());
            command.spawn().expect("it starts")
        })
        .collect();
    let status = leader.0.wait().expect("it is our child");
    let seconds = began.elapsed().as_secs_f64();
    league.ended(status, "there");
    let memory = status_mib(broker.id(), "VmHWM");
    let mut counts = [0; 3];
    for process in processes {
        let output = process.wait_with_output().expect("it is our child");
        let text = String::from_utf8(output.stdout).expect("it is text");
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
}
