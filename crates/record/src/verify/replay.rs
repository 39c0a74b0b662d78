//! One record, replayed by the rules.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::convert::mark_records;
use crate::fault::UnreadableVerdict;
use crate::format::{AdjudicationRecord, GameRecord, MarkRecord};
use crate::outcome::Ended;
use crate::playthrough::{NoSetup, Playthrough, set_up, time_controls};
use crate::text::printable;
use crate::verify::violation::{MoveList, MoveNumber, Violation, ViolationKind};
use linesman_games::{Ending, Refusal, Setup, Table, eliminated, is_elimination};
use linesman_types::seat::{BySeat, Place, Seat, Side, Teams};
use linesman_types::verdict::adjudication::{Decision, ScoreRule, Scores};
use linesman_types::verdict::{CauseKind, Fault, SeatFault, Void};

/// The result of checking a record without a violation.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Checked {
    /// It was replayed, and everything in it is correct.
    Replayed {
        /// The number of moves.
        moves: usize,
    },
    /// It has no moves to replay, and does not contradict itself.
    WithoutMoves,
    /// The game has no result; its moves, if it has any, are legal.
    Void,
}

/// Replays records. Setups are shared by records with the same game and options.
#[derive(Default)]
pub struct Replayer {
    setups: HashMap<String, Arc<dyn Setup>>,
}

/// The maximum number of setups that are kept.
const MAX_SETUPS: usize = 64;

impl Replayer {
    /// Replays a record move by move and compares its statements with the rules.
    ///
    /// # Errors
    /// The first incorrect statement.
    pub fn check(&mut self, record: &GameRecord) -> Result<Checked, Violation> {
        let outcome = record.outcome().map_err(ViolationKind::Malformed)?;
        let setup = self.setup(record)?;
        let teams = setup.teams();
        if teams.seats() != record.seats.len() {
            return Err(ViolationKind::Seats { seats: record.seats.len(), needed: teams.seats() }.into());
        }
        check_mates(record, &teams)?;
        if let Some(places) = outcome.places()
            && *places != BySeat::by_measure(&teams, |seat| -(places[seat].number() as i32))
        {
            return Err(ViolationKind::ImpossiblePlaces(list(places)).into());
        }
        let faults = record.faults.iter().map(SeatFault::try_from).collect::<Result<Vec<_>, _>>();
        let faults = faults.map_err(ViolationKind::Unreadable)?;
        time_controls(record).map_err(ViolationKind::TimeControl)?;
        check_columns(record)?;
        let Some(moves) = &record.moves else {
            return Ok(if record.void.is_some() { Checked::Void } else { Checked::WithoutMoves });
        };
        let mut game = Playthrough::new(&*setup, record).map_err(ViolationKind::OpeningToken)?;
        game.play_opening(record, |_, _, _| {})
            .map_err(|(index, text, refusal)| at_move(MoveList::Opening, index, text, refused(refusal)))?;
        let mut replay = Replay {
            record,
            game,
            scores: Scores::new(
                record.adjudication.as_ref().map_or_else(ScoreRule::default, AdjudicationRecord::scores),
                &teams,
            ),
            decision: None,
            teams,
            faults,
        };
        for (index, text) in moves.iter().enumerate() {
            let at = |what| at_move(MoveList::Moves, index, text, what);
            let said = record.said.as_ref().and_then(|said| said[index].as_ref());
            let score = said.and_then(|said| said.score_cp);
            let seat = replay.game.table.to_move();
            replay.play(text, record.times_us.as_ref().map(|times| times[index]), score).map_err(at)?;
            let pondered = record.ponder.as_ref().and_then(|ponder| ponder[index].as_ref());
            pondered.map_or(Ok(()), |moves| replay.check_pondered(seat, moves)).map_err(at)?;
        }
        match &outcome.result {
            Ended::Places(places) => {
                replay.check_result(places)?;
                Ok(Checked::Replayed { moves: moves.len() })
            }
            Ended::VoidHost | Ended::Void => {
                replay.check_void()?;
                Ok(Checked::Void)
            }
        }
    }

    /// The teams of a record's game, if the game is known.
    pub(super) fn teams(&mut self, record: &GameRecord) -> Option<Teams> {
        Some(self.setup(record).ok()?.teams())
    }

    fn setup(&mut self, record: &GameRecord) -> Result<Arc<dyn Setup>, ViolationKind> {
        let options = record.option_texts();
        let key = format!("{} {options:?}", record.game);
        if let Some(setup) = self.setups.get(&key) {
            return Ok(Arc::clone(setup));
        }
        let setup = set_up(record).map_err(|error| match error {
            NoSetup::UnknownGame => ViolationKind::UnknownGame(printable(&record.game, 80)),
            NoSetup::Options(error) => ViolationKind::Options(error),
        })?;
        if self.setups.len() >= MAX_SETUPS {
            self.setups.clear();
        }
        self.setups.insert(key, Arc::clone(&setup));
        Ok(setup)
    }
}

/// Checks that the record names the same team for all seats of a side.
fn check_mates(record: &GameRecord, teams: &Teams) -> Result<(), Violation> {
    let team = |seat: Seat| record.seats[seat.index()].team.clone();
    for seat in Seat::all(teams.seats()) {
        let mate = teams.members(teams.side(seat)).next().expect("a side has a member");
        if team(mate) != team(seat) {
            let kind = ViolationKind::Mates { seats: [mate, seat], teams: [team(mate), team(seat)] };
            return Err(kind.into());
        }
    }
    Ok(())
}

fn check_columns(record: &GameRecord) -> Result<(), ViolationKind> {
    let moves = record.moves.as_ref().map_or(0, Vec::len);
    let lengths = [
        ("times_us", record.times_us.as_ref().map(Vec::len)),
        ("walls_us", record.walls_us.as_ref().map(Vec::len)),
        ("said", record.said.as_ref().map(Vec::len)),
        ("evidence", record.evidence.as_ref().map(Vec::len)),
        ("ponder", record.ponder.as_ref().map(Vec::len)),
    ];
    for (column, length) in lengths {
        if let Some(length) = length.filter(|length| *length != moves) {
            return Err(ViolationKind::Column { column, length, moves });
        }
    }
    Ok(())
}

fn at_move(list: MoveList, index: usize, text: &str, kind: ViolationKind) -> Violation {
    Violation {
        at: Some(MoveNumber { list, number: index + 1, text: printable(text, 40) }),
        kind: Box::new(kind),
    }
}

fn refused(refusal: Refusal) -> ViolationKind {
    match refusal {
        Refusal::Illegal(_) => ViolationKind::Illegal(refusal),
        Refusal::NotAMove(_) => ViolationKind::NotAMove(refusal),
    }
}

/// Places as they appear in messages: `1,2`.
fn list(places: &BySeat<Place>) -> String {
    places.values().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// A record during its replay.
struct Replay<'r> {
    record: &'r GameRecord,
    game: Playthrough,
    teams: Teams,
    faults: Vec<SeatFault>,
    scores: Scores,
    /// The decision by these scores after the last move.
    decision: Option<Decision>,
}

impl Replay<'_> {
    fn play(&mut self, text: &str, used_us: Option<u64>, score: Option<i64>) -> Result<(), ViolationKind> {
        if self.decision.is_some() {
            return Err(ViolationKind::Decided);
        }
        if is_elimination(text) {
            return self.eliminate(text);
        }
        let used = used_us.map(Duration::from_micros);
        let made = self.game.play(text, used).map_err(refused)?;
        let table = &self.game.table;
        let decision = self.scores.played(made.seat, score, table.ply());
        self.decision = decision.filter(|_| !table.is_over());
        match (made.exceeded, used, self.game.margin) {
            (Some(limit), Some(used), Some(margin)) => Err(ViolationKind::TooLate { used, limit, margin }),
            _ => Ok(()),
        }
    }

    /// Checks that the moves that a seat pondered on after its move lead to its next turn.
    fn check_pondered(&self, seat: Seat, moves: &[String]) -> Result<(), ViolationKind> {
        let mut table = self.game.table.fork();
        for text in moves {
            table.play(text).map_err(|why| ViolationKind::PonderedMove { text: printable(text, 40), why })?;
        }
        if table.is_over() || table.to_move() != seat || moves.is_empty() {
            let moves = moves.iter().map(|text| printable(text, 40)).collect::<Vec<_>>().join(" ");
            return Err(ViolationKind::Pondered { moves: format!("`{moves}`"), seat });
        }
        Ok(())
    }

    /// Eliminates a seat (`!3`) from a game of three sides or more.
    fn eliminate(&mut self, text: &str) -> Result<(), ViolationKind> {
        let seat = eliminated(text).filter(|seat| seat.number() <= self.teams.seats()).ok_or_else(|| {
            ViolationKind::NotAMove(Refusal::NotAMove(linesman_games::NotAMove {
                why: format!("there is no seat `{}`", printable(text, 40)),
            }))
        })?;
        let before = self.game.table.fork();
        self.game.play(text, None).map_err(|_| ViolationKind::Eliminated(seat))?;
        let mut faults = self.faults.iter().filter(|fault| fault.seat == seat);
        faults.try_for_each(|fault| self.check_fault(fault, &*before))
    }

    /// The number of sides left. A side is out as soon as one of its members is.
    fn sides_left(&self, out: &[Seat]) -> usize {
        let is_in = |side: &usize| !out.iter().any(|seat| self.teams.side(*seat) == Side::from_index(*side));
        (0..self.teams.sides()).filter(is_in).count()
    }

    fn check_result(&self, places: &BySeat<Place>) -> Result<(), ViolationKind> {
        // Faults of seats that were not eliminated ended the game.
        let last: Vec<&SeatFault> =
            self.faults.iter().filter(|fault| !self.game.out().contains(&fault.seat)).collect();
        let ending = self.game.table.ending();
        let cause = self.record.cause();
        let mut out = self.game.out().to_vec();
        if let (Some(decision), true) = (&self.decision, cause != Some(CauseKind::Adjudication)) {
            return Err(ViolationKind::NotDecided { why: decision.why.clone() });
        }
        let decided = match (cause, ending) {
            (None, ending) => return self.check_rules(places, None, ending, &last),
            (Some(CauseKind::Rules(word)), ending) => {
                return self.check_rules(places, Some(word), ending, &last);
            }
            (
                Some(decided @ (CauseKind::Failure | CauseKind::Resignation | CauseKind::Adjudication)),
                Some(ending),
            ) => {
                return Err(ViolationKind::Reason {
                    reason: decided.word().to_owned(),
                    by_rules: ending.reason.word(),
                });
            }
            (Some(CauseKind::Failure), None) => {
                for fault in last {
                    self.check_fault(fault, &*self.game.table)?;
                    out.push(fault.seat);
                }
                CauseKind::Failure
            }
            (Some(CauseKind::Resignation), None) => {
                if let Some(fault) = last.first() {
                    return Err(ineffective(fault, CauseKind::Resignation.word()));
                }
                out.push(self.game.table.to_move());
                CauseKind::Resignation
            }
            (Some(CauseKind::Adjudication), None) => return self.check_decision(places),
        };
        match self.sides_left(&out) {
            1 => self.compare(places, &out, None),
            left => Err(ViolationKind::SidesLeft { reason: decided.word(), left }),
        }
    }

    /// Checks a decision by the referee. The record need not name the rule. If it does, the bots' scores must
    /// agree, or the record must name a table.
    fn check_decision(&self, places: &BySeat<Place>) -> Result<(), ViolationKind> {
        let Some(rule) = &self.record.adjudication else { return Ok(()) };
        match &self.decision {
            Some(decision) if decision.places == *places => Ok(()),
            Some(decision) => {
                Err(ViolationKind::Places { places: list(places), expected: list(&decision.places) })
            }
            None if rule.table.is_some() => Ok(()),
            None => Err(ViolationKind::NotAgreed),
        }
    }

    /// Checks that the game ended by its rules, and how.
    fn check_rules(
        &self,
        places: &BySeat<Place>,
        reason: Option<&str>,
        ending: Option<Ending>,
        last: &[&SeatFault],
    ) -> Result<(), ViolationKind> {
        if let Some(word) = reason
            && linesman_games::reason(&self.record.game, word).is_none()
        {
            let word = printable(word, 40);
            return Err(ViolationKind::Unreadable(UnreadableVerdict::Word { field: "reason", word }));
        }
        let Some(ending) = ending else {
            return Err(reason.map_or(ViolationKind::NotOver, |reason| ViolationKind::NotOverBy {
                reason: reason.to_owned(),
            }));
        };
        let by_rules = ending.reason.word();
        if let Some(reason) = reason.filter(|reason| *reason != by_rules) {
            return Err(ViolationKind::Reason { reason: reason.to_owned(), by_rules });
        }
        if let Some(fault) = last.first() {
            return Err(ineffective(fault, by_rules));
        }
        self.compare(places, self.game.out(), Some(&ending.places))?;
        let mut marks = mark_records(&ending.marks, &self.teams);
        let mut said = self.record.marks.clone();
        let in_order = |mark: &MarkRecord| (mark.board, mark.seat, mark.squares.clone());
        marks.sort_by_key(in_order);
        said.sort_by_key(in_order);
        if said.is_empty() || said == marks { Ok(()) } else { Err(ViolationKind::Marks) }
    }

    /// Compares places with those that follow if these seats were eliminated in this order: below all
    /// remaining seats, the first one last. Seats that failed before the first move was requested share the
    /// last place.
    fn compare(
        &self,
        places: &BySeat<Place>,
        out: &[Seat],
        by_rules: Option<&BySeat<Place>>,
    ) -> Result<(), ViolationKind> {
        let moves = self.record.moves.as_deref().unwrap_or_default();
        let out_at_first = moves.iter().take_while(|text| is_elimination(text)).count();
        // Without a single move the fault that ended the game may also have occurred that early.
        let possible = if out_at_first == moves.len() { out.len() } else { out_at_first };
        let failed = |seat: Seat, how: fn(&Fault) -> bool| {
            self.faults.iter().any(|fault| fault.seat == seat && how(&fault.fault))
        };
        let min_early = out.iter().rposition(|seat| failed(*seat, is_early)).map_or(0, |last| last + 1);
        let max_early = out.iter().take(possible).take_while(|seat| failed(**seat, may_be_early)).count();
        let expected = self.ranked(out, by_rules, min_early);
        let fits = |early| *places == self.ranked(out, by_rules, early);
        if *places == expected || (min_early..=max_early).any(fits) {
            return Ok(());
        }
        Err(ViolationKind::Places { places: list(places), expected: list(&expected) })
    }

    /// The places if the first `early` eliminated seats had failed before the first move was requested.
    fn ranked(&self, out: &[Seat], by_rules: Option<&BySeat<Place>>, early: usize) -> BySeat<Place> {
        BySeat::by_measure(&self.teams, |seat| {
            match out.iter().position(|gone| self.teams.together(*gone, seat)) {
                Some(index) if index < early => (0, 0),
                Some(index) => (0, 1 + index as i32),
                None => (1, by_rules.map_or(0, |places| -(places[seat].number() as i32))),
            }
        })
    }

    /// Refuses a fault that the seat can't have committed in this position.
    fn check_fault(&self, fault: &SeatFault, table: &dyn Table) -> Result<(), ViolationKind> {
        let seat = fault.seat;
        let word = fault.fault.word();
        let on_move = table.to_move();
        match &fault.fault {
            Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Time { .. }
            | Fault::CpuClock { .. }
                if seat != on_move =>
            {
                Err(ViolationKind::NotOnMove { seat, fault: word, on_move })
            }
            Fault::NotStarted { .. } | Fault::NotReady { .. } => {
                let is_last = !self.game.out().contains(&seat) && self.teams.sides() == 2;
                if self.record.has_moves() && is_last {
                    Err(ViolationKind::AfterMoves { seat, fault: word })
                } else {
                    Ok(())
                }
            }
            Fault::IllegalMove { text, .. } | Fault::NotAMove { text, .. } => {
                match (table.fork().play(text), &fault.fault) {
                    (Ok(()), _) => Err(ViolationKind::LegalAfterAll { seat, text: text.clone() }),
                    (Err(Refusal::Illegal(_)), Fault::IllegalMove { .. })
                    | (Err(Refusal::NotAMove(_)), Fault::NotAMove { .. }) => Ok(()),
                    (Err(refusal), _) => {
                        Err(ViolationKind::OtherFault { seat, text: text.clone(), fault: word, refusal })
                    }
                }
            }
            Fault::Time { limit, used, margin, .. } => {
                let (limit, used, margin) = (*limit, *used, *margin);
                // A record has whole microseconds, so the move may look as if it was in time.
                if used < limit.saturating_add(margin) {
                    return Err(ViolationKind::InTime { seat, used, limit, margin });
                }
                self.check_limit(seat, limit)
            }
            Fault::CpuClock { limit, margin, evidence, wall, wall_bound } => {
                let (limit, margin) = (*limit, *margin);
                if evidence.cpu < limit.saturating_add(margin) && wall < wall_bound {
                    return Err(ViolationKind::InTime { seat, used: evidence.cpu, limit, margin });
                }
                self.check_limit(seat, limit)
            }
            Fault::Crash { .. }
            | Fault::ClosedOutput { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => Ok(()),
        }
    }

    /// Checks that a seat can have had this limit. A bot's own limit may be shorter than its clock, never
    /// longer.
    fn check_limit(&self, seat: Seat, limit: Duration) -> Result<(), ViolationKind> {
        let given = self.game.clock.as_ref().filter(|_| self.record.times_us.is_some());
        match given.map(|clock| clock.limit(seat)) {
            Some(given) if limit > given => Err(ViolationKind::TimeLimit { seat, limit, given }),
            _ => Ok(()),
        }
    }

    fn check_void(&self) -> Result<(), ViolationKind> {
        if let Some(reason) = &self.record.reason {
            return Err(ViolationKind::VoidWithReason(printable(reason, 40)));
        }
        let void =
            self.record.void.as_ref().map(Void::try_from).transpose().map_err(ViolationKind::Unreadable)?;
        if void != Some(Void::NoBotPlayed) {
            return Ok(());
        }
        if self.record.has_moves() {
            return Err(ViolationKind::SomebodyPlayed("there are moves"));
        }
        let failed: Vec<Seat> = self.faults.iter().map(|fault| fault.seat).collect();
        match self.sides_left(&failed) {
            0 => Ok(()),
            _ => Err(ViolationKind::SomebodyPlayed("not every side failed")),
        }
    }
}

/// Returns true if this fault happens only before the first move is requested.
fn is_early(fault: &Fault) -> bool {
    matches!(fault, Fault::NotStarted { .. } | Fault::NotReady { .. })
}

/// Returns true if this fault can happen before the first move is requested. For some the record
/// does not show when they happened.
fn may_be_early(fault: &Fault) -> bool {
    let at_any_time = matches!(
        fault,
        Fault::Crash { .. } | Fault::ClosedOutput { .. } | Fault::Protocol { .. } | Fault::Limit { .. }
    );
    at_any_time || is_early(fault)
}

fn ineffective(fault: &SeatFault, reason: &str) -> ViolationKind {
    ViolationKind::IneffectiveFault { seat: fault.seat, fault: fault.fault.word(), reason: reason.to_owned() }
}
