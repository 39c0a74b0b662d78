//! The bot's side of the protocol, for all engines.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::cant_follow::CantFollow;
use super::engine::Engine;
use super::player::{self, GamePlayer, GoOrder};
use super::settings::Settings;
use super::time::MoveTimer;
use linesman_protocol::{BotOption, FromBot, GameHeader, GoLimit, OptionType, Said, ToBot, Variation};
use linesman_types::time_control::{ClockKind, Work};

/// The time after the start of a search from which each report is written at once. Earlier reports are written along
/// with later lines, because fewer writes leave more CPU time to others.
const FLUSH_AFTER: Duration = Duration::from_millis(50);

/// A built-in bot. Each line may change its state and cause an answer.
pub struct UgiBot {
    engine: Engine,
    settings: Settings,
    header: Option<GameHeader>,
    /// An order to think until a later line ends the search.
    open_order: Option<OpenOrder>,
    /// Created when it is first needed after the header or the settings changed.
    player: Option<Box<dyn GamePlayer>>,
}

/// An order to think until a later line ends the search.
struct OpenOrder {
    going: GoLimit,
    /// The timer that is set at the hit, if the order is to ponder.
    hit: Option<Arc<OnceLock<MoveTimer>>>,
}

/// The state of a bot after a line.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Attention {
    /// The bot waits for the next line.
    Listening,
    /// The bot was told to quit.
    Leaving,
    /// The bot was told to think until a later line ends the search. [`play_ugi`] runs that search.
    Thinking,
}

/// The reason why a bot ends before it is told to quit.
#[derive(Debug, thiserror::Error)]
pub enum CantGoOn {
    /// The bot can't follow the game.
    #[error("can't follow the game")]
    Game(#[from] CantFollow),
    /// The input can't be read.
    #[error("can't read from the referee")]
    Input(#[source] io::Error),
    /// The output can't be written.
    #[error("can't write to the referee")]
    Output(#[source] io::Error),
}

/// Plays according to the lines of `input`, until `quit` or the end of the input.
///
/// # Errors
/// The input can't be read, the output can't be written, or the engine can't follow the game.
pub fn play_ugi(
    engine: Engine,
    settings: Settings,
    mut input: impl BufRead + Send,
    mut output: impl Write + Send,
) -> Result<(), CantGoOn> {
    let mut bot = UgiBot::new(engine, settings);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(CantGoOn::Input)? == 0 {
            return Ok(());
        }
        // A line that is not text has no meaning.
        let Ok(text) = std::str::from_utf8(&line) else { continue };
        let text = text.strip_suffix('\n').unwrap_or(text);
        let attention = match bot.hear(text, &mut output)? {
            Attention::Thinking => bot.think_until_told(&mut input, &mut output)?,
            attention => attention,
        };
        if attention == Attention::Leaving {
            return Ok(());
        }
    }
}

impl UgiBot {
    /// Creates a bot that has received no lines.
    pub fn new(engine: Engine, settings: Settings) -> UgiBot {
        UgiBot { engine, settings, header: None, open_order: None, player: None }
    }

    /// Handles a line without its `\n`, and answers it if necessary.
    ///
    /// # Errors
    /// See [`play_ugi`].
    pub fn hear(&mut self, line: &str, output: &mut impl Write) -> Result<Attention, CantGoOn> {
        let heard = match ToBot::parse(line) {
            Ok(heard) => heard,
            Err(error) => {
                answer(output, &[remark(error.to_string())])?;
                return Ok(Attention::Listening);
            }
        };
        match heard {
            Some(ToBot::Ugi) => answer(output, &self.introduction())?,
            Some(ToBot::SetOption { name, value }) => self.set(&name, &value, output)?,
            Some(ToBot::NewGame) => {
                if let Some(header) = self.header.clone() {
                    self.announce(header);
                }
            }
            Some(ToBot::Game(header)) => self.announce(header),
            Some(ToBot::IsReady) => {
                if self.header.is_some() {
                    self.player()?;
                }
                answer(output, &[FromBot::ReadyOk])?;
            }
            Some(ToBot::Position(target)) => self.player()?.follow(&target)?,
            Some(ToBot::Go(going @ GoLimit::Infinite)) => {
                self.player()?;
                self.open_order = Some(OpenOrder { going, hit: None });
                return Ok(Attention::Thinking);
            }
            Some(ToBot::GoPonder(going)) => {
                self.player()?;
                self.open_order = Some(OpenOrder { going, hit: Some(Arc::default()) });
                return Ok(Attention::Thinking);
            }
            Some(ToBot::Go(going)) => {
                let answers = self.find(&going, MoveTimer::start(self.clock()), None, output)?;
                answer(output, &answers)?;
            }
            Some(ToBot::Quit) => return Ok(Attention::Leaving),
            // A `stop` or `ponderhit` that is read here arrived after the move.
            Some(
                ToBot::State(_)
                | ToBot::Legal(_)
                | ToBot::Told { .. }
                | ToBot::GameOver { .. }
                | ToBot::PonderHit
                | ToBot::Stop,
            )
            | None => {}
        }
        Ok(Attention::Listening)
    }

    fn introduction(&self) -> Vec<FromBot> {
        let name = format!("linesman {} {}", self.engine.name(), env!("CARGO_PKG_VERSION"));
        let mut lines = vec![
            FromBot::IdName(name),
            FromBot::IdAuthor("the authors of linesman".to_owned()),
            FromBot::Protocol(linesman_protocol::VERSION),
        ];
        lines.extend(self.settings.options().iter().map(|option| {
            FromBot::Option(BotOption {
                name: option.name.to_owned(),
                kind: OptionType::Spin {
                    // A value that is set on the command line is announced as the default.
                    default: i64::try_from(self.settings.get(option)).ok(),
                    min: Some(option.min),
                    max: Some(option.max),
                },
            })
        }));
        let [nodes, depth] = Work::WORDS;
        let ponder = self.engine.ponders().then_some("ponder");
        let features = [nodes, depth, "infinite"].into_iter().chain(ponder);
        lines.push(FromBot::Feature(features.map(str::to_owned).collect()));
        lines.push(FromBot::UgiOk);
        lines
    }

    fn set(&mut self, name: &str, value: &str, output: &mut impl Write) -> Result<(), CantGoOn> {
        match self.settings.set(name, value) {
            Ok(()) => {
                self.player = None;
                Ok(())
            }
            Err(error) => answer(output, &[remark(error.to_string())]),
        }
    }

    fn announce(&mut self, header: GameHeader) {
        if !self.player.as_mut().is_some_and(|player| player.plays_on(&header)) {
            self.player = None;
        }
        self.header = Some(header);
    }

    fn player(&mut self) -> Result<&mut Box<dyn GamePlayer>, CantFollow> {
        let player = match self.player.take() {
            Some(player) => player,
            None => {
                let header = self.header.clone().ok_or(CantFollow::NoGame)?;
                player::seat(self.engine, &self.settings, header)?
            }
        };
        Ok(self.player.insert(player))
    }

    /// The kind of time that the game's clock counts.
    fn clock(&self) -> ClockKind {
        self.header.as_ref().map_or(ClockKind::Wall, |header| header.clock)
    }

    /// Thinks until `stop`, `quit` or the end of the input, and then sends the move. After `ponderhit` it thinks on for
    /// the time of the order. Meanwhile it answers `isready` and ignores everything else.
    fn think_until_told(
        &mut self,
        input: &mut (impl BufRead + Send),
        output: &mut (impl Write + Send),
    ) -> Result<Attention, CantGoOn> {
        let Some(OpenOrder { going, hit }) = self.open_order.take() else { return Ok(Attention::Listening) };
        let clock = self.clock();
        let stopwatch = hit.clone().map_or_else(|| MoveTimer::start(clock), MoveTimer::Pondering);
        let stop = Arc::new(AtomicBool::new(false));
        let output = Mutex::new(output);
        let (answers, attention) = std::thread::scope(|scope| {
            let watched = scope.spawn(|| match hear_end(input, hit.is_some(), &mut SharedOutput(&output)) {
                Ok(SearchEnd::Hit) => {
                    hit.as_ref().map(|hit| hit.set(MoveTimer::start(clock)));
                    Ok(Attention::Listening)
                }
                end => {
                    stop.store(true, Relaxed);
                    end.map(|end| match end {
                        SearchEnd::Stop | SearchEnd::Hit => Attention::Listening,
                        SearchEnd::Quit => Attention::Leaving,
                    })
                }
            });
            let answers = self.find(&going, stopwatch, Some(Arc::clone(&stop)), &mut SharedOutput(&output));
            (answers, watched.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        answer(&mut SharedOutput(&output), &answers?)?;
        attention
    }

    /// Searches for a move, writes reports, and returns the last lines of the answer.
    fn find(
        &mut self,
        going: &GoLimit,
        stopwatch: MoveTimer,
        stop: Option<Arc<AtomicBool>>,
        output: &mut impl Write,
    ) -> Result<Vec<FromBot>, CantGoOn> {
        let begun = MoveTimer::start(self.clock());
        let (mut written, mut expected) = (Ok(()), Variation::default());
        let mut say = |said: Said| {
            if !said.pv.is_empty() {
                expected.clone_from(&said.pv);
            }
            if written.is_ok() {
                written = write_line(output, &FromBot::Info(said));
                if written.is_ok() && begun.elapsed() >= FLUSH_AFTER {
                    written = output.flush();
                }
            }
        };
        let mv = self.player()?.think(GoOrder { going, stopwatch, stop }, &mut say);
        written.map_err(CantGoOn::Output)?;
        Ok(match mv {
            Some(mv) => {
                let ponder = self.ponder(&mv, &expected);
                vec![FromBot::BestMove { mv: mv.into(), ponder }]
            }
            None => vec![remark("the game is over".to_owned()), FromBot::Resign],
        })
    }

    /// The moves after this one on which the bot wants to ponder, if it may: those that it expects until its next turn.
    fn ponder(&self, mv: &str, expected: &Variation) -> Variation {
        let seats = self.header.as_ref().filter(|header| header.ponders).map_or(0, |header| header.seats);
        let mut moves = expected.moves();
        if !self.engine.ponders() || moves.next() != Some(mv) {
            return Variation::default();
        }
        let ponder: Vec<&str> = moves.take(seats.saturating_sub(1)).collect();
        if ponder.len() + 1 == seats { ponder.into_iter().collect() } else { Variation::default() }
    }
}

/// The way in which a line ended a search.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum SearchEnd {
    Stop,
    /// The bot is on move, and thinks on for the time of its order.
    Hit,
    Quit,
}

/// Reads lines until one ends the search or, if the bot ponders, is a hit.
fn hear_end(input: &mut impl BufRead, ponders: bool, output: &mut impl Write) -> Result<SearchEnd, CantGoOn> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(CantGoOn::Input)? == 0 {
            return Ok(SearchEnd::Quit);
        }
        let text = std::str::from_utf8(&line).unwrap_or_default();
        match ToBot::parse(text.strip_suffix('\n').unwrap_or(text)) {
            Ok(Some(ToBot::Stop)) => return Ok(SearchEnd::Stop),
            Ok(Some(ToBot::PonderHit)) if ponders => return Ok(SearchEnd::Hit),
            Ok(Some(ToBot::Quit)) => return Ok(SearchEnd::Quit),
            Ok(Some(ToBot::IsReady)) => answer(output, &[FromBot::ReadyOk])?,
            Ok(
                Some(
                    ToBot::Ugi
                    | ToBot::SetOption { .. }
                    | ToBot::NewGame
                    | ToBot::Game(_)
                    | ToBot::Position(_)
                    | ToBot::State(_)
                    | ToBot::Legal(_)
                    | ToBot::Told { .. }
                    | ToBot::Go(_)
                    | ToBot::GoPonder(_)
                    | ToBot::PonderHit
                    | ToBot::GameOver { .. },
                )
                | None,
            )
            | Err(_) => {}
        }
    }
}

/// An output to which two threads write whole lines.
struct SharedOutput<'m, W>(&'m Mutex<W>);

impl<W: Write> Write for SharedOutput<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

fn remark(text: String) -> FromBot {
    FromBot::Info(Said { text: Some(text), ..Said::default() })
}

fn answer(output: &mut impl Write, lines: &[FromBot]) -> Result<(), CantGoOn> {
    let written = lines.iter().try_for_each(|line| write_line(output, line)).and_then(|()| output.flush());
    written.map_err(CantGoOn::Output)
}

fn write_line(output: &mut impl Write, line: &FromBot) -> io::Result<()> {
    let mut text = line.to_string();
    text.push('\n');
    output.write_all(text.as_bytes())
}
