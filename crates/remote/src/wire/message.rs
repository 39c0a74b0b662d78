//! The version and the bounds of all messages.

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// The version of these messages. A worker joins only leagues of its version, and a leader refuses a worker whose
/// reports it can't read.
pub const VERSION: u32 = 2;

/// Maximum length of a message that is read, in bytes. It does not exceed the default limit of a broker.
pub const MAX_BYTES: usize = 1 << 20;

/// Maximum number of bytes of a plan or of a result in one message.
pub const PART: usize = 400 << 10;

/// Maximum number of messages of a plan or of a result.
pub const MAX_PARTS: u32 = 256;

/// Maximum number of games in a pack.
pub const MAX_GAMES: usize = 256;

/// Maximum length of a name or an id, in bytes.
pub const MAX_NAME: usize = 1_024;

/// Maximum length of a reason, in bytes.
pub const MAX_REASON: usize = 400;

/// Maximum number of remarks in the report on a game.
pub(super) const MAX_NOTES: usize = 100;

/// The reason why a message can't be read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Unreadable {
    #[error("it has {0} bytes; the maximum is {MAX_BYTES}")]
    TooLong(usize),
    /// It has another version.
    #[error("its version is {0}, and this program supports {VERSION}")]
    Version(u32),
    /// It is not such a message.
    #[error("{0}")]
    Malformed(String),
    #[error("`{0}` is out of bounds")]
    OutOfBounds(&'static str),
}

/// A message with a version and bounds.
pub trait WireMessage: Serialize + DeserializeOwned {
    fn version(&self) -> u32;

    /// Checks its values.
    ///
    /// # Errors
    /// The first value that is out of bounds.
    fn check(&self) -> Result<(), Unreadable>;

    fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a message has only text for keys")
    }

    /// Reads a message.
    ///
    /// # Errors
    /// Bytes that are not such a message, of this version and within its bounds.
    fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() > MAX_BYTES {
            return Err(Unreadable::TooLong(bytes.len()));
        }
        let message: Self =
            serde_json::from_slice(bytes).map_err(|error| Unreadable::Malformed(error.to_string()))?;
        if message.version() != VERSION {
            return Err(Unreadable::Version(message.version()));
        }
        message.check()?;
        Ok(message)
    }
}

/// Returns an error for the value named `what` unless it is within its bounds.
pub(super) fn bounded(what: &'static str, is_in_bounds: bool) -> Result<(), Unreadable> {
    if is_in_bounds { Ok(()) } else { Err(Unreadable::OutOfBounds(what)) }
}

/// True for the value of a field that a message leaves out.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Returns the digest of `bytes`: `sha256:` and hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// Cuts a text into pieces, each small enough for a message even if every symbol has to be escaped.
pub fn pieces(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut pieces = Vec::new();
    while rest.len() > PART {
        let end = (0..=PART).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(0);
        let (piece, others) = rest.split_at(end);
        pieces.push(piece);
        rest = others;
    }
    pieces.push(rest);
    pieces
}
