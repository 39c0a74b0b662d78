//! The spans of the values of a tournament file.

use std::collections::BTreeMap;
use std::ops::Range;

/// The span of each value in a file, in bytes.
///
/// The path of a value is its keys from the outermost to the innermost, with the name of a bot or a team as one of
/// them: `["movetime"]`, `["limits", "start"]`, `["bots", "greedy", "command"]`. The path of a whole bot is
/// `["bots", "greedy"]`.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Spans(BTreeMap<Vec<String>, Range<usize>>);

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

impl Spans {
    /// Returns the span of a value, or of the nearest enclosing value in the file.
    pub fn find(&self, keys: &[&str]) -> Option<Range<usize>> {
        let keys = owned(keys);
        (1..=keys.len()).rev().find_map(|length| self.0.get(&keys[..length])).cloned()
    }

    /// True if the file has the value itself.
    pub(super) fn contains(&self, keys: &[&str]) -> bool {
        self.0.contains_key(&owned(keys))
    }

    /// Returns the same spans with the names of bots replaced by `new`.
    pub(crate) fn renamed(&self, new: impl Fn(&str) -> String) -> Spans {
        let renamed = self.0.iter().map(|(keys, span)| {
            let mut keys = keys.clone();
            if let [table, name, ..] = &mut keys[..]
                && table == "bots"
            {
                *name = new(name);
            }
            (keys, span.clone())
        });
        Spans(renamed.collect())
    }

    pub(super) fn insert(&mut self, keys: &[&str], span: Range<usize>) {
        self.0.insert(owned(keys), span);
    }
}
