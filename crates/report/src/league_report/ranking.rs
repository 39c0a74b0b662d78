//! Remarks on the numbers of a report: differences that may be chance, and points given away by faults.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::sentence::{About, Sentence};
use super::statistics::percents;
use super::{Facts, Meetings, Report, TestFacts};
use crate::describe::{grouped, whole};
use linesman_rating::sprt::Status;
use linesman_rating::{Difference, FieldNote};
use linesman_record::TWELFTHS;

/// Maximum number of sentences of one kind; the rest is only counted.
const MAX_OF_A_KIND: usize = 8;

/// The order of two neighbours.
#[derive(Copy, Clone, PartialEq, Debug)]
enum NeighbourOrder {
    /// The upper one is stronger with 95 % confidence.
    Significant,
    /// Either of them may be the stronger one.
    Open(Difference),
    /// The upper one is weaker with 95 % confidence.
    Contrary,
    /// They can't be compared.
    Unknown,
}

impl NeighbourOrder {
    fn of(difference: Option<Difference>) -> NeighbourOrder {
        let Some(difference) = difference else { return NeighbourOrder::Unknown };
        match difference.significant_order() {
            Some(Ordering::Greater) => NeighbourOrder::Significant,
            Some(_) => NeighbourOrder::Contrary,
            None => NeighbourOrder::Open(difference),
        }
    }
}

impl Report<'_> {
    /// Returns the difference of each bot, except the last, to the next one; `None` if it can't be estimated.
    pub(super) fn differences(&self) -> Vec<Option<Difference>> {
        let numbers: HashMap<&str, usize> =
            self.ratings.rows.iter().enumerate().map(|(number, row)| (row.name.as_str(), number)).collect();
        let names: Vec<&str> = self.standings.names().collect();
        let ahead = |pair: &[&str]| {
            let (one, other) = (numbers.get(pair[0])?, numbers.get(pair[1])?);
            self.ratings.difference(*one, *other)
        };
        names.windows(2).map(ahead).collect()
    }

    pub fn sentences(&self) -> Vec<Sentence> {
        let mut all = vec![self.facts.progress(self.statistics.games())];
        all.extend(self.void_games());
        let is_of_ranking = |sentence: &&Sentence| sentence.about == About::Ranking;
        all.extend(self.further.iter().filter(is_of_ranking).cloned());
        all.extend(self.significance());
        all.extend(self.faults());
        all.extend(self.seats_in_words());
        all.extend(self.repeats());
        all.extend(self.standings.notes_by_kind().into_iter().map(|(note, names)| {
            let about = Sentence::about(About::Ratings);
            match names.as_slice() {
                [name] => about.name(name).words(": ").words(note),
                names => about.words(note.of_several()).words(": ").some_names(names),
            }
        }));
        // Repeated games have a sentence of their own.
        let notes = self.ratings.notes.iter().filter(|note| !matches!(note, FieldNote::Repeated { .. }));
        all.extend(notes.map(|note| Sentence::about(About::Ratings).clause(&note.clause())));
        all.extend(self.standings.host_note().map(|note| Sentence::about(About::Host).clause(&note)));
        all.extend(self.about_workers());
        let games = self.facts.games;
        let uneven = self.standings.balance_note(games).filter(|_| self.facts.meetings == Meetings::Even);
        all.extend(uneven.map(|note| Sentence::about(About::Seats).clause(&note)));
        all.extend(self.further.iter().filter(|sentence| !is_of_ranking(sentence)).cloned());
        all
    }

    /// Returns sentences about the significance of differences between neighbours in the standings.
    fn significance(&self) -> Vec<Sentence> {
        // Confidence intervals are not valid for games that were played until they were decisive: the test has its own
        // verdict.
        if let Some(test) = &self.facts.test {
            return vec![test.verdict()];
        }
        let names: Vec<&str> = self.standings.names().collect();
        let orders: Vec<NeighbourOrder> = self.differences().into_iter().map(NeighbourOrder::of).collect();
        let about = || Sentence::about(About::Ranking);
        let known = orders.iter().filter(|order| **order != NeighbourOrder::Unknown).count();
        if known == 0 {
            let has_games = self.statistics.games() > 0 && names.len() > 1;
            let no_intervals =
                "this ranking may be chance: there are no intervals to compare neighboring ratings";
            return has_games.then(|| about().words(no_intervals)).into_iter().collect();
        }
        let is_open = |order: &NeighbourOrder| matches!(order, NeighbourOrder::Open(_));
        if orders.iter().all(|order| *order == NeighbourOrder::Significant) {
            let words = " significantly stronger (95 %) than the next in the ranking";
            return vec![match names.as_slice() {
                [one, other] => {
                    about().name(one).words(" is significantly stronger (95 %) than ").name(other)
                }
                _ => about().words("each bot is").words(words),
            }];
        }
        if orders.len() > 1 && orders.iter().all(is_open) {
            return vec![about().words(
                "this ranking may be chance: no bot is significantly stronger (95 %) than the next, so more \
                 games may change the order",
            )];
        }
        let sentences = not_significant(&names, &orders);
        let mut sentences =
            shortened(sentences, About::Ranking, "more remarks on the order of the ranking are left out");
        if orders.contains(&NeighbourOrder::Significant) && !orders.contains(&NeighbourOrder::Unknown) {
            sentences.push(about().words("all other neighbors in the ranking differ significantly (95 %)"));
        }
        sentences
    }

    /// Returns sentences about bots that failed, bots that gained from the failures of others, and the effect of the
    /// host on both.
    fn faults(&self) -> Vec<Sentence> {
        let about = || Sentence::about(About::Faults);
        let digits = self.digits();
        let points = |twelfths: u64| format!("{:.digits$}", twelfths as f64 / TWELFTHS as f64);
        let mut given = Vec::new();
        let mut failed = Vec::new();
        let (mut kept_waiting, mut has_overload) = (Vec::new(), false);
        for name in self.standings.names() {
            let bot = self.statistics.of(name);
            let (by_faults, by_host) = (bot.given_twelfths, bot.host_twelfths);
            has_overload |= by_host > 0;
            if (by_faults + by_host) * 2 > bot.twelfths {
                let (to, says) = given_by(points, by_faults, by_host);
                given.push(about().name(name).words(format_args!(
                    " owes {} of its {} points to {to}: its result says {says} its own play",
                    points(by_faults + by_host),
                    points(bot.twelfths)
                )));
            }
            let games = |lost: u64| match bot.losses {
                1 => "the only game that it lost".to_owned(),
                losses => format!("{} of the {} games that it lost", grouped(lost), grouped(losses)),
            };
            if bot.failed_losses * 2 > bot.losses {
                let games = games(bot.failed_losses);
                failed.push(about().name(name).words(format_args!(" failed in {games}")));
            }
            if bot.overload_losses * 2 > bot.losses {
                let games = games(bot.overload_losses);
                kept_waiting.push(about().name(name).words(format_args!(
                    " was late, because it waited for a CPU, in {games}: play fewer games at once, or end \
                     other programs"
                )));
            }
        }
        let more = if has_overload {
            "more bots owe most of their points to opponents that failed or were late"
        } else {
            "more bots owe most of their points to opponents that failed"
        };
        let mut sentences = shortened(given, About::Faults, more);
        sentences.extend(shortened(
            failed,
            About::Faults,
            "more bots failed in most of the games that they lost",
        ));
        let more = "more bots were late, because they waited for a CPU, in most of the games that they lost";
        sentences.extend(shortened(kept_waiting, About::Faults, more));
        sentences
    }

    fn void_games(&self) -> Option<Sentence> {
        let (void, by_host) = (self.statistics.void, self.statistics.void_by_host);
        let mut words = Vec::new();
        if void > 0 {
            let were = if void == 1 { "game has" } else { "games have" };
            words.push(format!("{} {were} no result, because no bot played", grouped(void)));
        }
        if by_host > 0 {
            let tries = if by_host == 1 { "try of a game was" } else { "tries of games were" };
            words.push(format!("{} {tries} spoiled by the machine", grouped(by_host)));
        }
        (!words.is_empty()).then(|| Sentence::about(About::Progress).words(words.join("; ")))
    }

    /// Returns a sentence about the value of the seats, by the fraction of points.
    fn seats_in_words(&self) -> Option<Sentence> {
        let about = || Sentence::about(About::Seats);
        let seats: Vec<_> = self.statistics.seats().collect();
        let what = self.seat_word();
        let excludes = |middle: f64, (low, high): (f64, f64)| low > middle || high < middle;
        let is_significant =
            |interval: Option<(f64, f64)>| interval.is_some_and(|interval| excludes(0.5, interval));
        match seats.as_slice() {
            [] => None,
            [(_, first), _] => {
                let (score, games) = (first.score()?, first.games);
                let verdict = |is_significant, middle| {
                    if is_significant {
                        format!("which differs significantly from {middle}")
                    } else {
                        "which may be chance".to_owned()
                    }
                };
                let share = verdict(is_significant(first.interval()), "half");
                let worth = self.ratings.first_seat_advantage.map_or_else(String::new, |(elo, interval)| {
                    let (low, high) = (interval.low, interval.high);
                    format!(
                        "; given the strengths of the {}s, it is worth {} Elo (95 %: {} to {}), {}",
                        self.entrant_word(),
                        whole(elo),
                        whole(low),
                        whole(high),
                        verdict(excludes(0.0, (low, high)), "0")
                    )
                });
                Some(about().words(format_args!(
                    "the first {what} scored {} in {} {}, {share}{worth}",
                    percents(score, games),
                    grouped(games),
                    if games == 1 { "game" } else { "games" }
                )))
            }
            seats => {
                let unlike: Vec<String> = seats
                    .iter()
                    .filter(|(_, seat)| is_significant(seat.interval()))
                    .filter_map(|(number, seat)| {
                        Some(format!("{what} {number} scored {}", percents(seat.score()?, seat.games)))
                    })
                    .collect();
                Some(about().words(if unlike.is_empty() {
                    format!("no {what} scored significantly more or less than half")
                } else {
                    format!("significantly different from half: {}", unlike.join(", "))
                }))
            }
        }
    }

    fn repeats(&self) -> Option<Sentence> {
        let (repeats, games) = (self.statistics.repeats, self.statistics.games());
        let (bots, games_of_bots) = self.statistics.max_repeated()?;
        let repeat = if repeats == 1 { "repeats" } else { "repeat" };
        Some(
            Sentence::about(About::Repeats)
                .words(format_args!(
                    "{} of {} games {repeat} an earlier one move for move (most often ",
                    grouped(repeats),
                    grouped(games)
                ))
                .names(bots)
                .words(format_args!(
                    " in these seats: {}); such games add no information and narrow no interval: play from \
                     openings",
                    grouped(games_of_bots)
                )),
        )
    }
}

/// Returns in words who gave a bot most of its points, and what its result says more about than its own play.
fn given_by(points: impl Fn(u64) -> String, by_faults: u64, by_host: u64) -> (String, &'static str) {
    match (by_faults, by_host) {
        (_, 0) => ("opponents that failed".to_owned(), "more about their faults than about"),
        (0, _) => (
            "opponents that were late because the machine was overloaded".to_owned(),
            "more about the machine than about",
        ),
        _ => (
            format!(
                "opponents that failed ({}) or that were late because the machine was \
                 overloaded ({})",
                points(by_faults),
                points(by_host)
            ),
            "more about that than about",
        ),
    }
}

impl TestFacts {
    /// Returns a sentence with the verdict of the test on its two bots.
    fn verdict(&self) -> Sentence {
        let [new, base] = &self.names;
        let (games, word) = (grouped(self.games), &self.in_a_word);
        let (before, after) = match self.status {
            Status::Accepted => ("accepts", ""),
            Status::Rejected => ("rejects", ""),
            Status::Undecided => ("of", " is undecided"),
        };
        Sentence::about(About::Ranking)
            .words(format_args!("the sequential test {before} "))
            .name(new)
            .words(" against ")
            .name(base)
            .words(format_args!("{after} after {games} games: {word}"))
    }
}

impl Facts {
    /// Returns a sentence about the progress of the league.
    fn progress(&self, with_result: u64) -> Sentence {
        let about = Sentence::about(About::Progress);
        let Some(left) = self.left else {
            let games = if self.games == 1 { "game has" } else { "games have" };
            return about.words(format_args!(
                "{} {games} been played, and the league has no end",
                grouped(self.games)
            ));
        };
        let played = self.games - left.min(self.games);
        if left > 0 && self.test.as_ref().is_some_and(|test| test.has_ended) {
            let games = if played == 1 { "game" } else { "games" };
            about.words(format_args!(
                "the test ended after {} {games}, and no more will be played",
                grouped(played)
            ))
        } else if left > 0 {
            about.words(format_args!("{} of {} games have been played", grouped(played), grouped(self.games)))
        } else if with_result == self.games {
            match self.games {
                1 => about.words("the only game has been played"),
                games => about.words(format_args!("all {} games have been played", grouped(games))),
            }
        } else {
            about.words(format_args!(
                "all {} games have been played, and {} have a result",
                grouped(self.games),
                grouped(with_result)
            ))
        }
    }
}

/// Returns sentences about neighbours in the ranking whose order may be chance, or contradicts their ratings.
fn not_significant(names: &[&str], orders: &[NeighbourOrder]) -> Vec<Sentence> {
    let about = || Sentence::about(About::Ranking);
    let is_open = |order: &NeighbourOrder| matches!(order, NeighbourOrder::Open(_));
    let mut sentences = Vec::new();
    let mut start = 0;
    for run in orders.chunk_by(|one, other| is_open(one) && is_open(other)) {
        let run_names = &names[start..=start + run.len()];
        start += run.len();
        match run {
            [NeighbourOrder::Open(difference)] => {
                let interval = difference.interval();
                sentences.push(about().words("the order of ").names(run_names.iter().copied()).words(
                    format_args!(
                        " is not significant: they are {} Elo apart (95 %: {} to {})",
                        whole(difference.elo),
                        whole(interval.low),
                        whole(interval.high)
                    ),
                ));
            }
            [NeighbourOrder::Open(_), ..] => {
                sentences.push(about().words("the order of ").some_names(run_names).words(
                    " is not significant: none of them is significantly stronger (95 %) than the next",
                ));
            }
            [NeighbourOrder::Contrary] => sentences.push(
                about()
                    .name(run_names[0])
                    .words(" stands above ")
                    .name(run_names[1])
                    .words(" by its points, though its rating is significantly lower"),
            ),
            _ => {}
        }
    }
    sentences
}

/// Keeps the first sentences, and adds one with the number of further ones.
fn shortened(mut sentences: Vec<Sentence>, about: About, more: &str) -> Vec<Sentence> {
    if sentences.len() > MAX_OF_A_KIND {
        let rest = sentences.len() - (MAX_OF_A_KIND - 1);
        sentences.truncate(MAX_OF_A_KIND - 1);
        sentences.push(Sentence::about(about).words(format_args!("{} {more}", grouped(rest as u64))));
    }
    sentences
}
