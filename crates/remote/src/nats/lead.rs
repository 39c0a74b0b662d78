//! The leader of a league over NATS.

use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::AckKind;
use async_nats::{Client, Message as NatsMessage};
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::address::{AddressError, BrokerAddress};
use super::streams::{ANSWER_TIMEOUT, BrokerError, Streams, jetstream, next_request, next_subject, publish};
use super::{WallClock, runtime, salt};
use crate::bots::BrokerStore;
use crate::leader::{GameSource, Leader, LeaderAction, LeaderEvent};
use crate::wire::{
    Announcement, Ask, GameReport, LeaderOrder, PackedGame, ResultPart, Subjects, VERSION, WireMessage,
    WorkerStatus, digest, pieces,
};
use linesman_driver::StopSwitch;
use linesman_driver::workers::Workers;
use linesman_league::assigned::{AssignedPlan, NextGame};
use linesman_league::content::files::TravellingBot;
use linesman_league::elsewhere::{Agreement, GamesElsewhere, PlayElsewhere};
use linesman_league::fair_play::HostSample;
use linesman_league::leader_notice::{LeaderNotice, Stall};
use linesman_league::session::RunEvent;
use linesman_record::GameRecord;
use linesman_sandbox::Leaked;

/// The name of a leader's connection, and of the subjects at which it gets answers.
const LEADER: &str = "leader";

/// Maximum number of results of a request, and time for which the request stays open.
const BATCH: usize = 256;
const BATCH_EXPIRES: Duration = Duration::from_secs(5);

/// Interval of the ticks, after which the stop switch is checked at the latest.
const TICK: Duration = Duration::from_millis(100);

/// Time after which a result that could not be held is delivered again.
const REDELIVERED_AFTER: Duration = Duration::from_secs(10);

/// Timeout for ending a league at the broker.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// Leads a run whose games are played by workers at a broker.
pub struct NatsLeader {
    address: BrokerAddress,
    clock: WallClock,
    ack_wait: Duration,
    shown: usize,
    kept: watch::Sender<u64>,
    /// The bots whose files are sent to the workers.
    pub bots: Arc<[TravellingBot]>,
    /// True if this run has started workers of its own; it ends when the last of them is gone.
    pub has_own_workers: bool,
    /// The total playing time of a pack, by the mean duration of games so far; `None` = the default.
    pub pack_time: Option<Duration>,
}

impl NatsLeader {
    /// Connects to a broker to check it. The broker will repeat a delivery that is not acknowledged within `ack_wait`.
    /// At most `shown` games are shown at once.
    ///
    /// # Errors
    /// An address or a broker that can't be used, or a system that refuses a resource.
    pub fn new(
        address: BrokerAddress,
        clock: WallClock,
        ack_wait: Duration,
        shown: usize,
    ) -> Result<NatsLeader, AddressError> {
        let runtime = runtime().map_err(AddressError::Local)?;
        runtime.block_on(check_broker(&address))?;
        Ok(NatsLeader {
            address,
            clock,
            ack_wait,
            shown,
            kept: watch::Sender::new(0),
            bots: Arc::new([]),
            has_own_workers: false,
            pack_time: None,
        })
    }
}

/// Connects, and checks that the broker has JetStream.
async fn check_broker(address: &BrokerAddress) -> Result<(), AddressError> {
    let failed =
        |why: &dyn Display| AddressError::Broker { address: address.to_string(), why: why.to_string() };
    let connecting = address.options(LEADER)?.connect(address.server());
    let client = timeout(2 * ANSWER_TIMEOUT, connecting).await;
    let client = client.map_err(|_| failed(&"there is no answer"))?.map_err(|error| failed(&error))?;
    let asking = client.request("$JS.API.INFO", Vec::new().into());
    let answer = timeout(ANSWER_TIMEOUT, asking).await.map_err(|_| failed(&"JetStream does not answer"))?;
    let has_jetstream = answer.is_ok_and(|message| {
        let info: serde_json::Value = serde_json::from_slice(&message.payload).unwrap_or_default();
        info.is_object() && info.get("error").is_none()
    });
    if has_jetstream {
        Ok(())
    } else {
        Err(failed(&"JetStream is not enabled; start nats-server with `-js`"))
    }
}

impl PlayElsewhere for NatsLeader {
    fn begin(&self, games: GamesElsewhere, plan: AssignedPlan, stop: &StopSwitch) -> io::Result<Workers> {
        let options = self.address.options(LEADER).map_err(io::Error::other)?;
        let plan = serde_json::to_string(&plan).map_err(io::Error::other)?;
        let league = Subjects::league(&games.tournament().name, games.tournament().seed);
        let setup = LeadSetup {
            server: self.address.clone(),
            subjects: Subjects::of(&league),
            league,
            name: games.tournament().name.clone(),
            digest: digest(plan.as_bytes()),
            plan: plan.into(),
            ack_wait: self.ack_wait,
            clock: self.clock,
            bots: Arc::clone(&self.bots),
        };
        let (stop, kept, shown) = (stop.clone(), self.kept.subscribe(), self.shown);
        let (has_own_workers, pack_time) = (self.has_own_workers, self.pack_time);
        Workers::on_one_thread("leader", shown, move || {
            let Ok(runtime) = runtime() else { return Leaked::default() };
            let games = RunGames(games);
            let mut leader = Leader::new(games, setup.digest.clone(), salt() >> 12, shown);
            leader.has_own_workers = has_own_workers;
            if let Some(time) = pack_time {
                leader = leader.with_pack_time(time);
            }
            runtime.block_on(Leading::run(setup, options, leader, stop, kept));
            // Tasks that wait for a broker that does not answer are abandoned.
            runtime.shutdown_background();
            Leaked::default()
        })
    }

    fn kept(&self, records: u64) {
        self.kept.send_replace(records);
    }
}

struct RunGames(GamesElsewhere);

impl GameSource for RunGames {
    fn next(&mut self) -> NextGame<PackedGame> {
        // The load of this machine is not that of the machines that play.
        let sample = HostSample { at: linesman_driver::now(), pressure: None };
        match self.0.next(sample) {
            NextGame::Game(number, game) => NextGame::Game(number, PackedGame::of(&game)),
            NextGame::Wait => NextGame::Wait,
            NextGame::Done => NextGame::Done,
        }
    }

    fn began(&mut self, number: u64, place: usize) {
        self.0.began(number, place);
    }

    fn take(&mut self, number: u64, record: GameRecord, report: GameReport) -> Result<Duration, String> {
        self.0.check(number, &record)?;
        let duration = Duration::from_millis(record.duration_ms.unwrap_or_default());
        let played = report.played(record).map_err(|error| error.to_string())?;
        self.0.take(number, played)?;
        Ok(duration)
    }

    fn give_up(&mut self, number: u64) {
        self.0.give_up(number);
    }

    fn left(&self) -> u64 {
        self.0.left()
    }

    fn follow_each_result(&self) -> bool {
        self.0.follow_each_result()
    }

    fn may_come(&self, id: &str) -> bool {
        self.0.may_come(id)
    }

    fn repeat(&self, game: &PackedGame) -> Option<Agreement> {
        self.0.repeat(&game.id, &game.bots)
    }

    fn take_unrepeated(&mut self) -> Vec<(PackedGame, GameRecord)> {
        let games = self.0.take_unrepeated();
        games.into_iter().map(|(assignment, record)| (PackedGame::of(&assignment), record)).collect()
    }

    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String> {
        let tournament = self.0.tournament();
        let (bots, entrants) = (tournament.bots.len(), tournament.entrants.len());
        let assignment = game.assignment(bots, entrants, tournament.game.teams().seats());
        let assignment = assignment.map_err(|error| error.to_string())?;
        self.0.check_of(&assignment, &record)?;
        self.0.keep_repeat(record);
        Ok(())
    }
}

struct LeadSetup {
    server: BrokerAddress,
    league: String,
    subjects: Subjects,
    name: String,
    plan: Arc<str>,
    digest: String,
    ack_wait: Duration,
    clock: WallClock,
    bots: Arc<[TravellingBot]>,
}

struct Leading {
    setup: LeadSetup,
    client: Client,
    streams: Streams,
    leader: Leader<RunGames>,
    events: mpsc::UnboundedSender<LeaderEvent>,
    start: Instant,
    end: Option<bool>,
}

impl Leading {
    async fn run(
        setup: LeadSetup,
        options: async_nats::ConnectOptions,
        leader: Leader<RunGames>,
        stop: StopSwitch,
        kept: watch::Receiver<u64>,
    ) {
        let connecting = options.retry_on_initial_connect().connect(setup.server.server());
        let Ok(client) = connecting.await else { return };
        let streams = Streams {
            jetstream: jetstream(&client),
            subjects: setup.subjects.clone(),
            ack_wait: setup.ack_wait,
        };
        let (events, received) = mpsc::unbounded_channel();
        let start = linesman_driver::now();
        let mut leading = Leading { setup, client, streams, leader, events, start, end: None };
        // An error means that the connection was closed for good.
        let _ = leading.lead(received, stop, kept).await;
        let is_over = leading.end.unwrap_or(false);
        let epoch = leading.leader.epoch();
        let ending = async {
            let _ = leading.client.flush().await;
            leading.streams.end(epoch, is_over).await;
            let _ = leading.client.flush().await;
        };
        let _ = timeout(END_TIMEOUT, ending).await;
    }

    async fn lead(
        &mut self,
        mut received: mpsc::UnboundedReceiver<LeaderEvent>,
        stop: StopSwitch,
        mut kept: watch::Receiver<u64>,
    ) -> Result<(), BrokerError> {
        let mut statuses = self.client.subscribe(self.setup.subjects.status("*")).await?;
        let mut asks = self.client.subscribe(self.setup.subjects.ask("*")).await?;
        let inbox = self.client.new_inbox();
        let mut results = self.client.subscribe(inbox.clone()).await?;
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut pull = Pull { inbox, ..Pull::default() };
        self.begin_streams(None);
        while self.end.is_none() {
            let event = tokio::select! {
                Some(status) = statuses.next() => status_event(&status, self.setup.clock),
                Some(ask) = asks.next() => {
                    self.answer(&ask).await;
                    None
                }
                Some(message) = results.next() => self.result(message, &mut pull),
                Some(event) = received.recv() => Some(event),
                Ok(()) = kept.changed() => Some(LeaderEvent::Kept(*kept.borrow_and_update())),
                _ = ticks.tick() => Some(LeaderEvent::Tick),
            };
            if let Some(LeaderEvent::Ready { .. }) = event {
                // A request sent before the stream existed gets no answer.
                pull = Pull { inbox: pull.inbox, ..Pull::default() };
            }
            if let Some(event) = event {
                self.handle(event).await;
            }
            // A decided test ends immediately: further games would be wasted.
            if stop.must_abort() {
                self.handle(LeaderEvent::Stop(LeaderOrder::Abort)).await;
            } else if !stop.may_begin() {
                self.handle(LeaderEvent::Stop(LeaderOrder::Finish)).await;
            }
            self.pull(&mut pull).await;
        }
        Ok(())
    }

    fn at(&self) -> Duration {
        linesman_driver::now().saturating_duration_since(self.start)
    }

    async fn handle(&mut self, event: LeaderEvent) {
        for action in self.leader.handle(self.at(), event) {
            self.act(action).await;
        }
    }

    async fn act(&mut self, action: LeaderAction) {
        match action {
            LeaderAction::Publish { epoch, pack } => {
                let (jetstream, events) = (self.streams.jetstream.clone(), self.events.clone());
                let subject = self.setup.subjects.pack_subject(epoch);
                tokio::spawn(async move {
                    let is_kept = publish(&jetstream, subject, &pack.id, pack.encode()).await;
                    let _ = events.send(LeaderEvent::Published { pack: pack.id, is_kept });
                });
            }
            LeaderAction::Ack(delivery) => self.reply(delivery, AckKind::Ack).await,
            LeaderAction::Redeliver(delivery) => {
                self.reply(delivery, AckKind::Nak(Some(REDELIVERED_AFTER))).await
            }
            LeaderAction::Rebuild(epoch) => self.begin_streams(Some(epoch)),
            LeaderAction::Announce(order) => {
                let announcement = self.announcement(order).encode();
                // A lost announcement is followed by the next one.
                let _ = self.client.publish(self.setup.subjects.announce(), announcement.into()).await;
            }
            LeaderAction::ReadStreams => {
                let (streams, events) = (self.streams.clone(), self.events.clone());
                let epoch = self.leader.epoch();
                tokio::spawn(async move {
                    if let Some(state) = streams.read_state(epoch).await {
                        let _ = events.send(LeaderEvent::StreamsRead { epoch, state });
                    }
                });
            }
            LeaderAction::Tell(notice) => self.tell(notice),
            LeaderAction::End { is_over } => self.end = Some(is_over),
        }
    }

    fn tell(&self, notice: LeaderNotice) {
        let is_connected = self.client.connection_state() == State::Connected;
        let notice = match notice {
            // Without the broker, no messages of workers arrive.
            LeaderNotice::Stalled { games, .. } if !is_connected => {
                LeaderNotice::Stalled { games, cause: Stall::NoBroker }
            }
            notice => notice,
        };
        self.leader.games().0.tell(RunEvent::Elsewhere(notice));
    }

    async fn reply(&self, delivery: String, kind: AckKind) {
        // A result whose acknowledgement is lost is delivered again, and then dropped.
        let _ = self.client.publish(delivery, kind.into()).await;
    }

    fn announcement(&self, order: LeaderOrder) -> Announcement {
        Announcement {
            v: VERSION,
            league: self.setup.league.clone(),
            name: self.setup.name.chars().take(200).collect(),
            epoch: self.leader.epoch(),
            plan: self.setup.digest.clone(),
            pieces: u32::try_from(pieces(&self.setup.plan).len()).unwrap_or(u32::MAX),
            ack_wait_ms: milliseconds(self.setup.ack_wait),
            order,
            refused: self.leader.refused().map(str::to_owned).collect(),
            set_aside: self.leader.set_aside().collect(),
            status_ms: milliseconds(self.leader.between_statuses()),
        }
    }

    /// Stores the bots' files and creates the streams; retries until both succeed.
    fn begin_streams(&self, epoch: Option<u64>) {
        let (streams, events) = (self.streams.clone(), self.events.clone());
        let (plan, new_epoch) = (self.setup.digest.clone(), self.leader.epoch());
        let (bots, store) = (Arc::clone(&self.setup.bots), BrokerStore::of(self.client.clone()));
        tokio::spawn(async move {
            let mut pause = interval(Duration::from_secs(1));
            loop {
                pause.tick().await;
                if !bots.is_empty()
                    && let Err(error) = store.publish_all(&bots).await
                {
                    let _ = events.send(LeaderEvent::NotPublished(error.to_string()));
                    continue;
                }
                let created = match epoch {
                    Some(epoch) => streams.create(epoch).await.map(|()| (epoch, Vec::new(), 0)),
                    None => streams.begin(&plan, new_epoch).await,
                };
                if let Ok((epoch, packs, results)) = created {
                    let _ = events.send(LeaderEvent::Ready { epoch, packs, results });
                    return;
                }
            }
        });
    }

    /// Answers a worker's request with a piece of the plan.
    async fn answer(&self, message: &NatsMessage) {
        let (Some(reply), Ok(ask)) = (&message.reply, Ask::decode(&message.payload)) else { return };
        let pieces = pieces(&self.setup.plan);
        let piece = pieces.get(ask.piece as usize).filter(|_| ask.plan == self.setup.digest);
        let piece = piece.map(|piece| piece.as_bytes().to_vec()).unwrap_or_default();
        let _ = self.client.publish(reply.clone(), piece.into()).await;
    }

    /// Takes a message with a result, or with the status that ends a request for results.
    fn result(&self, message: NatsMessage, pull: &mut Pull) -> Option<LeaderEvent> {
        if let Some(status) = message.status {
            pull.open = 0;
            if status.as_u16() != 408 {
                pull.not_before = self.at() + Duration::from_secs(1);
            }
            // 503: nothing answers, because the stream is gone.
            return (status.as_u16() == 503).then_some(LeaderEvent::Tick);
        }
        pull.open = pull.open.saturating_sub(1);
        let delivery = message.reply?.to_string();
        let worker = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
        Some(LeaderEvent::Result { worker, delivery, part: ResultPart::decode(&message.payload) })
    }

    /// Requests results unless an earlier request is still open.
    async fn pull(&self, pull: &mut Pull) {
        let at = self.at();
        let is_open = pull.open > 0 && at < pull.until;
        if is_open || at < pull.not_before || !self.leader.is_ready() {
            return;
        }
        let subject = next_subject(&self.setup.subjects.results(), Subjects::COLLECTOR);
        let request = next_request(BATCH, BATCH_EXPIRES);
        if self.client.publish_with_reply(subject, pull.inbox.clone(), request.into()).await.is_ok() {
            pull.open = BATCH;
            pull.until = at + BATCH_EXPIRES + Duration::from_secs(1);
        }
    }
}

/// The open request for results.
#[derive(Default)]
struct Pull {
    inbox: String,
    open: usize,
    until: Duration,
    not_before: Duration,
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn status_event(message: &NatsMessage, clock: WallClock) -> Option<LeaderEvent> {
    let worker = message.subject.rsplit('.').next()?.to_owned();
    let status = WorkerStatus::decode(&message.payload).ok()?;
    let clock_ms = clock().and_then(|time| u64::try_from(time.as_millis()).ok());
    Some(LeaderEvent::WorkerStatus { worker, status: Box::new(status), clock_ms })
}
