//! The bots of another machine's plan on this machine.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use super::error::SessionError;
use super::event::Observers;
use super::prepare::{Platform, Preflight, Prepared, TableJudge};
use super::setting_up::{place_from_elsewhere, set_up};
use crate::assigned::{AssignedPlan, Assignments};
use crate::bots::{Identity, Program, identify};
use crate::directory::Plan;
use crate::dispatcher::Dispatcher;
use crate::file::Tournament;
use crate::host::{Folders, LeaguePaths};
use crate::progress::Progress;
use crate::runner::Run;
use crate::schedule::Schedule;
use crate::versions::playing_as;
use crate::withdrawal::Withdrawals;
use linesman_driver::StopSwitch;
use linesman_driver::workers::Workers;
use linesman_sandbox::isolation::SandboxStatus;

/// The bots of an assigned plan on this machine, ready to play its games.
pub struct Crew {
    tournament: Tournament,
    identities: Vec<Identity>,
    prepared: Prepared,
    platform: Platform,
    judge: Option<TableJudge>,
    slots: usize,
    refusals: Vec<Option<String>>,
}

impl Crew {
    /// Finds the bots of an assigned plan and determines how they are started. `plan` is the parsed plan. Games of a
    /// bot that is missing, or whose files differ from the leader's, are refused.
    ///
    /// If the leader sends the files of the bots, `fetched` has, for each bot, the reason why its files could not be
    /// fetched. It is `None` if the bots are in the folder of the plan.
    ///
    /// # Errors
    /// The games can't be played as planned on this machine.
    pub fn new(
        assigned: &AssignedPlan,
        plan: &Plan,
        fetched: Option<&[Option<String>]>,
        (platform, judge): (Platform, Option<TableJudge>),
        slots: usize,
    ) -> Result<Crew, SessionError> {
        let plan = match fetched {
            Some(_) => Cow::Borrowed(plan),
            None => set_up(plan, &platform, &mut Observers::default())?,
        };
        let names = assigned.bots.iter().map(|bot| bot.name.as_str());
        let mut tournament = playing_as(&plan.tournament, names);
        tournament.name.clone_from(&assigned.league);
        let mut refusals = Vec::new();
        let mut identities = Vec::new();
        let assigned_tournament = tournament.clone();
        for (index, (bot, expected)) in tournament.bots.iter_mut().zip(&assigned.bots).enumerate() {
            let placed =
                match fetched.map(|fetched| fetched.get(index).cloned().flatten()) {
                    None => Ok(()),
                    Some(Some(why)) => Err(why),
                    Some(None) => match &expected.content {
                        Some(content) => {
                            place_from_elsewhere(bot, content, (&plan, &platform), &assigned_tournament)
                        }
                        None => Err("the leader does not send its files; name their folder with `--folder`"
                            .to_owned()),
                    },
                };
            let found = identify(bot, platform.surroundings());
            let refusal = match &found {
                _ if placed.is_err() => placed.err().map(|why| format!("bot `{}`: {why}", expected.name)),
                Ok(found) if found.digest == expected.digest => None,
                Ok(_) => Some(format!("the files of bot `{}` differ from the leader's", expected.name)),
                Err(error) => Some(format!("bot `{}` can't be started here: {error}", expected.name)),
            };
            refusals.push(refusal);
            // Even a bot that never plays needs an identity.
            let found = found.unwrap_or_else(|_| Identity {
                name: String::new(),
                command: shell_words::join(&bot.command),
                program: Program::ThisBinary,
                digest: None,
            });
            identities.push(Identity { name: expected.name.clone(), ..found });
        }
        let of_run = (&platform, slots, Preflight::Skipped);
        // The plan has no file here, but its folders belong to the bots.
        let paths = LeaguePaths { folders: Folders::OfBots, ..plan.paths(None) };
        let prepared = Prepared::new(&tournament, &identities, paths, of_run)?;
        Ok(Crew { tournament, identities, prepared, platform, judge, slots, refusals })
    }

    /// Returns, for each bot in the tournament's order, the reason why it can't play on this machine; `None` if it can.
    pub fn refusals(&self) -> &[Option<String>] {
        &self.refusals
    }

    pub fn sandbox(&self) -> &SandboxStatus {
        &self.prepared.stage.status
    }

    /// Starts playing the assigned games.
    ///
    /// # Errors
    /// The system refuses a thread, or the plan has no schedule.
    pub fn start(self, stop: &StopSwitch, assignments: Arc<dyn Assignments>) -> io::Result<Workers> {
        let Crew { tournament, identities, prepared, platform, judge, slots, refusals: _ } = self;
        let recorder = prepared.recorder((&tournament, &identities), &platform, judge.as_ref());
        let Prepared { stage, lineup, .. } = prepared;
        let schedule = Schedule::of(&tournament).map_err(io::Error::other)?;
        let run = Run {
            recorder,
            specs: lineup.specs,
            dispatcher: Dispatcher::new(Progress::new(schedule)),
            slots,
            withdrawals: Withdrawals::new(tournament.bots.iter().map(|_| 0)),
            oracle: judge.map(|judge| judge.oracle),
            tells_moves: false,
            dialogues: None,
            tournament,
        };
        run.start_assigned(&stage.host, stop, assignments)
    }
}
