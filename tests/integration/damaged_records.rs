//! Tests of records that are damaged, edited by hand or foreign: they are reported with the line and
//! a cure, and nothing is overwritten.

use std::process::Command;

use linesman::record::MAX_LINE_BYTES;

use crate::support::bots::{ids, records, rows, sorted, tournament, without_checks};
use crate::support::scratch::Scratch;

const RANDOM: &str = "linesman bot random";
const GAMES: &str = "runs/cup/games.jsonl";

/// Plays a league of two games in `runs/cup`.
pub fn finished() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament("", &[("a", RANDOM), ("b", RANDOM)]));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    scratch
}

const FORM: &str = "hint: give a file of records, which has one JSON object per line; see \
                    docs/reference/records.md\n";

#[test]
fn non_records_are_rejected_by_all_commands_that_read_records() {
    let scratch = finished();
    let good = scratch.read("runs/cup/games.jsonl");
    let check = |content: &[u8], what: &str, place: &str, hint: &str| {
        scratch.write("runs/cup/games.jsonl", content);
        let expected = format!("error: {what}\n  --> runs/cup/games.jsonl:{place}\n{hint}");
        for arguments in
            [["run", "cup.toml"].as_slice(), &["standings", "runs/cup"], &["export", "runs/cup", "--games"]]
        {
            let run = scratch.run(["league"].iter().chain(arguments));
            assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected.as_str()), "{arguments:?}");
        }
        for path in ["runs/cup", "runs/cup/games.jsonl"] {
            let run = scratch.run(["ratings", path]);
            assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected.as_str()), "{path}");
            scratch
                .run(["verify", path])
                .said(2, &format!("error: {what}\n  --> runs/cup/games.jsonl:{place}\n"));
        }
        if place.starts_with('1') {
            // Games before the bad line can be shown.
            scratch.run(["replay", "runs/cup/games.jsonl"]).said(2, what);
        }
        assert_eq!(
            std::fs::read(scratch.path("runs/cup/games.jsonl")).expect("it is there"),
            content,
            "nothing is changed"
        );
    };
    check(b"\x7fELF\x02\x01\x01\0\0\n", "the line is not JSON: expected value", "1:1", FORM);
    check(b"name,elo\n", "the line is not JSON: expected ident", "1:2", FORM);
    let no_version = "hint: fix the line (docs/reference/records.md describes records), or delete it with \
                      `sed -i.bak '1d' runs/cup/games.jsonl` (a league then plays its game again; a Swiss \
                      or knockout tournament also plays later games again if their pairings change)\n";
    check(b"[1,2]\n", "the line is not a game record: a record must be a JSON object", "1", no_version);
    check(b"{\"id\":\"g\"}\n", "the line is not a game record: missing field `v`", "1:10", no_version);
    let newer = without_checks(&good).replacen("\"v\":1", "\"v\":9", 1);
    check(
        newer.as_bytes(),
        "the record has format version 9, but this program reads versions up to 1",
        "1",
        "hint: use the newer linesman that wrote it\n",
    );
    let (first, second) = good.split_once('\n').expect("there are two records");
    let mixed = format!("{first}\n\n<<<<<<< HEAD\n{second}");
    let hint = "hint: restore the line, or delete it with `sed -i.bak '3d' runs/cup/games.jsonl` (a league \
                then plays its game again; a Swiss or knockout tournament also plays later games again if their \
                pairings change)\n";
    check(mixed.as_bytes(), "the line is not JSON: expected value", "3:1", hint);
}

#[test]
fn unreadable_records_are_named() {
    let scratch = finished();
    let missing = "error: can't read `none.jsonl`\ncaused by: No such file or directory (os error 2)\n";
    scratch.run(["verify", "none.jsonl"]).said(2, missing);
    scratch.run(["ratings", "none.jsonl"]).said(2, missing);
    scratch.run(["replay", "none.jsonl"]).said(2, "none.jsonl");
    scratch.write("empty/notes", "");
    let no_records = "error: there are no records in `empty`\n\
                      hint: give a file of records, or a run directory with a `games.jsonl`\n";
    for command in ["verify", "ratings", "replay"] {
        scratch.run([command, "empty"]).refused(2, no_records);
    }
    // A run is named by its folder or by its file.
    for arguments in
        [&["verify"][..], &["ratings"], &["replay"], &["league", "standings"], &["league", "export"]]
    {
        let by = |path: &str| scratch.run(arguments.iter().copied().chain([path]));
        assert_eq!(by("runs/cup").done(), by("runs/cup/games.jsonl").done(), "{arguments:?}");
    }
    // An endless file without lines.
    scratch
        .run(["verify", "/dev/zero"])
        .said(2, "error: the line is longer than 67108864 bytes, the maximum length of a record\n");
}

#[test]
fn foreign_games_in_a_league_do_not_count_and_are_reported() {
    let scratch = finished();
    let good = scratch.read("runs/cup/games.jsonl");
    let first = good.lines().next().expect("there are two records");
    let foreign = without_checks(first).replace("~1\"", "~7\"");
    scratch.write("runs/cup/games.jsonl", format!("{good}{foreign}\n{first}\n"));
    let run = scratch.run(["league", "standings", "runs/cup"]);
    assert_eq!(rows(run.done())[0][2], "2");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("warning: runs/cup/games.jsonl:3: `"), "{}", run.stderr);
    assert!(lines[0].ends_with("~7` is not a game of this league and does not count"), "{}", run.stderr);
    assert!(lines[1].starts_with("warning: runs/cup/games.jsonl:4: `"), "{}", run.stderr);
    assert!(lines[1].ends_with("~1` already has a record; the first one counts"), "{}", run.stderr);
    let cure = "to delete the records of games that are not of this league: `sed -i.bak '3d' \
                runs/cup/games.jsonl`";
    assert_eq!(lines[2], cure);
    // Another league's file instead of this one's.
    scratch.write("runs/cup/games.jsonl", good.lines().map(|_| format!("{foreign}\n")).collect::<String>());
    let others = "runs/cup/games.jsonl has no game of this league: if the records are those of another \
                  league, choose another directory, or move them away\n";
    scratch.run(["league", "standings", "runs/cup"]).said(0, others);
}

/// Plays two leagues of bots with the same names, `runs/cup` and `runs/other`, from files with the lines
/// `more`, and replaces the first one's records by the second one's.
fn exchanged(more: [&str; 2], bots: [&str; 2]) -> Scratch {
    let scratch = Scratch::new();
    for ((file, more), bot) in ["cup", "other"].into_iter().zip(more).zip(bots) {
        scratch.write(&format!("{file}.toml"), tournament(more, &[("a", RANDOM), ("b", bot)]));
        scratch.run(["league", "run", &format!("{file}.toml"), "-q"]).done();
    }
    scratch.write("runs/cup/games.jsonl", scratch.read("runs/other/games.jsonl"));
    scratch
}

#[test]
fn records_of_another_league_do_not_count_and_all_commands_report_them() {
    const GREEDY: &str = "linesman bot greedy";
    for (more, bots, why) in [
        (
            ["name = \"Cup\"\n", "name = \"Other\"\n"],
            [RANDOM, RANDOM],
            "belongs to the league `Other`, not to `Cup`",
        ),
        (
            ["name = \"Cup\"\n", "name = \"Cup\"\nseed = 7\n"],
            [RANDOM, RANDOM],
            "is not a game of this league",
        ),
        (["", ""], [RANDOM, GREEDY], "belongs to the league `other`, not to `cup`"),
    ] {
        let scratch = exchanged(more, bots);
        let foreign = scratch.read("runs/cup/games.jsonl");
        for arguments in [
            &["league", "standings", "runs/cup"][..],
            &["league", "report", "runs/cup"],
            &["league", "show", "runs/cup", "b"],
            &["league", "export", "runs/cup"],
            &["league", "export", "runs/cup", "--games"],
            &["league", "run", "cup.toml", "--dry-run"],
        ] {
            let run = scratch.run(arguments);
            run.said(0, &format!("~1` {why}"));
            run.said(0, "runs/cup/games.jsonl has no game of this league");
            let mut lines: Vec<&str> = run.stderr.lines().collect();
            lines.sort_unstable();
            assert!(lines.windows(2).all(|pair| pair[0] != pair[1]), "said once: {}", run.stderr);
        }
        assert_eq!(scratch.run(["league", "export", "runs/cup", "--games", "--format", "json"]).done(), "");
        let verified = scratch.run(["verify", "runs/cup"]);
        verified.said(1, "2 of 2 games are missing: ");
        assert_eq!(scratch.read("runs/cup/games.jsonl"), foreign);
        // They are left in place, and the league plays its own games.
        let played = scratch.run(["league", "run", "cup.toml"]);
        played.said(0, why);
        assert_eq!(rows(played.done())[0][2], "2");
        assert_eq!(scratch.read("runs/cup/results.csv").lines().count(), 3);
    }
}

#[test]
fn records_that_differ_only_by_the_league_name_are_never_counted_silently() {
    // The same bots, and no name in either file: the directory can have been renamed.
    let scratch = exchanged(["", ""], [RANDOM, RANDOM]);
    let foreign = scratch.read("runs/cup/games.jsonl");
    let standings = scratch.run(["league", "standings", "runs/cup"]);
    standings.said(0, "warning: runs/cup/games.jsonl: the records are of the league `other`");
    for more in [&[][..], &["--dry-run"]] {
        let run = scratch.run(["league", "run", "cup.toml"].iter().chain(more));
        run.said(
            2,
            "error: the records in `runs/cup` belong to the league `other`, but this league is `cup`\n",
        );
    }
    assert_eq!(scratch.read("runs/cup/games.jsonl"), foreign);
    // Here it was renamed.
    let bots = [("a", RANDOM), ("b", RANDOM)];
    scratch.write("cup.toml", tournament("name = \"other\"\n", &bots));
    scratch.run(["league", "run", "cup.toml"]).said(0, "finished, all 2 games have been played");
    let standings = scratch.run(["league", "standings", "runs/cup"]);
    assert!(!standings.stderr.contains("the records are of"), "{}", standings.stderr);
}

#[test]
fn a_league_can_be_renamed_and_its_directory_moved() {
    let bots = [("a", RANDOM), ("b", RANDOM)];
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament("", &bots));
    let run = |more: &[&str]| scratch.run(["league", "run", "cup.toml"].iter().chain(more));
    run(&["--out", "elsewhere"]).done();
    let all_count = |path: &str| {
        let standings = scratch.run(["league", "standings", path]);
        assert_eq!(
            // There can also be a warning about a busy machine.
            (rows(standings.done())[0][2], standings.stderr.contains("of the league")),
            ("2", false),
            "{standings:?}"
        );
    };
    all_count("elsewhere");
    std::fs::rename(scratch.path("elsewhere"), scratch.path("archive")).expect("both are ours");
    all_count("archive");
    for (line, name, before) in [
        ("name = \"Spring\"\n", "Spring", "cup"),
        ("name = \"Summer\"\n", "Summer", "Spring"),
        ("", "cup", "Summer"),
    ] {
        scratch.write("cup.toml", tournament(line, &bots));
        let again = run(&["--out", "archive"]);
        again.said(0, &format!("changed: `name` is now `{name}`, was `{before}`"));
        again.said(0, "finished, all 2 games have been played");
        all_count("archive");
    }
    // Games under the new name count as well as those under the old ones.
    scratch.write("cup.toml", tournament("rounds = 2\nname = \"Autumn\"\n", &bots));
    run(&["--out", "archive", "-q"]).done();
    let standings = scratch.run(["league", "standings", "archive"]);
    assert_eq!(rows(standings.done())[0][2], "4");
    assert!(!standings.stderr.contains("of the league"), "{}", standings.stderr);
}

fn bytes_of(scratch: &Scratch, name: &str) -> Vec<u8> {
    std::fs::read(scratch.path(name)).expect("it is there")
}

/// Damages a finished league's records, and asserts that all commands reject them in these
/// words, that the hint's command repairs them, and that the league then finishes.
#[track_caller]
fn check_damage(damage: impl FnOnce(&mut Vec<u8>), line: u64, what: &str) {
    let scratch = finished();
    let good = scratch.read(GAMES);
    let mut bytes = good.clone().into_bytes();
    damage(&mut bytes);
    scratch.write(GAMES, &bytes);
    let delete = format!("sed -i.bak '{line}d' {GAMES}");
    for arguments in
        [&["league", "run", "cup.toml"][..], &["league", "standings", "runs/cup"], &["ratings", "runs/cup"]]
    {
        let run = scratch.run(arguments);
        assert_eq!(run.status, Some(2), "{arguments:?}: {run:#?}");
        let place = format!("  --> {GAMES}:{line}");
        assert!(run.stderr.starts_with(&format!("error: {what}")), "{arguments:?}: {}", run.stderr);
        let cure = format!(
            "or delete it with `{delete}` (a league then plays its game again; a Swiss or knockout tournament also \
             plays later games again if their pairings change)"
        );
        assert!(run.stderr.contains(&place) && run.stderr.contains(&cure), "{arguments:?}: {}", run.stderr);
    }
    let verified = scratch.run(["verify", "runs/cup"]);
    verified.said(
        2,
        &format!(
            "or delete it with `{delete}` (a league then plays its game again; a Swiss or knockout tournament also \
             plays later games again if their pairings change)\n"
        ),
    );
    assert_eq!(bytes_of(&scratch, GAMES), bytes, "nothing is overwritten");

    let status = Command::new("sh").args(["-c", &delete]).current_dir(scratch.path("")).status();
    assert!(status.expect("there is a shell").success());
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    assert_eq!(sorted(ids(&records(&scratch.path(GAMES)))), ["a~b~1", "b~a~1"]);
    assert!(scratch.run(["verify", "runs/cup"]).done().starts_with("2 records: 2 consistent ("));
    assert_eq!(bytes_of(&scratch, &format!("{GAMES}.bak")), bytes);
}

#[test]
fn every_damage_is_reported_with_its_line_and_its_cure() {
    let at = |bytes: &[u8], text: &str| {
        let found = bytes.windows(text.len()).position(|window| window == text.as_bytes());
        found.expect("it is there")
    };
    let is_changed = "the line has changed since it was written: its checksum is `";
    // A changed result that contradicts the rest of the line.
    check_damage(
        |bytes| {
            let place = at(bytes, "\"places\":[") + "\"places\":[".len();
            // Turns a 1 into a 2 and a 2 into a 1.
            bytes[place] ^= 0x03;
        },
        1,
        is_changed,
    );
    check_damage(|bytes| bytes[2] ^= 0x01, 1, is_changed);
    let second =
        |bytes: &[u8]| 1 + bytes.iter().position(|byte| *byte == b'\n').expect("there are two lines");
    check_damage(
        |bytes| {
            let middle = second(bytes) + 200;
            bytes[middle..middle + 40].fill(0);
        },
        2,
        is_changed,
    );
    // The end of the line is missing, with the checksum.
    check_damage(
        |bytes| {
            let end = second(bytes) - 1;
            bytes.drain(end - 100..end);
        },
        1,
        "the line is not JSON: ",
    );
    // A tail that is not the start of a record.
    check_damage(
        |bytes| {
            bytes.truncate(second(bytes));
            bytes.extend(b"rest of something");
        },
        2,
        "the line is not JSON: ",
    );
    check_damage(
        |bytes| {
            // A whole record without line end and with a flipped byte.
            bytes.pop();
            let place = second(bytes) + at(&bytes[second(bytes)..], "\"seed\":") + "\"seed\":".len();
            bytes[place] ^= 0x01;
        },
        2,
        is_changed,
    );
}

#[test]
fn broken_lines_are_deleted_by_one_command() {
    let scratch = finished();
    let good = scratch.read(GAMES);
    scratch.write(GAMES, good.replace("\"places\":[", "\"places\":[ "));
    let run = scratch.run(["verify", "runs/cup"]);
    run.said(2, &format!("`sed -i.bak '1d;2d' {GAMES}` ("));
    assert_eq!(run.stderr.matches("sed -i").count(), 1, "line numbers change with each: {}", run.stderr);
}

#[test]
fn a_record_whose_id_does_not_match_its_game_is_rejected() {
    let scratch = finished();
    let good = without_checks(&scratch.read(GAMES));
    let check = |before: &str, after: &str, what: &str| {
        let line =
            1 + good.lines().position(|line| line.contains("\"id\":\"a~b~1\"")).expect("it was played");
        let changed = good.lines().nth(line - 1).expect("it is there").replacen(before, after, 1);
        assert!(!good.contains(&changed), "{before}");
        let text: String =
            good.lines()
                .map(|line| {
                    if line.contains("\"id\":\"a~b~1\"") {
                        format!("{changed}\n")
                    } else {
                        format!("{line}\n")
                    }
                })
                .collect();
        scratch.write(GAMES, &text);
        let expected = format!(
            "error: {what}\n  --> {GAMES}:{line}\nhint: fix the line, or delete it with `sed -i.bak \
             '{line}d' {GAMES}` (a league then plays its game again; a Swiss or knockout tournament also plays later \
             games again if their pairings change)\n"
        );
        for arguments in [["run", "cup.toml"], ["standings", "runs/cup"]] {
            scratch.run(["league"].iter().chain(&arguments)).refused(2, &expected);
        }
        assert_eq!(scratch.read(GAMES), text);
    };
    check(
        "\"id\":\"a~b~1\"",
        "\"id\":\"b~a~1\"",
        "the id `b~a~1` does not match the bots in the seats: `a`, `b`",
    );
    check(
        "{\"name\":\"a\"",
        "{\"name\":\"c\"",
        "the id `a~b~1` does not match the bots in the seats: `c`, `b`",
    );
    check(
        "\"game\":\"quixo\"",
        "\"game\":\"trexo\"",
        "`a~b~1` is recorded as a game of `trexo`, but this league plays `quixo`",
    );
    check("\"size\":3", "\"size\":4", "`a~b~1` was played with `size` = `4`, but this league has `3`");
    check(
        "\"moves\":[",
        "\"opening\":{\"moves\":[\"a1a3\"]},\"moves\":[",
        "`a~b~1` started from `a1a3`, but the tournament file says the usual start",
    );
    // Records without checksums are valid.
    scratch.write(GAMES, &good);
    scratch.run(["league", "run", "cup.toml"]).said(0, "finished, all 2 games have been played\n");
}

#[test]
fn games_around_an_overlong_line_are_shown() {
    let scratch = finished();
    let good = scratch.read(GAMES);
    let (first, second) = good.split_once('\n').expect("there are two games");
    let long = "x".repeat(usize::try_from(MAX_LINE_BYTES).expect("it fits") + 1);
    scratch.write("games.jsonl", format!("{first}\n{long}\n{second}"));
    let last = scratch.run(["replay", "games.jsonl", "--game", "3"]).done().to_owned();
    assert_eq!(last, scratch.run(["replay", GAMES, "--game", "2"]).done());
    let games = records(&scratch.path(GAMES));
    assert_eq!(last, scratch.run(["replay", "games.jsonl", "--game", ids(&games)[1]]).done());
    scratch.run(["replay", "games.jsonl", "--game", "2"]).said(2, "the line is longer than");
}
