//! Names of files in the output of programs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::process::isolation::is_shared;
pub(super) use crate::process::isolation::plain;

/// The possible paths in a line, the likeliest first: quoted texts, words with a slash, and words with the ending of a
/// file. A position in a program is not a path.
pub(super) fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split(['\'', '"', '`']).skip(1).step_by(2).filter(|text| is_like_a_file(text));
    let with_slash = words(line).filter(|text| text.contains('/'));
    let files = words(line).filter(|text| !text.contains('/') && is_like_a_file(text));
    quoted.chain(with_slash).chain(files).filter(|text| text.len() < 4096)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| c.is_whitespace() || "'\"`,;()[]".contains(c);
    let mut words = line.split(is_between).filter(|word| !word.is_empty()).peekable();
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            let is_place = words.peek() == Some(&"line") || ends_with_line_number(word);
            if !is_place {
                return Some(word.trim_end_matches([':', '.']));
            }
        }
    })
}

/// True for words such as `bot.rb:3:in` and `bot.go:44`.
fn ends_with_line_number(word: &str) -> bool {
    word.split(':').skip(1).any(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_like_a_file(text: &str) -> bool {
    if text.contains('/') {
        return true;
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let Some((stem, end)) = text.rsplit_once('.') else { return false };
    let is_end = (1..=8).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphanumeric());
    // Names of classes also have dots.
    let is_class = ["Exception", "Error"].iter().any(|class| end.ends_with(class));
    !stem.is_empty() && is_end && !is_class && text.chars().all(is_plain)
}

/// Maximum number of entries of a folder that are searched.
const MAX_ENTRIES: usize = 500;

/// Maximum number of folders above a bot's folder that are searched.
const MAX_ABOVE: usize = 4;

/// Possible paths near a bot's folder of the Python modules and the libraries that it says are missing.
pub(super) fn of_modules(stderr: &str, folder: &Path, home: &Path) -> Vec<PathBuf> {
    let after = |line: &'_ str, start: &str| -> Option<String> {
        let (_, rest) = line.split_once(start)?;
        let name =
            rest.split(|c: char| c.is_whitespace() || "'\"".contains(c)).find(|word| !word.is_empty())?;
        Some(name.trim_end_matches(':').to_owned())
    };
    let mut wanted: Vec<String> = Vec::new();
    for line in stderr.lines() {
        if let Some(module) = after(line, "No module named ") {
            let module = module.split('.').next().unwrap_or_default().to_owned();
            wanted.push(format!("{module}.py"));
            wanted.push(format!("{module}/__init__.py"));
        }
        wanted.extend(after(line, "loading shared libraries: "));
    }
    wanted.retain(|name| !name.starts_with('.') && name.len() < 256);
    if wanted.is_empty() {
        return Vec::new();
    }
    let above = folder.ancestors().take(MAX_ABOVE).filter(|above| !is_shared(above, home));
    let near = above.flat_map(|above| {
        let entries = std::fs::read_dir(above).into_iter().flatten().flatten().take(MAX_ENTRIES);
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        std::iter::once(above.to_owned()).chain(folders.map(|entry| entry.path()))
    });
    near.flat_map(|near| wanted.iter().map(move |name| near.join(name)).collect::<Vec<_>>()).collect()
}

/// File endings of code that also needs the files next to it.
const CODE: [&str; 12] = ["py", "pyc", "so", "js", "mjs", "cjs", "json", "pm", "rb", "lua", "class", "jar"];

/// The path to allow so that a bot can use this file: for a file of a package, the whole package.
pub(super) fn to_read(path: &Path, home: &Path) -> PathBuf {
    let simple = plain(path);
    let path = if simple.exists() { simple } else { path.to_owned() };
    if let Some(modules) =
        path.ancestors().find(|above| above.file_name() == Some(OsStr::new("node_modules")))
    {
        return modules.to_owned();
    }
    // A virtual environment is needed as a whole, no matter which of its programs was named.
    if let Some(whole) = path.ancestors().skip(1).find(|above| above.join("pyvenv.cfg").is_file()) {
        return whole.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_code = path.is_file()
        && (name.contains(".so.") || name.rsplit_once('.').is_some_and(|(_, end)| CODE.contains(&end)));
    let folder = path.parent().filter(|_| is_code);
    // A Python package is found by its name in the folder above.
    let folder = match folder {
        Some(folder) if name == "__init__.py" => folder.parent(),
        folder => folder,
    };
    folder.filter(|folder| !is_shared(folder, home)).unwrap_or(&path).to_owned()
}
