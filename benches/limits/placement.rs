//! What it brings that a game's thread and bots share a CPU.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::bot::Manner;
use crate::floor::floor;
use crate::players::{Placement, by_turns, ratios};
use crate::recorded::Recorded;
use crate::referee::{Conduct, referee};
use crate::table::{Row, print};
use crate::trips::number_of_games;

/// All CPUs: the referee bound and free beside a floor that the system places.
pub fn placement(plan: &Plan) {
    let recorded = Arc::new(Recorded::of(60));
    let cpus = &plan.cpus;
    for &games in &plan.placed_games {
        let tag = |placement| format!("placed-{games}-{placement:?}");
        let conduct = |placement| Conduct { placement, ..Conduct::of(&tag(placement), games) };
        let sides = [
            floor(&recorded, games, &Manner::Instant, Placement::Free, cpus),
            referee(&recorded, &conduct(Placement::Bound), cpus),
            referee(&recorded, &conduct(Placement::Free), cpus),
        ];
        let samples = by_turns(plan.rounds, plan.window, &sides);
        let [bare, bound, free] = &samples[..] else { unreachable!("three sides have played") };
        let what = format!("placement, {}, {} CPUs", number_of_games(games), cpus.len());
        let aim = if games >= 256 { ">= 1.6" } else { ">= 1.4" };
        print([
            Row::new(format!("{what}: bound"), "x of a free floor's moves/s")
                .wall(ratios(bound, bare, |sample| sample.speed))
                .cpu(ratios(bound, bare, |sample| 1.0 / sample.all))
                .aim(aim),
            Row::new(format!("{what}: bound"), "x of the free referee's moves/s")
                .wall(ratios(bound, free, |sample| sample.speed))
                .cpu(ratios(bound, free, |sample| 1.0 / sample.all))
                .aim(">= 0.97"),
        ]);
    }
    two_games(plan);
}

/// Two games of bots that think, on two CPUs, beside one.
fn two_games(plan: &Plan) {
    let what = "placement, bots that think 1 ms: two games on two CPUs";
    if plan.cpus.len() < 2 {
        return print([Row::new(what, "x of one game's moves/s").aim("not measured: there is one CPU")]);
    }
    let recorded = Arc::new(Recorded::of(10));
    let conduct = |games: usize| Conduct {
        manner: Manner::Thinks(Duration::from_millis(1)),
        ..Conduct::of(&format!("thinking-{games}"), games)
    };
    let cpus = &plan.cpus[..2];
    let sides = [1, 2].map(|games| referee(&recorded, &conduct(games), cpus));
    let samples = by_turns(plan.rounds, plan.window, &sides);
    print([Row::new(what, "x of one game's moves/s")
        .wall(ratios(&samples[1], &samples[0], |sample| sample.speed))
        .cpu(ratios(&samples[1], &samples[0], |sample| 1.0 / sample.all))
        .aim(">= 1.9")]);
}
