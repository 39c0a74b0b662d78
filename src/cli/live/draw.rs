//! The view as a pure function of the state.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::model::{Elo, Elos, EndedGame, LiveStep, Model, Running};
use super::words::{NAME_BYTES, in_short};
use crate::league::session::Points;
use crate::record::text::printable;
use crate::report::describe::grouped;
use crate::report::truncate;

/// Minimum number of lines above the view, so that the last message stays visible.
const LINES_ABOVE: u16 = 1;

/// Inverse of the fraction of a higher terminal that stays above the view.
const SHARE_ABOVE: u16 = 4;

/// Minimum number of lines for headings of the parts.
const HEADINGS_FROM: u16 = 12;

/// Minimum width in columns for the full standings.
const WIDE: u16 = 64;

/// Maximum number of results that are shown.
const LAST: usize = 8;

/// Maximum number of lines of a result, and the indent of those after the first.
const MAX_LINES: usize = 3;
const INDENT: usize = 2;

/// Minimum length to which names are cut to make room for a result.
const SHORTEST_NAME: usize = 10;

/// Minimum length to which a game's id is cut to make room for its status.
const SHORTEST_ID: usize = 10;

/// Minimum length to which names are cut in text that must fit on one line.
const SHORTEST_IN_A_LINE: usize = 8;

/// Maximum number of lines of a test if there is little room.
const TEST_LINES: usize = 2;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum KeyInput {
    Read,
    Ignored,
}

const HEADING: Style = Style::new().add_modifier(Modifier::DIM);
const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
const BAR: Style = Style::new().fg(Color::Cyan);
const FAULT: Style = Style::new().fg(Color::Red);
const WARNING: Style = Style::new().fg(Color::Yellow);
const PLAIN: Style = Style::new();

type StyledLine = Vec<(String, Style)>;

/// Draws the view for a terminal of this number of columns and lines.
pub(super) fn draw(model: &Model, (columns, rows): (u16, u16), keys: KeyInput) -> Buffer {
    // The last column stays empty: some terminals wrap when it is filled.
    let width = columns.saturating_sub(1).max(1);
    let height = match rows {
        0..=15 => rows.saturating_sub(LINES_ABOVE),
        _ => rows - rows / SHARE_ABOVE,
    };
    paint(lines(model, width, height.max(1), keys), width, height.max(1))
}

/// Draws the progress of work other than a run of games, in one line.
pub(super) fn draw_step(step: &LiveStep, elapsed: Duration, (columns, _): (u16, u16)) -> Buffer {
    let width = columns.saturating_sub(1).max(1);
    let left = step.left(elapsed).map(|left| format!("{} to go", in_short(left)));
    let elapsed = format!("{} elapsed", in_short(elapsed));
    let line = bar_line(step.share(), step.words.clone(), [left, Some(elapsed)], width);
    paint(vec![line], width, 1)
}

fn paint(lines: Vec<StyledLine>, width: u16, max_height: u16) -> Buffer {
    let height = u16::try_from(lines.len()).unwrap_or(max_height).min(max_height);
    let mut view = Buffer::empty(Rect::new(0, 0, width, height));
    for (y, line) in (0..height).zip(lines) {
        let mut x = 0;
        for (text, style) in line {
            let room = usize::from(width.saturating_sub(x));
            if room > 0 {
                (x, _) = view.set_stringn(x, y, truncate::line(&text, room), room, style);
            }
        }
    }
    view
}

fn lines(model: &Model, width: u16, max_height: u16, keys: KeyInput) -> Vec<StyledLine> {
    let max_height = usize::from(max_height);
    let mut lines = vec![progress(model, width)];
    let mut end = Vec::new();
    if let Some(how) = model.stopping {
        end.push(plain(how, WARNING));
    } else if max_height >= 6 {
        end.push(plain(hint(width, keys), HEADING));
    }
    if let Some(faults) = model.faults_in_words() {
        lines.push(plain(names_cut(faults, width, model), FAULT));
    }
    let has_headings = max_height >= usize::from(HEADINGS_FROM);
    let workers_heading = model.workers.heading(width).filter(|_| has_headings);
    if workers_heading.is_none() {
        lines.extend(model.workers.in_words().map(|workers| plain(workers, PLAIN)));
    }
    let test = &model.standing.test;
    let test_lines = if has_headings { test.len() } else { test.len().min(TEST_LINES) };
    lines.extend(test[..test_lines].iter().map(|line| plain(line, PLAIN)));
    if test.is_empty() && model.standing.rows.len() == 2 && max_height > 1 {
        lines.push(plain(names_cut(model.standing.summary.clone(), width, model), PLAIN));
    }
    let room = max_height.saturating_sub(lines.len() + end.len());
    let running: Vec<_> = model.running.iter().flatten().collect();
    // A test shows its state instead of standings.
    let standings = if test.is_empty() { model.standing.rows.len() } else { 0 };
    let results: Vec<Vec<String>> =
        model.last.iter().take(LAST).map(|ended| ended_lines(width, ended)).collect();
    let workers = if workers_heading.is_some() { model.workers.len() } else { 0 };
    let wanted = [standings, workers, running.len(), results.iter().map(Vec::len).sum()];
    let [standings, workers, playing, last] = shares(room, wanted, usize::from(has_headings));
    if standings > 0 {
        if has_headings {
            lines.push(standings_heading(width, model));
        }
        let rows = model.ranked();
        let (shown, more) = shown(rows.len(), standings);
        lines.extend(standings_rows(width, &rows[..shown], &model.elos));
        lines.extend(more.map(|more| and_more(more, "bots")));
    }
    lines.extend(workers_lines(width, model, workers_heading.filter(|_| workers > 0), workers));
    if playing > 0 {
        if has_headings {
            lines.push(plain("running games", HEADING));
        }
        let (shown, more) = shown(running.len(), playing);
        lines.extend(running[..shown].iter().map(|game| running_line(width, game)));
        lines.extend(more.map(|more| and_more(more, "games")));
    }
    if last > 0 {
        if has_headings {
            lines.push(plain("last results", HEADING));
        }
        lines.extend(last_results(&results, last).into_iter().map(|line| plain(line, PLAIN)));
    }
    lines.truncate(max_height.saturating_sub(end.len()).max(1));
    lines.extend(end);
    lines
}

/// The table of workers on at most `lines` lines, without the heading.
fn workers_lines(width: u16, model: &Model, heading: Option<String>, lines: usize) -> Vec<StyledLine> {
    let Some(heading) = heading else { return Vec::new() };
    let rows = model.workers.rows(width);
    let (shown, more) = shown(rows.len(), lines);
    let rows = rows.into_iter().take(shown).map(|row| plain(row, PLAIN));
    let all = std::iter::once(plain(heading, HEADING)).chain(rows);
    all.chain(more.map(|more| and_more(more, "workers"))).collect()
}

/// The results that fit as a whole on a number of lines; if none fits, the beginning of the first.
fn last_results(results: &[Vec<String>], lines: usize) -> Vec<&str> {
    let mut shown: Vec<&str> = Vec::new();
    for result in results {
        if !shown.is_empty() && shown.len() + result.len() > lines {
            break;
        }
        shown.extend(result.iter().map(String::as_str));
    }
    shown.truncate(lines);
    shown
}

/// A line in which names of participants are cut if it would not fit.
fn names_cut(text: String, width: u16, model: &Model) -> String {
    let rows = model.standing.rows.iter().map(|row| printable(&row.name, NAME_BYTES));
    let names: Vec<String> = rows.filter(|name| text.contains(name.as_str())).collect();
    let [cut] = with_short_names([&text], &names, (usize::from(width), SHORTEST_IN_A_LINE));
    cut
}

fn plain(text: impl Into<String>, style: Style) -> StyledLine {
    vec![(text.into(), style)]
}

fn hint(width: u16, keys: KeyInput) -> &'static str {
    match (keys, width) {
        (KeyInput::Read, 60..) => "t: state of each game   Ctrl-C: stop after the running games",
        (KeyInput::Read, _) => "t: state of games  Ctrl-C: stop",
        (KeyInput::Ignored, _) => "Ctrl-C: stop after the running games",
    }
}

/// The bar and the progress, then the elapsed time and the rate if they fit.
fn progress(model: &Model, width: u16) -> StyledLine {
    let elapsed = Some(format!("{} elapsed", in_short(model.elapsed)));
    let more = [model.left_in_words(), elapsed, model.rate_in_words()];
    bar_line(model.share(), model.so_far(), more, width)
}

fn bar_line<const MORE: usize>(
    share: Option<f64>,
    so_far: String,
    more: [Option<String>; MORE],
    width: u16,
) -> StyledLine {
    let width = usize::from(width);
    let bar = (width / 5).clamp(4, 30);
    let mut line = Vec::new();
    if let Some(share) = share {
        let full = ((bar as f64 * share.clamp(0.0, 1.0)) as usize).min(bar);
        let head = usize::from(full < bar);
        line.push((format!("{}{}", "━".repeat(full), "╸".repeat(head)), BAR));
        line.push((format!("{} ", "─".repeat(bar - full - head)), HEADING));
    }
    line.push((so_far, STRONG));
    let taken = |line: &StyledLine| line.iter().map(|(text, _)| Span::raw(text).width()).sum::<usize>();
    for text in more.into_iter().flatten() {
        let text = format!(", {text}");
        if taken(&line) + text.len() <= width {
            line.push((text, PLAIN));
        }
    }
    line
}

/// Divides `room` lines among the parts. A part that gets any lines also needs `heading` lines.
fn shares(room: usize, wanted: [usize; 4], heading: usize) -> [usize; 4] {
    let mut given = [0; 4];
    let mut left = room;
    loop {
        let mut gave = false;
        for (given, wanted) in given.iter_mut().zip(wanted) {
            let cost = if *given == 0 { 1 + heading } else { 1 };
            if *given < wanted && cost <= left {
                *given += 1;
                left -= cost;
                gave = true;
            }
        }
        if !gave {
            return given;
        }
    }
}

/// Number of entries shown on a number of lines, and the number of the others if it is shown.
fn shown(all: usize, lines: usize) -> (usize, Option<usize>) {
    if all <= lines {
        return (all, None);
    }
    // From two lines on, the last one has the number of the others.
    match lines {
        1 => (1, None),
        _ => (lines - 1, Some(all - lines + 1)),
    }
}

fn and_more(more: usize, what: &str) -> StyledLine {
    plain(format!("and {more} more {what}"), HEADING)
}

fn name_width(width: u16) -> usize {
    let others = if width >= WIDE { 54 } else { 21 };
    usize::from(width).saturating_sub(others).clamp(6, 40)
}

fn standings_heading(width: u16, model: &Model) -> StyledLine {
    let name = name_width(width);
    // Ratings take a while, so they may be older than the points.
    let elos = &model.elos;
    let is_old = !elos.by_name.is_empty() && elos.after != model.standing.done;
    let after = if is_old { format!(" after {}", grouped(elos.after)) } else { String::new() };
    let more = if width >= WIDE { format!("{:>8}{:>8}  95 %{after}", "score", "Elo") } else { String::new() };
    plain(format!("{:>4}  {:name$}{:>8}{:>7}{more}", "#", "bot", "points", "games"), HEADING)
}

/// The rows of the standings, the best first.
fn standings_rows(width: u16, rows: &[&Points], elos: &Elos) -> Vec<StyledLine> {
    let room = name_width(width);
    let names: Vec<String> = rows.iter().map(|row| printable(&row.name, NAME_BYTES)).collect();
    // One column stays empty after the names.
    let short = truncate::names(&names, room.saturating_sub(1));
    let row = |(index, (row, name)): (usize, (&&Points, String))| {
        let space = " ".repeat(room.saturating_sub(truncate::columns(&name)));
        let mut line = vec![(format!("{:>4}  ", index + 1), PLAIN), (name, STRONG)];
        line.push((format!("{space}{:>8.1}{:>7}", row.points, row.games), PLAIN));
        if width >= WIDE && row.games > 0 {
            line.push((format!("{:>8.3}", row.points / row.games as f64), PLAIN));
            line.extend(elos.by_name.get(&row.name).into_iter().flat_map(rating));
        }
        line
    };
    rows.iter().zip(short).enumerate().map(row).collect()
}

fn rating(Elo { elo, interval }: &Elo) -> [(String, Style); 2] {
    let interval = interval.map_or_else(String::new, |[low, high]| match (low, high) {
        (f64::NEG_INFINITY, f64::INFINITY) => String::new(),
        (low, f64::INFINITY) => format!("  > {low:.0}"),
        (f64::NEG_INFINITY, high) => format!("  < {high:.0}"),
        (low, high) => format!("  {low:.0}..{high:.0}"),
    });
    [(format!("{elo:>8.0}"), PLAIN), (interval, HEADING)]
}

fn running_line(width: u16, game: &Running) -> StyledLine {
    let ply = game.status.as_ref().map_or_else(String::new, |status| format!("  ply {}", status.plies + 1));
    let doing = format!("  {}", game.in_short());
    let room = usize::from(width).saturating_sub(truncate::columns(&ply));
    let names = game.entrants.iter().chain(&game.bots);
    let [id, short] = with_short_names([&game.id, &doing], names, (room, SHORTEST_IN_A_LINE));
    if truncate::columns(&id) + truncate::columns(&short) <= room {
        return vec![(id, PLAIN), (ply, HEADING), (short, PLAIN)];
    }
    // The status matters more than the middle of the id and the ply.
    let min_id = SHORTEST_ID.min(truncate::columns(&game.id));
    for (ply, room) in [(ply, room), (String::new(), usize::from(width))] {
        let beside = room.saturating_sub(min_id);
        let [doing] = with_short_names([&doing], &game.bots, (beside, SHORTEST_IN_A_LINE));
        let taken = truncate::columns(&doing);
        if taken <= beside || ply.is_empty() {
            let id = truncate::names(&[&game.id], room.saturating_sub(taken).max(min_id)).swap_remove(0);
            return vec![(id, PLAIN), (ply, HEADING), (doing, PLAIN)];
        }
    }
    Vec::new()
}

fn ended_lines(width: u16, ended: &EndedGame) -> Vec<String> {
    let width = usize::from(width);
    let sentence = format!(": {}", ended.sentence);
    let [id, sentence] = with_short_names([&ended.id, &sentence], &ended.names, (width, SHORTEST_NAME));
    let mut lines = truncate::wrapped(&format!("{id}{sentence}"), width, INDENT);
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        if let Some(last) = lines.last_mut() {
            *last = truncate::line(&format!("{last} …"), width);
        }
    }
    lines
}

/// Cuts the names in texts until the texts fit, but not below the minimum length.
fn with_short_names<'n, const TEXTS: usize>(
    texts: [&str; TEXTS],
    names: impl IntoIterator<Item = &'n String>,
    (room, min_length): (usize, usize),
) -> [String; TEXTS] {
    let mut names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    names.sort_unstable_by_key(|name| (std::cmp::Reverse(name.len()), *name));
    names.dedup();
    let longest = names.first().map_or(0, |name| truncate::columns(name));
    let with_names = |max_length: usize| {
        let short = truncate::names(&names, max_length);
        texts.map(|text| replaced(text, &names, &short))
    };
    let fits =
        |texts: &[String; TEXTS]| texts.iter().map(|text| truncate::columns(text)).sum::<usize>() <= room;
    let min_length = min_length.min(longest);
    (min_length..=longest).rev().map(with_names).find(fits).unwrap_or_else(|| with_names(min_length))
}

/// Replaces names in a text, longer ones first.
fn replaced(text: &str, names: &[&str], others: &[String]) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    let mut is_in_word = false;
    while let Some(symbol) = rest.chars().next() {
        let is_here = |name: &&str| !name.is_empty() && rest.starts_with(*name);
        let found = if is_in_word { None } else { names.iter().position(is_here) };
        let taken = match found {
            Some(index) => {
                replaced.push_str(&others[index]);
                names[index].len()
            }
            None => {
                replaced.push(symbol);
                symbol.len_utf8()
            }
        };
        is_in_word = rest[..taken].ends_with(char::is_alphanumeric);
        rest = &rest[taken..];
    }
    replaced
}
