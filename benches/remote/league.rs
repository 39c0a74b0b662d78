//! Leagues of bots that sleep, played by the program itself: on this machine alone, and by workers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::bot::BOT;
use crate::broker::Broker;
use crate::{Folder, this_program};

/// The moves of a game.
pub const PLIES: u32 = 2;

/// A league in a folder of its own.
pub struct League {
    folder: Folder,
    games: usize,
}

impl League {
    /// One of so many games, each of which takes so long, with so many at once where it is played without workers.
    pub fn new(games: usize, length: Duration, slots: usize) -> League {
        let folder = Folder::new("league");
        // Bots are found where the league is.
        fs::copy(this_program(), folder.path().join("sleeper")).expect("there is room for a copy");
        let sleeps = length.as_micros() / u128::from(PLIES);
        let bot =
            |name: &str| format!("[[bots]]\nname = \"{name}\"\ncommand = \"./sleeper {BOT} {sleeps}\"\n");
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

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Its records.
    pub fn records(&self, out: &str) -> PathBuf {
        self.path().join(out).join("games.jsonl")
    }

    fn run(&self, out: &str) -> Command {
        let mut command = linesman(self.path());
        command.args(["league", "run", "cup.toml", "--quiet", "--out", out]);
        command
    }

    /// Plays it on this machine, and says how long that took.
    pub fn played_here(&self, out: &str) -> Duration {
        let began = Instant::now();
        let status = self.run(out).status().expect("it starts");
        self.ended(status, out);
        began.elapsed()
    }

    /// The same, by workers that are there.
    pub fn played_by_workers(&self, out: &str, broker: &Broker, pack: Duration) -> Duration {
        let began = Instant::now();
        let status = self.leader(out, broker, pack).wait().expect("it is our child");
        self.ended(status, out);
        began.elapsed()
    }

    /// A leader with packs of games that take so long.
    pub fn leader(&self, out: &str, broker: &Broker, pack: Duration) -> Child {
        let mut command = self.run(out);
        command.args(["--via", &broker.url]).env("LINESMAN_PACK_MS", pack.as_millis().to_string());
        command.spawn().expect("it starts")
    }

    /// Checks that every game was played.
    pub fn ended(&self, status: ExitStatus, out: &str) {
        assert!(status.success(), "the league ends well: {status}");
        let records = fs::read(self.records(out)).expect("there are records");
        let lines = records.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines, self.games, "every game has one record");
    }

    /// A worker that finds the bots in this folder.
    pub fn worker(&self, broker: &Broker, name: &str, slots: usize) -> OwnChild {
        let mut command = linesman(self.path());
        command.args(["worker", &broker.url, "--quiet", "--folder", ".", "--name", name]);
        OwnChild(command.args(["--slots", &slots.to_string()]).spawn().expect("it starts"))
    }
}

/// A process that ends with this value.
pub struct OwnChild(pub Child);

impl Drop for OwnChild {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn linesman(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linesman"));
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    command
}
