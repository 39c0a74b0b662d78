//! The replay page: one HTML file that steps through a game in a browser, opened as a file and without a
//! network.
//!
//! The page's parts are plain files in this folder: its frame `replay.html`, its style `replay.css` and its
//! modules, which a browser could load unchanged. Here they become one file. A strict policy names the
//! digests of the script and the style, so nothing else ever runs in the page.

use std::fmt::Write;

use crate::markup::{Html, digest, fill, html};
use crate::replay::Replay;

mod data;
#[cfg(test)]
mod tests;

const FRAME: &str = include_str!("replay.html");
const STYLE: &str = include_str!("replay.css");

/// The page's modules, each of which uses only those before it.
const MODULES: &[(&str, &str)] = &[
    ("words.js", include_str!("words.js")),
    ("slide.js", include_str!("slide.js")),
    ("board.js", include_str!("board.js")),
    ("panel.js", include_str!("panel.js")),
    ("replay.js", include_str!("replay.js")),
];

/// Returns the page that shows a replay.
pub fn page(replay: &Replay) -> String {
    let script = script();
    let policy = html!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        digest(script.as_str()),
        digest(STYLE)
    );
    fill(
        FRAME,
        &[
            ("policy", &policy),
            ("generator", &Html::literal(concat!("linesman ", env!("CARGO_PKG_VERSION")))),
            ("title", &html!("{}", replay.sides().join(" – "))),
            ("style", &Html::literal(STYLE)),
            ("verdict", &html!("{}", replay.verdict)),
            ("moves", &html!("{}", moves(replay))),
            ("film", &Html::json(&data::replay(replay))),
            ("script", &script),
        ],
    )
}

/// Returns all modules as one script, without their imports.
fn script() -> Html {
    let mut script = Html::default();
    for (_, text) in MODULES {
        for line in
            text.lines().filter(|line| !line.starts_with("import ") && !line.starts_with("// @ts-check"))
        {
            script.line(Html::literal(line.strip_prefix("export ").unwrap_or(line)));
        }
    }
    script
}

/// Returns the moves for a browser without scripts.
fn moves(replay: &Replay) -> String {
    let mut text = String::new();
    for (ply, frame) in replay.frames.iter().enumerate() {
        if let Some(played) = &frame.played {
            let _ = writeln!(text, "{ply}. {} {}", replay.seats[played.seat].name, played.text);
        }
    }
    text
}
