//! The view: pure, from what is known to what is seen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::model::{Elo, Model, in_short};

/// How many lines less than the terminal the view has at least: what was said
/// last is to be seen, too.
const LINES_ABOVE: u16 = 1;

/// In a higher terminal the view leaves this part of it.
const SHARE_ABOVE: u16 = 4;

/// From how many lines on the parts have headings.
const HEADINGS_FROM: u16 = 12;

/// From how many columns on all columns of the standings are shown.
const WIDE: u16 = 64;

/// How many of the last results are shown at most.
const LAST: usize = 8;

/// How many lines a test has at most where there is little room.
const TEST_LINES: usize = 2;

/// Whether keys are heard.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Keys {
    Heard,
    Unheard,
}

const HEADING: Style = Style::new().add_modifier(Modifier::DIM);
const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
const BAR: Style = Style::new().fg(Color::Cyan);
const FAULT: Style = Style::new().fg(Color::Red);
const WARNING: Style = Style::new().fg(Color::Yellow);
const PLAIN: Style = Style::new();

/// A line of pieces.
type Line = Vec<(String, Style)>;

/// Draws the view for a terminal of so many columns and lines.
pub(super) fn draw(model: &Model, (columns, rows): (u16, u16), keys: Keys) -> Buffer {
    // The last column stays free: some terminals go on in the next line when it is filled.
    let width = columns.saturating_sub(1).max(1);
    let most = match rows {
        0..=15 => rows.saturating_sub(LINES_ABOVE),
        _ => rows - rows / SHARE_ABOVE,
    };
    let lines = lines(model, width, most.max(1), keys);
    let height = u16::try_from(lines.len()).unwrap_or(most).min(most.max(1));
    let mut view = Buffer::empty(Rect::new(0, 0, width, height));
    for (y, line) in (0..height).zip(lines) {
        let mut x = 0;
        for (text, style) in line {
            (x, _) = view.set_stringn(x, y, text, usize::from(width.saturating_sub(x)), style);
        }
    }
    view
}

fn lines(model: &Model, width: u16, most: u16, keys: Keys) -> Vec<Line> {
    let most = usize::from(most);
    let mut lines = vec![progress(model, width)];
    let mut end = Vec::new();
    if let Some(how) = model.stopping {
        end.push(plain(how, WARNING));
    } else if most >= 6 {
        end.push(plain(hint(width, keys), HEADING));
    }
    if let Some(faults) = model.faults_in_words() {
        lines.push(plain(faults, FAULT));
    }
    let has_headings = most >= usize::from(HEADINGS_FROM);
    let test = &model.standing.test;
    let test_lines = if has_headings { test.len() } else { test.len().min(TEST_LINES) };
    lines.extend(test[..test_lines].iter().map(|line| plain(line, PLAIN)));
    if test.is_empty() && model.standing.rows.len() == 2 && most > 1 {
        lines.push(plain(&model.standing.word, PLAIN));
    }
    let room = most.saturating_sub(lines.len() + end.len());
    let running: Vec<_> = model.running.iter().flatten().collect();
    // A test says itself how it stands.
    let standings = if test.is_empty() { model.standing.rows.len() } else { 0 };
    let wanted = [standings, running.len(), model.last.len().min(LAST)];
    let [standings, playing, last] = shares(room, wanted, usize::from(has_headings));
    if standings > 0 {
        if has_headings {
            lines.push(standings_heading(width));
        }
        let rows = &model.standing.rows;
        let (shown, more) = shown(rows.len(), standings);
        for (index, row) in rows[..shown].iter().enumerate() {
            lines.push(standings_row(width, index + 1, row, model.elos.get(&row.name)));
        }
        lines.extend(more.map(|more| and_more(more, "bots")));
    }
    if playing > 0 {
        if has_headings {
            lines.push(plain("games being played", HEADING));
        }
        let (shown, more) = shown(running.len(), playing);
        for game in &running[..shown] {
            let ply = game.plies().map_or_else(String::new, |plies| format!("  ply {}", plies + 1));
            lines.push(vec![
                (game.id.clone(), PLAIN),
                (ply, HEADING),
                (format!("  {}", game.in_short()), PLAIN),
            ]);
        }
        lines.extend(more.map(|more| and_more(more, "games")));
    }
    if last > 0 {
        if has_headings {
            lines.push(plain("last results", HEADING));
        }
        lines.extend(model.last.iter().take(last).map(|sentence| plain(sentence, PLAIN)));
    }
    lines.truncate(most.saturating_sub(end.len()).max(1));
    lines.extend(end);
    lines
}

fn plain(text: impl Into<String>, style: Style) -> Line {
    vec![(text.into(), style)]
}

fn hint(width: u16, keys: Keys) -> &'static str {
    match (keys, width) {
        (Keys::Heard, 60..) => "t: what every game does   Ctrl-C: stop after the running games",
        (Keys::Heard, _) => "t: what games do  Ctrl-C: stop",
        (Keys::Unheard, _) => "Ctrl-C: stop after the running games",
    }
}

/// The bar, how far it is, and as much of the rest as there is room for.
fn progress(model: &Model, width: u16) -> Line {
    let width = usize::from(width);
    let bar = (width / 5).clamp(4, 30);
    let mut line = Vec::new();
    if let Some(share) = model.share() {
        let full = ((bar as f64 * share.clamp(0.0, 1.0)) as usize).min(bar);
        let head = usize::from(full < bar);
        line.push((format!("{}{}", "━".repeat(full), "╸".repeat(head)), BAR));
        line.push((format!("{} ", "─".repeat(bar - full - head)), HEADING));
    }
    line.push((model.so_far(), STRONG));
    let taken = |line: &Line| line.iter().map(|(text, _)| Span::raw(text).width()).sum::<usize>();
    let more =
        [model.left_in_words(), Some(format!("{} gone", in_short(model.elapsed))), model.rate_in_words()];
    for text in more.into_iter().flatten() {
        let text = format!(", {text}");
        if taken(&line) + text.len() <= width {
            line.push((text, PLAIN));
        }
    }
    line
}

/// How many lines each part gets of `room`, where a part that gets any needs
/// `heading` more.
fn shares(room: usize, wanted: [usize; 3], heading: usize) -> [usize; 3] {
    let mut given = [0; 3];
    let mut left = room;
    loop {
        let mut gave = false;
        for (own, wanted) in given.iter_mut().zip(wanted) {
            let cost = if *own == 0 { 1 + heading } else { 1 };
            if *own < wanted && cost <= left {
                *own += 1;
                left -= cost;
                gave = true;
            }
        }
        if !gave {
            return given;
        }
    }
}

/// How many of so many are shown on so many lines, and how many are not.
fn shown(all: usize, lines: usize) -> (usize, Option<usize>) {
    if all <= lines {
        return (all, None);
    }
    // The last line says how many there are besides, if there is one to spare.
    match lines {
        1 => (1, None),
        _ => (lines - 1, Some(all - lines + 1)),
    }
}

fn and_more(more: usize, what: &str) -> Line {
    plain(format!("and {more} more {what}"), HEADING)
}

fn name_width(width: u16) -> usize {
    let others = if width >= WIDE { 54 } else { 21 };
    usize::from(width).saturating_sub(others).clamp(6, 40)
}

fn standings_heading(width: u16) -> Line {
    let name = name_width(width);
    let more = if width >= WIDE { format!("{:>8}{:>8}  {}", "score", "Elo", "95 %") } else { String::new() };
    plain(format!("{:>4}  {:name$}{:>8}{:>7}{more}", "#", "bot", "points", "games"), HEADING)
}

fn standings_row(width: u16, number: usize, row: &super::Row, elo: Option<&Elo>) -> Line {
    let name = crate::record::text::printable(&row.name, super::model::NAME_BYTES);
    let mut line = vec![(format!("{number:>4}  "), PLAIN), (fitted(&name, name_width(width)), STRONG)];
    line.push((format!("{:>8.1}{:>7}", row.points, row.games), PLAIN));
    if width >= WIDE && row.games > 0 {
        line.push((format!("{:>6.1} %", 100.0 * row.points / row.games as f64), PLAIN));
        if let Some(Elo { elo, interval }) = elo {
            line.push((format!("{elo:>8.0}"), PLAIN));
            let interval = interval.map_or_else(String::new, |[low, high]| match (low, high) {
                (f64::NEG_INFINITY, f64::INFINITY) => String::new(),
                (low, f64::INFINITY) => format!("  > {low:.0}"),
                (f64::NEG_INFINITY, high) => format!("  < {high:.0}"),
                (low, high) => format!("  {low:.0} to {high:.0}"),
            });
            line.push((interval, HEADING));
        }
    }
    line
}

/// A text in just so many columns.
fn fitted(text: &str, columns: usize) -> String {
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if Span::raw(kept.as_str()).width() > columns.saturating_sub(1) {
            kept.pop();
            break;
        }
    }
    let missing = columns.saturating_sub(Span::raw(kept.as_str()).width());
    kept.push_str(&" ".repeat(missing));
    kept
}
