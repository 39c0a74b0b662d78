//! A game as text: every position with its move, as a table or as JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::super::json::Options;
use crate::record::{SaidRecord, microseconds};
use crate::report::describe::{grouped, time};
use crate::report::picture::terminal;
use crate::report::replay::{FaultNote, Frame, PlayedKind, PlayedMove, Player, Remark, Replay};
use crate::report::table::csv_text;
use crate::seat::Seat;

/// Prints every position, the moves between them, and the end of the game.
pub(super) fn text(replay: &Replay, width: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", title(replay))?;
    let started = replay.started.iter().map(|started| format!("  {started}"));
    writeln!(out, "{}{}", about(replay), started.collect::<String>())?;
    for (ply, frame) in replay.frames.iter().enumerate() {
        writeln!(out)?;
        match &frame.played {
            None => writeln!(out, "start")?,
            Some(played) => {
                writeln!(out, "{}", headline(replay, ply, played))?;
                if let Some(remark) = &played.remark {
                    writeln!(out, "{} {}", remark.sign, remark.text)?;
                }
                if let Some(said) = played.said.as_ref().map(said).filter(|said| !said.is_empty()) {
                    writeln!(out, "said: {said}")?;
                }
            }
        }
        write!(out, "{}", terminal::coloured(&frame.scene, width))?;
        writeln!(out, "{}", frame.token)?;
    }
    writeln!(out)?;
    if replay.broken.is_none() {
        writeln!(out, "{}", replay.verdict)?;
    }
    for fault in &replay.faults {
        if let Some(hint) = &fault.hint {
            writeln!(out, "hint: {hint}")?;
        }
        for (what, lines) in evidence(fault) {
            writeln!(out, "{what}:")?;
            lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        }
    }
    if !replay.transcript.is_empty() {
        writeln!(out, "the last lines of the dialogue with the referee:")?;
        replay.transcript.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    Ok(())
}

/// The evidence of a fault: lines with their heading.
pub(super) fn evidence(fault: &FaultNote) -> impl Iterator<Item = (&'static str, Cow<'_, [String]>)> {
    let legal = if fault.legal.is_empty() { Vec::new() } else { vec![fault.legal.join(" ")] };
    [
        ("legal moves", Cow::from(legal)),
        ("it printed instead of an answer", Cow::from(&fault.stray_lines)),
        ("the last lines of its stderr", Cow::from(&fault.stderr_tail)),
    ]
    .into_iter()
    .filter(|(_, lines)| !lines.is_empty())
}

/// The players: `greedy (x) – alphabeta (o)`; teams with their bots: `reds: ada, bob – blues: cleo, dan`
pub(super) fn title(replay: &Replay) -> String {
    names(replay).into_iter().map(|(before, text, _)| format!("{before}{text}")).collect()
}

/// The names of the players in display order, each with the text before it and its seat.
pub(super) fn names(replay: &Replay) -> Vec<(&'static str, String, Seat)> {
    let mut order: Vec<Seat> = replay.seats.iter().map(|(seat, _)| seat).collect();
    // Partners are next to each other.
    order.sort_by_key(|seat| (replay.seats[*seat].side, *seat));
    let mut names = Vec::new();
    let mut before: Option<&Player> = None;
    for seat in order {
        let current = &replay.seats[seat];
        let has_mates = replay.seats.values().filter(|other| other.side == current.side).count() > 1;
        let is_first = before.is_none_or(|before| before.side != current.side);
        let joint = match before {
            None => "",
            Some(_) if is_first => " – ",
            Some(_) => ", ",
        };
        let team = current.team.as_ref().filter(|team| has_mates && is_first && **team != current.bot);
        let symbol = current.symbol.map_or_else(String::new, |symbol| format!(" ({symbol})"));
        let text = match team {
            Some(team) => format!("{team}{symbol}: {}", current.bot),
            None if has_mates && is_first => format!("{}{symbol}", current.bot),
            None if has_mates => current.bot.clone(),
            None => format!("{}{symbol}", current.name),
        };
        names.push((joint, text, seat));
        before = Some(current);
    }
    names
}

/// The game and its time control, in one line.
pub(super) fn about(replay: &Replay) -> String {
    let mut parts =
        vec![replay.id.clone(), format!("{} {}", replay.game, replay.options).trim_end().to_owned()];
    parts.extend(replay.time_in_words());
    parts.join("  ")
}

/// A move in words: `move 12: greedy plays c1c5, 38 ms`.
pub(super) fn headline(replay: &Replay, ply: usize, played: &PlayedMove) -> String {
    let name = &replay.seats[played.seat].name;
    let took = played.time.map_or_else(String::new, |used| format!(", {}", time(used)));
    match played.kind {
        PlayedKind::Opening => format!("move {ply}: {}, from the opening", played.text),
        PlayedKind::Move => format!("move {ply}: {name} plays {}{took}", played.text),
        PlayedKind::Out => format!("move {ply}: {name} is out of the game"),
    }
}

/// A bot's report on its search, in one line.
pub(super) fn said(said: &SaidRecord) -> String {
    let mut parts = Vec::new();
    parts.extend(said.score_cp.map(|score| format!("score {}", points(score))));
    parts.extend(said.depth.map(|depth| format!("depth {depth}")));
    parts.extend(said.nodes.map(|nodes| format!("{} positions", grouped(nodes))));
    parts.extend(said.time_ms.map(|time| format!("{} ms by its own clock", grouped(time))));
    if !said.pv.is_empty() {
        parts.push(format!("expects {}", said.pv.join(" ")));
    }
    parts.extend(said.text.as_ref().map(|text| format!("\"{text}\"")));
    parts.join(", ")
}

fn points(hundredths: i64) -> String {
    let sign = if hundredths < 0 { '-' } else { '+' };
    let size = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

/// Prints a row for each position as CSV.
pub(super) fn csv(replay: &Replay, out: &mut impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record([
        "ply", "seat", "bot", "move", "kind", "time_us", "depth", "score_cp", "nodes", "pv", "token",
    ])?;
    for row in PlyJson::all(replay) {
        let number = |number: Option<String>| number.unwrap_or_default();
        let said = row.said.cloned().unwrap_or_default();
        table.write_record([
            row.ply.to_string(),
            number(row.seat.map(|seat| seat.to_string())),
            csv_text(row.bot.unwrap_or_default()),
            csv_text(row.mv.unwrap_or_default()),
            row.kind.to_owned(),
            number(row.time_us.map(|time| time.to_string())),
            number(said.depth.map(|depth| depth.to_string())),
            number(said.score_cp.map(|score| score.to_string())),
            number(said.nodes.map(|nodes| nodes.to_string())),
            csv_text(&said.pv.join(" ")),
            row.token.to_owned(),
        ])?;
    }
    table.flush()
}

#[derive(Serialize)]
pub(super) struct ReplayJson<'f> {
    id: &'f str,
    game: &'f str,
    options: Option<&'f str>,
    option_values: Options<'f>,
    seats: Vec<&'f str>,
    time_control: Option<&'f str>,
    /// In seat order; `None` if no player has one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    own_time_controls: Option<Vec<Option<&'f str>>>,
    plies: Vec<PlyJson<'f>>,
    verdict: &'f str,
    sentence: &'f str,
    places: Vec<Option<u8>>,
    faults: Vec<&'f str>,
    broken: Option<String>,
}

#[derive(Serialize)]
struct PlyJson<'f> {
    ply: usize,
    kind: &'static str,
    seat: Option<usize>,
    bot: Option<&'f str>,
    #[serde(rename = "move")]
    mv: Option<&'f str>,
    time_us: Option<u64>,
    said: Option<&'f SaidRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'f Remark>,
    token: &'f str,
    to_move: Option<usize>,
}

impl<'f> ReplayJson<'f> {
    pub(super) fn of(replay: &'f Replay) -> ReplayJson<'f> {
        let own_time_controls: Vec<Option<&str>> =
            replay.seats.values().map(|player| player.time_control.as_deref()).collect();
        ReplayJson {
            id: &replay.id,
            game: replay.game,
            options: Some(replay.options.as_str()).filter(|options| !options.is_empty()),
            option_values: Options(&replay.option_values),
            seats: replay.seats.values().map(|player| player.name.as_str()).collect(),
            time_control: replay.time_control.as_deref(),
            own_time_controls: own_time_controls.iter().any(Option::is_some).then_some(own_time_controls),
            plies: PlyJson::all(replay).collect(),
            verdict: &replay.verdict,
            sentence: &replay.verdict,
            places: replay.seats.values().map(|player| player.place).collect(),
            faults: replay.faults.iter().map(|fault| fault.sentence.as_str()).collect(),
            broken: replay.broken.as_ref().map(ToString::to_string),
        }
    }
}

impl<'f> PlyJson<'f> {
    fn all(replay: &'f Replay) -> impl Iterator<Item = PlyJson<'f>> {
        replay.frames.iter().enumerate().map(|(ply, frame)| PlyJson::of(replay, ply, frame))
    }

    fn of(replay: &'f Replay, ply: usize, frame: &'f Frame) -> PlyJson<'f> {
        let played = frame.played.as_ref();
        PlyJson {
            ply,
            kind: played.map_or("start", |played| played.kind.word()),
            seat: played.map(|played| played.seat.number()),
            bot: played.map(|played| replay.seats[played.seat].name.as_str()),
            mv: played.map(|played| played.text.as_str()),
            time_us: played.and_then(|played| played.time).map(microseconds),
            said: played.and_then(|played| played.said.as_ref()),
            remark: played.and_then(|played| played.remark.as_ref()),
            token: &frame.token,
            to_move: frame.to_move.map(Seat::number),
        }
    }
}
