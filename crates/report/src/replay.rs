//! A game as a replay: its positions, each with the move that led to it, the time of that move and the bot's
//! statements.
//!
//! A replay follows from the moves of a record by the rules, not from what the record claims. All text of bots and
//! foreign files is made printable.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::describe::{self, printable};
use crate::hints;
use linesman_games::scene::{Mark, Scene};
use linesman_games::{self, OptionValues, Setup, is_elimination, legal_moves};
use linesman_record::{
    FaultRecord, GameRecord, NoSetup, Playthrough, SaidRecord, TranscriptRecord, microseconds, text,
    time_controls,
};
use linesman_types::direction::Direction;
use linesman_types::seat::{BySeat, Seat, Side};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::FaultKind;

#[cfg(test)]
mod tests;

/// A game, frame by frame.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The id of the game in the records.
    pub id: String,
    /// The league it belongs to.
    pub league: Option<String>,
    /// The name of the game that is played.
    pub game: &'static str,
    /// The title of that game, for people.
    pub title: &'static str,
    /// Every option with its value.
    pub options: String,
    pub option_values: OptionValues,
    pub seats: BySeat<Player>,
    /// The time control of the seats without one of their own: `movetime=1s`, `tc=60s+500ms`,
    /// `tc=40/60s+500ms`, `nodes=1000` or `depth=5`.
    pub time_control: Option<String>,
    /// The margin for late moves.
    pub margin: Option<Duration>,
    /// The time of its start, UTC, RFC 3339.
    pub started: Option<String>,
    /// The positions from the start on; there is always one.
    pub frames: Vec<Frame>,
    /// The end of the game and the reason, in one sentence.
    pub verdict: String,
    /// The bots that failed, and how.
    pub faults: Vec<FaultNote>,
    /// The last lines between the referee and the bots, if one failed.
    pub transcript: Vec<String>,
    /// The place where the record stops being playable, if it does.
    pub broken: Option<Broken>,
}

/// A bot at its seat.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Player {
    /// Its name, distinguished from namesakes.
    pub name: String,
    /// Its name as shared with namesakes in the game.
    #[serde(skip)]
    pub bot: String,
    /// The team that it plays for, if it has a name of its own.
    pub team: Option<String>,
    /// The name that it gave itself.
    pub version: Option<String>,
    /// Its own time control, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    #[serde(serialize_with = "side_index")]
    pub side: Side,
    /// The symbol of its side, if all of the side's pieces show the same one.
    pub symbol: Option<char>,
    /// Its place; `None` if the game has no result.
    pub place: Option<u8>,
}

/// A position, with the move that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The picture of the position.
    pub scene: Scene,
    /// The position's token.
    pub token: String,
    /// The seat on move; `None` if the game is over by its rules.
    pub to_move: Option<Seat>,
    /// The move that led here; `None` at the start.
    pub played: Option<PlayedMove>,
    /// The remaining time of each seat, if there are clocks.
    pub clocks: Option<BySeat<Duration>>,
}

/// A move, or the elimination of a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayedMove {
    /// The seat that moved or was eliminated.
    #[serde(serialize_with = "seat_number")]
    pub seat: Seat,
    /// The move's text; `!3` if seat 3 was eliminated.
    pub text: String,
    /// The origin of the move.
    pub kind: PlayedKind,
    /// The time charged.
    #[serde(rename = "time_us", serialize_with = "in_microseconds")]
    pub time: Option<Duration>,
    /// The bot's statements about its search.
    pub said: Option<SaidRecord>,
    /// The verdict of an analysis on the move, if the game was analyzed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<Remark>,
}

/// The verdict of an analysis on a move.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Remark {
    /// A few characters to show next to the move.
    pub sign: String,
    /// The sentence.
    pub text: String,
}

/// The origin of a move.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayedKind {
    /// It belongs to the opening: no bot was asked.
    Opening,
    /// A bot chose it.
    Move,
    /// It is not a move: the seat was eliminated.
    Out,
}

impl PlayedKind {
    /// Returns the word for it in data.
    pub fn word(self) -> &'static str {
        match self {
            PlayedKind::Opening => "opening",
            PlayedKind::Move => "move",
            PlayedKind::Out => "out",
        }
    }
}

/// A bot's failure, for people and for the page.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct FaultNote {
    #[serde(serialize_with = "seat_number")]
    pub seat: Option<Seat>,
    pub sentence: String,
    /// The probable cause, and the remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The legal moves, if the fault was a wrong move.
    pub legal: Vec<String>,
    /// The last lines that it printed instead of an answer.
    pub stray_lines: Vec<String>,
    /// The last lines of its stderr.
    pub stderr_tail: Vec<String>,
}

fn seat_number<S: Serializer>(
    seat: &(impl Copy + Into<Option<Seat>>),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    (*seat).into().map(Seat::number).serialize(serializer)
}

fn side_index<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    side.index().serialize(serializer)
}

fn in_microseconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(microseconds).serialize(serializer)
}

/// The place where a record stops being playable.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("move {number} `{text}` can't be played: {why}")]
pub struct Broken {
    /// The move's number in the record, from 1.
    pub number: usize,
    /// The move.
    pub text: String,
    /// The reason why it can't be played.
    pub why: String,
}

/// The reason why a record can't be shown.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// It has no moves, only the result, which is given in one sentence.
    #[error("the record has no moves, only the result: {0}")]
    NoMoves(String),
    /// The game of this name is unknown.
    #[error("there is no game `{0}`")]
    UnknownGame(String),
    /// The game can't be set up with the options given.
    #[error("invalid options: {0}")]
    Options(String),
    /// The record names too many or too few bots.
    #[error("{game} has {expected} seats, but the record has {found}")]
    Seats {
        game: &'static str,
        /// Number of seats that it has.
        expected: usize,
        /// Number of bots that the record names.
        found: usize,
    },
    /// The opening can't be set up.
    #[error("the opening can't be set up: {0}")]
    Opening(String),
}

impl Replay {
    /// Replays a record.
    ///
    /// # Errors
    /// A record without moves, or one whose game can't be set up. A move that can't be played is not an
    /// error: the replay ends before it, as [`Replay::broken`] says.
    pub fn new(record: &GameRecord) -> Result<Replay, ReplayError> {
        let Some(moves) = &record.moves else {
            return Err(ReplayError::NoMoves(describe::verdict(record)));
        };
        let setup = linesman_record::set_up(record).map_err(|error| match error {
            NoSetup::UnknownGame => ReplayError::UnknownGame(printable(&record.game)),
            NoSetup::Options(error) => ReplayError::Options(printable(&error.to_string())),
        })?;
        let teams = setup.teams();
        if teams.seats() != record.seats.len() {
            return Err(ReplayError::Seats {
                game: setup.id(),
                expected: teams.seats(),
                found: record.seats.len(),
            });
        }
        let mut replayer = Replayer::new(record, &*setup)?;
        let broken = replayer.play_all(record, moves);
        let verdict = describe::verdict_because(record, replayer.why_over(record).as_deref());
        let seats = BySeat::from_fn(teams.seats(), |seat| Player {
            name: describe::name(record, seat.number() as u8),
            bot: printable(&record.seats[seat.index()].name),
            team: describe::team(record, seat.number() as u8),
            version: record.seats[seat.index()].version.as_deref().map(printable),
            time_control: record.seats[seat.index()].time_control.as_deref().map(printable),
            side: teams.side(seat),
            symbol: symbol(&replayer.frames, &*setup, teams.side(seat)),
            place: record.places.as_ref().and_then(|places| places.get(seat.index()).copied()),
        });
        let faults = record.faults.iter().map(|fault| replayer.note(record, fault)).collect();
        let title = linesman_games::find(setup.id()).map_or(setup.id(), |game| game.title);
        Ok(Replay {
            id: printable(&record.id),
            league: record.league.as_deref().map(printable),
            game: setup.id(),
            title,
            options: setup.options().to_string(),
            option_values: setup.options().clone(),
            seats,
            time_control: record.time_control.as_deref().map(|control| {
                let counts_cpu = record.clock.as_deref() == Some(ClockKind::WORDS[1]);
                printable(&if counts_cpu { format!("{control} of CPU time") } else { control.to_owned() })
            }),
            margin: record.margin_ms.map(Duration::from_millis),
            started: record.started.as_deref().map(printable),
            frames: replayer.frames,
            verdict,
            faults,
            transcript: record.transcript.iter().map(transcript_line).collect(),
            broken,
        })
    }

    /// Returns the number of the last frame; frames are numbered from 0, the start.
    pub fn last(&self) -> usize {
        self.frames.len() - 1
    }

    /// Returns the opponents: bots, or teams with their bots.
    pub fn sides(&self) -> Vec<String> {
        let mut sides: Vec<(Side, Vec<&Player>)> = Vec::new();
        for player in self.seats.values() {
            match sides.iter_mut().find(|(side, _)| *side == player.side) {
                Some((_, players)) => players.push(player),
                None => sides.push((player.side, vec![player])),
            }
        }
        let name = |(_, players): (Side, Vec<&Player>)| match players.as_slice() {
            [player] => player.name.clone(),
            players => match players.iter().find_map(|player| player.team.clone()) {
                Some(team) => team,
                None => players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(" + "),
            },
        };
        sides.into_iter().map(name).collect()
    }

    /// Returns the time control, with those of the players that have their own: `movetime=1s (b: tc=10s+0ms)`.
    pub fn time_in_words(&self) -> Option<String> {
        let of_player = |player: &Player| Some(format!("{}: {}", player.name, player.time_control.as_ref()?));
        let individual: Vec<String> = self.seats.values().filter_map(of_player).collect();
        match (&self.time_control, individual.is_empty()) {
            (control, true) => control.clone(),
            (Some(control), false) => Some(format!("{control} ({})", individual.join(", "))),
            (None, false) => Some(individual.join(", ")),
        }
    }

    /// Returns true if a seat has been eliminated at or before a ply.
    pub fn is_out(&self, seat: Seat, ply: usize) -> bool {
        let eliminates = |frame: &Frame| {
            frame.played.as_ref().is_some_and(|played| played.kind == PlayedKind::Out && played.seat == seat)
        };
        self.frames.iter().take(ply + 1).any(eliminates)
    }
}

/// The game of a record as far as it was replayed, and the frames so far.
struct Replayer {
    game: Playthrough,
    /// The number of seats if they have clocks that run down.
    clocks: Option<usize>,
    frames: Vec<Frame>,
}

impl Replayer {
    /// Plays the opening.
    fn new(record: &GameRecord, setup: &dyn Setup) -> Result<Replayer, ReplayError> {
        let mut game = Playthrough::new(setup, record)
            .map_err(|error| ReplayError::Opening(printable(&error.to_string())))?;
        game.margin.get_or_insert_default();
        let controls = time_controls(record).ok().flatten();
        let runs_down = |control: &TimeControl| match control {
            TimeControl::MoveTime(_) | TimeControl::Work(_) => false,
            TimeControl::Clock { .. } => true,
        };
        let has_clocks = controls.is_some_and(|controls| controls.values().any(runs_down));
        let clocks = has_clocks.then(|| setup.teams().seats());
        let mut frames = vec![frame(&game, clocks, None)];
        game.play_opening(record, |game, seat, text| {
            let (text, kind) = (printable(text), PlayedKind::Opening);
            let played = PlayedMove { seat, text, kind, time: None, said: None, remark: None };
            frames.push(frame(game, clocks, Some(played)));
        })
        .map_err(|(index, text, refusal)| {
            ReplayError::Opening(printable(&format!("move {} `{text}`: {refusal}", index + 1)))
        })?;
        Ok(Replayer { game, clocks, frames })
    }

    /// Plays the record's moves up to the first one that can't be played.
    fn play_all(&mut self, record: &GameRecord, moves: &[String]) -> Option<Broken> {
        for (index, text) in moves.iter().enumerate() {
            let time = record.times_us.as_ref().and_then(|times| times.get(index).copied());
            let time = time.map(Duration::from_micros);
            let seat = match self.game.play(text, time) {
                Ok(played) => played.seat,
                Err(refusal) => {
                    let why = printable(&refusal.to_string());
                    return Some(Broken { number: index + 1, text: printable(text), why });
                }
            };
            let kind = if is_elimination(text) { PlayedKind::Out } else { PlayedKind::Move };
            let said = record.said.as_ref().and_then(|said| said.get(index)?.as_ref()).map(printable_said);
            let played = PlayedMove { seat, text: printable(text), kind, time, said, remark: None };
            self.frames.push(frame(&self.game, self.clocks, Some(played)));
        }
        None
    }

    /// Returns the reason why the game ended by its rules, if it did.
    fn why_over(&self, record: &GameRecord) -> Option<String> {
        let reason = record.reason.as_deref()?;
        let ending = self.game.table.ending().filter(|ending| ending.reason.word() == reason)?;
        Some(ending.why.named(|seat| describe::name(record, seat.number() as u8)))
            .filter(|why| !why.is_empty())
    }

    fn note(&self, record: &GameRecord, fault: &FaultRecord) -> FaultNote {
        let seat = Seat::new(usize::from(fault.seat));
        let wrong_move = matches!(fault.kind(), FaultKind::IllegalMove | FaultKind::NotAMove);
        let on_move = seat == Some(self.game.table.to_move());
        FaultNote {
            seat,
            sentence: describe::fault_sentence(record, fault),
            hint: hints::of_fault(record, fault),
            legal: if wrong_move && on_move { legal_moves(&*self.game.table) } else { Vec::new() },
            stray_lines: fault.stray_lines.iter().map(|line| printable(line)).collect(),
            stderr_tail: tail_lines(&fault.stderr_tail),
        }
    }
}

/// Returns the position on the table, with the move that led to it.
fn frame(game: &Playthrough, clocks: Option<usize>, played: Option<PlayedMove>) -> Frame {
    let table = &game.table;
    let mut scene = table.scene();
    let ending = table.ending();
    if let Some(ending) = &ending {
        let missing: Vec<Mark> =
            ending.marks.iter().filter(|mark| !scene.marks.contains(mark)).cloned().collect();
        scene.marks.extend(missing);
    }
    let clocks = game.clock.as_ref().zip(clocks);
    Frame {
        scene,
        token: table.token(),
        to_move: ending.is_none().then(|| table.to_move()),
        played,
        clocks: clocks.map(|(clock, seats)| BySeat::from_fn(seats, |seat| clock.limit(seat))),
    }
}

/// Maximum length of a stderr in a replay, in bytes.
const REPLAY_STDERR: usize = 64 << 10;

fn tail_lines(tail: &str) -> Vec<String> {
    text::printable_tail(tail, REPLAY_STDERR).lines().map(str::to_owned).collect()
}

/// Formats a line of the transcript: `1.204 s  to seat 2: go movetime 1000`.
pub(crate) fn transcript_line(line: &TranscriptRecord) -> String {
    let seconds = line.at_us as f64 / 1e6;
    let way = if line.direction == Ok(Direction::ToBot) { "to" } else { "from" };
    format!("{seconds:.3} s  {way} seat {}: {}", line.seat, printable(&line.text))
}

fn printable_said(said: &SaidRecord) -> SaidRecord {
    SaidRecord {
        pv: said.pv.iter().map(|text| printable(text)).collect(),
        text: said.text.as_deref().map(printable),
        ..said.clone()
    }
}

/// Returns the symbol that all pieces of a side show in all frames. If the side has no pieces yet, those of a sample
/// game are used.
fn symbol(frames: &[Frame], setup: &dyn Setup, side: Side) -> Option<char> {
    let shown = symbols(frames.iter().map(|frame| &frame.scene), side);
    let shown = if shown.is_empty() { symbols(&sample_scenes(setup), side) } else { shown };
    // The set has one element if all pieces are alike.
    shown.first().copied().filter(|_| shown.len() == 1)
}

/// Returns the symbols of a side's pieces in lower case: the case of a letter does not depend on the owner.
fn symbols<'s>(scenes: impl IntoIterator<Item = &'s Scene>, side: Side) -> BTreeSet<char> {
    let boards = scenes.into_iter().flat_map(|scene| &scene.boards);
    let pieces = boards.flat_map(|board| &board.cells).filter_map(|cell| cell.piece.as_ref());
    pieces.filter(|piece| piece.side == side).map(|piece| piece.symbol.to_ascii_lowercase()).collect()
}

/// Returns the first positions of a sample game with various moves.
fn sample_scenes(setup: &dyn Setup) -> Vec<Scene> {
    const PLIES: usize = 16;
    let mut table = setup.start();
    let mut scenes = Vec::new();
    for ply in 0..PLIES {
        let legal = legal_moves(&*table);
        let Some(mv) = legal.get(7 * ply % legal.len().max(1)) else { break };
        if table.is_over() || table.play(mv).is_err() {
            break;
        }
        scenes.push(table.scene());
    }
    scenes
}
