//! Leagues played by workers through a broker.

pub(crate) mod local;
pub(crate) mod with_parent;
pub(crate) mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::error::{Exit, Failure};
use crate::league::content::files::TravellingBot;
use crate::remote::nats::{AddressError, BrokerAddress, NatsLeader};

/// Maximum number of games that are shown at once if workers play.
pub(crate) const SHOWN: usize = 64;

/// Time without an acknowledgement after which a pack goes to another worker.
const ACK_WAIT: Duration = Duration::from_secs(30);

/// The variable that sets another `ACK_WAIT` in milliseconds, for tests.
const ACK_WAIT_MS: &str = "LINESMAN_ACK_WAIT_MS";

/// The variable that sets the playing time of a pack in milliseconds, for tests.
const PACK_MS: &str = "LINESMAN_PACK_MS";

/// Reads a time in milliseconds from a variable.
fn time_of(variable: &str) -> Option<Duration> {
    let given = super::env::variable(variable)?;
    given.to_str()?.parse().ok().map(Duration::from_millis)
}

/// What a user needs to get in at a broker.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct BrokerArgs {
    /// File with the credentials of a user of the broker
    #[arg(long, value_name = "FILE", help_heading = "Broker")]
    creds: Option<PathBuf>,
    /// File with the seed of the nkey of a user of the broker
    #[arg(long, value_name = "FILE", help_heading = "Broker", conflicts_with = "creds")]
    nkey: Option<PathBuf>,
    /// Certificate of the authority that signed the broker's certificate; the connection is encrypted
    #[arg(long, value_name = "FILE", help_heading = "Broker")]
    tls_ca: Option<PathBuf>,
}

impl BrokerArgs {
    /// The broker at this address, with these credentials.
    pub(crate) fn address(&self, text: &str) -> Result<BrokerAddress, Failure> {
        let address = BrokerAddress::parse(text).map_err(|error| failure(&error))?;
        Ok(address.with_files(self.creds.as_deref(), self.nkey.as_deref(), self.tls_ca.as_deref()))
    }
}

pub(crate) fn leader(
    address: BrokerAddress,
    bots: Option<Arc<[TravellingBot]>>,
) -> Result<NatsLeader, Failure> {
    let leader =
        NatsLeader::new(address, super::env::since_1970, time_of(ACK_WAIT_MS).unwrap_or(ACK_WAIT), SHOWN);
    let mut leader = leader.map_err(|error| failure(&error))?;
    leader.bots = bots.unwrap_or_default();
    leader.pack_time = time_of(PACK_MS);
    Ok(leader)
}

/// The failure for a wrong address, an unreachable broker, or a machine that refuses a resource.
pub(crate) fn failure(error: &AddressError) -> Failure {
    match error {
        AddressError::Malformed { .. } | AddressError::Local(_) => Failure::wrong(error),
        AddressError::Read { path, error } => Failure::file(Exit::Wrong, "read", path, error),
        AddressError::Broker { .. } => Failure::wrong(error)
            .hint("start a broker with `nats-server -js`, or let `--workers N` start one on this machine"),
    }
}
