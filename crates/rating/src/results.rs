//! Results of games, counted by bots, seats and scores.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use arrayvec::ArrayVec;

use super::clusters::ClusterBuilder;
use super::counts::GameCounts;
use super::game::{GameError, NameHasher, RatedGame, check_seats};
use super::game_key;
use super::score::{Score, Tally, score_of};
use linesman_types::random::{digest, scatter};
use linesman_types::seat::{MAX_SEATS, Place};

/// The results of any number of games.
///
/// The caller leaves out void games and repeated records. Games in which a bot plays only against itself give
/// no information on its strength: they are counted separately.
#[derive(Clone, Debug, Default)]
pub struct Results {
    names: Vec<String>,
    numbers: HashMap<String, u32, BuildHasherDefault<NameHasher>>,
    /// A digest of each name, which does not depend on the other names.
    digests: Vec<u64>,
    /// Games by their [keys](super::game_key).
    pub(super) counts: GameCounts,
    /// The sheets of games of more than two seats and of teams.
    pub(super) sheets: Vec<Sheet>,
    sheet_numbers: HashMap<Sheet, u32>,
    /// The names of teams; `None` for one that had two names.
    team_names: HashMap<Members, Option<String>>,
    pub(super) cluster_builder: ClusterBuilder,
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
    /// If no game has this number of seats, or places and seats differ in number.
    pub fn add(&mut self, names: &[&str], places: &[Place]) -> Result<(), GameError> {
        self.count(&RatedGame::new(names, places))
    }

    /// Counts one game with its teams, its pair and its moves.
    ///
    /// # Errors
    /// If no game has this number of seats, or places and seats differ in number.
    pub fn count(&mut self, game: &RatedGame<'_>) -> Result<(), GameError> {
        check_seats(game.names.len(), game.places)?;
        let mut bots = ArrayVec::<u32, MAX_SEATS>::new();
        bots.extend(game.names.iter().map(|name| self.number(name)));
        let key = match (bots.as_slice(), game.places, game.teams) {
            (&[first, second], &[own, others], None) => {
                (first != second).then(|| game_key::of_duel(first, second, score_of(own, others)))
            }
            _ => self.sheet_key(&bots, game),
        };
        let Some(key) = key else {
            self.self_games += 1;
            return Ok(());
        };
        self.games += 1;
        self.counts.add(key, 1);
        if game.pair.is_some() || game.play.is_some() {
            let play = game.play.map(|play| self.play_digest(play, &bots, game.places));
            self.cluster_builder.add(key, game.pair, play);
        }
        Ok(())
    }

    /// The digest of a game from that of its moves: the same moves by other bots, or with another result, are
    /// another game.
    fn play_digest(&self, play: u64, bots: &[u32], places: &[Place]) -> u64 {
        let seated = bots.iter().zip(places);
        seated.fold(play, |digest, (bot, place)| {
            scatter(digest.rotate_left(7) ^ self.digests[*bot as usize] ^ place.number() as u64)
        })
    }

    /// The key of a game of more than two seats, or of teams; `None` if all sides are the same.
    fn sheet_key(&mut self, bots: &[u32], game: &RatedGame<'_>) -> Option<u64> {
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

    /// Registers a bot, so that it is listed even without games.
    pub fn add_bot(&mut self, name: &str) {
        self.number(name);
    }

    /// Adds all games of `other`.
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
        let renumbered = |key: u64| game_key::renumbered(key, &bots, &sheets);
        for (key, games) in other.counts.iter() {
            self.counts.add(renumbered(key), games);
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

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.names.len()
    }

    /// The bots' names, in the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("memory ends before 2^32 bots");
        assert!(number < game_key::MAX_BOTS, "memory ends before 2^29 bots");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.digests.push(digest(0, name.as_bytes()));
        number
    }

    pub(super) fn team_name(&self, members: &Members) -> Option<&str> {
        self.team_names.get(members)?.as_deref()
    }

    /// Yields the bots of all games of two seats; a bot can occur more than once.
    pub(super) fn bots_of_duels(&self) -> impl Iterator<Item = u32> + '_ {
        self.counts.iter().flat_map(|(key, _)| match game_key::decode(key) {
            game_key::GameKind::Duel(first, second, _) => vec![first, second],
            game_key::GameKind::Sheet(_) => Vec::new(),
        })
    }

    pub(super) fn name(&self, bot: u32) -> &str {
        &self.names[bot as usize]
    }
}
