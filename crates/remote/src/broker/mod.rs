//! The configuration of a broker: a file for `nats-server` 2.9 or newer, with a user for the leader and one for each
//! worker.
//!
//! - [`permissions`]: the subjects that each user may publish to and subscribe to.
//! - [`certificate`]: a certificate authority for clubs that have none. [`secrets`]: the keys of users.

pub mod certificate;
pub mod permissions;
pub mod secrets;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::PathBuf;

use permissions::Permissions;

/// Maximum size of a message in bytes, with its headers.
const MAX_PAYLOAD: u64 = 2 << 20;

/// Maximum number of connections for each user: the current one, and old ones that the broker has not closed yet.
const CONNECTIONS: usize = 3;

/// The files of a certificate.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TlsFiles {
    /// The certificate, and the intermediate certificates up to the authority.
    pub certificate: PathBuf,
    /// The key of the certificate.
    pub key: PathBuf,
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BrokerUser {
    /// The name, for people. The broker identifies the user by the key.
    pub name: String,
    pub public_key: String,
    pub permissions: Permissions,
}

/// The settings of a broker.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BrokerConfig {
    /// The address and port on which it listens.
    pub listen: String,
    /// The folder in which the broker keeps its messages.
    pub store: PathBuf,
    /// Maximum number of bytes that it keeps.
    pub disk: u64,
    /// The certificate; without one, connections are not encrypted.
    pub tls: Option<TlsFiles>,
    pub users: Vec<BrokerUser>,
}

impl BrokerConfig {
    /// Returns the text of the configuration.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).expect("text can be written to a text");
        text
    }

    fn write(&self, to: &mut String) -> std::fmt::Result {
        let connections = CONNECTIONS * self.users.len() + 8;
        writeln!(to, "# A broker for leagues of linesman, written by `linesman broker config`.\n")?;
        writeln!(to, "server_name: \"linesman\"")?;
        writeln!(to, "listen: {}", quoted(&self.listen))?;
        writeln!(to, "max_connections: {connections}")?;
        writeln!(to, "max_payload: {MAX_PAYLOAD}")?;
        writeln!(to, "max_pending: {}", 32 * MAX_PAYLOAD)?;
        writeln!(to, "max_subscriptions: 256")?;
        writeln!(to, "ping_interval: \"20s\"")?;
        writeln!(to, "write_deadline: \"20s\"\n")?;
        if let Some(TlsFiles { certificate, key }) = &self.tls {
            writeln!(to, "tls {{")?;
            writeln!(to, "  cert_file: {}", quoted(&certificate.to_string_lossy()))?;
            writeln!(to, "  key_file: {}", quoted(&key.to_string_lossy()))?;
            writeln!(to, "  timeout: 10\n}}\n")?;
        }
        self.write_storage(to)?;
        writeln!(to, "accounts {{\n  LINESMAN: {{")?;
        writeln!(
            to,
            "    jetstream: {{ max_memory: {}, max_file: {}, max_streams: 64, max_consumers: 256 }}",
            64 << 20,
            self.disk
        )?;
        writeln!(to, "    users: [")?;
        self.users.iter().try_for_each(|user| write_user(to, user))?;
        writeln!(to, "    ]\n  }}\n}}")
    }

    fn write_storage(&self, to: &mut String) -> std::fmt::Result {
        writeln!(to, "jetstream {{")?;
        writeln!(to, "  store_dir: {}", quoted(&self.store.to_string_lossy()))?;
        writeln!(to, "  max_memory_store: {}", 64 << 20)?;
        writeln!(to, "  max_file_store: {}", self.disk)?;
        writeln!(
            to,
            "  # nats-server 2.10 and newer can write each message to the disk at once. Without that, a power"
        )?;
        writeln!(to, "  # cut costs no results: the leader has games played again that it does not have.")?;
        writeln!(to, "  # sync_interval: always")?;
        writeln!(to, "  limits {{ max_ack_pending: 65536 }}\n}}\n")
    }
}

fn write_user(to: &mut String, user: &BrokerUser) -> std::fmt::Result {
    writeln!(to, "      # {}", user.name)?;
    writeln!(to, "      {{ nkey: {}", user.public_key)?;
    writeln!(to, "        permissions: {{")?;
    for (word, subjects) in
        [("publish", &user.permissions.publish), ("subscribe", &user.permissions.subscribe)]
    {
        let subjects: Vec<String> = subjects.iter().map(|subject| quoted(subject)).collect();
        writeln!(to, "          {word}: {{ allow: [{}] }}", subjects.join(", "))?;
    }
    writeln!(to, "        }} }}")
}

/// Quotes a text for the configuration of `nats-server`.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
