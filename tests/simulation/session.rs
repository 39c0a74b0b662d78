//! One run of linesman in a league, from its start to its end or death.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use linesman::league::directory::RunDirectory;
use linesman::league::dispatcher::{Dispatcher, MAX_TRIES};
use linesman::league::fair_play::HostSample;
use linesman::league::file::Ponder;
use linesman::league::league_games::EndedGame;
use linesman::league::lineup::Lineup;
use linesman::league::progress::Progress;
use linesman::league::recorder::{RecordContext, Recorder};
use linesman::league::run_progress::{RunProgress, Step};
use linesman::league::runner::{Run, RunOutput};
use linesman::league::session::RunEvent;
use linesman::league::versions::{Roster, SeenVersions};
use linesman::league::withdrawal::Withdrawals;
use linesman::record::{GameRecord, VoidKind, WriteEvent};
use linesman::referee::driver::workers::{Job, Jobs, Next};
use linesman::referee::driver::{Slot, SlotSettings, StopSwitch};

use crate::behaviours::{Guilt, Proof};
use crate::chance::Chance;
use crate::disk::SimDisk;
use crate::judge::{judge, last_lines};
use crate::league::{SimLeague, Tally};
use crate::runtime::{HostTrouble, SimRuntime};

/// Bytes that must survive every disturbance.
pub type Promised = Arc<Mutex<Vec<u8>>>;

/// True if a record's game is played again.
pub fn is_void_by_host(record: &GameRecord) -> bool {
    record.void.as_ref().is_some_and(|void| void.kind == VoidKind::Host)
}

/// The witnessed events of all games.
#[derive(Default)]
pub struct Witnesses {
    pub races: BTreeSet<String>,
}

/// The end of a session that was not aborted.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Ended {
    Complete,
    Incomplete,
}

/// A run of linesman.
pub struct Session<'s> {
    pub league: &'s SimLeague,
    pub disk: &'s SimDisk,
    pub host_trouble: HostTrouble,
    pub slots: usize,
    /// The number of consecutive crashes right after the start that withdraw a bot; 0 = never.
    pub max_crashes: u64,
    pub promised: &'s Promised,
}

struct SimSlot {
    slot: Slot<SimRuntime>,
    runtime: SimRuntime,
    job: Option<Job>,
    /// True if the source had no game for it last time.
    waits: bool,
    is_done: bool,
}

impl Session<'_> {
    /// Does what `league run` does, without its output. An error is
    /// one that the command would end with.
    pub fn play(
        &self,
        chance: &mut Chance,
        witnesses: &mut Witnesses,
        tally: &mut Tally,
    ) -> Result<Ended, String> {
        let league = self.league;
        let directory = RunDirectory::on(Arc::new(self.disk.clone()), "/runs/cup");
        let locked = directory.lock(&league.plan).map_err(|error| self.excused(&error))?;
        let seen = match directory.records().map_err(|error| self.excused(&error))? {
            None => SeenVersions::default(),
            Some(reader) => league.seen_versions(reader).map_err(|error| self.excused(&error))?,
        };
        let roster = Roster::of(&league.plan.tournament, &league.identities, &seen);
        let roster = roster.expect("no bot is replaced");
        let opened = locked.begin(&league.plan, roster).map_err(|error| self.excused(&error))?;
        let heard = Arc::new(Mutex::new(VecDeque::new()));
        let listener = self.write_listener(Arc::clone(&heard));
        let (mut writer, mut steps, _) =
            opened.records.into_steps(listener).map_err(|error| self.excused(&error))?;
        let reader = directory.records().map_err(|error| self.excused(&error))?;
        let plan = league.plan.tournament.self_contained(&league.plan.source.text);
        assert!(
            self.disk.durable_content(&directory.plan()) == plan.as_bytes(),
            "nothing is played before the plan would outlive a power cut"
        );
        let progress = match reader {
            None => Progress::new(league.schedule.clone()),
            Some(reader) => league.progress(reader).map_err(|error| self.excused(&error))?,
        };
        assert_eq!((progress.duplicates, progress.strangers), (0, 0), "every record is of one missing game");
        assert_eq!((progress.pending.games(), progress.drawn_otherwise), (0, 0), "rounds follow upon rounds");
        let left = progress.left();
        let tournament = &league.plan.tournament;
        let stop = StopSwitch::new();
        let run = Run {
            tournament: tournament.clone(),
            specs: Lineup::of(tournament, &league.identities, &league.host).specs,
            recorder: Recorder::new(
                tournament,
                &league.identities,
                RecordContext { software: "linesman".to_owned(), host: "sim".to_owned(), sandbox: None },
            ),
            dispatcher: Dispatcher::new(progress),
            slots: self.slots,
            withdrawals: Withdrawals::new(tournament.bots.iter().map(|_| self.max_crashes)),
            oracle: None,
            tells_moves: false,
            dialogues: None,
        };
        let events = Arc::new(Mutex::new(VecDeque::new()));
        let event_queue = Arc::clone(&events);
        let jobs = run.into_jobs(league.host.now, quiet_host(), move |event| push(&event_queue, event));
        let mut run_progress = RunProgress::new(Some(&mut writer), left, stop.clone());
        let mut gave_up = false;
        let mut slots: Vec<SimSlot> = (0..self.slots).map(|_| self.slot(chance, &stop)).collect();
        loop {
            if self.disk.has_died() {
                return Err("linesman has died".to_owned());
            }
            // The slots take their steps in random order.
            let slot = chance.below(slots.len() as u64) as usize;
            match chance.below(8) {
                0..4 => self.step_slot(slot, &mut slots, (&jobs, &stop), chance, witnesses),
                4 => {
                    steps.write();
                }
                5 => {
                    if chance.hits(300) {
                        steps.sync();
                    }
                }
                _ => {
                    if let Some(event) = pop(&events) {
                        gave_up |= take(&mut run_progress, event);
                    }
                    if let Some(WriteEvent::Failed(error)) = pop(&heard) {
                        run_progress.write_failed(error);
                    }
                }
            }
            let is_over = slots.iter().all(|slot| slot.job.is_none() && (slot.is_done || !stop.may_begin()));
            if is_over {
                break;
            }
        }
        for slot in slots {
            assert_eq!(slot.slot.close().processes, 0);
            assert_eq!(slot.runtime.0.alive.get(), 0, "no bot is left");
        }
        while let Some(event) = pop(&events) {
            gave_up |= take(&mut run_progress, event);
        }
        while steps.write() {}
        while steps.sync() {}
        if self.disk.has_died() {
            return Err("linesman has died".to_owned());
        }
        while let Some(event) = pop(&heard) {
            if let WriteEvent::Failed(error) = event {
                run_progress.write_failed(error);
            }
        }
        let end = run_progress.finish().map_err(|error| {
            tally.write_failures += 1;
            self.excused(&error)
        })?;
        assert!(
            self.disk.durable_content(&league.games()) == self.disk.content(&league.games()),
            "whoever is told that all went well can cut the power"
        );
        assert!(
            end.left == 0 || !stop.may_begin() || gave_up || end.open > 0,
            "a run that nobody stops plays all its games: {} are left",
            end.left
        );
        Ok(if end.left == 0 { Ended::Complete } else { Ended::Incomplete })
    }

    /// Returns an error that the disk explains, and panics on any other.
    fn excused(&self, error: &dyn std::error::Error) -> String {
        let mut text = error.to_string();
        let mut source = error.source();
        let mut is_excused = self.disk.has_died();
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        let excuses = ["the disk failed", "the machine", "no storage space"];
        is_excused |= excuses.iter().any(|excuse| text.contains(excuse));
        assert!(is_excused, "nothing explains this: {text}");
        text
    }

    /// Returns a listener that notes what the writer promises.
    fn write_listener(
        &self,
        heard: Arc<Mutex<VecDeque<WriteEvent>>>,
    ) -> impl Fn(WriteEvent) + Send + Sync + use<> {
        let (disk, promised, games) = (self.disk.clone(), Arc::clone(self.promised), self.league.games());
        let before = whole_lines(&disk.content(&games));
        move |event| {
            if let WriteEvent::Durable(records) = event {
                let lines = before + records;
                let content = disk.content(&games);
                let mut ends =
                    content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
                let end = ends.nth(lines as usize - 1).expect("what is durable is written");
                *promised.lock().unwrap_or_else(PoisonError::into_inner) = content[..=end].to_vec();
            }
            push(&heard, event);
        }
    }

    fn slot(&self, chance: &mut Chance, stop: &StopSwitch) -> SimSlot {
        let league = self.league;
        let tournament = &league.plan.tournament;
        let runtime = SimRuntime::new(
            league.seed,
            Chance::of(chance.next(), "world"),
            Arc::clone(&tournament.game),
            tournament.margin,
            self.host_trouble.clone(),
            stop.clone(),
            tournament.ponder == Ponder::Allowed,
        );
        let settings = SlotSettings { idle_bots: chance.up_to(8), ..SlotSettings::default() };
        let slot = Slot::in_runtime(runtime.clone(), settings, stop.clone());
        SimSlot { slot, runtime, job: None, waits: false, is_done: false }
    }

    /// Lets a slot ask for a game, or play the one it has.
    fn step_slot(
        &self,
        number: usize,
        slots: &mut [SimSlot],
        (jobs, stop): (&impl Jobs, &StopSwitch),
        chance: &mut Chance,
        witnesses: &mut Witnesses,
    ) {
        let slot = &mut slots[number];
        let Some(job) = slot.job.take() else {
            // A waiting slot also asks again after a while.
            if slot.is_done || slot.waits && !chance.hits(100) || !stop.may_begin() {
                return;
            }
            match jobs.next(number) {
                Next::Play(job) => slot.job = Some(*job),
                Next::Wait => slot.waits = true,
                Next::Done => slot.is_done = true,
            }
            return;
        };
        let id = job.game.setup.id.clone();
        let names = job.game.bots.map(|_, spec| spec.identity.clone());
        slot.runtime.begin();
        let played = slot.slot.play(job.game);
        let witness = slot.runtime.0.witness.take();
        // If two bots failed, the later fault can be noticed first.
        let is_maybe = |guilt: &Guilt| guilt.proof == Proof::Maybe;
        if witness.is_a_race || witness.guilt.len() > 1 && witness.guilt.iter().any(is_maybe) {
            witnesses.races.insert(id.clone());
        }
        if let Some(played) = &played {
            let wrong = judge(played, &witness, &self.host_trouble, |seat| names[seat].clone());
            if let Err(wrong) = wrong {
                panic!("`{id}`: {wrong}\nby {:?}\n{}", self.host_trouble, last_lines(played));
            }
        }
        jobs.done(number, job.number, played);
        slots.iter_mut().for_each(|slot| slot.waits = false);
    }
}

/// Returns samples of a host without pressure, each a second after the last.
fn quiet_host() -> impl Fn() -> HostSample + Send + Sync + 'static {
    let (start, looks) = (HostSample::read().at, AtomicU64::new(0));
    move || HostSample {
        at: start + Duration::from_secs(looks.fetch_add(1, Ordering::Relaxed)),
        pressure: Some(Duration::ZERO),
    }
}

/// Passes on the output of a run; returns true if the run gives up because of it.
fn take(run_progress: &mut RunProgress<'_>, output: RunOutput) -> bool {
    let event = match output {
        RunOutput::Ended(EndedGame { record, leaked, .. }) => {
            assert_eq!(leaked.processes, 0);
            let step = run_progress.ended(&record);
            assert_eq!(
                matches!(step, Step::Void(_) | Step::Spoiled(_)),
                is_void_by_host(&record) && !matches!(step, Step::Failed(_) | Step::Lost)
            );
            return matches!(step, Step::Void(_)) && record.attempt >= MAX_TRIES;
        }
        RunOutput::Repeated(record) => panic!("`{}` was played twice on one machine", record.id),
        RunOutput::Event(event) => event,
    };
    if let RunEvent::BrokenOff(_) = event {
        run_progress.broken_off();
    }
    if let RunEvent::Cancelled(games) = event {
        run_progress.cancelled(games);
    }
    if let RunEvent::TakenUp(records) | RunEvent::DrawnOtherwise(records) = &event {
        panic!("{} records stood before those of the games they follow from", records.len());
    }
    matches!(event, RunEvent::Withdrawn { .. })
}

fn push<T>(queue: &Mutex<VecDeque<T>>, value: T) {
    queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(value);
}

fn pop<T>(queue: &Mutex<VecDeque<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

fn whole_lines(content: &[u8]) -> u64 {
    content.iter().filter(|byte| **byte == b'\n').count() as u64
}
