//! Counts of games and results by bot and by pair, for standings and crosstables. One pass over the records,
//! which are not kept.

use std::collections::{BTreeMap, HashMap};

use crate::{Ended, GameRecord, HostTally, Outcome, set_up};
use linesman_games::{eliminated, is_elimination};
use linesman_types::seat::balance::{Seated, Uneven, max_uneven, max_uneven_meetings};
use linesman_types::seat::{BySeat, GameResult, MAX_SEATS, Place, Seat, Teams};
use linesman_types::verdict::FaultKind;

/// The number of parts into which a point is divided. Each share for one to three opponents, with shared
/// places counting half, is a whole number of parts, so sums are exact.
pub const TWELFTHS: u64 = 12;

/// Counts games; games of teams by team.
///
/// It counts every record that it gets: the caller asks a [`Selection`](crate::Selection) first.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    numbers: BTreeMap<String, usize>,
    bots: Vec<BotTally>,
    pairs: HashMap<(usize, usize), PairTally>,
    teams: TeamsOfGames,
    /// The number of seats in the games, or of sides where several seats play together.
    seats: usize,
    of_teams: bool,
    /// The number of games that have a result.
    games: u64,
    /// The bots of each game that an overloaded host spoiled and that has no final record, by the game's id.
    open: HashMap<String, Vec<usize>>,
}

/// The results of one bot.
#[derive(Clone, Debug, Default)]
pub struct BotTally {
    /// The number of games with a result.
    pub games: u64,
    /// Points, in twelfths.
    pub twelfths: u64,
    /// The number of games in which it was alone in first place.
    pub wins: u64,
    /// The number of games in which it shared first place.
    pub draws: u64,
    /// The number of the other games.
    pub losses: u64,
    /// The number of games in which it was first, second and so on.
    pub places: [u64; MAX_SEATS],
    /// By seat, or by side in games of teams: games and twelfths of points.
    pub by_seat: [(u64, u64); MAX_SEATS],
    /// The number of its own faults by kind, in the order of [`FaultKind::OWN`], without those caused by an
    /// overloaded host.
    pub faults: [u64; FaultKind::OWN.len()],
    /// The CPU time that the host gave it, and that it took out of turn.
    pub host: HostTally,
    /// The number of games that an overloaded host spoiled and that have no final record.
    pub open: u64,
}

/// The results of one bot against another.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct PairTally {
    /// The number of games in which the first bot was ahead of the other.
    pub wins: u64,
    /// The number of games in which both shared a place.
    pub draws: u64,
    /// The number of games in which the other bot was ahead.
    pub losses: u64,
}

impl Tally {
    /// An empty tally in which these bots take part.
    pub fn of_bots<'n>(names: impl IntoIterator<Item = &'n str>) -> Tally {
        let mut tally = Tally::default();
        for name in names {
            tally.number(name);
        }
        tally
    }

    /// Counts a game. A game without a result counts only with its faults, a game that is played again only
    /// with the seat of its late move and the CPU time that the bots were given.
    pub fn add(&mut self, outcome: &Outcome<'_>) {
        if outcome.result == Ended::VoidHost && outcome.overloaded.is_none() {
            return;
        }
        let teams = self.teams.of(&outcome.game, outcome.bots.seats());
        if teams.sides() < teams.seats() {
            self.of_teams = true;
            let sides = Teams::singles(teams.sides());
            self.add_of_singles(&outcome.by_sides(&teams), &sides);
        } else {
            self.add_of_singles(outcome, &teams);
        }
    }

    /// Counts a game in which every bot plays for itself.
    fn add_of_singles(&mut self, outcome: &Outcome<'_>, teams: &Teams) {
        let numbers = outcome.bots.map(|_, name| self.number(name));
        if outcome.result == Ended::VoidHost {
            if let Some(number) = outcome.overloaded.and_then(|seat| numbers.get(seat)) {
                self.bots[*number].host.voids += 1;
            }
            let mut bots: Vec<usize> = numbers.values().copied().collect();
            bots.sort_unstable();
            bots.dedup();
            if self.open.insert(outcome.id.clone().into_owned(), bots.clone()).is_none() {
                bots.into_iter().for_each(|bot| self.bots[bot].open += 1);
            }
            // The use of the host is counted for every attempt.
            for (number, usage) in numbers.values().zip(outcome.usage.values()) {
                usage.iter().for_each(|usage| self.bots[*number].host.add_moves(usage));
            }
            return self.add_late(outcome, &numbers);
        }
        for bot in self.open.remove(&*outcome.id).into_iter().flatten() {
            self.bots[bot].open -= 1;
        }
        for (number, usage) in numbers.values().zip(outcome.usage.values()) {
            usage.iter().for_each(|usage| self.bots[*number].host.add(usage));
        }
        self.add_late(outcome, &numbers);
        self.seats = self.seats.max(outcome.bots.seats());
        for (seat, kind) in &outcome.faults {
            if let Some(index) = kind.own_index() {
                self.bots[numbers[*seat]].faults[index] += 1;
            }
            self.bots[numbers[*seat]].host.overload += u64::from(*kind == FaultKind::Overload);
        }
        if let Some(places) = outcome.places() {
            self.games += 1;
            self.add_places(&numbers, places, teams);
        }
    }

    fn add_late(&mut self, outcome: &Outcome<'_>, numbers: &BySeat<usize>) {
        for late in &outcome.late {
            self.bots[numbers[late.seat]].host.add_late(late);
        }
    }

    fn add_places(&mut self, numbers: &BySeat<usize>, places: &BySeat<Place>, teams: &Teams) {
        for (seat, number) in numbers.iter() {
            let twelfths = twelfths(places, teams, seat);
            let bot = &mut self.bots[*number];
            bot.games += 1;
            bot.twelfths += twelfths;
            bot.places[places[seat].number() - 1] += 1;
            let at_seat = &mut bot.by_seat[seat.index()];
            at_seat.0 += 1;
            at_seat.1 += twelfths;
            match places.result(teams, seat) {
                GameResult::Won => bot.wins += 1,
                GameResult::Drawn => bot.draws += 1,
                GameResult::Lost => bot.losses += 1,
            }
            let opponents = numbers.iter().filter(|(other, _)| !teams.together(seat, *other));
            for (other, opponent) in opponents.filter(|(_, opponent)| *opponent != number) {
                let pair = self.pairs.entry((*number, *opponent)).or_default();
                match places[seat].cmp(&places[other]) {
                    std::cmp::Ordering::Less => pair.wins += 1,
                    std::cmp::Ordering::Equal => pair.draws += 1,
                    std::cmp::Ordering::Greater => pair.losses += 1,
                }
            }
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.bots.push(BotTally::default());
        self.numbers.insert(name.to_owned(), self.bots.len() - 1);
        self.bots.len() - 1
    }

    /// The bots, sorted by name.
    pub fn bots(&self) -> impl Iterator<Item = (&str, &BotTally)> {
        self.numbers.iter().map(|(name, number)| (name.as_str(), &self.bots[*number]))
    }

    /// The results of a bot.
    pub fn bot(&self, name: &str) -> Option<&BotTally> {
        self.numbers.get(name).map(|number| &self.bots[*number])
    }

    /// The results of one bot against the other, if they have met.
    pub fn pair(&self, one: &str, other: &str) -> Option<PairTally> {
        self.pairs.get(&(*self.numbers.get(one)?, *self.numbers.get(other)?)).copied()
    }

    /// The number of seats in the games, or of sides in games of teams; two if there is no game yet.
    pub fn seats(&self) -> usize {
        self.seats.max(2)
    }

    /// The number of games that have a result.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of games that an overloaded host spoiled and that have no final record.
    pub fn open_games(&self) -> u64 {
        self.open.len() as u64
    }

    /// Returns true if the games are games of teams.
    pub fn is_of_teams(&self) -> bool {
        self.of_teams
    }

    /// The most uneven distribution of seats and opponents, if the games so far are unbalanced.
    pub fn uneven(&self) -> Option<Uneven> {
        let counts = |bot: &BotTally| bot.by_seat.map(|(games, _)| games);
        let bots: Vec<(&str, [u64; MAX_SEATS])> =
            self.bots().map(|(name, bot)| (name, counts(bot))).collect();
        let what = if self.of_teams { Seated::Sides } else { Seated::Seats };
        let by_seat = bots.iter().map(|(name, counts)| (*name, &counts[..self.seats()]));
        max_uneven(what, by_seat).or_else(|| {
            let bots: Vec<(&String, &usize)> = self.numbers.iter().collect();
            let pairs = bots
                .iter()
                .enumerate()
                .flat_map(|(index, one)| bots[index + 1..].iter().map(move |other| (*one, *other)));
            max_uneven_meetings(pairs.map(|((one, number), (other, other_number))| {
                let games = self.pairs.get(&(*number, *other_number)).map_or(0, |pair| pair.games());
                ([one.as_str(), other.as_str()], games)
            }))
        })
    }
}

impl PairTally {
    /// The number of games between the two.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of the first bot against the other, with draws counting half.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// A seat's score in twelfths of a point.
pub fn twelfths(places: &BySeat<Place>, teams: &Teams, seat: Seat) -> u64 {
    (places.score(teams, seat) * TWELFTHS as f64).round() as u64
}

/// The teams of the games seen so far.
#[derive(Clone, Debug, Default)]
pub struct TeamsOfGames(Vec<(String, Teams)>);

impl TeamsOfGames {
    /// The teams of a game. In an unknown game every bot plays for itself.
    pub fn of(&mut self, game: &str, seats: usize) -> Teams {
        let is_known = |(name, teams): &&(String, Teams)| name == game && teams.seats() == seats;
        if let Some((_, teams)) = self.0.iter().find(is_known) {
            return teams.clone();
        }
        let teams = linesman_games::find(game)
            .and_then(|game| game.configure(&[]).ok())
            .map(|setup| setup.teams())
            .filter(|teams| teams.seats() == seats)
            .unwrap_or_else(|| Teams::singles(seats));
        // Records may name any number of games that do not exist.
        if self.0.len() < MAX_GAMES {
            self.0.push((game.to_owned(), teams.clone()));
        }
        teams
    }
}

/// The maximum number of games whose teams are kept.
const MAX_GAMES: usize = 64;

/// The seat that made each move of a record; `None` for an elimination. As a whole, `None` if the record
/// lacks its start, or has moves of another form.
pub fn movers(record: &GameRecord) -> Option<Vec<Option<Seat>>> {
    let seats = record.seats.len();
    let opening = record.opening.clone().unwrap_or_default();
    let mut seat = match &opening.token {
        None => Seat::FIRST,
        Some(token) => set_up(record).ok()?.from_token(token).ok()?.to_move(),
    };
    if !(2..=MAX_SEATS).contains(&seats) {
        return None;
    }
    for _ in &opening.moves {
        seat = seat.next(seats);
    }
    let mut out: Vec<Seat> = Vec::new();
    let mut by = Vec::new();
    for text in record.moves.as_ref()? {
        let is_move = !is_elimination(text);
        if !is_move {
            out.push(eliminated(text)?);
        }
        by.push(is_move.then_some(seat));
        if is_move || out.contains(&seat) {
            let later = std::iter::successors(Some(seat.next(seats)), |seat| Some(seat.next(seats)));
            seat = later.take(seats).find(|seat| !out.contains(seat))?;
        }
    }
    Some(by)
}
