//! A run from its plan to its tables, in a directory or nowhere.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::events;
use super::super::live;
use super::super::paths;
use super::super::snippets;
use super::super::ui::Ui;
use super::read_back::{ReadBack, read_back, read_quietly};
use super::results::{Foresight, Results};
use super::tables::write_tables;
use super::{Outcome, Prepared, Ready, Tried, Watcher, bots_in_words, hearing, play, prepare, try_bots};
use crate::engines::solve::{Table, oracle};
use crate::games::Setup;
use crate::games::solvable::Oracle;
use crate::league::account::Account;
use crate::league::bots::{Digests, Identity, Program, Surroundings, identify_all, with_digests};
use crate::league::directory::{Beginning, DirectoryError, LeagueNames, Plan, PlanError, RunDirectory};
use crate::league::dispatcher::Dispatcher;
use crate::league::file::{Comparison, Diagnostic, Diagnostics, ScheduleKind, TablePlan, Tournament};
use crate::league::schedule::{Length, Schedule};
use crate::league::trial::Kept;
use crate::league::versions::{Roster, VersionRegistry};
use crate::league::withdrawal::Withdrawals;
use crate::process::isolation::SandboxPlan;
use crate::rating::Rater;
use crate::record::{GameRecord, HeldLine, Recovery};
use crate::time_control::ClockKind;

/// So many bots are named in a note.
const MOST_NAMED: usize = 4;

/// What happens with bots that fail before the first game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Trial {
    /// Nothing is played; and those that crash at once or are not ready later on are withdrawn.
    MustPass,
    /// They are withdrawn as well, if the others can play without them.
    Withdraws,
    /// Everything is played; they lose their games.
    Skipped,
}

/// A plan with all that is known before anything is started.
pub(crate) struct Session<'p> {
    plan: &'p Plan,
    /// What is played: as the plan says, the bots by the names of their versions.
    pub(crate) tournament: Tournament,
    /// Which games it comes to, with what follows from the results once it has been played.
    pub(crate) schedule: Schedule,
    identities: Vec<Identity>,
    /// What their identities lack, until somebody wants to know.
    digests: Option<Digests>,
    /// How the user is told what is wrong with bots' commands.
    tell: fn(&Ui, &Diagnostics) -> Failure,
    trial: Trial,
    slots: usize,
    judge: Option<TableJudge>,
}

/// The table of a solved game by which games are decided.
#[derive(Clone)]
pub(crate) struct TableJudge {
    pub(crate) oracle: Arc<dyn Oracle>,
    pub(crate) digest: String,
}

impl<'p> Session<'p> {
    /// Checks the bots' commands and makes the schedule. What is wrong with
    /// commands is told by `tell`.
    pub(crate) fn new(
        ui: &mut Ui,
        plan: &'p Plan,
        trial: Trial,
        tell: fn(&Ui, &Diagnostics) -> Failure,
    ) -> Result<Session<'p>, Failure> {
        SandboxPlan::look_ahead(plan.tournament.sandbox);
        let path = env::path();
        let surroundings = Surroundings { path: &path, software: env::SOFTWARE };
        let (identities, digests) = identify_all(&plan.tournament, &plan.source, surroundings)
            .map_err(|mistakes| tell(ui, &mistakes))?;
        let schedule = Schedule::of(&plan.tournament).map_err(Failure::wrong)?;
        if let Some(openings) = &plan.tournament.openings {
            let (there_are, encounters) = (openings.list.len() as u64, u64::from(plan.tournament.rounds));
            if encounters > there_are {
                let openings = if there_are == 1 { "opening" } else { "openings" };
                ui.note(format_args!(
                    "{there_are} {openings} for {encounters} rounds: openings are reused, so bots that \
                     always play alike repeat their games"
                ));
            }
        }
        if let Some(note) = beyond_the_schedule(&plan.tournament, &schedule) {
            ui.warn(note);
        }
        if let Some(note) = repeats_to_come(&plan.tournament, &identities) {
            ui.note(note);
        }
        let slots = plan.tournament.games_at_once(env::cores()).get() as usize;
        let judge = plan.tournament.adjudication.table.as_ref();
        if let Some(mistake) = judge.and_then(|table| missing_table(plan, table)) {
            return Err(tell(ui, &Diagnostics::of_several(vec![plan.source.clone()], vec![mistake])));
        }
        let judge = judge.map(|table| table_judge(table, &*plan.tournament.game)).transpose()?;
        let digests = Some(digests);
        let tournament = plan.tournament.clone();
        Ok(Session { plan, tournament, schedule, identities, digests, tell, trial, slots, judge })
    }

    /// Completes what is known of the bots.
    fn read_digests(&mut self, ui: &Ui) -> Result<(), Failure> {
        let Some(digests) = self.digests.take() else { return Ok(()) };
        let (tournament, source) = (&self.plan.tournament, &self.plan.source);
        self.identities = with_digests(std::mem::take(&mut self.identities), digests, tournament, source)
            .map_err(|mistakes| (self.tell)(ui, &mistakes))?;
        Ok(())
    }

    /// Has the bots play by the names of their versions.
    fn play_as(&mut self, roster: Roster) -> Result<(), Failure> {
        self.schedule = Schedule::of(&roster.tournament).map_err(Failure::wrong)?;
        for (identity, version) in self.identities.iter_mut().zip(&roster.versions) {
            identity.name.clone_from(&version.name);
        }
        self.tournament = roster.tournament;
        Ok(())
    }

    /// Says how a run in a directory would begin and what has been changed
    /// since it was begun, and touches nothing. Returns what has been played.
    pub(crate) fn look(&mut self, ui: &mut Ui, directory: &RunDirectory) -> Result<ReadBack, Failure> {
        let failed = |error| directory_failure(ui, &error);
        let mut register = directory.register().map_err(failed)?;
        if let Beginning::Resumed(comparison) = directory.look(self.plan).map_err(failed)? {
            note_changes(ui, &comparison, self.counted());
            // Their games are the league's, and stay.
            register = register.without(&comparison.withdrawn_bots);
        }
        self.read_digests(ui)?;
        let (roster, back) = self.read_versions(ui, directory, &register)?;
        roster.notes(&register).iter().for_each(|note| ui.note(note));
        self.play_as(roster)?;
        back.tell_oddities(ui, directory);
        Ok(back)
    }

    /// Reads which versions the bots are and what has been played, in a directory that has had
    /// the bots of this register.
    ///
    /// Nearly always the bots are what they were: the records are read for these, and once more
    /// only if they say otherwise.
    fn read_versions(
        &self,
        ui: &Ui,
        directory: &RunDirectory,
        register: &VersionRegistry,
    ) -> Result<(Roster, ReadBack), Failure> {
        let plan = &self.plan.tournament;
        let names = self.league_names(directory, register).map_err(|error| directory_failure(ui, &error))?;
        let read = |tournament: &Tournament| {
            let schedule = Schedule::of(tournament).map_err(Failure::wrong)?;
            read_quietly(ui, directory, (tournament, &schedule), register, &names)
        };
        let bots = |tournament: &Tournament| -> Vec<String> {
            tournament.bots.iter().map(|bot| bot.name.clone()).collect()
        };
        let assumed = register.applied(plan);
        let back = read(&assumed)?;
        let roster = Roster::of(plan, &self.identities, &back.seen)
            .map_err(|error| directory_failure(ui, &DirectoryError::Replaced(error)))?;
        let is_so = bots(&assumed) == bots(&roster.tournament);
        let back = if is_so { back } else { read(&roster.tournament)? };
        Ok((roster, back))
    }

    /// The names that the league's records may have; refused if it is not sure that they are this league's.
    fn league_names(
        &self,
        directory: &RunDirectory,
        register: &VersionRegistry,
    ) -> Result<LeagueNames, DirectoryError> {
        let names = directory.league_names(self.plan, register)?;
        match names.doubtful {
            None => Ok(names),
            Some(found) => Err(DirectoryError::OtherLeague {
                path: directory.path().to_owned(),
                expected: self.plan.tournament.name.clone(),
                found,
            }),
        }
    }

    /// How its length was given: `linesman test` is told a number of games, files of rounds.
    fn counted(&self) -> Counted {
        let is_command = self.plan.file.is_none() && self.tournament.test.is_some();
        if is_command { Counted::Games } else { Counted::Rounds }
    }

    /// How many games are played at once.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// What bots are started with, in a run that is kept in a directory or nowhere.
    fn prepare(&self, directory: Option<&RunDirectory>) -> Result<Prepared, Failure> {
        let premises = self.plan.premises(directory.map(RunDirectory::path));
        // More than there are would never be played at once.
        let games = usize::try_from(self.schedule.length().most()).unwrap_or(usize::MAX).clamp(1, self.slots);
        prepare(&self.tournament, &self.identities, premises, games, self.trial)
    }

    /// Tries the bots for what this account lacks. Returns those that are kept for their first game, and
    /// those that are withdrawn.
    fn try_bots(
        &self,
        ui: &mut Ui,
        prepared: &mut Prepared,
        account: &Account,
    ) -> Result<(Kept, Vec<usize>), Failure> {
        if self.trial == Trial::Skipped {
            return Ok((Kept::default(), Vec::new()));
        }
        let Tried { kept, failed } = try_bots(ui, &self.tournament, &self.identities, prepared, self.slots)?;
        let (withdrawn, failures): (Vec<usize>, Vec<Failure>) = failed.into_iter().unzip();
        if withdrawn.is_empty() {
            return Ok((kept, withdrawn));
        }
        if self.trial == Trial::MustPass || !self.can_play_without(&withdrawn, account) {
            let all = failures.into_iter().reduce(Failure::also);
            return Err(all.expect("each of them has failed"));
        }
        failures.iter().for_each(|failure| ui.warn_of(failure));
        let names: Vec<&str> = withdrawn.iter().map(|bot| &*self.tournament.bots[*bot].name).collect();
        let are = if names.len() == 1 { "is" } else { "are" };
        ui.warn_once(format_args!(
            "{} {are} withdrawn, and the others play (with `--strict`, nothing would be played)",
            bots_in_words(&names)
        ));
        Ok((kept, withdrawn))
    }

    /// True if a game of the league can do without these bots: one that this account lacks, or any at all. Where
    /// the others have played all of theirs the run ends as it would if the bots were withdrawn now.
    fn can_play_without(&self, bots: &[usize], account: &Account) -> bool {
        [account.clone(), Account::new(self.schedule.clone())].into_iter().any(|account| {
            let mut dispatcher = dispatcher_without(account, bots);
            dispatcher.hand_out().is_some()
        })
    }

    fn withdrawals(&self) -> Withdrawals {
        Withdrawals::new(self.tournament.bots.iter().map(|bot| match self.trial {
            Trial::MustPass | Trial::Withdraws => bot.limits.crashes,
            Trial::Skipped => 0,
        }))
    }

    /// Says that CPU time counts, if it does.
    fn tell_clock(&self, ui: &Ui) {
        if let ClockKind::Cpu { wall_bound } = self.tournament.clock {
            ui.note(format_args!(
                "the clock counts the CPU time of each bot; the wall time of a move may be up to {wall_bound} times its limit"
            ));
        }
    }

    /// Plays and keeps nothing.
    pub(crate) fn run_nowhere(&self, ui: &mut Ui) -> Result<(Outcome, Results), Failure> {
        if let Some(imbalance) = self.schedule.imbalance() {
            ui.note(imbalance);
        }
        let mut prepared = self.prepare(None)?;
        prepared.stage.tell(ui);
        self.tell_clock(ui);
        let account = Account::new(self.schedule.clone());
        let (kept, withdrawn) = self.try_bots(ui, &mut prepared, &account)?;
        let mut results = Results::new(&self.tournament)?;
        let dispatcher = dispatcher_without(account, &withdrawn);
        let ready = Ready {
            tournament: &self.tournament,
            identities: &self.identities,
            stage: &prepared.stage,
            specs: prepared.lineup.specs,
            kept,
            dispatcher,
            slots: self.slots,
            withdrawals: self.withdrawals(),
            judge: self.judge.clone(),
            writer: None,
        };
        let outcome = play(ui, ready, hearing(), &mut results)?;
        Ok((outcome, results))
    }

    /// Plays what is missing in a directory, and writes its tables.
    pub(crate) fn run_in(
        &mut self,
        ui: &mut Ui,
        directory: &RunDirectory,
    ) -> Result<(Outcome, Results), Failure> {
        let plan = self.plan;
        let beginning = directory.look(plan).map_err(|error| directory_failure(ui, &error))?;
        // While the first bots are started, or the records are looked for.
        self.digests = self.digests.take().map(Digests::begun);
        let mut early = None;
        if beginning == Beginning::New {
            // Before anything is written, so that nothing is left when a bot's command is mended.
            let mut prepared = self.prepare(Some(directory))?;
            let tried = self.try_bots(ui, &mut prepared, &Account::new(self.schedule.clone()))?;
            early = Some((prepared, tried));
        }
        // Before anything is written, too.
        self.read_digests(ui)?;
        let locked = directory.lock(plan).map_err(|error| directory_failure(ui, &error))?;
        let register = locked.former.without(locked.gone());
        let (roster, back) = self.read_versions(ui, directory, &register)?;
        let opened = locked.begin(plan, roster).map_err(|error| directory_failure(ui, &error))?;
        let versions = opened.roster.notes(&opened.former);
        self.play_as(opened.roster)?;
        let (ear, heard) = hearing();
        // Locks the directory as long as it lives: until the tables are written.
        let (mut writer, recovery) = opened
            .records
            .into_writer(ear.for_writer())
            .map_err(|error| directory_failure(ui, &DirectoryError::Records(error)))?;
        let shown = directory.path().display();
        if let Recovery::CutTornLine { bytes } = recovery {
            ui.warn(format_args!("{shown}: the last record was incomplete; its {bytes} bytes were removed"));
        }
        back.tell_oddities(ui, directory);
        let discards = back.discards();
        let ReadBack { account, mut results, .. } = back;
        if let Beginning::Resumed(comparison) = &beginning {
            note_changes(ui, comparison, self.counted());
        }
        versions.iter().for_each(|note| ui.note(note));
        if let Some(end) = results.test_end() {
            let why = match end {
                Outcome::Repeating => "new games only repeat earlier ones",
                _ => "the test is decided",
            };
            ui.note(format_args!("{shown}: finished, {why}"));
            self.schedule = account.schedule;
            write_tables(directory, &self.tournament, &results, &self.schedule)?;
            return Ok((end, results));
        }
        let (length, done) = (account.schedule.length(), account.played.count());
        if account.left() == 0 {
            ui.note(format_args!("{shown}: finished, all {length} have been played"));
            self.schedule = account.schedule;
            write_tables(directory, &self.tournament, &results, &self.schedule)?;
            return Ok((Outcome::Complete, results));
        }
        let (mut prepared, tried) = match early {
            Some((prepared, tried)) => (prepared, Some(tried)),
            None => (self.prepare(Some(directory))?, None),
        };
        if done > 0 {
            let have = if length == Length::Endless && done == 1 { "has" } else { "have" };
            ui.note(format_args!("{shown}: continuing, {} {have} been played", length.after(done)));
        } else {
            let at_most = if self.tournament.test.is_some() { "at most " } else { "" };
            ui.note(format_args!("{shown}: {at_most}{length}, {} at once", self.slots));
        }
        prepared.stage.tell(ui);
        self.tell_clock(ui);
        if let Some(imbalance) = self.schedule.imbalance() {
            ui.note(imbalance);
        }
        let (kept, withdrawn) = match tried {
            Some(tried) => tried,
            None => self.try_bots(ui, &mut prepared, &account)?,
        };
        // Who was looked up before the directory was there is known by the name of its version now.
        for (spec, bot) in prepared.lineup.specs.iter_mut().zip(&self.tournament.bots) {
            spec.identity.clone_from(&bot.name);
        }
        let ready = Ready {
            tournament: &self.tournament,
            identities: &self.identities,
            stage: &prepared.stage,
            specs: prepared.lineup.specs,
            kept,
            dispatcher: dispatcher_without(account, &withdrawn),
            slots: self.slots,
            withdrawals: self.withdrawals(),
            judge: self.judge.clone(),
            writer: Some(&mut writer),
        };
        match play(ui, ready, (ear, heard), &mut results) {
            Ok(outcome) => {
                if !self.schedule.is_known_from_the_start() {
                    // In the order in which whoever reads them next counts them.
                    let register = directory.register().map_err(|error| directory_failure(ui, &error))?;
                    let plan = (&self.tournament, &self.schedule);
                    let names = directory
                        .league_names(self.plan, &register)
                        .map_err(|error| directory_failure(ui, &error))?;
                    let back = read_quietly(ui, directory, plan, &register, &names)?;
                    if back.discards() > discards {
                        back.tell_oddities(ui, directory);
                    }
                    let own = results.own;
                    results = back.results;
                    results.own = own;
                    self.schedule = back.account.schedule;
                }
                write_tables(directory, &self.tournament, &results, &self.schedule)?;
                Ok((outcome, results))
            }
            Err(failure) => {
                // The tables show what was recorded, which may be less than what was played.
                let recorded = read_back(ui, directory, &self.tournament, &self.schedule);
                // What went wrong first is what is told.
                let _ = recorded.and_then(|back| {
                    write_tables(directory, &self.tournament, &back.results, &back.account.schedule)
                });
                Err(failure)
            }
        }
    }
}

/// Hands out what an account lacks but for the games of these bots.
fn dispatcher_without(account: Account, bots: &[usize]) -> Dispatcher {
    let mut dispatcher = Dispatcher::new(account);
    bots.iter().for_each(|bot| dispatcher.withdraw(*bot));
    dispatcher
}

/// What must be known if `games` ends nothing: the schedule has no more than it would leave.
fn beyond_the_schedule(tournament: &Tournament, schedule: &Schedule) -> Option<String> {
    let (asked, games) = (tournament.most_games?, schedule.games());
    (games < asked).then(|| {
        let rounds = match tournament.rounds {
            1 => "1 round has".to_owned(),
            rounds => format!("{rounds} rounds have"),
        };
        format!("{rounds} {games} games, fewer than `games = {asked}` allows; to play more, raise `rounds`")
    })
}

/// What must be known before the first game if bots may repeat their games.
///
/// The built-in bots choose among equal moves by the game's id and don't repeat themselves. Of other
/// programs nothing can be known before they have played.
fn repeats_to_come(tournament: &Tournament, identities: &[Identity]) -> Option<String> {
    let meet_again = match tournament.schedule {
        ScheduleKind::RoundRobin | ScheduleKind::Gauntlet => tournament.rounds > 1,
        ScheduleKind::Swiss => false,
        ScheduleKind::Knockout | ScheduleKind::Ladder => true,
    };
    // A test has its own word for it.
    if tournament.openings.is_some() || tournament.test.is_some() || !meet_again {
        return None;
    }
    let unknown: Vec<&str> = (identities.iter())
        .filter(|identity| identity.program != Program::ThisBinary)
        .map(|identity| identity.name.as_str())
        .collect();
    // In a game with a bot that varies no other repeats itself.
    (unknown.len() >= tournament.game.teams().seats()).then(|| {
        let more = match unknown.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "play from openings (`linesman openings make`): otherwise all games begin from the same \
             position, and `{}`{more} repeat their games if they always play alike",
            unknown[..unknown.len().min(MOST_NAMED)].join("`, `")
        )
    })
}

/// A table that a file names and that can't be opened, where it is named.
fn missing_table(plan: &Plan, table: &TablePlan) -> Option<Diagnostic> {
    let error = File::open(&table.path).err()?;
    // Words on the command line have no line in a file.
    plan.file.as_ref()?;
    let span = plan.tournament.spans.find("adjudication.table")?;
    let mistake =
        Diagnostic::new(format!("can't open the table `{}`", table.name)).at(span, error.to_string());
    Some(mistake.hint("make a table with `linesman solve GAME --save FILE`"))
}

/// What the table of a tournament knows of its game.
pub(crate) fn table_judge(table: &TablePlan, setup: &dyn Setup) -> Result<TableJudge, Failure> {
    let path = &table.path;
    let file = File::open(path).map_err(|error| Failure::file(Exit::Wrong, "open", path, &error))?;
    let cant = |error: &dyn std::error::Error| {
        let failure =
            Failure::wrong(format_args!("can't decide games with the table `{}`: {error}", path.display()));
        caused(failure, error).hint("make a table with `linesman solve GAME --save FILE`")
    };
    let table = Table::read(&mut BufReader::new(file)).map_err(|error| cant(&error))?;
    let digest = format!("sha256:{}", table.digest());
    let oracle = oracle(table, setup.id(), setup.options()).map_err(|error| cant(&error))?;
    Ok(TableJudge { oracle, digest })
}

impl Watcher for Results {
    fn ended(&mut self, record: &GameRecord) {
        self.add_record(record);
    }

    fn taken_up(&mut self, records: &[HeldLine]) {
        // Whoever held them has read them.
        records.iter().filter_map(|held| held.line().league_game().ok()).for_each(|game| {
            self.add_league_game(&game);
        });
    }

    fn standing(&self) -> live::Standing {
        Results::standing(self)
    }

    fn faults(&self) -> &live::Faults {
        Results::faults(self)
    }

    fn test(&self) -> Option<events::Test> {
        self.test_event()
    }

    fn rater(&self) -> &Rater {
        Results::rater(self)
    }

    fn test_end(&self) -> Option<Outcome> {
        Results::test_end(self)
    }

    fn foresight(&self) -> Option<Foresight> {
        Results::foresight(self)
    }

    fn remark(&mut self) -> Option<String> {
        self.first_repeat()
    }
}

/// How whoever gave a plan said how long it is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Counted {
    /// In rounds.
    Rounds,
    /// In games, two of which are a round.
    Games,
}

/// Says what was added to a run or changed since it was begun.
pub(crate) fn note_changes(ui: &Ui, comparison: &Comparison, counted: Counted) {
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
        match counted {
            Counted::Rounds => ui.note(format_args!("rounds: {now} (before: {before})")),
            Counted::Games => ui.note(format_args!("at most {} games (before: {})", 2 * now, 2 * before)),
        }
    }
    if let Some((before, now)) = comparison.added_openings {
        ui.note(format_args!("openings: {now} (before: {before})"));
    }
    for change in &comparison.harmless {
        ui.note(format_args!("changed: {change}"));
    }
}

/// All mistakes of a file, shown where they are.
pub(crate) fn mistakes_failure(ui: &Ui, mistakes: &Diagnostics) -> Failure {
    let colours = if ui.talk_in_colour() { snippets::Colours::On } else { snippets::Colours::Off };
    Failure::snippet(Exit::Wrong, snippets::render(mistakes, colours))
}

/// A tournament file that can't be read.
pub(crate) fn plan_failure(ui: &Ui, error: &PlanError) -> Failure {
    match error {
        PlanError::Diagnostics(mistakes) => mistakes_failure(ui, mistakes),
        other => caused(Failure::wrong(other), other).hint_if(other.hint()),
    }
}

/// A run directory that can't be had.
pub(crate) fn directory_failure(ui: &Ui, error: &DirectoryError) -> Failure {
    let exit = match error {
        DirectoryError::Write { .. } | DirectoryError::Records(crate::record::RecordFileError::Io { .. }) => {
            Exit::CantWrite
        }
        _ => Exit::Wrong,
    };
    let failure = match error {
        // Where it is belongs to what it is.
        DirectoryError::Record(error) => return Failure::from(&**error),
        DirectoryError::Replaced(replaced) => Failure::new(exit, error).cause(replaced.why),
        _ => caused(Failure::new(exit, error), error),
    };
    let failure = failure.hint_if(error.hint());
    match error.mistakes() {
        Some(mistakes) => failure.also(mistakes_failure(ui, mistakes)),
        None => failure,
    }
}

fn caused(mut failure: Failure, error: &dyn std::error::Error) -> Failure {
    let mut source = error.source();
    while let Some(cause) = source {
        failure = failure.cause(cause);
        source = cause.source();
    }
    failure
}

/// A run as its directory tells of it.
pub(crate) struct ReadRun {
    pub(crate) results: Results,
    /// What is played, and how.
    pub(crate) plan: Plan,
    /// Which games have been played, and what follows from them.
    pub(crate) account: Account,
}

/// Reads a run, which may be going on.
pub(crate) fn read_run(ui: &mut Ui, path: &Path) -> Result<ReadRun, Failure> {
    let directory = paths::run(path);
    let plan = directory.plan_in_force().map_err(|error| directory_failure(ui, &error))?;
    let schedule = Schedule::of(&plan.tournament).map_err(Failure::wrong)?;
    let back = read_back(ui, &directory, &plan.tournament, &schedule)?;
    Ok(ReadRun { results: back.results, account: back.account, plan })
}
