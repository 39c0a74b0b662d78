//! Games that repeat earlier ones move by move. They tell nothing new: of two
//! bots that always play alike, a hundred games from one start are one game.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use arrayvec::ArrayVec;

use crate::sentence::{grouped, printable};
use linesman_record::as_it_is::AsItIs;
use linesman_record::{GameRecord, LeagueGame, Outcome, PlayDigests};
use linesman_types::seat::MAX_SEATS;

/// So many meetings are named.
const MOST_NAMED: usize = 3;

/// Knows games that the same bots have played before: on the same seats, from
/// the same start, move by move. Eight bytes a game are remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenGames {
    digests: PlayDigests,
    seen: HashSet<u64, BuildHasherDefault<AsItIs>>,
}

impl SeenGames {
    /// Whether this game repeats an earlier one; nothing of games without a
    /// result or without moves, which say nothing.
    pub(crate) fn is_repeated(&mut self, record: &GameRecord, outcome: &Outcome<'_>) -> Option<bool> {
        let digest = self.digests.of_record(record, outcome)?;
        Some(self.enter(digest))
    }

    fn enter(&mut self, digest: u64) -> bool {
        !self.seen.insert(digest)
    }
}

/// The bots of a meeting by their numbers, sorted, each once.
type Bots = ArrayVec<u32, MAX_SEATS>;

/// Counts games that repeat earlier ones, by who played them.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    seen: SeenGames,
    games: u64,
    repeated: u64,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    meetings: HashMap<Bots, Meeting>,
}

/// What was seen of those who met.
#[derive(Copy, Clone, Debug, Default)]
struct Meeting {
    games: u64,
    repeated: u64,
}

impl Repeats {
    /// Nothing has been seen.
    pub fn new() -> Repeats {
        Repeats::default()
    }

    /// Looks at a game that counts, and gives a digest of what was played. Games
    /// without a result and games without moves say nothing.
    pub fn add(&mut self, record: &GameRecord, outcome: &Outcome<'_>) -> Option<u64> {
        let digest = self.seen.digests.of_record(record, outcome)?;
        self.count(digest, outcome);
        Some(digest)
    }

    /// The same of a record of which only what a league needs was read.
    pub fn add_league_game(&mut self, game: &LeagueGame<'_>) -> Option<u64> {
        let digest = self.seen.digests.of_league_game(game)?;
        self.count(digest, &game.outcome);
        Some(digest)
    }

    fn count(&mut self, digest: u64, outcome: &Outcome<'_>) {
        let is_repeated = self.seen.enter(digest);
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

    /// How many games repeat an earlier one.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// What must be known of the numbers if games repeat others: which do, and
    /// what to do about it.
    pub fn note(&self) -> Option<String> {
        if self.repeated == 0 {
            return None;
        }
        let mut meetings: Vec<(Vec<&str>, &Meeting)> = (self.meetings.iter())
            .filter(|(_, meeting)| meeting.repeated > 0)
            .map(|(bots, meeting)| {
                let mut names: Vec<&str> = bots.iter().map(|bot| &*self.names[*bot as usize]).collect();
                names.sort_unstable();
                (names, meeting)
            })
            .collect();
        meetings.sort_by(|(names, one), (others, other)| {
            other.repeated.cmp(&one.repeated).then_with(|| names.cmp(others))
        });
        let more = meetings.len().saturating_sub(MOST_NAMED);
        let mut named: Vec<String> = meetings
            .iter()
            .take(MOST_NAMED)
            .map(|(names, meeting)| {
                let names: Vec<String> = names.iter().map(|name| printable(name)).collect();
                let Meeting { games, repeated } = meeting;
                format!("{} {} of {}", names.join(" - "), grouped(*repeated), grouped(*games))
            })
            .collect();
        match more {
            0 => {}
            1 => named.push("and one more pair".to_owned()),
            more => named.push(format!("and {more} more pairs")),
        }
        let repeat = if self.repeated == 1 { "repeats an earlier one" } else { "repeat earlier ones" };
        Some(format!(
            "{} of {} games {repeat} move for move, which adds no information and narrows no interval: {}; \
             to avoid this, play from openings (`linesman openings make`)",
            grouped(self.repeated),
            grouped(self.games),
            named.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_record::OpeningRecord;
    use linesman_record::testing::{played, played_with};

    fn repeats(records: &[GameRecord]) -> Repeats {
        let mut repeats = Repeats::new();
        records.iter().for_each(|record| {
            repeats.add(record, &record.outcome().unwrap());
        });
        repeats
    }

    #[test]
    fn games_that_differ_in_anything_repeat_nothing() {
        let mut from_opening = played(0);
        from_opening.opening = Some(OpeningRecord { token: None, moves: vec!["c1c3".to_owned()] });
        let mut other_seats = played(0);
        other_seats.seats.reverse();
        let mut shorter = played(0);
        shorter.moves.as_mut().unwrap().pop();
        let other_bots = played_with(0, "greedy", "greedy-2");
        let all = [played(0), played(1), from_opening, other_seats, shorter, other_bots];
        let repeats = repeats(&all);
        assert_eq!((repeats.repeated(), repeats.note()), (0, None));
    }

    #[test]
    fn games_that_repeat_others_are_counted_by_who_plays() {
        let mut again = played(0);
        again.id = "greedy~random~9".to_owned();
        let mut void = played(0);
        (void.places, void.void) = (None, Some(Default::default()));
        let mut without_moves = played(0);
        without_moves.moves = None;
        let records = [
            vec![
                played(0),
                again.clone(),
                again.clone(),
                played(1),
                void,
                without_moves.clone(),
                without_moves,
            ],
            vec![played_with(2, "ada", "bob"), played_with(2, "ada", "bob")],
        ]
        .concat();
        assert_eq!(
            repeats(&records).note().as_deref(),
            Some(
                "3 of 6 games repeat earlier ones move for move, which adds no information and narrows no \
                 interval: greedy - random 2 of 4, ada - bob 1 of 2; to avoid this, play from openings \
                 (`linesman openings make`)"
            )
        );
    }

    #[test]
    fn of_many_pairs_the_worst_are_named() {
        let records: Vec<GameRecord> = (0..10)
            .flat_map(|number| {
                let name = format!("b{number}");
                std::iter::repeat_n(played_with(number, &name, "x"), 2 + usize::from(number == 7))
            })
            .collect();
        let note = repeats(&records).note().unwrap();
        assert!(note.contains(": b7 - x 2 of 3, b0 - x 1 of 2, b1 - x 1 of 2, and 7 more pairs; "), "{note}");
    }
}
