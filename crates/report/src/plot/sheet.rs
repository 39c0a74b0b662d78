//! A sheet on which a plot is drawn: SVG without scripts, fonts or addresses.

use super::{Canvas, Room, STYLE};
use crate::markup::{Html, html};
use crate::truncate;
use linesman_record::text::printable;

/// Maximum length of a name in a plot's texts, in bytes.
const MAX_NAME: usize = 200;

/// An SVG element under construction.
pub(super) struct Sheet {
    markup: Html,
}

/// The anchor of a text.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Sheet {
    /// Creates a sheet with its title as the heading. `description` describes what is visible.
    pub(super) fn new(
        canvas: &Canvas<'_>,
        (width, height): (f64, f64),
        title: &str,
        description: &str,
    ) -> Sheet {
        let mut sheet = Sheet { markup: Html::default() };
        let (class, suffix) = match canvas.room() {
            Room::Wide => ("plot wide-plot", ""),
            Room::Narrow => ("plot narrow-plot", "-narrow"),
        };
        let (width, height) = (place(width), place(height));
        let (id, size) = match canvas {
            // The default size of a file.
            Canvas::File => ("plot", html!(r#" width="{}" height="{}""#, width, height)),
            Canvas::Page { id, .. } => (*id, Html::default()),
        };
        let id = format!("{id}{suffix}");
        sheet.line(html!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="{}" viewBox="0 0 {} {}"{} role="img" aria-labelledby="{}-title {}-about">"#,
            class,
            width,
            height,
            size,
            id,
            id
        ));
        sheet.line(html!(r#"<title id="{}-title">{}</title>"#, id, title));
        sheet.line(html!(r#"<desc id="{}-about">{}</desc>"#, id, description));
        if matches!(canvas, Canvas::File) {
            sheet.line(html!("<style>{}</style>", Html::literal(STYLE)));
        }
        sheet.line(html!(r#"<rect class="ground" width="{}" height="{}"/>"#, width, height));
        sheet.text("heading", (12.0, 22.0), Anchor::Start, title);
        sheet
    }

    /// Adds a line of markup.
    pub(super) fn line(&mut self, line: Html) {
        self.markup.line(line);
    }

    /// Adds a straight line.
    pub(super) fn stroke(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.line(html!(
            r#"<path class="{}" d="M{} {}L{} {}"/>"#,
            class,
            place(from.0),
            place(from.1),
            place(to.0),
            place(to.1)
        ));
    }

    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.line(html!(
            r#"<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>"#,
            class,
            place(at.0),
            place(at.1),
            anchor,
            text
        ));
    }

    /// Adds a text that is read upwards.
    pub(super) fn upright_text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        self.line(html!(
            r#"<text class="{}" transform="translate({} {}) rotate(-90)" text-anchor="middle">{}</text>"#,
            class,
            place(x),
            place(y),
            text
        ));
    }

    /// Returns the whole element.
    pub(super) fn finish(mut self) -> Html {
        self.line(html!("</svg>"));
        self.markup
    }
}

/// Formats a coordinate for SVG, to a tenth.
pub(super) fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Makes a foreign name printable.
pub(super) fn name(name: &str) -> String {
    printable(name, MAX_NAME)
}

/// Returns the approximate width of a text with letters of this height. Wide letters and all characters beyond ASCII
/// count in full.
pub(super) fn width(text: &str, height: f64) -> f64 {
    text.chars().map(|symbol| height * letter(symbol)).sum()
}

fn letter(symbol: char) -> f64 {
    match symbol {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '|' | ':' | '\'' => 0.36,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' => 0.74,
        ' '..='~' => 0.6,
        _ => 1.05,
    }
}

/// Cuts a text to a width of at most `max_width`.
pub(super) fn cut(text: &str, height: f64, max_width: f64) -> String {
    if width(text, height) <= max_width {
        return text.to_owned();
    }
    let room = max_width - width("…", height);
    let mut used = 0.0;
    let mut kept: String = text
        .chars()
        .take_while(|symbol| {
            used += height * letter(*symbol);
            used <= room
        })
        .collect();
    kept.push('…');
    kept
}

/// Cuts names to a width of at most `max_width` each. They lose their middle, so that versions of a bot can be
/// distinguished.
pub(super) fn cut_names(names: &[String], height: f64, max_width: f64) -> Vec<String> {
    let fits = |names: &[String]| names.iter().all(|name| width(name, height) <= max_width);
    if fits(names) {
        return names.to_owned();
    }
    // In a binary search; at first, `too_long` is a number of letters of which even the narrowest do not fit.
    let (mut fitting, mut too_long) = (1, (max_width / (height * letter('.'))) as usize + 1);
    while fitting + 1 < too_long {
        let middle = fitting.midpoint(too_long);
        if fits(&truncate::names(names, middle)) {
            fitting = middle;
        } else {
            too_long = middle;
        }
    }
    truncate::names(names, fitting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        assert_eq!([0.0, -0.01, 12.25, 12.0, -3.16].map(place), ["0", "0", "12.2", "12", "-3.2"]);
    }

    #[test]
    fn long_names_are_cut_to_the_width() {
        assert_eq!(cut("alphabeta", 12.0, 100.0), "alphabeta");
        let cut = cut(&"w".repeat(300), 12.0, 100.0);
        assert!(cut.ends_with("w…") && width(&cut, 12.0) <= 100.0, "{cut}");
        assert_eq!(super::cut("囲碁囲碁", 10.0, 32.0), "囲碁…");
        let versions = [1, 2].map(|version| format!("my-very-long-experimental-bot-v2.{version}"));
        let names = cut_names(&versions, 12.0, 150.0);
        assert!(names.iter().all(|name| width(name, 12.0) <= 150.0), "{names:?}");
        assert!(names[0].ends_with(".1") && names[1].ends_with(".2"), "{names:?}");
        assert_eq!(cut_names(&versions, 12.0, 1_000.0), versions);
    }
}
