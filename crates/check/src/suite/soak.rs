//! One long league in which hostile bots meet each other, in an order that a seed picks.

use std::fs;
use std::io;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::fixture::left_elsewhere;
use super::judge::{Problems, fits, in_words, last_line, missing_evidence};
use super::watch::{self, RECORDS};
use super::{Check, Problem, SuitePlan, most_kib};
use crate::hostile::{HostileBot, Weight, all};
use linesman_record::{GameRecord, VoidKind};
use linesman_sandbox::isolation::Sandbox;

/// The number of games that are played at once.
const AT_ONCE: usize = 8;

/// The factor by which a bot may think longer than in a league of its own: it shares the machine with many.
const PATIENCE: u32 = 3;

/// The mean time of a game after which the whole is ended.
const A_GAME: Duration = Duration::from_secs(2);

/// Maximum number of descriptors of the referee for each game at once: ten bots, those that wait or are
/// leaving included, of up to fourteen each (five pipes, its process, its children, two cgroups, its user,
/// and what is read of its time).
const DESCRIPTORS_A_GAME: usize = 140;

/// The result of a long league.
#[derive(Clone, Debug)]
pub struct Soaked {
    /// The number of games with a record.
    pub games: usize,
    /// The verdicts, in words, each with its number.
    pub verdicts: std::collections::BTreeMap<String, u64>,
    /// Peak memory of the referee in KiB, without pages of files.
    pub peak_kib: u64,
    /// Maximum number of descriptors that it had open.
    pub descriptors: usize,
    /// The problems: empty if every record is explained and nothing is left.
    pub problems: Vec<Problem>,
}

/// Plays `games` games.
///
/// # Errors
/// The folder can't be written to, or the program can't be started.
pub fn soak(plan: &SuitePlan, layer: Sandbox, games: usize, seed: u64) -> io::Result<Soaked> {
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    let bots = shuffled(seed);
    let folder = plan.folder.join(format!("soak-{seed}"));
    fs::create_dir_all(folder.join("hostile"))?;
    fs::create_dir_all(folder.join("temporary"))?;
    fs::write(folder.join("tournament.toml"), tournament(&bots, games))?;
    let most = A_GAME * u32::try_from(games).unwrap_or(u32::MAX) + Duration::from_secs(60);
    let watched = watch::play(plan, &folder, layer, most)?;
    let mut wrong = Problems(Vec::new());
    match watched.status {
        Some(status) if status.success() => {}
        Some(status) => {
            wrong.say(None, &format!("the league ended with {status}: {}", last_line(&watched.said)))
        }
        None => wrong.say(None, "the league had to be killed"),
    }
    if !watched.left.is_empty() {
        wrong.say(Some(Check::Processes), &format!("still there: {}", watched.left.join(", ")));
    }
    if watched.peak_kib > most_kib(AT_ONCE as u64) {
        wrong.say(Some(Check::Memory), &format!("the referee used {} KiB", watched.peak_kib));
    }
    if watched.most_descriptors > 50 + DESCRIPTORS_A_GAME * AT_ONCE {
        wrong.say(Some(Check::Descriptors), &format!("{} were open", watched.most_descriptors));
    }
    for left in left_elsewhere() {
        wrong.say(Some(Check::Files), &left);
    }
    let text = fs::read_to_string(folder.join(RECORDS)).unwrap_or_default();
    let mut soaked = Soaked {
        games: text.lines().count(),
        verdicts: std::collections::BTreeMap::new(),
        peak_kib: watched.peak_kib,
        descriptors: watched.most_descriptors,
        problems: Vec::new(),
    };
    if soaked.games < games {
        wrong.say(Some(Check::Record), &format!("{} of {games} games have a record", soaked.games));
    }
    for line in text.lines() {
        match serde_json::from_str::<GameRecord>(line) {
            Ok(record) => explain(&record, layer, &bots, &mut soaked, &mut wrong),
            Err(error) => wrong.say(Some(Check::Record), &format!("a record can't be read: {error}")),
        }
    }
    soaked.problems = wrong.0;
    if soaked.problems.is_empty() {
        fs::remove_dir_all(&folder)?;
    }
    Ok(soaked)
}

/// Checks that every fault is a right one for its bot, and has its evidence.
fn explain(
    record: &GameRecord,
    layer: Sandbox,
    bots: &[&'static HostileBot],
    soaked: &mut Soaked,
    wrong: &mut Problems,
) {
    let mut count = |verdict: String| *soaked.verdicts.entry(verdict).or_default() += 1;
    match &record.void {
        Some(void) => count(format!("void {}", void.kind.word())),
        None if record.faults.is_empty() => count("by the rules".to_owned()),
        None => {}
    }
    if record.void.as_ref().is_some_and(|void| matches!(void.kind, VoidKind::Other(_))) {
        wrong.say(None, &format!("{}: void for an unknown reason", record.id));
    }
    for fault in &record.faults {
        count(in_words(fault));
        let seat = usize::from(fault.seat).checked_sub(1).and_then(|seat| record.seats.get(seat));
        let bot = seat.and_then(|seat| bots.iter().find(|bot| bot.name == seat.name));
        let is_right =
            bot.is_some_and(|bot| bot.right(layer).iter().any(|outcome| fits(*outcome, Some(fault))));
        if !is_right {
            wrong.say(None, &format!("{}: seat {} {}", record.id, fault.seat, in_words(fault)));
        }
        if let Some(missing) = missing_evidence(fault) {
            wrong.say(Some(Check::Record), &format!("{}: a `{}` without {missing}", record.id, fault.word()));
        }
    }
}

/// The light bots that are programs, in an order that follows from the seed alone.
fn shuffled(seed: u64) -> Vec<&'static HostileBot> {
    let is_meant = |bot: &&HostileBot| bot.is_program() && bot.weight == Weight::Light;
    let mut bots: Vec<_> = all().filter(is_meant).collect();
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
            movetime = (bot.movetime * PATIENCE).as_millis(),
        ));
    }
    text
}
