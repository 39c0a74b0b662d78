//! A machine whose CPUs are shared with spinners, as seen by a slot's thread.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use linesman::process::{Command, HostLoad, Interest, Leaked, StartError};
use linesman::referee::driver::runtime::Runtime;

use crate::chance::Chance;
use crate::fair_time::bot::{FairBot, Left};
use crate::fair_time::cpu::Spinners;

/// The maximum wait of a thread that wakes up on a busy CPU.
const MAX_LAG: Duration = Duration::from_millis(4);

#[derive(Clone)]
pub struct BusyHost(pub Rc<Shared>);

pub struct Shared {
    pub margin: Duration,
    pub spinners: Spinners,
    pub chance: RefCell<Chance>,
    pub start: Instant,
    pub now: Cell<Duration>,
    /// The number of bots that burn CPU out of turn.
    pub burners: Cell<u32>,
    waited: Cell<Duration>,
    alarm: Cell<Option<Duration>>,
}

impl BusyHost {
    pub fn new(start: Instant, margin: Duration, spinners: Spinners, chance: Chance) -> BusyHost {
        BusyHost(Rc::new(Shared {
            margin,
            spinners,
            chance: RefCell::new(chance),
            start,
            now: Cell::new(Duration::from_secs(1)),
            burners: Cell::new(0),
            waited: Cell::default(),
            alarm: Cell::default(),
        }))
    }

    fn wait_until(&self, moment: Option<Duration>, deadline: Option<Duration>) {
        let shared = &self.0;
        let until = [moment, deadline, shared.alarm.get()].into_iter().flatten().min();
        let until = until.expect("there is an alarm").max(shared.now.get());
        let is_busy = shared.spinners.at(until) + shared.burners.get() > 0;
        let mut chance = shared.chance.borrow_mut();
        let lag = if is_busy { chance.within(MAX_LAG) } else { Duration::ZERO };
        shared.waited.set(shared.waited.get() + lag);
        let now = until + lag + chance.within(Duration::from_micros(20));
        shared.now.set(now);
        if shared.alarm.get().is_some_and(|alarm| alarm <= now) {
            shared.alarm.set(Some(now + Duration::from_millis(10)));
        }
    }
}

impl Runtime for BusyHost {
    type Bot = FairBot;

    fn now(&self) -> Instant {
        let shared = &self.0;
        shared.now.set(shared.now.get() + Duration::from_nanos(700));
        shared.start + shared.now.get()
    }

    async fn start(&self, command: Command) -> Result<FairBot, StartError> {
        let name = command.arguments.first().map(|name| name.to_string_lossy().into_owned());
        Ok(FairBot::start(Rc::clone(&self.0), &name.unwrap_or_default()))
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, FairBot>>,
        at_most: Duration,
    ) -> io::Result<()> {
        let moments = interests.filter_map(|interest| match interest {
            Interest::Output(bot) => bot.next_output(),
            Interest::Room(_) => Some(self.0.now.get()),
        });
        let first = moments.min();
        if first.is_none_or(|first| first > self.0.now.get()) {
            self.wait_until(first, Some(self.0.now.get() + at_most));
        }
        Ok(())
    }

    async fn hear(&self, bot: &FairBot, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match bot.take_output(buffer) {
            Some(count) => Ok(Some(count)),
            None => {
                self.wait_until(bot.next_output(), None);
                Ok(bot.take_output(buffer))
            }
        }
    }

    async fn wait_for_end(&self, _leaving: Left) -> Leaked {
        Leaked::default()
    }

    fn has_alarm(&self) -> bool {
        true
    }

    fn set_alarm(&self, after: Duration) {
        self.0.alarm.set(Some(self.0.now.get() + after));
    }

    fn silence_alarm(&self) {
        self.0.alarm.set(None);
    }

    fn own_wait(&self) -> Option<Duration> {
        Some(self.0.waited.get())
    }

    fn load(&self) -> HostLoad {
        HostLoad { pressure: Some(self.0.spinners.pressure(self.0.now.get())), steal: None }
    }
}
