//! Reading lines of every kind.

use std::io::Cursor;

use proptest::prelude::*;

use super::SMALLEST;
use crate::testing::played;
use crate::{
    Ended, EvidenceRecord, FaultFields, ReadError, RecordReader, Selection, Standing, TranscriptRecord,
    VoidKind, VoidRecord,
};
use linesman_types::seat::Seat;

fn reader(text: impl Into<Vec<u8>>) -> RecordReader {
    RecordReader::from_input("games.jsonl", Cursor::new(text.into()))
}

/// The error, with its place, in the only line that can't be used.
fn error_in(text: &str) -> String {
    let mut reader = reader(text);
    loop {
        let error: ReadError = match reader.next_line() {
            Ok(Some(line)) => match (line.record(), line.league_game()) {
                (Err(error), _) | (Ok(_), Err(error)) => error,
                (Ok(_), Ok(_)) => continue,
            },
            Ok(None) => return "nothing".to_owned(),
            Err(error) => error,
        };
        return format!("{}: {error}", error.location());
    }
}

#[test]
fn the_smallest_record_is_read() {
    let mut reader = reader(SMALLEST);
    let line = reader.next_line().unwrap().unwrap();
    let record = line.record().unwrap();
    assert_eq!((record.attempt, record.moves), (1, None));
    let outcome = line.league_game().unwrap().outcome;
    assert_eq!(outcome.bots.as_slice(), ["A", "B"]);
    assert_eq!(outcome.places().map(|places| places[Seat::FIRST].number()), Some(1));
}

#[test]
fn both_ways_of_reading_agree() {
    let mut void = played(3);
    void.places = None;
    void.void = Some(crate::VoidRecord { kind: VoidKind::Host, ..Default::default() });
    let evidence = Some(EvidenceRecord { cpu_us: 100, wait_us: 300, lag_us: 2 });
    let mut late = void.clone();
    late.void =
        Some(VoidRecord { seat: Some(2), used_us: Some(400), evidence, ..void.void.clone().unwrap() });
    let mut lost = played(4);
    let fault =
        FaultFields { seat: 1, fault: "time".to_owned(), used_us: Some(400), ..FaultFields::default() };
    lost.faults = vec![FaultFields { overload: true, evidence, ..fault.clone() }.into(), fault.into()];
    for (record, seat) in [(&late, 2), (&lost, 1)] {
        let late = record.outcome().unwrap().late;
        assert_eq!(late.iter().map(|late| late.seat.number()).collect::<Vec<_>>(), [seat]);
        assert_eq!((late[0].wall_us, late[0].cpu_us, late[0].wait_us), (400, 100, 300));
    }
    let words: Vec<String> =
        lost.outcome().unwrap().faults.iter().map(|(_, word)| word.to_string()).collect();
    assert_eq!(words, ["overload", "time"], "the host's and its own");
    let text: String = (0..10)
        .map(played)
        .chain([void, late, lost])
        .map(|record| serde_json::to_string(&record).unwrap() + "\n")
        .collect();
    let mut reader = reader(text);
    let mut lines = 0;
    while let Some(line) = reader.next_line().unwrap() {
        assert_eq!(line.record().unwrap().outcome(), Ok(line.league_game().unwrap().outcome));
        lines += 1;
    }
    assert_eq!(lines, 13);
}

#[test]
fn texts_are_borrowed_where_they_are_spelled_plainly() {
    let mut reader = reader(SMALLEST.replace("\"B\"", "\"\\u0042\""));
    let outcome = reader.next_line().unwrap().unwrap().league_game().unwrap().outcome;
    assert_eq!(outcome.bots.as_slice(), ["A", "B"]);
    let is_borrowed = |name: &std::borrow::Cow<'_, str>| matches!(name, std::borrow::Cow::Borrowed(_));
    assert_eq!(outcome.bots.values().map(is_borrowed).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn unknown_fields_empty_lines_and_foreign_line_ends_are_accepted() {
    let text = format!(
        "\u{feff}{}\r\n\n  \n{}\n",
        SMALLEST.replace("{\"v\"", "{\"weather\":{\"sun\":[1,{}]},\"v\""),
        SMALLEST
    );
    assert_eq!(reader(text).map(|record| record.unwrap().0.line).collect::<Vec<_>>(), [1, 4]);
}

#[test]
fn a_line_that_is_no_record_is_reported_with_its_place() {
    let good = SMALLEST;
    for (bad, expected) in [
        ("hello", "games.jsonl:2:1: the line is not JSON: expected value"),
        ("{\"v\":1,", "games.jsonl:2:7: the line is not JSON: EOF while parsing a value"),
        ("8 of them", "games.jsonl:2:3: the line is not JSON: trailing characters"),
        ("[]", "games.jsonl:2: the line is not a game record: a record must be a JSON object"),
        ("{\"v\":1}", "games.jsonl:2:7: the line is not a game record: missing field `id`"),
        (
            &good.replace("[1,2]", "[1,\"2\"]"),
            "games.jsonl:2:83: the line is not a game record: invalid type: string \"2\", expected u8",
        ),
        (
            &good.replace("\"v\":1", "\"v\":2").replace("[1,2]", "{\"A\":1}"),
            "games.jsonl:2: the record has format version 2, but this program reads versions up to 1",
        ),
        (
            &good.replace("\"v\":1", "\"v\":0"),
            "games.jsonl:2: the record has format version 0, but this program reads versions up to 1",
        ),
        (
            &good.replace("[1,2]", "[1,2,3]"),
            "games.jsonl:2: the record is invalid: `places` has 3 places for 2 seats",
        ),
        (
            &good.replace("[1,2]", "[0,2]"),
            "games.jsonl:2: the record is invalid: `places` has the place 0 (with 2 seats there are 1 to 2)",
        ),
        (
            &good.replace("{\"name\":\"B\"}", "{\"name\":\"\"}"),
            "games.jsonl:2: the record is invalid: `seats` has a bot without a name",
        ),
        (
            &good.replace(",\"places\":[1,2]", ""),
            "games.jsonl:2: the record is invalid: `places` and `void` are both missing",
        ),
        (
            &good.replace("[1,2]", "[1,2],\"void\":{\"kind\":\"host\"}"),
            "games.jsonl:2: the record is invalid: `places` and `void` are both present",
        ),
        (
            &good.replace("[1,2]", "[1,2],\"faults\":[{\"seat\":3,\"fault\":\"time\"}]"),
            "games.jsonl:2: the record is invalid: `faults` names seat 3, but there are 2 seats",
        ),
        (
            &good.replace(
                "{\"name\":\"B\"}",
                "{\"name\":\"B\"},{\"name\":\"C\"},{\"name\":\"D\"},{\"name\":\"E\"},{\"name\":\"F\"}",
            ),
            "games.jsonl:2: the record is invalid: `seats` has 6 bots (a game has 2 to 4)",
        ),
    ] {
        assert_eq!(error_in(&format!("{good}\n{bad}\n{good}\n")), expected, "{bad}");
    }
}

#[test]
fn reading_continues_after_a_line_that_can_t_be_read() {
    let text = format!("{SMALLEST}\nnonsense\n{SMALLEST}\n");
    assert_eq!(reader(text).map(|record| record.is_ok()).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn a_line_that_is_too_long_is_refused_without_being_kept() {
    let text = format!("{SMALLEST}\n{}\n{SMALLEST}\n", "x".repeat(5_000));
    let mut reader = reader(text).with_max_line_bytes(1_000);
    let seen: Vec<String> = reader
        .by_ref()
        .map(|record| record.map_or_else(|error| error.to_string(), |(place, _)| place.to_string()))
        .collect();
    assert_eq!(
        seen,
        [
            "games.jsonl:1",
            "the line is longer than 1000 bytes, the maximum length of a record",
            "games.jsonl:3"
        ]
    );
    assert!(reader.kept_bytes() < 3_000);
}

#[test]
fn a_source_without_line_ends_is_abandoned() {
    let mut reader = RecordReader::from_input("zeros", std::io::repeat(0)).with_max_line_bytes(1_000);
    let error = reader.next().expect("there is something").unwrap_err();
    assert_eq!(error.to_string(), "the line is longer than 1000 bytes, the maximum length of a record");
    assert!(reader.next().is_none());
}

#[test]
fn missing_files_and_directories_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.jsonl");
    let mut reader = RecordReader::new([missing.as_path().into(), folder.path().into()]);
    let said: Vec<String> = reader
        .by_ref()
        .map(|record| record.map(|_| ()).unwrap_err())
        .map(|error| error.to_string())
        .collect();
    assert_eq!(
        said,
        ["can't be read: No such file or directory (os error 2)", "is a directory, not a file of records"]
    );
}

#[test]
fn the_first_record_of_a_game_that_is_not_void_by_the_host_counts() {
    let host = SMALLEST.replace("\"places\":[1,2]", "\"void\":{\"kind\":\"host\"}");
    let nobody =
        SMALLEST.replace("\"places\":[1,2]", "\"void\":{\"kind\":\"no_bot_played\"}").replace("g1", "g2");
    let elsewhere = SMALLEST.replace("\"v\":1", "\"v\":1,\"league\":\"other\"");
    let text = [&host, SMALLEST, &host, SMALLEST, &nobody, &nobody, &elsewhere]
        .map(|line| format!("{line}\n"))
        .concat();
    let mut reader = reader(text);
    let mut selection = Selection::default();
    let mut judged = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        judged.push(selection.judge(&line.league_game().unwrap().outcome));
    }
    use Standing::{Counts, Duplicate, ToBeReplayed};
    assert_eq!(judged, [ToBeReplayed, Counts, ToBeReplayed, Duplicate, Counts, Duplicate, Counts]);
    assert_eq!((selection.games(), selection.duplicates(), selection.to_be_replayed()), (3, 2, 2));
}

#[test]
fn an_unknown_kind_of_void_is_final() {
    let mut reader = reader(SMALLEST.replace("\"places\":[1,2]", "\"void\":{\"kind\":\"flood\"}"));
    assert_eq!(reader.next_line().unwrap().unwrap().league_game().unwrap().outcome.result, Ended::Void);
}

#[test]
fn a_line_in_an_unknown_direction_is_kept() {
    let line = r#"{"at_us":1,"seat":2,"direction":"to_people","text":"hello"}"#;
    let record: TranscriptRecord = serde_json::from_str(line).expect("only the direction is unknown");
    assert_eq!(serde_json::to_string(&record).expect("it is a record"), line);
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let lines = bytes.split(|byte| *byte == b'\n').count();
        prop_assert!(reader(bytes).count() <= lines);
    }

    #[test]
    fn damaged_records_are_read_or_refused(
        seed in 0_u64..20,
        damage in proptest::collection::vec((0_usize..2_000, any::<u8>()), 1..6),
    ) {
        let mut bytes = serde_json::to_vec(&played(seed)).unwrap();
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let mut reader = reader(bytes);
        while let Ok(Some(line)) = reader.next_line() {
            let _ = line.league_game();
            if let Ok(record) = line.record() {
                let _ = crate::verify::Replayer::default().check(&record);
                let _ = record.verdict();
            }
        }
    }
}
