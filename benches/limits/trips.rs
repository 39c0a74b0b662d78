//! The cost of round trips on one CPU, and of each protection.

use std::sync::Arc;
use std::time::Duration;

use linesman::process::isolation::{Layers, Sandbox};
use linesman::referee::core::Pausing;

use crate::Plan;
use crate::bot::Manner;
use crate::counters::SystemCalls;
use crate::floor::floor;
use crate::players::{NotMeasured, Placement, Side, by_turns, ratios};
use crate::recorded::Recorded;
use crate::referee::{Conduct, Supervision, layers, referee};
use crate::table::{Row, print_or_explain};

/// Compares the referee with default settings with the floor, on one CPU.
pub fn round_trips(plan: &Plan) {
    let recorded = Arc::new(Recorded::of(60));
    let counter = SystemCalls::find();
    for &games in &plan.games {
        let what = format!("round trips, {}, one CPU", number_of_games(games));
        print_or_explain(&what, one_cpu(plan, &recorded, counter.as_ref(), games, &what));
    }
}

fn one_cpu(
    plan: &Plan,
    recorded: &Arc<Recorded>,
    counter: Option<&SystemCalls>,
    games: usize,
    what: &str,
) -> Result<Vec<Row>, NotMeasured> {
    let cpus = &plan.cpus[..1];
    let bare = floor(recorded, games, &Manner::Instant, Placement::Bound, cpus)?;
    let own = referee(recorded, &Conduct::of(&format!("trips-{games}"), games), cpus)?;
    let sides = [bare, own];
    let samples = by_turns(plan.rounds, plan.window, &sides)?;
    let (bare, own) = (&samples[0], &samples[1]);
    let (speed, share) = if games == 1 { (">= 0.85", "<= 1.4") } else { (">= 1.1", "<= 1.0") };
    let mut rows = vec![
        Row::new(format!("{what}: speed"), "x of the floor's")
            .wall(ratios(own, bare, |sample| sample.speed))
            .cpu(ratios(own, bare, |sample| 1.0 / sample.all))
            .aim(speed),
        Row::new(format!("{what}: moves a second"), "1/s").wall(own.iter().map(|sample| sample.speed)),
        Row::new(format!("{what}: moves a second of the floor"), "1/s")
            .wall(bare.iter().map(|sample| sample.speed)),
        Row::new(format!("{what}: own CPU a move"), "x of the floor's parent")
            .cpu(ratios(own, bare, |sample| sample.own))
            .aim(share),
        Row::new(format!("{what}: own CPU a move"), "us").cpu(own.iter().map(|sample| sample.own)),
        Row::new(format!("{what}: own CPU a move of the floor"), "us")
            .cpu(bare.iter().map(|sample| sample.own)),
    ];
    for (side, whose, aim) in [(&sides[0], "the floor's ", ""), (&sides[1], "", "<= 3.2")] {
        let what = format!("{what}: {whose}system calls a move");
        rows.push(calls_per_move(plan, counter, side, &what, aim));
    }
    Ok(rows)
}

fn calls_per_move(plan: &Plan, counter: Option<&SystemCalls>, side: &Side, what: &str, aim: &str) -> Row {
    let row = Row::new(what, "calls").aim(aim);
    let Some(counter) = counter else { return row.aim("not counted: neither perf nor strace can here") };
    // A long window, so that occasional calls and those outside of play weigh little.
    let (rounds, window) = (plan.rounds.min(3), 10 * plan.window);
    let counts: Vec<f64> = (0..rounds)
        .filter_map(|_| counter.during(|| side.play(window)))
        .filter_map(|(calls, moves)| Some(calls as f64 / moves.ok()? as f64))
        .collect();
    match counts.as_slice() {
        [] => row.aim(format!("not counted: {} said nothing", counter.program)),
        counts => Row { unit: counter.program, ..row.wall(counts.iter().copied()) },
    }
}

/// Compares each protection with the bare referee.
pub fn protections(plan: &Plan) {
    let portable = layers(Sandbox::Portable);
    let auto = layers(Sandbox::Auto);
    let names = |layers: &Layers| layers.names().join(", ");
    for (manner, window, plies) in [
        (Manner::Instant, plan.window, 60),
        // Evidence is only collected for moves of 5 ms and more.
        (Manner::Thinks(Duration::from_millis(6)), plan.window.max(Duration::from_millis(100)), 10),
    ] {
        let recorded = Arc::new(Recorded::of(plies));
        let base = Conduct { manner: manner.clone(), layers: None, ..Conduct::of("", 1) };
        let with = |tag: &str, conduct: Conduct| Conduct { tag: format!("{tag}-{plies}"), ..conduct };
        let kinds = [
            (
                "bare referee".to_owned(),
                Conduct { supervision: Supervision::Bare, ..with("bare", base.clone()) },
            ),
            ("supervisor, clock and evidence".to_owned(), with("supervised", base.clone())),
            (
                format!("sandbox portable ({})", names(&portable)),
                Conduct { layers: Some(portable.clone()), ..with("portable", base.clone()) },
            ),
            (
                format!("sandbox auto ({}), the default", names(&auto)),
                Conduct { layers: Some(auto.clone()), ..with("auto", base.clone()) },
            ),
            (
                "pause = always, no sandbox".to_owned(),
                Conduct { pausing: Pausing::On, ..with("pause", base.clone()) },
            ),
            (
                "pause = always, sandbox auto".to_owned(),
                Conduct {
                    layers: Some(auto.clone()),
                    pausing: Pausing::On,
                    ..with("pause-auto", base.clone())
                },
            ),
        ];
        let whose = match manner {
            Manner::Instant => "instant bots",
            _ => "bots that think 6 ms",
        };
        let what = format!("protection, {whose}");
        print_or_explain(&what, relative_to_bare(plan, window, &recorded, &kinds, &what));
    }
}

/// Measures all `kinds`, relative to the first one.
fn relative_to_bare(
    plan: &Plan,
    window: Duration,
    recorded: &Arc<Recorded>,
    kinds: &[(String, Conduct)],
    what: &str,
) -> Result<Vec<Row>, NotMeasured> {
    let sides = kinds.iter().map(|(_, conduct)| referee(recorded, conduct, &plan.cpus[..1]));
    let sides = sides.collect::<Result<Vec<Side>, NotMeasured>>()?;
    let samples = by_turns(plan.rounds, window, &sides)?;
    let bare = &samples[0];
    let rows = kinds.iter().zip(&samples).flat_map(|((name, _), own)| {
        let aim = if name.contains("default") { ">= 0.97" } else { "" };
        let what = format!("{what}: {name}");
        [
            Row::new(format!("{what}: speed"), "x of the bare referee's")
                .wall(ratios(own, bare, |sample| sample.speed))
                .cpu(ratios(own, bare, |sample| 1.0 / sample.all))
                .aim(aim),
            Row::new(format!("{what}: own CPU a move"), "us").cpu(own.iter().map(|sample| sample.own)),
        ]
    });
    Ok(rows.collect())
}

/// Returns a number of games with its noun.
pub fn number_of_games(games: usize) -> String {
    if games == 1 { "1 game".to_owned() } else { format!("{games} games") }
}
