//! The balance of seats in every kind of schedule: fields of many sizes are played by a generator with a
//! fixed seed, and the seats of each bot are counted.

use std::collections::BTreeMap;

use super::dynamic_tests::schedule;
use super::*;
use linesman_types::seat::Seat;

#[path = "../../../../tests/support/published.rs"]
mod published;
use published::publish;

/// The promise of one kind of schedule.
struct Promise {
    what: &'static str,
    seats: &'static str,
    /// Keys of a tournament file, with the numbers of bots that they are tested with.
    plans: Vec<(String, usize)>,
    /// Maximum difference between a bot's numbers of games at two seats when it ends, ...
    end: Option<u64>,
    /// ... and after any game in the order of play.
    ever: Option<u64>,
}

/// The counts.
#[derive(Copy, Clone, Default, Debug)]
struct Counted {
    schedules: u64,
    games: u64,
    entrants: u64,
    /// Number of bots that sat as evenly as their numbers of games allow.
    even: u64,
    end: u64,
    ever: u64,
}

/// Difference between the largest and the smallest number.
fn spread(counts: &[u64]) -> u64 {
    counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0)
}

impl Counted {
    /// Plays a schedule in its order. The better bot wins, more often the farther apart the two are.
    fn play(&mut self, text: &str, bots: usize) {
        let mut schedule = schedule(text, bots);
        let teams = schedule.field.teams().clone();
        let mut seats = vec![vec![0; teams.sides()]; schedule.entrants().len()];
        let mut index = 0;
        while index < schedule.known() || schedule.extend(&[]) == Extended::Yes {
            let pairing = schedule.pairing(index).expect("it is known");
            for side in 0..teams.sides() {
                let entrant = pairing.entrants[first_of(&teams, side)];
                seats[entrant][side] += 1;
                self.ever = self.ever.max(spread(&seats[entrant]));
            }
            let luck = game_seed(7, &pairing.id);
            let places = BySeat::by_measure(&teams, |seat| {
                let side = teams.side(seat).index();
                // A fifth of the field is as much as luck; close bots often draw.
                let luck = (luck >> (8 * side) & 0xff) as usize * bots / 0x500;
                (pairing.entrants[seat] + luck) as u64 / 2
            });
            schedule.enter(index, Some(&places));
            index += 1;
        }
        self.schedules += 1;
        self.games += index;
        self.entrants += seats.len() as u64;
        for own in &seats {
            let least = u64::from(!own.iter().sum::<u64>().is_multiple_of(own.len() as u64));
            self.even += u64::from(spread(own) <= least);
            self.end = self.end.max(spread(own));
        }
    }
}

fn first_of(teams: &Teams, side: usize) -> Seat {
    let members = teams.members(linesman_types::seat::Side::from_index(side));
    members.into_iter().next().expect("every side has a seat")
}

/// The games of two, three and four seats and of teams, with their number of sides.
const GAMES: [(&str, &str, usize); 4] = [
    ("2", "game = \"quixo\"\n", 2),
    ("3", "game = \"tandem\"\noptions = { players = 3 }\n", 3),
    ("4", "game = \"tandem\"\noptions = { players = 4 }\n", 4),
    ("4, in teams", "game = \"quixo-teams\"\n", 2),
];

/// Every kind of schedule, in fields up to `most` times as large as the smallest ones.
fn promises(most: usize) -> Vec<Promise> {
    let mut promises = Vec::new();
    for (seats, game, sides) in GAMES {
        let is_pair = sides == 2;
        let mut promise = |what, end, ever, plans: Vec<(String, usize)>| {
            let plans = plans.into_iter().map(|(text, bots)| (format!("{game}{text}"), bots)).collect();
            promises.push(Promise { what, seats, plans, end, ever });
        };
        // There are many combinations of more seats, so the fields are smaller.
        let fields = || sides..=if is_pair { 10 * most } else { sides + 3 * most };
        let of = |rounds: std::ops::RangeInclusive<u32>, key: &str| -> Vec<(String, usize)> {
            let of_field = |bots| rounds.clone().map(move |rounds| (format!("{key}rounds = {rounds}"), bots));
            fields().flat_map(of_field).collect()
        };
        let in_order = if is_pair { 2 } else { sides as u64 };
        promise("round robin", Some(0), Some(in_order), of(1..=2, ""));
        let gauntlets = |challengers: usize| -> Vec<(String, usize)> {
            let names: Vec<String> = (0..challengers).map(|bot| format!("\"bot{bot}\"")).collect();
            let key = format!("schedule = \"gauntlet\"\nchallengers = [{}]\n", names.join(", "));
            of(1..=2, &key).into_iter().filter(|(_, bots)| *bots >= challengers + sides - 1).collect()
        };
        promise("gauntlet", Some(0), None, (1..=3).flat_map(gauntlets).collect());
        let swiss = |single: bool| -> Vec<(String, usize)> {
            let key = format!("schedule = \"swiss\"\nsingle_games = {single}\n");
            let fits = |rounds: u32, bots: usize| rounds as usize <= bots - 1 + bots % 2;
            let of_field = |bots: usize| {
                let rounds = (1..=9).filter(move |rounds| fits(*rounds, bots));
                rounds.map(move |rounds| (rounds, bots))
            };
            let fields = sides..=sides * (1 + 4 * most);
            let all = fields.flat_map(of_field);
            all.map(|(rounds, bots)| (format!("{key}rounds = {rounds}"), bots)).collect()
        };
        promise("Swiss", Some(0), Some(1), swiss(false));
        let single = if is_pair { Some(2) } else { None };
        promise("Swiss, `single_games`", single, single, swiss(true));
        if is_pair {
            let mut knockouts = Vec::new();
            for (best_of, sudden_death) in [(1, 0), (1, 2), (2, 0), (3, 1)] {
                let keys =
                    format!("schedule = \"knockout\"\nbest_of = {best_of}\nsudden_death = {sudden_death}\n");
                knockouts.extend((2..=10 * most).map(|bots| (keys.clone(), bots)));
            }
            promise("knockout", Some(0), Some(1), knockouts);
        }
        let ladder = |bots: usize| (format!("schedule = \"ladder\"\ngames = {}", 10 * bots * sides), bots);
        promise("ladder", Some(0), Some(1), (sides..=sides + 3 * most).map(ladder).collect());
        if is_pair {
            let test = |rounds: u32| (format!("rounds = {rounds}\n[test]\nelo0 = 0\nelo1 = 50\n"), 2);
            promise("test", Some(0), Some(1), (1..=20 * most as u32).map(test).collect());
        }
    }
    promises
}

/// Plays all plans, and returns the broken promises.
fn count(promises: &[Promise]) -> (Vec<Counted>, Vec<String>) {
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    for Promise { what, seats, plans, end, ever } in promises {
        let mut counted = Counted::default();
        plans.iter().for_each(|(text, bots)| counted.play(text, *bots));
        let is_more = |most: Option<u64>, own: u64| most.is_some_and(|most| own > most);
        if is_more(*end, counted.end) || is_more(*ever, counted.ever) || counted.schedules == 0 {
            wrong.push(format!("{what} of {seats} seats: {counted:?}"));
        }
        all.push(counted);
    }
    (all, wrong)
}

#[test]
fn seats_are_as_even_as_each_kind_of_schedule_promises() {
    let (_, wrong) = count(&promises(1));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn bots_of_teams_have_every_seat_equally_often_after_two_rounds_of_a_round_robin() {
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
        assert!(seats.values().all(|own| spread(own) == 0), "{number} teams: {seats:?}");
    }
}

#[test]
fn an_early_end_of_a_gauntlet_that_leaves_seats_uneven_is_said() {
    for (players, bots, rounds) in [(3, 7, 2), (4, 7, 2), (4, 9, 1)] {
        let text = |games: u64| {
            format!(
                "game = \"tandem\"\noptions = {{ players = {players} }}\nschedule = \"gauntlet\"\n\
                 challengers = [\"bot0\", \"bot1\"]\nrounds = {rounds}\ngames = {games}\n"
            )
        };
        let whole = schedule(&text(1_000_000_000), bots).games();
        let mut said = 0;
        for games in (1..=whole).step_by(7).chain([whole]) {
            let schedule = schedule(&text(games), bots);
            let mut seats = vec![vec![0_u64; players]; bots];
            for pairing in schedule.iter() {
                pairing.bots.iter().for_each(|(seat, bot)| seats[*bot][seat.index()] += 1);
            }
            let is_uneven = |group: &[Vec<u64>]| {
                (0..players).any(|seat| {
                    let of = || group.iter().map(|own| own[seat]);
                    let [most, fewest] = [of().max(), of().min()].map(|own| own.expect("there are bots"));
                    most > fewest + 1 && most * 4 > fewest * 5
                })
            };
            let is_uneven = is_uneven(&seats[..2]) || is_uneven(&seats[2..]);
            assert_eq!(schedule.imbalance().is_some(), is_uneven, "{games} of {whole} games: {seats:?}");
            said += u32::from(is_uneven);
        }
        assert!(said > 0, "{players} seats, {bots} bots");
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
    let (all, wrong) = count(&promises);
    for (Promise { what, seats, .. }, counted) in promises.iter().zip(all) {
        let Counted { schedules, games, entrants, even, end, ever } = counted;
        let even = 100.0 * even as f64 / entrants as f64;
        rows.push(format!("| {what} | {seats} | {schedules} | {games} | {even:.1} % | {end} | {ever} |"));
    }
    publish("explanation/schedules.md", &rows);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
