//! The spawner's and the listener's threads. The spawner starts and ends all bots. It lives as long as the
//! program, because a supervisor's parent death signal is tied to the thread that started it. It blocks while
//! it starts a process, so the listener reads the stderr of bots and the reports of supervisors: no bot must
//! wait for room in its stderr because others start. Threads that play games do neither, so they may block.

use std::io;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle};

use super::cores::unpin_this_thread;
use super::report::{StartError, StartStep};

/// Returns the runtime of the spawner's thread, unless the system refuses a thread or a resource of the runtime.
pub(crate) fn spawner() -> Result<&'static Handle, StartError> {
    static SPAWNER: OnceLock<Result<Handle, String>> = OnceLock::new();
    start_once(&SPAWNER, "spawner")
}

/// Returns the runtime of the listener's thread, unless the system refuses the same.
pub(crate) fn listener() -> Result<&'static Handle, StartError> {
    static LISTENER: OnceLock<Result<Handle, String>> = OnceLock::new();
    start_once(&LISTENER, "listener")
}

fn start_once(
    place: &'static OnceLock<Result<Handle, String>>,
    name: &str,
) -> Result<&'static Handle, StartError> {
    let handle = place.get_or_init(|| start_thread(name).map_err(|error| error.to_string()));
    handle.as_ref().map_err(|error| StartError::Host { step: StartStep::Launch, error: error.clone() })
}

fn start_thread(name: &str) -> io::Result<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        // The first caller may be bound to a CPU; the program as a whole is not.
        unpin_this_thread();
        runtime.block_on(std::future::pending::<()>());
    })?;
    Ok(handle)
}
