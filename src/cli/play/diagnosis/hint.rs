//! Hints that recommend settings, which look different in a tournament file and on the command line.

use std::path::PathBuf;

use crate::league::host::Folders;

/// A hint as texts and settings.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Hint(Vec<HintPart>);

#[derive(Clone, PartialEq, Debug)]
enum HintPart {
    Text(String),
    Setting(Setting),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Setting {
    /// The key `sandbox`, with this word.
    Sandbox(&'static str),
    /// A key of `limits` and its value as in a tournament file, where only numbers need no quotes.
    Limit(String, String),
    /// A path in the key `read`.
    Read(PathBuf),
    /// The key `scratch`, with a size.
    Scratch(String),
    /// The keys `read` and `scratch`.
    ReadOrWrite,
}

impl Hint {
    pub(super) fn text(text: impl Into<String>) -> Hint {
        Hint::default().and(text)
    }

    pub(super) fn and(mut self, text: impl Into<String>) -> Hint {
        self.0.push(HintPart::Text(text.into()));
        self
    }

    pub(super) fn set(mut self, setting: Setting) -> Hint {
        self.0.push(HintPart::Setting(setting));
        self
    }

    pub(super) fn then(mut self, other: Hint) -> Hint {
        self.0.extend(other.0);
        self
    }

    /// The hint in words, with its settings for a file or for the command line.
    pub(super) fn in_words(&self, folders: Folders) -> String {
        let mut text = String::new();
        let mut needs_file = false;
        for part in &self.0 {
            match part {
                HintPart::Text(part) => text.push_str(part),
                HintPart::Setting(setting) => {
                    text.push_str(&setting.in_words(folders));
                    match setting {
                        Setting::Sandbox(_) | Setting::Limit(..) => {}
                        Setting::Read(_) | Setting::Scratch(_) | Setting::ReadOrWrite => needs_file = true,
                    }
                }
            }
        }
        if needs_file && folders == Folders::OfThePlayer {
            text.push_str("; only a tournament file can set `read` and `scratch`");
        }
        text
    }
}

impl Setting {
    fn in_words(&self, folders: Folders) -> String {
        match (self, folders) {
            (Setting::Sandbox(word), Folders::OfBots) => {
                format!("`sandbox = \"{word}\"` at the top of the tournament file")
            }
            (Setting::Sandbox(word), Folders::OfThePlayer) => format!("`--sandbox {word}`"),
            (Setting::Limit(key, value), Folders::OfBots) => format!("`limits = {{ {key} = {value} }}`"),
            (Setting::Limit(key, value), Folders::OfThePlayer) => {
                format!("`--limit {key}={}`", value.trim_matches('"'))
            }
            (Setting::Read(path), _) => format!("`read = [\"{}\"]`", path.display()),
            (Setting::Scratch(size), _) => format!("`scratch = \"{size}\"`"),
            (Setting::ReadOrWrite, _) => {
                "allow what it reads elsewhere (`read`) or writes (`scratch`)".to_owned()
            }
        }
    }
}
