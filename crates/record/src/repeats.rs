//! Games that repeat earlier ones move by move. They carry no information: if two bots always play the same
//! moves, a hundred games from one start are one game.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use crate::digest_set::DigestSet;
use crate::{GameFingerprints, GameRecord, LeagueGame, Outcome};
use linesman_types::seat::MAX_SEATS;

/// Recognizes games that the same bots have played before: on the same seats, from the same start, move by
/// move. Keeps about ten bytes per game.
#[derive(Clone, Debug, Default)]
pub struct SeenGames {
    digests: GameFingerprints,
    seen: DigestSet,
}

impl SeenGames {
    /// Returns true if this game repeats an earlier one; `None` for games without a result or without moves,
    /// which carry no information.
    pub fn is_repeated(&mut self, record: &GameRecord, outcome: &Outcome<'_>) -> Option<bool> {
        let digest = self.digests.of_record(record, outcome)?;
        Some(self.remember(digest))
    }

    /// Remembers a digest. Returns true if it was known.
    fn remember(&mut self, digest: u64) -> bool {
        !self.seen.insert(digest)
    }
}

/// The numbers of the bots in a meeting, sorted, each once.
type Bots = ArrayVec<u32, MAX_SEATS>;

/// Counts games that repeat earlier ones, by their players.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    seen: SeenGames,
    games: u64,
    repeated: u64,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    meetings: HashMap<Bots, Meeting>,
}

/// The number of games between the same bots.
#[derive(Copy, Clone, Debug, Default)]
struct Meeting {
    games: u64,
    repeated: u64,
}

impl Repeats {
    /// Adds a game that counts, and returns its digest. Games without a result and games without moves are
    /// ignored.
    pub fn add(&mut self, record: &GameRecord, outcome: &Outcome<'_>) -> Option<u64> {
        let digest = self.seen.digests.of_record(record, outcome)?;
        self.count(digest, outcome);
        Some(digest)
    }

    /// Does the same for a record of which only the part for leagues was parsed.
    pub fn add_league_game(&mut self, game: &LeagueGame<'_>) -> Option<u64> {
        let digest = self.seen.digests.of_league_game(game)?;
        self.count(digest, &game.outcome);
        Some(digest)
    }

    fn count(&mut self, digest: u64, outcome: &Outcome<'_>) {
        let is_repeated = self.seen.remember(digest);
        let mut bots: Bots = outcome.bots.values().map(|name| self.number(name)).collect();
        bots.sort_unstable();
        let different =
            bots.iter().enumerate().filter(|(index, bot)| *index == 0 || bots[index - 1] != **bot);
        let bots: Bots = different.map(|(_, bot)| *bot).collect();
        let meeting = self.meetings.entry(bots).or_default();
        self.games += 1;
        meeting.games += 1;
        if is_repeated {
            self.repeated += 1;
            meeting.repeated += 1;
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("memory ends before 2^32 bots");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of games that repeat an earlier one.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The number of games that were added.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The meetings with repeated games: those with the most of them first, then by the names of the bots.
    pub fn meetings(&self) -> Vec<RepeatedMeeting<'_>> {
        let mut meetings: Vec<RepeatedMeeting<'_>> = (self.meetings.iter())
            .filter(|(_, meeting)| meeting.repeated > 0)
            .map(|(bots, Meeting { games, repeated })| {
                let mut names: Vec<&str> = bots.iter().map(|bot| &*self.names[*bot as usize]).collect();
                names.sort_unstable();
                RepeatedMeeting { bots: names, games: *games, repeated: *repeated }
            })
            .collect();
        meetings
            .sort_by(|one, other| other.repeated.cmp(&one.repeated).then_with(|| one.bots.cmp(&other.bots)));
        meetings
    }
}

/// Bots whose games against each other repeat earlier ones.
#[derive(Clone, Debug)]
pub struct RepeatedMeeting<'r> {
    /// The names, sorted, each once.
    pub bots: Vec<&'r str>,
    /// The number of games that they played.
    pub games: u64,
    /// The number of those that repeat an earlier one.
    pub repeated: u64,
}
