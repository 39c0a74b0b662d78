//! Mistakes in a file, and their places, as data.

use std::fmt;
use std::ops::Range;

/// A file whose text can be shown with a mistake.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Source {
    /// The name of the file as the user knows it: as it was typed.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

impl Source {
    /// The line and the column (in characters) of a byte of the text, both from 1.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The bytes of the character in a line and a column, both from 1; empty beyond the end of the line.
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
    /// The label: the text that is or should be there; may be empty.
    pub label: String,
}

/// One mistake.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Diagnostic {
    /// The mistake: a lower-case fragment.
    pub message: String,
    /// The place of the mistake first, then others that explain it. Empty if something is missing that has no
    /// place of its own.
    pub annotations: Vec<Annotation>,
    /// The remedy.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A mistake without a place.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), annotations: Vec::new(), hint: None }
    }

    /// The mistake with one more place in the first source, if `span` is one.
    #[must_use]
    pub fn at(self, span: impl Into<Option<Range<usize>>>, label: impl Into<String>) -> Diagnostic {
        self.at_source(0, span, label)
    }

    /// The mistake with one more place in the source with this index, if `span` is one.
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

    /// The mistake with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The mistake with a hint, if there is one.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Diagnostic {
        self.hint = hint.or(self.hint);
        self
    }
}

/// All mistakes of a file, with the texts that they point into.
///
/// Printed as one line for each mistake, for logs: `league.toml:3:5: there is no game `quicko``.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Diagnostics {
    /// The file first, then others that mistakes refer to.
    pub sources: Vec<Source>,
    /// The mistakes, in the order of their places; at least one.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// The mistakes of one file, sorted by place.
    pub fn new(source: Source, list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics::of_several(vec![source], list)
    }

    /// The mistakes of a file that refer to other files, sorted by place.
    pub fn of_several(sources: Vec<Source>, mut list: Vec<Diagnostic>) -> Diagnostics {
        list.sort_by_key(|mistake| {
            mistake
                .annotations
                .first()
                .map_or((usize::MAX, 0), |annotation| (annotation.source, annotation.span.start))
        });
        Diagnostics { sources, list }
    }

    /// All results.
    ///
    /// # Errors
    /// All mistakes of the file.
    pub fn all_or<T>(
        source: &Source,
        results: impl Iterator<Item = Result<T, Diagnostic>>,
    ) -> Result<Vec<T>, Box<Diagnostics>> {
        let (mut all, mut mistakes) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Ok(one) => all.push(one),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() { Ok(all) } else { Err(Box::new(Diagnostics::new(source.clone(), mistakes))) }
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
