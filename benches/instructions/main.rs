//! Counts the instructions of the code that every game and every rating runs: the referee's core, notation, rules,
//! the fit of ratings, the reading of records. Valgrind counts them, so the load of the machine does not matter.
//!
//! `benches/instructions/run` compares the counts with `baseline.txt` next to this file and fails if a part exceeds
//! it by more than [`TOLERANCE`]. `benches/instructions/run --update` rewrites the file.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use linesman_games::{self, Consultation, GAMES, legal_moves};
use linesman_rating::{LikelihoodOptions, Results, Score, rate};
use linesman_record::RecordReader;
use linesman_referee::{
    Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Pondering, SeatLimits,
    SeatSetup, SendKind,
};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{ClockKind, TimeControl};

/// The maximum excess of a count over the baseline, in percent. Other standard libraries and allocators change counts
/// slightly.
const TOLERANCE: u64 = 5;

/// The parts by name, each with a function that prepares it and passes the work to [`counted`].
const PARTS: [(&str, fn()); 5] = [
    ("core", core),
    ("notation", notation),
    ("rules", rules),
    ("rating_fit", rating_fit),
    ("record_reading", record_reading),
];

/// Runs a part. Valgrind counts from the entry of this function to its end.
#[inline(never)]
fn counted<T>(part: impl FnOnce() -> T) -> T {
    black_box(part())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match &words[..] {
        [] => compare(),
        [word] if word == "--update" => update(),
        [word, name] if word == "--part" => {
            let (_, part) = PARTS.iter().find(|(part, _)| part == name).ok_or("no such part")?;
            part();
            Ok(ExitCode::SUCCESS)
        }
        _ => Err("usage: benches/instructions/run [--update]".into()),
    }
}

/// Counts the instructions of a part by running this program again under valgrind.
fn count(name: &str) -> Result<u64, Box<dyn Error>> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind.{name}"));
    let mut file = OsString::from("--callgrind-out-file=");
    file.push(&out);
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--cache-sim=no", "--toggle-collect=*counted*"])
        .arg(file)
        .arg(std::env::current_exe()?)
        .args(["--part", name])
        .output()?;
    if !run.status.success() {
        return Err(format!("valgrind failed:\n{}", String::from_utf8_lossy(&run.stderr)).into());
    }
    let counts = fs::read_to_string(&out)?;
    let total = counts.lines().find_map(|line| line.strip_prefix("totals: ")?.parse().ok());
    Ok(total.ok_or("valgrind has counted nothing")?)
}

fn baseline_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("baseline.txt")
}

/// Counts all parts and fails if one takes too many instructions.
fn compare() -> Result<ExitCode, Box<dyn Error>> {
    let baseline = fs::read_to_string(baseline_file())?;
    let mut end = ExitCode::SUCCESS;
    println!("{:<15} {:>13} {:>13}", "part", "instructions", "baseline");
    for (name, _) in PARTS {
        let known =
            baseline.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
        let known: u64 = known.ok_or_else(|| format!("baseline.txt lacks `{name}`"))?;
        let counted = count(name)?;
        println!(
            "{name:<15} {counted:>13} {known:>13} {:+.1} %",
            (counted as f64 / known as f64 - 1.0) * 100.0
        );
        if counted > known + known * TOLERANCE / 100 {
            eprintln!("error: `{name}` takes more than {TOLERANCE} % above its baseline");
            end = ExitCode::FAILURE;
        }
    }
    Ok(end)
}

/// Counts all parts and rewrites the baseline.
fn update() -> Result<ExitCode, Box<dyn Error>> {
    let mut text = String::new();
    for (name, _) in PARTS {
        writeln!(text, "{name} {}", count(name)?)?;
    }
    print!("{text}");
    fs::write(baseline_file(), text)?;
    Ok(ExitCode::SUCCESS)
}

/// A deterministic generator of pseudo-random numbers.
struct Throws(u64);

impl Throws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Returns the moves of a random game, at most `max_plies` of them.
fn random_game(game: &str, max_plies: usize) -> Vec<String> {
    let mut throws = Throws(7);
    let mut table = linesman_games::find(game)
        .expect("it is in the registry")
        .configure(&[])
        .expect("its defaults are good")
        .start();
    let mut moves = Vec::new();
    while !table.is_over() && moves.len() < max_plies {
        let legal = legal_moves(&*table);
        let mv = legal[throws.below(legal.len())].clone();
        table.play(&mv).expect("it is legal");
        moves.push(mv);
    }
    moves
}

/// Returns a core with two ready bots, its pending actions, and the bots' answers in order.
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

fn core() {
    let (mut core, mut actions, answers) = refereed();
    let at = GameTime::default();
    let played = counted(|| {
        for answer in &answers {
            let turn = actions.drain(..).find_map(|action| match action {
                Action::Send { seat, kind: SendKind::Turn, .. } => Some(seat),
                _ => None,
            });
            let seat = turn.expect("somebody is asked");
            core.handle(Input { at, event: Event::Sent { seat } }, &mut actions);
            core.line(at, seat, answer.as_bytes(), &mut actions);
        }
        core.moves().len() + actions.len()
    });
    assert!(played > 0, "a game was played");
}

fn games_played() -> Vec<(&'static str, Vec<String>)> {
    GAMES.iter().map(|game| (game.id, random_game(game.id, 60))).collect()
}

fn notation() {
    let games = games_played();
    counted(|| {
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
    });
}

fn rules() {
    let count = |game: &linesman_games::Game| {
        let setup = game.configure(&[]).expect("its defaults are good");
        setup.perft(None, 2).expect("the usual start is a position")
    };
    counted(|| GAMES.iter().map(count).sum::<u64>());
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

fn rating_fit() {
    let results = results();
    counted(|| rate(&results, &LikelihoodOptions::default()).expect("the field has ratings"));
}

fn lines() -> RecordReader {
    let text = include_bytes!("../../tests/records/games.jsonl");
    RecordReader::from_input("games.jsonl", Cursor::new(text.repeat(10)))
}

fn record_reading() {
    let mut lines = lines();
    counted(|| {
        let mut places = 0;
        while let Some(line) = lines.next_line().expect("it is in memory") {
            let outcome = line.league_game().expect("it is a record").outcome;
            places += outcome.places().map_or(0, |places| places.seats());
        }
        places
    });
}
