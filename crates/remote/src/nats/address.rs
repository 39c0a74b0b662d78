//! The address of a broker, and the credentials of its user.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;

use super::reconnect::reconnect_delay;
use crate::wire::Subjects;

/// The address of a broker. `Display` and `Debug` leave out the user and the password.
#[derive(Clone)]
pub struct BrokerAddress {
    server: ServerAddr,
    user: Option<(String, String)>,
    credentials: Option<PathBuf>,
    nkey: Option<PathBuf>,
    ca_certificate: Option<PathBuf>,
}

/// The reason why an address can't be used.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The text is not an address of a broker.
    #[error("`{shown}` is not the address of a broker: {why}")]
    Malformed {
        /// The text without the part that can hold a password.
        shown: String,
        why: String,
    },
    /// A file can't be read.
    #[error("can't read `{}`", path.display())]
    Read {
        path: PathBuf,
        #[source]
        error: std::io::Error,
    },
    /// Nothing answers there, or it is not a broker with JetStream.
    #[error("the broker `{address}` can't be used: {why}")]
    Broker { address: String, why: String },
    /// The system of this machine refuses a resource, such as a file descriptor.
    #[error("can't start on this machine: {0}")]
    Local(std::io::Error),
}

impl BrokerAddress {
    /// Reads `nats://[USER:PASSWORD@]HOST[:PORT]`, or the same with `tls://`.
    ///
    /// # Errors
    /// A text that is not such an address.
    pub fn parse(text: &str) -> Result<BrokerAddress, AddressError> {
        // The part before an `@` can hold a password.
        let shown = text.rsplit_once('@').map_or(text, |(_, server)| server).to_owned();
        let malformed = |why: String| AddressError::Malformed { shown: shown.clone(), why };
        let mut server: ServerAddr =
            text.parse().map_err(|_| malformed("expected nats://HOST:PORT or tls://HOST:PORT".to_owned()))?;
        let mut url = server.clone().into_inner();
        if !matches!(url.scheme(), "nats" | "tls") {
            return Err(malformed("it has to begin with `nats://` or `tls://`".to_owned()));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(malformed("it names no host".to_owned()));
        }
        let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        let user = (!url.username().is_empty())
            .then(|| (decoded(url.username()), decoded(url.password().unwrap_or_default())));
        let cleared = url.set_username("").and_then(|()| url.set_password(None));
        cleared.map_err(|()| malformed("it can't have a user".to_owned()))?;
        server = ServerAddr::from_url(url).map_err(|error| malformed(error.to_string()))?;
        Ok(BrokerAddress { server, user, credentials: None, nkey: None, ca_certificate: None })
    }

    /// Adds the files of credentials, of the seed of an nkey, and of the CA certificate that verifies the broker.
    #[must_use]
    pub fn with_files(
        self,
        credentials: Option<&Path>,
        nkey: Option<&Path>,
        ca_certificate: Option<&Path>,
    ) -> BrokerAddress {
        let owned = |path: Option<&Path>| path.map(Path::to_owned);
        BrokerAddress {
            credentials: owned(credentials),
            nkey: owned(nkey),
            ca_certificate: owned(ca_certificate),
            ..self
        }
    }

    pub(super) fn server(&self) -> ServerAddr {
        self.server.clone()
    }

    /// Returns the options of a connection. The name becomes part of the subjects at which answers arrive.
    pub(super) fn options(&self, name: &str) -> Result<ConnectOptions, AddressError> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| AddressError::Read { path: path.to_owned(), error })
        };
        let mut options = ConnectOptions::new();
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), password.clone());
        }
        if let Some(path) = &self.credentials {
            let text = read(path)?;
            options = options
                .credentials(&text)
                .map_err(|error| AddressError::Read { path: path.clone(), error })?;
        }
        if let Some(path) = &self.nkey {
            options = options.nkey(read(path)?.trim().to_owned());
        }
        if let Some(path) = &self.ca_certificate {
            read(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        Ok(options
            .name(format!("linesman {name}"))
            .custom_inbox_prefix(Subjects::inbox(name))
            .ping_interval(Duration::from_secs(10))
            .connection_timeout(Duration::from_secs(5))
            .reconnect_delay_callback(reconnect_delay))
    }
}

impl fmt::Display for BrokerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.server.clone().into_inner();
        // `ServerAddr::host` leaves out the brackets of an IPv6 address.
        write!(f, "{}://{}:{}", url.scheme(), url.host_str().unwrap_or_default(), self.server.port())
    }
}

impl fmt::Debug for BrokerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_used_and_never_shown() {
        let address = BrokerAddress::parse("nats://ada:p%40ss@host:4333").expect("it is an address");
        assert_eq!(address.user, Some(("ada".to_owned(), "p@ss".to_owned())));
        assert_eq!(format!("{address} {address:?}"), "nats://host:4333 nats://host:4333");
        let error = BrokerAddress::parse("http://ada:secret@host").expect_err("no such scheme");
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(BrokerAddress::parse("host").expect("it is one").to_string(), "nats://host:4222");
    }

    #[test]
    fn a_displayed_address_can_be_parsed() {
        for shown in ["tls://[::1]:4222", "nats://127.0.0.1:4333", "nats://host.example:4222"] {
            assert_eq!(BrokerAddress::parse(shown).expect("it is an address").to_string(), shown);
        }
    }
}
