//! Sentences for people that describe how a game ended.
//!
//! Every text written by a bot is made printable before it enters a sentence.

use std::collections::BTreeSet;
use std::time::Duration;

use linesman_record::{FaultFields, FaultRecord, GameRecord, VoidKind, VoidRecord, microseconds, text};
use linesman_types::verdict::{CauseKind, ExitStatus, Fault, FaultKind, Limit};

#[cfg(test)]
mod tests;

/// Describes the end of a game: `alphabeta won by a line in 23 plies`.
pub fn verdict(record: &GameRecord) -> String {
    verdict_because(record, None)
}

/// Describes the end of a game with the reason by the rules: `alphabeta won by a line in 23 plies: alphabeta has made a
/// full line of `x`: a1 to e1`.
pub fn verdict_because(record: &GameRecord, why: Option<&str>) -> String {
    if let Some(void) = &record.void {
        return void_sentence(record, void);
    }
    let faults: Vec<String> = record.faults.iter().map(|fault| fault_sentence(record, fault)).collect();
    let only_faults = record.cause() == Some(CauseKind::Failure) && !faults.is_empty();
    if only_faults && sides(record) == 2 {
        return faults.join("; ");
    }
    let outcome = outcome(record);
    let mut sentences = vec![why.map_or_else(|| outcome.clone(), |why| format!("{outcome}: {why}"))];
    sentences.extend(faults);
    if only_faults {
        // The first event comes first.
        sentences.rotate_left(1);
    }
    sentences.join("; ")
}

/// Describes the failure of a bot, with its name: `greedy lost on time: 1,062 ms (limit 1,000 ms + 50 ms)`.
pub fn fault_sentence(record: &GameRecord, fault: &FaultRecord) -> String {
    let verb = match (&record.void, sides(record)) {
        (Some(_), _) => "failed",
        (None, 2) => "lost",
        (None, _) => "went out",
    };
    let team = match team(record, fault.seat) {
        Some(team) if !record.seats.iter().all(|seat| seat.name == seat.team.as_deref().unwrap_or("")) => {
            format!(" of {team}")
        }
        _ => String::new(),
    };
    format!("{}{team} {verb}{}", name(record, fault.seat), fault_phrase(fault))
}

/// Returns the first line of a bot's stderr and the last ones, `max_lines` in all, with a mark between them if lines are
/// left out. Some programs say first what is wrong, and others last.
pub fn stderr_excerpt(stderr: &str, max_lines: usize) -> Vec<String> {
    let lines = telling_lines(stderr);
    let left_out = lines.len().saturating_sub(max_lines);
    let mut shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
    // The mark takes a line as well.
    if left_out > 1 {
        shown.splice(1..=left_out, [format!("[... {left_out} lines left out ...]")]);
    }
    shown
}

/// Returns the last lines of a bot's stderr, at most `max_lines`.
pub fn stderr_end(stderr: &str, max_lines: usize) -> Vec<&str> {
    let mut lines = telling_lines(stderr);
    lines.split_off(lines.len().saturating_sub(max_lines))
}

/// Returns the lines of a bot's stderr without empty lines and without stack frames except for the innermost one. In many
/// languages the message of an error is above the frames.
fn telling_lines(stderr: &str) -> Vec<&str> {
    let is_call = |line: &str| line.trim_start().starts_with("at ");
    let mut kept: Vec<&str> = Vec::new();
    for line in stderr.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("Node.js v")) {
        if !(is_call(line) && kept.last().is_some_and(|last| is_call(last))) {
            kept.push(line);
        }
    }
    kept
}

/// Returns the name of the team that a seat plays for, if the record has it.
pub fn team(record: &GameRecord, seat: u8) -> Option<String> {
    let seat = record.seats.get(usize::from(seat).checked_sub(1)?)?;
    seat.team.as_deref().map(printable).filter(|team| !team.is_empty())
}

/// Returns the number of sides that played: the number of teams, if the record names them.
fn sides(record: &GameRecord) -> usize {
    let teams: Option<BTreeSet<&str>> = record.seats.iter().map(|seat| seat.team.as_deref()).collect();
    teams.map_or(record.seats.len(), |teams| teams.len())
}

/// Replaces `seat 2` and the like in a text by the names of the bots there.
pub fn with_names(record: &GameRecord, text: &str) -> String {
    let mut named = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("seat ") {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let number = after[..digits].parse().ok().filter(|seat| (1..=record.seats.len()).contains(seat));
        named.push_str(before);
        match number.and_then(|seat| u8::try_from(seat).ok()) {
            Some(seat) => named.push_str(&name(record, seat)),
            None => {
                named.push_str("seat ");
                named.push_str(&after[..digits]);
            }
        }
        rest = &after[digits..];
    }
    named.push_str(rest);
    named
}

/// Returns the name of a seat's bot, distinguished from namesakes in the same game.
pub fn name(record: &GameRecord, seat: u8) -> String {
    let seats = &record.seats;
    let Some(found) = usize::from(seat).checked_sub(1).and_then(|index| seats.get(index)) else {
        return format!("seat {seat}");
    };
    let namesakes = seats.iter().filter(|other| other.name == found.name).count();
    let printed = printable(&found.name);
    match namesakes {
        _ if printed.is_empty() => format!("seat {seat}"),
        1 => printed,
        _ => format!("{printed} (seat {seat})"),
    }
}

/// Formats a whole number with separated thousands: `1,062`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number and its noun: `1 game`, `1,062 games`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number)) }
}

/// Formats a rating as a whole number, and never as `-0`.
pub fn whole(elo: f64) -> String {
    format!("{:.0}", elo.round() + 0.0)
}

/// Returns the number of decimals that points need in games with this number of seats.
pub fn point_digits(seats: usize) -> usize {
    if seats <= 2 { 1 } else { 2 }
}

/// Maximum length of a bot's text in a sentence, in bytes.
const MAX_TEXT: usize = 1_000;

/// Makes a text of a bot or of a foreign file printable.
pub fn printable(text: &str) -> String {
    text::printable(text, MAX_TEXT)
}

fn void_sentence(record: &GameRecord, void: &VoidRecord) -> String {
    let faults: Vec<String> = record.faults.iter().map(|fault| fault_sentence(record, fault)).collect();
    let why = void.why.as_deref().map(|why| printable(&with_names(record, why)));
    let why = why.filter(|why| !why.is_empty());
    let sentence = match &void.kind {
        // The late move on an overloaded host already blames the host.
        VoidKind::Host if void.seat.is_some() => "no result".to_owned(),
        VoidKind::Host => "no result, the machine failed".to_owned(),
        VoidKind::NoBotPlayed => "no result, no bot played".to_owned(),
        VoidKind::Assisted => "no result, a person had help".to_owned(),
        VoidKind::Other(word) => format!("no result ({})", printable(word)),
    };
    let parts: Vec<String> = why.into_iter().chain(faults).collect();
    if parts.is_empty() { sentence } else { format!("{sentence}: {}", parts.join("; ")) }
}

/// Returns the winner, if any, and the reason.
fn outcome(record: &GameRecord) -> String {
    let places = record.places.as_deref().unwrap_or_default();
    let seats = || (1..=record.seats.len()).filter_map(|seat| u8::try_from(seat).ok());
    let place = |seat: u8| places.get(usize::from(seat) - 1).copied();
    // A team appears under its name, once.
    let named = |is_meant: &dyn Fn(u8) -> bool| {
        let mut names: Vec<String> = Vec::new();
        for seat in seats().filter(|seat| is_meant(*seat)) {
            let name = team(record, seat).unwrap_or_else(|| name(record, seat));
            if team(record, seat).is_none() || !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let winners = named(&|seat| place(seat) == Some(1));
    if winners.is_empty() {
        return "no result".to_owned();
    }
    if seats().all(|seat| place(seat) == Some(1)) {
        return format!("{} drew{}", list(&winners), by_reason(record, "after"));
    }
    let losers = named(&|seat| place(seat) != Some(1));
    match (record.cause(), losers.as_slice()) {
        (Some(CauseKind::Resignation), [loser]) => format!("{loser} resigned{}", length(record, "after")),
        _ => format!("{} won{}{}", list(&winners), by_reason(record, "in"), further_places(record)),
    }
}

/// Returns the places after the winners, if there were more than two sides: ` (2nd ada, 3rd bob and cleo)`.
fn further_places(record: &GameRecord) -> String {
    if sides(record) <= 2 {
        return String::new();
    }
    let places = record.places.as_deref().unwrap_or_default();
    let further = [(2, "2nd"), (3, "3rd"), (4, "4th")].into_iter().filter_map(|(place, word)| {
        let seats = (1_u8..).zip(places).filter(|(_, seat_place)| **seat_place == place);
        let names: Vec<String> = seats.map(|(seat, _)| name(record, seat)).collect();
        (!names.is_empty()).then(|| format!("{word} {}", list(&names)))
    });
    let further: Vec<String> = further.collect();
    if further.is_empty() { String::new() } else { format!(" ({})", further.join(", ")) }
}

fn by_reason(record: &GameRecord, preposition: &str) -> String {
    let phrase = match record.cause() {
        None => String::new(),
        Some(CauseKind::Failure) => " by failure".to_owned(),
        Some(CauseKind::Resignation) => " by resignation".to_owned(),
        Some(CauseKind::Adjudication) => match record.why.as_deref().map(printable) {
            Some(why) if !why.is_empty() => format!(" by adjudication ({why})"),
            _ => " by adjudication".to_owned(),
        },
        Some(CauseKind::Rules(word)) => match linesman_games::reason(&record.game, word) {
            Some(reason) => format!(" {}", reason.phrase()),
            None => format!(" ({})", printable(word)),
        },
    };
    format!("{phrase}{}", length(record, preposition))
}

/// Returns ` in 23 plies`, if the record has its moves.
fn length(record: &GameRecord, preposition: &str) -> String {
    let Some(plies) = plies(record) else { return String::new() };
    let unit = if plies == 1 { "ply" } else { "plies" };
    format!(" {preposition} {} {unit}", grouped(plies))
}

/// Returns the number of plies of a game, including its opening; `None` if the record does not have its moves.
pub(crate) fn plies(record: &GameRecord) -> Option<u64> {
    let moves = record.count_moves()?;
    let opening = record.opening.as_ref().map_or(0, |opening| opening.moves.len());
    Some((moves + opening) as u64)
}

/// Returns the text after the verb: ` on time: ...`, `: it closed its output`.
fn fault_phrase(fault: &FaultRecord) -> String {
    let why = |before: &str, why: &str| match printable(why) {
        why if why.is_empty() => String::new(),
        why => format!("{before}{why}"),
    };
    let fault = match &fault.fault {
        Ok(fault) => fault,
        Err(fields) => return partial_phrase(fields),
    };
    match fault {
        Fault::NotStarted { error, .. } if error.is_empty() => ": it could not be started".to_owned(),
        Fault::NotStarted { error, .. } => format!(": it could not be started ({})", printable(error)),
        Fault::NotReady { stage, limit, granted } => {
            let extended = match granted.is_zero() {
                true => String::new(),
                false => format!(" (extended from {}, because the machine was busy)", at_least_ms(*limit)),
            };
            let limit = at_least_ms(limit.saturating_add(*granted));
            format!(": no `{}` within {limit}{extended}", stage.answer())
        }
        Fault::Time { limit, used, margin, excuse, overload, moved, .. } => {
            let overload = match overload {
                true if !excuse.is_zero() => {
                    let waited = at_least_ms(*excuse);
                    format!(", {waited} of it waiting for a CPU on an overloaded machine")
                }
                true | false => String::new(),
            };
            let moved = match moved {
                Some(true) => "moved after ",
                Some(false) => "had not moved after ",
                None => "",
            };
            format!(" on time: {moved}{}{overload}", limited(*used, "", *limit, *margin))
        }
        Fault::CpuClock { limit, margin, evidence, wall, wall_bound } => {
            let cpu = evidence.cpu;
            if cpu > limit.saturating_add(*margin) {
                return format!(" on time: {}", limited(cpu, " of CPU time", *limit, *margin));
            }
            let wall = limited(*wall, " of wall time", *wall_bound, Duration::ZERO);
            format!(" on time: {wall}, {} of CPU time", at_least_ms(cpu))
        }
        Fault::Crash { status: ExitStatus::Code(code), .. } => format!(": it exited with status {code}"),
        Fault::Crash { status: status @ ExitStatus::Signal(_), .. } => format!(": it was killed by {status}"),
        Fault::Crash { status: ExitStatus::Unknown, .. } => ": its process ended".to_owned(),
        Fault::ClosedOutput { .. } => ": it closed its output".to_owned(),
        Fault::IllegalMove { text, why: rule } => {
            format!(" by the illegal move `{}`{}", printable(text), why(": ", rule))
        }
        Fault::NotAMove { text, why: reason } => {
            format!(": `{}` is not a move{}", printable(text), why(": ", reason))
        }
        Fault::Protocol { line, expected } => {
            format!(" by breaking the protocol: `{}`{}", printable(line), why(", expected ", expected))
        }
        Fault::Limit { which, limit, used } => limit_phrase(*which, *limit, *used),
    }
}

/// Returns the phrase for a fault of a later version, or one that lacks a field.
fn partial_phrase(fields: &FaultFields) -> String {
    match FaultKind::from_word(&fields.fault) {
        FaultKind::NotStarted => ": it could not be started".to_owned(),
        FaultKind::NotReady => {
            format!(": no `{}`", printable(fields.stage.as_deref().unwrap_or("answer")))
        }
        FaultKind::Time | FaultKind::Overload => " on time".to_owned(),
        FaultKind::Crash => ": its process ended".to_owned(),
        FaultKind::ClosedOutput => ": it closed its output".to_owned(),
        FaultKind::IllegalMove => " by an illegal move".to_owned(),
        FaultKind::NotAMove => ": its answer is not a move".to_owned(),
        FaultKind::Protocol => " by breaking the protocol".to_owned(),
        FaultKind::Limit => match &fields.which {
            Some(which) => format!(" by exceeding the limit `{}`", printable(which)),
            None => " by exceeding a limit".to_owned(),
        },
        FaultKind::Other(word) => {
            let why = fields.why.as_deref().map(printable).filter(|why| !why.is_empty());
            format!(": {}{}", printable(&word), why.map_or_else(String::new, |why| format!(": {why}")))
        }
    }
}

/// Formats a time with its limit: `1,062 ms of CPU time (limit 1,000 ms + 50 ms)`.
fn limited(used: Duration, of: &str, limit: Duration, margin: Duration) -> String {
    let margin = if margin.is_zero() { String::new() } else { format!(" + {}", at_least_ms(margin)) };
    format!("{}{of} (limit {}{margin})", at_least_ms(used), at_least_ms(limit))
}

/// Formats a time in milliseconds, rounded up: a move that was late by less than one must not look as if it were in
/// time.
fn at_least_ms(time: Duration) -> String {
    format!("{} ms", grouped(microseconds(time).div_ceil(1_000)))
}

/// Formats a time for people, in milliseconds below ten seconds: `12 ms`, `0.4 ms`, `12.3 s`.
pub fn time(time: Duration) -> String {
    let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    match microseconds {
        0..1_000 => format!("{:.1} ms", microseconds as f64 / 1_000.0),
        1_000..10_000_000 => format!("{} ms", grouped(microseconds / 1_000)),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

/// Describes an exceeded limit: ` by using too much memory: 65 MiB, 64 MiB allowed`.
fn limit_phrase(which: Limit, limit: u64, used: u64) -> String {
    let mib = |bytes: u64| format!("{} MiB", grouped(bytes.div_ceil(1 << 20)));
    let ms = |microseconds: u64| at_least_ms(Duration::from_micros(microseconds));
    let used_too = |much: &str, what: &str, figure: &dyn Fn(u64) -> String| {
        format!(" by using too {much} {what}: {}, {} allowed", figure(used), figure(limit))
    };
    let wrote =
        |of: &str| format!(" by writing too much: {} bytes {of}, {} allowed", grouped(used), grouped(limit));
    match which {
        Limit::Line => wrote("in one line"),
        Limit::OutputOnMove => wrote("of output for one move"),
        Limit::OutputOffMove => wrote("of output while not on move"),
        Limit::Stderr => wrote("of stderr"),
        Limit::Memory => used_too("much", "memory", &mib),
        Limit::Scratch => used_too("much", "scratch space", &mib),
        Limit::Processes => used_too("many", "processes and threads", &grouped),
        Limit::ScratchDepth => used_too("many", "nested directories", &grouped),
        Limit::Hidden => " by hiding files or a process from the supervisor".to_owned(),
        Limit::CpuTime => used_too("much", "CPU time", &ms),
    }
}

/// Maximum number of names that [`several`] spells out.
const MAX_NAMES: usize = 4;

/// Lists the first names and counts the others: `A, B, C and 4 others`.
pub fn several(names: &[&str]) -> String {
    if names.len() <= MAX_NAMES {
        let all: Vec<String> = names.iter().map(|name| printable(name)).collect();
        return list(&all);
    }
    let (first, others) = names.split_at(MAX_NAMES - 1);
    let first: Vec<String> = first.iter().map(|name| printable(name)).collect();
    format!("{} and {} others", first.join(", "), grouped(others.len() as u64))
}

/// Lists names: `A`, `A and B`, `A, B and C`.
fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}
