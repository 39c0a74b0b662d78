//! The fuzz targets: every parser that faces strangers, with what must hold of
//! whatever it is handed. `cargo fuzz` runs them by coverage; the tests run
//! them on the kept inputs, and on changed ones.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use linesman::games::options::OptionKind;
use linesman::games::{Consultation, GAMES, Game, Refusal, Setup, Table, legal_moves};
use linesman::league::file::{Context, parse};
use linesman::league::openings::{Opening, file};
use linesman::league::schedule::Schedule;
use linesman::process::{Chunked, LineReader};
use linesman::protocol::{FromBot, ToBot};
use linesman::record::RecordReader;
use linesman::record::verify::Replayer;
use linesman::referee::core::{
    Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Pondering, SeatLimits,
    SeatSetup, SendKind,
};
use linesman::seat::{BySeat, Seat};
use linesman::time_control::{ClockKind, TimeControl};

/// A target: it panics if something does not hold.
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

/// Files of openings: what is read is read again when it is written, and games start from it.
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

/// Lines of bots: what is understood is understood again when it is printed.
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
        // Games without an id are taken from referees that give none, and control
        // characters in names; we print neither.
        let is_nameless = matches!(&message, ToBot::Game(header) if header.id.is_empty());
        if is_nameless || line.contains(|c: char| c.is_control()) {
            continue;
        }
        let printed = message.to_string();
        let again = ToBot::parse(&printed).expect("what we print can be read").expect("and is known");
        assert_eq!(again.to_string(), printed, "printed once, printed the same");
    }
}

/// What two bots print in a game: where it is cut on its way changes nothing of
/// what is read, nor of what the referee does. The first bytes say where.
pub fn chunks(data: &[u8]) {
    let Some((cuts, stream)) = data.split_at_checked(8) else { return };
    let whole = conducted(stream, |rest| rest);
    let sizes: Vec<usize> = cuts.iter().map(|byte| usize::from(*byte) + 1).collect();
    let mut next = 0;
    let cut = conducted(stream, |rest| {
        next += 1;
        rest.min(sizes[next % sizes.len()])
    });
    assert_eq!(whole, cut, "the same bytes in other chunks");
}

/// What a referee does whose bots both print this stream, in turn as they are
/// asked, and what begins a line that has not ended; `size` says how much of the
/// rest comes at once.
fn conducted(stream: &[u8], mut size: impl FnMut(usize) -> usize) -> (Vec<Action>, [Vec<u8>; 2]) {
    const LONGEST: u64 = 256;
    let setup = linesman::games::find("quixo").expect("it is in the registry").configure(&[]);
    let setup = setup.expect("its defaults are good");
    let limits =
        SeatLimits { line: LONGEST, output_on_move: 4_096, output_off_move: 2_048, ..SeatLimits::default() };
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
    let (mut actions, mut done) = (Vec::new(), 0);
    let mut partials = [Vec::new(), Vec::new()];
    core.start(&mut actions);
    for (seat, partial) in Seat::all(2).zip(&mut partials) {
        let mut reader = LineReader::new(LONGEST as usize);
        let mut rest = stream;
        while !rest.is_empty() {
            let (chunk, after) = rest.split_at(size(rest.len()));
            rest = after;
            reader.feed(chunk, |piece| {
                match piece {
                    Chunked::Line(line) => core.line(at, seat, line, &mut actions),
                    Chunked::TooLong { bytes } => {
                        core.handle(Input { at, event: Event::LineTooLong { seat, bytes } }, &mut actions);
                    }
                }
                // Turns count as sent at once.
                while let Some(action) = actions.get(done) {
                    done += 1;
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

/// The game that the first byte names, with an option or two as the second says.
fn game_of(data: &[u8]) -> Option<(&'static Game, Arc<dyn Setup>, &str)> {
    let (head, text) = data.split_at_checked(2)?;
    let game = &GAMES[usize::from(head[0]) % GAMES.len()];
    let number = (head[1] >> 3).to_string();
    let named = game.options.get(usize::from(head[1] & 7)).map(|spec| (spec.name, number.as_str()));
    let given: Vec<(&str, &str)> = named.into_iter().collect();
    let setup = game.configure(&given).or_else(|_| game.configure(&[])).ok()?;
    Some((game, setup, std::str::from_utf8(text).ok()?))
}

/// Moves of all games: what is refused changes nothing, what is played was
/// legal, and a position has one token. A line `.7` plays the seventh legal move.
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
    look_at(&*setup, &*table);
}

/// Positions of all games: what is read is written the same, and can be played on.
pub fn positions(data: &[u8]) {
    let Some((_, setup, text)) = game_of(data) else { return };
    let Ok(mut table) = setup.from_token(text) else { return };
    assert_eq!(table.token(), text, "a position has one token");
    look_at(&*setup, &*table);
    let mut first = String::new();
    table.legal(&mut |mv| {
        if first.is_empty() {
            first.push_str(mv);
        }
    });
    if !first.is_empty() {
        table.play(&first).expect("a legal move can be played");
        look_at(&*setup, &*table);
    }
}

/// Looks at all that a table shows.
fn look_at(setup: &dyn Setup, table: &dyn Table) {
    let token = table.token();
    let again = setup.from_token(&token).expect("a token that we wrote can be read");
    assert_eq!(again.token(), token);
    assert_eq!(table.is_over(), table.ending().is_some());
    assert!(!table.is_over() || legal_moves(table).is_empty(), "after the end no move is legal");
    table.scene();
    table.tie_break_scores();
}

/// Options of all games, layouts among them, and the files that layouts stand in.
pub fn options(data: &[u8]) {
    let Some((head, text)) = data.split_first() else { return };
    let game = &GAMES[usize::from(*head) % GAMES.len()];
    let Ok(text) = std::str::from_utf8(text) else { return };
    for spec in game.options {
        if let OptionKind::Text { form, .. } = &spec.kind
            && let Some(meaning) = form.of_file
            && let Ok(value) = meaning(text)
        {
            let given = [(spec.name, value.as_str())];
            let setup = game.configure(&given).expect("what a file means is a value of the option");
            look_at(&*setup, &*setup.start());
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
        look_at(&*setup, &*setup.start());
    }
}

/// Tournament files: each is a tournament whose games have their ids, or a list of mistakes.
pub fn tournaments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Files that others name are read where they are.
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

/// Files of records: each line is a record, which may be untrue, or says what is wrong.
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
                // An outcome may be read of a line in which other things are wrong.
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
