//! Reports of small leagues: counts, sentences, and names that stay text.

mod forms;
mod hostile;
mod numbers;
mod words;
mod workers;

use super::*;
use crate::standings::{Rated, SwissStanding};
use linesman_rating::{LikelihoodOptions, Method, Rater};
use linesman_record::TeamsOfGames;
use linesman_record::{FaultFields, GameRecord, OpeningRecord, SaidRecord, SeatRecord, VoidRecord};

pub(crate) use hostile::{HOSTILE, well_formed};

/// A league to which games are added.
struct League {
    facts: Facts,
    rules: Rules,
    /// Its order by these rules.
    swiss: Vec<(&'static str, SwissStanding)>,
    places: Vec<(&'static str, usize)>,
    tally: Tally,
    rater: Rater,
    teams: TeamsOfGames,
    statistics: Statistics,
    checkpoints: Checkpoints<Rater>,
}

impl League {
    fn new(bots: &[&str]) -> League {
        League::rated(bots, Method::Likelihood(LikelihoodOptions::default()))
    }

    fn rated(bots: &[&str], method: Method) -> League {
        let mut rater = Rater::new(method).unwrap();
        bots.iter().for_each(|bot| rater.add_bot(bot));
        League {
            facts: Facts {
                league: "spring cup".to_owned(),
                game: "quixo".to_owned(),
                options: "size=4".to_owned(),
                option_values: OptionValues::default(),
                time_control: "movetime=1s".to_owned(),
                entrants: bots.len(),
                games: 0,
                meetings: Meetings::Even,
                left: Some(0),
                test: None,
            },
            rules: Rules::None,
            swiss: Vec::new(),
            places: Vec::new(),
            tally: Tally::of_bots(bots.iter().copied()),
            rater,
            teams: TeamsOfGames::default(),
            statistics: Statistics::default(),
            checkpoints: Checkpoints::of_most(40),
        }
    }

    fn of(bots: &[&str], games: impl IntoIterator<Item = GameRecord>) -> League {
        let mut league = League::new(bots);
        games.into_iter().for_each(|game| league.add(&game));
        league
    }

    fn add(&mut self, record: &GameRecord) {
        let outcome = record.outcome().unwrap();
        self.tally.add(&outcome);
        self.statistics.add(record, &outcome);
        let teams = self.teams.of(&outcome.game, outcome.bots.seats());
        let sides = outcome.by_sides(&teams);
        if let Some(places) = sides.places() {
            let names: Vec<&str> = sides.bots.values().map(AsRef::as_ref).collect();
            self.rater.add(&names, places.as_slice()).unwrap();
            self.checkpoints.pass(self.statistics.games(), || self.rater.clone());
        }
        self.facts.games += 1;
    }

    fn report<T>(&self, look: impl FnOnce(&Report<'_>) -> T) -> T {
        let ratings = self.rater.ratings().unwrap();
        let standings = Standings::new(&self.tally, |name| {
            ratings.of(name).map_or_else(Rated::default, |rating| Rated {
                elo: rating.elo,
                interval: rating.interval.map(|interval| (interval.low, interval.high)),
                note: rating.note,
            })
        });
        let of = |name: &str| self.swiss.iter().find(|(bot, _)| *bot == name).map(|(_, standing)| *standing);
        let place = |name: &str| self.places.iter().find(|(bot, _)| *bot == name).map(|(_, place)| *place);
        let standings = standings.of_swiss(of).of_knockout(place);
        let kept = self.checkpoints.clone().into_kept();
        let kept = kept.into_iter().map(|(games, rater)| (games, rater.ratings().unwrap()));
        let course = Course::new(kept.chain([(self.statistics.games(), ratings.clone())]));
        look(&Report {
            facts: &self.facts,
            rules: &self.rules,
            tally: &self.tally,
            standings: &standings,
            ratings: &ratings,
            course: &course,
            statistics: &self.statistics,
            further: &[],
        })
    }

    /// Returns all sentences about a topic.
    fn says(&self, about: About) -> Vec<String> {
        self.report(|report| {
            let sentences = report.sentences().into_iter().filter(|sentence| sentence.about == about);
            sentences.map(|sentence| sentence.to_string()).collect()
        })
    }

    fn csv(&self, part: Part) -> String {
        self.report(|report| {
            let mut bytes = Vec::new();
            report.full(part).write_csv(&mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        })
    }

    fn text(&self, parts: &[Part], width: Option<usize>) -> String {
        self.report(|report| text(report, parts, width))
    }
}

/// Returns a two-seat game that ended by a line or, if shared, by repetition.
fn game(bots: [&str; 2], places: [u8; 2]) -> GameRecord {
    GameRecord {
        v: 1,
        id: format!("{}~{}~1", bots[0], bots[1]),
        attempt: 1,
        game: "quixo".to_owned(),
        seats: seats(&bots),
        places: Some(places.to_vec()),
        reason: Some(if places == [1, 1] { "repetition" } else { "line" }.to_owned()),
        ..GameRecord::default()
    }
}

fn seats(bots: &[&str]) -> Vec<SeatRecord> {
    bots.iter().map(|name| SeatRecord { name: (*name).to_owned(), ..SeatRecord::default() }).collect()
}

/// Sets `plies` moves, which only games of the same `kind` share.
fn with_moves(mut record: GameRecord, plies: usize, kind: usize) -> GameRecord {
    record.moves = Some((0..plies).map(|ply| format!("m{kind}.{ply}")).collect());
    record
}

fn failed(mut record: GameRecord, seat: u8, fault: &str) -> GameRecord {
    record.reason = Some("failure".to_owned());
    record.faults.push(FaultFields { seat, fault: fault.to_owned(), ..FaultFields::default() }.into());
    record
}

/// Returns a league of four bots with all features, always the same.
fn spring(names: [&str; 4]) -> League {
    League::of(&names, games_of_spring(names))
}

fn games_of_spring(names: [&str; 4]) -> Vec<GameRecord> {
    let mut state = 5_u64;
    let mut chance = |of: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % of
    };
    let mut games = Vec::new();
    for round in 1..=4 {
        for first in 0..4_usize {
            for second in (0..4).filter(|second| *second != first) {
                let better = if first < second { 78 } else { 30 };
                let places = match chance(100) {
                    luck if luck < better => [1, 2],
                    luck if luck < better + 12 => [1, 1],
                    _ => [2, 1],
                };
                let mut record = game([names[first], names[second]], places);
                record.id = format!("{}~{}~{round}", names[first], names[second]);
                let plies = 8 + chance(30) as usize;
                record = with_moves(record, plies, games.len());
                record.times_us = Some((0..plies as u64).map(|_| 500 + chance(90_000)).collect());
                let said = |depth| SaidRecord { depth: Some(depth), ..SaidRecord::default() };
                record.said = Some((0..plies).map(|_| Some(said(2 + chance(5) as u32))).collect());
                if chance(3) > 0 {
                    let moves = vec![format!("a{}a4", 1 + chance(3)), "d1a1".to_owned()];
                    record.opening = Some(OpeningRecord { token: None, moves });
                }
                if second == 3 && chance(2) == 0 {
                    record.places = Some(vec![1, 2]);
                    record = failed(record, 2, ["time", "illegal_move"][chance(2) as usize]);
                }
                games.push(record);
            }
        }
    }
    games
}

const NAMES: [&str; 4] = ["alphabeta", "mcts", "greedy", "shell-random"];
