//! The referee's memory while it plays, and for a large schedule.

use std::fs;
use std::process::{Command, Stdio};

use crate::counters::status_kib;
use crate::league::League;
use crate::referee::linesman;
use crate::run::run;
use crate::table::{Row, print};
use crate::trips::number_of_games;
use crate::{Plan, folder};

pub fn memory(plan: &Plan) {
    let numbers: &[usize] = if plan.rounds > 2 { &[1, 16, 64, 256] } else { &[1, 4] };
    for &games in numbers {
        let rounds = plan.rounds.min(3);
        let peaks: Vec<Peak> = (0..rounds).filter_map(|_| playing(games)).collect();
        let aim = 8.0 + games as f64 / 32.0;
        let what = format!("memory of a league with {} at once", number_of_games(games));
        let row = Row::new(&what, "MiB, the peak");
        if peaks.is_empty() {
            print([row.aim("not measured")]);
            continue;
        }
        print([
            row.wall(peaks.iter().map(|peak| peak.resident)).aim(format!("<= {aim:.1}")),
            Row::new(format!("{what}: of that its own, not pages of files"), "MiB, the peak")
                .wall(peaks.iter().map(|peak| peak.own)),
        ]);
    }
    let games = if plan.rounds > 2 { 10_000_000 } else { 10_000 };
    let costs = schedule(games, plan.rounds.min(3));
    print([
        Row::new(format!("memory of a schedule of {games} games (`--dry-run`)"), "MiB, the peak")
            .wall(costs.iter().map(|cost| cost.peak_kib as f64 / 1024.0))
            .aim("< 64"),
        Row::new(format!("time of a schedule of {games} games (`--dry-run`)"), "s")
            .wall(costs.iter().map(|cost| cost.wall))
            .cpu(costs.iter().map(crate::run::Cost::cpu)),
    ]);
}

/// The maximum duration of a league.
const MAX_DURATION: std::time::Duration = std::time::Duration::from_secs(300);

/// A program's peak memory, in MiB.
#[derive(Default)]
struct Peak {
    /// All resident memory, including pages of the program's file, which its processes share.
    resident: f64,
    /// Anonymous memory only, sampled every few milliseconds.
    own: f64,
}

/// Measures the memory of a league with `games` concurrent games.
fn playing(games: usize) -> Option<Peak> {
    let folder = folder(&format!("league-{games}"));
    let file = folder.path().join("tournament.toml");
    // Each slot gets at least two games, so all slots are busy at once.
    let text = format!(
        "version = 1\ngame = \"quixo\"\nmovetime = \"10s\"\nconcurrency = {games}\noversubscribe = true\n\
         rounds = {}\n\n[[bots]]\nname = \"a\"\ncommand = \"linesman bot random\"\n\n\
         [[bots]]\nname = \"b\"\ncommand = \"linesman bot random\"\n",
        games.max(4)
    );
    fs::write(&file, text).expect("the folder is there");
    let mut league = Command::new(linesman())
        .args(["league", "run"])
        .arg(&file)
        .arg("--out")
        .arg(folder.path().join("out"))
        // Larger than the usual range, and disjoint from that of this program's bots.
        .env("LINESMAN_BOT_USERS", "74000-75999")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut peak = None::<Peak>;
    let latest = std::time::Instant::now() + MAX_DURATION;
    let status = loop {
        let [resident, own] = ["VmHWM", "RssAnon"].map(|figure| status_kib(league.id(), figure));
        if let (Some(resident), Some(own)) = (resident, own) {
            let before = peak.unwrap_or_default();
            peak = Some(Peak { resident: resident / 1024.0, own: before.own.max(own / 1024.0) });
        }
        if let Some(status) = league.try_wait().expect("it is our child") {
            break status;
        }
        if std::time::Instant::now() > latest {
            // It is still our child, since it was not waited for.
            let _ = league.kill().and_then(|()| league.wait());
            return None;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert!(status.success(), "the league of {games} games at once ends well: {status}");
    peak
}

fn schedule(games: u64, rounds: usize) -> Vec<crate::run::Cost> {
    let folder = folder("schedule");
    let file = folder.path().join("tournament.toml");
    fs::write(&file, League::of_two(100, games).tournament()).expect("the folder is there");
    let out = folder.path().join("out");
    let arguments = [
        "league".as_ref(),
        "run".as_ref(),
        file.as_os_str(),
        "--out".as_ref(),
        out.as_os_str(),
        "--dry-run".as_ref(),
    ];
    (0..rounds).map(|_| run(linesman(), &arguments).expect("it runs and is content")).collect()
}
