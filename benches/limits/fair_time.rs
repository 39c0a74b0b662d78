//! The time charged to a bot beyond its own delay, and the lateness of verdicts on late bots.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use linesman::referee::core::{LateMoves, Pausing};
use linesman::referee::driver::{BotSpec, Game, Played};
use linesman::seat::BySeat;
use linesman::time_control::TimeControl;
use linesman::verdict::Fault;
use tempfile::TempDir;

use crate::bot::Manner;
use crate::players::{NotMeasured, Player, Side};
use crate::recorded::Recorded;
use crate::referee::{Conduct, Source, bots, game, players};
use crate::table::{Row, Spread, print_or_explain};
use crate::{Plan, folder};

/// Measures charges and verdicts.
pub fn fair_time(plan: &Plan) {
    let micros = Duration::from_micros;
    for manner in [Manner::Instant, Manner::Thinks(micros(500)), Manner::Sleeps(micros(1_000))] {
        let whose = match manner {
            Manner::Instant => "answers at once",
            Manner::Thinks(_) => "thinks 0.5 ms",
            Manner::Sleeps(_) => "sleeps 1 ms",
        };
        let what = format!("time charged beyond a bot's own, it {whose}, {} at once", plan.cpus.len());
        print_or_explain(&what, charges(plan, &manner, &what));
    }
    let games = plan.games.last().copied().unwrap_or(1);
    for sleepers in [1, games] {
        let what = format!("verdict on a bot that oversleeps, {sleepers} of {games} games, one CPU");
        print_or_explain(&what, verdicts(plan, games, sleepers, &what));
    }
}

/// Collects the charged times by seat.
struct Charging {
    recorded: Arc<Recorded>,
    conduct: Conduct,
    folder: PathBuf,
    charged: Mutex<[Vec<Duration>; 2]>,
}

impl Source for Charging {
    fn next(&self, _slot: usize) -> Game {
        let folder = self.folder.clone();
        game(&self.recorded, bots(&self.recorded, &self.conduct, Some(folder)), Pausing::Off)
    }

    fn done(&self, _slot: usize, played: Played) -> u64 {
        let moves = &played.finished.moves;
        assert_eq!(moves.len(), self.recorded.plies(), "{:?}", played.finished.verdict);
        let mut charged = self.charged.lock().expect("nobody panics with it");
        for mv in moves {
            charged[mv.seat.index()].push(mv.used);
        }
        moves.len() as u64
    }
}

/// Plays a game per CPU, each in its own thread, whose bots report their delays when they end.
fn charges(plan: &Plan, manner: &Manner, what: &str) -> Result<Vec<Row>, NotMeasured> {
    let recorded = Arc::new(Recorded::of(60));
    let (mut medians, mut high, mut maxima) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        let mut excess = Vec::new();
        let games: Vec<(TempDir, Arc<Charging>, Vec<Player>)> = (plan.cpus.iter().enumerate())
            .map(|(thread, cpu)| {
                let folder = folder(&format!("delays-{round}-{thread}"));
                // No sandbox: it would keep the bots from writing their delays.
                let tag = format!("charged-{thread}");
                let conduct = Conduct { manner: manner.clone(), layers: None, ..Conduct::of(&tag, 1) };
                let source = Arc::new(Charging {
                    recorded: Arc::clone(&recorded),
                    conduct: conduct.clone(),
                    folder: folder.path().to_owned(),
                    charged: Mutex::default(),
                });
                let as_source: Arc<dyn Source> = Arc::clone(&source) as Arc<dyn Source>;
                let threads = players(&conduct, &[*cpu], &as_source);
                (folder, source, threads)
            })
            .collect();
        let (mut sources, mut threads) = (Vec::new(), Vec::new());
        for (folder, source, own) in games {
            sources.push((folder, source));
            threads.extend(own);
        }
        let side = Side::unseen(threads);
        side.play(plan.window)?;
        // Dropping it ends the bots, which then write their delays.
        drop(side);
        for (folder, source) in sources {
            let charged = source.charged.lock().expect("nobody panics with it");
            excess.extend(beyond(&charged, &delays_in(&folder)));
        }
        assert!(!excess.is_empty(), "delays were left");
        excess.sort_by(f64::total_cmp);
        let at = |share: f64| excess[((excess.len() - 1) as f64 * share) as usize];
        medians.push(at(0.5));
        high.push(at(0.99));
        maxima.push(at(1.0));
    }
    Ok(vec![
        Row::new(format!("{what}: median"), "us").wall(medians).aim("<= 100"),
        Row::new(format!("{what}: 99th percentile"), "us").wall(high).aim("<= 1000"),
        Row::new(format!("{what}: the most"), "us").wall(maxima),
    ])
}

/// Reads the delays that each bot wrote, in nanoseconds.
fn delays_in(folder: &TempDir) -> Vec<Vec<f64>> {
    let files = fs::read_dir(folder.path()).expect("the folder is there").flatten();
    let parse = |text: String| text.lines().map(|line| line.parse().expect("a number")).collect();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    // The bots of a game start in the order of their seats, so their process ids ascend.
    files.sort_by_key(|file| file.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    files.iter().map(|file| parse(fs::read_to_string(file).expect("it was written"))).collect()
}

/// Returns the charged times less the delays, in microseconds.
fn beyond(charged: &[Vec<Duration>; 2], delays: &[Vec<f64>]) -> Vec<f64> {
    assert_eq!(delays.len(), 2, "both bots of a game left their delays");
    let mut excess = Vec::new();
    for (charged, delays) in charged.iter().zip(delays) {
        assert_eq!(charged.len(), delays.len(), "a delay for each move");
        let micros = |(charged, delay): (&Duration, &f64)| (charged.as_nanos() as f64 - delay) / 1e3;
        excess.extend(charged.iter().zip(delays).map(micros));
    }
    excess
}

/// Supplies games in some of which the bots oversleep.
struct Oversleeping {
    recorded: Arc<Recorded>,
    instant: BySeat<Arc<BotSpec>>,
    late: BySeat<Arc<BotSpec>>,
    /// The number of slots, from the first, whose bots oversleep.
    sleepers: usize,
    told: Mutex<Sender<Verdict>>,
}

/// A verdict on a bot that overslept.
struct Verdict {
    /// The time from the deadline, margin included, to the verdict.
    late: Duration,
    /// The part of it that was excused because the host had taken it.
    excuse: Duration,
}

const ALLOWED: Duration = Duration::from_millis(40);
const MARGIN: Duration = Duration::from_millis(10);

impl Source for Oversleeping {
    fn next(&self, slot: usize) -> Game {
        let sleeps = slot < self.sleepers;
        let bots = if sleeps { &self.late } else { &self.instant };
        let mut game = game(&self.recorded, bots.clone(), Pausing::Off);
        if sleeps {
            game.setup.time_control = TimeControl::MoveTime(ALLOWED);
            game.setup.margin = MARGIN;
            for (seat, _) in game.bots.iter() {
                // A verdict is needed even if the host is to blame.
                game.setup.seats[seat].fairness.late = LateMoves::Lost;
            }
        }
        game
    }

    fn done(&self, _slot: usize, played: Played) -> u64 {
        for failed in played.finished.verdict.faults() {
            if let Fault::Time { limit, used, margin, excuse, .. } = &failed.fault {
                let late = used.saturating_sub(*limit).saturating_sub(*margin);
                let verdict = Verdict { late, excuse: *excuse };
                // At the end the receiver is gone.
                let _ = self.told.lock().expect("nobody panics with it").send(verdict);
            }
        }
        1
    }
}

/// Measures the time from the deadline, margin included, to the verdict.
fn verdicts(plan: &Plan, games: usize, sleepers: usize, what: &str) -> Result<Vec<Row>, NotMeasured> {
    let recorded = Arc::new(Recorded::of(60));
    let (told, late) = channel();
    let conduct = Conduct::of(&format!("late-{sleepers}"), games);
    let sleeping = Conduct { manner: Manner::Sleeps(Duration::from_secs(30)), ..conduct.clone() };
    let source: Arc<dyn Source> = Arc::new(Oversleeping {
        recorded: Arc::clone(&recorded),
        instant: bots(&recorded, &conduct, None),
        late: bots(&recorded, &sleeping, None),
        sleepers,
        told: Mutex::new(told),
    });
    let side = Side::unseen(players(&conduct, &plan.cpus[..1], &source));
    let (mut medians, mut maxima, mut excused) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        side.play(plan.window.max(Duration::from_millis(100)))?;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let verdicts: Vec<Verdict> = late.try_iter().collect();
        if !verdicts.is_empty() {
            let spread = Spread::of(verdicts.iter().map(|verdict| ms(verdict.late)));
            medians.push(spread.median);
            maxima.push(spread.max);
            excused.push(Spread::of(verdicts.iter().map(|verdict| ms(verdict.excuse))).median);
        }
    }
    if medians.is_empty() {
        return Err(NotMeasured("nobody was late".to_owned()));
    }
    Ok(vec![
        Row::new(format!("{what}: late by, median"), "ms").wall(medians).aim("<= 5"),
        Row::new(format!("{what}: late by, the most of a round"), "ms").wall(maxima),
        Row::new(format!("{what}: of that the bot's own wait for its CPU, median"), "ms").wall(excused),
    ])
}
