//! Test that no files of a crate import each other in a circle.
//!
//! An import is a `use` at the top of a file that is not public. It leads to the file that defines the name: re-exports
//! are followed. A file may import from the modules that contain it: it often implements a part of their types.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::project;

/// A module's path within its crate: empty for the root.
type Module = Vec<String>;

/// One name that a file imports.
struct Import {
    is_public: bool,
    path: Vec<String>,
    /// The name in this file.
    name: String,
}

/// The files of a crate, by module.
struct Crate {
    files: BTreeMap<Module, PathBuf>,
    imports: BTreeMap<Module, Vec<Import>>,
}

impl Crate {
    fn read(source: &Path) -> Crate {
        let mut found = Crate { files: BTreeMap::new(), imports: BTreeMap::new() };
        found.read_folder(source, &Vec::new());
        found
    }

    fn read_folder(&mut self, folder: &Path, module: &Module) {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let name = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .expect("names of sources are text")
                .to_owned();
            let child = || [module.clone(), vec![name.clone()]].concat();
            if path.is_dir() {
                self.read_folder(&path, &child());
            } else if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
                let module = if name == "mod" || name == "lib" { module.clone() } else { child() };
                // Tests may import what they test.
                if !module.iter().any(|name| name.ends_with("tests")) {
                    let text = fs::read_to_string(&path).expect("it can be read");
                    self.imports.insert(module.clone(), imports(&text));
                    self.files.insert(module, path);
                }
            }
        }
    }

    /// Returns the module that defines what a path in a module leads to; `None` if it leads out of the crate.
    fn target(&self, from: &Module, path: &[String]) -> Option<Module> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => (from.clone(), path),
            child if self.files.contains_key(&[from.clone(), vec![child.to_owned()]].concat()) => {
                (from.clone(), path)
            }
            _ => return None,
        };
        while rest.first().is_some_and(|name| name == "super") {
            at.pop()?;
            rest = &rest[1..];
        }
        while let Some(name) = rest.first() {
            let child = [at.clone(), vec![name.clone()]].concat();
            if !self.files.contains_key(&child) {
                break;
            }
            (at, rest) = (child, &rest[1..]);
        }
        let Some(name) = rest.first().filter(|name| *name != "self" && *name != "*") else { return Some(at) };
        match self.imports.get(&at)?.iter().find(|import| import.name == *name) {
            Some(import) if import.path != path => self.target(&at, &import.path),
            _ => Some(at),
        }
    }

    /// Returns the files that each file imports.
    fn imported(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let of = |module: &Module, imports: &[Import]| {
            let own = imports.iter().filter(|import| !import.is_public);
            let targets = own.filter_map(|import| self.target(module, &import.path));
            targets.filter(|target| !module.starts_with(target)).map(|target| &*self.files[&target]).collect()
        };
        self.imports.iter().map(|(module, imports)| (&*self.files[module], of(module, imports))).collect()
    }
}

/// Returns the imports at the top of a file.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((visibility, mut tree)) = split_use(line) else { continue };
        while !tree.ends_with(';') {
            tree += lines.next().expect("a `use` ends").trim();
        }
        let is_public = !visibility.is_empty();
        let mut add = |path: Vec<String>, name: String| found.push(Import { is_public, path, name });
        expand(tree.trim_end_matches(';'), &[], &mut add);
    }
    found
}

/// Splits a line that begins with a `use` into its visibility and the rest.
fn split_use(line: &str) -> Option<(&str, String)> {
    let (visibility, tree) = line.split_once("use ")?;
    let is_visibility = visibility.is_empty() || visibility.starts_with("pub") && visibility.ends_with(' ');
    (is_visibility && !tree.contains('$')).then(|| (visibility, tree.trim_end().to_owned()))
}

/// Calls a function with the paths of a tree such as `a::{b, c::d as e}` and their names.
fn expand(tree: &str, before: &[String], add: &mut dyn FnMut(Vec<String>, String)) {
    let tree = tree.trim();
    if let Some((path, inner)) = tree.split_once('{') {
        let path: Vec<String> = path
            .split("::")
            .filter(|part| !part.trim().is_empty())
            .map(|part| part.trim().to_owned())
            .collect();
        let before = [before, &path].concat();
        let (mut depth, mut begin) = (0, 0);
        let inner = inner.strip_suffix('}').expect("braces are closed");
        for (at, symbol) in inner.char_indices() {
            match symbol {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&inner[begin..at], &before, add);
                    begin = at + 1;
                }
                _ => {}
            }
        }
        expand(&inner[begin..], &before, add);
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
        let path: Vec<String> = [before, &path.split("::").map(str::to_owned).collect::<Vec<_>>()].concat();
        let name = name.or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        add(path, name);
    }
}

/// Removes the files that import none of the others, or that none of the others imports, until only circles are left.
fn reduce(files: &mut BTreeMap<&Path, BTreeSet<&Path>>) {
    loop {
        let before = files.len();
        let left: BTreeSet<&Path> = files.keys().copied().collect();
        files.values_mut().for_each(|imported| imported.retain(|file| left.contains(file)));
        let imported: BTreeSet<&Path> = files.values().flatten().copied().collect();
        files.retain(|file, imports| !imports.is_empty() && imported.contains(file));
        if files.len() == before {
            return;
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut sources = vec![project().join("src")];
    for entry in fs::read_dir(project().join("crates")).expect("the folder can be read") {
        sources.push(entry.expect("the folder can be read").path().join("src"));
    }
    let mut imports = 0;
    for source in sources {
        let found = Crate::read(&source);
        let mut files = found.imported();
        imports += files.values().map(BTreeSet::len).sum::<usize>();
        reduce(&mut files);
        assert!(files.is_empty(), "these files import each other in a circle: {files:#?}");
    }
    assert!(imports > 1_000, "{imports} imports were found");
}
