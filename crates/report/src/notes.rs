//! Sentences about circumstances that make the figures of a run less reliable, with a remedy.

use crate::describe::{grouped, printable};
use linesman_record::{HostTally, RepeatedMeeting, Repeats, median_waited_share};
use linesman_types::clause::Clause;

/// Maximum number of meetings with repeated games that are named.
const MAX_NAMED: usize = 3;

/// Fraction of the thinking time that bots wait for a CPU above which a note says that the machine is overloaded.
const MUCH_WAITING: f64 = 0.1;

/// Returns the note that games repeat earlier ones. It names the meetings with most of them, and says how to avoid
/// them.
pub fn repeats_note(repeats: &Repeats) -> Option<String> {
    if repeats.repeated() == 0 {
        return None;
    }
    let meetings = repeats.meetings();
    let more = meetings.len().saturating_sub(MAX_NAMED);
    let mut named: Vec<String> = meetings
        .iter()
        .take(MAX_NAMED)
        .map(|RepeatedMeeting { bots, games, repeated }| {
            let names: Vec<String> = bots.iter().map(|name| printable(name)).collect();
            format!("{} {} of {}", names.join(" - "), grouped(*repeated), grouped(*games))
        })
        .collect();
    match more {
        0 => {}
        1 => named.push("and one more pair".to_owned()),
        more => named.push(format!("and {more} more pairs")),
    }
    let repeat = if repeats.repeated() == 1 { "repeats an earlier one" } else { "repeat earlier ones" };
    Some(format!(
        "{} of {} games {repeat} move for move, which adds no information and narrows no interval: {}; \
         to avoid this, play from openings (`linesman openings make`)",
        grouped(repeats.repeated()),
        grouped(repeats.games()),
        named.join(", ")
    ))
}

/// Returns the note that the host gives its bots too little CPU time, by the median bot.
pub(crate) fn starving_note<'t>(bots: impl Iterator<Item = &'t HostTally>) -> Option<Clause> {
    median_waited_share(bots).filter(|share| *share > MUCH_WAITING).map(|share| {
        let share = share * 100.0;
        Clause::from(format!(
            "The machine is overloaded: bots spent {share:.0} % of their thinking time waiting for a CPU. Lower "
        ))
        .quoted("concurrency")
        .words(" or close other programs.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_record::testing::{played, played_with};
    use linesman_record::{GameRecord, HostTally, LateMove, OpeningRecord, UsageRecord};
    use linesman_types::seat::Seat;

    fn repeats(records: &[GameRecord]) -> Repeats {
        let mut repeats = Repeats::default();
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
        assert_eq!((repeats.repeated(), repeats_note(&repeats)), (0, None));
    }

    #[test]
    fn repeated_games_are_counted_by_pair() {
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
            repeats_note(&repeats(&records)).as_deref(),
            Some(
                "3 of 6 games repeat earlier ones move for move, which adds no information and narrows no \
                 interval: greedy - random 2 of 4, ada - bob 1 of 2; to avoid this, play from openings \
                 (`linesman openings make`)"
            )
        );
    }

    #[test]
    fn the_pairs_with_most_repeats_are_named() {
        let records: Vec<GameRecord> = (0..10)
            .flat_map(|number| {
                let name = format!("b{number}");
                std::iter::repeat_n(played_with(number, &name, "x"), 2 + usize::from(number == 7))
            })
            .collect();
        let note = repeats_note(&repeats(&records)).unwrap();
        assert!(note.contains(": b7 - x 2 of 3, b0 - x 1 of 2, b1 - x 1 of 2, and 7 more pairs; "), "{note}");
    }

    fn tally(moves: u32, measured: u32, wall_us: u64, cpu_us: u64, wait_us: u64) -> HostTally {
        let mut tally = HostTally::default();
        tally.add(&UsageRecord { moves, measured, wall_us, cpu_us, wait_us, ..UsageRecord::default() });
        tally
    }

    #[test]
    fn a_host_that_starves_its_bots_is_noted() {
        let note = |bots: &[HostTally]| starving_note(bots.iter()).map(|note| note.to_string());
        let starved = tally(10, 10, 1_000, 430, 570);
        let fed = tally(10, 10, 1_000, 990, 10);
        let sleeping = tally(10, 10, 1_000, 5, 0);
        let instant = tally(10, 1, 10_000, 10, 9_990);
        assert!(
            note(&[starved, starved, fed])
                .is_some_and(|note| note.starts_with("The machine is overloaded: bots spent 57 % "))
        );
        assert!(
            note(&[starved, fed])
                .is_some_and(|note| note.starts_with("The machine is overloaded: bots spent 29 % "))
        );
        assert_eq!(note(&[starved, fed, fed]), None);
        assert_eq!(note(&[sleeping, instant]), None);
        // 250 ms asleep, then 60 us of work that waited 2 ms for a CPU.
        assert_eq!(note(&[tally(10, 10, 2_514_500, 600, 20_000)]), None);
        assert_eq!(note(&[]), None);
    }

    #[test]
    fn a_host_on_which_all_long_moves_are_late_starves_its_bots() {
        let mut tally = tally(3, 0, 0, 0, 0);
        for _ in 0..3 {
            tally.add_late(&LateMove { seat: Seat::FIRST, wall_us: 400, cpu_us: 100, wait_us: 300 });
        }
        assert_eq!(tally.cpu_share(), Some(0.25));
        assert!(
            starving_note([&tally].into_iter()).is_some_and(|note| note
                .to_string()
                .starts_with("The machine is overloaded: bots spent 75 % "))
        );
    }
}
