//! Many games in one process, and measurements.

use std::time::{Duration, Instant};

use linesman_driver::now;

use super::arena::{Arena, BoutEnd, Order};
use super::arena_state::{Conduct, Sample};
use super::checker::{Candidate, Checker, Judged};
use super::item::{CheckItem, Growth, ItemFailure, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::{MAX_GAMES, Stopped};
use super::positions::StartPosition;
use super::variations::outcome;

/// The time after which no more of the many games begin.
const MAX_TIME: Duration = Duration::from_secs(60);

/// The time after which no more games begin if the minimum number has been played.
const USUAL_TIME: Duration = Duration::from_secs(3);

/// The host may spoil one game in this number for good.
const GAMES_PER_SPOILED: usize = 10;

/// One game in this number is longer than a single move.
const GAMES_PER_LONGER: usize = 8;

/// The turn on which the partners resign in a longer game.
const RESIGNATION_TURN: u32 = 4;

/// The limit of a move in many games.
const LIMIT: Duration = Duration::from_millis(100);

/// The time that an opponent takes for a move while the bot's idleness is measured.
const OPPONENT_TIME: Duration = Duration::from_millis(300);

/// The limit of an opponent's move while the bot's idleness is measured.
const OPPONENT_LIMIT: Duration = Duration::from_secs(10);

/// The factors by which memory may grow over many games, each with the growth in KiB that is allowed in any case.
const MORE_MEMORY: [(u64, u64); 2] = [(2, 64 << 10), (4, 24 << 10)];

/// The growth of memory in KiB that is allowed in the second half of many games, when tables have filled.
const MORE_IN_SECOND_HALF: u64 = 16 << 10;

/// The factor by which the CPU time of a game may grow, and the time up to which no growth counts.
const MORE_CPU: (u32, Duration) = (5, Duration::from_millis(20));

/// The bot may be busy for one part in this number of its opponents' time.
const OFF_MOVE_PART: u32 = 5;

/// Plays many games, and games in which time and resources are measured.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    if checker.wants(CheckItem::ManyGames) || checker.wants(CheckItem::Growth) {
        let mut samples = Vec::new();
        checker.judge_always(CheckItem::ManyGames, None, |checker| many_games(checker, &mut samples))?;
        let period = period(checker);
        checker.judge(CheckItem::Growth, None, |_| Ok(growth(&samples, period)))?;
    }
    checker.judge(CheckItem::Idle, None, |checker| idle(checker))?;
    checker.judge(CheckItem::FirstMove, None, |checker| first_move(checker))?;
    checker.judge(CheckItem::Determinism, None, |checker| determinism(checker))
}

/// Plays short games one after the other in one process. Games that a busy host spoils are played again at the end.
fn many_games(checker: &Checker<'_>, samples: &mut Vec<Sample>) -> Result<Judged, Stopped> {
    let mut series = Series { arena: checker.arena(), begun: now(), played: 0, before: None };
    let (mut spoiled, mut left) = (Vec::new(), Vec::new());
    for order in orders(checker) {
        match series.play(checker, order)? {
            Step::Judged(judged) => return Ok(judged),
            Step::Spoiled(order, _) => spoiled.push(order),
            Step::Played => {}
        }
    }
    for order in spoiled {
        match series.play(checker, order)? {
            Step::Judged(judged) => return Ok(judged),
            Step::Spoiled(_, why) => left.push(why),
            Step::Played => {}
        }
    }
    let Series { arena, played, .. } = series;
    *samples = arena.samples();
    arena.close();
    let mut observed = vec![Observation::Games(played)];
    if !left.is_empty() {
        observed.push(Observation::Spoiled(left.len()));
    }
    let outcome = match left.pop() {
        Some(why) if (left.len() + 1) * GAMES_PER_SPOILED > played => {
            ItemOutcome::Skipped(SkipReason::HostBusy(why))
        }
        Some(_) | None => ItemOutcome::Passed,
    };
    Ok(Judged { outcome, observed })
}

struct Series<'c> {
    arena: Arena<'c>,
    begun: Instant,
    played: usize,
    /// The last game, if the host did not spoil it.
    before: Option<Order<'c>>,
}

/// The result of one of many games.
enum Step<'c> {
    /// The game went well, or was not played because the series is over.
    Played,
    /// The host spoiled the game.
    Spoiled(Order<'c>, String),
    /// The game determines the result of the item.
    Judged(Judged),
}

impl<'c> Series<'c> {
    /// True if no more games begin. Quick bots play more than the minimum number, until growth becomes evident.
    fn is_over(&self, checker: &Checker<'_>) -> bool {
        let passed = now() - self.begun;
        if self.played < checker.check.extent.min_games() {
            return passed >= MAX_TIME;
        }
        let grows = || growth(&self.arena.samples(), period(checker)).outcome.failure().is_some();
        passed >= USUAL_TIME || grows()
    }

    fn play(&mut self, checker: &'c Checker<'_>, order: Order<'c>) -> Result<Step<'c>, Stopped> {
        if self.is_over(checker) {
            return Ok(Step::Played);
        }
        let bout = self.arena.play(&order)?;
        let observed = vec![Observation::Games(self.played + 1)];
        if let (Some(why), BoutEnd::Good | BoutEnd::Resigned) = (&bout.restarted, &bout.end) {
            let problem = ItemProblem::Restarted { why: why.clone(), game: self.played + 1 };
            return Ok(Step::Judged(Judged { outcome: ItemOutcome::of(bout.failure(problem)), observed }));
        }
        match &bout.end {
            BoutEnd::Good | BoutEnd::Resigned => {
                self.played += 1;
                self.before = Some(order);
                Ok(Step::Played)
            }
            BoutEnd::HostBusy(why) => {
                self.before = None;
                Ok(Step::Spoiled(order, why.clone()))
            }
            BoutEnd::Fault => {
                let outcome = outcome(checker, bout, &order, self.before.as_ref())?;
                Ok(Step::Judged(Judged { outcome, observed }))
            }
        }
    }
}

/// Returns short games from all positions of all games, in turn.
fn orders<'c>(checker: &'c Checker<'_>) -> impl Iterator<Item = Order<'c>> {
    let with_starts = |candidate: &'c Candidate| (candidate, candidate.positions.short().cycle());
    let mut starts: Vec<_> = checker.candidates.iter().map(with_starts).collect();
    (0..MAX_GAMES).map_while(move |number| {
        let turn = number % starts.len();
        let (candidate, starts) = &mut starts[turn];
        let resignation_turn = if number % GAMES_PER_LONGER == 0 { RESIGNATION_TURN } else { 1 };
        Some(Order::new(&*candidate.setup, starts.next()?, LIMIT, resignation_turn))
    })
}

/// The number of games after which games with the same positions and resignation turns repeat in the same order.
fn period(checker: &Checker<'_>) -> usize {
    let counts = checker.candidates.iter().map(|candidate| candidate.positions.short().count());
    let starts = counts.max().unwrap_or(1);
    let kinds = (starts * checker.candidates.len()).max(1);
    let mut multiples = (1..=GAMES_PER_LONGER).map(|times| times * kinds);
    multiples.find(|games| games % GAMES_PER_LONGER == 0).unwrap_or(kinds)
}

/// Compares the first games with the last. CPU time is compared over whole periods, so that both have the same games.
fn growth(samples: &[Sample], period: usize) -> Judged {
    let window = (samples.len() / 10).max(2);
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return Judged::skipped(SkipReason::NotMeasured);
    };
    if samples.len() < 2 * window + 1 {
        return Judged::skipped(SkipReason::NotMeasured);
    }
    let early = samples[window - 1];
    let memory = Growth { early: early.peak_kib, late: last.peak_kib };
    let in_second_half = last.peak_kib.saturating_sub(samples[samples.len() / 2].peak_kib);
    let is_beyond = |(factor, more): (u64, u64)| {
        memory.late > memory.early.saturating_mul(factor).max(memory.early + more)
    };
    let has_grown = MORE_MEMORY.into_iter().any(is_beyond) && in_second_half > MORE_IN_SECOND_HALF;
    // The first game is left out, because the process warms up in it.
    let cpu = (samples.len() > 2 * period).then(|| {
        let games = u32::try_from(period).unwrap_or(u32::MAX);
        let before_last = samples[samples.len() - 1 - period];
        Growth {
            early: samples[period].cpu.saturating_sub(first.cpu) / games,
            late: last.cpu.saturating_sub(before_last.cpu) / games,
        }
    });
    let (factor, threshold) = MORE_CPU;
    let grown_cpu = cpu.filter(|cpu| cpu.late > threshold && cpu.late > cpu.early * factor);
    let (of_memory, of_cpu) = (Observation::Memory(memory), cpu.map(Observation::Cpu));
    let failed = |problem| ItemOutcome::of(ItemFailure::outside_games(problem));
    // The sentence about a failure already has its figures.
    let (outcome, observed) = match grown_cpu {
        _ if has_grown => (failed(ItemProblem::MemoryGrowth(memory)), of_cpu.into_iter().collect()),
        Some(cpu) => (failed(ItemProblem::CpuGrowth(cpu)), vec![of_memory]),
        None => (ItemOutcome::Passed, std::iter::once(of_memory).chain(of_cpu).collect()),
    };
    Judged { outcome, observed }
}

/// Measures how busy the bot is while its opponents think.
fn idle(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let limit = checker.check.extent.limit();
    // Only the bot has to be quick.
    let usual =
        Order { max_move_time: Some(limit), ..Order::new(setup, &start, OPPONENT_LIMIT, RESIGNATION_TURN) };
    let mut arena = checker.arena();
    let warm = arena.play(&usual)?;
    if warm.is_bad() {
        return Ok(Judged::new(warm.outcome()));
    }
    arena.watch_idleness();
    let conduct = Conduct { delay: OPPONENT_TIME, ..usual.conduct };
    let bout = arena.play(&Order { conduct, ..usual })?;
    let off_move = arena.off_move();
    arena.close();
    let wall = OPPONENT_TIME * u32::try_from(bout.moves.len()).unwrap_or(u32::MAX);
    match (&bout.end, off_move) {
        (BoutEnd::Fault | BoutEnd::HostBusy(_), _) => Ok(Judged::new(bout.outcome())),
        (BoutEnd::Good | BoutEnd::Resigned, None) => Ok(Judged::skipped(SkipReason::NotMeasured)),
        (BoutEnd::Good | BoutEnd::Resigned, Some(busy)) => {
            let observed = vec![Observation::OffMove { busy, wall }];
            let outcome = match busy > wall / OFF_MOVE_PART {
                true => ItemOutcome::of(bout.failure(ItemProblem::BusyOffMove { busy, wall })),
                false => ItemOutcome::Passed,
            };
            Ok(Judged { outcome, observed })
        }
    }
}

/// Measures the first move of a game in a new process, and in one that has played before.
fn first_move(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let order = Order::new(setup, &start, checker.check.extent.limit(), 1);
    let mut arena = checker.arena();
    let cold = arena.play(&order)?;
    let first = cold.moves.first().map(|played| played.used);
    let times = cold.times;
    if cold.is_bad() {
        return Ok(Judged::new(cold.outcome()));
    }
    let warm = arena.play_last(&order)?;
    let again = warm.moves.first().map(|played| played.used);
    let moves = first.zip(again).map(|(cold, warm)| Observation::FirstMove { cold, warm });
    let start = times.start.map(Observation::Start);
    let ready = times.ready.map(Observation::Ready);
    let observed = [start, ready, moves].into_iter().flatten().collect();
    Ok(Judged { outcome: warm.outcome(), observed })
}

/// Plays the same game twice and compares the moves.
fn determinism(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let usual = Order::new(setup, &start, checker.check.extent.limit(), RESIGNATION_TURN);
    let order = Order { id: Some("check~again"), ..usual };
    let mut arena = checker.arena();
    let one = arena.play(&order)?;
    if one.is_bad() {
        return Ok(Judged::new(one.outcome()));
    }
    let other = arena.play_last(&order)?;
    let repeats = one.record.moves == other.record.moves;
    Ok(Judged::of_game(other, |_| vec![Observation::Repeats(repeats)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(kib: impl Fn(u64) -> u64, ms: impl Fn(u64) -> u64) -> Option<ItemProblem> {
        let mut cpu = Duration::from_millis(300);
        let sample = |game: u64| {
            cpu += Duration::from_millis(ms(game));
            Sample { cpu, peak_kib: kib(game) }
        };
        let samples: Vec<Sample> = (0..200).map(sample).collect();
        growth(&samples, 20).outcome.failure().map(|failure| failure.problem.clone())
    }

    #[test]
    fn only_endless_growth_is_a_failure() {
        assert_eq!(problem(|_| 20_000, |_| 2), None);
        // Tables that fill up, and slow growth from game to game.
        assert_eq!(problem(|game| 20_000 + game.min(60) * 8_000, |_| 2), None);
        assert_eq!(problem(|game| 20_000 + game * 100, |game| 2 + game / 40), None);
        let small_leak = problem(|game| 6_000 + game * 200, |_| 2);
        assert!(matches!(small_leak, Some(ItemProblem::MemoryGrowth(_))), "{small_leak:?}");
        let leak = problem(|game| 20_000 + game * 2_000, |_| 2);
        assert_eq!(leak, Some(ItemProblem::MemoryGrowth(Growth { early: 58_000, late: 418_000 })));
        assert!(matches!(problem(|_| 20_000, |game| 1 + game), Some(ItemProblem::CpuGrowth(_))));
        // Games of eight kinds, one of which takes ten times as long.
        assert_eq!(problem(|_| 20_000, |game| if game % 8 == 7 { 300 } else { 30 }), None);
        assert!(growth(&[Sample::default(); 4], 2).outcome.failure().is_none());
    }
}
