//! The layer `bubblewrap`: namespaces around the launcher, made by `bwrap`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Isolation, Missing};
use crate::process::command::Command;

/// The `bwrap` of this host.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Bubblewrap {
    /// Its program.
    pub program: PathBuf,
    /// Its version, as it says itself: `0.8.0`.
    pub version: String,
}

impl Bubblewrap {
    /// Finds it; whether it works here is for the probe to say.
    ///
    /// # Errors
    /// That there is none, and how to get it.
    pub fn find() -> Result<Bubblewrap, Missing> {
        Err(Missing {
            part: "bubblewrap",
            why: "this program can't use it yet".to_owned(),
            cure: "`--sandbox auto` does without".to_owned(),
        })
    }

    /// The words before the launcher's command, `--` the last of them.
    pub(crate) fn prefix(&self, _command: &Command, _isolation: &Isolation) -> Vec<OsString> {
        Vec::new()
    }
}
