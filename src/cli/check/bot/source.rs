//! The language of a bot, also if its command does not show it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::report::hints::BotLanguage;

/// The extensions of source files in languages that compile to plain executables.
const EXTENSIONS: [&str; 6] = ["c", "cc", "cpp", "cxx", "go", "rs"];

/// Names of folders for built programs, whose sources are in a folder above.
const BUILD_FOLDERS: [&str; 6] = ["bin", "build", "debug", "out", "release", "target"];

const ELF: &[u8] = b"\x7fELF";

const MAX_READ: u64 = 200;

/// The language of a bot according to its command, the first line of its script, or a source file near its executable.
pub(super) fn language_of(command: &[String]) -> BotLanguage {
    let by_command = BotLanguage::of(command);
    match command.first() {
        Some(program) if !by_command.is_known() => of_program(Path::new(program)).unwrap_or(by_command),
        _ => by_command,
    }
}

fn of_program(program: &Path) -> Option<BotLanguage> {
    let mut start = Vec::new();
    BufReader::new(File::open(program).ok()?.take(MAX_READ)).read_until(b'\n', &mut start).ok()?;
    if let Some(interpreter) = start.strip_prefix(b"#!") {
        let words = String::from_utf8_lossy(interpreter);
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        return Some(BotLanguage::of(&words));
    }
    if !start.starts_with(ELF) {
        return None;
    }
    source_of(program).map(|file| BotLanguage::of_source(&file))
}

/// The name of a source file near a program.
fn source_of(program: &Path) -> Option<String> {
    let mut folder = program.parent()?;
    while folder.file_name().is_some_and(|name| BUILD_FOLDERS.iter().any(|built| name == *built)) {
        folder = folder.parent()?;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    in_folder(folder).or_else(|| in_folder(&folder.join("src")))
}

/// The first source file of a folder, by name.
fn in_folder(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    let is_source = |name: &String| {
        let extension = Path::new(name).extension().and_then(|end| end.to_str());
        extension.is_some_and(|end| EXTENSIONS.contains(&end))
    };
    names.filter_map(|name| name.into_string().ok()).filter(is_source).min()
}
