//! Digests of games: two games with the same digest were the same, move by move.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::convert::option_texts;
use super::format::{GameRecord, OpeningRecord};
use super::identity_hasher::digest;
use super::outcome::{Ended, Outcome};
use super::summary::LeagueGame;

/// Computes digests of games: the game and its options, the bots and their seats, the start, the moves, and
/// the end. The spelling in the record makes no difference.
///
/// Remembers the last options, since the games of a league share them.
#[derive(Clone, Debug, Default)]
pub struct GameFingerprints {
    options: String,
    of_options: u64,
}

impl GameFingerprints {
    /// The digest of a game that has a result and moves; `None` for other games.
    pub fn of_record(&mut self, record: &GameRecord, outcome: &Outcome<'_>) -> Option<u64> {
        let moves = record.moves.as_ref().filter(|moves| !moves.is_empty())?;
        let of_options = digest(option_texts(&record.options));
        combined(outcome, of_options, record.opening.as_ref(), &spelled_plainly(moves))
    }

    /// The same for a record of which only the part for leagues was parsed.
    pub fn of_league_game(&mut self, game: &LeagueGame<'_>) -> Option<u64> {
        let moves = match game.moves? {
            // Spelled without blanks and escapes, as `spelled_plainly` would spell it.
            plain if !plain.contains([' ', '\t', '\r', '\n', '\\']) => Cow::Borrowed(plain),
            other => Cow::Owned(spelled_plainly(&serde_json::from_str::<Vec<String>>(other).ok()?)),
        };
        if moves == "[]" {
            return None;
        }
        let options = game.options.unwrap_or("{}");
        if self.options.is_empty() || self.options != options {
            let by_name: BTreeMap<String, Value> = serde_json::from_str(options).ok()?;
            self.of_options = digest(option_texts(&by_name));
            options.clone_into(&mut self.options);
        }
        let opening: Option<OpeningRecord> = game.opening.map(serde_json::from_str).transpose().ok()?;
        combined(&game.outcome, self.of_options, opening.as_ref(), &moves)
    }
}

fn combined(
    outcome: &Outcome<'_>,
    of_options: u64,
    opening: Option<&OpeningRecord>,
    moves: &str,
) -> Option<u64> {
    let Ended::Places(places) = &outcome.result else { return None };
    let mut hasher = DefaultHasher::new();
    let opening = opening.map(|opening| (&opening.token, &opening.moves));
    (&outcome.game, of_options, outcome.bots.as_slice(), opening, moves).hash(&mut hasher);
    places.values().for_each(|place| place.number().hash(&mut hasher));
    Some(hasher.finish())
}

fn spelled_plainly(moves: &[String]) -> String {
    serde_json::to_string(moves).expect("texts can be written")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordReader;
    use crate::testing::played;

    /// The digest of the only record in a text, which must be the same for both ways of reading it.
    #[track_caller]
    fn of(text: &str) -> Option<u64> {
        let mut reader = RecordReader::from_input("f", std::io::Cursor::new(text.to_owned()));
        let line = reader.next_line().unwrap().unwrap();
        let mut digests = GameFingerprints::default();
        let of_league_game = digests.of_league_game(&line.league_game().unwrap());
        assert_eq!(of_league_game, digests.of_league_game(&line.league_game().unwrap()), "{text}");
        let record = line.record().unwrap();
        assert_eq!(of_league_game, digests.of_record(&record, &record.outcome().unwrap()), "{text}");
        of_league_game
    }

    #[test]
    fn the_moves_count_and_not_their_spelling() {
        let mut record = played(0);
        record.opening = Some(OpeningRecord { token: None, moves: vec!["c1c3".to_owned()] });
        let text = serde_json::to_string(&record).unwrap();
        let digest = of(&text);
        assert!(digest.is_some());
        let first = &record.moves.as_ref().unwrap()[0];
        let spelled = format!("\\u{:04x}{}", u32::from(first.as_bytes()[0]), &first[1..]);
        for other in [
            text.replace(',', " , ").replace(':', ": "),
            text.replace(&format!("[\"{first}\""), &format!("[\"{spelled}\"")),
            text.replace("\"opening\":{", "\"opening\":{\"token\":null,"),
            text.replace("\"duration_ms\":123", "\"duration_ms\":124"),
        ] {
            assert_ne!(other, text);
            assert_eq!(of(&other), digest, "{other}");
        }
        for other in [
            text.replace("c1c3", "c1c4"),
            text.replace("greedy", "greedier"),
            text.replace("\"max_plies\":60", "\"max_plies\":61"),
            text.replace(&format!("[\"{first}\""), "[\"x\""),
        ] {
            assert_ne!(other, text);
            assert!(of(&other).is_some_and(|changed| Some(changed) != digest), "{other}");
        }
        record.moves = Some(Vec::new());
        assert_eq!(of(&serde_json::to_string(&record).unwrap()), None);
        record.moves = None;
        assert_eq!(of(&serde_json::to_string(&record).unwrap()), None);
    }
}
