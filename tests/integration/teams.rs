//! Tests of teams: matches and leagues of pairs, from the command line to the tables.

use serde_json::Value;

use crate::support::bots::{ids, records, seats, shell_bot, sorted};
use crate::support::scratch::Scratch;

const MATCH: [&str; 9] =
    ["match", "--game", "quixo-teams", "--options", "max_plies=30", "--movetime", "30s", "--out", "out"];
const RANDOM: &str = "linesman bot random";
const GREEDY: &str = "linesman bot greedy";

/// Returns the arguments of a short match of these bots.
fn arguments<'a>(bots: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let bots = bots.iter().flat_map(|bot| ["--bot", bot]);
    MATCH.into_iter().chain(bots).chain(more.iter().copied()).collect()
}

/// Returns a tournament file of short games; `teams` are names with their bots.
fn league(head: &str, bots: &[(&str, &str)], teams: &[(&str, &[&str])]) -> String {
    let mut text = format!(
        "version = 1\ngame = \"quixo-teams\"\noptions = {{ max_plies = 30 }}\nmovetime = \"30s\"\n{head}\n"
    );
    for (name, command) in bots {
        text.push_str(&format!("[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    }
    for (name, bots) in teams {
        text.push_str(&format!("[[teams]]\nname = \"{name}\"\nbots = {bots:?}\n"));
    }
    text
}

/// Returns the names of a record's teams in seat order.
fn teams(record: &Value) -> Vec<&str> {
    let seats = record["seats"].as_array().expect("a record has seats");
    seats.iter().map(|seat| seat["team"].as_str().expect("a seat has a team")).collect()
}

/// Returns the first columns of the printed table: header and rows.
fn table(printed: &str) -> Vec<Vec<&str>> {
    printed.lines().map(|line| line.split_whitespace().take(3).collect()).collect()
}

#[test]
fn two_bots_play_all_seats_of_their_teams() {
    let scratch = Scratch::new();
    let run = scratch.run(arguments(&[RANDOM, GREEDY], &["--games", "4"]));
    let printed = table(run.done());
    assert_eq!(printed[0], ["#", "team", "games"]);
    assert_eq!(sorted(printed[1..].iter().map(|row| (row[1], row[2]))), [("greedy", "4"), ("random", "4")]);
    let records = records(&scratch.path("out/games.jsonl"));
    assert_eq!(
        sorted(ids(&records)),
        [
            "greedy~random~greedy~random~1",
            "greedy~random~greedy~random~2",
            "random~greedy~random~greedy~1",
            "random~greedy~random~greedy~2"
        ]
    );
    for record in &records {
        assert_eq!(teams(record), seats(record));
        let places = record["places"].as_array().expect("it has a result");
        assert_eq!((&places[0], &places[1]), (&places[2], &places[3]));
    }
    scratch.run(["verify", "out/games.jsonl"]).done();
}

#[test]
fn four_bots_are_seated_in_the_given_order() {
    let scratch = Scratch::new();
    let names = ["--name", "a1", "--name", "b1", "--name", "a2", "--name", "b2"];
    let more = [&["--games", "4"], &names[..]].concat();
    let run = scratch.run(arguments(&[RANDOM, RANDOM, GREEDY, RANDOM], &more));
    assert_eq!(sorted(table(run.done())[1..].iter().map(|row| row[1])), ["a1+a2", "b1+b2"]);
    let records = records(&scratch.path("out/games.jsonl"));
    assert_eq!(sorted(ids(&records)), ["a1~b1~a2~b2~1", "a2~b2~a1~b1~1", "b1~a1~b2~a2~1", "b2~a2~b1~a1~1"]);
    for record in &records {
        let own = teams(record);
        assert_eq!((own[0], own[1]), (own[2], own[3]));
        let seats = seats(record);
        assert!(own[0].split('+').all(|bot| bot == seats[0] || bot == seats[2]), "{own:?} {seats:?}");
    }
}

#[test]
fn another_number_of_bots_is_rejected_with_the_allowed_numbers() {
    let scratch = Scratch::new();
    let run = scratch.run(arguments(&[RANDOM, RANDOM, RANDOM], &[]));
    run.refused(
        2,
        "error: quixo-teams has 4 seats for 2 teams, but there are 3 bots\nhint: give 2 bots, each for all seats of its team, or 4 bots in seat order (teams: seats 1 and 3, seats 2 and 4)\n",
    );
}

#[test]
fn a_league_of_pairs_continues_when_a_pair_joins() {
    let bots = [("ada", RANDOM), ("bob", RANDOM), ("cleo", GREEDY)];
    let two: [(&str, &[&str]); 2] = [("pair", &["ada", "bob"]), ("solo", &["cleo"])];
    let scratch = Scratch::new();
    scratch.write("cup.toml", league("rounds = 2", &bots, &two));
    scratch.run(["league", "run", "cup.toml"]).done();
    let before = scratch.read("runs/cup/games.jsonl");
    assert_eq!(before.lines().count(), 4);

    let three = [two.as_slice(), &[("mixed", &["cleo", "ada"])]].concat();
    scratch.write("cup.toml", league("rounds = 2", &bots, &three));
    let run = scratch.run(["league", "run", "cup.toml"]);
    let printed = table(run.done());
    assert_eq!(
        sorted(printed[1..].iter().map(|row| (row[1], row[2]))),
        [("mixed", "8"), ("pair", "8"), ("solo", "8")]
    );
    assert!(run.stderr.contains("added to the league: `mixed`"), "{}", run.stderr);
    let after = scratch.read("runs/cup/games.jsonl");
    assert!(after.starts_with(&before), "what was played stays as it is");
    let all = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(all.len(), 12);
    for record in &all {
        let (teams, seats) = (teams(record), seats(record));
        for (team, bot) in teams.iter().zip(&seats) {
            let own = three.iter().find(|(name, _)| name == team).expect("the team is one of the file").1;
            assert!(own.contains(bot), "{bot} plays for {team}");
        }
    }
    scratch.run(["verify", "runs/cup/games.jsonl"]).done();
    let of_team = "error: `pair` is a team; its bots are `ada` and `bob`\nhint: run `linesman league show \
                   runs/cup ada` or `linesman league show runs/cup bob`\n";
    scratch.run(["league", "show", "runs/cup", "pair"]).said(2, of_team);
    let results = scratch.read("runs/cup/results.csv");
    let heading = results.lines().next().unwrap_or_default();
    assert!(heading.contains(",bot_4,team_1,team_2,team_3,team_4,place_1,"), "{heading}");
    let crosstable = scratch.read("runs/cup/crosstable.csv");
    assert!(crosstable.starts_with("team,"), "{crosstable}");
}

#[test]
fn a_failing_bot_loses_for_its_team() {
    let scratch = Scratch::new();
    scratch.program("crash.sh", &shell_bot("go) exit 3;;"));
    let bots = [("ada", RANDOM), ("bob", "./crash.sh"), ("cleo", RANDOM)];
    let pairs: [(&str, &[&str]); 2] = [("reds", &["ada", "bob"]), ("cleo", &["cleo"])];
    scratch.write("cup.toml", league("", &bots, &pairs));
    let run = scratch.run(["league", "run", "cup.toml"]);
    assert_eq!(table(run.done())[1][1], "cleo");
    assert!(run.stderr.contains("bob of reds lost: it exited with status 3"), "{}", run.stderr);
    for record in records(&scratch.path("runs/cup/games.jsonl")) {
        assert_eq!(record["reason"], "failure");
        let won = teams(&record).iter().position(|team| *team == "cleo").expect("it plays");
        assert_eq!(record["places"][won], 1);
    }
    let standings = scratch.run(["league", "standings", "runs/cup", "--json"]);
    let rows: Value = serde_json::from_str(standings.done()).expect("it is JSON");
    assert_eq!((&rows[1]["team"], &rows[1]["faults_crash"]), (&Value::from("reds"), &Value::from(2)));
}
