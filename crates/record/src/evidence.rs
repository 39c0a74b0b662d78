//! The machine's account of the time of a move, as recorded.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use linesman_types::verdict::Evidence;

/// The machine's account of the time of a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EvidenceRecord {
    /// The CPU time that all processes of the bot used, in microseconds.
    pub cpu_us: u64,
    /// The time for which the bot was ready to run and waited for a CPU, in microseconds. The thread that waited
    /// longest counts.
    pub wait_us: u64,
    /// The time for which the referee itself waited for a CPU, in microseconds.
    pub lag_us: u64,
}

impl From<&Evidence> for EvidenceRecord {
    fn from(evidence: &Evidence) -> EvidenceRecord {
        EvidenceRecord {
            cpu_us: microseconds(evidence.cpu),
            wait_us: microseconds(evidence.wait),
            lag_us: microseconds(evidence.lag),
        }
    }
}

impl From<&EvidenceRecord> for Evidence {
    fn from(record: &EvidenceRecord) -> Evidence {
        Evidence {
            cpu: Duration::from_micros(record.cpu_us),
            wait: Duration::from_micros(record.wait_us),
            lag: Duration::from_micros(record.lag_us),
        }
    }
}

/// A duration in whole microseconds, rounded down.
pub fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
