//! The names of a league's subjects, streams and consumers.

use super::message::digest;

/// True if a text can be a part of a subject, as the name of a worker must be.
pub fn is_token(text: &str) -> bool {
    let is_allowed = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '-' | '_');
    !text.is_empty() && text.len() <= 100 && text.chars().all(is_allowed)
}

/// Makes a part of a subject from a text: at most 60 symbols, with `-` for each symbol that is not allowed.
pub fn token(text: &str) -> String {
    let symbol = |symbol: char| if symbol.is_ascii_alphanumeric() || symbol == '_' { symbol } else { '-' };
    let token: String = text.chars().take(60).map(symbol).collect();
    if token.is_empty() { "-".to_owned() } else { token }
}

/// Returns the owner of a worker, the part of its name before the first `_`: `anna` for `anna_laptop` and `anna`.
pub fn owner(worker: &str) -> &str {
    worker.split('_').next().unwrap_or(worker)
}

/// The subjects, streams and consumers of a league.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Subjects {
    league: String,
}

impl Subjects {
    /// The consumer of a stream of packs.
    pub const WORKERS: &'static str = "workers";
    /// The consumer of a stream of results.
    pub const COLLECTOR: &'static str = "collector";
    pub const ALL_ANNOUNCEMENTS: &'static str = "lm.*.announce";

    /// Creates the names of the league with this token.
    pub fn of(league: &str) -> Subjects {
        Subjects { league: league.to_owned() }
    }

    /// Returns the token of a league with this name and master seed.
    pub fn league(name: &str, seed: u64) -> String {
        let digest = digest(format!("{seed}:{name}").as_bytes());
        format!("{}-{}", token(name), &digest[7..15])
    }

    /// Returns the subject of the league's announcements.
    pub fn announce(&self) -> String {
        format!("lm.{}.announce", self.league)
    }

    /// Returns the subject of the packs of this epoch. On the wire, a pack is called a job.
    pub fn pack_subject(&self, epoch: u64) -> String {
        format!("lm.{}.job.{epoch}", self.league)
    }

    /// Returns the subject of a worker's results; `*` for all workers.
    pub fn result(&self, worker: &str) -> String {
        format!("lm.{}.result.{worker}", self.league)
    }

    /// Returns the subject of a worker's status messages; `*` for all workers.
    pub fn status(&self, worker: &str) -> String {
        format!("lm.{}.word.{worker}", self.league)
    }

    /// Returns the subject of a worker's requests for the plan; `*` for all workers.
    pub fn ask(&self, worker: &str) -> String {
        format!("lm.{}.ask.{worker}", self.league)
    }

    /// Returns the prefix of the names of the league's streams of packs.
    pub fn packs_prefix(&self) -> String {
        format!("LM_JOBS_{}_", self.league)
    }

    /// Returns the name of the stream of packs of this epoch.
    pub fn packs(&self, epoch: u64) -> String {
        format!("{}{epoch}", self.packs_prefix())
    }

    /// Returns the name of the stream of results.
    pub fn results(&self) -> String {
        format!("LM_RESULTS_{}", self.league)
    }

    /// Returns the prefix of the subjects at which a user with this name gets answers.
    pub fn inbox(user: &str) -> String {
        format!("_INBOX.{user}")
    }
}
