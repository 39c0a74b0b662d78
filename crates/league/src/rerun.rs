//! Plays a recorded game again: the same bots in the same seats, from the same opening, with the same seed. The run to
//! which it belongs does not change.

use std::io;
use std::num::NonZeroU32;
use std::sync::Arc;

use crate::bots::{Identity, is_person};
use crate::dispatcher::{Assignment, MAX_TRIES};
use crate::file::{Pause, Ponder, Tournament};
use crate::host::Host;
use crate::league_games::LeagueGames;
use crate::lineup::Lineup;
use crate::openings::{BadOpening, Opening};
use crate::recorder::{RecordContext, Recorder};
use crate::runner::placement;
use crate::schedule::Pairing;
use crate::version_name::split_version;
use linesman_driver::{Game, Played, Slot, SlotSettings, StopSwitch, workers};
use linesman_games::solvable::Oracle;
use linesman_record::{GameRecord, WorkerRecord};
use linesman_referee::{Fairness, LateMoves, Pausing};
use linesman_sandbox::{Leaked, pin_this_thread};
use linesman_types::seat::BySeat;
use linesman_types::verdict::{Verdict, Void};

/// A game that is about to be played again.
pub struct Rerun {
    games: LeagueGames,
    assignment: Assignment,
    /// The pausing of each bot out of turn, by its index.
    pausing: Vec<Pausing>,
    recorded: GameRecord,
    /// The binding to CPUs and the number of CPUs per game, as in the run to which the game belongs.
    placement: (workers::Affinity, usize),
}

/// The reason why a game can't be played again.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CantRerun {
    /// The plan lacks the bot with this name.
    #[error("bot `{0}` of this game is not in the tournament file")]
    NoBot(String),
    /// The player with this name is a person.
    #[error("`{0}` is a person, who can't be asked to play the game again")]
    Person(String),
    /// The record has another number of seats.
    #[error("this game has {found} seats, but the games of the tournament file have {expected}")]
    Seats {
        /// Number of seats in a game of the plan.
        expected: usize,
        /// Number of seats in the record.
        found: usize,
    },
    /// The opening can't be played.
    #[error("the opening of this game can't be played: {0}")]
    Opening(BadOpening),
}

/// The outcome of a game that was played again.
#[derive(Clone, PartialEq, Debug)]
pub struct RerunOutcome {
    /// Its record; `None` if it was aborted.
    pub record: Option<GameRecord>,
    /// Processes and folders of its bots that could not be removed.
    pub leaked: Leaked,
}

/// True if a name in a record is that of a version of this bot of a plan.
pub fn is_version_of(bot: &str, name: &str) -> bool {
    bot == name || bot == split_version(name).0
}

/// Returns the bots of a recorded game, as indices into the tournament's bots, each once.
///
/// # Errors
/// The tournament lacks a bot.
pub fn bots_of(record: &GameRecord, tournament: &Tournament) -> Result<Vec<usize>, CantRerun> {
    let mut bots = Vec::new();
    for seat in &record.seats {
        let index = tournament.bots.iter().position(|bot| is_version_of(&bot.name, &seat.name));
        let index = index.ok_or_else(|| CantRerun::NoBot(seat.name.clone()))?;
        if !bots.contains(&index) {
            bots.push(index);
        }
    }
    Ok(bots)
}

/// Returns how a bot is paused. With `auto`, a bot that was paused in the recorded game is paused from the start.
fn pausing_of(bot: &str, pause: Pause, recorded: &GameRecord) -> Pausing {
    let seats = recorded.seats.iter().filter(|seat| is_version_of(bot, &seat.name));
    let was_paused = || seats.filter_map(|seat| seat.usage.as_ref()).any(|usage| usage.paused);
    match pause {
        Pause::Always => Pausing::On,
        Pause::Auto if was_paused() => Pausing::On,
        Pause::Auto => Pausing::OnSuspicion,
        Pause::Never => Pausing::Off,
    }
}

/// Makes the pairing of a recorded game. `bots` are indices into the tournament's bots.
fn pairing_of(recorded: &GameRecord, tournament: &Tournament, bots: BySeat<usize>) -> Pairing {
    let entrant = |team: &Option<String>| {
        let name = team.as_deref().unwrap_or_default();
        tournament.entrants.iter().position(|entrant| entrant.name == name).unwrap_or(0)
    };
    Pairing {
        index: 0,
        id: recorded.id.clone(),
        bots,
        entrants: BySeat::from_fn(recorded.seats.len(), |seat| entrant(&recorded.seats[seat.index()].team)),
        times: 1,
        encounter: 1,
        seed: recorded.seed.unwrap_or(0),
    }
}

impl Rerun {
    /// Prepares the game of a record. `plan` is the plan of the run to which it belongs.
    ///
    /// `identities` are those of [`bots_of`], in that order.
    ///
    /// # Errors
    /// The plan and the record don't fit together.
    pub fn new(
        plan: &Tournament,
        recorded: &GameRecord,
        identities: &[Identity],
        (host, context): (&Host, RecordContext),
        judge: Option<(Arc<dyn Oracle>, String)>,
    ) -> Result<Rerun, CantRerun> {
        let expected = plan.game.teams().seats();
        let found = recorded.seats.len();
        let wrong_seats = CantRerun::Seats { expected, found };
        if found != expected {
            return Err(wrong_seats);
        }
        let bots = bots_of(recorded, plan)?;
        if let Some(person) = bots.iter().map(|bot| &plan.bots[*bot]).find(|bot| is_person(&bot.command)) {
            return Err(CantRerun::Person(person.name.clone()));
        }
        let mut tournament = plan.clone();
        tournament.bots = bots.iter().map(|bot| plan.bots[*bot].clone()).collect();
        // A worker of another speed played with scaled times.
        if let Some(scale) = recorded.worker.as_ref().and_then(WorkerRecord::time_scale) {
            tournament.time_control = tournament.time_control.scaled(scale);
            for bot in &mut tournament.bots {
                bot.time_control = bot.time_control.map(|control| control.scaled(scale));
                bot.limits.max_move_time = bot.limits.max_move_time.map(|limit| scale.time(limit));
            }
        }
        // The opening is that of the record, even if openings have been added to the plan since.
        tournament.openings = None;
        let index =
            |name: &str| tournament.bots.iter().position(|bot| is_version_of(&bot.name, name)).unwrap_or(0);
        let indices: Vec<usize> = recorded.seats.iter().map(|seat| index(&seat.name)).collect();
        let bots = BySeat::from_values(indices).ok_or(wrong_seats)?;
        let pairing = pairing_of(recorded, &tournament, bots);
        let pausing = tournament.bots.iter().map(|bot| pausing_of(&bot.name, plan.pause, recorded)).collect();
        let mut specs = Lineup::of(&tournament, identities, host).specs;
        if let (Ponder::Allowed, Some(cores)) = (plan.ponder, NonZeroU32::new(plan.cores_per_game())) {
            specs.iter_mut().for_each(|spec| spec.cpus = cores);
        }
        let mut recorder = Recorder::new(&tournament, identities, context).with_starts(&specs);
        let (oracle, digest) = judge.unzip();
        if let (Some(digest), Some(table)) = (digest, &tournament.adjudication.table) {
            recorder = recorder.with_table(digest, table.from);
        }
        let rerun = Rerun {
            games: LeagueGames::new(tournament, specs, recorder, oracle),
            assignment: Assignment { pairing, attempt: recorded.attempt, try_of_run: 1 },
            pausing,
            recorded: recorded.clone(),
            placement: placement(plan),
        };
        rerun.game().map_err(CantRerun::Opening)?;
        Ok(rerun)
    }

    /// Plays the game. If the host makes it void, it is played again, and `on_void` receives the reason.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn play(
        self,
        now: fn() -> String,
        stop: &StopSwitch,
        on_void: impl Fn(&str) + Send + 'static,
    ) -> io::Result<RerunOutcome> {
        let stop = stop.clone();
        // Only a thread that ends with the game may be bound to its CPUs.
        let thread = std::thread::Builder::new().name("slot 1".to_owned());
        let thread = thread.spawn(move || self.play_in_this_thread(now, stop, on_void))?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    fn play_in_this_thread(
        &self,
        now: fn() -> String,
        stop: StopSwitch,
        on_void: impl Fn(&str),
    ) -> RerunOutcome {
        let (affinity, cpus_per_slot) = self.placement;
        let mut cpus = workers::cpus_of_first_slot(affinity, cpus_per_slot, NonZeroU32::MAX);
        if !cpus.is_empty() && pin_this_thread(&cpus).is_err() {
            // Games are slower without binding, but can be played.
            cpus.clear();
        }
        let settings = SlotSettings { cpus, idle_bots: 0, games_at_once: NonZeroU32::MIN };
        let mut slot = Slot::new(settings, stop.clone());
        let mut record = None;
        for _ in 0..MAX_TRIES {
            let Some(game) = stop.may_begin().then(|| self.game().ok()).flatten() else { break };
            let started = now();
            let Some(played) = slot.play(game) else { break };
            record = Some(self.record(&played, started));
            match &played.finished.verdict {
                Verdict::Void { void: Void::Overload(overload), .. } => on_void(&overload.to_string()),
                Verdict::Void { void: Void::Host(why), .. } => on_void(why),
                Verdict::Void { .. } | Verdict::Finished { .. } => break,
            }
        }
        RerunOutcome { record, leaked: slot.close() }
    }

    fn game(&self) -> Result<Game, BadOpening> {
        let opening = self.recorded.opening.clone().unwrap_or_default();
        let opening = Opening { token: opening.token, moves: opening.moves };
        // As in the recorded game, in which a late move lost although host overload explained it.
        let was_lost = self.recorded.faults.iter().any(|fault| fault.is_overload());
        let late = if was_lost { LateMoves::Lost } else { LateMoves::Void };
        let fairness = |bot: usize| Fairness { late, pausing: self.pausing[bot], ..Fairness::default() };
        self.games.game_from(opening, &self.assignment.pairing, fairness)
    }

    /// Makes the record, with the league, the names, the teams, the opening and the seed of the original one.
    fn record(&self, played: &Played, started: String) -> GameRecord {
        let mut record = self.games.recorder.record(&self.assignment, played, started);
        record.league.clone_from(&self.recorded.league);
        record.opening.clone_from(&self.recorded.opening);
        record.pair.clone_from(&self.recorded.pair);
        record.seed = self.recorded.seed;
        for (seat, recorded) in record.seats.iter_mut().zip(&self.recorded.seats) {
            seat.name.clone_from(&recorded.name);
            seat.team.clone_from(&recorded.team);
        }
        record
    }
}
