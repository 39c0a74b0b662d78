//! The status of a running game, in words.

use std::time::Duration;

use super::model::Running;
use crate::referee::core::{Doing, Readiness, Wait};
use crate::seat::Seat;
use crate::verdict::Stage;

impl Running {
    /// The status in a few words: `bob on move for 1.2 s of 30 s`.
    pub(super) fn in_short(&self) -> String {
        let Some(status) = &self.status else { return "begins".to_owned() };
        match &status.doing {
            Doing::Waking(seat) => format!("{} still busy with its last game", self.name(*seat)),
            Doing::Preparing(seats) => {
                let waited_for: Vec<String> = seats
                    .iter()
                    .filter_map(|(seat, readiness)| match readiness {
                        Readiness::Starting(wait) => {
                            Some(format!("{} starting{}", self.name(seat), extended(*wait)))
                        }
                        Readiness::GettingReady(wait) => {
                            Some(format!("{} getting ready{}", self.name(seat), extended(*wait)))
                        }
                        Readiness::Ready | Readiness::Failed => None,
                    })
                    .collect();
                if waited_for.is_empty() { "begins".to_owned() } else { waited_for.join(", ") }
            }
            Doing::Asking { seat, since, limit, .. } => {
                format!("{} on move {}", self.name(*seat), of_limit(*since, *limit))
            }
            Doing::Over => "ends".to_owned(),
        }
    }

    pub(super) fn in_full(&self) -> String {
        let attempt = if self.attempt > 1 { format!(" (try {})", self.attempt) } else { String::new() };
        let who = self.bots.join(" against ");
        let Some(status) = &self.status else {
            return format!("{}{attempt}: {who}: begins", self.id);
        };
        let so_far = format!("{}{attempt}: {who}, running for {}", self.id, seconds(status.at.0));
        let doing = match &status.doing {
            Doing::Waking(seat) => {
                format!("waiting for {} to finish its last game (`readyok`)", self.name(*seat))
            }
            Doing::Preparing(seats) => {
                let waited_for: Vec<String> = seats
                    .iter()
                    .map(|(seat, readiness)| {
                        let name = self.name(seat);
                        let remaining = |wait: &Wait, answer: &str| {
                            let left = seconds(wait.until.0.saturating_sub(status.at.0));
                            format!("{left} left to answer `{answer}`{}", extended(*wait))
                        };
                        match readiness {
                            Readiness::Starting(wait) => {
                                format!("{name} is starting, {}", remaining(wait, Stage::Handshake.answer()))
                            }
                            Readiness::GettingReady(wait) => {
                                format!("{name} is getting ready, {}", remaining(wait, Stage::Ready.answer()))
                            }
                            Readiness::Ready => format!("{name} is ready"),
                            Readiness::Failed => format!("{name} has failed"),
                        }
                    })
                    .collect();
                waited_for.join(", ")
            }
            Doing::Asking { seat, since, limit, clocks } => {
                let ply = status.plies + 1;
                let turn = format!(
                    "ply {ply}, {} (seat {seat}) on move for {}",
                    self.name(*seat),
                    of_limit(*since, *limit)
                );
                let first = clocks.values().next();
                if clocks.values().all(|clock| Some(clock) == first) {
                    turn
                } else {
                    let clocks: Vec<String> = clocks.values().map(|clock| seconds(*clock)).collect();
                    format!("{turn}, clocks {}", clocks.join(" and "))
                }
            }
            Doing::Over => format!("ended after {} plies", status.plies),
        };
        format!("{so_far}: {doing}")
    }

    fn name(&self, seat: Seat) -> &str {
        self.bots.get(seat.index()).map_or("?", String::as_str)
    }
}

/// The time granted beyond a limit: ` (extended by 6 s, because the machine is busy)`.
fn extended(wait: Wait) -> String {
    if wait.granted.is_zero() {
        return String::new();
    }
    format!(" (extended by {}, because the machine is busy)", seconds(wait.granted))
}

/// The part of a time that has passed: `1.2 s of 30 s`, `12 ms of 50 ms`.
fn of_limit(since: Duration, limit: Duration) -> String {
    if limit < Duration::from_secs(1) {
        return format!("{} ms of {} ms", since.as_millis(), limit.as_millis());
    }
    format!("{} of {}", tenths(since), tenths(limit))
}

/// A time in seconds (`1.2 s`, `30 s`), or in milliseconds if it is shorter.
pub(super) fn seconds(time: Duration) -> String {
    if !time.is_zero() && time < Duration::from_secs(1) {
        return format!("{} ms", time.as_millis());
    }
    tenths(time)
}

fn tenths(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    match tenths % 10 {
        0 => format!("{} s", tenths / 10),
        _ => format!("{}.{} s", tenths / 10, tenths % 10),
    }
}
