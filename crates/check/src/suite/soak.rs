//! One long league in which hostile bots play each other, in an order that depends on a seed.

use std::fs;
use std::io;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::fixture::remove_shared_leftovers;
use super::judge::{Problems, fits, in_words};
use super::watch::{self, RECORDS};
use super::{Check, Problem, SuitePlan, max_kib};
use crate::hostile::{HostileBot, Weight, all};
use linesman_record::{GameRecord, VoidKind};
use linesman_sandbox::isolation::Sandbox;

/// Number of concurrent games.
const AT_ONCE: usize = 8;

/// The factor by which a bot's time for a move is longer than in a league of its own, because it shares the machine.
const MOVETIME_FACTOR: u32 = 3;

/// The time for each game in the time limit of the league.
const TIME_PER_GAME: Duration = Duration::from_secs(2);

/// Maximum number of descriptors of the referee for each concurrent game: ten bots, including those that wait or are
/// being ended, with up to fourteen each (five pipes, its process, its children, two cgroups, its user, and the
/// files that report its CPU time).
const DESCRIPTORS_PER_GAME: usize = 140;

/// The result of a long league.
#[derive(Clone, Debug)]
pub struct Soaked {
    /// The number of games with a record.
    pub games: usize,
    /// The number of each verdict, by its words.
    pub verdicts: std::collections::BTreeMap<String, u64>,
    /// Peak memory of the referee in KiB, without pages of files.
    pub peak_kib: u64,
    /// Maximum number of descriptors that the referee had open.
    pub descriptors: usize,
    /// The problems; empty if every verdict is right and nothing is left.
    pub problems: Vec<Problem>,
}

/// Plays a league of `games` games.
///
/// # Errors
/// The folder can't be written to, or the program can't be started.
pub fn soak(plan: &SuitePlan, setting: Sandbox, games: usize, seed: u64) -> io::Result<Soaked> {
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    let bots = shuffled(seed);
    let folder = plan.folder.join(format!("soak-{seed}"));
    fs::create_dir_all(folder.join("hostile"))?;
    fs::create_dir_all(folder.join("temporary"))?;
    fs::write(folder.join("tournament.toml"), tournament(&bots, games))?;
    let limit = TIME_PER_GAME * u32::try_from(games).unwrap_or(u32::MAX) + Duration::from_secs(60);
    let watched = watch::play(plan, &folder, setting, limit)?;
    let mut problems = Problems(Vec::new());
    problems.add_bad_end(&watched);
    problems.add_leftovers(&watched);
    if watched.peak_kib > max_kib(AT_ONCE as u64) {
        problems.add(Some(Check::Memory), &format!("the referee used {} KiB", watched.peak_kib));
    }
    if watched.max_descriptors > 50 + DESCRIPTORS_PER_GAME * AT_ONCE {
        problems.add(Some(Check::Descriptors), &format!("{} were open", watched.max_descriptors));
    }
    for leftover in remove_shared_leftovers() {
        problems.add(Some(Check::Files), &leftover);
    }
    let text = fs::read_to_string(folder.join(RECORDS)).unwrap_or_default();
    let mut soaked = Soaked {
        games: text.lines().count(),
        verdicts: std::collections::BTreeMap::new(),
        peak_kib: watched.peak_kib,
        descriptors: watched.max_descriptors,
        problems: Vec::new(),
    };
    if soaked.games < games {
        problems.add(Some(Check::Record), &format!("{} of {games} games have a record", soaked.games));
    }
    for line in text.lines() {
        match serde_json::from_str::<GameRecord>(line) {
            Ok(record) => judge(&record, setting, &bots, &mut soaked, &mut problems),
            Err(error) => problems.add(Some(Check::Record), &format!("a record can't be read: {error}")),
        }
    }
    soaked.problems = problems.0;
    if soaked.problems.is_empty() {
        fs::remove_dir_all(&folder)?;
    }
    Ok(soaked)
}

/// Checks that every fault in a record is right for its bot, and has its evidence. Counts the verdict.
fn judge(
    record: &GameRecord,
    setting: Sandbox,
    bots: &[&'static HostileBot],
    soaked: &mut Soaked,
    problems: &mut Problems,
) {
    let mut count = |verdict: String| *soaked.verdicts.entry(verdict).or_default() += 1;
    match &record.void {
        Some(void) => count(format!("void {}", void.kind.word())),
        None if record.faults.is_empty() => count("by the rules".to_owned()),
        None => {}
    }
    if record.void.as_ref().is_some_and(|void| matches!(void.kind, VoidKind::Other(_))) {
        problems.add(None, &format!("{}: void for an unknown reason", record.id));
    }
    for fault in &record.faults {
        count(in_words(fault));
        let seat = usize::from(fault.seat).checked_sub(1).and_then(|seat| record.seats.get(seat));
        let bot = seat.and_then(|seat| bots.iter().find(|bot| bot.name == seat.name));
        let is_right =
            bot.is_some_and(|bot| bot.expected_in(setting).iter().any(|ending| fits(ending, Some(fault))));
        if !is_right {
            problems.add(None, &format!("{}: seat {} {}", record.id, fault.seat, in_words(fault)));
        }
        problems.add_missing_evidence(record, fault);
    }
}

/// Returns the light bots that are built in, in an order that depends only on the seed.
fn shuffled(seed: u64) -> Vec<&'static HostileBot> {
    let is_light_and_built_in = |bot: &&HostileBot| bot.is_built_in() && bot.weight == Weight::Light;
    let mut bots: Vec<_> = all().filter(is_light_and_built_in).collect();
    bots.sort_by_cached_key(|bot| Sha256::digest(format!("{seed} {}", bot.name)).to_vec());
    bots
}

fn tournament(bots: &[&HostileBot], games: usize) -> String {
    let mut text = format!(
        "version = 1\nname = \"soak\"\ngame = \"quixo\"\noptions = {{ size = 3 }}\nmovetime = \"20s\"\n\
         margin = \"500ms\"\ngames = {games}\nconcurrency = {AT_ONCE}\noversubscribe = true\naffinity = \"off\"\n"
    );
    for bot in bots {
        text.push_str(&format!(
            "\n[[bots]]\nname = \"{name}\"\ncommand = \"linesman bot hostile {name}\"\ndir = \"hostile\"\n\
             limits = {{ start = \"5s\", ready = \"5s\", move = \"{movetime}ms\" }}\n",
            name = bot.name,
            movetime = (bot.movetime * MOVETIME_FACTOR).as_millis(),
        ));
    }
    text
}
