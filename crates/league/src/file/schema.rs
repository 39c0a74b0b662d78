//! The JSON schema of tournament files, by which editors complete and check
//! them: a twin of what [`parse`](super::parse()) reads. Tests hold the two together.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema as it is shipped: `tournaments/tournament.schema.json`.
pub fn json() -> String {
    // Draft 7 is what editors' TOML plugins understand.
    let settings = SchemaSettings::draft07().with_transform(RecursiveTransform(without_null));
    let schema = settings.into_generator().into_root_schema_for::<TournamentFile>();
    let mut text = format!("{:#}", schema.as_value());
    text.push('\n');
    text
}

/// Takes `null` out of what a value may be: TOML has none.
fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
    }
}

pub(super) const DURATION: &str = r"^[0-9]+ms$|^[0-9]+(\.[0-9]{1,3})?(s|min|h)$";
pub(super) const CLOCK: &str = r"^([1-9][0-9]{0,3}/)?([0-9]+ms|[0-9]+(\.[0-9]{1,3})?(s|min|h))(\+([0-9]+ms|[0-9]+(\.[0-9]{1,3})?(s|min|h)))?$";
pub(super) const SIZE: &str = r"^[0-9]+(B|KiB|MiB|GiB)$";
pub(super) const NAME: &str = r"^([._+][A-Za-z0-9._+-]*)?[A-Za-z0-9][A-Za-z0-9._+-]*$";
/// Names that bots could have in earlier versions.
pub(super) const FORMER_NAME: &str = r"^[A-Za-z0-9._+-]*[A-Za-z0-9][A-Za-z0-9._+-]*$";

/// A linesman tournament: the game, the bots, who meets whom, and the limits.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "linesman tournament")]
#[schemars(extend("oneOf" = [{"required": ["movetime"]}, {"required": ["tc"]}]))]
#[expect(dead_code, reason = "only its shape is used")]
struct TournamentFile {
    /// The version of the file format.
    #[schemars(range(min = 1, max = 1))]
    version: u32,
    /// The name of the tournament. Default: the name of this file without `.toml`.
    name: Option<String>,
    /// The game; run `linesman games` for a list.
    game: String,
    /// The options of the game; run `linesman games GAME` for a list. `"@FILE"` reads a text option from a
    /// file, relative to the folder of this file.
    options: Option<BTreeMap<String, Text>>,
    /// The kind of schedule: who meets whom.
    #[schemars(extend("default" = "round-robin"))]
    schedule: Option<Schedule>,
    /// The number of rounds. In each round, those who meet play once from every seat.
    #[schemars(range(min = 1, max = 1_000_000), extend("default" = 1))]
    rounds: Option<u32>,
    /// The number of games after which the schedule ends. Default: all games are played, and a ladder never
    /// ends.
    #[schemars(range(min = 1))]
    games: Option<u64>,
    /// The names of the bots (or teams, if there are any) that meet all others in a gauntlet.
    #[schemars(length(min = 1))]
    challengers: Option<Vec<String>>,
    /// True if a pairing of a Swiss plays a single game instead of one game from each seat.
    #[schemars(extend("default" = false))]
    single_games: Option<bool>,
    /// The number of encounters in a match of a knockout; an encounter is one game from each side.
    #[schemars(range(min = 1, max = 1_000), extend("default" = 1))]
    best_of: Option<u32>,
    /// The maximum number of further encounters while a match is tied; after them the better seed advances.
    #[schemars(range(min = 0, max = 1_000), extend("default" = 3))]
    sudden_death: Option<u32>,
    /// The master seed, from which the seed of every game is derived.
    #[schemars(extend("default" = 1))]
    seed: Option<u64>,
    /// The number of games played at the same time; `"auto"` means as many as the machine has cores for.
    #[schemars(extend("default" = "auto"))]
    concurrency: Option<Concurrency>,
    /// True if games may use more cores than the machine has.
    #[schemars(extend("default" = false))]
    oversubscribe: Option<bool>,
    /// Cores of its own for each game.
    #[schemars(extend("default" = "auto"))]
    affinity: Option<Affinity>,
    /// True if bots may think while they are not on move; a game then needs one core for each seat.
    #[schemars(extend("default" = false))]
    ponder: Option<bool>,
    /// Which bots are paused while they are not on move.
    #[schemars(extend("default" = "auto"))]
    pause: Option<Pause>,
    /// The result of a game in which an overloaded machine made a move late in every try of a run.
    #[schemars(extend("default" = "open"))]
    overload: Option<OverloadPolicy>,
    /// The isolation of the bots from the rest of the machine.
    #[schemars(extend("default" = "auto"))]
    sandbox: Option<Sandbox>,
    /// The time limit for every move, such as `"1s"` or `"200ms"`. Set either this or `tc`.
    #[schemars(regex(pattern = DURATION))]
    movetime: Option<String>,
    /// A clock: the initial time and the increment per move, such as `"60s+500ms"`. `"40/60s+500ms"` adds the
    /// initial time again after every 40 moves of a bot.
    #[schemars(regex(pattern = CLOCK))]
    tc: Option<String>,
    /// The kind of time that `movetime` and `tc` count.
    #[schemars(extend("default" = "wall"))]
    clock: Option<Clock>,
    /// With `clock = "cpu"`: the wall time that a move may take, as a multiple of its limit and margin.
    #[schemars(range(min = 1, max = 1000), extend("default" = 10))]
    wall_bound: Option<u32>,
    /// The grace period for late moves.
    #[schemars(regex(pattern = DURATION), extend("default" = "50ms"))]
    margin: Option<String>,
    /// The limits for every bot.
    limits: Option<Limits>,
    /// The rating of the results.
    rating: Option<Rating>,
    /// A test of whether the first of two bots is stronger than the second; the tournament ends as soon as
    /// the test is decided.
    test: Option<Test>,
    /// The openings that games start from; all games of an encounter start from the same one. Default: the
    /// usual start.
    openings: Option<Openings>,
    /// Conditions for ending games of two sides before the rules do. Default: none.
    adjudication: Option<Adjudication>,
    /// The bots: at least as many as the game has seats, or at least two in a game of teams.
    #[schemars(length(min = 2))]
    bots: Vec<Bot>,
    /// The teams in a game of teams. Default: each bot is a team of its own.
    #[schemars(length(min = 2))]
    teams: Option<Vec<Team>>,
}

/// A whole number, a string, `true` or `false`.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Text {
    Integer(i64),
    Flag(bool),
    String(String),
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Schedule {
    /// Everyone meets everyone, from every seat.
    RoundRobin,
    /// The challengers meet all others, from every seat.
    Gauntlet,
    /// In each round those with equal points meet, and nobody meets the same opponent twice.
    Swiss,
    /// The loser of a match is out.
    Knockout,
    /// The bots whose games tell most about the ratings meet next, until `games` is reached or the run is
    /// stopped.
    Ladder,
}

#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Concurrency {
    Auto(Auto),
    Games(#[schemars(range(min = 1, max = 100_000))] u32),
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Auto {
    /// As many as the machine has cores for.
    Auto,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Affinity {
    /// CPUs of its own for each game, where that does no harm.
    Auto,
    /// CPUs are shared by all games.
    Off,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Sandbox {
    /// The strongest isolation that works on this machine; linesman reports what does not hold.
    Auto,
    /// Full isolation, or nothing is played.
    Strict,
    /// Only what needs no privileges and no packages.
    Portable,
    /// No isolation: bots can do everything that you can do. Their memory and processes are still watched.
    Off,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Pause {
    /// Bots that were found to use CPU time out of turn.
    Auto,
    /// All bots.
    Always,
    /// No bots.
    Never,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum OverloadPolicy {
    /// The game stays open: nobody loses it, and the next run plays it again.
    Open,
    /// The late bot loses the last try.
    Loss,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Clock {
    /// Wall time, without the time that the machine took.
    Wall,
    /// The CPU time of all processes of a bot, which does not depend on the load of the machine.
    Cpu,
}

/// The limits of a bot.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Limits {
    /// The time for `ugiok`, including the start of its process.
    #[schemars(regex(pattern = DURATION), extend("default" = "10s"))]
    start: Option<String>,
    /// The time for `readyok`.
    #[schemars(regex(pattern = DURATION), extend("default" = "10s"))]
    ready: Option<String>,
    /// The time for one move, whatever the clock says. Default: only the clock counts.
    #[schemars(regex(pattern = DURATION))]
    r#move: Option<String>,
    /// The time to end after `quit`, before it is killed.
    #[schemars(regex(pattern = DURATION), extend("default" = "500ms"))]
    quit: Option<String>,
    /// The size of one line of its output.
    #[schemars(regex(pattern = SIZE), extend("default" = "64KiB"))]
    line: Option<String>,
    /// The size of its output while it is on move.
    #[schemars(regex(pattern = SIZE), extend("default" = "8MiB"))]
    output_on_move: Option<String>,
    /// The size of its output in a game while it is not on move.
    #[schemars(regex(pattern = SIZE), extend("default" = "1MiB"))]
    output_off_move: Option<String>,
    /// The memory of all its processes.
    #[schemars(regex(pattern = SIZE), extend("default" = "1GiB"))]
    memory: Option<String>,
    /// The number of its processes and threads.
    #[schemars(range(min = 1, max = 1_000_000), extend("default" = 128))]
    processes: Option<u64>,
    /// The number of open files of one of its processes.
    #[schemars(range(min = 16, max = 1_000_000), extend("default" = 256))]
    open_files: Option<u64>,
    /// The size of one file that it writes.
    #[schemars(regex(pattern = SIZE), extend("default" = "16MiB"))]
    file_size: Option<String>,
    /// The CPU time of one of its processes, in whole seconds. Default: no limit.
    #[schemars(regex(pattern = DURATION))]
    cpu: Option<String>,
    /// The number of games in a row it can crash at once, or not be ready, until it is withdrawn; 0 means any
    /// number.
    #[schemars(range(min = 0, max = 1_000_000), extend("default" = 5))]
    crashes: Option<u64>,
}

/// The rating of the results.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Rating {
    /// The rating method.
    #[schemars(extend("default" = "likelihood"))]
    method: Option<Method>,
    /// The mean of all ratings, or the rating of the anchor if there is one.
    #[schemars(extend("default" = 1500))]
    mean: Option<f64>,
    /// The name of the bot whose rating is fixed at `mean`.
    anchor: Option<String>,
    /// The maximum change of a rating by one game, with `method = "incremental"`.
    #[schemars(extend("default" = 20))]
    k: Option<f64>,
}

/// When games of two sides are decided before they end by the rules.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Adjudication {
    /// A side wins when its bots report this score or more (`info score cp`), and the other bots report minus
    /// this score or less.
    #[schemars(range(min = 1, max = 4_294_967_295_u32))]
    win_score: Option<u32>,
    /// The number of consecutive moves for which each bot must report a score as in `win_score`.
    #[schemars(range(min = 1, max = 4_294_967_295_u32), extend("default" = 4))]
    win_moves: Option<u32>,
    /// The game is a draw when all bots report a score between minus this score and this score.
    draw_score: Option<u32>,
    /// The number of consecutive moves for which each bot must report a score as in `draw_score`.
    #[schemars(range(min = 1, max = 4_294_967_295_u32), extend("default" = 8))]
    draw_moves: Option<u32>,
    /// The first ply at which scores can make the game a draw.
    #[schemars(extend("default" = 40))]
    draw_from: Option<u32>,
    /// A table of the solved game, made by `linesman solve --save`, relative to the folder of this file.
    table: Option<String>,
    /// The first ply at which the table can decide the game.
    table_from: Option<u32>,
}

/// The openings that games start from: either `file` or `list`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["file"]}, {"required": ["list"]}]))]
#[expect(dead_code, reason = "only its shape is used")]
struct Openings {
    /// A file of openings, relative to the folder of this file.
    file: Option<String>,
    /// The openings themselves: each is the moves from the usual start, such as `"c1c5 a1a5"`, or `token`, a
    /// position token and moves.
    #[schemars(length(min = 1))]
    list: Option<Vec<String>>,
    /// The order in which they are used.
    #[schemars(extend("default" = "random"))]
    order: Option<Order>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Order {
    /// Each pairing uses them in its own shuffled order.
    Random,
    /// The order of the list: every pairing starts its second encounter from the second opening.
    Sequential,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Method {
    /// The ratings under which the results are most likely.
    Likelihood,
    /// Ratings that are updated game by game, a little each time.
    Incremental,
}

/// A sequential test of the first bot against the second.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Test {
    /// The Elo advantage of the first bot at which the test should reject.
    elo0: f64,
    /// The Elo advantage of the first bot at which the test should accept.
    elo1: f64,
    /// The probability that the test accepts although `elo0` is true.
    #[schemars(range(min = 0, max = 1), extend("default" = 0.05))]
    alpha: Option<f64>,
    /// The probability that the test rejects although `elo1` is true.
    #[schemars(range(min = 0, max = 1), extend("default" = 0.05))]
    beta: Option<f64>,
    /// The scale of `elo0` and `elo1`.
    #[schemars(extend("default" = "logistic"))]
    model: Option<Model>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Model {
    /// The usual Elo scale.
    Logistic,
    /// Elo in units of the standard deviation of the results.
    Normalized,
}

/// A bot.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Bot {
    /// Its name: letters, digits and `.` `_` `+` `-`, different from all other bots.
    #[schemars(length(max = 40), regex(pattern = NAME))]
    name: String,
    /// Its earlier name in this league: it continues with the games that it played under that name.
    #[schemars(length(max = 40), regex(pattern = FORMER_NAME))]
    was: Option<String>,
    /// The command that starts it: a line with quotes as in a shell, or an array of words. `linesman` as the
    /// first word means this program.
    command: Command,
    /// The folder that it runs in, relative to the folder of this file.
    dir: Option<String>,
    /// Files and folders that it may read besides its own, relative to its folder.
    read: Option<Vec<String>>,
    /// The maximum size of a folder that it may write to (its `TMPDIR` and `HOME`). The folder is empty when
    /// the bot starts and is deleted when it ends. Default: the bot may not write anywhere.
    #[schemars(regex(pattern = SIZE))]
    scratch: Option<String>,
    /// Environment variables for it.
    env: Option<BTreeMap<String, Text>>,
    /// Its own options, sent to it with `setoption`.
    options: Option<BTreeMap<String, Text>>,
    /// The limits of this bot that differ from those for every bot.
    limits: Option<Limits>,
    /// The number of cores it uses while it thinks.
    #[schemars(range(min = 1, max = 4096), extend("default" = 1))]
    threads: Option<u32>,
    /// Its rating before the tournament, which seeds a Swiss and a knockout.
    #[schemars(range(min = -9999, max = 9999))]
    elo: Option<i32>,
}

/// A team.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Team {
    /// Its name: letters, digits and `.` `_` `+` `-`, different from all other teams.
    #[schemars(length(max = 40), regex(pattern = NAME))]
    name: String,
    /// The names of its bots: one bot for all seats of the team, or one for each seat.
    #[schemars(length(min = 1, max = 2))]
    bots: Vec<String>,
    /// Its rating before the tournament, which seeds a Swiss and a knockout.
    #[schemars(range(min = -9999, max = 9999))]
    elo: Option<i32>,
}

#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Command {
    Line(String),
    Words(#[schemars(length(min = 1))] Vec<String>),
}
