//! The bot's side of the protocol, once for all engines: lines in, lines out.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::cant_follow::CantFollow;
use super::engine::Engine;
use super::player::{self, GamePlayer, GoOrder};
use super::settings::Settings;
use super::time::MoveTimer;
use linesman_protocol::{BotOption, FromBot, GameHeader, Going, OptionType, Said, ToBot, Variation};
use linesman_types::time_control::{ClockKind, Work};

/// The time in a move after which each report is written at once and not
/// along with the move. Fewer writes leave more CPU time to others.
const SAY_AT_ONCE_AFTER: Duration = Duration::from_millis(50);

/// A built-in bot. Each line that it is told changes its state, and it may answer.
pub struct UgiBot {
    engine: Engine,
    settings: Settings,
    header: Option<GameHeader>,
    /// The order to think until a later line ends the search.
    open_order: Option<OpenOrder>,
    /// Made when it is first needed after the header or the settings changed.
    player: Option<Box<dyn GamePlayer>>,
}

/// An order to think until a later line ends the search.
struct OpenOrder {
    going: Going,
    /// Set at the hit, if it is an order to ponder.
    hit: Option<Arc<OnceLock<MoveTimer>>>,
}

/// The activity of a bot after a line.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Attention {
    /// It waits for the next line.
    Listening,
    /// It was told to leave.
    Leaving,
    /// It was told to think until a later line ends the search, which [`play_ugi`] lets it do.
    Thinking,
}

/// The reason why a bot ends before it is told to.
#[derive(Debug, thiserror::Error)]
pub enum CantGoOn {
    /// It can't follow the game.
    #[error("can't follow the game")]
    Game(#[from] CantFollow),
    /// Its input can't be read.
    #[error("can't read from the referee")]
    Input(#[source] io::Error),
    /// Its output can't be written.
    #[error("can't write to the referee")]
    Output(#[source] io::Error),
}

/// Plays by the lines of `input` until it says `quit` or ends.
///
/// # Errors
/// Input that can't be read, output that can't be written, and a game that the
/// engine can't follow: an unknown one, or moves that its rules forbid.
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
    /// A bot that has heard nothing yet.
    pub fn new(engine: Engine, settings: Settings) -> UgiBot {
        UgiBot { engine, settings, header: None, open_order: None, player: None }
    }

    /// Takes in a line without its `\n` and answers it, if it wants an answer.
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
            Some(ToBot::Position(told)) => self.player()?.follow(&told)?,
            Some(ToBot::Go(going @ Going::Infinite)) => {
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
            // It reads a `stop` or `ponderhit` here only after its move.
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
                    // A value set on the command line is the default here.
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

    /// The time that its moves are charged for.
    fn clock(&self) -> ClockKind {
        self.header.as_ref().map_or(ClockKind::Wall, |header| header.clock)
    }

    /// Thinks until a line of the input says `stop` or `quit`, or the input ends, and then names its move. After
    /// `ponderhit` it thinks on for the time of its order. It answers `isready` meanwhile and ignores all else.
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
            let told = Some(Arc::clone(&stop));
            let answers = self.find(&going, stopwatch, told, &mut SharedOutput(&output));
            (answers, watched.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        answer(&mut SharedOutput(&output), &answers?)?;
        attention
    }

    /// Thinks, and returns the last lines of the answer.
    fn find(
        &mut self,
        going: &Going,
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
                if written.is_ok() && begun.elapsed() >= SAY_AT_ONCE_AFTER {
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
}

impl UgiBot {
    /// The moves after this one that it wants to ponder on, if it may: those that it expects until its next turn.
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

/// The end of a search that was told to go on until a line ends it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum SearchEnd {
    Stop,
    /// It is on move, and thinks on for the time of its order.
    Hit,
    Quit,
}

/// Reads lines until one ends the search, or the wait for a hit.
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
            Ok(_) | Err(_) => {}
        }
    }
}

/// An output to which two threads write, each a line at a time.
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
