//! Every mistake of a tournament file as people see it.

use std::ffi::OsStr;
use std::num::NonZeroU32;
use std::path::Path;

use super::*;
use crate::league::bots::{Surroundings, identify_all};
use crate::league::file::{Context, Source, compare, parse};

fn context() -> Context {
    Context::of_file(Path::new("league.toml"), NonZeroU32::new(2))
}

/// What is shown for a file with mistakes.
#[track_caller]
fn shown(text: &str) -> String {
    render(&parse(text, &context()).expect_err("the file has mistakes"), Colours::Off)
}

const BOTS: &str = r#"
[[bots]]
name = "greedy"
command = "linesman bot greedy"

[[bots]]
name = "random"
command = "linesman bot random"
"#;

/// A file that is right but for some lines at its top.
#[track_caller]
fn shown_top(lines: &str) -> String {
    shown(&format!("version = 1\n{lines}\n{BOTS}"))
}

/// A file that is right but for some lines of its last bot.
#[track_caller]
fn shown_bot(lines: &str) -> String {
    shown(&format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{BOTS}\n[[bots]]\n{lines}\n"))
}

#[test]
fn syntax_errors_are_shown_all_at_once() {
    insta::assert_snapshot!(shown("version = 1\ngame = quixo\nmovetime = \"1s\nrounds = = 2\n"), @r#"
    error: the file is not TOML: string values must be quoted
     --> league.toml:2:8
      |
    2 | game = quixo
      |        ^^^^^ put it between `"` and `"`

    error: the file is not TOML: invalid basic string
     --> league.toml:3:15
      |
    3 | movetime = "1s
      |               ^ expected `"`

    error: the file is not TOML: extra `=`
     --> league.toml:4:10
      |
    4 | rounds = = 2
      |          ^
    "#);
    insta::assert_snapshot!(shown("version = 1\n[[bots]\nname = \"a\"\nname = \"b\"\n"), @r"
    error: the file is not TOML: unclosed array table
     --> league.toml:2:8
      |
    2 | [[bots]
      |        ^ expected `]`
    ");
    insta::assert_snapshot!(shown("version = 1\ngame = \"quixo\"\ngame = \"quixo\"\nrounds"), @r#"
    error: the file is not TOML: duplicate key
     --> league.toml:3:1
      |
    3 | game = "quixo"
      | ^^^^

    error: the file is not TOML: key with no value
     --> league.toml:4:7
      |
    4 | rounds
      |       ^ expected `=`
    "#);
    insta::assert_snapshot!(shown("{\"version\": 1}"), @r#"
    error: the file is not TOML: invalid key-value pair
     --> league.toml:1:1
      |
    1 | {"version": 1}
      | ^ expected key
    "#);
}

#[test]
fn an_empty_file_is_told_what_is_missing() {
    insta::assert_snapshot!(shown(""), @r#"
    error: `version` is missing
    --> league.toml
     = hint: begin the file with `version = 1`

    error: `game` is missing
    --> league.toml
     = hint: say what is played: `game = "quixo"`

    error: the time control is missing
    --> league.toml
     = hint: add `movetime = "1s"` (a limit for every move) or `tc = "60s+500ms"` (a clock)

    error: `bots` is missing
    --> league.toml
     = hint: add at least two: `[[bots]]`, and below it `name = "greedy"` and `command = "linesman bot greedy"`
    "#);
}

#[test]
fn another_version_is_the_only_mistake() {
    insta::assert_snapshot!(shown("version = 2\ngames = 3\n"), @r"
    error: this file has version 2
     --> league.toml:1:11
      |
    1 | version = 2
      |           ^ this linesman reads version 1
    ");
}

#[test]
fn unknown_keys_are_shown_with_what_was_meant() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovtime = \"1s\"\nroundz = 2"), @r#"
    error: there is no key `movtime`
     --> league.toml:3:1
      |
    3 | movtime = "1s"
      | ^^^^^^^ unknown
      |
      = hint: did you mean `movetime`?

    error: there is no key `roundz`
     --> league.toml:4:1
      |
    4 | roundz = 2
      | ^^^^^^ unknown
      |
      = hint: did you mean `rounds`?
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nready = \"1s\"\nzzz = 1\n[rating]\nrounds = 2\nmeen = 3"), @r#"
    error: there is no key `ready`
     --> league.toml:4:1
      |
    4 | ready = "1s"
      | ^^^^^ unknown
      |
      = hint: `ready` belongs in `[limits]`

    error: there is no key `zzz`
     --> league.toml:5:1
      |
    5 | zzz = 1
      | ^^^ unknown
      |
      = hint: the keys here are `version`, `name`, `game`, `options`, `schedule`, `rounds`, `seed`, `concurrency`, `oversubscribe`, `affinity`, `movetime`, `tc`, `margin`, `limits`, `rating`, `bots`

    error: there is no key `rounds` in `[rating]`
     --> league.toml:7:1
      |
    7 | rounds = 2
      | ^^^^^^ unknown
      |
      = hint: `rounds` stands at the top of the file, before the first `[` heading

    error: there is no key `meen` in `[rating]`
     --> league.toml:8:1
      |
    8 | meen = 3
      | ^^^^ unknown
      |
      = hint: did you mean `mean`?
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncmd = \"./a\"\ncommand = \"./a\"\nlimits = { mov = \"1s\" }"), @r#"
    error: there is no key `cmd` in `[[bots]]`
      --> league.toml:15:1
       |
    15 | cmd = "./a"
       | ^^^ unknown
       |
       = hint: the keys here are `name`, `command`, `dir`, `env`, `options`, `limits`, `threads`

    error: there is no key `mov` in `[limits]`
      --> league.toml:17:12
       |
    17 | limits = { mov = "1s" }
       |            ^^^ unknown
       |
       = hint: did you mean `move`?
    "#);
}

#[test]
fn wrong_types_are_shown_with_what_is_expected() {
    insta::assert_snapshot!(
        shown_top("game = 5\nrounds = \"2\"\nseed = -1\nmovetime = 100\nmargin = \"50\"\noversubscribe = \"true\"\naffinity = \"on\"\nconcurrency = 2.5\nlimits = 3\nrating = []\nname = \"\""),
        @r#"
    error: `game` must be a string
     --> league.toml:2:8
      |
    2 | game = 5
      |        ^ this is a whole number

    error: `rounds` must be a whole number
     --> league.toml:3:10
      |
    3 | rounds = "2"
      |          ^^^ this is a string
      |
      = hint: write `rounds = 2`, without quotes

    error: `seed` can't be `-1`
     --> league.toml:4:8
      |
    4 | seed = -1
      |        ^^ it is 0 or more

    error: `movetime` has no unit
     --> league.toml:5:12
      |
    5 | movetime = 100
      |            ^^^ a duration is a string and carries its unit
      |
      = hint: write `"100ms"` or `"100s"`

    error: `margin` has no unit
     --> league.toml:6:10
      |
    6 | margin = "50"
      |          ^^^^ a duration carries its unit
      |
      = hint: write `50ms` or `50s`

    error: `oversubscribe` must be `true` or `false`
     --> league.toml:7:17
      |
    7 | oversubscribe = "true"
      |                 ^^^^^^ this is a string
      |
      = hint: write `oversubscribe = true`, without quotes

    error: `affinity` can't be `on`
     --> league.toml:8:12
      |
    8 | affinity = "on"
      |            ^^^^ it is `auto` or `off`

    error: `concurrency` must be `"auto"` or a whole number of games
     --> league.toml:9:15
      |
    9 | concurrency = 2.5
      |               ^^^ this is a number with a fraction

    error: `limits` must be a table
      --> league.toml:10:10
       |
    10 | limits = 3
       |          ^ this is a whole number

    error: `rating` must be a table
      --> league.toml:11:10
       |
    11 | rating = []
       |          ^^ this is an array

    error: `name` can't be shown
      --> league.toml:12:8
       |
    12 | name = ""
       |        ^^ one line of text that is not empty
    "#
    );
    insta::assert_snapshot!(shown("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nbots = 3\n"), @r"
    error: `bots` must be an array of tables, each with the heading `[[bots]]`
     --> league.toml:4:8
      |
    4 | bots = 3
      |        ^ this is a whole number
    ");
    insta::assert_snapshot!(shown("version = \"1\"\ngame = \"quixo\"\ntc = 60\nbots = [1, 2]\n"), @r#"
    error: `version` must be a whole number
     --> league.toml:1:11
      |
    1 | version = "1"
      |           ^^^ this is a string
      |
      = hint: write `version = 1`, without quotes

    error: `tc` has no unit
     --> league.toml:3:6
      |
    3 | tc = 60
      |      ^^ a clock is a string with units
      |
      = hint: write `tc = "60s+500ms"`: the time at the start, and what each move adds

    error: `bots` must be an array of tables, each with the heading `[[bots]]`
     --> league.toml:4:9
      |
    4 | bots = [1, 2]
      |         ^ this is a whole number

    error: `bots` must be an array of tables, each with the heading `[[bots]]`
     --> league.toml:4:12
      |
    4 | bots = [1, 2]
      |            ^ this is a whole number
    "#);
}

#[test]
fn durations_and_sizes_carry_units() {
    insta::assert_snapshot!(
        shown_top("game = \"quixo\"\nmovetime = \"100\"\nmargin = \"5 s\"\n[limits]\nstart = 10\nready = \"0s\"\nmove = \"soon\"\noutput_on_move = 8\noutput_off_move = \"8MB\""),
        @r#"
    error: `movetime` has no unit
     --> league.toml:3:12
      |
    3 | movetime = "100"
      |            ^^^^^ a duration carries its unit
      |
      = hint: write `100ms` or `100s`

    error: `margin` is no duration
     --> league.toml:4:10
      |
    4 | margin = "5 s"
      |          ^^^^^ a number and a unit: `500ms`, `2s`, `1.5s`, `3min`, `1h`

    error: `start` has no unit
     --> league.toml:6:9
      |
    6 | start = 10
      |         ^^ a duration is a string and carries its unit
      |
      = hint: write `"10ms"` or `"10s"`

    error: `ready` is too short
     --> league.toml:7:9
      |
    7 | ready = "0s"
      |         ^^^^ the least is `1ms`

    error: `move` is no duration
     --> league.toml:8:8
      |
    8 | move = "soon"
      |        ^^^^^^ a number and a unit: `500ms`, `2s`, `1.5s`, `3min`, `1h`

    error: `output_on_move` has no unit
     --> league.toml:9:18
      |
    9 | output_on_move = 8
      |                  ^ a size is a string and carries its unit
      |
      = hint: write `"8KiB"` or `"8MiB"`

    error: `output_off_move` is no size
      --> league.toml:10:19
       |
    10 | output_off_move = "8MB"
       |                   ^^^^^ a whole number and a unit: `B`, `KiB`, `MiB`, `GiB`
    "#
    );
    insta::assert_snapshot!(shown_top("game = \"quixo\"\ntc = \"60+0.5\""), @r#"
    error: `tc` has no unit
     --> league.toml:3:6
      |
    3 | tc = "60+0.5"
      |      ^^^^^^^^ a duration carries its unit
      |
      = hint: write `60ms` or `60s`
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\"\ntc = \"60s+half\"\n[limits]\noutput_on_move = \"0B\""), @r#"
    error: `tc` is no duration
     --> league.toml:3:6
      |
    3 | tc = "60s+half"
      |      ^^^^^^^^^^ a number and a unit: `500ms`, `2s`, `1.5s`, `3min`, `1h`
      |
      = hint: a clock is the time at the start and what each move adds: `60s+500ms`

    error: `output_on_move` can't be nothing
     --> league.toml:5:18
      |
    5 | output_on_move = "0B"
      |                  ^^^^ it is `1B` or more
    "#);
}

#[test]
fn there_is_one_time_control() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\ntc = \"60s+500ms\""), @r#"
    error: `movetime` and `tc` are both given
     --> league.toml:4:6
      |
    3 | movetime = "1s"
      |            ---- a limit a move
    4 | tc = "60s+500ms"
      |      ^^^^^^^^^^^ a clock
      |
      = hint: keep one: `movetime` is the same limit for every move, `tc` a clock for the whole game
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\""), @r#"
    error: the time control is missing
    --> league.toml
     = hint: add `movetime = "1s"` (a limit for every move) or `tc = "60s+500ms"` (a clock)
    "#);
}

#[test]
fn games_and_options_are_checked() {
    insta::assert_snapshot!(shown_top("game = \"quicko\"\nmovetime = \"1s\""), @r#"
    error: there is no game `quicko`
     --> league.toml:2:8
      |
    2 | game = "quicko"
      |        ^^^^^^^^ unknown
      |
      = hint: did you mean `quixo`?
    "#);
    insta::assert_snapshot!(shown_top("game = \"chess\"\nmovetime = \"1s\""), @r#"
    error: there is no game `chess`
     --> league.toml:2:8
      |
    2 | game = "chess"
      |        ^^^^^^^ unknown
      |
      = hint: `linesman games` lists them
    "#);
    insta::assert_snapshot!(
        shown_top("game = \"quixo\"\nmovetime = \"1s\"\noptions = { sice = 4, colour = \"red\", size = 9, max_plies = true, repetition = 1 }"),
        @r#"
    error: `quixo` has no option `sice`
     --> league.toml:4:13
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |             ^^^^ unknown
      |
      = hint: did you mean `size`?

    error: `quixo` has no option `colour`
     --> league.toml:4:23
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                       ^^^^^^ unknown
      |
      = hint: its options are `size`, `max_plies`, `repetition`

    error: option `size` can't be `9`
     --> league.toml:4:46
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                                              ^ it takes 3 to 8

    error: option `max_plies` can't be `true`
     --> league.toml:4:61
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                                                             ^^^^ it takes 1 to 1000000 or 0 = off

    error: option `repetition` can't be `1`
     --> league.toml:4:80
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                                                                                ^ it takes 2 to 100 or 0 = off
    "#
    );
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\n[options]\nsize = 4.0\nrepetition = [3]"), @r"
    error: `size` must be a whole number, a string, `true` or `false`
     --> league.toml:5:8
      |
    5 | size = 4.0
      |        ^^^ this is a number with a fraction

    error: `repetition` must be a whole number, a string, `true` or `false`
     --> league.toml:6:14
      |
    6 | repetition = [3]
      |              ^^^ this is an array
    ");
}

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
       |        ^^^^^^^^ letters `a` to `z` and `A` to `Z`, digits and `.` `_` `+` `-` are allowed, spaces are not
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a~b\"\ncommand = \"./a\"\n[[bots]]\nname = \"\"\ncommand = \"b\"\n[[bots]]\nname = \"abcdefghijabcdefghijabcdefghijabcdefghijk\"\ncommand = \"b\"\n[[bots]]\nname = \"..\"\ncommand = \"b\""), @r#"
    error: a bot can't be named `a~b`
      --> league.toml:14:8
       |
    14 | name = "a~b"
       |        ^^^^^ letters `a` to `z` and `A` to `Z`, digits and `.` `_` `+` `-` are allowed, `~` is not

    error: a bot can't be named ``
      --> league.toml:17:8
       |
    17 | name = ""
       |        ^^ a name has at least one letter or digit

    error: a bot can't be named `abcdefghijabcdefghijabcdefghijabcdefghijk`
      --> league.toml:20:8
       |
    20 | name = "abcdefghijabcdefghijabcdefghijabcdefghijk"
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ it has 41 characters, at most 40 are allowed

    error: a bot can't be named `..`
      --> league.toml:23:8
       |
    23 | name = ".."
       |        ^^^^ a name has at least one letter or digit
    "#);
    insta::assert_snapshot!(shown_bot("dir = 3\nthreads = 0"), @r#"
    error: a bot has no `name`
      --> league.toml:13:1
       |
    13 | [[bots]]
       | ^^^^^^^^ this one
       |
       = hint: add `name = "greedy"` below the heading

    error: a bot has no `command`
      --> league.toml:13:1
       |
    13 | [[bots]]
       | ^^^^^^^^ this one
       |
       = hint: say how it is started: `command = "python3 my_bot.py"`

    error: `dir` must be a string
      --> league.toml:14:7
       |
    14 | dir = 3
       |       ^ this is a whole number

    error: `threads` can't be `0`
      --> league.toml:15:11
       |
    15 | threads = 0
       |           ^ it is from 1 to 4096
    "#);
}

#[test]
fn commands_are_checked() {
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"\""), @r#"
    error: the command is empty
      --> league.toml:15:11
       |
    15 | command = ""
       |           ^^ nothing to start
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"sh 'my bot\""), @r#"
    error: a quote in the command is not closed
      --> league.toml:15:11
       |
    15 | command = "sh 'my bot"
       |           ^^^^^^^^^^^^ every `"` and `'` needs its second
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"cd bots && ./a\""), @r#"
    error: the command holds `&&`, which only a shell understands
      --> league.toml:15:11
       |
    15 | command = "cd bots && ./a"
       |           ^^^^^^^^^^^^^^^^ no shell runs this
       |
       = hint: put it into a script, or into `sh -c '...'`
    "#);
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"SEED=1 ./a\""), @r#"
    error: the command begins with an environment variable: `SEED=1`
      --> league.toml:15:11
       |
    15 | command = "SEED=1 ./a"
       |           ^^^^^^^^^^^^ no shell runs this
       |
       = hint: with a tournament file, write `env = { SEED = "1" }`; or begin with `env`
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
       |           ^^ nothing to start

    error: `A=B` can't be an environment variable
      --> league.toml:16:9
       |
    16 | env = { "A=B" = 1, C = 1.5 }
       |         ^^^^^ a name is not empty and holds no `=`

    error: `C` must be a whole number, a string, `true` or `false`
      --> league.toml:16:24
       |
    16 | env = { "A=B" = 1, C = 1.5 }
       |                        ^^^ this is a number with a fraction

    error: `Text` holds a control character
      --> league.toml:17:20
       |
    17 | options = { Text = "two\nlines" }
       |                    ^^^^^^^^^^^^ line breaks and the like can't be passed on
    "#);
}

#[test]
fn a_game_needs_its_bots() {
    insta::assert_snapshot!(
        shown("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n[[bots]]\nname = \"a\"\ncommand = \"./a\"\n"),
        @r"
    error: `quixo` needs at least 2 bots, and there is one
     --> league.toml:4:1
      |
    4 | [[bots]]
      | ^^^^^^^^ the only one
    "
    );
    insta::assert_snapshot!(shown("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nbots = []\n"), @r"
    error: `quixo` needs at least 2 bots, and there is none
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
fn bots_that_cannot_be_started_are_shown_where_they_stand() {
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
    let mistakes = identify_all(&tournament, &source, surroundings).expect_err("three bots can't be started");
    insta::assert_snapshot!(render(&mistakes, Colours::Off), @r#"
    error: bot `ada` can't be started: there is no file `no-such-bot`
      --> league.toml:15:11
       |
    15 | command = "./no-such-bot --fast"
       |           ^^^^^^^^^^^^^^^^^^^^^^ not found
       |
       = hint: a bot runs in the tournament file's folder unless `dir` says otherwise

    error: bot `bob` can't be started: there is no program `no-such-program` on the PATH
      --> league.toml:19:11
       |
    19 | command = ["no-such-program", "bob.py"]
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the first word is a program

    error: bot `cleo` can't be started: there is no folder `no-such-folder`
      --> league.toml:24:7
       |
    24 | dir = "no-such-folder"
       |       ^^^^^^^^^^^^^^^^ not found
       |
       = hint: a bot runs in the tournament file's folder unless `dir` says otherwise
    "#);
}

#[test]
fn more_cores_than_there_are_must_be_asked_for() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nconcurrency = 3"), @r"
    error: 3 games at once need more cores than there are
     --> league.toml:4:15
      |
    4 | concurrency = 3
      |               ^ this machine has 2 cores
      |
      = hint: bots that share a core lose on time for no fault of theirs; `oversubscribe = true` allows it anyway
    ");
    insta::assert_snapshot!(shown_bot("name = \"a\"\ncommand = \"./a\"\nthreads = 4"), @r"
    error: a bot with 4 threads needs more cores than there are
      --> league.toml:16:11
       |
    16 | threads = 4
       |           ^ this machine has 2 cores
       |
       = hint: bots that share a core lose on time for no fault of theirs; `oversubscribe = true` allows it anyway
    ");
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nconcurrency = 0"), @r"
    error: `concurrency` can't be `0`
     --> league.toml:4:15
      |
    4 | concurrency = 0
      |               ^ it is from 1 to 100000
    ");
}

#[test]
fn schedules_and_ratings_are_checked() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nschedule = \"round robin\""), @r#"
    error: `schedule` can't be `round robin`
     --> league.toml:4:12
      |
    4 | schedule = "round robin"
      |            ^^^^^^^^^^^^^ it is `round-robin`
      |
      = hint: did you mean `round-robin`?
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nschedule = \"swiss\"\nrounds = 0"), @r#"
    error: `schedule` can't be `swiss`
     --> league.toml:4:12
      |
    4 | schedule = "swiss"
      |            ^^^^^^^ it is `round-robin`

    error: `rounds` can't be `0`
     --> league.toml:5:10
      |
    5 | rounds = 0
      |          ^ it is from 1 to 1000000
    "#);
    insta::assert_snapshot!(
        shown_top("game = \"quixo\"\nmovetime = \"1s\"\n[rating]\nmethod = \"elo\"\nanchor = \"gready\"\nk = 0\nmean = \"high\""),
        @r#"
    error: `method` can't be `elo`
     --> league.toml:5:10
      |
    5 | method = "elo"
      |          ^^^^^ it is `likelihood` or `incremental`

    error: there is no bot `gready`
     --> league.toml:6:10
      |
    6 | anchor = "gready"
      |          ^^^^^^^^ the anchor is one of the `[[bots]]`
      |
      = hint: did you mean `greedy`?

    error: `k` can't be 0 or less
     --> league.toml:7:5
      |
    7 | k = 0
      |     ^ it is a positive number

    error: `mean` must be a number
     --> league.toml:8:8
      |
    8 | mean = "high"
      |        ^^^^^^ this is a string
    "#
    );
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\n[rating]\nk = 10"), @r#"
    error: `k` means nothing here
     --> league.toml:5:5
      |
    5 | k = 10
      |     ^^ only `method = "incremental"` has a K-factor
      |
      = hint: remove `k`, or set the method
    "#);
}

#[test]
fn text_beyond_ascii_is_underlined_where_it_stands() {
    insta::assert_snapshot!(shown_top("name = \"Größter Pokal\"\ngame = \"quixö\" # früher\nmovetime = \"1s\""), @r#"
    error: there is no game `quixö`
     --> league.toml:3:8
      |
    3 | game = "quixö" # früher
      |        ^^^^^^^ unknown
      |
      = hint: did you mean `quixo`?
    "#);
}

/// What is shown when a run was begun with one file and another one is given.
#[track_caller]
fn shown_change(stored: &str, given: &str) -> String {
    let stored = (Source { name: "runs/league/tournament.toml".to_owned(), text: stored.to_owned() }, stored);
    let given = (Source { name: "league.toml".to_owned(), text: given.to_owned() }, given);
    let old = parse(stored.1, &context()).unwrap();
    let new = parse(given.1, &context()).unwrap();
    let refused = compare((&stored.0, &old), (&given.0, &new)).expect_err("the change is refused");
    render(&refused, Colours::Off)
}

#[test]
fn changes_are_shown_in_both_files() {
    let stored = format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nrounds = 3\n{BOTS}");
    let given = stored
        .replace("\"1s\"", "\"2s\"\nmargin = \"80ms\"")
        .replace("rounds = 3", "rounds = 2\noptions = { size = 4 }")
        .replace("bot random", "bot random --seed 1");
    insta::assert_snapshot!(shown_change(&stored, &given), @r#"
    error: the time control is `movetime=2s`, but the run was begun with `movetime=1s`
     --> league.toml:3:12
      |
    3 | movetime = "2s"
      |            ^^^^ now
      |
     ::: runs/league/tournament.toml:3:12
      |
    3 | movetime = "1s"
      |            ---- when the run was begun

    error: `margin` is `80ms`, but the run was begun with `50ms`
     --> league.toml:4:10
      |
    4 | margin = "80ms"
      |          ^^^^^^ now

    error: `rounds` is smaller: the run was begun with `3`
     --> league.toml:5:10
      |
    5 | rounds = 2
      |          ^ now
      |
     ::: runs/league/tournament.toml:4:10
      |
    4 | rounds = 3
      |          - when the run was begun

    error: `options.size` is `4`, but the run was begun with `5`
     --> league.toml:6:20
      |
    6 | options = { size = 4 }
      |                    ^ now

    error: `bots.random.command` is `linesman bot random --seed 1`, but the run was begun with `linesman bot random`
      --> league.toml:14:11
       |
    14 | command = "linesman bot random --seed 1"
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ now
       |
      ::: runs/league/tournament.toml:12:11
       |
    12 | command = "linesman bot random"
       |           --------------------- when the run was begun
    "#);
    let given =
        stored.replace("name = \"random\"", "name = \"randy\"").replace("movetime = \"1s\"", "tc = \"1min\"");
    insta::assert_snapshot!(shown_change(&stored, &given), @r#"
    error: the time control is `tc=60s+0ms`, but the run was begun with `movetime=1s`
     --> league.toml:3:6
      |
    3 | tc = "1min"
      |      ^^^^^^ now
      |
     ::: runs/league/tournament.toml:3:12
      |
    3 | movetime = "1s"
      |            ---- when the run was begun

    error: bot `random` is gone
      --> runs/league/tournament.toml:11:8
       |
    11 | name = "random"
       |        ^^^^^^^^ when the run was begun
    "#);
}

#[test]
fn colours_are_only_given_when_asked_for() {
    let mistakes = parse("", &context()).unwrap_err();
    assert!(!render(&mistakes, Colours::Off).contains('\u{1b}'));
    assert!(render(&mistakes, Colours::On).contains('\u{1b}'));
}
