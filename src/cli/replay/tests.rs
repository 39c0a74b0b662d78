//! Tests of the viewer: the effects of keys, and the drawn screen.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw;
use super::library::WantedGame;
use super::look::Look;
use super::screen::{Effect, Popup, Screen};
use crate::record::GameRecord;
use crate::report::replay::{Remark, Replay};

fn screen(game: usize) -> Screen {
    let line = include_str!("../../../tests/records/games.jsonl").lines().nth(game - 1).unwrap();
    let record: GameRecord = serde_json::from_str(line).unwrap();
    Screen::new(Replay::new(&record).unwrap(), game, 5)
}

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// Presses keys: `<` and `>` are arrows, `^` and `$` Home and End, `_` Page
/// Down, `!` Enter, `~` Escape, and every other character is itself.
fn press(screen: &mut Screen, keys: &str) -> Effect {
    let mut effect = Effect::Redraw;
    for character in keys.chars() {
        effect = screen.press(key(match character {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Home,
            '$' => KeyCode::End,
            '_' => KeyCode::PageDown,
            '!' => KeyCode::Enter,
            '~' => KeyCode::Esc,
            other => KeyCode::Char(other),
        }));
    }
    effect
}

fn drawn(screen: &Screen, width: u16, height: u16, look: Look) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::draw(frame, screen, look)).unwrap();
    terminal
}

fn text(screen: &Screen) -> String {
    let backend = drawn(screen, 80, 24, Look::Coloured);
    let rows: Vec<String> = backend
        .backend()
        .buffer()
        .content
        .chunks(80)
        .map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned())
        .collect();
    rows.join("\n")
}

#[track_caller]
fn check_ply(keys: &str, expected: usize) {
    let mut screen = screen(1);
    press(&mut screen, keys);
    assert_eq!(screen.ply, expected, "after {keys}");
}

#[test]
fn keys_step_through_the_game() {
    check_ply("", 0);
    check_ply("<", 0);
    check_ply(">>>", 3);
    check_ply(">>><", 2);
    check_ply("$", 26);
    check_ply("$>", 26);
    check_ply("$^", 0);
    check_ply("__", 20);
    check_ply("lljh", 2);
}

#[test]
fn a_number_leads_to_its_ply() {
    check_ply("12!", 12);
    check_ply("g7!", 7);
    check_ply("999!", 26);
    check_ply("g!", 0);
    check_ply(">g7~", 1);
    check_ply("7!>", 8);
}

#[test]
fn playback_runs_to_the_end_and_a_step_stops_it() {
    let mut game = screen(1);
    assert_eq!(game.interval(), None);
    press(&mut game, " ");
    let usual = game.interval().unwrap();
    game.tick();
    assert_eq!(game.ply, 1);
    press(&mut game, "s");
    assert_eq!(game.interval(), Some(usual / 2));
    press(&mut game, ">");
    assert_eq!((game.ply, game.is_playing), (2, false));
    game.tick();
    assert_eq!(game.ply, 2);
    press(&mut game, "$ ");
    assert_eq!((game.ply, game.is_playing), (0, true), "from the start again");
    (0..30).for_each(|_| game.tick());
    assert_eq!((game.ply, game.interval()), (26, None));
}

#[test]
fn only_games_of_the_file_can_be_opened() {
    assert_eq!(press(&mut screen(1), "n"), Effect::Open(2));
    assert_eq!(press(&mut screen(1), "p"), Effect::Redraw);
    assert_eq!(press(&mut screen(4), "p"), Effect::Open(3));
    let mut last = screen(4);
    last.number = 5;
    assert_eq!(press(&mut last, "n"), Effect::Redraw);
}

#[test]
fn keys_leave_and_open_popups() {
    assert_eq!(press(&mut screen(1), "q"), Effect::Leave);
    assert_eq!(press(&mut screen(1), "~"), Effect::Leave);
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    for keys in ["", "?", "g"] {
        let mut screen = screen(1);
        press(&mut screen, keys);
        assert_eq!(screen.press(interrupt), Effect::Interrupt, "after {keys}");
    }
    let mut game = screen(2);
    press(&mut game, "?");
    assert_eq!(game.popup, Some(Popup::Keys));
    assert_eq!(press(&mut game, "q"), Effect::Redraw, "closes the popup alone");
    press(&mut game, "e");
    assert_eq!(game.popup, Some(Popup::Faults));
    let mut without = screen(1);
    press(&mut without, "e");
    assert_eq!(without.popup, None, "nothing went wrong");
}

#[test]
fn a_game_is_chosen_by_number_or_id() {
    assert_eq!(WantedGame::from("3"), WantedGame::Number(3));
    assert_eq!(WantedGame::from("greedy~random~3"), WantedGame::Id("greedy~random~3".to_owned()));
}

#[test]
fn the_screen_in_the_middle_of_a_game() {
    let mut game = screen(1);
    press(&mut game, "14!");
    insta::assert_snapshot!("middle", text(&game));
}

#[test]
fn the_screen_at_the_end_shows_the_verdict() {
    let mut game = screen(1);
    press(&mut game, "$f");
    insta::assert_snapshot!("end", text(&game));
}

#[test]
fn clocks_and_openings_are_shown() {
    let mut game = screen(4);
    press(&mut game, ">>>");
    insta::assert_snapshot!("clocks", text(&game));
}

#[test]
fn evidence_is_shown_over_the_screen() {
    let mut game = screen(3);
    press(&mut game, "$e");
    insta::assert_snapshot!("evidence", text(&game));
}

#[test]
fn the_reason_is_shown_if_a_game_cannot_be() {
    let mut game = screen(4);
    game.open(Err("the record has no moves, only the result: A won".to_owned()), 5);
    let text = text(&game);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "game 5 of 5 This game can't be shown: the record has no moves, only the result: A won.";
    assert!(words.starts_with(expected), "{text}");
    press(&mut game, ">$ ");
    game.tick();
    assert_eq!(press(&mut game, "p"), Effect::Open(4));
}

#[test]
fn any_size_can_be_drawn() {
    let mut games = [screen(1), screen(3)];
    for game in &mut games {
        for keys in ["", "$", "e", "~?"] {
            press(game, keys);
            for (width, height) in [(1, 1), (3, 40), (200, 2), (20, 8), (40, 12), (132, 50)] {
                drawn(game, width, height, Look::Coloured);
            }
        }
    }
}

#[test]
fn without_colour_the_same_text_is_shown() {
    let mut game = screen(1);
    press(&mut game, "$");
    let plain = drawn(&game, 80, 24, Look::Plain);
    let coloured = drawn(&game, 80, 24, Look::Coloured);
    let symbols = |terminal: &Terminal<TestBackend>| {
        let cells = &terminal.backend().buffer().content;
        cells.iter().map(|cell| cell.symbol().to_owned()).collect::<String>()
    };
    assert_eq!(symbols(&plain), symbols(&coloured));
    let reset = ratatui::style::Color::Reset;
    assert!(plain.backend().buffer().content.iter().all(|cell| cell.fg == reset && cell.bg == reset));
    assert!(coloured.backend().buffer().content.iter().any(|cell| cell.fg != reset));
}

/// A game of three seats, and one of teams.
fn table(number: usize) -> Screen {
    let line = include_str!("../../../tests/records/tables.jsonl").lines().nth(number - 1).unwrap();
    let record: GameRecord = serde_json::from_str(line).unwrap();
    Screen::new(Replay::new(&record).unwrap(), number, 2)
}

#[test]
fn three_players_two_boards_and_their_stocks_fit_the_screen() {
    let mut game = table(1);
    press(&mut game, "$");
    insta::assert_snapshot!("table_of_three", text(&game));
}

#[test]
fn teams_are_named_with_their_bots() {
    let mut game = table(2);
    press(&mut game, "$");
    insta::assert_snapshot!("teams", text(&game));
}

#[test]
fn long_moves_have_a_row_each() {
    let record = r#"{"v":1,"id":"ada~bob~1","game":"kengu","seats":[{"name":"ada"},{"name":"bob"}],
        "moves":["c3r","c3c4/b2y"],"times_us":[1500,2500],"places":[2,1],"reason":"resignation"}"#;
    let record: GameRecord = serde_json::from_str(record).unwrap();
    let mut game = Screen::new(Replay::new(&record).unwrap(), 1, 1);
    press(&mut game, "$");
    let text = text(&game);
    let row = |number: &str| text.lines().find(|line| line.contains(number)).unwrap().to_owned();
    assert!(row("1.  1 c3r").contains(" ms"), "{text}");
    assert!(row("2.  2 c3c4/b2y").contains(" ms"), "{text}");
}

#[test]
fn the_list_of_moves_has_the_signs_of_remarks() {
    let line = include_str!("../../../tests/records/tables.jsonl").lines().next().unwrap();
    let record: GameRecord = serde_json::from_str(line).unwrap();
    let mut replay = Replay::new(&record).unwrap();
    let played = replay.frames[1].played.as_mut().unwrap();
    played.remark = Some(Remark { sign: "??".to_owned(), text: "Blunder".to_owned() });
    let mv = played.text.clone();
    let text = text(&Screen::new(replay, 1, 2));
    assert!(text.lines().any(|line| line.contains(&mv) && line.contains("??")), "{text}");
}

/// The first ply of a game of Trexo on a board of this size.
fn trexo(size: usize, first_move: &str) -> Screen {
    let record = format!(
        r#"{{"v":1,"id":"ada~bob~1","game":"trexo","options":{{"size":{size}}},
            "seats":[{{"name":"ada"}},{{"name":"bob"}}],"moves":["{first_move}"],"places":[1,2]}}"#
    );
    let record: GameRecord = serde_json::from_str(&record).unwrap();
    let mut screen = Screen::new(Replay::new(&record).unwrap(), 1, 1);
    press(&mut screen, "$");
    screen
}

#[test]
fn wide_boards_replace_the_list_of_moves() {
    let usual = text(&trexo(10, "i1j1"));
    assert!(usual.contains("h   i   j"), "{usual}");
    assert!(usual.contains("[x>1[o<1]"), "{usual}");
    assert!(usual.contains("moves") && usual.contains("1 i1j1"), "{usual}");
    let large = text(&trexo(16, "o12p12"));
    assert!(large.contains("[x>1[o<1]"), "{large}");
    assert!(large.contains("─ 1 of 1"), "{large}");
}
