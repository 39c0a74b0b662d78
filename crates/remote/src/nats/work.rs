//! A worker over NATS.

use std::io;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::{AckKind, Context};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};

use super::address::{AddressError, BrokerAddress};
use super::streams::{ANSWER_TIMEOUT, jetstream, next_request, next_subject, publish};
use super::{WallClock, runtime, salt};
use crate::bots::BrokerStore;
use crate::wire::{
    Announcement, Ask, GameReport, LeaderOrder, Pack, Report, Subjects, VERSION, WireMessage, WorkerStatus,
    digest,
};
use crate::worker::{ReadyCrew, Worker, WorkerAction, WorkerEvent, WorkerNotice};
use linesman_driver::event_count::EventCount;
use linesman_driver::workers::Workers;
use linesman_driver::{MeasuredSpeed, StopSwitch};
use linesman_league::assigned::{AssignedPlan, Assignments, NextGame, PlayedElsewhere};
use linesman_league::content::cache::ContentCache;
use linesman_league::dispatcher::Assignment;
use linesman_league::session::Crew;
use linesman_record::WorkerRecord;

/// Time for which a fetch stays open at the broker.
const FETCH_EXPIRES: Duration = Duration::from_secs(10);

/// Time that the answer to a fetch may take beyond that.
const FETCH_MARGIN: Duration = Duration::from_secs(2);

/// Prepares the bots of a plan on this machine.
///
/// The second argument has, for each bot, the reason why its files could not be fetched; `None` if no files are
/// fetched, because the bots are installed here.
pub type OpenPlan =
    Arc<dyn Fn(&AssignedPlan, Option<&[Option<String>]>) -> Result<OpenedPlan, String> + Send + Sync>;

/// The players of a plan's games on this machine.
pub trait AssignedPlayers: Send {
    /// Returns, for each bot in the tournament's order, the reason why it can't play here; `None` if it can.
    fn refusals(&self) -> &[Option<String>];

    /// Starts the threads that play the assigned games.
    ///
    /// # Errors
    /// A system that refuses a thread, or a plan that can't be played.
    fn start(self: Box<Self>, stop: &StopSwitch, assignments: Arc<dyn Assignments>) -> io::Result<Workers>;
}

impl AssignedPlayers for Crew {
    fn refusals(&self) -> &[Option<String>] {
        Crew::refusals(self)
    }

    fn start(self: Box<Self>, stop: &StopSwitch, assignments: Arc<dyn Assignments>) -> io::Result<Workers> {
        Crew::start(*self, stop, assignments)
    }
}

/// The bots of a plan, ready to play.
pub struct OpenedPlan {
    pub players: Box<dyn AssignedPlayers>,
    pub entrants: usize,
    pub seats: usize,
    /// Minimum speed of a worker, in positions per second.
    pub least_speed: Option<NonZeroU64>,
}

/// The settings of a worker.
pub struct WorkerSetup {
    pub address: BrokerAddress,
    /// The name. If the broker's users have permissions, it is the name of the worker's user.
    pub name: String,
    /// Number of games that it plays at once.
    pub slots: usize,
    /// True if the worker ends when no league is led.
    pub until_idle: bool,
    /// The cache of bots' files; `None` if the bots are installed here and are not fetched.
    pub cache: Option<ContentCache>,
    /// Prepares bots.
    pub open: OpenPlan,
    /// The clock that the leader compares with its own.
    pub clock: WallClock,
    /// Measures the speed of a core of this machine; returns `None` if it can't be measured.
    pub measure: fn() -> Option<MeasuredSpeed>,
    /// Shows a notice to people.
    pub tell: Box<dyn Fn(WorkerNotice)>,
}

/// Stops a worker from another thread.
#[derive(Clone)]
pub struct WorkerStopper(mpsc::UnboundedSender<WorkerEvent>);

impl WorkerStopper {
    /// Lets running games finish; no further games start.
    pub fn finish(&self) {
        let _ = self.0.send(WorkerEvent::Stop(LeaderOrder::Finish));
    }

    /// Breaks off running games.
    pub fn abort(&self) {
        let _ = self.0.send(WorkerEvent::Stop(LeaderOrder::Abort));
    }
}

/// Plays the games that leaders at a broker assign, until the worker is stopped. Calls `listen` first, with a handle
/// that stops the worker. Returns the number of games that were played.
///
/// # Errors
/// An address that can't be used, an error of `listen`, or a system that refuses a resource.
pub fn work(
    setup: WorkerSetup,
    listen: impl FnOnce(WorkerStopper) -> io::Result<()>,
) -> Result<u64, AddressError> {
    let runtime = runtime().map_err(AddressError::Local)?;
    let (sender, received) = mpsc::unbounded_channel();
    listen(WorkerStopper(sender.clone())).map_err(AddressError::Local)?;
    let (connection, changes) = mpsc::unbounded_channel();
    let options = setup.address.options(&setup.name)?.retry_on_initial_connect();
    let options = options.event_callback(move |event| {
        let _ = connection_notice(event).map(|notice| connection.send(notice));
        async {}
    });
    let server = setup.address.server();
    let client = runtime.block_on(options.connect(server)).map_err(|error| AddressError::Broker {
        address: setup.address.to_string(),
        why: error.to_string(),
    })?;
    let entered = runtime.enter();
    let worker = Worker::new(setup.name.clone(), salt() >> 12, setup.slots, setup.until_idle);
    let mut worker_loop = WorkerLoop {
        jetstream: jetstream(&client),
        client,
        worker: Arc::new(Mutex::new(worker)),
        start: linesman_driver::now(),
        events: sender,
        crew: None,
        played: 0,
        setup,
    };
    drop(entered);
    let played = runtime.block_on(worker_loop.run(received, changes));
    drop(worker_loop);
    runtime.shutdown_background();
    Ok(played)
}

fn connection_notice(event: async_nats::Event) -> Option<WorkerNotice> {
    match event {
        async_nats::Event::Connected => Some(WorkerNotice::Connected),
        async_nats::Event::Disconnected => Some(WorkerNotice::Disconnected(None)),
        async_nats::Event::ServerError(error) => Some(WorkerNotice::Disconnected(Some(error.to_string()))),
        async_nats::Event::ClientError(error) => Some(WorkerNotice::Disconnected(Some(error.to_string()))),
        async_nats::Event::LameDuckMode
        | async_nats::Event::Draining
        | async_nats::Event::Closed
        | async_nats::Event::SlowConsumer(_) => None,
    }
}

/// The controls of the threads that play.
#[derive(Clone, Default)]
struct CrewControl {
    stop: StopSwitch,
    dismissed: Arc<AtomicBool>,
    event_count: Arc<EventCount>,
}

struct WorkerLoop {
    setup: WorkerSetup,
    client: Client,
    jetstream: Context,
    worker: Arc<Mutex<Worker>>,
    start: Instant,
    events: mpsc::UnboundedSender<WorkerEvent>,
    crew: Option<CrewControl>,
    played: u64,
}

fn locked(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    // The worker is consistent even if another thread panicked while it held the lock.
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerLoop {
    async fn run(
        &mut self,
        mut received: mpsc::UnboundedReceiver<WorkerEvent>,
        mut changes: mpsc::UnboundedReceiver<WorkerNotice>,
    ) -> u64 {
        let Ok(mut announcements) = self.client.subscribe(Subjects::ALL_ANNOUNCEMENTS).await else {
            return 0;
        };
        let mut next_tick = tokio::time::Instant::now();
        let mut last_notice = None;
        loop {
            let event = tokio::select! {
                Some(message) = announcements.next() => {
                    Announcement::decode(&message.payload).ok().map(WorkerEvent::Announced)
                }
                Some(event) = received.recv() => self.crew_event(event),
                Some(notice) = changes.recv() => {
                    // While the broker does not answer, the same event repeats.
                    if last_notice.as_ref() != Some(&notice) {
                        (self.setup.tell)(notice.clone());
                        last_notice = Some(notice);
                    }
                    None
                }
                () = sleep_until(next_tick) => Some(WorkerEvent::Tick),
            };
            let Some(event) = event else { continue };
            let at = linesman_driver::now().saturating_duration_since(self.start);
            let is_tick = matches!(event, WorkerEvent::Tick);
            let (actions, until_tick) = {
                let mut worker = locked(&self.worker);
                (worker.handle(at, event), worker.until_tick(at))
            };
            let tick = tokio::time::Instant::now() + until_tick;
            next_tick = if is_tick { tick } else { next_tick.min(tick) };
            for action in actions {
                if let WorkerAction::Quit = action {
                    let _ = timeout(ANSWER_TIMEOUT, self.client.flush()).await;
                    return self.played + locked(&self.worker).played();
                }
                self.act(action).await;
            }
        }
    }

    /// Applies an event to `crew`. Returns the event for the worker, which may be another one.
    fn crew_event(&mut self, event: WorkerEvent) -> Option<WorkerEvent> {
        match event {
            WorkerEvent::Dismissed => {
                self.crew = None;
                Some(event)
            }
            // The threads ended before this event arrived.
            WorkerEvent::Loaded(crew) if self.crew.is_none() => {
                Some(WorkerEvent::NotLoaded { plan: crew.plan, why: None })
            }
            event => Some(event),
        }
    }

    async fn act(&mut self, action: WorkerAction) {
        match action {
            WorkerAction::Load(announced) => self.load(*announced),
            WorkerAction::Dismiss => self.dismiss(),
            WorkerAction::BreakOff => {
                if let Some(crew) = &self.crew {
                    crew.stop.abort_running();
                    crew.event_count.increment();
                }
            }
            WorkerAction::Fetch { fetch, league, epoch } => self.fetch(fetch, &league, epoch),
            WorkerAction::Begin => {
                if let Some(crew) = &self.crew {
                    crew.event_count.increment();
                }
            }
            WorkerAction::Measure => {
                let (events, measure) = (self.events.clone(), self.setup.measure);
                tokio::task::spawn_blocking(move || {
                    let _ = events.send(WorkerEvent::Measured(measure()));
                });
            }
            WorkerAction::Progress(delivery) => self.reply(delivery, AckKind::Progress).await,
            WorkerAction::Ack(delivery) => self.reply(delivery, AckKind::Ack).await,
            WorkerAction::Nak(delivery, delay) => {
                let delay = Some(delay).filter(|delay| !delay.is_zero());
                self.reply(delivery, AckKind::Nak(delay)).await;
            }
            WorkerAction::Report { number, league, report } => self.report(number, &league, report),
            WorkerAction::SendStatus { league, status } => {
                let clock = (self.setup.clock)().and_then(|time| u64::try_from(time.as_millis()).ok());
                let status = WorkerStatus { clock_ms: clock, ..status };
                let subject = Subjects::of(&league).status(&self.setup.name);
                // A lost message is followed by the next one.
                let _ = self.client.publish(subject, status.encode().into()).await;
            }
            WorkerAction::Tell(notice) => {
                if let WorkerNotice::Left { played, .. } = &notice {
                    self.played += played;
                }
                (self.setup.tell)(notice);
            }
            WorkerAction::Quit => {}
        }
    }

    fn dismiss(&mut self) {
        match &self.crew {
            Some(crew) => {
                crew.dismissed.store(true, Ordering::Relaxed);
                crew.event_count.increment();
            }
            // The threads have already ended.
            None => drop(self.events.send(WorkerEvent::Dismissed)),
        }
    }

    async fn reply(&self, delivery: String, kind: AckKind) {
        // If the reply is lost, the pack is delivered again.
        let _ = self.client.publish(delivery, kind.into()).await;
    }

    fn fetch(&self, fetch: u64, league: &str, epoch: u64) {
        let subject = next_subject(&Subjects::of(league).packs(epoch), Subjects::WORKERS);
        let (client, jetstream, events) = (self.client.clone(), self.jetstream.clone(), self.events.clone());
        tokio::spawn(async move {
            let fetching = async {
                let inbox = client.new_inbox();
                let mut answers = client.subscribe(inbox.clone()).await.ok()?;
                let request = next_request(1, FETCH_EXPIRES);
                client.publish_with_reply(subject, inbox, request.into()).await.ok()?;
                let message = answers.next().await?;
                message.status.is_none().then_some(message)
            };
            let message = timeout(FETCH_EXPIRES + FETCH_MARGIN, fetching).await.ok().flatten();
            let event = message.and_then(|message| {
                let delivery = message.reply.clone()?.to_string();
                let pack = Pack::decode(&message.payload).ok();
                let message = async_nats::jetstream::Message { message, context: jetstream };
                let deliveries = message.info().map_or(1, |info| info.delivered.unsigned_abs());
                Some(WorkerEvent::Fetched { fetch, delivery, deliveries, pack })
            });
            let _ = events.send(event.unwrap_or(WorkerEvent::Nothing(fetch)));
        });
    }

    fn report(&self, number: u64, league: &str, report: Report) {
        let subject = Subjects::of(league).result(&self.setup.name);
        let (jetstream, events) = (self.jetstream.clone(), self.events.clone());
        tokio::spawn(async move {
            let parts = report.parts().unwrap_or_default();
            let mut is_kept = !parts.is_empty();
            for part in parts {
                let id = digest(&part);
                is_kept = is_kept && publish(&jetstream, subject.clone(), &id, part).await;
            }
            let _ = events.send(WorkerEvent::Reported { number, is_kept });
        });
    }

    /// Gets a plan, prepares its bots, and starts the threads that play.
    fn load(&mut self, announced: Announcement) {
        let control = CrewControl::default();
        self.crew = Some(control.clone());
        let (client, open, name) =
            (self.client.clone(), Arc::clone(&self.setup.open), self.setup.name.clone());
        let cache = self.setup.cache.clone();
        let (events, worker) = (self.events.clone(), Arc::clone(&self.worker));
        tokio::spawn(async move {
            let plan = announced.plan.clone();
            let loaded = match request_plan(&client, &name, &announced).await {
                None => Err(None),
                Some(assigned) => {
                    let fetch_errors = fetch_bots(&client, cache.as_ref(), assigned.as_ref().ok()).await;
                    let (crew_events, plan) = (events.clone(), plan.clone());
                    let start = move || {
                        let opened =
                            assigned.and_then(|assigned| open(&assigned, fetch_errors.as_deref()))?;
                        let context = CrewContext { worker, events: crew_events, control };
                        context.start(plan, opened).map_err(|error| error.to_string())
                    };
                    let started = tokio::task::spawn_blocking(start).await;
                    started.unwrap_or_else(|error| Err(error.to_string())).map_err(Some)
                }
            };
            let event = match loaded {
                Ok(ready) => WorkerEvent::Loaded(ready),
                Err(why) => WorkerEvent::NotLoaded { plan, why },
            };
            let _ = events.send(event);
        });
    }
}

/// Fetches into the cache those files of a plan's bots that the leader sends. Returns, for each bot, the reason why its
/// files could not be fetched; `None` if there is no plan, or no cache because the bots are installed here.
async fn fetch_bots(
    client: &Client,
    cache: Option<&ContentCache>,
    assigned: Option<&AssignedPlan>,
) -> Option<Vec<Option<String>>> {
    let (cache, assigned) = (cache?, assigned?);
    let store = BrokerStore::of(client.clone());
    let mut errors = Vec::new();
    for bot in &assigned.bots {
        let Some(content) = &bot.content else {
            errors.push(None);
            continue;
        };
        errors.push(store.fetch(content.digest, cache).await.err().map(|error| error.to_string()));
    }
    Some(errors)
}

/// Requests a plan from the leader. Returns `None` if the leader does not answer, or has another plan by now.
async fn request_plan(
    client: &Client,
    name: &str,
    announced: &Announcement,
) -> Option<Result<AssignedPlan, String>> {
    let subject = Subjects::of(&announced.league).ask(name);
    let mut bytes = Vec::new();
    for piece in 0..announced.pieces {
        let ask = Ask { v: VERSION, plan: announced.plan.clone(), piece };
        let asking = client.request(subject.clone(), ask.encode().into());
        bytes.extend_from_slice(&timeout(ANSWER_TIMEOUT, asking).await.ok()?.ok()?.payload);
    }
    if digest(&bytes) != announced.plan {
        return None;
    }
    Some(serde_json::from_slice(&bytes).map_err(|error| format!("the plan can't be read: {error}")))
}

/// The state that the threads that play share with the worker.
struct CrewContext {
    worker: Arc<Mutex<Worker>>,
    events: mpsc::UnboundedSender<WorkerEvent>,
    control: CrewControl,
}

impl CrewContext {
    /// Starts the threads that play, and a thread that waits for their end.
    fn start(self, plan: String, opened: OpenedPlan) -> io::Result<ReadyCrew> {
        let OpenedPlan { players, entrants, seats, least_speed } = opened;
        let refusals = players.refusals().to_vec();
        let (stop, events) = (self.control.stop.clone(), self.events.clone());
        let assignments = Arc::new(PackAssignments { context: self, bots: refusals.len(), entrants, seats });
        let workers = players.start(&stop, assignments)?;
        std::thread::Builder::new().name("waiting".to_owned()).spawn(move || {
            // The panic hook has reported a panic; the worker continues with new threads.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| workers.join()));
            let _ = events.send(WorkerEvent::Dismissed);
        })?;
        Ok(ReadyCrew { plan, refusals, entrants, seats, least_speed })
    }
}

struct PackAssignments {
    context: CrewContext,
    bots: usize,
    entrants: usize,
    seats: usize,
}

impl PackAssignments {
    fn tell(&self, event: WorkerEvent) {
        // At the end, the receiver is gone.
        let _ = self.context.events.send(event);
    }
}

impl Assignments for PackAssignments {
    fn next(&self) -> NextGame<Box<Assignment>> {
        if self.context.control.dismissed.load(Ordering::Relaxed) {
            return NextGame::Done;
        }
        let Some((number, game)) = locked(&self.context.worker).begin() else { return NextGame::Wait };
        match game.assignment(self.bots, self.entrants, self.seats) {
            Ok(assignment) => NextGame::Game(number, Box::new(assignment)),
            // Unlikely: the game was checked when its pack arrived.
            Err(_) => {
                self.tell(WorkerEvent::Ended { number, report: None });
                NextGame::Wait
            }
        }
    }

    fn ended(&self, number: u64, played: Option<PlayedElsewhere>) {
        let report = played.and_then(|played| GameReport::of(&played).ok());
        self.tell(WorkerEvent::Ended { number, report: report.map(Box::new) });
    }

    fn at_once(&self, games: usize) {
        self.tell(WorkerEvent::AtOnce(games));
    }

    fn worker(&self) -> WorkerRecord {
        locked(&self.context.worker).record()
    }

    fn events(&self) -> Arc<EventCount> {
        Arc::clone(&self.context.control.event_count)
    }
}
