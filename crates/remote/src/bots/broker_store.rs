//! A store in a stream of a broker: an archive is a sequence of messages, each under its own subject.
//!
//! | subject | message |
//! | --- | --- |
//! | `lmbots.DIGEST.1`, `.2`, ... | the bytes, in pieces |
//! | `lmbots.DIGEST.0` | the number of pieces, sent last |
//!
//! A worker reads the messages one by one, and needs no other right. The object store of NATS would need a consumer
//! for each object, and with the right to create consumers, a worker could have messages delivered to any subject.

use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy};
use async_nats::{Client, Request, StatusCode, jetstream};

use super::{MAX_ARCHIVE, STREAM, SUBJECTS, StoreError, compressed, keep};
use linesman_league::content::ContentDigest;
use linesman_league::content::cache::ContentCache;
use linesman_league::content::files::TravellingBot;

/// Size of a piece in bytes. The limit for a message is a little higher.
const PIECE: usize = 512 << 10;

/// Timeout for getting a piece. It is long, for slow connections.
const PIECE_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum size of the stream in bytes. It drops the oldest archives first; the next leader that needs them stores them
/// again.
const MAX_KEPT_BYTES: i64 = 1 << 30;

#[derive(Clone)]
pub struct BrokerStore {
    client: Client,
}

fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Store(error.to_string())
}

impl BrokerStore {
    /// Returns the store of the broker to which `client` is connected.
    pub fn of(client: Client) -> BrokerStore {
        BrokerStore { client }
    }

    /// Creates the stream unless it exists. A leader calls this before it stores anything.
    ///
    /// # Errors
    /// A broker that refuses it.
    pub async fn prepare(&self) -> Result<(), StoreError> {
        let config = Config {
            name: STREAM.to_owned(),
            subjects: vec![format!("{SUBJECTS}.>")],
            max_messages_per_subject: 1,
            max_bytes: MAX_KEPT_BYTES,
            discard: DiscardPolicy::Old,
            allow_direct: true,
            ..Config::default()
        };
        jetstream::new(self.client.clone()).get_or_create_stream(config).await.map(drop).map_err(failed)
    }

    /// Stores the files of bots that the store lacks. Creates the stream if needed.
    ///
    /// # Errors
    /// A broker that refuses the stream or the files, or files that can no longer be read or have changed.
    pub async fn publish_all(&self, bots: &[TravellingBot]) -> Result<(), StoreError> {
        self.prepare().await?;
        for bot in bots {
            let files = bot.files.clone();
            // Reading may take long, and other tasks need this thread.
            let packed = tokio::task::spawn_blocking(move || files.packed()).await;
            let (content, archive) = packed.map_err(failed)?.map_err(failed)?;
            // Workers ask for the files that the bot had at the start.
            if content != bot.content {
                return Err(StoreError::Changed(bot.name.clone()));
            }
            self.publish(&archive).await?;
        }
        Ok(())
    }

    /// Compresses an archive and stores it, unless the store has it.
    pub(crate) async fn publish(&self, archive: &[u8]) -> Result<ContentDigest, StoreError> {
        let digest = ContentDigest::of(archive);
        self.put(digest, compressed(archive).map_err(failed)?).await?;
        Ok(digest)
    }

    /// Ensures that the files with this digest are in the cache; gets them from the store if needed.
    ///
    /// # Errors
    /// A store that can't be used, data that is damaged or of another digest, or a cache that can't be written to.
    pub async fn fetch(&self, digest: ContentDigest, cache: &ContentCache) -> Result<(), StoreError> {
        if cache.content(digest).is_some() {
            return Ok(());
        }
        keep(&self.get(digest).await?, digest, cache)
    }

    /// Returns the message with this number; `None` if it does not exist.
    async fn message(&self, digest: ContentDigest, number: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let subject = format!("$JS.API.DIRECT.GET.{STREAM}.{SUBJECTS}.{digest}.{number}");
        let request = Request::new().timeout(Some(PIECE_TIMEOUT));
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

    /// Returns the number of pieces of an archive; `None` if the store does not have it.
    async fn pieces(&self, digest: ContentDigest) -> Result<Option<usize>, StoreError> {
        let Some(text) = self.message(digest, 0).await? else { return Ok(None) };
        let max_pieces = usize::try_from(MAX_ARCHIVE).unwrap_or(usize::MAX) / PIECE + 1;
        let number = std::str::from_utf8(&text).ok().and_then(|text| text.parse().ok());
        match number.filter(|number| (1..=max_pieces).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                Err(StoreError::Damaged { digest, why: "its number of pieces can't be right".to_owned() })
            }
        }
    }

    async fn put(&self, digest: ContentDigest, bytes: Vec<u8>) -> Result<(), StoreError> {
        // A full stream drops the first piece first.
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

    pub(crate) async fn get(&self, digest: ContentDigest) -> Result<Vec<u8>, StoreError> {
        let pieces = self.pieces(digest).await?.ok_or(StoreError::Missing(digest))?;
        let mut bytes = Vec::new();
        for number in 1..=pieces {
            bytes.extend(self.message(digest, number).await?.ok_or(StoreError::Missing(digest))?);
        }
        Ok(bytes)
    }
}
