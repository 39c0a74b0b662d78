//! A place where one game at a time is played, by bots that outlive it.

use std::future::poll_fn;
use std::time::Duration;

use arrayvec::ArrayVec;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::games::Table;
use crate::process::{Bot, Chunked, Command, Leftovers, LineReader};
use crate::protocol::ToBot;
use crate::referee::core::{BotAfter, BotState, Core, Finished, GameSetup, Introduction};
use crate::referee::driver::clock::BEAT;
use crate::referee::driver::game::{CHUNK, Driving, TranscriptLine};
use crate::referee::driver::seat::{Occupant, SeatState};
use crate::referee::driver::stop::StopSwitch;
use crate::seat::{BySeat, MAX_SEATS, Seat};

/// How much a bot may print between two games; what prints more is replaced.
const MOST_BETWEEN_GAMES: usize = 1024 * 1024;

/// What a bot is asked at the end of a game, and what it says when it is done
/// with all that came before.
const IS_READY: &[u8] = b"isready\n";
const READY_OK: &[u8] = b"readyok";

/// How a slot plays.
#[derive(Clone, Debug)]
pub struct SlotSettings {
    /// The CPU to which bots are bound; none = wherever the system puts them.
    pub cpu: Option<usize>,
    /// How many bots may wait for their next game; the longest waiting goes first.
    pub idle_bots: usize,
}

impl Default for SlotSettings {
    fn default() -> SlotSettings {
        SlotSettings { cpu: None, idle_bots: 8 }
    }
}

/// A bot that plays: how it is started, and which running one will do as well.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BotSpec {
    /// Running bots of the same identity are interchangeable: the same command,
    /// surroundings and options.
    pub identity: String,
    /// How it is started; the slot decides on the CPU.
    pub command: Command,
    /// How long it may take to end after `quit`, before it is killed.
    pub quit: Duration,
}

/// A game to be played.
pub struct Game {
    /// The game; whether bots are cold or warm is filled in by the slot.
    pub setup: GameSetup,
    /// The table with the opening on it.
    pub table: Box<dyn Table>,
    /// Who plays.
    pub bots: BySeat<BotSpec>,
}

/// Something worth knowing about a game, for its log.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameNote {
    /// Whose bot it is about, if anybody's.
    pub seat: Option<Seat>,
    /// What.
    pub text: String,
}

/// A game that was played to its verdict.
#[derive(Debug)]
pub struct Played {
    /// How it ended, and its course.
    pub finished: Finished,
    /// How long it took, the start of bots included.
    pub duration: Duration,
    /// What was noticed.
    pub notes: Vec<GameNote>,
    /// The last lines between referee and bots.
    pub transcript: Vec<TranscriptLine>,
    /// What could not be ended of the bots that were killed.
    pub leftovers: Leftovers,
}

/// A bot that waits for its next game.
struct Waiting {
    spec: BotSpec,
    bot: Bot,
    lines: LineReader,
    introduction: Introduction,
}

/// A place where one game at a time is played. It keeps bots alive from game
/// to game and replaces those that failed.
///
/// Must be used on one tokio runtime, to which its bots are bound.
pub struct Slot {
    settings: SlotSettings,
    stop: StopSwitch,
    /// The longest waiting first.
    waiting: Vec<Waiting>,
    leaving: JoinSet<Leftovers>,
    buffer: Box<[u8]>,
}

impl Slot {
    /// A slot without bots. Its games are broken off when the switch says so.
    pub fn new(settings: SlotSettings, stop: StopSwitch) -> Slot {
        Slot {
            settings,
            stop,
            waiting: Vec::new(),
            leaving: JoinSet::new(),
            buffer: vec![0; CHUNK].into_boxed_slice(),
        }
    }

    /// Plays a game; nothing if it was broken off, and then its bots are gone.
    ///
    /// # Panics
    /// If the game has not as many bots as seats.
    pub async fn play(&mut self, game: Game) -> Option<Played> {
        let Game { mut setup, table, bots } = game;
        assert_eq!(setup.seats.seats(), bots.seats(), "every seat has its bot");
        let mut notes = Vec::new();
        let mut states = ArrayVec::<SeatState, MAX_SEATS>::new();
        for (seat, spec) in bots.iter() {
            let setup = &mut setup.seats[seat];
            let longest = usize::try_from(setup.limits.line).unwrap_or(usize::MAX);
            let state = match self.wake(spec, setup.limits.ready).await {
                Ok(Waiting { bot, mut lines, introduction, .. }) => {
                    setup.bot = BotState::Warm(introduction);
                    lines.set_longest(longest);
                    SeatState::new(Occupant::Here(bot), lines)
                }
                Err(why) => {
                    setup.bot = BotState::Cold;
                    notes.extend(why.map(|text| GameNote { seat: Some(seat), text }));
                    SeatState::new(Occupant::Nobody, LineReader::new(longest))
                }
            };
            states.push(state);
        }
        let states = BySeat::from_values(states).expect("there are as many as bots");
        let commands = bots.map(|_, spec| Command { cpu: self.settings.cpu, ..spec.command.clone() });
        let core = Core::new(setup, table);
        let mut driving = Driving::new(core, states, commands, &mut self.buffer, &self.stop);
        driving.notes = notes;
        let outcome = driving.play().await;
        let Driving { seats, notes, transcript, mut ending, .. } = driving;
        for ((seat, state), spec) in Seat::all(seats.seats()).zip(seats).zip(bots) {
            let owes_reading = state.owes_reading();
            let Occupant::Here(mut bot) = state.occupant else { continue };
            let finished = outcome.as_ref().map(|(finished, _)| finished);
            let after = finished.map_or(BotAfter::Gone, |finished| finished.bots[seat]);
            let introduction = finished.and_then(|finished| finished.introductions[seat].clone());
            match (after, introduction) {
                (BotAfter::Waiting, Some(introduction)) if !owes_reading => {
                    // Answered when it has done with the old game: before the next one begins.
                    let _ = bot.write_now(IS_READY);
                    self.waiting.push(Waiting { spec, bot, lines: state.lines, introduction });
                }
                (BotAfter::Waiting | BotAfter::Busy, _) => self.dismiss(bot, spec.quit),
                (BotAfter::Gone, _) => {
                    ending.spawn(async move { bot.kill().await });
                }
            }
        }
        while self.waiting.len() > self.settings.idle_bots {
            let longest = self.waiting.remove(0);
            self.dismiss(longest.bot, longest.spec.quit);
        }
        let mut leftovers = all(&mut ending).await;
        while let Some(Ok(left)) = self.leaving.try_join_next() {
            leftovers.processes += left.processes;
        }
        let (finished, duration) = outcome?;
        Some(Played { finished: *finished, duration, notes, transcript: transcript.into(), leftovers })
    }

    /// Ends all bots, those that did well with a good-bye.
    pub async fn close(mut self) -> Leftovers {
        for waiting in std::mem::take(&mut self.waiting) {
            self.dismiss(waiting.bot, waiting.spec.quit);
        }
        all(&mut self.leaving).await
    }

    /// A running bot that will do for this one, silent and ready to be asked;
    /// else why one that waited was no good any more, if there was one.
    async fn wake(&mut self, spec: &BotSpec, limit: Duration) -> Result<Waiting, Option<String>> {
        let index = self.waiting.iter().rposition(|waiting| waiting.spec == *spec).ok_or(None)?;
        let mut waiting = self.waiting.remove(index);
        let settled = timeout(limit, waiting.settle(&mut self.buffer, &self.stop)).await;
        match settled.unwrap_or(Err("it was not ready for another game in time")) {
            Ok(()) => Ok(waiting),
            Err(why) => {
                self.dismiss(waiting.bot, Duration::ZERO);
                Err(Some(format!("started anew: {why}")))
            }
        }
    }

    /// Lets a bot end in its own time, while other games go on.
    fn dismiss(&mut self, mut bot: Bot, limit: Duration) {
        let quit = format!("{}\n", ToBot::Quit);
        self.leaving.spawn(async move { bot.quit(quit.as_bytes(), limit).await });
    }
}

impl Waiting {
    /// Waits until the bot is done with its last game, and throws away what it
    /// has printed since, so that none of it is taken for an answer. An error
    /// if it is no good any more.
    async fn settle(&mut self, buffer: &mut [u8], stop: &StopSwitch) -> Result<(), &'static str> {
        let (mut printed, mut is_ready) = (0, false);
        while !is_ready {
            let read = poll_fn(|context| self.bot.poll_read(context, buffer));
            let count = match timeout(BEAT, read).await {
                Ok(Ok(count)) => count,
                Ok(Err(_)) => 0,
                Err(_) if stop.must_abort() => return Err("it was not waited for"),
                Err(_) => continue,
            };
            if count == 0 {
                return Err("it ended, or closed its output, between games");
            }
            printed += count;
            self.lines.feed(&buffer[..count], |piece| {
                is_ready |= matches!(piece, Chunked::Line(line) if line.trim_ascii() == READY_OK);
            });
            if printed > MOST_BETWEEN_GAMES || self.lines.has_given_up() {
                return Err("it printed too much between games");
            }
        }
        self.bot.forget_stderr();
        Ok(())
    }
}

async fn all(ending: &mut JoinSet<Leftovers>) -> Leftovers {
    let mut sum = Leftovers::default();
    while let Some(ended) = ending.join_next().await {
        // A bot whose ending panicked ends by being dropped.
        sum.processes += ended.unwrap_or_default().processes;
    }
    sum
}
