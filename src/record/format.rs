//! The fields of a record. `docs/reference/records.md` and the JSON schema beside it
//! are the contract; a reader ignores fields that it does not know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::verdict::Fault;

/// The version of the format that this program writes.
pub const VERSION: u32 = 1;

/// One game, as it stands in `games.jsonl`.
///
/// Only `v`, `id`, `game`, `seats` and `places` (or `void`) must be there;
/// everything else is optional for readers, so that results made elsewhere can
/// be rated.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The version of the format: 1.
    pub v: u32,
    /// What the game is, not when it came: the bots in seat order and the
    /// how-manieth game of just these seats, joined by `~`.
    pub id: String,
    /// The how-manieth try at this game, from 1.
    #[serde(rename = "try", default = "first_try")]
    pub attempt: u32,
    /// The league's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// The game's name.
    pub game: String,
    /// Every option with its value; what is missing has its default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, serde_json::Value>,
    /// The bots in seat order.
    pub seats: Vec<SeatRecord>,
    /// `movetime=1s`, `tc=60s+500ms` or `tc=40/60s+500ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    /// The time that it counts, if not wall time: `cpu`, the CPU time of all processes of a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// With the clock `cpu`: a move may take so many times its limit and margin of wall time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_bound: Option<u32>,
    /// What was forgiven of a late move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
    /// What the game started from, if not from the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningRecord>,
    /// The key of the games that were played from this opening by the same
    /// bots or teams, from every seat once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<String>,
    /// The moves after the opening, in order; `!3` where a seat was put out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The time charged for each of `moves`, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_us: Option<Vec<u64>>,
    /// The wall time of each of `moves`, in microseconds, where another is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls_us: Option<Vec<u64>>,
    /// What the bot said of its search with each of `moves`; missing if nobody said anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Vec<Option<SaidRecord>>>,
    /// What the host says of the time of each of `moves` that took long; missing if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<Option<EvidenceRecord>>>,
    /// The place of each seat; missing if the game is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<u8>>,
    /// What ended the game: a rule's word (`line`, `max_plies` ...), `resignation`,
    /// `adjudication` or `failure`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `adjudication`: why the referee decided the game so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// When the referee was to decide the game before its rules did; missing if never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<AdjudicationRecord>,
    /// The squares that decided it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkRecord>,
    /// Which seats failed and how.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRecord>,
    /// Why the game has no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidRecord>,
    /// The game's seed, derived from the league's and the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The program that wrote this: `linesman 0.1.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software: Option<String>,
    /// The machine it was played on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// When it began, UTC, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// What kept the bots from what was not theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxRecord>,
    /// How busy the host was; missing after games that took a moment only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadRecord>,
    /// Of a game in which a bot failed: the last lines between referee and bots, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<TranscriptRecord>,
}

/// When the referee was to decide a game before its rules did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AdjudicationRecord {
    /// A side has won when its bots say this score or more, in hundredths, and
    /// the others this below 0 or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_score: Option<u32>,
    /// With how many of their moves in a row each must say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_moves: Option<u32>,
    /// Nobody has won when all bots say no more than this score, in hundredths,
    /// and no less than this below 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_score: Option<u32>,
    /// With how many of their moves in a row each must say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_moves: Option<u32>,
    /// But not before this ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_from: Option<u32>,
    /// The digest of the table of the solved game that decides it: `sha256:` and hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// But not before this ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_from: Option<u32>,
}

pub(crate) fn first_try() -> u32 {
    1
}

/// What kept the bots of a game from what was not theirs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SandboxRecord {
    /// What was asked for: `auto`, `strict`, `portable` or `off`.
    pub asked: String,
    /// The layers that were used: `launcher`, `bubblewrap`, `cgroup`, `slot_user`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// What held, and by what means: `files`, `network`, `processes`, `signals`,
    /// `memory`, `process_number`. What is missing did not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held: BTreeMap<String, String>,
}

/// How busy the host was in a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LoadRecord {
    /// How long it was looked at, in microseconds.
    pub span_us: u64,
    /// How long of that somebody was ready to run and had to wait for a CPU, in
    /// microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_us: Option<u64>,
    /// How much CPU time the host of this virtual machine took from it in that
    /// time, over all CPUs, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal_us: Option<u64>,
}

/// A bot at its seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SeatRecord {
    /// Its name in the league.
    pub name: String,
    /// The team that it plays for, in a game of teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// What it called itself at its handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Who wrote it, by its own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The command that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The digest of the files that the command names: `sha256:` and hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The layers of the run's sandbox that it went without: `slot_user` if no
    /// user of its own could read its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// What it used in the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageRecord>,
}

/// What the host says of the time that a bot took for a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct EvidenceRecord {
    /// The CPU time that all its processes used, in microseconds.
    pub cpu_us: u64,
    /// How long it was ready to run and had to wait for a CPU, in microseconds:
    /// of its threads the one that waited longest.
    pub wait_us: u64,
    /// How long the referee itself had to wait, in microseconds.
    pub lag_us: u64,
}

/// What a bot used in a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct UsageRecord {
    /// How many moves it made.
    pub moves: u32,
    /// How many of them were measured: those that took long.
    pub measured: u32,
    /// The time charged for the measured moves, in microseconds.
    pub wall_us: u64,
    /// The CPU time used for them, in microseconds.
    pub cpu_us: u64,
    /// How long it was ready to run in them and had to wait, in microseconds.
    pub wait_us: u64,
    /// How long the referee had to wait in them, in microseconds.
    pub lag_us: u64,
    /// The CPU time from its first turn to the end of the game, in
    /// microseconds; missing after games that took a moment only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_cpu_us: Option<u64>,
    /// How much of that was not in its turns, at least, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_move_cpu_us: Option<u64>,
    /// The most memory it used since its process was started, in KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_kib: Option<u64>,
    /// Whether it was paused while it was not on move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
}

impl UsageRecord {
    /// What two bots of a team used together.
    #[must_use]
    pub fn and(self, other: UsageRecord) -> UsageRecord {
        let both = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
        UsageRecord {
            moves: self.moves.saturating_add(other.moves),
            measured: self.measured.saturating_add(other.measured),
            wall_us: self.wall_us.saturating_add(other.wall_us),
            cpu_us: self.cpu_us.saturating_add(other.cpu_us),
            wait_us: self.wait_us.saturating_add(other.wait_us),
            lag_us: self.lag_us.saturating_add(other.lag_us),
            total_cpu_us: both(self.total_cpu_us, other.total_cpu_us),
            off_move_cpu_us: both(self.off_move_cpu_us, other.off_move_cpu_us),
            peak_kib: self.peak_kib.max(other.peak_kib),
            paused: self.paused || other.paused,
        }
    }
}

/// What a game started from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct OpeningRecord {
    /// The position's token; missing = the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Moves played before the bots were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// What a bot said of its search for one move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SaidRecord {
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The score in hundredths, from the bot's own point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i64>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The line that it expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Squares that decided a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MarkRecord {
    /// The board, from 1.
    pub board: u8,
    /// The first seat of the side whose line it is.
    pub seat: u8,
    /// The squares: `a1`.
    pub squares: Vec<String>,
}

/// How a bot failed; the figures that its kind of fault has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FaultRecord {
    /// The seat, from 1.
    pub seat: u8,
    /// The kind: `not_started`, `not_ready`, `time`, `crash`, `closed_output`,
    /// `illegal_move`, `not_a_move`, `protocol`, `limit`.
    pub fault: String,
    /// `not_ready`: what was waited for, `ugiok` or `readyok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// `not_ready`, `time`, `limit`: what it might have used, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_us: Option<u64>,
    /// `time`, `limit`: what it used, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_us: Option<u64>,
    /// `time`: what would have been forgiven, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_us: Option<u64>,
    /// `time` on a clock that counts CPU time: the wall time until it was judged, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// The same: the wall time that it might have taken, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_bound_us: Option<u64>,
    /// `time`: what the host says of it, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceRecord>,
    /// `time`: how much of what it used the host took, in microseconds; `not_ready`: how much
    /// longer than its limit it was waited for because the host was busy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excuse_us: Option<u64>,
    /// `time`: whether it was late for no other reason than an overloaded host.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overload: bool,
    /// `time`: whether its move came in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<bool>,
    /// `limit`: of what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<String>,
    /// `limit`: how many bytes it might have used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<u64>,
    /// `limit`: how many bytes it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_bytes: Option<u64>,
    /// `limit`: how many it might have had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_count: Option<u64>,
    /// `limit`: how many it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_count: Option<u64>,
    /// `crash`: the exit status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// `crash`: the signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// `illegal_move`, `not_a_move`, `protocol`: what it wrote, made printable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is wrong: the rule broken, what was expected, the step that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The end of its stderr, made printable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// The last lines of its output that meant nothing, made printable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stray_lines: Vec<String>,
}

impl FaultRecord {
    /// The word that it is counted by: its kind, or [`Fault::OVERLOAD`] where
    /// the host explains it.
    pub fn word(&self) -> &str {
        if self.overload { Fault::OVERLOAD } else { &self.fault }
    }
}

/// A line between the referee and a bot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TranscriptRecord {
    /// When it was sent, or read, since the game began, in microseconds.
    pub at_us: u64,
    /// The bot's seat, from 1.
    pub seat: u8,
    /// `to_bot` or `from_bot`.
    pub direction: String,
    /// The line, made printable and perhaps cut.
    pub text: String,
}

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct VoidRecord {
    /// `host` (played again) or `no_bot_played` (final).
    pub kind: String,
    /// What happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// An overloaded host made a move late: the seat's whose move it was, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// What it might have used for it, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_us: Option<u64>,
    /// What it used, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_us: Option<u64>,
    /// What would have been forgiven, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_us: Option<u64>,
    /// What the host says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceRecord>,
    /// How much of what it used the host took, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excuse_us: Option<u64>,
    /// True if the move came in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<bool>,
    /// The last lines of the late bot's output that meant nothing, made printable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stray_lines: Vec<String>,
}
