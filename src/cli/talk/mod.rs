//! `linesman talk`: a person talks to a bot instead of the referee.

mod conversation;
mod lines;

use std::collections::VecDeque;
use std::io;
use std::pin::pin;
use std::sync::mpsc::TryRecvError;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use super::args::{OptionArgs, SandboxArgs};
use super::conditions;
use super::env::identify_here;
use super::error::{Exit, Failure};
use super::inspect::bad_token;
use super::play::notes::report_sandbox;
use super::play::stage;
use super::ui::Ui;
use crate::league::lineup::Lineup;
use crate::process::{Bot, Command, Interest, LineEvent, LineReader, Process, State};
use crate::referee::driver::runtime::{Runtime, ThreadRuntime};
use crate::referee::driver::{exit_status, now};
use crate::seat::{MAX_SEATS, Seat};
use crate::verdict::ExitStatus;
use conversation::{Conversation, Reply};
use lines::LineSource;

/// Maximum length of a line, in bytes.
const LONGEST_LINE: usize = 64 * 1024;

/// Maximum wait for output of the bot before the person's lines are read.
const OUTPUT_WAIT: Duration = Duration::from_millis(10);

/// Time limit for a bot to end after `quit`, or after it closed its output.
const END_LIMIT: Duration = Duration::from_secs(2);

/// Talk to a bot instead of the referee
///
/// Starts the bot as a match would, in the sandbox, and sends it the lines that you type. What
/// it prints is shown with the time and with what the referee would make of it. Lines that
/// begin with a colon are commands: `:help` lists them.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman talk 'python3 my_bot.py'
  linesman talk ./my_bot --game kengu --seat 2
  linesman talk --game trexo -- python3 my_bot.py --fast
  printf ':new\\n:go 1s\\n' | linesman talk ./my_bot --game trexo")]
#[command(after_long_help = "\
On a terminal, the arrow keys bring back earlier lines, and Tab completes verbs, commands,
games and legal moves. Other input is a script: each line waits until the bot has answered
the one before, as long as the referee would wait.

At the end of the input the bot is told to quit. The exit status is the bot's: 128 and the
number of the signal if a signal ended it.")]
pub(crate) struct Args {
    /// Command that starts the bot, as one text
    #[arg(value_name = "COMMAND", required_unless_present = "words")]
    command: Option<String>,
    /// Command that starts the bot, with its arguments
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "command")]
    words: Vec<String>,
    /// Game that the bot is to play
    #[arg(long, default_value = "quixo")]
    game: String,
    #[command(flatten)]
    options: OptionArgs,
    /// Seat of the bot
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=MAX_SEATS as i64))]
    seat: u8,
    /// Position to start from [default: the start of the game]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let setup = args.options.set_up(&args.game)?;
    let seats = setup.teams().seats();
    let seat = Seat::new(usize::from(args.seat)).filter(|seat| seat.number() <= seats).ok_or_else(|| {
        Failure::wrong(format_args!("there is no seat {}: {} has {seats} seats", args.seat, args.game))
    })?;
    let conversation = Conversation::new(setup, seat, args.token.clone());
    let conversation =
        conversation.map_err(|error| bad_token(args.token.as_deref().unwrap_or_default(), &error))?;
    let typed = args.command.clone().unwrap_or_else(|| shell_words::join(&args.words));
    let command = command(args, &typed, ui)?;
    let bot = Bot::start_here(command).map_err(|error| cant_start(&typed, &error))?;
    let source = LineSource::new(conversation.words(), ui)?;
    if !source.is_script {
        ui.note(
            "you are the referee: `:new` starts a game, `:go 1s` asks for a move, `:help` lists the commands",
        );
    }
    let mut talk = Talk {
        begun: now(),
        bot,
        runtime: ThreadRuntime::for_this_thread(),
        lines: LineReader::new(LONGEST_LINE),
        conversation,
        source,
        script: VecDeque::new(),
        outbox: Vec::new(),
        stderr: 0,
        killed_at: None,
    };
    let end = talk.run();
    talk.end(end, &typed)
}

/// The command that starts the bot as a match would.
fn command(args: &Args, typed: &str, ui: &Ui) -> Result<Command, Failure> {
    let setup = args.options.set_up(&args.game)?;
    let folder = conditions::current_folder()?;
    let mut text = conditions::head("talk", &args.game, &*setup);
    text.push_str("rounds = 1\nmovetime = \"1s\"\n");
    if let Some(sandbox) = args.sandbox.sandbox {
        text.push_str(&format!("sandbox = \"{}\"\n", sandbox.word()));
    }
    for number in 1..=setup.teams().sides() {
        text.push_str(&conditions::bot_lines(&format!("bot-{number}"), typed, &folder));
    }
    let plan = conditions::plan(text, "talk")?;
    let mut tournament = plan.tournament.clone();
    tournament.bots.truncate(1);
    let identity = identify_here(&tournament.bots[0]).map_err(|error| {
        Failure::wrong(format_args!("the bot can't be started: {error}")).hint_if(error.hint())
    })?;
    let stage = stage(ui, tournament.sandbox, plan.paths(None))?;
    report_sandbox(ui, &stage.status);
    let spec = Lineup::of(&tournament, &[identity], &stage.host).specs.into_iter().next();
    Ok(spec.expect("there is one bot").command)
}

fn cant_start(command: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::wrong(format_args!("`{command}` can't be started: {error}"))
}

struct Talk {
    begun: Instant,
    bot: Bot,
    runtime: ThreadRuntime,
    lines: LineReader,
    conversation: Conversation,
    source: LineSource,
    /// Lines of a script that wait until the bot has answered.
    script: VecDeque<String>,
    /// Bytes that the bot has not read yet.
    outbox: Vec<u8>,
    /// Number of bytes of the bot's stderr that have been shown.
    stderr: u64,
    /// The time at which the bot is killed after `quit` or the end of its output.
    killed_at: Option<Instant>,
}

enum EndOfTalk {
    Ended(ExitStatus),
    NotStarted(String),
    /// It was still running after `quit`.
    Killed,
}

impl Talk {
    fn run(&mut self) -> EndOfTalk {
        loop {
            self.hear();
            self.show_stderr();
            self.send(&[]);
            if self.conversation.is_closed {
                self.killed_at.get_or_insert(now() + END_LIMIT);
            }
            match self.bot.state() {
                State::Running => {}
                State::Failed(error) => return EndOfTalk::NotStarted(error.to_string()),
                State::Ended(ending) => {
                    let status = ending.map_or(ExitStatus::Unknown, |ending| exit_status(ending.status));
                    return EndOfTalk::Ended(status);
                }
            }
            if self.killed_at.is_some_and(|moment| now() >= moment) {
                return EndOfTalk::Killed;
            }
            self.take_input();
        }
    }

    /// Waits briefly for output of the bot, and handles it.
    fn hear(&mut self) {
        let mut buffer = [0; 16 * 1024];
        let read = self.read(&mut buffer);
        let at = now();
        match read {
            Ok(None) => {}
            Ok(Some(count @ 1..)) => {
                let mut shown = Vec::new();
                let conversation = &mut self.conversation;
                self.lines.feed(&buffer[..count], |piece| match piece {
                    LineEvent::Line(line) => shown.push(conversation.hear(at, line)),
                    LineEvent::TooLong { bytes } => shown.push(conversation.hear_too_long(bytes)),
                });
                for text in shown {
                    self.show(at, '<', &text);
                }
                let queued = self.conversation.take_queued(at);
                self.send_lines(queued);
            }
            Ok(Some(0)) | Err(_) => {
                let rest = self.lines.take_partial();
                if !rest.is_empty() {
                    let text = self.conversation.hear_unfinished(&rest);
                    self.show(at, '<', &text);
                }
                self.conversation.close();
                self.show(at, '!', "closed its output");
            }
        }
        self.source.set_words(self.conversation.words());
    }

    /// Waits briefly and reads output of the bot; 0 bytes at its end.
    fn read(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let bot = &self.bot;
        // After the end of the output, only the end of the process is awaited.
        let output = [Interest::Output(bot)].into_iter().filter(|_| !self.conversation.is_closed);
        let wait = pin!(self.runtime.wait_for(output, OUTPUT_WAIT));
        // The runtime of a thread blocks, so a single poll is enough.
        match wait.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(())) if !self.conversation.is_closed => bot.read_now(buffer),
            Poll::Ready(Ok(())) | Poll::Pending => Ok(None),
            Poll::Ready(Err(error)) => Err(error),
        }
    }

    fn show_stderr(&mut self) {
        let bytes = self.bot.stderr_since(self.stderr);
        self.stderr = self.bot.stderr_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.lines().for_each(|line| self.show(now(), '|', &crate::report::describe::printable(line)));
    }

    /// Handles the lines of the person. Those of a script wait while the bot owes an answer.
    fn take_input(&mut self) {
        loop {
            match self.source.lines.try_recv() {
                Ok(line) if self.source.is_script => self.script.push_back(line),
                Ok(line) => self.take_line(&line),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    if self.script.is_empty() && !self.conversation.awaits_answer(now()) {
                        self.quit();
                    }
                    break;
                }
            }
        }
        while !self.conversation.awaits_answer(now()) && self.killed_at.is_none() {
            let Some(line) = self.script.pop_front() else { break };
            self.take_line(&line);
        }
    }

    fn take_line(&mut self, line: &str) {
        match self.conversation.take(now(), line) {
            Reply::Show(text) => self.source.print(&text),
            Reply::Send(lines) => self.send_lines(lines),
            Reply::Quit => self.quit(),
        }
        self.source.set_words(self.conversation.words());
    }

    fn quit(&mut self) {
        if self.killed_at.is_none() {
            self.send_lines(vec!["quit".to_owned()]);
        }
    }

    fn send_lines(&mut self, lines: Vec<String>) {
        for line in lines {
            self.show(now(), '>', &line);
            if line.trim() == "quit" {
                self.killed_at = Some(now() + END_LIMIT);
            }
            self.send(format!("{line}\n").as_bytes());
        }
    }

    /// Writes bytes to the bot, after those that it has not read yet.
    fn send(&mut self, bytes: &[u8]) {
        self.outbox.extend_from_slice(bytes);
        if self.outbox.is_empty() {
            return;
        }
        match self.bot.write_now(&self.outbox) {
            Ok(count) => drop(self.outbox.drain(..count.unwrap_or(0))),
            // The bot closed its input, but may continue without it.
            Err(_) => self.outbox.clear(),
        }
    }

    fn show(&mut self, at: Instant, sign: char, text: &str) {
        let at = at.saturating_duration_since(self.begun).as_secs_f64();
        self.source.print(&format!("{at:.3} {sign} {text}\n"));
    }

    /// Ends all processes of the bot. Returns the exit status of the command.
    fn end(mut self, end: EndOfTalk, command: &str) -> Result<Exit, Failure> {
        self.hear();
        self.show_stderr();
        let exit = match end {
            EndOfTalk::NotStarted(error) => return Err(cant_start(command, &error)),
            EndOfTalk::Ended(ExitStatus::Code(0)) => Exit::Done,
            EndOfTalk::Ended(ExitStatus::Code(code)) => Exit::Other(u8::try_from(code).unwrap_or(1)),
            EndOfTalk::Ended(ExitStatus::Signal(signal)) => {
                Exit::Other(u8::try_from(signal).unwrap_or(0).saturating_add(128))
            }
            EndOfTalk::Ended(ExitStatus::Unknown) => Exit::Other(1),
            // A shell returns the same status for a killed program.
            EndOfTalk::Killed => Exit::Other(137),
        };
        if let Some(breach) = self.bot.breach() {
            let which = breach.resource.word();
            self.show(now(), '!', &format!("ended, because it used more than its limit `{which}`"));
        }
        match end {
            EndOfTalk::Ended(status) => self.show(now(), '!', &format!("ended with {status}")),
            EndOfTalk::Killed | EndOfTalk::NotStarted(_) => {
                self.show(now(), '*', "kill: the bot was still running 2 s after its end was due");
            }
        }
        let Talk { bot, mut source, .. } = self;
        if let Some(warning) = bot.kill_later().wait().warning() {
            source.print(&format!("warning: {warning}\n"));
        }
        Ok(exit)
    }
}
