//! Results as they come: points and ratings, kept up to date record by record.

use std::collections::{BTreeSet, HashMap};

use super::super::error::{Exit, Failure};
use super::super::events;
use super::super::json::{EloEnds, rounded};
use super::super::live;
use super::audience::standings;
use crate::league::file::{Method as PlannedMethod, Pause, Ponder, ScheduleKind, Tournament};
use crate::league::stop_rule::{End, Failures, StopRule};
use crate::rating::sprt::Counts;
use crate::rating::{Anchor, Game, IncrementalOptions, Interval, LikelihoodOptions, Method, Rater, Ratings};
use crate::record::{
    Ended, GameRecord, LeagueGame, Outcome, PlayDigests, Repeats, TWELFTHS, Tally, twelfths,
};
use crate::report::describe::grouped;
use crate::report::notes;
use crate::report::sprt::{Finding, Key, Line};
use crate::report::standings::{Rated, Standings};
use crate::seat::Teams;
use crate::verdict::Fault;

/// The lines of a test's block that are shown while it is played.
const TEST_LINES: [Key; 6] = [Key::Llr, Key::Elo, Key::Los, Key::Games, Key::Pairs, Key::Repeats];

/// The results of a tournament's games.
pub(crate) struct Results {
    tally: Tally,
    repeats: Repeats,
    /// The game that was the first to repeat another, until that has been told.
    first_repeat: FirstRepeat,
    games: u64,
    /// Number of games that the referee decided before their end.
    adjudicated: u64,
    rater: Rater,
    teams: Teams,
    /// The treatment of bots that use CPU out of turn.
    pub(crate) out_of_turn: OutOfTurn,
    /// The entrants in the tournament's order, with twelfths of points and games, for a word in between.
    running: Vec<(String, u64, u64)>,
    /// The index of each of them there.
    places_of: HashMap<String, usize>,
    /// When it may end before all games are played.
    test: Option<StopRule>,
    /// Games of bots that the plan does not have any more, or not as they were.
    pub(crate) former: Former,
    leads: live::Leads,
    faults: live::Faults,
    /// The part that this command has added.
    pub(crate) own: Own,
}

/// The part of a league that this command has played.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Own {
    games: u64,
    faults: u64,
}

/// Sees the end of a test where its games end: with games that take a moment many more would be
/// played before it is seen where they are counted.
#[derive(Debug)]
pub(crate) struct Foresight {
    test: StopRule,
    digests: PlayDigests,
}

impl Foresight {
    /// Takes note of a game, and says whether no more are needed.
    pub(crate) fn is_over(&mut self, record: &GameRecord) -> bool {
        if let Ok(outcome) = record.outcome() {
            let play = self.digests.of_record(record, &outcome);
            self.test.enter(&outcome, play);
        }
        self.test.end().is_some()
    }
}

/// The state of the warning that games repeat others.
#[derive(Clone, Eq, PartialEq, Debug)]
enum FirstRepeat {
    /// None does.
    None,
    /// This one does, and nobody has been told.
    Untold(String),
    /// It has been told.
    Told,
}

/// Games of bots that the plan does not have any more, or not as they were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Former {
    /// Their names in the records.
    names: BTreeSet<String>,
    /// Number of games.
    pub(crate) games: u64,
}

impl Former {
    /// The note on their games, if there are any.
    pub(crate) fn note(&self) -> Option<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let (games, count) = if self.games == 1 { ("game", "counts") } else { ("games", "count") };
        (self.games > 0).then(|| {
            format!("{} {games} of bots that no longer play {count}: `{}`", self.games, names.join("`, `"))
        })
    }
}

/// The treatment of bots that use CPU out of turn.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum OutOfTurn {
    /// They may, or are paused.
    SeenTo,
    /// They may not, and nobody stops them.
    Unwanted,
}

impl Results {
    /// Nothing has been played.
    pub(crate) fn new(tournament: &Tournament) -> Result<Results, Failure> {
        let names = || tournament.entrants.iter().map(|entrant| entrant.name.as_str());
        let teams = tournament.game.teams();
        let mut rater = Rater::new(method(tournament))
            .map_err(|error| Failure::new(Exit::Wrong, "the bots can't be rated").cause(error))?;
        names().for_each(|name| rater.add_bot(name));
        Ok(Results {
            tally: Tally::of_bots(names()),
            repeats: Repeats::new(),
            first_repeat: FirstRepeat::None,
            games: 0,
            adjudicated: 0,
            rater,
            teams,
            out_of_turn: match (tournament.pause, tournament.ponder) {
                (Pause::Never, Ponder::Refused) => OutOfTurn::Unwanted,
                _ => OutOfTurn::SeenTo,
            },
            places_of: names().enumerate().map(|(index, name)| (name.to_owned(), index)).collect(),
            running: names().map(|name| (name.to_owned(), 0, 0)).collect(),
            test: StopRule::of(tournament),
            former: Former::default(),
            leads: match tournament.schedule {
                ScheduleKind::RoundRobin | ScheduleKind::Gauntlet | ScheduleKind::Ladder => {
                    live::Leads::Standings
                }
                ScheduleKind::Swiss | ScheduleKind::Knockout => live::Leads::OwnRules,
            },
            faults: live::Faults::new(),
            own: Own::default(),
        })
    }

    /// Counts a record that counts, and looks whether its game repeats another.
    pub(crate) fn add_game(&mut self, record: &GameRecord, outcome: &Outcome<'_>) {
        let repeated = self.repeats.repeated();
        let play = self.repeats.add(record, outcome);
        self.count(outcome, repeated, play);
    }

    /// The same of a record of which only what a league needs was read.
    pub(crate) fn add_league_game(&mut self, game: &LeagueGame<'_>) {
        let repeated = self.repeats.repeated();
        let play = self.repeats.add_league_game(game);
        self.count(&game.outcome, repeated, play);
    }

    /// Counts a game before which so many had repeated another, with a digest of what was played.
    fn count(&mut self, outcome: &Outcome<'_>, repeated: u64, play: Option<u64>) {
        if self.repeats.repeated() > repeated && self.first_repeat == FirstRepeat::None {
            self.first_repeat = FirstRepeat::Untold(outcome.id.to_string());
        }
        self.games += 1;
        self.adjudicated += u64::from(outcome.reason.as_deref() == Some("adjudication"));
        self.enter(outcome, play);
    }

    /// Counts a game in which some play who don't any more, and which is no game
    /// of the schedule any more.
    pub(crate) fn add_former(&mut self, game: &LeagueGame<'_>, tournament: &Tournament) {
        let gone = game.outcome.bots.values().filter(|name| tournament.bot(name).is_none());
        self.former.names.extend(gone.map(ToString::to_string));
        self.former.games += 1;
        self.add_league_game(game);
    }

    /// Counts a record that counts, or one of a game that is played again.
    pub(crate) fn add(&mut self, outcome: &Outcome<'_>) {
        self.enter(outcome, None);
    }

    fn enter(&mut self, outcome: &Outcome<'_>, play: Option<u64>) {
        self.tally.add(outcome);
        if outcome.result != Ended::VoidHost {
            for (seat, kind) in &outcome.faults {
                let of_kind = (outcome.bots[*seat].to_string(), kind.to_string());
                *self.faults.entry(of_kind).or_default() += 1;
            }
        }
        if let Some(test) = &mut self.test {
            test.enter(outcome, play);
        }
        if outcome.bots.seats() != self.teams.seats() {
            return;
        }
        let outcome = outcome.by_sides(&self.teams);
        let Some(places) = outcome.places() else { return };
        let names: Vec<&str> = outcome.bots.values().map(AsRef::as_ref).collect();
        let mut game = Game::new(&names, places.as_slice());
        if let Some(pair) = &outcome.pair {
            game = game.in_pair(outcome.league.as_deref().unwrap_or_default(), pair);
        }
        if let Some(play) = play {
            game = game.with_moves(play);
        }
        // What can't be rated is in the tables all the same.
        let _ = self.rater.count(&game);
        let sides = Teams::singles(self.teams.sides());
        for (seat, name) in outcome.bots.iter() {
            if let Some(index) = self.places_of.get(name.as_ref()) {
                let (_, points, games) = &mut self.running[*index];
                *points += twelfths(places, &sides, seat);
                *games += 1;
            }
        }
    }

    /// Counts a record as this command has written it.
    pub(crate) fn add_record(&mut self, record: &GameRecord) {
        // What we wrote fits together.
        let Ok(outcome) = record.outcome() else { return };
        if outcome.result == Ended::VoidHost {
            return self.add(&outcome);
        }
        self.add_game(record, &outcome);
        self.own.games += 1;
        self.own.faults += outcome.faults.iter().filter(|(_, word)| *word != Fault::OVERLOAD).count() as u64;
    }

    /// Faults by bot and kind.
    pub(crate) fn faults(&self) -> &live::Faults {
        &self.faults
    }

    /// True if this command has played games.
    pub(crate) fn has_played(&self) -> bool {
        self.own.games > 0
    }

    /// The part that this command has played, if the league had games before it.
    pub(crate) fn own_note(&self) -> Option<String> {
        let Own { games, faults } = self.own;
        if games == 0 || games == self.games {
            return None;
        }
        let all: u64 =
            self.faults.iter().filter(|((_, kind), _)| kind != Fault::OVERLOAD).map(|(_, times)| times).sum();
        let counted = |number: u64, what: &str| match number {
            1 => format!("1 {what}"),
            _ => format!("{} {what}s", grouped(number)),
        };
        let with = |faults: u64| match all {
            0 => String::new(),
            _ => format!(" with {}", counted(faults, "fault")),
        };
        let (new, whole) = (counted(games, "game"), counted(self.games, "game"));
        Some(format!("this command played {new}{}; the run now has {whole}{}", with(faults), with(all)))
    }

    /// The test that it is, if it is one.
    pub(crate) fn test(&self) -> Option<&StopRule> {
        self.test.as_ref()
    }

    /// The outcome of a test that needs no more games.
    pub(crate) fn test_end(&self) -> Option<super::Outcome> {
        Some(match self.test.as_ref()?.end()? {
            End::Decided => super::Outcome::Decided,
            End::Repeating => super::Outcome::Repeating,
        })
    }

    /// A copy of the test's rule that goes on by itself.
    pub(crate) fn foresight(&self) -> Option<Foresight> {
        let test = self.test.clone()?;
        Some(Foresight { test, digests: PlayDigests::default() })
    }

    /// The standing, in a few words: `alphabeta 9.5 : 2.5 greedy` with two
    /// bots or teams; nothing with more, where the live view knows who leads.
    pub(crate) fn in_a_word(&self) -> String {
        if let Some(test) = &self.test {
            return finding(test).in_a_word();
        }
        if let [(one, one_points, _), (other, other_points, _)] = self.running.as_slice() {
            let [one_points, other_points] = [*one_points, *other_points].map(points);
            return format!("{one} {one_points:.1} : {other_points:.1} {other}");
        }
        String::new()
    }

    /// The standing: the entrants by their share of points, and the state of a test.
    pub(crate) fn standing(&self) -> live::Standing {
        let share = |row: &live::Row| if row.games == 0 { 0.0 } else { row.points / row.games as f64 };
        let mut rows: Vec<live::Row> = self
            .running
            .iter()
            .map(|(name, twelfths, games)| live::Row {
                name: name.clone(),
                points: points(*twelfths),
                games: *games,
            })
            .collect();
        // Equals stay in the tournament's order.
        rows.sort_by(|one, other| {
            share(other).total_cmp(&share(one)).then(other.points.total_cmp(&one.points))
        });
        let test = self.test.as_ref().map(|test| finding(test).lines()).unwrap_or_default();
        let is_meant = |line: &&Line| TEST_LINES.contains(&line.key);
        let test = test.iter().filter(is_meant).map(Line::to_string).collect();
        live::Standing { done: 0, word: self.in_a_word(), rows, leads: self.leads, test }
    }

    /// The standings with these ratings, for programs.
    pub(crate) fn standings_event(&self, ratings: &Ratings) -> events::Standings {
        standings(self.standing().rows, &self.teams, |name| {
            let rating = ratings.of(name);
            let interval = rating.and_then(|rating| rating.interval);
            (rating.and_then(|rating| rating.elo), interval.map(|ends| [ends.low, ends.high]))
        })
    }

    /// The state of the test, for programs, if it is one.
    pub(crate) fn test_event(&self) -> Option<events::Test> {
        let Finding { design, counts, llr, status, estimate, repeated, .. } = finding(self.test.as_ref()?);
        let ends = |Interval { low, high }: Interval| [low, high];
        let bound = |value: f64| rounded(value).unwrap_or(value);
        let repeated = repeated.unwrap_or(0);
        Some(events::Test {
            status: status.word().to_owned(),
            llr: llr.ok().and_then(rounded),
            lower: bound(design.lower()),
            upper: bound(design.upper()),
            elo: estimate.and_then(|estimate| rounded(estimate.elo)),
            ends: EloEnds::of(estimate.map(|estimate| ends(estimate.interval))),
            los: estimate.and_then(|estimate| rounded(estimate.los)),
            pairs: match counts {
                Counts::Pairs(pairs) => Some(pairs),
                Counts::Games(_) => None,
            },
            repeated,
            games_repeated: repeated,
        })
    }

    /// The bots that take part and failed in games, with the number of failures, the highest first.
    pub(crate) fn faults_by_bot(&self) -> Vec<(&str, u64)> {
        let own = self.tally.bots().filter(|(name, _)| self.places_of.contains_key(*name));
        let mut faults: Vec<(&str, u64)> = own
            .map(|(name, tally)| (name, tally.faults.iter().sum()))
            .filter(|(_, faults)| *faults > 0)
            .collect();
        faults.sort_by_key(|(_, faults)| std::cmp::Reverse(*faults));
        faults
    }

    /// The warning as soon as a game repeats another; once.
    pub(crate) fn first_repeat(&mut self) -> Option<String> {
        let FirstRepeat::Untold(id) = &self.first_repeat else { return None };
        let told = format!("{id} repeats an earlier game move for move, which adds no information");
        self.first_repeat = FirstRepeat::Told;
        Some(told)
    }

    /// The note if the referee decided games before their rules did.
    pub(crate) fn adjudicated_note(&self) -> Option<String> {
        let were = if self.adjudicated == 1 { "was" } else { "were" };
        (self.adjudicated > 0).then(|| {
            format!(
                "{} of {} games {were} decided by adjudication before they ended",
                self.adjudicated, self.games
            )
        })
    }

    /// The note if games repeat others.
    pub(crate) fn repeats_note(&self) -> Option<String> {
        notes::repeats_note(&self.repeats)
    }

    /// The counts.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The rater.
    pub(crate) fn rater(&self) -> &Rater {
        &self.rater
    }

    /// The ratings; of teams in games of teams.
    pub(crate) fn ratings(&self) -> Result<Ratings, Failure> {
        self.rater
            .ratings()
            .map_err(|error| Failure::new(Exit::Wrong, "the bots can't be rated").cause(error))
    }

    /// The standings.
    pub(crate) fn standings(&self) -> Result<Standings, Failure> {
        Ok(self.standings_by(&self.ratings()?))
    }

    /// The standings with these ratings.
    pub(crate) fn standings_by(&self, ratings: &Ratings) -> Standings {
        Standings::new(&self.tally, |name| {
            ratings.of(name).map_or_else(Rated::default, |rating| Rated {
                elo: rating.elo,
                interval: rating.interval.map(|interval| (interval.low, interval.high)),
                note: rating.note,
            })
        })
    }
}

fn points(twelfths: u64) -> f64 {
    twelfths as f64 / TWELFTHS as f64
}

/// The findings of a test so far.
pub(crate) fn finding(test: &StopRule) -> Finding {
    let sequence = test.sequence();
    let finding = Finding::new(*sequence.design(), *sequence.counts()).with_games(test.tally());
    let finding = finding.between(test.names()).with_repeats(2 * test.repeated());
    let mut finding = failures_of(test.names(), &test.failures()).into_iter().fold(finding, Finding::noting);
    if test.end() == Some(End::Repeating) {
        finding = finding.noting(format_args!(
            "stopped undecided: the last {} games only repeat earlier ones move for move, as all further \
             games would; to compare bots that always play alike, use more openings (`linesman openings \
             make`, `--openings FILE`)",
            2 * test.repeated_in_a_row()
        ));
    }
    match test.further() {
        0 => {}
        1 => finding = finding.noting("1 more game was played in the meantime and does not count"),
        games => {
            finding = finding
                .noting(format_args!("{games} more games were played in the meantime and don't count"));
        }
    }
    match test.left_out() {
        0 => finding,
        1 => finding.noting("1 pair of games is left out, because one of the two has no result"),
        number => finding.noting(format_args!(
            "{number} pairs of games are left out, because a game of each has no result"
        )),
    }
}

/// The failures in the games that count, a sentence for each bot.
fn failures_of(names: [&str; 2], failures: &Failures) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for (name, by_kind) in names.into_iter().zip(failures.by_kind) {
        let kinds = Fault::WORDS.iter().zip(by_kind).filter(|(_, games)| *games > 0);
        let kinds: Vec<String> = kinds.map(|(word, games)| format!("{games} by `{word}`")).collect();
        if !kinds.is_empty() {
            let games: u64 = by_kind.iter().sum();
            let in_games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
            said.push(format!("`{name}` failed in {in_games}: {}", kinds.join(", ")));
        }
    }
    match failures.both {
        0 => {}
        1 => said.push("both bots failed in 1 game, which counts in both numbers".to_owned()),
        both => said.push(format!("both bots failed in {both} games, which count in both numbers")),
    }
    for (name, games) in names.into_iter().zip(failures.overload).filter(|(_, games)| *games > 0) {
        let in_games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        said.push(format!("`{name}` was late in {in_games} because it waited for a CPU"));
    }
    said
}

fn method(tournament: &Tournament) -> Method {
    let plan = &tournament.rating;
    match plan.method {
        PlannedMethod::Likelihood => Method::Likelihood(LikelihoodOptions {
            mean: plan.mean,
            anchors: plan.anchor.iter().map(|name| Anchor { name: name.clone(), elo: plan.mean }).collect(),
            ..LikelihoodOptions::default()
        }),
        PlannedMethod::Incremental => Method::Incremental(IncrementalOptions { k: plan.k, start: plan.mean }),
    }
}
