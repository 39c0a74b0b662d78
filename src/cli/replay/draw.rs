//! The screen of the viewer, drawn from its state.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Borders, Clear, Paragraph, Wrap};

use super::look::{BOLD, DIM, Look, color, side_colour};
use super::moves::{self, MoveList};
use super::print;
use super::screen::{Popup, Screen};
use crate::games::scene::Scene;
use crate::report::describe::time;
use crate::report::picture::framed::{self, Room};
use crate::report::picture::terminal as picture;
use crate::report::picture::{Facing, Highlights};
use crate::report::replay::Replay;

/// Minimum number of rows for the whole layout. With fewer, the head has one row, and the status area is smaller.
const ROWS_FOR_ALL: u16 = 18;

/// Number of empty columns on each side of the boards.
const BOARD_MARGIN: u16 = 1;

pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, look: Look) {
    let rows = screen.replay.as_ref().map_or(3, |replay| status_rows(replay, frame.area().width));
    let [head, body, status, keys] = areas(frame, rows);
    let count = format!("game {} of {}", screen.number, screen.games);
    match &screen.replay {
        Ok(replay) => {
            draw_head(frame, head, (replay, screen.ply), &count, look);
            let view =
                BoardView { ply: screen.ply, facing: screen.facing, highlights: &Highlights::default() };
            draw_game(frame, body, replay, &view, look);
            draw_status(frame, status, status_lines(screen, replay));
        }
        Err(why) => {
            frame.render_widget(Line::from(vec![Span::raw(" "), Span::styled(count, BOLD)]), head);
            let text = Paragraph::new(format!("This game can't be shown: {why}.")).wrap(Wrap { trim: true });
            frame.render_widget(text, body.inner(ratatui::layout::Margin::new(3, 1)));
        }
    }
    draw_keys(frame, keys, screen);
    if let Some(popup) = screen.popup {
        draw_popup(frame, screen, popup);
    }
    look.apply(frame);
}

/// The areas of the head, the game, the status of at most this number of rows, and the keys.
pub(in crate::cli) fn areas(frame: &Frame<'_>, status_rows: u16) -> [Rect; 4] {
    let is_small = frame.area().height < ROWS_FOR_ALL;
    Layout::vertical([
        Constraint::Length(if is_small { 1 } else { 2 }),
        Constraint::Min(5),
        Constraint::Length(1 + if is_small { status_rows.min(2) } else { status_rows }),
        Constraint::Length(1),
    ])
    .areas(frame.area())
}

/// Draws the players, and below them the game if there is room. `count` is on the right.
pub(in crate::cli) fn draw_head(
    frame: &mut Frame<'_>,
    area: Rect,
    (replay, ply): (&Replay, usize),
    count: &str,
    look: Look,
) {
    let count_width = u16::try_from(count.chars().count() + 2).unwrap_or(24);
    let [names, right] = Layout::horizontal([Constraint::Min(10), Constraint::Length(count_width)])
        .areas(area.inner(margin(1)));
    let players = print::names(replay);
    let joints: usize = players.iter().map(|(joint, ..)| joint.chars().count()).sum();
    let gone = |seat| if replay.is_out(seat, ply) { " out" } else { "" };
    let lengths: Vec<usize> =
        players.iter().map(|(_, text, seat)| text.chars().count() + gone(*seat).len()).collect();
    let longest = longest_that_fit(lengths, usize::from(names.width).saturating_sub(joints));
    let mut title = Vec::new();
    for (joint, text, seat) in players {
        let player = &replay.seats[seat];
        let style = if look == Look::Coloured { BOLD.fg(side_colour(player)) } else { BOLD };
        title.push(Span::styled(joint, DIM));
        title.push(Span::styled(shortened(&text, longest.saturating_sub(gone(seat).len())), style));
        title.push(Span::styled(gone(seat), DIM));
    }
    frame.render_widget(Line::from(title), names);
    frame.render_widget(Line::from(count.to_owned()).right_aligned(), right);
    if area.height > 1 {
        let below = Rect { y: area.y + 1, height: 1, ..area };
        frame.render_widget(Line::styled(print::about(replay), DIM), below.inner(margin(1)));
    }
}

/// The length to which long texts are cut so that all texts fit.
fn longest_that_fit(mut lengths: Vec<usize>, room: usize) -> usize {
    lengths.sort_unstable();
    let mut left = room;
    for (index, length) in lengths.iter().enumerate() {
        let share = left / (lengths.len() - index);
        if *length > share {
            return share;
        }
        left -= length;
    }
    usize::MAX
}

/// A text cut to at most this number of characters, with `…` for the missing part.
fn shortened(text: &str, max_length: usize) -> String {
    if text.chars().count() <= max_length {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(max_length.saturating_sub(1)).collect();
    short.push('…');
    short
}

fn margin(columns: u16) -> ratatui::layout::Margin {
    ratatui::layout::Margin::new(columns, 0)
}

pub(in crate::cli) struct BoardView<'v> {
    pub(in crate::cli) ply: usize,
    pub(in crate::cli) facing: Facing,
    pub(in crate::cli) highlights: &'v Highlights,
}

/// Draws the position, and beside it the list of moves if there is room.
pub(in crate::cli) fn draw_game(
    frame: &mut Frame<'_>,
    area: Rect,
    replay: &Replay,
    view: &BoardView<'_>,
    look: Look,
) {
    // The width of the boards is the same for all plies, so that the layout does not change.
    let widths = replay.frames.iter().map(|shown| picture::min_width(&shown.scene));
    let board_width = widths.max().unwrap_or(0) + 2 * usize::from(BOARD_MARGIN);
    let list = MoveList::beside(replay, board_width, usize::from(area.width));
    let width = u16::try_from(list.width()).unwrap_or(u16::MAX);
    let [board, moves] = Layout::horizontal([Constraint::Min(20), Constraint::Length(width)]).areas(area);
    let captions = draw_board(frame, board, replay, view, list);
    list.draw(frame, moves, view.ply, replay, look, &captions);
}

/// Draws the position and returns the captions that have no room below the boards.
fn draw_board(
    frame: &mut Frame<'_>,
    area: Rect,
    replay: &Replay,
    view: &BoardView<'_>,
    list: MoveList,
) -> Vec<String> {
    let shown = &replay.frames[view.ply];
    let mut block = Block::new().borders(Borders::TOP).border_style(DIM);
    if list == MoveList::Absent {
        block = block.title_top(moves::position(view.ply, replay));
    }
    let inside = block.inner(area).inner(margin(BOARD_MARGIN));
    frame.render_widget(block, area);
    let room = Room { width: usize::from(inside.width), height: usize::from(inside.height) };
    let mut left_over = Vec::new();
    let mut picture = framed::lines_with(&shown.scene, view.facing, room, view.highlights);
    if picture.len() > room.height && !shown.scene.captions.is_empty() {
        let bare = Scene { captions: Vec::new(), ..shown.scene.clone() };
        picture = framed::lines_with(&bare, view.facing, room, view.highlights);
        left_over.clone_from(&shown.scene.captions);
    }
    let lines: Vec<Line<'_>> = picture.into_iter().map(converted).collect();
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(inside.height);
    let width = lines.iter().map(Line::width).max().unwrap_or(0);
    let width = u16::try_from(width).unwrap_or(u16::MAX).min(inside.width);
    let centred = Rect {
        x: inside.x + (inside.width - width) / 2,
        y: inside.y + (inside.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Text::from(lines), centred);
    left_over
}

/// Converts a line of a picture for ratatui.
fn converted(line: picture::Line) -> Line<'static> {
    let spans = line.0.into_iter().map(|span| Span::styled(span.text, style(span.style)));
    Line::from(spans.collect::<Vec<_>>())
}

fn style(style: anstyle::Style) -> Style {
    let mut converted = Style::new();
    if let Some(colour) = style.get_fg_color() {
        converted = converted.fg(color(colour));
    }
    let effects = style.get_effects();
    for (effect, modifier) in [
        (anstyle::Effects::BOLD, Modifier::BOLD),
        (anstyle::Effects::DIMMED, Modifier::DIM),
        (anstyle::Effects::INVERT, Modifier::REVERSED),
    ] {
        if effects.contains(effect) {
            converted = converted.add_modifier(modifier);
        }
    }
    converted
}

/// Number of rows of the status area: the move, the verdict, and what the bot said. It is the same for all plies, so
/// that the board stays in its place.
fn status_rows(replay: &Replay, width: u16) -> u16 {
    let said = replay.frames[replay.last()].played.as_ref().and_then(|played| played.said.as_ref());
    let columns = usize::from(width.saturating_sub(2)).max(1);
    // Wrapping leaves blanks at the ends of lines.
    let verdict = replay.verdict.chars().count() * 11 / 10;
    let mut moves = replay.frames.iter().filter_map(|shown| shown.played.as_ref());
    let remarks = usize::from(moves.any(|played| played.remark.is_some()));
    let rows = 1 + verdict.div_ceil(columns) + usize::from(said.is_some()) + remarks;
    let max_rows = 5 + remarks as u16;
    u16::try_from(rows).unwrap_or(max_rows).clamp(3, max_rows)
}

pub(in crate::cli) fn draw_status(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'_>>) {
    let block = Block::new().borders(Borders::TOP).border_style(DIM);
    let inside = block.inner(area).inner(margin(1));
    frame.render_widget(block, area);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), inside);
}

fn status_lines(screen: &Screen, replay: &Replay) -> Vec<Line<'static>> {
    let shown = &replay.frames[screen.ply];
    let headline = match &shown.played {
        None => match shown.to_move {
            Some(seat) => format!("start: {} moves first", replay.seats[seat].name),
            None => "start".to_owned(),
        },
        Some(played) => print::headline(replay, screen.ply, played),
    };
    let mut lines = vec![Line::from(headline)];
    if let Some(clocks) = &shown.clocks {
        let left: Vec<String> = clocks
            .iter()
            .map(|(seat, left)| format!("{} {}", replay.seats[seat].name, time(*left)))
            .collect();
        lines[0].push_span(Span::styled(format!("   clocks: {}", left.join(", ")), DIM));
    }
    let played = shown.played.as_ref();
    let remark = played.and_then(|played| played.remark.as_ref());
    lines.extend(remark.map(|remark| Line::styled(format!("{} {}", remark.sign, remark.text), BOLD)));
    let said = played.and_then(|played| played.said.as_ref()).map(print::said).unwrap_or_default();
    if screen.ply == replay.last() {
        let (text, more) = match &replay.broken {
            Some(broken) => (format!("{broken}; the record is inconsistent"), ""),
            None if screen.has_faults() => (replay.verdict.clone(), "  (e: evidence)"),
            None => (replay.verdict.clone(), ""),
        };
        lines.push(Line::from(vec![Span::styled(text, BOLD), Span::styled(more, DIM)]));
    }
    if !said.is_empty() {
        lines.push(Line::styled(format!("said: {said}"), DIM));
    }
    lines
}

fn draw_keys(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let line = match &screen.typed {
        Some(typed) => Line::from(vec![
            Span::raw(format!(" go to ply: {typed}_")),
            Span::styled(format!("   0 to {}, Enter: go, Esc: cancel", screen.last()), DIM),
        ]),
        None => {
            let games = if screen.games > 1 { "  n/p game" } else { "" };
            let play = if screen.is_playing { "Space stop" } else { "Space play" };
            let speed = if screen.speed() > 1 { format!(" {}x", screen.speed()) } else { String::new() };
            let all = format!(" ←/→ step  Home/End  {play}{speed}  g ply{games}  f turn  ? keys  q quit");
            let fits = all.chars().count() <= usize::from(area.width);
            Line::styled(if fits { all } else { format!(" ←/→ step{games}  ? keys  q quit") }, DIM)
        }
    };
    frame.render_widget(line, area);
}

const KEYS: &[(&str, &str)] = &[
    ("← →", "one ply back, forward"),
    ("PgUp PgDn", "ten plies back, forward"),
    ("Home End", "first, last position"),
    ("Space", "play or stop"),
    ("s", "speed: 1, 2, 5, 10 times"),
    ("g, digits", "go to a ply, then Enter"),
    ("n p", "next, previous game"),
    ("f", "turn the board"),
    ("e", "evidence of faults"),
    ("q Esc", "quit"),
];

fn draw_popup(frame: &mut Frame<'_>, screen: &Screen, popup: Popup) {
    match popup {
        Popup::Keys => {
            let lines = KEYS.iter().map(|(key, what)| Line::from(format!("{key:>10}  {what}"))).collect();
            draw_window(frame, " keys ", lines, 52);
        }
        Popup::Faults => {
            let lines = screen.replay.as_ref().map_or_else(|_| Vec::new(), evidence);
            draw_window(frame, " what went wrong ", lines, 76);
        }
    }
}

/// Draws lines in a window over the screen, at most `max_width` columns wide.
pub(in crate::cli) fn draw_window(frame: &mut Frame<'_>, title: &str, lines: Vec<Line<'_>>, max_width: u16) {
    let room = frame.area();
    let is_small = room.height < ROWS_FOR_ALL;
    let around = if is_small { 0 } else { 1 };
    let width = room.width.saturating_sub(6 * around).min(max_width);
    // Wrapping at words may need one more row.
    let columns = usize::from(width.saturating_sub(4)).max(1);
    let rows_of = |line: &Line<'_>| match line.width().div_ceil(columns) {
        0 | 1 => 1,
        more => more + 1,
    };
    let rows: usize = lines.iter().map(rows_of).sum();
    let text = Paragraph::new(lines).wrap(Wrap { trim: false });
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(room.height.saturating_sub(2 * around));
    let area =
        Rect { x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height };
    let close = Line::from(" any key closes ").right_aligned();
    let block = Block::bordered().border_type(BorderType::Rounded).title_top(title).title_bottom(close);
    let inside = block.inner(area).inner(margin(1));
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    frame.render_widget(text, inside);
}

fn evidence(replay: &Replay) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for fault in &replay.faults {
        lines.push(Line::styled(fault.sentence.clone(), BOLD));
        lines.extend(fault.hint.iter().map(|hint| Line::from(format!("hint: {hint}"))));
        for (what, texts) in print::evidence(fault) {
            lines.push(Line::styled(format!("{what}:"), DIM));
            lines.extend(last_of(&texts));
        }
    }
    if !replay.transcript.is_empty() {
        lines.push(Line::styled("the last lines of the dialogue with the referee:", DIM));
        lines.extend(last_of(&replay.transcript));
    }
    lines
}

/// The end of an output, which has the reason for a failure.
fn last_of(texts: &[String]) -> impl Iterator<Item = Line<'static>> {
    texts[texts.len().saturating_sub(8)..].iter().map(|text| Line::from(format!("  {text}")))
}
