//! The screen, drawn from where the viewer stands.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Borders, Clear, Paragraph, Wrap};

use super::print;
use super::screen::{Playback, Popup, Screen};
use crate::games::scene::Scene;
use crate::report::film::{self, Film, PlayedKind};
use crate::report::picture::framed::{self, Room};
use crate::report::picture::terminal as picture;
use crate::report::sentence::time;
use crate::seat::Seat;

/// Whether there is colour.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Look {
    Coloured,
    Plain,
}

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const CURRENT: Style = Style::new().add_modifier(Modifier::REVERSED.union(Modifier::BOLD));

/// The width of the list of moves, its border included: with both moves of a
/// round in a row, and with one, because there are more seats or longer moves.
const MOVES_WIDTH: u16 = 38;
const WIDE_MOVES_WIDTH: u16 = 40;

/// How long moves may be for two of them in a row.
const SHORT_MOVE: usize = 6;

/// Draws the whole screen.
pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, look: Look) {
    let told = screen.film.as_ref().map_or(3, |film| rows_of_news(film, frame.area().width));
    let [head, body, news, keys] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Min(5),
        Constraint::Length(1 + told),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    match &screen.film {
        Ok(film) => {
            draw_head(frame, head, screen, film, look);
            let moves_width = if has_rounds(film) { MOVES_WIDTH } else { WIDE_MOVES_WIDTH };
            let [board, moves] =
                Layout::horizontal([Constraint::Min(20), Constraint::Length(moves_width)]).areas(body);
            let captions = draw_board(frame, board, screen, film);
            draw_moves(frame, moves, screen, film, look, &captions);
            draw_news(frame, news, screen, film);
        }
        Err(why) => {
            frame.render_widget(Line::from(vec![Span::raw(" "), Span::styled(counted(screen), BOLD)]), head);
            let text = Paragraph::new(format!("This game can't be shown: {why}.")).wrap(Wrap { trim: true });
            frame.render_widget(text, body.inner(ratatui::layout::Margin::new(3, 1)));
        }
    }
    draw_keys(frame, keys, screen);
    if let Some(popup) = screen.popup {
        draw_popup(frame, screen, popup);
    }
    if look == Look::Plain {
        for cell in &mut frame.buffer_mut().content {
            cell.fg = Color::Reset;
            cell.bg = Color::Reset;
        }
    }
}

fn counted(screen: &Screen) -> String {
    format!("game {} of {}", screen.number, screen.games)
}

fn draw_head(frame: &mut Frame<'_>, area: Rect, screen: &Screen, film: &Film, look: Look) {
    let count_width = u16::try_from(counted(screen).len() + 2).unwrap_or(24);
    let [names, count] = Layout::horizontal([Constraint::Min(10), Constraint::Length(count_width)])
        .areas(area.inner(margin(1)));
    let players = print::names(film);
    let joints: usize = players.iter().map(|(joint, ..)| joint.chars().count()).sum();
    let gone = |seat| if film.is_out(seat, screen.ply) { " out" } else { "" };
    let lengths: Vec<usize> =
        players.iter().map(|(_, text, seat)| text.chars().count() + gone(*seat).len()).collect();
    let longest = longest_that_fit(lengths, usize::from(names.width).saturating_sub(joints));
    let mut title = Vec::new();
    for (joint, text, seat) in players {
        let player = &film.seats[seat];
        let style = if look == Look::Coloured { BOLD.fg(side_colour(player)) } else { BOLD };
        title.push(Span::styled(joint, DIM));
        title.push(Span::styled(shortened(&text, longest.saturating_sub(gone(seat).len())), style));
        title.push(Span::styled(gone(seat), DIM));
    }
    frame.render_widget(Line::from(title), names);
    frame.render_widget(Line::from(counted(screen)).right_aligned(), count);
    let below = Rect { y: area.y + 1, height: 1, ..area };
    frame.render_widget(Line::styled(print::about(film), DIM), below.inner(margin(1)));
}

/// How long texts may be so that all of them fit, the longest ones cut.
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

/// A text cut to so many characters, with `…` where something is missing.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

fn margin(columns: u16) -> ratatui::layout::Margin {
    ratatui::layout::Margin::new(columns, 0)
}

/// Draws the position and returns what finds no room below the boards: the captions.
fn draw_board(frame: &mut Frame<'_>, area: Rect, screen: &Screen, film: &Film) -> Vec<String> {
    let shot = &film.frames[screen.ply];
    let block = Block::new().borders(Borders::TOP).border_style(DIM);
    let inside = block.inner(area).inner(margin(1));
    frame.render_widget(block, area);
    let room = Room { width: usize::from(inside.width), height: usize::from(inside.height) };
    let mut left_over = Vec::new();
    let mut picture = framed::lines(&shot.scene, screen.facing, room);
    if picture.len() > room.height && !shot.scene.captions.is_empty() {
        let bare = Scene { captions: Vec::new(), ..shot.scene.clone() };
        picture = framed::lines(&bare, screen.facing, room);
        left_over.clone_from(&shot.scene.captions);
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

/// A line of a picture in ratatui's words.
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

fn color(colour: anstyle::Color) -> Color {
    match colour {
        anstyle::Color::Ansi(named) => Color::Indexed(named as u8),
        anstyle::Color::Ansi256(indexed) => Color::Indexed(indexed.0),
        anstyle::Color::Rgb(rgb) => Color::Rgb(rgb.0, rgb.1, rgb.2),
    }
}

fn side_colour(player: &film::Player) -> Color {
    color(picture::side_colour(player.side))
}

/// Draws the list of moves, and below it captions that found no room elsewhere.
fn draw_moves(
    frame: &mut Frame<'_>,
    area: Rect,
    screen: &Screen,
    film: &Film,
    look: Look,
    captions: &[String],
) {
    let block = Block::new().borders(Borders::TOP | Borders::LEFT).border_style(DIM);
    let inside = block.inner(area);
    let title = Span::styled(" moves ", DIM);
    let position = Span::styled(format!(" {} of {} ", screen.ply, film.last()), BOLD);
    frame.render_widget(block.title_top(title).title_top(Line::from(position).right_aligned()), area);
    let below = u16::try_from(captions.len()).unwrap_or(u16::MAX).min(inside.height / 2);
    let [inside, beside] = Layout::vertical([Constraint::Min(1), Constraint::Length(below)]).areas(inside);
    let captions: Vec<Line<'_>> = captions.iter().map(|text| Line::from(format!(" {text}"))).collect();
    frame.render_widget(Text::from(captions), beside);
    let rows = rows(film);
    let current = rows.iter().position(|row| row.contains(&screen.ply)).unwrap_or(0);
    let height = usize::from(inside.height);
    let first = current.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
    let lines: Vec<Line<'_>> = rows[first..]
        .iter()
        .take(height)
        .enumerate()
        .map(|(index, row)| move_row(screen, film, first + index, row, look))
        .collect();
    frame.render_widget(Text::from(lines), inside);
}

/// Whether both moves of a round stand in one row of the list.
fn has_rounds(film: &Film) -> bool {
    let is_short = |played: &film::Played| played.text.len() <= SHORT_MOVE;
    film.seats.seats() == 2 && film.frames.iter().filter_map(|frame| frame.played.as_ref()).all(is_short)
}

/// The plies that stand in one row of the list.
fn rows(film: &Film) -> Vec<Vec<usize>> {
    let has_rounds = has_rounds(film);
    let mut rows: Vec<Vec<usize>> = vec![vec![0]];
    for (ply, frame) in film.frames.iter().enumerate().skip(1) {
        let second = frame.played.as_ref().is_some_and(|played| played.seat == Seat::SECOND);
        match rows.last_mut() {
            Some(row) if has_rounds && second && row != &[0] && row.len() == 1 => row.push(ply),
            _ => rows.push(vec![ply]),
        }
    }
    rows
}

fn move_row(screen: &Screen, film: &Film, number: usize, row: &[usize], look: Look) -> Line<'static> {
    let styled = |ply: usize, text: String, seat: Option<Seat>| {
        let style = match seat.and_then(|seat| film.seats.get(seat)) {
            _ if ply == screen.ply => CURRENT,
            Some(player) if look == Look::Coloured => Style::new().fg(side_colour(player)),
            _ => Style::new(),
        };
        Span::styled(text, style)
    };
    let Some(first) = row.first().copied().filter(|ply| *ply > 0) else {
        return Line::from(vec![Span::raw("      "), styled(0, " start ".to_owned(), None)]);
    };
    let mut spans = vec![Span::styled(format!("{number:>4}. "), DIM)];
    let opens_second = film.frames[first].played.as_ref().is_some_and(|played| played.seat != Seat::FIRST);
    let has_rounds = has_rounds(film);
    if has_rounds && opens_second {
        spans.push(Span::styled(format!("{:<15}", " …"), DIM));
    }
    for ply in row {
        let Some(played) = &film.frames[*ply].played else { continue };
        let text = if played.kind == PlayedKind::Out { "out" } else { &played.text };
        let text = match has_rounds {
            true => format!("{text:<5}"),
            // One move a row, with the seat that made it.
            false => format!("{} {text:<20}", played.seat),
        };
        let used = match played.kind {
            PlayedKind::Opening => "opening".to_owned(),
            _ => played.time.map_or_else(String::new, time),
        };
        spans.push(styled(*ply, format!(" {text}{used:>8} "), Some(played.seat)));
    }
    Line::from(spans)
}

/// How many rows the news take: the move, how the game ended, what was said
/// with the last move. The same in all of a game, so that the board stays where it is.
fn rows_of_news(film: &Film, width: u16) -> u16 {
    let said = film.frames[film.last()].played.as_ref().and_then(|played| played.said.as_ref());
    let columns = usize::from(width.saturating_sub(2)).max(1);
    // Words that go to the next line leave room behind them.
    let verdict = film.verdict.chars().count() * 11 / 10;
    let rows = 1 + verdict.div_ceil(columns) + usize::from(said.is_some());
    u16::try_from(rows).unwrap_or(5).clamp(3, 5)
}

fn draw_news(frame: &mut Frame<'_>, area: Rect, screen: &Screen, film: &Film) {
    let block = Block::new().borders(Borders::TOP).border_style(DIM);
    let inside = block.inner(area).inner(margin(1));
    frame.render_widget(block, area);
    let shot = &film.frames[screen.ply];
    let headline = match &shot.played {
        None => match shot.to_move {
            Some(seat) => format!("start: {} moves first", film.seats[seat].name),
            None => "start".to_owned(),
        },
        Some(played) => print::headline(film, screen.ply, played),
    };
    let mut lines = vec![Line::from(headline)];
    if let Some(clocks) = &shot.clocks {
        let left: Vec<String> =
            clocks.iter().map(|(seat, left)| format!("{} {}", film.seats[seat].name, time(*left))).collect();
        lines[0].push_span(Span::styled(format!("   clocks: {}", left.join(", ")), DIM));
    }
    let said =
        shot.played.as_ref().and_then(|played| played.said.as_ref()).map(print::said).unwrap_or_default();
    if screen.ply == film.last() {
        let (text, more) = match &film.broken {
            Some(broken) => (format!("{broken}; the record is not true"), ""),
            None if screen.has_faults() => (film.verdict.clone(), "  (e: evidence)"),
            None => (film.verdict.clone(), ""),
        };
        lines.push(Line::from(vec![Span::styled(text, BOLD), Span::styled(more, DIM)]));
    }
    if !said.is_empty() {
        lines.push(Line::styled(format!("said: {said}"), DIM));
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), inside);
}

fn draw_keys(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let line = match &screen.typed {
        Some(typed) => Line::from(vec![
            Span::raw(format!(" go to ply: {typed}_")),
            Span::styled(format!("   0 to {}, Enter goes, Esc stays", screen.last()), DIM),
        ]),
        None => {
            let games = if screen.games > 1 { "  n/p game" } else { "" };
            let play = match screen.playback {
                Playback::Stopped => "Space play",
                Playback::Playing => "Space stop",
            };
            let speed = if screen.speed() > 1 { format!(" {}x", screen.speed()) } else { String::new() };
            Line::styled(
                format!(" ←/→ step  Home/End  {play}{speed}  g ply{games}  f turn  ? keys  q leave"),
                DIM,
            )
        }
    };
    frame.render_widget(line, area);
}

const KEYS: &[(&str, &str)] = &[
    ("← →", "a ply back, a ply on"),
    ("PgUp PgDn", "ten plies back, ten on"),
    ("Home End", "first position, last position"),
    ("Space", "play or stop"),
    ("s", "speed of play: 1, 2, 5, 10 times"),
    ("g, digits", "go to a ply by its number, Enter"),
    ("n p", "next game, previous game"),
    ("f", "turn the board"),
    ("e", "evidence of what went wrong"),
    ("? ", "these keys"),
    ("q Esc", "leave"),
];

fn draw_popup(frame: &mut Frame<'_>, screen: &Screen, popup: Popup) {
    let (title, lines): (_, Vec<Line<'_>>) = match popup {
        Popup::Keys => {
            (" keys ", KEYS.iter().map(|(key, what)| Line::from(format!("{key:>10}  {what}"))).collect())
        }
        Popup::Faults => (" what went wrong ", screen.film.as_ref().map_or_else(|_| Vec::new(), evidence)),
    };
    let room = frame.area();
    let width = room.width.saturating_sub(6).min(if popup == Popup::Keys { 52 } else { 76 });
    // Words that go to the next line may need a row more than their letters do.
    let columns = usize::from(width.saturating_sub(4)).max(1);
    let rows_of = |line: &Line<'_>| match line.width().div_ceil(columns) {
        0 | 1 => 1,
        more => more + 1,
    };
    let rows: usize = lines.iter().map(rows_of).sum();
    let text = Paragraph::new(lines).wrap(Wrap { trim: false });
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(room.height.saturating_sub(2));
    let area =
        Rect { x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height };
    let close = Line::from(" any key closes ").right_aligned();
    let block = Block::bordered().border_type(BorderType::Rounded).title_top(title).title_bottom(close);
    let inside = block.inner(area).inner(margin(1));
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    frame.render_widget(text, inside);
}

fn evidence(film: &Film) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for fault in &film.faults {
        lines.push(Line::styled(fault.sentence.clone(), BOLD));
        let legal = if fault.legal.is_empty() { Vec::new() } else { vec![fault.legal.join(" ")] };
        for (what, texts) in [
            ("legal were", &legal),
            ("it printed", &fault.stray_lines),
            ("its stderr ended with", &fault.stderr_tail),
        ] {
            if !texts.is_empty() {
                lines.push(Line::styled(format!("{what}:"), DIM));
                // The end of an output says what went wrong.
                let from = texts.len().saturating_sub(8);
                lines.extend(texts[from..].iter().map(|text| Line::from(format!("  {text}"))));
            }
        }
    }
    lines
}
