//! The source of a compiled bot, from which advice knows its language.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::report::hints::BotLanguage;

/// The ends of source files of languages whose programs have no telling name.
const ENDS: [&str; 6] = ["c", "cc", "cpp", "cxx", "go", "rs"];

/// The folders of programs that are built: their sources lie above.
const BUILT: [&str; 6] = ["bin", "build", "debug", "out", "release", "target"];

/// The first bytes of a program of Linux that was compiled.
const COMPILED: [u8; 4] = *b"\x7fELF";

/// The language of a bot, by its command or by a source file near its compiled program.
pub(super) fn language_of(command: &[String]) -> BotLanguage {
    let by_command = BotLanguage::of(command);
    let source = || of_program(Path::new(command.first()?));
    match by_command.is_known() {
        true => by_command,
        false => source().map_or(by_command, |file| BotLanguage::of_source(&file)),
    }
}

fn of_program(program: &Path) -> Option<String> {
    let mut start = [0; COMPILED.len()];
    File::open(program).ok()?.read_exact(&mut start).ok()?;
    if start != COMPILED {
        return None;
    }
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
