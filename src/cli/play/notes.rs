//! The observer that prints notes and warnings about the events of a run on stderr.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::live::is_view;
use super::super::ui::{Progress, Ui};
use super::failure::{no_own_user, preflight_failures};
use super::faults::FaultNotes;
use super::signals::{ABORTING, FINISHING};
use super::{diagnosis, elsewhere};
use crate::league::directory::RunDirectory;
use crate::league::dispatcher::{MAX_TRIES, MIN_LEAD};
use crate::league::fair_play::{AtOnce, TRIES_PER_RUN};
use crate::league::file::Comparison;
use crate::league::pending_rounds::{PendingRounds, round_of};
use crate::league::schedule::Length;
use crate::league::session::{
    Again, Confinement, EndedGameEvent, Failing, Finished, MAX_ODDITIES, Observer, Odd, Oddities,
    Preparation, Results, ResumeScan, RunEvent, RunOutcome, Started, Stop, WhyOdd,
};
use crate::league::withdrawal::Row;
use crate::process::isolation::SandboxStatus;
use crate::process::{Leaked, QuitOverruns};
use crate::record::text::printable;
use crate::record::{GameRecord, OwnedLine, deleting};
use crate::report::describe::{counted, grouped, several};
use crate::report::league_report::worker_sentences;
use crate::seat::Seat;

/// Maximum number of bots that a note names.
const MAX_NAMED: usize = 4;

/// Maximum length of an ignored line in a note, in bytes.
const MAX_OF_LINE: usize = 60;

/// Maximum number of lines that a suggested command deletes.
const MAX_DELETED: u64 = 20;

pub(crate) struct Notes<'u> {
    ui: &'u mut Ui,
    /// True if the length of the run was given as a number of games: `linesman test`.
    counts_games: bool,
    pub(super) reports_faults: bool,
    faults: FaultNotes,
    bots: Vec<(String, Confinement)>,
    /// The bots that may have pondered, judged by their CPU time out of turn in some game.
    ponderers: BTreeSet<String>,
    /// The number of ignored lines of each bot, and the first one.
    ignored: BTreeMap<String, (u64, String)>,
}

impl<'u> Notes<'u> {
    pub(crate) fn new(ui: &'u mut Ui, counts_games: bool) -> Notes<'u> {
        Notes {
            ui,
            counts_games,
            reports_faults: true,
            faults: FaultNotes::default(),
            bots: Vec::new(),
            ponderers: BTreeSet::new(),
            ignored: BTreeMap::new(),
        }
    }

    fn started(&mut self, started: &Started<'_>) {
        let bots = started.tournament.bots.iter().enumerate();
        self.bots = bots.map(|(index, bot)| (bot.name.clone(), started.confinement(index))).collect();
    }

    fn played(&mut self, game: &EndedGameEvent<'_>) {
        let record = game.record;
        for note in game.notes {
            self.ui.detail(format_args!("{}: {note}", record.id));
        }
        if self.reports_faults {
            self.faults.show(self.ui, record, |fault| {
                let name = &record.seats.get(usize::from(fault.seat).checked_sub(1)?)?.name;
                let (_, confinement) = self.bots.iter().find(|(bot, _)| bot == name)?;
                diagnosis::of_record(fault, confinement)
            });
        }
        self.ponderers.extend(ponderers(record).map(str::to_owned));
        let has_failed =
            |seat: Seat| record.faults.iter().any(|fault| usize::from(fault.seat) == seat.number());
        for (seat, lines) in game.ignored.iter().filter(|(_, lines)| lines.number > 0) {
            // The lines of a bot that failed are shown with its failure.
            let seat_record = record.seats.get(seat.index()).filter(|_| !has_failed(seat));
            let Some(seat) = seat_record else { continue };
            let (number, _) =
                self.ignored.entry(seat.name.clone()).or_insert_with(|| (0, lines.first.clone()));
            *number += lines.number;
        }
    }

    fn annulled(&mut self, game: &EndedGameEvent<'_>, why: &str, again: Again) {
        self.played(game);
        let id = &game.record.id;
        match again {
            // Their number is printed at the end.
            Again::Soon => self.ui.warn_once(format_args!("{id} is void and will be played again: {why}")),
            Again::Never => {
                self.ui.warn_once(format_args!("{id} is void {MAX_TRIES} times and stays missing: {why}"));
            }
            // There may be many, so each is shown only with `--verbose`.
            Again::Later => {
                self.ui.detail(format_args!("{id} is annulled and will be played again later: {why}"));
            }
        }
    }

    fn withdrawn(&mut self, bot: &str, Row { games, not_ready, moved }: Row) {
        let did = match (not_ready, moved) {
            (0, 0) => "crashed right after its start",
            (0, _) => "crashed within 1 s of the start of the game",
            _ if not_ready == games => "was not ready",
            (_, 0) => "crashed right after its start or was not ready",
            _ => "crashed within 1 s of the start of the game or was not ready",
        };
        self.ui.warn_once(format_args!(
            "`{bot}` is withdrawn: it {did} in {games} games in a row, the number that `limits.crashes` sets; \
             use `--keep-going` to play anyway"
        ));
    }

    fn finished(&mut self, finished: &Finished<'_>) {
        let Finished { outcome, left, broken_off, open, withdrawn, is_fixed, is_kept } = *finished;
        if matches!(outcome, Some(RunOutcome::Decided | RunOutcome::Repeating)) {
            return;
        }
        if broken_off > 0 {
            self.ui.note(broken_off_note(broken_off, is_kept));
        }
        if open > 0 && outcome != Some(RunOutcome::Stopped) {
            let again = "; to play them, run the same command again on a less busy machine";
            self.ui.note(format_args!(
                "{} stayed open, because the machine was too busy in each of {TRIES_PER_RUN} tries{}",
                counted(open, "game"),
                if is_kept { again } else { "" }
            ));
        }
        if outcome != Some(RunOutcome::Withdrawn) {
            return;
        }
        let names: Vec<&str> = withdrawn.iter().map(String::as_str).collect();
        let again = match names.as_slice() {
            _ if !is_kept => "",
            [_] => "; to play them, fix the bot and run the same command again",
            _ => "; to play them, fix these bots and run the same command again",
        };
        // Games that depend on those of a withdrawn bot are not played either.
        let games = if is_fixed { format!("{left} games") } else { "games".to_owned() };
        self.ui.warn(format_args!("{games} of {} were not played{again}", bots_in_words(&names)));
    }

    fn preflight_waits(&self, seconds: u64, limit: u64, tried: usize, bots: usize) {
        if self.ui.progress() == Progress::None || seconds % 3 != 1 {
            return;
        }
        // Each bot has this limit, and not all are tried at once.
        if tried == 0 && seconds <= limit {
            self.ui.note(format_args!("waiting for bots to answer `ugi`, {seconds} s of {limit} s"));
        } else {
            self.ui.note(format_args!(
                "waiting for bots to answer `ugi`: {tried} of {bots} done after {seconds} s, at most {limit} s \
                 each"
            ));
        }
    }

    fn preparing(&mut self, event: &Preparation<'_>) {
        match event {
            Preparation::OpeningsReused { openings, rounds } => {
                let plural = if *openings == 1 { "opening" } else { "openings" };
                self.ui.note(format_args!(
                    "{openings} {plural} for {rounds} rounds: openings are reused, so bots that always play \
                     alike repeat their games"
                ));
            }
            Preparation::FewerGames { rounds, games, asked } => self.fewer_games(*rounds, *games, *asked),
            Preparation::MayRepeat(bots) => self.may_repeat(bots),
            Preparation::Changed(comparison) => note_changes(self.ui, comparison, self.counts_games),
            Preparation::Version(note) => self.ui.note(note),
            Preparation::SetsUp { bot, setup } => self.ui.note(format_args!("setting up `{bot}`: {setup}")),
            Preparation::TornLine { bytes, directory } => self.ui.warn(format_args!(
                "{}: the last record was incomplete; its {bytes} bytes were removed",
                directory.path().display()
            )),
            Preparation::Resumed { read, directory } => report_oddities(self.ui, read, &directory.games()),
            Preparation::AlreadyOver { directory, outcome, length } => {
                self.already_over(directory, *outcome, *length);
            }
            Preparation::Continues { directory, length, done: 0, at_once, is_test, is_elsewhere } => {
                let at_most = if *is_test { "at most " } else { "" };
                let by = if *is_elsewhere { "by workers".to_owned() } else { format!("{at_once} at once") };
                self.ui.note(format_args!("{}: {at_most}{length}, {by}", directory.path().display()));
                if *is_test && *is_elsewhere {
                    self.ui.note(format_args!(
                        "workers may play up to {MIN_LEAD} games more than the test needs"
                    ));
                }
            }
            Preparation::Continues { directory, length, done, .. } => {
                self.continues(directory, *length, *done);
            }
            Preparation::Sandbox(status) => report_sandbox(self.ui, status),
            Preparation::CpuClock(wall_bound) => self.ui.note(format_args!(
                "the clock counts the CPU time of each bot; the wall time of a move may be up to {wall_bound} \
                 times its limit"
            )),
            Preparation::Imbalanced(imbalance) => self.ui.note(imbalance),
            Preparation::RunsAsRoot { bot, path } => {
                self.ui.note(format_args!("{}; it runs as root", no_own_user(bot, path)));
            }
            Preparation::SharedFolder { folder, bots } => self.shared_folder(folder, bots),
            Preparation::PreflightBegins(bots) => {
                self.ui.detail(format_args!("starting {bots} bots for a trial"));
            }
            Preparation::PreflightWaits { seconds, limit, tried, bots } => {
                self.preflight_waits(*seconds, limit.as_secs(), *tried, *bots);
            }
            Preparation::PreflightEnds(took) => {
                self.ui.detail(format_args!("the trial of all bots took {:.3} s", took.as_secs_f64()));
            }
            Preparation::PreflightFailed(failing) => self.preflight_failed(failing),
        }
    }

    fn fewer_games(&mut self, rounds: u32, games: u64, asked: u64) {
        let have = if rounds == 1 { "round has" } else { "rounds have" };
        self.ui.warn(format_args!(
            "{rounds} {have} {games} games, fewer than `games = {asked}` allows; to play more, raise `rounds`"
        ));
    }

    fn may_repeat(&self, bots: &[&str]) {
        let more = match bots.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        self.ui.note(format_args!(
            "play from openings (`linesman openings make`): otherwise all games begin from the same position, \
             and `{}`{more} repeat their games if they always play alike",
            bots[..bots.len().min(MAX_NAMED)].join("`, `")
        ));
    }

    fn already_over(&self, directory: &RunDirectory, outcome: RunOutcome, length: Length) {
        let shown = directory.path().display();
        let why = match outcome {
            RunOutcome::Repeating => "new games only repeat earlier ones".to_owned(),
            RunOutcome::Decided => "the test is decided".to_owned(),
            RunOutcome::Complete | RunOutcome::Stopped | RunOutcome::Withdrawn | RunOutcome::Open => {
                format!("all {length} have been played")
            }
        };
        self.ui.note(format_args!("{shown}: finished, {why}"));
    }

    fn continues(&self, directory: &RunDirectory, length: Length, done: u64) {
        let have = if length == Length::Endless && done == 1 { "has" } else { "have" };
        let shown = directory.path().display();
        self.ui.note(format_args!("{shown}: continuing, {} {have} been played", length.after(done)));
    }

    fn shared_folder(&self, folder: &Path, bots: &BTreeSet<&str>) {
        let names: Vec<String> = bots.iter().map(|name| format!("`{name}`")).collect();
        self.ui.note(format_args!(
            "{} can read each other's files in `{}`, because their commands don't show which files belong to \
             which bot; give each bot its own directory (`dir`)",
            names.join(", "),
            folder.display()
        ));
    }

    fn preflight_failed(&mut self, failing: &[Failing]) {
        preflight_failures(failing).iter().for_each(|failure| self.ui.warn_of(failure));
        let names: Vec<&str> = failing.iter().map(|failing| &*failing.bot.name).collect();
        let are = if names.len() == 1 { "is" } else { "are" };
        self.ui.warn_once(format_args!(
            "{} {are} withdrawn, and the others play (with `--strict`, nothing would be played)",
            bots_in_words(&names)
        ));
    }

    fn taken_up(&self, records: &[OwnedLine]) {
        let games = records.len() as u64;
        let (have, count) = if games == 1 { ("game has", "counts") } else { ("games have", "count") };
        self.ui.note(format_args!("{}: {games} {have} already been played and {count}", rounds_of(records)));
    }

    fn drawn_otherwise(&mut self, records: &[OwnedLine]) {
        let (is, does) = if records.len() == 1 { ("record is", "does") } else { ("records are", "do") };
        self.ui.warn(format_args!(
            "{}: the pairings have changed, so {} {is} discarded and {does} not count",
            rounds_of(records),
            records.len(),
        ));
    }

    fn at_once(&self, change: AtOnce) {
        match change {
            AtOnce::Fewer(games) => self.ui.note(format_args!(
                "the machine is overloaded: playing {} at once until the load drops",
                counted(games as u64, "game")
            )),
            AtOnce::More(games) => self.ui.note(format_args!(
                "the load has dropped: playing {} at once",
                counted(games as u64, "game")
            )),
        }
    }

    fn over(&mut self, leaked: Leaked, overruns: &[(String, QuitOverruns)]) {
        if let Some(warning) = leaked.warning() {
            self.ui.warn(warning);
        }
        self.faults.sum_up(self.ui);
        for (bot, (number, first)) in &self.ignored {
            let (lines, example) = match number {
                1 => ("line on stdout was", String::new()),
                _ => ("lines on stdout were", "such as ".to_owned()),
            };
            self.ui.note(format_args!(
                "`{bot}`: {} {lines} ignored, {example}`{}`; print to stderr, since stdout is for the protocol \
                 (`-v` shows what was ignored)",
                grouped(*number),
                printable(first, MAX_OF_LINE)
            ));
        }
        for (bot, overruns) in overruns {
            let times = match overruns.number() {
                0 => continue,
                1 => "once".to_owned(),
                times => format!("{} times", grouped(times)),
            };
            self.ui.note(format_args!(
                "`{bot}` was killed {times}, because it did not exit after `quit`; let it exit when it reads \
                 `quit` or the end of its input (`limits.quit` is the time that it has)"
            ));
        }
    }

    /// Warns of workers whose results differ from those of the others.
    fn suspicious_workers(&mut self, results: &Results) {
        if results.workers().len() < 2 {
            return;
        }
        // Without ratings, results can't be compared.
        let Ok(ratings) = results.ratings() else { return };
        for sentence in worker_sentences(results.workers(), &ratings) {
            self.ui.warn(sentence);
        }
    }
}

impl Observer for Notes<'_> {
    fn on(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Preparing(event) => self.preparing(event),
            RunEvent::Started(started) => self.started(started),
            RunEvent::Played(game) => self.played(game),
            RunEvent::Annulled { game, why, again } => self.annulled(game, why, *again),
            RunEvent::AtOnce { change, .. } => self.at_once(*change),
            RunEvent::Elsewhere(notice) => elsewhere::report(self.ui, notice),
            RunEvent::Waiting { games, at_most } => self.ui.note(format_args!(
                "waiting for the load to drop before playing {} again, at most {} s",
                counted(*games as u64, "game"),
                at_most.as_secs()
            )),
            RunEvent::Paused(bot) if self.ponderers.contains(bot) => self.ui.note(format_args!(
                "`{bot}` uses CPU time while it is not on move, so from now on it is paused then (`pause`)"
            )),
            RunEvent::Withdrawn { bot, row: Some(row) } => self.withdrawn(bot, *row),
            RunEvent::TakenUp(records) => self.taken_up(records),
            RunEvent::DrawnOtherwise(records) => self.drawn_otherwise(records),
            RunEvent::Repeats(id) => self.ui.warn_once(format_args!(
                "{id} repeats an earlier game move for move, which adds no information"
            )),
            RunEvent::LeftBehind { id, leaked } => {
                if let Some(warning) = leaked.warning() {
                    self.ui.warn(format_args!("{id}: {warning}"));
                }
            }
            RunEvent::Stopping(_) if is_view(self.ui) => {}
            RunEvent::Stopping(Stop::Finish) => self.ui.note(FINISHING),
            RunEvent::Stopping(Stop::Abort) => self.ui.note(ABORTING),
            RunEvent::WriteFailed => {
                self.ui.note("stopping, because results can't be written any more");
            }
            RunEvent::Over { leaked, overruns } => self.over(*leaked, overruns),
            RunEvent::Finished(finished) => self.finished(finished),
            RunEvent::Recorded { results, .. } => self.suspicious_workers(results),
            RunEvent::Began { .. }
            | RunEvent::Moved(_)
            | RunEvent::Paused(_)
            | RunEvent::Withdrawn { row: None, .. }
            | RunEvent::BrokenOff(_)
            | RunEvent::Cancelled(_)
            | RunEvent::Standing { .. }
            | RunEvent::Rated { .. } => {}
        }
    }
}

/// The quoted name of a single bot, or a list of names.
fn bots_in_words(names: &[&str]) -> String {
    match names {
        [name] => format!("`{name}`"),
        _ => several(names),
    }
}

/// Prints which parts of the sandbox work and, if details are wanted, why the others don't.
pub(crate) fn report_sandbox(ui: &Ui, holding: &SandboxStatus) {
    ui.note(holding);
    for missing in &holding.unavailable {
        ui.detail(format_args!("{missing} ({})", missing.cure));
    }
}

fn note_changes(ui: &Ui, comparison: &Comparison, counts_games: bool) {
    let added = [&comparison.added_bots, &comparison.added_teams].map(|names| names.join("`, `"));
    for names in added.iter().filter(|names| !names.is_empty()) {
        ui.note(format_args!("added to the league: `{names}`"));
    }
    for (before, now) in &comparison.renamed_bots {
        ui.note(format_args!("renamed: `{before}` is now `{now}`"));
    }
    let withdrawn = [&comparison.withdrawn_bots, &comparison.withdrawn_teams];
    for names in withdrawn.iter().filter(|names| !names.is_empty()) {
        ui.note(format_args!("removed from the league, with their games kept: `{}`", names.join("`, `")));
    }
    if let Some((before, now)) = comparison.added_rounds {
        let (before, now) = (u64::from(before), u64::from(now));
        if counts_games {
            ui.note(format_args!("at most {} games (before: {})", 2 * now, 2 * before));
        } else {
            ui.note(format_args!("rounds: {now} (before: {before})"));
        }
    }
    if let Some((before, now)) = comparison.added_openings {
        ui.note(format_args!("openings: {now} (before: {before})"));
    }
    for change in &comparison.harmless {
        ui.note(format_args!("changed: {change}"));
    }
}

/// Warns of records that don't belong to a run.
pub(crate) fn report_oddities(ui: &mut Ui, read: &ResumeScan, games: &Path) {
    let Oddities { doubtful, first, strangers, otherwise, repeated } = &read.oddities;
    for odd in first {
        ui.warn(format_args!("{}: `{}` {}", odd.place, odd.id, why_odd(odd)));
    }
    let shown = games.display();
    if let Some(league) = doubtful {
        ui.warn(format_args!(
            "{shown}: the records are of the league `{league}`, but the tournament file and the directory have \
             other names. The records count; to confirm this, set `name = {league:?}` in the \
             `tournament.toml` of the directory"
        ));
    }
    let (strange, of_other_pairings) = (strangers.len() as u64, otherwise.len() as u64);
    for (number, what) in [
        (strange, "games of other leagues"),
        (of_other_pairings, "games of rounds with other pairings"),
        (*repeated, "repeated records"),
    ] {
        if number > MAX_ODDITIES {
            ui.warn(format_args!("{shown}: {number} {what} in total"));
        }
    }
    if let Some(warning) = warning_of(&read.progress.pending) {
        ui.warn(format_args!("{shown}: {warning}"));
        ui.note(
            "to be sure to keep them, restore the missing lines in their old places (`sed -i.bak` saved the \
             original file with the suffix `.bak`)",
        );
    }
    if strange > 0 && read.progress.played.count() == 0 {
        ui.note(format_args!(
            "{shown} has no game of this league: if the records are those of another league, choose another \
             directory, or move them away"
        ));
        return;
    }
    let mut lines: Vec<u64> = strangers.iter().chain(otherwise).copied().collect();
    lines.sort_unstable();
    if (1..=MAX_DELETED).contains(&(lines.len() as u64)) {
        let command = deleting(&games.to_string_lossy(), lines);
        let what = match of_other_pairings {
            0 => "the records of games that are not of this league",
            _ => "the records that don't count, so that `linesman ratings` ignores them",
        };
        ui.note(format_args!("to delete {what}: `{command}`"));
    } else if of_other_pairings > 0 {
        ui.note(format_args!(
            "`linesman ratings` counts all records in {shown}, but `linesman league standings` only those that \
             count in this league"
        ));
    }
}

/// The reason why a record does not count, in words.
fn why_odd(odd: &Odd) -> String {
    match &odd.why {
        WhyOdd::Repeated => "already has a record; the first one counts".to_owned(),
        WhyOdd::DrawnOtherwise => match round_of(&odd.id) {
            Some(round) => format!(
                "does not count: with the present results of earlier rounds, round {round} has other pairings"
            ),
            None => "does not count".to_owned(),
        },
        WhyOdd::OtherLeague(why) => why.to_string(),
        WhyOdd::NoSuchGame => "is not a game of this league and does not count".to_owned(),
    }
}

/// The warning that games are missing on which the pairings of recorded games depend.
fn warning_of(pending: &PendingRounds) -> Option<String> {
    let rounds = pending.rounds()?;
    let rounds = in_words(*rounds.start(), *rounds.end());
    let games = counted(pending.games(), "game");
    Some(format!(
        "games that later rounds depend on are missing. {games} of {rounds} can't count until the missing games have \
         been played again. After that, a game counts only if its pairing comes up again; the others are discarded \
         and played anew"
    ))
}

/// The rounds of the records in words: `rounds 2 to 12`.
fn rounds_of(records: &[OwnedLine]) -> String {
    let rounds = || {
        let ids = records.iter().filter_map(|held| held.line().league_game().ok());
        ids.filter_map(|game| round_of(&game.outcome.id))
    };
    match (rounds().min(), rounds().max()) {
        (Some(first), Some(last)) => in_words(first, last),
        _ => "a round".to_owned(),
    }
}

fn in_words(first: u64, last: u64) -> String {
    if first == last { format!("round {first}") } else { format!("rounds {first} to {last}") }
}

fn broken_off_note(games: u64, is_kept: bool) -> String {
    let (were, they) = if games == 1 { ("was", "it") } else { ("were", "they") };
    let again = format!("; {they} will be played again from the start");
    format!("{} {were} aborted{}", counted(games, "game"), if is_kept { &again } else { "" })
}

/// Minimum fraction of the time out of turn that is CPU time if a bot may have pondered. The housekeeping of a runtime
/// takes far less.
const PONDERING_SHARE: f64 = 0.1;

/// Minimum CPU time out of turn per move, in microseconds, that counts as pondering however small its fraction: on a
/// busy host, or once it is paused, a bot that ponders gets only a small fraction.
const PONDERING_US: u64 = 50_000;

/// Maximum CPU time out of turn per move, in microseconds, that counts as housekeeping however short the moves are.
const HOUSEKEEPING_US: u64 = 3_000;

/// The bots of a game that may have pondered, judged by their CPU time out of turn.
fn ponderers(record: &GameRecord) -> impl Iterator<Item = &str> {
    let game_us = record.duration_ms.map_or(0, |duration| duration.saturating_mul(1_000));
    record.seats.iter().filter_map(move |seat| {
        let usage = seat.usage.as_ref()?;
        let used = usage.off_move_cpu_us?;
        let off_move_us = game_us.saturating_sub(usage.wall_us);
        let a_move = used / u64::from(usage.moves.max(1));
        let is_much = used as f64 > PONDERING_SHARE * off_move_us as f64 && a_move > HOUSEKEEPING_US;
        (is_much || a_move > PONDERING_US).then_some(&*seat.name)
    })
}
