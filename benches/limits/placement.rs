//! The gain from running a game's thread and bots on the same CPU.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::bot::Manner;
use crate::floor::floor;
use crate::players::{NotMeasured, Placement, by_turns, ratios};
use crate::recorded::Recorded;
use crate::referee::{Conduct, referee};
use crate::table::{Row, print_or_explain};
use crate::trips::number_of_games;

/// Compares the referee, bound and unbound, with an unbound floor, on all CPUs.
pub fn placement(plan: &Plan) {
    let recorded = Arc::new(Recorded::of(60));
    for &games in &plan.placed_games {
        let what = format!("placement, {}, {} CPUs", number_of_games(games), plan.cpus.len());
        print_or_explain(&what, placed(plan, &recorded, games, &what));
    }
    let what = "placement, bots that think 1 ms: two games on two CPUs";
    print_or_explain(what, two_games(plan, what));
}

fn placed(plan: &Plan, recorded: &Arc<Recorded>, games: usize, what: &str) -> Result<Vec<Row>, NotMeasured> {
    let cpus = &plan.cpus;
    let tag = |placement| format!("placed-{games}-{placement:?}");
    let conduct = |placement| Conduct { placement, ..Conduct::of(&tag(placement), games) };
    let sides = [
        floor(recorded, games, &Manner::Instant, Placement::Free, cpus)?,
        referee(recorded, &conduct(Placement::Bound), cpus)?,
        referee(recorded, &conduct(Placement::Free), cpus)?,
    ];
    let samples = by_turns(plan.rounds, plan.window, &sides)?;
    let [bare, bound, free] = &samples[..] else { unreachable!("three sides have played") };
    let aim = if games >= 256 { ">= 1.6" } else { ">= 1.4" };
    Ok(vec![
        Row::new(format!("{what}: bound"), "x of a free floor's moves/s")
            .wall(ratios(bound, bare, |sample| sample.speed))
            .cpu(ratios(bound, bare, |sample| 1.0 / sample.all))
            .aim(aim),
        Row::new(format!("{what}: bound"), "x of the free referee's moves/s")
            .wall(ratios(bound, free, |sample| sample.speed))
            .cpu(ratios(bound, free, |sample| 1.0 / sample.all))
            .aim(">= 0.97"),
    ])
}

/// Compares two games of thinking bots with one, on two CPUs.
fn two_games(plan: &Plan, what: &str) -> Result<Vec<Row>, NotMeasured> {
    let Some(cpus) = plan.cpus.get(..2) else { return Err(NotMeasured("there is one CPU".to_owned())) };
    let recorded = Arc::new(Recorded::of(10));
    let conduct = |games: usize| Conduct {
        manner: Manner::Thinks(Duration::from_millis(1)),
        ..Conduct::of(&format!("thinking-{games}"), games)
    };
    let sides = [referee(&recorded, &conduct(1), cpus)?, referee(&recorded, &conduct(2), cpus)?];
    let samples = by_turns(plan.rounds, plan.window, &sides)?;
    Ok(vec![
        Row::new(what, "x of one game's moves/s")
            .wall(ratios(&samples[1], &samples[0], |sample| sample.speed))
            .cpu(ratios(&samples[1], &samples[0], |sample| 1.0 / sample.all))
            .aim(">= 1.9"),
    ])
}
