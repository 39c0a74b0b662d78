//! The results so far: points, ratings and the state of a test, updated game by game.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::file::{Method as PlannedMethod, Tournament};
use crate::stop_rule::{self, StopRule};
use linesman_rating::{
    Anchor, IncrementalOptions, LikelihoodOptions, Method, RatedGame, Rater, RatingError, Ratings,
};
use linesman_record::{
    Ended, GameFingerprints, GameRecord, LeagueGame, Outcome, Repeats, TWELFTHS, Tally, WorkerTally, twelfths,
};
use linesman_types::seat::Teams;
use linesman_types::verdict::{CauseKind, FaultKind};

/// The number of faults by bot and kind.
pub type Faults = BTreeMap<(String, FaultKind), u64>;

/// The results of a tournament's games.
#[derive(Debug)]
pub struct Results {
    tally: Tally,
    repeats: Repeats,
    /// The id of the first game that repeats an earlier one, until it is reported.
    first_repeat: Option<String>,
    games: u64,
    adjudicated: u64,
    rater: Rater,
    teams: Teams,
    /// The entrants in the tournament's order, with twelfths of points and games.
    entrants: Vec<(String, u64, u64)>,
    /// The index of each entrant in `entrants`.
    index_of: HashMap<String, usize>,
    test: Option<StopRule>,
    past_bots: PastBots,
    faults: Faults,
    workers: WorkerTally,
    own: Own,
}

/// The points of a bot or team.
#[derive(Clone, PartialEq, Debug)]
pub struct Points {
    /// The name of the bot or team.
    pub name: String,
    pub points: f64,
    pub games: u64,
}

/// The part of a run that this session has played.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Own {
    pub games: u64,
    /// The number of faults in them, without late moves that the host caused.
    pub faults: u64,
}

/// The games of removed bots and of former versions of bots.
#[derive(Clone, Debug, Default)]
pub struct PastBots {
    /// The names of the bots in the records.
    pub names: BTreeSet<String>,
    pub games: u64,
}

/// Detects the end of a test in the threads where games end. With very short games, many more would be played before
/// the thread that counts them detected the end.
#[derive(Debug)]
pub(super) struct EarlyStop {
    test: StopRule,
    digests: GameFingerprints,
}

impl EarlyStop {
    /// Counts a game. Returns true if no more games are needed.
    pub(super) fn is_over(&mut self, record: &GameRecord) -> bool {
        if let Ok(outcome) = record.outcome() {
            let play = self.digests.of_record(record, &outcome);
            self.test.enter(&outcome, play);
        }
        self.test.end().is_some()
    }
}

impl Results {
    /// Makes the results before the first game.
    ///
    /// # Errors
    /// Bots can't be rated with the rating options.
    pub fn new(tournament: &Tournament) -> Result<Results, RatingError> {
        let names = || tournament.entrants.iter().map(|entrant| entrant.name.as_str());
        let mut rater = Rater::new(method(tournament))?;
        names().for_each(|name| rater.add_bot(name));
        Ok(Results {
            tally: Tally::of_bots(names()),
            repeats: Repeats::default(),
            first_repeat: None,
            games: 0,
            adjudicated: 0,
            rater,
            teams: tournament.game.teams(),
            index_of: names().enumerate().map(|(index, name)| (name.to_owned(), index)).collect(),
            entrants: names().map(|name| (name.to_owned(), 0, 0)).collect(),
            test: StopRule::of(tournament),
            past_bots: PastBots::default(),
            faults: Faults::new(),
            workers: WorkerTally::default(),
            own: Own::default(),
        })
    }

    /// Counts a record of which only the part that a league needs was parsed.
    pub(super) fn add_league_game(&mut self, game: &LeagueGame<'_>) {
        if let Some(worker) = &game.worker {
            self.workers.add(worker, &game.outcome, &self.teams);
        }
        let repeated = self.repeats.repeated();
        let play = self.repeats.add_league_game(game);
        self.count(&game.outcome, repeated, play);
    }

    /// Counts a game. `repeated` is the number of repeated games before it; `play` is a digest of its moves.
    fn count(&mut self, outcome: &Outcome<'_>, repeated: u64, play: Option<u64>) {
        if repeated == 0 && self.repeats.repeated() > 0 {
            self.first_repeat = Some(outcome.id.to_string());
        }
        self.games += 1;
        self.adjudicated += u64::from(outcome.cause() == Some(CauseKind::Adjudication));
        self.enter(outcome, play);
    }

    /// Counts a game of past bots, which the schedule does not have.
    pub(super) fn add_past_bots(&mut self, game: &LeagueGame<'_>, tournament: &Tournament) {
        let gone = game.outcome.bots.values().filter(|name| tournament.bot(name).is_none());
        self.past_bots.names.extend(gone.map(ToString::to_string));
        self.past_bots.games += 1;
        self.add_league_game(game);
    }

    /// Counts a record of a game that is played again.
    pub(super) fn add_annulled(&mut self, outcome: &Outcome<'_>) {
        self.enter(outcome, None);
    }

    fn enter(&mut self, outcome: &Outcome<'_>, play: Option<u64>) {
        self.tally.add(outcome);
        if outcome.result != Ended::VoidHost {
            for (seat, kind) in &outcome.faults {
                let key = (outcome.bots[*seat].to_string(), kind.clone());
                *self.faults.entry(key).or_default() += 1;
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
        let mut game = RatedGame::new(&names, places.as_slice());
        if let Some(pair) = &outcome.pair {
            game = game.in_pair(outcome.league.as_deref().unwrap_or_default(), pair);
        }
        if let Some(play) = play {
            game = game.with_moves(play);
        }
        // A game that can't be rated still counts in the tables.
        let _ = self.rater.count(&game);
        let sides = Teams::singles(self.teams.sides());
        for (seat, name) in outcome.bots.iter() {
            if let Some(index) = self.index_of.get(name.as_ref()) {
                let (_, points, games) = &mut self.entrants[*index];
                *points += twelfths(places, &sides, seat);
                *games += 1;
            }
        }
    }

    /// Counts a record that this session has written.
    pub(super) fn add_record(&mut self, record: &GameRecord) {
        // The records of this session are consistent.
        let Ok(outcome) = record.outcome() else { return };
        if let Some(worker) = &record.worker {
            self.workers.add(worker, &outcome, &self.teams);
        }
        if outcome.result == Ended::VoidHost {
            return self.add_annulled(&outcome);
        }
        let repeated = self.repeats.repeated();
        let play = self.repeats.add(record, &outcome);
        self.count(&outcome, repeated, play);
        self.own.games += 1;
        self.own.faults +=
            outcome.faults.iter().filter(|(_, kind)| *kind != FaultKind::Overload).count() as u64;
    }

    /// Takes the id of the first game that repeats another, unless it has been taken.
    pub(super) fn take_first_repeat(&mut self) -> Option<String> {
        self.first_repeat.take()
    }

    /// Sets the part that this session has played.
    pub(super) fn with_own(self, own: Own) -> Results {
        Results { own, ..self }
    }

    /// Makes a detector of the test's end that is independent of these results; `None` if there is no test.
    pub(super) fn early_stop(&self) -> Option<EarlyStop> {
        let test = self.test.clone()?;
        Some(EarlyStop { test, digests: GameFingerprints::default() })
    }

    /// Returns the number of faults by bot and kind.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Returns the number of games that count.
    pub fn games(&self) -> u64 {
        self.games
    }

    pub fn adjudicated(&self) -> u64 {
        self.adjudicated
    }

    /// Returns the part that this session has played.
    pub fn own(&self) -> Own {
        self.own
    }

    /// Returns the games of past bots.
    pub fn past_bots(&self) -> &PastBots {
        &self.past_bots
    }

    /// Returns the test; `None` if the run is not a test.
    pub fn test(&self) -> Option<&StopRule> {
        self.test.as_ref()
    }

    /// Returns the end of the test; `None` if there is no test, or if it needs more games.
    pub fn test_end(&self) -> Option<stop_rule::End> {
        self.test.as_ref()?.end()
    }

    pub fn teams(&self) -> &Teams {
        &self.teams
    }

    /// Returns the names of the entrants, in the tournament's order.
    pub fn entrants(&self) -> impl Iterator<Item = &str> {
        self.entrants.iter().map(|(name, ..)| name.as_str())
    }

    /// Returns the points of the entrants in all their games, those against former bots included, sorted by points per
    /// game, then by points, then in the tournament's order.
    pub fn points_ranked(&self) -> Vec<Points> {
        let per_game = |row: &Points| if row.games == 0 { 0.0 } else { row.points / row.games as f64 };
        let points = |(name, twelfths, games): &(String, u64, u64)| Points {
            name: name.clone(),
            points: *twelfths as f64 / TWELFTHS as f64,
            games: *games,
        };
        let mut rows: Vec<Points> = self.entrants.iter().map(points).collect();
        rows.sort_by(|one, other| {
            per_game(other).total_cmp(&per_game(one)).then(other.points.total_cmp(&one.points))
        });
        rows
    }

    /// Returns the entrants that committed faults, with the number of faults, in descending order.
    pub fn faults_by_bot(&self) -> Vec<(&str, u64)> {
        let entrants = self.tally.bots().filter(|(name, _)| self.index_of.contains_key(*name));
        let mut faults: Vec<(&str, u64)> = entrants
            .map(|(name, tally)| (name, tally.faults.iter().sum()))
            .filter(|(_, faults)| *faults > 0)
            .collect();
        faults.sort_by_key(|(_, faults)| std::cmp::Reverse(*faults));
        faults
    }

    /// Returns the games that repeat earlier ones.
    pub fn repeats(&self) -> &Repeats {
        &self.repeats
    }

    /// Returns the tally of games by worker.
    pub fn workers(&self) -> &WorkerTally {
        &self.workers
    }

    /// Returns the tally of games by bot and by pair of bots.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the rater, which has all games that can be rated.
    pub fn rater(&self) -> &Rater {
        &self.rater
    }

    /// Rates the entrants.
    ///
    /// # Errors
    /// No ratings can be computed from the results.
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        self.rater.ratings()
    }
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
