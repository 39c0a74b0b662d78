//! The speed of the record writer, and its effect on concurrent games.

use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use linesman::record::{
    Disk, DiskFile, Entry, GameRecord, HostDisk, RecordFile, RecordWriter, SeatRecord, WriteEvent,
};
use tempfile::TempDir;

use crate::counters::process_cpu;
use crate::players::{NotMeasured, Sample, by_turns};
use crate::recorded::Recorded;
use crate::referee::{Conduct, referee};
use crate::table::{Row, print, print_or_explain};
use crate::{Plan, folder};

/// The length of a record, including its line end.
const BYTES: usize = 600;

/// The number of threads that wait for their records.
const PRODUCERS: usize = 64;

/// Returns a record of exactly [`BYTES`] bytes.
fn record(recorded: &Recorded) -> GameRecord {
    let named = |name: &str| SeatRecord { name: name.to_owned(), ..SeatRecord::default() };
    let mut record = GameRecord {
        v: 1,
        id: "alpha~beta~1".to_owned(),
        attempt: 1,
        league: Some("durability".to_owned()),
        game: "quixo".to_owned(),
        seats: vec![named("alpha"), named("beta")],
        moves: Some(recorded.moves.clone()),
        places: Some(vec![1, 1]),
        reason: Some("max_plies".to_owned()),
        host: Some(String::new()),
        ..GameRecord::default()
    };
    let length = |record: &GameRecord| serde_json::to_vec(record).expect("it is plain").len() + 1;
    while length(&record) > BYTES {
        record.moves.as_mut().and_then(Vec::pop).expect("a record without moves is short");
    }
    record.host = Some("x".repeat(BYTES - length(&record)));
    assert_eq!(length(&record), BYTES);
    record
}

/// The number of durable records, to be waited for.
#[derive(Default)]
struct Durable {
    records: Mutex<u64>,
    more: Condvar,
}

impl Durable {
    fn listener(self: &Arc<Durable>) -> impl Fn(WriteEvent) + Send + Sync + 'static {
        let own = Arc::clone(self);
        move |event| {
            match event {
                WriteEvent::Durable(records) => *own.records.lock().expect("nobody panics with it") = records,
                WriteEvent::Failed(error) => panic!("{error}"),
            }
            own.more.notify_all();
        }
    }

    fn wait_for(&self, number: u64) {
        let records = self.records.lock().expect("nobody panics with it");
        drop(self.more.wait_while(records, |records| *records < number).expect("nobody panics with it"));
    }
}

pub fn durability(plan: &Plan) {
    let record = record(&Recorded::of(60));
    group_commit(plan, &record);
    without_waiting(plan, &record);
    let what = "durability: moves a second with 100 records a second made durable";
    print_or_explain(what, during_games(plan, &record, what));
}

fn writer(folder: &TempDir, disk: &dyn Disk) -> (RecordWriter, Arc<Durable>) {
    let durable = Arc::new(Durable::default());
    let file = folder.path().join("games.jsonl");
    let file = RecordFile::open_on(disk, &file).expect("nobody else has it");
    (file.into_writer(durable.listener()).expect("it is empty").0, durable)
}

/// Measures 64 threads that wait until each of their records is durable before appending the next.
fn group_commit(plan: &Plan, record: &GameRecord) {
    let (mut speeds, mut costs) = (Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        let folder = folder(&format!("commit-{round}"));
        let (writer, durable) = writer(&folder, &HostDisk);
        let writer = Mutex::new(writer);
        let (start, cpu) = (Instant::now(), process_cpu());
        let until = start + 5 * plan.window;
        let produce = || {
            while Instant::now() < until {
                let number = writer.lock().expect("nobody panics with it").append(record);
                durable.wait_for(number.expect("the disk takes it"));
            }
        };
        std::thread::scope(|threads| (0..PRODUCERS).for_each(|_| drop(threads.spawn(produce))));
        let (wall, cpu) = (start.elapsed(), process_cpu() - cpu);
        let written =
            writer.into_inner().expect("nobody panics with it").finish().expect("the disk takes it");
        speeds.push(written as f64 / wall.as_secs_f64());
        costs.push(written as f64 / cpu.as_secs_f64());
    }
    print([Row::new(
        format!("durability: records of {BYTES} bytes that {PRODUCERS} wait for one by one"),
        "records/s, and a CPU second",
    )
    .wall(speeds)
    .cpu(costs)
    .aim(">= 5000, if every game waited")]);
}

/// Measures records that nobody waits for, until the last one is durable.
fn without_waiting(plan: &Plan, record: &GameRecord) {
    let records = if plan.rounds > 2 { 50_000 } else { 1_000 };
    let (mut speeds, mut costs) = (Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        let folder = folder(&format!("handed-{round}"));
        let (mut writer, _durable) = writer(&folder, &HostDisk);
        let (start, cpu) = (Instant::now(), process_cpu());
        for _ in 0..records {
            writer.append(record).expect("the disk takes it");
        }
        writer.finish().expect("the disk takes it");
        speeds.push(f64::from(records) / start.elapsed().as_secs_f64());
        costs.push(f64::from(records) / (process_cpu() - cpu).as_secs_f64());
    }
    print([Row::new(
        "durability: records handed over, until the last is durable",
        "records/s, and a CPU second",
    )
    .wall(speeds)
    .cpu(costs)
    .aim(">= 5000")]);
}

/// Measures one game at a time while 100 records a second are written.
fn during_games(plan: &Plan, record: &GameRecord, what: &str) -> Result<Vec<Row>, NotMeasured> {
    let recorded = Arc::new(Recorded::of(60));
    let side = [referee(&recorded, &Conduct::of("durability", 1), &plan.cpus[..1])?];
    let measure = |disk: &dyn Disk, round: usize| -> Result<Sample, NotMeasured> {
        let folder = folder(&format!("beside-{round}"));
        let (writer, _durable) = writer(&folder, disk);
        let window = 2 * plan.window;
        appending(writer, record, window, || Ok(by_turns(1, window, &side)?[0][0]))
    };
    let (mut speeds, mut costs) = (Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        let (durable, plain) = match round % 2 {
            0 => (measure(&HostDisk, round)?, measure(&NeverSynced, round)?),
            _ => {
                let plain = measure(&NeverSynced, round)?;
                (measure(&HostDisk, round)?, plain)
            }
        };
        speeds.push(durable.speed / plain.speed);
        costs.push(plain.all / durable.all);
    }
    Ok(vec![Row::new(what, "x of without a sync").wall(speeds).cpu(costs).aim(">= 0.95")])
}

/// Appends a record every 10 ms while `work` runs.
fn appending<T>(
    mut writer: RecordWriter,
    record: &GameRecord,
    window: Duration,
    work: impl FnOnce() -> T,
) -> T {
    let over = (Mutex::new(false), Condvar::new());
    let is_going_on = |over: &mut bool| !*over;
    std::thread::scope(|threads| {
        threads.spawn(|| {
            let intervals = window.as_millis() as u64 / 10;
            for _ in 0..=intervals {
                writer.append(record).expect("the disk takes it");
                let waiting = over.0.lock().expect("nobody panics with it");
                let pause = Duration::from_millis(10);
                let waited = over.1.wait_timeout_while(waiting, pause, is_going_on);
                if *waited.expect("nobody panics with it").0 {
                    break;
                }
            }
        });
        let result = work();
        *over.0.lock().expect("nobody panics with it") = true;
        over.1.notify_all();
        result
    })
}

/// The host's disk without syncs.
#[derive(Debug)]
struct NeverSynced;

#[derive(Debug)]
struct NeverSyncedFile(Box<dyn DiskFile>);

impl Disk for NeverSynced {
    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(NeverSyncedFile(HostDisk.append(path)?)))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(NeverSyncedFile(HostDisk.create(path)?)))
    }

    fn read(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        HostDisk.read(path)
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        HostDisk.exists(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        HostDisk.create_folder(path)
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        HostDisk.entries(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        HostDisk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        HostDisk.remove(path)
    }

    fn sync_folder(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for NeverSyncedFile {
    fn length(&self) -> io::Result<Option<u64>> {
        self.0.length()
    }

    fn try_lock(&self) -> Result<(), std::fs::TryLockError> {
        self.0.try_lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }

    fn read_at(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(start, buffer)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.0.cut(length)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
