//! Two tournament files compared by what they mean.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use super::diagnostics::{Diagnostic, Diagnostics, Source};
use super::size::Size;
use super::tournament::{Bot, Concurrency, Entrant, Limits, Oversubscribe, Ponder, ScheduleKind, Tournament};
use crate::openings::Order;
use crate::schedule::swiss::Unit;
use crate::versions::{by_first_names, fixed_roster};
use linesman_rating::sprt::Design;
use linesman_types::time_control::{ClockKind, Span};

/// How a file differs from the one that a run was begun with, where it may.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The names of bots that the new file adds, in its order.
    pub added_bots: Vec<String>,
    /// The bots that have another name now: the one before and the new one.
    pub renamed_bots: Vec<(String, String)>,
    /// The names of teams that it adds, but for those that are named as their only bot.
    pub added_teams: Vec<String>,
    /// The names of bots that it takes out.
    pub withdrawn_bots: Vec<String>,
    /// The names of teams that it takes out, but for those that are named as their only bot.
    pub withdrawn_teams: Vec<String>,
    /// The rounds before and now, if there are more.
    pub added_rounds: Option<(u32, u32)>,
    /// How many openings there were and are now, if there are more.
    pub added_openings: Option<(usize, usize)>,
    /// The name before, if the league has another one now.
    pub former_name: Option<Box<str>>,
    /// What else is different and changes no game, in words:
    /// `` `concurrency` is now `2`, was `auto` ``.
    pub harmless: Vec<String>,
}

impl Comparison {
    /// Whether the two mean the same.
    pub fn is_same(&self) -> bool {
        *self == Comparison::default()
    }
}

/// Whether a field may change during a run.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Weight {
    /// It bears on what is played or how it ends.
    Result,
    /// It bears on how fast games are played, or on what is made of the results.
    Harmless,
}

struct Field {
    /// Its keys, as [`Spans`](super::spans::Spans) names them.
    place: String,
    text: String,
    weight: Weight,
}

/// Compares the file that a run was begun with, and a new one.
///
/// More bots and more rounds are additions, but for bots in a Swiss or a
/// knockout: who takes part there decides who meets whom; and so are more openings
/// at the end of the list where that changes no game. Where bots may be added
/// they may be taken out, too, and be started otherwise. `name`, `concurrency`,
/// `oversubscribe`, `affinity`, `pause`, `overload`, `sandbox` and `rating` may change freely; the order of
/// the bots, and whether a default is written out, means nothing.
///
/// # Errors
/// Everything else that is different, with its places in both files.
pub fn compare(
    stored: (&Source, &Tournament),
    given: (&Source, &Tournament),
) -> Result<Comparison, Box<Diagnostics>> {
    let name_before = |now: &Bot| stored.1.bots.iter().find(|bot| bot.first_name() == now.first_name());
    let renamed = given.1.bots.iter().filter_map(|now| Some((name_before(now)?, now)));
    let renamed_bots = renamed
        .filter(|(before, now)| before.name != now.name)
        .map(|(before, now)| (before.name.clone(), now.name.clone()))
        .collect();
    let (old, new) = (&by_first_names(stored.1), &by_first_names(given.1));
    let mut comparison = Comparison {
        added_rounds: (new.rounds > old.rounds).then_some((old.rounds, new.rounds)),
        renamed_bots,
        former_name: (new.name != old.name).then(|| old.name.as_str().into()),
        ..Comparison::default()
    };
    let mut changes = Vec::new();
    if new.rounds < old.rounds {
        let was = format!("the run started with `{}`", old.rounds);
        changes.push(changed("rounds", old, new, format!("`rounds` can't be reduced: {was}")));
    }
    let games = |tournament: &Tournament| tournament.most_games.unwrap_or(u64::MAX);
    let shown = |tournament: &Tournament| {
        tournament.most_games.map_or_else(|| "not set".to_owned(), |games| format!("`{games}`"))
    };
    match games(new).cmp(&games(old)) {
        Ordering::Less => {
            let message = format!("`games` is {}, but was {} when the run started", shown(new), shown(old));
            changes.push(changed("games", old, new, message));
        }
        Ordering::Equal => {}
        Ordering::Greater => {
            comparison.harmless.push(format!("`games` is now {}, was {}", shown(new), shown(old)));
        }
    }
    let mut compare_fields = |before: &[Field], now: &[Field]| {
        let old_texts: BTreeMap<&str, &Field> = before.iter().map(|field| (&*field.place, field)).collect();
        for field in now {
            let Some(before) = old_texts.get(&*field.place).filter(|before| before.text != field.text) else {
                continue;
            };
            let (is, was) = (&field.text, &before.text);
            match field.weight {
                Weight::Harmless => {
                    comparison.harmless.push(format!("`{}` is now `{is}`, was `{was}`", field.place));
                }
                Weight::Result => {
                    let what = match &*field.place {
                        TIME_CONTROL => "the time control".to_owned(),
                        key => format!("`{key}`"),
                    };
                    let message = format!("{what} is `{is}`, but was `{was}` when the run started");
                    changes.push(changed(&field.place, old, new, message));
                }
            }
        }
    };
    compare_fields(&common_fields(old), &common_fields(new));
    for bot in &old.bots {
        if new.bot(&bot.name).is_some() {
            compare_fields(&bot_fields(old, &bot.name), &bot_fields(new, &bot.name));
        }
    }
    let is_cut =
        old.schedule != ScheduleKind::Ladder && (old.most_games.is_some() || new.most_games.is_some());
    let is_open = !old.schedule.has_seeds() && !is_cut && old.test.is_none();
    for bot in old.bots.iter().filter(|bot| new.bot(&bot.name).is_none()) {
        if is_open {
            comparison.withdrawn_bots.push(bot.name.clone());
            continue;
        }
        let is_twin = |other: &&Bot| {
            old.bot(&other.name).is_none() && (&other.command, &other.dir) == (&bot.command, &bot.dir)
        };
        let hint = new.bots.iter().find(is_twin).map(|twin| {
            let Bot { name, .. } = bot;
            format!("add `was = \"{name}\"` to keep its games, if `{}` is a new name for `{name}`", twin.name)
        });
        let mistake = Diagnostic::new(format!("bot `{}` was removed", bot.name)).maybe_hint(hint);
        changes.push(match old.spans.find(&format!("bots.{}.name", bot.name)) {
            Some(span) => mistake.at_source(1, span, "when the run started"),
            None => mistake,
        });
    }
    let added = new.bots.iter().filter(|bot| old.bot(&bot.name).is_none());
    comparison.added_bots = added.map(|bot| bot.name.clone()).collect();
    compare_teams(old, new, is_open, &mut comparison, &mut changes);
    compare_openings(old, new, &mut comparison, &mut changes);
    let is_larger = !comparison.added_bots.is_empty() || !comparison.added_teams.is_empty();
    let added: Vec<(&str, String)> = (comparison.added_bots.iter().map(|name| ("bot", name.clone())))
        .chain(comparison.added_teams.iter().map(|name| ("team", name.clone())))
        .collect();
    compare_pairing(old, new, &added, &mut changes);
    if is_larger && is_cut {
        // Which games lie before the cut depends on who takes part.
        let what = if comparison.added_bots.is_empty() { "teams" } else { "bots" };
        let message = format!("{what} can't be added when `games` ends the schedule early");
        changes.push(changed("games", old, new, message));
    }
    if changes.is_empty() {
        return Ok(comparison);
    }
    Err(Box::new(Diagnostics::of_several(vec![given.0.clone(), stored.0.clone()], changes)))
}

/// Challengers may be added with new bots; seeds stay as they are.
///
/// Who was `added` is a bot or a team, and has a name.
fn compare_pairing(
    old: &Tournament,
    new: &Tournament,
    added: &[(&str, String)],
    changes: &mut Vec<Diagnostic>,
) {
    if old.schedule != new.schedule {
        return;
    }
    let name = |tournament: &Tournament, entrant: usize| tournament.entrants[entrant].name.clone();
    let challengers = |tournament: &Tournament| -> Vec<String> {
        tournament.pairing.challengers.iter().map(|entrant| name(tournament, *entrant)).collect()
    };
    let (before, now) = (challengers(old), challengers(new));
    let is_old = |name: &String| old.entrants.iter().any(|entrant| entrant.name == *name);
    let is_there = |name: &String| new.entrants.iter().any(|entrant| entrant.name == *name);
    let missing = before.iter().find(|name| !now.contains(name) && is_there(name));
    let turned = now.iter().find(|name| is_old(name) && !before.contains(name));
    if let Some(gone) = missing {
        changes.push(changed("challengers", old, new, format!("`{gone}` is no longer a challenger")));
    }
    if let Some(turned) = turned {
        let message = format!("`{turned}` is an opponent of the challengers and can't become one");
        changes.push(changed("challengers", old, new, message));
    }
    if !old.schedule.has_seeds() {
        return;
    }
    let word = old.schedule.word();
    for (what, name) in added {
        let message = format!("{what} `{name}` can't join a `{word}` that has started");
        let place = match *what {
            "team" => format!("teams.{name}"),
            _ => format!("bots.{name}.name"),
        };
        let mistake =
            Diagnostic::new(message).hint("remove it: the pairings depend on everyone who takes part");
        changes.push(match new.spans.find(&place) {
            Some(span) => mistake.at(span, "not in the file that the run started with"),
            None => mistake,
        });
    }
    if !added.is_empty() {
        return;
    }
    let seeds = |tournament: &Tournament| -> Vec<String> {
        tournament.seeds().into_iter().map(|entrant| name(tournament, entrant)).collect()
    };
    if seeds(old) != seeds(new) && old.entrants.len() == new.entrants.len() {
        let message = format!(
            "the seeds of the `{word}` have changed: they follow from `elo`, or from the order of the file"
        );
        changes.push(changed("bots", old, new, message));
    }
}

/// Teams may be added, and keep their bots; in which order these stand means nothing.
fn compare_teams(
    old: &Tournament,
    new: &Tournament,
    is_open: bool,
    comparison: &mut Comparison,
    changes: &mut Vec<Diagnostic>,
) {
    if !new.has_teams() || !old.has_teams() {
        return;
    }
    let bots = |tournament: &Tournament, entrant: &Entrant| {
        let mut names: Vec<String> =
            entrant.bots.iter().map(|bot| tournament.bots[*bot].name.clone()).collect();
        names.sort_unstable();
        names
    };
    for team in &old.entrants {
        let place = format!("teams.{}.bots", team.name);
        match new.entrants.iter().find(|other| other.name == team.name) {
            Some(now) if bots(new, now) == bots(old, team) => {}
            Some(now) => {
                let [is, was] = [bots(new, now), bots(old, team)].map(|names| names.join("` and `"));
                let message =
                    format!("team `{}` has `{is}`, but had `{was}` when the run started", team.name);
                changes.push(changed(&place, old, new, message));
            }
            // That its bot is gone is said already.
            None if bots(old, team) == [team.name.clone()] && new.bot(&team.name).is_none() => {}
            None if is_open => comparison.withdrawn_teams.push(team.name.clone()),
            None if bots(old, team).iter().all(|bot| new.bot(bot).is_none()) => {}
            None => {
                let mistake = Diagnostic::new(format!("team `{}` was removed", team.name));
                changes.push(match old.spans.find(&format!("teams.{}", team.name)) {
                    Some(span) => mistake.at_source(1, span, "when the run started"),
                    None => mistake,
                });
            }
        }
    }
    let added = new.entrants.iter().filter(|team| !old.entrants.iter().any(|other| other.name == team.name));
    comparison.added_teams =
        added.filter(|team| bots(new, team) != [team.name.clone()]).map(|team| team.name.clone()).collect();
}

/// Openings may be added at the end of the list if the order is that of the
/// list, and no encounter came to its end before.
fn compare_openings(
    old: &Tournament,
    new: &Tournament,
    comparison: &mut Comparison,
    changes: &mut Vec<Diagnostic>,
) {
    let mut change = |message: String| {
        let place = |tournament: &Tournament| {
            let spans = &tournament.spans;
            ["openings.file", "openings.list"].into_iter().find(|place| spans.stands(place))
        };
        let mut mistake = Diagnostic::new(message);
        if let Some(span) = place(new).and_then(|place| new.spans.find(place)) {
            mistake = mistake.at(span, "now");
        }
        if let Some(span) = place(old).and_then(|place| old.spans.find(place)) {
            mistake = mistake.at_source(1, span, "when the run started");
        }
        changes.push(mistake);
    };
    let (was, is) = match (&old.openings, &new.openings) {
        (None, None) => return,
        (None, Some(_)) => return change("there are openings, but the run started without any".to_owned()),
        (Some(_), None) => {
            return change("there are no openings, but the run started with some".to_owned());
        }
        (Some(was), Some(is)) => (was, is),
    };
    if was.order != is.order {
        let message =
            format!("`order` is `{}`, but was `{}` when the run started", is.order.word(), was.order.word());
        changes.push(changed("openings.order", old, new, message));
        return;
    }
    if was.list == is.list {
        return;
    }
    let (before, now) = (was.list.len(), is.list.len());
    match was.list.iter().zip(is.list.iter()).position(|(was, is)| was != is) {
        Some(first) => change(format!(
            "opening {} is `{}`, but was `{}` when the run started",
            first + 1,
            is.list[first],
            was.list[first]
        )),
        None if now < before => {
            change(format!("openings were removed: there are {now} now, but {before} when the run started"))
        }
        None if was.order != Order::Sequential => {
            change(format!("openings can't be added with `order = \"{}\"`", was.order.word()));
        }
        None if u64::from(old.rounds) > before as u64 => change(format!(
            "openings can't be added: the run's {before} already repeat within its {} rounds",
            old.rounds
        )),
        None => comparison.added_openings = Some((before, now)),
    }
}

/// A change that is not allowed, shown in both files as far as it stands there.
fn changed(place: &str, old: &Tournament, new: &Tournament, message: String) -> Diagnostic {
    let mut mistake = Diagnostic::new(message);
    if let Some(span) = nearest_place(new, place) {
        mistake = mistake.at(span, "now");
    }
    if let Some(span) = nearest_place(old, place) {
        mistake = mistake.at_source(1, span, "when the run started");
    }
    mistake
}

/// The place of a value, or of what it follows from.
fn nearest_place(tournament: &Tournament, place: &str) -> Option<Range<usize>> {
    let spans = &tournament.spans;
    match place.strip_prefix("bots.").and_then(|of_bot| of_bot.split_once(".limits.")) {
        _ if place == TIME_CONTROL => spans.find("movetime").or_else(|| spans.find("tc")),
        // A limit that the bot does not set itself is that of all bots.
        Some((_, limit)) if !spans.stands(place) => spans.find(&format!("limits.{limit}")),
        _ => spans.find(place),
    }
}

/// Stands for `movetime` and `tc`, of which a file has one.
const TIME_CONTROL: &str = "time control";

fn common_fields(tournament: &Tournament) -> Vec<Field> {
    let t = tournament;
    let result = |place: &str, text: String| Field { place: place.to_owned(), text, weight: Weight::Result };
    let harmless =
        |place: &str, text: String| Field { place: place.to_owned(), text, weight: Weight::Harmless };
    let mut fields = vec![
        result("game", t.game.id().to_owned()),
        result("schedule", t.schedule.word().to_owned()),
        result("single_games", (t.pairing.unit == Unit::Game).to_string()),
        result("best_of", t.pairing.best_of.to_string()),
        result("sudden_death", t.pairing.sudden_death.to_string()),
        result("seed", t.seed.to_string()),
        result(TIME_CONTROL, t.time_control.to_string()),
        result("clock", t.clock.word().to_owned()),
        result(
            "wall_bound",
            match t.clock {
                ClockKind::Wall => "none".to_owned(),
                ClockKind::Cpu { wall_bound } => wall_bound.to_string(),
            },
        ),
        result("margin", Span(t.margin).to_string()),
        harmless("name", t.name.clone()),
        harmless("affinity", t.affinity.word().to_owned()),
        harmless("sandbox", t.sandbox.word().to_owned()),
        result("ponder", (t.ponder == Ponder::Allowed).to_string()),
        harmless("pause", t.pause.word().to_owned()),
        harmless("overload", t.overload.word().to_owned()),
        harmless("oversubscribe", (t.oversubscribe == Oversubscribe::Allowed).to_string()),
        harmless("rating.method", t.rating.method.word().to_owned()),
        harmless("rating.mean", t.rating.mean.to_string()),
        harmless("rating.k", t.rating.k.to_string()),
        harmless("rating.anchor", t.rating.anchor.clone().unwrap_or_else(|| "none".to_owned())),
        harmless(
            "concurrency",
            match t.concurrency {
                Concurrency::Auto => "auto".to_owned(),
                Concurrency::Games(games) => games.to_string(),
            },
        ),
    ];
    let test = |key: &str, value: fn(&Design) -> String| {
        result(&format!("test.{key}"), t.test.as_ref().map_or_else(|| "not set".to_owned(), value))
    };
    fields.extend([
        test("elo0", |test| test.elo0().to_string()),
        test("elo1", |test| test.elo1().to_string()),
        test("alpha", |test| test.alpha().to_string()),
        test("beta", |test| test.beta().to_string()),
        test("model", |test| test.model().word().to_owned()),
    ]);
    let adjudication = &t.adjudication;
    let number = |number: Option<u32>| number.map_or_else(|| "off".to_owned(), |number| number.to_string());
    let (win, draw, table) = (adjudication.scores.win, adjudication.scores.draw, &adjudication.table);
    fields.extend([
        result("adjudication.win_score", number(win.map(|rule| rule.score))),
        result("adjudication.win_moves", number(win.map(|rule| rule.moves))),
        result("adjudication.draw_score", number(draw.map(|rule| rule.score))),
        result("adjudication.draw_moves", number(draw.map(|rule| rule.moves))),
        result("adjudication.draw_from", number(draw.map(|rule| rule.from))),
        result(
            "adjudication.table",
            table.as_ref().map_or_else(|| "off".to_owned(), |table| table.name.clone()),
        ),
        result("adjudication.table_from", number(table.as_ref().map(|table| table.from))),
    ]);
    // An option that only one of two games has says no more than the game does.
    fields.extend(
        t.game.options().iter().map(|(name, value)| result(&format!("options.{name}"), value.to_string())),
    );
    fields
}

fn bot_fields(tournament: &Tournament, name: &str) -> Vec<Field> {
    let Some(bot) = tournament.bot(name) else { return Vec::new() };
    let field =
        |key: &str, text: String| Field { place: format!("bots.{name}.{key}"), text, weight: Weight::Result };
    let pairs = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
        let texts: Vec<String> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
        if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
    };
    let Limits { start, ready, most_a_move, quit, line, output_on_move, output_off_move, .. } = &bot.limits;
    let Limits { memory, processes, open_files, file_size, cpu, crashes, .. } = &bot.limits;
    let time =
        |most: &Option<Duration>| most.map_or_else(|| "none".to_owned(), |most| Span(most).to_string());
    let none = || "none".to_owned();
    // Another command is another version, which plays games of its own where that can be.
    let weight = match fixed_roster(tournament, name) {
        Some(_) => Weight::Result,
        None => Weight::Harmless,
    };
    vec![
        Field { weight, ..field("command", shell_words::join(&bot.command)) },
        Field { weight, ..field("dir", bot.dir.clone().unwrap_or_else(|| "none".to_owned())) },
        field("env", pairs(&mut bot.environment.iter())),
        field("options", pairs(&mut bot.options.iter().map(|(name, value)| (name, value)))),
        field("limits.start", Span(*start).to_string()),
        field("limits.ready", Span(*ready).to_string()),
        field("limits.move", time(most_a_move)),
        field("limits.quit", Span(*quit).to_string()),
        field("limits.line", Size(*line).to_string()),
        field("limits.output_on_move", Size(*output_on_move).to_string()),
        field("limits.output_off_move", Size(*output_off_move).to_string()),
        field("limits.memory", Size(*memory).to_string()),
        field("limits.processes", processes.to_string()),
        field("limits.open_files", open_files.to_string()),
        field("limits.file_size", Size(*file_size).to_string()),
        field("limits.cpu", time(cpu)),
        Field { weight: Weight::Harmless, ..field("limits.crashes", crashes.to_string()) },
        field("read", if bot.read.is_empty() { none() } else { shell_words::join(&bot.read) }),
        field("scratch", bot.scratch.map_or_else(none, |bytes| Size(bytes).to_string())),
        field("threads", bot.threads.to_string()),
    ]
}
