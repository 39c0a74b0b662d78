//! Diagnostics of a file, rendered as a compiler would: the line with the text underlined, a label and a hint.

#[cfg(test)]
mod tests;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::league::file::{Diagnostic, Diagnostics};

/// The colours of rendered text.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Colours {
    /// ANSI colours.
    On,
    /// Plain text.
    Off,
}

/// Renders all diagnostics with an empty line between them, without a newline at the end.
pub fn render(diagnostics: &Diagnostics, colours: Colours) -> String {
    let renderer = match colours {
        Colours::On => Renderer::styled(),
        Colours::Off => Renderer::plain(),
    };
    let shown = |diagnostic| renderer.render(&[group(diagnostics, diagnostic)]);
    diagnostics.list.iter().map(shown).collect::<Vec<_>>().join("\n\n")
}

fn group<'d>(diagnostics: &'d Diagnostics, diagnostic: &'d Diagnostic) -> Group<'d> {
    let mut group = Group::with_title(Level::ERROR.primary_title(&diagnostic.message));
    if diagnostic.annotations.is_empty() {
        group = group.element(Origin::path(&diagnostics.sources[0].name));
    }
    let primary = diagnostic.annotations.first().map(|place| place.source);
    let mut order: Vec<usize> = (0..diagnostics.sources.len()).collect();
    order.sort_by_key(|source| Some(*source) != primary);
    for index in order {
        let source = &diagnostics.sources[index];
        let places = diagnostic.annotations.iter().enumerate().filter(|(_, place)| place.source == index);
        let mut annotations = places
            .map(|(number, place)| {
                let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let span = printable(&source.text, place.span.clone());
                let label = Some(place.label.as_str()).filter(|label| !label.is_empty());
                kind.span(span).label(label)
            })
            .peekable();
        if annotations.peek().is_some() {
            let snippet = Snippet::source(&source.text).path(&source.name).annotations(annotations);
            group = group.element(snippet);
        }
    }
    match &diagnostic.hint {
        Some(hint) => group.element(Level::HELP.with_name("hint").message(hint)),
        None => group,
    }
}

/// Returns the part of a span that is within the text and on the span's first line, which is enough to recognise it.
fn printable(text: &str, span: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(span.start);
    let end = text.ceil_char_boundary(span.end.max(start));
    let first_line = text[start..end].find('\n').map_or(end, |newline| start + newline);
    start..first_line.max(start)
}
