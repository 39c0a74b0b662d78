//! How many instructions the parts take that every game and every rating goes
//! through: the referee's core, notation, rules, the fit of ratings, reading of
//! records. Counted by valgrind, so that the machine's mood is not in them.
//!
//! `benches/instructions/run` counts them and compares them with
//! `baseline.txt` beside this file; more than [`TOLERANCE`] above it fails.
//! `benches/instructions/run --update` writes the file anew.

#![expect(missing_docs, reason = "the harness makes public items of what is counted")]
#![expect(clippy::disallowed_methods, reason = "the harness's main ends by itself")]

use std::hint::black_box;
use std::io::Cursor;
use std::time::Duration;

use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind};
use linesman_games::{self, Consultation, GAMES, legal_moves};
use linesman_rating::{LikelihoodOptions, Ratings, Results, Score, rate};
use linesman_record::RecordReader;
use linesman_referee::{
    Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Pondering, SeatLimits,
    SeatSetup, SendKind,
};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{ClockKind, TimeControl};

/// By how much a count may be above the baseline's, in percent. Other builds of
/// the standard library and other allocators move counts a little.
const TOLERANCE: u64 = 5;

/// What was counted when this was last looked at: `NAME INSTRUCTIONS` in each line.
const BASELINE: &str = include_str!("baseline.txt");

/// How a part is counted: no caches are played, and what is far above the baseline fails.
fn counted(name: &str) -> LibraryBenchmarkConfig {
    let known =
        BASELINE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse::<u64>().ok());
    let mut tool = Callgrind::with_args(["--cache-sim=no"]);
    if let Some(known) = known {
        tool.hard_limits([(EventKind::Ir, known + known * TOLERANCE / 100)]);
    }
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(tool);
    config
}

/// Numbers that look random, the same in each run.
struct Throws(u64);

impl Throws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The moves of a random game, to its end or this many.
fn random_game(game: &str, most: usize) -> Vec<String> {
    let mut throws = Throws(7);
    let mut table = linesman_games::find(game)
        .expect("it is in the registry")
        .configure(&[])
        .expect("its defaults are good")
        .start();
    let mut moves = Vec::new();
    while !table.is_over() && moves.len() < most {
        let legal = legal_moves(&*table);
        let mv = legal[throws.below(legal.len())].clone();
        table.play(&mv).expect("it is legal");
        moves.push(mv);
    }
    moves
}

/// A core with two bots that are ready, and what they answer in turn.
fn refereed() -> (Core, Vec<Action>, Vec<String>) {
    let answers = random_game("quixo", 100).iter().map(|mv| format!("bestmove {mv}")).collect();
    let setup = linesman_games::find("quixo").expect("it is in the registry").configure(&[]);
    let setup = setup.expect("its defaults are good");
    let seat = SeatSetup {
        bot: BotState::Cold,
        options: Vec::new(),
        limits: SeatLimits::default(),
        fairness: Fairness::default(),
        time_control: None,
    };
    let game = GameSetup {
        game: "quixo".to_owned(),
        options: String::new(),
        consultation: Consultation::Off,
        id: "a~b~1".to_owned(),
        opening_token: None,
        opening_moves: Vec::new(),
        time_control: TimeControl::MoveTime(Duration::from_secs(1)),
        clock: ClockKind::Wall,
        margin: Duration::ZERO,
        pondering: Pondering::Off,
        adjudication: Adjudication::default(),
        seats: BySeat::from_fn(2, |_| seat.clone()),
    };
    let (mut core, mut actions) = (Core::new(game, setup.start()), Vec::new());
    core.start(&mut actions);
    let at = GameTime::default();
    for line in ["ugiok", "readyok"] {
        for seat in Seat::all(2) {
            core.line(at, seat, line.as_bytes(), &mut actions);
        }
    }
    (core, actions, answers)
}

#[library_benchmark]
#[bench::quixo(args = (), config = counted("core"), setup = refereed)]
fn core((mut core, mut actions, answers): (Core, Vec<Action>, Vec<String>)) -> (Core, Vec<Action>) {
    let at = GameTime::default();
    for answer in &answers {
        let turn = actions.drain(..).find_map(|action| match action {
            Action::Send { seat, kind: SendKind::Turn, .. } => Some(seat),
            _ => None,
        });
        let seat = turn.expect("somebody is asked");
        core.handle(Input { at, event: Event::Sent { seat } }, &mut actions);
        core.line(at, seat, answer.as_bytes(), &mut actions);
    }
    (core, actions)
}

fn games_played() -> Vec<(&'static str, Vec<String>)> {
    GAMES.iter().map(|game| (game.id(), random_game(game.id(), 60))).collect()
}

#[library_benchmark]
#[bench::of_all_games(args = (), config = counted("notation"), setup = games_played)]
fn notation(games: Vec<(&'static str, Vec<String>)>) -> usize {
    let mut written = 0;
    for (game, moves) in &games {
        let setup = linesman_games::find(game).expect("it is in the registry").configure(&[]);
        let setup = setup.expect("its defaults are good");
        let mut table = setup.start();
        for mv in moves {
            table.legal(&mut |text| written += text.len());
            table.play(mv).expect("it is legal");
            let token = table.token();
            black_box(setup.from_token(&token).expect("what is written can be read"));
        }
    }
    written
}

#[library_benchmark]
#[bench::of_all_games(config = counted("rules"))]
fn rules() -> u64 {
    let count = |game: &&dyn linesman_games::Game| {
        let setup = game.configure(&[]).expect("its defaults are good");
        setup.perft(None, 2).expect("the usual start is a position")
    };
    GAMES.iter().map(count).sum()
}

fn results() -> Results {
    let mut throws = Throws(1);
    let names: Vec<String> = (0..40).map(|bot| format!("bot{bot:02}")).collect();
    let mut results = Results::new();
    for _ in 0..4_000 {
        let first = throws.below(names.len());
        let second = (first + 1 + throws.below(names.len() - 1)) % names.len();
        let score = match throws.below(10) + first * 4 / names.len() {
            0..4 => Score::Loss,
            4..6 => Score::Draw,
            _ => Score::Win,
        };
        results.add_score(&names[first], &names[second], score);
    }
    results
}

#[library_benchmark]
#[bench::of_forty_bots(args = (), config = counted("rating_fit"), setup = results)]
fn rating_fit(results: Results) -> Ratings {
    rate(&results, &LikelihoodOptions::default()).expect("the field has ratings")
}

fn lines() -> RecordReader {
    let text = include_bytes!("../../tests/records/games.jsonl");
    RecordReader::from_input("games.jsonl", Cursor::new(text.repeat(10)))
}

#[library_benchmark]
#[bench::for_ratings(args = (), config = counted("record_reading"), setup = lines)]
fn record_reading(mut lines: RecordReader) -> usize {
    let mut places = 0;
    while let Some(line) = lines.next_line().expect("it is in memory") {
        let outcome = line.league_game().expect("it is a record").outcome;
        places += outcome.places().map_or(0, |places| places.seats());
    }
    places
}

library_benchmark_group!(name = parts, benchmarks = [core, notation, rules, rating_fit, record_reading]);
main!(library_benchmark_groups = parts);
