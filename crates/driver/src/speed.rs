//! The speed of this machine, by a calculation that is the same everywhere.

use std::num::NonZeroU64;
use std::time::Duration;

use crate::runtime::now;
use linesman_sandbox::own_cpu;

/// The game whose positions are counted, and the number of plies. Both are part of the definition of the speed.
const GAME: &str = "quixo";
const PLIES: u32 = 3;

/// Number of measurements, of which the fastest counts, and the minimum CPU time of each.
const MEASUREMENTS: u32 = 3;
const MIN_CPU_TIME: Duration = Duration::from_millis(60);

/// The speed of one core, and how much of the time the measurement could use it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct MeasuredSpeed {
    /// Positions in a second of CPU time.
    pub positions_per_second: NonZeroU64,
    /// The share of the measurement's duration in which it did not run, in percent.
    pub waited_percent: u8,
}

/// Measures the speed of one core on this thread, in about 0.2 s of CPU time; `None` if that is not possible.
///
/// CPU time is counted, because bots are not charged for the time in which the machine keeps them waiting.
pub fn measure_speed() -> Option<MeasuredSpeed> {
    let setup = linesman_games::find(GAME)?.configure(&[]).ok()?;
    let (begun, cpu_before) = (now(), own_cpu());
    let mut fastest = 0.0_f64;
    for _ in 0..MEASUREMENTS {
        let (before, mut positions) = (own_cpu(), 0);
        let used = loop {
            positions += setup.perft(None, PLIES).ok()?;
            let used = own_cpu().saturating_sub(before);
            if used >= MIN_CPU_TIME {
                break used;
            }
        };
        fastest = fastest.max(positions as f64 / used.as_secs_f64());
    }
    let wall = now().saturating_duration_since(begun);
    let waited = wall.saturating_sub(own_cpu().saturating_sub(cpu_before));
    let waited_percent =
        (100.0 * waited.as_secs_f64() / wall.as_secs_f64().max(f64::MIN_POSITIVE)).min(100.0);
    Some(MeasuredSpeed {
        positions_per_second: NonZeroU64::new(fastest as u64)?,
        waited_percent: waited_percent as u8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_can_be_measured() {
        let measured = measure_speed().expect("the kernel has the clock");
        assert!(measured.waited_percent <= 100, "{measured:?}");
    }
}
