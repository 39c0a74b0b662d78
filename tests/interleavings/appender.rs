//! Checks of the threads that write records.

#[path = "../../crates/record/src/appender.rs"]
#[expect(dead_code, reason = "the steps of the threads are for the simulation")]
mod checked;

use std::sync::Arc;
use std::time::Duration;

use checked::{Appender, Medium, Pace};

use super::sync::{Condvar, Mutex};
use super::{check, sync, thread};

/// A simulated disk with a write or a sync that fails. It counts the lines that a power cut would leave.
struct Disk {
    /// The numbers of the failing write and the failing sync, from 1.
    broken: [Option<u64>; 2],
    state: Mutex<DiskState>,
    told: Condvar,
}

#[derive(Default)]
struct DiskState {
    lines: Vec<u8>,
    attempts: [u64; 2],
    /// The number of lines that would survive a power cut.
    durable: usize,
    acknowledged: u64,
    /// The number of lines when the writer reported its failure.
    failed: Option<usize>,
}

#[derive(Copy, Clone, PartialEq, Debug)]
struct Broken;

impl Disk {
    fn new(broken: [Option<u64>; 2]) -> Arc<Disk> {
        Arc::new(Disk { broken, state: Mutex::default(), told: Condvar::new() })
    }

    fn attempt(&self, kind: usize) -> Result<(), Broken> {
        let mut state = self.state.lock().expect("no thread panics");
        state.attempts[kind] += 1;
        if self.broken[kind] == Some(state.attempts[kind]) { Err(Broken) } else { Ok(()) }
    }

    fn wait_for(&self, acknowledged: u64) {
        let state = self.state.lock().expect("no thread panics");
        drop(
            self.told.wait_while(state, |state| state.acknowledged < acknowledged).expect("no thread panics"),
        );
    }
}

impl Medium for Arc<Disk> {
    type Error = Broken;

    fn append(&self, line: &[u8], length: u64) -> Result<(), Broken> {
        self.attempt(0)?;
        let mut state = self.state.lock().expect("no thread panics");
        assert_eq!(length, state.lines.len() as u64, "not at the end");
        state.lines.extend(line);
        Ok(())
    }

    fn sync(&self) -> Result<(), Broken> {
        let lines = self.state.lock().expect("no thread panics").lines.len();
        self.attempt(1)?;
        self.state.lock().expect("no thread panics").durable = lines;
        Ok(())
    }

    fn on_durable(&self, lines: u64) {
        let mut state = self.state.lock().expect("no thread panics");
        assert!(lines <= state.durable as u64, "{lines} acknowledged, {} durable", state.durable);
        assert!(lines > state.acknowledged, "nothing new");
        state.acknowledged = lines;
        drop(state);
        self.told.notify_all();
    }

    fn on_failure(&self, _: Broken) {
        let mut state = self.state.lock().expect("no thread panics");
        assert_eq!(state.failed, None, "it fails once");
        state.failed = Some(state.lines.len());
    }
}

/// Starts an appender whose pause never ends: it waits until two lines are pending.
fn appender_on(disk: &Arc<Disk>) -> Appender<Arc<Disk>> {
    let pace = Pace { pause: Duration::MAX, lines: 2 };
    Appender::start(pace, 1, Arc::clone(disk), 0).expect("threads can be started")
}

/// Appends lines of one byte until one is rejected.
fn append(appender: &mut Appender<Arc<Disk>>, lines: u8) -> Result<(), Option<Broken>> {
    for line in 1..=lines {
        assert_eq!(appender.append(vec![line])?, u64::from(line));
        let durable = appender.durable();
        assert!(durable <= appender.medium().state.lock().expect("no thread panics").durable as u64);
    }
    Ok(())
}

#[test]
fn a_record_is_acknowledged_only_when_it_would_outlive_a_power_cut() {
    check(|| {
        let disk = Disk::new([None; 2]);
        let mut appender = appender_on(&disk);
        append(&mut appender, 5).expect("the disk works");
        assert_eq!((appender.finish(), appender.durable()), (Ok(5), 5));
        let state = disk.state.lock().expect("no thread panics");
        assert_eq!((&state.lines[..], state.durable, state.acknowledged), (&[1, 2, 3, 4, 5][..], 5, 5));
    });
}

#[test]
fn a_dropped_writer_has_made_all_its_records_durable() {
    check(|| {
        let disk = Disk::new([None; 2]);
        let mut appender = appender_on(&disk);
        append(&mut appender, 3).expect("the disk works");
        drop(appender);
        assert_eq!(disk.state.lock().expect("no thread panics").durable, 3);
    });
}

#[test]
fn records_become_durable_while_the_writer_is_open() {
    check(|| {
        let disk = Disk::new([None; 2]);
        let mut appender = appender_on(&disk);
        for line in 1..=5 {
            appender.append(vec![line]).expect("the disk works");
            // The first line is written at once, then every two pending lines together.
            if line % 2 == 1 {
                disk.wait_for(line.into());
            }
        }
    });
}

/// Appends to a failing disk and finishes.
fn nothing_follows_a_failure(broken: [Option<u64>; 2]) {
    let disk = Disk::new(broken);
    let mut appender = appender_on(&disk);
    let refused = append(&mut appender, 6);
    assert!(matches!(refused, Ok(()) | Err(Some(Broken))), "{refused:?}");
    if let Some(number) = broken[0] {
        // Earlier lines become durable even without `finish`.
        disk.wait_for(number - 1);
    }
    assert_eq!((appender.finish(), appender.check()), (Err(Broken), Err(Broken)));
    assert_eq!(appender.append(vec![7]), Err(Some(Broken)));
    let state = disk.state.lock().expect("no thread panics");
    let failed = state.failed.expect("somebody is told");
    // A write in progress during a failing sync can complete after it.
    assert!(state.lines.len() <= failed + usize::from(broken[0].is_none()));
    let whole: Vec<u8> = (1..=6).take(state.lines.len()).collect();
    assert_eq!(state.lines, whole, "no line is left out");
    assert_eq!(state.acknowledged, state.durable as u64);
}

#[test]
fn nothing_is_written_after_a_failed_write_and_waiting_threads_learn_of_it() {
    for number in 1..=3 {
        check(move || nothing_follows_a_failure([Some(number), None]));
    }
}

#[test]
fn nothing_is_acknowledged_after_a_failed_sync_and_waiting_threads_learn_of_it() {
    // All lines can be in one sync.
    check(|| nothing_follows_a_failure([None, Some(1)]));
}
