//! The balance of seats in every kind of schedule: the games of fields of many sizes are decided by pseudorandom
//! numbers with a fixed seed, and the seats of each bot are counted.

use std::collections::BTreeMap;

use super::dynamic_tests::schedule;
use super::*;
use linesman_types::seat::Seat;

#[path = "../../../../tests/support/published.rs"]
mod published;
use published::publish;

/// The promise of one kind of schedule.
struct Promise {
    kind: &'static str,
    seats: &'static str,
    /// Keys of a tournament file, each with a number of bots.
    plans: Vec<(String, usize)>,
    /// Maximum difference between a bot's numbers of games at two seats, at the end of the schedule.
    at_end: Option<u64>,
    /// The same maximum after any game in the order of play.
    at_any_time: Option<u64>,
}

/// The counts for one kind of schedule.
#[derive(Copy, Clone, Default, Debug)]
struct Counted {
    schedules: u64,
    games: u64,
    entrants: u64,
    /// Number of bots whose seats are as balanced as their numbers of games allow.
    balanced: u64,
    at_end: u64,
    at_any_time: u64,
}

/// Returns the difference between the largest and the smallest number.
fn spread(counts: &[u64]) -> u64 {
    counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0)
}

impl Counted {
    /// Plays a schedule in its order. The better of two bots wins more often, the farther apart they are.
    fn play(&mut self, text: &str, bots: usize) {
        let mut schedule = schedule(text, bots);
        let teams = schedule.field.teams.clone();
        let mut seats = vec![vec![0; teams.sides()]; schedule.entrants().len()];
        let mut index = 0;
        while index < schedule.known() || schedule.extend(&[]) == Extended::Yes {
            let pairing = schedule.pairing(index).expect("it is known");
            for side in 0..teams.sides() {
                let entrant = pairing.entrants[first_of(&teams, side)];
                seats[entrant][side] += 1;
                self.at_any_time = self.at_any_time.max(spread(&seats[entrant]));
            }
            let luck = game_seed(7, &pairing.id);
            let places = BySeat::by_measure(&teams, |seat| {
                let side = teams.side(seat).index();
                // Luck is worth up to a fifth of the field. Close bots often draw.
                let luck = (luck >> (8 * side) & 0xff) as usize * bots / 0x500;
                (pairing.entrants[seat] + luck) as u64 / 2
            });
            schedule.enter(index, Some(&places));
            index += 1;
        }
        self.schedules += 1;
        self.games += index;
        self.entrants += seats.len() as u64;
        for counts in &seats {
            let min_spread = u64::from(!counts.iter().sum::<u64>().is_multiple_of(counts.len() as u64));
            self.balanced += u64::from(spread(counts) <= min_spread);
            self.at_end = self.at_end.max(spread(counts));
        }
    }
}

/// Returns the first seat of a side.
fn first_of(teams: &Teams, side: usize) -> Seat {
    let members = teams.members(linesman_types::seat::Side::from_index(side));
    members.into_iter().next().expect("every side has a seat")
}

/// Games with two, three and four seats and with teams, each with its number of sides.
const GAMES: [(&str, &str, usize); 4] = [
    ("2", "game = \"quixo\"\n", 2),
    ("3", "game = \"tandem\"\noptions = { players = 3 }\n", 3),
    ("4", "game = \"tandem\"\noptions = { players = 4 }\n", 4),
    ("4, in teams", "game = \"quixo-teams\"\n", 2),
];

/// Returns the promises of every kind of schedule. The largest fields grow with `scale`.
fn promises(scale: usize) -> Vec<Promise> {
    let mut promises = Vec::new();
    for (seats, game, sides) in GAMES {
        let is_pair = sides == 2;
        let mut promise = |kind, at_end, at_any_time, plans: Vec<(String, usize)>| {
            let plans = plans.into_iter().map(|(text, bots)| (format!("{game}{text}"), bots)).collect();
            promises.push(Promise { kind, seats, plans, at_end, at_any_time });
        };
        // With more seats there are many combinations, so the fields are smaller.
        let fields = || sides..=if is_pair { 10 * scale } else { sides + 3 * scale };
        let plans = |rounds: std::ops::RangeInclusive<u32>, key: &str| -> Vec<(String, usize)> {
            let of_field = |bots| rounds.clone().map(move |rounds| (format!("{key}rounds = {rounds}"), bots));
            fields().flat_map(of_field).collect()
        };
        let max_difference = if is_pair { 2 } else { sides as u64 };
        promise("round robin", Some(0), Some(max_difference), plans(1..=2, ""));
        let gauntlets = |challengers: usize| -> Vec<(String, usize)> {
            let names: Vec<String> = (0..challengers).map(|bot| format!("\"bot{bot}\"")).collect();
            let key = format!("schedule = \"gauntlet\"\nchallengers = [{}]\n", names.join(", "));
            plans(1..=2, &key).into_iter().filter(|(_, bots)| *bots >= challengers + sides - 1).collect()
        };
        promise("gauntlet", Some(0), None, (1..=3).flat_map(gauntlets).collect());
        let swiss = |single: bool| -> Vec<(String, usize)> {
            let key = format!("schedule = \"swiss\"\nsingle_games = {single}\n");
            let fits = |rounds: u32, bots: usize| rounds as usize <= bots - 1 + bots % 2;
            let of_field = |bots: usize| {
                let rounds = (1..=9).filter(move |rounds| fits(*rounds, bots));
                rounds.map(move |rounds| (rounds, bots))
            };
            let fields = sides..=sides * (1 + 4 * scale);
            let plans = fields.flat_map(of_field);
            plans.map(|(rounds, bots)| (format!("{key}rounds = {rounds}"), bots)).collect()
        };
        promise("Swiss", Some(0), Some(1), swiss(false));
        let single = if is_pair { Some(2) } else { None };
        promise("Swiss, `single_games`", single, single, swiss(true));
        if is_pair {
            let mut knockouts = Vec::new();
            for (best_of, sudden_death) in [(1, 0), (1, 2), (2, 0), (3, 1)] {
                let keys =
                    format!("schedule = \"knockout\"\nbest_of = {best_of}\nsudden_death = {sudden_death}\n");
                knockouts.extend((2..=10 * scale).map(|bots| (keys.clone(), bots)));
            }
            promise("knockout", Some(0), Some(1), knockouts);
        }
        let ladder = |bots: usize| (format!("schedule = \"ladder\"\ngames = {}", 10 * bots * sides), bots);
        promise("ladder", Some(0), Some(1), (sides..=sides + 3 * scale).map(ladder).collect());
        if is_pair {
            let test = |rounds: u32| (format!("rounds = {rounds}\n[test]\nelo0 = 0\nelo1 = 50\n"), 2);
            promise("test", Some(0), Some(1), (1..=20 * scale as u32).map(test).collect());
        }
    }
    promises
}

/// Plays all plans, and returns the counts and the broken promises.
fn count(promises: &[Promise]) -> (Vec<Counted>, Vec<String>) {
    let mut broken = Vec::new();
    let mut all = Vec::new();
    for Promise { kind, seats, plans, at_end, at_any_time } in promises {
        let mut counted = Counted::default();
        plans.iter().for_each(|(text, bots)| counted.play(text, *bots));
        let exceeds = |count: u64, max: Option<u64>| max.is_some_and(|max| count > max);
        if exceeds(counted.at_end, *at_end)
            || exceeds(counted.at_any_time, *at_any_time)
            || counted.schedules == 0
        {
            broken.push(format!("{kind} of {seats} seats: {counted:?}"));
        }
        all.push(counted);
    }
    (all, broken)
}

#[test]
fn seats_are_as_balanced_as_each_kind_of_schedule_promises() {
    let (_, broken) = count(&promises(1));
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn two_rounds_of_a_round_robin_balance_the_seats_of_bots_in_teams() {
    for number in 2..=8_usize {
        let mut text = "game = \"quixo-teams\"\nrounds = 2\n".to_owned();
        for team in 0..number {
            let bots = [2 * team, 2 * team + 1];
            text.push_str(&format!(
                "[[teams]]\nname = \"team{team}\"\nbots = [\"bot{}\", \"bot{}\"]\n",
                bots[0], bots[1]
            ));
        }
        let schedule = schedule(&text, 2 * number);
        let mut seats: BTreeMap<usize, [u64; 4]> = BTreeMap::new();
        for pairing in schedule.iter() {
            pairing.bots.iter().for_each(|(seat, bot)| seats.entry(*bot).or_default()[seat.index()] += 1);
        }
        assert_eq!(seats.len(), 2 * number);
        assert!(seats.values().all(|counts| spread(counts) == 0), "{number} teams: {seats:?}");
    }
}

#[test]
fn an_early_end_of_a_gauntlet_that_leaves_seats_uneven_is_reported() {
    for (players, bots, rounds) in [(3, 7, 2), (4, 7, 2), (4, 9, 1)] {
        let text = |games: u64| {
            format!(
                "game = \"tandem\"\noptions = {{ players = {players} }}\nschedule = \"gauntlet\"\n\
                 challengers = [\"bot0\", \"bot1\"]\nrounds = {rounds}\ngames = {games}\n"
            )
        };
        let whole = schedule(&text(1_000_000_000), bots).games();
        let mut reported = 0;
        for games in (1..=whole).step_by(7).chain([whole]) {
            let schedule = schedule(&text(games), bots);
            let mut seats = vec![vec![0_u64; players]; bots];
            for pairing in schedule.iter() {
                pairing.bots.iter().for_each(|(seat, bot)| seats[*bot][seat.index()] += 1);
            }
            let is_uneven = |group: &[Vec<u64>]| {
                (0..players).any(|seat| {
                    let counts = || group.iter().map(|bot| bot[seat]);
                    let [max, min] =
                        [counts().max(), counts().min()].map(|count| count.expect("there are bots"));
                    max > min + 1 && max * 4 > min * 5
                })
            };
            let is_uneven = is_uneven(&seats[..2]) || is_uneven(&seats[2..]);
            assert_eq!(schedule.imbalance().is_some(), is_uneven, "{games} of {whole} games: {seats:?}");
            reported += u32::from(is_uneven);
        }
        assert!(reported > 0, "{players} seats, {bots} bots");
    }
}

#[test]
#[ignore = "makes the table of docs/explanation/schedules.md: UPDATE=1 cargo test --release -p linesman-league schedule:: -- --ignored --nocapture"]
fn print_the_table_of_seats() {
    let mut rows = vec![
        "| schedule | seats | schedules | games | balanced bots | apart at the end | at any time |"
            .to_owned(),
        "| --- | --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    let promises = promises(3);
    let (all, broken) = count(&promises);
    for (Promise { kind, seats, .. }, counted) in promises.iter().zip(all) {
        let Counted { schedules, games, entrants, balanced, at_end, at_any_time } = counted;
        let balanced = 100.0 * balanced as f64 / entrants as f64;
        rows.push(format!(
            "| {kind} | {seats} | {schedules} | {games} | {balanced:.1} % | {at_end} | {at_any_time} |"
        ));
    }
    publish("explanation/schedules.md", &rows);
    assert!(broken.is_empty(), "{broken:#?}");
}
