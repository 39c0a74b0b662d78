//! The conditions of games without a tournament file: the options of `match` and `test`.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::args::{self, EventsArgs, FaultArgs, OptionArgs, SandboxArgs};
use super::env;
use super::error::{Exit, Failure};
use crate::games::Setup;
use crate::games::options::OptionValue;
use crate::league::directory::Plan;
use crate::league::file::{self, Affinity, Context, Diagnostics, OverloadPolicy, Pause};
use crate::league::openings::{self, Order};
use crate::league::session::Preflight;
use crate::time_control::{ClockKind, Span, TimeControl, Work, parse_duration};

#[derive(clap::Args, Debug)]
pub(crate) struct GameArgs {
    /// Game to play; `linesman games` lists them
    #[arg(long)]
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) options: OptionArgs,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Conditions {
    /// Time limit for each move [default: 1s]
    #[arg(long, value_name = "TIME", help_heading = "Time", value_parser = TimeControl::move_time, conflicts_with_all = ["tc", "nodes", "depth"])]
    movetime: Option<TimeControl>,
    /// Clock for each bot with an increment for each move, such as `60s+500ms`;
    /// `40/60s+500ms` adds 60 s after every 40 moves
    #[arg(long, value_name = "TIME+TIME", help_heading = "Time", value_parser = TimeControl::clock, conflicts_with_all = ["nodes", "depth"])]
    tc: Option<TimeControl>,
    /// Number of positions that a bot may visit for each move, in place of a time; for bots
    /// that announce `feature nodes`
    #[arg(long, value_name = "N", help_heading = "Time", hide_short_help = true, value_parser = Work::nodes, conflicts_with = "depth")]
    nodes: Option<Work>,
    /// Number of plies that a bot looks ahead for each move, in place of a time; for bots that
    /// announce `feature depth`
    #[arg(long, value_name = "N", help_heading = "Time", hide_short_help = true, value_parser = Work::depth)]
    depth: Option<Work>,
    /// Time control of one bot in place of that of the others, such as
    /// `greedy:movetime=100ms`; may be repeated
    #[arg(long = "bot-time", value_name = "NAME:KEY=VALUE", help_heading = "Time", hide_short_help = true, value_parser = own_time)]
    own_times: Vec<OwnTime>,
    /// Time that counts: `wall`, or `cpu` for the CPU time of all processes of the bot
    /// [default: wall]
    #[arg(long, value_name = "KIND", help_heading = "Time", hide_short_help = true, value_parser = |text: &str| args::word(text, &ClockKind::WORDS, |word| word))]
    clock: Option<&'static str>,
    /// Grace period for late moves
    #[arg(long, value_name = "TIME", help_heading = "Time", hide_short_help = true, value_parser = parse_duration, default_value = "50ms")]
    margin: Duration,
    /// Number of games played at the same time [default: as many as the cores allow]
    #[arg(long, value_name = "N", help_heading = "Machine")]
    concurrency: Option<NonZeroU32>,
    /// Allow more games at the same time than there are cores
    #[arg(long, help_heading = "Machine", hide_short_help = true)]
    oversubscribe: bool,
    /// Number of cores that each bot may use [default: 1]
    #[arg(long, value_name = "N", help_heading = "Machine", hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    /// Let bots think during their opponents' turns
    #[arg(long, help_heading = "Time", hide_short_help = true)]
    ponder: bool,
    /// Which bots are paused during their opponents' turns: `auto` (those that use CPU time
    /// then), `always`, `never` [default: auto]
    #[arg(long, value_name = "WHEN", help_heading = "Machine", hide_short_help = true, value_parser = |text: &str| args::word(text, &Pause::ALL, Pause::word))]
    pause: Option<Pause>,
    /// Result of a game that an overloaded machine disturbed in every attempt: `open` (no
    /// result) or `loss` (the late bot loses) [default: open]
    #[arg(long, value_name = "RESULT", help_heading = "Machine", hide_short_help = true, value_parser = |text: &str| args::word(text, &OverloadPolicy::ALL, OverloadPolicy::word))]
    overload: Option<OverloadPolicy>,
    /// CPUs of its own for each game: `auto` or `off` [default: auto]
    #[arg(long, value_name = "MODE", help_heading = "Machine", hide_short_help = true, value_parser = |text: &str| args::word(text, &Affinity::ALL, Affinity::word))]
    affinity: Option<Affinity>,
    /// Start games from the openings in this file; each is played from every seat
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order of the openings: `random`, or `sequential` as in the file [default: random]
    #[arg(long, value_name = "ORDER", hide_short_help = true, value_parser = |text: &str| args::word(text, &Order::ALL, Order::word), requires = "openings")]
    opening_order: Option<Order>,
    /// Adjudicate games early, with the keys of `[adjudication]` in a tournament file, such
    /// as `win_score=600,win_moves=4`
    #[arg(long, value_name = "KEY=VALUE,...", hide_short_help = true, value_delimiter = ',', value_parser = adjudication)]
    adjudicate: Vec<KeyLine>,
    /// Seed of the order of the openings; each game's record has a seed made from it. Without
    /// `--openings` nothing else depends on it: bots choose by themselves, as in `linesman
    /// bot random --seed 7`
    #[arg(long, hide_short_help = true, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Directory in which to keep the games
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    /// Directory for the dialogue of each game, a transcript for each bot
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) log: Option<PathBuf>,
    /// Limit for each bot, such as `memory=4GiB`; may be repeated
    #[arg(long = "limit", value_name = "KEY=VALUE", help_heading = "Machine", hide_short_help = true, value_parser = limit)]
    limits: Vec<KeyLine>,
    /// Play even if a bot can't be started, is never ready, or crashes in every game: it loses
    /// these games
    #[arg(long, hide_short_help = true)]
    keep_going: bool,
    #[command(flatten)]
    pub(crate) faults: FaultArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    pub(crate) events: EventsArgs,
}

/// A key of a table of a tournament file, and the line that sets it.
#[derive(Clone, Debug)]
pub(crate) struct KeyLine {
    /// The key and its value as they were given, such as `memory=4GiB`.
    pub(crate) given: String,
    pub(crate) key: String,
    pub(crate) line: String,
}

impl KeyLine {
    fn new(given: &str, key: &str, line: String) -> KeyLine {
        KeyLine { given: given.to_owned(), key: key.to_owned(), line }
    }
}

#[derive(Clone, Debug)]
struct OwnTime {
    bot: String,
    control: TimeControl,
}

/// Parses the time control of one bot: `name:key=value`.
fn own_time(text: &str) -> Result<OwnTime, String> {
    match text.split_once(':') {
        Some((bot, control)) if !bot.is_empty() => {
            let control = control.parse().map_err(|error| format!("{error}"))?;
            Ok(OwnTime { bot: bot.to_owned(), control })
        }
        _ => Err("expected a bot and its time control, such as `greedy:movetime=100ms`".to_owned()),
    }
}

/// Parses a limit, `key=value`, to a line of `[limits]`.
pub(crate) fn limit(text: &str) -> Result<KeyLine, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => {
            Ok(KeyLine::new(text, key, file::limit_line(key, value)?))
        }
        _ => Err("expected a limit and its value, such as `memory=4GiB`".to_owned()),
    }
}

/// Refuses a limit that is given twice.
pub(crate) fn check_limits(limits: &[KeyLine]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    match limits.iter().find(|line| !seen.insert(&line.key)) {
        Some(KeyLine { key, .. }) => Err(Failure::wrong(format!("`--limit {key}` is given twice"))),
        None => Ok(()),
    }
}

/// Parses a key of the adjudication, `key=value`, to a line of `[adjudication]`.
fn adjudication(text: &str) -> Result<KeyLine, String> {
    let known = file::adjudication_keys();
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`"))?;
    if !known.contains(&key) {
        let near = file::suggestion(key, known.iter().copied());
        let near = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        return Err(format!("there is no `{key}`{near}; choose one of {}", known.join(", ")));
    }
    let value = match value.parse::<u32>() {
        _ if key == "table" => quoted(value),
        Ok(number) => number.to_string(),
        Err(_) => return Err(format!("`{key}` must be a whole number, 0 or more")),
    };
    Ok(KeyLine::new(text, key, format!("{key} = {value}")))
}

impl Conditions {
    /// Checks the files and bots that the options name; `bots` are the names of all bots.
    pub(crate) fn check(&self, bots: &[&str]) -> Result<(), Failure> {
        self.check_own_times(bots)?;
        let is_given = |key: &str| self.adjudicate.iter().any(|line| line.key == key);
        if is_given("table") && !is_given("table_from") {
            return Err(Failure::wrong(
                "`--adjudicate table=FILE` needs `table_from`, since many tables include the starting \
                 position",
            )
            .hint("give the first ply at which the table decides: `--adjudicate table=FILE,table_from=20`"));
        }
        check_limits(&self.limits)?;
        let Some(openings) = &self.openings else { return Ok(()) };
        // Later, the error would refer to the generated file, which the user has never seen.
        let read = openings::file::read(openings);
        read.map(drop).map_err(|error| Failure::file(Exit::Wrong, "read", openings, &error))
    }

    fn check_own_times(&self, bots: &[&str]) -> Result<(), Failure> {
        let mut seen = HashSet::new();
        for OwnTime { bot, .. } in &self.own_times {
            if !bots.contains(&bot.as_str()) {
                let near = file::suggestion(bot, bots.iter().copied());
                let near = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
                return Err(Failure::wrong(format_args!("`--bot-time`: there is no bot `{bot}`{near}"))
                    .hint(format_args!("the bots are {}", bots.join(", "))));
            }
            if !seen.insert(bot) {
                return Err(Failure::wrong(format_args!("`--bot-time {bot}` is given twice")));
            }
        }
        Ok(())
    }

    pub(crate) fn preflight(&self) -> Preflight {
        if self.keep_going { Preflight::Skipped } else { Preflight::MustPass }
    }

    /// The lines of a tournament file with these conditions.
    pub(crate) fn lines(&self) -> String {
        let work = self.nodes.or(self.depth).map(TimeControl::Work);
        let control = self.movetime.or(self.tc).or(work);
        let control = control.unwrap_or(TimeControl::MoveTime(Duration::from_secs(1)));
        let quoted = |key: &str, word: &str| format!("{key} = \"{word}\"\n");
        let lines = [
            Some(format!("seed = {}\n", self.seed)),
            Some(time_line(control)),
            self.clock.map(|word| quoted("clock", word)),
            Some(quoted("margin", &Span(self.margin).to_string())),
            self.concurrency.map(|games| format!("concurrency = {games}\n")),
            self.sandbox.sandbox.map(|sandbox| quoted("sandbox", sandbox.word())),
            self.oversubscribe.then(|| "oversubscribe = true\n".to_owned()),
            self.ponder.then(|| "ponder = true\n".to_owned()),
            self.pause.map(|pause| quoted("pause", pause.word())),
            self.overload.map(|overload| quoted("overload", overload.word())),
            self.affinity.map(|affinity| quoted("affinity", affinity.word())),
        ];
        lines.into_iter().flatten().collect()
    }

    /// The tables of a tournament file with these conditions, which precede any other table.
    pub(crate) fn tables(&self) -> String {
        let mut text = String::new();
        if let Some(openings) = &self.openings {
            text.push_str(&format!("\n[openings]\nfile = {}\n", quoted(&openings.to_string_lossy())));
            text.extend(self.opening_order.map(|order| format!("order = \"{}\"\n", order.word())));
        }
        for (table, keys) in [("adjudication", &self.adjudicate), ("limits", &self.limits)] {
            if !keys.is_empty() {
                let lines: String = keys.iter().map(|key| format!("{}\n", key.line)).collect();
                text.push_str(&format!("\n[{table}]\n{lines}"));
            }
        }
        text
    }

    /// The lines of a tournament file for a bot with its own time control and threads.
    pub(crate) fn bot(&self, name: &str, command: &str, folder: &Path) -> String {
        let mut text = bot_lines(name, command, folder);
        text.extend(self.threads.map(|threads| format!("threads = {threads}\n")));
        text.extend(self.own_times.iter().find(|time| time.bot == name).map(|time| time_line(time.control)));
        text
    }
}

/// The lines of a tournament file for a bot.
pub(crate) fn bot_lines(name: &str, command: &str, folder: &Path) -> String {
    let [name, command, folder] = [name, command, &folder.to_string_lossy()].map(quoted);
    format!("\n[[bots]]\nname = {name}\ncommand = {command}\ndir = {folder}\n")
}

/// The line of a tournament file that sets a time control.
fn time_line(control: TimeControl) -> String {
    let value = match control {
        TimeControl::Work(work) => work.amount().to_string(),
        TimeControl::MoveTime(_) | TimeControl::Clock { .. } => quoted(&control.value()),
    };
    format!("{} = {value}\n", control.key())
}

/// The first lines of a tournament file: version, name, game and options.
pub(crate) fn head(name: &str, game: &str, setup: &dyn Setup) -> String {
    let value = |value: &OptionValue| match value {
        OptionValue::Text(text) => quoted(text),
        plain => plain.to_string(),
    };
    let options: Vec<String> =
        setup.options().iter().map(|(name, option)| format!("{name} = {}", value(option))).collect();
    let (name, game, options) = (quoted(name), quoted(game), options.join(", "));
    format!("version = 1\nname = {name}\ngame = {game}\noptions = {{ {options} }}\n")
}

/// A text as a TOML string.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The folder in which bots are started.
pub(crate) fn current_folder() -> Result<PathBuf, Failure> {
    std::path::absolute(".").map_err(|error| Failure::wrong("can't find the current directory").cause(error))
}

/// The plan of a generated tournament file, so that games are kept and resumed as in any run.
pub(crate) fn plan(text: String, stem: &str) -> Result<Plan, Failure> {
    let context = Context {
        shown: format!("the {stem}"),
        stem: stem.to_owned(),
        // Each bot has its own folder; other paths stay as typed.
        folder: PathBuf::from("."),
        cores: Some(env::cores()),
    };
    let tournament = file::parse(&text, &context);
    let tournament = tournament.map_err(|diagnostics| generated_file_failure(&diagnostics))?;
    Ok(Plan::new(text, tournament, &context))
}

/// The failure for diagnostics of a generated file. They have no place, since the user has never seen that file.
pub(crate) fn generated_file_failure(diagnostics: &Diagnostics) -> Failure {
    let failures = diagnostics.list.iter().map(|diagnostic| {
        let failure = Failure::wrong(&diagnostic.message).hint_if(diagnostic.hint.as_ref());
        match diagnostic.annotations.first() {
            // A place in another file is shown.
            Some(place) if place.source > 0 => {
                let source = &diagnostics.sources[place.source];
                let (line, column) = source.position(place.span.start);
                failure.at(format_args!("{}:{line}:{column}", source.name))
            }
            _ => failure,
        }
    });
    failures.reduce(Failure::also).unwrap_or_else(|| Failure::wrong("these games can't be played"))
}
