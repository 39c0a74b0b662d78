//! The messages between a leader and its workers: JSON, with a version, and with bounds on what is read.
//!
//! # Who sends what
//!
//! | message | subject | by | kept by the broker |
//! | --- | --- | --- | --- |
//! | [`Announcement`] | `lm.LEAGUE.announce` | leader | no |
//! | [`Pack`] | `lm.LEAGUE.job.EPOCH` | leader | in the stream `LM_JOBS_LEAGUE_EPOCH` |
//! | [`ResultPart`] | `lm.LEAGUE.result.WORKER` | worker | in the stream `LM_RESULTS_LEAGUE` |
//! | [`WorkerStatus`] | `lm.LEAGUE.word.WORKER` | worker | no |
//! | [`Ask`], answered by a piece of the plan | `lm.LEAGUE.ask.WORKER` | worker | no |
//!
//! A worker pulls from the consumer `workers` of the streams of packs. Answers come to subjects that begin with
//! `_INBOX.WORKER`. So a worker's user needs the right to publish to `lm.*.result.WORKER`, `lm.*.word.WORKER`,
//! `lm.*.ask.WORKER`, `$JS.API.CONSUMER.MSG.NEXT.*.workers` and `$JS.ACK.*.workers.>`, and to subscribe to
//! `lm.*.announce` and `_INBOX.WORKER.>`. A leader's user needs `lm.>`, `$JS.API.>`, `$JS.ACK.>` and `_INBOX.>`.

use std::num::NonZeroU64;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use linesman_driver::GameNote;
use linesman_league::assigned::PlayedElsewhere;
use linesman_league::dispatcher::Assignment;
use linesman_league::runner::EndedGame;
use linesman_league::schedule::Pairing;
use linesman_league::withdrawal::Part;
use linesman_record::GameRecord;
use linesman_referee::IgnoredLines;
use linesman_sandbox::Leaked;
use linesman_types::seat::{BySeat, Seat};

/// The version of these messages.
pub const VERSION: u32 = 1;

/// Maximum length of a message that is read, in bytes. It is below the limit that a broker has unless told otherwise.
pub const MOST_BYTES: usize = 1 << 20;

/// Maximum number of bytes of a plan, or of a result, in one message.
pub const PART: usize = 400 << 10;

/// Maximum number of messages of a plan or of a result.
pub const MOST_PARTS: u32 = 256;

/// Maximum number of games in a pack.
pub const MOST_GAMES: usize = 256;

/// Maximum length of a name or an id, in bytes.
pub const MOST_NAME: usize = 1_024;

/// Maximum length of a reason, in bytes.
pub const MOST_REASON: usize = 400;

/// Maximum number of bytes of remarks that come with a game.
const MOST_NOTES: usize = 100;

/// The reason why a message can't be read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is too long.
    #[error("it has {0} bytes; the maximum is {MOST_BYTES}")]
    TooLong(usize),
    /// It is of another version.
    #[error("it is of version {0}, and this program knows {VERSION}")]
    Version(u32),
    /// It is no such message.
    #[error("{0}")]
    Malformed(String),
    /// A value is out of bounds.
    #[error("`{0}` is out of bounds")]
    OutOfBounds(&'static str),
}

/// A message with a version and bounds.
pub trait WireMessage: Serialize + DeserializeOwned {
    /// The version that it names.
    fn version(&self) -> u32;

    /// Checks its values.
    ///
    /// # Errors
    /// The first one that is out of bounds.
    fn check(&self) -> Result<(), Unreadable>;

    /// Its bytes.
    fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a message has only text for keys")
    }

    /// Reads it.
    ///
    /// # Errors
    /// Bytes that are no such message of this version.
    fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() > MOST_BYTES {
            return Err(Unreadable::TooLong(bytes.len()));
        }
        let message: Self =
            serde_json::from_slice(bytes).map_err(|error| Unreadable::Malformed(error.to_string()))?;
        if message.version() != VERSION {
            return Err(Unreadable::Version(message.version()));
        }
        message.check()?;
        Ok(message)
    }
}

fn bounded(what: &'static str, is_so: bool) -> Result<(), Unreadable> {
    if is_so { Ok(()) } else { Err(Unreadable::OutOfBounds(what)) }
}

/// Says that a league is being led, and where its packs are.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Announcement {
    /// The version of the messages.
    pub v: u32,
    /// The part of the subjects that names the league.
    pub league: String,
    /// The league's name, for people.
    pub name: String,
    /// The number of the stream of packs.
    pub epoch: u64,
    /// The digest of the plan.
    pub plan: String,
    /// The number of pieces of the plan.
    pub pieces: u32,
    /// Time after which a delivered pack of which nothing is heard is delivered to another worker, in milliseconds.
    pub ack_wait_ms: u64,
    /// The order to the workers.
    pub order: LeaderOrder,
    /// The workers whose results are refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// An order of a leader to its workers.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderOrder {
    /// Play.
    Play,
    /// Finish the running games, and give back what has not begun.
    Finish,
    /// Break the running games off.
    Abort,
    /// Nothing: the league is over.
    Over,
}

impl WireMessage for Announcement {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("league", is_token(&self.league))?;
        bounded("name", self.name.len() <= MOST_NAME)?;
        bounded("ack_wait_ms", (100..=3_600_000).contains(&self.ack_wait_ms))?;
        bounded("pieces", (1..=MOST_PARTS).contains(&self.pieces))
    }
}

/// A question of a worker, whose answer is a piece of the plan.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ask {
    /// The version of the messages.
    pub v: u32,
    /// The digest of the plan.
    pub plan: String,
    /// The piece, from 0.
    pub piece: u32,
}

impl WireMessage for Ask {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("piece", self.piece < MOST_PARTS)
    }
}

/// A game to be played.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct PackedGame {
    /// Its place in the schedule.
    pub index: u64,
    /// Its id.
    pub id: String,
    /// The number of this try at it, from 1.
    #[serde(rename = "try")]
    pub attempt: u32,
    /// The number of this try at it in this run, from 1.
    pub try_of_run: u32,
    /// The bots in seat order, as indices into the tournament's bots.
    pub bots: Vec<usize>,
    /// For whom each seat plays, as indices into the tournament's entrants.
    pub entrants: Vec<usize>,
    /// The how-manieth time that just these seats meet.
    pub times: u64,
    /// The number of its encounter.
    pub encounter: u64,
    /// Its seed.
    pub seed: u64,
    /// The number of times that it was played before, if it is a repeat.
    #[serde(default, skip_serializing_if = "is_original")]
    pub repeat: u32,
    /// The owners whose workers have played it: others play the repeat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for: Vec<String>,
}

fn is_original(repeat: &u32) -> bool {
    *repeat == 0
}

impl PackedGame {
    /// The game of an assignment.
    pub fn of(assignment: &Assignment) -> PackedGame {
        let pairing = &assignment.pairing;
        PackedGame {
            index: pairing.index,
            id: pairing.id.clone(),
            attempt: assignment.attempt,
            try_of_run: assignment.try_of_run,
            bots: pairing.bots.values().copied().collect(),
            entrants: pairing.entrants.values().copied().collect(),
            times: pairing.times,
            encounter: pairing.encounter,
            seed: pairing.seed,
            repeat: 0,
            not_for: Vec::new(),
        }
    }

    /// The assignment, in a tournament of so many bots and entrants and with games of so many seats.
    ///
    /// # Errors
    /// A game that can't be one of that tournament.
    pub fn assignment(&self, bots: usize, entrants: usize, seats: usize) -> Result<Assignment, Unreadable> {
        let all_below = |all: &[usize], most: usize| all.len() == seats && all.iter().all(|one| *one < most);
        bounded("bots", all_below(&self.bots, bots))?;
        bounded("entrants", all_below(&self.entrants, entrants))?;
        let by_seat =
            |all: &[usize]| BySeat::from_values(all.iter().copied()).ok_or(Unreadable::OutOfBounds("bots"));
        Ok(Assignment {
            pairing: Pairing {
                index: self.index,
                id: self.id.clone(),
                bots: by_seat(&self.bots)?,
                entrants: by_seat(&self.entrants)?,
                times: self.times,
                encounter: self.encounter,
                seed: self.seed,
            },
            attempt: self.attempt,
            try_of_run: self.try_of_run,
        })
    }

    /// The key that tells this try at the game from all others.
    pub fn key(&self) -> GameKey {
        GameKey { id: self.id.clone(), attempt: self.attempt, repeat: self.repeat }
    }
}

/// A try at a game of a league.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Serialize, Deserialize)]
pub struct GameKey {
    /// The id of the game.
    pub id: String,
    /// The number of the try, from 1.
    #[serde(rename = "try")]
    pub attempt: u32,
    /// The number of times that it was played before, if it is a repeat.
    #[serde(default, skip_serializing_if = "is_original")]
    pub repeat: u32,
}

/// Games for one worker.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pack {
    /// The version of the messages.
    pub v: u32,
    /// Its id.
    pub id: String,
    /// The digest of the plan that they are of.
    pub plan: String,
    /// The games.
    pub games: Vec<PackedGame>,
}

impl WireMessage for Pack {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("id", self.id.len() <= MOST_NAME)?;
        bounded("games", (1..=MOST_GAMES).contains(&self.games.len()))?;
        self.games.iter().try_for_each(|game| bounded("games.id", game.id.len() <= MOST_NAME))
    }
}

/// A part of a report. Nearly always it is the only one.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultPart {
    /// The version of the messages.
    pub v: u32,
    /// The digest of the whole report.
    pub report: String,
    /// The number of the part, from 0.
    pub part: u32,
    /// The number of parts.
    pub parts: u32,
    /// The part of the report's text.
    pub text: String,
}

impl WireMessage for ResultPart {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("report", self.report.len() <= MOST_NAME)?;
        bounded("parts", self.parts <= MOST_PARTS && self.part < self.parts)
    }
}

/// A worker's report on a game or a pack.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum Report {
    /// A game was played.
    Game(Box<GameReport>),
    /// A pack was delivered too often: whoever has it may fail by it.
    Quarantined {
        /// The id of the pack.
        pack: String,
        /// The number of times that it was delivered.
        deliveries: u64,
    },
}

/// A game that was played.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// The pack that it was in.
    pub pack: String,
    /// The number of times that it was played before, if it is a repeat.
    #[serde(default, skip_serializing_if = "is_original")]
    pub repeat: u32,
    /// The record: the very line of the file of records, without its end.
    pub record: String,
    /// Remarks on its course.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteReport>,
    /// The facts needed of each seat.
    pub seats: Vec<SeatReport>,
    /// The bots that are paused from now on, as indices into the tournament's bots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paused: Vec<usize>,
    /// The number of processes and of folders that could not be removed.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub leaked: [usize; 2],
}

fn is_nothing(leaked: &[usize; 2]) -> bool {
    *leaked == [0, 0]
}

/// A remark on the course of a game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum NoteReport {
    /// A bot was started anew.
    Restarted {
        /// Its seat, from 1.
        seat: u8,
        /// The reason.
        why: String,
    },
    /// A remark of the referee.
    Remark {
        /// The remark.
        text: String,
    },
}

impl NoteReport {
    fn of(note: &GameNote) -> NoteReport {
        match note {
            GameNote::Restarted { seat, why } => {
                NoteReport::Restarted { seat: u8::try_from(seat.number()).unwrap_or(0), why: why.clone() }
            }
            GameNote::Remark(text) => NoteReport::Remark { text: text.clone() },
        }
    }

    /// The note; `None` if there is no such seat.
    fn note(self) -> Option<GameNote> {
        match self {
            NoteReport::Restarted { seat, why } => {
                Some(GameNote::Restarted { seat: Seat::new(usize::from(seat))?, why })
            }
            NoteReport::Remark { text } => Some(GameNote::Remark(text)),
        }
    }
}

/// The facts on a seat that a league needs beside the record.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatReport {
    /// The number of moves that it made.
    pub moves: u32,
    /// True if its bot has ever been ready.
    pub was_ready: bool,
    /// The number of lines that meant nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first_ignored: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl GameReport {
    /// The report of a game of a pack.
    ///
    /// # Errors
    /// A record that can't be written, of which there is none.
    pub fn of(pack: &str, played: &PlayedElsewhere) -> serde_json::Result<GameReport> {
        let EndedGame { record, notes, leaked, ignored } = &played.game;
        let seats = played.parts.iter().map(|(seat, part)| {
            let ignored = ignored.get(seat).cloned().unwrap_or_default();
            SeatReport {
                moves: part.moves,
                was_ready: part.was_ready,
                ignored: ignored.number,
                first_ignored: ignored.first,
            }
        });
        let notes = notes.iter().take(MOST_NOTES).map(NoteReport::of);
        Ok(GameReport {
            pack: pack.to_owned(),
            repeat: 0,
            record: record.to_line()?,
            notes: notes.collect(),
            seats: seats.collect(),
            paused: played.paused.clone(),
            leaked: [leaked.processes, leaked.folders],
        })
    }

    /// Reads the record.
    ///
    /// # Errors
    /// A text that is not just what this program would write for the record in it.
    pub fn record(&self) -> Result<GameRecord, Unreadable> {
        let malformed = |error: serde_json::Error| Unreadable::Malformed(error.to_string());
        let record: GameRecord = serde_json::from_str(&self.record).map_err(malformed)?;
        let is_same = record.to_line().is_ok_and(|line| line == self.record);
        bounded("record", is_same)?;
        Ok(record)
    }

    /// The game, with its record read.
    ///
    /// # Errors
    /// Seats that the record does not have.
    pub fn played(self, record: GameRecord) -> Result<PlayedElsewhere, Unreadable> {
        bounded("seats", self.seats.len() == record.seats.len())?;
        bounded("notes", self.notes.len() <= MOST_NOTES)?;
        let out = Unreadable::OutOfBounds("seats");
        let parts = self.seats.iter().map(|seat| Part { moves: seat.moves, was_ready: seat.was_ready });
        let parts = BySeat::from_values(parts).ok_or(out.clone())?;
        let ignored = (self.seats.iter())
            .map(|seat| IgnoredLines { number: seat.ignored, first: seat.first_ignored.clone() });
        let ignored = BySeat::from_values(ignored).ok_or(out)?;
        let notes = self.notes.into_iter().filter_map(NoteReport::note);
        let [processes, folders] = self.leaked;
        let leaked = Leaked { processes, folders };
        let game = EndedGame { record: Box::new(record), notes: notes.collect(), leaked, ignored };
        Ok(PlayedElsewhere { game, parts, paused: self.paused })
    }
}

impl Report {
    /// The messages of the report.
    ///
    /// # Errors
    /// A report that is too long, of which there is none: longer records are not read either.
    pub fn parts(&self) -> Result<Vec<Vec<u8>>, Unreadable> {
        let text = serde_json::to_string(self).map_err(|error| Unreadable::Malformed(error.to_string()))?;
        let digest = digest(text.as_bytes());
        let pieces = pieces(&text);
        let parts = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        bounded("parts", parts <= MOST_PARTS)?;
        let part = |(part, text): (usize, &str)| {
            let part = u32::try_from(part).unwrap_or(u32::MAX);
            ResultPart { v: VERSION, report: digest.clone(), part, parts, text: text.to_owned() }.encode()
        };
        Ok(pieces.into_iter().enumerate().map(part).collect())
    }

    /// The report of these parts, in their order.
    ///
    /// # Errors
    /// Parts that are not those of one report.
    pub fn joined<'p>(parts: impl Iterator<Item = &'p ResultPart>) -> Result<Report, Unreadable> {
        let (mut text, mut expected) = (String::new(), None);
        for part in parts {
            text.push_str(&part.text);
            expected = Some(&part.report);
        }
        bounded("report", expected.is_some_and(|expected| *expected == digest(text.as_bytes())))?;
        serde_json::from_str(&text).map_err(|error| Unreadable::Malformed(error.to_string()))
    }
}

/// A word of a worker about itself, for those who look on.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The version of the messages.
    pub v: u32,
    /// A number that tells this process from others of the same name.
    pub instance: u64,
    /// The number of games that it plays at once.
    pub slots: u32,
    /// The games that it is playing.
    pub running: Vec<GameKey>,
    /// The number of games that it has played.
    pub played: u64,
    /// The number of games that were broken off, refused or could not be reported.
    pub faults: u64,
    /// The speed of one core of its machine, in positions a second; none = it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<NonZeroU64>,
    /// The time by its clock, in milliseconds since 1970, UTC; none = it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Its news.
    pub said: Vec<Saying>,
}

/// Something that a worker has to say.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum Saying {
    /// It gives a pack back that it can't play.
    Refused {
        /// The id of the pack.
        pack: String,
        /// The reason.
        why: String,
    },
    /// It gives a pack back because it is stopping.
    Returned {
        /// The id of the pack.
        pack: String,
    },
    /// It can't play this league.
    CantPlay {
        /// The reason.
        why: String,
    },
    /// Its machine is overloaded: it gives back what has not begun, and plays fewer games at once.
    Overloaded {
        /// The reason.
        why: String,
    },
    /// It leaves.
    Leaves,
}

impl WireMessage for WorkerStatus {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("running", self.running.len() <= 4_096)?;
        bounded("said", self.said.len() <= 4_096)?;
        self.said.iter().try_for_each(|said| match said {
            Saying::Refused { why, .. } | Saying::CantPlay { why } | Saying::Overloaded { why } => {
                bounded("said.why", why.len() <= MOST_REASON)
            }
            Saying::Returned { .. } | Saying::Leaves => Ok(()),
        })
    }
}

/// The digest of bytes: `sha256:` and hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

/// A text in pieces that fit into a message each, even where all of their symbols have to be escaped.
pub fn pieces(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut pieces = Vec::new();
    while rest.len() > PART {
        let end = (0..=PART).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(0);
        let (piece, others) = rest.split_at(end);
        pieces.push(piece);
        rest = others;
    }
    pieces.push(rest);
    pieces
}

/// Returns true if a text may stand in a subject as one of its parts.
pub fn is_token(text: &str) -> bool {
    let is_usual = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '-' | '_');
    !text.is_empty() && text.len() <= 100 && text.chars().all(is_usual)
}

/// A text as a part of a subject: other symbols become `-`.
pub fn token(text: &str) -> String {
    let symbol = |symbol: char| if symbol.is_ascii_alphanumeric() || symbol == '_' { symbol } else { '-' };
    let token: String = text.chars().take(60).map(symbol).collect();
    if token.is_empty() { "-".to_owned() } else { token }
}

/// The owner of a worker: the part of its name before the first `_`. `anna_laptop` and `anna_desktop` are both
/// `anna`'s, and `anna` is her own.
pub fn owner(worker: &str) -> &str {
    worker.split('_').next().unwrap_or(worker)
}

/// The subjects, streams and consumers of a league.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Subjects {
    league: String,
}

impl Subjects {
    /// The consumer of a stream of packs.
    pub const WORKERS: &'static str = "workers";
    /// The consumer of a stream of results.
    pub const COLLECTOR: &'static str = "collector";
    /// The announcements of all leagues.
    pub const ALL_ANNOUNCEMENTS: &'static str = "lm.*.announce";

    /// Those of a league, by the part that names it.
    pub fn of(league: &str) -> Subjects {
        Subjects { league: league.to_owned() }
    }

    /// The part that names a league of this name and master seed.
    pub fn league(name: &str, seed: u64) -> String {
        let digest = digest(format!("{seed}:{name}").as_bytes());
        format!("{}-{}", token(name), &digest[7..15])
    }

    /// The subject of the league's announcements.
    pub fn announce(&self) -> String {
        format!("lm.{}.announce", self.league)
    }

    /// The subject of a stream's packs.
    pub fn job(&self, epoch: u64) -> String {
        format!("lm.{}.job.{epoch}", self.league)
    }

    /// The subject of a worker's results; `*` for those of all.
    pub fn result(&self, worker: &str) -> String {
        format!("lm.{}.result.{worker}", self.league)
    }

    /// The subject of a worker's statements on itself; `*` for all.
    pub fn word(&self, worker: &str) -> String {
        format!("lm.{}.word.{worker}", self.league)
    }

    /// The subject of a worker's questions; `*` for all.
    pub fn ask(&self, worker: &str) -> String {
        format!("lm.{}.ask.{worker}", self.league)
    }

    /// The beginning of the names of all streams of packs.
    pub fn jobs_prefix(&self) -> String {
        format!("LM_JOBS_{}_", self.league)
    }

    /// A stream of packs.
    pub fn jobs(&self, epoch: u64) -> String {
        format!("{}{epoch}", self.jobs_prefix())
    }

    /// The stream of results.
    pub fn results(&self) -> String {
        format!("LM_RESULTS_{}", self.league)
    }

    /// The prefix of the subjects at which a user of this name gets answers.
    pub fn inbox(user: &str) -> String {
        format!("_INBOX.{user}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reports_travel_in_parts_and_are_the_same_afterwards() {
        // Symbols that are escaped, and some of several bytes.
        let record = "\"\\é".repeat(400_000);
        let report = Report::Game(Box::new(GameReport {
            pack: "p".to_owned(),
            repeat: 0,
            record,
            notes: Vec::new(),
            seats: Vec::new(),
            paused: vec![1],
            leaked: [0, 0],
        }));
        let parts = report.parts().expect("it is not too long");
        assert!(parts.len() > 1 && parts.iter().all(|part| part.len() <= MOST_BYTES));
        let parts: Vec<ResultPart> =
            parts.iter().map(|part| ResultPart::decode(part).expect("it is a part")).collect();
        assert_eq!(Report::joined(parts.iter()), Ok(report));
        assert!(Report::joined(parts.iter().skip(1)).is_err(), "the digest tells that one is missing");
    }

    #[test]
    fn what_is_out_of_bounds_is_refused() {
        let pack = |games: &str| format!(r#"{{"v":1,"id":"p","plan":"x","games":[{games}]}}"#);
        assert_eq!(Pack::decode(pack("").as_bytes()), Err(Unreadable::OutOfBounds("games")));
        let other = br#"{"v":2,"id":"p","plan":"x","games":[]}"#;
        assert_eq!(Pack::decode(other), Err(Unreadable::Version(2)));
        assert!(matches!(Pack::decode(b"{"), Err(Unreadable::Malformed(_))));
        let long = vec![b' '; MOST_BYTES + 1];
        assert_eq!(Pack::decode(&long), Err(Unreadable::TooLong(MOST_BYTES + 1)));
        let game = PackedGame {
            index: 0,
            id: "a~b~1".to_owned(),
            attempt: 1,
            try_of_run: 1,
            bots: vec![0, 2],
            entrants: vec![0, 1],
            times: 1,
            encounter: 1,
            seed: 1,
            repeat: 0,
            not_for: Vec::new(),
        };
        assert_eq!(game.assignment(2, 2, 2), Err(Unreadable::OutOfBounds("bots")));
        assert!(game.assignment(3, 2, 2).is_ok() && game.assignment(3, 2, 3).is_err());
    }

    #[test]
    fn names_of_any_kind_come_to_subjects_of_their_own() {
        let one = Subjects::league("Tournoi d'été. *", 1);
        assert!(is_token(&one) && one != Subjects::league("Tournoi d'été. *", 2), "{one}");
        assert_eq!((token("a.b > c"), token("")), ("a-b---c".to_owned(), "-".to_owned()));
    }
}
