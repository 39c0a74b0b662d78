//! Tests of the bots in `bots/`: they play legal moves, skip unknown lines, and end when they should.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use linesman::games::{self, Table, table::legal_moves};

use crate::support::{LINESMAN, linesman, project};

const RANDOM_PYTHON: [&str; 2] = ["python3", "bots/kits/python/bot.py"];
const GREEDY_PYTHON: [&str; 2] = ["python3", "bots/python/greedy_quixo_bot.py"];
const TEAM_PYTHON: [&str; 2] = ["python3", "bots/python/team_bot.py"];
const RANDOM_SHELL: [&str; 2] = ["sh", "bots/kits/shell/bot.sh"];
const RANDOM_JAVASCRIPT: [&str; 2] = ["node", "bots/kits/javascript/bot.mjs"];
const RANDOM_PERL: [&str; 2] = ["perl", "bots/perl/random_bot.pl"];
const SCRIPTS: [[&str; 2]; 6] =
    [RANDOM_PYTHON, GREEDY_PYTHON, TEAM_PYTHON, RANDOM_SHELL, RANDOM_JAVASCRIPT, RANDOM_PERL];

const GAME: &str = "game quixo seat 1 seats 2 id a~b~1 options size=5,max_plies=200,repetition=3";

/// Builds the Rust bot and returns its command. It is a separate package, which Cargo does not build for
/// this test; it is built in the profile and folder of the program under test.
fn rust() -> [&'static str; 1] {
    static BUILT: OnceLock<String> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let of_profile = Path::new(LINESMAN).parent().expect("the program is in a folder");
        let target = of_profile.parent().expect("the folder is in the target folder");
        let profile = match of_profile.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(name) => name,
        };
        let output = Command::new(env!("CARGO"))
            // There are no examples, but selecting them and the workspace gives the dependencies the same features as in
            // the tests, so that they are not built again.
            .args(["build", "--workspace", "--bin", "linesman-sample-bot", "--examples"])
            .args(["--quiet", "--locked", "--profile", profile])
            .arg("--target-dir")
            .arg(target)
            .current_dir(project())
            .output()
            .expect("cargo can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        of_profile.join("linesman-sample-bot").into_os_string().into_string().expect("the path is text")
    });
    [built]
}

/// Returns the commands of all sample bots.
fn all() -> Vec<Vec<&'static str>> {
    SCRIPTS.iter().map(|script| script.to_vec()).chain([rust().to_vec()]).collect()
}

/// Returns a bot's answers to an input.
#[track_caller]
fn answers(command: &[&str], input: &str) -> Vec<String> {
    answers_in(&project(), command, input)
}

/// Returns the answers of a bot in a folder to an input.
#[track_caller]
pub fn answers_in(folder: &Path, command: &[&str], input: &str) -> Vec<String> {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?} can't be started: {error}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A bot reads nothing after `quit`.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the bot ends with its input");
    writer.join().expect("the writer does not panic");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command:?}");
    assert!(output.status.success(), "{command:?}: {}", output.status);
    String::from_utf8(output.stdout).expect("bots write text").lines().map(str::to_owned).collect()
}

/// Returns the successive positions of a long game.
fn game() -> Vec<Box<dyn Table>> {
    let setup = games::find("quixo").expect("the game exists").configure(&[]).expect("defaults are right");
    let mut tables = vec![setup.start()];
    for number in 0..60_usize {
        let mut table = tables[number].fork();
        let moves = legal_moves(&*table);
        table.play(&moves[(number * 7 + 3) % moves.len()]).expect("listed moves are legal");
        if table.is_over() {
            break;
        }
        tables.push(table);
    }
    tables
}

fn turn(table: &dyn Table) -> String {
    format!(
        "position fen {}\nstate {}\nlegal {}\ngo movetime 1000\n",
        table.token(),
        table.token(),
        legal_moves(table).join(" ")
    )
}

#[test]
fn they_play_legal_moves_in_a_whole_game() {
    let tables = game();
    assert!(tables.len() > 10, "the game is long enough to show something");
    let turns: String = tables.iter().map(|table| turn(&**table)).collect();
    for command in all() {
        let said = answers(&command, &format!("ugi\n{GAME}\nisready\n{turns}"));
        let ready = said.iter().position(|line| line == "readyok").expect("it says that it is ready");
        assert_eq!(said[ready - 1], "ugiok");
        assert_eq!(said.len() - ready - 1, tables.len(), "{command:?}");
        let mut moves = std::collections::BTreeSet::new();
        for (table, line) in tables.iter().zip(&said[ready + 1..]) {
            let mv = line.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{command:?}: {line}"));
            table.fork().play(mv).unwrap_or_else(|error| panic!("{command:?}: {mv}: {error}"));
            moves.insert(mv.to_owned());
        }
        assert!(moves.len() > tables.len() / 4, "{command:?} plays many kinds of moves: {moves:?}");
    }
}

#[test]
fn they_survive_unknown_words_after_go() {
    let table = &game()[5];
    let usual = turn(&**table);
    let orders = [
        "go ponder depth 3 nodes 50 movetime 1000 searchmoves a1a5",
        "go infinite movetime 1000",
        "stop\nponderhit\ngo movetime 1000\nstop",
    ];
    for command in all() {
        let begun = format!("ugi\n{GAME}\nisready\n");
        let expected = answers(&command, &format!("{begun}{usual}"));
        for order in orders {
            let noisy = usual.replace("go movetime 1000", order);
            assert_eq!(answers(&command, &format!("{begun}{noisy}")), expected, "{command:?}: {order}");
        }
        // Without a time they still answer with a move.
        let said = answers(&command, &format!("{begun}{}", usual.replace("movetime 1000", "nodes 50")));
        let mv = said.last().and_then(|line| line.strip_prefix("bestmove "));
        table.fork().play(mv.unwrap_or_else(|| panic!("{command:?}: {said:?}"))).expect("it is legal");
    }
}

#[test]
fn they_skip_unknown_lines_and_carriage_returns_and_end_at_quit() {
    let turn = turn(&*game()[5]);
    for command in all() {
        let plain = format!("ugi\n{GAME}\nisready\n{turn}{turn}");
        let expected = answers(&command, &plain);
        assert_eq!(answers(&command, &plain), expected, "{command:?} plays the same game the same way");
        assert_eq!(answers(&command, &plain.replace('\n', "\r\n")), expected, "{command:?}");
        let noisy = format!(
            "\n*\nxyzzy legal\n{}quit\nisready\n",
            plain.replace("isready", "uginewgame\n?\nisready")
        );
        assert_eq!(answers(&command, &noisy), expected, "{command:?}");
        assert_eq!(answers(&command, plain.trim_end()), expected, "{command:?}: no line end at the end");
        if command != GREEDY_PYTHON {
            let other = answers(&command, &plain.replace("a~b~1", "a~b~2"));
            assert_ne!(other, expected, "{command:?} leaves another game to chance anew");
        }
    }
}

#[test]
fn those_that_search_take_wins_and_make_no_line_for_the_opponent() {
    let setup = games::find("quixo").expect("the game exists").configure(&[]).expect("defaults are right");
    for token in [
        "...../.o.o./...../..o../xxxx.:1:8",
        "x.x../.x.../..x../.x.../oooo.:2:9",
        "xx.xx/o...o/o.x.o/...../o...o:1:12",
    ] {
        for command in [&GREEDY_PYTHON[..], &rust()] {
            let mut table = setup.from_token(token).expect("the position can be read");
            let said = answers(command, &format!("{GAME}\n{}", turn(&*table)));
            let mover = table.to_move();
            table.play(said[0].trim_start_matches("bestmove ")).expect("the move is legal");
            let ending = table.ending().unwrap_or_else(|| panic!("{} in {token}", said[0]));
            assert_eq!(ending.places[mover].number(), 1, "{command:?}: {} in {token}", said[0]);
        }
    }
}

#[test]
fn the_rust_bot_loses_at_once_only_if_it_must() {
    let setup = games::find("quixo").expect("the game exists").configure(&[]).expect("defaults are right");
    // `e5e1` pushes the cube of seat 2 at e4 into its line.
    let table = setup.from_token("oooo./x...o/...../...../xx...:1:12").expect("the position can be read");
    let mut after = table.fork();
    after.play("e5e1").expect("the move is legal");
    let places = after.ending().expect("the line is full").places;
    assert_eq!(places[table.to_move()].number(), 2);

    let said = answers(&rust(), &format!("{GAME}\n{}", turn(&*table).repeat(300)));
    let moves: std::collections::BTreeSet<&str> =
        said.iter().map(|line| line.trim_start_matches("bestmove ")).collect();
    assert_eq!(said.len(), 300);
    assert_eq!(moves.len(), legal_moves(&*table).len() - 1, "every other move is played: {moves:?}");
    assert!(!moves.contains("e5e1"));

    let seeded = |seed| {
        answers(&rust(), &format!("setoption name Seed value {seed}\n{GAME}\n{}", turn(&*table).repeat(10)))
    };
    assert_eq!(seeded(1), said[..10], "1 is the default");
    assert_ne!(seeded(2), seeded(1));
}

#[test]
fn the_rust_bot_plays_every_game_to_its_end() {
    for game in games::GAMES {
        let seats = game.configure(&[]).expect("defaults are right").teams().seats();
        let mut arguments = vec!["match", "--game", game.id, "--movetime", "30s", "--games", "2"];
        arguments.push("--fail-on-fault");
        for bot in [rust()[0], "linesman bot random"].iter().cycle().take(seats) {
            arguments.extend(["--bot", *bot]);
        }
        linesman(arguments).done();
    }
    let three = ["match", "--game", "tandem", "--options", "players=3", "--movetime", "30s", "--games", "2"];
    let bots = ["--bot", rust()[0], "--bot", rust()[0], "--bot", "linesman bot random", "--fail-on-fault"];
    linesman(three.into_iter().chain(bots)).done();
}

#[test]
fn the_team_bot_announces_its_moves_and_follows_its_teammate() {
    let said = |consultation: &str, told: &str| {
        let turn = "position startpos\nlegal a1a5n a1a5s b1b5n c1c5n c1e1n c1e1s e5a5n\ngo movetime 1000\n";
        let game =
            format!("game quixo-teams seat 1 seats 4 id a~b~c~d~1 options consultation={consultation}");
        let said = answers(&TEAM_PYTHON, &format!("ugi\n{game}\nisready\n{told}{turn}"));
        let ready = said.iter().position(|line| line == "readyok").expect("it says that it is ready");
        said[ready + 1..].to_vec()
    };
    assert_eq!(said("true", "told 3 like c1e1w\n").len(), 2);
    for mv in ["c1c5n", "c1e1s", "e5a5n"] {
        let told = format!("told 3 like {mv}\ntold 3 something else\n");
        assert_eq!(said("true", &told), [format!("tell like {mv}"), format!("bestmove {mv}")]);
    }
    assert_eq!(said("false", "").len(), 1, "it does not talk where it may not");
}
