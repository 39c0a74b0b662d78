//! Leagues on a machine whose CPUs are shared with programs that never sleep: honest
//! bots of different speeds among bots that hang, sleep, think too long, use many
//! threads or burn CPU while others are on move.
//!
//! A bot only loses on time if it has used its time by its own CPU clock. A bot that has
//! is never acquitted: it loses every decided game, and its other games stay open.
//!
//! `cargo test --release --test simulation fair_time -- --ignored --nocapture` plays ten
//! thousand leagues under each load and prints the table of `docs/explanation/fair-time.md`.

mod bot;
mod cpu;
mod field;
mod host;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use linesman::league::bots::{Identity, Program};
use linesman::league::dispatcher::Dispatcher;
use linesman::league::fair_play::HostSample;
use linesman::league::file::{Context, Tournament, parse};
use linesman::league::host::{Host, LeaguePaths};
use linesman::league::league_games::EndedGame;
use linesman::league::lineup::Lineup;
use linesman::league::progress::Progress;
use linesman::league::recorder::{RecordContext, Recorder};
use linesman::league::runner::{Run, RunOutput};
use linesman::league::schedule::Schedule;
use linesman::league::withdrawal::Withdrawals;
use linesman::process::Environment;
use linesman::record::GameRecord;
use linesman::referee::driver::workers::{Jobs, Next};
use linesman::referee::driver::{Slot, SlotSettings, StopSwitch};

use crate::chance::Chance;
use cpu::Spinners;
use field::Kind;
use host::BusyHost;

/// The loads under which leagues are played.
const LOADS: [(&str, Spinners); 6] = [
    ("0", Spinners::Steady(0)),
    ("1", Spinners::Steady(1)),
    ("4", Spinners::Steady(4)),
    ("16", Spinners::Steady(16)),
    ("bursts of 4", Spinners::Bursts(4)),
    ("bursts of 16", Spinners::Bursts(16)),
];

/// The number of concurrent games, each on its own CPU.
const SLOTS: usize = 2;

/// The time that a slot waits before it asks for a game again.
const BETWEEN: Duration = Duration::from_millis(100);

/// The outcomes of leagues under one load.
#[derive(Clone, Debug, Default)]
struct Count {
    games: u64,
    decided: u64,
    open: u64,
    annulled: u64,
    /// The annulled games of leagues without a bot that burns CPU out of turn.
    annulled_without_burner: u64,
    /// Losses on time of bots that had not used their time.
    convicted_wrongly: u64,
    /// Decided games without a loss on time although a bot had used up its time.
    acquitted_wrongly: u64,
    /// Decided games of the bot that is too slow by a fifth, and its losses on time.
    of_too_slow: u64,
    too_slow_convicted: u64,
    /// The time that the leagues took on this machine.
    took: Duration,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.games += other.games;
        self.decided += other.decided;
        self.open += other.open;
        self.annulled += other.annulled;
        self.annulled_without_burner += other.annulled_without_burner;
        self.convicted_wrongly += other.convicted_wrongly;
        self.acquitted_wrongly += other.acquitted_wrongly;
        self.of_too_slow += other.of_too_slow;
        self.too_slow_convicted += other.too_slow_convicted;
        self.took += other.took;
    }

    fn judge(&mut self, record: &GameRecord) {
        let kinds: Vec<Kind> = record.seats.iter().map(|seat| Kind::of(&seat.name)).collect();
        let late: Vec<Kind> = record
            .faults
            .iter()
            .map(|fault| {
                assert_eq!((fault.word(), fault.is_overload()), ("time", false), "{fault:?}");
                kinds[usize::from(fault.seat) - 1]
            })
            .collect();
        self.decided += 1;
        self.convicted_wrongly += late.iter().filter(|kind| kind.is_innocent()).count() as u64;
        let has_guilty = kinds.iter().any(|kind| !kind.is_innocent());
        self.acquitted_wrongly += u64::from(has_guilty && late.is_empty());
        // Otherwise the other bot can fail first.
        let is_alone = |kind: &Kind| *kind == Kind::TooSlow || kind.is_innocent();
        if kinds.contains(&Kind::TooSlow) && kinds.iter().all(is_alone) {
            self.of_too_slow += 1;
            self.too_slow_convicted += u64::from(late.contains(&Kind::TooSlow));
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>7} games, {:>7} decided, {:>6} open, {:>7} annulled tries, {} convicted wrongly, {} acquitted \
             wrongly, too slow convicted in {} of {}, {:.0} s",
            self.games,
            self.decided,
            self.open,
            self.annulled,
            self.convicted_wrongly,
            self.acquitted_wrongly,
            self.too_slow_convicted,
            self.of_too_slow,
            self.took.as_secs_f64(),
        )
    }
}

/// Returns a double round-robin league of four bots of the field.
fn tournament(seed: u64) -> Tournament {
    let mut chance = Chance::of(seed, "field");
    let mut field = Kind::ALL.to_vec();
    while field.len() > 4 {
        field.remove(chance.below(field.len() as u64) as usize);
    }
    let mut text = format!(
        "version = 1\ngame = \"quixo\"\noptions = {{ size = 3, max_plies = 8 }}\nrounds = 1\nseed = {seed}\n\
         movetime = \"1s\"\nmargin = \"50ms\"\nconcurrency = {SLOTS}\noversubscribe = true\n"
    );
    for kind in field {
        let name = kind.name();
        text.push_str(&format!("[[bots]]\nname = \"{name}\"\ncommand = \"sim {name}\"\n"));
    }
    let context = Context {
        shown: "cup.toml".to_owned(),
        stem: "cup".to_owned(),
        folder: PathBuf::from("/"),
        cores: None,
    };
    parse(&text, &context).unwrap_or_else(|mistakes| panic!("{text}\n{mistakes}"))
}

/// Plays the league of a seed under a load.
fn play(seed: u64, spinners: Spinners) -> Count {
    let tournament = tournament(seed);
    let identities: Vec<Identity> = (tournament.bots.iter())
        .map(|bot| Identity {
            name: bot.name.clone(),
            command: bot.command.join(" "),
            program: Program::File(PathBuf::from("/bin/sim")),
            digest: None,
        })
        .collect();
    let host = Host {
        binary: PathBuf::from("/bin/linesman"),
        environment: Environment { path: "/bin".into(), home: "/".into(), temporary: "/tmp".into() },
        layers: None,
        paths: LeaguePaths::default(),
        now: || "2026-01-01T00:00:00Z".to_owned(),
    };
    let context = RecordContext { software: "linesman".to_owned(), host: "sim".to_owned(), sandbox: None };
    let schedule = Schedule::of(&tournament).expect("there are bots enough");
    let games = schedule.games();
    let run = Run {
        specs: Lineup::of(&tournament, &identities, &host).specs,
        recorder: Recorder::new(&tournament, &identities, context),
        dispatcher: Dispatcher::new(Progress::new(schedule)),
        slots: SLOTS,
        withdrawals: Withdrawals::new(tournament.bots.iter().map(|_| 0)),
        oracle: None,
        tells_moves: false,
        dialogues: None,
        tournament: tournament.clone(),
    };
    let start = HostSample::read().at;
    let stop = StopSwitch::new();
    // The time of the current slot.
    let clock = Arc::new(AtomicU64::new(0));
    let asks = Arc::clone(&clock);
    let sample = move || {
        let now = Duration::from_nanos(asks.load(Ordering::Relaxed));
        HostSample { at: start + now, pressure: Some(spinners.pressure(now)) }
    };
    let records = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&records);
    let jobs = run.into_jobs(host.now, sample, move |output| {
        if let RunOutput::Ended(EndedGame { record, .. }) = output {
            heard.lock().expect("nobody panics with it").push(*record);
        }
    });
    let mut slots: Vec<(Slot<BusyHost>, BusyHost)> = (0..SLOTS)
        .map(|slot| {
            let chance = Chance::of(seed, ("slot", slot));
            let host = BusyHost::new(start, tournament.margin, spinners, chance);
            (Slot::in_runtime(host.clone(), SlotSettings::default(), stop.clone()), host)
        })
        .collect();
    let mut is_done = [false; SLOTS];
    // The slot that is behind is next, so that the slots share one time.
    while let Some(number) =
        (0..SLOTS).filter(|slot| !is_done[*slot]).min_by_key(|slot| slots[*slot].1.0.now.get())
    {
        let (slot, host) = &mut slots[number];
        let now = host.0.now.get();
        clock.store(now.as_nanos() as u64, Ordering::Relaxed);
        match jobs.next(number) {
            Next::Play(job) => {
                let played = slot.play(job.game);
                jobs.done(number, job.number, played);
            }
            Next::Wait => host.0.now.set(now + BETWEEN),
            Next::Done => is_done[number] = true,
        }
    }
    let took = slots.iter().map(|(_, host)| host.0.now.get()).max().unwrap_or_default();
    slots.into_iter().for_each(|(slot, _)| assert_eq!(slot.close().processes, 0));
    let burns = |kind: Kind| kind == Kind::BurnsOutOfTurn;
    let has_burner = tournament.bots.iter().any(|bot| burns(Kind::of(&bot.name)));
    let mut count = Count { games, took, ..Count::default() };
    let mut last: BTreeMap<String, bool> = BTreeMap::new();
    for record in records.lock().expect("nobody panics with it").iter() {
        let is_annulled = record.void.is_some();
        last.insert(record.id.clone(), is_annulled);
        if is_annulled {
            count.annulled += 1;
            count.annulled_without_burner += u64::from(!has_burner);
        } else {
            count.judge(record);
        }
    }
    count.open = last.values().filter(|is_annulled| **is_annulled).count() as u64;
    assert_eq!(count.decided + count.open, games, "a game is decided or open");
    count
}

/// Plays leagues under each load and checks their outcomes.
#[expect(clippy::print_stderr, reason = "a long run prints a table")]
fn play_all(leagues: u64) {
    for (name, spinners) in LOADS {
        let mut sum = Count::default();
        for seed in 0..leagues {
            let one = play(seed, spinners);
            let is_fair = one.convicted_wrongly == 0 && one.acquitted_wrongly == 0;
            assert!(is_fair, "seed {seed} beside {name} spinners: {one}");
            sum.add(&one);
        }
        eprintln!("beside {name:>12}: {sum}");
        assert!(
            sum.too_slow_convicted * 100 >= sum.of_too_slow * 99 && sum.of_too_slow > 0,
            "beside {name}: {sum}"
        );
        if spinners == Spinners::Steady(0) {
            let without_reason = (sum.open, sum.annulled_without_burner);
            assert_eq!(without_reason, (0, 0), "nothing is annulled on a quiet machine");
        }
    }
}

#[test]
fn load_of_the_machine_neither_convicts_nor_acquits_a_bot() {
    play_all(30);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_fair_time_leagues_under_each_load() {
    play_all(10_000);
}
