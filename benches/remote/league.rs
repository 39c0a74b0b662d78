//! Leagues of sleeping bots, played by the built program with and without workers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::broker::Broker;
use crate::folder;
use tempfile::TempDir;

/// Sleeps for the seconds given as its argument, then plays the first legal move. It is small because bots' files are
/// sent to the workers.
const BOT: &str = r#"import sys, time

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "ugi":
        print("feature legal\nugiok", flush=True)
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "legal":
        move = words[0]
    elif verb == "go":
        time.sleep(float(sys.argv[1]))
        print("bestmove", move, flush=True)
    elif verb == "quit":
        break
"#;

/// The length of a game.
pub const PLIES: u32 = 2;

/// The duration of a league, in seconds.
pub struct Played {
    /// The time to the first record.
    pub start: f64,
    /// The time from the first record to the end.
    pub rest: f64,
}

/// A league in its own folder.
pub struct League {
    folder: TempDir,
    games: usize,
}

impl League {
    /// Creates a league of `games` games of a given length; without workers, `slots` games run at once.
    pub fn new(games: usize, length: Duration, slots: usize) -> League {
        let folder = folder("league");
        fs::create_dir(folder.path().join("bot")).expect("the folder is there");
        fs::write(folder.path().join("bot/sleeper.py"), BOT).expect("the folder is there");
        let sleeps = length.as_secs_f64() / f64::from(PLIES);
        let bot = |name: &str| {
            format!("[[bots]]\nname = \"{name}\"\ncommand = \"python3 sleeper.py {sleeps}\"\ndir = \"bot\"\n")
        };
        let text = format!(
            "version = 1\nname = \"cup\"\ngame = \"quixo\"\noptions = {{ max_plies = {PLIES} }}\n\
             movetime = \"60s\"\nsandbox = \"off\"\nrounds = {}\nseed = 5\nconcurrency = {slots}\n\
             oversubscribe = true\n\n{}{}",
            games / 2,
            bot("ada"),
            bot("bob"),
        );
        fs::write(folder.path().join("cup.toml"), text).expect("the folder is there");
        League { folder, games: games / 2 * 2 }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The file of records of a run.
    pub fn records(&self, out: &str) -> PathBuf {
        self.path().join(out).join("games.jsonl")
    }

    fn run(&self, out: &str) -> Command {
        let mut command = linesman(self.path());
        command.args(["league", "run", "cup.toml", "--quiet", "--out", out]);
        command
    }

    /// Plays the league without workers.
    pub fn played_here(&self, out: &str) -> Played {
        self.played(self.run(out).spawn().expect("it starts"), out)
    }

    /// Plays the league with the workers that are connected.
    pub fn played_by_workers(&self, out: &str, broker: &Broker, pack: Duration) -> Played {
        self.played(self.leader(out, broker, pack), out)
    }

    fn played(&self, run: Child, out: &str) -> Played {
        let (began, mut run) = (Instant::now(), OwnChild(run));
        let records = self.records(out);
        let has_any = || fs::metadata(&records).is_ok_and(|file| file.len() > 0);
        while !has_any() && run.0.try_wait().expect("it is our child").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let first = began.elapsed();
        let status = run.0.wait().expect("it is our child");
        self.ended(status, out);
        Played { start: first.as_secs_f64(), rest: (began.elapsed() - first).as_secs_f64() }
    }

    /// Starts a leader with packs of a given duration.
    pub fn leader(&self, out: &str, broker: &Broker, pack: Duration) -> Child {
        let mut command = self.run(out);
        command.args(["--via", &broker.url]).env("LINESMAN_PACK_MS", pack.as_millis().to_string());
        command.spawn().expect("it starts")
    }

    /// Checks that all games were played.
    pub fn ended(&self, status: ExitStatus, out: &str) {
        assert!(status.success(), "the league ends well: {status}");
        let records = fs::read(self.records(out)).expect("there are records");
        let lines = records.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines, self.games, "every game has one record");
    }

    /// Starts a worker in the league's folder.
    pub fn worker(&self, broker: &Broker, name: &str, slots: usize) -> OwnChild {
        let mut command = linesman(self.path());
        command.args(["worker", &broker.url, "--quiet", "--folder", ".", "--name", name]);
        OwnChild(command.args(["--slots", &slots.to_string()]).spawn().expect("it starts"))
    }
}

/// A child process, killed on drop.
pub struct OwnChild(pub Child);

impl Drop for OwnChild {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn linesman(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linesman"));
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
