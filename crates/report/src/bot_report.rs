//! The report on one bot, from one pass over the records: its commands, its results by opponent and seat, its
//! failures, its last games.

use std::collections::{BTreeMap, VecDeque};

use serde::{Serialize, Serializer};

use crate::describe;
use crate::hints;
use crate::replay::transcript_line;
use crate::table::{Cell, Column, Table};
use linesman_record::TeamsOfGames;
use linesman_record::text::printable;
use linesman_record::{Ended, GameRecord, Outcome};
use linesman_types::seat::{BySeat, Place, Seat};
use linesman_types::verdict::FaultKind;

/// Maximum length of a stderr in the report, in bytes.
const REPORT_STDERR: usize = 16 << 10;

/// Maximum length of a name that is kept, in bytes.
const MAX_TEXT: usize = 400;

#[derive(Clone, Debug, Default, Serialize)]
pub struct BotReport {
    pub name: String,
    /// The commands that started it, in the order of their appearance.
    pub versions: Vec<Version>,
    /// All versions of the bot in the league, each under a name of its own; empty if there is only one.
    #[serde(skip)]
    pub other_versions: Vec<OtherVersion>,
    /// Number of its games with a result.
    pub games: u64,
    /// Number of those in which another bot failed.
    pub games_in_which_others_failed: u64,
    /// Number of its games without a result.
    pub void_games: u64,
    /// Number of its games that were annulled and played again.
    pub annulled_games: u64,
    /// Number of those in which its own move was late.
    pub annulled_for_its_move: u64,
    /// Results by opponent and seat.
    #[serde(skip)]
    pub results: Vec<Against>,
    /// Number of its faults by kind; `Overload` is not its own fault.
    #[serde(serialize_with = "by_word")]
    pub faults_by_kind: BTreeMap<FaultKind, u64>,
    /// Its last failures, the latest last.
    #[serde(skip)]
    pub last_faults: VecDeque<Failed>,
    /// Its last games, the latest last.
    pub last_games: VecDeque<PlayedGame>,
    /// The last of its games that were annulled, the latest last.
    pub last_annulled: VecDeque<PlayedGame>,
    /// Maximum number of failures, and of games, that are kept.
    #[serde(skip)]
    max_kept: usize,
    #[serde(skip)]
    teams: TeamsOfGames,
}

/// A command with the digest of its files.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Version {
    pub command: Option<String>,
    /// The digest of the files that the command names.
    pub digest: Option<String>,
    /// The name that the bot gave itself when this version was first seen.
    pub version: Option<String>,
    pub games: u64,
}

/// A version of a bot that has a name of its own in the records.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct OtherVersion {
    pub name: String,
    /// Number of games that it played.
    pub games: u64,
    /// True if it is the current version.
    pub plays: bool,
}

/// Results against an opponent from a seat.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    pub opponent: String,
    /// The bot's own seat, from 1.
    pub seat: usize,
    /// Number of games in which the bot's place was better than the opponent's.
    pub wins: u64,
    /// Number of games in which they shared a place.
    pub draws: u64,
    /// Number of games in which the bot's place was worse.
    pub losses: u64,
}

impl Against {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the fraction of the points.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }
}

/// A game in which the bot failed.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    pub id: String,
    /// The failure, in words.
    pub sentence: String,
    /// The probable cause, and the remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The end of its stderr.
    #[serde(skip)]
    pub stderr: String,
    /// Its stray output lines.
    pub stray_lines: Vec<String>,
    /// The last lines between the referee and the bots.
    pub transcript: Vec<String>,
}

impl Failed {
    /// Removes the text written by bots.
    pub fn leave_out_evidence(&mut self) {
        self.hint = None;
        self.stderr.clear();
        self.stray_lines.clear();
        self.transcript.clear();
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PlayedGame {
    pub id: String,
    /// The bot's place; `None` if the game has no result.
    pub place: Option<usize>,
    /// The end, in words.
    pub sentence: String,
}

impl BotReport {
    /// Creates an empty report. `max_kept` is the maximum number of failures, and of games, that it keeps.
    pub fn new(name: &str, max_kept: usize) -> BotReport {
        BotReport { name: name.to_owned(), max_kept, ..BotReport::default() }
    }

    /// Adds a record that counts or was annulled, with its outcome.
    pub fn add(&mut self, record: &GameRecord, outcome: &Outcome<'_>) {
        let seats: Vec<Seat> =
            outcome.bots.iter().filter(|(_, name)| **name == self.name).map(|(seat, _)| seat).collect();
        let Some(first) = seats.first() else { return };
        let place = outcome.places().and_then(|places| places.get(*first)).map(|place| place.number());
        let played =
            PlayedGame { id: describe::printable(&record.id), place, sentence: describe::verdict(record) };
        if outcome.result == Ended::VoidHost {
            self.annulled_games += 1;
            self.annulled_for_its_move +=
                u64::from(outcome.overloaded.is_some_and(|seat| seats.contains(&seat)));
            return keep(&mut self.last_annulled, played, self.max_kept);
        }
        self.note_version(record, *first);
        for fault in record.faults.iter().filter(|fault| seats.iter().any(|seat| is_of(fault.seat, *seat))) {
            *self.faults_by_kind.entry(fault.kind()).or_default() += 1;
            let failed = Failed {
                id: describe::printable(&record.id),
                sentence: describe::fault_sentence(record, fault),
                hint: hints::of_fault(record, fault),
                stderr: linesman_record::text::printable_tail(&fault.stderr_tail, REPORT_STDERR),
                stray_lines: fault.stray_lines.iter().map(|line| describe::printable(line)).collect(),
                transcript: record.transcript.iter().map(transcript_line).collect(),
            };
            keep(&mut self.last_faults, failed, self.max_kept);
        }
        keep(&mut self.last_games, played, self.max_kept);
        match &outcome.result {
            Ended::Places(places) => {
                self.games += 1;
                let is_other =
                    |(seat, kind): &(Seat, _)| !seats.contains(seat) && *kind != FaultKind::Overload;
                let others_failed = outcome.faults.iter().any(is_other);
                self.games_in_which_others_failed += u64::from(others_failed);
                self.note_places(outcome, places, &seats);
            }
            Ended::Void => self.void_games += 1,
            Ended::VoidHost => {}
        }
    }

    fn note_version(&mut self, record: &GameRecord, seat: Seat) {
        let Some(seat) = record.seats.get(seat.index()) else { return };
        let bounded = |text: &Option<String>| text.as_deref().map(|text| printable(text, MAX_TEXT));
        let (command, digest) = (bounded(&seat.command), bounded(&seat.digest));
        let known = self.versions.iter_mut().find(|known| known.command == command && known.digest == digest);
        match known {
            Some(known) => known.games += 1,
            None => {
                self.versions.push(Version { command, digest, version: bounded(&seat.version), games: 1 });
            }
        }
    }

    fn note_places(&mut self, outcome: &Outcome<'_>, places: &BySeat<Place>, seats: &[Seat]) {
        let teams = self.teams.of(&outcome.game, outcome.bots.seats());
        for seat in seats {
            for (other, name) in outcome.bots.iter() {
                if seats.contains(&other) || teams.together(*seat, other) {
                    continue;
                }
                let opponent = describe::printable(name);
                let key = (opponent.as_str(), seat.number());
                let found = self.results.binary_search_by(|row| (row.opponent.as_str(), row.seat).cmp(&key));
                let index = found.unwrap_or_else(|index| {
                    let row = Against { opponent, seat: seat.number(), wins: 0, draws: 0, losses: 0 };
                    self.results.insert(index, row);
                    index
                });
                let row = &mut self.results[index];
                match places[*seat].cmp(&places[other]) {
                    std::cmp::Ordering::Less => row.wins += 1,
                    std::cmp::Ordering::Equal => row.draws += 1,
                    std::cmp::Ordering::Greater => row.losses += 1,
                }
            }
        }
    }

    /// Returns the results by opponent and seat, a row each.
    pub fn table(&self) -> Table {
        let count = |key, of: fn(&Against) -> u64| Column::number(key).of(move |row| Cell::count(of(row)));
        Table::of(
            [
                Column::text("opponent").of(|row: &Against| Cell::text(&row.opponent)),
                Column::number("seat").of(|row: &Against| Cell::count(row.seat)),
                count("games", Against::games),
                count("wins", |row| row.wins),
                count("draws", |row| row.draws),
                count("losses", |row| row.losses),
                Column::number("score").of(|row: &Against| Cell::estimate(row.score(), 3)),
            ],
            &self.results,
        )
    }
}

fn by_word<S: Serializer>(faults: &BTreeMap<FaultKind, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(faults.iter().map(|(kind, number)| (kind.word(), number)))
}

fn is_of(number: u8, seat: Seat) -> bool {
    usize::from(number) == seat.number()
}

/// Appends a value, and drops the first one if there is no room.
fn keep<T>(last: &mut VecDeque<T>, value: T, max: usize) {
    if last.len() == max {
        last.pop_front();
    }
    if last.len() < max {
        last.push_back(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(name: &str, max_kept: usize) -> BotReport {
        let mut report = BotReport::new(name, max_kept);
        for line in include_str!("../../../tests/records/games.jsonl").lines() {
            let record: GameRecord = serde_json::from_str(line).expect("it is a record");
            report.add(&record, &record.outcome().expect("it fits together"));
        }
        report
    }

    #[test]
    fn results_are_listed_by_opponent_and_seat() {
        let report = report("alphabeta", 10);
        let text = report.table().to_text(None);
        assert!(text.lines().any(|line| line.starts_with("sleepy") && line.contains("1      1")), "{text}");
        let games: u64 = report.results.iter().map(Against::games).sum();
        assert_eq!(report.games, games, "a game of two seats is against one");
    }

    #[test]
    fn faults_are_listed_with_their_evidence() {
        let report = report("sleepy", 10);
        assert_eq!(report.faults_by_kind[&FaultKind::Time], 1);
        let last = report.last_faults.back().expect("it failed");
        assert!(last.sentence.starts_with("sleepy lost on time"), "{last:?}");
        assert!(last.stray_lines.iter().any(|line| line == "ValueError: no move"), "{last:?}");
    }

    #[test]
    fn faults_of_later_versions_are_counted_by_their_printable_words() {
        let lines = include_str!("../../../tests/records/games.jsonl").lines();
        let line = lines.into_iter().find(|line| line.contains(r#""fault":"time""#)).expect("one is late");
        let line = line.replace(r#""fault":"time""#, r#""fault":"bored\u001b""#);
        let record: GameRecord = serde_json::from_str(&line).expect("it is a record");
        let mut report = BotReport::new("sleepy", 1);
        report.add(&record, &record.outcome().expect("it fits together"));
        let json = serde_json::to_value(&report).expect("it is a value");
        assert_eq!(json["faults_by_kind"], serde_json::json!({ "bored\\u{1b}": 1 }));
    }

    #[test]
    fn only_the_last_games_are_kept() {
        let all = report("alphabeta", 10);
        let one = report("alphabeta", 1);
        assert_eq!(one.last_games.len(), 1);
        assert_eq!(one.last_games.back().map(|game| &game.id), all.last_games.back().map(|game| &game.id));
        assert_eq!(one.games, all.games);
        assert!(report("alphabeta", 0).last_games.is_empty());
    }

    #[test]
    fn a_bot_without_games_has_an_empty_report() {
        let nobody = report("nobody", 10);
        assert_eq!((nobody.games, nobody.versions.len(), nobody.results.len()), (0, 0, 0));
    }
}
