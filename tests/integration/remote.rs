//! Tests of leagues played by workers through a real broker: the results are those of one machine, whichever
//! process is killed meanwhile. Without a `nats-server` these tests are skipped with a message.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use linesman::record::GameRecord;
use linesman::remote::wire::{Announcement, GameReport, Pack, Report, SeatReport, Subjects, WireMessage};
use linesman::time_control::TimeControl;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::Run;
use crate::support::bots::{ids, records, shell_bot, sorted, tournament};
use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::waiting::{PATIENCE, wait_until};

mod fair;
mod lies;

/// Bots whose moves follow from the game's id and seed alone.
const BOTS: [(&str, &str); 4] = [
    ("ada", "linesman bot random"),
    ("bob", "linesman bot random --seed 3"),
    ("cleo", "linesman bot greedy"),
    ("dan", "linesman bot greedy --seed 4"),
];

const GAMES: &str = "runs/cup/games.jsonl";

/// A broker with its own store, on a fixed port.
struct Broker {
    program: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    server: Child,
}

impl Broker {
    /// Starts a broker, if one is installed.
    #[expect(clippy::print_stdout, reason = "missing programs are reported")]
    fn start() -> Option<Broker> {
        let folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin"];
        let found = folders.iter().map(|folder| PathBuf::from(folder).join("nats-server"));
        let Some(program) = named_server().or_else(|| found.into_iter().find(|path| path.is_file())) else {
            println!("skipped: this host has no `nats-server`");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder can be made");
        let port = free_port();
        let server = serve(&program, &folder, port);
        Some(Broker { program, folder, port, server })
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn kill(&mut self) {
        self.server.kill().expect("it can be killed");
        self.server.wait().expect("it can be waited for");
    }

    /// Kills the broker and restarts it, with its store or with an empty one.
    fn restart(&mut self, with_store: bool) {
        self.kill();
        if !with_store {
            std::fs::remove_dir_all(self.folder.path().join("jetstream")).expect("it has a store");
        }
        self.server = serve(&self.program, &self.folder, self.port);
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns the broker's program if the environment names one.
#[expect(clippy::disallowed_methods, reason = "the variable chooses the broker of these tests")]
fn named_server() -> Option<PathBuf> {
    std::env::var_os("LINESMAN_NATS_SERVER").map(PathBuf::from)
}

/// Returns a port that no other process gets while the broker is down. The kernel hands out ports from 32768 on to
/// processes that ask for any port, such as concurrent tests.
fn free_port() -> u16 {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    let ports = std::iter::repeat_with(|| {
        let own = std::process::id().wrapping_mul(32) + TRIED.fetch_add(1, Ordering::Relaxed);
        20_000 + (own % 12_000) as u16
    });
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.take(12_000).find(is_free).expect("there are free ports")
}

fn serve(program: &PathBuf, folder: &tempfile::TempDir, port: u16) -> Child {
    let mut command = Command::new(program);
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path());
    let mut server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it is there");
    wait_until("the broker listens", || {
        let ended = server.try_wait().expect("it can be waited for");
        assert_eq!(ended, None, "the broker has ended");
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    server
}

fn cup(head: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, &BOTS));
    scratch
}

/// Returns a bot that waits in its moves of game NUMBER as long as a folder `closed-NUMBER` exists, so that no worker
/// can finish the league before a test has acted in the middle.
fn held_bot() -> String {
    shell_bot(
        "game) number=${rest#* id }; number=${number%% *}; number=${number##*~};;
        go) while [ -e \"closed-$number\" ]; do sleep 0.02; done; echo \"bestmove $move\";;",
    )
}

/// Holds the games with a number. With a file instead of a folder, the leader would have to send the bot's files again.
fn hold(scratch: &Scratch, number: u32) {
    std::fs::create_dir(scratch.path(closed(number))).expect("a folder can be made");
}

/// Returns a league in which `dan` is such a bot, and the games with these numbers are held.
fn held_cup(head: &str, held: impl IntoIterator<Item = u32>) -> Scratch {
    let scratch = Scratch::new();
    scratch.program("dan.sh", &held_bot());
    let text = tournament(head, &[BOTS[0], BOTS[1], BOTS[2], ("dan", "./dan.sh")]);
    // Long enough that it does not lose on time while it is held.
    scratch.write("cup.toml", text.replace("./dan.sh\"", "./dan.sh\"\nmovetime = \"600s\""));
    held.into_iter().for_each(|number| hold(&scratch, number));
    scratch
}

fn closed(number: u32) -> String {
    format!("closed-{number}")
}

/// Releases the games with a number.
fn release(scratch: &Scratch, number: u32) {
    std::fs::remove_dir(scratch.path(closed(number))).expect("it was closed");
}

/// Starts a worker that runs the bots in place, where games can be held.
fn worker_in_place(scratch: &Scratch, broker: &Broker, name: &str) -> Running {
    scratch.start(["worker", &broker.url(), "--slots", "1", "--name", name, "--folder", "."])
}

fn worker(scratch: &Scratch, broker: &Broker, name: &str) -> Running {
    scratch.start(["worker", &broker.url(), "--slots", "1", "--name", name])
}

/// Starts a leader that repeats deliveries soon.
fn leader(scratch: &Scratch, broker: &Broker) -> Running {
    let mut command = scratch.command(["league", "run", "cup.toml", "--via", &broker.url()]);
    Running::start(command.env("LINESMAN_ACK_WAIT_MS", "1000"))
}

/// Ends a worker like Ctrl-C.
fn ends_well(worker: Running) {
    // A worker too late to play can have just started: it handles signals before it connects.
    worker.wait_for("connected to the broker");
    worker.signal(Signal::INT);
    worker.end().said(0, "played");
}

fn recorded(scratch: &Scratch) -> Vec<Value> {
    records(&scratch.path(GAMES))
}

fn lines(scratch: &Scratch) -> usize {
    std::fs::read(scratch.path(GAMES)).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
}

/// Returns the seed, moves and places of each game.
fn games(records: &[Value]) -> Vec<(String, String)> {
    let games = records.iter().map(|game| {
        let id = game["id"].as_str().expect("it is text").to_owned();
        (id, json!([game["moves"], game["places"], game["seed"]]).to_string())
    });
    sorted(games)
}

/// Plays the same league without workers.
fn played_at_once(head: &str) -> Vec<(String, String)> {
    let scratch = cup(head);
    scratch.run(["league", "run", "cup.toml"]).done();
    games(&recorded(&scratch))
}

#[test]
fn two_workers_get_the_results_of_one_machine() {
    let Some(broker) = Broker::start() else { return };
    let head = "rounds = 5\nseed = 7\n";
    let scratch = cup(head);
    let workers = ["one", "two"].map(|name| worker(&scratch, &broker, name));
    let run = leader(&scratch, &broker).end();
    run.said(0, "60 games, by workers");
    workers.into_iter().for_each(ends_well);
    let records = recorded(&scratch);
    assert_eq!(games(&records), played_at_once(head));
    assert_eq!(scratch.run(["verify", "runs/cup"]).status, Some(0));
    // Nothing is left to do, and the broker is unchanged.
    leader(&scratch, &broker).end().said(0, "60");
    assert_eq!(recorded(&scratch).len(), 60);
}

#[test]
fn rounds_that_depend_on_results_wait_for_them() {
    let Some(broker) = Broker::start() else { return };
    let head = "schedule = \"swiss\"\nrounds = 3\n";
    let scratch = cup(head);
    let workers = ["one", "two"].map(|name| worker(&scratch, &broker, name));
    leader(&scratch, &broker).end().said(0, "");
    workers.into_iter().for_each(ends_well);
    assert_eq!(games(&recorded(&scratch)), played_at_once(head));
}

#[test]
fn a_knockout_has_the_same_results_with_workers() {
    let Some(broker) = Broker::start() else { return };
    let head = "schedule = \"knockout\"\nbest_of = 3\n";
    let scratch = cup(head);
    let workers = ["one", "two"].map(|name| worker(&scratch, &broker, name));
    leader(&scratch, &broker).end().said(0, "");
    workers.into_iter().for_each(ends_well);
    assert_eq!(games(&recorded(&scratch)), played_at_once(head));
}

#[test]
fn a_ladder_with_a_worker_chooses_each_game_by_earlier_results() {
    let Some(broker) = Broker::start() else { return };
    let head = "schedule = \"ladder\"\ngames = 40\nconcurrency = 1\n";
    let scratch = cup(head);
    let one = worker(&scratch, &broker, "one");
    leader(&scratch, &broker).end().said(0, "");
    ends_well(one);
    assert_eq!(games(&recorded(&scratch)), played_at_once(head));
}

#[test]
fn a_test_is_decided_as_on_one_machine_and_wastes_few_games() {
    let Some(broker) = Broker::start() else { return };
    let test = "[test]\nelo0 = 0\nelo1 = 200\n";
    let bots = [("new", "linesman bot greedy"), ("base", "linesman bot random")];
    let [here, there] = [Scratch::new(), Scratch::new()];
    for scratch in [&here, &there] {
        let file = tournament("rounds = 200\nseed = 6\nconcurrency = 1\n", &bots) + test;
        scratch.write("cup.toml", file);
    }
    let alone = here.run(["league", "run", "cup.toml"]);
    let workers = ["one", "two"].map(|name| worker(&there, &broker, name));
    let run = leader(&there, &broker).end();
    workers.into_iter().for_each(ends_well);
    run.said(0, "workers may play up to 32 games more than the test needs");
    let decision = |run: &Run| run.stdout.lines().find(|line| line.starts_with("status")).map(str::to_owned);
    assert!(decision(&alone).is_some(), "{alone:?}");
    assert_eq!((run.status, decision(&run)), (alone.status, decision(&alone)));
    let (played, needed) = (games(&recorded(&there)), games(&recorded(&here)));
    assert!(played.len() <= needed.len() + 32, "{} of {}", played.len(), needed.len());
    let missing: Vec<_> = needed.iter().filter(|game| !played.contains(game)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A league long enough that processes can be killed in the middle.
const LONG: &str = "rounds = 20\nseed = 3\n";
const MIDDLE: u32 = 10;

/// Ends a leader like Ctrl-C and releases the held games, since the leader waits for running games.
fn stops(leader: Running, scratch: &Scratch, held: u32) {
    leader.signal(Signal::INT);
    leader.wait_for("stopping after the running games");
    release(scratch, held);
    leader.end().said(3, "to continue");
}

/// Plays the long league and calls `happens` after some games. The league is held in its middle until then.
fn disturbed(happens: impl FnOnce(&Scratch, &mut Broker, Running, &mut Vec<Running>) -> Running) {
    let Some(mut broker) = Broker::start() else { return };
    let scratch = held_cup(LONG, Some(MIDDLE));
    let names = ["one", "two"];
    let mut workers: Vec<Running> = names.map(|name| worker_in_place(&scratch, &broker, name)).into();
    let running = leader(&scratch, &broker);
    wait_until("some games are recorded", || lines(&scratch) >= 20);
    let running = happens(&scratch, &mut broker, running, &mut workers);
    if scratch.path(closed(MIDDLE)).exists() {
        release(&scratch, MIDDLE);
    }
    running.end().said(0, "");
    workers.into_iter().for_each(ends_well);
    let records = recorded(&scratch);
    assert_eq!(records.len(), 240);
    let mut own = sorted(ids(&records));
    own.dedup();
    assert_eq!(own.len(), 240, "no game has two records");
    assert_eq!(scratch.run(["verify", "runs/cup"]).status, Some(0));
}

#[test]
fn the_games_of_a_killed_worker_are_played_by_others() {
    disturbed(|_, _, running, workers| {
        assert!(workers.pop().expect("there are two").kill());
        running
    });
}

#[test]
fn a_killed_broker_comes_back_with_its_packs() {
    disturbed(|_, broker, running, _| {
        broker.restart(true);
        running
    });
}

#[test]
fn a_broker_with_a_lost_store_gets_the_missing_games_again() {
    disturbed(|_, broker, running, _| {
        broker.restart(false);
        running
    });
}

#[test]
fn a_killed_leader_continues_with_the_games_played_meanwhile() {
    disturbed(|scratch, broker, running, _| {
        running.kill();
        leader(scratch, broker)
    });
}

#[test]
fn a_stopped_run_continues_later() {
    disturbed(|scratch, broker, running, _| {
        stops(running, scratch, MIDDLE);
        leader(scratch, broker)
    });
}

#[test]
fn a_worker_with_other_files_returns_games_with_the_reason() {
    let Some(broker) = Broker::start() else { return };
    let scratch = Scratch::new();
    let bots = [("ada", "./bot.sh"), ("bob", "linesman bot random")];
    scratch.program("bot.sh", &shell_bot(""));
    scratch.write("cup.toml", tournament("rounds = 1\n", &bots));
    scratch.program("other/bot.sh", &shell_bot("x) ;;"));
    let url = broker.url();
    let wrong = scratch.start(["worker", &url, "--slots", "1", "--name", "wrong", "--folder", "other"]);
    let running = leader(&scratch, &broker);
    running.wait_for("worker `wrong` gives games back: the files of bot `ada` differ from the leader's");
    running.wait_for(
        "nothing is being played, and 2 games wait: none of 1 worker can play them (`wrong`: the files",
    );
    let right = worker(&scratch, &broker, "right");
    running.end().said(0, "");
    [wrong, right].into_iter().for_each(ends_well);
    let hosts = recorded(&scratch);
    assert_eq!(hosts.len(), 2);
}

#[test]
fn files_of_a_bot_that_change_during_a_run_are_named_until_they_are_restored() {
    let Some(mut broker) = Broker::start() else { return };
    let scratch = Scratch::new();
    let bots = [("ada", "./bot.sh"), ("bob", "linesman bot random")];
    scratch.program("bot.sh", &shell_bot(""));
    scratch.write("cup.toml", tournament("rounds = 1\n", &bots));
    let running = leader(&scratch, &broker);
    running.wait_for("games, by workers");
    scratch.program("bot.sh", &shell_bot("x) ;;"));
    // The files are sent again.
    broker.restart(false);
    running.wait_for("the files of bot `ada` have changed since the run started; restore them");
    scratch.program("bot.sh", &shell_bot(""));
    let worker = worker(&scratch, &broker, "one");
    running.end().said(0, "");
    ends_well(worker);
    assert_eq!(recorded(&scratch).len(), 2);
}

/// A client that speaks enough of the broker's protocol to lie.
struct Liar {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Liar {
    fn connect(broker: &Broker) -> Liar {
        let output = TcpStream::connect(("127.0.0.1", broker.port)).expect("it listens");
        output.set_read_timeout(Some(Duration::from_secs(60))).expect("it can be set");
        let input = BufReader::new(output.try_clone().expect("it can be cloned"));
        let mut liar = Liar { input, output };
        liar.send("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true}\r\n");
        liar.send("SUB lm.*.announce 1\r\nSUB liar.inbox 2\r\n");
        liar
    }

    fn send(&mut self, text: &str) {
        self.output.write_all(text.as_bytes()).expect("the broker reads");
    }

    fn publish(&mut self, subject: &str, reply: &str, bytes: &[u8]) {
        self.send(&format!("PUB {subject} {reply} {}\r\n", bytes.len()));
        self.output.write_all(bytes).and_then(|()| self.output.write_all(b"\r\n")).expect("the broker reads");
    }

    /// Reads the next message of a subscription, without its headers.
    fn next(&mut self, wanted: &str) -> Vec<u8> {
        loop {
            let mut line = String::new();
            self.input.read_line(&mut line).expect("the broker writes");
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first().copied() {
                Some("PING") => self.send("PONG\r\n"),
                Some(verb @ ("MSG" | "HMSG")) => {
                    let length: usize = words.last().and_then(|word| word.parse().ok()).expect("a length");
                    let mut bytes = vec![0; length + 2];
                    self.input.read_exact(&mut bytes).expect("the broker writes");
                    let headers = match verb {
                        "MSG" => 0,
                        _ => words[words.len() - 2].parse().expect("the length of the headers"),
                    };
                    let is_status = bytes.starts_with(b"NATS/1.0 ");
                    if words[2] == wanted && !is_status {
                        return bytes[headers..length].to_vec();
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_lying_worker_is_named_and_its_results_are_rejected() {
    let Some(broker) = Broker::start() else { return };
    let head = "rounds = 1\nseed = 5\n";
    // The true records, one of which is falsified.
    let other = cup(head);
    other.run(["league", "run", "cup.toml"]).done();
    let scratch = cup(head);
    let mut liar = Liar::connect(&broker);
    let running = leader(&scratch, &broker);
    let announced = Announcement::decode(&liar.next("1")).expect("it is one");
    let subjects = Subjects::of(&announced.league);
    let next = format!("$JS.API.CONSUMER.MSG.NEXT.{}.workers", subjects.packs(announced.epoch));
    liar.publish(&next, "liar.inbox", br#"{"batch":1,"expires":30000000000}"#);
    let pack = Pack::decode(&liar.next("2")).expect("it is one");
    let id = &pack.games[0].id;
    let text = other.read(GAMES);
    let line = text.lines().find(|line| line.contains(&format!("\"id\":\"{id}\""))).expect("it was played");
    let mut record: GameRecord = serde_json::from_str(line).expect("it is a record");
    record.places.as_mut().expect("it has a result").reverse();
    let seat = SeatReport { moves: 1, was_ready: true, ..SeatReport::default() };
    let (pack, record) = (pack.id.clone(), record.to_line().expect("it is a record"));
    let seats = vec![seat.clone(), seat];
    let report = Report::Game(Box::new(GameReport { pack, record, seats, ..GameReport::default() }));
    for part in report.parts().expect("it is short") {
        liar.publish(&subjects.result("liar"), "", &part);
    }
    running.wait_for("worker `liar` sent a false result");
    let honest = worker(&scratch, &broker, "honest");
    running.end().said(0, "");
    ends_well(honest);
    assert_eq!(games(&recorded(&scratch)), games(&recorded(&other)));
}

#[test]
fn a_run_can_start_its_broker_and_its_workers_itself() {
    if Broker::start().is_none() {
        return;
    }
    let head = "rounds = 5\nseed = 7\n";
    let scratch = cup(head);
    scratch.run(["league", "run", "cup.toml", "--workers", "2"]).said(0, "60 games, by workers");
    assert_eq!(games(&recorded(&scratch)), played_at_once(head));
    scratch.is_left_within(PATIENCE);
    assert!(std::fs::read_dir(scratch.temporary()).expect("it is there").next().is_none());
}

#[test]
fn the_workers_of_a_run_end_with_it_however_it_ends() {
    if Broker::start().is_none() {
        return;
    }
    let run = ["league", "run", "cup.toml", "--workers", "2"];
    // The first run stops at the held games, so games are left for the second one.
    let scratch = held_cup(LONG, Some(5));
    let running = scratch.start(run);
    wait_until("some games are recorded", || lines(&scratch) >= 10);
    hold(&scratch, MIDDLE);
    stops(running, &scratch, 5);
    scratch.is_left_within(PATIENCE);
    let before = lines(&scratch);
    let running = scratch.start(run);
    wait_until("more games are recorded", || lines(&scratch) >= before + 10);
    assert!(running.kill(), "it can't have come to its end");
    scratch.is_left_within(PATIENCE);
}

#[test]
fn without_a_broker_a_hint_says_what_to_do() {
    let scratch = cup("rounds = 1\n");
    let run = scratch.run(["league", "run", "cup.toml", "--via", "nats://ada:secret@127.0.0.1:1"]);
    run.said(2, "the broker `nats://127.0.0.1:1` can't be used");
    assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    let mut command = scratch.command(["league", "run", "cup.toml", "--workers", "2"]);
    let run = Running::start(command.env("LINESMAN_NATS_SERVER", "/nowhere/nats-server")).end();
    run.said(2, "can't start a broker with `/nowhere/nats-server`");
}
