//! Measures the cost of reading millions of records: rating, opening and exporting a league.
//!
//! The built `linesman` reads synthetic records ([`league`]), in turns with this program, which
//! only passes over the lines of the same files. Times and peak memory are the system's
//! accounts of each run.
//!
//! Run it with `cargo bench --bench records`, with `-- --quick` for a smoke run.
//! `-- --write FOLDER BOTS GAMES` only writes a league into a folder.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod jobs;
mod league;
mod run;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use jobs::{Job, jobs, write};
use league::{League, Pairs};
use run::{Cost, LAUNCH, launch, run};

/// The argument that makes this program the plain pass.
const LINES: &str = "--lines";

/// The extent of a run.
struct Plan {
    rounds: usize,
    leagues: &'static [(usize, u64)],
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match texts.as_slice() {
        [LAUNCH, ..] => launch(&arguments[1..]).expect("the program runs and is content"),
        [LINES, file] => count_lines(Path::new(file)).expect("the file can be read"),
        ["--write", folder, bots, games, ..] => {
            let number = "BOTS and GAMES are numbers";
            let league = League::of_two(bots.parse().expect(number), games.parse().expect(number));
            write(&league, Path::new(folder)).expect("the folder can be written");
        }
        other if other.contains(&"--quick") => measure(&Plan { rounds: 1, leagues: &[(20, 2_000)] }),
        _ => measure(&Plan {
            rounds: 5,
            leagues: &[(1_000, 1_000_000), (100, 300_000), (100, 1_000_000), (100, 3_000_000)],
        }),
    }
}

fn count_lines(file: &Path) -> io::Result<()> {
    let mut input = BufReader::with_capacity(256 << 10, File::open(file)?);
    let (mut line, mut lines) = (Vec::new(), 0_u64);
    while input.read_until(b'\n', &mut line)? > 0 {
        lines += 1;
        line.clear();
    }
    println!("{lines}");
    Ok(())
}

fn measure(plan: &Plan) {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    println!("{} rounds; medians, and the least and the most user time\n", plan.rounds);
    println!(
        "bots   games       records MB  what                       user s (least..most)  wall s   peak MiB  x lines"
    );
    for &(bots, games) in plan.leagues {
        for pairs in [Pairs::No, Pairs::Yes] {
            let own = folder.path().join(format!("{bots}-{games}-{pairs:?}"));
            let league = League { pairs, ..League::of_two(bots, games) };
            write(&league, &own).expect("there is room for the records");
            compare(plan, &league, &own);
            fs::remove_dir_all(&own).expect("it was written just now");
        }
    }
}

/// Measures all jobs on one league, in turns.
fn compare(plan: &Plan, league: &League, folder: &Path) {
    let file = folder.join("games.jsonl");
    let linesman = Path::new(env!("CARGO_BIN_EXE_linesman"));
    let itself = std::env::current_exe().expect("this program is a file");
    let pass = Job {
        name: "a plain pass over the lines",
        arguments: vec![OsString::from(LINES), file.clone().into_os_string()],
    };
    let mut all = vec![(pass, itself.as_path())];
    all.extend(jobs(folder).into_iter().map(|job| (job, linesman)));
    if league.pairs == Pairs::Yes {
        // Pairs only affect the confidence intervals.
        all.truncate(2);
    }
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); all.len()];
    for _ in 0..plan.rounds {
        for ((job, program), costs) in all.iter().zip(&mut costs) {
            costs.push(run(program, &job.arguments).expect("the program runs and is content"));
        }
    }
    let median = |costs: &[Cost], of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        (values[values.len() / 2], values[0], values[values.len() - 1])
    };
    let megabytes = fs::metadata(&file).map_or(0.0, |metadata| metadata.len() as f64 / 1e6);
    let (lines, ..) = median(&costs[0], Cost::cpu);
    for ((job, _), costs) in all.iter().zip(&costs) {
        let (user, min, max) = median(costs, |cost| cost.user);
        let (wall, ..) = median(costs, |cost| cost.wall);
        let (peak, ..) = median(costs, |cost| cost.peak_kib as f64 / 1024.0);
        let (cpu, ..) = median(costs, Cost::cpu);
        let pairs = if league.pairs == Pairs::Yes { ", pairs" } else { "" };
        let what = format!("{}{pairs}", job.name);
        println!(
            "{:<5}  {:<10}  {megabytes:<10.0}  {what:<34}  {user:.2} ({min:.2}..{max:.2})  {wall:<6.2}  {peak:<8.0}  {:.1}",
            league.bots,
            league.games,
            cpu / lines.max(1e-3)
        );
    }
}
