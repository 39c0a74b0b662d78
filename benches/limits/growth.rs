//! Plots of costs as the work grows.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use linesman::games::{OptionValues, Rules, RulesVisitor, with_rules};

use crate::bot::Manner;
use crate::floor::floor;
use crate::jobs::{jobs, write};
use crate::league::League;
use crate::players::{NotMeasured, Placement, by_turns};
use crate::plot::{Growth, svg};
use crate::recorded::Recorded;
use crate::referee::{Conduct, linesman, referee};
use crate::run::run;
use crate::table::{Row, Spread, print};
use crate::twins::{random_games, time_per_unit};
use crate::{Plan, folder};

/// The largest league; it takes minutes to read, so it is measured once.
const MAX_GAMES: u64 = 10_000_000;

pub fn growth(plan: &Plan) {
    at_once(plan);
    let (bots, games): (&[usize], &[u64]) = if plan.rounds > 2 {
        (&[2, 5, 10, 30, 100, 300, 1_000], &[1_000, 10_000, 100_000, 1_000_000, MAX_GAMES])
    } else {
        (&[2, 10], &[100, 1_000])
    };
    let (usual_games, usual_bots) = (games[games.len() / 2], bots[bots.len() / 2]);
    let by_bots = bots.iter().map(|bots| (*bots as f64, League::of_two(*bots, usual_games)));
    reading(plan, "bots", &format!("bots, {usual_games} games"), by_bots);
    let by_games = games.iter().map(|games| (*games as f64, League::of_two(usual_bots, *games)));
    reading(plan, "games", &format!("games, {usual_bots} bots"), by_games);
    boards(plan);
}

/// Writes a plot and prints the slopes of its lines.
fn report(plan: &Plan, name: &str, (title, work, cost): (&str, &str, &str), lines: &[Growth]) {
    fs::create_dir_all(&plan.plots).expect("the folder of the plots can be made");
    let file = plan.plots.join(format!("{name}.svg"));
    fs::write(&file, svg(title, work, cost, lines)).expect("the folder of the plots is there");
    print(lines.iter().map(|line| {
        let slope = line.slope();
        Row::new(format!("growth of {} with {work}", line.name), "slope, as a power")
            .cpu([slope])
            .aim(format!("`{name}.svg`"))
    }));
}

/// Plots the CPU time per move of concurrent games on one CPU.
fn at_once(plan: &Plan) {
    let recorded = Arc::new(Recorded::of(60));
    let numbers: &[usize] = if plan.rounds > 2 { &[1, 2, 4, 8, 16, 32, 64, 128, 256] } else { &[1, 2, 4] };
    let cpus = &plan.cpus[..1];
    let (mut own, mut bare) = (Vec::new(), Vec::new());
    let medians = |games: usize| -> Result<[f64; 2], NotMeasured> {
        let sides = [
            floor(&recorded, games, &Manner::Instant, Placement::Bound, cpus)?,
            referee(&recorded, &Conduct::of(&format!("growth-{games}"), games), cpus)?,
        ];
        let samples = by_turns(plan.rounds, plan.window, &sides)?;
        Ok([0, 1].map(|side| Spread::of(samples[side].iter().map(|sample| sample.own)).median))
    };
    for &games in numbers {
        match medians(games) {
            Ok([of_bare, of_own]) => {
                bare.push((games as f64, of_bare));
                own.push((games as f64, of_own));
            }
            Err(why) => print([Row::new(format!("growth: {games} games"), "").aim(why.to_string())]),
        }
    }
    let lines = [
        Growth { name: "own CPU of the referee".to_owned(), points: own },
        Growth { name: "own CPU of the floor".to_owned(), points: bare },
    ];
    let words = ("What a move costs with games at once", "games at once, one CPU", "CPU microseconds a move");
    report(plan, "games-at-once", words, &lines);
}

/// Plots the costs of the commands that read a league's records.
fn reading(plan: &Plan, name: &str, work: &str, leagues: impl Iterator<Item = (f64, League)>) {
    let mut lines: Vec<Growth> = Vec::new();
    for (size, league) in leagues {
        let folder = folder(&format!("growth-{name}-{size}"));
        write(&league, folder.path()).expect("there is room for the records");
        let rounds = if league.games < MAX_GAMES { plan.rounds.min(3) } else { 1 };
        for (number, job) in jobs(folder.path()).into_iter().enumerate() {
            let costs = (0..rounds)
                .map(|_| run(linesman(), &job.arguments).expect("it runs and is content").cpu().max(1e-4));
            let point = (size, Spread::of(costs).median);
            if lines.len() == number {
                lines.push(Growth { name: job.name.to_owned(), points: Vec::new() });
            }
            lines[number].points.push(point);
        }
    }
    report(plan, name, ("What it costs to read a league", work, "CPU seconds"), &lines);
}

/// Plots the cost of a move in random games of Quixo by board size.
fn boards(plan: &Plan) {
    let sizes: &[u32] = if plan.rounds > 2 { &[3, 4, 5, 6, 7, 8] } else { &[3, 8] };
    let points = sizes
        .iter()
        .map(|&size| {
            let random = RandomGames { size, plan };
            (f64::from(size), with_rules("quixo", random).expect("Quixo is there"))
        })
        .collect();
    let lines = [Growth { name: "a move of a random game".to_owned(), points }];
    let words = ("What a move costs by the rules of Quixo", "rows of the board", "CPU nanoseconds");
    report(plan, "board", words, &lines);
}

/// Plays random games on boards of one size and returns the nanoseconds per move.
struct RandomGames<'p> {
    size: u32,
    plan: &'p Plan,
}

impl RulesVisitor for RandomGames<'_> {
    type Output = f64;

    fn visit<R: Rules>(self) -> f64 {
        let size = self.size.to_string();
        let values =
            OptionValues::resolve(R::OPTIONS, [("size", size.as_str())]).expect("it has such a size");
        let rules = R::with_options(&values).expect("it has such a size");
        let mut games = random_games(&rules);
        let window = self.plan.window.min(Duration::from_millis(50));
        Spread::of((0..self.plan.rounds).map(|_| time_per_unit(&mut games, window))).median
    }
}
