//! Parses the text of a tournament file.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::adjudication;
use super::bot::{self, TimeKeys};
use super::diagnostics::{Diagnostic, Diagnostics, Source};
use super::keys::{rating, top};
use super::kinds::integer;
use super::openings;
use super::options;
use super::pairing;
use super::reader::Reader;
use super::section::Section;
use super::sprt;
use super::suggestion::did_you_mean;
use super::teams;
use super::tournament::{
    Bot, Concurrency, Entrant, Limits, Method, Oversubscribe, Pause, Ponder, RatingPlan, ScheduleKind,
    Tournament,
};
use super::workers;
use linesman_games::Setup;
use linesman_types::time_control::ClockKind;

/// The version of the format that this program reads.
pub const VERSION: i64 = 1;

/// The context in which a tournament file is read.
#[derive(Clone, Debug)]
pub struct Context {
    /// The name of the file in messages.
    pub shown: String,
    /// The tournament's name if the file has no `name`.
    pub stem: String,
    /// The folder against which relative paths are resolved.
    pub folder: PathBuf,
    /// The number of cores; `None` if the file is not checked against it.
    pub cores: Option<NonZeroU32>,
}

impl Context {
    /// Makes the context of a file that is to be run on a machine with this number of cores.
    pub fn of_file(path: &Path, cores: Option<NonZeroU32>) -> Context {
        let lossy = |text: Option<&OsStr>| text.map(|text| text.to_string_lossy().into_owned());
        Context {
            shown: path.display().to_string(),
            stem: lossy(path.file_stem()).unwrap_or_else(|| "league".to_owned()),
            folder: match path.parent() {
                Some(folder) if folder != Path::new("") => folder.to_owned(),
                _ => PathBuf::from("."),
            },
            cores,
        }
    }
}

/// Parses a tournament file, and reads the files that its game's options and its openings name.
///
/// # Errors
/// All mistakes of the file.
pub fn parse(text: &str, context: &Context) -> Result<Tournament, Diagnostics> {
    let source = || Source { name: context.shown.clone(), text: text.to_owned() };
    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(Diagnostics::new(source(), syntax_errors(&errors, text)));
    }
    let mut reader = Reader::default();
    let top = top::TABLE.section(root.get_ref());
    // Keys of another version would be reported as mistakes.
    let is_readable = is_version_readable(&mut reader, top);
    let tournament = if is_readable { tournament(&mut reader, top, context) } else { None };
    match tournament {
        Some(tournament) if reader.mistakes.is_empty() => Ok(tournament),
        _ => {
            let sources = std::iter::once(source()).chain(reader.sources).collect();
            Err(Diagnostics::of_several(sources, reader.mistakes))
        }
    }
}

/// Converts the syntax errors of a file that is not TOML. Keeps the first of each line, since the others follow from
/// it.
fn syntax_errors(errors: &[toml::de::Error], text: &str) -> Vec<Diagnostic> {
    let line = |error: &toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        text[..text.floor_char_boundary(start)].matches('\n').count()
    };
    let mut seen = HashSet::new();
    errors.iter().filter(|error| seen.insert(line(error))).map(syntax).collect()
}

fn syntax(error: &toml::de::Error) -> Diagnostic {
    let (what, expected) = error.message().split_once(", expected ").unwrap_or((error.message(), ""));
    let label = match expected {
        "" | "nothing" => String::new(),
        "literal string" => "put it between `\"` and `\"`".to_owned(),
        expected => format!("expected {expected}"),
    };
    Diagnostic::new(format!("invalid TOML: {what}")).at(error.span(), label)
}

/// Reports another version than [`VERSION`], and returns false for it.
fn is_version_readable(reader: &mut Reader, top: Section<'_>) -> bool {
    let Some(value) = top.get(&top::VERSION) else { return true };
    let version = integer(reader, top::VERSION.name, value, 0..=i64::MAX);
    let Some(other) = version.filter(|version| *version != VERSION) else { return true };
    let mistake = Diagnostic::new(format!("unsupported file version {other}"));
    reader.push(mistake.at(value.span(), format!("this linesman reads version {VERSION}")));
    false
}

fn tournament(reader: &mut Reader, top: Section<'_>, context: &Context) -> Option<Tournament> {
    check_top(reader, top);
    let name = name(reader, top, context);
    let game = options::game(reader, top, &context.folder);
    let given = schedule(reader, top);
    let schedule = given.unwrap_or(ScheduleKind::RoundRobin);
    let (rounds, games) = (reader.or_default(top, &top::ROUNDS), reader.value(top, &top::GAMES));
    let seed = reader.or_default(top, &top::SEED);
    let time_control = bot::time_control(reader, top, &TIME_KEYS);
    check_time_control(reader, top);
    let clock = clock(reader, top);
    let margin = reader.or_default(top, &top::MARGIN);
    let limits = bot::limits(reader, top, &top::LIMITS, &Limits::default(), &["limits"]);
    let bots = bot::bots(reader, top, &limits, &context.folder);
    let entrants = teams::entrants(reader, top, game.as_deref(), &bots);
    let rating = rating(reader, top, &entrants);
    let test = sprt::test(reader, top, game.as_deref(), &entrants);
    let adjudication = adjudication::adjudication(reader, top, game.as_deref(), &context.folder);
    let workers = workers::workers(reader, top, time_control, &bots);
    let openings = openings::openings(reader, top, game.as_ref(), &context.folder);
    let ponder = if reader.or_default(top, &top::PONDER) { Ponder::Allowed } else { Ponder::Refused };
    let pause = pause(reader, top, ponder);
    let thinkers = game.as_ref().map_or(1, |game| ponder.thinkers(game.teams().seats()));
    let (concurrency, oversubscribe) = concurrency(reader, top, &bots, thinkers, context);
    let (affinity, overload) =
        (reader.or_default(top, &top::AFFINITY), reader.or_default(top, &top::OVERLOAD));
    let pairing = pairing::options(reader, top, schedule, &entrants);
    if let Some(game) = game.as_ref().filter(|_| given.is_some()) {
        let plan = pairing::Plan { kind: schedule, rounds, games, options: &pairing };
        check_field(reader, top, &**game, &plan, &bots, &entrants);
    }
    reader.read_from_files.sort_by_key(|value| value.span.start);
    Some(Tournament {
        name,
        game: game?,
        schedule,
        rounds,
        pairing,
        max_games: games,
        seed,
        concurrency,
        oversubscribe,
        affinity,
        sandbox: reader.or_default(top, &top::SANDBOX),
        ponder,
        pause,
        overload,
        time_control: time_control?,
        clock,
        margin,
        rating,
        test,
        bots: bots.into_iter().map(|(bot, _)| bot).collect(),
        entrants,
        spans: std::mem::take(&mut reader.spans),
        openings,
        adjudication,
        workers,
        read_from_files: std::mem::take(&mut reader.read_from_files),
    })
}

fn check_top(reader: &mut Reader, top: Section<'_>) {
    reader.check_keys(top);
    if top.get(&top::VERSION).is_none() {
        let hint = format!("begin the file with `{}`", top::VERSION.example());
        reader.missing(&[top::VERSION.name], Diagnostic::new("`version` is missing").hint(hint));
    }
    reader.note_spans(top, &[]);
}

/// Reads the kind of schedule, and checks the keys that only some kinds take. Returns `None` if the kind can't be used.
fn schedule(reader: &mut Reader, top: Section<'_>) -> Option<ScheduleKind> {
    let schedule = reader.given_or_default(top, &top::SCHEDULE)?;
    pairing::check_keys(reader, top, schedule);
    Some(schedule)
}

fn name(reader: &mut Reader, top: Section<'_>, context: &Context) -> String {
    let Some(name) = reader.spanned(top, &top::NAME) else { return context.stem.clone() };
    if name.get_ref().trim().is_empty() || name.get_ref().contains(char::is_control) {
        let mistake = Diagnostic::new("`name` must be one line of text, and not empty");
        reader.push(mistake.at(name.span(), "empty or with a control character"));
    }
    name.into_inner()
}

/// The keys of the time control of the bots that have none of their own.
const TIME_KEYS: TimeKeys =
    TimeKeys { movetime: &top::MOVETIME, tc: &top::TC, nodes: &top::NODES, depth: &top::DEPTH };

/// Checks that the file has a common time control.
fn check_time_control(reader: &mut Reader, top: Section<'_>) {
    if TIME_KEYS.given(top).next().is_none() {
        let [movetime, tc] = [top::MOVETIME.example(), top::TC.example()];
        let hint = format!("add `{movetime}` (a limit for every move) or `{tc}` (a clock)");
        let mistake = Diagnostic::new("the time control is missing").hint(hint);
        reader.missing(&["movetime", "tc", "nodes", "depth"], mistake);
    }
}

/// Reads which kind of time the time control counts.
fn clock(reader: &mut Reader, top: Section<'_>) -> ClockKind {
    let word = reader.value(top, &top::CLOCK);
    let bound = reader.spanned(top, &top::WALL_BOUND);
    if word != Some(ClockKind::WORDS[1]) {
        if let Some(bound) = bound.filter(|_| word.is_some() || top.get(&top::CLOCK).is_none()) {
            let mistake = Diagnostic::new("`wall_bound` requires a CPU clock")
                .at(bound.span(), "the clock counts wall time");
            reader.push(mistake.hint("remove `wall_bound`, or add `clock = \"cpu\"`"));
        }
        return ClockKind::Wall;
    }
    if let Some(value) = top.get(&top::PONDER).filter(|_| reader.value(top, &top::PONDER).unwrap_or_default())
    {
        let mistake =
            Diagnostic::new("bots can't ponder on a CPU clock").at(value.span(), "`clock` is \"cpu\"");
        let hint = "remove `ponder` or `clock`: a CPU clock does not count what a bot computes out of turn";
        reader.push(mistake.hint(hint));
    }
    let bound = bound.and_then(|bound| NonZeroU32::new(bound.into_inner()));
    ClockKind::Cpu { wall_bound: bound.unwrap_or(ClockKind::DEFAULT_WALL_BOUND) }
}

fn rating(reader: &mut Reader, top: Section<'_>, entrants: &[Entrant]) -> RatingPlan {
    let mut plan = RatingPlan::default();
    let Some(section) = reader.table(top, &top::RATING, &["rating"]) else { return plan };
    plan.method = reader.or_default(section, &rating::METHOD);
    plan.mean = reader.or_default(section, &rating::MEAN);
    if let Some(anchor) = reader.spanned(section, &rating::ANCHOR) {
        let names = || entrants.iter().map(|entrant| entrant.name.as_str());
        if !names().any(|name| name == anchor.get_ref()) {
            let what = if top.get(&top::TEAMS).is_some() { "team" } else { "bot" };
            let mistake = Diagnostic::new(format!("there is no {what} `{}`", anchor.get_ref()));
            let hint = did_you_mean(anchor.get_ref(), names());
            let label = format!("the anchor must be one of the `[[{what}s]]`");
            reader.push(mistake.at(anchor.span(), label).maybe_hint(hint));
        }
        if plan.method == Method::Incremental {
            let mistake = Diagnostic::new("`anchor` requires `method = \"likelihood\"`");
            let label = "the method is `incremental`";
            reader.push(mistake.at(anchor.span(), label).hint("remove `anchor`, or change `method`"));
        }
        plan.anchor = Some(anchor.into_inner());
    }
    if let Some(k) = reader.spanned(section, &rating::K) {
        if *k.get_ref() <= 0.0 {
            reader.push(Diagnostic::new("`k` must be greater than 0").at(k.span(), "0 or less"));
        } else if plan.method != Method::Incremental {
            let mistake = Diagnostic::new("`k` requires `method = \"incremental\"`");
            let label = "the method is `likelihood`";
            reader.push(mistake.at(k.span(), label).hint("remove `k`, or change `method`"));
        }
        plan.k = k.into_inner();
    }
    plan
}

fn pause(reader: &mut Reader, top: Section<'_>, ponder: Ponder) -> Pause {
    let given = reader.value(top, &top::PAUSE);
    if let (Some(Pause::Always), Some(value), Ponder::Allowed) = (given, top.get(&top::PAUSE), ponder) {
        let mistake = Diagnostic::new("bots can't ponder and be paused");
        let hint = "remove `ponder` or `pause`: bots that may ponder are never paused";
        reader.push(mistake.at(value.span(), "`ponder` is true").hint(hint));
    }
    match ponder {
        Ponder::Allowed => Pause::Never,
        Ponder::Refused => given.unwrap_or(Pause::Auto),
    }
}

fn concurrency(
    reader: &mut Reader,
    top: Section<'_>,
    bots: &[(Bot, std::ops::Range<usize>)],
    thinkers: u32,
    context: &Context,
) -> (Concurrency, Oversubscribe) {
    let allowed = reader.or_default(top, &top::OVERSUBSCRIBE);
    let oversubscribe = if allowed { Oversubscribe::Allowed } else { Oversubscribe::Refused };
    let threads = bots.iter().map(|(bot, _)| bot.threads.get()).max().unwrap_or(1);
    let concurrency = reader.or_default(top, &top::CONCURRENCY);
    let Some(cores) = context.cores.filter(|_| oversubscribe == Oversubscribe::Refused) else {
        return (concurrency, oversubscribe);
    };
    let cores = cores.get();
    let (what, place) = if threads > cores {
        let widest = bots.iter().find(|(bot, _)| bot.threads.get() == threads);
        let place = widest.and_then(|(bot, _)| reader.spans.find(&["bots", &bot.name, "threads"]));
        (format!("a bot with {threads} threads needs"), place)
    } else if let (Concurrency::Games(games), Some(value)) = (concurrency, top.get(&top::CONCURRENCY))
        && u64::from(games.get()) * u64::from(threads) * u64::from(thinkers) > u64::from(cores)
    {
        let each = match (threads, thinkers) {
            (1, 1) => String::new(),
            (threads, 1) => format!(" of {threads} threads each"),
            (1, thinkers) => format!(" with {thinkers} bots thinking at once in each"),
            (threads, thinkers) => {
                format!(" with {thinkers} bots of {threads} threads thinking at once in each")
            }
        };
        let what = match games.get() {
            1 => format!("1 game{each} needs"),
            games => format!("{games} games at once{each} need"),
        };
        (what, Some(value.span()))
    } else {
        return (concurrency, oversubscribe);
    };
    let mistake = Diagnostic::new(format!("{what} more cores than there are"));
    let label = format!("this machine has {cores} core{}", if cores == 1 { "" } else { "s" });
    let hint =
        "lower the number, or set `oversubscribe = true`: bots then share cores and may lose on time for it";
    reader.push(mistake.at(place, label).hint(hint));
    (concurrency, oversubscribe)
}

/// Checks that there are enough bots for the game, and that the schedule is possible.
fn check_field(
    reader: &mut Reader,
    top: Section<'_>,
    game: &dyn Setup,
    plan: &pairing::Plan<'_>,
    bots: &[(Bot, std::ops::Range<usize>)],
    entrants: &[Entrant],
) {
    let Some(listed) = top.get(&top::BOTS).and_then(|bots| bots.get_ref().as_array()).map(|bots| bots.len())
    else {
        return;
    };
    let has_teams = top.get(&top::TEAMS).is_some();
    let entrant_count = if has_teams { entrants.len() } else { listed };
    let needed = game.teams().sides();
    if !has_teams && listed < needed {
        let count = match listed {
            0 => "there are none".to_owned(),
            1 => "there is only one".to_owned(),
            _ => format!("there are only {listed}"),
        };
        let mistake = Diagnostic::new(format!("`{}` needs at least {needed} bots, but {count}", game.id()));
        reader.push(match bots.last() {
            Some((_, heading)) if listed == 1 => mistake.at(heading.clone(), "the only bot"),
            Some((_, heading)) => mistake.at(heading.clone(), "the last bot"),
            None => mistake,
        });
    } else if entrant_count >= needed {
        let what = if has_teams { "teams" } else { "bots" };
        plan.check(reader, top, &game.teams(), entrant_count, what);
    }
}
