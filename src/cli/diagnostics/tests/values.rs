//! Diagnostics of keys and values.

use super::*;

#[test]
fn syntax_errors_are_shown_all_at_once() {
    insta::assert_snapshot!(shown("version = 1\ngame = quixo\nmovetime = \"1s\nrounds = = 2\n"), @r#"
    error: invalid TOML: string values must be quoted
     --> league.toml:2:8
      |
    2 | game = quixo
      |        ^^^^^ put it between `"` and `"`

    error: invalid TOML: invalid basic string
     --> league.toml:3:15
      |
    3 | movetime = "1s
      |               ^ expected `"`

    error: invalid TOML: extra `=`
     --> league.toml:4:10
      |
    4 | rounds = = 2
      |          ^
    "#);
    insta::assert_snapshot!(shown("version = 1\n[[bots]\nname = \"a\"\nname = \"b\"\n"), @r"
    error: invalid TOML: unclosed array table
     --> league.toml:2:8
      |
    2 | [[bots]
      |        ^ expected `]`
    ");
    insta::assert_snapshot!(shown("version = 1\ngame = \"quixo\"\ngame = \"quixo\"\nrounds"), @r#"
    error: invalid TOML: duplicate key
     --> league.toml:3:1
      |
    3 | game = "quixo"
      | ^^^^

    error: invalid TOML: key with no value
     --> league.toml:4:7
      |
    4 | rounds
      |       ^ expected `=`
    "#);
    insta::assert_snapshot!(shown("{\"version\": 1}"), @r#"
    error: invalid TOML: invalid key-value pair
     --> league.toml:1:1
      |
    1 | {"version": 1}
      | ^ expected key
    "#);
}

#[test]
fn an_empty_file_lacks_the_required_keys() {
    insta::assert_snapshot!(shown(""), @r#"
    error: `version` is missing
    --> league.toml
     = hint: begin the file with `version = 1`

    error: `game` is missing
    --> league.toml
     = hint: add the game: `game = "quixo"`

    error: the time control is missing
    --> league.toml
     = hint: add `movetime = "1s"` (a limit for every move) or `tc = "60s+500ms"` (a clock)

    error: `bots` is missing
    --> league.toml
     = hint: add at least two bots, each with the heading `[[bots]]`, then `name = "greedy"` and `command = "linesman bot greedy"`
    "#);
}

#[test]
fn another_version_is_the_only_diagnostic() {
    insta::assert_snapshot!(shown("version = 2\ngames = 3\n"), @r"
    error: unsupported file version 2
     --> league.toml:1:11
      |
    1 | version = 2
      |           ^ this linesman reads version 1
    ");
}

#[test]
fn unknown_keys_are_shown_with_suggestions() {
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
      = hint: move `ready` to `[limits]`

    error: there is no key `zzz`
     --> league.toml:5:1
      |
    5 | zzz = 1
      | ^^^ unknown
      |
      = hint: use one of these keys: `version`, `name`, `game`, `options`, `schedule`, `rounds`, `games`, `challengers`, `single_games`, `best_of`, `sudden_death`, `seed`, `concurrency`, `oversubscribe`, `affinity`, `ponder`, `pause`, `overload`, `sandbox`, `movetime`, `tc`, `nodes`, `depth`, `clock`, `wall_bound`, `margin`, `limits`, `rating`, `test`, `openings`, `adjudication`, `workers`, `bots`, `teams`

    error: there is no key `rounds` in `[rating]`
     --> league.toml:7:1
      |
    7 | rounds = 2
      | ^^^^^^ unknown
      |
      = hint: move `rounds` to the top of the file, before the first `[` heading

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
       = hint: use one of these keys: `name`, `was`, `command`, `dir`, `read`, `scratch`, `needs`, `setup`, `env`, `deterministic`, `options`, `movetime`, `tc`, `nodes`, `depth`, `limits`, `threads`, `elo`

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
      |        ^^ must be 0 or more

    error: `movetime` has no unit
     --> league.toml:5:12
      |
    5 | movetime = 100
      |            ^^^ a duration must be a string with a unit
      |
      = hint: write `"100ms"` or `"100s"`

    error: `margin` has no unit
     --> league.toml:6:10
      |
    6 | margin = "50"
      |          ^^^^ a duration needs a unit
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
      |            ^^^^ must be `auto` or `off`

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

    error: `name` must be one line of text, and not empty
      --> league.toml:12:8
       |
    12 | name = ""
       |        ^^ empty or with a control character
    "#
    );
    insta::assert_snapshot!(shown("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nbots = 3\n"), @r"
    error: `bots` must be an array of tables, each under a `[[bots]]` heading
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
      |      ^^ a clock must be a string with units
      |
      = hint: write `tc = "60s+500ms"`: the initial time and the increment per move

    error: `bots` must be an array of tables, each under a `[[bots]]` heading
     --> league.toml:4:9
      |
    4 | bots = [1, 2]
      |         ^ this is a whole number

    error: `bots` must be an array of tables, each under a `[[bots]]` heading
     --> league.toml:4:12
      |
    4 | bots = [1, 2]
      |            ^ this is a whole number
    "#);
}

#[test]
fn durations_and_sizes_have_units() {
    insta::assert_snapshot!(
        shown_top("game = \"quixo\"\nmovetime = \"100\"\nmargin = \"5 s\"\n[limits]\nstart = 10\nready = \"0s\"\nmove = \"soon\"\noutput_on_move = 8\noutput_off_move = \"8MB\""),
        @r#"
    error: `movetime` has no unit
     --> league.toml:3:12
      |
    3 | movetime = "100"
      |            ^^^^^ a duration needs a unit
      |
      = hint: write `100ms` or `100s`

    error: `margin` is not a valid duration
     --> league.toml:4:10
      |
    4 | margin = "5 s"
      |          ^^^^^ must be a number and a unit, such as `500ms`, `2s`, `1.5s`, `3min` or `1h`

    error: `start` has no unit
     --> league.toml:6:9
      |
    6 | start = 10
      |         ^^ a duration must be a string with a unit
      |
      = hint: write `"10ms"` or `"10s"`

    error: `ready` is too short
     --> league.toml:7:9
      |
    7 | ready = "0s"
      |         ^^^^ the minimum is `1ms`

    error: `move` is not a valid duration
     --> league.toml:8:8
      |
    8 | move = "soon"
      |        ^^^^^^ must be a number and a unit, such as `500ms`, `2s`, `1.5s`, `3min` or `1h`

    error: `output_on_move` has no unit
     --> league.toml:9:18
      |
    9 | output_on_move = 8
      |                  ^ a size must be a string with a unit
      |
      = hint: write `"8KiB"` or `"8MiB"`

    error: `output_off_move` is not a valid size
      --> league.toml:10:19
       |
    10 | output_off_move = "8MB"
       |                   ^^^^^ must be a whole number and a unit: `B`, `KiB`, `MiB` or `GiB`
       |
       = hint: write `8MiB`
    "#
    );
    insta::assert_snapshot!(shown_top("game = \"quixo\"\ntc = \"60+0.5\""), @r#"
    error: `tc` has no unit
     --> league.toml:3:6
      |
    3 | tc = "60+0.5"
      |      ^^^^^^^^ a duration needs a unit
      |
      = hint: write `60ms` or `60s`
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\"\ntc = \"60s+half\"\n[limits]\noutput_on_move = \"0B\""), @r#"
    error: `tc` is not a valid duration
     --> league.toml:3:6
      |
    3 | tc = "60s+half"
      |      ^^^^^^^^^^ must be a number and a unit, such as `500ms`, `2s`, `1.5s`, `3min` or `1h`
      |
      = hint: write the initial time and the increment per move: `60s+500ms`

    error: `output_on_move` can't be zero
     --> league.toml:5:18
      |
    5 | output_on_move = "0B"
      |                  ^^^^ the minimum is `1B`
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\"\ntc = \"0/60s\""), @r#"
    error: `tc` needs a number of moves before the `/`
     --> league.toml:3:6
      |
    3 | tc = "0/60s"
      |      ^^^^^^^ must be from 1 to 9999 moves
      |
      = hint: write `40/60s` for 60 s per 40 moves, or `60s` for the whole game
    "#);
}

#[test]
fn there_is_one_time_control() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\ntc = \"60s+500ms\""), @r#"
    error: `movetime` and `tc` are both given
     --> league.toml:4:6
      |
    3 | movetime = "1s"
      |            ---- a limit per move
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
fn a_cpu_clock_refuses_pondering_and_only_it_has_a_wall_bound() {
    insta::assert_snapshot!(
        shown_top("game = \"quixo\"\nmovetime = \"1s\"\nclock = \"cpu\"\nponder = true\nwall_bound = 0"),
        @r#"
    error: bots can't ponder on a CPU clock
     --> league.toml:5:10
      |
    5 | ponder = true
      |          ^^^^ `clock` is "cpu"
      |
      = hint: remove `ponder` or `clock`: a CPU clock does not count what a bot computes out of turn

    error: `wall_bound` can't be `0`
     --> league.toml:6:14
      |
    6 | wall_bound = 0
      |              ^ must be from 1 to 1000
    "#);
    let text = shown_top("game = \"quixo\"\nmovetime = \"1s\"\nwall_bound = 20");
    assert!(text.contains("`wall_bound` requires a CPU clock"), "{text}");
    let text = shown_top("game = \"quixo\"\nmovetime = \"1s\"\nclock = \"cup\"\nwall_bound = 20");
    assert!(text.contains("`cpu`") && !text.contains("`wall_bound`"), "{text}");
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
      = hint: run `linesman games` for a list of games
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
      = hint: use one of its options: `size`, `max_plies`, `repetition`

    error: option `size` can't be `9`
     --> league.toml:4:46
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                                              ^ must be 3 to 8

    error: option `max_plies` can't be `true`
     --> league.toml:4:61
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                                                             ^^^^ must be 1 to 1000000, or 0 for off

    error: option `repetition` can't be `1`
     --> league.toml:4:80
      |
    4 | options = { sice = 4, colour = "red", size = 9, max_plies = true, repetition = 1 }
      |                                                                                ^ must be 2 to 100, or 0 for off
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
fn schedules_and_ratings_are_checked() {
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nschedule = \"round robin\""), @r#"
    error: `schedule` can't be `round robin`
     --> league.toml:4:12
      |
    4 | schedule = "round robin"
      |            ^^^^^^^^^^^^^ must be `round-robin`, `gauntlet`, `swiss`, `knockout` or `ladder`
      |
      = hint: did you mean `round-robin`?
    "#);
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\nschedule = \"swiss\"\nrounds = 0"), @r#"
    error: `rounds` can't be `0`
     --> league.toml:5:10
      |
    5 | rounds = 0
      |          ^ must be from 1 to 1000000
    "#);
    insta::assert_snapshot!(
        shown_top("game = \"quixo\"\nmovetime = \"1s\"\n[rating]\nmethod = \"elo\"\nanchor = \"gready\"\nk = 0\nmean = \"high\""),
        @r#"
    error: `method` can't be `elo`
     --> league.toml:5:10
      |
    5 | method = "elo"
      |          ^^^^^ must be `likelihood` or `incremental`

    error: there is no bot `gready`
     --> league.toml:6:10
      |
    6 | anchor = "gready"
      |          ^^^^^^^^ the anchor must be one of the `[[bots]]`
      |
      = hint: did you mean `greedy`?

    error: `k` must be greater than 0
     --> league.toml:7:5
      |
    7 | k = 0
      |     ^ 0 or less

    error: `mean` must be a number
     --> league.toml:8:8
      |
    8 | mean = "high"
      |        ^^^^^^ this is a string
    "#
    );
    insta::assert_snapshot!(shown_top("game = \"quixo\"\nmovetime = \"1s\"\n[rating]\nk = 10"), @r#"
    error: `k` requires `method = "incremental"`
     --> league.toml:5:5
      |
    5 | k = 10
      |     ^^ the method is `likelihood`
      |
      = hint: remove `k`, or change `method`
    "#);
}

#[test]
fn text_beyond_ascii_is_underlined_at_its_place() {
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
