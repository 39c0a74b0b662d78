//! The bot's side of the protocol, once for all engines: lines in, lines out.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::cant_follow::CantFollow;
use super::catalogue::Engine;
use super::player::{self, GamePlayer};
use super::settings::Settings;
use super::time::MoveTimer;
use linesman_protocol::{BotOption, FromBot, GameHeader, Going, OptionType, Said, ToBot};
use linesman_types::time_control::ClockKind;

/// Once this much of a move's time has passed, what is found is said at once
/// and no longer along with the move: writing less often leaves more to others.
const SAY_AT_ONCE_AFTER: Duration = Duration::from_millis(50);

/// A built-in bot: what it is told changes what it knows, and may make it say something.
pub struct UgiBot {
    engine: Engine,
    settings: Settings,
    header: Option<GameHeader>,
    /// Made when it is first needed after the header or the settings changed.
    player: Option<Box<dyn GamePlayer>>,
}

/// The answer to a line: the bot listens on, or leaves.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Attention {
    /// It does.
    Listening,
    /// It was told to leave.
    Leaving,
}

/// The reasons for which a bot ends before it is told to.
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
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), CantGoOn> {
    let mut bot = UgiBot::new(engine, settings);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(CantGoOn::Input)? == 0 {
            return Ok(());
        }
        // No line that means anything holds other bytes than text.
        let Ok(text) = std::str::from_utf8(&line) else { continue };
        let text = text.strip_suffix('\n').unwrap_or(text);
        if bot.hear(text, &mut output)? == Attention::Leaving {
            return Ok(());
        }
    }
}

impl UgiBot {
    /// A bot that has heard nothing yet.
    pub fn new(engine: Engine, settings: Settings) -> UgiBot {
        UgiBot { engine, settings, header: None, player: None }
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
            Some(ToBot::Go(going)) => self.go(&going, output)?,
            Some(ToBot::Quit) => return Ok(Attention::Leaving),
            Some(ToBot::State(_) | ToBot::Legal(_) | ToBot::Told { .. } | ToBot::GameOver { .. }) | None => {}
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
                    // What the command line set is the default here.
                    default: i64::try_from(self.settings.get(option)).ok(),
                    min: Some(option.min),
                    max: Some(option.max),
                },
            })
        }));
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

    fn go(&mut self, going: &Going, output: &mut impl Write) -> Result<(), CantGoOn> {
        let stopwatch = MoveTimer::start(self.header.as_ref().map_or(ClockKind::Wall, |header| header.clock));
        let mut written = Ok(());
        let mut say = |said: Said| {
            if written.is_ok() {
                written = write_line(output, &FromBot::Info(said));
                if written.is_ok() && stopwatch.elapsed() >= SAY_AT_ONCE_AFTER {
                    written = output.flush();
                }
            }
        };
        let mv = self.player()?.think(going, stopwatch, &mut say);
        written.map_err(CantGoOn::Output)?;
        match mv {
            Some(mv) => answer(output, &[FromBot::BestMove(mv.into())]),
            None => answer(output, &[remark("the game is over".to_owned()), FromBot::Resign]),
        }
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
