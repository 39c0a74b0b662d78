//! Withdraws bots that crash right after their start or are not ready in game after game, so that a broken bot neither
//! gives points away all night nor makes the others wait for it. Pure: no clock, no file, no process.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::{Fault, SeatFault, Verdict, Void};

/// Length of a game, including the start of its processes, below which a crash counts as one right after the start.
/// In a longer game, a crash counts so if the bot had made no move: others may have been thinking.
pub const AT_ONCE: Duration = Duration::from_secs(1);

/// Bots that crashed right after their start or were not ready, with the number of such games in a row.
#[derive(Clone, Debug)]
pub struct Withdrawals {
    bots: Vec<OfBot>,
}

#[derive(Copy, Clone, Debug)]
struct OfBot {
    /// Length of a row at which the bot is withdrawn; 0 if it never is.
    most: u64,
    row: Row,
}

/// Games in a row in which a bot was broken from the start.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Row {
    /// Number of games.
    pub games: u64,
    /// Number of games in which it was not ready in time, or failed before it was, and did not crash.
    pub not_ready: u64,
    /// Number of games shorter than [`AT_ONCE`] in which it crashed after it had moved.
    pub moved: u64,
}

/// A seat's part in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Part {
    /// Number of moves that it made.
    pub moves: u32,
    /// True if its bot was ready at some time.
    pub was_ready: bool,
}

/// The fault of a bot that is broken from the start of a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Broken {
    CrashesAtOnce {
        /// True if it had moved.
        has_moved: bool,
    },
    NotReady,
}

impl Withdrawals {
    /// The state at the start of a run. `most` has, for each bot, the number of games in a row with a crash at once or
    /// without getting ready after which it is withdrawn; 0 if it never is.
    pub fn new(most: impl IntoIterator<Item = u64>) -> Withdrawals {
        Withdrawals { bots: most.into_iter().map(|most| OfBot { most, row: Row::default() }).collect() }
    }

    /// Enters the end of a game of these bots after a duration, with the part of each seat. Returns the bots
    /// that are withdrawn because of it, each with its games in a row.
    ///
    /// A game in which a bot neither moved nor failed changes nothing for it: another bot crashed before its
    /// turn came.
    pub fn played(
        &mut self,
        bots: &BySeat<usize>,
        verdict: &Verdict,
        parts: &BySeat<Part>,
        duration: Duration,
    ) -> BTreeMap<usize, Row> {
        if let Verdict::Void { void: Void::Host(_) | Void::Overload(_), .. } = verdict {
            return BTreeMap::new();
        }
        let is_at_once = |part: &Part| duration < AT_ONCE || part.moves == 0;
        let broken = |own: &SeatFault| {
            let part = parts.get(own.seat)?;
            match own.fault {
                Fault::NotStarted { .. } | Fault::Crash { .. } | Fault::ClosedOutput { .. } => {
                    is_at_once(part).then_some(Broken::CrashesAtOnce { has_moved: part.moves > 0 })
                }
                // Even a bot that was ready in an earlier game makes this one wait.
                Fault::NotReady { .. } => Some(Broken::NotReady),
                Fault::Time { .. }
                | Fault::CpuClock { .. }
                | Fault::IllegalMove { .. }
                | Fault::NotAMove { .. }
                | Fault::Protocol { .. }
                | Fault::Limit { .. } => (!part.was_ready).then_some(Broken::NotReady),
            }
        };
        let of_seat = |seat: Seat| bots.get(seat).copied();
        let faults = || verdict.faults().iter();
        let all_broken: BTreeMap<usize, Broken> =
            faults().filter_map(|own| Some((of_seat(own.seat)?, broken(own)?))).collect();
        let moved = parts.iter().filter(|(_, part)| part.moves > 0).map(|(seat, _)| seat);
        let active = faults().map(|own| own.seat).chain(moved);
        // One bot may have several seats.
        let active: BTreeSet<usize> = active.filter_map(of_seat).collect();
        let withdrawn = active.into_iter().filter_map(|bot| {
            let own = self.bots.get_mut(bot)?;
            own.row = match all_broken.get(&bot) {
                None => Row::default(),
                Some(how) => Row {
                    games: own.row.games + 1,
                    not_ready: own.row.not_ready + u64::from(*how == Broken::NotReady),
                    moved: own.row.moved + u64::from(*how == Broken::CrashesAtOnce { has_moved: true }),
                },
            };
            // Equal, not greater: games that were running when it was withdrawn may make the row longer.
            (own.row.games == own.most && own.most > 0).then_some((bot, own.row))
        });
        withdrawn.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_types::seat::{Place, Teams};
    use linesman_types::verdict::{Cause, ExitStatus, Limit, Stage};

    const QUICKLY: Duration = Duration::from_millis(20);

    fn crash() -> Fault {
        Fault::Crash { status: ExitStatus::Code(1), stderr_tail: String::new() }
    }

    fn late(stage: Stage) -> Fault {
        Fault::NotReady { stage, limit: Duration::from_secs(10), granted: Duration::ZERO }
    }

    /// It prints too much instead of an answer.
    fn flood() -> Fault {
        Fault::Limit { which: Limit::OutputOffMove, limit: 1 << 20, used: 2 << 20 }
    }

    fn illegal() -> Fault {
        Fault::IllegalMove { text: "a1".to_owned(), why: "no".to_owned() }
    }

    /// A game in which the first seat failed in this way.
    fn game(fault: Fault) -> Verdict {
        let places: BySeat<Place> = BySeat::by_measure(&Teams::singles(2), Seat::index);
        let faults =
            vec![SeatFault { seat: Seat::FIRST, fault, stray_lines: Vec::new(), without_legal: false }];
        Verdict::Finished { places, cause: Cause::Failure, faults }
    }

    /// The part of a bot that has been ready.
    fn ready(moves: u32) -> Part {
        Part { moves, was_ready: true }
    }

    const NEVER_READY: Part = Part { moves: 0, was_ready: false };

    const fn row(games: u64, not_ready: u64) -> Row {
        Row { games, not_ready, moved: 0 }
    }

    /// The withdrawal of the bot in the first seat, after games in which each bot made a number of moves.
    fn after(most: u64, games: impl IntoIterator<Item = (Verdict, u32, Duration)>) -> Vec<Option<u64>> {
        let games = games.into_iter().map(|(verdict, moves, duration)| (verdict, ready(moves), duration));
        rows(most, games).into_iter().map(|row| row.map(|row| row.games)).collect()
    }

    /// The games for which the bot in the first seat is withdrawn, after games in which each bot had this
    /// part.
    fn rows(most: u64, games: impl IntoIterator<Item = (Verdict, Part, Duration)>) -> Vec<Option<Row>> {
        let mut withdrawals = Withdrawals::new([most, most]);
        let bots = BySeat::from_fn(2, Seat::index);
        let mut first = Vec::new();
        for (verdict, part, duration) in games {
            let withdrawn = withdrawals.played(&bots, &verdict, &bots.map(|_, _| part), duration);
            assert_eq!(withdrawn.get(&1), None, "it did not fail");
            first.push(withdrawn.get(&0).copied());
        }
        first
    }

    #[test]
    fn who_crashes_at_once_in_so_many_games_in_a_row_is_withdrawn_once() {
        let crashes = || (game(crash()), 1, QUICKLY);
        assert_eq!(after(3, vec![crashes(), crashes(), crashes(), crashes()]), [None, None, Some(3), None]);
        assert_eq!(after(0, vec![crashes(), crashes()]), [None, None]);
        assert_eq!(after(1, vec![crashes()]), [Some(1)]);
    }

    #[test]
    fn a_crash_after_some_moves_is_told_from_one_right_after_the_start() {
        let crashes = |moves| (game(crash()), ready(moves), QUICKLY);
        assert_eq!(rows(2, vec![crashes(0), crashes(5)]), [None, Some(Row { moved: 1, ..row(2, 0) })]);
        assert_eq!(rows(2, vec![crashes(0), crashes(0)]), [None, Some(row(2, 0))]);
    }

    #[test]
    fn other_games_between_begin_a_new_row_but_not_those_of_the_host() {
        let crashes = || (game(crash()), 0, QUICKLY);
        for other in [(game(illegal()), 0, QUICKLY), (game(crash()), 1, AT_ONCE)] {
            assert_eq!(after(2, vec![crashes(), other, crashes(), crashes()]), [None, None, None, Some(2)]);
        }
        let void = Verdict::Void { void: Void::Host("no memory".to_owned()), faults: Vec::new() };
        assert_eq!(after(2, vec![crashes(), (void, 1, QUICKLY), crashes()]), [None, None, Some(2)]);
    }

    #[test]
    fn how_long_others_think_does_not_save_who_never_moves() {
        let crashes = || (game(crash()), 0, 5 * AT_ONCE);
        assert_eq!(after(2, vec![crashes(), crashes()]), [None, Some(2)]);
    }

    #[test]
    fn who_is_not_ready_is_withdrawn_as_who_crashes() {
        let ten_seconds = 10 * AT_ONCE;
        let silent = || (game(late(Stage::Handshake)), NEVER_READY, ten_seconds);
        assert_eq!(rows(2, vec![silent(), silent(), silent()]), [None, Some(row(2, 2)), None]);
        assert_eq!(rows(0, vec![silent(), silent()]), [None, None]);
        // It was ready in an earlier game.
        let hangs = || (game(late(Stage::Ready)), ready(0), ten_seconds);
        assert_eq!(rows(2, vec![hangs(), hangs()]), [None, Some(row(2, 2))]);
        let floods = || (game(flood()), NEVER_READY, QUICKLY);
        assert_eq!(rows(2, vec![floods(), floods()]), [None, Some(row(2, 2))]);
        let crashes = (game(crash()), ready(0), QUICKLY);
        assert_eq!(rows(3, vec![silent(), crashes, floods()]), [None, None, Some(row(3, 2))]);
    }

    #[test]
    fn who_was_ready_and_fails_without_a_crash_plays_on() {
        for fault in [flood(), illegal()] {
            let fails = || (game(fault.clone()), ready(0), QUICKLY);
            assert_eq!(rows(1, vec![fails()]), [None]);
            let silent = || (game(late(Stage::Handshake)), NEVER_READY, QUICKLY);
            assert_eq!(rows(2, vec![silent(), fails(), silent()]), [None, None, None]);
        }
    }

    #[test]
    fn a_bot_that_plays_all_seats_is_withdrawn_too() {
        let mut withdrawals = Withdrawals::new([2]);
        let both = BySeat::from_fn(2, |_| 0);
        let no_moves = BySeat::from_fn(2, |_| ready(0));
        assert!(withdrawals.played(&both, &game(crash()), &no_moves, QUICKLY).is_empty());
        let again = withdrawals.played(&both, &game(crash()), &no_moves, QUICKLY);
        assert_eq!(again, BTreeMap::from([(0, row(2, 0))]));
    }

    #[test]
    fn a_game_that_another_one_ended_at_once_says_nothing_of_a_bot() {
        let mut withdrawals = Withdrawals::new([2, 2]);
        let no_moves = BySeat::from_fn(2, |_| ready(0));
        // They exchange seats, and the one that begins crashes.
        let mut withdrawn = Vec::new();
        for number in 0..4 {
            let bots = BySeat::from_fn(2, |seat| (seat.index() + number) % 2);
            withdrawn.extend(withdrawals.played(&bots, &game(crash()), &no_moves, QUICKLY));
        }
        assert_eq!(withdrawn, [(0, row(2, 0)), (1, row(2, 0))]);
    }
}
