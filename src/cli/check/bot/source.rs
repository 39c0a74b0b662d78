//! The source of a compiled bot, from which advice knows its language.

use std::fs;
use std::path::Path;

use crate::report::hints::knows_language;

/// The ends of source files of languages whose programs have no telling name.
const ENDS: [&str; 6] = ["c", "cc", "cpp", "cxx", "go", "rs"];

/// The folders of programs that are built: their sources lie above.
const BUILT: [&str; 6] = ["bin", "build", "debug", "out", "release", "target"];

/// The name of a source file near the program of a command that does not reveal its language.
pub(super) fn of_program(command: &[String]) -> Option<String> {
    let program = command.first().filter(|program| program.contains('/') && !knows_language(command))?;
    let mut folder = Path::new(program).parent()?;
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
