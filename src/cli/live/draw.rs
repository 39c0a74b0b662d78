//! The view as a pure function of the state.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::model::{Elo, Elos, EndedGame, LiveStep, Model, Running};
use super::text::{NAME_BYTES, in_short};
use crate::league::session::Points;
use crate::record::text::printable;
use crate::report::describe::grouped;
use crate::report::truncate;

/// Minimum number of lines above the view, so that the last message stays visible.
const LINES_ABOVE: u16 = 1;

/// Inverse of the fraction of a higher terminal that stays above the view.
const SHARE_ABOVE: u16 = 4;

/// Minimum number of lines at which the parts have headings.
const HEADINGS_FROM: u16 = 12;

/// Minimum number of columns at which all columns of the standings are shown.
const WIDE: u16 = 64;

/// Maximum number of results that are shown.
const LAST: usize = 8;

/// Maximum number of lines of a result, and the indent of those after the first.
const MOST_LINES: usize = 3;
const INDENT: usize = 2;

/// Minimum length to which names are cut to make room for a message.
const SHORTEST_NAME: usize = 10;

/// Minimum length to which a game's id is cut to make room for its status.
const SHORTEST_ID: usize = 10;

/// The same in a line that can't be continued.
const SHORTEST_IN_A_LINE: usize = 8;

/// Maximum number of lines of a test if there is little room.
const TEST_LINES: usize = 2;

/// The state of the keyboard.
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
type StyledLine = Vec<(String, Style)>;

/// Draws the view for a terminal of this number of columns and lines.
pub(super) fn draw(model: &Model, (columns, rows): (u16, u16), keys: Keys) -> Buffer {
    // The last column stays free: some terminals wrap when it is filled.
    let width = columns.saturating_sub(1).max(1);
    let most = match rows {
        0..=15 => rows.saturating_sub(LINES_ABOVE),
        _ => rows - rows / SHARE_ABOVE,
    };
    paint(lines(model, width, most.max(1), keys), width, most.max(1))
}

/// Draws the progress of work other than a run of games, in one line.
pub(super) fn draw_step(step: &LiveStep, elapsed: Duration, (columns, _): (u16, u16)) -> Buffer {
    let width = columns.saturating_sub(1).max(1);
    let left = step.left(elapsed).map(|left| format!("{} to go", in_short(left)));
    let gone = format!("{} elapsed", in_short(elapsed));
    let line = bar_line(step.share(), step.words.clone(), [left, Some(gone)], width);
    paint(vec![line], width, 1)
}

fn paint(lines: Vec<StyledLine>, width: u16, most: u16) -> Buffer {
    let height = u16::try_from(lines.len()).unwrap_or(most).min(most);
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

fn lines(model: &Model, width: u16, most: u16, keys: Keys) -> Vec<StyledLine> {
    let most = usize::from(most);
    let mut lines = vec![progress(model, width)];
    let mut end = Vec::new();
    if let Some(how) = model.stopping {
        end.push(plain(how, WARNING));
    } else if most >= 6 {
        end.push(plain(hint(width, keys), HEADING));
    }
    if let Some(faults) = model.faults_in_words() {
        lines.push(plain(names_cut(faults, width, model), FAULT));
    }
    let has_headings = most >= usize::from(HEADINGS_FROM);
    let workers_heading = model.workers.heading(width).filter(|_| has_headings);
    if workers_heading.is_none() {
        lines.extend(model.workers.in_words().map(|workers| plain(workers, PLAIN)));
    }
    let test = &model.standing.test;
    let test_lines = if has_headings { test.len() } else { test.len().min(TEST_LINES) };
    lines.extend(test[..test_lines].iter().map(|line| plain(line, PLAIN)));
    if test.is_empty() && model.standing.rows.len() == 2 && most > 1 {
        lines.push(plain(names_cut(model.standing.word.clone(), width, model), PLAIN));
    }
    let room = most.saturating_sub(lines.len() + end.len());
    let running: Vec<_> = model.running.iter().flatten().collect();
    // A test shows its own state.
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
    lines.truncate(most.saturating_sub(end.len()).max(1));
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

/// As many whole results as fit on a number of lines; if not even one fits, its beginning.
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

/// A line in which the names of participants are as short as necessary.
fn names_cut(text: String, width: u16, model: &Model) -> String {
    let rows = model.standing.rows.iter().map(|row| printable(&row.name, NAME_BYTES));
    let names: Vec<String> = rows.filter(|name| text.contains(name.as_str())).collect();
    let [cut] = with_short_names([&text], &names, (usize::from(width), SHORTEST_IN_A_LINE));
    cut
}

fn plain(text: impl Into<String>, style: Style) -> StyledLine {
    vec![(text.into(), style)]
}

fn hint(width: u16, keys: Keys) -> &'static str {
    match (keys, width) {
        (Keys::Heard, 60..) => "t: state of each game   Ctrl-C: stop after the running games",
        (Keys::Heard, _) => "t: state of games  Ctrl-C: stop",
        (Keys::Unheard, _) => "Ctrl-C: stop after the running games",
    }
}

/// The bar, the progress, and as much of the rest as fits.
fn progress(model: &Model, width: u16) -> StyledLine {
    let gone = Some(format!("{} elapsed", in_short(model.elapsed)));
    let more = [model.left_in_words(), gone, model.rate_in_words()];
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

/// Number of lines that each part gets of `room`. A part that gets any needs `heading` more.
fn shares(room: usize, wanted: [usize; 4], heading: usize) -> [usize; 4] {
    let mut given = [0; 4];
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

/// Number of entries that fit on a number of lines, and of those that don't.
fn shown(all: usize, lines: usize) -> (usize, Option<usize>) {
    if all <= lines {
        return (all, None);
    }
    // If there is a line to spare, the last one has the number of the others.
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
    // Points are current; ratings take a while.
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
    // A column stays free after them.
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

/// A game in progress, in one line.
fn running_line(width: u16, game: &Running) -> StyledLine {
    let ply = game.plies().map_or_else(String::new, |plies| format!("  ply {}", plies + 1));
    let doing = format!("  {}", game.in_short());
    let room = usize::from(width).saturating_sub(truncate::columns(&ply));
    let names = game.entrants.iter().chain(&game.bots);
    let [id, short] = with_short_names([&game.id, &doing], names, (room, SHORTEST_IN_A_LINE));
    if truncate::columns(&id) + truncate::columns(&short) <= room {
        return vec![(id, PLAIN), (ply, HEADING), (short, PLAIN)];
    }
    // Its status is worth more than the middle of its id, and than its ply.
    let least = SHORTEST_ID.min(truncate::columns(&game.id));
    for (ply, room) in [(ply, room), (String::new(), usize::from(width))] {
        let beside = room.saturating_sub(least);
        let [doing] = with_short_names([&doing], &game.bots, (beside, SHORTEST_IN_A_LINE));
        let taken = truncate::columns(&doing);
        if taken <= beside || ply.is_empty() {
            let id = truncate::names(&[&game.id], room.saturating_sub(taken).max(least)).swap_remove(0);
            return vec![(id, PLAIN), (ply, HEADING), (doing, PLAIN)];
        }
    }
    Vec::new()
}

/// The lines on a finished game.
fn ended_lines(width: u16, ended: &EndedGame) -> Vec<String> {
    let width = usize::from(width);
    let said = format!(": {}", ended.sentence);
    let [id, said] = with_short_names([&ended.id, &said], &ended.names, (width, SHORTEST_NAME));
    let mut lines = truncate::wrapped(&format!("{id}{said}"), width, INDENT);
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            *last = truncate::line(&format!("{last} …"), width);
        }
    }
    lines
}

/// Texts with names as short as necessary so that everything fits; if that is impossible, with names of
/// minimum length.
fn with_short_names<'n, const TEXTS: usize>(
    texts: [&str; TEXTS],
    names: impl IntoIterator<Item = &'n String>,
    (room, least): (usize, usize),
) -> [String; TEXTS] {
    let mut names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    names.sort_unstable_by_key(|name| (std::cmp::Reverse(name.len()), *name));
    names.dedup();
    let longest = names.first().map_or(0, |name| truncate::columns(name));
    let with_names = |most: usize| {
        let short = truncate::names(&names, most);
        texts.map(|text| replaced(text, &names, &short))
    };
    let fits =
        |texts: &[String; TEXTS]| texts.iter().map(|text| truncate::columns(text)).sum::<usize>() <= room;
    let least = least.min(longest);
    (least..=longest).rev().map(with_names).find(fits).unwrap_or_else(|| with_names(least))
}

/// A text with other names in it; longer names are replaced first.
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
