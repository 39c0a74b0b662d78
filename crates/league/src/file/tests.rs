use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::kinds::Kind;
use super::*;
use crate::kept::check_file;
use crate::openings::{self, Order};
use crate::schema::Schema;
use linesman_rating::sprt::Model;
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::adjudication::{DrawRule, WinRule};

fn tournaments() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments")
}

fn shipped(name: &str) -> String {
    std::fs::read_to_string(tournaments().join(name)).unwrap()
}

fn compiled_schema() -> Schema {
    Schema::new(serde_json::from_str(&schema::json()).unwrap())
}

#[track_caller]
fn read(text: &str) -> Tournament {
    let context = Context::of_file(Path::new("cups/cup.toml"), NonZeroU32::new(2));
    parse(text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

const MINIMAL: &str = r#"
version = 1
game = "quixo"
movetime = "1s"
[[bots]]
name = "a"
command = "./a --flag 'two words'"
[[bots]]
name = "b"
command = ["./b", "two words"]
"#;

#[test]
fn keys_that_are_not_set_have_their_defaults() {
    let cup = read(MINIMAL);
    assert_eq!(cup.name, "cup");
    assert_eq!(cup.game.options().to_string(), "size=5,max_plies=200,repetition=3");
    assert_eq!((cup.rounds, cup.seed), (1, 1));
    assert_eq!((cup.concurrency, cup.oversubscribe), (Concurrency::Auto, Oversubscribe::Refused));
    assert_eq!(cup.affinity, Affinity::Auto);
    assert_eq!(cup.time_control, TimeControl::MoveTime(Duration::from_secs(1)));
    assert_eq!(cup.margin, Duration::from_millis(50));
    assert_eq!(cup.rating, RatingPlan::default());
    assert_eq!(cup.bots[0].command, ["./a", "--flag", "two words"]);
    assert_eq!(cup.bots[1].command, ["./b", "two words"]);
    assert_eq!((cup.bots[0].folder.as_path(), &cup.bots[0].dir), (Path::new("cups"), &None));
    assert_eq!(cup.bots[0].limits, Limits::default());
}

#[test]
fn all_given_values_are_read() {
    let cup = read(
        r#"
        version = 1
        name = "The cup"
        game = "quixo"
        options = { size = 4, repetition = "0" }
        rounds = 3
        seed = 7
        concurrency = 4
        oversubscribe = true
        affinity = "off"
        tc = "60s+500ms"
        clock = "cpu"
        wall_bound = 20
        margin = "0ms"
        [limits]
        ready = "3s"
        output_on_move = "1MiB"
        [rating]
        mean = 1000
        anchor = "b"
        [[bots]]
        name = "a"
        command = "python3 a.py"
        dir = "../bots"
        env = { SEED = 3, MODE = "fast", LOG = false }
        options = { Depth = 3, Book = "none" }
        limits = { ready = "1min", move = "2s" }
        threads = 2
        [[bots]]
        name = "b"
        command = "linesman bot random"
        "#,
    );
    assert_eq!(cup.name, "The cup");
    assert_eq!(cup.game.options().to_string(), "size=4,max_plies=200,repetition=0");
    assert_eq!((cup.rounds, cup.seed), (3, 7));
    let four = NonZeroU32::new(4).unwrap();
    assert_eq!((cup.concurrency, cup.oversubscribe), (Concurrency::Games(four), Oversubscribe::Allowed));
    assert_eq!(cup.affinity, Affinity::Off);
    assert_eq!(cup.time_control.to_string(), "tc=60s+500ms");
    assert_eq!(cup.clock, ClockKind::Cpu { wall_bound: NonZeroU32::new(20).unwrap() });
    assert_eq!(cup.margin, Duration::ZERO);
    assert_eq!((cup.rating.mean, cup.rating.anchor.as_deref()), (1000.0, Some("b")));
    let [a, b] = cup.bots.as_slice() else { panic!("there are two bots") };
    assert_eq!(a.folder, Path::new("cups/../bots"));
    let environment: Vec<String> =
        a.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(environment, ["LOG=false", "MODE=fast", "SEED=3"]);
    let options: Vec<String> = a.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(options, ["Depth=3", "Book=none"]);
    assert_eq!(
        (a.limits.ready, a.limits.max_move_time),
        (Duration::from_secs(60), Some(Duration::from_secs(2)))
    );
    assert_eq!((b.limits.ready, b.limits.max_move_time), (Duration::from_secs(3), None));
    assert_eq!((a.limits.output_on_move, b.limits.output_on_move), (1 << 20, 1 << 20));
    assert_eq!((a.threads.get(), b.threads.get()), (2, 1));
}

#[test]
fn a_bot_may_have_a_time_control_of_its_own() {
    let with = |line: &str| MINIMAL.replacen("name = \"a\"", &format!("name = \"a\"\n{line}"), 1);
    let context = Context::of_file(Path::new("cup.toml"), None);
    let times = |line: &str| {
        let tournament = parse(&with(line), &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        (tournament.bots[0].time_control.map(|control| control.to_string()), tournament.time_in_words())
    };
    assert_eq!(times(""), (None, "movetime=1s".to_owned()));
    let clock = Some("tc=10s+0ms".to_owned());
    assert_eq!(times("tc = \"10s\""), (clock, "movetime=1s (a: tc=10s+0ms)".to_owned()));
    assert_eq!(times("movetime = \"2s\"").0.as_deref(), Some("movetime=2s"));
    let both = parse(&with("movetime = \"2s\"\ntc = \"10s\""), &context).expect_err("two time controls");
    assert!(both.to_string().contains("`movetime` and `tc` are both given"), "{both}");
    let schema = compiled_schema();
    let is_valid = |line: &str| {
        let table = toml::from_str::<toml::Table>(&with(line)).unwrap();
        schema.check(&serde_json::to_value(table).unwrap()).is_ok()
    };
    assert!(is_valid("") && is_valid("tc = \"10s\"") && !is_valid("movetime = \"2s\"\ntc = \"10s\""));
}

#[test]
fn a_team_is_two_bots_or_one_that_takes_both_seats() {
    let file = MINIMAL.replace("game = \"quixo\"", "game = \"quixo-teams\"");
    let entrants = |teams: &str| {
        let cup = read(&format!("{file}{teams}"));
        assert!(cup.has_teams());
        cup.entrants.into_iter().map(|entrant| (entrant.name, entrant.bots)).collect::<Vec<_>>()
    };
    let team = |name: &str, bots: &[usize]| (name.to_owned(), bots.to_vec());
    assert_eq!(entrants(""), [team("a", &[0]), team("b", &[1])]);
    let teams =
        "[[teams]]\nname = \"ab\"\nbots = [\"b\", \"a\"]\n[[teams]]\nname = \"a\"\nbots = [\"a\", \"a\"]\n";
    assert_eq!(entrants(teams), [team("ab", &[1, 0]), team("a", &[0])]);
    assert!(!read(MINIMAL).has_teams());
}

#[test]
fn an_option_from_a_file_counts_like_one_in_the_tournament_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("own.txt"), "ab\nba\n\nba\nab\n").unwrap();
    let context = Context::of_file(&folder.path().join("cup.toml"), NonZeroU32::new(2));
    let text = MINIMAL
        .replace("\"quixo\"", "\"tandem\"\noptions.tiles = 5 # few\noptions.layout = '@own.txt' # mine");
    let cup = parse(&text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(cup.game.options().to_string().contains("layout=ab/ba|ba/ab,line=2,tiles=5"));
    let self_contained = cup.self_contained(&text);
    assert_eq!(self_contained, text.replace("'@own.txt'", "\"ab/ba|ba/ab\""));
    assert_eq!(read(&self_contained).game.options(), cup.game.options());

    std::fs::write(folder.path().join("own.txt"), "ab\nba\n\nba\nac\n").unwrap();
    let mistakes = parse(&text, &context).expect_err("a color is on one board only").to_string();
    let file = folder.path().join("own.txt").display().to_string();
    assert_eq!(mistakes, format!("{file}:5:2: option `layout`: the color `c` is missing on board 1"));
    let mistakes =
        parse(&text.replace("own", "none"), &context).expect_err("there is no such file").to_string();
    assert!(mistakes.contains("cup.toml:5:18: option `layout`: can't read `"), "{mistakes}");
}

#[test]
fn the_cores_limit_the_number_of_games_at_once() {
    #[track_caller]
    fn check(lines: &str, cores: u32, expected: u32) {
        let threads = if lines.contains("threads") { "" } else { "threads = 1" };
        let context = Context::of_file(Path::new("cup.toml"), None);
        let cup = parse(&format!("{MINIMAL}{lines}{threads}\n"), &context).unwrap();
        assert_eq!(cup.games_at_once(NonZeroU32::new(cores).unwrap()).get(), expected);
        // A game in which both bots may think at once takes twice as many cores.
        let pondering = parse(&format!("ponder = true\n{MINIMAL}{lines}{threads}\n"), &context).unwrap();
        assert_eq!(pondering.pause, Pause::Never);
        let expected = (expected / 2).max(1);
        assert_eq!(pondering.games_at_once(NonZeroU32::new(cores).unwrap()).get(), expected);
    }
    check("", 1, 1);
    check("", 3, 3);
    // One of four or more cores is left free.
    check("", 4, 3);
    check("", 9, 8);
    check("threads = 4\n", 9, 2);
    check("threads = 4\n", 2, 1);
}

#[test]
fn a_command_is_split_as_a_shell_would() {
    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        assert_eq!(split_command(command).unwrap(), expected);
    }
    check("python3 my_bot.py", &["python3", "my_bot.py"]);
    check("  './my bot' \"a b\" c\\ d ''", &["./my bot", "a b", "c d", ""]);
    check("sh -c 'a && b'", &["sh", "-c", "a && b"]);
    check("./bot --name=x $HOME *", &["./bot", "--name=x", "$HOME", "*"]);
    assert_eq!(split_command("  "), Err(CommandError::Empty));
    assert_eq!(split_command("'' a"), Err(CommandError::Empty));
    assert_eq!(split_command("a 'b"), Err(CommandError::Quote));
    assert_eq!(split_command("a | b"), Err(CommandError::Shell("|".to_owned())));
}

#[test]
fn displayed_mistakes_name_their_place() {
    let context = Context::of_file(Path::new("cup.toml"), None);
    let mistakes =
        parse(&MINIMAL.replace("quixo", "quicko").replace("version = 1\n", ""), &context).unwrap_err();
    assert_eq!(
        mistakes.to_string(),
        "cup.toml:2:8: there is no game `quicko`\ncup.toml: `version` is missing"
    );
}

/// Returns the keys of the file, each with its heading.
fn known_keys() -> Vec<(&'static str, &'static str)> {
    keys::TABLES.into_iter().flat_map(|table| table.names().map(|key| (table.heading, key))).collect()
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let schema: serde_json::Value = serde_json::from_str(&schema::json()).unwrap();
    let keys = |properties: &serde_json::Value, heading: &'static str| {
        let names = properties["properties"].as_object().unwrap().keys().cloned();
        names.map(|name| (heading, name)).collect::<Vec<_>>()
    };
    let definitions = &schema["definitions"];
    let mut in_schema = keys(&schema, "");
    in_schema.extend(keys(&definitions["Limits"], "[limits]"));
    in_schema.extend(keys(&definitions["Rating"], "[rating]"));
    in_schema.extend(keys(&definitions["Test"], "[test]"));
    in_schema.extend(keys(&definitions["Openings"], "[openings]"));
    in_schema.extend(keys(&definitions["Adjudication"], "[adjudication]"));
    in_schema.extend(keys(&definitions["Workers"], "[workers]"));
    in_schema.extend(keys(&definitions["Bot"], "[[bots]]"));
    in_schema.extend(keys(&definitions["Team"], "[[teams]]"));
    let mut read: Vec<(&str, String)> =
        known_keys().into_iter().map(|(heading, key)| (heading, key.to_owned())).collect();
    in_schema.sort();
    read.sort();
    assert_eq!(in_schema, read);
}

#[test]
fn the_shipped_schema_is_up_to_date() {
    check_file(&tournaments().join("tournament.schema.json"), &schema::json());
}

#[test]
fn the_reference_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/tournament-file.md");
    check_file(&path, &reference::page());
}

/// Returns the other lines that a file needs before a key can be set to its example.
fn needs(path: &str, key: &str) -> &'static str {
    let teams = "game = 'quixo-teams'\nteams = [{ name = 'x', bots = ['b'] }, { name = 'a', bots = ['a'] }]";
    match (path, key) {
        ("", "game") => "game = 'trexo'",
        ("", "movetime") => "movetime = '2s'",
        ("", "challengers") => "schedule = 'gauntlet'\nchallengers = ['b']",
        ("", "single_games") => "schedule = 'swiss'",
        ("", "best_of" | "sudden_death") => "schedule = 'knockout'",
        ("", "wall_bound") => "clock = 'cpu'",
        ("", "teams") => "game = 'quixo-teams'",
        ("rating", "k") => "rating.method = 'incremental'",
        ("test", _) => "test = { elo0 = -1, elo1 = 3 }",
        ("openings", _) => "openings.list = ['c1c5']",
        ("adjudication", "win_moves") => "adjudication.win_score = 5",
        ("adjudication", "draw_moves" | "draw_from") => "adjudication.draw_score = 5",
        ("adjudication", "table" | "table_from") => "adjudication = { table = 'q.table', table_from = 3 }",
        ("bots", "elo") => {
            "schedule = 'swiss'\nbots = [{ name = 'a', command = 'a', elo = 1 }, { name = 'b', command = 'b', elo = 2 }]"
        }
        ("teams", "elo") => {
            "game = 'quixo-teams'\nschedule = 'swiss'\n\
             teams = [{ name = 'x', bots = ['b'], elo = 1 }, { name = 'a', bots = ['a'], elo = 2 }]"
        }
        ("teams", _) => teams,
        _ => "",
    }
}

/// Returns the minimal file with the lines that a key needs, and the same file with the key set to a value.
fn before_and_after(path: &str, key: &str, value: toml::Value) -> [String; 2] {
    let mut file: toml::Table = toml::from_str(MINIMAL).unwrap();
    file.extend(toml::from_str::<toml::Table>(needs(path, key)).unwrap());
    let before = file.to_string();
    let table = match path {
        "" => &mut file,
        "bots" | "teams" => file[path].as_array_mut().unwrap()[0].as_table_mut().unwrap(),
        _ => file.entry(path).or_insert(toml::Table::new().into()).as_table_mut().unwrap(),
    };
    match key {
        "tc" | "nodes" | "depth" => table.remove("movetime"),
        "file" => table.remove("list"),
        _ => None,
    };
    table.insert(key.to_owned(), value);
    [before, file.to_string()]
}

/// Compares two files as if they were the old and the new file of a running league. The schema must accept both.
fn compared(files: &[String; 2]) -> Result<Comparison, String> {
    let schema = compiled_schema();
    let context = Context::of_file(&tournaments().join("cup.toml"), None);
    let [old, new] = files.each_ref().map(|text| {
        let json = serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
        assert_eq!(schema.check(&json), Ok(()), "{text}");
        let tournament = parse(text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"));
        (Source { name: "cup.toml".to_owned(), text: text.clone() }, tournament)
    });
    compare((&old.0, &old.1), (&new.0, &new.1)).map_err(|mistakes| mistakes.to_string())
}

#[test]
fn no_key_changes_silently_while_a_league_runs() {
    let all = keys::TABLES.into_iter().flat_map(|table| table.keys.iter().map(move |key| (table.path, *key)));
    for (path, key) in all.filter(|(_, key)| key.name() != "version") {
        let name = key.name();
        let example: toml::Table = toml::from_str(&key.example()).unwrap();
        let found = compared(&before_and_after(path, name, example[name].clone()));
        let is_right = match (key.effect(), &found) {
            (key::Effect::Refused, Err(mistakes)) => mistakes.contains(name),
            (key::Effect::Harmless | key::Effect::NewVersion, Ok(comparison)) => {
                !comparison.harmless.is_empty() && comparison.harmless.iter().all(|note| note.contains(name))
            }
            (key::Effect::OwnRule, found) => found.as_ref().map_or(true, |comparison| !comparison.is_same()),
            (key::Effect::Refused, Ok(_)) | (key::Effect::Harmless | key::Effect::NewVersion, Err(_)) => {
                false
            }
        };
        assert!(is_right, "`{name}` of `{path}`, {:?}: {found:?}", key.effect());
    }
}

#[test]
fn the_page_on_changes_names_all_keys_that_may_change() {
    let page = std::fs::read_to_string(tournaments().join("../docs/how-to/change-a-league.md")).unwrap();
    for table in keys::TABLES {
        for key in table.keys.iter().filter(|key| key.effect() == key::Effect::Harmless) {
            let (name, path) = (key.name(), table.path);
            let names = [format!("`{name}`"), format!("`{path}.{name}`"), format!("`[{path}]`")];
            assert!(names.iter().any(|name| page.contains(name)), "`{name}` of `{path}`");
        }
    }
}

#[test]
fn an_explicit_default_changes_nothing() {
    for table in keys::TABLES {
        for key in table.keys {
            let Some(default) = key.schema().get("default").cloned() else { continue };
            let default = toml::Value::try_from(default).unwrap();
            let found = compared(&before_and_after(table.path, key.name(), default));
            assert_eq!(found, Ok(Comparison::default()), "`{}` of `{}`", key.name(), table.path);
        }
    }
}

proptest::proptest! {
    /// The generated times and sizes are below the maximum, which a pattern can't express.
    #[test]
    fn the_schema_accepts_the_times_and_sizes_that_are_read(
        time in r"([0-9]{0,5}/)?0{0,11}[0-9]{0,3}(\.[0-9]{0,4})?(ms|s|min|h|m|S)?",
        more in r"(\+0{0,2}[0-9]{0,3}(\.[0-9]{0,4})?(ms|s|min|h)?)?",
        size in r"0{0,3}[0-9]{0,3}(\.[0-9])?(B|KiB|MiB|GiB|KB)?",
    ) {
        let (top, bots) = MINIMAL.split_once("movetime = \"1s\"").unwrap();
        for (line, pattern) in [
            (format!("movetime = '{time}'"), keys::top::MOVETIME.kind.schema()),
            (format!("tc = '{time}{more}'"), keys::top::TC.kind.schema()),
            (format!("movetime = '1s'\nmargin = '{time}'"), keys::top::MARGIN.kind.schema()),
            (format!("movetime = '1s'\nlimits.memory = '{size}'"), keys::limits::MEMORY.kind.schema()),
        ] {
            let value = line.split('\'').nth_back(1).unwrap();
            let is_accepted = Schema::new(pattern.clone()).check(&value.into()).is_ok();
            let read = parse(&format!("{top}{line}{bots}"), &Context::of_file(Path::new("cup.toml"), None));
            assert_eq!(read.is_ok(), is_accepted, "{line}: {pattern}");
        }
    }
}

#[test]
fn the_schema_accepts_the_shipped_files_and_refuses_mistakes() {
    let schema = compiled_schema();
    let as_json = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    let schedules = ["quixo-gauntlet.toml", "quixo-swiss.toml", "quixo-knockout.toml", "quixo-ladder.toml"];
    for name in ["example.toml", "quixo-demo.toml", "quixo-openings.toml"].into_iter().chain(schedules) {
        assert_eq!(schema.check(&as_json(&shipped(name))), Ok(()), "{name}");
    }
    for (before, after) in [
        ("version = 1", "version = 2"),
        ("movetime = \"1s\"", "movetime = \"1\""),
        ("movetime = \"1s\"", "movetime = \"1s\"\ntc = \"60s\""),
        ("movetime = \"1s\"", "movtime = \"1s\""),
        ("name = \"a\"", "name = \"a b\""),
        ("name = \"a\"", "nam = \"a\""),
    ] {
        assert_eq!(schema.check(&as_json(MINIMAL)), Ok(()));
        assert!(schema.check(&as_json(&MINIMAL.replace(before, after))).is_err(), "{after}");
    }
}

#[test]
fn the_example_shows_every_key_and_its_default() {
    let text = shipped("example.toml");
    for (heading, key) in known_keys() {
        let shows = |line: &str| {
            let line = line.trim_start_matches(['#', ' ']);
            let begins = line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
            begins || line == format!("[{key}]") || line == format!("[[{key}]]")
        };
        assert!(text.lines().any(shows), "`{key}` of `{heading}` is not shown");
    }
    let context = Context::of_file(Path::new("tournaments/example.toml"), None);
    let example = parse(&text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(example.common_limits(), Limits::default());
    assert_eq!((example.margin, example.seed), (Duration::from_millis(50), 1));
    assert_eq!(example.rating, RatingPlan::default());
    assert_eq!(example.game.options().to_string(), "size=5,max_plies=200,repetition=3");
}

#[test]
fn a_test_is_read_with_its_defaults() {
    let context = Context::of_file(Path::new("cup.toml"), None);
    let of = |table: &str| {
        parse(&MINIMAL.replacen("[[bots]]", &format!("[test]\n{table}\n[[bots]]"), 1), &context)
    };
    let test =
        |table: &str| of(table).unwrap_or_else(|mistakes| panic!("{mistakes}")).test.expect("there is one");
    let minimal = test("elo0 = -1.5\nelo1 = 5");
    assert_eq!((minimal.elo0, minimal.elo1, minimal.alpha, minimal.beta), (-1.5, 5.0, 0.05, 0.05));
    assert_eq!(minimal.model, Model::Logistic);
    let all = test("elo0 = 0\nelo1 = 2\nalpha = 0.1\nbeta = 0.01\nmodel = \"normalized\"");
    assert_eq!((all.alpha, all.beta, all.model), (0.1, 0.01, Model::Normalized));
    assert_eq!(parse(MINIMAL, &context).unwrap_or_else(|mistakes| panic!("{mistakes}")).test, None);

    let wrong = |table: &str| of(table).unwrap_err().to_string();
    assert!(wrong("elo0 = 5\nelo1 = 5").contains("`elo0` must be below `elo1`"));
    assert!(wrong("elo0 = 0\nelo1 = 5\nbeta = 1").contains("`beta` must be between 0 and 1"));
    assert!(wrong("elo0 = 0\nelo1 = 5\nmodel = \"logistik\"").contains("`model` can't be `logistik`"));
    assert!(wrong("elo0 = 0").contains("`elo1` is missing in `[test]`"));
    assert!(
        wrong("elo0 = 0\nelo1 = 5\n[[bots]]\nname = \"c\"\ncommand = \"c\"")
            .contains("a test needs exactly two bots, but there are 3")
    );
}

#[test]
fn a_changed_time_control_is_reported_with_its_place() {
    for key in ["movetime", "tc", "nodes", "depth"] {
        let value = |number: u64| match key {
            "movetime" | "tc" => format!("{key} = \"{number}s\""),
            _ => format!("{key} = {number}"),
        };
        let files = [7, 8].map(|number| MINIMAL.replacen("movetime = \"1s\"", &value(number), 1));
        let error = compared(&files).expect_err("it affects what is played");
        let (before, _) =
            files[1].split_once(" = 8").or(files[1].split_once(" = \"8s")).expect("it is there");
        let place = format!("cup.toml:{}:{}: ", before.lines().count(), key.len() + 4);
        assert!(error.starts_with(&place), "{error}");
    }
}

#[test]
fn a_dot_in_the_name_of_a_bot_is_no_path_separator() {
    let text = MINIMAL.replacen("name = \"a\"", "name = \"v1\"", 1).replacen(
        "name = \"b\"",
        "name = \"v1.name\"",
        1,
    );
    let tournament =
        parse(&text, &Context::of_file(Path::new("cup.toml"), None)).expect("it is a tournament");
    let place = |keys: &[&str]| tournament.spans.find(keys).map(|span| &text[span]);
    assert_eq!(place(&["bots", "v1", "name"]), Some("\"v1\""));
    assert_eq!(place(&["bots", "v1.name", "name"]), Some("\"v1.name\""));
    let renamed =
        tournament.spans.renamed(|name| if name == "v1" { "v2".to_owned() } else { name.to_owned() });
    assert_eq!(renamed.find(&["bots", "v2", "name"]), tournament.spans.find(&["bots", "v1", "name"]));
    assert_eq!(renamed.find(&["bots", "v1.name"]), tournament.spans.find(&["bots", "v1.name"]));
}

#[test]
fn a_running_test_cannot_be_changed() {
    let context = Context::of_file(Path::new("cup.toml"), None);
    let text = |table: &str| MINIMAL.replacen("[[bots]]", &format!("[test]\n{table}\n[[bots]]"), 1);
    let source = |text: &str| Source { name: "cup.toml".to_owned(), text: text.to_owned() };
    let (before, after) = (text("elo0 = 0\nelo1 = 5"), text("elo0 = 0\nelo1 = 10"));
    let [old, new, none] = [&*before, &*after, MINIMAL].map(|text| parse(text, &context).unwrap());
    let (before, after) = (source(&before), source(&after));
    let error = compare((&before, &old), (&after, &new)).unwrap_err().to_string();
    assert!(error.contains("`test.elo1` is `10`, but was `5` when the run started"), "{error}");
    assert!(compare((&before, &old), (&source(MINIMAL), &none)).is_err());
}

#[test]
fn the_demo_is_valid() {
    let context = Context::of_file(Path::new("tournaments/quixo-demo.toml"), NonZeroU32::new(2));
    let demo = parse(&shipped("quixo-demo.toml"), &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(demo.name, "quixo-demo");
    assert_eq!(demo.bots.len(), 4);
}

#[test]
fn the_shipped_openings_are_valid() {
    let context = Context::of_file(&tournaments().join("quixo-openings.toml"), None);
    let cup =
        parse(&shipped("quixo-openings.toml"), &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let openings = cup.openings.as_ref().unwrap();
    assert_eq!((openings.list.len(), openings.order), (50, Order::Random));
    let text = shipped("quixo.openings");
    let file = openings::file::parse(&text, None).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert_eq!(openings::file::alike(&file), []);
    assert_eq!(cup.adjudication.scores.win, Some(WinRule { score: 900_000, moves: 2 }));
}

#[test]
fn openings_from_a_file_count_like_listed_ones() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context::of_file(&folder.path().join("cup.toml"), NonZeroU32::new(2));
    let read = |text: &str| parse(text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    std::fs::write(folder.path().join("own.openings"), "game quixo\nc1c5 # one\n\na1a5 b1b5\n").unwrap();
    let list = "list = [\n  \"c1c5\",\n  \"a1a5 b1b5\",\n]";
    for written in [
        "[openings]\nfile = 'own.openings' # mine\norder = \"sequential\"\n",
        "openings.file = \"own.openings\"\nopenings.order = \"sequential\"\n",
        "openings = { order = \"sequential\", file = \"own.openings\" }\n",
    ] {
        let (top, bots) = MINIMAL.split_once("[[bots]]").unwrap();
        let text = format!("{top}{written}[[bots]]{bots}");
        let cup = read(&text);
        let openings = cup.openings.clone().unwrap();
        let lines: Vec<String> = openings.list.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["c1c5", "a1a5 b1b5"]);
        assert_eq!(openings.order, Order::Sequential);
        let self_contained = cup.self_contained(&text);
        assert!(
            self_contained.contains(list) && !self_contained.contains("own.openings"),
            "{self_contained}"
        );
        // The openings file is no longer needed.
        let elsewhere = Context::of_file(Path::new("nowhere/cup.toml"), None);
        assert_eq!(parse(&self_contained, &elsewhere).unwrap().openings, Some(openings));
    }
    assert_eq!(read(MINIMAL).openings, None);
}

/// Returns the mistakes of the minimal file with these additional lines.
fn mistakes_with(lines: &str, context: &Context) -> Vec<String> {
    let (top, bots) = MINIMAL.split_once("[[bots]]").unwrap();
    let mistakes = parse(&format!("{top}{lines}[[bots]]{bots}"), context).expect_err(lines);
    mistakes.to_string().lines().map(str::to_owned).collect()
}

#[test]
fn mistakes_in_openings_are_reported_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context::of_file(&folder.path().join("cup.toml"), NonZeroU32::new(2));
    let context = Context { shown: "cup.toml".to_owned(), ..context };
    std::fs::write(folder.path().join("bad"), "game quixo\nc1c5\na1a5 b2b3\n").unwrap();
    let bad = folder.path().join("bad").display().to_string();
    let check = |lines: &str, expected: &str| {
        let mistakes = mistakes_with(lines, &context);
        assert!(mistakes.len() == 1 && mistakes[0].starts_with(expected), "{lines}: {mistakes:?}");
    };
    check("openings.file = \"bad\"\n", &format!("{bad}:3:6: move 2, `b2b3`, can't be played: "));
    check("openings.file = \"none\"\n", "cup.toml:5:17: can't read the openings file `");
    check("openings.list = [\"c1c5\", \"a1a5 b2b3\"]\n", "cup.toml:5:32: move 2, `b2b3`, can't be played: ");
    check("openings.list = []\n", "cup.toml:5:17: `list` is empty");
    check("openings.list = [3]\n", "cup.toml:5:18: `list` must be an array of strings");
    check("openings.order = \"random\"\n", "cup.toml:5:1: `[openings]` has neither `file` nor `list`");
    check("openings = { list = [\"c1c5\"], order = \"any\" }\n", "cup.toml:5:39: `order` can't be `any`");
    check(
        "openings = { list = [\"c1c5\"], file = \"bad\" }\n",
        "cup.toml:5:21: `file` and `list` are both given",
    );
    check("openings = { list = [\"c1c5\"], fil = \"bad\" }\n", "cup.toml:5:31: there is no key `fil`");
}

#[test]
fn games_are_adjudicated_only_if_the_file_has_rules_for_it() {
    let (top, bots) = MINIMAL.split_once("[[bots]]").unwrap();
    let adjudication = |lines: &str| read(&format!("{top}{lines}[[bots]]{bots}")).adjudication;
    assert_eq!(adjudication(""), AdjudicationPlan::default());
    assert_eq!(adjudication("[adjudication]\n"), AdjudicationPlan::default());
    let scores = adjudication("[adjudication]\nwin_score = 600\ndraw_score = 0\n").scores;
    assert_eq!(scores.win, Some(WinRule { score: 600, moves: 4 }));
    assert_eq!(scores.draw, Some(DrawRule { score: 0, moves: 8, from: 40 }));
    let scores = adjudication(
        "[adjudication]\nwin_score = 1\nwin_moves = 2\ndraw_score = 3\ndraw_moves = 4\ndraw_from = 5\n",
    )
    .scores;
    assert_eq!(scores.win, Some(WinRule { score: 1, moves: 2 }));
    assert_eq!(scores.draw, Some(DrawRule { score: 3, moves: 4, from: 5 }));
    let table = adjudication("[adjudication]\ntable = \"q.table\"\ntable_from = 6\n").table.unwrap();
    assert_eq!((table.path.as_path(), table.from), (Path::new("cups/q.table"), 6));

    let context = Context::of_file(Path::new("cup.toml"), None);
    for (lines, expected) in [
        ("win_moves = 3\n", "cup.toml:6:13: `win_moves` requires `win_score`"),
        ("draw_from = 3\n", "cup.toml:6:13: `draw_from` requires `draw_score`"),
        ("table_from = 3\n", "cup.toml:6:14: `table_from` requires `table`"),
        ("table = \"q.table\"\n", "cup.toml:6:9: `table_from` is missing"),
        ("win_score = 0\n", "cup.toml:6:13: `win_score` can't be `0`"),
        ("win_scor = 1\n", "cup.toml:6:1: there is no key `win_scor` in `[adjudication]`"),
    ] {
        assert_eq!(mistakes_with(&format!("[adjudication]\n{lines}"), &context), [expected]);
    }
    let three = MINIMAL.replace("\"quixo\"", "\"tandem\"\noptions.players = 3\nadjudication.win_score = 5")
        + "[[bots]]\nname = \"c\"\ncommand = \"./c\"\n";
    let mistakes = parse(&three, &context).expect_err("nobody comes second").to_string();
    assert_eq!(mistakes, "cup.toml:5:1: a game of 3 sides can't be adjudicated");
}

#[test]
fn each_schedule_has_a_shipped_file() {
    for kind in ScheduleKind::ALL.into_iter().filter(|kind| *kind != ScheduleKind::RoundRobin) {
        let name = format!("quixo-{}.toml", kind.word());
        let context = Context::of_file(&Path::new("tournaments").join(&name), NonZeroU32::new(2));
        let plan = parse(&shipped(&name), &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(plan.schedule, kind);
        assert!(crate::schedule::Schedule::of(&plan).is_ok());
    }
}

impl Tournament {
    fn common_limits(&self) -> Limits {
        self.bots[1].limits.clone()
    }
}

#[test]
fn the_rules_for_workers_are_read() {
    let context = Context::of_file(Path::new("cup.toml"), None);
    let of = |file: &str, table: &str| {
        parse(&file.replacen("[[bots]]", &format!("[workers]\n{table}\n[[bots]]"), 1), &context)
    };
    let workers = |table: &str| of(MINIMAL, table).unwrap_or_else(|mistakes| panic!("{mistakes}")).workers;
    assert_eq!(workers(""), WorkersPlan::default());
    let all = workers("reference_speed = 20\nleast_speed = 5\nrepeat_share = 0.03");
    let speeds = [all.reference_speed, all.least_speed].map(|speed| speed.map(std::num::NonZeroU64::get));
    assert_eq!((speeds, all.repeat_share), ([Some(20), Some(5)], 0.03));
    let wrong = |file: &str, table: &str| of(file, table).unwrap_err().to_string();
    assert!(wrong(MINIMAL, "repeat_share = 1.5").contains("`repeat_share` must be from 0 to 1"));
    assert!(wrong(MINIMAL, "least_speed = 0").contains("`least_speed` can't be `0`"));
    let by_nodes = MINIMAL.replace("movetime = \"1s\"", "nodes = 1000");
    let mistakes = wrong(&by_nodes, "reference_speed = 20");
    assert!(mistakes.contains("`reference_speed` requires a time control that counts time"), "{mistakes}");
    let timed = by_nodes.replacen("name = \"a\"", "name = \"a\"\nmovetime = \"1s\"", 1);
    assert!(of(&timed, "reference_speed = 20").is_ok(), "one bot has a time");
}
