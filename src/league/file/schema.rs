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

const DURATION: &str = r"^[0-9]+ms$|^[0-9]+(\.[0-9]{1,3})?(s|min|h)$";
const CLOCK: &str = r"^([1-9][0-9]{0,3}/)?([0-9]+ms|[0-9]+(\.[0-9]{1,3})?(s|min|h))(\+([0-9]+ms|[0-9]+(\.[0-9]{1,3})?(s|min|h)))?$";
const SIZE: &str = r"^[0-9]+(B|KiB|MiB|GiB)$";
const NAME: &str = r"^[A-Za-z0-9._+-]*[A-Za-z0-9][A-Za-z0-9._+-]*$";

/// A linesman tournament: who plays what against whom, and by which limits.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "linesman tournament")]
#[schemars(extend("oneOf" = [{"required": ["movetime"]}, {"required": ["tc"]}]))]
#[expect(dead_code, reason = "only its shape is used")]
struct TournamentFile {
    /// The version of the format.
    #[schemars(range(min = 1, max = 1))]
    version: u32,
    /// What the tournament is called; the file's name without its ending if not given.
    name: Option<String>,
    /// The game: `linesman games` lists them.
    game: String,
    /// The game's options: `linesman games GAME` lists them. An option that takes text
    /// may be read from a file, seen from this one's folder: `"@FILE"`.
    options: Option<BTreeMap<String, Text>>,
    /// Who meets whom.
    #[schemars(extend("default" = "round-robin"))]
    schedule: Option<Schedule>,
    /// How often all who meet do so from every seat; the number of rounds of a Swiss.
    #[schemars(range(min = 1, max = 1_000_000), extend("default" = 1))]
    rounds: Option<u32>,
    /// After how many games the schedule ends; all of them if not given, and never for a ladder.
    #[schemars(range(min = 1))]
    games: Option<u64>,
    /// Who meets all others in a gauntlet: names of bots, or of teams where there are teams.
    #[schemars(length(min = 1))]
    challengers: Option<Vec<String>>,
    /// Whether those who are paired in a Swiss play one game, and not one from each seat.
    #[schemars(extend("default" = false))]
    single_games: Option<bool>,
    /// The encounters of a match of a knockout, each a game from either side.
    #[schemars(range(min = 1, max = 1_000), extend("default" = 1))]
    best_of: Option<u32>,
    /// How many more encounters there are at most while a match is level; then the better seed goes on.
    #[schemars(range(min = 0, max = 1_000), extend("default" = 3))]
    sudden_death: Option<u32>,
    /// The master seed, from which every game's seed is derived.
    #[schemars(extend("default" = 1))]
    seed: Option<u64>,
    /// How many games run at once; `"auto"` is as many as the machine has cores for.
    #[schemars(extend("default" = "auto"))]
    concurrency: Option<Concurrency>,
    /// Whether games may use more cores than there are.
    #[schemars(extend("default" = false))]
    oversubscribe: Option<bool>,
    /// Whether games are kept on cores of their own.
    #[schemars(extend("default" = "auto"))]
    affinity: Option<Affinity>,
    /// Whether bots may think while they are not on move; a game then takes as
    /// many cores as it has seats.
    #[schemars(extend("default" = false))]
    ponder: Option<bool>,
    /// Which bots are stopped while they are not on move.
    #[schemars(extend("default" = "auto"))]
    pause: Option<Pause>,
    /// The consequence of late moves that an overloaded host explains, once a game has been tried
    /// as often as one run tries it.
    #[schemars(extend("default" = "open"))]
    overload: Option<OverloadPolicy>,
    /// What keeps the bots from what is not theirs.
    #[schemars(extend("default" = "auto"))]
    sandbox: Option<Sandbox>,
    /// The limit for every move: `"1s"`, `"200ms"`. Either this or `tc`.
    #[schemars(regex(pattern = DURATION))]
    movetime: Option<String>,
    /// A clock: the time at the start and what each move adds, `"60s+500ms"`; `"40/60s+500ms"`
    /// gives the time at the start again after every 40 moves of a bot.
    #[schemars(regex(pattern = CLOCK))]
    tc: Option<String>,
    /// The time that `movetime` and `tc` count.
    #[schemars(extend("default" = "wall"))]
    clock: Option<Clock>,
    /// With `clock = "cpu"`: a move may take so many times its limit and margin of wall time.
    #[schemars(range(min = 1, max = 1000), extend("default" = 10))]
    wall_bound: Option<u32>,
    /// What is forgiven of a late move.
    #[schemars(regex(pattern = DURATION), extend("default" = "50ms"))]
    margin: Option<String>,
    /// What every bot may take.
    limits: Option<Limits>,
    /// How the results are rated.
    rating: Option<Rating>,
    /// The test that ends the tournament as soon as it is decided: whether the first of two is
    /// stronger than the second.
    test: Option<Test>,
    /// What games start from, if not from the usual start; all games of an encounter
    /// from the same opening.
    openings: Option<Openings>,
    /// When games of two sides are decided before their rules do; never if not given.
    adjudication: Option<Adjudication>,
    /// The bots; at least as many as the game has seats, or two in a game of teams.
    #[schemars(length(min = 2))]
    bots: Vec<Bot>,
    /// The teams of a game of teams; each bot is a team of its own if not given.
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
    /// Round by round those meet who have equally many points, and nobody meets anybody twice.
    Swiss,
    /// Who loses a match is out.
    Knockout,
    /// Always those meet whose games tell most about the ratings, until `games` or without end.
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
    /// Where it does no harm.
    Auto,
    /// Never.
    Off,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Sandbox {
    /// The strongest that works on this machine; what does not hold is said.
    Auto,
    /// All of it, or nothing is played.
    Strict,
    /// What needs no privileges and no packages.
    Portable,
    /// Nothing: bots may do all that you may. What they use is still watched.
    Off,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Pause {
    /// Those that were found to use CPU then.
    Auto,
    /// All.
    Always,
    /// None.
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
    /// Wall time; what the host takes is not held against a bot.
    Wall,
    /// The CPU time of all processes of a bot, which no load of the machine changes.
    Cpu,
}

/// What a bot may take.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Limits {
    /// For `ugiok`, the start included.
    #[schemars(regex(pattern = DURATION), extend("default" = "10s"))]
    start: Option<String>,
    /// For `readyok`.
    #[schemars(regex(pattern = DURATION), extend("default" = "10s"))]
    ready: Option<String>,
    /// For a move, whatever the clock says; the clock alone if not given.
    #[schemars(regex(pattern = DURATION))]
    r#move: Option<String>,
    /// For ending after `quit`, before it is killed.
    #[schemars(regex(pattern = DURATION), extend("default" = "500ms"))]
    quit: Option<String>,
    /// A line of its output.
    #[schemars(regex(pattern = SIZE), extend("default" = "64KiB"))]
    line: Option<String>,
    /// Its output while it is on move.
    #[schemars(regex(pattern = SIZE), extend("default" = "8MiB"))]
    output_on_move: Option<String>,
    /// Its output in a game while it is not on move.
    #[schemars(regex(pattern = SIZE), extend("default" = "1MiB"))]
    output_off_move: Option<String>,
    /// The memory of all its processes.
    #[schemars(regex(pattern = SIZE), extend("default" = "1GiB"))]
    memory: Option<String>,
    /// Its processes and threads.
    #[schemars(range(min = 1, max = 1_000_000), extend("default" = 128))]
    processes: Option<u64>,
    /// The open files of one of its processes.
    #[schemars(range(min = 16, max = 1_000_000), extend("default" = 256))]
    open_files: Option<u64>,
    /// One file that it writes.
    #[schemars(regex(pattern = SIZE), extend("default" = "16MiB"))]
    file_size: Option<String>,
    /// The CPU time of one of its processes, in whole seconds; as much as it likes if not given.
    #[schemars(regex(pattern = DURATION))]
    cpu: Option<String>,
    /// The games in a row in which it crashes at once or is not ready, before it is withdrawn; 0 = any number.
    #[schemars(range(min = 0, max = 1_000_000), extend("default" = 5))]
    crashes: Option<u64>,
}

/// How the results are rated.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Rating {
    /// The way to ratings.
    #[schemars(extend("default" = "likelihood"))]
    method: Option<Method>,
    /// The mean of all ratings; with an anchor, the anchor's rating.
    #[schemars(extend("default" = 1500))]
    mean: Option<f64>,
    /// The name of a bot whose rating is fixed at `mean`.
    anchor: Option<String>,
    /// How far one game moves a rating, with `method = "incremental"`.
    #[schemars(extend("default" = 20))]
    k: Option<f64>,
}

/// When games of two sides are decided before their rules do.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Adjudication {
    /// A side has won when its bots say this score or more (`info score cp`), and
    /// the others this below 0 or less.
    #[schemars(range(min = 1, max = 4_294_967_295_u32))]
    win_score: Option<u32>,
    /// With how many of their moves in a row each must say so.
    #[schemars(range(min = 1, max = 4_294_967_295_u32), extend("default" = 4))]
    win_moves: Option<u32>,
    /// Nobody has won when all bots say no more than this score, and no less than
    /// this below 0.
    draw_score: Option<u32>,
    /// With how many of their moves in a row each must say so.
    #[schemars(range(min = 1, max = 4_294_967_295_u32), extend("default" = 8))]
    draw_moves: Option<u32>,
    /// But not before so many plies have been played.
    #[schemars(extend("default" = 40))]
    draw_from: Option<u32>,
    /// A table of the solved game, seen from this file's folder: `linesman solve --save`.
    table: Option<String>,
    /// The table decides games, but not before so many plies have been played.
    table_from: Option<u32>,
}

/// What games start from: `file` or `list`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["file"]}, {"required": ["list"]}]))]
#[expect(dead_code, reason = "only its shape is used")]
struct Openings {
    /// A file of openings, seen from this one's folder.
    file: Option<String>,
    /// The openings themselves, each the moves from the usual start, or `token`, a
    /// position's token and moves: `"c1c5 a1a5"`.
    #[schemars(length(min = 1))]
    list: Option<Vec<String>>,
    /// In which order they come up.
    #[schemars(extend("default" = "random"))]
    order: Option<Order>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Order {
    /// For everyone who meets in a shuffled order of their own.
    Random,
    /// In that of the list: the second encounter of all is played from the second.
    Sequential,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its shape is used")]
enum Method {
    /// The ratings under which the results are most likely.
    Likelihood,
    /// Game after game, each moving two ratings a little.
    Incremental,
}

/// A sequential test of the first bot against the second.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Test {
    /// The Elo by which the first one is stronger if the test is to reject.
    elo0: f64,
    /// The Elo by which it is stronger if the test is to accept.
    elo1: f64,
    /// How often the test may accept although `elo0` is true.
    #[schemars(range(min = 0, max = 1), extend("default" = 0.05))]
    alpha: Option<f64>,
    /// How often the test may reject although `elo1` is true.
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
    /// Usual Elo.
    Logistic,
    /// Elo by the standard deviation of the results.
    Normalized,
}

/// A bot.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Bot {
    /// Its name: letters, digits, `.` `_` `+` `-`; no other bot has it.
    #[schemars(length(max = 40), regex(pattern = NAME))]
    name: String,
    /// The name that it had in this league before: it goes on with the games that it played by that name.
    #[schemars(length(max = 40), regex(pattern = NAME))]
    was: Option<String>,
    /// How it is started: a line with quotes as in a shell, or an array of
    /// words. `linesman` as the first word is this very program.
    command: Command,
    /// The folder that it runs in, seen from the file's folder.
    dir: Option<String>,
    /// Files and folders that it may read besides its own, seen from its folder.
    read: Option<Vec<String>>,
    /// How much it may write, in a folder of its own that is empty at its start and
    /// gone at its end: its `TMPDIR` and `HOME`. If not given it may write nowhere.
    #[schemars(regex(pattern = SIZE))]
    scratch: Option<String>,
    /// Environment variables that it gets.
    env: Option<BTreeMap<String, Text>>,
    /// Its own options, sent to it as `setoption`.
    options: Option<BTreeMap<String, Text>>,
    /// What this bot may take, where it differs from the others.
    limits: Option<Limits>,
    /// How many cores it uses while it thinks.
    #[schemars(range(min = 1, max = 4096), extend("default" = 1))]
    threads: Option<u32>,
    /// Its rating before the tournament, by which a Swiss and a knockout are seeded.
    #[schemars(range(min = -9999, max = 9999))]
    elo: Option<i32>,
}

/// A team.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Team {
    /// Its name: letters, digits, `.` `_` `+` `-`; no other team has it.
    #[schemars(length(max = 40), regex(pattern = NAME))]
    name: String,
    /// The names of its bots: one that takes all seats of the team, or one for each seat.
    #[schemars(length(min = 1, max = 2))]
    bots: Vec<String>,
    /// Its rating before the tournament, by which a Swiss and a knockout are seeded.
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
