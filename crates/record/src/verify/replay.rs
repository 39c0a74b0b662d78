//! One record, replayed through the rules.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::convert::{UnreadableVerdict, mark_records};
use crate::format::{AdjudicationRecord, GameRecord, MarkRecord};
use crate::outcome::Ended;
use crate::text::printable;
use crate::verify::untruth::{MoveList, MoveNumber, Untruth, What};
use linesman_games::{Ending, Game, Refusal, Setup, Table};
use linesman_types::seat::{BySeat, Place, Seat, Side, Teams};
use linesman_types::time_control::{Charge, Clock, TimeControl};
use linesman_types::verdict::adjudication::{Decision, ScoreRule, Scores};
use linesman_types::verdict::{Fault, SeatFault, Void};

/// What was found of a record in which nothing is untrue.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Checked {
    /// It was replayed, and all of it is true.
    Replayed {
        /// Number of moves that it has.
        moves: usize,
    },
    /// It has no moves that could be replayed; what it says fits together.
    WithoutMoves,
    /// The game has no result; its moves, if it has any, are legal.
    Void,
}

/// Replays records; what they have in common is set up once.
#[derive(Default)]
pub struct Replayer {
    setups: HashMap<String, Arc<dyn Setup>>,
}

/// So many different sets of options are kept ready.
const MOST_SETUPS: usize = 64;

impl Replayer {
    /// Nothing is set up yet.
    pub fn new() -> Replayer {
        Replayer::default()
    }

    /// Replays a record move by move and compares what it says with what the
    /// rules say.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub fn check(&mut self, record: &GameRecord) -> Result<Checked, Untruth> {
        let outcome = record.outcome().map_err(What::Misshapen)?;
        let setup = self.setup(record)?;
        let teams = setup.teams();
        if teams.seats() != record.seats.len() {
            return Err(What::Seats { seats: record.seats.len(), needed: teams.seats() }.into());
        }
        check_mates(record, &teams)?;
        if let Some(places) = outcome.places()
            && *places != BySeat::by_measure(&teams, |seat| -(places[seat].number() as i32))
        {
            return Err(What::ImpossiblePlaces(list(places)).into());
        }
        let faults = record.faults.iter().map(SeatFault::try_from).collect::<Result<Vec<_>, _>>();
        let faults = faults.map_err(What::Unreadable)?;
        let control = record.time_control.as_deref().map(str::parse::<TimeControl>).transpose();
        let control = control.map_err(What::TimeControl)?;
        check_columns(record)?;
        let Some(moves) = &record.moves else {
            return Ok(if record.void.is_some() { Checked::Void } else { Checked::WithoutMoves });
        };
        let mut replay = Replay {
            record,
            table: opened(&*setup, record)?,
            clock: control.map(|control| Clock::new(control, teams.seats())),
            scores: Scores::new(
                record.adjudication.as_ref().map_or_else(ScoreRule::default, AdjudicationRecord::scores),
                &teams,
            ),
            decision: None,
            teams,
            faults,
            out: Vec::new(),
        };
        for (index, text) in moves.iter().enumerate() {
            let at = |what| at_move(MoveList::Moves, index, text, what);
            let said = record.said.as_ref().and_then(|said| said[index].as_ref());
            let score = said.and_then(|said| said.score_cp);
            replay.play(text, record.times_us.as_ref().map(|times| times[index]), score).map_err(at)?;
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

    /// Who plays with whom in a record's game, if it is known.
    pub(super) fn teams(&mut self, record: &GameRecord) -> Option<Teams> {
        Some(self.setup(record).ok()?.teams())
    }

    fn setup(&mut self, record: &GameRecord) -> Result<Arc<dyn Setup>, What> {
        let options = record.option_texts();
        let key = format!("{} {options:?}", record.game);
        if let Some(setup) = self.setups.get(&key) {
            return Ok(Arc::clone(setup));
        }
        let game = linesman_games::find(&record.game);
        let game: &dyn Game = game.ok_or_else(|| What::UnknownGame(printable(&record.game, 80)))?;
        let given: Vec<(&str, &str)> = options.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let setup = game.configure(&given).map_err(What::Options)?;
        if self.setups.len() >= MOST_SETUPS {
            self.setups.clear();
        }
        self.setups.insert(key, Arc::clone(&setup));
        Ok(setup)
    }
}

/// Whether the record names one team for all seats of a side.
fn check_mates(record: &GameRecord, teams: &Teams) -> Result<(), Untruth> {
    let team = |seat: Seat| record.seats[seat.index()].team.clone();
    for seat in Seat::all(teams.seats()) {
        let mate = teams.members(teams.side(seat)).next().expect("a side has a member");
        if team(mate) != team(seat) {
            let what = What::Mates { seats: [mate, seat], teams: [team(mate), team(seat)] };
            return Err(what.into());
        }
    }
    Ok(())
}

fn check_columns(record: &GameRecord) -> Result<(), What> {
    let moves = record.moves.as_ref().map_or(0, Vec::len);
    let lengths = [
        ("times_us", record.times_us.as_ref().map(Vec::len)),
        ("walls_us", record.walls_us.as_ref().map(Vec::len)),
        ("said", record.said.as_ref().map(Vec::len)),
        ("evidence", record.evidence.as_ref().map(Vec::len)),
    ];
    for (column, length) in lengths {
        if let Some(length) = length.filter(|length| *length != moves) {
            return Err(What::Column { column, length, moves });
        }
    }
    Ok(())
}

/// A table on which the opening has been played.
fn opened(setup: &dyn Setup, record: &GameRecord) -> Result<Box<dyn Table>, Untruth> {
    let Some(opening) = &record.opening else { return Ok(setup.start()) };
    let mut table = match &opening.token {
        Some(token) => setup.from_token(token).map_err(What::OpeningToken)?,
        None => setup.start(),
    };
    for (index, text) in opening.moves.iter().enumerate() {
        table.play(text).map_err(|refusal| at_move(MoveList::Opening, index, text, refused(refusal)))?;
    }
    Ok(table)
}

fn at_move(list: MoveList, index: usize, text: &str, what: What) -> Untruth {
    Untruth {
        at: Some(MoveNumber { list, number: index + 1, text: printable(text, 40) }),
        what: Box::new(what),
    }
}

fn refused(refusal: Refusal) -> What {
    match refusal {
        Refusal::Illegal(_) => What::Illegal(refusal),
        Refusal::NotAMove(_) => What::NotAMove(refusal),
    }
}

/// Places as they are written in messages: `1,2`.
fn list(places: &BySeat<Place>) -> String {
    places.values().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// A record in the middle of being replayed.
struct Replay<'r> {
    record: &'r GameRecord,
    table: Box<dyn Table>,
    teams: Teams,
    clock: Option<Clock>,
    faults: Vec<SeatFault>,
    /// The seats that were put out, in that order.
    out: Vec<Seat>,
    /// What the bots have said of how it is going to end.
    scores: Scores,
    /// What was decided by that after the last move.
    decision: Option<Decision>,
}

impl Replay<'_> {
    fn play(&mut self, text: &str, used_us: Option<u64>, score: Option<i64>) -> Result<(), What> {
        if self.decision.is_some() {
            return Err(What::Decided);
        }
        if let Some(number) = text.strip_prefix('!') {
            return self.put_out(number.parse().ok().and_then(Seat::new), text);
        }
        let seat = self.table.to_move();
        self.table.play(text).map_err(refused)?;
        let decision = self.scores.played(seat, score, self.table.ply());
        self.decision = decision.filter(|_| !self.table.is_over());
        let (Some(clock), Some(used), Some(margin)) = (&mut self.clock, used_us, self.record.margin_ms)
        else {
            return Ok(());
        };
        let (used, margin) = (Duration::from_micros(used), Duration::from_millis(margin));
        let limit = clock.limit(seat);
        match clock.charge(seat, used, margin) {
            Charge::InTime => Ok(()),
            Charge::Late => Err(What::TooLate { used, limit, margin }),
        }
    }

    /// `!3`: the seat leaves a game of three sides or more.
    fn put_out(&mut self, seat: Option<Seat>, text: &str) -> Result<(), What> {
        let seat = seat.filter(|seat| seat.number() <= self.teams.seats()).ok_or_else(|| {
            What::NotAMove(Refusal::NotAMove(linesman_games::NotAMove {
                why: format!("there is no seat `{}`", printable(text, 40)),
            }))
        })?;
        if self.sides_left(&self.out) < 3 || self.out.contains(&seat) || self.table.is_over() {
            return Err(What::PutOut(seat));
        }
        for fault in self.faults.iter().filter(|fault| fault.seat == seat) {
            self.check_fault(fault)?;
        }
        self.table.withdraw(seat);
        self.out.push(seat);
        Ok(())
    }

    /// A side is out with the first of its members.
    fn sides_left(&self, out: &[Seat]) -> usize {
        let is_in = |side: &usize| !out.iter().any(|seat| self.teams.side(*seat) == Side::from_index(*side));
        (0..self.teams.sides()).filter(is_in).count()
    }

    fn check_result(&self, places: &BySeat<Place>) -> Result<(), What> {
        // Faults of seats that were not put out ended the game.
        let last: Vec<&SeatFault> =
            self.faults.iter().filter(|fault| !self.out.contains(&fault.seat)).collect();
        let ending = self.table.ending();
        let reason = self.record.reason.as_deref();
        let mut out = self.out.clone();
        if let (Some(decision), true) = (&self.decision, reason != Some("adjudication")) {
            return Err(What::NotDecided { why: decision.why.clone() });
        }
        let decided = match (reason, ending) {
            (Some(word @ ("failure" | "resignation" | "adjudication")), Some(ending)) => {
                return Err(What::Reason { reason: word.to_owned(), by_rules: ending.reason.word() });
            }
            (Some("failure"), None) => {
                for fault in last {
                    self.check_fault(fault)?;
                    out.push(fault.seat);
                }
                "failure"
            }
            (Some("resignation"), None) => {
                if let Some(fault) = last.first() {
                    return Err(beside(fault, "resignation"));
                }
                out.push(self.table.to_move());
                "resignation"
            }
            (Some("adjudication"), None) => return self.check_decision(places),
            (reason, ending) => return self.check_rules(places, reason, ending, &last),
        };
        match self.sides_left(&out) {
            1 => self.compare(places, &out, None),
            left => Err(What::SidesLeft { reason: decided, left }),
        }
    }

    /// The referee decided the game. By which rule the record need not say; if
    /// it does, the bots must have said so, or a table that it names.
    fn check_decision(&self, places: &BySeat<Place>) -> Result<(), What> {
        let Some(rule) = &self.record.adjudication else { return Ok(()) };
        match &self.decision {
            Some(decision) if decision.places == *places => Ok(()),
            Some(decision) => Err(What::Places { places: list(places), expected: list(&decision.places) }),
            None if rule.table.is_some() => Ok(()),
            None => Err(What::NotAgreed),
        }
    }

    /// The game ended by its rules, or should have.
    fn check_rules(
        &self,
        places: &BySeat<Place>,
        reason: Option<&str>,
        ending: Option<Ending>,
        last: &[&SeatFault],
    ) -> Result<(), What> {
        if let Some(word) = reason
            && linesman_games::reason(&self.record.game, word).is_none()
        {
            let word = printable(word, 40);
            return Err(What::Unreadable(UnreadableVerdict::Word { field: "reason", word }));
        }
        let Some(ending) = ending else {
            return Err(reason.map_or(What::NotOver, |reason| What::NotOverBy { reason: reason.to_owned() }));
        };
        let by_rules = ending.reason.word();
        if let Some(reason) = reason.filter(|reason| *reason != by_rules) {
            return Err(What::Reason { reason: reason.to_owned(), by_rules });
        }
        if let Some(fault) = last.first() {
            return Err(beside(fault, by_rules));
        }
        self.compare(places, &self.out, Some(&ending.places))?;
        let mut marks = mark_records(&ending.marks, &self.teams);
        let mut said = self.record.marks.clone();
        let in_order = |mark: &MarkRecord| (mark.board, mark.seat, mark.squares.clone());
        marks.sort_by_key(in_order);
        said.sort_by_key(in_order);
        if said.is_empty() || said == marks { Ok(()) } else { Err(What::Marks) }
    }

    /// Compares places with those that follow when these seats went out in this
    /// order: below all that are still in, the first out last. Who failed before
    /// the first move was asked shares the last place.
    fn compare(
        &self,
        places: &BySeat<Place>,
        out: &[Seat],
        by_rules: Option<&BySeat<Place>>,
    ) -> Result<(), What> {
        let moves = self.record.moves.as_deref().unwrap_or_default();
        let out_at_first = moves.iter().take_while(|text| text.starts_with('!')).count();
        // Without a single move also what ended the game may have come so early.
        let most = if out_at_first == moves.len() { out.len() } else { out_at_first };
        let failed = |seat: Seat, how: fn(&Fault) -> bool| {
            self.faults.iter().any(|fault| fault.seat == seat && how(&fault.fault))
        };
        let least = out.iter().rposition(|seat| failed(*seat, is_early)).map_or(0, |last| last + 1);
        let most = out.iter().take(most).take_while(|seat| failed(**seat, may_be_early)).count();
        let expected = self.ranked(out, by_rules, least);
        let fits = |early| *places == self.ranked(out, by_rules, early);
        if *places == expected || (least..=most).any(fits) {
            return Ok(());
        }
        Err(What::Places { places: list(places), expected: list(&expected) })
    }

    /// The places when so many of those that went out had failed before the
    /// first move was asked.
    fn ranked(&self, out: &[Seat], by_rules: Option<&BySeat<Place>>, early: usize) -> BySeat<Place> {
        BySeat::by_measure(&self.teams, |seat| {
            match out.iter().position(|gone| self.teams.together(*gone, seat)) {
                Some(index) if index < early => (0, 0),
                Some(index) => (0, 1 + index as i32),
                None => (1, by_rules.map_or(0, |places| -(places[seat].number() as i32))),
            }
        })
    }

    /// True if a seat can have failed so in the position on the table.
    fn check_fault(&self, fault: &SeatFault) -> Result<(), What> {
        let seat = fault.seat;
        let word = fault.fault.word();
        let on_move = self.table.to_move();
        let answer = |text: &String| self.table.fork().play(text).map_err(|refusal| (text.clone(), refusal));
        match &fault.fault {
            Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Time { .. }
            | Fault::CpuClock { .. }
                if seat != on_move =>
            {
                Err(What::NotOnMove { seat, fault: word, on_move })
            }
            Fault::NotStarted { .. } | Fault::NotReady { .. } => {
                let was_played = self.record.moves.iter().flatten().any(|text| !text.starts_with('!'));
                let is_last = !self.out.contains(&seat) && self.teams.sides() == 2;
                if was_played && is_last { Err(What::AfterMoves { seat, fault: word }) } else { Ok(()) }
            }
            Fault::IllegalMove { text, .. } => match answer(text) {
                Ok(()) => Err(What::LegalAfterAll { seat, text: text.clone() }),
                Err((_, Refusal::Illegal(_))) => Ok(()),
                Err((text, refusal)) => Err(What::OtherFault { seat, text, fault: word, refusal }),
            },
            Fault::NotAMove { text, .. } => match answer(text) {
                Ok(()) => Err(What::LegalAfterAll { seat, text: text.clone() }),
                Err((_, Refusal::NotAMove(_))) => Ok(()),
                Err((text, refusal)) => Err(What::OtherFault { seat, text, fault: word, refusal }),
            },
            Fault::Time { limit, used, margin, .. } => {
                let (limit, used, margin) = (*limit, *used, *margin);
                // Whole microseconds stand in a record, so it may look as if it was just in time.
                if used < limit.saturating_add(margin) {
                    return Err(What::InTime { seat, used, limit, margin });
                }
                self.check_limit(seat, limit)
            }
            Fault::CpuClock { limit, margin, evidence, wall, wall_bound } => {
                let (limit, margin) = (*limit, *margin);
                if evidence.cpu < limit.saturating_add(margin) && wall < wall_bound {
                    return Err(What::InTime { seat, used: evidence.cpu, limit, margin });
                }
                self.check_limit(seat, limit)
            }
            Fault::Crash { .. }
            | Fault::ClosedOutput { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => Ok(()),
        }
    }

    /// True if a seat can have had so much time. A bot's own limit may be shorter than its
    /// clock, never longer.
    fn check_limit(&self, seat: Seat, limit: Duration) -> Result<(), What> {
        let given = self.clock.as_ref().filter(|_| self.record.times_us.is_some());
        match given.map(|clock| clock.limit(seat)) {
            Some(given) if limit > given => Err(What::TimeLimit { seat, limit, given }),
            _ => Ok(()),
        }
    }

    fn check_void(&self) -> Result<(), What> {
        if let Some(reason) = &self.record.reason {
            return Err(What::VoidWithReason(printable(reason, 40)));
        }
        let void = self.record.void.as_ref().map(Void::try_from).transpose().map_err(What::Unreadable)?;
        if void != Some(Void::NoBotPlayed) {
            return Ok(());
        }
        if self.record.moves.iter().flatten().any(|text| !text.starts_with('!')) {
            return Err(What::SomebodyPlayed("there are moves"));
        }
        let failed: Vec<Seat> = self.faults.iter().map(|fault| fault.seat).collect();
        match self.sides_left(&failed) {
            0 => Ok(()),
            _ => Err(What::SomebodyPlayed("not every side failed")),
        }
    }
}

/// Returns true if a bot fails so only before the first move is asked.
fn is_early(fault: &Fault) -> bool {
    matches!(fault, Fault::NotStarted { .. } | Fault::NotReady { .. })
}

/// Returns true if a bot can fail so before the first move is asked: of some faults the
/// record does not tell.
fn may_be_early(fault: &Fault) -> bool {
    let at_any_time = matches!(
        fault,
        Fault::Crash { .. } | Fault::ClosedOutput { .. } | Fault::Protocol { .. } | Fault::Limit { .. }
    );
    at_any_time || is_early(fault)
}

fn beside(fault: &SeatFault, reason: &str) -> What {
    What::FaultBeside { seat: fault.seat, fault: fault.fault.word(), reason: reason.to_owned() }
}
