//! Withdraws bots that crash right after their start or are not ready in several games in a row, so that a broken bot
//! neither gives points away nor makes the others wait. Pure: uses no clock, file or process.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::{Fault, SeatFault, Verdict, Void};

/// Duration of a game, including the start of its processes, below which a crash counts as one right after the start.
/// In a longer game, so does a crash of a bot that has not moved, since others may have been thinking.
pub const AT_ONCE: Duration = Duration::from_secs(1);

/// For each bot, the consecutive games in which it was broken from the start.
#[derive(Clone, Debug)]
pub struct Withdrawals {
    bots: Vec<BotRow>,
}

#[derive(Copy, Clone, Debug)]
struct BotRow {
    /// Number of games in a row at which the bot is withdrawn; 0 if it never is.
    max_games: u64,
    row: Row,
}

/// Consecutive games in which a bot was broken from the start.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Row {
    pub games: u64,
    /// Number of games in which it did not crash, but was not ready in time, or failed before it was ready.
    pub not_ready: u64,
    /// Number of games shorter than [`AT_ONCE`] in which it crashed after it had moved.
    pub moved: u64,
}

/// A seat's part in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Part {
    pub moves: u32,
    /// True if its bot became ready.
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
    /// Makes the state at the start of a run. `max_games` has, for each bot, the number of consecutive broken games
    /// after which it is withdrawn; 0 if it never is.
    pub fn new(max_games: impl IntoIterator<Item = u64>) -> Withdrawals {
        let bot = |max_games| BotRow { max_games, row: Row::default() };
        Withdrawals { bots: max_games.into_iter().map(bot).collect() }
    }

    /// Enters the end of a game of these bots, with its duration and the part of each seat. Returns the bots that are
    /// withdrawn because of it, each with its consecutive games.
    ///
    /// A game in which a bot neither moved nor failed does not affect its row: another bot crashed before its turn.
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
        let broken = |fault: &SeatFault| {
            let part = parts.get(fault.seat)?;
            match fault.fault {
                Fault::NotStarted { .. } | Fault::Crash { .. } | Fault::ClosedOutput { .. } => {
                    is_at_once(part).then_some(Broken::CrashesAtOnce { has_moved: part.moves > 0 })
                }
                // A bot that was ready in an earlier game makes the others wait as well.
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
            faults().filter_map(|fault| Some((of_seat(fault.seat)?, broken(fault)?))).collect();
        let moved = parts.iter().filter(|(_, part)| part.moves > 0).map(|(seat, _)| seat);
        let active = faults().map(|fault| fault.seat).chain(moved);
        // One bot may have several seats.
        let active: BTreeSet<usize> = active.filter_map(of_seat).collect();
        let withdrawn = active.into_iter().filter_map(|bot| {
            let BotRow { max_games, row } = self.bots.get_mut(bot)?;
            *row = match all_broken.get(&bot) {
                None => Row::default(),
                Some(how) => Row {
                    games: row.games + 1,
                    not_ready: row.not_ready + u64::from(*how == Broken::NotReady),
                    moved: row.moved + u64::from(*how == Broken::CrashesAtOnce { has_moved: true }),
                },
            };
            // Equal, not greater: games that were running at its withdrawal may extend the row.
            (row.games == *max_games && *max_games > 0).then_some((bot, *row))
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

    /// The fault of a bot that prints too much instead of an answer.
    fn flood() -> Fault {
        Fault::Limit { which: Limit::OutputOffMove, limit: 1 << 20, used: 2 << 20 }
    }

    fn illegal() -> Fault {
        Fault::IllegalMove { text: "a1".to_owned(), why: "no".to_owned() }
    }

    /// The verdict of a game in which the first seat commits this fault.
    fn game(fault: Fault) -> Verdict {
        let places: BySeat<Place> = BySeat::by_measure(&Teams::singles(2), Seat::index);
        let faults =
            vec![SeatFault { seat: Seat::FIRST, fault, stray_lines: Vec::new(), without_legal: false }];
        Verdict::Finished { places, cause: Cause::Failure, faults }
    }

    /// The part of a bot that became ready.
    fn ready(moves: u32) -> Part {
        Part { moves, was_ready: true }
    }

    const NEVER_READY: Part = Part { moves: 0, was_ready: false };

    const fn row(games: u64, not_ready: u64) -> Row {
        Row { games, not_ready, moved: 0 }
    }

    /// Returns, for each game, the row for which the bot in the first seat is withdrawn. Each bot makes the given
    /// number of moves.
    fn after(max_games: u64, games: impl IntoIterator<Item = (Verdict, u32, Duration)>) -> Vec<Option<u64>> {
        let games = games.into_iter().map(|(verdict, moves, duration)| (verdict, ready(moves), duration));
        rows(max_games, games).into_iter().map(|row| row.map(|row| row.games)).collect()
    }

    /// Returns, for each game, the row for which the bot in the first seat is withdrawn. Each bot has the given part.
    fn rows(max_games: u64, games: impl IntoIterator<Item = (Verdict, Part, Duration)>) -> Vec<Option<Row>> {
        let mut withdrawals = Withdrawals::new([max_games, max_games]);
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
    fn a_bot_that_crashes_at_once_too_often_is_withdrawn_once() {
        let crashes = || (game(crash()), 1, QUICKLY);
        assert_eq!(after(3, vec![crashes(), crashes(), crashes(), crashes()]), [None, None, Some(3), None]);
        assert_eq!(after(0, vec![crashes(), crashes()]), [None, None]);
        assert_eq!(after(1, vec![crashes()]), [Some(1)]);
    }

    #[test]
    fn quick_crashes_after_a_move_are_counted_separately() {
        let crashes = |moves| (game(crash()), ready(moves), QUICKLY);
        assert_eq!(rows(2, vec![crashes(0), crashes(5)]), [None, Some(Row { moved: 1, ..row(2, 0) })]);
        assert_eq!(rows(2, vec![crashes(0), crashes(0)]), [None, Some(row(2, 0))]);
    }

    #[test]
    fn another_game_in_between_starts_a_new_row_unless_the_host_made_it_void() {
        let crashes = || (game(crash()), 0, QUICKLY);
        for other in [(game(illegal()), 0, QUICKLY), (game(crash()), 1, AT_ONCE)] {
            assert_eq!(after(2, vec![crashes(), other, crashes(), crashes()]), [None, None, None, Some(2)]);
        }
        let void = Verdict::Void { void: Void::Host("no memory".to_owned()), faults: Vec::new() };
        assert_eq!(after(2, vec![crashes(), (void, 1, QUICKLY), crashes()]), [None, None, Some(2)]);
    }

    #[test]
    fn a_long_game_does_not_save_a_bot_that_never_moves() {
        let crashes = || (game(crash()), 0, 5 * AT_ONCE);
        assert_eq!(after(2, vec![crashes(), crashes()]), [None, Some(2)]);
    }

    #[test]
    fn a_bot_that_is_not_ready_is_withdrawn_like_one_that_crashes() {
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
    fn a_ready_bot_that_fails_without_a_crash_is_not_withdrawn() {
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
    fn a_game_that_another_bot_ended_at_once_does_not_affect_a_row() {
        let mut withdrawals = Withdrawals::new([2, 2]);
        let no_moves = BySeat::from_fn(2, |_| ready(0));
        // The bots swap seats, and the first to move crashes.
        let mut withdrawn = Vec::new();
        for number in 0..4 {
            let bots = BySeat::from_fn(2, |seat| (seat.index() + number) % 2);
            withdrawn.extend(withdrawals.played(&bots, &game(crash()), &no_moves, QUICKLY));
        }
        assert_eq!(withdrawn, [(0, row(2, 0)), (1, row(2, 0))]);
    }
}
