//! A simulated league: started, disturbed, continued until it is finished, and
//! compared with the same league undisturbed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::PoisonError;

use linesman::league::bots::{Identity, Program};
use linesman::league::compatibility::Compatibility;
use linesman::league::directory::{Plan, RunDirectory};
use linesman::league::file::{Context, Ponder, ScheduleKind, parse};
use linesman::league::host::{Host, LeaguePaths};
use linesman::league::openings::Drawer;
use linesman::league::progress::Progress;
use linesman::league::schedule::{Length, Schedule};
use linesman::league::versions::SeenVersions;
use linesman::process::Environment;
use linesman::record::verify::{Finding, verify};
use linesman::record::{GameRecord, ReadError, RecordReader};

use crate::bot::{LINE, OUTPUT_OFF_MOVE, OUTPUT_ON_MOVE};
use crate::chance::Chance;
use crate::disk::{Death, SimDisk, Trouble};
use crate::runtime::HostTrouble;
use crate::session::{Ended, Promised, Session, Witnesses, is_void_by_host};

/// The maximum number of disturbed sessions of a league.
const DISTURBED: u32 = 6;

/// The maximum number of undisturbed sessions to finish it.
const UNDISTURBED: u32 = 4;

/// The counts of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub games: u64,
    pub records: u64,
    pub sessions: u64,
    pub deaths: u64,
    pub write_failures: u64,
    pub faults: BTreeMap<String, u64>,
    pub voids: u64,
    pub adjudicated: u64,
    pub from_openings: u64,
    /// The number of leagues by schedule.
    pub schedules: BTreeMap<&'static str, u64>,
    /// The number of Swiss leagues with tables of three or four.
    pub tables: u64,
    /// Ponder hits and misses.
    pub hits: u64,
    pub misses: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.records += other.records;
        self.sessions += other.sessions;
        self.deaths += other.deaths;
        self.write_failures += other.write_failures;
        self.voids += other.voids;
        self.adjudicated += other.adjudicated;
        self.from_openings += other.from_openings;
        self.tables += other.tables;
        self.hits += other.hits;
        self.misses += other.misses;
        for (word, times) in &other.schedules {
            *self.schedules.entry(word).or_default() += times;
        }
        for (word, times) in &other.faults {
            *self.faults.entry(word.clone()).or_default() += times;
        }
    }
}

/// Plays the league of a seed twice, undisturbed and disturbed, and panics if a check fails.
pub fn simulate(seed: u64, ponder: Ponder) -> Tally {
    let league = SimLeague::of(seed, ponder);
    let mut tally = Tally { games: league.schedule.games(), ..Tally::default() };
    *tally.schedules.entry(league.plan.tournament.schedule.word()).or_default() += 1;
    tally.tables = u64::from(league.schedule.swiss().is_some_and(|view| view.swiss.sides() > 2));
    let undisturbed = league.play(Disturbance::None, &mut Tally::default());
    let disturbed = league.play(Disturbance::All, &mut tally);
    // Rounds after a game decided by a race are unpredictable, and so is a ladder,
    // which depends on the order in which games end.
    let races = || undisturbed.races.iter().chain(&disturbed.races);
    let known = match league.plan.tournament.schedule {
        ScheduleKind::Ladder => 0,
        ScheduleKind::Swiss | ScheduleKind::Knockout => races().map(|id| round(id)).min().unwrap_or(u32::MAX),
        ScheduleKind::RoundRobin | ScheduleKind::Gauntlet => u32::MAX,
    };
    let of_known = |finished: &Finished| -> Vec<String> {
        let after_matches = league.plan.tournament.schedule == ScheduleKind::Knockout && known < u32::MAX;
        // The number of games of a match depends on its results.
        let is_known = |id: &&String| if after_matches { round(id) < known } else { round(id) <= known };
        finished.results.keys().filter(is_known).cloned().collect()
    };
    assert_eq!(of_known(&undisturbed), of_known(&disturbed), "the same games are played");
    for id in of_known(&undisturbed) {
        if !races().any(|race| *race == id) {
            assert_eq!(
                disturbed.results[&id], undisturbed.results[&id],
                "`{id}` ends as it does undisturbed"
            );
        }
    }
    tally
}

/// Returns the records of the undisturbed league of a seed.
pub fn undisturbed_records(seed: u64) -> Vec<u8> {
    SimLeague::of(seed, Ponder::Refused).play(Disturbance::None, &mut Tally::default()).records
}

/// Returns the round of a game id, from 1, or 0 for schedules without rounds.
fn round(id: &str) -> u32 {
    let number = id.split_once('/').and_then(|(round, _)| round.strip_prefix('r'));
    number.map_or(1, |number| number.parse().expect("rounds have numbers"))
}

/// The faults of disk and machine.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Disturbance {
    None,
    All,
}

/// The results of a finished league.
struct Finished {
    /// By game, what must not depend on disturbances.
    results: BTreeMap<String, String>,
    /// The games decided by a race.
    races: BTreeSet<String>,
    /// The file of records.
    records: Vec<u8>,
}

pub struct SimLeague {
    pub seed: u64,
    pub plan: Plan,
    pub schedule: Schedule,
    pub identities: Vec<Identity>,
    pub host: Host,
    /// Whether bots have a clock for the whole game.
    has_clocks: bool,
}

impl SimLeague {
    fn of(seed: u64, ponder: Ponder) -> SimLeague {
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
        let mut bots = (*least).max(2) + chance.up_to(2);
        let schedule = schedule(&mut chance, *least, &mut bots);
        // A separate generator, so that other leagues stay the same.
        let mut tables = Chance::of(seed, "tables");
        let is_of_tables = *least > 2 && tables.hits(250);
        let schedule = if is_of_tables { swiss_of_tables(&mut tables, *least, &mut bots) } else { schedule };
        let has_clocks = chance.hits(300);
        let time = if has_clocks { "tc = \"20s+200ms\"" } else { "movetime = \"1s\"" };
        let may_ponder = if ponder == Ponder::Allowed { "ponder = true\n" } else { "" };
        let mut text = format!(
            "version = 1\ngame = \"{game}\"\noptions = {{ {options} }}\n{schedule}{may_ponder}seed = {}\n\
             {time}\nmargin = \"50ms\"\n[limits]\nline = \"{LINE}B\"\noutput_on_move = \"{OUTPUT_ON_MOVE}B\"\n\
             output_off_move = \"{OUTPUT_OFF_MOVE}B\"\n",
            seed % 1_000_000,
        );
        text.push_str(&openings(&mut chance, game, options));
        if chance.hits(300) && *least == 2 {
            let rule = "win_score = 10\nwin_moves = 1\ndraw_score = 20\ndraw_moves = 1\ndraw_from = 4\n";
            text.push_str(&format!("[adjudication]\n{rule}"));
        }
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
                paths: LeaguePaths::default(),
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
                max_crashes: 0,
                promised: &promised,
            };
            if is_disturbed {
                disk.set_trouble(trouble(&mut chance));
                playing.host_trouble = self.host_trouble(&mut chance);
                playing.slots = 1 + chance.up_to(3);
                // In undisturbed sessions, the same command plays the games of withdrawn bots.
                let broken = Chance::of(self.seed, ("broken", session)).hits(500);
                playing.max_crashes = if broken { 2 } else { 0 };
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
                // Even if the machine lost power since then.
                assert_eq!(self.left(&kept), 0, "a league that is called complete has all its records");
                return self.check_records(&kept, &witnesses, tally);
            }
        }
        panic!("the league does not come to its end");
    }

    pub fn games(&self) -> PathBuf {
        RunDirectory::at("/runs/cup").games()
    }

    fn left(&self, kept: &[u8]) -> u64 {
        let reader = RecordReader::from_input("kept", std::io::Cursor::new(kept.to_vec()));
        self.progress(reader).map_or(u64::MAX, |progress| progress.left())
    }

    /// Returns the progress by the records, all of which must be of the league's games.
    pub fn progress(&self, reader: RecordReader) -> Result<Progress, ReadError> {
        Progress::read(reader, self.schedule.clone(), Compatibility::of(&self.plan.tournament), |_, _| Ok(()))
    }

    pub fn seen_versions(&self, reader: RecordReader) -> Result<SeenVersions, ReadError> {
        let (schedule, mut seen) = (self.schedule.clone(), SeenVersions::default());
        Progress::read(reader, schedule, Compatibility::of(&self.plan.tournament), |_, entered| {
            seen.add_game(&entered.game);
            Ok(())
        })?;
        Ok(seen)
    }

    fn host_trouble(&self, chance: &mut Chance) -> HostTrouble {
        let mut some = |per_mille: u64, often: u64| if chance.hits(often) { per_mille } else { 0 };
        HostTrouble {
            // A clock for the whole game is charged for the referee's stalls.
            stalls: if self.has_clocks { 0 } else { some(30, 400) },
            jumps: some(20, 300),
            refused_starts: some(40, 200),
            refused_waits: some(5, 200),
            stops: some(2, 200),
            starved: some(20, 200),
        }
    }

    /// Checks the records of a finished league against the witnessed events.
    fn check_records(&self, kept: &[u8], witnesses: &Witnesses, tally: &mut Tally) -> Finished {
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
        let progress = self.progress(reader()).expect("it was read before");
        let schedule = &progress.schedule;
        let mut results = BTreeMap::new();
        let mut tries = BTreeMap::new();
        for read in reader() {
            let (place, record) = read.expect("it was read before");
            let index = schedule.index_of(&record.id).unwrap_or_else(|| panic!("{place}: a stranger"));
            let pairing = schedule.pairing(index).expect("it has an index");
            assert_eq!(record.id, pairing.id);
            assert_eq!(record.seed, Some(pairing.seed), "a game's seed follows from its id");
            tally.adjudicated += u64::from(record.reason.as_deref() == Some("adjudication"));
            tally.from_openings += u64::from(record.opening.is_some());
            let drawer = Drawer::of(&self.plan.tournament);
            let drawn = drawer.as_ref().map(|drawer| drawer.draw(&pairing));
            assert_eq!(record.opening, drawn.as_ref().map(|drawn| drawn.opening.into()));
            assert_eq!(record.pair, drawn.map(|drawn| drawn.pair), "openings follow from who meets");
            for ((_, bot), seat) in pairing.bots.iter().zip(&record.seats) {
                assert_eq!(seat.name, self.plan.tournament.bots[*bot].name, "everyone sits where he must");
            }
            let before: Option<u32> = tries.insert(record.id.clone(), record.attempt);
            assert!(before.is_none_or(|before| before < record.attempt), "tries are counted on");
            let (hits, misses) = pondered(&record);
            (tally.hits, tally.misses) = (tally.hits + hits, tally.misses + misses);
            for fault in &record.faults {
                *tally.faults.entry(fault.word().to_owned()).or_default() += 1;
            }
            if is_void_by_host(&record) {
                tally.voids += 1;
                assert!(!results.contains_key(&record.id), "nothing is played after a game is decided");
                continue;
            }
            // Before the first move, the first to fail depends on the order of questions.
            let failed: BTreeSet<u8> = record.faults.iter().map(|fault| fault.seat).collect();
            let result = format!("{:?} {:?} {failed:?}", record.places, record.moves);
            assert_eq!(results.insert(record.id.clone(), result), None, "`{}` has one outcome", record.id);
        }
        assert_eq!(schedule.length(), Length::Exactly(results.len() as u64), "every game has an outcome");
        if !schedule.is_known_from_the_start() {
            let known: BTreeSet<String> = schedule.iter().map(|pairing| pairing.id).collect();
            assert!(results.keys().eq(&known), "no game is begun that does not follow");
        }
        Finished { results, races: witnesses.races.clone(), records: kept.to_vec() }
    }
}

/// Returns the ponder hits and misses in a game.
fn pondered(record: &GameRecord) -> (u64, u64) {
    let moves = record.moves.as_deref().unwrap_or_default();
    let column = record.ponder.iter().flatten().enumerate();
    let searches = column.filter_map(|(index, expected)| Some((index, expected.as_deref()?)));
    let (hits, misses): (Vec<_>, Vec<_>) =
        searches.partition(|(index, expected)| moves[index + 1..].starts_with(expected));
    (hits.len() as u64, misses.len() as u64)
}

/// Returns random openings, or none.
fn openings(chance: &mut Chance, game: &str, options: &str) -> String {
    if chance.hits(500) {
        return String::new();
    }
    let given: Vec<(&str, String)> = options
        .split(", ")
        .filter_map(|option| option.split_once(" = "))
        .map(|(name, value)| (name, value.trim_matches('"').to_owned()))
        .collect();
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let game = linesman::games::find(game).expect("the game is one of ours");
    let setup = game.configure(&given).expect("the options are good");
    let mut list = Vec::new();
    for _ in 0..1 + chance.below(3) {
        let mut table = setup.start();
        let mut moves = Vec::new();
        // Few moves, so that a short game has some left.
        for _ in 0..1 + chance.below(2) {
            let legal = linesman::games::legal_moves(&*table);
            let mv = legal[chance.below(legal.len() as u64) as usize].clone();
            table.play(&mv).expect("it is legal");
            moves.push(mv);
        }
        let line = match chance.hits(300) {
            true => format!("token {}", table.token()),
            false => moves.join(" "),
        };
        if !table.is_over() {
            list.push(format!("{line:?}"));
        }
    }
    if list.is_empty() {
        return String::new();
    }
    let order = chance.pick(&["random", "sequential"]);
    format!("[openings]\nlist = [{}]\norder = \"{order}\"\n", list.join(", "))
}

/// Returns a schedule as keys of the tournament file; raises the number of bots
/// if the schedule needs more.
fn schedule(chance: &mut Chance, seats: usize, bots: &mut usize) -> String {
    let rounds = 1 + chance.below(2);
    match chance.below(if seats == 2 { 10 } else { 6 }) {
        0..3 => format!("rounds = {rounds}\ngames = {}\n", 1 + chance.below(8)),
        3 => {
            let challenger = 1 + chance.below(*bots as u64);
            let games = 1 + chance.below(8);
            format!(
                "schedule = \"gauntlet\"\nchallengers = [\"b{challenger}\"]\nrounds = {rounds}\ngames = {games}\n"
            )
        }
        4..6 => format!("schedule = \"ladder\"\ngames = {}\n", seats as u64 * (1 + chance.below(4))),
        6..8 => {
            *bots = 3 + chance.up_to(2);
            let single = chance.hits(500);
            format!("schedule = \"swiss\"\nrounds = {rounds}\nsingle_games = {single}\n")
        }
        _ => {
            *bots = 2 + chance.up_to(3);
            let (best_of, sudden_death) = (1 + chance.below(2), chance.below(2));
            format!("schedule = \"knockout\"\nbest_of = {best_of}\nsudden_death = {sudden_death}\n")
        }
    }
}

/// Returns a Swiss with three or four seats, with or without byes.
fn swiss_of_tables(chance: &mut Chance, seats: usize, bots: &mut usize) -> String {
    *bots = seats + chance.up_to(seats + 1);
    let (rounds, single) = (1 + chance.below(2), chance.hits(500));
    format!("schedule = \"swiss\"\nrounds = {rounds}\nsingle_games = {single}\n")
}

/// Returns the failures of the disk in a session.
fn trouble(chance: &mut Chance) -> Trouble {
    Trouble {
        errors: if chance.hits(250) { 1 + chance.below(60) } else { 0 },
        short_writes: if chance.hits(300) { 300 } else { 0 },
        // Early deaths are more likely, because the start has many operations of its own.
        dies_after: chance.hits(600).then(|| chance.below(60) % (1 + chance.below(60))),
        room: chance.hits(150).then(|| chance.up_to(12_000)),
    }
}
