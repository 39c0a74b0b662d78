//! Runs the fuzz targets: no parser panics on untrusted input, and its invariants hold.
//!
//! The targets of `fuzz/` run here on their corpora and on seeded mutations of
//! them, the same in every run, without building the crate again.
//! `fuzz/README.md` describes longer runs.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use linesman::random::SplitMix64;

use crate::support::project;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use targets::{TARGETS, Target};

/// The default number of mutated inputs per target.
const USUAL: u64 = 10_000;

/// The maximum length of an input.
const MAX_LENGTH: usize = 4_096;

struct Chance(SplitMix64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// Returns a random part.
    fn part<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let start = self.below(bytes.len() + 1);
        let end = start + self.below((bytes.len() - start).min(64) + 1);
        &bytes[start..end]
    }
}

/// Returns the corpus of a target, in the order of file names.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let folder = project().join("fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("it can be read")).collect()
}

/// Splits inputs into words and punctuation.
fn words(inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut words = BTreeSet::new();
    for input in inputs {
        for word in input.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
            if (1..=40).contains(&word.len()) {
                words.insert(word.to_vec());
            }
        }
    }
    for more in
        ["0", "-1", "4294967295", "9223372036854775807", "1e999", "\u{202e}", "\0", "\r", "\n", "\"", "@"]
    {
        words.insert(more.as_bytes().to_vec());
    }
    words.into_iter().collect()
}

/// Returns one of the inputs, mutated in a few places.
fn changed(inputs: &[Vec<u8>], words: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut input = chance.pick(inputs).clone();
    for _ in 0..=chance.below(5) {
        let at = chance.below(input.len() + 1);
        let length = chance.below((input.len() - at).min(32) + 1);
        let new: Vec<u8> = match chance.below(7) {
            0 => vec![chance.below(256) as u8],
            1 | 2 => chance.pick(words).clone(),
            3 => Vec::new(),
            4 => chance.part(&input).to_vec(),
            5 => {
                let other = chance.pick(inputs);
                chance.part(other).to_vec()
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
                continue;
            }
        };
        // Instead of the old part, or before it.
        let end = if chance.below(2) == 0 { at } else { at + length };
        input.splice(at..end, new);
    }
    input.truncate(MAX_LENGTH);
    input
}

fn run(name: &str, target: Target, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(input))) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
        std::fs::write(&path, input).expect("the folder for temporary files can be written");
        panic!(
            "`{name}` fails by {}: {}\nwith {:?}",
            path.display(),
            words_of(&*panic),
            String::from_utf8_lossy(input)
        );
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "the variable sets the length of this test")]
fn runs() -> u64 {
    std::env::var("LINESMAN_FUZZ_RUNS").map_or(USUAL, |text| text.parse().expect("a number"))
}

#[track_caller]
fn check(name: &str) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("there is such a target");
    let inputs = kept(name);
    assert!(!inputs.is_empty(), "inputs are kept for `{name}`");
    inputs.iter().for_each(|input| run(name, *target, input));
    let words = words(&inputs);
    for seed in 0..runs() {
        run(name, *target, &changed(&inputs, &words, &mut Chance(SplitMix64(seed))));
    }
}

#[test]
fn lines_of_bots() {
    check("bot_lines");
}

#[test]
fn lines_of_referees() {
    check("referee_lines");
}

#[test]
fn cuts_in_a_bots_output_change_nothing() {
    check("chunks");
}

#[test]
fn moves_of_all_games() {
    check("moves");
}

#[test]
fn positions_of_all_games() {
    check("positions");
}

#[test]
fn options_and_layouts() {
    check("options");
}

#[test]
fn tournament_files() {
    check("tournaments");
}

#[test]
fn files_of_records() {
    check("records");
}

#[test]
fn files_of_openings() {
    check("openings");
}

#[test]
fn every_target_has_its_program_and_its_inputs() {
    let names: BTreeSet<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let found = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(project().join("fuzz").join(folder)).expect("it is there");
        let stem = |entry: std::io::Result<std::fs::DirEntry>| {
            let path = entry.expect("it can be read").path();
            path.file_stem().expect("it has a name").to_string_lossy().into_owned()
        };
        entries.map(stem).collect()
    };
    for folder in ["fuzz_targets", "corpus"] {
        assert_eq!(found(folder).iter().map(String::as_str).collect::<BTreeSet<_>>(), names, "{folder}");
    }
}
