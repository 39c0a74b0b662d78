//! The evidence of a failure.

use std::time::Duration;

use linesman_games::legal_moves;
use linesman_record::{FaultRecord, GameRecord, Playthrough, TranscriptRecord, set_up};
use linesman_types::direction::Direction;
use linesman_types::seat::Seat;
use linesman_types::verdict::Fault;

use super::language::BotLanguage;
use super::spelling::Choices;

pub(super) struct Clues<'c> {
    pub(super) fault: &'c Fault,
    /// The last stray lines; the last of them may lack its line end.
    pub(super) stray: &'c [String],
    pub(super) stderr: &'c str,
    pub(super) command: &'c [String],
    pub(super) language: BotLanguage,
    /// The verb that was expected.
    pub(super) awaited: &'static str,
    pub(super) turn: Option<Turn<'c>>,
}

/// The turn in which a bot failed.
pub(super) struct Turn<'c> {
    /// The moves that it could have made, if the position is known and the bot is on move.
    pub(super) choices: Option<Choices>,
    /// The text after its last `bestmove`.
    pub(super) answer: Option<&'c str>,
    /// False if it is known that `legal` was not sent because the bot had not asked for it.
    pub(super) had_legal: bool,
    /// True if it has moved before.
    pub(super) has_moved: bool,
    /// The longest known time of its earlier answers.
    pub(super) longest_answer: Option<Duration>,
}

impl<'c> Turn<'c> {
    pub(super) fn of(record: &'c GameRecord, fault: &FaultRecord) -> Option<Turn<'c>> {
        let seat = Seat::new(usize::from(fault.seat))?;
        let lines: Vec<&TranscriptRecord> =
            record.transcript.iter().filter(|line| line.seat == fault.seat).collect();
        let is_move = fault.fault.as_ref().is_ok_and(|fault| fault.refused_move().is_some());
        let usage = record.seats.get(seat.index()).and_then(|seat| seat.usage.as_ref());
        Some(Turn {
            choices: (is_move || !fault.stray_lines.is_empty()).then(|| choices(record, seat)).flatten(),
            answer: lines.iter().rev().find_map(|line| answer(line)),
            had_legal: !fault.without_legal,
            has_moved: usage.is_some_and(|usage| usage.moves > 0),
            longest_answer: longest_answer(&lines),
        })
    }
}

/// Returns the longest time from `go` to `bestmove` in the recorded lines of a bot.
fn longest_answer(lines: &[&TranscriptRecord]) -> Option<Duration> {
    let mut asked = None;
    let mut longest = None;
    for line in lines {
        if line.direction == Ok(Direction::ToBot) && split_verb(&line.text).0 == "go" {
            asked = Some(line.at_us);
        } else if answer(line).is_some() {
            longest = longest.max(asked.take().map(|asked| line.at_us.saturating_sub(asked)));
        }
    }
    longest.map(Duration::from_micros)
}

/// Returns all text after `bestmove`. `FromBot::parse` drops the words after the move, and a bot may have written a move
/// as several words.
fn answer(line: &TranscriptRecord) -> Option<&str> {
    let (verb, rest) = split_verb(&line.text);
    (line.direction == Ok(Direction::FromBot) && verb == "bestmove").then_some(rest)
}

/// Splits the first word from the rest of a line.
fn split_verb(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (verb, rest.trim_start())
}

/// Returns the legal moves at the end of a record, if it is this seat's turn there.
fn choices(record: &GameRecord, seat: Seat) -> Option<Choices> {
    let setup = set_up(record).ok()?;
    let mut game = Playthrough::new(&*setup, record).ok()?;
    game.play_opening(record, |_, _, _| {}).ok()?;
    for text in record.moves.iter().flatten() {
        game.play(text, None).ok()?;
    }
    let board = game.table.scene().boards.into_iter().next()?;
    let is_on_move = game.table.to_move() == seat && !game.table.is_over();
    is_on_move.then(|| Choices { legal: legal_moves(&*game.table), width: board.width, height: board.height })
}

impl Clues<'_> {
    /// Returns the lines of both outputs, those of stdout first.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.stray.iter().map(String::as_str).chain(self.stderr.lines())
    }

    /// True if the bot let its time run out without computing much.
    pub(super) fn is_idle(&self) -> bool {
        match self.fault {
            Fault::Time { evidence: Some(evidence), used, moved, .. } => {
                *moved != Some(true) && evidence.cpu < *used / 5
            }
            Fault::Time { evidence: None, .. }
            | Fault::NotStarted { .. }
            | Fault::NotReady { .. }
            | Fault::CpuClock { .. }
            | Fault::Crash { .. }
            | Fault::ClosedOutput { .. }
            | Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => false,
        }
    }
}
