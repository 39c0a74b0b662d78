//! The places of values in a tournament file.

use std::collections::BTreeMap;
use std::ops::Range;

/// The place of each value in a file, in bytes.
///
/// A value is identified by its keys from the outside to the inside, with the name of a bot or a team as one of them:
/// `["movetime"]`, `["limits", "start"]`, `["bots", "greedy", "command"]`. A bot as a whole is `["bots", "greedy"]`.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Spans(BTreeMap<Vec<String>, Range<usize>>);

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

impl Spans {
    /// The bytes of a value, or of the nearest enclosing value in the file.
    pub fn find(&self, keys: &[&str]) -> Option<Range<usize>> {
        let mut keys = owned(keys);
        while !keys.is_empty() {
            if let Some(span) = self.0.get(&keys) {
                return Some(span.clone());
            }
            keys.pop();
        }
        None
    }

    /// True if the value itself is in the file.
    pub(super) fn stands(&self, keys: &[&str]) -> bool {
        self.0.contains_key(&owned(keys))
    }

    /// The same spans with the names of bots replaced by `new`.
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
