//! The handshake.

use super::arena::{BoutEnd, Order};
use super::checker::{Checker, FailedGame, Judged};
use super::item::{CheckItem, ItemOutcome, Observation, SkipReason};
use super::plan::Stopped;
use super::positions::StartPosition;
use linesman_referee::Introduction;

/// Starts a game with the bot. Returns true if it introduced itself, or if the host was too busy to tell.
pub(super) fn greet(checker: &mut Checker<'_>) -> Result<bool, Stopped> {
    let mut is_introduced = false;
    checker.judge_always(CheckItem::Handshake, None, |checker| {
        let first = checker.check.games.first().and_then(|game| checker.check.setup(game));
        let Some(setup) = first else { return Ok(Judged::skipped(SkipReason::NothingPlayed)) };
        let start = StartPosition::usual(&*setup);
        let bout = checker.play(&Order::new(&*setup, &start, checker.check.extent.limit(), 1))?;
        if let Some(introduction) = &bout.introduction {
            is_introduced = true;
            let mut observed = vec![introduced(introduction)];
            observed.extend(bout.times.start.map(Observation::Start));
            return Ok(Judged { outcome: ItemOutcome::Passed, observed });
        }
        is_introduced = matches!(bout.end, BoutEnd::HostBusy(_));
        let outcome = bout.outcome();
        if let ItemOutcome::Failed(failure) = &outcome {
            checker.failed_game = Some(FailedGame { setup, failure: (**failure).clone() });
        }
        Ok(Judged::new(outcome))
    })?;
    Ok(is_introduced)
}

fn introduced(introduction: &Introduction) -> Observation {
    let features = [("state", introduction.wants_state), ("legal", introduction.wants_legal)];
    let features = features.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(word, _)| word);
    Observation::Introduced {
        name: introduction.name.clone(),
        author: introduction.author.clone(),
        features: features.collect(),
        options: introduction.options.len(),
    }
}
