//! Tests of games between real processes: all failures of bots, bots that
//! are kept between games, and workers.

use std::collections::HashSet;
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use linesman::direction::Direction;
use linesman::games::{self, Consultation};
use linesman::process::{Command, Environment, Leaked};
use linesman::referee::core::{
    Adjudication, BotState, Fairness, GameSetup, Pondering, SeatLimits, SeatSetup,
};
use linesman::referee::driver::workers::{self, Affinity, Job, Jobs, Next, WorkerSettings};
use linesman::referee::driver::{BotSpec, Game, Played, Slot, SlotSettings, StopSwitch};
use linesman::seat::{BySeat, Seat};
use linesman::time_control::{ClockKind, TimeControl};
use linesman::verdict::{ExitStatus, Fault, Limit, Stage, Verdict, Void};

use crate::support::{LINESMAN, project};

/// Returns a good bot as a shell script, with some reactions to verbs replaced.
fn script(replaced: &[(&str, &str)]) -> String {
    let usual = [
        ("ugi", "echo id name $$; echo feature legal; echo ugiok"),
        ("isready", "echo readyok"),
        ("legal", "set -- $rest; move=$1"),
        ("go", "echo bestmove $move"),
        ("gameover", ":"),
        ("quit", "exit"),
    ];
    let cases: String = usual
        .iter()
        .map(|(verb, does)| {
            let does = replaced.iter().find(|(of, _)| of == verb).map_or(*does, |(_, does)| does);
            format!("{verb}) {does};;\n")
        })
        .collect();
    format!("while read verb rest; do case $verb in\n{cases}esac; done")
}

fn bot(replaced: &[(&str, &str)]) -> BotSpec {
    program("sh", &["-c", &script(replaced)])
}

fn program(name: &str, arguments: &[&str]) -> BotSpec {
    let base = Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() };
    let command = Command {
        launcher: LINESMAN.into(),
        program: name.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        directory: project(),
        environment: base.closed::<&str, &str>([]),
        cpus: Vec::new(),
        shares_cpus: false,
        isolation: None,
    };
    BotSpec::new(name, command)
}

/// A generous limit, since the machine can be busy.
const PLENTY: Duration = Duration::from_secs(30);
/// A limit for bots that are to exceed it.
const LITTLE: Duration = Duration::from_millis(30);

#[derive(Copy, Clone)]
struct Times {
    start: Duration,
    ready: Duration,
    a_move: Duration,
}

const USUAL: Times = Times { start: PLENTY, ready: PLENTY, a_move: PLENTY };

fn game_of(one: BotSpec, other: BotSpec, plies: u32, times: Times) -> Game {
    let plies = plies.to_string();
    let rules = games::find("quixo")
        .expect("Quixo is there")
        .configure(&[("max_plies", &plies), ("repetition", "0")])
        .expect("these are its options");
    // The failing bot has seat 2, and only its limits are short.
    let seats = BySeat::from_fn(2, |seat| SeatSetup {
        bot: BotState::Cold,
        options: Vec::new(),
        limits: SeatLimits {
            start: if seat == Seat::SECOND { times.start } else { PLENTY },
            ready: if seat == Seat::SECOND { times.ready } else { PLENTY },
            max_move_time: (seat == Seat::SECOND).then_some(times.a_move),
            line: 64 << 10,
            output_on_move: 8 << 20,
            output_off_move: 1 << 20,
        },
        fairness: Fairness::default(),
        time_control: None,
    });
    Game {
        setup: GameSetup {
            game: "quixo".to_owned(),
            options: rules.options().to_string(),
            consultation: Consultation::of(rules.options()),
            id: "one~other~1".to_owned(),
            opening_token: None,
            opening_moves: Vec::new(),
            time_control: TimeControl::MoveTime(PLENTY),
            clock: ClockKind::Wall,
            margin: Duration::from_millis(5),
            pondering: Pondering::Off,
            adjudication: Adjudication::default(),
            seats,
        },
        table: rules.start(),
        bots: BySeat::from_values([one, other].map(Arc::new)).expect("two seats"),
        on_move: None,
        dialogue: None,
    }
}

fn new_slot(idle_bots: usize) -> Slot {
    Slot::new(SlotSettings { idle_bots, ..SlotSettings::default() }, StopSwitch::new())
}

fn play(slot: &mut Slot, one: &BotSpec, other: &BotSpec) -> Played {
    slot.play(game_of(one.clone(), other.clone(), 6, USUAL)).expect("nobody stops it")
}

/// Returns the process ids that the bots gave as their names.
fn names(played: &Played) -> Vec<String> {
    let name = |introduction: &Option<linesman::referee::core::Introduction>| {
        introduction.as_ref().and_then(|introduction| introduction.name.clone()).unwrap_or_default()
    };
    played.finished.introductions.values().map(name).collect()
}

#[track_caller]
fn is_by_rules(played: &Played) {
    assert_eq!(played.finished.verdict.faults(), [], "{:?}", played.transcript);
    assert_eq!(played.finished.moves.len(), 6);
}

/// Plays against a failing bot and returns its fault and its last lines.
#[track_caller]
fn fault_of(other: BotSpec, times: Times) -> (Fault, Vec<String>) {
    let played = {
        let mut slot = new_slot(8);
        let played = slot.play(game_of(bot(&[]), other, 6, times)).expect("nobody stops it");
        assert_eq!(slot.close(), Leaked::default());
        played
    };
    assert_eq!(played.leaked, Leaked::default());
    let faults = played.finished.verdict.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].seat, Seat::SECOND);
    let Verdict::Finished { places, .. } = &played.finished.verdict else { panic!("the other bot has won") };
    assert_eq!(places[Seat::FIRST].number(), 1);
    (faults[0].fault.clone(), faults[0].stray_lines.clone())
}

#[test]
fn a_bot_that_ends_in_its_turn_crashed_with_its_exit_status() {
    #[track_caller]
    fn check(does: &str, expected: ExitStatus) {
        let (fault, _) = fault_of(bot(&[("go", does)]), USUAL);
        let Fault::Crash { status, stderr_tail } = fault else { panic!("{does}: {fault:?}") };
        assert_eq!((status, stderr_tail.as_str()), (expected, "oh\n"), "{does}");
    }
    check("echo oh >&2; exit 3", ExitStatus::Code(3));
    check("echo oh >&2; exit 139", ExitStatus::Code(139));
    check("echo oh >&2; kill -SEGV $$", ExitStatus::Signal(11));
    // Another process holds its output open.
    check("echo oh >&2; setsid sleep 1000 & exit 4", ExitStatus::Code(4));
}

#[test]
fn the_last_output_of_a_bot_is_shown_though_it_is_no_answer() {
    let (fault, stray_lines) = fault_of(bot(&[("go", "printf 'Traceback\\nbestmove c1'; exit 1")]), USUAL);
    assert!(matches!(fault, Fault::Crash { status: ExitStatus::Code(1), .. }), "{fault:?}");
    assert_eq!(stray_lines, ["Traceback", "bestmove c1"]);
}

/// Shell code that closes its output, works for 0.2 s of CPU time (fields 14 and 15 of `/proc/self/stat`, in
/// hundredths of a second), and ends.
const TIDIES_UP: &str = "exec >&-; while read -r stat < /proc/self/stat; set -- $stat; [ $((${14} + ${15})) -lt 20 ]; do :; done; \
                         echo bye >&2; exit 1";

#[test]
fn a_bot_that_ends_some_time_after_closing_its_output_has_crashed() {
    let is_crash = |fault: &Fault| match fault {
        Fault::Crash { status, stderr_tail } => *status == ExitStatus::Code(1) && stderr_tail == "bye\n",
        _ => false,
    };
    let (fault, _) = fault_of(bot(&[("go", TIDIES_UP)]), USUAL);
    assert!(is_crash(&fault), "{fault:?}");
    let (fault, _) = fault_of(bot(&[("isready", TIDIES_UP)]), USUAL);
    assert!(matches!(fault, Fault::NotStarted { .. }), "{fault:?}");
}

#[test]
fn a_bot_that_closes_its_output_and_lives_has_not_crashed() {
    let (fault, _) = fault_of(bot(&[("go", "exec >&-")]), USUAL);
    assert!(matches!(fault, Fault::ClosedOutput { .. }), "{fault:?}");
}

#[test]
fn a_late_bot_loses_by_the_limit_that_it_missed() {
    let (fault, _) = fault_of(bot(&[("go", ":")]), Times { a_move: LITTLE, ..USUAL });
    let Fault::Time { limit, used, margin, .. } = fault else { panic!("{fault:?}") };
    assert_eq!((limit, margin), (LITTLE, Duration::from_millis(5)));
    assert!(used > limit + margin);

    let (fault, _) = fault_of(bot(&[("isready", ":")]), Times { ready: LITTLE, ..USUAL });
    assert!(matches!(fault, Fault::NotReady { stage: Stage::Ready, limit: LITTLE, .. }), "{fault:?}");

    let (fault, _) = fault_of(bot(&[("ugi", ":")]), Times { start: LITTLE, ..USUAL });
    assert!(matches!(fault, Fault::NotReady { stage: Stage::Handshake, limit: LITTLE, .. }), "{fault:?}");
}

#[test]
fn a_bot_that_stops_itself_loses_on_time() {
    let (fault, _) = fault_of(bot(&[("go", "kill -STOP $$")]), Times { a_move: LITTLE, ..USUAL });
    assert!(matches!(fault, Fault::Time { .. }), "{fault:?}");
}

#[test]
fn a_failed_start_has_its_reason() {
    let (fault, _) = fault_of(program("./no-such-bot", &[]), USUAL);
    let error = "`./no-such-bot`: no such program".to_owned();
    assert_eq!(fault, Fault::NotStarted { error, status: None, stderr_tail: String::new() });

    let (fault, _) = fault_of(program("sh", &["-c", "echo no >&2; exit 2"]), USUAL);
    let Fault::NotStarted { stderr_tail, .. } = fault else { panic!("{fault:?}") };
    assert_eq!(stderr_tail, "no\n");
}

#[test]
fn a_flood_is_stopped_at_its_limit() {
    #[track_caller]
    fn check(does: &str, expected: Limit) {
        let (fault, _) = fault_of(bot(&[("go", does)]), USUAL);
        let Fault::Limit { which, limit, used } = fault else { panic!("{does}: {fault:?}") };
        assert_eq!(which, expected);
        assert!(used > limit);
    }
    check("tr '\\0' x < /dev/zero", Limit::Line);
    check("yes info string x", Limit::OutputOnMove);
    check("cat /dev/zero >&2", Limit::Stderr);
}

#[test]
fn an_answer_before_the_question_breaks_the_protocol() {
    // In one write, since the second of two writes could arrive after the question.
    let (fault, _) = fault_of(bot(&[("isready", "printf 'readyok\\nbestmove c1c5\\n'")]), USUAL);
    assert!(matches!(fault, Fault::Protocol { .. }), "{fault:?}");
}

#[test]
fn a_missing_launcher_makes_no_loser() {
    let mut other = bot(&[]);
    other.command.launcher = "/no/such/linesman".into();
    let played = play(&mut new_slot(8), &bot(&[]), &other);
    let Verdict::Void { void: Void::Host(why), faults } = played.finished.verdict else {
        panic!("{:?}", played.finished.verdict)
    };
    assert!(why.contains("/no/such/linesman"), "{why}");
    assert_eq!(faults, []);
}

#[test]
fn bots_are_kept_between_games_and_replaced_when_they_fail() {
    let mut slot = new_slot(8);
    let (good, other) = (bot(&[]), bot(&[("quit", "exit 0")]));
    let crashing = bot(&[("go", "exit 1")]);
    let first = play(&mut slot, &good, &other);
    is_by_rules(&first);
    let second = play(&mut slot, &good, &other);
    is_by_rules(&second);
    assert_eq!(names(&first), names(&second));
    // The seats can change.
    let third = play(&mut slot, &other, &good);
    assert_eq!(names(&third).iter().rev().collect::<Vec<_>>(), names(&first).iter().collect::<Vec<_>>());
    let crashed = names(&play(&mut slot, &good, &crashing));
    let again = names(&play(&mut slot, &good, &crashing));
    assert_eq!(crashed[0], names(&first)[0]);
    assert_eq!(again[0], crashed[0]);
    assert_ne!(again[1], crashed[1]);
    assert_eq!(slot.close(), Leaked::default());
}

#[test]
fn a_bot_plays_itself_with_two_processes() {
    let mut slot = new_slot(8);
    let same = bot(&[]);
    let first = play(&mut slot, &same, &same);
    is_by_rules(&first);
    let second = play(&mut slot, &same, &same);
    is_by_rules(&second);
    let (first, second): (HashSet<_>, HashSet<_>) =
        (names(&first).into_iter().collect(), names(&second).into_iter().collect());
    assert_eq!(first.len(), 2);
    assert_eq!(first, second);
}

#[test]
fn output_between_games_is_no_answer() {
    let mut slot = new_slot(8);
    let chatty = bot(&[("gameover", "echo info string thanks; echo bestmove c1c5; echo so long >&2")]);
    for _ in 0..5 {
        is_by_rules(&play(&mut slot, &bot(&[]), &chatty));
    }
}

#[test]
fn a_bot_that_ended_between_games_is_restarted() {
    let mut slot = new_slot(8);
    let fleeting = bot(&[("gameover", "exit 0")]);
    for _ in 0..3 {
        is_by_rules(&play(&mut slot, &bot(&[]), &fleeting));
    }
}

#[test]
fn the_number_of_idle_bots_is_limited() {
    let mut slot = new_slot(1);
    let (good, other) = (bot(&[]), bot(&[("quit", "exit 0")]));
    let first = names(&play(&mut slot, &good, &other));
    let second = names(&play(&mut slot, &good, &other));
    assert_ne!(first[0], second[0]);
    assert_eq!(first[1], second[1]);
}

#[test]
fn an_aborted_game_leaves_nothing() {
    let stop = StopSwitch::new();
    let mut slot = Slot::new(SlotSettings::default(), stop.clone());
    stop.abort_running();
    assert!(slot.play(game_of(bot(&[]), bot(&[("go", ":")]), 6, USUAL)).is_none());
    assert_eq!(slot.close(), Leaked::default());
}

#[test]
fn the_last_lines_of_a_game_are_kept() {
    let played = play(&mut new_slot(8), &bot(&[]), &bot(&[]));
    let lines: Vec<(Seat, Direction, String)> = played
        .transcript
        .lines()
        .map(|line| (line.seat, line.direction, String::from_utf8_lossy(line.bytes).into_owned()))
        .collect();
    let last_move = &played.finished.moves[5].text;
    assert!(
        lines.contains(&(Seat::SECOND, Direction::FromBot, format!("bestmove {last_move}"))),
        "{lines:?}"
    );
    assert!(played.transcript.lines().is_sorted_by_key(|line| line.at));
}

/// A source of a number of games between good bots.
struct Source {
    left: AtomicUsize,
    done: Mutex<Vec<(u64, bool)>>,
    stop_after: Option<(usize, StopSwitch)>,
}

impl Source {
    fn new(games: usize, stop_after: Option<(usize, StopSwitch)>) -> Arc<Source> {
        Arc::new(Source { left: AtomicUsize::new(games), done: Mutex::default(), stop_after })
    }
}

impl Jobs for Source {
    fn next(&self, _slot: usize) -> Next {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match left {
            Ok(left) => {
                let game = game_of(bot(&[]), bot(&[("quit", "exit 0")]), 6, USUAL);
                Next::Play(Box::new(Job { number: left as u64, game }))
            }
            Err(_) => Next::Done,
        }
    }

    fn done(&self, _slot: usize, number: u64, played: Option<Played>) {
        let mut done = self.done.lock().expect("no test panics with it");
        done.push((number, played.is_some_and(|played| played.finished.verdict.faults().is_empty())));
        if let Some((count, stop)) = &self.stop_after
            && done.len() == *count
        {
            stop.finish_running();
        }
    }
}

#[test]
fn a_bot_gets_its_allowed_number_of_its_slots_cpus() {
    let all = linesman::process::allowed_cpus();
    let settings = SlotSettings { cpus: all.clone(), ..SlotSettings::default() };
    let mut slot = Slot::new(settings, StopSwitch::new());
    let says_how_many = bot(&[("ugi", "echo id name $(nproc); echo feature legal; echo ugiok")]);
    let cpus = |number: usize| NonZeroU32::new(u32::try_from(number).expect("few")).expect("not none");
    let one = BotSpec { cpus: cpus(1), ..says_how_many.clone() };
    let more = BotSpec { cpus: cpus(all.len() + 7), ..says_how_many };
    let played = play(&mut slot, &one, &more);
    is_by_rules(&played);
    assert_eq!(names(&played), ["1".to_owned(), all.len().to_string()]);
    assert_eq!(slot.close(), Leaked::default());
}

#[test]
fn bots_preempt_nobody_where_several_games_share_a_cpu() {
    let says_how =
        bot(&[("ugi", "echo id name $(cut -d' ' -f41 /proc/self/stat); echo feature legal; echo ugiok")]);
    for (games_at_once, policy) in [(1, "0"), (3, "3")] {
        let games_at_once = NonZeroU32::new(games_at_once).expect("not none");
        let mut slot =
            Slot::new(SlotSettings { games_at_once, ..SlotSettings::default() }, StopSwitch::new());
        let played = play(&mut slot, &says_how, &says_how);
        // The scheduling policy: 0 is SCHED_OTHER, 3 is SCHED_BATCH.
        assert_eq!(names(&played), [policy, policy]);
        assert_eq!(slot.close(), Leaked::default());
    }
}

fn settings(slots: usize, affinity: Affinity) -> WorkerSettings {
    WorkerSettings { slots, affinity, cpus_per_slot: 1, idle_bots: 8 }
}

#[test]
fn workers_play_every_game_once() {
    for affinity in [Affinity::Auto, Affinity::Off] {
        let source = Source::new(12, None);
        let jobs: Arc<dyn Jobs> = source.clone();
        let workers = workers::run(&settings(3, affinity), jobs, &StopSwitch::new(), Vec::new())
            .expect("threads start");
        assert_eq!(workers.join(), Leaked::default());
        let mut done = source.done.lock().expect("no worker panicked").clone();
        done.sort_unstable();
        assert_eq!(done, (1..=12).map(|number| (number, true)).collect::<Vec<_>>());
    }
}

#[test]
fn workers_finish_their_games_when_stopped() {
    let stop = StopSwitch::new();
    let source = Source::new(1_000_000, Some((4, stop.clone())));
    let jobs: Arc<dyn Jobs> = source.clone();
    let workers = workers::run(&settings(2, Affinity::Auto), jobs, &stop, Vec::new()).expect("threads start");
    assert_eq!(workers.join(), Leaked::default());
    let done = source.done.lock().expect("no worker panicked").clone();
    assert!((4..=5).contains(&done.len()), "{done:?}");
    assert!(done.iter().all(|(_, is_good)| *is_good));
}
