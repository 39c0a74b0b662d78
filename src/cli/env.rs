//! Everything that the program takes from its environment: variables, clock, its own path. No other module
//! reads them.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use super::error::Failure;
use crate::league::bots::{BotError, Identity, Surroundings, identify};
use crate::league::file::Bot;
use crate::process::Environment;
use crate::process::isolation::SlotUsers;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The program's name and version, as in records.
pub(crate) const SOFTWARE: &str = concat!("linesman ", env!("CARGO_PKG_VERSION"));

/// The variable with the range of users for bots if root runs the program: `FIRST-LAST`.
pub(crate) const BOT_USERS: &str = "LINESMAN_BOT_USERS";

/// The users for bots if root runs the program.
pub(crate) fn bot_users() -> Result<SlotUsers, String> {
    let Some(range) = variable(BOT_USERS) else { return Ok(SlotUsers::default()) };
    let range: SlotUsers =
        range.to_string_lossy().parse().map_err(|error| format!("{BOT_USERS}: {error}"))?;
    // Only root can use the range, so only then must it be usable.
    if rustix::process::geteuid().is_root() {
        SlotUsers::find(range).map_err(|missing| format!("{BOT_USERS}: {}", missing.why))?;
    }
    Ok(range)
}

/// The value of a variable of the environment.
#[expect(clippy::disallowed_methods, reason = "this is the place where the environment is read")]
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns true if the terminal can't move its cursor.
pub(crate) fn terminal_is_dumb() -> bool {
    variable("TERM").is_none_or(|term| term == "dumb")
}

/// The path of this binary; bots whose command begins with `linesman` run it.
pub(crate) fn own_binary() -> std::io::Result<PathBuf> {
    std::env::current_exe()
}

/// The path of this program's executable, or the failure of a command that needs it.
pub(crate) fn find_own_binary() -> Result<PathBuf, Failure> {
    own_binary().map_err(|error| Failure::wrong("can't find the linesman executable").cause(error))
}

/// The command line of this process, quoted for a shell.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    shell_words::join(words.collect::<Vec<_>>())
}

/// The current time, UTC.
pub(crate) fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// The time since the start of 1970, UTC.
#[cfg(feature = "nats")]
pub(crate) fn since_1970() -> Option<Duration> {
    u64::try_from(now().as_millisecond()).ok().map(Duration::from_millis)
}

/// The identity of a bot on this machine.
pub(crate) fn identify_here(bot: &Bot) -> Result<Identity, BotError> {
    identify(bot, Surroundings { path: &path(), software: SOFTWARE })
}

pub(crate) fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Measures time for display.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Stopwatch(std::time::Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "this is the place where the command line reads the clock")]
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(std::time::Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The current time as in records: UTC, RFC 3339, to the millisecond.
pub(crate) fn now_text() -> String {
    format!("{:.3}", now())
}

/// The folders in which programs are looked up.
pub(crate) fn path() -> OsString {
    variable("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

/// The environment variables of the bots.
pub(crate) fn for_bots() -> Environment {
    Environment {
        path: path(),
        home: variable("HOME").unwrap_or_else(|| "/".into()),
        temporary: variable("TMPDIR").unwrap_or_else(|| "/tmp".into()),
    }
}

/// The folder for copies of bots' files. Bots of root run as other users, who can't read root's home.
pub(crate) fn cache() -> PathBuf {
    let home = variable("HOME").filter(|_| !rustix::process::geteuid().is_root());
    let home = home.map(|home| PathBuf::from(home).join(".cache"));
    let caches = variable("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()).or(home);
    caches.unwrap_or_else(|| PathBuf::from("/var/cache")).join("linesman")
}

/// Number of physical cores that this process may keep busy.
pub(crate) fn cores() -> NonZeroU32 {
    NonZeroU32::try_from(crate::process::own_cores()).unwrap_or(NonZeroU32::MIN)
}
