//! The file that the user named for the output.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::error::{Exit, Failure};
use super::ui::Ui;

/// An output file; `-` is stdout.
pub(super) struct OutputFile<'a> {
    pub(super) path: &'a Path,
    /// True if an existing file may be overwritten.
    pub(super) force: bool,
}

impl OutputFile<'_> {
    /// Refuses an existing file. Called before the work that produces the output.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if !self.force && self.path != Path::new("-") && self.path.exists() {
            return Err(self.exists_failure());
        }
        Ok(())
    }

    fn exists_failure(&self) -> Failure {
        Failure::wrong(format_args!("`{}` already exists", self.path.display()))
            .hint("use `--force` to overwrite it")
    }

    /// Writes the file, and prints a note with advice on its use.
    pub(super) fn write(&self, text: &str, advice: &str, ui: &mut Ui) -> Result<(), Failure> {
        let OutputFile { path, force } = *self;
        if path == Path::new("-") {
            return Ok(ui.data().write_all(text.as_bytes())?);
        }
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => self.exists_failure(),
            _ => Failure::file(Exit::CantWrite, "write", path, &error),
        };
        let mut options = OpenOptions::new();
        // The path may be a device, so the file is not replaced.
        let options = if force { options.create(true).truncate(true) } else { options.create_new(true) };
        let mut file = options.write(true).open(path).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        ui.note(format_args!("wrote {}: {advice}", path.display()));
        Ok(())
    }
}
