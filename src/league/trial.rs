//! The trial of the bots before the first game: each is started once, greeted
//! and dismissed, so that one that can't play is found before it costs games.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::process::{Bot, Breach, Chunked, LineReader, StartError, State};
use crate::protocol::{FromBot, ToBot};
use crate::referee::core::SeatLimits;
use crate::referee::driver::{BotSpec, exit_status, limit_of};
use crate::verdict::{Fault, Limit, Stage};

/// How long a bot that closed its output may take to end, before it counts as living on.
const END_AFTER_CLOSING: Duration = Duration::from_millis(100);

/// How often as long is waited for word of the end of a bot that the kernel says is ending.
const MORE_PATIENCE: u32 = 20;

/// How many of the lines that meant nothing are kept.
const MOST_STRAY_LINES: usize = 8;

/// A bot that did not pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Failed {
    /// Its place among the bots that were tried.
    pub bot: usize,
    /// What it did instead of answering.
    pub fault: Fault,
    /// What it printed instead, the last few lines.
    pub stray_lines: Vec<String>,
}

/// Tries all bots, `at_once` at a time, and returns those that did not pass, in their order.
///
/// # Errors
/// The host can't start anything at all.
pub fn try_all(specs: &[(BotSpec, SeatLimits)], at_once: usize) -> io::Result<Vec<Failed>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let places = Arc::new(Semaphore::new(at_once.max(1)));
        let mut trials = JoinSet::new();
        for (index, (spec, limits)) in specs.iter().cloned().enumerate() {
            let places = Arc::clone(&places);
            trials.spawn(async move {
                let _place = places.acquire().await;
                (index, try_out(&spec, &limits).await)
            });
        }
        let mut failed = Vec::new();
        while let Some(trial) = trials.join_next().await {
            let (bot, outcome) = trial.map_err(io::Error::other)?;
            match outcome {
                Ok(()) => {}
                Err(Trouble::Bot(fault, stray_lines)) => failed.push(Failed { bot, fault, stray_lines }),
                Err(Trouble::Host(error)) => return Err(io::Error::other(error)),
            }
        }
        failed.sort_by_key(|failed| failed.bot);
        Ok(failed)
    })
}

enum Trouble {
    Bot(Fault, Vec<String>),
    Host(StartError),
}

impl From<StartError> for Trouble {
    fn from(error: StartError) -> Trouble {
        match error {
            StartError::Host { .. } => Trouble::Host(error),
            _ => {
                let fault = Fault::NotStarted { error: error.to_string(), stderr_tail: String::new() };
                Trouble::Bot(fault, Vec::new())
            }
        }
    }
}

async fn try_out(spec: &BotSpec, limits: &SeatLimits) -> Result<(), Trouble> {
    let mut bot = Bot::start(spec.command.clone()).await?;
    // What it can't take at once it does not read, and then it does not answer.
    let _ = bot.write_now(format!("{}\n", ToBot::Ugi).as_bytes());
    let mut stray = Vec::new();
    let outcome = match timeout(limits.start, greeting(&bot, limits, &mut stray)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Fault::NotReady { stage: Stage::Handshake, limit: limits.start }),
    };
    let leftovers = match &outcome {
        Ok(()) => bot.quit(format!("{}\n", ToBot::Quit).as_bytes(), spec.quit).await,
        Err(_) => bot.kill().await,
    };
    // Killed with the run's own bots at the latest, when we end.
    let _ = leftovers;
    if let State::Failed(error) = bot.state() {
        return Err(error.into());
    }
    outcome.map_err(|fault| Trouble::Bot(fault, stray))
}

/// Waits for `ugiok`.
async fn greeting(bot: &Bot, limits: &SeatLimits, stray: &mut Vec<String>) -> Result<(), Fault> {
    let mut lines = LineReader::new(usize::try_from(limits.line).unwrap_or(usize::MAX));
    let mut buffer = vec![0; 4096];
    let mut printed = 0;
    loop {
        let count = poll_fn(|context| {
            bot.wake_on_news(context.waker());
            match bot.poll_read(context, &mut buffer) {
                Poll::Ready(count) => Poll::Ready(count.unwrap_or(0)),
                // A child of the bot may hold its output open.
                Poll::Pending if bot.state() != State::Running => Poll::Ready(0),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        if count == 0 {
            return Err(ended(bot).await);
        }
        printed += count as u64;
        let mut answer = None;
        lines.feed(&buffer[..count], |piece| {
            let line = match piece {
                Chunked::Line(line) => line,
                Chunked::TooLong { bytes } => {
                    let fault = Fault::Limit { which: Limit::Line, limit: limits.line, used: bytes };
                    answer = answer.take().or(Some(Err(fault)));
                    return;
                }
            };
            match FromBot::parse(line) {
                Ok(FromBot::UgiOk) => answer = answer.take().or(Some(Ok(()))),
                // Whatever else is wrong with it, its first game will tell.
                Ok(FromBot::Unknown) | Err(_) => {
                    stray.push(String::from_utf8_lossy(line).into_owned());
                    if stray.len() > MOST_STRAY_LINES {
                        stray.remove(0);
                    }
                }
                Ok(_) => {}
            }
        });
        if let Some(answer) = answer {
            return answer;
        }
        if printed > limits.output_off_move {
            return Err(Fault::Limit {
                which: Limit::OutputOffMove,
                limit: limits.output_off_move,
                used: printed,
            });
        }
    }
}

/// What it means that the output of a bot ended.
async fn ended(bot: &Bot) -> Fault {
    let mut end = poll_fn(|context| {
        bot.wake_on_news(context.waker());
        match bot.state() {
            State::Running => Poll::Pending,
            State::Failed(_) => Poll::Ready(None),
            State::Ended(ending) => Poll::Ready(ending),
        }
    });
    let mut ending = timeout(END_AFTER_CLOSING, &mut end).await;
    for _ in 0..MORE_PATIENCE {
        if ending.is_ok() || !bot.is_ending() {
            break;
        }
        ending = timeout(END_AFTER_CLOSING, &mut end).await;
    }
    if let Some(Breach { resource, limit, used }) = bot.breach() {
        return Fault::Limit { which: limit_of(resource), limit, used };
    }
    match ending {
        Ok(ending) => Fault::NotStarted {
            error: match ending {
                Some(ending) => format!("it ended before `ugiok` with {}", exit_status(ending.status)),
                None => "it ended before `ugiok`".to_owned(),
            },
            stderr_tail: bot.stderr_text(),
        },
        Err(_) => Fault::ClosedOutput { stderr_tail: bot.stderr_text() },
    }
}
