//! The cost of workers, compared with the same league without them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::answers::{Answers, work_by};
use crate::broker::Broker;
use crate::league::{League, OwnChild, Played};
use crate::{status_mib, wait_for};

/// The duration of a game between sleeping bots.
const LENGTH: Duration = Duration::from_millis(100);

/// Measures the cost of a game in packs of one game and of ten seconds.
pub fn packs(server: &PathBuf, rounds: usize, slots: usize, games: usize) {
    for (what, pack, [of_time, of_share]) in [
        ("packs of a game", Duration::from_millis(1), ["<= 3 ms", ""]),
        ("packs of 10 s", Duration::from_secs(10), ["", "<= 1 %"]),
    ] {
        let (mut beyond, mut shares, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (here, there) = both(server, slots, games, pack);
            let of_slot = games as f64 / slots as f64;
            beyond.push(1e3 * (there.rest - here.rest) / of_slot);
            shares.push(100.0 * (there.rest - here.rest) / here.rest);
            starts.push(there.start - here.start);
        }
        let what = format!("games of {} ms, {slots} slots, {what}", LENGTH.as_millis());
        println!(
            "| {what}: ms a game beyond the same without workers | {} | {of_time} |",
            spread(&mut beyond)
        );
        println!("| {what}: % of the time without workers | {} | {of_share} |", spread(&mut shares));
        println!(
            "| {what}: seconds to the first record, beyond those without workers | {} | |",
            spread(&mut starts)
        );
    }
}

/// Measures the speed of one to eight slots, relative to that without workers.
pub fn slots(server: &PathBuf, rounds: usize, games_per_slot: usize) {
    for slots in [1, 2, 4, 8] {
        let mut ratios = Vec::new();
        for _ in 0..rounds {
            let (here, there) = both(server, slots, games_per_slot * slots, Duration::from_secs(15));
            ratios.push(here.rest / there.rest);
        }
        println!(
            "| {slots} slots: speed, x of the same without workers | {} | >= 0.95 |",
            spread(&mut ratios)
        );
    }
}

/// Plays a league without workers, then with them.
fn both(server: &PathBuf, slots: usize, games: usize, pack: Duration) -> (Played, Played) {
    let league = League::new(games, LENGTH, slots);
    let here = league.played_here("here");
    let broker = Broker::start(server);
    let _worker = league.worker(&broker, "one", slots);
    let there = league.played_by_workers("there", &broker, pack);
    (here, there)
}

/// Measures leader, broker and workers with games that take no time.
pub fn empty(server: &PathBuf, games: usize) {
    let league = League::new(games, Duration::ZERO, 2);
    league.played_here("here");
    let answers = Answers::read(&league.records("here"));
    for (what, pack) in [("packs of a game", 1), ("packs by their time", 15_000)] {
        let broker = Broker::start(server);
        let threads: Vec<_> = (0..2)
            .map(|number| {
                let (answers, url) = (answers.clone(), broker.url.clone());
                let (sender, stopper) = std::sync::mpsc::channel();
                let body = move || {
                    let of_worker = (url.as_str(), format!("w{number}"), 8, Duration::ZERO);
                    work_by(&answers, of_worker, |stopper| drop(sender.send(stopper)), |_| {})
                };
                (std::thread::spawn(body), stopper)
            })
            .collect();
        let out = format!("there-{pack}");
        let mut leader = OwnChild(league.leader(&out, &broker, Duration::from_millis(pack)));
        let records = league.records(&out);
        let length = || std::fs::metadata(&records).map_or(0, |file| file.len());
        // Exclude the start.
        wait_for(|| length() > 0);
        let began = Instant::now();
        let mut peak = 0.0_f64;
        let status = loop {
            peak = peak.max(status_mib(leader.0.id(), "VmHWM"));
            if let Some(status) = leader.0.try_wait().expect("it is our child") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let rate = games as f64 / began.elapsed().as_secs_f64();
        league.ended(status, &out);
        for (thread, stopper) in threads {
            stopper.recv().expect("it has begun").finish();
            thread.join().expect("it ends well");
        }
        println!("| {games} empty games, {what}: games a second | {rate:.0} | >= 5000 |");
        println!("| {games} empty games, {what}: peak of the leader's memory, MiB | {peak:.1} | |");
    }
}

/// Formats the median with the minimum and maximum.
fn spread(values: &mut [f64]) -> String {
    values.sort_by(f64::total_cmp);
    let (min, max) = (values[0], values[values.len() - 1]);
    format!("{:.2} ({min:.2}..{max:.2})", values[(values.len() - 1) / 2])
}
