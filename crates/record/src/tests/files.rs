//! Appending, recovering, locking, and full disks.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use crate::testing::played;
use crate::{GameRecord, RecordFile, RecordFileError, RecordReader, Recovery, WriteEvent};

fn line(record: &GameRecord) -> String {
    serde_json::to_string(record).unwrap() + "\n"
}

fn written(path: &Path, records: &[GameRecord]) -> Recovery {
    let (mut writer, recovery) = RecordFile::open(path).unwrap().into_writer(|_| {}).unwrap();
    for record in records {
        writer.append(record).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), records.len() as u64);
    recovery
}

fn read(path: &Path) -> Vec<GameRecord> {
    RecordReader::file(path).map(|record| record.unwrap().1).collect()
}

#[test]
fn appended_records_are_read_in_the_same_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let records: Vec<GameRecord> = (0..30).map(played).collect();
    assert_eq!(written(&path, &records[..10]), Recovery::Whole);
    assert_eq!(written(&path, &records[10..]), Recovery::Whole);
    assert_eq!(read(&path), records);
}

#[test]
fn a_listener_is_notified_when_all_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let file = RecordFile::open(&folder.path().join("games.jsonl")).unwrap();
    let (mut writer, _) = file.into_writer(move |event| listener.lock().unwrap().push(event)).unwrap();
    for number in 1..=20 {
        assert_eq!(writer.append(&played(number)).unwrap(), number);
    }
    assert_eq!(writer.finish().unwrap(), 20);
    assert_eq!(writer.durable(), 20);
    let mut upto = 0;
    for event in heard.lock().unwrap().iter() {
        let WriteEvent::Durable(number) = event else { panic!("{event:?}") };
        assert!(*number > upto, "{number} after {upto}");
        upto = *number;
    }
    assert_eq!(upto, 20);
}

#[test]
fn a_second_writer_is_refused_until_the_first_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let (mut writer, _) = RecordFile::open(&path).unwrap().into_writer(|_| {}).unwrap();
    writer.finish().unwrap();
    // Tables are still being written from the records: no other process may append.
    let refused = RecordFile::open(&path).unwrap_err();
    assert!(matches!(refused, RecordFileError::InUse { .. }), "{refused}");
    drop(writer);
    RecordFile::open(&path).unwrap();
}

#[test]
fn a_last_line_cut_anywhere_loses_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let before = [played(1), played(2)];
    let last = played(0);
    let kept: String = before.iter().map(line).collect();
    let torn = line(&last);
    for length in 0..=torn.len() {
        fs::write(&path, [kept.as_bytes(), &torn.as_bytes()[..length]].concat()).unwrap();
        let mut reader = RecordReader::file(&path);
        let seen = reader.by_ref().filter(|record| record.is_ok()).count();
        let recovery = RecordFile::open(&path).unwrap().recover().unwrap();
        let after = fs::read_to_string(&path).unwrap();
        if length >= torn.len() - 1 {
            assert_eq!((seen, reader.torn()), (3, [].as_slice()));
            assert_eq!(after, kept.clone() + &torn);
            let expected = if length == torn.len() { Recovery::Whole } else { Recovery::AddedLineEnd };
            assert_eq!(recovery, expected);
        } else {
            assert_eq!((seen, reader.torn().len()), (2, usize::from(length > 0)), "at {length}");
            assert_eq!(after, kept, "at {length}");
            let bytes = length as u64;
            let expected = if length == 0 { Recovery::Whole } else { Recovery::CutTornLine { bytes } };
            assert_eq!(recovery, expected);
        }
    }
    assert_eq!(written(&path, &[played(5)]), Recovery::Whole);
}

#[test]
fn zeros_that_a_power_cut_left_are_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let whole = line(&played(1));
    let part = |length: usize, zeros| [whole.as_bytes()[..length].to_vec(), vec![0; zeros]].concat();
    // The last record lacks only its line end.
    for tail in [vec![0; 5_000], part(70, 100), part(whole.len() - 1, 1)] {
        fs::write(&path, [whole.as_bytes(), &tail].concat()).unwrap();
        assert_eq!(written(&path, &[played(2)]), Recovery::CutTornLine { bytes: tail.len() as u64 });
        assert_eq!(read(&path), [played(1), played(2)]);
    }
}

#[test]
fn a_last_line_that_is_not_torn_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    for text in ["my diary", "{\"v\":1}", "[{\"v\":1,", "{\"v\":1,]"] {
        fs::write(&path, text).unwrap();
        let refused = RecordFile::open(&path).unwrap().into_writer(|_| {}).unwrap_err();
        assert!(matches!(refused, RecordFileError::Damaged { .. }), "{text}: {refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_full_disk_is_reported_once_and_is_final() {
    let failures = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&failures);
    let file = RecordFile::open(Path::new("/dev/full")).unwrap();
    let (mut writer, _) = file.into_writer(move |event| listener.lock().unwrap().push(event)).unwrap();
    // The first record is accepted; the second may be, depending on the disk.
    writer.append(&played(1)).unwrap();
    let _ = writer.append(&played(2));
    let error = writer.finish().unwrap_err();
    assert_eq!(error.to_string(), "can't write the record of `greedy~random~2` to `/dev/full`");
    assert_eq!(error.error.kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(error.hint(), "free some space and run the same command again");
    assert!(writer.append(&played(3)).is_err());
    assert_eq!(writer.durable(), 0);
    let failures = failures.lock().unwrap();
    assert!(matches!(failures[..], [WriteEvent::Failed(_)]), "{failures:?}");
}

/// A file system of 64 KiB, unmounted when this is dropped.
struct TinyDisk(tempfile::TempDir);

impl TinyDisk {
    /// `None` if this user may not mount anything.
    fn mount() -> Option<TinyDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "linesman-test"])
            .arg(folder.path())
            .stderr(std::process::Stdio::null())
            .status();
        mount.is_ok_and(|status| status.success()).then_some(TinyDisk(folder))
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_disk_that_fills_up_keeps_whole_records_and_takes_more_when_there_is_space() {
    let Some(disk) = TinyDisk::mount() else { return };
    let ballast = disk.0.path().join("ballast");
    fs::write(&ballast, vec![b'x'; 32 << 10]).unwrap();
    let path = disk.0.path().join("games.jsonl");
    let records: Vec<GameRecord> = (0..200).map(played).collect();
    let (mut writer, _) = RecordFile::open(&path).unwrap().into_writer(|_| {}).unwrap();
    let failed = records.iter().find_map(|record| writer.append(record).err());
    let error = failed.or_else(|| writer.finish().err()).expect("200 records take more than 32 KiB");
    assert_eq!(error.error.kind(), std::io::ErrorKind::StorageFull);
    drop(writer);
    let kept = read(&path);
    assert!(!kept.is_empty() && kept.len() < records.len());
    assert_eq!(kept, records[..kept.len()]);
    assert!(fs::read(&path).unwrap().ends_with(b"}\n"));

    fs::remove_file(&ballast).unwrap();
    assert_eq!(written(&path, &records[kept.len()..kept.len() + 5]), Recovery::Whole);
    assert_eq!(read(&path), records[..kept.len() + 5]);
}

#[test]
fn the_longest_records_are_written_without_the_bots_statements() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut long = played(1);
    let said = crate::SaidRecord { text: Some("x".repeat(200)), ..Default::default() };
    for _ in 0..100_000 {
        long.push_move("a1a5", std::time::Duration::from_micros(1), said.clone());
    }
    assert_eq!(written(&path, std::slice::from_ref(&long)), Recovery::Whole);
    assert_eq!(read(&path), [GameRecord { said: None, ..long }]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_records_are_read_as_they_were_written(
        seeds in proptest::collection::vec(0_u64..40, 0..5),
        names in proptest::collection::vec(any::<String>(), 5),
        torn in 0_usize..300,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut records: Vec<GameRecord> = seeds.into_iter().map(played).collect();
        for (record, name) in records.iter_mut().zip(names) {
            record.seats[0].name = name.clone();
            record.league = Some(name);
        }
        written(&path, &records);
        let rest = line(&played(7));
        let torn = &rest.as_bytes()[..torn.min(rest.len() - 2)];
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(torn).unwrap();
        prop_assert_eq!(read(&path), records.clone());
        written(&path, &[played(8)]);
        records.push(played(8));
        prop_assert_eq!(read(&path), records);
    }
}
