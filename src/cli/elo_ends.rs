//! The confidence interval of an Elo estimate as data.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::json::value;
use crate::rating::Interval;
use crate::report::data::rounded;

/// An estimate with its 95 % confidence interval: the two ends together, and each by its name in tables.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct EloEnds {
    /// Where `elo` is with 95 % confidence: its lower and its upper end; null where there is no bound.
    interval: Option<[Option<f64>; 2]>,
    /// The lower end.
    elo_low: Option<f64>,
    /// The upper end.
    elo_high: Option<f64>,
}

impl EloEnds {
    /// The ends of an interval; infinite ends become null.
    pub(crate) fn of(ends: Option<Interval>) -> EloEnds {
        let interval = ends.map(|Interval { low, high }| [low, high].map(rounded));
        let [elo_low, elo_high] = interval.unwrap_or_default();
        EloEnds { interval, elo_low, elo_high }
    }

    /// The fields of an object with these ends.
    pub(crate) fn fields(self) -> [(&'static str, Box<RawValue>); 3] {
        let EloEnds { interval, elo_low, elo_high } = self;
        [("interval", value(interval)), ("elo_low", value(elo_low)), ("elo_high", value(elo_high))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::json::Object;

    #[test]
    fn the_fields_are_those_of_the_struct() {
        let ends = EloEnds::of(Some(Interval { low: -1.5, high: f64::INFINITY }));
        let fields = Object(ends.fields().to_vec());
        assert_eq!(value(fields).get(), value(ends).get());
    }
}
