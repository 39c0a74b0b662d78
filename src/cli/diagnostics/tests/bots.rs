//! Diagnostics of bots and their number.

use std::ffi::OsStr;

use super::*;
use crate::league::bots::{Surroundings, identify_all};
use crate::league::file::Source;

#[test]
fn names_of_bots_are_checked() {
    insta::assert_snapshot!(shown_bot("name = \"greedy\"\ncommand = \"./a\""), @r#"
    error: two bots are named `greedy`
      --> league.toml:14:8
       |
     6 | name = "greedy"
       |        -------- the first
    ...
    14 | name = "greedy"
       |        ^^^^^^^^ the second
    "#);
    insta::assert_snapshot!(shown_bot("name = \"my bot\"\ncommand = \"./a\""), @r#"
    error: a bot can't be named `my bot`
      --> league.toml:14:8
       |
    14 | name = "my bot"
       |        ^^^^^^^^ use only letters `a` to `z` and `A` to `Z`, digits and `.` `_` `+` `-`, not spaces
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a~b\"\ncommand = \"./a\"\n[[bots]]\nname = \"\"\ncommand = \"b\"\n[[bots]]\nname = \"abcdefghijabcdefghijabcdefghijabcdefghijk\"\ncommand = \"b\"\n[[bots]]\nname = \"..\"\ncommand = \"b\""), @r#"
    error: a bot can't be named `a~b`
      --> league.toml:14:8
       |
    14 | name = "a~b"
       |        ^^^^^ use only letters `a` to `z` and `A` to `Z`, digits and `.` `_` `+` `-`, not `~`

    error: a bot can't be named ``
      --> league.toml:17:8
       |
    17 | name = ""
       |        ^^ a name needs at least one letter or digit

    error: a bot can't be named `abcdefghijabcdefghijabcdefghijabcdefghijk`
      --> league.toml:20:8
       |
    20 | name = "abcdefghijabcdefghijabcdefghijabcdefghijk"
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 41 characters; the maximum is 40

    error: a bot can't be named `..`
      --> league.toml:23:8
       |
    23 | name = ".."
       |        ^^^^ a name needs at least one letter or digit
    "#);
    insta::assert_snapshot!(shown_bot("name = \"-v\"\ncommand = \"./a\""), @r#"
    error: a bot can't be named `-v`
      --> league.toml:14:8
       |
    14 | name = "-v"
       |        ^^^^ a name may not begin with `-`: commands would take it for an option
    "#);
    insta::assert_snapshot!(shown_bot("dir = 3\nthreads = 0"), @r#"
    error: a bot has no `name`
      --> league.toml:13:1
       |
    13 | [[bots]]
       | ^^^^^^^^ this bot
       |
       = hint: add `name = "greedy"` below the heading

    error: a bot has no `command`
      --> league.toml:13:1
       |
    13 | [[bots]]
       | ^^^^^^^^ this bot
       |
       = hint: add the command that starts it: `command = "python3 my_bot.py"`

    error: `dir` must be a string
      --> league.toml:14:7
       |
    14 | dir = 3
       |       ^ this is a whole number

    error: `threads` can't be `0`
      --> league.toml:15:11
       |
    15 | threads = 0
       |           ^ must be from 1 to 4096
    "#);
}

#[test]
fn commands_are_checked() {
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"\""), @r#"
    error: the command is empty
      --> league.toml:15:11
       |
    15 | command = ""
       |           ^^ no program to start
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"sh 'my bot\""), @r#"
    error: a quote in the command is not closed
      --> league.toml:15:11
       |
    15 | command = "sh 'my bot"
       |           ^^^^^^^^^^^^ every `"` and `'` needs a closing one
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"cd bots && ./a\""), @r#"
    error: the command contains `&&`, which only a shell understands
      --> league.toml:15:11
       |
    15 | command = "cd bots && ./a"
       |           ^^^^^^^^^^^^^^^^ no shell runs this command
       |
       = hint: put the command into a script, or into `sh -c '...'`
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"SEED=1 ./a\""), @r#"
    error: the command begins with an environment variable: `SEED=1`
      --> league.toml:15:11
       |
    15 | command = "SEED=1 ./a"
       |           ^^^^^^^^^^^^ no shell runs this command
       |
       = hint: add `env = { SEED = "1" }` in a tournament file; elsewhere, begin the command with `env`
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = [\"./a\", 3]"), @r#"
    error: `command` must be a string or an array of strings
      --> league.toml:15:19
       |
    15 | command = ["./a", 3]
       |                   ^ this is a whole number
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = []\nenv = { \"A=B\" = 1, C = 1.5 }\noptions = { Text = \"two\\nlines\" }"), @r#"
    error: the command is empty
      --> league.toml:15:11
       |
    15 | command = []
       |           ^^ no program to start

    error: `A=B` can't be an environment variable
      --> league.toml:16:9
       |
    16 | env = { "A=B" = 1, C = 1.5 }
       |         ^^^^^ a name can't be empty or contain `=`

    error: `C` must be a whole number, a string, `true` or `false`
      --> league.toml:16:24
       |
    16 | env = { "A=B" = 1, C = 1.5 }
       |                        ^^^ this is a number with a fraction

    error: `Text` contains a control character
      --> league.toml:17:20
       |
    17 | options = { Text = "two\nlines" }
       |                    ^^^^^^^^^^^^ remove line breaks and other control characters
    "#);
}

#[test]
fn a_game_needs_its_bots() {
    insta::assert_snapshot!(
        shown("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n[[bots]]\nname = \"a\"\ncommand = \"./a\"\n"),
        @r"
    error: `quixo` needs at least 2 bots, but there is only one
     --> league.toml:4:1
      |
    4 | [[bots]]
      | ^^^^^^^^ the only bot
    "
    );
    insta::assert_snapshot!(shown("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nbots = []\n"), @r"
    error: `quixo` needs at least 2 bots, but there are none
    --> league.toml
    ");
}

#[test]
fn a_schedule_has_an_end() {
    let bots: String =
        (0..40).map(|bot| format!("[[bots]]\nname = \"bot{bot}\"\ncommand = \"./bot\"\n")).collect();
    insta::assert_snapshot!(
        shown(&format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nrounds = 1000000\n{bots}")),
        @r"
    error: the schedule has more than 1000000000 games
     --> league.toml:4:10
      |
    4 | rounds = 1000000
      |          ^^^^^^^ with 40 bots
    "
    );
}

#[test]
fn bots_that_cannot_be_started_are_shown_in_the_file() {
    let text = format!(
        "version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{BOTS}
[[bots]]
name = \"ada\"
command = \"./no-such-bot --fast\"

[[bots]]
name = \"bob\"
command = [\"no-such-program\", \"bob.py\"]

[[bots]]
name = \"cleo\"
command = \"./cleo\"
dir = \"no-such-folder\"
"
    );
    let tournament = parse(&text, &context()).unwrap();
    let source = Source { name: "league.toml".to_owned(), text };
    let surroundings = Surroundings { path: OsStr::new(""), software: "linesman 0.1.0" };
    let diagnostics =
        identify_all(&tournament, &source, surroundings).expect_err("three bots can't be started");
    insta::assert_snapshot!(render(&diagnostics, Colours::Off), @r#"
    error: bot `ada` can't be started: there is no file `no-such-bot`
      --> league.toml:15:11
       |
    15 | command = "./no-such-bot --fast"
       |           ^^^^^^^^^^^^^^^^^^^^^^ not found
       |
       = hint: a bot runs in the tournament file's folder unless `dir` is set

    error: bot `bob` can't be started: there is no program `no-such-program` on the PATH
      --> league.toml:19:11
       |
    19 | command = ["no-such-program", "bob.py"]
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the first word must be a program

    error: bot `cleo` can't be started: there is no folder `no-such-folder`
      --> league.toml:24:7
       |
    24 | dir = "no-such-folder"
       |       ^^^^^^^^^^^^^^^^ not found
       |
       = hint: a bot runs in the tournament file's folder unless `dir` is set
    "#);
}

#[test]
fn more_games_or_threads_than_cores_need_oversubscribe() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nconcurrency = 3"), @r"
    error: 3 games at once need more cores than there are
     --> league.toml:4:15
      |
    4 | concurrency = 3
      |               ^ this machine has 2 cores
      |
      = hint: lower the number, or set `oversubscribe = true`: bots then share cores and may lose on time for it
    ");
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"./a\"\nthreads = 4"), @r"
    error: a bot with 4 threads needs more cores than there are
      --> league.toml:16:11
       |
    16 | threads = 4
       |           ^ this machine has 2 cores
       |
       = hint: lower the number, or set `oversubscribe = true`: bots then share cores and may lose on time for it
    ");
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nconcurrency = 0"), @r"
    error: `concurrency` can't be `0`
     --> league.toml:4:15
      |
    4 | concurrency = 0
      |               ^ must be from 1 to 100000
    ");
}
