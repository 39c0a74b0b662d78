//! A store that is a stream of a broker: an archive is a row of messages, each under a subject of its own.
//!
//! | subject | message |
//! | --- | --- |
//! | `lmbots.DIGEST.1`, `.2`, ... | the bytes, in pieces |
//! | `lmbots.DIGEST.0` | the number of pieces, sent last |
//!
//! A worker reads them one by one and needs no right but that: a consumer, which the object store of NATS makes for
//! each object, could be told to deliver anywhere.

use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy};
use async_nats::{Client, Request, StatusCode, jetstream};

use super::{BotStore, MOST_ARCHIVE, STREAM, SUBJECTS, StoreError, publish};
use linesman_league::content::ContentDigest;
use linesman_league::content::files::BotFiles;

/// Bytes of a piece. A message may have a little more.
const PIECE: usize = 512 << 10;

/// Maximum time for a piece, on a slow line.
const PATIENCE: Duration = Duration::from_secs(60);

/// Maximum number of bytes that the stream keeps. The oldest archives go first, and are put in again by the next
/// leader that needs them.
const MOST_KEPT: i64 = 1 << 30;

/// The store of a broker.
#[derive(Clone)]
pub struct BrokerStore {
    client: Client,
}

/// Anything that a broker says to the contrary.
fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Store(error.to_string())
}

impl BrokerStore {
    /// The store of the broker at the other end.
    pub fn of(client: Client) -> BrokerStore {
        BrokerStore { client }
    }

    /// Makes the stream, unless it is there. A leader does so before it puts anything in.
    ///
    /// # Errors
    /// A broker that refuses it.
    pub async fn prepare(&self) -> Result<(), StoreError> {
        let config = Config {
            name: STREAM.to_owned(),
            subjects: vec![format!("{SUBJECTS}.>")],
            max_messages_per_subject: 1,
            max_bytes: MOST_KEPT,
            discard: DiscardPolicy::Old,
            allow_direct: true,
            ..Config::default()
        };
        jetstream::new(self.client.clone()).get_or_create_stream(config).await.map(drop).map_err(failed)
    }

    /// Puts in the files of bots, as far as they are not there. Makes the stream if need be.
    ///
    /// # Errors
    /// A broker that refuses them, or files that can't be read any more.
    pub async fn publish_all(&self, bots: &[BotFiles]) -> Result<(), StoreError> {
        self.prepare().await?;
        for files in bots {
            let files = files.clone();
            // Reading takes long, and others wait for this thread.
            let packed = tokio::task::spawn_blocking(move || files.packed()).await;
            let (_, archive) = packed.map_err(failed)?.map_err(failed)?;
            publish(self, &archive).await?;
        }
        Ok(())
    }

    /// The message of a subject; none if there is none.
    async fn message(&self, digest: ContentDigest, number: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let subject = format!("$JS.API.DIRECT.GET.{STREAM}.{SUBJECTS}.{digest}.{number}");
        let request = Request::new().timeout(Some(PATIENCE));
        let answer = self.client.send_request(subject, request).await.map_err(failed)?;
        match answer.status {
            None => Ok(Some(answer.payload.to_vec())),
            Some(StatusCode::NOT_FOUND) => Ok(None),
            Some(status) => Err(failed(answer.description.unwrap_or_else(|| status.to_string()))),
        }
    }

    async fn send(&self, digest: ContentDigest, number: usize, bytes: Vec<u8>) -> Result<(), StoreError> {
        let subject = format!("{SUBJECTS}.{digest}.{number}");
        let sent =
            jetstream::new(self.client.clone()).publish(subject, bytes.into()).await.map_err(failed)?;
        sent.await.map(drop).map_err(failed)
    }

    /// The number of pieces of an archive; none if it is not there.
    async fn pieces(&self, digest: ContentDigest) -> Result<Option<usize>, StoreError> {
        let Some(text) = self.message(digest, 0).await? else { return Ok(None) };
        let most = usize::try_from(MOST_ARCHIVE).unwrap_or(usize::MAX) / PIECE + 1;
        let number = std::str::from_utf8(&text).ok().and_then(|text| text.parse().ok());
        match number.filter(|number| (1..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                Err(StoreError::Damaged { digest, why: "its number of pieces can't be right".to_owned() })
            }
        }
    }
}

impl BotStore for BrokerStore {
    async fn put(&self, digest: ContentDigest, bytes: Vec<u8>) -> Result<(), StoreError> {
        // The first piece is the one that goes first when the stream is full.
        if self.pieces(digest).await.is_ok_and(|pieces| pieces.is_some())
            && self.message(digest, 1).await?.is_some()
        {
            return Ok(());
        }
        let mut number = 0;
        for piece in bytes.chunks(PIECE) {
            number += 1;
            self.send(digest, number, piece.to_vec()).await?;
        }
        self.send(digest, 0, number.to_string().into_bytes()).await
    }

    async fn get(&self, digest: ContentDigest) -> Result<Vec<u8>, StoreError> {
        let pieces = self.pieces(digest).await?.ok_or(StoreError::Missing(digest))?;
        let mut bytes = Vec::new();
        for number in 1..=pieces {
            bytes.extend(self.message(digest, number).await?.ok_or(StoreError::Missing(digest))?);
        }
        Ok(bytes)
    }
}
