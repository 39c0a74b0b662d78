//! The fields of a line of events. `docs/reference/events.md` and the JSON schema
//! beside it are the contract; a reader ignores fields and events that it does
//! not know.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// The version of the format that this program writes.
pub(crate) const VERSION: u32 = 1;

/// Something that happened in a run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    /// Games begin to be played.
    RunStarted(RunStarted),
    /// A game begins.
    GameStarted(GameStarted),
    /// A game has its final record.
    GameFinished(GameFinished),
    /// A game was made void by the host and is played again.
    GameVoid(GameVoid),
    /// A game was broken off and left no record.
    GameBrokenOff(OfGame),
    /// A bot crashed at once in game after game: no more of its games are begun.
    BotWithdrawn(BotWithdrawn),
    /// A bot uses CPU out of turn and is paused then from now on.
    BotPaused(OfBot),
    /// The host is overloaded: fewer games are played at once from now on.
    FewerAtOnce(AtOnceChanged),
    /// The host is no longer overloaded: more games are played at once from now on.
    MoreAtOnce(AtOnceChanged),
    /// Only games that an overloaded host spoiled are left: the run waits until it is quieter.
    Waiting(Waiting),
    /// A match is decided: some games need not be played.
    GamesSpared(Games),
    /// A round is drawn to which games belong that were played before: they count.
    GamesTakenUp(GamesTakenUp),
    /// Something that people are warned of.
    Warning(Warning),
    /// How it stands, from time to time and at the end.
    Standings(Standings),
    /// How a sequential test stands, from time to time and at the end.
    Test(Test),
    /// So many events were left out because nobody read them in time.
    Gap(Gap),
    /// The command ends. Nothing follows.
    RunFinished(RunFinished),
}

/// What is going to be played.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct RunStarted {
    /// The version of the format: 1.
    pub(crate) v: u32,
    /// The program that writes this.
    pub(crate) software: String,
    /// The league's name.
    pub(crate) league: String,
    /// The game's name.
    pub(crate) game: String,
    /// Every option with its value.
    pub(crate) options: BTreeMap<String, serde_json::Value>,
    /// `movetime=1s`, `tc=60s+500ms` or `tc=40/60s+500ms`.
    pub(crate) time_control: String,
    /// The time that it counts: `wall` or `cpu`.
    pub(crate) clock: String,
    /// By which schedule: `round-robin`, `swiss` and so on.
    pub(crate) schedule: String,
    /// Who takes part: bots, or teams.
    pub(crate) entrants: Vec<String>,
    /// How many games there are, at most; null where there is no end.
    pub(crate) games: Option<u64>,
    /// Whether `games` is `exact`, `at_most` or `endless`.
    pub(crate) length: Length,
    /// How many had been played before.
    pub(crate) done: u64,
    /// How many games are played at once.
    pub(crate) at_once: u64,
    /// The process that a signal can be sent to.
    pub(crate) pid: u32,
}

/// What a number of games means.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Length {
    /// Just so many.
    Exact,
    /// Not more.
    AtMost,
    /// There is no end.
    Endless,
}

/// A game and who plays it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GameStarted {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The how-manieth try at it, from 1.
    #[serde(rename = "try")]
    pub(crate) attempt: u32,
    /// The bots in seat order.
    pub(crate) seats: Vec<String>,
    /// Where it is played, from 1 to `at_once`.
    pub(crate) slot: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GameFinished {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The how-manieth try at it, from 1.
    #[serde(rename = "try")]
    pub(crate) attempt: u32,
    /// The bots in seat order.
    pub(crate) seats: Vec<String>,
    /// The place of each seat; null if the game has no result.
    pub(crate) places: Option<Vec<u8>>,
    /// What ended it, as in its record; null if it has no result.
    pub(crate) reason: Option<String>,
    /// Why it has no result, as in its record; null if it has one.
    pub(crate) void: Option<String>,
    /// How it ended, in words for people.
    pub(crate) sentence: String,
    /// Who failed, and how.
    pub(crate) faults: Vec<Fault>,
    /// How long it took.
    pub(crate) duration_ms: Option<u64>,
    /// How many games have been played.
    pub(crate) done: u64,
}

/// A bot's failure.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Fault {
    /// Whose, from 1.
    pub(crate) seat: u8,
    /// The bot's name.
    pub(crate) name: String,
    /// The kind, as in records.
    pub(crate) fault: String,
    /// `time`: whether it was late for no other reason than an overloaded host.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) overload: bool,
}

/// A game that is played again.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GameVoid {
    /// The game's id, as in its record.
    pub(crate) id: String,
    /// The how-manieth try it was, from 1.
    #[serde(rename = "try")]
    pub(crate) attempt: u32,
    /// Why it has no result, in words for people.
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
    pub(crate) name: String,
}

/// A bot that does not play on.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct BotWithdrawn {
    /// The bot's name.
    pub(crate) name: String,
    /// In how many games in a row it crashed or was not ready; 0 if it could not be started before the first.
    pub(crate) games: u64,
}

/// Another number of games at once.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct AtOnceChanged {
    /// How many from now on.
    pub(crate) at_once: u64,
    /// The game whose end changed it: one that the host spoiled, or one that it did not.
    pub(crate) id: String,
}

/// A wait for a quieter host.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Waiting {
    /// The number of games that are to be played again.
    pub(crate) games: u64,
    /// Maximum length of the wait, in milliseconds.
    pub(crate) at_most_ms: u64,
}

/// A number of games.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Games {
    /// How many.
    pub(crate) games: u64,
}

/// Games that were played before and count.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct GamesTakenUp {
    /// How many.
    pub(crate) games: u64,
    /// How many games have been played so far, with these.
    pub(crate) done: u64,
}

/// Something that people are warned of.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Warning {
    /// In words for people.
    pub(crate) text: String,
}

/// How it stands.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Standings {
    /// Who takes part, the highest share of points first.
    pub(crate) standings: Vec<Standing>,
}

/// How one bot or team stands.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Standing {
    /// Its name.
    pub(crate) name: String,
    /// Its points.
    pub(crate) points: f64,
    /// In how many games.
    pub(crate) games: u64,
    /// Its rating when that was last computed; null where there is none yet.
    pub(crate) elo: Option<f64>,
    /// Where the rating is with 95 % confidence; null where there is no bound.
    pub(crate) interval: Option<[Option<f64>; 2]>,
}

/// How a sequential test stands.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Test {
    /// `accepted`, `rejected` or `undecided`.
    pub(crate) status: String,
    /// The log-likelihood ratio; null where there is none yet.
    pub(crate) llr: Option<f64>,
    /// The bound at which the new bot is rejected.
    pub(crate) lower: f64,
    /// The bound at which it is accepted.
    pub(crate) upper: f64,
    /// How much stronger the new bot is, in Elo; null where nothing says so yet.
    pub(crate) elo: Option<f64>,
    /// Where that is with 95 % confidence; null where there is no bound.
    pub(crate) interval: Option<[Option<f64>; 2]>,
    /// The likelihood that the new bot is the stronger one, 0 to 1.
    pub(crate) los: Option<f64>,
    /// Pairs by what the new bot made of them: nothing, half a point, one, one and a half, two;
    /// null where games are counted one by one.
    pub(crate) pairs: Option<[u64; 5]>,
    /// How many games repeat earlier ones move by move and don't count.
    pub(crate) repeated: u64,
}

/// Events that are missing.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct Gap {
    /// How many.
    pub(crate) lost: u64,
}

/// How the command ends.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct RunFinished {
    /// `complete`, `decided`, `repeating`, `withdrawn`, `stopped`, or `failed` if it could not go on.
    pub(crate) status: String,
    /// The exit status.
    pub(crate) exit: u8,
    /// What failed, in words for people; null if nothing did.
    pub(crate) error: Option<String>,
}
