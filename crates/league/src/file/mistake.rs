//! What is wrong with a file, and where: data for whoever shows it.

use std::fmt;
use std::ops::Range;

/// A file whose text can be shown with a mistake.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Source {
    /// The file's name as people know it: what they typed.
    pub name: String,
    /// All of its text.
    pub text: String,
}

impl Source {
    /// The line and the column (in characters) of a byte of the text, both from 1.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The bytes of the character in a line and a column, both from 1; none of
    /// it where a line ends before.
    pub fn byte(&self, line: usize, column: usize) -> Range<usize> {
        let mut lines = self.text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(line - 1).map(str::len).sum();
        let line = lines.next().unwrap_or_default().trim_end_matches(['\n', '\r']);
        match line.char_indices().nth(column - 1) {
            Some((at, symbol)) => start + at..start + at + symbol.len_utf8(),
            None => start + line.len()..start + line.len(),
        }
    }
}

/// A stretch of a source's text and what there is to say about it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Place {
    /// The index of the source in [`Mistakes::sources`].
    pub source: usize,
    /// The bytes.
    pub span: Range<usize>,
    /// What stands there or should stand there; may be empty.
    pub label: String,
}

/// One mistake.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Mistake {
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// Where: the place of the mistake itself first, then others that explain
    /// it. None if something is missing that has no place of its own.
    pub places: Vec<Place>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Mistake {
    /// A mistake without a place.
    pub fn new(message: impl Into<String>) -> Mistake {
        Mistake { message: message.into(), places: Vec::new(), hint: None }
    }

    /// The mistake with one more place, in the first source.
    #[must_use]
    pub fn at(self, span: Range<usize>, label: impl Into<String>) -> Mistake {
        self.at_source(0, span, label)
    }

    /// The mistake with one more place, in any source.
    #[must_use]
    pub fn at_source(mut self, source: usize, span: Range<usize>, label: impl Into<String>) -> Mistake {
        self.places.push(Place { source, span, label: label.into() });
        self
    }

    /// The mistake with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Mistake {
        self.hint = Some(hint.into());
        self
    }

    /// The mistake with a hint, if there is one.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Mistake {
        self.hint = hint.or(self.hint);
        self
    }
}

/// All mistakes of a file, with the texts that they point into.
///
/// Prints as a line a mistake, for logs: `league.toml:3:5: there is no game `quicko``.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Mistakes {
    /// The file first, then others that mistakes refer to.
    pub sources: Vec<Source>,
    /// The mistakes, in the order of their places; at least one.
    pub list: Vec<Mistake>,
}

impl Mistakes {
    /// The mistakes of one file, put in the order of their places.
    pub fn new(source: Source, list: Vec<Mistake>) -> Mistakes {
        Mistakes::of_several(vec![source], list)
    }

    /// The mistakes of a file that refer to others, put in the order of their places.
    pub fn of_several(sources: Vec<Source>, mut list: Vec<Mistake>) -> Mistakes {
        list.sort_by_key(|mistake| {
            mistake.places.first().map_or((usize::MAX, 0), |place| (place.source, place.span.start))
        });
        Mistakes { sources, list }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            match mistake.places.first() {
                Some(place) => {
                    let source = &self.sources[place.source];
                    let (line, column) = source.position(place.span.start);
                    write!(f, "{}:{line}:{column}: {}", source.name, mistake.message)?;
                }
                None => write!(f, "{}: {}", self.sources[0].name, mistake.message)?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// The candidate that somebody probably meant, as `did you mean ...?`.
pub(crate) fn did_you_mean<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(given, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// The candidate that is most like what was given, if any is like it at all.
pub fn nearest<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let folded = given.to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let edits = strsim::damerau_levenshtein(&folded, &candidate);
        let allowed = folded.chars().count().max(candidate.chars().count()).div_ceil(3);
        (edits <= allowed).then_some(edits)
    };
    let scored = candidates.into_iter().filter_map(|candidate| Some((likeness(candidate)?, candidate)));
    scored.min_by_key(|(edits, _)| *edits).map(|(_, candidate)| candidate)
}
