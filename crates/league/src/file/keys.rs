//! All keys of a tournament file: name, kind and range, effect on a running league, example, description, default.
//!
//! The reader, the [schema](super::schema), the [reference](super::reference) and the comparison of a running
//! league's file with a new one are derived from these tables. A new key also needs a field in
//! [`Tournament`](super::Tournament), a line that reads it in `parse.rs` (`pairing.rs` for schedules, `bot.rs` for
//! bots), and a line in `tournaments/example.toml`. A new limit needs a field in [`Limits`](super::Limits) instead, and
//! no line that reads it. A new section needs a table, an entry in `TABLES`, and a `SubTable` or `SubTables` key in
//! `top`.

use std::num::NonZeroU64;

use super::key::{Change, Choice, Effect, Key, KeyTable, harmless, limit, of_bot, optional_limit, refused};
use super::kinds::{
    Bytes, Command, Flag, GameClock, GamesAtOnce, Integer, Number, Pairs, SubTable, SubTables, Text, Texts,
    Time, Word,
};
use super::need::Need;
use super::tournament::{
    Affinity, Concurrency, Method, OverloadPolicy, Oversubscribe, Pause, Ponder, ScheduleKind,
};
use crate::openings::Order;
use crate::schedule::swiss::Unit;
use linesman_rating::sprt::Model;
use linesman_sandbox::isolation::Sandbox;
use linesman_types::time_control::{ClockKind, TimeControl, Work};

/// The default probability of each kind of error in `[test]`.
pub const DEFAULT_ERROR: f64 = 0.05;

/// All tables, the top of the file first.
pub(super) static TABLES: [&KeyTable; 9] = [
    &top::TABLE,
    &limits::TABLE,
    &rating::TABLE,
    &test::TABLE,
    &openings::TABLE,
    &adjudication::TABLE,
    &workers::TABLE,
    &bots::TABLE,
    &teams::TABLE,
];

const MAX_U32: i64 = u32::MAX as i64;

/// The maximum number of positions per move.
const MAX_NODES: i64 = 1_000_000_000_000;

/// Returns the values, or `None` if there are none.
fn given<V>(values: Vec<V>) -> Option<Vec<V>> {
    Some(values).filter(|values| !values.is_empty())
}

/// Makes a module with a table and its keys.
macro_rules! table {
    (
        $module:ident $heading:literal $path:literal $definition:literal $about:literal $unset:literal $choice:expr;
        $($id:ident: $kind:ty = $key:expr;)+
    ) => {
        pub(super) mod $module {
            use super::*;

            $(pub(in crate::file) static $id: Key<$kind> = $key;)+

            pub(in crate::file) static TABLE: KeyTable = KeyTable {
                heading: $heading,
                path: $path,
                definition: $definition,
                about: $about,
                choice: $choice,
                unset: $unset,
                keys: &[$(&$id),+],
            };
        }
    };
}

table! {
    top "" "" "" "A linesman tournament: the game, the bots, who meets whom, and the limits." "none"
        Choice::One(&["movetime", "tc", "nodes", "depth"]);

    VERSION: Integer<u32> = Key::new("version", Integer::between(1, 1), Change::OWN_RULE, "1",
        "The version of the file format.").required();
    NAME: Text = Key::new("name", Text::ANY, harmless(|t| Some(t.name.clone())), "\"winter\"",
        "The name of the tournament. Default: the name of this file without `.toml`.");
    GAME: Text = Key::new("game", Text::ANY, refused(|t| Some(t.game.id().to_owned())), "\"quixo\"",
        "The game; run `linesman games` for a list.").required();
    // The options are compared one by one.
    OPTIONS: Pairs = Key::new("options", Pairs, Change::OWN_RULE, "{ max_plies = 90 }",
        "The options of the game; run `linesman games GAME` for a list. `\"@FILE\"` reads a text option from a \
         file, relative to the folder of this file.");
    SCHEDULE: Word<ScheduleKind> = Key::new("schedule", Word { words: &[
            (ScheduleKind::RoundRobin, "Everyone meets everyone, from every seat."),
            (ScheduleKind::Gauntlet, "The challengers meet all others, from every seat."),
            (ScheduleKind::Swiss,
                "In each round those with equal points meet, and nobody meets the same opponent twice."),
            (ScheduleKind::Knockout, "The loser of a match is eliminated."),
            (ScheduleKind::Ladder, "The bots whose games are most informative about the ratings meet next, until `games` is \
                reached or the run is stopped."),
        ], spelling: ScheduleKind::word }, refused(|t| Some(t.schedule)), "\"swiss\"",
        "The kind of schedule: who meets whom.").default(ScheduleKind::RoundRobin);
    // The number may increase.
    ROUNDS: Integer<u32> = Key::new("rounds", Integer::between(1, 1_000_000), Change::OWN_RULE, "2",
        "The number of rounds. In each round, those who meet play once from every seat.")
        .default(1).only_for(&[ScheduleKind::RoundRobin, ScheduleKind::Gauntlet, ScheduleKind::Swiss]);
    // The number may increase.
    GAMES: Integer<u64> = Key::new("games", Integer::at_least(1), Change::OWN_RULE, "100",
        "The number of games after which the schedule ends. Default: all games are played, and a ladder never ends.")
        .only_for(&[ScheduleKind::RoundRobin, ScheduleKind::Gauntlet, ScheduleKind::Ladder]);
    // New bots may be challengers.
    CHALLENGERS: Texts = Key::new("challengers", Texts { min: Some(1), max: None }, Change::OWN_RULE, "[\"a\"]",
        "The names of the bots (or teams, if there are any) that meet all others in a gauntlet.")
        .only_for(&[ScheduleKind::Gauntlet]);
    SINGLE_GAMES: Flag = Key::new("single_games", Flag, refused(|t| Some(t.pairing.unit == Unit::Game)), "true",
        "True if a pairing of a Swiss plays a single game instead of one game from each seat.")
        .default(false).only_for(&[ScheduleKind::Swiss]);
    BEST_OF: Integer<u32> = Key::new("best_of", Integer::between(1, 1_000), refused(|t| Some(t.pairing.best_of)), "3",
        "The number of encounters in a match of a knockout; an encounter is one game from each side.")
        .default(1).only_for(&[ScheduleKind::Knockout]);
    SUDDEN_DEATH: Integer<u32> = Key::new("sudden_death", Integer::between(0, 1_000),
        refused(|t| Some(t.pairing.sudden_death)), "1",
        "The maximum number of further encounters while a match is tied; after them the better seed advances.")
        .default(3).only_for(&[ScheduleKind::Knockout]);
    SEED: Integer<u64> = Key::new("seed", Integer::at_least(0), refused(|t| Some(t.seed)), "7",
        "The master seed, from which the seed of every game is derived.").default(1);
    CONCURRENCY: GamesAtOnce = Key::new("concurrency", GamesAtOnce, harmless(|t| Some(t.concurrency)), "4",
        "The number of games played at the same time; `\"auto\"` means as many as the machine has cores for.")
        .default(Concurrency::Auto);
    OVERSUBSCRIBE: Flag = Key::new("oversubscribe", Flag,
        harmless(|t| Some(t.oversubscribe == Oversubscribe::Allowed)), "true",
        "True if games may use more cores than the machine has.").default(false);
    AFFINITY: Word<Affinity> = Key::new("affinity", Word { words: &[
            (Affinity::Auto, "CPUs of its own for each game, where that does no harm."),
            (Affinity::Off, "CPUs are shared by all games."),
        ], spelling: Affinity::word }, harmless(|t| Some(t.affinity)), "\"off\"",
        "Cores of its own for each game.").default(Affinity::Auto);
    PONDER: Flag = Key::new("ponder", Flag, refused(|t| Some(t.ponder == Ponder::Allowed)), "true",
        "True if bots may think while they are not on move, and are told to if they announce it (`go ponder`); a game \
         then needs one core for each seat.")
        .default(false);
    PAUSE: Word<Pause> = Key::new("pause", Word { words: &[
            (Pause::Auto, "Bots that were found to use CPU time out of turn."),
            (Pause::Always, "All bots."),
            (Pause::Never, "No bots."),
        ], spelling: Pause::word }, harmless(|t| Some(t.pause)), "\"always\"",
        "Which bots are paused while they are not on move.").default(Pause::Auto);
    OVERLOAD: Word<OverloadPolicy> = Key::new("overload", Word { words: &[
            (OverloadPolicy::Open, "The game stays open: nobody loses it, and the next run plays it again."),
            (OverloadPolicy::Loss, "The late bot loses the last try."),
        ], spelling: OverloadPolicy::word }, harmless(|t| Some(t.overload)), "\"loss\"",
        "The result of a game in which an overloaded machine made a move late in every try of a run.")
        .default(OverloadPolicy::Open);
    SANDBOX: Word<Sandbox> = Key::new("sandbox", Word { words: &[
            (Sandbox::Auto, "The strongest isolation that works on this machine; linesman reports what does not hold."),
            (Sandbox::Strict, "Full isolation, or nothing is played."),
            (Sandbox::Portable, "Only what needs no privileges and no packages."),
            (Sandbox::Off,
                "No isolation: bots can do everything that you can do. Their memory and processes are still watched."),
        ], spelling: Sandbox::word }, harmless(|t| Some(t.sandbox)), "\"strict\"",
        "The isolation of the bots from the rest of the machine.").default(Sandbox::Auto);
    // A file has one of `movetime`, `tc`, `nodes` and `depth`, so they are compared together.
    MOVETIME: Time = Key::new("movetime", Time::SOME, Change::OWN_RULE, "\"1s\"",
        "The time limit for every move, such as `\"1s\"` or `\"200ms\"`. Set this, `tc`, `nodes` or `depth`.");
    TC: GameClock = Key::new("tc", GameClock, Change::OWN_RULE, "\"60s+500ms\"",
        "A clock: the initial time and the increment per move, such as `\"60s+500ms\"`. `\"40/60s+500ms\"` adds the \
         initial time again after every 40 moves of a bot.");
    NODES: Integer<u64> = Key::new("nodes", Integer::between(1, MAX_NODES), Change::OWN_RULE, "10000",
        "The number of positions that a bot may visit for every move, in place of a time; for bots that announce \
         `feature nodes`. A move that takes 10 minutes is late all the same, or the time of `limits.move`.");
    DEPTH: Integer<u32> = Key::new("depth", Integer::between(1, MAX_U32), Change::OWN_RULE, "4",
        "The number of plies that a bot looks ahead for every move, in place of a time; for bots that announce \
         `feature depth`. A move that takes 10 minutes is late all the same, or the time of `limits.move`.");
    CLOCK: Word<&'static str> = Key::new("clock", Word { words: &[
            (ClockKind::WORDS[0], "Wall time, minus the time for which the machine kept the bot from running."),
            (ClockKind::WORDS[1],
                "The CPU time of all processes of a bot, which does not depend on the load of the machine."),
        ], spelling: |word| word }, refused(|t| Some(t.clock.word())), "\"cpu\"",
        "The kind of time that `movetime` and `tc` count.").default(ClockKind::WORDS[0]);
    WALL_BOUND: Integer<u32> = Key::new("wall_bound", Integer::between(1, 1_000), refused(|t| match t.clock {
            ClockKind::Wall => None,
            ClockKind::Cpu { wall_bound } => Some(wall_bound.get()),
        }), "20",
        "With `clock = \"cpu\"`: the wall time that a move may take, as a multiple of its limit and margin.")
        .default(ClockKind::DEFAULT_WALL_BOUND.get());
    MARGIN: Time = Key::new("margin", Time::ANY, refused(|t| Some(t.margin)), "\"80ms\"",
        "The grace period for late moves.").default(std::time::Duration::from_millis(50));
    LIMITS: SubTable = Key::new("limits", SubTable(&limits::TABLE), Change::OWN_RULE, "{ start = \"20s\" }",
        "The limits for every bot.");
    RATING: SubTable = Key::new("rating", SubTable(&rating::TABLE), Change::OWN_RULE, "{ mean = 1000 }",
        "The rating of the results.");
    TEST: SubTable = Key::new("test", SubTable(&test::TABLE), Change::OWN_RULE, "{ elo0 = 0, elo1 = 5 }",
        "A test of whether the first of two bots is stronger than the second; the tournament ends as soon as the \
         test is decided.");
    OPENINGS: SubTable = Key::new("openings", SubTable(&openings::TABLE), Change::OWN_RULE, "{ list = [\"c1c5\"] }",
        "The openings that games start from; all games of an encounter start from the same one. Default: the usual \
         start.");
    ADJUDICATION: SubTable = Key::new("adjudication", SubTable(&adjudication::TABLE), Change::OWN_RULE,
        "{ win_score = 900 }",
        "Conditions for ending games of two sides before the rules do. Default: none.");
    WORKERS: SubTable = Key::new("workers", SubTable(&workers::TABLE), Change::OWN_RULE, "{ least_speed = 500000000 }",
        "Rules for the workers that play the games if `linesman league run` is given `--via` or `--workers`.");
    BOTS: SubTables = Key::new("bots", SubTables { table: &bots::TABLE, min: 2 }, Change::OWN_RULE,
        "[{ name = \"greedy\", command = \"linesman bot greedy\" }, { name = \"b\", command = \"./b\" }]",
        "The bots: at least as many as the game has seats, or at least two in a game of teams.").required();
    TEAMS: SubTables = Key::new("teams", SubTables { table: &teams::TABLE, min: 2 }, Change::OWN_RULE,
        "[{ name = \"ab\", bots = [\"a\", \"b\"] }, { name = \"a\", bots = [\"a\"] }]",
        "The teams in a game of teams. Default: each bot is a team of its own.");
}

table! {
    limits "[limits]" "limits" "Limits" "The limits of a bot." "none" Choice::Free;

    START: Time = Key::new("start", Time::SOME, limit(Effect::Refused, |limits| &mut limits.start), "\"20s\"",
        "The time for `ugiok`, including the start of its process.");
    READY: Time = Key::new("ready", Time::SOME, limit(Effect::Refused, |limits| &mut limits.ready), "\"20s\"",
        "The time for `readyok`.");
    MOVE: Time = Key::new("move", Time::SOME, optional_limit(|limits| &mut limits.max_move_time), "\"2s\"",
        "The time for one move, whatever the clock says. Default: only the clock counts.");
    QUIT: Time = Key::new("quit", Time::SOME, limit(Effect::Refused, |limits| &mut limits.quit), "\"1s\"",
        "The time to end after `quit`, before it is killed.");
    LINE: Bytes = Key::new("line", Bytes, limit(Effect::Refused, |limits| &mut limits.line), "\"32KiB\"",
        "The size of one line of its output.");
    OUTPUT_ON_MOVE: Bytes = Key::new("output_on_move", Bytes, limit(Effect::Refused, |limits| &mut limits.output_on_move), "\"16MiB\"",
        "The size of its output while it is on move.");
    OUTPUT_OFF_MOVE: Bytes = Key::new("output_off_move", Bytes, limit(Effect::Refused, |limits| &mut limits.output_off_move),
        "\"2MiB\"",
        "The size of its output in a game while it is not on move.");
    MEMORY: Bytes = Key::new("memory", Bytes, limit(Effect::Refused, |limits| &mut limits.memory), "\"2GiB\"",
        "The memory of all its processes.");
    PROCESSES: Integer<u64> = Key::new("processes", Integer::between(1, 1_000_000),
        limit(Effect::Refused, |limits| &mut limits.processes), "64",
        "The number of its processes and threads.");
    // The minimum covers the three standard streams and some files that the bot loads.
    OPEN_FILES: Integer<u64> = Key::new("open_files", Integer::between(16, 1_000_000),
        limit(Effect::Refused, |limits| &mut limits.open_files), "64",
        "The number of open files of one of its processes.");
    FILE_SIZE: Bytes = Key::new("file_size", Bytes, limit(Effect::Refused, |limits| &mut limits.file_size), "\"1MiB\"",
        "The size of one file that it writes.");
    CPU: Time = Key::new("cpu", Time::SOME, optional_limit(|limits| &mut limits.cpu), "\"60s\"",
        "The CPU time of one of its processes, in whole seconds. Default: no limit.");
    CRASHES: Integer<u64> = Key::new("crashes", Integer::between(0, 1_000_000),
        limit(Effect::Harmless, |limits| &mut limits.crashes), "3",
        "The number of games in a row it can crash at once, or not be ready, until it is withdrawn; 0 means any \
         number.");
}

table! {
    rating "[rating]" "rating" "Rating" "The rating of the results." "none" Choice::Free;

    METHOD: Word<Method> = Key::new("method", Word { words: &[
            (Method::Likelihood, "The ratings under which the results are most likely."),
            (Method::Incremental, "Ratings that are updated game by game, a little each time."),
        ], spelling: Method::word }, harmless(|t| Some(t.rating.method)), "\"incremental\"",
        "The rating method.").default(Method::Likelihood);
    MEAN: Number = Key::new("mean", Number::ANY, harmless(|t| Some(t.rating.mean)), "1000",
        "The mean of all ratings, or the rating of the anchor if there is one.").default(1500.0);
    ANCHOR: Text = Key::new("anchor", Text::ANY, harmless(|t| t.rating.anchor.clone()), "\"a\"",
        "The name of the bot whose rating is fixed at `mean`.");
    K: Number = Key::new("k", Number::ANY, harmless(|t| Some(t.rating.k)), "10",
        "The maximum change of a rating by one game, with `method = \"incremental\"`.").default(20.0);
}

table! {
    test "[test]" "test" "Test" "A sequential test of the first bot against the second." "not set" Choice::Free;

    ELO0: Number = Key::new("elo0", Number::ANY, refused(|t| Some(t.test.as_ref()?.elo0)), "0",
        "The Elo advantage of the first bot at which the test should reject.").required();
    ELO1: Number = Key::new("elo1", Number::ANY, refused(|t| Some(t.test.as_ref()?.elo1)), "5",
        "The Elo advantage of the first bot at which the test should accept.").required();
    ALPHA: Number = Key::new("alpha", Number::SHARE, refused(|t| Some(t.test.as_ref()?.alpha)), "0.1",
        "The probability that the test accepts although `elo0` is true.").default(DEFAULT_ERROR);
    BETA: Number = Key::new("beta", Number::SHARE, refused(|t| Some(t.test.as_ref()?.beta)), "0.1",
        "The probability that the test rejects although `elo1` is true.").default(DEFAULT_ERROR);
    MODEL: Word<Model> = Key::new("model", Word { words: &[
            (Model::Logistic, "The usual Elo scale."),
            (Model::Normalized, "Elo in units of the standard deviation of the results."),
        ], spelling: Model::word }, refused(|t| Some(t.test.as_ref()?.model)), "\"normalized\"",
        "The scale of `elo0` and `elo1`.").default(Model::Logistic);
}

// Openings are compared as a list: more may be added at its end.
table! {
    openings "[openings]" "openings" "Openings" "The openings that games start from: either `file` or `list`." "none"
        Choice::One(&["file", "list"]);

    FILE: Text = Key::new("file", Text::ANY, Change::OWN_RULE, "\"quixo.openings\"",
        "A file of openings, relative to the folder of this file.");
    LIST: Texts = Key::new("list", Texts { min: Some(1), max: None }, Change::OWN_RULE, "[\"c1c5\", \"a1a5\"]",
        "The openings themselves: each is the moves from the usual start, such as `\"c1c5 a1a5\"`, or `token`, a \
         position token and moves.");
    ORDER: Word<Order> = Key::new("order", Word { words: &[
            (Order::Random, "Each pairing uses them in its own shuffled order."),
            (Order::Sequential,
                "The order of the list: every pairing starts its second encounter from the second opening."),
        ], spelling: Order::word }, Change::OWN_RULE, "\"sequential\"",
        "The order in which they are used.").default(Order::Random);
}

table! {
    adjudication "[adjudication]" "adjudication" "Adjudication"
        "When games of two sides are decided before they end by the rules." "off" Choice::Free;

    WIN_SCORE: Integer<u32> = Key::new("win_score", Integer::between(1, MAX_U32),
        refused(|t| Some(t.adjudication.scores.win?.score)), "900",
        "A side wins when its bots report this score or more (`info score cp`), and the other bots report minus this \
         score or less.");
    WIN_MOVES: Integer<u32> = Key::new("win_moves", Integer::between(1, MAX_U32),
        refused(|t| Some(t.adjudication.scores.win?.moves)), "2",
        "The number of consecutive moves for which each bot must report a score as in `win_score`.").default(4);
    DRAW_SCORE: Integer<u32> = Key::new("draw_score", Integer::between(0, MAX_U32),
        refused(|t| Some(t.adjudication.scores.draw?.score)), "10",
        "The game is a draw when all bots report a score between minus this score and this score.");
    DRAW_MOVES: Integer<u32> = Key::new("draw_moves", Integer::between(1, MAX_U32),
        refused(|t| Some(t.adjudication.scores.draw?.moves)), "2",
        "The number of consecutive moves for which each bot must report a score as in `draw_score`.").default(8);
    DRAW_FROM: Integer<u32> = Key::new("draw_from", Integer::between(0, MAX_U32),
        refused(|t| Some(t.adjudication.scores.draw?.from)), "20",
        "The first ply at which scores can make the game a draw.").default(40);
    TABLE_FILE: Text = Key::new("table", Text::ANY, refused(|t| Some(t.adjudication.table.as_ref()?.name.clone())),
        "\"quixo.table\"",
        "A table of the solved game, made by `linesman solve --save`, relative to the folder of this file.");
    TABLE_FROM: Integer<u32> = Key::new("table_from", Integer::between(0, MAX_U32),
        refused(|t| Some(t.adjudication.table.as_ref()?.from)), "20",
        "The first ply at which the table can decide the game.");
}

table! {
    workers "[workers]" "workers" "Workers"
        "Rules for the workers that play the games over a network. A speed is a number of positions in a second, as \
         `linesman worker` says it when it starts." "not set" Choice::Free;

    REFERENCE_SPEED: Integer<u64> = Key::new("reference_speed", Integer::at_least(1),
        refused(|t| t.workers.reference_speed.map(NonZeroU64::get)), "1500000000",
        "The speed for which the times are chosen: on a worker of half this speed bots have twice the time, in `tc`, \
         `movetime` and `limits.move`. Default: all workers give the same times.");
    MIN_SPEED: Integer<u64> = Key::new("least_speed", Integer::at_least(1),
        harmless(|t| t.workers.least_speed.map(NonZeroU64::get)), "500000000",
        "The least speed of a worker; slower ones play no games. Default: any speed will do.");
    REPEAT_SHARE: Number = Key::new("repeat_share", Number::SHARE, harmless(|t| Some(t.workers.repeat_share)), "0.03",
        "The share of games, 0 to 1, that a worker of another owner plays once more, to compare what both come to. \
         Repeats are kept in `repeats.jsonl` and count for nothing else.").default(0.0);
}

table! {
    bots "[[bots]]" "bots" "Bot" "A bot." "none" Choice::OneAtMost(&["movetime", "tc", "nodes", "depth"]);

    NAME: Text = Key::new("name", Text::NAME, Change::OWN_RULE, "\"greedy\"",
        "Its name: letters, digits and `.` `_` `+` `-`, different from all other bots.").required();
    WAS: Text = Key::new("was", Text::FORMER_NAME, Change::OWN_RULE, "\"eager\"",
        "Its earlier name in this league: it continues with the games that it played under that name.");
    COMMAND: Command = Key::new("command", Command, of_bot(Effect::NewVersion, |bot| Some(bot.command.clone())),
        "\"python3 my_bot.py\"",
        "The command that starts it: a line with quotes as in a shell, or an array of words. `linesman` as the first \
         word means this program.").required();
    DIR: Text = Key::new("dir", Text::ANY, of_bot(Effect::NewVersion, |bot| bot.dir.clone()), "\"../bots\"",
        "The folder that it runs in, relative to the folder of this file.");
    READ: Texts = Key::new("read", Texts::ANY, of_bot(Effect::Refused, |bot| given(bot.read.clone())), "[\"book.bin\"]",
        "Files and folders that it may read besides its own, relative to its folder.");
    SCRATCH: Bytes = Key::new("scratch", Bytes, of_bot(Effect::Refused, |bot| bot.scratch), "\"64MiB\"",
        "The maximum size of a folder that it may write to (its `TMPDIR` and `HOME`). The folder is empty when the bot \
         starts and is deleted when it ends. Default: the bot may not write anywhere.");
    NEEDS: Texts = Key::new("needs", Texts::ANY,
        of_bot(Effect::Harmless, |bot| given(bot.needs.iter().map(Need::to_string).collect())),
        "[\"python3 >= 3.9\"]",
        "Programs that must be on the `PATH` of every machine that plays it, each with the least version that will \
         do, if that matters.");
    SETUP: Text = Key::new("setup", Text::ANY, of_bot(Effect::NewVersion, |bot| bot.setup.clone()), "\"make\"",
        "A shell command that prepares it, such as `make`. It runs in a copy of its files, in the sandbox, and once \
         for each content of them; the bot plays from that copy.");
    ENV: Pairs = Key::new("env", Pairs, of_bot(Effect::Refused, |bot| given(bot.environment.clone().into_iter().collect())),
        "{ SEED = 3 }",
        "Environment variables for it.");
    DETERMINISTIC: Flag = Key::new("deterministic", Flag, of_bot(Effect::Harmless, |bot| Some(bot.deterministic)),
        "true",
        "True if it always plays the same moves in a game with the same id, seed and opponents' moves, on any machine. \
         Repeats of games of such bots must agree move by move.").default(false);
    OPTIONS: Pairs = Key::new("options", Pairs, of_bot(Effect::Refused, |bot| given(bot.options.clone())), "{ Depth = 3 }",
        "Its own options, sent to it with `setoption`.");
    MOVETIME: Time = Key::new("movetime", Time::SOME, of_bot(Effect::Refused, |bot| match bot.time_control? {
            TimeControl::MoveTime(limit) => Some(limit),
            TimeControl::Clock { .. } | TimeControl::Work(_) => None,
        }), "\"2s\"",
        "The time limit for every move of this bot, in place of the time control of the other bots.");
    TC: GameClock = Key::new("tc", GameClock, of_bot(Effect::Refused, |bot| match bot.time_control? {
            TimeControl::MoveTime(_) | TimeControl::Work(_) => None,
            clock @ TimeControl::Clock { .. } => Some(clock),
        }), "\"30s+100ms\"",
        "A clock of this bot's own, in place of the time control of the other bots.");
    NODES: Integer<u64> = Key::new("nodes", Integer::between(1, MAX_NODES),
        of_bot(Effect::Refused, |bot| match bot.time_control? {
            TimeControl::Work(Work::Nodes(nodes)) => Some(nodes.get()),
            TimeControl::Work(Work::Depth(_)) | TimeControl::MoveTime(_) | TimeControl::Clock { .. } => None,
        }), "10000",
        "The number of positions that this bot may visit for every move, in place of the time control of the other \
         bots.");
    DEPTH: Integer<u32> = Key::new("depth", Integer::between(1, MAX_U32),
        of_bot(Effect::Refused, |bot| match bot.time_control? {
            TimeControl::Work(Work::Depth(plies)) => Some(plies.get()),
            TimeControl::Work(Work::Nodes(_)) | TimeControl::MoveTime(_) | TimeControl::Clock { .. } => None,
        }), "4",
        "The number of plies that this bot looks ahead for every move, in place of the time control of the other \
         bots.");
    LIMITS: SubTable = Key::new("limits", SubTable(&limits::TABLE), Change::OWN_RULE, "{ ready = \"1min\" }",
        "The limits of this bot that differ from those for every bot.");
    THREADS: Integer<u32> = Key::new("threads", Integer::between(1, 4096), of_bot(Effect::Refused, |bot| Some(bot.threads.get())), "2",
        "The number of cores it uses while it thinks.").default(1);
    // A change matters only where it affects the pairings.
    ELO: Integer<i32> = Key::new("elo", Integer::between(-9_999, 9_999), Change::OWN_RULE, "1600",
        "Its rating before the tournament, which seeds a Swiss and a knockout.");
}

table! {
    teams "[[teams]]" "teams" "Team" "A team." "none" Choice::Free;

    NAME: Text = Key::new("name", Text::NAME, Change::OWN_RULE, "\"ab\"",
        "Its name: letters, digits and `.` `_` `+` `-`, different from all other teams.").required();
    BOTS: Texts = Key::new("bots", Texts { min: Some(1), max: Some(2) }, Change::OWN_RULE, "[\"a\", \"b\"]",
        "The names of its bots: one bot for all seats of the team, or one for each seat.").required();
    ELO: Integer<i32> = Key::new("elo", Integer::between(-9_999, 9_999), Change::OWN_RULE, "1600",
        "Its rating before the tournament, which seeds a Swiss and a knockout.");
}
