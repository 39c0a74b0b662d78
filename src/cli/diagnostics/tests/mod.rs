//! The diagnostics of tournament files as people see them.

mod bots;
mod changes;
mod schedules;
mod teams;
mod values;

use std::num::NonZeroU32;
use std::path::Path;

use super::*;
use crate::league::file::{Context, parse};

fn context() -> Context {
    Context::of_file(Path::new("league.toml"), NonZeroU32::new(2))
}

/// The rendered diagnostics of a file.
#[track_caller]
fn shown(text: &str) -> String {
    render(&parse(text, &context()).expect_err("the file has mistakes"), Colours::Off)
}

const BOTS: &str = r#"
[[bots]]
name = "greedy"
command = "linesman bot greedy"

[[bots]]
name = "random"
command = "linesman bot random"
"#;

/// The rendered diagnostics of a file that is valid except for these lines at its top.
#[track_caller]
fn shown_top(lines: &str) -> String {
    shown(&format!("version = 1\n{lines}\n{BOTS}"))
}

/// The rendered diagnostics of a file that is valid except for these lines of its last bot.
#[track_caller]
fn shown_bot(lines: &str) -> String {
    shown(&format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{BOTS}\n[[bots]]\n{lines}\n"))
}

#[test]
fn there_are_colours_only_on_request() {
    let diagnostics = parse("", &context()).unwrap_err();
    assert!(!render(&diagnostics, Colours::Off).contains('\u{1b}'));
    assert!(render(&diagnostics, Colours::On).contains('\u{1b}'));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 256, ..Default::default() })]

    #[test]
    fn diagnostics_of_any_file_can_be_rendered(
        edits in proptest::collection::vec((0.0..1.0_f64, 0_usize..12, "[\\[\\]{}=\".,#a1ö\n\t\r\u{1b}\u{0}-]{0,3}"), 1..4),
    ) {
        let mut text = include_str!("../../../../tournaments/example.toml").to_owned();
        for (at, cut, put) in edits {
            let start = text.floor_char_boundary((text.len() as f64 * at) as usize);
            let end = text.ceil_char_boundary((start + cut).min(text.len()));
            text.replace_range(start..end, &put);
        }
        if let Err(diagnostics) = parse(&text, &context()) {
            proptest::prop_assert!(!diagnostics.list.is_empty());
            let shown = render(&diagnostics, Colours::Off);
            proptest::prop_assert!(shown.matches("error: ").count() >= diagnostics.list.len());
            proptest::prop_assert!(!shown.contains('\u{1b}') && !shown.contains('\0'), "{}", shown);
        }
    }
}
