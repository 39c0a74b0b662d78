//! Conversion between verdicts and records.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::evidence::{EvidenceRecord, microseconds};
use crate::fault::{FaultRecord, MAX_ANSWER, MAX_EXPLANATION, UnreadableVerdict, kept_lines, unknown_word};
use crate::format::{AdjudicationRecord, GameRecord, MarkRecord, SaidRecord, VoidKind, VoidRecord};
use crate::text::printable;
use linesman_games::options::{Flag, OptionValue};
use linesman_games::scene::{Mark, MarkKind};
use linesman_games::{OptionValues, is_elimination};
use linesman_types::seat::{BySeat, Place, Seat, Teams};
use linesman_types::verdict::adjudication::{DrawRule, ScoreRule, WinRule};
use linesman_types::verdict::{Assistance, Cause, CauseKind, Evidence, Overload, SeatFault, Verdict, Void};

/// The maximum number of moves that are kept of a bot's expected line.
const MAX_EXPECTED_MOVES: usize = 16;

impl GameRecord {
    /// Fills in the end of the game: places, reason, faults, void and marks.
    pub fn set_verdict(&mut self, verdict: &Verdict, marks: &[Mark], teams: &Teams) {
        self.places = None;
        self.reason = None;
        self.why = None;
        self.void = None;
        self.marks = Vec::new();
        self.faults = verdict.faults().iter().map(FaultRecord::from).collect();
        match verdict {
            Verdict::Finished { places, cause, .. } => {
                self.places = Some(places.values().map(|place| place.number() as u8).collect());
                self.reason = Some(cause.kind().word().to_owned());
                if let Cause::Adjudication(why) = cause {
                    self.why = Some(printable(why, MAX_EXPLANATION));
                }
                self.marks = mark_records(marks, teams);
            }
            Verdict::Void { void, .. } => self.void = Some(VoidRecord::from(void)),
        }
    }

    /// The verdict of the game, as far as the record has it.
    ///
    /// # Errors
    /// A word that its field does not allow, or a fault that lacks a field of its kind.
    pub fn verdict(&self) -> Result<Verdict, UnreadableVerdict> {
        let faults = self.faults.iter().map(SeatFault::try_from).collect::<Result<_, _>>()?;
        if let Some(void) = &self.void {
            return Ok(Verdict::Void { void: Void::try_from(void)?, faults });
        }
        let places = self
            .places
            .as_ref()
            .and_then(|places| places.iter().map(|place| Place::new(usize::from(*place))).collect())
            .and_then(|places: Vec<Place>| BySeat::from_values(places))
            .ok_or(UnreadableVerdict::NoPlaces)?;
        let cause = match self.cause().ok_or(UnreadableVerdict::NoReason)? {
            CauseKind::Resignation => Cause::Resignation,
            CauseKind::Adjudication => Cause::Adjudication(self.why.clone().unwrap_or_default()),
            CauseKind::Failure => Cause::Failure,
            CauseKind::Rules(rule) => Cause::Rules(
                linesman_games::reason(&self.game, rule).ok_or_else(|| unknown_word("reason", rule))?,
            ),
        };
        Ok(Verdict::Finished { places, cause, faults })
    }

    /// The kind of the cause of the end; `None` if the record has no reason.
    pub fn cause(&self) -> Option<CauseKind<'_>> {
        self.reason.as_deref().map(CauseKind::from_word)
    }

    /// Fills in every option of the game with its value.
    pub fn set_options(&mut self, options: &OptionValues) {
        self.options = options.iter().map(|(name, value)| (name.to_owned(), option_value(value))).collect();
    }

    /// The options as names and texts, the form in which a game takes them.
    pub fn option_texts(&self) -> Vec<(&str, String)> {
        option_texts(&self.options)
    }

    /// Appends a move with its columns. An empty `said` is not kept.
    pub fn push_move(&mut self, text: &str, used: Duration, said: SaidRecord) {
        let moves = self.moves.get_or_insert_default();
        moves.push(text.to_owned());
        let before = moves.len() - 1;
        self.times_us.get_or_insert_default().push(microseconds(used));
        if said != SaidRecord::default() || self.said.is_some() {
            let column = self.said.get_or_insert_with(|| vec![None; before]);
            column.push((said != SaidRecord::default()).then(|| said.bounded()));
        }
    }

    /// The number of moves after the opening, not counting eliminations; `None` if the record does not have its moves.
    pub fn count_moves(&self) -> Option<usize> {
        Some(self.moves.as_ref()?.iter().filter(|text| !is_elimination(text)).count())
    }

    /// True if the record has a move after the opening.
    pub fn has_moves(&self) -> bool {
        self.count_moves().is_some_and(|moves| moves > 0)
    }

    /// Fills in the host's account of each move, after the moves were appended. Keeps nothing if no move has
    /// one.
    pub fn set_evidence(&mut self, evidence: impl IntoIterator<Item = Option<Evidence>>) {
        let column: Vec<_> =
            evidence.into_iter().map(|evidence| evidence.as_ref().map(EvidenceRecord::from)).collect();
        self.evidence = Some(column).filter(|column| column.iter().any(Option::is_some));
    }

    /// Fills in the moves that the bots expected after each move, after the moves were appended. Keeps
    /// nothing if no bot was told to ponder.
    pub fn set_ponder(&mut self, expected: impl IntoIterator<Item = Option<Vec<String>>>) {
        let column: Vec<_> = expected.into_iter().collect();
        self.ponder = Some(column).filter(|column| column.iter().any(Option::is_some));
    }
}

impl SaidRecord {
    /// Returns the same with printable texts of bounded length.
    #[must_use]
    pub fn bounded(self) -> SaidRecord {
        let pv = self.pv.iter().take(MAX_EXPECTED_MOVES);
        SaidRecord {
            pv: pv.map(|text| printable(text, MAX_ANSWER)).collect(),
            text: self.text.map(|text| printable(&text, MAX_ANSWER)),
            ..self
        }
    }
}

/// The finished lines among the marks, as records.
pub fn mark_records(marks: &[Mark], teams: &Teams) -> Vec<MarkRecord> {
    let line = |mark: &Mark| match mark.kind {
        MarkKind::Line(side) => Some(MarkRecord {
            board: u8::try_from(mark.board + 1).unwrap_or(u8::MAX),
            seat: teams.members(side).next().map_or(0, |seat| seat.number() as u8),
            squares: mark.squares.iter().map(ToString::to_string).collect(),
        }),
        MarkKind::From | MarkKind::To => None,
    };
    marks.iter().filter_map(line).collect()
}

impl From<&ScoreRule> for AdjudicationRecord {
    fn from(rule: &ScoreRule) -> AdjudicationRecord {
        AdjudicationRecord {
            win_score: rule.win.map(|win| win.score),
            win_moves: rule.win.map(|win| win.moves),
            draw_score: rule.draw.map(|draw| draw.score),
            draw_moves: rule.draw.map(|draw| draw.moves),
            draw_from: rule.draw.map(|draw| draw.from),
            ..AdjudicationRecord::default()
        }
    }
}

impl AdjudicationRecord {
    /// The conditions under which scores decide the game.
    pub fn scores(&self) -> ScoreRule {
        let win = self.win_score.zip(self.win_moves);
        let draw = self.draw_score.zip(self.draw_moves);
        ScoreRule {
            win: win.map(|(score, moves)| WinRule { score, moves }),
            draw: draw.map(|(score, moves)| DrawRule { score, moves, from: self.draw_from.unwrap_or(0) }),
        }
    }
}

impl From<&Void> for VoidKind {
    fn from(void: &Void) -> VoidKind {
        match void {
            Void::Host(_) | Void::Overload(_) => VoidKind::Host,
            Void::NoBotPlayed => VoidKind::NoBotPlayed,
            Void::Assisted(_) => VoidKind::Assisted,
        }
    }
}

impl From<&Void> for VoidRecord {
    fn from(void: &Void) -> VoidRecord {
        let mut record = VoidRecord { kind: VoidKind::from(void), ..VoidRecord::default() };
        match void {
            Void::Host(why) => record.why = Some(printable(why, MAX_EXPLANATION)),
            Void::Overload(overload) => {
                record.why = Some(overload.to_string());
                record.seat = Some(overload.seat.number() as u8);
                record.limit_us = Some(microseconds(overload.limit));
                record.used_us = Some(microseconds(overload.used));
                record.margin_us = Some(microseconds(overload.margin));
                record.evidence = Some(EvidenceRecord::from(&overload.evidence));
                record.excuse_us = Some(microseconds(overload.excuse));
                record.moved = Some(overload.moved);
                record.stray_lines = kept_lines(&overload.stray_lines);
            }
            Void::NoBotPlayed => {}
            Void::Assisted(assistance) => {
                record.why = Some(assistance.to_string());
                record.undos = Some(assistance.undos);
                record.hints = Some(assistance.hints);
            }
        }
        record
    }
}

impl TryFrom<&VoidRecord> for Void {
    type Error = UnreadableVerdict;

    fn try_from(record: &VoidRecord) -> Result<Void, UnreadableVerdict> {
        match &record.kind {
            VoidKind::Host => match record.seat {
                None => Ok(Void::Host(record.why.clone().unwrap_or_default())),
                Some(seat) => {
                    let missing = |field| UnreadableVerdict::Missing { fault: "host".to_owned(), field };
                    let time = |field, value: Option<u64>| {
                        value.map(Duration::from_micros).ok_or_else(|| missing(field))
                    };
                    Ok(Void::Overload(Box::new(Overload {
                        seat: Seat::new(usize::from(seat)).ok_or(UnreadableVerdict::NoSeat(seat))?,
                        limit: time("limit_us", record.limit_us)?,
                        used: time("used_us", record.used_us)?,
                        margin: time("margin_us", record.margin_us)?,
                        evidence: record.evidence.as_ref().ok_or_else(|| missing("evidence"))?.into(),
                        excuse: time("excuse_us", record.excuse_us)?,
                        moved: record.moved.unwrap_or(false),
                        stray_lines: record.stray_lines.clone(),
                    })))
                }
            },
            VoidKind::NoBotPlayed => Ok(Void::NoBotPlayed),
            VoidKind::Assisted => Ok(Void::Assisted(Assistance {
                undos: record.undos.unwrap_or_default(),
                hints: record.hints.unwrap_or_default(),
            })),
            VoidKind::Other(word) => Err(unknown_word("void.kind", word)),
        }
    }
}

/// Returns the value of one option.
pub fn option_value(value: &OptionValue) -> serde_json::Value {
    match value {
        OptionValue::Integer(number) => (*number).into(),
        OptionValue::Flag(flag) => (*flag == Flag::On).into(),
        OptionValue::Text(text) => text.as_str().into(),
    }
}

/// Options as names and texts.
pub(super) fn option_texts(options: &BTreeMap<String, serde_json::Value>) -> Vec<(&str, String)> {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    options.iter().map(|(name, value)| (name.as_str(), text(value))).collect()
}
