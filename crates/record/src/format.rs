//! The fields of a record. `docs/reference/records.md` and the JSON schema next to it are the contract; a
//! reader ignores fields that it does not know.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::evidence::{EvidenceRecord, microseconds};
use crate::fault::FaultRecord;
use crate::text::printable;
use crate::worker::WorkerRecord;
use linesman_types::direction::Direction;
use linesman_types::seat::Seat;
use linesman_types::verdict::Void;

/// The version of the format that this program writes.
pub const VERSION: u32 = 1;

/// One game, as a line of `games.jsonl`.
///
/// Only `v`, `id`, `game`, `seats` and `places` (or `void`) must be there;
/// everything else is optional for readers, so that results made elsewhere can
/// be rated.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GameRecord {
    /// The version of the format: 1.
    pub v: u32,
    /// The id of the game, the same for every try: the bots in seat order and the number of the game with
    /// these seats, joined by `~`.
    pub id: String,
    /// The number of this try at the game, from 1.
    #[serde(rename = "try", default = "first_try")]
    pub attempt: u32,
    /// The league's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// The game's name.
    pub game: String,
    /// The options of the game with their values; a missing option has its default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, serde_json::Value>,
    /// The bots in seat order.
    pub seats: Vec<SeatRecord>,
    /// The time control of all seats without one of their own: `movetime=1s`, `tc=60s+500ms`,
    /// `tc=40/60s+500ms`, `nodes=1000` or `depth=5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    /// The kind of time that the time control counts, if not wall time: `cpu`, the CPU time of all processes
    /// of a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// With the clock `cpu`: the wall time of a move may be this many times the sum of its limit and margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_bound: Option<u32>,
    /// The margin: how far beyond its limit a move may be, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
    /// The position or moves from which the game started, if not from the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningRecord>,
    /// A key that links the games of the same bots or teams from the same opening, one from each seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<String>,
    /// The moves after the opening, in order; `!3` where seat 3 was eliminated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The time charged for each of `moves`, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_us: Option<Vec<u64>>,
    /// With the clock `cpu`: the wall time of each of `moves`, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls_us: Option<Vec<u64>>,
    /// The bot's statements about its search, one for each of `moves`; missing if no bot said anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Vec<Option<SaidRecord>>>,
    /// The machine's account of the time of each of `moves` that took long; missing if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<Option<EvidenceRecord>>>,
    /// The moves that the bot expected after each of `moves`, where it was told to ponder on them; missing if no bot
    /// was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder: Option<Vec<Option<Vec<String>>>>,
    /// The place of each seat; missing if the game is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<u8>>,
    /// The reason for the end: a word of the rules (`line`, `max_plies` ...), `resignation`, `adjudication` or
    /// `failure`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With the reason `adjudication`: why the referee decided the game this way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// When the referee was to decide the game before its rules did; missing if never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<AdjudicationRecord>,
    /// The squares that decided the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkRecord>,
    /// The seats that failed, and how.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRecord>,
    /// Why the game has no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidRecord>,
    /// The game's seed, derived from the league's seed and the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The program that wrote the record: `linesman 0.1.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software: Option<String>,
    /// The name of the machine on which the game was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The worker that played the game, if a league's games are played over a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<WorkerRecord>,
    /// When the game began, in UTC, as in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The length of the game, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The sandbox of the bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxRecord>,
    /// The load of the machine; missing after very short games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadRecord>,
    /// If a bot failed or the game is void: the last lines between the referee and the bots, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<TranscriptRecord>,
}

/// The conditions under which the referee decides a game before its rules do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AdjudicationRecord {
    /// A side has won when its bots report this score or more, in hundredths, and the other bots minus this
    /// score or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_score: Option<u32>,
    /// The number of moves in a row with which each bot must report such a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_moves: Option<u32>,
    /// The game is a draw when all bots report a score between minus this score and this score, in
    /// hundredths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_score: Option<u32>,
    /// The number of moves in a row with which each bot must report such a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_moves: Option<u32>,
    /// The first ply at which this rule can decide the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_from: Option<u32>,
    /// The digest of the table of the solved game that decides: `sha256:` and hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The first ply at which this rule can decide the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_from: Option<u32>,
}

pub(crate) fn first_try() -> u32 {
    1
}

/// The sandbox of the bots in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SandboxRecord {
    /// The setting: `auto`, `strict`, `portable` or `off`.
    pub asked: String,
    /// The layers that were used: `launcher`, `bubblewrap`, `cgroup`, `slot_user`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// The guarantees that held, each with the means that enforced it: `files`, `network`, `processes`,
    /// `signals`, `memory`, `process_number`. A missing guarantee did not hold.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held: BTreeMap<String, String>,
}

/// The load of the machine during a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LoadRecord {
    /// The length of the observed time, in microseconds.
    pub span_us: u64,
    /// The part of that time in which some process was ready to run and waited for a CPU, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_us: Option<u64>,
    /// The CPU time that the host of this virtual machine took in that time, over all CPUs, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal_us: Option<u64>,
}

/// A bot at its seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SeatRecord {
    /// The bot's name in the league.
    pub name: String,
    /// The team that the bot plays for, in a game of teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The name and version that the bot gave in its handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The bot's author, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The command that started the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The digest of the files that the command names: `sha256:` and hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The layers of the run's sandbox that this bot did not have: `slot_user` if no separate user could read
    /// its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The bot's own time control, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    /// True if the bot was told that it may ponder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponders: bool,
    /// The bot's use of the machine in the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageRecord>,
}

/// A bot's use of the machine in a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UsageRecord {
    /// The number of moves that the bot made.
    pub moves: u32,
    /// The number of moves that were measured: the long ones.
    pub measured: u32,
    /// The time charged for the measured moves, in microseconds.
    pub wall_us: u64,
    /// The CPU time of the measured moves, in microseconds.
    pub cpu_us: u64,
    /// The time for which the bot was ready to run and waited for a CPU in the measured moves, in microseconds.
    pub wait_us: u64,
    /// The time for which the referee waited for a CPU in the measured moves, in microseconds.
    pub lag_us: u64,
    /// The CPU time from the bot's first turn to the end of the game, in microseconds; missing after very
    /// short games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_cpu_us: Option<u64>,
    /// The minimum part of `total_cpu_us` that was used out of turn, in microseconds, without `ponder_cpu_us`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_move_cpu_us: Option<u64>,
    /// The part of `total_cpu_us` that was used to ponder as the bot was told to, in microseconds; missing if it
    /// was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder_cpu_us: Option<u64>,
    /// The most memory that the bot has used since its process started, in KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_kib: Option<u64>,
    /// True if the bot was paused while it was not on move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
}

impl UsageRecord {
    /// Adds the usage of another bot of the same team.
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
            ponder_cpu_us: match (self.ponder_cpu_us, other.ponder_cpu_us) {
                (Some(one), Some(other)) => Some(one.saturating_add(other)),
                (one, other) => one.or(other),
            },
            peak_kib: self.peak_kib.max(other.peak_kib),
            paused: self.paused || other.paused,
        }
    }
}

/// The start of a game that did not begin from the usual one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OpeningRecord {
    /// The token of the position; missing: the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Moves that were played before the first bot was asked for one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// A bot's statement about its search for one move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
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
    /// The line that the bot expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The time that the bot thought by its own clock, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// Squares that decided a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MarkRecord {
    /// The board, from 1.
    pub board: u8,
    /// The first seat of the side whose line it is.
    pub seat: u8,
    /// The squares: `a1`.
    pub squares: Vec<String>,
}

/// A line between the referee and a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TranscriptRecord {
    /// When the line was sent or read, since the game began, in microseconds.
    pub at_us: u64,
    /// The bot's seat, from 1.
    pub seat: u8,
    /// `to_bot` or `from_bot`.
    #[serde(serialize_with = "write_direction", deserialize_with = "read_direction")]
    #[schemars(with = "String")]
    pub direction: Result<Direction, String>,
    /// The line, made printable and perhaps cut.
    pub text: String,
}

fn write_direction<S: Serializer>(
    direction: &Result<Direction, String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(direction.as_ref().map_or_else(String::as_str, |direction| direction.word()))
}

/// Reads a direction, or the word for one of a later version.
fn read_direction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Result<Direction, String>, D::Error> {
    let word = String::deserialize(deserializer)?;
    Ok(Direction::from_word(&word).ok_or(word))
}

/// The maximum length of a transcript line in a record, in bytes.
const MAX_TRANSCRIPT_LINE: usize = 400;

impl TranscriptRecord {
    /// Makes the records of lines that were sent or read at once.
    pub fn of_bytes(at: Duration, seat: Seat, direction: Direction, bytes: &[u8]) -> Vec<TranscriptRecord> {
        let text = String::from_utf8_lossy(bytes);
        let record = |line: &str| TranscriptRecord {
            at_us: microseconds(at),
            seat: u8::try_from(seat.number()).unwrap_or(u8::MAX),
            direction: Ok(direction),
            text: printable(line, MAX_TRANSCRIPT_LINE),
        };
        text.lines().map(record).collect()
    }
}

/// The kind of void: why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum VoidKind {
    /// The host was at fault, and the game is played again.
    #[default]
    Host,
    /// Every side failed before the first move was requested.
    NoBotPlayed,
    /// A person who played used help.
    Assisted,
    /// A kind of a later version, by its word.
    Other(String),
}

impl VoidKind {
    /// The word in records and tables.
    pub fn word(&self) -> &str {
        match self {
            VoidKind::Host => Void::HOST,
            VoidKind::NoBotPlayed => Void::NO_BOT_PLAYED,
            VoidKind::Assisted => Void::ASSISTED,
            VoidKind::Other(word) => word,
        }
    }
}

impl From<String> for VoidKind {
    fn from(word: String) -> VoidKind {
        [VoidKind::Host, VoidKind::NoBotPlayed, VoidKind::Assisted]
            .into_iter()
            .find(|kind| kind.word() == word)
            .unwrap_or(VoidKind::Other(word))
    }
}

impl From<VoidKind> for String {
    fn from(kind: VoidKind) -> String {
        kind.word().to_owned()
    }
}

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VoidRecord {
    /// `host` (played again), `no_bot_played` (final) or `assisted` (final).
    #[schemars(with = "String")]
    pub kind: VoidKind,
    /// The cause, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// If an overloaded machine made a move late: the seat whose move it was, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The limit on the time of the late move, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_us: Option<u64>,
    /// The time that the late bot used, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_us: Option<u64>,
    /// The margin on top of the limit, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_us: Option<u64>,
    /// The machine's account of the time of the late move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceRecord>,
    /// The part of the time that the machine took, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excuse_us: Option<u64>,
    /// True if the move eventually arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<bool>,
    /// The last lines of the late bot's output with an unknown verb, made printable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stray_lines: Vec<String>,
    /// With `assisted`: the number of times that the person took moves back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undos: Option<u32>,
    /// With `assisted`: the number of hints that the person asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<u32>,
}
