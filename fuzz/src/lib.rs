//! The fuzz targets: the parsers of untrusted input, with the properties that must
//! hold for any input. `cargo fuzz` runs them guided by coverage; the tests run
//! them on the stored inputs and on mutations of these.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use linesman::games::options::OptionKind;
use linesman::games::{Consultation, GAMES, Game, Refusal, Setup, Table, legal_moves};
use linesman::league::file::{Context, parse};
use linesman::league::openings::{Opening, file};
use linesman::league::schedule::Schedule;
use linesman::process::{LineEvent, LineReader};
use linesman::protocol::{FromBot, ToBot};
use linesman::record::RecordReader;
use linesman::record::verify::Replayer;
use linesman::referee::core::{
    Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Pondering, SeatLimits,
    SeatSetup, SendKind,
};
use linesman::seat::{BySeat, Seat};
use linesman::time_control::{ClockKind, TimeControl};

/// A target, which panics if a property does not hold.
pub type Target = fn(&[u8]);

/// All targets by their names.
pub const TARGETS: &[(&str, Target)] = &[
    ("bot_lines", bot_lines),
    ("referee_lines", referee_lines),
    ("chunks", chunks),
    ("moves", moves),
    ("positions", positions),
    ("options", options),
    ("tournaments", tournaments),
    ("records", records),
    ("openings", openings),
];

/// Files of openings: openings that are read print and read the same, and games can start from them.
pub fn openings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read = match file::parse(text, None) {
        Ok(read) => read,
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "what is refused is refused with a reason");
            for place in mistakes.iter().flat_map(|mistake| &mistake.annotations) {
                assert!(text.get(place.span.clone()).is_some(), "a mistake has a place in the file");
            }
            return;
        }
    };
    assert!(!read.openings.is_empty(), "a file without openings is refused");
    let mut written = file::head(&*read.setup, "written again");
    for placed in &read.openings {
        placed.opening.table(&*read.setup).expect("it was played when it was read");
        written.push_str(&format!("{}\n", placed.opening));
    }
    let again = file::parse(&written, None).map_err(drop).expect("what we write can be read");
    let list = |read: &file::OpeningFile| -> Vec<Opening> {
        read.openings.iter().map(|placed| placed.opening.clone()).collect()
    };
    assert_eq!(list(&again), list(&read), "written once, written the same");
    let lines = |alike: &[file::Alike]| alike.len();
    assert_eq!(lines(&file::alike(&again)), lines(&file::alike(&read)), "as many are alike");
}

/// Lines of bots: a message that is read prints and reads the same.
pub fn bot_lines(data: &[u8]) {
    for line in data.split(|byte| *byte == b'\n') {
        let Ok(message) = FromBot::parse(line) else { continue };
        let printed = message.to_string();
        let again = FromBot::parse(printed.as_bytes()).expect("what we print can be read");
        assert_eq!(again.to_string(), printed, "printed once, printed the same");
    }
}

/// Lines of a referee, as the built-in bots read them.
pub fn referee_lines(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in text.split('\n') {
        let Ok(Some(message)) = ToBot::parse(line) else { continue };
        // The parser accepts games without an id, and control characters in names;
        // the printer prints neither.
        let is_nameless = matches!(&message, ToBot::Game(header) if header.id.is_empty());
        if is_nameless || line.contains(|c: char| c.is_control()) {
            continue;
        }
        let printed = message.to_string();
        let again = ToBot::parse(&printed).expect("what we print can be read").expect("and is known");
        assert_eq!(again.to_string(), printed, "printed once, printed the same");
    }
}

/// The output of two bots in a game: its division into chunks changes neither the
/// lines that are read nor the referee's actions. The first bytes set the chunks.
pub fn chunks(data: &[u8]) {
    let Some((cuts, stream)) = data.split_at_checked(8) else { return };
    let whole = run_referee(stream, |rest| rest);
    let sizes: Vec<usize> = cuts.iter().map(|byte| usize::from(*byte) + 1).collect();
    let mut next = 0;
    let cut = run_referee(stream, |rest| {
        next += 1;
        rest.min(sizes[next % sizes.len()])
    });
    assert_eq!(whole, cut, "the same bytes in other chunks");
}

/// Runs a referee whose bots print this stream one after the other, and returns its
/// actions and each bot's unfinished line. `size` chooses the length of the next
/// chunk, given the length of the rest.
fn run_referee(stream: &[u8], mut size: impl FnMut(usize) -> usize) -> (Vec<Action>, [Vec<u8>; 2]) {
    const MAX_LINE: u64 = 256;
    let setup = linesman::games::find("quixo").expect("it is in the registry").configure(&[]);
    let setup = setup.expect("its defaults are good");
    let limits =
        SeatLimits { line: MAX_LINE, output_on_move: 4_096, output_off_move: 2_048, ..SeatLimits::default() };
    let seat = SeatSetup {
        bot: BotState::Cold,
        options: Vec::new(),
        limits,
        fairness: Fairness::default(),
        time_control: None,
    };
    let game = GameSetup {
        game: "quixo".to_owned(),
        options: String::new(),
        consultation: Consultation::Off,
        id: "a~b~1".to_owned(),
        opening_token: None,
        opening_moves: Vec::new(),
        time_control: TimeControl::MoveTime(std::time::Duration::from_secs(1)),
        clock: ClockKind::Wall,
        margin: std::time::Duration::ZERO,
        pondering: Pondering::Off,
        adjudication: Adjudication::default(),
        seats: BySeat::from_fn(2, |_| seat.clone()),
    };
    let mut core = Core::new(game, setup.start());
    let at = GameTime::default();
    let (mut actions, mut handled) = (Vec::new(), 0);
    let mut partials = [Vec::new(), Vec::new()];
    core.start(&mut actions);
    for (seat, partial) in Seat::all(2).zip(&mut partials) {
        let mut reader = LineReader::new(MAX_LINE as usize);
        let mut rest = stream;
        while !rest.is_empty() {
            let (chunk, after) = rest.split_at(size(rest.len()));
            rest = after;
            reader.feed(chunk, |piece| {
                match piece {
                    LineEvent::Line(line) => core.line(at, seat, line, &mut actions),
                    LineEvent::TooLong { bytes } => {
                        core.handle(Input { at, event: Event::LineTooLong { seat, bytes } }, &mut actions);
                    }
                }
                // Turns count as sent at once.
                while let Some(action) = actions.get(handled) {
                    handled += 1;
                    if let Action::Send { seat, kind: SendKind::Turn, .. } = *action {
                        core.handle(Input { at, event: Event::Sent { seat } }, &mut actions);
                    }
                }
            });
        }
        *partial = reader.take_partial();
    }
    (actions, partials)
}

/// Returns the game that the first byte selects, with the option that the second byte
/// selects, and the rest as text.
fn game_of(data: &[u8]) -> Option<(&'static Game, Arc<dyn Setup>, &str)> {
    let (head, text) = data.split_at_checked(2)?;
    let game = &GAMES[usize::from(head[0]) % GAMES.len()];
    let number = (head[1] >> 3).to_string();
    let named = game.options.get(usize::from(head[1] & 7)).map(|spec| (spec.name, number.as_str()));
    let given: Vec<(&str, &str)> = named.into_iter().collect();
    let setup = game.configure(&given).or_else(|_| game.configure(&[])).ok()?;
    Some((game, setup, std::str::from_utf8(text).ok()?))
}

/// Moves of all games: a refused text changes nothing, a played text is a legal move,
/// and a position has one token. A line `.7` plays the legal move with index 7.
pub fn moves(data: &[u8]) {
    let Some((_, setup, text)) = game_of(data) else { return };
    let mut table = setup.start();
    for line in text.split('\n').take(40) {
        let before = table.token();
        let chosen = line.strip_prefix('.').and_then(|number| number.parse::<usize>().ok());
        let legal = legal_moves(&*table);
        let word = match chosen {
            Some(number) if !legal.is_empty() => legal[number % legal.len()].as_str(),
            _ => line,
        };
        let is_legal = legal.binary_search_by(|mv| mv.as_str().cmp(word)).is_ok();
        match table.play(word) {
            Ok(()) => assert!(is_legal, "`{word}` was played and is not in the list"),
            Err(Refusal::Illegal(_) | Refusal::NotAMove(_)) => {
                assert!(!is_legal, "`{word}` was refused and is in the list");
                assert_eq!(table.token(), before, "a refused move changes nothing");
            }
        }
    }
    check_table(&*setup, &*table);
}

/// Positions of all games: a token that is read prints the same, and the game can continue.
pub fn positions(data: &[u8]) {
    let Some((_, setup, text)) = game_of(data) else { return };
    let Ok(mut table) = setup.from_token(text) else { return };
    assert_eq!(table.token(), text, "a position has one token");
    check_table(&*setup, &*table);
    let mut first = String::new();
    table.legal(&mut |mv| {
        if first.is_empty() {
            first.push_str(mv);
        }
    });
    if !first.is_empty() {
        table.play(&first).expect("a legal move can be played");
        check_table(&*setup, &*table);
    }
}

/// Checks everything that a table shows.
fn check_table(setup: &dyn Setup, table: &dyn Table) {
    let token = table.token();
    let again = setup.from_token(&token).expect("a token that we wrote can be read");
    assert_eq!(again.token(), token);
    assert_eq!(table.is_over(), table.ending().is_some());
    assert!(!table.is_over() || legal_moves(table).is_empty(), "after the end no move is legal");
    table.scene();
    table.tie_break_scores();
}

/// Options of all games, including layouts and their files.
pub fn options(data: &[u8]) {
    let Some((head, text)) = data.split_first() else { return };
    let game = &GAMES[usize::from(*head) % GAMES.len()];
    let Ok(text) = std::str::from_utf8(text) else { return };
    for spec in game.options {
        if let OptionKind::Text { form, .. } = &spec.kind
            && let Some(parse) = form.of_file
            && let Ok(value) = parse(text)
        {
            let given = [(spec.name, value.as_str())];
            let setup = game.configure(&given).expect("a parsed file is a value of the option");
            check_table(&*setup, &*setup.start());
        }
        let _ = game.configure(&[(spec.name, text)]);
    }
    let given: Vec<(&str, &str)> = text.split('\n').filter_map(|line| line.split_once('=')).collect();
    if let Ok(setup) = game.configure(&given) {
        let printed = setup.options().to_string();
        let again =
            linesman::games::options::split_options(&printed).expect("options that we print can be read");
        let again = game.configure(&again).expect("and taken");
        assert_eq!(again.options(), setup.options());
        check_table(&*setup, &*setup.start());
    }
}

/// Tournament files: each gives a tournament whose games have their ids, or a list of mistakes.
pub fn tournaments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Files that a tournament file names would be read from the disk.
    if text.contains('@') || text.contains("file") {
        return;
    }
    let context = Context {
        shown: "cup.toml".to_owned(),
        stem: "cup".to_owned(),
        folder: PathBuf::from("/nowhere"),
        cores: std::num::NonZeroU32::new(4),
    };
    let tournament = match parse(text, &context) {
        Ok(tournament) => tournament,
        Err(mistakes) => {
            assert!(!mistakes.to_string().is_empty());
            return;
        }
    };
    assert_eq!(tournament.self_contained(text), text, "it names no other files");
    let Ok(schedule) = Schedule::of(&tournament) else { return };
    let games = schedule.games();
    for index in [0, games / 2, games.saturating_sub(1)] {
        if let Some(pairing) = schedule.pairing(index) {
            assert_eq!(schedule.index_of(&pairing.id), Some(index), "a game is known by its id");
        }
    }
    assert!(schedule.pairing(games).is_none(), "there are no more games than there are");
}

/// Files of records: each line gives a record, which can be untrue, or an error.
pub fn records(data: &[u8]) {
    let mut reader = RecordReader::from_input("games.jsonl", Cursor::new(data.to_vec()));
    let mut replayer = Replayer::default();
    // An error ends a line, or the file.
    for _ in 0..100 {
        match reader.next_line() {
            Ok(None) => break,
            Err(error) => drop(error.location()),
            Ok(Some(line)) => {
                let outcome = line.league_game().map(drop).map_err(|error| error.to_string());
                // An outcome can be read from a line with other errors.
                let Ok(record) = line.record() else { continue };
                let written = serde_json::to_string(&record).expect("a record can be written");
                let again = serde_json::from_str(&written).expect("and read");
                assert!(record == again, "a record is read as it was written: {written}");
                let checked = replayer.check(&record);
                assert!(outcome.is_ok() || checked.is_err(), "what has no outcome is not true: {outcome:?}");
            }
        }
    }
}
