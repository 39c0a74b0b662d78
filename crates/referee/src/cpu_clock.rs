//! The clock that counts a bot's CPU time instead of wall time.
//!
//! A thinking bot is sampled whenever it may have used up its limit, and once more at its answer. It loses
//! when it has used more CPU time than its limit and margin, or when the wall bound passes while it is not
//! ready to run: a sleeping bot has no excuse, and a bot that waits for a CPU gets more time.

use std::time::Duration;

use crate::state_machine::Core;
use crate::turn::whole_microseconds;
use crate::turn_state::CpuAnswer;
use crate::{About, Action, GameTime};
use linesman_protocol::FromBot;
use linesman_types::reading::Reading;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::{Evidence, Overload, Void};

/// Minimum time between two samples.
const MIN_INTERVAL: Duration = Duration::from_millis(1);
/// Maximum wait, in multiples of the wall bound, for a bot that the host keeps from its CPU.
const MAX_WALL_BOUNDS: u32 = 10;

impl Core {
    /// Returns true if the CPU time of a seat's bot must be sampled before this line is handed over, as
    /// [`About::Answer`]: CPU time is counted, and the line is the seat's move.
    pub fn is_charged_by(&self, at: GameTime, seat: Seat, line: &[u8]) -> bool {
        let turn = self.turn.as_ref().filter(|turn| turn.cpu.is_some() && turn.is_asked(seat, at));
        let is_move = || matches!(FromBot::parse(line), Ok(FromBot::BestMove { .. }));
        turn.is_some() && !self.is_stopping(seat) && is_move()
    }

    /// Returns true if moves are charged by the CPU time that they take.
    pub fn counts_cpu(&self) -> bool {
        self.setup.clock != ClockKind::Wall
    }

    /// Asks for the CPU time that the bot on move has used up to now.
    pub(super) fn sample_cpu(&mut self, seat: Seat) {
        let Some(cpu) = self.turn.as_mut().and_then(|turn| turn.cpu.as_mut()) else { return };
        if matches!(cpu.sampled, Some((_, CpuAnswer::Awaited))) {
            let why = format!("the CPU time of seat {seat} was not reported");
            return self.finish_void(Void::Host(why));
        }
        cpu.sampled = Some((self.now, CpuAnswer::Awaited));
        self.actions.push(Action::AskEvidence { seat, about: About::Clock });
    }

    /// Handles the CPU time that a bot has used in its turn, sampled at `at`.
    pub(super) fn cpu_used(&mut self, seat: Seat, about: About, reading: Option<&Reading>, lag: Duration) {
        let margin = self.setup.margin;
        let cpus = self.setup.seats[seat].fairness.cpus;
        let measured = &self.seats[seat].measured;
        let evidence = reading.map(|reading| measured.evidence(Some(reading), lag));
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat) else { return };
        let (wall, limit) = (turn.used(self.now).unwrap_or_default(), turn.limit);
        let Some(cpu) = &mut turn.cpu else { return };
        // A bot that has just ended is no longer in the accounts; its end is reported next.
        let evidence = evidence.unwrap_or(cpu.evidence);
        // In whole microseconds, as in records: a record shows the excess over the limit.
        let used = whole_microseconds(evidence.cpu);
        // A wait that began before the turn counts only from the start of the turn.
        cpu.evidence = Evidence { cpu: used, wait: evidence.wait.min(wall), ..evidence };
        cpu.sampled = Some((self.now, CpuAnswer::Received));
        if about == About::Answer {
            // The line that follows will be judged.
            return;
        }
        let left = limit.saturating_add(margin).saturating_sub(cpu.evidence.cpu) / cpus.get();
        let counted = wall.saturating_sub(cpu.evidence.excuse(wall, cpus));
        // Past the bound only a bot that is ready to run continues, and it is sampled less and less often.
        let to_bound = cpu.wall_bound.checked_sub(counted).unwrap_or(wall / 8);
        cpu.wait = left.min(to_bound).max(MIN_INTERVAL);
        let (used, cpu_evidence) = (cpu.evidence.cpu, cpu.evidence);
        let is_given_up = wall > cpu.wall_bound.saturating_mul(MAX_WALL_BOUNDS);
        let is_ready = reading.is_some_and(|reading| reading.is_ready);
        let fault = self.turn.as_ref().and_then(|turn| turn.cpu.as_ref()?.fault(wall, limit, margin, cpus));
        match fault {
            Some(_) | None if reading.is_none() && (fault.is_some() || is_given_up) => {
                let why = format!("can't measure the CPU time that seat {seat} used in {wall:?}");
                self.finish_void(Void::Host(why));
            }
            Some(fault) if !is_ready || used > limit.saturating_add(margin) => self.fail(seat, fault),
            Some(_) | None if is_given_up => {
                // It was still waiting at its last sample. That wait is not in any account yet.
                let (evidence, excuse) = (cpu_evidence, wall.saturating_sub(used / cpus.get()));
                let stray_lines = self.seats[seat].take_stray_lines();
                let overload =
                    Overload { seat, limit, used: wall, margin, evidence, excuse, moved: false, stray_lines };
                self.finish_void(Void::Overload(Box::new(overload)));
            }
            // Nothing is wrong yet, or the bot waits for a CPU.
            Some(_) | None => {}
        }
    }
}
