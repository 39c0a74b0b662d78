//! The language of a bot whose command does not reveal it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::report::hints::BotLanguage;

/// The ends of source files of languages whose programs have no telling name.
const ENDS: [&str; 6] = ["c", "cc", "cpp", "cxx", "go", "rs"];

/// The folders of programs that are built: their sources lie above.
const BUILT: [&str; 6] = ["bin", "build", "debug", "out", "release", "target"];

/// The first bytes of a program of Linux that was compiled.
const COMPILED: &[u8] = b"\x7fELF";

/// Bytes of a program that are read.
const LOOKED_AT: u64 = 200;

/// The language of a bot, by its command, by the first line of a script, or by a source file near a compiled program.
pub(super) fn language_of(command: &[String]) -> BotLanguage {
    let by_command = BotLanguage::of(command);
    match command.first() {
        Some(program) if !by_command.is_known() => of_program(Path::new(program)).unwrap_or(by_command),
        _ => by_command,
    }
}

fn of_program(program: &Path) -> Option<BotLanguage> {
    let mut start = Vec::new();
    BufReader::new(File::open(program).ok()?.take(LOOKED_AT)).read_until(b'\n', &mut start).ok()?;
    if let Some(interpreter) = start.strip_prefix(b"#!") {
        let words = String::from_utf8_lossy(interpreter);
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        return Some(BotLanguage::of(&words));
    }
    if !start.starts_with(COMPILED) {
        return None;
    }
    source_of(program).map(|file| BotLanguage::of_source(&file))
}

/// The name of a source file near a program.
fn source_of(program: &Path) -> Option<String> {
    let mut folder = program.parent()?;
    while folder.file_name().is_some_and(|name| BUILT.iter().any(|built| name == *built)) {
        folder = folder.parent()?;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    in_folder(folder).or_else(|| in_folder(&folder.join("src")))
}

/// The first source file of a folder, by name.
fn in_folder(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    let is_source =
        |name: &String| Path::new(name).extension().is_some_and(|end| ENDS.iter().any(|own| end == *own));
    names.filter_map(|name| name.into_string().ok()).filter(is_source).min()
}
