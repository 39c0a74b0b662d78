//! Mistakes in a file and their spans, as data.

use std::fmt;
use std::ops::Range;

/// A file whose text can be shown with a mistake.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Source {
    /// The name of the file as the user typed it.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

impl Source {
    /// Returns the line and the column (in characters) of a byte of the text, both from 1.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// Returns the bytes of the character at a line and a column, both from 1. The range is empty beyond the end of the
    /// line.
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

/// A part of a source's text, with a label.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Annotation {
    /// The index of the source in [`Diagnostics::sources`].
    pub source: usize,
    /// The bytes.
    pub span: Range<usize>,
    /// The label: what is there or should be there; can be empty.
    pub label: String,
}

/// The value that differs from that of another file.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Difference {
    /// The path of its key, such as `limits` and `memory`.
    pub key: Vec<String>,
    /// The value now and before; `None` if there is more to say than the two values.
    pub values: Option<[String; 2]>,
}

/// One mistake.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Diagnostic {
    /// The mistake: a lower-case fragment.
    pub message: String,
    /// The place of the mistake first, then others that explain it. Empty if what is missing has no place of its own.
    pub annotations: Vec<Annotation>,
    /// The cure.
    pub hint: Option<String>,
    /// The difference from the other file, if the mistake is a change.
    pub difference: Option<Box<Difference>>,
}

impl Diagnostic {
    /// Makes a mistake without a place.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), annotations: Vec::new(), hint: None, difference: None }
    }

    /// Adds a place in the first source, unless `span` is `None`.
    #[must_use]
    pub fn at(self, span: impl Into<Option<Range<usize>>>, label: impl Into<String>) -> Diagnostic {
        self.at_source(0, span, label)
    }

    /// Adds a place in the source with this index, unless `span` is `None`.
    #[must_use]
    pub fn at_source(
        mut self,
        source: usize,
        span: impl Into<Option<Range<usize>>>,
        label: impl Into<String>,
    ) -> Diagnostic {
        let annotation = |span| Annotation { source, span, label: label.into() };
        self.annotations.extend(span.into().map(annotation));
        self
    }

    /// Adds the difference: the path of a key, and its values now and before.
    #[must_use]
    pub fn differs(mut self, key: &[&str], values: Option<[String; 2]>) -> Diagnostic {
        let key = key.iter().map(ToString::to_string).collect();
        self.difference = Some(Box::new(Difference { key, values }));
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the hint, unless `hint` is `None`.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Diagnostic {
        self.hint = hint.or(self.hint);
        self
    }
}

/// All mistakes of a file, with the texts that they point into.
///
/// `Display` prints one line for each mistake, for logs: `league.toml:3:5: there is no game `quicko``.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Diagnostics {
    /// The file first, then others that mistakes refer to.
    pub sources: Vec<Source>,
    /// The mistakes, sorted by place; at least one.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Sorts the mistakes of one file by place.
    pub fn new(source: Source, list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics::of_several(vec![source], list)
    }

    /// Sorts the mistakes of a file, some of which refer to other files, by place.
    pub fn of_several(sources: Vec<Source>, mut list: Vec<Diagnostic>) -> Diagnostics {
        list.sort_by_key(|mistake| match mistake.annotations.first() {
            Some(annotation) => (annotation.source, annotation.span.start),
            None => (usize::MAX, 0),
        });
        Diagnostics { sources, list }
    }

    /// Returns the values of all results.
    ///
    /// # Errors
    /// All mistakes, if there is at least one.
    pub fn all_or<T>(
        source: &Source,
        results: impl Iterator<Item = Result<T, Diagnostic>>,
    ) -> Result<Vec<T>, Box<Diagnostics>> {
        let mut mistakes = Vec::new();
        let values =
            results.filter_map(|result| result.map_err(|mistake| mistakes.push(mistake)).ok()).collect();
        if mistakes.is_empty() {
            Ok(values)
        } else {
            Err(Box::new(Diagnostics::new(source.clone(), mistakes)))
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            match mistake.annotations.first() {
                Some(annotation) => {
                    let source = &self.sources[annotation.source];
                    let (line, column) = source.position(annotation.span.start);
                    write!(f, "{}:{line}:{column}: {}", source.name, mistake.message)?;
                }
                None => write!(f, "{}: {}", self.sources[0].name, mistake.message)?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
