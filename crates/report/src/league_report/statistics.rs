//! Statistics of a league's records beyond the results. They are sums from one pass over the records.

use std::collections::HashMap;

use super::groups::{Group, GroupedGame, Groups};
use super::lengths::Lengths;
use super::overhead::Overhead;
use super::workers::WorkerStatistics;
use crate::describe::plies;
use linesman_rating::DEVIATIONS;
use linesman_record::identity_hasher::digest;
use linesman_record::{Ended, GameRecord, Outcome, SeenGames, TWELFTHS, TeamsOfGames, movers, twelfths};
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat, Teams};
use linesman_types::verdict::FaultKind;

/// Maximum number of openings that are distinguished.
const MAX_OPENINGS: usize = 10_000;

/// Maximum number of reasons that are distinguished: more than linesman has, for records of other programs.
const MAX_REASONS: usize = 64;

/// Statistics of the games of a league. Sums are exact. Of each game, only eight bytes are kept, which identify a
/// repeated game.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
    bots: Vec<BotStatistics>,
    /// The time of moves beyond what the bots reported, indexed like `bots`.
    overheads: Vec<Overhead>,
    teams: TeamsOfGames,
    games: u64,
    /// Number of attempts at games that the host spoiled.
    pub(super) void_by_host: u64,
    /// Number of void games that are not played again.
    pub(super) void: u64,
    seats: [SeatStatistics; MAX_SEATS],
    pub(super) lengths: Lengths,
    /// The games by the reason for their end.
    pub(super) endings: Groups,
    /// The games by their opening, without those from the usual start.
    pub(super) openings: Groups,
    pub(super) usual_start: Group,
    seen: SeenGames,
    /// Number of games that repeat an earlier game move for move.
    pub(super) repeats: u64,
    /// The number of these games by the bots in seat order.
    repeats_by_bots: HashMap<Vec<usize>, u64>,
    pub(super) workers: WorkerStatistics,
}

/// Statistics of one bot, beyond its results.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct BotStatistics {
    /// Number of its moves with a known time, their total time, and the longest time.
    pub(crate) timed_moves: u64,
    pub(crate) time_us: u128,
    pub(crate) longest_us: u64,
    /// Number of its moves with a reported depth, and the sum of the depths.
    pub(crate) deep_moves: u64,
    pub(crate) depths: u128,
    /// Its points, and those that opponents gave it by failing, in twelfths.
    pub(crate) twelfths: u64,
    pub(crate) given_twelfths: u64,
    /// Points that the host gave it by delaying opponents.
    pub(crate) host_twelfths: u64,
    /// Number of games in which another bot was ahead of it, and number of those in which it had failed.
    pub(crate) losses: u64,
    pub(crate) failed_losses: u64,
    /// Number of those in which its own move was late on an overloaded host.
    pub(crate) overload_losses: u64,
}

impl BotStatistics {
    /// Returns the mean time of a move, in milliseconds.
    pub(crate) fn mean_ms(&self) -> Option<f64> {
        (self.timed_moves > 0).then(|| self.time_us as f64 / 1_000.0 / self.timed_moves as f64)
    }

    /// Returns the longest time of a move, in milliseconds.
    pub(crate) fn longest_ms(&self) -> Option<f64> {
        (self.timed_moves > 0).then(|| self.longest_us as f64 / 1_000.0)
    }

    /// Returns the mean depth that it reported.
    pub(crate) fn mean_depth(&self) -> Option<f64> {
        (self.deep_moves > 0).then(|| self.depths as f64 / self.deep_moves as f64)
    }

    /// Returns the points that opponents gave it by failing.
    pub(crate) fn given(&self) -> f64 {
        self.given_twelfths as f64 / TWELFTHS as f64
    }

    /// Returns the points that opponents lost to it by being late on an overloaded host.
    pub(crate) fn given_by_host(&self) -> f64 {
        self.host_twelfths as f64 / TWELFTHS as f64
    }
}

/// Results of a seat, or of a side in games of teams.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeatStatistics {
    pub(crate) games: u64,
    pub(crate) twelfths: u64,
}

impl SeatStatistics {
    /// Returns the fraction of the points.
    pub(crate) fn score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.twelfths as f64 / (TWELFTHS * self.games) as f64)
    }

    /// Returns the 95 % confidence interval of the true fraction.
    pub(crate) fn interval(&self) -> Option<(f64, f64)> {
        self.score().map(|score| wilson(score, self.games))
    }
}

/// Returns the 95 % interval of a fraction of points over `games`: Wilson's score interval (E. B. Wilson, "Probable
/// Inference, the Law of Succession, and Statistical Inference", 1927), `(p + z^2/2n -+ z sqrt(p(1-p)/n +
/// z^2/4n^2)) / (1 + z^2/n)`.
///
/// It stays within 0 to 1, and has a width even if all games had the same result. Draws make points vary less than the
/// formula assumes, so the interval is then too wide rather than too narrow.
pub(crate) fn wilson(share: f64, games: u64) -> (f64, f64) {
    let (z, games) = (DEVIATIONS, games as f64);
    let middle = share + z * z / (2.0 * games);
    let half = z * (share * (1.0 - share) / games + z * z / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z * z / games;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

impl Statistics {
    /// Counts a game, from its record and its outcome. Games without a result are only counted.
    ///
    /// The caller decides which records count, as with [`Tally`](linesman_record::Tally).
    pub fn add(&mut self, record: &GameRecord, outcome: &Outcome<'_>) {
        if record.worker.is_some() {
            let teams = self.teams.of(&outcome.game, outcome.bots.seats());
            self.workers.add(record, outcome, &teams);
        }
        let places = match &outcome.result {
            Ended::VoidHost => return self.void_by_host += 1,
            Ended::Void => return self.void += 1,
            Ended::Places(places) => places,
        };
        self.games += 1;
        let teams = self.teams.of(&outcome.game, outcome.bots.seats());
        self.add_result(outcome, &teams);
        let plies = plies(record);
        if let Some(plies) = plies {
            self.lengths.add(plies);
        }
        let game = GroupedGame {
            first_twelfths: twelfths(places, &teams, Seat::FIRST),
            is_shared: is_shared(places, &teams),
            plies,
        };
        let reason = outcome.reason.as_deref().unwrap_or_default();
        self.endings.add(MAX_REASONS, digest(reason), || reason.to_owned(), game);
        match record.opening.as_ref().filter(|opening| opening.token.is_some() || !opening.moves.is_empty()) {
            None => self.usual_start.add(game),
            Some(opening) => {
                let label = || {
                    let parts = opening.token.iter().chain(&opening.moves);
                    parts.map(String::as_str).collect::<Vec<_>>().join(" ")
                };
                self.openings.add(MAX_OPENINGS, digest((&opening.token, &opening.moves)), label, game);
            }
        }
        let numbers = outcome.by_sides(&teams).bots.map(|_, name| self.number(name));
        // Games without a move repeat nothing.
        if self.seen.is_repeated(record, outcome) == Some(true) {
            self.repeats += 1;
            *self.repeats_by_bots.entry(numbers.as_slice().to_vec()).or_default() += 1;
        }
        self.add_moves(record, &numbers, &teams);
    }

    /// Stores the repeat of a game by another worker, before the game itself is counted. `must_agree` is true if its
    /// bots are deterministic.
    pub fn expect_repeat(&mut self, record: &GameRecord, must_agree: bool) {
        self.workers.expect(record, must_agree);
    }

    /// Counts the result of each seat, or of each side in games of teams.
    fn add_result(&mut self, outcome: &Outcome<'_>, teams: &Teams) {
        let sides = outcome.by_sides(teams);
        let Some(places) = sides.places() else { return };
        let singles = Teams::singles(sides.bots.seats());
        // If a side both failed and had to wait for a CPU, its first fault decides.
        let first_kind = |seat: Seat| {
            let fault = sides.faults.iter().find(|(fault_seat, _)| *fault_seat == seat);
            fault.map(|(_, kind)| kind)
        };
        let failed = |seat: Seat| first_kind(seat).is_some_and(|kind| *kind != FaultKind::Overload);
        let was_kept_waiting = |seat: Seat| first_kind(seat) == Some(&FaultKind::Overload);
        for (seat, name) in sides.bots.iter() {
            let twelfths = twelfths(places, &singles, seat);
            let at_seat = &mut self.seats[seat.index()];
            at_seat.games += 1;
            at_seat.twelfths += twelfths;
            let others = || places.iter().filter(move |(other, _)| *other != seat);
            let opponents = (places.seats() - 1) as u64;
            let beaten = || others().filter(|(_, place)| **place > places[seat]).map(|(other, _)| other);
            let given = beaten().filter(|other| failed(*other)).count() as u64;
            let by_host = beaten().filter(|other| was_kept_waiting(*other)).count() as u64;
            let is_lost = others().any(|(_, place)| *place < places[seat]);
            let number = self.number(name);
            let bot = &mut self.bots[number];
            bot.twelfths += twelfths;
            bot.given_twelfths += given * TWELFTHS / opponents.max(1);
            bot.losses += u64::from(is_lost);
            bot.failed_losses += u64::from(is_lost && failed(seat));
            bot.host_twelfths += by_host * TWELFTHS / opponents.max(1);
            bot.overload_losses += u64::from(is_lost && was_kept_waiting(seat));
        }
    }

    /// Counts thinking times and depths.
    fn add_moves(&mut self, record: &GameRecord, numbers: &BySeat<usize>, teams: &Teams) {
        if record.times_us.is_none() && record.said.is_none() {
            return;
        }
        let Some(by) = movers(record) else { return };
        let number = |seat: Seat| numbers.get(Seat::from_index(teams.side(seat).index())).copied();
        // A record may contain anything: columns of another length are ignored.
        if let Some(times) = record.times_us.as_ref().filter(|times| times.len() == by.len()) {
            for (seat, time) in by.iter().zip(times) {
                if let Some(number) = seat.and_then(number) {
                    let bot = &mut self.bots[number];
                    bot.timed_moves += 1;
                    bot.time_us += u128::from(*time);
                    bot.longest_us = bot.longest_us.max(*time);
                }
            }
        }
        if let Some(said) = record.said.as_ref().filter(|said| said.len() == by.len()) {
            for (seat, said) in by.iter().zip(said) {
                let depth = said.as_ref().and_then(|said| said.depth);
                if let (Some(number), Some(depth)) = (seat.and_then(number), depth) {
                    let bot = &mut self.bots[number];
                    bot.deep_moves += 1;
                    bot.depths += u128::from(depth);
                }
            }
        }
        self.add_overheads(record, &by, number);
    }

    /// Counts the excess of the charged time over the time that the bots reported.
    fn add_overheads(
        &mut self,
        record: &GameRecord,
        by: &[Option<Seat>],
        number: impl Fn(Seat) -> Option<usize>,
    ) {
        let columns = record.said.as_ref().zip(record.times_us.as_ref());
        let columns = columns.filter(|(said, times)| said.len() == by.len() && times.len() == by.len());
        // The bot's own clock does not measure CPU time.
        let Some((said, times)) = columns.filter(|_| record.clock.is_none()) else { return };
        for ((seat, said), time) in by.iter().zip(said).zip(times) {
            let reported = said.as_ref().and_then(|said| said.time_ms);
            if let (Some(number), Some(reported)) = (seat.and_then(&number), reported) {
                self.overheads[number].add(*time, reported);
            }
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.bots.len();
        self.bots.push(BotStatistics::default());
        self.overheads.push(Overhead::default());
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Returns the statistics of one bot; zeros if it has no game with a result.
    pub(crate) fn of(&self, name: &str) -> BotStatistics {
        self.numbers.get(name).map_or_else(BotStatistics::default, |number| self.bots[*number])
    }

    /// Returns the time of a bot's moves beyond what it reported.
    pub(crate) fn overhead(&self, name: &str) -> Option<&Overhead> {
        self.numbers.get(name).map(|number| &self.overheads[*number])
    }

    /// Returns the number of games that have a result.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the results of the seats in the games, or of their sides.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (usize, SeatStatistics)> + '_ {
        (1..).zip(self.seats).filter(|(_, seat)| seat.games > 0)
    }

    /// Returns the bots that repeated games most often, in seat order, and the number of those games; among equals, the
    /// first by name.
    pub(crate) fn max_repeated(&self) -> Option<(Vec<&str>, u64)> {
        let names = |bots: &[usize]| bots.iter().map(|bot| self.names[*bot].as_str()).collect::<Vec<_>>();
        let by_names = self.repeats_by_bots.iter().map(|(bots, games)| (names(bots), *games));
        by_names.max_by(|one, other| one.1.cmp(&other.1).then_with(|| other.0.cmp(&one.0)))
    }
}

/// Returns true if several sides share the first place.
fn is_shared(places: &BySeat<Place>, teams: &Teams) -> bool {
    let first = places.iter().filter(|(_, place)| **place == Place::FIRST);
    let mut sides = first.map(|(seat, _)| teams.side(seat));
    let one = sides.next();
    sides.any(|side| Some(side) != one)
}

/// Formats a share in percent with its interval: `54.2 % (95 %: 51.4 to 57.0)`.
pub(super) fn percents(share: f64, games: u64) -> String {
    let (low, high) = wilson(share, games);
    format!("{:.1} % (95 %: {:.1} to {:.1})", share * 100.0, low * 100.0, high * 100.0)
}
