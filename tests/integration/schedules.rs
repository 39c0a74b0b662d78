//! Tests of leagues with every schedule on the real binary: the announcement, the
//! games, and that an interrupted run continues as if nothing had happened.

use rustix::process::Signal;

use crate::support::Run;
use crate::support::bots::{LETS_BOTS_WRITE, ids, records, rows, shell_bot, sorted, tournament};
use crate::support::scratch::Scratch;

const BOTS: [(&str, &str); 5] = [
    ("ada", "linesman bot greedy"),
    ("bob", "linesman bot random"),
    ("cleo", "linesman bot random --seed 2"),
    ("dan", "linesman bot random --seed 3"),
    ("eve", "linesman bot alphabeta --depth 1"),
];

/// Returns a folder with a tournament file `cup.toml`.
fn cup(head: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, &BOTS));
    scratch
}

fn run(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(["league", "run", "cup.toml"].iter().chain(more))
}

fn played(scratch: &Scratch, out: &str) -> Vec<String> {
    let records = records(&scratch.path(out).join("games.jsonl"));
    sorted(ids(&records).into_iter().map(str::to_owned))
}

/// Plays a league, and again with its records cut after each of these numbers of
/// lines, and asserts that the same games are played. Returns their ids.
fn continues_the_same(scratch: &Scratch, cuts: &[usize]) -> Vec<String> {
    run(scratch, &["-q"]).done();
    let all = played(scratch, "runs/cup");
    let whole = scratch.read("runs/cup/games.jsonl");
    for cut in cuts {
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        // The last line is torn, as by a power cut.
        let torn = &lines[*cut][..lines[*cut].len() / 2];
        scratch.write("runs/cup/games.jsonl", format!("{}{torn}", lines[..*cut].concat()));
        run(scratch, &["-q"]).done();
        assert_eq!(played(scratch, "runs/cup"), all, "cut after {cut}");
    }
    let verified = scratch.run(["verify", "runs/cup/games.jsonl"]);
    assert!(verified.done().contains(&format!("{} consistent", all.len())), "{}", verified.stdout);
    let again = run(scratch, &[]);
    assert!(again.stderr.contains("finished"), "{}", again.stderr);
    all
}

/// Deletes some lines, counted from 0, of a run's records.
fn delete(scratch: &Scratch, gone: impl Fn(usize, &str) -> bool) {
    let all = scratch.read("runs/cup/games.jsonl");
    let lines = all.split_inclusive('\n').enumerate().filter(|(number, line)| !gone(*number, line));
    scratch.write("runs/cup/games.jsonl", lines.map(|(_, line)| line).collect::<String>());
}

#[test]
fn a_deleted_game_costs_no_later_round_if_its_result_is_the_same() {
    for head in [
        "schedule = \"swiss\"\nrounds = 3\n",
        "schedule = \"swiss\"\nrounds = 4\nsingle_games = true\n",
        "schedule = \"knockout\"\nbest_of = 3\n",
    ] {
        let scratch = cup(head);
        run(&scratch, &["-q"]).done();
        let all = played(&scratch, "runs/cup");
        // Columns up to the Elo: the bots' CPU time differs with each game.
        let standings = || {
            let printed = scratch.run(["league", "standings", "runs/cup"]).done().to_owned();
            let cells = |row: Vec<&str>| row.into_iter().take(8).collect::<Vec<_>>().join(" ");
            let ranking = printed.split("\nResults and ratings").next().unwrap_or_default().to_owned();
            (ranking, rows(&printed).into_iter().map(cells).collect::<Vec<_>>())
        };
        let before = standings();
        for deleted in [1, 0] {
            delete(&scratch, |number, _| number == deleted);
            let dry = run(&scratch, &["--dry-run"]);
            dry.done();
            let warning = "games that later rounds depend on are missing. ";
            assert!(dry.stderr.contains(warning), "{head}: {}", dry.stderr);
            assert!(dry.stderr.contains("the others are discarded"), "{}", dry.stderr);
            let again = run(&scratch, &[]);
            again.done();
            assert!(again.stderr.contains(warning), "{head}: {}", again.stderr);
            assert!(again.stderr.contains(" already been played and count"), "{head}: {}", again.stderr);
            // Each game exactly once.
            assert_eq!(played(&scratch, "runs/cup"), all, "{head}");
            assert_eq!(standings(), before, "{head}");
            let verified = scratch.run(["verify", "runs/cup/games.jsonl"]);
            assert!(!verified.done().contains("duplicate"), "{}", verified.stdout);
            assert!(run(&scratch, &[]).stderr.contains("finished"), "{head}");
        }
    }
}

#[test]
fn games_of_a_round_with_other_pairings_are_discarded_with_a_message() {
    let scratch = Scratch::new();
    let names = ["ada", "bob", "cleo", "dan"];
    // A bot whose file has this name resigns at once.
    let resigns = |name: &str| {
        shell_bot(&format!("go) if [ -e lost-{name} ]; then move=resign; fi; echo \"bestmove $move\";;"))
    };
    names.iter().for_each(|name| scratch.program(&format!("{name}.sh"), &resigns(name)));
    let head = format!("{LETS_BOTS_WRITE}schedule = \"swiss\"\nrounds = 2\n");
    let commands = names.map(|name| (name, format!("./{name}.sh")));
    let bots = commands.each_ref().map(|(name, command)| (*name, command.as_str()));
    scratch.write("cup.toml", tournament(&head, &bots));
    let lose = |losers: [&str; 2]| losers.iter().for_each(|name| scratch.write(&format!("lost-{name}"), ""));
    lose(["cleo", "dan"]);
    run(&scratch, &["-q"]).done();
    let first = played(&scratch, "runs/cup");
    assert_eq!(first.len(), 8);
    // The match of ada is missing, and this time its opponent wins it.
    delete(&scratch, |_, line| line.contains("\"id\":\"r1/") && line.contains("\"ada\""));
    ["cleo", "dan"].iter().for_each(|name| {
        std::fs::remove_file(scratch.path(format!("lost-{name}"))).expect("it is there");
    });
    lose(["ada", "bob"]);
    let again = run(&scratch, &[]);
    again.done();
    assert!(again.stderr.contains("4 games of round 2 can't count until"), "{}", again.stderr);
    let message = "round 2: the pairings have changed, so 4 records are discarded and do not count";
    assert!(again.stderr.contains(message), "{}", again.stderr);
    // They stay in the file but do not count.
    let all = played(&scratch, "runs/cup");
    assert_eq!(all.len(), 12);
    let standings = scratch.run(["league", "standings", "runs/cup"]);
    let games: Vec<String> = rows(standings.done()).iter().take(4).map(|row| row[2].to_owned()).collect();
    assert_eq!(games, ["4"; 4], "{}", standings.stdout);
    assert!(standings.stderr.contains("round 2 has other pairings"), "{}", standings.stderr);
    assert!(standings.stderr.contains("to delete the records that don't count"), "{}", standings.stderr);
    assert!(run(&scratch, &[]).stderr.contains("finished"));
}

#[test]
fn a_limit_beyond_the_schedule_is_reported() {
    let scratch = cup("games = 100\n");
    let dry = run(&scratch, &["--dry-run"]);
    dry.done();
    let message =
        "warning: 1 round has 20 games, fewer than `games = 100` allows; to play more, raise `rounds`";
    assert!(dry.stderr.contains(message), "{}", dry.stderr);
}

#[test]
fn a_swiss_explains_its_pairings_and_exports_its_rounds() {
    let scratch = cup("schedule = \"swiss\"\nrounds = 3\nconcurrency = 1\n");
    let before = run(&scratch, &["--dry-run"]).done().to_owned();
    for part in [
        "schedule    swiss",
        "games       12, 12 left to play",
        "round       1 of 3",
        "groups      0.0 points: ada, bob, cleo, dan, eve",
        "bye         eve, with 0.0 points and no earlier bye",
        "pairings    r1/",
        "2 more rounds after this one",
    ] {
        assert!(before.contains(part), "`{part}` in\n{before}");
    }
    let all = continues_the_same(&scratch, &[0, 1, 4, 5, 7, 11]);
    assert_eq!(all.len(), 12);
    let per_round = |round: &str| all.iter().filter(|id| id.starts_with(round)).count();
    assert_eq!([per_round("r1/"), per_round("r2/"), per_round("r3/")], [4, 4, 4]);
    let standings = scratch.run(["league", "standings", "runs/cup"]);
    let headings = "Swiss ranking after 3 of 3 rounds: points including byes, then Buchholz cut 1, Buchholz \
                    and Sonneborn-Berger\n";
    assert!(standings.done().starts_with(headings), "{}", standings.stdout);
    let (ranking, results) =
        standings.stdout.split_once("\nResults and ratings from ").expect("it has two tables");
    assert!(ranking.contains("points") && !results.contains("points  "), "{}", standings.stdout);
    assert!(results.contains("in games"), "points without byes have a name of their own: {results}");
    assert!(!standings.stderr.contains("balanced"), "{}", standings.stderr);
    let columns = ",swiss_rank,swiss_points,buchholz_cut_1,buchholz,sonneborn_berger";
    for (command, csv) in
        [("standings", "--format=csv"), ("export", "--format=csv"), ("report", "--format=csv")]
    {
        let table = scratch.run(["league", command, "runs/cup", csv]);
        assert!(table.done().lines().next().is_some_and(|line| line.contains(columns)), "{}", table.stdout);
    }
    let standings = scratch.run(["league", "standings", "runs/cup", "--format=csv"]);
    assert_eq!(scratch.read("runs/cup/standings.csv"), standings.done());
    let json = scratch.run(["league", "standings", "runs/cup", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(json.done()).expect("it is JSON");
    let rows = rows.as_array().expect("it is a list");
    assert_eq!(rows.iter().filter(|row| row["swiss_rank"] == 1).count(), 1, "{rows:?}");
    // Each of three rounds has four games and a bye worth two points.
    let points: f64 = rows.iter().filter_map(|row| row["swiss_points"].as_f64()).sum();
    assert_eq!(points, 18.0, "{rows:?}");
    let report = scratch.run(["league", "report", "runs/cup", "--json"]);
    let report: serde_json::Value = serde_json::from_str(report.done()).expect("it is JSON");
    for row in report["ranking"].as_array().expect("it is a list") {
        assert_eq!((&row["swiss_rank"], &row["swiss_points"]), (&row["rank"], &row["points"]));
    }
    assert_eq!(report["games_scheduled"], report["games"]);
    // For people the ranking is printed before the standings, which are ordered by rating.
    let report = scratch.run(["league", "report", "runs/cup", "-q"]).done().to_owned();
    let ranking = report.find("\nRanking\n").zip(report.find("\nResults and ratings\n"));
    assert!(ranking.is_some_and(|(ranking, standings)| ranking < standings), "{report}");
    assert!(report.contains("Order by the rules of the Swiss, after 3 of 3 rounds: "), "{report}");
    let report = scratch.run(["league", "export", "runs/cup", "--format", "trf"]);
    let lines: Vec<&str> = report.done().split_terminator("\r\n").collect();
    let players: Vec<&&str> = lines.iter().filter(|line| line.starts_with("001 ")).collect();
    assert_eq!(players.len(), 5);
    assert!(players.iter().all(|line| line.len() == 119), "{}", report.stdout);
    assert_eq!(players.iter().filter(|line| line.contains("0000 - U")).count(), 3, "{}", report.stdout);
    scratch
        .run(["league", "export", "runs/cup", "--format", "trf", "--games"])
        .said(2, "can't be combined with `--games`");

    // Another round is an addition and reported as one.
    scratch.write("cup.toml", tournament("schedule = \"swiss\"\nrounds = 4\n", &BOTS));
    let more = run(&scratch, &["--dry-run"]);
    assert!(more.done().contains("games       16, 4 left to play"), "{}", more.stdout);
    assert!(more.stdout.contains("round       4 of 4"), "{}", more.stdout);
    assert!(more.stderr.contains("rounds: 4 (before: 3)"), "{}", more.stderr);
    let missing = more.stdout.lines().find(|line| line.starts_with("to play     ")).expect("it says whose");
    assert_eq!(missing.matches(" 2").count(), 4, "four play two games, one has a bye: {missing}");
}

#[test]
fn a_swiss_of_four_seats_plays_tables_and_continues_where_it_stopped() {
    let scratch = Scratch::new();
    let mut text = "version = 1\ngame = \"tandem\"\noptions = { players = 4 }\nmovetime = \"30s\"\n\
                    schedule = \"swiss\"\nrounds = 3\nconcurrency = 2\n"
        .to_owned();
    for bot in 0..9 {
        text.push_str(&format!(
            "[[bots]]\nname = \"b{bot}\"\ncommand = \"linesman bot random --seed {bot}\"\n"
        ));
    }
    scratch.write("cup.toml", text);
    let before = run(&scratch, &["--dry-run"]).done().to_owned();
    for part in [
        "games       24, 24 left to play",
        "round       1 of 3",
        "bye         b8, with 0.00 points and no earlier bye",
        "(b0 0.00, ",
        "2 more rounds after this one",
    ] {
        assert!(before.contains(part), "`{part}` in\n{before}");
    }
    let all = continues_the_same(&scratch, &[0, 3, 8, 13, 23]);
    let per_round = |round: &str| all.iter().filter(|id| id.starts_with(round)).count();
    assert_eq!([per_round("r1/"), per_round("r2/"), per_round("r3/")], [8, 8, 8]);
    let standings = scratch.run(["league", "standings", "runs/cup"]);
    assert!(standings.done().contains("Sonneborn-Berger"), "{}", standings.stdout);
    let json = scratch.run(["league", "standings", "runs/cup", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(json.done()).expect("it is JSON");
    let rows = rows.as_array().expect("it is a list");
    // 24 games with two points each, and three byes of four games, worth half a point each.
    let points: f64 = rows.iter().filter_map(|row| row["swiss_points"].as_f64()).sum();
    assert!(rows.len() == 9 && (points - (2.0 * 24.0 + 3.0 * 2.0)).abs() < 0.1, "{rows:?}");
    // The unit is the points of games, with two for a bye.
    for row in rows {
        let [own, of_games, games] = ["swiss_points", "points", "games"].map(|key| row[key].as_f64());
        let byes = 12.0 - games.expect("a number");
        let expected = of_games.expect("a number") + byes / 2.0;
        assert!((own.expect("a number") - expected).abs() < 0.02, "{row}");
    }
    assert!(rows.iter().any(|row| row["games"] == 8), "some had a bye: {rows:?}");
    scratch.run(["league", "export", "runs/cup", "--format", "trf"]).said(2, "needs games of two sides");
    scratch.run(["league", "export", "runs/cup", "--format", "csv"]).done();
}

#[test]
fn a_knockout_has_a_bracket_and_a_winner() {
    let scratch = cup("schedule = \"knockout\"\nbest_of = 2\nconcurrency = 1\n");
    let before = run(&scratch, &["--dry-run"]).done().to_owned();
    for part in ["at most 40", "1 ada has a bye", "4 dan - 5 eve", "final", "pairings    r1/dan~eve~1"] {
        assert!(before.contains(part), "`{part}` in\n{before}");
    }
    let all = continues_the_same(&scratch, &[0, 2, 5, 9]);
    assert!((16..=40).contains(&all.len()), "{all:?}");
    let standings = scratch.run(["league", "standings", "runs/cup"]);
    assert_eq!(standings.done().matches(" goes on").count(), 3, "{}", standings.stdout);
    assert!(standings.stdout.starts_with("Knockout bracket\nround 1\n"), "{}", standings.stdout);
    let champion = standings.stdout.lines().find_map(|line| line.strip_prefix("champion    "));
    let champion = champion.expect("it says who has won");
    assert!(standings.stdout.contains(&format!(", {champion} wins")), "{}", standings.stdout);
    let report = scratch.run(["league", "report", "runs/cup"]);
    assert!(report.done().contains(&format!("- `{champion}` has won the knockout")), "{}", report.stdout);
    let json = scratch.run(["league", "standings", "runs/cup", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(json.done()).expect("it is JSON");
    let mut places: Vec<u64> =
        rows.as_array().expect("rows").iter().filter_map(|row| row["knockout_place"].as_u64()).collect();
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3, 3, 5]);
    let first =
        rows.as_array().expect("rows").iter().find(|row| row["knockout_place"] == 1).expect("a champion");
    assert_eq!(first["bot"], champion);
    scratch.run(["league", "export", "runs/cup", "--format", "trf"]).said(2, "needs a Swiss");
}

#[test]
fn a_gauntlet_is_played_by_its_challengers() {
    let scratch = cup("schedule = \"gauntlet\"\nchallengers = [\"cleo\"]\n");
    let all = continues_the_same(&scratch, &[0, 3]);
    assert_eq!(all.len(), 8);
    assert!(all.iter().all(|id| id.contains("cleo")));
}

#[test]
fn a_ladder_names_the_most_informative_games_and_ends_where_it_should() {
    let scratch = cup("schedule = \"ladder\"\ngames = 12\nconcurrency = 1\n");
    let before = run(&scratch, &["--dry-run"]);
    assert!(
        before.done().contains("next        ada~bob~1  most informative game: ada +0 Elo against bob"),
        "{}",
        before.stdout
    );
    assert_eq!(continues_the_same(&scratch, &[0, 1, 6, 11]).len(), 12);

    scratch.write("endless.toml", tournament("schedule = \"ladder\"\n", &BOTS));
    let running = scratch.start(["league", "run", "endless.toml", "--progress", "lines"]);
    running.wait_for(" games: ");
    running.signal(Signal::INT);
    let stopped = running.end();
    assert_eq!(stopped.status, Some(3), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("stopped; to continue, run: "), "{}", stopped.stderr);
    let more = scratch.run(["league", "run", "endless.toml", "--dry-run"]);
    assert!(more.done().contains("games       no limit, "), "{}", more.stdout);
    let report = scratch.run(["league", "report", "runs/endless"]);
    assert!(report.done().contains(" been played, and the league has no end\n"), "{}", report.stdout);
    let json = scratch.run(["league", "report", "runs/endless", "--json"]);
    assert!(json.done().contains("\"games_left\":null,"), "{}", json.stdout);
}
