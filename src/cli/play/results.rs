//! Results in words for people, and as data for programs.

use super::super::elo_ends::EloEnds;
use super::super::error::Failure;
use super::super::events;
use super::super::json::rounded;
use super::failure::rating_failure;
use crate::league::file::{Pause, Ponder, Tournament};
use crate::league::session::{Own, Results};
use crate::league::stop_rule::{End, Failures, StopRule};
use crate::rating::Ratings;
use crate::rating::sprt::Counts;
use crate::report::describe::counted;
use crate::report::sprt::{BlockLine, Finding};
use crate::report::standings::{Rated, Standings};
use crate::verdict::FaultKind;

/// The keys of the lines that a test shows while it is played.
const TEST_LINES: [&str; 6] = ["LLR", "Elo", "LOS", "games", "pairs", "repeats"];

/// True if bots may not ponder, and nothing stops them from using CPU time out of turn.
pub(crate) fn has_unwanted_pondering(tournament: &Tournament) -> bool {
    tournament.pause == Pause::Never && tournament.ponder == Ponder::Refused
}

/// The note about games of bots that no longer take part, if there are any.
pub(crate) fn past_bots_note(results: &Results) -> Option<String> {
    let past = results.past_bots();
    let names: Vec<&str> = past.names.iter().map(String::as_str).collect();
    let (games, count) = if past.games == 1 { ("game", "counts") } else { ("games", "count") };
    (past.games > 0).then(|| {
        format!("{} {games} of bots that no longer play {count}: `{}`", past.games, names.join("`, `"))
    })
}

/// The note about the games that this command played, if the run had games before.
pub(crate) fn own_note(results: &Results) -> Option<String> {
    let Own { games, faults } = results.own();
    if games == 0 || games == results.games() {
        return None;
    }
    let faults_of_bots = results.faults().iter().filter(|((_, kind), _)| *kind != FaultKind::Overload);
    let all: u64 = faults_of_bots.map(|(_, times)| times).sum();
    let with = |faults: u64| match all {
        0 => String::new(),
        _ => format!(" with {}", counted(faults, "fault")),
    };
    let (new, whole) = (counted(games, "game"), counted(results.games(), "game"));
    Some(format!("this command played {new}{}; the run now has {whole}{}", with(faults), with(all)))
}

/// The note about games that the referee adjudicated, if there are any.
pub(crate) fn adjudicated_note(results: &Results) -> Option<String> {
    let adjudicated = results.adjudicated();
    let were = if adjudicated == 1 { "was" } else { "were" };
    (adjudicated > 0).then(|| {
        format!("{adjudicated} of {} games {were} decided by adjudication before they ended", results.games())
    })
}

/// The standing in a few words: `alphabeta 9.5 : 2.5 greedy` with two bots or teams, from the games between them. With
/// more it is empty, and the live view names the leader.
pub(crate) fn in_a_word(results: &Results) -> String {
    if let Some(test) = results.test() {
        return finding(test).in_a_word();
    }
    let names: Vec<&str> = results.entrants().collect();
    let [one, other] = names[..] else { return String::new() };
    // Their other games are those against former versions and removed bots.
    let points =
        |of: &str, against: &str| results.tally().pair(of, against).map_or(0.0, |pair| pair.points());
    format!("{one} {:.1} : {:.1} {other}", points(one, other), points(other, one))
}

/// The state of a test as lines for the live view; empty if the run is no test.
pub(crate) fn test_lines(results: &Results) -> Vec<String> {
    let lines = results.test().map(|test| finding(test).lines()).unwrap_or_default();
    lines.iter().filter(|line| TEST_LINES.contains(&line.key)).map(BlockLine::to_string).collect()
}

/// The state of a test for programs; `None` if the run is no test.
pub(crate) fn test_event(results: &Results) -> Option<events::Test> {
    let Finding { design, counts, llr, status, estimate, repeated, .. } = finding(results.test()?);
    let bound = |value: f64| rounded(value).unwrap_or(value);
    let repeated = repeated.unwrap_or(0);
    Some(events::Test {
        status: status.word().to_owned(),
        llr: llr.ok().and_then(rounded),
        lower: bound(design.lower()),
        upper: bound(design.upper()),
        elo: estimate.and_then(|estimate| rounded(estimate.elo)),
        ends: EloEnds::of(estimate.map(|estimate| estimate.interval)),
        los: estimate.and_then(|estimate| rounded(estimate.los)),
        pairs: match counts {
            Counts::Pairs(pairs) => Some(pairs),
            Counts::Games(_) => None,
        },
        repeated,
        games_repeated: repeated,
    })
}

pub(crate) fn standings_of(results: &Results) -> Result<Standings, Failure> {
    let ratings = results.ratings().map_err(|error| rating_failure(&error))?;
    Ok(standings_by(results, &ratings))
}

pub(crate) fn standings_by(results: &Results, ratings: &Ratings) -> Standings {
    Standings::new(results.tally(), |name| {
        ratings.of(name).map_or_else(Rated::default, |rating| Rated {
            elo: rating.elo,
            interval: rating.interval.map(|interval| (interval.low, interval.high)),
            note: rating.note,
        })
    })
}

pub(crate) fn finding(test: &StopRule) -> Finding {
    let sequence = test.sequence();
    let finding = Finding {
        games: Some(test.tally()),
        names: Some(test.names().map(str::to_owned)),
        repeated: Some(2 * test.repeated()),
        ..Finding::new(sequence.design, sequence.counts)
    };
    let mut notes = failures_of(test.names(), &test.failures());
    if test.end() == Some(End::Repeating) {
        notes.push(format!(
            "stopped undecided: the last {} games only repeat earlier ones move for move, as all further \
             games would; to compare bots that always play alike, use more openings (`linesman openings \
             make`, `--openings FILE`)",
            2 * test.repeated_in_a_row()
        ));
    }
    match test.further() {
        0 => {}
        1 => notes.push("1 more game was played in the meantime and does not count".to_owned()),
        games => notes.push(format!("{games} more games were played in the meantime and don't count")),
    }
    match test.left_out() {
        0 => {}
        1 => notes.push("1 pair of games is left out, because one of the two has no result".to_owned()),
        number => {
            notes.push(format!("{number} pairs of games are left out, because a game of each has no result"));
        }
    }
    notes.into_iter().fold(finding, Finding::noting)
}

/// The faults in the games that count, one sentence for each bot.
fn failures_of(names: [&str; 2], failures: &Failures) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for (name, by_kind) in names.into_iter().zip(failures.by_kind) {
        let kinds = FaultKind::WORDS.iter().zip(by_kind).filter(|(_, games)| *games > 0);
        let kinds: Vec<String> = kinds.map(|(word, games)| format!("{games} by `{word}`")).collect();
        if !kinds.is_empty() {
            let games: u64 = by_kind.iter().sum();
            sentences.push(format!("`{name}` failed in {}: {}", counted(games, "game"), kinds.join(", ")));
        }
    }
    match failures.both {
        0 => {}
        1 => sentences.push("both bots failed in 1 game, which counts in both numbers".to_owned()),
        both => sentences.push(format!("both bots failed in {both} games, which count in both numbers")),
    }
    for (name, games) in names.into_iter().zip(failures.overload).filter(|(_, games)| *games > 0) {
        sentences
            .push(format!("`{name}` was late in {} because it waited for a CPU", counted(games, "game")));
    }
    sentences
}
