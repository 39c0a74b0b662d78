//! The table `[workers]`.

use std::num::NonZeroU64;
use std::ops::Range;

use super::diagnostics::Diagnostic;
use super::keys::{top, workers as keys};
use super::reader::Reader;
use super::section::Section;
use super::tournament::{Bot, WorkersPlan};
use linesman_types::time_control::TimeControl;

/// Reads `[workers]`. `common` is the time control of the bots that have none of their own.
pub(super) fn workers(
    reader: &mut Reader,
    top: Section<'_>,
    common: Option<TimeControl>,
    bots: &[(Bot, Range<usize>)],
) -> WorkersPlan {
    let Some(section) = reader.table(top, &top::WORKERS, &["workers"]) else { return WorkersPlan::default() };
    let mut controls = common.into_iter().chain(bots.iter().filter_map(|(bot, _)| bot.time_control));
    let reference_speed = reader.spanned(section, &keys::REFERENCE_SPEED);
    if let Some(value) = &reference_speed
        && common.is_some()
        && controls.all(|control| matches!(control, TimeControl::Work(_)))
    {
        let mistake = Diagnostic::new("`reference_speed` requires a time control that counts time")
            .at(value.span(), "the moves are limited by work");
        reader.push(
            mistake.hint("remove `reference_speed`: `nodes` and `depth` mean the same on every machine"),
        );
    }
    let repeat_share = match reader.spanned(section, &keys::REPEAT_SHARE) {
        Some(share) if !(0.0..=1.0).contains(share.get_ref()) => {
            let mistake = Diagnostic::new("`repeat_share` must be from 0 to 1");
            reader.push(mistake.at(share.span(), "no share of the games"));
            0.0
        }
        Some(share) => share.into_inner(),
        None => 0.0,
    };
    WorkersPlan {
        reference_speed: reference_speed.and_then(|speed| NonZeroU64::new(speed.into_inner())),
        least_speed: reader.value(section, &keys::MIN_SPEED).and_then(NonZeroU64::new),
        repeat_share,
    }
}
