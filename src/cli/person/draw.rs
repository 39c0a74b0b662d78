//! The screen of the person, drawn from its state.

use std::time::Instant;

use ratatui::Frame;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::game::PersonGame;
use super::screen::{PlayScreen, Question};
use crate::cli::replay::draw::{BoardView, areas, draw_game, draw_head, draw_status, draw_window};
use crate::cli::replay::look::{BOLD, CURRENT, DIM, Look};
use crate::process::suspended;
use crate::report::describe::time;
use crate::report::replay::Replay;

const KEYS: &[(&str, &str)] = &[
    ("arrows", "move the cursor"),
    ("Tab", "to the next square that can be chosen"),
    ("Enter, Space", "choose the square, or the entry of the list"),
    ("1 to 9", "choose an entry of the list"),
    ("Esc", "take the last choice back"),
    (":, a letter", "type a move; Tab completes it"),
    (", .", "look one ply back, forward"),
    ("PgUp PgDn", "ten plies back, forward"),
    ("Home End", "the first position, the game"),
    ("u", "go back to your last turn (not rated then)"),
    ("t", "a hint (not rated then)"),
    ("v", "turn the board"),
    ("R", "resign"),
    ("q", "leave"),
    ("‹ ›   « »", "can be chosen, has been chosen"),
];

pub(super) fn draw(frame: &mut Frame<'_>, screen: &PlayScreen<'_>, now: Instant, look: Look) {
    let [head, body, status, keys] = areas(frame, 3);
    if let (Some(replay), Some(game)) = (&screen.replay, &screen.game) {
        draw_head(frame, head, (replay, screen.ply()), &format!("seat {}", game.person()), look);
        let highlights = screen.highlights();
        let view = BoardView { ply: screen.ply(), facing: screen.facing, highlights: &highlights };
        draw_game(frame, body, replay, &view, look);
    }
    draw_status(frame, status, status_lines(screen, now, status.width));
    frame.render_widget(keys_line(screen, keys.width), keys);
    if screen.shows_keys {
        let letters = screen.has_letter_arrows().then_some(("h j k l", "the same as the arrows"));
        let keys = KEYS[..1].iter().chain(&letters).chain(&KEYS[1..]);
        let lines = keys.map(|(key, what)| Line::from(format!("{key:>12}  {what}"))).collect();
        draw_window(frame, " keys ", lines, 64);
    }
    look.apply(frame);
}

fn status_lines<'s>(screen: &'s PlayScreen<'_>, now: Instant, width: u16) -> Vec<Line<'s>> {
    let mut lines = vec![status(screen, now)];
    // One column on each side stays empty.
    lines.extend(entries(screen, usize::from(width.saturating_sub(2))));
    if !screen.message.is_empty() {
        lines.push(Line::from(screen.message.as_str()));
    } else if let Some(game) = &screen.game
        && let Some((seat, mv, used)) = game.last()
    {
        let took = used.map_or_else(String::new, |used| format!(", {}", time(used)));
        lines.push(Line::styled(format!("last move: {} played {mv}{took}", game.name(seat)), DIM));
    }
    lines
}

/// The player on move, or the end of the game, in words.
fn status(screen: &PlayScreen<'_>, now: Instant) -> Line<'static> {
    let Some(game) = &screen.game else { return Line::from("") };
    if screen.looks_back() {
        let last = screen.replay.as_ref().map_or(0, Replay::last);
        let whose = if game.turn.is_some() { "; it is your turn" } else { "" };
        let text = format!("ply {} of {last}{whose}: End or Esc leads back to the game", screen.ply());
        return Line::styled(text, BOLD);
    }
    if let Some(ending) = game.ending() {
        return Line::styled(ending, BOLD);
    }
    let Some(choice) = screen.choice.as_ref().filter(|_| game.turn.is_some()) else {
        return Line::from(format!("{} is thinking", game.name(game.table.to_move())));
    };
    let mut spans = vec![Span::styled("your turn", BOLD)];
    if !choice.is_empty() {
        spans.push(Span::raw(format!(": {}...", choice.text())));
    }
    spans.push(Span::styled(format!("   cursor {}", cursor(screen, game)), DIM));
    if let Some(left) = left(game, now) {
        spans.push(Span::styled(format!("   time {left}"), BOLD));
    }
    Line::from(spans)
}

/// The square under the cursor, with its board if there are several.
fn cursor(screen: &PlayScreen<'_>, game: &PersonGame) -> String {
    match game.table.scene().boards.len() {
        0 | 1 => screen.cursor.square.to_string(),
        _ => format!("{} of board {}", screen.cursor.square, screen.cursor.board + 1),
    }
}

/// The time left for the person's move, if it is limited.
fn left(game: &PersonGame, now: Instant) -> Option<String> {
    let turn = game.turn?;
    let stopped = suspended().saturating_sub(turn.suspended);
    let used = now.saturating_duration_since(turn.asked).saturating_sub(stopped);
    let left = turn.limit?.saturating_sub(used).as_secs();
    Some(format!("{}:{:02}", left / 60, left % 60))
}

/// The moves or completions to choose from in one line, starting near the selected entry.
fn entries(screen: &PlayScreen<'_>, width: usize) -> Option<Line<'static>> {
    if screen.typed.is_some() {
        let completions = screen.completions();
        let text =
            if completions.is_empty() { "no legal move begins so".to_owned() } else { completions.join(" ") };
        return Some(Line::styled(text.chars().take(width).collect::<String>(), DIM));
    }
    let list = screen.list();
    if list.is_empty() || screen.choice.as_ref().is_some_and(|choice| choice.is_empty() && list.len() > 1) {
        return None;
    }
    let mut spans = vec![Span::styled("choose: ", DIM)];
    let mut used = "choose: ".len();
    for (index, text) in list.iter().enumerate().skip(screen.entry.saturating_sub(1)) {
        let entry = format!("{} {text}", index + 1);
        used += entry.chars().count() + 2;
        if used > width {
            break;
        }
        spans.push(Span::styled(entry, if index == screen.entry { CURRENT } else { Style::new() }));
        spans.push(Span::raw("  "));
    }
    Some(Line::from(spans))
}

fn keys_line(screen: &PlayScreen<'_>, width: u16) -> Line<'static> {
    if let Some(typed) = &screen.typed {
        return Line::from(vec![
            Span::raw(format!(" move: {typed}_")),
            Span::styled("   Tab completes, Enter plays, Esc cancels", DIM),
        ]);
    }
    if let Some(question) = screen.question {
        let text = match question {
            Question::Leave => " Leave this game? It is not kept. y: leave, any other key: stay",
            Question::Resign => " Give up this game? y: resign, any other key: play on",
        };
        return Line::styled(text, BOLD);
    }
    let is_over = screen.game.as_ref().is_some_and(|game| game.record.is_some());
    let (all, short) = match (is_over, screen.is_closed) {
        (true, true) => (" Enter or q leave", " q leave"),
        (true, false) => (" Enter next game  q leave", " Enter next  q leave"),
        (false, _) if screen.terms.limits_the_person() => (
            " arrows Enter choose ‹›  Esc back  : type  t hint  ? keys  q leave",
            " Enter choose  ? keys  q leave",
        ),
        (false, _) => (
            " arrows Enter choose ‹›  Esc back  : type  u undo  t hint  ? keys  q leave",
            " Enter choose  ? keys  q leave",
        ),
    };
    Line::styled(if all.chars().count() <= usize::from(width) { all } else { short }, DIM)
}
