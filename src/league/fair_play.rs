//! What is done for fair time over the games of a run: who is paused out of
//! turn, whose late moves may still make games void, and when fewer games are
//! played at once. Pure: no clock, no file, no process.

use std::time::Duration;

use crate::league::file::Pause;
use crate::referee::core::{LateMoves, Pausing};

/// A bot that uses more CPU than this out of turn, for each of its moves, is paused.
const HARMLESS_OFF_MOVE: Duration = Duration::from_millis(1);

/// From this try on a game is not played again as it was.
pub const PATIENT_TRIES: u32 = 3;

/// Of how many games of a bot one may be void for its late moves, and how many
/// may be in any case.
const GAMES_A_VOID: u64 = 33;
const LEAST_VOIDS: u64 = 3;

/// What is done for fair time, as far as the games so far call for it.
#[derive(Clone, Debug)]
pub struct FairPlay {
    pause: Pause,
    bots: Vec<OfBot>,
    /// How many games may be played at once.
    slots: usize,
}

#[derive(Copy, Clone, Debug)]
struct OfBot {
    uses_off_move: bool,
    voids: u64,
    most_voids: u64,
}

impl FairPlay {
    /// At the start of a run: of each bot how many games it has in the
    /// schedule, and how many games were void for its late moves before.
    pub fn new(pause: Pause, bots: impl IntoIterator<Item = (u64, u64)>, slots: usize) -> FairPlay {
        let of_bot = |(games, voids): (u64, u64)| OfBot {
            uses_off_move: false,
            voids,
            most_voids: (games / GAMES_A_VOID).max(LEAST_VOIDS),
        };
        FairPlay { pause, bots: bots.into_iter().map(of_bot).collect(), slots: slots.max(1) }
    }

    /// Whether a bot is paused while it is not on move.
    pub fn pausing(&self, bot: usize) -> Pausing {
        let is_paused = match self.pause {
            Pause::Always => true,
            Pause::Never => false,
            Pause::Auto => self.bots.get(bot).is_some_and(|own| own.uses_off_move),
        };
        if is_paused { Pausing::On } else { Pausing::Off }
    }

    /// What comes of a late move of a bot that the host explains, in this try at its game.
    pub fn late_moves(&self, bot: usize, attempt: u32) -> LateMoves {
        let has_voids = self.bots.get(bot).is_none_or(|own| own.voids < own.most_voids);
        let may_help = attempt < PATIENT_TRIES || self.slots > 1;
        if has_voids && may_help { LateMoves::Void } else { LateMoves::Lost }
    }

    /// Whether a slot, counted from 0, may play on.
    pub fn may_play(&self, slot: usize) -> bool {
        slot < self.slots
    }

    /// Takes note of what a bot used in a game; says so if it is paused from now on.
    pub fn used(&mut self, bot: usize, moves: u32, off_move_cpu: Option<Duration>) -> bool {
        let Some(own) = self.bots.get_mut(bot) else { return false };
        let is_much = off_move_cpu.is_some_and(|cpu| cpu > HARMLESS_OFF_MOVE.saturating_mul(moves.max(1)));
        if !is_much || own.uses_off_move {
            return false;
        }
        own.uses_off_move = true;
        self.pause == Pause::Auto
    }

    /// Takes note of a game that was void for a late move of a bot. Says how
    /// many games are played at once from now on, if that are fewer.
    pub fn overloaded(&mut self, bot: usize, attempt: u32) -> Option<usize> {
        if let Some(own) = self.bots.get_mut(bot) {
            own.voids += 1;
        }
        if attempt < PATIENT_TRIES || self.slots == 1 {
            return None;
        }
        self.slots -= 1;
        Some(self.slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fair_play(pause: Pause, slots: usize) -> FairPlay {
        FairPlay::new(pause, [(1_000, 0), (10, 0)], slots)
    }

    #[test]
    fn who_uses_cpu_out_of_turn_is_paused_from_then_on() {
        let ms = |milliseconds| Some(Duration::from_millis(milliseconds));
        let mut auto = fair_play(Pause::Auto, 1);
        assert!(!auto.used(0, 30, None));
        assert!(!auto.used(0, 30, ms(30)));
        assert_eq!(auto.pausing(0), Pausing::Off);
        assert!(auto.used(0, 30, ms(31)));
        assert!(!auto.used(0, 30, ms(31)), "it is said once");
        assert_eq!((auto.pausing(0), auto.pausing(1)), (Pausing::On, Pausing::Off));
        let mut never = fair_play(Pause::Never, 1);
        assert!(!never.used(0, 1, ms(1_000)));
        assert_eq!(never.pausing(0), Pausing::Off);
        assert_eq!(fair_play(Pause::Always, 1).pausing(1), Pausing::On);
    }

    #[test]
    fn after_three_tries_fewer_games_are_played_at_once_and_in_the_end_it_counts() {
        let mut fair = fair_play(Pause::Auto, 3);
        assert_eq!(fair.overloaded(0, 1), None);
        assert_eq!(fair.overloaded(0, 2), None);
        assert_eq!(fair.late_moves(0, 3), LateMoves::Void);
        assert_eq!(fair.overloaded(0, 3), Some(2));
        assert!(fair.may_play(1) && !fair.may_play(2));
        assert_eq!(fair.late_moves(0, 4), LateMoves::Void);
        assert_eq!(fair.overloaded(0, 4), Some(1));
        assert_eq!(fair.late_moves(0, 2), LateMoves::Void);
        assert_eq!(fair.late_moves(0, 5), LateMoves::Lost);
        assert!(fair.may_play(0));
        assert_eq!(fair_play(Pause::Auto, 1).late_moves(0, 3), LateMoves::Lost);
    }

    #[test]
    fn a_bot_has_so_many_voids_and_then_losses() {
        let mut fair = fair_play(Pause::Auto, 2);
        for _ in 0..30 {
            assert_eq!(fair.late_moves(0, 1), LateMoves::Void);
            fair.overloaded(0, 1);
        }
        assert_eq!((fair.late_moves(0, 1), fair.late_moves(1, 1)), (LateMoves::Lost, LateMoves::Void));
        // Of few games three, since a game is tried so often; those of earlier runs count.
        let mut fair = FairPlay::new(Pause::Auto, [(10, 2)], 2);
        assert_eq!(fair.late_moves(0, 1), LateMoves::Void);
        fair.overloaded(0, 1);
        assert_eq!(fair.late_moves(0, 1), LateMoves::Lost);
    }
}
