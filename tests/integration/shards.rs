//! Tests of `linesman league plan`, `run-shard` and `merge`: a league in shards.

use std::fs::File;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::Run;
use crate::support::bots::{ids, records, shell_bot, sorted, tournament};
use crate::support::scratch::Scratch;

/// Bots whose moves follow from the game's id and seed alone.
const BOTS: [(&str, &str); 4] = [
    ("ada", "linesman bot random"),
    ("bob", "linesman bot random --seed 3"),
    ("cleo", "linesman bot greedy"),
    ("dan", "linesman bot greedy --seed 4"),
];

fn cup(head: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, &BOTS));
    scratch
}

fn plan(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(["league", "plan", "cup.toml", "--shards"].iter().chain(more))
}

fn play(scratch: &Scratch, shard: &str) -> Run {
    scratch.run(["league", "run-shard", &format!("runs/cup/shards/{shard}.json")])
}

fn merge(scratch: &Scratch) -> Run {
    scratch.run(["league", "merge", "runs/cup", "--json"])
}

fn recorded(scratch: &Scratch) -> Vec<Value> {
    records(&scratch.path("runs/cup/games.jsonl"))
}

/// Returns the moves and places of each game.
fn games(records: &[Value]) -> Vec<(String, String)> {
    let games = records.iter().map(|game| {
        let id = game["id"].as_str().expect("it is text").to_owned();
        (id, json!([game["moves"], game["places"], game["seed"]]).to_string())
    });
    sorted(games)
}

/// Plays the same league without shards.
fn played_at_once(head: &str) -> Vec<(String, String)> {
    let scratch = cup(head);
    scratch.run(["league", "run", "cup.toml"]).done();
    games(&recorded(&scratch))
}

#[test]
fn shards_get_the_results_of_one_machine() {
    let scratch = cup("rounds = 2\nseed = 7\n");
    let planned = plan(&scratch, &["5", "--json"]);
    let shards: Vec<Value> = serde_json::from_str(planned.done()).expect("it is JSON");
    let sizes: Vec<&Value> = shards.iter().map(|shard| &shard["games"]).collect();
    assert_eq!(sizes, [4, 5, 5, 5, 5]);
    planned.said(0, "24 games in 5 shards");

    for shard in ["1/1", "1/4"] {
        play(&scratch, shard).said(0, "merge them with");
    }
    let merged = merge(&scratch);
    merged.said(3, "9 new games; 9 of the league are recorded");
    // Missing games are planned again, in other shards.
    let planned = plan(&scratch, &["2"]);
    planned.said(0, "plan 2: 15 games in 2 shards");
    for shard in ["2/1", "2/2", "1/2"] {
        play(&scratch, shard).said(0, "merge them with");
    }
    let merged = merge(&scratch);
    let rows: Vec<Value> = serde_json::from_str(&merged.stdout).expect("it is JSON");
    // The second shard of plan 1 shares games with plan 2, which were played twice.
    let sums = |key: &str| rows.iter().map(|row| row[key].as_u64().expect("a number")).sum::<u64>();
    assert_eq!((sums("new"), sums("known"), sums("different"), sums("strange")), (15, 9, 5, 0), "{rows:?}");
    merged.said(1, "other records of 5 games that the league has already");

    assert_eq!(games(&recorded(&scratch)), played_at_once("rounds = 2\nseed = 7\n"));
    assert_eq!(scratch.run(["verify", "runs/cup"]).status, Some(0));
    assert_eq!(plan(&scratch, &["2"]).done(), "");
    scratch.run(["league", "run", "cup.toml"]).said(0, "24 games");
}

#[test]
fn merging_again_changes_nothing_and_keeps_every_byte() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["2"]).done();
    for shard in ["1/1", "1/2"] {
        play(&scratch, shard).said(0, "");
    }
    merge(&scratch).said(0, "12 new games; 12 of the league are recorded");
    let all = scratch.read("runs/cup/games.jsonl");
    let parts = ["1", "2"].map(|shard| scratch.read(&format!("runs/cup/shards/1/{shard}/games.jsonl")));
    assert_eq!(all, parts.concat());
    merge(&scratch).said(0, "0 new games");
    assert_eq!(scratch.read("runs/cup/games.jsonl"), all);
}

#[test]
fn a_torn_line_and_records_of_another_league_are_left_out() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["2"]).done();
    play(&scratch, "1/1").said(0, "");
    let path = "runs/cup/shards/1/1/games.jsonl";
    let whole = scratch.read(path);
    scratch.write(path, &whole[..whole.len() - 20]);
    merge(&scratch).said(3, "the last line is incomplete; its game is not merged");
    assert_eq!(recorded(&scratch).len(), 5);

    let other = Scratch::new();
    other.write("cup.toml", tournament("name = \"other\"\nrounds = 1\n", &BOTS[..2]));
    other.run(["league", "run", "cup.toml"]).done();
    scratch.write("stick/games.jsonl", other.read("runs/cup/games.jsonl"));
    let merged = scratch.run(["league", "merge", "runs/cup", "stick"]);
    merged.said(1, "stick has 2 records of games that this league does not have");
    assert_eq!(recorded(&scratch).len(), 5);
    let nothing = scratch.run(["league", "merge", "runs/cup", "nowhere"]);
    nothing.refused(2, "error: there are no records of a shard in `nowhere`\n");
}

#[test]
fn a_shard_continues_where_it_stopped_and_only_one_process_plays_it() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["1"]).done();
    let path = "runs/cup/shards/1/1/games.jsonl";
    play(&scratch, "1/1").said(0, "12 games");
    let whole = scratch.read(path);
    let cut = whole.lines().take(7).map(|line| format!("{line}\n")).collect::<String>();
    scratch.write(path, &cut);
    let other = File::open(scratch.path("runs/cup/shards/1/1.json")).expect("it is there");
    other.lock().expect("nobody has it");
    play(&scratch, "1/1").said(2, "another linesman process is playing `runs/cup/shards/1/1.json`");
    // A process that another test is starting has a copy of the descriptor for a moment: closing it is not enough.
    other.unlock().expect("it is locked");
    play(&scratch, "1/1").said(0, "12 of 12 games (5 new)");
    assert_eq!(games(&records(&scratch.path(path))), played_at_once("rounds = 1\n"));
}

#[test]
fn rounds_that_depend_on_results_are_planned_one_after_another() {
    let head = "schedule = \"swiss\"\nrounds = 3\n";
    let scratch = cup(head);
    let mut plans = 0;
    loop {
        let planned = plan(&scratch, &["2"]);
        if planned.done().is_empty() {
            break;
        }
        plans += 1;
        for shard in ["1", "2"] {
            play(&scratch, &format!("{plans}/{shard}")).said(0, "merge them with");
        }
        merge(&scratch);
    }
    assert_eq!(plans, 3);
    assert_eq!(games(&recorded(&scratch)), played_at_once(head));
}

#[test]
fn only_the_first_games_can_be_planned() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["3", "--games", "2"]).said(0, "2 games in 2 shards");
    play(&scratch, "1/2").said(0, "1 games");
    merge(&scratch).said(3, "1 new games");
}

#[test]
fn a_script_for_slurm_plays_the_shard_of_its_task() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["4"]).done();
    let script = scratch.path("runs/cup/shards/1/slurm.sh");
    assert!(scratch.read("runs/cup/shards/1/slurm.sh").contains("\n#SBATCH --array=1-4\n"));
    let status = Command::new("bash")
        .arg(script)
        .env("SLURM_ARRAY_TASK_ID", "3")
        .current_dir(scratch.path("runs"))
        .status()
        .expect("there is a shell");
    assert!(status.success());
    assert_eq!(ids(&records(&scratch.path("runs/cup/shards/1/3/games.jsonl"))).len(), 3);
}

#[test]
fn bots_can_be_elsewhere_on_another_machine() {
    let scratch = Scratch::new();
    scratch.program("here/bot.sh", &shell_bot(""));
    let bots = [("ada", "./bot.sh"), ("bob", "linesman bot random")];
    scratch.write("here/cup.toml", tournament("rounds = 1\n", &bots));
    scratch.run(["league", "plan", "here/cup.toml", "--shards", "1"]).done();
    std::fs::rename(scratch.path("here"), scratch.path("there")).expect("both are in one folder");
    play(&scratch, "1/1").said(2, "ada");
    let shard = "runs/cup/shards/1/1.json";
    scratch.run(["league", "run-shard", "--folder", "there", shard]).said(0, "merge them with");
}

#[test]
fn folders_without_shards_and_leagues_that_cannot_have_any_are_rejected() {
    let scratch = cup("rounds = 1\n");
    let refused = scratch.run(["league", "run-shard", "cup.toml"]);
    refused.said(2, "`cup.toml` is not a shard that this version can play");
    scratch.run(["league", "run-shard", "1.json"]).said(2, "can't read `1.json`");
    let test = "\n[test]\nelo0 = 0\nelo1 = 5\n";
    scratch.write("test.toml", tournament("", &BOTS[..2]) + test);
    let refused = scratch.run(["league", "plan", "test.toml", "--shards", "2"]);
    refused.said(2, "a sequential test can't be played in shards");
    scratch.run(["league", "merge", "runs/nothing"]).said(2, "there is no run in `runs/nothing`");
}

/// Runs a plan's ssh script with these hosts, each of which is a folder where the commands run.
fn play_by_ssh(scratch: &Scratch, script: &str, hosts: &[&str]) -> Output {
    scratch.program(
        "bin/ssh",
        &format!(
            "#!/bin/sh\nmkdir -p '{0}'/$1; cd '{0}'/$1; shift; exec sh -c \"$*\"\n",
            scratch.path("hosts").display()
        ),
    );
    let binary = std::path::Path::new(crate::support::LINESMAN).parent().expect("it lies in a folder");
    Command::new("sh")
        .args(["-c", "PATH=$1:$2:$PATH; export PATH; shift 2; exec \"$@\"", "sh"])
        .args([scratch.path("bin").as_path(), binary])
        .args([scratch.path(script), scratch.path("")])
        .args(hosts)
        .output()
        .expect("there is a shell")
}

#[test]
fn the_ssh_script_plays_on_several_machines_and_copies_the_records_back() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["3"]).done();
    let played = play_by_ssh(&scratch, "runs/cup/shards/1/ssh.sh", &["anna", "berta"]);
    assert!(played.status.success());
    let hosts = scratch.path("hosts");
    assert!(hosts.join("anna/linesman-shards/cup-1/3/games.jsonl").is_file());
    assert!(hosts.join("berta/linesman-shards/cup-1/2/games.jsonl").is_file());
    merge(&scratch).said(0, "12 new games");
}

#[test]
fn a_shard_that_a_host_still_plays_is_not_started_there_again() {
    let scratch = cup("rounds = 1\n");
    plan(&scratch, &["1"]).done();
    let script = "runs/cup/shards/1/ssh.sh";
    assert!(play_by_ssh(&scratch, script, &["anna"]).status.success());
    let there = File::open(scratch.path("hosts/anna/linesman-shards/cup-1/1.json")).expect("it is there");
    there.lock().expect("nobody has it");
    let again = play_by_ssh(&scratch, script, &["anna"]);
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert!(stderr.contains("anna: error: another linesman process is playing"), "{stderr}");
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn scripts_support_names_with_spaces_and_quotes() {
    let scratch = Scratch::new();
    let name = "ada's  cup";
    scratch.write(&format!("{name}.toml"), tournament("rounds = 1\n", &BOTS));
    scratch.run(["league", "plan", &format!("{name}.toml"), "--shards", "2"]).done();
    let folder = format!("runs/{name}/shards/1");
    let played = play_by_ssh(&scratch, &format!("{folder}/ssh.sh"), &["anna"]);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let slurm = Command::new("bash")
        .arg(scratch.path(format!("{folder}/slurm.sh")))
        .env("SLURM_ARRAY_TASK_ID", "2")
        .output()
        .expect("there is a shell");
    assert!(slurm.status.success(), "{}", String::from_utf8_lossy(&slurm.stderr));
    scratch.run(["league", "merge", &format!("runs/{name}")]).said(0, "12 new games");
}
