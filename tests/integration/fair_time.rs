//! Tests that bots are only charged their own delay, on a host that is suspended now and
//! then, and against bots that work out of turn.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Duration;

use rustix::fs::{CWD, Mode, mkfifoat};
use rustix::process::Signal;
use serde_json::Value;

use crate::support::bots::{LETS_BOTS_WRITE, records, shell_bot, tournament};
use crate::support::command;
use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::waiting::{holds_within, wait_until};

/// Returns the state of a process as a letter, or `None` if it is gone.
fn state_of(pid: &str) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

fn cup(limit: &str, head: &str, bots: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, bots).replace("30s", limit));
    scratch
}

fn run(scratch: &Scratch) -> Running {
    Running::start(command(&scratch.path(".")).args(["league", "run", "cup.toml"]))
}

fn faults(records: &[Value]) -> Vec<&Value> {
    records.iter().filter_map(|record| record["faults"].as_array()).flatten().collect()
}

#[test]
fn ctrl_z_stops_bots_and_clocks_and_costs_nobody_time() {
    // A long limit: three processes in turn must notice that the bot thinks, and stop it.
    let scratch = cup(
        "20s",
        &format!("concurrency = 1\ngames = 1\n{LETS_BOTS_WRITE}"),
        &[("slow", "sh slow.sh"), ("random", "linesman bot random")],
    );
    // The bot waits without starting a process: a shell stopped between a fork and its
    // child's first step is not in state `T` but waits for the child.
    let slow = "go) if [ ! -e pid ]; then echo $$ > new; mv new pid; read -r _ < door; fi
            echo \"bestmove $move\";;";
    scratch.write("slow.sh", shell_bot(slow));
    let door = scratch.path("door");
    mkfifoat(CWD, &door, Mode::RUSR | Mode::WUSR).expect("a pipe can be made");
    let running = run(&scratch);
    let pid = scratch.path("pid");
    wait_until("it thinks", || pid.exists());
    let bot = std::fs::read_to_string(&pid).expect("it was just seen");
    running.signal(Signal::TSTP);
    wait_until("it is stopped", || state_of(bot.trim()) == Some('T'));
    // It is stopped for longer than its time for the move.
    let moved = holds_within(Duration::from_secs(21), || state_of(bot.trim()) != Some('T'));
    assert!(!moved, "it went on");
    running.signal(Signal::CONT);
    // Also opened for reading, so that opening never waits for a reader.
    let mut door = OpenOptions::new().read(true).write(true).open(&door).expect("it is ours");
    door.write_all(b"go on\n").expect("it holds a line");
    running.end().done();
    let played = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(faults(&played), Vec::<&Value>::new());
}

#[test]
fn a_bot_that_works_out_of_turn_is_found_and_paused_from_then_on() {
    // Its child spins, and the bot answers at once. The other bot works at each of its moves, so that the child
    // gets about as much CPU time, however busy the machine is. It works most before the child is found: compared
    // with that, the child later gets little, while its bot gets ready for a game.
    let busy = shell_bot("ugiok) ;;").replacen("#!/bin/sh\n", "#!/bin/sh\n(while :; do :; done) &\n", 1);
    let work = "n=$((n+1)); [ $n -lt 3 ] && much=900000 || much=150000
            i=0; while [ $i -lt $much ]; do i=$((i+1)); done";
    let slow = shell_bot(&format!("go) {work}; echo \"bestmove $move\";;"));
    let scratch = cup(
        "300s",
        "concurrency = 1\naffinity = \"off\"\nrounds = 2\ngames = 3\n",
        &[("busy", "sh busy.sh"), ("slow", "sh slow.sh")],
    );
    // The bot is paused after its second turn. In a short game it still has much time out of turn before that.
    let short = scratch.read("cup.toml").replace("size = 3", "size = 3, max_plies = 6");
    scratch.write("cup.toml", short);
    scratch.write("busy.sh", busy);
    scratch.write("slow.sh", slow);
    let ended = run(&scratch).end();
    ended.said(0, "`busy` uses CPU time while it is not on move, so from now on it is paused then");
    assert!(!ended.stderr.contains("`slow` uses CPU"), "{}", ended.stderr);
    let played = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(faults(&played), Vec::<&Value>::new());
    let usage_of = |record: &Value, name: &str| {
        let seats = record["seats"].as_array().expect("a record has seats");
        seats.iter().find(|seat| seat["name"] == name).expect("both play in each game")["usage"].clone()
    };
    let off_move =
        |record: &Value| usage_of(record, "busy")["off_move_cpu_us"].as_u64().expect("it is known");
    // It is paused after its second turn in the first game, and from the start in the others.
    for game in [&played[0], &played[2]] {
        assert_eq!(usage_of(game, "busy")["paused"], Value::from(true));
    }
    assert!(
        off_move(&played[2]) * 4 < off_move(&played[0]),
        "{} and then {}",
        off_move(&played[0]),
        off_move(&played[2])
    );
    // The other bot's thinking is measured with each of its moves.
    let slow = usage_of(&played[0], "slow");
    assert_eq!(slow["moves"], slow["measured"]);
    assert!(slow["peak_kib"].as_u64().is_some_and(|peak| peak > 100), "{slow}");
    assert!(played[0]["evidence"].as_array().is_some_and(|column| column.iter().any(Value::is_object)));
    // The tables show the same.
    let results = scratch.read("runs/cup/results.csv");
    let mut rows = csv::Reader::from_reader(results.as_bytes());
    let names = rows.headers().expect("columns have names").clone();
    let cell = |row: &csv::StringRecord, name: &str| {
        let column = names.iter().position(|column| column == name).expect("there is such a column");
        row[column].to_owned()
    };
    for (row, record) in rows.records().zip(&played) {
        let row = row.expect("it is well-formed");
        let seat = if record["seats"][0]["name"] == "busy" { 1 } else { 2 };
        let paused = u8::from(usage_of(record, "busy")["paused"] == true).to_string();
        assert_eq!(cell(&row, &format!("paused_{seat}")), paused);
        assert!(cell(&row, &format!("off_move_ms_{seat}")).parse::<f64>().is_ok_and(|ms| ms >= 0.0));
        assert!(!cell(&row, &format!("cpu_share_{}", 3 - seat)).is_empty());
        // The load of the host, as far as this kernel counts it.
        let load = &record["load"];
        assert!(load["span_us"].as_u64().is_some_and(|span| span > 100_000), "{load}");
        assert_eq!(load["pressure_us"].is_null(), std::fs::read("/proc/pressure/cpu").is_err());
        assert_eq!(cell(&row, "pressure").is_empty(), load["pressure_us"].is_null());
        assert_eq!(cell(&row, "steal_ms").is_empty(), load["steal_us"].is_null());
    }
    let standings = scratch.read("runs/cup/standings.csv");
    assert!(standings.lines().next().is_some_and(|names| names.contains(",off_move_games,paused_games,")));
}

#[test]
fn a_bot_that_works_out_of_turn_without_pausing_gives_a_warning() {
    // From its first turn on a child works, and the other bot waits until that has worked a lot.
    let work = "(i=0; while [ $i -lt 3000000 ]; do i=$((i+1)); done; : > enough) &";
    let busy =
        shell_bot(&format!("go) if [ ! -e begun ]; then : > begun; {work} fi; echo \"bestmove $move\";;"));
    let slow =
        shell_bot("go) while [ -e begun -a ! -e enough ]; do sleep 0.05; done; echo \"bestmove $move\";;");
    let scratch = Scratch::new();
    scratch.write("busy.sh", busy);
    scratch.write("slow.sh", slow);
    let play = |more: &[&str]| {
        let usual = "match --game quixo --options size=3,max_plies=3 --games 1 --affinity off --movetime 300s \
                     --sandbox off";
        let bots = ["--bot", "sh busy.sh", "--bot", "sh slow.sh"];
        let words = usual.split_ascii_whitespace().chain(bots).chain(more.iter().copied());
        Running::start(command(&scratch.path(".")).args(words)).end()
    };
    let warning = "of CPU time per move while it was not on move, and no bot is paused";
    play(&["--pause", "never"]).said(0, warning);
    for file in ["begun", "enough"] {
        std::fs::remove_file(scratch.path(file)).expect("it was waited for");
    }
    let allowed = play(&["--ponder", "--oversubscribe"]);
    assert!(!allowed.stderr.contains(warning), "{}", allowed.stderr);
}
