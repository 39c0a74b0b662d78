use std::borrow::Cow;

use proptest::prelude::*;

use super::*;
use crate::openings::{Opening, Openings, Order};
use linesman_rating::sprt::{Counts, Model};
use linesman_types::random::SplitMix64;

/// Creates the rule for a number of games of `new` against `base`.
fn rule(games: u32, unit: Observation) -> StopRule {
    let schedule = Schedule::round_robin(["new", "base"], 2, games / 2, 1).expect("two are enough");
    let design = Design::new(0.0, 100.0, 0.05, 0.05, Model::Logistic).expect("a test");
    StopRule::new(schedule, design, unit)
}

/// Returns the outcome of the game at a place in the schedule; `score` is from the new bot's point of view.
fn outcome(rule: &StopRule, index: u64, score: Option<Score>) -> Outcome<'static> {
    let pairing = rule.schedule.pairing(index).expect("there are so many games");
    let places = |new: usize, base: usize| {
        let place = |seat: Seat| Place::new(if pairing.entrants[seat] == 0 { new } else { base });
        Ended::Places(BySeat::from_fn(2, |seat| place(seat).expect("there are two places")))
    };
    let names = pairing.bots.map(|_, bot| Cow::Owned(rule.schedule.names()[*bot].clone()));
    Outcome {
        id: Cow::Owned(pairing.id.clone()),
        attempt: 1,
        league: None,
        game: Cow::Borrowed("quixo"),
        team_names: names.map(|_, _| None),
        usage: names.map(|_, _| None),
        bots: names,
        result: match score {
            None => Ended::Void,
            Some(Score::Win) => places(1, 2),
            Some(Score::Draw) => places(1, 1),
            Some(Score::Loss) => places(2, 1),
        },
        reason: None,
        faults: Vec::new(),
        overloaded: None,
        late: Vec::new(),
        pair: None,
    }
}

fn enter(rule: &mut StopRule, index: u64, score: Option<Score>) {
    let outcome = outcome(rule, index, score);
    rule.enter(&outcome, None);
}

/// Enters a game with known moves.
fn enter_moves(rule: &mut StopRule, index: u64, score: Score, moves: u64) {
    let outcome = outcome(rule, index, Some(score));
    rule.enter(&outcome, Some(moves));
}

#[test]
fn only_encounters_whose_games_have_both_ended_count() {
    let mut rule = rule(100, Observation::Game);
    enter(&mut rule, 0, Some(Score::Win));
    assert_eq!(rule.sequence().counts.total(), 0);
    // The second encounter waits for the first.
    enter(&mut rule, 2, Some(Score::Loss));
    enter(&mut rule, 3, Some(Score::Loss));
    assert_eq!(rule.sequence().counts.total(), 0);
    enter(&mut rule, 1, Some(Score::Draw));
    assert_eq!(rule.sequence().counts, Counts::Games([2, 1, 1]));
    assert_eq!(rule.tally(), Tally { wins: 1, draws: 1, losses: 2 });
    assert_eq!(rule.names(), ["new", "base"]);
}

#[test]
fn games_after_the_end_are_counted_separately() {
    let mut rule = rule(1_000, Observation::Game);
    let mut index = 0;
    while rule.end().is_none() {
        assert_eq!(rule.further(), 0);
        enter(&mut rule, index, Some(if index % 10 == 0 { Score::Loss } else { Score::Win }));
        index += 1;
    }
    let counted = rule.tally();
    assert_eq!((index, counted.games()), (counted.games(), index));
    // Both games of one encounter, and one game of another.
    [index, index + 1, index + 3].into_iter().for_each(|index| enter(&mut rule, index, Some(Score::Win)));
    assert_eq!((rule.further(), rule.tally()), (3, counted));
}

#[test]
fn the_games_of_an_encounter_can_count_as_a_pair() {
    let mut rule = rule(100, Observation::Pair);
    for (index, score) in [Score::Win, Score::Draw, Score::Loss, Score::Win].into_iter().enumerate() {
        enter(&mut rule, index as u64, Some(score));
    }
    assert_eq!(rule.sequence().counts, Counts::Pairs([0, 0, 1, 1, 0]));
    assert_eq!(rule.tally(), Tally { wins: 2, draws: 1, losses: 1 });
}

#[test]
fn an_encounter_with_a_game_without_a_result_is_left_out() {
    let mut rule = rule(100, Observation::Pair);
    enter(&mut rule, 0, None);
    enter(&mut rule, 1, Some(Score::Win));
    enter(&mut rule, 2, Some(Score::Win));
    enter(&mut rule, 3, Some(Score::Win));
    assert_eq!((rule.sequence().counts, rule.left_out()), (Counts::Pairs([0, 0, 0, 0, 1]), 1));
}

#[test]
fn duplicate_and_foreign_games_change_nothing() {
    let mut rule = rule(100, Observation::Game);
    enter(&mut rule, 0, Some(Score::Win));
    enter(&mut rule, 0, Some(Score::Loss));
    let mut again = outcome(&rule, 1, Some(Score::Loss));
    again.result = Ended::VoidHost;
    rule.enter(&again, None);
    enter(&mut rule, 1, Some(Score::Win));
    enter(&mut rule, 1, Some(Score::Loss));
    let mut foreign = outcome(&rule, 2, Some(Score::Loss));
    foreign.id = Cow::Borrowed("new~other~1");
    rule.enter(&foreign, None);
    assert_eq!(rule.sequence().counts, Counts::Games([0, 0, 2]));
}

#[test]
fn repeated_games_do_not_count_and_end_the_test() {
    for unit in [Observation::Game, Observation::Pair] {
        let mut rule = rule(1000, unit);
        for index in 0..2 * (MIN_REPEATED_IN_A_ROW + 1) {
            assert_eq!(rule.end(), None, "{index}");
            enter_moves(&mut rule, index, Score::Win, index % 2);
        }
        assert_eq!(rule.end(), Some(End::Repeating));
        assert_eq!((rule.sequence().counts.games(), rule.tally().wins), (2, 2));
        assert_eq!(
            (rule.repeated(), rule.repeated_in_a_row()),
            (MIN_REPEATED_IN_A_ROW, MIN_REPEATED_IN_A_ROW)
        );
        // The end is final.
        let before = rule.sequence().counts;
        for index in 2 * (MIN_REPEATED_IN_A_ROW + 1)..200 {
            enter_moves(&mut rule, index, Score::Win, 1000 + index);
        }
        assert_eq!((rule.end(), rule.sequence().counts), (Some(End::Repeating), before));
    }
}

#[test]
fn an_encounter_with_one_new_game_counts_as_a_whole() {
    let mut rule = rule(1000, Observation::Game);
    for index in 0..40 {
        // The games that the new bot begins are all the same, and those that its base begins all differ.
        let (score, moves) = if index % 2 == 0 { (Score::Win, 7) } else { (Score::Loss, 100 + index) };
        enter_moves(&mut rule, index, score, moves);
    }
    assert_eq!((rule.sequence().counts, rule.repeated()), (Counts::Games([20, 0, 20]), 0));
}

/// Creates a drawer of a number of openings in sequential order.
fn openings(count: usize) -> Option<Drawer> {
    let list = (0..count).map(|number| Opening { token: Some(number.to_string()), ..Opening::default() });
    let openings = Openings { list: list.collect(), order: Order::Sequential };
    Some(Drawer::new(openings, vec!["new".to_owned(), "base".to_owned()], 1))
}

#[test]
fn a_test_with_many_openings_is_abandoned_after_all_have_repeated() {
    let mut rule = StopRule { openings: openings(30), ..rule(1000, Observation::Pair) };
    for index in 0..120 {
        let score = if index % 4 < 2 { Score::Win } else { Score::Loss };
        enter_moves(&mut rule, index, score, index % 60);
    }
    assert_eq!((rule.end(), rule.repeated()), (Some(End::Repeating), 30));
    assert_eq!(rule.sequence().counts.total(), 30);
}

#[test]
fn variation_by_chance_is_decided_for_each_opening_separately() {
    let mut rule = StopRule { openings: openings(2), ..rule(1000, Observation::Pair) };
    for index in 0..80_u64 {
        let (encounter, begins) = (index / 2, index % 2);
        // For each bot that begins, one start leads to five different games, the other always to the same.
        let game = if encounter % 2 == 0 { encounter / 2 % 5 } else { 9 };
        let score = if encounter / 2 % 2 == 0 { Score::Win } else { Score::Loss };
        enter_moves(&mut rule, index, score, 2 * game + begins);
    }
    assert_eq!((rule.sequence().counts.total(), rule.repeated()), (21, 19));
}

#[test]
fn all_games_that_repeat_each_other_by_chance_count() {
    for unit in [Observation::Game, Observation::Pair] {
        let mut rule = rule(1000, unit);
        // Three different games from either side; the first encounters are the same.
        let games = [0, 0, 1, 2, 1, 0, 2, 2, 1, 0];
        for (encounter, game) in games.into_iter().enumerate() {
            for begins in 0..2 {
                let score = if game == 0 { Score::Win } else { Score::Loss };
                enter_moves(&mut rule, (2 * encounter + begins) as u64, score, 2 * game + begins as u64);
            }
            let counted = [1, 1, 2, 4, 5, 6, 7, 8, 9, 10][encounter];
            assert_eq!(rule.tally().games(), 2 * counted, "after encounter {encounter}");
        }
        assert_eq!((rule.repeated(), rule.repeated_in_a_row()), (0, 0));
        assert_eq!(rule.tally(), Tally { wins: 8, draws: 0, losses: 12 });
    }
}

#[test]
fn rare_different_games_do_not_make_repeated_ones_count() {
    let mut rule = rule(1000, Observation::Game);
    for index in 0..400 {
        // Every twentieth encounter has a different game.
        let moves = if index % 40 == 0 { 1000 + index } else { index % 2 };
        enter_moves(&mut rule, index, if index % 2 == 0 { Score::Win } else { Score::Loss }, moves);
    }
    // The first two encounters count, and those with a different game.
    assert_eq!((rule.tally().games(), rule.end()), (22, None));
}

/// Reproducible pseudorandom numbers.
struct Chance(SplitMix64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end
    }
}

/// A generated game: its moves, and the result of the bot `new`.
type Played = (u64, Score);

/// Returns the fraction of tests that accept that the new bot is 100 Elo stronger. `play` generates the games; it
/// receives true if the base begins.
fn accepted(tests: u64, mut play: impl FnMut(&mut Chance, bool) -> Played) -> f64 {
    let mut chance = Chance(SplitMix64(20_261_122));
    let mut accepted = 0;
    for _ in 0..tests {
        let mut rule = rule(20_000, Observation::Game);
        for index in 0.. {
            let pairing = rule.schedule.pairing(index).expect("it is long enough");
            let is_return = pairing.entrants[Seat::FIRST] != 0;
            let (moves, score) = play(&mut chance, is_return);
            enter_moves(&mut rule, index, score, 2 * moves + u64::from(is_return));
            if rule.end().is_some() {
                break;
            }
        }
        assert_eq!(rule.end(), Some(End::Decided), "what comes again by chance ends no test");
        accepted += u64::from(rule.sequence().status == Status::Accepted);
    }
    accepted as f64 / tests as f64
}

#[test]
fn the_bot_whose_wins_take_long_is_not_favoured() {
    // Both win half of the games: one with three different short games, the other never with the same game twice.
    for is_long in [false, true] {
        let share = accepted(1500, |chance, _| {
            let is_short = chance.below(2) == 0;
            let moves = if is_short { chance.below(3) } else { 3 + chance.below(1 << 40) };
            (moves, if is_short == is_long { Score::Loss } else { Score::Win })
        });
        assert!(share <= 0.06, "{share} are accepted at elo0");
    }
}

#[test]
fn bots_that_repeat_games_by_chance_keep_the_error_rate_of_the_test() {
    let game = linesman_games::find("quixo").expect("it is one of ours");
    let setup = game.configure(&[("size", "3"), ("max_plies", "12")]).expect("it is a size");
    let mut chance = Chance(SplitMix64(7));
    let mut digests = HashMap::new();
    let games: Vec<(u64, Score)> = (0..6_000)
        .map(|_| {
            let mut table = setup.start();
            let mut moves = Vec::new();
            while !table.is_over() {
                let legal = linesman_games::legal_moves(&*table);
                // With a choice among all moves, no game would repeat in many thousands.
                let mv = legal[chance.below(2.min(legal.len() as u64)) as usize].clone();
                table.play(&mv).expect("it is legal");
                moves.push(mv);
            }
            let ending = table.ending().expect("it is over");
            let score = match ending.places[Seat::FIRST].cmp(&ending.places[Seat::SECOND]) {
                Ordering::Less => Score::Win,
                Ordering::Equal => Score::Draw,
                Ordering::Greater => Score::Loss,
            };
            let next = digests.len() as u64;
            (*digests.entry(moves.join(" ")).or_insert(next), score)
        })
        .collect();
    // Without repetitions, the test would be useless.
    assert!(digests.len() < 4_500, "{} different games", digests.len());
    let share = accepted(1000, |chance, is_return| {
        let (moves, score) = games[chance.below(games.len() as u64) as usize];
        let mirrored = match score {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        };
        (moves, if is_return { mirrored } else { score })
    });
    println!("{} of {} games differ; {share} accepted at elo0", digests.len(), games.len());
    assert!(share <= 0.06, "{share} are accepted at elo0");
}

#[test]
fn failures_are_counted_only_in_counted_games() {
    let mut rule = rule(100, Observation::Game);
    for (index, score, failed) in [
        (0, Score::Loss, &[0][..]),
        (1, Score::Draw, &[0, 1]),
        (2, Score::Win, &[1]),
        (3, Score::Win, &[]),
        (4, Score::Win, &[1]),
    ] {
        let pairing = rule.schedule.pairing(index).expect("there are so many games");
        let seats = pairing.entrants.iter().filter(|(_, entrant)| failed.contains(*entrant));
        let kind = if index == 2 { FaultKind::Overload } else { FaultKind::Crash };
        let faults = seats.map(|(seat, _)| (seat, kind.clone())).collect();
        let outcome = Outcome { faults, ..outcome(&rule, index, Some(score)) };
        rule.enter(&outcome, None);
    }
    let crash = FaultKind::Crash.own_index().expect("it is one");
    let failures = rule.failures();
    // Faults caused by the host are not failures. The last game waits for its return game.
    assert_eq!((failures.by_kind[0][crash], failures.by_kind[1][crash], failures.both), (2, 1, 1));
    assert_eq!((failures.by_kind.as_flattened().iter().sum::<u64>(), failures.overload), (3, [0, 1]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_in_which_games_end_makes_no_difference(
        scores in prop::collection::vec(0..4_u8, 120),
        order in Just((0..120_u64).collect::<Vec<_>>()).prop_shuffle(),
        unit in prop_oneof![Just(Observation::Game), Just(Observation::Pair)],
        moves in prop::collection::vec(prop::option::of(0..40_u64), 120),
    ) {
        let score = |index: u64| match scores[index as usize] {
            0 => Some(Score::Loss),
            1 => Some(Score::Draw),
            _ => Some(Score::Win),
        };
        let [mut in_order, mut shuffled] = [rule(120, unit), rule(120, unit)];
        let mut decided = None;
        for (index, other) in (0..120).zip(order) {
            for (rule, index) in [(&mut in_order, index), (&mut shuffled, other)] {
                let outcome = outcome(rule, index, score(index));
                rule.enter(&outcome, moves[index as usize]);
            }
            // A decision is final.
            if let Some(before) = decided {
                prop_assert_eq!(before, (shuffled.sequence().status, shuffled.sequence().counts));
            } else if shuffled.is_decided() {
                decided = Some((shuffled.sequence().status, shuffled.sequence().counts));
            }
        }
        prop_assert_eq!(in_order.sequence().status, shuffled.sequence().status);
        prop_assert_eq!(in_order.sequence().counts, shuffled.sequence().counts);
        prop_assert_eq!(in_order.tally(), shuffled.tally());
        prop_assert_eq!((in_order.end(), in_order.repeated()), (shuffled.end(), shuffled.repeated()));
    }
}
