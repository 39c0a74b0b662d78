//! The replay page: one HTML file that steps through a game in a browser, opened as a file and without a
//! network.
//!
//! The page's parts are plain files in this folder: its body `replay.html`, its style `replay.css` and its
//! modules, which a browser could load unchanged. Here they become one file.

use std::fmt::Write;

use crate::html_page::HtmlPage;
use crate::markup::{Html, fill, html};
use crate::replay::Replay;

mod data;
#[cfg(test)]
mod tests;

const BODY: &str = include_str!("replay.html");
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
    let body = fill(
        BODY,
        &[
            ("verdict", &html!("{}", replay.verdict)),
            ("moves", &html!("{}", moves(replay))),
            ("film", &Html::json(&data::replay(replay))),
            ("script", &script),
        ],
    );
    HtmlPage {
        kind: "replay",
        title: html!("{}", replay.sides().join(" – ")),
        styles: &[STYLE],
        script: Some(&script),
        facts: Html::default(),
        body,
    }
    .finish()
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
