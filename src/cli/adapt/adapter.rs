//! The adapters of Python and JavaScript, and how one is started with a bot.

use std::ffi::OsString;
use std::os::fd::IntoRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::error::Failure;

/// The way in which the adapter is passed to its interpreter without a file in the sandbox.
#[derive(Copy, Clone)]
enum Start {
    /// In an environment variable, which a short Python program removes, so that process lists don't show it.
    Environment,
    /// As an argument of Node.js, whose process then sets a shorter title.
    Argument,
}

/// The program that calls a bot's function or class and speaks the protocol, for one language.
pub(super) struct Adapter {
    pub(super) interpreter: &'static str,
    start: Start,
    /// The name of its file when it is written to a folder.
    pub(super) file: &'static str,
    pub(super) text: &'static str,
    endings: &'static [&'static str],
}

const PYTHON: Adapter = Adapter {
    interpreter: "python3",
    start: Start::Environment,
    file: "linesman_adapter.py",
    text: include_str!("../../../bots/adapters/python/linesman_adapter.py"),
    endings: &["py"],
};

const JAVASCRIPT: Adapter = Adapter {
    interpreter: "node",
    start: Start::Argument,
    file: "linesman_adapter.mjs",
    text: include_str!("../../../bots/adapters/javascript/linesman_adapter.mjs"),
    endings: &["js", "mjs", "cjs"],
};

impl Adapter {
    pub(super) fn find(bot: &str) -> Result<&'static Adapter, Failure> {
        let place = bot.split(':').next().unwrap_or_default();
        match Adapter::of_file(place) {
            Some(adapter) => Ok(adapter),
            None if module_file(place).is_some() => Ok(&PYTHON),
            None => Err(Failure::wrong(format_args!("can't tell the language of `{place}` from its ending"))
                .hint("name a file that ends with `.py`, `.js`, `.mjs` or `.cjs`")),
        }
    }

    /// The adapter for a file with this ending.
    fn of_file(place: &str) -> Option<&'static Adapter> {
        let ending = Path::new(place).extension()?.to_str()?;
        [&PYTHON, &JAVASCRIPT].into_iter().find(|adapter| adapter.endings.contains(&ending))
    }

    /// Replaces this process with the bot; `words` are the adapter's arguments. Returns only if that fails.
    pub(super) fn become_bot(&self, words: &[String]) -> Failure {
        let started = match self.start {
            Start::Environment => {
                let loader =
                    format!("import os; exec(compile(os.environ.pop('{TEXT}'), '{}', 'exec'))", self.file);
                let mut command = Command::new(self.interpreter);
                Ok(command.env(TEXT, self.text).args(["-c", &loader]).args(words).exec())
            }
            // The pipe to the referee gets another descriptor. Stdout becomes stderr, also for child processes.
            Start::Argument => rustix::io::dup(rustix::stdio::stdout())
                .and_then(|pipe| rustix::stdio::dup2_stdout(rustix::stdio::stderr()).map(|()| pipe))
                .map(|pipe| {
                    let mut command = Command::new(self.interpreter);
                    command.args(["--input-type=module", "-e", self.text, "--"]).args(words);
                    command.args(["--fd".into(), OsString::from(pipe.into_raw_fd().to_string())]).exec()
                }),
        };
        let error = started.unwrap_or_else(std::io::Error::from);
        Failure::wrong(format_args!("can't start `{}`, which runs the bot", self.interpreter)).cause(error)
    }
}

/// The file of a Python module with a dotted name, such as `my_pkg.module`.
fn module_file(place: &str) -> Option<PathBuf> {
    let module = Path::new(&place.replace('.', "/")).to_owned();
    [module.with_extension("py"), module.join("__init__.py")].into_iter().find(|file| file.is_file())
}

/// The file of a bot that is given by its path or by the name of its module.
pub(super) fn file_of(place: &str) -> PathBuf {
    let path = Path::new(place);
    if path.is_file() { path.to_owned() } else { module_file(place).unwrap_or_else(|| path.to_owned()) }
}

/// The environment variable in which Python finds its adapter.
const TEXT: &str = "LINESMAN_ADAPTER";

// The maximum length of an argument or environment variable on Linux.
const MAX_ARGUMENT: usize = 128 << 10;
const _: () = assert!(PYTHON.text.len() + TEXT.len() + "=\0".len() <= MAX_ARGUMENT);
const _: () = assert!(JAVASCRIPT.text.len() + "\0".len() <= MAX_ARGUMENT);

/// The part of `FILE[:NAME]` after which a bot is named: the file name without its ending, or the last part of the
/// module's name. The name of a package would not distinguish its bots.
pub(in crate::cli) fn bot_stem(bot: &str) -> &str {
    let place = bot.split(':').next().unwrap_or_default();
    if Adapter::of_file(place).is_some() || place.contains('/') {
        return Path::new(place).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    }
    let parts = || place.rsplit('.').filter(|part| !part.is_empty());
    parts()
        .find(|part| !["__init__", "__main__"].contains(part))
        .or_else(|| parts().next())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::bot_stem;

    #[test]
    fn a_bot_is_named_after_its_file_or_the_last_part_of_its_module() {
        for (bot, name) in [
            ("my_bot.py:choose", "my_bot"),
            ("bots/deep.mjs", "deep"),
            ("pkg.bot:choose", "bot"),
            ("pkg.search.minimax:Player", "minimax"),
            ("pkg", "pkg"),
            ("pkg/inner:choose", "inner"),
            ("pkg.deep.__main__:choose", "deep"),
        ] {
            assert_eq!(bot_stem(bot), name, "{bot}");
        }
    }
}
