//! How a game ended, in one sentence for people.
//!
//! All that a bot wrote is made printable on its way into a sentence.

use std::collections::BTreeSet;
use std::time::Duration;

use linesman_record::{FaultRecord, GameRecord, text};
use linesman_types::verdict::ExitStatus;

#[cfg(test)]
mod tests;

/// How a game ended: `alphabeta won by a line in 23 plies`.
pub fn verdict(record: &GameRecord) -> String {
    verdict_because(record, None)
}

/// The same, and why the rules ended it so: `alphabeta won by a line in 23
/// plies: alphabeta has made a full line of `x`: a1 to e1`.
pub fn verdict_because(record: &GameRecord, why: Option<&str>) -> String {
    if let Some(void) = &record.void {
        let is_overload = void.seat.is_some();
        let why = void.why.as_deref().map(|why| with_names(record, why));
        return void_sentence(record, if is_overload { "overload" } else { &void.kind }, why.as_deref());
    }
    let faults: Vec<String> = record.faults.iter().map(|fault| fault_sentence(record, fault)).collect();
    let only_faults = record.reason.as_deref() == Some("failure") && !faults.is_empty();
    if only_faults && sides(record) == 2 {
        return faults.join("; ");
    }
    let outcome = outcome(record);
    let mut sentences = vec![why.map_or_else(|| outcome.clone(), |why| format!("{outcome}: {why}"))];
    sentences.extend(faults);
    if only_faults {
        // What came first is said first.
        sentences.rotate_left(1);
    }
    sentences.join("; ")
}

/// The failure of a bot, with its name: `greedy lost on time: 1,062 ms (limit 1,000 ms + 50 ms)`.
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

/// The name of the team that a seat plays for, if the record has it.
pub fn team(record: &GameRecord, seat: u8) -> Option<String> {
    let own = record.seats.get(usize::from(seat).checked_sub(1)?)?;
    own.team.as_deref().map(printable).filter(|team| !team.is_empty())
}

/// How many sides played: as many as there are teams, if the record names them.
fn sides(record: &GameRecord) -> usize {
    let teams: Option<BTreeSet<&str>> = record.seats.iter().map(|seat| seat.team.as_deref()).collect();
    teams.map_or(record.seats.len(), |teams| teams.len())
}

/// A text in which `seat 2` and the like are the names of the bots there.
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

/// The name of a seat's bot, told apart from namesakes at the same table.
pub fn name(record: &GameRecord, seat: u8) -> String {
    let seats = &record.seats;
    let Some(own) = usize::from(seat).checked_sub(1).and_then(|index| seats.get(index)) else {
        return format!("seat {seat}");
    };
    let namesakes = seats.iter().filter(|other| other.name == own.name).count();
    let printed = printable(&own.name);
    match namesakes {
        _ if printed.is_empty() => format!("seat {seat}"),
        1 => printed,
        _ => format!("{printed} (seat {seat})"),
    }
}

/// A whole number with its thousands apart: `1,062`.
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

/// Number of digits after the point that points need, in games of so many seats.
pub fn point_digits(seats: usize) -> usize {
    if seats <= 2 { 1 } else { 2 }
}

/// How much of a bot's text stands in a sentence, in bytes.
const MOST_TEXT: usize = 1_000;

/// A text of a bot or of a foreign file as it may be shown.
pub fn printable(text: &str) -> String {
    text::printable(text, MOST_TEXT)
}

fn void_sentence(record: &GameRecord, kind: &str, why: Option<&str>) -> String {
    let faults: Vec<String> = record.faults.iter().map(|fault| fault_sentence(record, fault)).collect();
    let why = why.map(printable).filter(|why| !why.is_empty());
    let sentence = match kind {
        "host" => "no result, the machine failed".to_owned(),
        // What happened says that it was the host.
        "overload" => "no result".to_owned(),
        "no_bot_played" => "no result, no bot played".to_owned(),
        other => format!("no result ({})", printable(other)),
    };
    let parts: Vec<String> = why.into_iter().chain(faults).collect();
    if parts.is_empty() { sentence } else { format!("{sentence}: {}", parts.join("; ")) }
}

/// Who won or that nobody did, and by which reason.
fn outcome(record: &GameRecord) -> String {
    let places = record.places.as_deref().unwrap_or_default();
    let seats = || (1..=record.seats.len()).filter_map(|seat| u8::try_from(seat).ok());
    let place = |seat: u8| places.get(usize::from(seat) - 1).copied();
    // Of a team its name is told, once.
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
    match (record.reason.as_deref(), losers.as_slice()) {
        (Some("resignation"), [loser]) => format!("{loser} resigned{}", length(record, "after")),
        _ => format!("{} won{}{}", list(&winners), by_reason(record, "in"), further_places(record)),
    }
}

/// Who came in after the winners, where there were more than two sides:
/// ` (2nd ada, 3rd bob and cleo)`.
fn further_places(record: &GameRecord) -> String {
    if sides(record) <= 2 {
        return String::new();
    }
    let places = record.places.as_deref().unwrap_or_default();
    let further = [(2, "2nd"), (3, "3rd"), (4, "4th")].into_iter().filter_map(|(place, word)| {
        let own = (1_u8..).zip(places).filter(|(_, own)| **own == place);
        let names: Vec<String> = own.map(|(seat, _)| name(record, seat)).collect();
        (!names.is_empty()).then(|| format!("{word} {}", list(&names)))
    });
    let further: Vec<String> = further.collect();
    if further.is_empty() { String::new() } else { format!(" ({})", further.join(", ")) }
}

fn by_reason(record: &GameRecord, preposition: &str) -> String {
    let phrase = match record.reason.as_deref() {
        None => String::new(),
        Some("failure") => " by failure".to_owned(),
        Some("resignation") => " by resignation".to_owned(),
        Some("adjudication") => match record.why.as_deref().map(printable) {
            Some(why) if !why.is_empty() => format!(" by adjudication ({why})"),
            _ => " by adjudication".to_owned(),
        },
        Some(word) => match linesman_games::reason(&record.game, word) {
            Some(reason) => format!(" {}", reason.phrase()),
            None => format!(" ({})", printable(word)),
        },
    };
    format!("{phrase}{}", length(record, preposition))
}

/// ` in 23 plies`, if the record has its moves.
fn length(record: &GameRecord, preposition: &str) -> String {
    let Some(moves) = &record.moves else { return String::new() };
    let opening = record.opening.as_ref().map_or(0, |opening| opening.moves.len());
    let plies = opening + moves.iter().filter(|text| !text.starts_with('!')).count();
    let unit = if plies == 1 { "ply" } else { "plies" };
    format!(" {preposition} {} {unit}", grouped(plies as u64))
}

/// What follows the verb: ` on time: ...`, `: it closed its output`.
fn fault_phrase(fault: &FaultRecord) -> String {
    let answer = || format!("`{}`", printable(fault.text.as_deref().unwrap_or_default()));
    let why = |before: &str| match fault.why.as_deref().map(printable) {
        Some(why) if !why.is_empty() => format!("{before}{why}"),
        _ => String::new(),
    };
    match fault.fault.as_str() {
        "not_started" => format!(": it could not be started{}", why(": ")),
        "not_ready" => {
            let stage = printable(fault.stage.as_deref().unwrap_or("answer"));
            let limit = match (fault.limit_us, fault.excuse_us) {
                (None, _) => String::new(),
                (Some(limit), None) => format!(" within {}", at_least_ms(limit)),
                (Some(limit), Some(granted)) => format!(
                    " within {} (extended from {}, because the machine was busy)",
                    at_least_ms(limit.saturating_add(granted)),
                    at_least_ms(limit)
                ),
            };
            format!(": no `{stage}`{limit}")
        }
        "time" => format!(" on time{}", time_phrase(fault)),
        "crash" => format!(" by a crash: {}", status(fault)),
        "closed_output" => ": it closed its output".to_owned(),
        "illegal_move" => format!(" by the illegal move {}{}", answer(), why(": ")),
        "not_a_move" => format!(": {} is not a move{}", answer(), why(": ")),
        "protocol" => format!(" by breaking the protocol: {}{}", answer(), why(", expected ")),
        "limit" => limit_phrase(fault),
        other => format!(": {}{}", printable(other), why(": ")),
    }
}

fn time_phrase(fault: &FaultRecord) -> String {
    let (Some(used), Some(limit)) = (fault.used_us, fault.limit_us) else { return String::new() };
    let margin = match fault.margin_us {
        Some(margin) if margin > 0 => format!(" + {}", at_least_ms(margin)),
        _ => String::new(),
    };
    if let (Some(wall), Some(bound)) = (fault.wall_us, fault.wall_bound_us) {
        if used <= limit.saturating_add(fault.margin_us.unwrap_or(0)) {
            let wall = format!("{} of wall time (limit {})", at_least_ms(wall), at_least_ms(bound));
            return format!(": {wall}, {} of CPU time", at_least_ms(used));
        }
        return format!(": {} of CPU time (limit {}{margin})", at_least_ms(used), at_least_ms(limit));
    }
    let overload = match fault.excuse_us {
        Some(excuse) if fault.overload => {
            format!(", {} of it waiting for a CPU on an overloaded machine", at_least_ms(excuse))
        }
        _ => String::new(),
    };
    let moved = match fault.moved {
        Some(true) => "moved after ",
        Some(false) => "had not moved after ",
        None => "",
    };
    format!(": {moved}{} (limit {}{margin}){overload}", at_least_ms(used), at_least_ms(limit))
}

/// Milliseconds, rounded up: what was too late by less than one must not look in time.
fn at_least_ms(microseconds: u64) -> String {
    format!("{} ms", grouped(microseconds.div_ceil(1_000)))
}

/// A time for people, in milliseconds below ten seconds: `12 ms`, `0.4 ms`, `12.3 s`.
pub fn time(time: Duration) -> String {
    let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    match microseconds {
        0..1_000 => format!("{:.1} ms", microseconds as f64 / 1_000.0),
        1_000..10_000_000 => format!("{} ms", grouped(microseconds / 1_000)),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

fn status(fault: &FaultRecord) -> String {
    match (fault.exit_code, fault.signal) {
        (_, Some(signal)) => ExitStatus::Signal(signal).to_string(),
        (Some(code), None) => ExitStatus::Code(code).to_string(),
        (None, None) => ExitStatus::Unknown.to_string(),
    }
}

fn limit_phrase(fault: &FaultRecord) -> String {
    if let Some(phrase) = resource_phrase(fault) {
        return phrase;
    }
    let of = match fault.which.as_deref() {
        Some("line") => "in one line",
        Some("output_on_move") => "of output for one move",
        Some("output_off_move") => "of output while not on move",
        Some("stderr") => "of stderr",
        Some(_) | None => "",
    };
    let gap = if of.is_empty() { "" } else { " " };
    match (fault.used_bytes, fault.limit_bytes) {
        (Some(used), Some(limit)) => {
            format!(" by writing too much: {} bytes{gap}{of}, {} allowed", grouped(used), grouped(limit))
        }
        _ => format!(" by writing too much{gap}{of}"),
    }
}

/// A limit that has nothing to do with what the bot wrote to the referee.
fn resource_phrase(fault: &FaultRecord) -> Option<String> {
    let mib = |bytes: u64| format!("{} MiB", grouped(bytes.div_ceil(1 << 20)));
    let bytes = || fault.used_bytes.zip(fault.limit_bytes).map(|(used, limit)| (mib(used), mib(limit)));
    let counts =
        || fault.used_count.zip(fault.limit_count).map(|(used, limit)| (grouped(used), grouped(limit)));
    let (what, figures) = match fault.which.as_deref()? {
        "memory" => ("much memory", bytes()),
        "scratch" => ("much scratch space", bytes()),
        "processes" => ("many processes and threads", counts()),
        "scratch_depth" => ("many nested directories", counts()),
        "hidden" => return Some(" by hiding files or a process from the supervisor".to_owned()),
        "cpu" => (
            "much CPU time",
            fault.used_us.zip(fault.limit_us).map(|(used, limit)| (at_least_ms(used), at_least_ms(limit))),
        ),
        _ => return None,
    };
    let figures = figures.map_or_else(String::new, |(used, limit)| format!(": {used}, {limit} allowed"));
    Some(format!(" by using too {what}{figures}"))
}

/// Number of names that [`several`] spells out at most.
const MOST_NAMES: usize = 4;

/// Some of these names, the rest counted: `A, B, C and 4 others`.
pub fn several(names: &[&str]) -> String {
    if names.len() <= MOST_NAMES {
        let all: Vec<String> = names.iter().map(|name| printable(name)).collect();
        return list(&all);
    }
    let (first, others) = names.split_at(MOST_NAMES - 1);
    let first: Vec<String> = first.iter().map(|name| printable(name)).collect();
    format!("{} and {} others", first.join(", "), grouped(others.len() as u64))
}

/// `A`, `A and B`, `A, B and C`.
fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
