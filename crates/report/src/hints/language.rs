//! The language of a bot, detected from its command, and the code for common tasks in it.

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

/// Languages, each with the programs and file extensions that reveal it, and true if its output is buffered by default.
/// linesman starts Python without a buffer.
const KNOWN: [(Language, &[&str], &[&str], bool); 13] = [
    (Language::Python, &["python", "pypy"], &["py"], false),
    (Language::JavaScript, &["node", "deno", "bun"], &["js", "mjs", "cjs", "ts"], false),
    (Language::Java, &["java"], &["java", "jar"], true),
    (Language::Ruby, &["ruby", "irb"], &["rb"], true),
    (Language::Perl, &["perl"], &["pl"], true),
    (Language::Lua, &["lua"], &["lua"], true),
    (Language::Php, &["php"], &["php"], true),
    (Language::Shell, &["sh", "bash", "dash", "zsh", "ksh"], &["sh"], false),
    (Language::Go, &["go"], &["go"], false),
    (Language::Rust, &["cargo"], &["rs"], false),
    (Language::DotNet, &["dotnet", "mono"], &["cs", "dll"], false),
    (Language::C, &[], &["c"], true),
    (Language::Cpp, &[], &["cpp", "cc", "cxx"], true),
];

impl Language {
    pub(super) fn of_word(word: &str) -> Option<Language> {
        let name = word.rsplit('/').next().unwrap_or(word);
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        // `python3`, `python3.11`, `lua5.4`
        let program = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let known =
            KNOWN.iter().find(|(_, programs, ends, _)| programs.contains(&program) || ends.contains(&end));
        known.map(|(language, ..)| *language)
    }

    /// Returns instructions for the author to start a source file in the language as a bot.
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
            format!("compile `{file}` first, for example with `{build}`, and give `{command}` as the command")
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
}

/// The language of a bot, if its command or its source reveals it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct BotLanguage(pub(super) Option<Language>);

impl BotLanguage {
    /// Returns the language of the bot that a command starts.
    pub fn of(command: &[String]) -> BotLanguage {
        BotLanguage(command.iter().find_map(|word| Language::of_word(word)))
    }

    /// Returns the language of a file, by its name.
    pub fn of_source(file: &str) -> BotLanguage {
        BotLanguage(Language::of_word(file))
    }

    /// True if the language is known.
    pub fn is_known(self) -> bool {
        self.0.is_some()
    }

    /// True if output is buffered by default, as far as is known.
    pub(super) fn buffers(self) -> bool {
        KNOWN.iter().find(|(language, ..)| self.0 == Some(*language)).is_none_or(|(.., buffers)| *buffers)
    }

    /// Returns the statement that prints a move as a whole line and flushes it. For an unknown language, this and the
    /// next three are in C and C++.
    pub fn answer(self) -> &'static str {
        match self.0 {
            Some(Language::Python) => "`print(\"bestmove\", move, flush=True)`",
            Some(Language::JavaScript) => "`console.log(\"bestmove \" + move)`",
            Some(Language::Java) => "`System.out.println(\"bestmove \" + move); System.out.flush();`",
            Some(Language::Ruby) => "`puts \"bestmove #{move}\"; $stdout.flush`",
            Some(Language::Perl) => "`$| = 1;` at the top and `print \"bestmove $move\\n\";`",
            Some(Language::Lua) => "`print(\"bestmove \" .. move); io.stdout:flush()`",
            Some(Language::Php) => "`echo \"bestmove $move\\n\"; flush();`",
            Some(Language::Shell) => "`echo \"bestmove $move\"`",
            Some(Language::Go) => "`fmt.Println(\"bestmove\", move)`",
            Some(Language::Rust) => "`println!(\"bestmove {mv}\")`, then `io::stdout().flush()`",
            Some(Language::DotNet) => "`Console.WriteLine(\"bestmove \" + move)`",
            Some(Language::C) => "`printf(\"bestmove %s\\n\", move); fflush(stdout);`",
            Some(Language::Cpp) => "`std::cout << \"bestmove \" << move << std::endl;`",
            None => {
                "`printf(\"bestmove %s\\n\", move); fflush(stdout);` in C, `std::cout << \"bestmove \" << move << \
                 std::endl;` in C++"
            }
        }
    }

    /// Returns the expression that splits a line into words at any blanks.
    pub fn words(self) -> &'static str {
        match self.0 {
            Some(Language::Python) => "`line.split()`",
            Some(Language::JavaScript) => "`line.trim().split(/\\s+/)`",
            Some(Language::Java) => "`line.trim().split(\"\\\\s+\")`",
            Some(Language::Ruby) => "`line.split`",
            Some(Language::Perl) => "`split ' ', $line`",
            Some(Language::Lua) => "`line:gmatch(\"%S+\")`",
            Some(Language::Php) => "`preg_split('/\\s+/', trim($line))`",
            Some(Language::Shell) => "`set -- $(printf '%s' \"$line\" | tr -d '\\r')`",
            Some(Language::Go) => "`strings.Fields(line)`",
            Some(Language::Rust) => "`line.split_whitespace()`",
            Some(Language::DotNet) => "`line.Split((char[])null, StringSplitOptions.RemoveEmptyEntries)`",
            Some(Language::C) => "`strtok(line, \" \\t\\r\\n\")`",
            Some(Language::Cpp) => "`std::istringstream(line) >> word`",
            None => "`strtok(line, \" \\t\\r\\n\")` in C, `std::istringstream(line) >> word` in C++",
        }
    }

    /// Returns the statement that prints a text to stderr.
    pub fn stderr(self) -> &'static str {
        match self.0 {
            Some(Language::Python) => "`print(text, file=sys.stderr)`",
            Some(Language::JavaScript) => "`console.error(text)`",
            Some(Language::Java) => "`System.err.println(text)`",
            Some(Language::Ruby) => "`warn text`",
            Some(Language::Perl) => "`print STDERR $text`",
            Some(Language::Lua) => "`io.stderr:write(text)`",
            Some(Language::Php) => "`fwrite(STDERR, $text)`",
            Some(Language::Shell) => "`echo \"$text\" >&2`",
            Some(Language::Go) => "`fmt.Fprintln(os.Stderr, text)`",
            Some(Language::Rust) => "`eprintln!(\"{text}\")`",
            Some(Language::DotNet) => "`Console.Error.WriteLine(text)`",
            Some(Language::C) => "`fprintf(stderr, \"%s\\n\", text)`",
            Some(Language::Cpp) => "`std::cerr << text << std::endl`",
            None => "`fprintf(stderr, \"%s\\n\", text)` in C, `std::cerr << text << std::endl` in C++",
        }
    }

    /// Returns the loop or the handler that ends with the input.
    pub fn to_the_end(self) -> &'static str {
        match self.0 {
            Some(Language::Python) => "`for line in sys.stdin:`",
            Some(Language::JavaScript) => "`readline.on(\"close\", () => process.exit(0))`",
            Some(Language::Java) => "`while ((line = in.readLine()) != null)`",
            Some(Language::Ruby) => "`while (line = $stdin.gets)`",
            Some(Language::Perl) => "`while (my $line = <STDIN>)`",
            Some(Language::Lua) => "`for line in io.lines() do`",
            Some(Language::Php) => "`while (($line = fgets(STDIN)) !== false)`",
            Some(Language::Shell) => "`while read -r line; do`",
            Some(Language::Go) => "`for scanner.Scan()`",
            Some(Language::Rust) => "`for line in io::stdin().lines()`",
            Some(Language::DotNet) => "`while ((line = Console.ReadLine()) != null)`",
            Some(Language::C) => "`while (getline(&line, &size, stdin) >= 0)`",
            Some(Language::Cpp) => "`while (std::getline(std::cin, line))`",
            None => {
                "`while (fgets(line, sizeof line, stdin))` in C, `while (std::getline(std::cin, line))` in C++"
            }
        }
    }

    /// Returns the reason why a script in this language ends without a message, and the way to find the place.
    pub fn silent_end(self) -> Option<&'static str> {
        (self.0? == Language::Shell).then_some(
            "with `set -e`, a command that returns false ends a script without a message, also a test such as \
             `[ ... ] && ...` that is the last command of a function; `sh -x FILE` shows the last command",
        )
    }

    /// Returns the way to read whole lines of any length.
    pub fn long_lines(self) -> &'static str {
        match self.0 {
            None | Some(Language::C | Language::Cpp) => {
                "in C, `getline(&line, &size, stdin)` has no limit, where `fgets` ends at the size of its buffer; \
             `std::getline` in C++ has none either"
            }
            Some(Language::Go) => {
                "enlarge the scanner's buffer with `scanner.Buffer(nil, 1<<20)`, or use `reader.ReadString('\\n')`"
            }
            Some(Language::JavaScript) => {
                "use `readline`, or keep what follows the last newline for the next chunk"
            }
            Some(_) => self.to_the_end(),
        }
    }
}
