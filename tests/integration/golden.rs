//! Golden outputs of every command that prints data, byte for byte, on the runs in
//! `tests/golden/runs`.
//!
//! The event stream of a small league is golden, too, with its times masked.
//!
//! After an intended change, `UPDATE=1 cargo test --test integration golden` rewrites
//! `tests/golden/output`, and the diff shows what users will see. Schemas, help texts,
//! protocol and rules have their own tests; `tests/simulation` has golden records of
//! simulated leagues.

use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::kept::check_file;
use crate::support::bots::tournament;
use crate::support::scratch::Scratch;
use crate::support::{linesman_in, project};

/// The file names of the outputs, and the commands.
const COMMANDS: &[(&str, &str)] = &[
    ("standings", "league standings runs/cup"),
    ("standings-csv", "league standings runs/cup --format csv"),
    ("standings-json", "league standings runs/cup --json"),
    ("standings-trio", "league standings runs/trio"),
    ("standings-trio-json", "league standings runs/trio --json"),
    ("show", "league show runs/cup sleeper"),
    ("show-json", "league show runs/cup forger --json"),
    ("show-csv", "league show runs/cup greedy --format csv"),
    ("show-trio", "league show runs/trio crash --last 2"),
    ("report", "league report runs/cup"),
    ("report-json", "league report runs/cup --json"),
    ("report-csv", "league report runs/cup --format csv"),
    ("report-crosstable-csv", "league report runs/cup --format csv --part crosstable"),
    ("report-markdown", "league report runs/cup --format markdown"),
    ("report-html", "league report runs/cup --format html"),
    ("report-trio-markdown", "league report runs/trio --format markdown"),
    ("report-trio-html", "league report runs/trio --format html"),
    ("report-tuned", "league report runs/tuned"),
    ("export", "league export runs/cup"),
    ("export-games", "league export runs/trio --games"),
    ("ratings", "ratings runs/cup"),
    ("ratings-json", "ratings runs/cup --los --json"),
    ("ratings-csv", "ratings runs/cup --anchor greedy=1200 --format csv"),
    ("ratings-incremental", "ratings runs/cup --method incremental --k 32"),
    ("ratings-weng-lin", "ratings runs/trio --method weng-lin"),
    ("ratings-bootstrap", "ratings runs/cup --bootstrap 200 --seed 7"),
    ("replay", "replay runs/cup --game mcts~greedy~1"),
    ("replay-json", "replay runs/cup --game mcts~greedy~1 --json"),
    ("replay-csv", "replay runs/trio --game 2 --format csv"),
    ("replay-html", "replay runs/trio --game 2 --html -"),
    ("verify", "verify runs/cup runs/trio runs/tuned"),
    ("verify-json", "verify runs/cup --json"),
    ("verify-torn", "verify torn.jsonl"),
    ("verify-forged", "verify forged.jsonl"),
    ("plan", "league run runs/cup/tournament.toml --dry-run --out elsewhere"),
    ("plan-json", "league run runs/trio/tournament.toml --dry-run --json --out elsewhere"),
    ("plan-swiss", "league run swiss.toml --dry-run --out elsewhere"),
    ("games", "games"),
    ("games-json", "games tandem --json"),
    ("inspect", "inspect trexo --moves \"d4d5 e4e5\""),
    ("inspect-json", "inspect kengu --moves \"a1r a1b1/c2r\" --all --json"),
    ("inspect-svg", "inspect quixo --moves \"c1c5 a1a5\" --svg -"),
    ("perft-kengu", "perft kengu 2 --divide"),
    ("perft-trexo", "perft trexo 2"),
    ("perft-tandem", "perft tandem 3 --options layout=quick5,players=3 --json"),
    ("solve", "solve quixo --options size=3 -q"),
    ("openings", "openings make quixo --plies 2 --count 5 --seed 3 --out - -q"),
    ("sprt", "sprt --wdl 880,1863,759 --elo0 0 --elo1 5"),
    ("sprt-json", "sprt --penta 379,10170,21828,10640,343 --elo0 0 --elo1 2 --model normalized --json"),
    ("hostile-bots", "bot hostile --list"),
    ("completions", "completions bash"),
    ("no-such-command", "standing"),
    ("no-such-file", "ratings missing.jsonl"),
    ("no-such-key", "league run typo.toml"),
    ("no-such-bot", "league show runs/cup gredy"),
];

/// The maximum length of an output stored in full; of longer ones, pages and pictures with their own tests, only a
/// digest is stored.
const MAX_LENGTH: usize = 24_000;

/// Returns exit status, stdout and stderr as one text.
fn output(folder: &Path, command: &str) -> String {
    let words = shell_words::split(command).expect("the command can be read");
    let run = linesman_in(folder, &words);
    let mut text = format!("$ linesman {command}\n");
    let mut part = |name: &str, content: &str| match content {
        "" => {}
        long if long.len() > MAX_LENGTH => {
            let digest = Sha256::digest(long.as_bytes());
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(text, "--- {name}: {} bytes, sha256 {digest}", long.len()).expect("a string takes all");
        }
        short => write!(text, "--- {name}\n{short}").expect("a string takes all"),
    };
    part("stdout", &run.stdout);
    part("stderr", &run.stderr);
    let status = run.status.map_or("a signal".to_owned(), |status| status.to_string());
    writeln!(text, "--- exit status {status}").expect("a string takes all");
    text
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("it can be made");
    for entry in std::fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("it can be listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
}

#[test]
fn the_output_of_every_command_is_as_it_was() {
    let golden = project().join("tests/golden");
    let scratch = tempfile::tempdir().expect("there is room");
    copy(&golden.join("runs"), &scratch.path().join("runs"));
    let records = std::fs::read_to_string(golden.join("runs/cup/games.jsonl")).expect("it is there");
    let first = records.lines().next().expect("it has games");
    let write =
        |name: &str, text: &str| std::fs::write(scratch.path().join(name), text).expect("there is room");
    write("torn.jsonl", &records[..records.len() - 100]);
    write("forged.jsonl", &first.replace("\"places\":[1,2]", "\"places\":[2,1]"));
    let plan = std::fs::read_to_string(golden.join("runs/cup/tournament.toml")).expect("it is there");
    write("swiss.toml", &plan.replace("rounds = 2", "schedule = \"swiss\"\nrounds = 3"));
    write("typo.toml", &plan.replace("rounds = 2", "ronds = 2"));
    for (name, command) in COMMANDS {
        check_file(&golden.join("output").join(name), &output(scratch.path(), command));
    }
}

/// The keys of events whose values differ from run to run.
const VARYING: [&str; 4] = ["at", "pid", "time_us", "duration_ms"];

/// A line of the event stream with its varying values masked. None of them contains a comma or a brace.
fn masked(line: &str) -> String {
    let mut text = line.to_owned();
    for key in VARYING {
        let key = format!("\"{key}\":");
        if let Some(start) = text.find(&key).map(|at| at + key.len()) {
            let length = text[start..].find([',', '}']).expect("every line is an object");
            text.replace_range(start..start + length, "_");
        }
    }
    text.push('\n');
    text
}

#[test]
fn the_event_stream_of_a_league_is_as_it_was() {
    let scratch = Scratch::new();
    let head = "name = \"cup\"\nrounds = 1\nseed = 7\nconcurrency = 1\n";
    let bots = ["greedy", "random", "hostile illegal-move", "hostile exits-after-a-move"];
    let bots = bots.map(|bot| (bot.split(' ').next_back().unwrap_or(bot), format!("linesman bot {bot}")));
    let bots: Vec<_> = bots.iter().map(|(name, command)| (*name, command.as_str())).collect();
    scratch.write("cup.toml", tournament(head, &bots));
    let run = scratch.run(["league", "run", "cup.toml", "--out", "runs", "--events", "jsonl"]);
    let is = |line: &str, kind: &str| line.contains(&format!("\"event\":\"{kind}\""));
    // Warnings depend on the load of the machine, and so does whether there are standings before the last.
    let lines: Vec<&str> = run.done().lines().filter(|line| !is(line, "warning")).collect();
    let last = lines.len() - 2;
    let lines = lines.iter().enumerate().filter(|(at, line)| *at == last || !is(line, "standings"));
    let stream: String = lines.map(|(_, line)| masked(line)).collect();
    check_file(&project().join("tests/golden/output/event-stream"), &stream);
}
