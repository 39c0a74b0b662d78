//! The playing part of a session: records and counts the games that end, and informs the observers.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::error::SessionError;
use super::event::{Again, EndedGameEvent, Finished, Observers, RunEvent, RunOutcome, Started, Stop};
use super::prepare::{Stage, now};
use super::repeats_file::RepeatsFile;
use super::results::{Points, Results};
use crate::assigned::AssignedPlan;
use crate::bots::Identity;
use crate::directory::RunDirectory;
use crate::dispatcher::MAX_TRIES;
use crate::elsewhere::PlayElsewhere;
use crate::fair_play::HostSample;
use crate::file::Tournament;
use crate::leader_notice::LeaderNotice;
use crate::league_games::EndedGame;
use crate::lineup::Lineup;
use crate::preflight::WarmBots;
use crate::run_progress::{End, RunProgress, Step};
use crate::runner::{Run, RunOutput};
use crate::schedule::{Length, Schedule};
use linesman_driver::workers::{Jobs, Workers};
use linesman_driver::{StopSwitch, WarmBot};
use linesman_rating::{Rater, Ratings};
use linesman_record::{OwnedLine, RecordWriter, WriteEvent};
use linesman_sandbox::{Bot, Leaked, QuitOverruns};

/// Minimum interval between two [`RunEvent::Standing`].
const MIN_STANDING_INTERVAL: Duration = Duration::from_millis(250);

/// Minimum interval between two standings or ratings, as a multiple of the time to compute one.
const COST_FACTOR: u32 = 50;

/// Input of the thread that plays.
pub(super) enum Input {
    Run(RunOutput),
    Stop(Stop),
    Written(WriteEvent),
    Rated(Option<Ratings>, Duration),
    Over(std::thread::Result<Leaked>),
}

/// The sending end of the channel of [`Input`]. All clones send to the same thread.
#[derive(Clone)]
pub(super) struct Inputs(mpsc::Sender<Input>);

impl Inputs {
    pub(super) fn channel() -> (Inputs, mpsc::Receiver<Input>) {
        let (sender, receiver) = mpsc::channel();
        (Inputs(sender), receiver)
    }

    pub(super) fn send(&self, input: Input) {
        // After the end of the run there is no receiver.
        let _ = self.0.send(input);
    }
}

/// Stops a run from another thread.
#[derive(Clone)]
pub struct Stopper(Inputs);

impl Stopper {
    /// Asks the run to stop. Has no effect after the end of the run.
    pub fn stop(&self, how: Stop) {
        self.0.send(Input::Stop(how));
    }
}

pub(super) struct Ready<'t> {
    pub(super) run: Run,
    pub(super) tournament: &'t Tournament,
    pub(super) identities: &'t [Identity],
    pub(super) stage: &'t Stage,
    pub(super) lineup: &'t Lineup,
    /// The bots that were started for the first game.
    pub(super) warm: WarmBots,
    /// The writer of records; `None` if the games are not recorded.
    pub(super) writer: Option<&'t mut RecordWriter>,
    /// The directory in which repeats are kept.
    pub(super) repeats: Option<RunDirectory>,
    /// The records of games of earlier runs that should have been repeated and were not.
    pub(super) unrepeated: Vec<OwnedLine>,
    pub(super) players: Players,
}

/// The way in which the games of a session are played.
#[derive(Clone)]
pub(super) enum Players {
    /// By the usual workers.
    Usual,
    /// In another way, on this machine.
    Otherwise(PlayGames),
    /// On other machines.
    Elsewhere(Arc<dyn PlayElsewhere>, Box<AssignedPlan>),
}

impl Players {
    /// Returns the leader, if the games are played elsewhere.
    fn elsewhere(&self) -> Option<Arc<dyn PlayElsewhere>> {
        match self {
            Players::Elsewhere(elsewhere, _) => Some(Arc::clone(elsewhere)),
            Players::Usual | Players::Otherwise(_) => None,
        }
    }
}

/// Starts playing games in another way than the usual workers. The kept bots play the first game.
pub type PlayGames =
    Arc<dyn Fn(Arc<dyn Jobs>, &StopSwitch, Vec<WarmBot<Bot>>) -> std::io::Result<Workers> + Send + Sync>;

/// Plays until no more games are needed or the run is stopped. Calls `listen` before the first game with a [`Stopper`]
/// of the run.
pub(super) fn play(
    ready: Ready<'_>,
    (inputs, received): (Inputs, mpsc::Receiver<Input>),
    results: &mut Results,
    listen: &mut dyn FnMut(Stopper) -> std::io::Result<()>,
    observers: &mut Observers<'_>,
) -> Result<RunOutcome, SessionError> {
    let Ready { run, tournament, identities, stage, lineup, warm, writer, repeats, unrepeated, players } =
        ready;
    let is_kept = writer.is_some();
    let (dispatcher, schedule) = (&run.dispatcher, run.dispatcher.schedule());
    let length = as_test(tournament, dispatcher.length());
    let is_fixed = schedule.is_known_from_the_start() && matches!(schedule.length(), Length::Exactly(_));
    let (done, left) = (dispatcher.done(), dispatcher.left());
    let withdrawn: Vec<String> =
        dispatcher.withdrawn().iter().map(|bot| tournament.bots[*bot].name.clone()).collect();
    listen(Stopper(inputs.clone())).map_err(SessionError::Start)?;
    let (stop, elsewhere) = (StopSwitch::new(), players.elsewhere());
    let listener = listener(inputs.clone(), stop.clone(), results);
    let workers =
        start(run, stage, &stop, (warm, players, unrepeated), listener).map_err(SessionError::Start)?;
    observers.emit(&RunEvent::Started(&Started {
        tournament,
        identities,
        host: &stage.host,
        sandbox: &stage.status,
        lineup,
        length,
        done,
        results,
        windows: workers.status_probes(),
        is_kept,
    }));
    report_end_of(workers, inputs.clone()).map_err(|error| {
        stop.abort_running();
        SessionError::Start(error)
    })?;
    for bot in &withdrawn {
        observers.emit(&RunEvent::Withdrawn { bot: bot.clone(), row: None });
    }
    let pace = Pace::new(inputs, done, length, observers);
    let progress = RunProgress::new(writer, left, stop.clone());
    let overruns = (lineup.specs.iter()).map(|spec| (spec.identity.clone(), spec.overruns.clone())).collect();
    let mut playing = Playing {
        pace,
        progress,
        stop,
        results,
        observers,
        withdrawn,
        is_stopped: false,
        has_given_up: false,
        overruns,
        elsewhere,
        repeats: RepeatsFile::in_directory(repeats),
    };
    let leaked = playing.handle_all(&received);
    playing.finish(leaked, is_fixed, is_kept)
}

/// Makes a listener that forwards the output of the games, and stops the run as soon as no more games are needed.
fn listener(
    inputs: Inputs,
    stop: StopSwitch,
    results: &Results,
) -> impl Fn(RunOutput) + Send + Sync + 'static + use<> {
    let early_stop = results.early_stop().map(Mutex::new);
    move |output| {
        if let (RunOutput::Ended(EndedGame { record, .. }), Some(early_stop)) = (&output, &early_stop)
            && early_stop.lock().is_ok_and(|mut early_stop| early_stop.is_over(record))
        {
            stop.finish_running();
        }
        inputs.send(Input::Run(output));
    }
}

fn start(
    run: Run,
    stage: &Stage,
    stop: &StopSwitch,
    (warm, players, unrepeated): (WarmBots, Players, Vec<OwnedLine>),
    listener: impl Fn(RunOutput) + Send + Sync + 'static,
) -> std::io::Result<Workers> {
    match players {
        Players::Usual => run.start(&stage.host, stop, warm, listener),
        Players::Otherwise(play) => {
            let jobs = run.into_jobs(stage.host.now, HostSample::read, listener);
            play(Arc::new(jobs), stop, warm.take())
        }
        Players::Elsewhere(elsewhere, plan) => {
            elsewhere.begin(run.into_elsewhere(unrepeated, listener), *plan, stop)
        }
    }
}

fn report_end_of(workers: Workers, inputs: Inputs) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("waiting".to_owned());
    let wait = move || {
        let over = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| workers.join()));
        inputs.send(Input::Over(over));
    };
    thread.spawn(wait).map(drop)
}

/// Returns the length of a run, which is a maximum for a test, since it ends when it is decided.
pub fn length(tournament: &Tournament, schedule: &Schedule) -> Length {
    as_test(tournament, schedule.length())
}

fn as_test(tournament: &Tournament, length: Length) -> Length {
    match length {
        Length::Exactly(games) if tournament.test.is_some() => Length::AtMost(games),
        length => length,
    }
}

struct Playing<'p, 'o> {
    pace: Pace,
    progress: RunProgress<'p>,
    stop: StopSwitch,
    results: &'p mut Results,
    observers: &'p mut Observers<'o>,
    withdrawn: Vec<String>,
    is_stopped: bool,
    /// True if a game was annulled in its last attempt.
    has_given_up: bool,
    /// For each bot, the number of times that it was killed after `quit`.
    overruns: Vec<(String, QuitOverruns)>,
    /// The leader, which is informed of the number of durable records.
    elsewhere: Option<Arc<dyn PlayElsewhere>>,
    repeats: RepeatsFile,
}

impl Playing<'_, '_> {
    /// Handles all input until the workers have ended. Returns the processes and files that they could not remove.
    fn handle_all(&mut self, received: &mpsc::Receiver<Input>) -> Leaked {
        loop {
            // The waiting thread holds a sender until it reports the end of the workers.
            let input = match self.pace.due_in() {
                None => received.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => received.recv_timeout(time),
            };
            match input {
                Ok(Input::Run(RunOutput::Event(event))) => self.handle_event(event),
                Ok(Input::Run(RunOutput::Ended(game))) => self.handle_game(game),
                Ok(Input::Run(RunOutput::Repeated(record))) => {
                    let kept = self.repeats.append(&record);
                    self.report_lost_repeats(kept);
                }
                Ok(Input::Stop(stop)) => self.handle_stop(stop),
                Ok(Input::Written(WriteEvent::Failed(error))) => {
                    if self.progress.write_failed(error) {
                        self.observers.emit(&RunEvent::WriteFailed);
                    }
                }
                Ok(Input::Written(WriteEvent::Durable(records))) => {
                    self.elsewhere.iter().for_each(|elsewhere| elsewhere.kept(records));
                }
                Ok(Input::Rated(ratings, took)) => {
                    self.pace.rated(ratings.as_ref(), took, self.observers);
                }
                Ok(Input::Over(Ok(leaked))) => return leaked,
                Ok(Input::Over(Err(panic))) => std::panic::resume_unwind(panic),
                Err(RecvTimeoutError::Timeout) => self.pace.report_if_due(self.results, self.observers),
                Err(RecvTimeoutError::Disconnected) => return Leaked::default(),
            }
        }
    }

    fn handle_event(&mut self, event: RunEvent<'static>) {
        match &event {
            RunEvent::BrokenOff(_) => self.progress.broken_off(),
            RunEvent::Cancelled(games) => {
                self.progress.cancelled(*games);
                self.pace.max_games = self.pace.max_games.saturating_sub(*games);
            }
            RunEvent::Withdrawn { bot, .. } => self.withdrawn.push(bot.clone()),
            RunEvent::TakenUp(records) => {
                let games = records.len() as u64;
                self.progress.cancelled(games);
                // These records were parsed before they were held.
                for game in records.iter().filter_map(|held| held.line().league_game().ok()) {
                    self.results.add_league_game(&game);
                }
                self.pace.done += games;
                self.pace.note_change();
            }
            RunEvent::Preparing(_)
            | RunEvent::Started(_)
            | RunEvent::Began { .. }
            | RunEvent::Moved(_)
            | RunEvent::Played(_)
            | RunEvent::Annulled { .. }
            | RunEvent::AtOnce { .. }
            | RunEvent::Elsewhere(_)
            | RunEvent::Waiting { .. }
            | RunEvent::Paused(_)
            | RunEvent::DrawnOtherwise(_)
            | RunEvent::Repeats(_)
            | RunEvent::LeftBehind { .. }
            | RunEvent::Standing { .. }
            | RunEvent::Rated { .. }
            | RunEvent::Stopping(_)
            | RunEvent::WriteFailed
            | RunEvent::Over { .. }
            | RunEvent::Finished(_)
            | RunEvent::Recorded { .. } => {}
        }
        self.observers.emit(&event);
        self.pace.report_if_due(self.results, self.observers);
    }

    fn handle_game(&mut self, game: EndedGame) {
        let EndedGame { record, notes, leaked, ignored } = game;
        if !leaked.is_empty() {
            self.observers.emit(&RunEvent::LeftBehind { id: &record.id, leaked });
        }
        let step = self.progress.ended(&record);
        if let Step::Failed(_) = step {
            self.observers.emit(&RunEvent::WriteFailed);
        }
        let annulled = match &step {
            Step::Failed(_) | Step::Lost => return,
            Step::Played => None,
            Step::Void(why) if record.attempt >= MAX_TRIES => Some((why, Again::Never)),
            Step::Void(why) => Some((why, Again::Soon)),
            Step::Spoiled(why) => Some((why, Again::Later)),
        };
        self.has_given_up |= annulled.is_some_and(|(_, again)| again == Again::Never);
        self.results.add_record(&record);
        if self.results.test_end().is_some() {
            self.stop.finish_running();
        }
        self.pace.done += u64::from(annulled.is_none());
        let ended =
            EndedGameEvent { record: &record, notes: &notes, ignored: &ignored, done: self.pace.done };
        match annulled {
            None => self.observers.emit(&RunEvent::Played(&ended)),
            Some((why, again)) => self.observers.emit(&RunEvent::Annulled { game: &ended, why, again }),
        }
        if let Some(id) = self.results.take_first_repeat() {
            self.observers.emit(&RunEvent::Repeats(&id));
        }
        if annulled.is_none() {
            self.pace.has_played = true;
            self.pace.note_change();
            self.pace.report_if_due(self.results, self.observers);
        }
    }

    fn report_lost_repeats(&mut self, kept: Result<(), String>) {
        if let Err(why) = kept {
            self.observers.emit(&RunEvent::Elsewhere(LeaderNotice::RepeatsLost(why)));
        }
    }

    fn handle_stop(&mut self, stop: Stop) {
        self.is_stopped = true;
        match stop {
            Stop::Finish => self.stop.finish_running(),
            Stop::Abort => self.stop.abort_running(),
        }
        self.observers.emit(&RunEvent::Stopping(stop));
    }

    fn finish(mut self, leaked: Leaked, is_fixed: bool, is_kept: bool) -> Result<RunOutcome, SessionError> {
        // The last standing is reported without delay.
        self.pace.next_standing = Duration::ZERO;
        self.pace.report_if_due(self.results, self.observers);
        let kept = self.repeats.finish();
        self.report_lost_repeats(kept);
        let overruns = &self.overruns;
        self.observers.emit(&RunEvent::Over { leaked, overruns });
        let End { left, broken_off, void, open } = self.progress.finish()?;
        let outcome = match self.results.test_end() {
            Some(end) if left > 0 => Some(RunOutcome::of_test(end)),
            _ if left == 0 => Some(RunOutcome::Complete),
            _ if self.is_stopped => Some(RunOutcome::Stopped),
            _ if self.has_given_up => None,
            _ if !self.withdrawn.is_empty() => Some(RunOutcome::Withdrawn),
            _ if open > 0 => Some(RunOutcome::Open),
            _ => None,
        };
        self.observers.emit(&RunEvent::Finished(&Finished {
            outcome,
            left,
            broken_off,
            open,
            withdrawn: &self.withdrawn,
            is_fixed,
            is_kept,
        }));
        outcome.ok_or(SessionError::Incomplete { left, void })
    }
}

/// Limits how often the observers receive the standing and the ratings, which are costly.
struct Pace {
    inputs: Inputs,
    started: Instant,
    done: u64,
    max_games: u64,
    wants_standing: bool,
    min_rating_interval: Option<Duration>,
    /// True if a game of this run has ended.
    has_played: bool,
    is_standing_stale: bool,
    are_ratings_stale: bool,
    next_standing: Duration,
    next_rating: Duration,
    /// The number of games and the points of the ratings being computed. Later points would not match the ratings.
    rating: Option<(u64, Vec<Points>)>,
}

impl Pace {
    fn new(inputs: Inputs, done: u64, length: Length, observers: &Observers<'_>) -> Pace {
        let wants = observers.wants();
        Pace {
            inputs,
            started: now(),
            done,
            max_games: length.most(),
            wants_standing: wants.standing,
            min_rating_interval: wants.ratings,
            has_played: false,
            is_standing_stale: wants.standing,
            are_ratings_stale: wants.ratings.is_some(),
            next_standing: Duration::ZERO,
            next_rating: wants.ratings.unwrap_or_default(),
            rating: None,
        }
    }

    fn elapsed(&self) -> Duration {
        now().saturating_duration_since(self.started)
    }

    fn note_change(&mut self) {
        self.is_standing_stale = self.wants_standing;
        self.are_ratings_stale = self.min_rating_interval.is_some();
        // The standing after the last game is reported at once.
        if self.done >= self.max_games {
            self.next_standing = Duration::ZERO;
        }
    }

    /// Returns the time until a standing or ratings are due; `None` if none are due without another game.
    fn due_in(&self) -> Option<Duration> {
        let standing = self.is_standing_stale.then_some(self.next_standing);
        let rating = (self.are_ratings_stale && self.rating.is_none()).then_some(self.next_rating);
        let next = standing.into_iter().chain(rating).min()?;
        Some(next.saturating_sub(self.elapsed()))
    }

    /// Reports the standing and starts rating the bots, as far as they are due.
    fn report_if_due(&mut self, results: &Results, observers: &mut Observers<'_>) {
        let at = self.elapsed();
        if self.are_ratings_stale && self.rating.is_none() && at >= self.next_rating {
            self.are_ratings_stale = false;
            self.rating = Some((self.done, results.points_ranked()));
            self.rate(results.rater().clone(), observers);
        }
        if !self.is_standing_stale || at < self.next_standing {
            return;
        }
        self.is_standing_stale = false;
        observers.emit(&RunEvent::Standing { done: self.done, results });
        // Before the first result, the next standing is reported without delay.
        if self.has_played {
            let took = self.elapsed().saturating_sub(at);
            self.next_standing = at + (took * COST_FACTOR).max(MIN_STANDING_INTERVAL);
        }
    }

    /// Rates the bots in another thread, since it can take long.
    fn rate(&mut self, rater: Rater, observers: &mut Observers<'_>) {
        let inputs = self.inputs.clone();
        let thread = std::thread::Builder::new().name("rating".to_owned()).spawn(move || {
            let started = now();
            let ratings = rater.ratings().ok();
            inputs.send(Input::Rated(ratings, started.elapsed()));
        });
        // If the thread can't be started, there are no ratings before the end.
        if thread.is_err() {
            self.rated(None, Duration::ZERO, observers);
        }
    }

    fn rated(&mut self, ratings: Option<&Ratings>, took: Duration, observers: &mut Observers<'_>) {
        self.next_rating =
            self.elapsed() + (took * COST_FACTOR).max(self.min_rating_interval.unwrap_or_default());
        if let Some((done, points)) = self.rating.take() {
            observers.emit(&RunEvent::Rated { done, points: &points, ratings });
        }
    }
}
