//! One simulated league: begun, disturbed, gone on with until it is finished,
//! and compared with the same league undisturbed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use linesman::league::account::Account;
use linesman::league::bots::{Identity, Program};
use linesman::league::course::{Course, Step};
use linesman::league::directory::{Plan, RunDirectory};
use linesman::league::dispatcher::Dispatcher;
use linesman::league::file::{Context, parse};
use linesman::league::recorder::{Recorder, Scene};
use linesman::league::runner::{Host, Run, RunEvent, bot_specs};
use linesman::league::schedule::Schedule;
use linesman::league::withdrawal::Withdrawals;
use linesman::process::Environment;
use linesman::record::verify::{Finding, verify};
use linesman::record::{GameRecord, RecordReader, WriteEvent};
use linesman::referee::driver::workers::{Job, Jobs, Next};
use linesman::referee::driver::{Direction, Played, Slot, SlotSettings, StopSwitch, TranscriptLine};
use linesman::seat::Seat;
use linesman::verdict::{Verdict, Void};

use crate::bot::{LINE, OUTPUT_OFF_MOVE, OUTPUT_ON_MOVE};
use crate::chance::Chance;
use crate::deeds::{Guilt, Proof};
use crate::disk::{Death, SimDisk, Trouble};
use crate::world::{HostTrouble, SimWorld, Witness};

/// So many sessions of a league are disturbed; then it is let finish.
const DISTURBED: u32 = 6;

/// So many more it may take until it is finished.
const UNDISTURBED: u32 = 4;

/// What a simulation came to, in numbers.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub games: u64,
    pub records: u64,
    pub sessions: u64,
    pub deaths: u64,
    pub write_failures: u64,
    pub faults: BTreeMap<String, u64>,
    pub voids: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.records += other.records;
        self.sessions += other.sessions;
        self.deaths += other.deaths;
        self.write_failures += other.write_failures;
        self.voids += other.voids;
        for (word, times) in &other.faults {
            *self.faults.entry(word.clone()).or_default() += times;
        }
    }
}

/// Plays the league of a seed, twice, and panics if anything is not as it must be.
pub fn simulate(seed: u64) -> Tally {
    let league = SimLeague::of(seed);
    let mut tally = Tally { games: league.schedule.games(), ..Tally::default() };
    let undisturbed = league.play(Disturbance::None, &mut Tally::default());
    let disturbed = league.play(Disturbance::All, &mut tally);
    assert_eq!(
        undisturbed.results.keys().collect::<Vec<_>>(),
        disturbed.results.keys().collect::<Vec<_>>(),
        "the same games are played"
    );
    for (id, expected) in &undisturbed.results {
        if !undisturbed.races.contains(id) && !disturbed.races.contains(id) {
            assert_eq!(disturbed.results[id], *expected, "`{id}` ends as it does undisturbed");
        }
    }
    tally
}

/// Whether disk and machine play along.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Disturbance {
    None,
    All,
}

/// What a finished league came to.
struct Finished {
    /// What must be the same of each game, however often the league was disturbed.
    results: BTreeMap<String, String>,
    /// The games that hang on who comes first.
    races: BTreeSet<String>,
}

struct SimLeague {
    seed: u64,
    plan: Plan,
    schedule: Schedule,
    identities: Vec<Identity>,
    host: Host,
    /// Whether bots have a clock for the whole game.
    has_clocks: bool,
}

/// Bytes that must be there whatever happens.
type Promised = Arc<Mutex<Vec<u8>>>;

impl SimLeague {
    fn of(seed: u64) -> SimLeague {
        let mut chance = Chance::of(seed, "league");
        let games: &[(&str, &str, usize)] = &[
            ("quixo", "size = 5, max_plies = 16", 2),
            ("quixo", "size = 3, max_plies = 12", 2),
            ("quixo", "size = 4, max_plies = 20, repetition = 2", 2),
            ("quixo-teams", "max_plies = 20", 2),
            ("kengu", "", 2),
            ("tandem", "players = 2, layout = \"quick5\", max_plies = 12", 2),
            ("tandem", "players = 3, layout = \"quick5\", max_plies = 15", 3),
            ("tandem", "players = 4, layout = \"quick5\", max_plies = 16", 4),
            ("trexo", "size = 6, tiles = 5", 2),
        ];
        let (game, options, least) = chance.pick(games);
        let bots = (*least).max(2) + chance.up_to(2);
        let has_clocks = chance.hits(300);
        let time = if has_clocks { "tc = \"20s+200ms\"" } else { "movetime = \"1s\"" };
        let mut text = format!(
            "version = 1\ngame = \"{game}\"\noptions = {{ {options} }}\nrounds = {}\ngames = {}\nseed = {}\n\
             {time}\nmargin = \"50ms\"\n[limits]\nline = \"{LINE}B\"\noutput_on_move = \"{OUTPUT_ON_MOVE}B\"\n\
             output_off_move = \"{OUTPUT_OFF_MOVE}B\"\n",
            1 + chance.below(2),
            1 + chance.below(8),
            seed % 1_000_000,
        );
        for number in 1..=bots {
            text.push_str(&format!("[[bots]]\nname = \"b{number}\"\ncommand = \"sim b{number}\"\n"));
        }
        let context = Context {
            shown: "cup.toml".to_owned(),
            stem: "cup".to_owned(),
            folder: PathBuf::from("/"),
            cores: None,
        };
        let tournament = parse(&text, &context).unwrap_or_else(|mistakes| panic!("{text}\n{mistakes}"));
        let identities = tournament.bots.iter().map(|bot| Identity {
            name: bot.name.clone(),
            command: bot.command.join(" "),
            program: Program::File(PathBuf::from("/bin/sim")),
            digest: None,
        });
        SimLeague {
            seed,
            schedule: Schedule::of(&tournament).expect("there are bots enough"),
            identities: identities.collect(),
            plan: Plan::new(text, tournament, &context),
            host: Host {
                binary: PathBuf::from("/bin/linesman"),
                environment: Environment { path: "/bin".into(), home: "/".into(), temporary: "/tmp".into() },
                layers: None,
                now: || "2026-01-01T00:00:00Z".to_owned(),
            },
            has_clocks,
        }
    }

    fn play(&self, disturbance: Disturbance, tally: &mut Tally) -> Finished {
        let disk = SimDisk::new(Chance::of(self.seed, ("disk", disturbance == Disturbance::All)));
        let mut witnesses = Witnesses::default();
        let mut chance = Chance::of(self.seed, ("run", disturbance == Disturbance::All));
        let promised = Promised::default();
        for session in 0..DISTURBED + UNDISTURBED {
            let is_disturbed = disturbance == Disturbance::All && session < DISTURBED;
            let mut playing = Session {
                league: self,
                disk: &disk,
                host_trouble: HostTrouble::default(),
                slots: 1,
                promised: &promised,
            };
            if is_disturbed {
                disk.set_trouble(trouble(&mut chance));
                playing.host_trouble = self.host_trouble(&mut chance);
                playing.slots = 1 + chance.up_to(3);
            }
            tally.sessions += 1;
            let end = playing.play(&mut chance, &mut witnesses, tally);
            if disk.has_died() {
                tally.deaths += 1;
                let death = if chance.hits(500) { Death::Killed } else { Death::PowerCut };
                disk.restart(death);
            } else {
                disk.set_trouble(Trouble::default());
                assert!(is_disturbed || end.is_ok(), "without trouble nothing fails: {end:?}");
                if is_disturbed && chance.hits(200) {
                    disk.restart(Death::PowerCut);
                }
            }
            let kept = disk.content(&self.games());
            let promised = promised.lock().unwrap_or_else(PoisonError::into_inner).clone();
            assert!(kept.starts_with(&promised), "what was said to be durable is still there");
            if end == Ok(Ended::Complete) {
                // Whatever happened to the machine since then.
                assert_eq!(self.left(&kept), 0, "a league that is called complete has all its records");
                return self.look_over(&kept, &witnesses, tally);
            }
        }
        panic!("the league does not come to its end");
    }

    fn games(&self) -> PathBuf {
        RunDirectory::at("/runs/cup").games()
    }

    fn left(&self, kept: &[u8]) -> u64 {
        let reader = RecordReader::from_input("kept", std::io::Cursor::new(kept.to_vec()));
        Account::read(reader, &self.schedule, |_, _| {}).map_or(u64::MAX, |account| account.played.left())
    }

    fn host_trouble(&self, chance: &mut Chance) -> HostTrouble {
        let mut some = |per_mille: u64, often: u64| if chance.hits(often) { per_mille } else { 0 };
        HostTrouble {
            // A clock for the whole game is charged for what the referee sleeps through.
            stalls: if self.has_clocks { 0 } else { some(30, 400) },
            jumps: some(20, 300),
            refused_starts: some(40, 200),
            refused_waits: some(5, 200),
            stops: some(2, 200),
        }
    }

    /// Holds the records of a finished league against what was seen.
    fn look_over(&self, kept: &[u8], witnesses: &Witnesses, tally: &mut Tally) -> Finished {
        let reader = || RecordReader::from_input("games.jsonl", std::io::Cursor::new(kept.to_vec()));
        let mut findings = Vec::new();
        let summary = verify(reader(), &mut |finding: Finding| findings.push(format!("{finding:?}")));
        assert!(
            findings.is_empty(),
            "every record is true: {findings:#?} in\n{}",
            String::from_utf8_lossy(kept)
        );
        assert_eq!(summary.duplicates + summary.untrue + summary.unreadable + summary.torn, 0);
        tally.records += summary.records;
        let mut results = BTreeMap::new();
        let mut tries = BTreeMap::new();
        for read in reader() {
            let (place, record) = read.expect("it was read before");
            let index = self.schedule.index_of(&record.id).unwrap_or_else(|| panic!("{place}: a stranger"));
            let pairing = self.schedule.pairing(index).expect("it has an index");
            assert_eq!(record.id, pairing.id);
            assert_eq!(record.seed, Some(pairing.seed), "a game's seed follows from its id");
            for ((_, bot), seat) in pairing.bots.iter().zip(&record.seats) {
                assert_eq!(seat.name, self.plan.tournament.bots[*bot].name, "everyone sits where he must");
            }
            let before: Option<u32> = tries.insert(record.id.clone(), record.attempt);
            assert!(before.is_none_or(|before| before < record.attempt), "tries are counted on");
            for fault in &record.faults {
                *tally.faults.entry(fault.fault.clone()).or_default() += 1;
            }
            if is_void_by_host(&record) {
                tally.voids += 1;
                assert!(!results.contains_key(&record.id), "nothing is played after a game is decided");
                continue;
            }
            // Who fails first before the first move hangs on who is asked first.
            let failed: BTreeSet<u8> = record.faults.iter().map(|fault| fault.seat).collect();
            let result = format!("{:?} {:?} {failed:?}", record.places, record.moves);
            assert_eq!(results.insert(record.id.clone(), result), None, "`{}` has one outcome", record.id);
        }
        assert_eq!(results.len() as u64, self.schedule.games(), "every game has an outcome");
        Finished { results, races: witnesses.races.clone() }
    }
}

/// How the disk fails in a session.
fn trouble(chance: &mut Chance) -> Trouble {
    Trouble {
        errors: if chance.hits(250) { 1 + chance.below(60) } else { 0 },
        short_writes: if chance.hits(300) { 300 } else { 0 },
        // Much is done at the start that is done only then.
        dies_after: chance.hits(600).then(|| chance.below(60) % (1 + chance.below(60))),
        room: chance.hits(150).then(|| chance.up_to(12_000)),
    }
}

fn is_void_by_host(record: &GameRecord) -> bool {
    record.void.as_ref().is_some_and(|void| void.kind == "host")
}

/// What was seen of all games.
#[derive(Default)]
struct Witnesses {
    races: BTreeSet<String>,
}

/// How a session ended that nothing has broken off.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Ended {
    Complete,
    Incomplete,
}

/// From the start of linesman to its end.
struct Session<'s> {
    league: &'s SimLeague,
    disk: &'s SimDisk,
    host_trouble: HostTrouble,
    slots: usize,
    promised: &'s Promised,
}

struct SimSlot {
    slot: Slot<SimWorld>,
    world: SimWorld,
    job: Option<Job>,
    /// The source had nothing for it the last time.
    waits: bool,
    is_done: bool,
}

impl Session<'_> {
    /// What the command `league run` does, less what people see. An error is
    /// one that the command would end with.
    fn play(
        &self,
        chance: &mut Chance,
        witnesses: &mut Witnesses,
        tally: &mut Tally,
    ) -> Result<Ended, String> {
        let league = self.league;
        let directory = RunDirectory::on(Arc::new(self.disk.clone()), "/runs/cup");
        let opened = directory.open(&league.plan).map_err(|error| self.excused(&error))?;
        let heard = Arc::new(Mutex::new(VecDeque::new()));
        let listener = self.write_listener(Arc::clone(&heard));
        let (mut writer, mut steps, _) =
            opened.records.into_steps(listener).map_err(|error| self.excused(&error))?;
        let reader = directory.records().map_err(|error| self.excused(&error))?;
        let account = match reader {
            None => Account::new(&league.schedule),
            Some(reader) => {
                Account::read(reader, &league.schedule, |_, _| {}).map_err(|error| self.excused(&error))?
            }
        };
        assert_eq!((account.duplicates, account.strangers), (0, 0), "every record is of one missing game");
        let left = account.played.left();
        let tournament = &league.plan.tournament;
        let stop = StopSwitch::new();
        let run = Run {
            tournament: tournament.clone(),
            specs: bot_specs(tournament, &league.identities, &league.host),
            recorder: Recorder::new(
                tournament,
                &league.identities,
                Scene { software: "linesman".to_owned(), host: "sim".to_owned(), sandbox: None },
            ),
            dispatcher: Dispatcher::new(league.schedule.clone(), account.played, account.tries),
            slots: self.slots,
            voids: Vec::new(),
            // Bots of a simulation crash for other reasons than being broken.
            withdrawals: Withdrawals::new([]),
        };
        let events = Arc::new(Mutex::new(VecDeque::new()));
        let told = Arc::clone(&events);
        let jobs = run.into_jobs(league.host.now, move |event| push(&told, event));
        let mut course = Course::new(Some(&mut writer), left, stop.clone());
        let mut slots: Vec<SimSlot> = (0..self.slots).map(|_| self.slot(chance, &stop)).collect();
        loop {
            if self.disk.has_died() {
                return Err("linesman has died".to_owned());
            }
            // Whatever can happen next happens at some time, in any order.
            let slot = chance.below(slots.len() as u64) as usize;
            match chance.below(8) {
                0..4 => self.step_slot(slot, &mut slots, &jobs, &stop, witnesses),
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
                        take(&mut course, event);
                    }
                    if let Some(WriteEvent::Failed(error)) = pop(&heard) {
                        course.write_failed(error);
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
            assert_eq!(slot.world.0.alive.get(), 0, "no bot is left");
        }
        while let Some(event) = pop(&events) {
            take(&mut course, event);
        }
        while steps.write() {}
        while steps.sync() {}
        if self.disk.has_died() {
            return Err("linesman has died".to_owned());
        }
        while let Some(event) = pop(&heard) {
            if let WriteEvent::Failed(error) = event {
                course.write_failed(error);
            }
        }
        let end = course.finish().map_err(|error| {
            tally.write_failures += 1;
            self.excused(&error)
        })?;
        assert!(
            self.disk.durable_content(&league.games()) == self.disk.content(&league.games()),
            "whoever is told that all went well can cut the power"
        );
        Ok(if end.left == 0 { Ended::Complete } else { Ended::Incomplete })
    }

    /// An error that the disk explains; whatever else goes wrong ends the simulation.
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

    /// Remembers what the writer promises.
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
        let world = SimWorld::new(
            league.seed,
            Chance::of(chance.next(), "world"),
            Arc::clone(&tournament.game),
            tournament.margin,
            self.host_trouble.clone(),
            stop.clone(),
        );
        let settings = SlotSettings { cpus: Vec::new(), idle_bots: chance.up_to(8) };
        let slot = Slot::in_world(world.clone(), settings, stop.clone());
        SimSlot { slot, world, job: None, waits: false, is_done: false }
    }

    /// A slot asks for a game, or plays the one it has.
    fn step_slot(
        &self,
        number: usize,
        slots: &mut [SimSlot],
        jobs: &impl Jobs,
        stop: &StopSwitch,
        witnesses: &mut Witnesses,
    ) {
        let slot = &mut slots[number];
        let Some(job) = slot.job.take() else {
            if slot.is_done || slot.waits || !stop.may_begin() {
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
        slot.world.begin();
        let played = slot.slot.play(job.game);
        let witness = slot.world.0.witness.take();
        // Of two that failed it may be the later deed that is noticed first.
        let is_maybe = |guilt: &Guilt| guilt.proof == Proof::Maybe;
        if witness.is_a_race || witness.guilt.len() > 1 && witness.guilt.iter().any(is_maybe) {
            witnesses.races.insert(id.clone());
        }
        if let Some(played) = &played {
            let faults = played.finished.verdict.faults();
            let faults: Vec<(Seat, &str)> =
                faults.iter().map(|fault| (fault.seat, fault.fault.word())).collect();
            let void = match &played.finished.verdict {
                Verdict::Void { void, .. } if void.is_replayed() => Some(void),
                _ => None,
            };
            if let Err(wrong) = judge(&witness, &faults, void, |seat| names[seat].clone()) {
                panic!("`{id}`: {wrong}\nby {:?}\n{}", self.host_trouble, told(played));
            }
        }
        jobs.done(number, job.number, played);
        slots.iter_mut().for_each(|slot| slot.waits = false);
    }
}

/// The failing seat and no other is blamed, and for what it did; else what is wrong.
fn judge(
    witness: &Witness,
    faults: &[(Seat, &str)],
    void: Option<&Void>,
    name: impl Fn(Seat) -> String,
) -> Result<(), String> {
    let is_explained = match void {
        None => true,
        Some(Void::Overload(_)) => witness.host_stood_still,
        Some(_) => witness.host_failed,
    };
    if !is_explained {
        return Err("it is void, and nothing was wrong with the machine".to_owned());
    }
    let is_about = |guilt: &Guilt, seat: Seat| {
        guilt.bot == name(seat) && guilt.seat.is_none_or(|guilty| guilty == seat.number())
    };
    for (seat, word) in faults {
        let fits = |guilt: &&Guilt| is_about(guilt, *seat) && guilt.words.contains(word);
        if !witness.guilt.iter().any(|guilt| fits(&guilt)) {
            return Err(format!("seat {seat} is blamed for `{word}`, and did: {:#?}", witness.guilt));
        }
    }
    let once: BTreeSet<usize> = faults.iter().map(|(seat, _)| seat.number()).collect();
    if once.len() < faults.len() {
        return Err(format!("somebody fails twice: {faults:?}"));
    }
    if void.is_some() || witness.is_a_race {
        // It may have ended before somebody's deed was done.
        return Ok(());
    }
    for guilt in witness.guilt.iter().filter(|guilt| guilt.proof == Proof::Sure) {
        if !faults.iter().any(|(seat, _)| is_about(guilt, *seat)) {
            return Err(format!("nobody is blamed for {guilt:?}; the faults are {faults:?}"));
        }
    }
    Ok(())
}

/// The last lines of a game, for whoever has to find out what went wrong.
fn told(played: &Played) -> String {
    let line = |line: &TranscriptLine| {
        let arrow = if line.direction == Direction::ToBot { '>' } else { '<' };
        let text = String::from_utf8_lossy(&line.bytes);
        let short: String = text.chars().take(100).collect();
        format!("{:?} {} {arrow} {short:?}\n", line.at.0, line.seat)
    };
    played.transcript.iter().map(line).collect()
}

fn take(course: &mut Course<'_>, event: RunEvent) {
    match event {
        RunEvent::Ended { record, leftovers, .. } => {
            assert_eq!(leftovers.processes, 0);
            let step = course.ended(&record);
            assert_eq!(
                matches!(step, Step::Void(_)),
                is_void_by_host(&record) && !matches!(step, Step::Failed(_) | Step::Lost)
            );
        }
        RunEvent::BrokenOff { .. } => course.broken_off(),
        RunEvent::FewerAtOnce { .. } | RunEvent::Paused { .. } | RunEvent::Withdrawn { .. } => {}
    }
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
