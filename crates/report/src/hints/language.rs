//! The language of a bot by its command, and how programs in it write a line at once.

/// A language in which bots are written.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Language {
    Python,
    JavaScript,
    Java,
    Ruby,
    Perl,
    Lua,
    Php,
    Shell,
    Go,
    Rust,
    DotNet,
}

/// Programs and ends of files by which a language is known.
const KNOWN: [(Language, &[&str], &[&str]); 11] = [
    (Language::Python, &["python", "pypy"], &["py"]),
    (Language::JavaScript, &["node", "deno", "bun"], &["js", "mjs", "cjs", "ts"]),
    (Language::Java, &["java"], &["java", "jar"]),
    (Language::Ruby, &["ruby", "irb"], &["rb"]),
    (Language::Perl, &["perl"], &["pl"]),
    (Language::Lua, &["lua"], &["lua"]),
    (Language::Php, &["php"], &["php"]),
    (Language::Shell, &["sh", "bash", "dash", "zsh", "ksh"], &["sh"]),
    (Language::Go, &["go"], &["go"]),
    (Language::Rust, &["cargo"], &["rs"]),
    (Language::DotNet, &["dotnet", "mono"], &["cs", "dll"]),
];

impl Language {
    /// The language of the bot that a command starts.
    pub(super) fn of(command: &[String]) -> Option<Language> {
        command.iter().find_map(|word| Language::of_word(word))
    }

    fn of_word(word: &str) -> Option<Language> {
        let name = word.rsplit('/').next().unwrap_or(word);
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        // `python3`, `python3.11`, `lua5.4`
        let program = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let known =
            KNOWN.iter().find(|(_, programs, ends)| programs.contains(&program) || ends.contains(&end));
        known.map(|(language, _, _)| *language)
    }

    /// The statement that prints a move as a whole line, at once.
    fn answer(self) -> &'static str {
        match self {
            Language::Python => "`print(\"bestmove\", move, flush=True)`",
            Language::JavaScript => "`console.log(\"bestmove \" + move)`",
            Language::Java => "`System.out.println(\"bestmove \" + move); System.out.flush();`",
            Language::Ruby => "`puts \"bestmove #{move}\"; $stdout.flush`",
            Language::Perl => "`$| = 1;` at the top and `print \"bestmove $move\\n\";`",
            Language::Lua => "`print(\"bestmove \" .. move); io.stdout:flush()`",
            Language::Php => "`echo \"bestmove $move\\n\"; flush();`",
            Language::Shell => "`echo \"bestmove $move\"`",
            Language::Go => "`fmt.Println(\"bestmove\", move)`",
            Language::Rust => "`println!(\"bestmove {mv}\")`, then `io::stdout().flush()`",
            Language::DotNet => "`Console.WriteLine(\"bestmove \" + move)`",
        }
    }

    /// True if output waits in a buffer unless the program says otherwise. linesman starts Python so that it
    /// does not.
    pub(super) fn buffers(language: Option<Language>) -> bool {
        match language {
            Some(
                Language::Python
                | Language::JavaScript
                | Language::Shell
                | Language::Go
                | Language::Rust
                | Language::DotNet,
            ) => false,
            Some(Language::Java | Language::Ruby | Language::Perl | Language::Lua | Language::Php) | None => {
                true
            }
        }
    }
}

/// The way to write an answer so that it arrives, for a language that may not be known.
pub(super) fn how_to_answer(language: Option<Language>) -> &'static str {
    match language {
        Some(language) => language.answer(),
        None => {
            "`printf(\"bestmove %s\\n\", move); fflush(stdout);` in C, `std::cout << \"bestmove \" << move << \
             std::endl;` in C++"
        }
    }
}
