use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use proptest::prelude::*;

use crate::{
    BotOption, Clocks, FromBot, GameHeader, GoLimit, OptionType, Position, PositionLine, Said, ToBot,
};
use linesman_types::seat::{BySeat, Place, Seat};
use linesman_types::time_control::{ClockKind, Work};

#[track_caller]
fn check_from_bot(line: &str, expected: FromBot) {
    assert_eq!(FromBot::parse(line.as_bytes()), Ok(expected), "{line:?}");
}

#[track_caller]
fn check_malformed(line: &[u8], expected: &str) {
    let error = FromBot::parse(line).expect_err("the line can't be read");
    assert_eq!(error.expected, expected, "{line:?}");
}

#[track_caller]
fn check_to_bot(line: &str, expected: ToBot) {
    assert_eq!(ToBot::parse(line), Ok(Some(expected.clone())), "{line:?}");
    assert_eq!(expected.to_string(), line);
}

fn spin(default: Option<i64>, min: Option<i64>, max: Option<i64>) -> OptionType {
    OptionType::Spin { default, min, max }
}

#[test]
fn a_bots_lines_are_read() {
    check_from_bot("id name Greedy 1.2", FromBot::IdName("Greedy 1.2".to_owned()));
    check_from_bot("id author  Ada\t", FromBot::IdAuthor("Ada".to_owned()));
    check_from_bot("protocol 1", FromBot::Protocol(1));
    check_from_bot("feature state legal", FromBot::Feature(vec!["state".to_owned(), "legal".to_owned()]));
    check_from_bot("ugiok", FromBot::UgiOk);
    check_from_bot("readyok and more", FromBot::ReadyOk);
    check_from_bot("\u{feff}  readyok\r", FromBot::ReadyOk);
    check_from_bot("bestmove c1c5", FromBot::best_move("c1c5"));
    check_from_bot("bestmove\tc1c5 because a1a5", FromBot::best_move("c1c5"));
    let ponder = |moves: &[&str]| FromBot::BestMove { mv: "c1c5".into(), ponder: moves.iter().collect() };
    check_from_bot("bestmove\tc1c5 ponder a1a5", ponder(&["a1a5"]));
    check_from_bot("bestmove c1c5 because ponder a1a5  b1b5 c c1c3 c5c1", ponder(&["a1a5", "b1b5", "c"]));
    check_from_bot("bestmove c1c5 ponder", FromBot::best_move("c1c5"));
    check_from_bot("bestmove resign", FromBot::Resign);
    check_from_bot("tell watch  a1", FromBot::Tell("watch  a1".to_owned()));
}

#[test]
fn a_bots_options_are_read() {
    let option = |name: &str, kind| FromBot::Option(BotOption { name: name.to_owned(), kind });
    let text = |text: &str| Some(text.to_owned());
    check_from_bot(
        "option name Depth type spin default 3 min 1 max 9",
        option("Depth", spin(Some(3), Some(1), Some(9))),
    );
    check_from_bot("option name Skill level type spin", option("Skill level", spin(None, None, None)));
    check_from_bot("option name Learn type check default false", {
        option("Learn", OptionType::Check { default: text("false") })
    });
    check_from_bot("option name Style type combo default Very calm var Very calm var Wild", {
        let values = vec!["Very calm".to_owned(), "Wild".to_owned()];
        option("Style", OptionType::Combo { default: text("Very calm"), values })
    });
    check_from_bot("option name Clear type button", option("Clear", OptionType::Button));
    check_from_bot("option name Book type string default a  b.txt", {
        option("Book", OptionType::String { default: text("a  b.txt") })
    });
    check_from_bot("option name File type path default x", FromBot::Unknown);
}

#[test]
fn known_fields_of_info_are_read() {
    let said = Said {
        depth: Some(5),
        score_cp: Some(-31),
        nodes: Some(91_234),
        pv: ["a2a5", "c1c5"].into_iter().collect(),
        text: None,
        time_ms: None,
    };
    let timed = Said { time_ms: Some(120), ..said.clone() };
    check_from_bot("info depth 5 score cp -31 nodes 91234 time 120 pv a2a5 c1c5", FromBot::Info(timed));
    check_from_bot("info time 1.5", FromBot::Info(Said::default()));
    check_from_bot("info depth 5 seldepth 9 score cp -31 nodes 91234 pv a2a5 c1c5", FromBot::Info(said));
    let said = Said { text: Some("depth 3  of 9".to_owned()), ..Said::default() };
    check_from_bot("info string depth 3  of 9", FromBot::Info(said));
    check_from_bot("info depth deep score mate 3 nodes -1", FromBot::Info(Said::default()));
    check_from_bot("info", FromBot::Info(Said::default()));
}

#[test]
fn a_later_info_adds_to_an_earlier_one() {
    let mut said = Said { depth: Some(3), score_cp: Some(4), ..Said::default() };
    said.update(Said { depth: Some(4), text: Some("so".to_owned()), ..Said::default() });
    let expected = Said { depth: Some(4), score_cp: Some(4), text: Some("so".to_owned()), ..Said::default() };
    assert_eq!(said, expected);
}

#[test]
fn unknown_verbs_are_not_faults() {
    for line in
        ["", "   ", "Traceback (most recent call last):", "BESTMOVE a1a5", "bestmove:a1a5", "id version 3"]
    {
        check_from_bot(line, FromBot::Unknown);
    }
}

#[test]
fn malformed_lines_are_faults() {
    let option = "`option name NAME type TYPE ...`";
    for (line, expected) in [
        ("bestmove", "`bestmove MOVE` or `bestmove resign`"),
        ("bestmove \t", "`bestmove MOVE` or `bestmove resign`"),
        ("id", "`id name TEXT` or `id author TEXT`"),
        ("id name ", "`id name TEXT` or `id author TEXT`"),
        ("protocol", "`protocol 1`"),
        ("protocol one", "`protocol 1`"),
        ("protocol 0", "`protocol 1`"),
        ("option", option),
        ("option name type spin", option),
        ("option name Depth", option),
        ("option name Depth type spin default three", "`option name NAME type spin default N min N max N`"),
        ("bestmove a1a5\u{1b}[0m", "text without control characters"),
        ("hello\0", "text without control characters"),
    ] {
        check_malformed(line.as_bytes(), expected);
    }
    check_malformed(b"\xff\xfe", "UTF-8 text");
    let error = FromBot::parse(b"bestmove a\x1b\xff").expect_err("the line can't be read");
    assert_eq!(error.to_string(), "`bestmove a\\u{1b}\\xff`: expected UTF-8 text");
}

#[test]
fn the_referees_lines_are_read_and_printed() {
    let milliseconds = Duration::from_millis;
    check_to_bot("ugi", ToBot::Ugi);
    let set = |name: &str, value: &str| ToBot::SetOption { name: name.to_owned(), value: value.to_owned() };
    check_to_bot("setoption name Skill level value very high", set("Skill level", "very high"));
    check_to_bot("setoption name Clear", set("Clear", ""));
    check_to_bot("uginewgame", ToBot::NewGame);
    check_to_bot("game quixo seat 1 seats 2 id greedy~random~1 options size=5,max_plies=200", {
        ToBot::Game(GameHeader {
            game: "quixo".to_owned(),
            seat: Seat::FIRST,
            seats: 2,
            id: "greedy~random~1".to_owned(),
            clock: ClockKind::Wall,
            ponders: false,
            options: "size=5,max_plies=200".to_owned(),
        })
    });
    check_to_bot("game quixo seat 1 seats 2 id a~b~1 clock cpu wall_bound 7", {
        ToBot::Game(GameHeader {
            game: "quixo".to_owned(),
            seat: Seat::FIRST,
            seats: 2,
            id: "a~b~1".to_owned(),
            clock: ClockKind::Cpu { wall_bound: NonZeroU32::new(7).expect("it is not 0") },
            ponders: false,
            options: String::new(),
        })
    });
    check_to_bot("game trexo seat 2 seats 2 id a~b~1 ponder options size=6", {
        ToBot::Game(GameHeader {
            game: "trexo".to_owned(),
            seat: Seat::SECOND,
            seats: 2,
            id: "a~b~1".to_owned(),
            clock: ClockKind::Wall,
            ponders: true,
            options: "size=6".to_owned(),
        })
    });
    check_to_bot("isready", ToBot::IsReady);
    check_to_bot("position startpos", ToBot::Position(Position { token: None, moves: Vec::new() }));
    check_to_bot("position fen ./.:1:0 moves c1c5 !3", {
        let moves = vec!["c1c5".to_owned(), "!3".to_owned()];
        ToBot::Position(Position { token: Some("./.:1:0".to_owned()), moves })
    });
    check_to_bot("state ./.:1:0", ToBot::State("./.:1:0".to_owned()));
    check_to_bot("legal a1a5 a1e1", ToBot::Legal(vec!["a1a5".to_owned(), "a1e1".to_owned()]));
    check_to_bot("go movetime 1000", ToBot::Go(GoLimit::MoveTime(milliseconds(1000))));
    check_to_bot("go p1time 60000 p2time 58210 p1inc 500 p2inc 0 movetime 5000", {
        ToBot::Go(GoLimit::Clocks(Clocks {
            times: BySeat::from_fn(2, |seat| milliseconds([60_000, 58_210][seat.index()])),
            increments: BySeat::from_fn(2, |seat| milliseconds([500, 0][seat.index()])),
            moves_to_go: None,
            max_move_time: Some(milliseconds(5000)),
        }))
    });
    check_to_bot("go p1time 60000 p2time 58210 p1inc 0 p2inc 0 movestogo 40", {
        ToBot::Go(GoLimit::Clocks(Clocks {
            times: BySeat::from_fn(2, |seat| milliseconds([60_000, 58_210][seat.index()])),
            increments: BySeat::from_fn(2, |_| milliseconds(0)),
            moves_to_go: NonZeroU32::new(40),
            max_move_time: None,
        }))
    });
    let nodes = NonZeroU64::new(1_000).expect("it is not 0");
    check_to_bot("go nodes 1000", ToBot::Go(GoLimit::Work(Work::Nodes(nodes))));
    check_to_bot(
        "go depth 5",
        ToBot::Go(GoLimit::Work(Work::Depth(NonZeroU32::new(5).expect("it is not 0")))),
    );
    check_to_bot("go infinite", ToBot::Go(GoLimit::Infinite));
    check_to_bot("stop", ToBot::Stop);
    check_to_bot("go ponder movetime 1000", ToBot::GoPonder(GoLimit::MoveTime(milliseconds(1000))));
    check_to_bot("go ponder p1time 900 p2time 800 p1inc 50 p2inc 0", {
        ToBot::GoPonder(GoLimit::Clocks(Clocks {
            times: BySeat::from_fn(2, |seat| milliseconds([900, 800][seat.index()])),
            increments: BySeat::from_fn(2, |seat| milliseconds([50, 0][seat.index()])),
            moves_to_go: None,
            max_move_time: None,
        }))
    });
    check_to_bot("ponderhit", ToBot::PonderHit);
    check_to_bot("told 3 watch a1", ToBot::Told { seat: Seat::from_index(2), text: "watch a1".to_owned() });
    check_to_bot("gameover places 1,2 reason line", {
        let places = BySeat::from_values([Place::FIRST, Place::new(2).expect("a place")]);
        ToBot::GameOver { places, reason: "line".to_owned() }
    });
    check_to_bot("gameover reason host", ToBot::GameOver { places: None, reason: "host".to_owned() });
    check_to_bot("quit", ToBot::Quit);
}

#[test]
fn a_bot_ignores_unknown_lines_and_words() {
    assert_eq!(ToBot::parse(""), Ok(None));
    assert_eq!(ToBot::parse("resumed"), Ok(None));
    assert_eq!(ToBot::parse("isready now\r"), Ok(Some(ToBot::IsReady)));
    let going = ToBot::Go(GoLimit::MoveTime(Duration::from_millis(5)));
    assert_eq!(ToBot::parse("go depth 3 movetime 5 pxtime 7"), Ok(Some(going)));
}

#[test]
fn errors_name_the_defect_of_a_referees_line() {
    for (line, why) in [
        ("setoption Depth", "no `name`"),
        ("setoption name value 4", "the name is empty"),
        ("game quixo seat 5 seats 2", "no seat from 1 to 4"),
        ("position", "neither `startpos` nor `fen`"),
        ("position fen", "no token after `fen`"),
        ("state", "no token"),
        ("go", "no time is given"),
        ("go movetime soon", "a time is not a whole number of milliseconds"),
        ("go p2time 5", "a clock is missing"),
        ("go nodes 0", "an amount of work is not a whole number of at least 1"),
        ("go depth", "an amount of work is not a whole number of at least 1"),
        ("told all hi", "no seat from 1 to 4"),
        ("gameover places 0,9 reason line", "the places are invalid"),
        ("gameover places 1,2", "no reason"),
    ] {
        let error = ToBot::parse(line).expect_err("the line can't be read");
        assert_eq!(error.to_string(), format!("`{line}`: {why}"));
    }
}

#[test]
fn line_breaks_in_text_become_blanks() {
    let set = ToBot::SetOption { name: "a\nb".to_owned(), value: "1\r\nquit".to_owned() };
    assert_eq!(set.to_string(), "setoption name a b value 1  quit");
    assert_eq!(FromBot::Tell("a\nbestmove b".to_owned()).to_string(), "tell a bestmove b");
}

fn word() -> impl Strategy<Value = String> {
    "[!-~é]{1,6}".prop_filter("no word of the grammar", |word| {
        !matches!(word.as_str(), "string" | "type" | "value" | "default" | "var" | "resign")
    })
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 1..4).prop_map(|words| words.join(" "))
}

fn time() -> impl Strategy<Value = Duration> {
    (0..10_000_000u64).prop_map(Duration::from_millis)
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..4usize).prop_map(Seat::from_index)
}

fn by_seat<T: std::fmt::Debug>(
    each: impl Strategy<Value = T>,
    seats: usize,
) -> impl Strategy<Value = BySeat<T>> {
    proptest::collection::vec(each, seats)
        .prop_map(|values| BySeat::from_values(values).expect("there are at most four"))
}

fn going() -> impl Strategy<Value = GoLimit> {
    let clocks = (2..=4usize).prop_flat_map(|seats| {
        let moves_to_go = proptest::option::of(any::<NonZeroU32>());
        (by_seat(time(), seats), by_seat(time(), seats), moves_to_go, proptest::option::of(time())).prop_map(
            |(times, increments, moves_to_go, max_move_time)| Clocks {
                times,
                increments,
                moves_to_go,
                max_move_time,
            },
        )
    });
    prop_oneof![
        time().prop_map(GoLimit::MoveTime),
        clocks.prop_map(GoLimit::Clocks),
        any::<NonZeroU64>().prop_map(|nodes| GoLimit::Work(Work::Nodes(nodes))),
        any::<NonZeroU32>().prop_map(|plies| GoLimit::Work(Work::Depth(plies))),
        Just(GoLimit::Infinite),
    ]
}

fn clock() -> impl Strategy<Value = ClockKind> {
    prop_oneof![
        Just(ClockKind::Wall),
        any::<NonZeroU32>().prop_map(|wall_bound| ClockKind::Cpu { wall_bound })
    ]
}

fn to_bot() -> impl Strategy<Value = ToBot> {
    let moves = || proptest::collection::vec(word(), 0..4);
    let place = (1..=4usize).prop_map(|number| Place::new(number).expect("four places"));
    prop_oneof![
        Just(ToBot::Ugi),
        Just(ToBot::NewGame),
        Just(ToBot::IsReady),
        Just(ToBot::Quit),
        (words(), words()).prop_map(|(name, value)| ToBot::SetOption { name, value }),
        (word(), seat(), 1..=4usize, word(), clock(), any::<bool>(), word()).prop_map(
            |(game, seat, seats, id, clock, ponders, options)| {
                ToBot::Game(GameHeader { game, seat, seats, id, clock, ponders, options })
            }
        ),
        (proptest::option::of(word()), moves())
            .prop_map(|(token, moves)| ToBot::Position(Position { token, moves })),
        word().prop_map(ToBot::State),
        moves().prop_map(ToBot::Legal),
        going().prop_map(ToBot::Go),
        going().prop_map(ToBot::GoPonder),
        Just(ToBot::PonderHit),
        Just(ToBot::Stop),
        (seat(), words()).prop_map(|(seat, text)| ToBot::Told { seat, text }),
        (
            proptest::option::of((1..=4usize).prop_flat_map(move |seats| by_seat(place.clone(), seats))),
            word()
        )
            .prop_map(|(places, reason)| ToBot::GameOver { places, reason }),
    ]
}

fn option_type() -> impl Strategy<Value = OptionType> {
    let text = || proptest::option::of(words());
    let number = || proptest::option::of(any::<i64>());
    prop_oneof![
        Just(OptionType::Button),
        proptest::option::of(word()).prop_map(|default| OptionType::Check { default }),
        (number(), number(), number()).prop_map(|(default, min, max)| spin(default, min, max)),
        (text(), proptest::collection::vec(words(), 0..3))
            .prop_map(|(default, values)| OptionType::Combo { default, values }),
        text().prop_map(|default| OptionType::String { default }),
    ]
}

fn said() -> impl Strategy<Value = Said> {
    (
        proptest::option::of(any::<u32>()),
        proptest::option::of(any::<i64>()),
        proptest::option::of(any::<u64>()),
        proptest::collection::vec(word(), 0..4),
        proptest::option::of(words()),
        proptest::option::of(any::<u64>()),
    )
        .prop_map(|(depth, score_cp, nodes, pv, text, time_ms)| Said {
            depth,
            score_cp,
            nodes,
            pv: pv.into_iter().collect(),
            text,
            time_ms,
        })
}

fn from_bot() -> impl Strategy<Value = FromBot> {
    prop_oneof![
        words().prop_map(FromBot::IdName),
        words().prop_map(FromBot::IdAuthor),
        (1..u32::MAX).prop_map(FromBot::Protocol),
        (words(), option_type()).prop_map(|(name, kind)| FromBot::Option(BotOption { name, kind })),
        proptest::collection::vec(word(), 0..3).prop_map(FromBot::Feature),
        Just(FromBot::UgiOk),
        Just(FromBot::ReadyOk),
        said().prop_map(FromBot::Info),
        (word(), proptest::collection::vec(word(), 0..4)).prop_map(|(mv, ponder)| FromBot::BestMove {
            mv: mv.into(),
            ponder: ponder.into_iter().collect()
        }),
        Just(FromBot::Resign),
        words().prop_map(FromBot::Tell),
        Just(FromBot::Unknown),
    ]
}

/// Nearly valid lines, to reach deeper into the parsers.
fn nearly_valid_line() -> impl Strategy<Value = String> {
    let verb = proptest::sample::select(vec![
        "bestmove",
        "info",
        "id",
        "option",
        "protocol",
        "feature",
        "tell",
        "setoption",
        "game",
        "position",
        "go",
        "told",
        "gameover",
        "name",
        "type",
        "spin",
        "combo",
        "default",
        "var",
        "value",
        "moves",
        "fen",
        "p1time",
        "p4inc",
        "places",
        "1,2",
        "-1",
        "99999999999999999999",
        "é",
        "p",
        "pé",
    ]);
    proptest::collection::vec(verb, 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn a_referees_message_reads_as_it_was_printed(message in to_bot()) {
        let line = message.to_string();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(ToBot::parse(&line), Ok(Some(message)), "{}", line);
    }

    #[test]
    fn a_bots_message_reads_as_it_was_printed(message in from_bot()) {
        let line = message.to_string();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(FromBot::parse(line.as_bytes()), Ok(message), "{}", line);
    }

    #[test]
    fn a_position_line_equals_the_printed_message(token in proptest::option::of(word()), moves in proptest::collection::vec(word(), 0..9)) {
        let mut line = PositionLine::new(token.as_deref());
        moves.iter().for_each(|mv| line.push(mv));
        let message = ToBot::Position(Position { token, moves });
        prop_assert_eq!(line.as_str(), message.to_string());
    }

    #[test]
    fn no_bytes_make_the_parsers_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        if let Err(malformed) = FromBot::parse(&bytes) {
            prop_assert!(!malformed.to_string().chars().any(char::is_control));
        }
        let _ = ToBot::parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_words_make_the_parsers_panic(line in nearly_valid_line()) {
        let _ = ToBot::parse(&line);
        let _ = FromBot::parse(line.as_bytes());
    }
}
