//! Bots that crash at once in game after game: they are withdrawn, so that a
//! broken bot does not give points away all night. Pure: no clock, no file, no
//! process.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::seat::{BySeat, Seat};
use crate::verdict::{Fault, Verdict, Void};

/// In how short a game a bot crashed at once, the start of its process included.
/// In a longer one it did if it had made no move: others may have thought meanwhile.
pub const AT_ONCE: Duration = Duration::from_secs(1);

/// Who has crashed at once how often in a row.
#[derive(Clone, Debug)]
pub struct Withdrawals {
    bots: Vec<OfBot>,
}

#[derive(Copy, Clone, Debug)]
struct OfBot {
    /// In how many games in a row it may crash at once; 0 = in any number.
    most: u64,
    in_a_row: u64,
}

impl Withdrawals {
    /// At the start of a run: of each bot in how many games in a row it may
    /// crash at once before it is withdrawn; 0 = in any number.
    pub fn new(most: impl IntoIterator<Item = u64>) -> Withdrawals {
        Withdrawals { bots: most.into_iter().map(|most| OfBot { most, in_a_row: 0 }).collect() }
    }

    /// Takes note of how a game of these bots ended after so long, and so many
    /// moves of each seat. Says which of them are withdrawn for it, and in how
    /// many games in a row they crashed.
    ///
    /// A game in which a bot neither moved nor failed changes nothing for it:
    /// another one crashed before its turn came.
    pub fn played(
        &mut self,
        bots: &BySeat<usize>,
        verdict: &Verdict,
        moves: &BySeat<u32>,
        duration: Duration,
    ) -> BTreeMap<usize, u64> {
        if let Verdict::Void { void: Void::Host(_) | Void::Overload(_), .. } = verdict {
            return BTreeMap::new();
        }
        let is_crash = |fault: &Fault| {
            matches!(fault, Fault::NotStarted { .. } | Fault::Crash { .. } | Fault::ClosedOutput { .. })
        };
        let is_at_once = |seat: Seat| duration < AT_ONCE || moves.get(seat) == Some(&0);
        let of_seat = |seat: Seat| bots.get(seat).copied();
        let faults = || verdict.faults().iter();
        let crashed = faults().filter(|own| is_crash(&own.fault) && is_at_once(own.seat));
        let crashed: BTreeSet<usize> = crashed.filter_map(|own| of_seat(own.seat)).collect();
        let moved = moves.iter().filter(|(_, moves)| **moves > 0).map(|(seat, _)| seat);
        let active = faults().map(|own| own.seat).chain(moved);
        // One bot may sit at several seats.
        let active: BTreeSet<usize> = active.filter_map(of_seat).collect();
        let withdrawn = active.into_iter().filter_map(|bot| {
            let own = self.bots.get_mut(bot)?;
            own.in_a_row = if crashed.contains(&bot) { own.in_a_row + 1 } else { 0 };
            // Games that were begun before it was withdrawn end after it.
            (own.in_a_row == own.most && own.most > 0).then_some((bot, own.most))
        });
        withdrawn.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::{Place, Teams};
    use crate::verdict::{Cause, ExitStatus, SeatFault};

    const QUICKLY: Duration = Duration::from_millis(20);

    fn crash() -> Fault {
        Fault::Crash { status: ExitStatus::Code(1), stderr_tail: String::new() }
    }

    fn illegal() -> Fault {
        Fault::IllegalMove { text: "a1".to_owned(), why: "no".to_owned() }
    }

    /// A game in which the first seat failed so.
    fn game(fault: Fault) -> Verdict {
        let places: BySeat<Place> = BySeat::by_measure(&Teams::singles(2), Seat::index);
        let faults = vec![SeatFault { seat: Seat::FIRST, fault, stray_lines: Vec::new() }];
        Verdict::Finished { places, cause: Cause::Failure, faults }
    }

    /// When the bot on the first seat is withdrawn, after games in which each bot made so many moves.
    fn after(most: u64, games: impl IntoIterator<Item = (Verdict, u32, Duration)>) -> Vec<Option<u64>> {
        let mut withdrawals = Withdrawals::new([most, most]);
        let bots = BySeat::from_fn(2, Seat::index);
        let mut first = Vec::new();
        for (verdict, moves, duration) in games {
            let withdrawn = withdrawals.played(&bots, &verdict, &bots.map(|_, _| moves), duration);
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
    fn a_bot_that_plays_all_seats_is_withdrawn_too() {
        let mut withdrawals = Withdrawals::new([2]);
        let both = BySeat::from_fn(2, |_| 0);
        let no_moves = BySeat::from_fn(2, |_| 0);
        assert!(withdrawals.played(&both, &game(crash()), &no_moves, QUICKLY).is_empty());
        let again = withdrawals.played(&both, &game(crash()), &no_moves, QUICKLY);
        assert_eq!(again, BTreeMap::from([(0, 2)]));
    }

    #[test]
    fn a_game_that_another_one_ended_at_once_says_nothing_of_a_bot() {
        let mut withdrawals = Withdrawals::new([2, 2]);
        let no_moves = BySeat::from_fn(2, |_| 0);
        // They change seats, and the one that begins crashes.
        let mut withdrawn = Vec::new();
        for number in 0..4 {
            let bots = BySeat::from_fn(2, |seat| (seat.index() + number) % 2);
            withdrawn.extend(withdrawals.played(&bots, &game(crash()), &no_moves, QUICKLY));
        }
        assert_eq!(withdrawn, [(0, 2), (1, 2)]);
    }
}
