//! The golden transcripts and the dialogues of `protocol.md`: each is replayed, and the referee's output must
//! agree with it exactly.
//!
//! `UPDATE=1` writes the referee's output into the files instead.

use crate::kept::check_file;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::tests::player::{Player, describe, seat};
use crate::{
    Adjudication, BotState, DEFAULT_MARGIN, Event, Fairness, GameSetup, GameTime, Introduction, Pondering,
    SeatLimits, SeatSetup,
};
use linesman_games::Consultation;
use linesman_games::options::split_options;
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{ClockKind, TimeError, parse_duration};
use linesman_types::verdict::{ExitStatus, Limit};

fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/protocol.md")
}

fn protocol_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol")
}

#[test]
fn golden_transcripts_replay_to_the_letter() {
    let folder = protocol_folder().join("transcripts");
    let files = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "the transcripts are there");
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let replayed = replay(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        check_file(&path, &replayed);
    }
}

#[test]
fn the_documents_dialogues_replay_to_the_letter() {
    let path = document();
    let text = std::fs::read_to_string(&path).expect("the document can be read");
    let mut blocks = 0;
    let mut parts = text.split("```transcript\n");
    let mut expected = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (block, rest) = part.split_once("```\n").expect("a block ends");
        let replayed = replay(block).unwrap_or_else(|error| panic!("{error}, in\n{block}"));
        expected.push_str("```transcript\n");
        expected.push_str(&replayed);
        expected.push_str("```\n");
        expected.push_str(rest);
        blocks += 1;
    }
    assert!(blocks >= 2, "the document shows dialogues");
    check_file(&path, &expected);
}

/// Replays the events of a transcript and writes it anew.
fn replay(text: &str) -> Result<String, String> {
    let mut lines = text.lines();
    let mut written = String::new();
    let mut head = Head::default();
    for line in lines.by_ref().take_while(|line| !line.is_empty()) {
        head.read(line)?;
        written.push_str(line);
        written.push('\n');
    }
    let mut player = head.player()?;
    player.start();
    written.push('\n');
    write_out(&mut player, "0.000", &mut written);
    for line in lines {
        if line.starts_with('#') {
            written.push_str(line);
            written.push('\n');
        } else if let Some((time, at, event)) = read_event(line)? {
            written.push_str(line);
            written.push('\n');
            if player.finished.is_some() {
                return Err(format!("`{line}` comes after the end"));
            }
            player.event(at, event);
            write_out(&mut player, time, &mut written);
        }
    }
    let finished = player.finished.as_ref().ok_or("the game does not end")?;
    for line in describe(&finished.verdict) {
        written.push_str(&format!("= {line}\n"));
    }
    written.push_str(format!("= moves {}", player.moves()).trim_end());
    written.push('\n');
    Ok(written)
}

fn write_out(player: &mut Player, time: &str, written: &mut String) {
    for line in player.take() {
        written.push_str(&format!("{time} {line}\n"));
    }
}

/// The part above the dialogue: the game and its limits.
#[derive(Default)]
struct Head {
    fields: Vec<(String, String)>,
}

impl Head {
    fn read(&mut self, line: &str) -> Result<(), String> {
        if !line.starts_with('#') {
            let (key, value) = line.split_once(' ').ok_or(format!("`{line}` has no value"))?;
            self.fields.push((key.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn player(&self) -> Result<Player, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let game = linesman_games::find(self.get("game").unwrap_or("quixo")).ok_or("no such game")?;
        let options = split_options(self.get("options").unwrap_or_default()).map_err(|error| text(&error))?;
        let set_up = game.configure(&options).map_err(|error| text(&error))?;
        let token = self.get("token");
        let table = token.map_or_else(|| Ok(set_up.start()), |token| set_up.from_token(token));
        let mut table = table.map_err(|error| text(&error))?;
        let opening: Vec<String> =
            self.get("opening").into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect();
        for mv in &opening {
            table.play(mv).map_err(|error| text(&error))?;
        }
        let margin = self.get("margin").map_or(Ok(DEFAULT_MARGIN), parse_duration);
        let mut setup = GameSetup {
            game: game.id.to_owned(),
            options: set_up.options().to_string(),
            consultation: Consultation::of(set_up.options()),
            id: format!("{}~1", ["one", "two", "three", "four"][..table.teams().seats()].join("~")),
            opening_token: token.map(str::to_owned),
            opening_moves: opening,
            time_control: self.get("time").unwrap_or("movetime=1s").parse().map_err(|error| text(&error))?,
            clock: ClockKind::Wall,
            margin: margin.map_err(|error| text(&error))?,
            pondering: if self.get("ponder").is_some() { Pondering::On } else { Pondering::Off },
            adjudication: Adjudication::default(),
            seats: BySeat::from_fn(table.teams().seats(), |_| SeatSetup {
                bot: BotState::Cold,
                options: Vec::new(),
                limits: SeatLimits::default(),
                fairness: Fairness::default(),
                time_control: None,
            }),
        };
        for (key, value) in &self.fields {
            self.set(key, value, &mut setup)?;
        }
        Ok(Player::boxed(setup, table))
    }

    /// Takes a field that is about one seat: `warm 1 legal`, `set 1 Depth=4`, `line 1 200`.
    fn set(&self, key: &str, value: &str, setup: &mut GameSetup) -> Result<(), String> {
        if ["game", "options", "token", "opening", "margin", "time", "ponder"].contains(&key) {
            return Ok(());
        }
        let (number, value) = value.split_once(' ').unwrap_or((value, ""));
        let own = &mut setup.seats[seat(number.parse().map_err(|_| "no seat")?)];
        let number = || value.parse().map_err(|_| format!("`{value}` is no number"));
        match key {
            "warm" => {
                own.bot = BotState::Warm(Introduction {
                    protocol: 1,
                    wants_state: value.contains("state"),
                    wants_legal: value.contains("legal"),
                    counts_nodes: value.contains("nodes"),
                    counts_depth: value.contains("depth"),
                    ponders: value.contains("ponder"),
                    ..Introduction::default()
                });
            }
            "set" => {
                let (name, value) = value.split_once('=').ok_or("no `=`")?;
                own.options.push((name.to_owned(), value.to_owned()));
            }
            "most" => {
                own.limits.max_move_time = Some(parse_duration(value).map_err(|error| error.to_string())?)
            }
            "own-time" => {
                own.time_control = Some(value.parse().map_err(|error: TimeError| error.to_string())?)
            }
            "line" => own.limits.line = number()?,
            "on-move" => own.limits.output_on_move = number()?,
            "off-move" => own.limits.output_off_move = number()?,
            _ => return Err(format!("`{key}` is unknown")),
        }
        Ok(())
    }
}

/// Reads a line of the dialogue. The referee's actions are not events.
fn read_event(line: &str) -> Result<Option<(&str, GameTime, Event)>, String> {
    let wrong = || format!("`{line}` can't be read");
    if line.is_empty() || line.starts_with('=') {
        return Ok(None);
    }
    let (time, rest) = line.split_once(' ').ok_or_else(wrong)?;
    let seconds: f64 = time.parse().map_err(|_| wrong())?;
    let at = GameTime(Duration::from_micros((seconds * 1e6).round() as u64));
    let event = match rest.split_once(' ').unwrap_or((rest, "")) {
        ("tick", "") => Event::Tick,
        ("host", why) => Event::Stop(why.to_owned()),
        (number, rest) => {
            let seat = number.parse().ok().and_then(Seat::new).ok_or_else(wrong)?;
            match rest.split_once(' ').unwrap_or((rest, "")) {
                ("<", line) => Event::Line { seat, line: bytes_of(line) },
                ("!", happened) => read_happening(seat, happened).ok_or_else(wrong)?,
                (">" | "*" | "~", _) => return Ok(None),
                _ => return Err(wrong()),
            }
        }
    };
    Ok(Some((time, at, event)))
}

fn read_happening(seat: Seat, text: &str) -> Option<Event> {
    let (happened, stderr_tail) = text.split_once(" | ").unwrap_or((text, ""));
    let stderr_tail = stderr_tail.to_owned();
    let (what, detail) = happened.split_once(' ').unwrap_or((happened, ""));
    Some(match what {
        "exited" => Event::Exited { seat, status: ExitStatus::Code(detail.parse().ok()?), stderr_tail },
        "killed-by" => Event::Exited { seat, status: ExitStatus::Signal(detail.parse().ok()?), stderr_tail },
        "closed-its-output" => Event::OutputClosed { seat, stderr_tail },
        "unfinished" => Event::Unfinished { seat, text: bytes_of(detail) },
        "line-of" => Event::LineTooLong { seat, bytes: detail.parse().ok()? },
        "not-started" => Event::StartFailed { seat, error: detail.to_owned() },
        "stderr-of" => {
            let (used, limit) = detail.split_once(" of ")?;
            let (limit, used) = (limit.parse().ok()?, used.parse().ok()?);
            Event::LimitExceeded { seat, which: Limit::Stderr, limit, used }
        }
        _ => return None,
    })
}

/// Returns a line's bytes. Those that can't be shown are written as in `\x1b`.
fn bytes_of(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).expect("two digits follow");
        bytes.push(u8::from_str_radix(digits, 16).expect("hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

#[test]
fn the_document_names_the_limits_as_they_are() {
    let text = std::fs::read_to_string(document()).expect("the document is there");
    let limits = SeatLimits::default();
    let seconds = |time: Duration| format!("{} s", time.as_secs());
    for (what, value) in [
        ("`ugiok` after the start", seconds(limits.start)),
        ("`readyok` after `isready`", seconds(limits.ready)),
        ("a line", format!("{} KiB", limits.line >> 10)),
        ("output while on move, per move", format!("{} MiB", limits.output_on_move >> 20)),
        ("output while not on move, per game", format!("{} MiB", limits.output_off_move >> 20)),
        ("margin of a move", format!("{} ms", DEFAULT_MARGIN.as_millis())),
    ] {
        let row = format!("| {what} | {value} |");
        assert!(text.contains(&row), "there is no row `{row}`");
    }
}
