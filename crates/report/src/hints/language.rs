//! The language of a bot, found by its command, and the code with which programs in it do common tasks.

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
    C,
    Cpp,
}

/// Programs and file extensions that reveal a language.
const KNOWN: [(Language, &[&str], &[&str]); 13] = [
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
    (Language::C, &[], &["c"]),
    (Language::Cpp, &[], &["cpp", "cc", "cxx"]),
];

impl Language {
    /// The language of the bot that a command starts.
    pub(super) fn of(command: &[String]) -> Option<Language> {
        command.iter().find_map(|word| Language::of_word(word))
    }

    pub(super) fn of_word(word: &str) -> Option<Language> {
        let name = word.rsplit('/').next().unwrap_or(word);
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        // `python3`, `python3.11`, `lua5.4`
        let program = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let known =
            KNOWN.iter().find(|(_, programs, ends)| programs.contains(&program) || ends.contains(&end));
        known.map(|(language, _, _)| *language)
    }

    /// Instructions for the author: how a source file in the language becomes a bot.
    pub(super) fn start(self, file: &str) -> String {
        let (folder, name) = file.rsplit_once('/').unwrap_or((".", file));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let by = |interpreter: &str| {
            format!(
                "begin `{file}` with a line such as `#!/usr/bin/env {interpreter}`, or name the interpreter in the \
                 command, such as `{interpreter} {file}`"
            )
        };
        let built = |build: &str, command: &str| {
            format!("compile `{file}` first, such as by `{build}`, and give `{command}` as the command")
        };
        match self {
            Language::Python => by("python3"),
            Language::JavaScript => by("node"),
            Language::Ruby => by("ruby"),
            Language::Perl => by("perl"),
            Language::Lua => by("lua"),
            Language::Php => by("php"),
            Language::Shell => by("sh"),
            Language::Java => built(&format!("javac {file}"), &format!("java -cp {folder} {stem}")),
            Language::Go => built(&format!("go build -o {stem} {file}"), &format!("./{stem}")),
            Language::Rust => built(&format!("rustc -O -o {stem} {file}"), &format!("./{stem}")),
            Language::DotNet => built(&format!("mcs {file}"), &format!("mono {folder}/{stem}.exe")),
            Language::C => built(&format!("cc -O2 -o {stem} {file}"), &format!("./{stem}")),
            Language::Cpp => built(&format!("c++ -O2 -o {stem} {file}"), &format!("./{stem}")),
        }
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
            Language::C => "`printf(\"bestmove %s\\n\", move); fflush(stdout);`",
            Language::Cpp => "`std::cout << \"bestmove \" << move << std::endl;`",
        }
    }

    /// The expression that splits a line into words at any blanks.
    fn words(self) -> &'static str {
        match self {
            Language::Python => "`line.split()`",
            Language::JavaScript => "`line.trim().split(/\\s+/)`",
            Language::Java => "`line.trim().split(\"\\\\s+\")`",
            Language::Ruby => "`line.split`",
            Language::Perl => "`split ' ', $line`",
            Language::Lua => "`line:gmatch(\"%S+\")`",
            Language::Php => "`preg_split('/\\s+/', trim($line))`",
            Language::Shell => "`set -- $(printf '%s' \"$line\" | tr -d '\\r')`",
            Language::Go => "`strings.Fields(line)`",
            Language::Rust => "`line.split_whitespace()`",
            Language::DotNet => "`line.Split((char[])null, StringSplitOptions.RemoveEmptyEntries)`",
            Language::C => "`strtok(line, \" \\t\\r\\n\")`",
            Language::Cpp => "`std::istringstream(line) >> word`",
        }
    }

    /// The statement that prints a text to stderr.
    fn stderr(self) -> &'static str {
        match self {
            Language::Python => "`print(text, file=sys.stderr)`",
            Language::JavaScript => "`console.error(text)`",
            Language::Java => "`System.err.println(text)`",
            Language::Ruby => "`warn text`",
            Language::Perl => "`print STDERR $text`",
            Language::Lua => "`io.stderr:write(text)`",
            Language::Php => "`fwrite(STDERR, $text)`",
            Language::Shell => "`echo \"$text\" >&2`",
            Language::Go => "`fmt.Fprintln(os.Stderr, text)`",
            Language::Rust => "`eprintln!(\"{text}\")`",
            Language::DotNet => "`Console.Error.WriteLine(text)`",
            Language::C => "`fprintf(stderr, \"%s\\n\", text)`",
            Language::Cpp => "`std::cerr << text << std::endl`",
        }
    }

    /// The loop, or the handler, that ends with the input.
    fn to_the_end(self) -> &'static str {
        match self {
            Language::Python => "`for line in sys.stdin:`",
            Language::JavaScript => "`readline.on(\"close\", () => process.exit(0))`",
            Language::Java => "`while ((line = in.readLine()) != null)`",
            Language::Ruby => "`while (line = $stdin.gets)`",
            Language::Perl => "`while (my $line = <STDIN>)`",
            Language::Lua => "`for line in io.lines() do`",
            Language::Php => "`while (($line = fgets(STDIN)) !== false)`",
            Language::Shell => "`while read -r line; do`",
            Language::Go => "`for scanner.Scan()`",
            Language::Rust => "`for line in io::stdin().lines()`",
            Language::DotNet => "`while ((line = Console.ReadLine()) != null)`",
            Language::C => "`while (getline(&line, &size, stdin) >= 0)`",
            Language::Cpp => "`while (std::getline(std::cin, line))`",
        }
    }

    /// True if output is buffered by default. linesman starts Python without a buffer.
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
            Some(
                Language::Java
                | Language::Ruby
                | Language::Perl
                | Language::Lua
                | Language::Php
                | Language::C
                | Language::Cpp,
            )
            | None => true,
        }
    }
}

/// A task that every bot has.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Chore {
    /// To send an answer so that it arrives.
    Answer,
    /// To split a line into words at any blanks.
    SplitWords,
    /// To print a text to stderr.
    WriteToStderr,
    /// To read lines until the input ends.
    ReadToTheEnd,
}

/// The language of a bot, if its command or its source reveals it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct BotLanguage(pub(super) Option<Language>);

impl BotLanguage {
    /// The language of the bot that a command starts.
    pub fn of(command: &[String]) -> BotLanguage {
        BotLanguage(Language::of(command))
    }

    /// The language of a file, by its name.
    pub fn of_source(file: &str) -> BotLanguage {
        BotLanguage(Language::of_word(file))
    }

    /// True if something reveals it.
    pub fn is_known(self) -> bool {
        self.0.is_some()
    }

    /// The code for a task. For an unknown language it is in C and C++.
    pub fn how_to(self, chore: Chore) -> &'static str {
        match (chore, self.0) {
            (Chore::Answer, language) => how_to_answer(language),
            (Chore::SplitWords, Some(language)) => language.words(),
            (Chore::WriteToStderr, Some(language)) => language.stderr(),
            (Chore::ReadToTheEnd, Some(language)) => language.to_the_end(),
            (Chore::SplitWords, None) => {
                "`strtok(line, \" \\t\\r\\n\")` in C, `std::istringstream(line) >> word` in C++"
            }
            (Chore::WriteToStderr, None) => {
                "`fprintf(stderr, \"%s\\n\", text)` in C, `std::cerr << text << std::endl` in C++"
            }
            (Chore::ReadToTheEnd, None) => {
                "`while (fgets(line, sizeof line, stdin))` in C, `while (std::getline(std::cin, line))` in C++"
            }
        }
    }

    /// The reason why a script in this language ends without a message, and the way to find the place.
    pub fn silent_end(self) -> Option<&'static str> {
        match self.0? {
            Language::Shell => Some(
                "with `set -e`, a command that returns false ends a script without a message, also a test such as \
             `[ ... ] && ...` that is the last command of a function; `sh -x FILE` shows the last command",
            ),
            Language::Python
            | Language::JavaScript
            | Language::Java
            | Language::Ruby
            | Language::Perl
            | Language::Lua
            | Language::Php
            | Language::Go
            | Language::Rust
            | Language::DotNet
            | Language::C
            | Language::Cpp => None,
        }
    }

    /// The way to read whole lines, however long.
    pub fn long_lines(self) -> &'static str {
        match self.0 {
            None | Some(Language::C | Language::Cpp) => {
                "in C, `getline(&line, &size, stdin)` has no limit, where `fgets` ends at the size of its buffer; \
             `std::getline` in C++ has none either"
            }
            Some(Language::Go) => {
                "give the scanner room by `scanner.Buffer(nil, 1<<20)`, or use `reader.ReadString('\\n')`"
            }
            Some(Language::JavaScript) => {
                "use `readline`, or keep what follows the last newline for the next chunk"
            }
            Some(
                language @ (Language::Python
                | Language::Java
                | Language::Ruby
                | Language::Perl
                | Language::Lua
                | Language::Php
                | Language::Shell
                | Language::Rust
                | Language::DotNet),
            ) => language.to_the_end(),
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
