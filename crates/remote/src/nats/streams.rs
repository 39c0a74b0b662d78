//! The streams of a league on the broker.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::stream::{Config, ConsumerErrorKind, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, ContextBuilder};
use futures_util::StreamExt;

use crate::leader::StreamsState;
use crate::wire::{Pack, Subjects, Unreadable, WireMessage};

/// Timeout for an answer of the broker.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Time for which the broker recognizes a duplicate message.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// Maximum number of packs that are played at once.
const MAX_PACKS_PLAYED: i64 = 40_000;

/// Maximum number of fetches that wait at the broker.
const MAX_FETCHES: i64 = 40_000;

/// Maximum number of results that wait for their records to be kept.
const MAX_RESULTS: i64 = 5_000;

/// The header by which the broker recognizes a duplicate message.
const MESSAGE_ID: &str = "Nats-Msg-Id";

/// Maximum number of sequence numbers that are searched for packs of an earlier leader.
const MAX_SEARCHED: u64 = 60_000;

/// Number of messages that the search requests at once.
const SEARCHED_AT_ONCE: usize = 64;

pub(super) type BrokerError = Box<dyn std::error::Error + Send + Sync>;

/// Returns the JetStream context of a connection.
pub(super) fn jetstream(client: &async_nats::Client) -> Context {
    ContextBuilder::new().timeout(ANSWER_TIMEOUT).ack_timeout(ANSWER_TIMEOUT).build(client.clone())
}

#[derive(Clone)]
pub(super) struct Streams {
    pub(super) jetstream: Context,
    pub(super) subjects: Subjects,
    /// Time after which an unacknowledged delivery is repeated.
    pub(super) ack_wait: Duration,
}

impl Streams {
    /// Creates the streams that do not exist. Deletes the consumer of results that an earlier leader left, and all
    /// streams of packs but the newest. Continues with that one if all its packs can be read and are of this plan, and
    /// deletes it otherwise. Returns the epoch of the stream of packs, its packs, and the number of messages with
    /// results.
    pub(super) async fn begin(
        &self,
        plan: &str,
        new_epoch: u64,
    ) -> Result<(u64, Vec<Pack>, u64), BrokerError> {
        self.delete_collector().await?;
        let (epoch, packs) = self.begin_packs(plan, new_epoch).await?;
        // After the packs are read: a pack stays in its stream until the results of its games are in the other.
        let results = self.jetstream.get_stream(self.subjects.results()).await?;
        Ok((epoch, packs, results.cached_info().state.messages))
    }

    /// Deletes an earlier leader's consumer of results. It would redeliver what it sent only after `ack_wait`.
    async fn delete_collector(&self) -> Result<(), BrokerError> {
        let deleting =
            self.jetstream.delete_consumer_from_stream(Subjects::COLLECTOR, self.subjects.results());
        match deleting.await {
            Ok(_) => Ok(()),
            Err(error) => match error.kind() {
                ConsumerErrorKind::JetStream(error) if error.code() == 404 => Ok(()),
                _ => Err(error.into()),
            },
        }
    }

    async fn begin_packs(&self, plan: &str, new_epoch: u64) -> Result<(u64, Vec<Pack>), BrokerError> {
        let prefix = self.subjects.packs_prefix();
        let mut epochs = Vec::new();
        let mut names = self.jetstream.stream_names();
        while let Some(name) = names.next().await {
            epochs.extend(name?.strip_prefix(&prefix).and_then(|epoch| epoch.parse::<u64>().ok()));
        }
        epochs.sort_unstable();
        let newest = epochs.pop();
        for old in epochs {
            self.jetstream.delete_stream(self.subjects.packs(old)).await?;
        }
        if let Some(epoch) = newest {
            let packs = self.packs(epoch).await?;
            if let Some(packs) = packs.filter(|packs| packs.iter().all(|pack| pack.plan == plan)) {
                self.create(epoch).await?;
                return Ok((epoch, packs));
            }
            self.jetstream.delete_stream(self.subjects.packs(epoch)).await?;
        }
        let epoch = newest.map_or(new_epoch, |newest| new_epoch.max(newest + 1));
        self.create(epoch).await?;
        Ok((epoch, Vec::new()))
    }

    /// Reads the packs in a stream; `None` if one can't be read. No worker would take one of another version.
    async fn packs(&self, epoch: u64) -> Result<Option<Vec<Pack>>, BrokerError> {
        let stream = self.jetstream.get_stream(self.subjects.packs(epoch)).await?;
        let state = &stream.cached_info().state;
        if state.messages == 0 {
            return Ok(Some(Vec::new()));
        }
        let last = state.last_sequence.min(state.first_sequence.saturating_add(MAX_SEARCHED));
        let messages = futures_util::stream::iter(state.first_sequence..=last)
            .map(|sequence| stream.get_raw_message(sequence))
            .buffered(SEARCHED_AT_ONCE);
        // Most sequence numbers have no message: acknowledged packs are gone.
        let packs = messages.filter_map(async |message| Some(Pack::decode(&message.ok()?.payload)));
        let packs: Vec<Result<Pack, Unreadable>> = packs.collect().await;
        Ok(packs.into_iter().collect::<Result<_, _>>().ok())
    }

    /// Creates the streams and consumers that do not exist.
    pub(super) async fn create(&self, epoch: u64) -> Result<(), BrokerError> {
        let stream = |name: String, subject: String| Config {
            name,
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            duplicate_window: DUPLICATE_WINDOW,
            ..Config::default()
        };
        let consumer = |name: &str, unacknowledged: i64, fetches: i64| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait,
            max_deliver: -1,
            max_ack_pending: unacknowledged,
            max_waiting: fetches,
            ..pull::Config::default()
        };
        let (packs, results) = (self.subjects.packs(epoch), self.subjects.results());
        self.jetstream.get_or_create_stream(stream(results.clone(), self.subjects.result("*"))).await?;
        let collector = consumer(Subjects::COLLECTOR, MAX_RESULTS, 64);
        self.jetstream.create_consumer_on_stream(collector, results).await?;
        self.jetstream.get_or_create_stream(stream(packs.clone(), self.subjects.pack_subject(epoch))).await?;
        let workers = consumer(Subjects::WORKERS, MAX_PACKS_PLAYED, MAX_FETCHES);
        self.jetstream.create_consumer_on_stream(workers, packs).await?;
        Ok(())
    }

    /// Reads the state of the streams; `None` if the broker does not answer.
    pub(super) async fn read_state(&self, epoch: u64) -> Option<StreamsState> {
        let mut numbers = [0; 2];
        for (number, name) in numbers.iter_mut().zip([self.subjects.packs(epoch), self.subjects.results()]) {
            match self.jetstream.get_stream(name).await {
                Ok(stream) => *number = stream.cached_info().state.messages,
                Err(error) => match error.kind() {
                    GetStreamErrorKind::JetStream(error) if error.code() == 404 => {
                        return Some(StreamsState::Missing);
                    }
                    _ => return None,
                },
            }
        }
        let [packs, results] = numbers;
        Some(StreamsState::Present { packs, results })
    }

    /// Deletes the stream of packs, and the stream of results if the league is over.
    pub(super) async fn end(&self, epoch: u64, is_over: bool) {
        // Errors are ignored, since the next leader cleans up first.
        let _ = self.jetstream.delete_stream(self.subjects.packs(epoch)).await;
        if is_over {
            let _ = self.jetstream.delete_stream(self.subjects.results()).await;
        }
    }
}

/// Publishes a message. The broker keeps one message for each id. Returns true if the broker confirms that it has it.
pub(super) async fn publish(jetstream: &Context, subject: String, id: &str, bytes: Vec<u8>) -> bool {
    let mut headers = HeaderMap::new();
    headers.insert(MESSAGE_ID, id);
    match jetstream.publish_with_headers(subject, headers, bytes.into()).await {
        Ok(kept) => kept.await.is_ok(),
        Err(_) => false,
    }
}

/// Returns the subject at which a consumer is asked for messages.
pub(super) fn next_subject(stream: &str, consumer: &str) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}")
}

/// Returns a request for at most `batch` messages, which stays open for `expires`.
pub(super) fn next_request(batch: usize, expires: Duration) -> Vec<u8> {
    format!(r#"{{"batch":{batch},"expires":{}}}"#, expires.as_nanos()).into_bytes()
}
