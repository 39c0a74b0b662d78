//! The lines that the bots write, and their reactions to the lines that they read.

use crate::house::{answers, best_move, bot, set_up};
use linesman_engines::{Attention, CantGoOn, Engine, UgiBot, play_ugi};

const GAME: &str = "game quixo seat 1 seats 2 id a~b~1 options size=5,max_plies=200,repetition=3";

fn say(engine: Engine, settings: &str, lines: &[&str]) -> Vec<String> {
    answers(&mut bot(engine, settings), lines).expect("nothing is wrong with the lines")
}

#[test]
fn a_bot_introduces_itself_and_its_options() {
    let said = say(Engine::AlphaBeta, "Seed=7", &["ugi"]).join("\n");
    insta::assert_snapshot!(said.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r"
    id name linesman alphabeta VERSION
    id author the authors of linesman
    protocol 1
    option name Depth type spin default 64 min 1 max 64
    option name Nodes type spin default 0 min 0 max 1000000000000
    option name Hash type spin default 16 min 1 max 4096
    option name Contempt type spin default 300 min 0 max 10000
    option name Overhead type spin default 10 min 0 max 10000
    option name Seed type spin default 7 min 0 max 4294967295
    feature nodes depth infinite ponder
    ugiok
    ");
    assert_eq!(say(Engine::Random, "", &["ugi"]).len(), 6);
}

#[test]
fn lines_without_meaning_are_ignored() {
    let plain = [GAME, "isready", "position startpos moves a1a5", "go movetime 1000"];
    let noisy = [
        "",
        "xyzzy 1 2 3",
        GAME,
        "state ...../...../...../...../.....:1:0",
        "isready now",
        "legal a1a5 a1e1",
        "position startpos moves a1a5",
        "told 2 hello",
        "go movetime 1000 winc 7",
        "gameover places 1,2 reason line",
        "debug on",
    ];
    assert_eq!(say(Engine::Random, "", &noisy), say(Engine::Random, "", &plain));
}

#[test]
fn options_can_be_set_and_wrong_ones_cause_remarks() {
    let set = |line| say(Engine::AlphaBeta, "", &[line]);
    assert_eq!(set("setoption name depth value 4"), [""; 0]);
    assert_eq!(set("setoption name Deep value 4"), ["info string there is no option `Deep`"]);
    assert_eq!(
        set("setoption name Depth value 0"),
        ["info string option `Depth` can't be `0`: it must be 1 to 64"]
    );
    let depth_of = |lines: &[&str]| {
        let said = say(
            Engine::AlphaBeta,
            "Hash=1",
            &[lines, &["position startpos", "go movetime 3600000"]].concat(),
        );
        said.iter().filter(|line| line.starts_with("info depth")).count()
    };
    assert_eq!(depth_of(&["setoption name Depth value 2", GAME]), 2);
    assert_eq!(depth_of(&[GAME, "isready", "setoption name Depth value 3"]), 3);
}

#[test]
fn a_session_ends_at_quit_or_at_the_end_of_the_input() {
    let run = |input: &[u8]| {
        let mut output = Vec::new();
        play_ugi(Engine::Greedy, Engine::Greedy.settings(), input, &mut output).expect("nothing is wrong");
        String::from_utf8(output).expect("bots write text")
    };
    assert_eq!(run(b"isready\nquit\nisready\n"), "readyok\n");
    assert_eq!(run(b"isready\r\n\xff\xfe\nisready"), "readyok\nreadyok\n");
    let played = run(format!("{GAME}\r\nposition startpos\r\ngo movetime 9\r\nquit\r\n").as_bytes());
    assert!(played.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{played}");
    let mut bot = UgiBot::new(Engine::Random, Engine::Random.settings());
    assert_eq!(bot.hear("quit", &mut Vec::new()).expect("it leaves"), Attention::Leaving);
}

#[test]
fn clocks_are_understood() {
    let go = "go p1time 60000 p2time 58210 p1inc 500 p2inc 500";
    let lines = [GAME, "position startpos moves a1a5", go];
    let mv = best_move(&say(Engine::AlphaBeta, "Nodes=500,Hash=1", &lines));
    let mut table = set_up("quixo", "").start();
    table.play("a1a5").expect("the first move is legal");
    table.play(&mv).expect("the answer is legal");
}

#[test]
fn a_game_can_start_from_any_position_and_be_taken_back() {
    let token = "x..../...../...../...../....o:1:2";
    let fen = format!("position fen {token}");
    let mut walker = bot(Engine::Greedy, "");
    for (position, expected) in [
        ("position startpos moves a1a5 b1b5".to_owned(), "position startpos moves a1a5 b1b5"),
        (fen.clone(), &fen),
        (format!("{fen} moves a5a1 e1e5"), &format!("{fen} moves a5a1 e1e5")),
        ("position startpos moves a1a5".to_owned(), "position startpos moves a1a5"),
        ("position startpos".to_owned(), "position startpos"),
    ] {
        let said = answers(&mut walker, &[GAME, &position, "go movetime 9"]).expect("all positions exist");
        assert_eq!(said, say(Engine::Greedy, "", &[GAME, expected, "go movetime 9"]));
    }
}

#[test]
fn a_bot_that_cannot_follow_the_game_ends_with_the_reason() {
    #[track_caller]
    fn check(lines: &[&str], expected: &str) {
        let error = answers(&mut bot(Engine::Random, ""), lines).expect_err("this can't be followed");
        let CantGoOn::Game(reason) = error else { panic!("{error:?}") };
        assert_eq!(reason.to_string(), expected);
    }
    check(&["game chess seat 1 seats 2 id x options ", "isready"], "there is no game `chess`");
    check(
        &["game quixo seat 1 seats 2 id x options size=9", "isready"],
        "quixo: option `size` can't be `9`: it must be 3 to 8",
    );
    check(&[GAME, "position fen x"], "can't read position `x`");
    check(&[GAME, "position startpos moves a1a5 zz"], "move 2: `zz` is not a move");
    check(&[GAME, "position startpos moves a1a5 c3c1"], "move 2: `c3c1` is illegal");
    check(
        &["go movetime 100"],
        "the game is not set (send `game quixo seat 1 seats 2 id test options` first)",
    );
}

#[test]
fn a_finished_game_is_resigned() {
    let over = "position fen xxxxx/...../ooo../..o../.....:2:9";
    let said = say(Engine::AlphaBeta, "Hash=1", &[GAME, over, "go movetime 100"]);
    assert_eq!(said, ["info string the game is over", "bestmove resign"]);
}
