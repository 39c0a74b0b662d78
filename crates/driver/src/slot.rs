//! A place where one game at a time is played, by bots that outlive it.

use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use arrayvec::ArrayVec;

use crate::clock::BEAT;
use crate::game::{CHUNK, Driving, MoveReports, SlotParts};
use crate::game_request::{BotSpec, Game, GameNote, Played, SlotSettings};
use crate::runtime::{Runtime, ThreadRuntime};
use crate::seat::{SeatState, WarmBot};
use crate::status_probe::StatusProbe;
use crate::stop::StopSwitch;
use crate::usage::{EarlierSample, Load, Usage};
use linesman_protocol::ToBot;
use linesman_referee::{
    BotAfter, BotState, Core, Doing, Finished, GameSetup, GameTime, Introduction, Pausing, Status,
};
use linesman_sandbox::{Interest, Leaked, LineEvent, LineReader, Process, QuitOverruns, Terminating};
use linesman_types::seat::{BySeat, MAX_SEATS, Seat};

/// Maximum number of bytes that a bot may print between two games. A bot that prints more is replaced.
const MAX_BETWEEN_GAMES: usize = 1024 * 1024;

/// The question to a bot at the end of a game, and the answer, which the bot gives once it has finished the game.
const IS_READY: &[u8] = b"isready\n";
const READY_OK: &[u8] = b"readyok";

struct Waiting<B> {
    spec: Arc<BotSpec>,
    bot: B,
    lines: LineReader,
    introduction: Introduction,
    /// An earlier sample of the bot, from a very short game.
    earlier: Option<EarlierSample>,
    pause: IdlePause,
}

/// The pause of a bot that waits for its next game while others play.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum IdlePause {
    /// The bot is not paused: that is off, or its games are so short that pausing would take longer.
    Never,
    /// The bot is paused when the next game of others begins.
    Due,
    Paused,
}

/// Maximum length, for each concurrent game of the thread, of a game that is too short to measure what its bots use.
const MOMENT: Duration = Duration::from_millis(5);

/// A place where one game at a time is played. It keeps bots alive from game to game and replaces those that failed.
///
/// It belongs to the thread that created it.
pub struct Slot<W: Runtime = ThreadRuntime> {
    pub(super) runtime: W,
    pub(super) settings: SlotSettings,
    pub(super) stop: StopSwitch,
    pub(super) status_probe: StatusProbe,
    /// The bots that wait, from the one that has waited longest.
    waiting: Vec<Waiting<W::Bot>>,
    /// The bots that were started for the first game.
    warm: Vec<WarmBot<W::Bot>>,
    termination: Vec<<W::Bot as Process>::Terminating>,
    pub(super) buffer: Box<[u8]>,
    /// Number of CPUs that a bot may use if bots are not bound.
    cpus: NonZeroU32,
}

impl Slot {
    /// Creates a slot without bots. The switch aborts its games.
    pub fn new(settings: SlotSettings, stop: StopSwitch) -> Slot {
        Slot::in_runtime(ThreadRuntime::for_this_thread(), settings, stop)
    }
}

impl<W: Runtime> Slot<W> {
    /// Does the same as [`Slot::new`] with another runtime.
    pub fn in_runtime(runtime: W, settings: SlotSettings, stop: StopSwitch) -> Slot<W> {
        Slot {
            cpus: runtime.cpus(),
            runtime,
            settings,
            stop,
            status_probe: StatusProbe::default(),
            waiting: Vec::new(),
            warm: Vec::new(),
            termination: Vec::new(),
            buffer: vec![0; CHUNK].into_boxed_slice(),
        }
    }

    /// The same slot with bots that were started for its first game. Those that don't play in it are dismissed.
    #[must_use]
    pub fn with_warm_bots(self, warm: Vec<WarmBot<W::Bot>>) -> Slot<W> {
        Slot { warm, ..self }
    }

    /// Does the same as [`Slot::play_among_others`] in a runtime that blocks this thread.
    ///
    /// # Panics
    /// If the number of bots is not the number of seats, or the runtime does not block.
    pub fn play(&mut self, game: Game) -> Option<Played> {
        in_place(self.play_among_others(game))
    }

    /// Plays a game. Returns `None` if the game was aborted; its bots have then been killed.
    ///
    /// # Panics
    /// If the number of bots is not the number of seats.
    pub async fn play_among_others(&mut self, game: Game) -> Option<Played> {
        let Game { mut setup, table, bots, on_move, mut dialogue } = game;
        assert_eq!(setup.seats.seats(), bots.seats(), "every seat has its bot");
        let id = setup.id.clone();
        let mut notes = Vec::new();
        let states = self.seat_bots(&mut setup, &bots, &mut notes).await;
        self.dismiss_warm_bots();
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.pause == IdlePause::Due) {
            waiting.bot.pause();
            waiting.pause = IdlePause::Paused;
        }
        let between_games = setup.seats.map(|_, seat| seat.fairness.pausing_between_games);
        let fairness = setup.seats.map(|_, seat| (seat.fairness.pausing, seat.fairness.cpus));
        let margin = setup.margin;
        dialogue.iter_mut().for_each(|dialogue| dialogue.begins(&setup));
        let core = Core::new(setup, table);
        let Slot { runtime, settings, stop, status_probe, buffer, .. } = self;
        let parts = SlotParts { runtime, settings, stop, status_probe, buffer };
        let mut driving = Driving::new(parts, core, states, bots.clone(), margin);
        driving.moves = on_move.map(|listener| MoveReports { listener, id, reported: 0 });
        driving.dialogue = dialogue;
        driving.notes = notes;
        let outcome = driving.play().await;
        let Driving { mut seats, notes, transcript, terminations, load_at_first, .. } = driving;
        let end = outcome.as_ref().map_or(GameTime::default(), |(_, duration)| GameTime(*duration));
        let began = seats.values().filter_map(|state| state.first_asked).min();
        let was_moment = began.is_none_or(|began| end.0.saturating_sub(began.0) < self.moment());
        if !was_moment {
            seats.iter_mut().for_each(|(_, state)| state.take_last_sample());
        }
        let load = load_at_first.filter(|_| !was_moment).map(|(at, before)| Load {
            span: end.0.saturating_sub(at.0),
            counted: self.runtime.load().since(before),
        });
        let usage = outcome.as_ref().map(|(finished, _)| {
            fairness.map(|seat, (pausing, cpus)| {
                let state = &seats[seat];
                let since_asked = state.asked.map(|asked| end.0.saturating_sub(asked.0));
                let usage = state.samples.usage(seat, finished, since_asked, *cpus);
                Usage { is_paused: *pausing == Pausing::On || state.was_paused, ..usage }
            })
        });
        let finished = outcome.as_ref().map(|(finished, _)| &**finished);
        let seated = Seat::all(seats.seats()).zip(seats).zip(bots);
        let seated = seated.map(|((seat, state), spec)| (seat, *state, spec));
        let mut ending = self.release(seated, finished, was_moment, &between_games);
        ending.extend(terminations);
        let leaked = self.end(ending).await;
        let (finished, duration) = outcome?;
        Some(Played { finished: *finished, usage: usage?, load, duration, notes, transcript, leaked })
    }

    /// Seats the waiting bots that fit, and marks in the setup which ones are running already.
    async fn seat_bots(
        &mut self,
        setup: &mut GameSetup,
        bots: &BySeat<Arc<BotSpec>>,
        notes: &mut Vec<GameNote>,
    ) -> BySeat<Box<SeatState<W::Bot>>> {
        let mut states = ArrayVec::<Box<SeatState<W::Bot>>, MAX_SEATS>::new();
        let (id, opening) = (setup.id.clone(), setup.opening_moves.len());
        let waking = |seat| Status {
            id: id.clone(),
            at: GameTime::default(),
            plies: opening,
            doing: Doing::Waking(seat),
        };
        for (seat, spec) in bots.iter() {
            let setup = &mut setup.seats[seat];
            setup.fairness.cpus = self.cpus_of(spec);
            let longest = usize::try_from(setup.limits.line).unwrap_or(usize::MAX);
            let state = match self.wake(spec, setup.limits.ready, &|| waking(seat)).await {
                Ok(Waiting { bot, mut lines, introduction, earlier, .. }) => {
                    setup.bot = BotState::Warm(introduction);
                    lines.set_max_length(longest);
                    setup.fairness.earlier = earlier.as_ref().map(|earlier| earlier.reading.clone());
                    SeatState::new(Some(bot), lines, earlier)
                }
                Err(why) => {
                    setup.bot = BotState::Cold;
                    notes.extend(why.map(|why| GameNote::Restarted { seat, why }));
                    let mut state = SeatState::new(None, LineReader::new(longest), None);
                    state.warm = self.take_warm_bot(spec);
                    state
                }
            };
            states.push(Box::new(state));
        }
        BySeat::from_values(states).expect("there are as many as bots")
    }

    fn cpus_of(&self, spec: &BotSpec) -> NonZeroU32 {
        let bound = u32::try_from(self.settings.cpus_of(spec).len()).ok().and_then(NonZeroU32::new);
        bound.unwrap_or(self.cpus)
    }

    /// Returns the time below which a game is too short to measure what its bots use.
    fn moment(&self) -> Duration {
        MOMENT * self.settings.games_at_once.get()
    }

    /// Keeps the bots of a game that can play another one, and ends the others. Returns those that are being killed.
    fn release(
        &mut self,
        seated: impl Iterator<Item = (Seat, SeatState<W::Bot>, Arc<BotSpec>)>,
        finished: Option<&Finished>,
        was_moment: bool,
        between_games: &BySeat<Pausing>,
    ) -> Vec<<W::Bot as Process>::Terminating> {
        let mut killed = Vec::new();
        for (seat, state, spec) in seated {
            let owes_reading = state.owes_reading();
            let SeatState { bot, lines, samples, .. } = state;
            let Some(bot) = bot else { continue };
            let after = finished.map_or(BotAfter::Gone, |finished| finished.bots[seat]);
            let introduction = finished.and_then(|finished| finished.introductions[seat].clone());
            match (after, introduction) {
                (BotAfter::Waiting, Some(introduction)) if !owes_reading => {
                    // The bot answers once it has finished this game. The answer is read before the next one.
                    let _ = bot.write_now(IS_READY);
                    // Once the CPU time of its moves may be much, a new sample is taken before the next game.
                    let moves = finished.into_iter().flat_map(|finished| &finished.moves);
                    let wall: Duration =
                        moves.filter(|played| played.seat == seat).map(|played| played.used).sum();
                    let earlier = samples.into_earlier(wall.saturating_mul(self.cpus_of(&spec).get()));
                    let earlier = earlier.filter(|earlier| was_moment && earlier.moves < self.moment());
                    let pause = match between_games[seat] {
                        Pausing::On if !was_moment => IdlePause::Due,
                        Pausing::On | Pausing::OnSuspicion | Pausing::Off => IdlePause::Never,
                    };
                    self.waiting.push(Waiting { spec, bot, lines, introduction, earlier, pause });
                }
                (BotAfter::Waiting, _) => self.dismiss(bot, spec.quit, spec.overruns.clone()),
                // A bot that thinks reads `quit` late, which is not its fault.
                (BotAfter::Busy, _) => self.dismiss(bot, spec.quit, QuitOverruns::default()),
                (BotAfter::Gone, _) => killed.push(bot.kill_later()),
            }
        }
        while self.waiting.len() > self.settings.idle_bots {
            let longest = self.waiting.remove(0).awake();
            self.dismiss(longest.bot, longest.spec.quit, longest.spec.overruns.clone());
        }
        killed
    }

    /// Waits for the end of killed bots. Returns their leftovers, and those of dismissed bots that have ended.
    async fn end(&mut self, killed: Vec<<W::Bot as Process>::Terminating>) -> Leaked {
        let mut leaked = all(&self.runtime, killed).await;
        self.termination.retain_mut(|termination| match termination.poll() {
            Some(left) => {
                leaked = leaked.and(left);
                false
            }
            None => true,
        });
        leaked
    }

    /// Does the same as [`Slot::close_among_others`] in a runtime that blocks this thread.
    ///
    /// # Panics
    /// If the runtime does not block.
    pub fn close(self) -> Leaked {
        in_place(self.close_among_others())
    }

    /// Ends all bots. Each is sent `quit` and has its time to end.
    pub async fn close_among_others(mut self) -> Leaked {
        self.dismiss_warm_bots();
        for waiting in std::mem::take(&mut self.waiting) {
            let waiting = waiting.awake();
            self.dismiss(waiting.bot, waiting.spec.quit, waiting.spec.overruns.clone());
        }
        all(&self.runtime, std::mem::take(&mut self.termination)).await
    }

    /// Takes a warm bot that was started in exactly this way.
    fn take_warm_bot(&mut self, spec: &BotSpec) -> Option<WarmBot<W::Bot>> {
        if self.warm.is_empty() {
            return None;
        }
        let command = self.settings.command_of(spec);
        let fits = |warm: &WarmBot<W::Bot>| warm.identity == spec.identity && warm.command == command;
        let index = self.warm.iter().position(fits)?;
        Some(self.warm.swap_remove(index))
    }

    fn dismiss_warm_bots(&mut self) {
        for WarmBot { bot, quit, overruns, .. } in std::mem::take(&mut self.warm) {
            self.dismiss(bot, quit, overruns);
        }
    }

    /// Takes the waiting bot for this one once it is ready. The error is why it can't be used, or `None` if none waits.
    async fn wake(
        &mut self,
        spec: &Arc<BotSpec>,
        limit: Duration,
        status: &dyn Fn() -> Status,
    ) -> Result<Waiting<W::Bot>, Option<String>> {
        let index = self.waiting.iter().rposition(|waiting| waiting.spec == *spec).ok_or(None)?;
        let mut waiting = self.waiting.remove(index).awake();
        let look_in = || self.status_probe.answer(status);
        match waiting.settle(&self.runtime, limit, &mut self.buffer, &self.stop, look_in).await {
            Ok(()) => Ok(waiting),
            Err(why) => {
                self.dismiss(waiting.bot, Duration::ZERO, QuitOverruns::default());
                Err(Some(why.to_string()))
            }
        }
    }

    /// Sends a bot `quit` and gives it this time to end, while other games go on.
    fn dismiss(&mut self, bot: W::Bot, limit: Duration, overruns: QuitOverruns) {
        let words = format!("{}\n", ToBot::Quit).into_bytes();
        self.termination.push(bot.quit_later(words, limit, overruns));
    }
}

impl<B: Process> Waiting<B> {
    /// The same bot, resumed if it was paused.
    fn awake(self) -> Waiting<B> {
        if self.pause == IdlePause::Paused {
            self.bot.resume();
        }
        Waiting { pause: IdlePause::Never, ..self }
    }

    /// Waits until the bot has finished its last game. Discards its output, so that none of it is taken for an answer
    /// in the next game. Returns an error if the bot can't be used any more.
    async fn settle(
        &mut self,
        runtime: &impl Runtime<Bot = B>,
        limit: Duration,
        buffer: &mut [u8],
        stop: &StopSwitch,
        look_in: impl Fn(),
    ) -> Result<(), &'static str> {
        let until = runtime.now() + limit;
        let (mut printed, mut is_ready) = (0, false);
        while !is_ready {
            let count = match self.bot.read_now(buffer) {
                Ok(Some(count)) => count,
                Err(_) => 0,
                Ok(None) if runtime.now() >= until => {
                    return Err("it was not ready for another game in time");
                }
                Ok(None) if stop.must_abort() => return Err("the run is being stopped"),
                Ok(None) => {
                    look_in();
                    // If the wait fails, so does the next read.
                    let _ = runtime.wait_for([Interest::Output(&self.bot)].into_iter(), BEAT).await;
                    continue;
                }
            };
            if count == 0 {
                return Err("it ended or closed its output between games");
            }
            printed += count;
            self.lines.feed(&buffer[..count], |piece| {
                is_ready |= matches!(piece, LineEvent::Line(line) if line.trim_ascii() == READY_OK);
            });
            if printed > MAX_BETWEEN_GAMES || self.lines.is_too_long() {
                return Err("it printed too much between games");
            }
        }
        self.bot.forget_stderr();
        Ok(())
    }
}

async fn all<W: Runtime>(runtime: &W, terminations: Vec<<W::Bot as Process>::Terminating>) -> Leaked {
    let mut sum = Leaked::default();
    for termination in terminations {
        sum = sum.and(runtime.wait_for_end(termination).await);
    }
    sum
}

/// Returns the output of a future of a runtime that blocks, which is ready at once.
pub(super) fn in_place<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("a runtime that blocks never lets go"),
    }
}
