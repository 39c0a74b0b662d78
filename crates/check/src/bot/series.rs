//! Many games in one process, and the changes in their course.

use std::time::{Duration, Instant};

use linesman_driver::now;

use super::arena::{Arena, BoutEnd, Order};
use super::arena_settings::{Conduct, Sample};
use super::checker::{Checker, Judged};
use super::item::{CheckItem, Growth, ItemFailure, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::{MOST_GAMES, Stopped};
use super::positions::StartPosition;
use super::variations::outcome;

/// Time after which no more of the many games begins.
const MOST_TIME: Duration = Duration::from_secs(60);

/// Time after which no game beyond the minimum number begins.
const USUAL_TIME: Duration = Duration::from_secs(3);

/// Number of games of which the host may spoil one for good.
const MOST_SPOILED: usize = 10;

/// Number of games of which one has more than one turn.
const LONGER_EACH: usize = 8;

/// Number of turns of a game that is more than a single move.
const TURNS: u32 = 4;

/// The limit of a move in many games.
const LIMIT: Duration = Duration::from_millis(100);

/// Time that an opponent takes for a move while the bot is to be idle.
const THINKS: Duration = Duration::from_millis(300);

/// The limit of an opponent's move then.
const PLENTY: Duration = Duration::from_secs(10);

/// The factors by which memory may grow in the course of many games, each with the growth that is allowed in any
/// case, in KiB.
const MORE_MEMORY: [(u64, u64); 2] = [(2, 64 << 10), (4, 24 << 10)];

/// Growth of memory that is allowed in the second half of many games, in KiB: by then, tables have filled.
const MORE_IN_SECOND_HALF: u64 = 16 << 10;

/// The factor by which the CPU time of a game may grow, and the time below which nothing is judged.
const MORE_CPU: (u32, Duration) = (5, Duration::from_millis(20));

/// The part of the time of others in which a bot may be busy.
const OFF_MOVE_PART: u32 = 5;

/// Plays many games, and games in which time is measured.
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

/// Plays short games one after the other in one process. Those that a busy host spoils are played once more at
/// the end.
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
        Some(why) if (left.len() + 1) * MOST_SPOILED > played => {
            ItemOutcome::Skipped(SkipReason::HostBusy(why))
        }
        Some(_) | None => ItemOutcome::Passed,
    };
    Ok(Judged { outcome, observed })
}

/// The many games in progress.
struct Series<'c> {
    arena: Arena<'c>,
    begun: Instant,
    played: usize,
    /// The game before the next one.
    before: Option<Order<'c>>,
}

/// The end of one of many games.
enum Step<'c> {
    /// It went well, or there is no more time.
    Played,
    /// The host spoiled it.
    Spoiled(Order<'c>, String),
    /// It decides the item.
    Judged(Judged),
}

impl<'c> Series<'c> {
    /// True if no more games begin. Quick bots play more than the least number until growth shows.
    fn is_over(&self, checker: &Checker<'_>) -> bool {
        let passed = now() - self.begun;
        if self.played < checker.check.extent.least_games() {
            return passed >= MOST_TIME;
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

/// Short games of all kinds, in turn.
fn orders<'c>(checker: &'c Checker<'_>) -> impl Iterator<Item = Order<'c>> {
    let mut starts: Vec<_> =
        checker.candidates.iter().map(|own| (own, own.positions.short().cycle())).collect();
    (0..MOST_GAMES).map_while(move |number| {
        let turn = number % starts.len();
        let (candidate, starts) = &mut starts[turn];
        let turns = if number % LONGER_EACH == 0 { TURNS } else { 1 };
        Some(Order::new(&*candidate.setup, starts.next()?, LIMIT, turns))
    })
}

/// Number of games after which games of the same kinds come in the same order: those from the same positions, with the
/// same numbers of turns.
fn period(checker: &Checker<'_>) -> usize {
    let starts = checker.candidates.iter().map(|own| own.positions.short().count()).max().unwrap_or(1);
    let kinds = (starts * checker.candidates.len()).max(1);
    (1..=LONGER_EACH).map(|times| times * kinds).find(|games| games % LONGER_EACH == 0).unwrap_or(kinds)
}

/// Compares the first games with the last. CPU time is compared between games of the same kinds only, which come again
/// after a period.
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
    // The first game warms up.
    let cpu = (samples.len() > 2 * period).then(|| {
        let games = u32::try_from(period).unwrap_or(u32::MAX);
        let before_last = samples[samples.len() - 1 - period];
        Growth {
            early: samples[period].cpu.saturating_sub(first.cpu) / games,
            late: last.cpu.saturating_sub(before_last.cpu) / games,
        }
    });
    let (factor, least) = MORE_CPU;
    let grown_cpu = cpu.filter(|cpu| cpu.late > least && cpu.late > cpu.early * factor);
    let (of_memory, of_cpu) = (Observation::Memory(memory), cpu.map(Observation::Cpu));
    let failed = |problem| ItemOutcome::of(ItemFailure::outside_games(problem));
    // The figures of a failure are in its own sentence.
    let (outcome, observed) = match grown_cpu {
        _ if has_grown => (failed(ItemProblem::MemoryGrowth(memory)), of_cpu.into_iter().collect()),
        Some(cpu) => (failed(ItemProblem::CpuGrowth(cpu)), vec![of_memory]),
        None => (ItemOutcome::Passed, std::iter::once(of_memory).chain(of_cpu).collect()),
    };
    Judged { outcome, observed }
}

/// Lets opponents think, and measures how busy the bot is meanwhile.
fn idle(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let limit = checker.check.extent.limit();
    // Only the bot has to be quick.
    let usual = Order { most_a_move: Some(limit), ..Order::new(setup, &start, PLENTY, TURNS) };
    let mut arena = checker.arena();
    let warm = arena.play(&usual)?;
    if warm.is_bad() {
        return Ok(Judged::new(warm.outcome()));
    }
    arena.watch_idleness();
    let conduct = Conduct { delay: THINKS, ..usual.conduct };
    let bout = arena.play(&Order { conduct, ..usual })?;
    let off_move = arena.off_move();
    arena.close();
    let wall = THINKS * u32::try_from(bout.moves.len()).unwrap_or(u32::MAX);
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

/// Measures the first move of a new process and of one that has played.
fn first_move(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let order = Order::new(setup, &start, checker.check.extent.limit(), 1);
    let mut arena = checker.arena();
    let cold = arena.play(&order)?;
    let first = cold.moves.first().map(|played| played.used);
    let times = cold.heard;
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

/// Plays the same game twice.
fn determinism(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let usual = Order::new(setup, &start, checker.check.extent.limit(), TURNS);
    let order = Order { id: Some("check~again"), ..usual };
    let mut arena = checker.arena();
    let one = arena.play(&order)?;
    if one.is_bad() {
        return Ok(Judged::new(one.outcome()));
    }
    let other = arena.play_last(&order)?;
    let is_alike = one.record.moves == other.record.moves;
    Ok(Judged::of_game(other, |_| vec![Observation::Repeats(is_alike)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(kib: impl Fn(u64) -> u64, ms: impl Fn(u64) -> u64) -> Option<ItemProblem> {
        let mut cpu = Duration::from_millis(300);
        let sample = |game: u64| {
            cpu += Duration::from_millis(ms(game));
            Sample { cpu, peak_kib: kib(game) }
        };
        let samples: Vec<Sample> = (0..200).map(sample).collect();
        growth(&samples, 20).outcome.failure().map(|failure| failure.problem.clone())
    }

    #[test]
    fn only_growth_without_an_end_is_a_failure() {
        assert_eq!(judged(|_| 20_000, |_| 2), None);
        // Tables that fill, and a little more in each game.
        assert_eq!(judged(|game| 20_000 + game.min(60) * 8_000, |_| 2), None);
        assert_eq!(judged(|game| 20_000 + game * 100, |game| 2 + game / 40), None);
        let small_leak = judged(|game| 6_000 + game * 200, |_| 2);
        assert!(matches!(small_leak, Some(ItemProblem::MemoryGrowth(_))), "{small_leak:?}");
        let leak = judged(|game| 20_000 + game * 2_000, |_| 2);
        assert_eq!(leak, Some(ItemProblem::MemoryGrowth(Growth { early: 58_000, late: 418_000 })));
        assert!(matches!(judged(|_| 20_000, |game| 1 + game), Some(ItemProblem::CpuGrowth(_))));
        // Games of eight kinds, one of which takes ten times as long.
        assert_eq!(judged(|_| 20_000, |game| if game % 8 == 7 { 300 } else { 30 }), None);
        assert!(growth(&[Sample::default(); 4], 2).outcome.failure().is_none());
    }
}
