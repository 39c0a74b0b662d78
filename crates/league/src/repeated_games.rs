//! Games that workers of two owners play, to compare the results.

use std::collections::{HashSet, VecDeque};

use crate::directory::RunDirectory;
use crate::file::Tournament;
use crate::schedule::game_seed;
use linesman_record::{Ended, LeagueGame, Line, OwnedLine, ReadError, RecordReader};

/// Makes the choice of repeated games independent of the seeds of the games.
const REPEAT_SALT: u64 = 0x7265_7065_6174_7321;

/// Maximum number of missed repeats that a later run makes up.
const MAX_MADE_UP: usize = 1_000;

/// True if a game must be repeated, which depends only on the tournament's seed and `repeat_share` and on the id.
pub fn is_repeated(tournament: &Tournament, id: &str) -> bool {
    let share = tournament.workers.repeat_share;
    share > 0.0 && (game_seed(tournament.seed ^ REPEAT_SALT, id) as f64) < share * (1_u64 << 53) as f64
}

/// The last recorded games of workers that should be repeated, whether they have been or not.
#[derive(Debug, Default)]
pub struct LastRepeated(VecDeque<OwnedLine>);

impl LastRepeated {
    /// Adds a record that counts, if its game must be repeated.
    pub(crate) fn add(&mut self, tournament: &Tournament, line: &Line<'_>, game: &LeagueGame<'_>) {
        let has_places = matches!(game.outcome.result, Ended::Places(_));
        if !has_places || game.worker.is_none() || !is_repeated(tournament, &game.outcome.id) {
            return;
        }
        if self.0.len() == MAX_MADE_UP {
            self.0.pop_front();
        }
        self.0.push_back(line.to_owned_line());
    }

    /// Returns the games without a repeat in the directory. An annulled repeat does not count. Returns no games if the
    /// repeats can't be read: the error is reported when the next repeat is kept.
    pub(crate) fn without_repeat(self, directory: &RunDirectory) -> Vec<OwnedLine> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let wanted = self.0.iter().filter_map(|held| Some(held.line().league_game().ok()?.outcome.id));
        let mut missing: HashSet<String> = wanted.map(|id| id.into_owned()).collect();
        let Ok(reader) = directory.repeat_records() else { return Vec::new() };
        if reader.is_some_and(|reader| remove_all(&mut missing, reader).is_err()) {
            return Vec::new();
        }
        let is_missing = |held: &OwnedLine| {
            held.line().league_game().is_ok_and(|game| missing.contains(&*game.outcome.id))
        };
        self.0.into_iter().filter(is_missing).collect()
    }
}

/// Removes the ids of all records of games with a result from a set.
fn remove_all(ids: &mut HashSet<String>, mut records: RecordReader) -> Result<(), ReadError> {
    while let Some(line) = records.next_line()? {
        let outcome = line.league_game()?.outcome;
        if matches!(outcome.result, Ended::Places(_)) {
            ids.remove(&*outcome.id);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_record::{GameRecord, SeatRecord, VoidKind, VoidRecord};

    #[test]
    fn an_annulled_repeat_does_not_count() {
        let line = |id: &str, void: Option<VoidRecord>| {
            let places = void.is_none().then(|| vec![1, 2]);
            let record = GameRecord {
                v: 1,
                id: id.to_owned(),
                attempt: 1,
                game: "quixo".to_owned(),
                ..GameRecord::default()
            };
            let seats = ["a", "b"].map(|name| SeatRecord { name: name.to_owned(), ..SeatRecord::default() });
            GameRecord { places, void, seats: seats.into(), ..record }.to_line().expect("it is a record")
        };
        let host = VoidRecord { kind: VoidKind::Host, ..VoidRecord::default() };
        let lines = format!("{}\n{}\n", line("a~b~1", None), line("a~b~2", Some(host)));
        let reader = RecordReader::from_input("repeats.jsonl", std::io::Cursor::new(lines));
        let mut missing: HashSet<String> = ["a~b~1", "a~b~2", "a~b~3"].map(str::to_owned).into();
        remove_all(&mut missing, reader).expect("they are records");
        assert_eq!(missing, ["a~b~2", "a~b~3"].map(str::to_owned).into());
    }
}
