//! The resources and files that one bot may use.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::os_text;

/// The resources and files that one bot may use. Limits apply to all its processes together unless stated otherwise.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Maximum memory in bytes.
    pub memory: u64,
    /// Maximum number of processes and threads.
    pub processes: u64,
    /// Maximum number of open files of one process.
    pub open_files: u64,
    /// Maximum size in bytes of a file that it writes.
    pub file_size: u64,
    /// Maximum size in bytes of its own folder, the only one that it may write in; `None` = it may write nowhere.
    pub scratch: Option<u64>,
    /// Maximum CPU time of one process in seconds; `None` = unlimited.
    pub cpu_seconds: Option<u64>,
    /// The files and folders that it may read and execute.
    #[serde(with = "os_text::each")]
    pub read: Vec<PathBuf>,
    /// The folders that it may list, even if it may read little in them.
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
