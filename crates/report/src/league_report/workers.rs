//! The workers of a league that is played over a network: their games, and the agreement of their results.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;

use super::Report;
use super::sentence::{About, Sentence};
use super::shown::Shown;
use crate::describe::grouped;
use crate::layout::Layout;
use crate::table::{Cell, Column, ColumnOf, Shown as When, Table};
use linesman_rating::Ratings;
use linesman_rating::residuals::{ResidualTest, SameGames, differs_more_often, residual_tests};
use linesman_record::{GameRecord, Outcome, WorkerGames, WorkerTally};
use linesman_types::seat::Teams;

/// Probability below which a worker is reported.
const SUSPICIOUS: f64 = 0.01;

/// The games of a league by worker, and their repeats.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkerStatistics {
    tally: WorkerTally,
    /// The start of each worker's last game, UTC, RFC 3339.
    last: BTreeMap<String, String>,
    /// The repeats of games that have not been counted yet, by the id of the game.
    repeats: HashMap<String, Vec<RepeatedPlay>>,
    compared: BTreeMap<String, Comparisons>,
}

#[derive(Clone, Debug)]
struct RepeatedPlay {
    worker: String,
    places: Option<Vec<u8>>,
    moves: Option<Vec<String>>,
    must_agree: bool,
}

/// Comparisons of a worker's games with repeats by other workers.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
struct Comparisons {
    games: u64,
    /// Number of those with different results.
    differing: u64,
    /// Number of those of deterministic bots, and number of these with different moves or results.
    deterministic: u64,
    other_moves: u64,
}

impl WorkerStatistics {
    /// Stores the repeat of a game that is counted later. `must_agree` is true if its bots are deterministic.
    pub(super) fn expect(&mut self, record: &GameRecord, must_agree: bool) {
        let Some(worker) = record.worker.as_ref().filter(|_| record.void.is_none()) else { return };
        self.repeats.entry(record.id.clone()).or_default().push(RepeatedPlay {
            worker: worker.name.clone(),
            places: record.places.clone(),
            moves: record.moves.clone(),
            must_agree,
        });
    }

    /// Counts a game, and compares it with its repeats.
    pub(super) fn add(&mut self, record: &GameRecord, outcome: &Outcome<'_>, teams: &Teams) {
        let Some(worker) = &record.worker else { return };
        self.tally.add(worker, outcome, teams);
        if let Some(started) = &record.started {
            let last = self.last.entry(worker.name.clone()).or_default();
            if *started > *last {
                last.clone_from(started);
            }
        }
        if record.void.is_some() {
            return;
        }
        for repeat in self.repeats.remove(&record.id).unwrap_or_default() {
            let is_other_result = repeat.places != record.places;
            let is_other_game = is_other_result || repeat.moves != record.moves;
            self.tally.know(&repeat.worker);
            for name in [&worker.name, &repeat.worker] {
                let compared = self.compared.entry(name.clone()).or_default();
                compared.games += 1;
                compared.differing += u64::from(is_other_result);
                compared.deterministic += u64::from(repeat.must_agree);
                compared.other_moves += u64::from(repeat.must_agree && is_other_game);
            }
        }
    }

    fn rows(&self, ratings: &Ratings) -> Vec<WorkerRow<'_>> {
        let tests = tests(&self.tally, ratings);
        let tested = self.compared.len() as f64;
        let all = self
            .compared
            .values()
            .fold((0, 0), |(differing, games), one| (differing + one.differing, games + one.games));
        let row = |((name, games), test)| {
            let compared = self.compared.get(name).copied().unwrap_or_default();
            let Comparisons { differing, games: repeats, .. } = compared;
            // Each comparison was counted for two workers.
            let others = ((all.0 / 2).saturating_sub(differing), (all.1 / 2).saturating_sub(repeats));
            let p_value = differs_more_often((differing, repeats), others);
            let repeats_p = p_value.map(|p_value| (p_value * tested).min(1.0));
            let last = self.last.get(name).map(String::as_str);
            WorkerRow { name, games, test, compared, repeats_p, last }
        };
        self.tally.workers().zip(tests).map(row).collect()
    }
}

struct WorkerRow<'r> {
    name: &'r str,
    games: &'r WorkerGames,
    test: Option<ResidualTest>,
    compared: Comparisons,
    /// The probability of that number of differing repeats.
    repeats_p: Option<f64>,
    last: Option<&'r str>,
}

fn tests(tally: &WorkerTally, ratings: &Ratings) -> Vec<Option<ResidualTest>> {
    let groups: Vec<Vec<SameGames<'_>>> = (tally.workers())
        .map(|(_, games)| {
            let mut all = Vec::from_iter(&games.meetings);
            // Sorted, because the order of summation changes the last digits.
            all.sort_unstable();
            all.into_iter()
                .map(|(key, games)| SameGames { names: &key.0, places: &key.1, games: *games })
                .collect()
        })
        .collect();
    residual_tests(ratings, &groups)
}

/// Returns sentences about the workers whose results differ from those of the others.
pub fn worker_sentences(tally: &WorkerTally, ratings: &Ratings) -> Vec<Sentence> {
    let tests = tests(tally, ratings);
    let tested = tests.iter().flatten().count() as u64;
    let suspicious = tally.workers().zip(tests).filter_map(|((name, _), test)| {
        let test = test.filter(|test| test.p_value < SUSPICIOUS)?;
        Some(residual_sentence(name, &test, tested))
    });
    suspicious.collect()
}

fn residual_sentence(name: &str, test: &ResidualTest, tested: u64) -> Sentence {
    let direction = if test.excess > 0.0 { "more" } else { "less" };
    Sentence::about(About::Workers)
        .words("the results of worker ")
        .name(name)
        .words(format_args!(
            " differ from those of the others (chi-square {:.1}, p = {} among {}): ",
            test.chi_square,
            probability(test.p_value),
            grouped(tested)
        ))
        .name(&test.bot)
        .words(format_args!(" scored {:.2} {direction} a game there", test.excess.abs()))
}

fn repeat_sentences(row: &WorkerRow<'_>) -> impl Iterator<Item = Sentence> {
    let Comparisons { games, differing, deterministic, other_moves } = row.compared;
    let often = row.repeats_p.filter(|p_value| *p_value < SUSPICIOUS).map(|p_value| {
        Sentence::about(About::Workers)
            .words(format_args!("{differing} of {games} games that worker "))
            .name(row.name)
            .words(format_args!(
                " and another one played had other results, more than elsewhere (p = {})",
                probability(p_value)
            ))
    });
    let moves = (other_moves > 0).then(|| {
        Sentence::about(About::Workers)
            .words(format_args!("in {other_moves} of {deterministic} games of deterministic bots, worker "))
            .name(row.name)
            .words(" and another worker played other moves")
    });
    often.into_iter().chain(moves)
}

/// Formats a probability with two digits: `0.023`, `4.1e-5`.
fn probability(p_value: f64) -> String {
    if p_value < 0.001 { format!("{p_value:.1e}") } else { format!("{p_value:.3}") }
}

impl Report<'_> {
    pub(super) fn about_workers(&self) -> Vec<Sentence> {
        let workers = &self.statistics.workers;
        let rows = workers.rows(self.ratings);
        let mut all = worker_sentences(&workers.tally, self.ratings);
        all.extend(rows.iter().flat_map(repeat_sentences));
        all
    }

    /// True if a worker has played a game.
    pub fn has_workers(&self) -> bool {
        !self.statistics.workers.tally.is_empty()
    }

    pub(super) fn workers_shown(&self) -> Option<Shown> {
        let rows = self.statistics.workers.rows(self.ratings);
        if rows.is_empty() {
            return None;
        }
        let p_value = |key: &str, title: &str, of: fn(&WorkerRow<'_>) -> Option<f64>| {
            Column::number(key)
                .titled(title)
                .of(move |row: &WorkerRow<'_>| Cell::maybe(of(row), |p| Cell::Text(probability(p))))
                .shown(When::IfFilled)
        };
        let columns = [
            Column::name("worker").of(|row: &WorkerRow<'_>| Cell::text(row.name)),
            count("games", |row| row.games.games),
            count("failed", |row| row.games.failed).shown(When::IfFilled),
            Column::number("speed").of(|row: &WorkerRow<'_>| speeds(row.games.speeds)),
            Column::number("chi_square")
                .titled("chi-square")
                .of(|row: &WorkerRow<'_>| {
                    Cell::maybe(row.test.as_ref(), |test| {
                        Cell::Text(format!("{:.1} / {}", test.chi_square, test.freedom))
                    })
                })
                .shown(When::IfFilled),
            p_value("p_value", "p", |row| Some(row.test.as_ref()?.p_value)),
            count("repeats", |row| row.compared.games).shown(When::IfFilled),
            count("repeats_differing", |row| row.compared.differing).shown(When::IfFilled),
            p_value("repeats_p_value", "p of repeats", |row| row.repeats_p),
            Column::text("last_game")
                .titled("last game began")
                .of(|row: &WorkerRow<'_>| Cell::maybe(row.last, Cell::text)),
        ];
        let table = Table::of(columns, &rows);
        Some(Shown { table, layout: Layout::Part(1), below: Vec::new() })
    }

    pub(super) fn workers_full(&self) -> Table {
        let rows = self.statistics.workers.rows(self.ratings);
        let of_test = |key: &str, digits, of: fn(&ResidualTest) -> f64| {
            Column::number(key).of(move |row: &WorkerRow<'_>| {
                Cell::maybe(row.test.as_ref(), |test| Cell::estimate(of(test), digits))
            })
        };
        let speed = |key: &str, of: fn((NonZeroU64, NonZeroU64)) -> NonZeroU64| {
            Column::number(key).of(move |row: &WorkerRow<'_>| {
                Cell::maybe(row.games.speeds, |speeds| Cell::count(of(speeds).get()))
            })
        };
        let columns = [
            Column::name("worker").of(|row: &WorkerRow<'_>| Cell::text(row.name)),
            count("games", |row| row.games.games),
            count("void", |row| row.games.void),
            count("failed", |row| row.games.failed),
            speed("speed_low", |(slowest, _)| slowest),
            speed("speed_high", |(_, fastest)| fastest),
            of_test("chi_square", 3, |test| test.chi_square),
            of_test("freedom", 0, |test| f64::from(test.freedom)),
            of_test("p_value", 6, |test| test.p_value),
            Column::name("bot")
                .of(|row: &WorkerRow<'_>| Cell::maybe(row.test.as_ref(), |test| Cell::text(&test.bot))),
            of_test("excess", 4, |test| test.excess),
            count("repeats", |row| row.compared.games),
            count("repeats_differing", |row| row.compared.differing),
            Column::number("repeats_p_value")
                .of(|row: &WorkerRow<'_>| Cell::maybe(row.repeats_p, |p| Cell::estimate(p, 6))),
            count("repeats_deterministic", |row| row.compared.deterministic),
            count("repeats_other_moves", |row| row.compared.other_moves),
            Column::text("last_game").of(|row: &WorkerRow<'_>| Cell::maybe(row.last, Cell::text)),
        ];
        Table::of(columns, &rows)
    }
}

fn count<'c>(key: &str, of: fn(&WorkerRow<'_>) -> u64) -> ColumnOf<'c, WorkerRow<'c>> {
    Column::number(key).of(move |row: &WorkerRow<'_>| Cell::count(of(row)))
}

/// Formats the speeds of a worker in positions per second: `20,100,000`, `9,800,000 to 20,100,000`.
fn speeds(speeds: Option<(NonZeroU64, NonZeroU64)>) -> Cell {
    Cell::maybe(speeds, |(slowest, fastest)| {
        let text = |speed: NonZeroU64| grouped(speed.get());
        // Measurements of the same machine differ by a little.
        let is_steady = fastest.get() - slowest.get() <= fastest.get() / 20;
        Cell::Text(if is_steady { text(fastest) } else { format!("{} to {}", text(slowest), text(fastest)) })
    })
}
