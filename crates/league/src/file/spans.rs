//! The places of values in a tournament file.

use std::collections::BTreeMap;
use std::ops::Range;

/// The place of each value in a file, in bytes.
///
/// A value is identified by its keys: `movetime`, `limits.start`, `bots.greedy.command`; a bot as a whole is
/// `bots.greedy`.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Spans(BTreeMap<String, Range<usize>>);

impl Spans {
    /// The bytes of a value, or of the nearest enclosing value in the file.
    pub fn find(&self, name: &str) -> Option<Range<usize>> {
        let mut name = name;
        loop {
            if let Some(span) = self.0.get(name) {
                return Some(span.clone());
            }
            (name, _) = name.rsplit_once('.')?;
        }
    }

    /// True if the value itself is in the file.
    pub(super) fn stands(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The same spans with the names of bots replaced by `new`.
    pub(crate) fn renamed(&self, new: impl Fn(&str) -> String) -> Spans {
        let name = |path: &String| match path.strip_prefix("bots.") {
            // Names of bots may contain dots. Below a bot there is one key, or one of its limits.
            Some(of_bot) => {
                let keys_from = of_bot.find(".limits.").or_else(|| of_bot.rfind('.'));
                let whole = new(of_bot);
                match keys_from {
                    _ if whole != *of_bot => format!("bots.{whole}"),
                    Some(at) => format!("bots.{}{}", new(&of_bot[..at]), &of_bot[at..]),
                    None => path.clone(),
                }
            }
            None => path.clone(),
        };
        Spans(self.0.iter().map(|(path, span)| (name(path), span.clone())).collect())
    }

    pub(super) fn insert(&mut self, name: String, span: Range<usize>) {
        self.0.insert(name, span);
    }
}
