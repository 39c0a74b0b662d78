//! Places in files of records.

use std::fmt;
use std::sync::Arc;

/// A line of a file of records.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct LinePlace {
    /// The name under which the file was given.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u64,
}

impl fmt::Display for LinePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
