//! What one bot may use and read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::os_text;

/// What one bot may use, see and read, all its processes together where
/// nothing else is said.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Open files of one process.
    pub open_files: u64,
    /// The bytes of one file that it writes.
    pub file_size: u64,
    /// Bytes in a folder of its own, where it may write; none = it may write nowhere.
    pub scratch: Option<u64>,
    /// Seconds of CPU time of one process; none = as much as it likes.
    pub cpu_seconds: Option<u64>,
    /// The files and folders that it may read and execute.
    #[serde(with = "os_text::each")]
    pub read: Vec<PathBuf>,
    /// The folders that it may list, whatever of what is in them it may read.
    #[serde(with = "os_text::each")]
    pub list: Vec<PathBuf>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            memory: 1 << 30,
            processes: 128,
            open_files: 256,
            file_size: 16 << 20,
            scratch: None,
            cpu_seconds: None,
            read: Vec::new(),
            list: Vec::new(),
        }
    }
}
