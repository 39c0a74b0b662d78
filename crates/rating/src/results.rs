//! Results of games, counted by bots, seats and scores.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use arrayvec::ArrayVec;

use super::clusters::{ClusterBuilder, mixed};
use super::counts::GameCounts;
use super::game::{Game, NameHasher};
use super::game_key;
use linesman_types::seat::{MAX_SEATS, Place};

/// The score of a game of two seats, as the first seat has it.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Score {
    /// The first seat won.
    Win,
    /// Nobody did.
    Draw,
    /// The second seat won.
    Loss,
}

impl Score {
    /// The first seat's points: 1, 0.5 or 0.
    pub fn points(self) -> f64 {
        match self {
            Score::Win => 1.0,
            Score::Draw => 0.5,
            Score::Loss => 0.0,
        }
    }
}

/// Numbers of games by score.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points a game, or nothing without games.
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The same games seen by the opponent.
    pub fn reversed(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The games of both.
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// So many games that all ended alike.
    pub(super) fn of(score: Score, games: u64) -> Tally {
        let mut tally = Tally::default();
        match score {
            Score::Win => tally.wins = games,
            Score::Draw => tally.draws = games,
            Score::Loss => tally.losses = games,
        }
        tally
    }
}

/// The reasons for which a game can't be rated.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum GameError {
    /// Seats and places do not belong together.
    #[error("{seats} seats but {places} places")]
    Places {
        /// The number of seats named.
        seats: usize,
        /// The number of places given.
        places: usize,
    },
    /// No game can have so many seats, or so few.
    #[error("a game of {seats} seats can't be rated, only games of 2 to {MAX_SEATS} seats")]
    Seats {
        /// The number of seats.
        seats: usize,
    },
}

/// Checks that a game can have this number of seats, and that each has a place.
pub(super) fn check_seats(seats: usize, places: &[Place]) -> Result<(), GameError> {
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(GameError::Seats { seats });
    }
    if places.len() != seats {
        return Err(GameError::Places { seats, places: places.len() });
    }
    Ok(())
}

/// The score of one seat against another from their places.
pub(super) fn score_of(own: Place, others: Place) -> Score {
    match own.cmp(&others) {
        Ordering::Less => Score::Win,
        Ordering::Equal => Score::Draw,
        Ordering::Greater => Score::Loss,
    }
}

/// The results of any number of games.
///
/// Void games and repeated records are for the reader to leave out. A bot that
/// plays nobody but itself says nothing about its strength: such games are
/// counted apart.
#[derive(Clone, Debug, Default)]
pub struct Results {
    names: Vec<String>,
    numbers: HashMap<String, u32, BuildHasherDefault<NameHasher>>,
    /// A digest of each name, which does not depend on the other names.
    digests: Vec<u64>,
    /// Games by their [codes](super::game_key).
    counts: GameCounts,
    /// The sheets of games of more than two seats and of teams.
    sheets: Vec<Sheet>,
    sheet_numbers: HashMap<Sheet, u32>,
    /// The names of teams; nothing for one that had two names.
    team_names: HashMap<Members, Option<String>>,
    cluster_builder: ClusterBuilder,
    games: u64,
    self_games: u64,
}

/// The bots of a side, sorted.
pub(super) type Members = ArrayVec<u32, MAX_SEATS>;

/// The sides of a game in seat order, and their places.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(super) struct Sheet {
    pub sides: ArrayVec<Members, MAX_SEATS>,
    pub places: ArrayVec<Place, MAX_SEATS>,
}

impl Results {
    /// No games yet.
    pub fn new() -> Results {
        Results::default()
    }

    /// Counts one game: the bots in seat order and the place of each.
    ///
    /// # Errors
    /// If no game has so many seats, or places and seats differ in number.
    pub fn add(&mut self, names: &[&str], places: &[Place]) -> Result<(), GameError> {
        self.count(&Game::new(names, places))
    }

    /// Counts one game of which more is known.
    ///
    /// # Errors
    /// If no game has so many seats, or places and seats differ in number.
    pub fn count(&mut self, game: &Game<'_>) -> Result<(), GameError> {
        check_seats(game.names.len(), game.places)?;
        let mut bots = ArrayVec::<u32, MAX_SEATS>::new();
        bots.extend(game.names.iter().map(|name| self.number(name)));
        let code = match (bots.as_slice(), game.places, game.teams) {
            (&[first, second], &[own, others], None) => {
                (first != second).then(|| game_key::of_duel(first, second, score_of(own, others)))
            }
            _ => self.sheet_code(&bots, game),
        };
        let Some(code) = code else {
            self.self_games += 1;
            return Ok(());
        };
        self.games += 1;
        self.counts.add(code, 1);
        if game.pair.is_some() || game.play.is_some() {
            let play = game.play.map(|play| self.play_digest(play, &bots, game.places));
            self.cluster_builder.add(code, game.pair, play);
        }
        Ok(())
    }

    /// The digest of a game from that of its moves: the same moves by other
    /// bots, or with another result, are another game.
    fn play_digest(&self, play: u64, bots: &[u32], places: &[Place]) -> u64 {
        let seated = bots.iter().zip(places);
        seated.fold(play, |digest, (bot, place)| {
            mixed(digest.rotate_left(7) ^ self.digests[*bot as usize] ^ place.number() as u64)
        })
    }

    /// The code of a game of more than two seats, or of teams; nothing if all
    /// sides are the same.
    fn sheet_code(&mut self, bots: &[u32], game: &Game<'_>) -> Option<u64> {
        let mut sheet = Sheet { sides: ArrayVec::new(), places: ArrayVec::new() };
        for side in game.sides() {
            let seats = || game.members(side).map(|seat| seat.index());
            let mut members: Members = seats().map(|seat| bots[seat]).collect();
            members.sort_unstable();
            if members.len() > 1 {
                let name = game.members(side).find_map(|seat| game.team_name(seat));
                let known = self.team_names.entry(members.clone()).or_insert_with(|| name.map(str::to_owned));
                if known.as_deref() != name {
                    *known = None;
                }
            }
            sheet.sides.push(members);
            sheet.places.push(seats().map(|seat| game.places[seat]).min()?);
        }
        if sheet.sides.iter().all(|side| *side == sheet.sides[0]) {
            return None;
        }
        if sheet.sides.len() == 2 && sheet.sides.iter().all(|side| side.len() == 1) {
            let score = score_of(sheet.places[0], sheet.places[1]);
            return Some(game_key::of_duel(sheet.sides[0][0], sheet.sides[1][0], score));
        }
        Some(game_key::of_sheet(self.sheet_number(sheet)))
    }

    fn sheet_number(&mut self, sheet: Sheet) -> u32 {
        if let Some(number) = self.sheet_numbers.get(&sheet) {
            return *number;
        }
        let number = u32::try_from(self.sheets.len()).expect("memory ends before 2^32 sheets");
        self.sheets.push(sheet.clone());
        self.sheet_numbers.insert(sheet, number);
        number
    }

    /// Counts one game of two seats.
    pub fn add_score(&mut self, first: &str, second: &str, score: Score) {
        self.add_tally(first, second, Tally::of(score, 1));
    }

    /// Counts many games of one bot on the first seat against another on the second.
    pub fn add_tally(&mut self, first: &str, second: &str, tally: Tally) {
        let (first, second) = (self.number(first), self.number(second));
        if first == second {
            self.self_games += tally.games();
            return;
        }
        self.games += tally.games();
        for (score, games) in
            [(Score::Win, tally.wins), (Score::Draw, tally.draws), (Score::Loss, tally.losses)]
        {
            self.counts.add(game_key::of_duel(first, second, score), games);
        }
    }

    /// Makes a bot known that may have no game at all, so that it is listed.
    pub fn add_bot(&mut self, name: &str) {
        self.number(name);
    }

    /// Counts all games of `other` too.
    pub fn merge(&mut self, other: &Results) {
        let bots: Vec<u32> = other.names.iter().map(|name| self.number(name)).collect();
        let renamed = |members: &Members| -> Members {
            let mut members: Members = members.iter().map(|bot| bots[*bot as usize]).collect();
            members.sort_unstable();
            members
        };
        for (members, name) in &other.team_names {
            let known = self.team_names.entry(renamed(members)).or_insert_with(|| name.clone());
            if known != name {
                *known = None;
            }
        }
        let sheets: Vec<u32> = (other.sheets.iter())
            .map(|sheet| {
                let sides = sheet.sides.iter().map(renamed).collect();
                self.sheet_number(Sheet { sides, places: sheet.places.clone() })
            })
            .collect();
        let renumbered = |own: u64| game_key::renumbered(own, &bots, &sheets);
        for (own, games) in other.counts.iter() {
            self.counts.add(renumbered(own), games);
        }
        self.cluster_builder.merge(&other.cluster_builder, renumbered);
        self.games += other.games;
        self.self_games += other.self_games;
    }

    /// The number of games that count, those of a bot against itself left out.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of games of a bot against itself.
    pub fn self_games(&self) -> u64 {
        self.self_games
    }

    /// The number of games that repeat an earlier one move for move, as far as moves are known.
    pub fn repeated_games(&self) -> u64 {
        self.cluster_builder.clusters(|code| code).repeated
    }

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.names.len()
    }

    /// The bots' names, in the order in which they came.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("memory ends before 2^32 bots");
        assert!(number < game_key::MOST_BOTS, "memory ends before 2^29 bots");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.digests.push(super::game::digest(name.as_bytes()));
        number
    }

    pub(super) fn counts(&self) -> &GameCounts {
        &self.counts
    }

    pub(super) fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    pub(super) fn cluster_builder(&self) -> &ClusterBuilder {
        &self.cluster_builder
    }

    pub(super) fn team_name(&self, members: &Members) -> Option<&str> {
        self.team_names.get(members)?.as_deref()
    }

    /// The bots with games of two seats, more than once.
    pub(super) fn bots_of_duels(&self) -> impl Iterator<Item = u32> + '_ {
        self.counts.iter().flat_map(|(own, _)| match game_key::decode(own) {
            game_key::GameKind::Duel(first, second, _) => vec![first, second],
            game_key::GameKind::Sheet(_) => Vec::new(),
        })
    }

    pub(super) fn name(&self, bot: u32) -> &str {
        &self.names[bot as usize]
    }
}
