//! A runtime for the real driver in which nothing takes real time: processes are
//! values, and the clock advances when the driver waits.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use linesman::games::Setup;
use linesman::process::{
    Command, Interest, Leaked, Liveness, Process, QuitOverruns, Reading, StartError, StartStep, State,
    Terminating,
};
use linesman::referee::driver::StopSwitch;
use linesman::referee::driver::runtime::Runtime;

use crate::behaviours::Guilt;
use crate::bot::SimBot;
use crate::chance::Chance;

/// The maximum number of waits of a game; a game that waits more often spins.
const MAX_WAITS: u64 = 200_000;

/// Disturbances by the machine, per thousand.
#[derive(Clone, Debug, Default)]
pub struct HostTrouble {
    /// Waits from which the referee wakes up late: overload.
    pub stalls: u64,
    /// Waits in which the whole machine sleeps.
    pub jumps: u64,
    /// Starts that the system refuses.
    pub refused_starts: u64,
    /// Waits that the system refuses.
    pub refused_waits: u64,
    /// Waits during which the run is stopped.
    pub stops: u64,
    /// Turns in which the bot is ready and has no CPU for a while.
    pub starved: u64,
}

impl HostTrouble {
    /// True if the times measured by the referee are those of the bots.
    pub fn keeps_time(&self) -> bool {
        self.stalls == 0 && self.jumps == 0
    }
}

/// The witnessed events of the current game.
#[derive(Debug, Default)]
pub struct Witness {
    pub guilt: Vec<Guilt>,
    /// True if the system has refused something.
    pub host_failed: bool,
    /// True if the machine slept or the referee had no CPU, so that a late move can be nobody's fault.
    pub host_stood_still: bool,
    /// True if the outcome depends on a race.
    pub is_a_race: bool,
    /// The legal moves printed in time, in order.
    pub answers: Vec<Answer>,
    /// The seats that the machine can have made late.
    pub excused: Vec<usize>,
}

/// A legal move printed in time.
#[derive(Clone, Debug)]
pub struct Answer {
    pub seat: usize,
    pub text: String,
    /// The time it took since the turn was read.
    pub thought: Duration,
    /// Whether the turn was read as soon as it was sent.
    pub was_read_at_once: bool,
}

/// The machine, as seen by a slot's thread.
#[derive(Clone)]
pub struct SimRuntime(pub Rc<Shared>);

pub struct Shared {
    pub seed: u64,
    pub setup: Arc<dyn Setup>,
    pub margin: Duration,
    pub trouble: HostTrouble,
    pub stop: StopSwitch,
    /// True if pondering is allowed.
    pub ponders: bool,
    pub witness: RefCell<Witness>,
    /// The number of running bots.
    pub alive: Cell<usize>,
    chance: RefCell<Chance>,
    now: Cell<Duration>,
    /// The time that the referee was ready and had no CPU.
    waited: Cell<Duration>,
    /// The time that the bots slept with the machine.
    slept: Cell<Duration>,
    alarm: Cell<Option<Duration>>,
    waits: Cell<u64>,
    jumps_in_turn: Cell<u32>,
}

impl SimRuntime {
    pub fn new(
        seed: u64,
        chance: Chance,
        setup: Arc<dyn Setup>,
        margin: Duration,
        trouble: HostTrouble,
        stop: StopSwitch,
        ponders: bool,
    ) -> SimRuntime {
        SimRuntime(Rc::new(Shared {
            seed,
            setup,
            margin,
            trouble,
            stop,
            ponders,
            witness: RefCell::default(),
            alive: Cell::new(0),
            chance: RefCell::new(chance),
            now: Cell::new(Duration::from_secs(1)),
            waited: Cell::default(),
            slept: Cell::default(),
            alarm: Cell::default(),
            waits: Cell::default(),
            jumps_in_turn: Cell::default(),
        }))
    }

    /// Starts a game with an empty witness.
    pub fn begin(&self) {
        *self.0.witness.borrow_mut() = Witness::default();
        self.0.waits.set(0);
    }
}

impl Shared {
    /// The bots' time.
    pub fn bots_now(&self) -> Duration {
        self.now.get() - self.slept.get()
    }

    pub fn turn_begins(&self) {
        self.jumps_in_turn.set(0);
    }

    pub fn hits(&self, per_mille: u64) -> bool {
        per_mille > 0 && self.chance.borrow_mut().hits(per_mille)
    }

    pub fn up_to(&self, max: usize) -> usize {
        self.chance.borrow_mut().up_to(max)
    }

    /// Waits for a moment in the bots' time, but no longer than until the alarm.
    fn wait_until(&self, moment: Option<Duration>, deadline: Option<Duration>) {
        self.waits.set(self.waits.get() + 1);
        assert!(self.waits.get() < MAX_WAITS, "the driver spins");
        let moment = moment.map(|moment| moment + self.slept.get());
        let until = [moment, deadline, self.alarm.get()].into_iter().flatten().min();
        let until = until.expect("whoever waits has an alarm, or hears something some day");
        let before = self.now.get();
        let mut now = before.max(until) + self.chance.borrow_mut().within(Duration::from_micros(20));
        if self.hits(self.trouble.stalls) {
            self.witness.borrow_mut().host_stood_still = true;
            // Some stalls are too short to show on the clock.
            let longest = if self.hits(500) { Duration::from_secs(3) } else { Duration::from_millis(60) };
            let stall = self.chance.borrow_mut().within(longest);
            // It was ready all the time, and others had the CPU.
            self.waited.set(self.waited.get() + stall);
            now += stall;
        }
        if self.jumps_in_turn.get() < 2 && self.hits(self.trouble.jumps) {
            self.jumps_in_turn.set(self.jumps_in_turn.get() + 1);
            self.witness.borrow_mut().host_stood_still = true;
            let mut chance = self.chance.borrow_mut();
            let night = Duration::from_millis(300) + chance.within(Duration::from_secs(10_000));
            self.slept.set(self.slept.get() + night);
            // The machine falls asleep before the awaited event.
            now = before + chance.within(now - before) + night;
        }
        self.now.set(now);
        if self.alarm.get().is_some_and(|alarm| alarm <= now) {
            // It keeps ringing until it is set again.
            self.alarm.set(Some(now + Duration::from_millis(10)));
        }
        if self.hits(self.trouble.stops) {
            if self.hits(500) { self.stop.finish_running() } else { self.stop.abort_running() }
        }
    }
}

impl Runtime for SimRuntime {
    type Bot = SimBot;

    fn now(&self) -> Instant {
        static START: OnceLock<Instant> = OnceLock::new();
        let shared = &self.0;
        shared.now.set(shared.now.get() + Duration::from_nanos(700));
        *START.get_or_init(beginning) + shared.now.get()
    }

    async fn start(&self, command: Command) -> Result<SimBot, StartError> {
        if self.0.hits(self.0.trouble.refused_starts) {
            self.0.witness.borrow_mut().host_failed = true;
            return Err(StartError::Host { step: StartStep::Launch, error: "no processes left".to_owned() });
        }
        let name = command.arguments.first().map(|name| name.to_string_lossy().into_owned());
        Ok(SimBot::start(Rc::clone(&self.0), name.unwrap_or_default()))
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, SimBot>>,
        at_most: Duration,
    ) -> io::Result<()> {
        if self.0.hits(self.0.trouble.refused_waits) {
            self.0.witness.borrow_mut().host_failed = true;
            return Err(io::Error::other("no memory for a list of pipes"));
        }
        let moments = interests.filter_map(|interest| match interest {
            Interest::Output(bot) => bot.next_output(),
            Interest::Room(bot) => Some(bot.next_room()),
        });
        let first = moments.min();
        if first.is_none_or(|first| first > self.0.bots_now()) {
            self.0.wait_until(first, Some(self.0.now.get() + at_most));
        }
        Ok(())
    }

    async fn hear(&self, bot: &SimBot, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match bot.take_output(buffer) {
            Some(count) => Ok(Some(count)),
            None => {
                self.0.wait_until(bot.next_output(), None);
                // `None` if it was the alarm.
                Ok(bot.take_output(buffer))
            }
        }
    }

    async fn wait_for_end(&self, _leaving: Left) -> Leaked {
        Leaked::default()
    }

    fn has_alarm(&self) -> bool {
        // A thread without alarms drives its games differently.
        !self.0.seed.is_multiple_of(7)
    }

    fn set_alarm(&self, after: Duration) {
        if self.has_alarm() {
            self.0.alarm.set(Some(self.0.now.get() + after));
        }
    }

    fn silence_alarm(&self) {
        self.0.alarm.set(None);
    }

    fn own_wait(&self) -> Option<Duration> {
        Some(self.0.waited.get())
    }
}

#[expect(clippy::disallowed_methods, reason = "simulated times are relative to an arbitrary moment")]
fn beginning() -> Instant {
    Instant::now()
}

impl Process for SimBot {
    type Terminating = Left;
    type Inner = SimBot;

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(self.take_output(buffer))
    }

    fn liveness(&self) -> Liveness {
        match self.state() {
            State::Running if self.has_ended() => Liveness::Ending,
            State::Running => self.reading().map_or(Liveness::Unknown, Liveness::Alive),
            State::Failed(_) | State::Ended(_) => Liveness::Ending,
        }
    }

    fn reading(&self) -> Option<Reading> {
        let (waited, is_ready) = self.waited();
        Some(Reading { cpu: Duration::ZERO, waits: vec![(1, waited)], is_ready })
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        self.take_input(bytes)
    }

    fn take_news(&self) -> bool {
        self.has_news()
    }

    fn state(&self) -> State {
        self.state_now()
    }

    fn stderr_text(&self) -> String {
        "what it says\non stderr".to_owned()
    }

    fn stderr_bytes(&self) -> u64 {
        self.stderr_now()
    }

    fn kill_later(self) -> Left {
        self.end()
    }

    fn quit_later(self, _words: Vec<u8>, _limit: Duration, _overruns: QuitOverruns) -> Left {
        self.end()
    }
}

/// A bot that has ended.
pub struct Left;

impl Terminating for Left {
    fn poll(&mut self) -> Option<Leaked> {
        Some(Leaked::default())
    }
}
