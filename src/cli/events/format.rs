//! The events and their fields. `docs/reference/events.md` and `protocol/events.schema.json` are the contract. A reader
//! ignores unknown events and fields.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::super::elo_ends::EloEnds;
use crate::league::schedule;
use crate::record::SaidRecord;

/// The version of the format that this program writes.
pub(crate) const VERSION: u32 = 1;

/// An event of a run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The first games are about to begin.
    RunStarted(RunStarted),
    /// A game begins.
    GameStarted(GameStarted),
    /// A bot has moved, or a seat is eliminated.
    Move(Move),
    /// A game has its final record.
    GameFinished(GameFinished),
    /// The machine spoiled a game, which is played again.
    GameVoid(GameVoid),
    /// A game was broken off and has no record.
    GameBrokenOff(OfGame),
    /// A bot can't be started, or crashed right after its start in several games: it plays no more games.
    BotWithdrawn(BotWithdrawn),
    /// A bot uses CPU time out of turn, and is paused out of turn from now on.
    BotPaused(OfBot),
    /// The machine is overloaded: fewer games are played at once from now on.
    FewerAtOnce(AtOnceChanged),
    /// The machine is no longer overloaded: more games are played at once from now on.
    MoreAtOnce(AtOnceChanged),
    /// Only games that an overloaded machine spoiled are left: the run waits until the machine is quieter.
    Waiting(Waiting),
    /// A worker that plays games of this run elsewhere joins, leaves, or is reported from time to time.
    Worker(WorkerState),
    /// A match of a knockout is decided: some of its games need not be played.
    GamesSpared(Games),
    /// A round is paired to which games belong that were played before: they count.
    GamesTakenUp(GamesTakenUp),
    /// A warning for people.
    Warning(Warning),
    /// The standings, from time to time and at the end.
    Standings(Standings),
    /// The state of a sequential test, from time to time and at the end.
    Test(Test),
    /// Events were left out, because nobody read them in time.
    Gap(Gap),
    /// The command ends. This is the last event.
    RunFinished(RunFinished),
}

/// The plan of this run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct RunStarted {
    /// The version of the format: 1.
    pub(crate) v: u32,
    /// The program that writes the events.
    pub(crate) software: String,
    /// The league's name.
    pub(crate) league: String,
    /// The game's name.
    pub(crate) game: String,
    /// Every option of the game with its value.
    pub(crate) options: BTreeMap<String, serde_json::Value>,
    /// `movetime=1s`, `tc=60s+500ms`, `tc=40/60s+500ms`, `nodes=1000` or `depth=5`.
    pub(crate) time_control: String,
    /// The time controls of the bots that have their own, by name; missing if none has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) own_time_controls: BTreeMap<String, String>,
    /// The kind of time that the time control counts: `wall` or `cpu`.
    pub(crate) clock: String,
    /// The schedule: `round-robin`, `swiss` and so on.
    pub(crate) schedule: String,
    /// The names of the bots or teams that take part.
    pub(crate) entrants: Vec<String>,
    /// The maximum number of games; null if the schedule has no end.
    pub(crate) games: Option<u64>,
    /// The meaning of `games`: `exact`, `at_most` or `endless`.
    pub(crate) length: Length,
    /// The number of games played before this command.
    pub(crate) done: u64,
    /// The number of games played at once.
    pub(crate) at_once: u64,
    /// The id of the linesman process, for signals.
    pub(crate) pid: u32,
}

/// The meaning of the number of games.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Length {
    /// Exactly this number.
    Exact,
    /// At most this number.
    AtMost,
    /// The schedule has no end.
    Endless,
}

impl From<schedule::Length> for Length {
    fn from(length: schedule::Length) -> Length {
        match length {
            schedule::Length::Exactly(_) => Length::Exact,
            schedule::Length::AtMost(_) => Length::AtMost,
            schedule::Length::Endless => Length::Endless,
        }
    }
}

/// A game and who plays it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GameStarted {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The number of this try at the game, from 1.
    #[serde(rename = "try")]
    pub(crate) attempt: u32,
    /// The bots in seat order.
    pub(crate) seats: Vec<String>,
    /// The place where the game is played, from 1 to `at_once`.
    pub(crate) slot: u64,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Move {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The number of the move among the `moves` of the record, from 1. The opening does not count.
    pub(crate) ply: u64,
    /// The seat that moved, or that is eliminated, from 1.
    pub(crate) seat: u64,
    /// The move; `!3` if seat 3 is eliminated.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// The time charged for the move, in microseconds.
    pub(crate) time_us: u64,
    /// The limit of the seat's next move, in microseconds: the rest of its clock, or the time for each move.
    pub(crate) clock_us: u64,
    /// The bot's statements about its search; null if it made none.
    pub(crate) said: Option<SaidRecord>,
    /// The moves that the bot ponders on after this one; missing if it does not ponder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ponder: Option<Vec<String>>,
}

/// The end of a game.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GameFinished {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The number of this try at the game, from 1.
    #[serde(rename = "try")]
    pub(crate) attempt: u32,
    /// The bots in seat order.
    pub(crate) seats: Vec<String>,
    /// The place of each seat; null if the game has no result.
    pub(crate) places: Option<Vec<u8>>,
    /// The reason for the end, as in its record; null if the game has no result.
    pub(crate) reason: Option<String>,
    /// Why the game has no result, as in its record; null if it has one.
    pub(crate) void: Option<String>,
    /// The end of the game, in words for people.
    pub(crate) sentence: String,
    /// The failures of bots in this game.
    pub(crate) faults: Vec<Fault>,
    /// The length of the game in milliseconds; null if it is unknown.
    pub(crate) duration_ms: Option<u64>,
    /// The number of games played so far.
    pub(crate) done: u64,
}

/// A bot's failure.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Fault {
    /// The bot's seat, from 1.
    pub(crate) seat: u8,
    /// Whose bot.
    #[serde(flatten)]
    pub(crate) bot: OfBot,
    /// The kind, as in records.
    pub(crate) fault: String,
    /// `time`: true if the move was late only because the machine was overloaded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) overload: bool,
}

/// A game that is played again.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GameVoid {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The number of this try at the game, from 1.
    #[serde(rename = "try")]
    pub(crate) attempt: u32,
    /// Why the game has no result, in words for people.
    pub(crate) why: String,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct OfGame {
    /// The game's id.
    pub(crate) id: String,
}

/// A bot.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct OfBot {
    /// The bot's name.
    name: String,
    /// The same, by its name in tables.
    bot: String,
}

impl From<String> for OfBot {
    fn from(name: String) -> OfBot {
        OfBot { bot: name.clone(), name }
    }
}

/// A bot that plays no more games.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct BotWithdrawn {
    /// The bot.
    #[serde(flatten)]
    pub(crate) bot: OfBot,
    /// In how many games in a row it crashed or was not ready; 0 if it could not be started before the first.
    pub(crate) games: u64,
}

/// A change of the number of games played at once.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct AtOnceChanged {
    /// The number of games played at once from now on.
    pub(crate) at_once: u64,
    /// The id of the game whose end caused the change.
    pub(crate) id: String,
}

/// A wait until the machine is quieter.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Waiting {
    /// The number of games that are to be played again.
    pub(crate) games: u64,
    /// Maximum length of the wait, in milliseconds.
    pub(crate) at_most_ms: u64,
}

/// A worker of a run that other machines play.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct WorkerState {
    /// Its name.
    pub(crate) worker: String,
    /// A number that tells it from other processes of the same name.
    pub(crate) instance: u64,
    /// `new`, `there` or `gone`.
    pub(crate) presence: &'static str,
    /// The number of games that it plays at once.
    pub(crate) slots: u32,
    /// The number of games that it is playing.
    pub(crate) running: u32,
    /// The number of games that it has played.
    pub(crate) games: u64,
    /// The number of games that it broke off, and of packs that it could not read.
    pub(crate) broken_off: u64,
    /// The speed of one core of its machine, in positions per second; null if it is not known.
    pub(crate) speed: Option<u64>,
    /// The time since its last word, in milliseconds.
    pub(crate) silent_ms: u64,
}

/// A number of games.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Games {
    /// The number.
    pub(crate) games: u64,
}

/// Games that were played in an earlier run and count.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GamesTakenUp {
    /// The number.
    pub(crate) games: u64,
    /// The number of games played so far, including these.
    pub(crate) done: u64,
}

/// A warning for people.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Warning {
    /// The warning in words.
    pub(crate) text: String,
}

/// The standings.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Standings {
    /// The bots or teams, the highest share of points first.
    pub(crate) standings: Vec<Standing>,
}

/// The standing of one bot or team.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Standing {
    /// Its name.
    pub(crate) name: String,
    /// The same, if bots take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bot: Option<String>,
    /// The same, if teams take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<String>,
    /// Its points.
    pub(crate) points: f64,
    /// The number of its games.
    pub(crate) games: u64,
    /// Its latest rating; null if it has none yet.
    pub(crate) elo: Option<f64>,
    /// Where the rating is.
    #[serde(flatten)]
    pub(crate) ends: EloEnds,
}

/// The state of a sequential test.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Test {
    /// `accepted`, `rejected` or `undecided`.
    pub(crate) status: String,
    /// The log-likelihood ratio; null if there is none yet.
    pub(crate) llr: Option<f64>,
    /// The bound at which the new bot is rejected.
    pub(crate) lower: f64,
    /// The bound at which the new bot is accepted.
    pub(crate) upper: f64,
    /// The Elo difference of the new bot from the base; null if there is no estimate yet.
    pub(crate) elo: Option<f64>,
    /// Where that is.
    #[serde(flatten)]
    pub(crate) ends: EloEnds,
    /// The likelihood that the new bot is the stronger one, 0 to 1.
    pub(crate) los: Option<f64>,
    /// The number of pairs in which the new bot got 0, 1/2, 1, 1 1/2 and 2 points; null if games are counted
    /// one by one.
    pub(crate) pairs: Option<[u64; 5]>,
    /// The number of games that repeat an earlier one move for move and don't count.
    pub(crate) repeated: u64,
    /// The same, by its name in reports.
    pub(crate) games_repeated: u64,
}

/// Events that were left out.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Gap {
    /// The number.
    pub(crate) lost: u64,
}

/// The end of the command.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct RunFinished {
    /// `complete`, `decided`, `repeating`, `withdrawn`, `stopped`, or `failed` if it could not go on.
    pub(crate) status: String,
    /// The exit status.
    pub(crate) exit: u8,
    /// The failure, in words for people; null if nothing failed.
    pub(crate) error: Option<String>,
}
