//! `linesman new-bot`: creates a folder with a first version of a bot.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::error::{Exit, Failure};
use super::ui::Ui;
use crate::league::file::{MAX_NAME_LENGTH, did_you_mean};

/// Make a folder with a bot that plays every game
///
/// The bot chooses among the legal moves by chance. One place is for your own idea: the
/// function `choose`. The README in the folder says how to build and try the bot.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:\n  linesman new-bot python my-bot\n  linesman new-bot --list")]
pub(crate) struct Args {
    /// Language of the bot, listed by `--list`
    #[arg(value_name = "LANG", required_unless_present = "list")]
    language: Option<String>,
    /// Name of the bot and of the folder
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<String>,
    /// List the languages and what each needs
    #[arg(long, conflicts_with_all = ["language", "name"])]
    list: bool,
}

/// The placeholder for the name of the bot in the files of a kit.
const PLACEHOLDER: &str = "my-bot";

/// The README of every kit; `{...}` is replaced.
const PAGE: &str = include_str!("../../bots/kits/page.md");

/// The first files of a bot in one language.
struct Kit {
    /// The language as given on the command line.
    id: &'static str,
    title: &'static str,
    /// The tools that a user has to install.
    needs: &'static str,
    /// The command that builds the bot in its folder; empty if it needs no build.
    build: &'static str,
    /// The command that starts the bot from the parent folder.
    start: &'static str,
    files: &'static [KitFile],
    /// The part of the README that shows how to read a position.
    board: &'static str,
}

struct KitFile {
    path: &'static str,
    about: &'static str,
    text: &'static str,
}

macro_rules! kit {
    ($id:literal, $title:literal, $needs:literal, $build:literal, $start:literal, $($path:literal: $about:literal),+) => {
        Kit {
            id: $id,
            title: $title,
            needs: $needs,
            build: $build,
            start: $start,
            files: &[$(KitFile {
                path: $path,
                about: $about,
                text: include_str!(concat!("../../bots/kits/", $id, "/", $path)),
            }),+],
            board: include_str!(concat!("../../bots/kits/", $id, "/board.md")),
        }
    };
}

// Cargo excludes a folder with a `Cargo.toml` from a package, so that file has another name here.
#[rustfmt::skip]
const KITS: &[Kit] = &[
    kit!("python", "Python", "Python 3.9 or newer", "", "python3 my-bot/bot.py", "bot.py": "the bot"),
    kit!("javascript", "JavaScript", "Node.js 18 or newer", "", "node my-bot/bot.mjs", "bot.mjs": "the bot"),
    kit!("typescript", "TypeScript", "Node.js 18 or newer and npm", "npm ci && npm run build", "node my-bot/dist/bot.js",
        "src/bot.ts": "the bot", "package.json": "what npm installs and builds",
        "package-lock.json": "the exact versions of what npm installs", "tsconfig.json": "the settings of the compiler"),
    kit!("rust", "Rust", "Rust 1.62 or newer", "cargo build --release", "my-bot/target/release/bot",
        "src/main.rs": "the bot", "Cargo.toml.kit": "what Cargo builds"),
    kit!("c", "C", "a C compiler and make", "make", "my-bot/bot", "bot.c": "the bot", "Makefile": "how make builds it"),
    kit!("cpp", "C++", "a C++17 compiler and make", "make", "my-bot/bot", "bot.cpp": "the bot", "Makefile": "how make builds it"),
    kit!("java", "Java", "a JDK, version 11 or newer", "javac Bot.java", "java -cp my-bot Bot", "Bot.java": "the bot"),
    kit!("go", "Go", "Go 1.18 or newer", "go build -o bot .", "my-bot/bot", "bot.go": "the bot", "go.mod": "the module's name"),
    kit!("csharp", "C#", "Mono (mcs and mono), or dotnet 8 or newer", "mcs -out:bot.exe Bot.cs", "mono my-bot/bot.exe",
        "Bot.cs": "the bot", "bot.csproj": "the project for dotnet"),
    kit!("ruby", "Ruby", "Ruby 2.7 or newer", "", "ruby my-bot/bot.rb", "bot.rb": "the bot"),
    kit!("lua", "Lua", "Lua 5.1 or newer", "", "lua my-bot/bot.lua", "bot.lua": "the bot"),
    kit!("shell", "POSIX shell", "any POSIX shell", "", "sh my-bot/bot.sh", "bot.sh": "the bot"),
];

impl Kit {
    fn find(id: &str) -> Result<&'static Kit, Failure> {
        KITS.iter().find(|kit| kit.id == id).ok_or_else(|| {
            let ids = || KITS.iter().map(|kit| kit.id);
            let known = ids().collect::<Vec<_>>().join("`, `");
            Failure::wrong(format_args!("`new-bot` makes no bot in the language `{id}`"))
                .hint_if(did_you_mean(id, ids()))
                .hint(format_args!(
                    "choose one of `{known}`, or write the bot yourself: docs/tutorials/first-bot.md shows the lines \
                     that it reads and writes"
                ))
        })
    }

    /// The commands that build the bot and play games with it, from the parent folder.
    fn steps(&self) -> String {
        let is_built = !self.build.is_empty();
        let build = if is_built { format!("(cd my-bot && {})\n", self.build) } else { String::new() };
        format!(
            "{build}linesman match --game quixo --name my-bot --bot \"{}\" --bot \"linesman bot random\" \\\n               \
             --games 10 --movetime 200ms",
            self.start
        )
    }

    /// The files to write, with their text.
    fn contents(&self) -> impl Iterator<Item = (&'static str, String)> {
        let written = |path: &'static str| path.strip_suffix(".kit").unwrap_or(path);
        let rows = self.files.iter().map(|file| format!("| `{}` | {} |", written(file.path), file.about));
        let files = std::iter::once("| file | contents |\n| --- | --- |".to_owned()).chain(rows);
        let page = PAGE
            .replace("{language}", self.title)
            .replace("{files}", &files.collect::<Vec<_>>().join("\n"))
            .replace("{needs}", self.needs)
            .replace("{steps}", &self.steps())
            .replace("{start}", self.start)
            .replace("{board}", self.board.trim_end());
        let files = self.files.iter().map(move |file| (written(file.path), file.text.to_owned()));
        files.chain([("README.md", page)])
    }
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let (Some(language), Some(name)) = (&args.language, &args.name) else {
        for kit in KITS {
            writeln!(ui.data(), "{:<12}{}", kit.id, kit.needs)?;
        }
        return Ok(Exit::Done);
    };
    let kit = Kit::find(language)?;
    check_name(name)?;
    let folder = Path::new(name);
    check_free(folder)?;
    for (path, text) in kit.contents() {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .map_err(|error| Failure::file(Exit::CantWrite, "make the folder", parent, &error))?;
        fs::write(&path, text.replace(PLACEHOLDER, name))
            .map_err(|error| Failure::file(Exit::CantWrite, "write", &path, &error))?;
    }
    ui.note(format_args!(
        "{name}: a bot in {}; your idea goes into `choose`, and README.md says more",
        kit.title
    ));
    ui.note("to try it, run:");
    writeln!(ui.data(), "{}", kit.steps().replace(PLACEHOLDER, name))?;
    Ok(Exit::Done)
}

/// Refuses a name that would need quotes in a command or that is no valid package name in some language.
fn check_name(name: &str) -> Result<(), Failure> {
    let fits = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
        && name.len() <= MAX_NAME_LENGTH;
    if fits {
        return Ok(());
    }
    Err(Failure::wrong(format_args!("a bot can't be named `{}`", name.escape_debug())).hint(format_args!(
        "begin with a letter, and use letters `a` to `z` and `A` to `Z`, digits, `-` and `_`, at most {MAX_NAME_LENGTH}"
    )))
}

/// Refuses a path that exists, unless it is an empty folder.
fn check_free(folder: &Path) -> Result<(), Failure> {
    let is_taken = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) => error.kind() != ErrorKind::NotFound,
    };
    if !is_taken {
        return Ok(());
    }
    Err(Failure::wrong(format_args!("`{}` exists and is not an empty folder", folder.display()))
        .hint("choose another name, or remove what is there"))
}
