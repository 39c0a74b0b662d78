//! The values of a tournament file.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::need::Need;
use super::spans::Spans;
use crate::openings::Openings;
use crate::schedule::swiss::Unit;
use crate::words::words;
use linesman_games::Setup;
use linesman_rating::sprt::Design;
use linesman_referee::SeatLimits;
use linesman_sandbox::isolation::{Policy, Sandbox};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::adjudication::ScoreRule;

/// Maximum number of bots whose own time controls are listed on a line.
const MAX_TIMES_SHOWN: usize = 4;

/// A tournament: its game, its participants, its schedule and its limits.
#[derive(Clone)]
pub struct Tournament {
    /// Its name; by default the file's name without its extension.
    pub name: String,
    /// The game with its options fixed.
    pub game: Arc<dyn Setup>,
    pub schedule: ScheduleKind,
    /// Number of times that a pair meets from every seat, or number of rounds of a Swiss; at least 1.
    pub rounds: u32,
    /// Further options of the pairing.
    pub pairing: PairingOptions,
    /// Number of games after which the tournament ends; `None` if all games are played.
    pub max_games: Option<u64>,
    /// The master seed, from which every game's seed is derived.
    pub seed: u64,
    /// Number of games that run at once.
    pub concurrency: Concurrency,
    /// The permission to use more cores than there are.
    pub oversubscribe: Oversubscribe,
    /// The binding of games to cores of their own.
    pub affinity: Affinity,
    /// The permission to think out of turn.
    pub ponder: Ponder,
    /// The choice of bots that are paused while they are not on move.
    pub pause: Pause,
    /// The consequence of late moves that host overload explains in every attempt at a game.
    pub overload: OverloadPolicy,
    pub sandbox: Sandbox,
    /// The time control of the bots that have none of their own.
    pub time_control: TimeControl,
    /// The kind of time that the time controls count.
    pub clock: ClockKind,
    /// The margin for late moves.
    pub margin: Duration,
    /// The rating of the results.
    pub rating: RatingPlan,
    /// The test of the first entrant against the second, which ends the tournament as soon as it is decided.
    pub test: Option<Design>,
    /// The bots in the order of the file.
    pub bots: Vec<Bot>,
    /// The entrants: the teams of the file, or each bot for itself; at least as many as the game has sides.
    pub entrants: Vec<Entrant>,
    /// The spans of the values in the file.
    pub spans: Spans,
    /// The openings of the games; `None` for the usual start.
    pub openings: Option<Openings>,
    pub adjudication: AdjudicationPlan,
    /// The rules for workers, which apply if the games are played over a network.
    pub workers: WorkersPlan,
    /// The values from other files, in the order of their spans.
    pub read_from_files: Vec<ReadFromFile>,
}

/// A value that was read from another file.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ReadFromFile {
    /// The bytes of the tournament file that refer to the other file.
    pub span: Range<usize>,
    /// The value as TOML that replaces these bytes.
    pub text: String,
}

impl fmt::Debug for Tournament {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        f.debug_struct("Tournament")
            .field("name", &self.name)
            .field("game", &self.game.id())
            .field("options", &self.game.options().to_string())
            .field("bots", &names)
            .finish_non_exhaustive()
    }
}

impl Tournament {
    /// Returns the number of cores that a game takes: the maximum number of threads of any bot, times the number of
    /// bots that think at once.
    pub fn cores_per_game(&self) -> u32 {
        let threads = self.bots.iter().map(|bot| bot.threads.get()).max().unwrap_or(1);
        threads.saturating_mul(self.ponder.thinkers(self.game.teams().seats()))
    }

    /// Returns the number of games that run at once on a machine with this number of cores; at least 1. With `auto`,
    /// one of four or more cores is left to the referee and other programs.
    pub fn games_at_once(&self, cores: NonZeroU32) -> NonZeroU32 {
        match self.concurrency {
            Concurrency::Games(games) => games,
            Concurrency::Auto => {
                let left = if cores.get() >= 4 { cores.get() - 1 } else { cores.get() };
                NonZeroU32::new(left / self.cores_per_game()).unwrap_or(NonZeroU32::MIN)
            }
        }
    }

    /// Replaces references to other files in the text of the tournament file with the values from those files.
    pub fn self_contained(&self, text: &str) -> String {
        let mut whole = String::new();
        let mut end = 0;
        for value in &self.read_from_files {
            whole.push_str(&text[end..value.span.start]);
            whole.push_str(&value.text);
            end = value.span.end;
        }
        whole + &text[end..]
    }

    /// True if the file has a `name`.
    pub fn names_itself(&self) -> bool {
        self.spans.contains(&["name"])
    }

    /// True if the sides of the game have several seats.
    pub fn has_teams(&self) -> bool {
        let teams = self.game.teams();
        teams.sides() < teams.seats()
    }

    /// Returns the entrants in the order of their seeds: by their ratings in the file, otherwise in the file's order.
    pub fn seeds(&self) -> Vec<usize> {
        let mut seeds: Vec<usize> = (0..self.entrants.len()).collect();
        // The sort is stable, so equal ratings keep the order of the file.
        seeds.sort_by_key(|entrant| std::cmp::Reverse(self.entrants[*entrant].elo));
        seeds
    }

    /// True if a bot has a time control of its own.
    pub fn has_own_times(&self) -> bool {
        self.bots.iter().any(|bot| bot.time_control.is_some())
    }

    /// Describes the time controls for people, including those of single bots: `movetime=1s (b: tc=10s+0ms)`.
    pub fn time_in_words(&self) -> String {
        let mut words = self.clock.in_words(&self.time_control.to_string());
        let own: Vec<String> = (self.bots.iter())
            .filter_map(|bot| Some(format!("{}: {}", bot.name, bot.time_control?)))
            .collect();
        match own.len() {
            0 => {}
            1..=MAX_TIMES_SHOWN => words.push_str(&format!(" ({})", own.join(", "))),
            number => words.push_str(&format!(" ({number} bots have their own)")),
        }
        words
    }

    pub fn bot(&self, name: &str) -> Option<&Bot> {
        self.bots.iter().find(|bot| bot.name == name)
    }
}

/// The rules for workers that play the games of a tournament over a network.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct WorkersPlan {
    /// The speed for which the time controls are chosen; `None` if all workers give the same times.
    pub reference_speed: Option<NonZeroU64>,
    /// Minimum speed of a worker; `None` if any speed will do.
    pub least_speed: Option<NonZeroU64>,
    /// The share of games that a worker of another owner repeats, from 0 to 1.
    pub repeat_share: f64,
}

/// The conditions under which games are adjudicated.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct AdjudicationPlan {
    /// Adjudication by the scores that bots report.
    pub scores: ScoreRule,
    /// Adjudication by a table of the solved game.
    pub table: Option<TablePlan>,
}

/// A table of the solved game that decides games.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TablePlan {
    /// The table's file, as named in the tournament file.
    pub name: String,
    /// The path of the table's file: `name` in the tournament file's folder.
    pub path: PathBuf,
    /// The first ply at which the table may decide the game.
    pub from: u32,
}

words! {
    pub enum ScheduleKind {
        /// Everyone meets everyone, from every seat.
        RoundRobin = "round-robin",
        /// The challengers meet all others, from every seat.
        Gauntlet = "gauntlet",
        /// Entrants with equal points meet, round by round.
        Swiss = "swiss",
        /// The loser of a match is eliminated.
        Knockout = "knockout",
        /// The bots whose games are the most informative about the ratings meet next, without end.
        Ladder = "ladder",
    }

    /// The binding of games to cores of their own.
    pub enum Affinity {
        /// Each game has cores of its own, where that does no harm.
        Auto = "auto",
        /// All games share all cores.
        Off = "off",
    }

    /// The choice of bots that are paused while they are not on move.
    pub enum Pause {
        /// The bots that were found to use CPU time out of turn.
        Auto = "auto",
        /// All bots.
        Always = "always",
        /// No bots.
        Never = "never",
    }

    /// The consequence of late moves that host overload explains in every attempt at a game.
    #[derive(Default)]
    pub enum OverloadPolicy {
        /// The game stays open: no bot loses it, and the next run plays it again.
        #[default]
        Open = "open",
        /// The late bot loses the last attempt.
        Loss = "loss",
    }

    /// A method of computing ratings from results.
    pub enum Method {
        /// The ratings under which the results are the most likely.
        Likelihood = "likelihood",
        /// Each game moves the ratings of its bots a little.
        Incremental = "incremental",
    }
}

/// The options of the pairing besides the kind of schedule.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct PairingOptions {
    /// The challengers of a gauntlet, as ascending indices into [`Tournament::entrants`].
    pub challengers: Vec<usize>,
    /// The unit of a pairing in a Swiss.
    pub unit: Unit,
    /// Number of encounters in a knockout match; at least 1.
    pub best_of: u32,
    /// Maximum number of further encounters while a match is tied.
    pub sudden_death: u32,
}

impl Default for PairingOptions {
    fn default() -> PairingOptions {
        PairingOptions { challengers: Vec::new(), unit: Unit::Encounter, best_of: 1, sudden_death: 3 }
    }
}

impl ScheduleKind {
    /// True if the pairings depend on the seeds, and so on all participants.
    pub fn has_seeds(self) -> bool {
        matches!(self, ScheduleKind::Swiss | ScheduleKind::Knockout)
    }
}

/// Number of games that run at once.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Concurrency {
    /// As many as the machine has cores for.
    Auto,
    Games(NonZeroU32),
}

/// The permission to use more cores than there are.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Oversubscribe {
    /// Games may use more: `oversubscribe = true`.
    Allowed,
    /// Games may not use more.
    Refused,
}

/// The permission to think out of turn.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Ponder {
    /// Bots may ponder: `ponder = true`.
    Allowed,
    /// Bots may not ponder, and may be paused.
    Refused,
}

impl Ponder {
    /// Returns the number of bots that think at once in a game with this number of seats.
    pub fn thinkers(self, seats: usize) -> u32 {
        match self {
            Ponder::Allowed => u32::try_from(seats).unwrap_or(u32::MAX),
            Ponder::Refused => 1,
        }
    }
}

/// The rating of the results.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingPlan {
    pub method: Method,
    /// The mean of all ratings, or the anchor's rating.
    pub mean: f64,
    /// The bot whose rating is fixed at `mean`.
    pub anchor: Option<String>,
    /// Maximum change of a rating by one game with [`Method::Incremental`].
    pub k: f64,
}

impl Default for RatingPlan {
    fn default() -> RatingPlan {
        RatingPlan { method: Method::Likelihood, mean: 1500.0, anchor: None, k: 20.0 }
    }
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Limits {
    /// Maximum time until `ugiok`, including the start of the process.
    pub start: Duration,
    /// Maximum time until `readyok`.
    pub ready: Duration,
    /// Maximum time of a move, whatever the clock allows; `None` if only the clock counts.
    pub max_move_time: Option<Duration>,
    /// Maximum time to end after `quit`, before the bot is killed.
    pub quit: Duration,
    /// Maximum length of a line of output, in bytes.
    pub line: u64,
    /// Maximum output while on move, in bytes.
    pub output_on_move: u64,
    /// Maximum output in a game while not on move, in bytes.
    pub output_off_move: u64,
    /// Maximum memory of all its processes, in bytes.
    pub memory: u64,
    /// Maximum number of processes and threads.
    pub processes: u64,
    /// Maximum number of open files of one of its processes.
    pub open_files: u64,
    /// Maximum size of a file that it writes, in bytes.
    pub file_size: u64,
    /// Maximum CPU time of one of its processes; `None` if unlimited.
    pub cpu: Option<Duration>,
    /// Number of consecutive games in which it crashes at once or is not ready, after which it is withdrawn; 0 if it is
    /// never withdrawn.
    pub crashes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let policy = Policy::default();
        Limits {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            max_move_time: None,
            quit: Duration::from_millis(500),
            line: 64 << 10,
            output_on_move: 8 << 20,
            output_off_move: 1 << 20,
            memory: policy.memory,
            processes: policy.processes,
            open_files: policy.open_files,
            file_size: policy.file_size,
            cpu: None,
            crashes: 5,
        }
    }
}

impl Limits {
    /// Returns the limits that the core of the referee enforces.
    pub fn for_core(&self) -> SeatLimits {
        SeatLimits {
            start: self.start,
            ready: self.ready,
            max_move_time: self.max_move_time,
            line: self.line,
            output_on_move: self.output_on_move,
            output_off_move: self.output_off_move,
        }
    }

    /// Returns the limits that the bot's supervisor and the kernel enforce.
    pub fn for_process(&self) -> Policy {
        Policy {
            memory: self.memory,
            processes: self.processes,
            open_files: self.open_files,
            file_size: self.file_size,
            // The kernel counts whole seconds.
            cpu_seconds: self.cpu.map(|cpu| cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0)),
            // The caller sets these. Without `..`, a new limit can't be forgotten.
            scratch: None,
            read: Vec::new(),
            list: Vec::new(),
        }
    }
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Bot {
    /// Its name, unique in the tournament.
    pub name: String,
    /// Its name in this league when it played its first games, if the name has changed.
    pub original_name: Option<String>,
    /// The words of its command; at least one.
    pub command: Vec<String>,
    /// Its folder as named in the file, if the file names one.
    pub dir: Option<String>,
    /// Its working directory: `dir` relative to the file's folder.
    pub folder: PathBuf,
    /// Files and folders that it may read besides its own, relative to its folder.
    pub read: Vec<String>,
    /// Maximum size of the folder that it may write to, in bytes; `None` if it may write nowhere.
    pub scratch: Option<u64>,
    /// The programs that must be on the machine.
    pub needs: Vec<Need>,
    /// The shell command that prepares a copy of its files.
    pub setup: Option<String>,
    /// The digest of the files and the `setup` from which its folder was made, as `sha256:` and hex digits; `None` if
    /// no `setup` made its folder.
    pub made_of: Option<String>,
    /// Its environment variables besides the usual ones.
    pub environment: BTreeMap<String, String>,
    /// True if it always plays the same moves in a game with the same id, seed and opponents' moves.
    pub deterministic: bool,
    /// The names and values of its own options, in the order of the file.
    pub options: Vec<(String, String)>,
    pub limits: Limits,
    /// Its own time control; `None` for that of the tournament.
    pub time_control: Option<TimeControl>,
    /// Number of cores that it uses while it thinks.
    pub threads: NonZeroU32,
    /// Its rating before the tournament.
    pub elo: Option<i32>,
}

impl Bot {
    /// Returns the name of its first version in records.
    pub fn first_name(&self) -> &str {
        self.original_name.as_deref().unwrap_or(&self.name)
    }
}

/// A participant of a tournament: a bot, or a team of two in games of teams.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Entrant {
    /// Its name in the tables. A bot that plays for itself keeps its name.
    pub name: String,
    /// Its bots, as indices into [`Tournament::bots`]: one that takes all seats of its side, or one for each.
    pub bots: Vec<usize>,
    /// Its rating before the tournament, which determines its seed.
    pub elo: Option<i32>,
}
