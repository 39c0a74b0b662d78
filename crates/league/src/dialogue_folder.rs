//! Writes the dialogues of games to files in a folder: a transcript for each game and seat.
//!
//! The thread that plays collects lines in memory. Another thread writes them, so that no player waits for the disk. If
//! the disk can't keep up, lines are left out, and a line of the transcript states it.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::dialogue::{push_transcript_line, transcript_head};
use linesman_driver::DialogueListener;
use linesman_record::text::printable;
use linesman_referee::{Action, Event, Finished, GameSetup, GameTime};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::{ExitStatus, Verdict};

/// Number of bytes of a seat's lines at which they are passed on to the writing thread.
const PIECE_BYTES: usize = 32 * 1024;

/// Maximum game time after which a seat's lines are passed on, however few they are.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// Maximum number of pieces that wait to be written, not counting the ends of games.
const MAX_WAITING: usize = 512;

/// Maximum number of bytes of a seat's lines that are kept while the disk can't keep up.
const MAX_KEPT_BYTES: usize = 1024 * 1024;

/// Maximum length of a game's id in a file name, in bytes.
const MAX_NAME_BYTES: usize = 180;

/// A folder with a transcript for each game and seat, and the thread that writes the transcripts.
pub struct DialogueFolder {
    folder: PathBuf,
    pieces: PieceQueue,
    writer: Mutex<Option<JoinHandle<()>>>,
    failure: Arc<Mutex<Option<WriteFailure>>>,
}

#[derive(Debug)]
pub struct WriteFailure {
    pub path: PathBuf,
    pub error: io::Error,
}

/// A message to the writing thread.
enum Piece {
    /// The next lines of a file.
    Text { path: Arc<Path>, text: String },
    /// A file is complete.
    Over { path: Arc<Path> },
    /// All files are complete.
    End,
}

/// The queue of the writing thread.
#[derive(Clone)]
struct PieceQueue {
    pieces: Sender<Piece>,
    waiting: Arc<AtomicUsize>,
}

impl PieceQueue {
    /// True if the disk can't keep up.
    fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= MAX_WAITING
    }

    fn push(&self, piece: Piece) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Without a receiver, the thread has already ended.
        let _ = self.pieces.send(piece);
    }
}

impl DialogueFolder {
    /// Makes the folder and starts the writing thread.
    ///
    /// # Errors
    /// The folder can't be made or written to, or the system refuses the thread.
    pub fn create(folder: &Path) -> io::Result<DialogueFolder> {
        fs::create_dir_all(folder)?;
        // An error must be reported before the first game.
        check_writable(folder)?;
        let (pieces, received) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let pieces = PieceQueue { pieces, waiting: Arc::clone(&waiting) };
        let failure = Arc::new(Mutex::new(None));
        let first_failure = Arc::clone(&failure);
        let writer = std::thread::Builder::new().name("dialogues".to_owned()).spawn(move || {
            let received = received.iter().inspect(|_| {
                waiting.fetch_sub(1, Ordering::Relaxed);
            });
            write_all(received, |failed| {
                first_failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failed);
            });
        })?;
        Ok(DialogueFolder { folder: folder.to_owned(), pieces, writer: Mutex::new(Some(writer)), failure })
    }

    /// Makes a listener for an attempt at a game.
    pub fn listener(&self, attempt: u32) -> Box<dyn DialogueListener> {
        Box::new(GameDialogue {
            folder: self.folder.clone(),
            attempt,
            pieces: self.pieces.clone(),
            seats: None,
            passed_on_at: GameTime::default(),
        })
    }

    /// Waits until everything is written. Returns the first failure of the disk.
    pub fn finish(&self) -> Option<WriteFailure> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            self.pieces.push(Piece::End);
            let _ = writer.join();
        }
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn check_writable(folder: &Path) -> io::Result<()> {
    let path = folder.join(".linesman-can-write");
    File::create(&path)?;
    fs::remove_file(path)
}

/// Writes the received pieces. After a failure, a file is not written again.
fn write_all(received: impl Iterator<Item = Piece>, mut failed: impl FnMut(WriteFailure)) {
    let (mut started, mut failed_paths) = (HashSet::new(), HashSet::new());
    for piece in received {
        match piece {
            Piece::Text { path, .. } if failed_paths.contains(&path) => {}
            Piece::Text { path, text } => {
                let is_first = started.insert(Arc::clone(&path));
                let mut options = OpenOptions::new();
                let options = options.create(true).write(true).truncate(is_first).append(!is_first);
                if let Err(error) = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes())) {
                    failed(WriteFailure { path: path.to_path_buf(), error });
                    failed_paths.insert(path);
                }
            }
            Piece::Over { path } => {
                started.remove(&path);
                failed_paths.remove(&path);
            }
            Piece::End => return,
        }
    }
}

struct GameDialogue {
    folder: PathBuf,
    attempt: u32,
    pieces: PieceQueue,
    /// The dialogue of each seat; `None` before the start of the game.
    seats: Option<BySeat<SeatDialogue>>,
    /// The time at which the lines of all seats were last passed on.
    passed_on_at: GameTime,
}

/// The lines of a seat that have not been passed on.
struct SeatDialogue {
    path: Arc<Path>,
    /// Number of bytes that were left out before the text.
    left_out: usize,
    text: String,
    /// The position in the text of the lines about the end of the game.
    end: Option<usize>,
}

impl SeatDialogue {
    /// Passes the lines on, unless too many pieces are waiting.
    fn pass_on(&mut self, pieces: &PieceQueue) {
        if !pieces.is_full() {
            self.push_to(pieces);
        } else if self.text.len() >= MAX_KEPT_BYTES {
            self.leave_out();
        }
    }

    /// Passes the last lines on; only the end of the game if too many pieces are waiting.
    fn pass_on_last(&mut self, pieces: &PieceQueue) {
        if pieces.is_full() {
            self.leave_out();
        }
        self.push_to(pieces);
        pieces.push(Piece::Over { path: Arc::clone(&self.path) });
    }

    /// Leaves out the lines before the end of the game.
    fn leave_out(&mut self) {
        let end = self.end.unwrap_or(self.text.len());
        self.text.drain(..end);
        self.left_out += end;
        self.end = self.end.map(|_| 0);
    }

    fn push_to(&mut self, pieces: &PieceQueue) {
        let mut text = std::mem::take(&mut self.text);
        let left_out = std::mem::take(&mut self.left_out);
        self.end = None;
        if left_out > 0 {
            text.insert_str(0, &format!("# {left_out} bytes are left out here: the disk was too slow\n"));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text { path: Arc::clone(&self.path), text });
        }
    }
}

impl GameDialogue {
    fn push(&mut self, at: GameTime, seat: Seat, sign: char, text: &[u8]) {
        let Some(dialogue) = self.seats.as_mut().and_then(|seats| seats.get_mut(seat)) else { return };
        push_transcript_line(&mut dialogue.text, at, seat, sign, text);
        if dialogue.text.len() >= PIECE_BYTES {
            dialogue.pass_on(&self.pieces);
        }
        if at.0.saturating_sub(self.passed_on_at.0) >= MAX_DELAY {
            self.passed_on_at = at;
            self.pass_on_all();
        }
    }

    fn push_lines(&mut self, at: GameTime, seat: Seat, sign: char, text: &[u8]) {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.split(|byte| *byte == b'\n').for_each(|line| self.push(at, seat, sign, line));
    }

    fn pass_on_all(&mut self) {
        for (_, dialogue) in self.seats.iter_mut().flat_map(BySeat::iter_mut) {
            dialogue.pass_on(&self.pieces);
        }
    }

    fn finished(&mut self, finished: &Finished) {
        let result = match &finished.verdict {
            Verdict::Finished { places, cause, .. } => {
                let places: Vec<String> = places.values().map(|place| place.number().to_string()).collect();
                format!("places {} reason {}", places.join(","), cause.kind().word())
            }
            Verdict::Void { void, .. } => format!("void reason {}", void.word()),
        };
        let moves: Vec<&str> = finished.moves.iter().map(|played| played.text.as_str()).collect();
        self.push_end(&format!("= {result}\n= moves {}", moves.join(" ")));
    }

    fn push_end(&mut self, end: &str) {
        for (_, dialogue) in self.seats.iter_mut().flat_map(BySeat::iter_mut) {
            dialogue.end = Some(dialogue.text.len());
            dialogue.text.push_str(end.trim_end());
            dialogue.text.push('\n');
        }
    }
}

impl DialogueListener for GameDialogue {
    fn begins(&mut self, setup: &GameSetup) {
        let attempt = self.attempt;
        let seats = BySeat::from_fn(setup.seats.seats(), |seat| SeatDialogue {
            path: self.folder.join(file_name(&setup.id, attempt, seat)).into(),
            text: format!(
                "# {}, try {attempt}, seat {seat}\n{}\n",
                printable(&setup.id, MAX_NAME_BYTES),
                transcript_head(setup, std::iter::once(seat))
            ),
            left_out: 0,
            end: None,
        });
        self.seats = Some(seats);
    }

    fn heard(&mut self, at: GameTime, seat: Seat, line: &[u8]) {
        self.push(at, seat, '<', line);
    }

    fn stderr(&mut self, at: GameTime, seat: Seat, bytes: &[u8]) {
        self.push_lines(at, seat, '|', bytes);
    }

    fn happened(&mut self, at: GameTime, event: &Event) {
        let (seat, text) = match event {
            Event::LineTooLong { seat, bytes } => (*seat, format!("line-of {bytes}").into_bytes()),
            Event::Unfinished { seat, text } => (*seat, [b"unfinished ".as_slice(), text].concat()),
            Event::OutputClosed { seat, .. } => (*seat, b"closed-its-output".to_vec()),
            Event::Exited { seat, status, .. } => {
                let text = match status {
                    ExitStatus::Code(code) => format!("exited {code}"),
                    ExitStatus::Signal(signal) => format!("killed-by {signal}"),
                    ExitStatus::Unknown => "exited".to_owned(),
                };
                (*seat, text.into_bytes())
            }
            Event::StartFailed { seat, error } => (*seat, format!("not-started {error}").into_bytes()),
            Event::LimitExceeded { seat, which, limit, used } => {
                (*seat, format!("{}-of {used} of {limit}", which.word()).into_bytes())
            }
            Event::Stop(why) => {
                let seats = self.seats.as_ref().map_or(0, BySeat::seats);
                Seat::all(seats)
                    .for_each(|seat| self.push_lines(at, seat, '!', format!("host {why}").as_bytes()));
                return;
            }
            Event::Line { .. } | Event::Sent { .. } | Event::Evidence { .. } | Event::Tick => return,
        };
        self.push(at, seat, '!', &text);
    }

    fn ordered(&mut self, at: GameTime, action: &Action) {
        match action {
            Action::Send { seat, text, .. } => self.push_lines(at, *seat, '>', text.as_bytes()),
            Action::Start { seat } => self.push(at, *seat, '*', b"start"),
            Action::Kill { seat } => self.push(at, *seat, '*', b"kill"),
            Action::Note { seat: Some(seat), text } => self.push_lines(at, *seat, '~', text.as_bytes()),
            Action::Finish(finished) => self.finished(finished),
            Action::Note { seat: None, .. }
            | Action::AskEvidence { .. }
            | Action::Pause { .. }
            | Action::Resume { .. } => {}
        }
    }
}

impl Drop for GameDialogue {
    fn drop(&mut self) {
        for (_, dialogue) in self.seats.iter_mut().flat_map(BySeat::iter_mut) {
            dialogue.pass_on_last(&self.pieces);
        }
    }
}

/// Returns the name of a game's file: the id, the number of the attempt if it is not the first, and the seat. Bytes
/// that are not safe in a file name are escaped: `%2f`.
fn file_name(id: &str, attempt: u32, seat: Seat) -> String {
    let mut name = String::new();
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'~' | b'_' | b'-' | b'+' | b'@' => {
                name.push(char::from(byte))
            }
            b'.' if !name.is_empty() => name.push('.'),
            _ => name.push_str(&format!("%{byte:02x}")),
        }
    }
    if name.len() > MAX_NAME_BYTES {
        let digest = Sha256::digest(id.as_bytes());
        name.truncate(MAX_NAME_BYTES - 17);
        name.push('-');
        HEXLOWER.encode_append(&digest[..8], &mut name);
    }
    let attempt = if attempt > 1 { format!("-try{attempt}") } else { String::new() };
    format!("{name}{attempt}-seat{seat}.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_and_differ() {
        let name = |id: &str, attempt| file_name(id, attempt, Seat::FIRST);
        assert_eq!(name("ada~bob~1", 1), "ada~bob~1-seat1.txt");
        assert_eq!(name("ada~bob~1", 3), "ada~bob~1-try3-seat1.txt");
        assert_eq!(name("../a b~1", 1), "%2e.%2fa%20b~1-seat1.txt");
        let long = |last: &str| name(&format!("{}{last}", "ä".repeat(90)), 1);
        assert!(long("1").len() < 255 && long("1") != long("2"));
    }

    #[test]
    fn the_end_of_a_game_is_written_even_if_the_queue_is_full() {
        let (pieces, received) = mpsc::channel();
        let pieces = PieceQueue { pieces, waiting: Arc::new(AtomicUsize::new(MAX_WAITING)) };
        let path: Arc<Path> = Path::new("a~b~1-seat1.txt").into();
        let dialogue = SeatDialogue { path, left_out: 0, text: String::new(), end: None };
        let seats = BySeat::from_values([dialogue]).expect("one seat will do");
        let (folder, passed_on_at) = (PathBuf::new(), GameTime::default());
        let mut game = GameDialogue { folder, attempt: 1, pieces, seats: Some(seats), passed_on_at };
        for _ in 0..2 * MAX_KEPT_BYTES / PIECE_BYTES {
            game.push(GameTime::default(), Seat::FIRST, '<', &[b'x'; PIECE_BYTES]);
        }
        game.push_end("= places 1 reason line\n= moves a1");
        game.push(GameTime::default(), Seat::FIRST, '*', b"kill");
        drop(game);
        let pieces: Vec<Piece> = received.iter().collect();
        let [Piece::Text { text, .. }, Piece::Over { .. }] = &pieces[..] else { panic!("two pieces") };
        let (first, rest) = text.split_once('\n').expect("there are several lines");
        let bytes = first
            .strip_prefix("# ")
            .and_then(|rest| rest.strip_suffix(" bytes are left out here: the disk was too slow"));
        let bytes: usize =
            bytes.and_then(|bytes| bytes.parse().ok()).expect("it is said how much is left out");
        assert!((2 * MAX_KEPT_BYTES..3 * MAX_KEPT_BYTES).contains(&bytes), "{bytes}");
        assert!(
            rest.starts_with("= places 1 reason line\n= moves a1\n") && rest.ends_with("kill\n"),
            "{rest}"
        );
    }

    #[test]
    fn a_write_failure_is_reported_once_and_affects_no_other_file() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let dialogues = DialogueFolder::create(folder.path()).expect("it can be written to");
        let taken = folder.path().join("a~b~1-seat1.txt");
        fs::create_dir(&taken).expect("a folder stands where the file is to be");
        for number in 0..3 {
            let text = format!("{number}\n");
            let path: Arc<Path> = taken.clone().into();
            dialogues.pieces.push(Piece::Text { path, text });
        }
        let path: Arc<Path> = folder.path().join("other.txt").into();
        for text in ["one\n", "two\n"] {
            dialogues.pieces.push(Piece::Text { path: Arc::clone(&path), text: text.to_owned() });
        }
        assert_eq!(dialogues.finish().expect("it failed").path, taken);
        assert!(dialogues.finish().is_none());
        assert_eq!(fs::read_to_string(&path).expect("it was written"), "one\ntwo\n");
    }
}
