//! Comparison of two tournament files by their meaning.

use std::cmp::Ordering;
use std::fmt::Display;
use std::ops::Range;

use super::diagnostics::{Diagnostic, Diagnostics, Source};
use super::key::{Effect, KeyTable, Subject};
use super::keys::{TABLES, bots, limits};
use super::tournament::{Bot, Entrant, ScheduleKind, Tournament};
use crate::openings::Order;
use crate::versions::{by_first_names, fixed_roster};

/// The permitted differences between a file and the one with which a run started.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The names of bots that the new file adds, in its order.
    pub added_bots: Vec<String>,
    /// The former and the new name of each bot that was renamed.
    pub renamed_bots: Vec<(String, String)>,
    /// The names of teams that the new file adds, except for those named after their only bot.
    pub added_teams: Vec<String>,
    /// The names of bots that the new file removes.
    pub withdrawn_bots: Vec<String>,
    /// The names of teams that the new file removes, except for those named after their only bot.
    pub withdrawn_teams: Vec<String>,
    /// The number of rounds before and now, if it has increased.
    pub added_rounds: Option<(u32, u32)>,
    /// The number of openings before and now, if it has increased.
    pub added_openings: Option<(usize, usize)>,
    /// The former name of the league, if it was renamed.
    pub former_name: Option<Box<str>>,
    /// Other differences, which affect no earlier game, in words: `` `concurrency` is now `2`, was `auto` ``.
    pub harmless: Vec<String>,
}

impl Comparison {
    /// True if the two files mean the same.
    pub fn is_same(&self) -> bool {
        *self == Comparison::default()
    }
}

/// Compares a new file with the one with which a run started.
///
/// Rounds may be added, and so may bots, except in a Swiss or a knockout, where the participants determine the
/// pairings. Openings may be added at the end of the list if that changes no game. If bots may be added, they may also
/// be removed or get other commands. The [keys](super::keys) define which other values may change. The order of the
/// bots makes no difference, nor does an explicit default.
///
/// # Errors
/// All other differences, with their places in both files.
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
    let comparison = Comparison {
        added_rounds: (new.rounds > old.rounds).then_some((old.rounds, new.rounds)),
        renamed_bots,
        former_name: (new.name != old.name).then(|| old.name.as_str().into()),
        ..Comparison::default()
    };
    let mut changes = Changes { old, new, comparison, refused: Vec::new() };
    changes.compare_length();
    changes.compare_keys();
    changes.compare_bots();
    changes.compare_teams();
    changes.compare_openings();
    changes.compare_pairing();
    if changes.refused.is_empty() {
        return Ok(changes.comparison);
    }
    Err(Box::new(Diagnostics::of_several(vec![given.0.clone(), stored.0.clone()], changes.refused)))
}

/// Two tournaments whose bots have their first names, and the differences found so far.
struct Changes<'t> {
    old: &'t Tournament,
    new: &'t Tournament,
    comparison: Comparison,
    refused: Vec<Diagnostic>,
}

/// A new bot or team: the word for it, its name, and its place in the new file.
type Added = (&'static str, String, Option<Range<usize>>);

impl Changes<'_> {
    /// Refuses a change of the value of these keys, of which a file has one.
    fn refuse(&mut self, keys: &[&[&str]], message: String) {
        self.refuse_at(keys, keys[0], message, None);
    }

    /// Refuses another value of these keys; `what` names it.
    fn refuse_other(&mut self, keys: &[&[&str]], what: &str, is: impl Display, was: impl Display) {
        let values = [is.to_string(), was.to_string()];
        let message = format!("{what} is `{is}`, but was `{was}` when the run started");
        self.refuse_at(keys, keys[0], message, Some(values));
    }

    /// Refuses a change of a key. The mistake has the place in each file of the first of `places` that the file has.
    fn refuse_at(&mut self, places: &[&[&str]], key: &[&str], message: String, values: Option<[String; 2]>) {
        let [now, before] = [self.new, self.old].map(|tournament| nearest_span(tournament, places));
        let mistake = Diagnostic::new(message).differs(key, values).at(now, "now");
        self.refused.push(mistake.at_source(1, before, "when the run started"));
    }

    /// Compares rounds and games, which may increase.
    fn compare_length(&mut self) {
        let (was, is) = (self.old.rounds, self.new.rounds);
        if is < was {
            self.refuse(&[&["rounds"]], format!("`rounds` can't be reduced: the run started with `{was}`"));
        }
        let (was, is) = (self.old.max_games, self.new.max_games);
        let shown =
            |games: Option<u64>| games.map_or_else(|| "not set".to_owned(), |games| format!("`{games}`"));
        match is.unwrap_or(u64::MAX).cmp(&was.unwrap_or(u64::MAX)) {
            Ordering::Less => {
                let message =
                    format!("`games` is {}, but was {} when the run started", shown(is), shown(was));
                let number = |games: Option<u64>| games.map_or_else(String::new, |games| games.to_string());
                self.refuse_at(&[&["games"]], &["games"], message, Some([is, was].map(number)));
            }
            Ordering::Equal => {}
            Ordering::Greater => {
                self.comparison.harmless.push(format!("`games` is now {}, was {}", shown(is), shown(was)));
            }
        }
    }

    /// Compares the values of all keys except those with a rule of their own.
    fn compare_keys(&mut self) {
        let (old, new) = (self.old, self.new);
        for table in TABLES {
            let path: &[&str] = if table.path.is_empty() { &[] } else { &[table.path] };
            self.compare_table(table, &[path], [old, new].map(Subject::Tournament));
        }
        if old.time_control != new.time_control {
            self.refuse_other(&TIME_CONTROL, "the time control", new.time_control, old.time_control);
        }
        // If the games differ, an option that only one of them has is not worth a message.
        for (name, is) in new.game.options().iter() {
            let was = old.game.options().iter().find(|(other, _)| *other == name);
            if let Some((_, was)) = was.filter(|(_, was)| is != *was) {
                self.refuse_other(&[&["options", name]], &format!("`options.{name}`"), is, was);
            }
        }
        for was in &old.bots {
            let Some(is) = new.bot(&was.name) else { continue };
            let bot = [was, is].map(Subject::Bot);
            self.compare_table(&bots::TABLE, &[&["bots", &was.name]], bot);
            // A limit that the bot does not set itself is set for all bots.
            self.compare_table(&limits::TABLE, &[&["bots", &was.name, "limits"], &["limits"]], bot);
        }
    }

    /// Compares the values of a table. `places` are the paths at which a file can set them, the most specific first.
    fn compare_table(&mut self, table: &KeyTable, places: &[&[&str]], [old, new]: [Subject<'_>; 2]) {
        for key in table.keys {
            let text = |of: Subject<'_>| key.text(of).unwrap_or_else(|| table.unset.to_owned());
            let (was, is) = (text(old), text(new));
            let is_allowed = match (key.effect(), new) {
                _ if is == was => continue,
                (Effect::Harmless, _) => true,
                // Another command makes another version, which plays its own games if the schedule permits it.
                (Effect::NewVersion, Subject::Bot(bot)) => fixed_roster(self.new, &bot.name).is_none(),
                (Effect::NewVersion, Subject::Tournament(_)) | (Effect::Refused | Effect::OwnRule, _) => {
                    false
                }
            };
            let values: Vec<Vec<&str>> =
                places.iter().map(|place| [*place, &[key.name()]].concat()).collect();
            let path = format!("`{}`", values[0].join("."));
            if is_allowed {
                self.comparison.harmless.push(format!("{path} is now `{is}`, was `{was}`"));
            } else {
                let values: Vec<&[&str]> = values.iter().map(Vec::as_slice).collect();
                self.refuse_other(&values, &path, is, was);
            }
        }
    }

    /// True if `games` ends the schedule early.
    fn is_cut(&self) -> bool {
        let games = [self.old.max_games, self.new.max_games];
        self.old.schedule != ScheduleKind::Ladder && games.iter().any(Option::is_some)
    }

    /// True if bots and teams may be removed.
    fn is_open(&self) -> bool {
        !self.old.schedule.has_seeds() && !self.is_cut() && self.old.test.is_none()
    }

    /// Compares the bots, which may be added, and may be removed if the schedule is open.
    fn compare_bots(&mut self) {
        let (old, new) = (self.old, self.new);
        for bot in old.bots.iter().filter(|bot| new.bot(&bot.name).is_none()) {
            if self.is_open() {
                self.comparison.withdrawn_bots.push(bot.name.clone());
                continue;
            }
            let is_twin = |other: &&Bot| {
                old.bot(&other.name).is_none() && (&other.command, &other.dir) == (&bot.command, &bot.dir)
            };
            let hint = new.bots.iter().find(is_twin).map(|twin| {
                let Bot { name, .. } = bot;
                format!(
                    "add `was = \"{name}\"` to keep its games, if `{}` is a new name for `{name}`",
                    twin.name
                )
            });
            let mistake = Diagnostic::new(format!("bot `{}` was removed", bot.name));
            let mistake = mistake.differs(&["bots"], None).maybe_hint(hint);
            let place = old.spans.find(&["bots", &bot.name, "name"]);
            self.refused.push(mistake.at_source(1, place, "when the run started"));
        }
        let added = new.bots.iter().filter(|bot| old.bot(&bot.name).is_none());
        self.comparison.added_bots = added.map(|bot| bot.name.clone()).collect();
    }

    /// Compares the pairing: new bots may be challengers, and the seeds must not change.
    fn compare_pairing(&mut self) {
        let (old, new) = (self.old, self.new);
        let place = |keys: &[&str]| new.spans.find(keys);
        let bots = self.comparison.added_bots.iter();
        let bots = bots.map(|name| ("bot", name.clone(), place(&["bots", name, "name"])));
        let teams = self.comparison.added_teams.iter();
        let teams = teams.map(|name| ("team", name.clone(), place(&["teams", name])));
        let added: Vec<Added> = bots.chain(teams).collect();
        if old.schedule == new.schedule {
            self.compare_challengers();
            if old.schedule.has_seeds() {
                self.compare_seeds(&added);
            }
        }
        if !added.is_empty() && self.is_cut() {
            // The games before the cut depend on the participants.
            let what = if self.comparison.added_bots.is_empty() { "teams" } else { "bots" };
            let message = format!("{what} can't be added when `games` ends the schedule early");
            self.refuse_at(&[&["games"]], &[what], message, None);
        }
    }

    /// Checks that opponents of the challengers remain opponents, and challengers remain challengers.
    fn compare_challengers(&mut self) {
        let (old, new) = (self.old, self.new);
        let (before, now) = (names(old, &old.pairing.challengers), names(new, &new.pairing.challengers));
        let is_in = |tournament: &Tournament, name: &str| {
            tournament.entrants.iter().any(|entrant| entrant.name == name)
        };
        let demoted = before.iter().find(|name| !now.contains(name) && is_in(new, name));
        let promoted = now.iter().find(|name| is_in(old, name) && !before.contains(name));
        if let Some(name) = demoted {
            self.refuse(&[&["challengers"]], format!("`{name}` is no longer a challenger"));
        }
        if let Some(name) = promoted {
            let message = format!("`{name}` is an opponent of the challengers and can't become one");
            self.refuse(&[&["challengers"]], message);
        }
    }

    /// Checks that no bot or team joins, and that the seeds are the same.
    fn compare_seeds(&mut self, added: &[Added]) {
        let (old, new) = (self.old, self.new);
        let word = old.schedule.word();
        for (what, name, place) in added {
            let message = format!("{what} `{name}` can't join a `{word}` that has started");
            let mistake =
                Diagnostic::new(message).hint("remove it: the pairings depend on everyone who takes part");
            self.refused.push(mistake.at(place.clone(), "not in the file that the run started with"));
        }
        if !added.is_empty() {
            return;
        }
        let is_same_order = names(old, &old.seeds()) == names(new, &new.seeds());
        if !is_same_order && old.entrants.len() == new.entrants.len() {
            let message = format!(
                "the seeds of the `{word}` have changed: they follow from `elo`, or from the order of the file"
            );
            self.refuse(&[&["bots"]], message);
        }
    }

    /// Compares the teams. Teams may be added, and must keep their bots; the order of the bots makes no difference.
    fn compare_teams(&mut self) {
        let (old, new) = (self.old, self.new);
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
            let place = ["teams", &team.name, "bots"];
            match new.entrants.iter().find(|other| other.name == team.name) {
                Some(now) if bots(new, now) == bots(old, team) => {}
                Some(now) => {
                    let [is, was] = [bots(new, now), bots(old, team)].map(|names| names.join("` and `"));
                    let message =
                        format!("team `{}` has `{is}`, but had `{was}` when the run started", team.name);
                    self.refuse(&[&place], message);
                }
                // The missing bot has been reported already.
                None if bots(old, team) == [team.name.clone()] && new.bot(&team.name).is_none() => {}
                None if self.is_open() => self.comparison.withdrawn_teams.push(team.name.clone()),
                None if bots(old, team).iter().all(|bot| new.bot(bot).is_none()) => {}
                None => {
                    let mistake = Diagnostic::new(format!("team `{}` was removed", team.name));
                    let place = old.spans.find(&["teams", &team.name]);
                    self.refused.push(mistake.at_source(1, place, "when the run started"));
                }
            }
        }
        let added =
            new.entrants.iter().filter(|team| !old.entrants.iter().any(|other| other.name == team.name));
        self.comparison.added_teams = added
            .filter(|team| bots(new, team) != [team.name.clone()])
            .map(|team| team.name.clone())
            .collect();
    }

    /// Compares the openings. Openings may be added at the end of a sequential list that has not been used up.
    fn compare_openings(&mut self) {
        let (old, new) = (self.old, self.new);
        let (was, is) = match (&old.openings, &new.openings) {
            (Some(was), Some(is)) => (was, is),
            (None, None) => return,
            (was, _) => {
                let message = match was {
                    None => "there are openings, but the run started without any",
                    Some(_) => "there are no openings, but the run started with some",
                };
                return self.refuse(&OPENINGS, message.to_owned());
            }
        };
        if was.order != is.order {
            let keys: &[&[&str]] = &[&["openings", "order"]];
            return self.refuse_other(keys, "`order`", is.order.word(), was.order.word());
        }
        if was.list == is.list {
            return;
        }
        let (before, now) = (was.list.len(), is.list.len());
        let message = match was.list.iter().zip(is.list.iter()).position(|(was, is)| was != is) {
            Some(first) => format!(
                "opening {} is `{}`, but was `{}` when the run started",
                first + 1,
                is.list[first],
                was.list[first]
            ),
            None if now < before => {
                format!("openings were removed: there are {now} now, but {before} when the run started")
            }
            None if was.order != Order::Sequential => {
                format!("openings can't be added with `order = \"{}\"`", was.order.word())
            }
            None if u64::from(old.rounds) > before as u64 => format!(
                "openings can't be added: the run's {before} already repeat within its {} rounds",
                old.rounds
            ),
            None => {
                self.comparison.added_openings = Some((before, now));
                return;
            }
        };
        self.refuse(&OPENINGS, message);
    }
}

fn names<'t>(tournament: &'t Tournament, entrants: &[usize]) -> Vec<&'t str> {
    entrants.iter().map(|entrant| tournament.entrants[*entrant].name.as_str()).collect()
}

/// Returns the span of the first of these values that the file has. If it has none, returns the span of the nearest
/// value that encloses the last one.
fn nearest_span(tournament: &Tournament, values: &[&[&str]]) -> Option<Range<usize>> {
    let spans = &tournament.spans;
    let first = values.iter().find(|keys| spans.contains(keys));
    spans.find(first.or(values.last())?)
}

/// The keys of the time control, of which a file has one.
const TIME_CONTROL: [&[&str]; 4] = [&["movetime"], &["tc"], &["nodes"], &["depth"]];

/// The keys of the source of the openings, of which `[openings]` has one.
const OPENINGS: [&[&str]; 2] = [&["openings", "file"], &["openings", "list"]];
