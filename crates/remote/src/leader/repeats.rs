//! Repeats: games that a worker of another owner plays again, to compare the results.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::Leader;
use super::event::LeaderAction;
use super::game_source::GameSource;
use super::workers::Owners;
use crate::wire::{GameKey, LeaderOrder, PackedGame, owner};
use linesman_league::elsewhere::Agreement;
use linesman_league::leader_notice::LeaderNotice;
use linesman_record::GameRecord;

/// The number of the first repeat. The numbers of a league's games never get this high.
const FIRST_REPEAT: u64 = 1 << 63;

/// Time after which an unplayed repeat is given up.
const REPEAT_TIMEOUT: Duration = Duration::from_secs(600);

/// Maximum number of times that a game is played when its workers disagree.
const MAX_PLAYS: usize = 3;

/// The moves and the result of a game as one worker played it.
struct Play {
    worker: String,
    moves: Option<Vec<String>>,
    places: Option<Vec<u8>>,
}

impl Play {
    fn of(worker: &str, record: &GameRecord) -> Play {
        Play { worker: worker.to_owned(), moves: record.moves.clone(), places: record.places.clone() }
    }

    fn agrees(&self, other: &Play) -> bool {
        (&self.moves, &self.places) == (&other.moves, &other.places)
    }
}

struct OpenRepeat {
    game: PackedGame,
    agreement: Agreement,
    plays: Vec<Play>,
    since: Duration,
    /// True if it repeats a game of an earlier run.
    is_of_earlier_run: bool,
}

impl OpenRepeat {
    /// Returns the notice for the case that nobody else plays it: if several workers have played it, they disagree.
    fn undecided(self) -> Option<LeaderNotice> {
        let workers: Vec<String> = self.plays.into_iter().map(|play| play.worker).collect();
        (workers.len() > 1).then_some(LeaderNotice::Disagreed { id: self.game.id, workers, odd: None })
    }
}

#[derive(Default)]
pub(super) struct RepeatTracker {
    begun: u64,
    open: BTreeMap<u64, OpenRepeat>,
    /// Games of earlier runs that wait for a worker of another owner.
    owed: Vec<(PackedGame, Agreement, Play)>,
}

/// The outcome of a repeat that was played.
pub(super) enum RepeatOutcome {
    Done,
    Tell(LeaderNotice),
    /// A worker of a third owner has to play the game, too.
    Again(u64, PackedGame),
}

impl RepeatTracker {
    pub(super) fn is_repeat(number: u64) -> bool {
        number >= FIRST_REPEAT
    }

    pub(super) fn game(&self, number: u64) -> Option<&PackedGame> {
        Some(&self.open.get(&number)?.game)
    }

    /// Starts a repeat of a game after these plays. `owners` are the owners of the workers that could play it. Returns
    /// its number and the game; `None` if there is no other owner.
    fn begin(
        &mut self,
        at: Duration,
        game: PackedGame,
        agreement: Agreement,
        plays: Vec<Play>,
        owners: &Owners,
    ) -> Option<(u64, PackedGame)> {
        let not_for: BTreeSet<&str> = plays.iter().map(|play| owner(&play.worker)).collect();
        if owners.keys().all(|owner| not_for.contains(owner.as_str())) {
            return None;
        }
        let not_for = not_for.into_iter().map(str::to_owned).collect();
        let repeat = u32::try_from(plays.len()).unwrap_or(u32::MAX);
        let game = PackedGame { repeat, not_for, ..game };
        let number = FIRST_REPEAT + self.begun;
        self.begun += 1;
        let open = OpenRepeat { game: game.clone(), agreement, plays, since: at, is_of_earlier_run: false };
        self.open.insert(number, open);
        Some((number, game))
    }

    /// Notes that the game of an earlier run with this record has to be repeated.
    pub(super) fn owe(&mut self, game: PackedGame, agreement: Agreement, record: &GameRecord) {
        if let Some(worker) = &record.worker {
            self.owed.push((game, agreement, Play::of(&worker.name, record)));
        }
    }

    /// Starts repeats of games of earlier runs, the latest first. The number of repeats of an owner's games that are
    /// out is at most the number of games that the other owners play at once; further ones would only wait.
    fn begin_owed(&mut self, at: Duration, owners: &Owners) -> Vec<(u64, PackedGame)> {
        let slots: usize = owners.values().sum();
        let mut out = Owners::new();
        for open in self.open.values().filter(|open| open.is_of_earlier_run) {
            *out.entry(owner(&open.plays[0].worker).to_owned()).or_default() += 1;
        }
        let mut begun = Vec::new();
        for owed in (0..self.owed.len()).rev() {
            let by = owner(&self.owed[owed].2.worker).to_owned();
            let others = slots - owners.get(&by).copied().unwrap_or(0);
            let out_of_owner = out.entry(by).or_default();
            if *out_of_owner < others {
                *out_of_owner += 1;
                begun.extend(self.begin_one_owed(at, owed, owners));
            }
        }
        begun
    }

    fn begin_one_owed(&mut self, at: Duration, owed: usize, owners: &Owners) -> Option<(u64, PackedGame)> {
        let (game, agreement, play) = self.owed.remove(owed);
        let begun = self.begin(at, game, agreement, vec![play], owners)?;
        self.open.get_mut(&begun.0)?.is_of_earlier_run = true;
        Some(begun)
    }

    /// Starts an owed repeat that a worker has already reported, because an earlier leader published it.
    fn begin_reported(&mut self, at: Duration, key: &GameKey, worker: &str) -> Option<(u64, PackedGame)> {
        let is_it = |(game, _, play): &(PackedGame, Agreement, Play)| {
            (&game.id, game.attempt, 1) == (&key.id, key.attempt, key.repeat)
                && owner(&play.worker) != owner(worker)
        };
        let owed = self.owed.iter().position(is_it)?;
        self.begin_one_owed(at, owed, &Owners::from([(owner(worker).to_owned(), 1)]))
    }

    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.owed.is_empty()
    }

    /// Returns the numbers of the repeats that are out.
    pub(super) fn open(&self) -> Vec<u64> {
        self.open.keys().copied().collect()
    }

    /// Compares the checked record of a repeat with the earlier plays of the game.
    pub(super) fn take(
        &mut self,
        at: Duration,
        number: u64,
        (worker, record): (&str, &GameRecord),
        owners: &Owners,
    ) -> RepeatOutcome {
        let Some(open) = self.open.remove(&number) else { return RepeatOutcome::Done };
        // An annulled game proves nothing.
        if record.void.is_some() || open.agreement == Agreement::OnAverage {
            return open.undecided().map_or(RepeatOutcome::Done, RepeatOutcome::Tell);
        }
        let OpenRepeat { game, agreement, mut plays, .. } = open;
        plays.push(Play::of(worker, record));
        if plays.iter().skip(1).all(|play| play.agrees(&plays[0])) {
            return RepeatOutcome::Done;
        }
        let (id, workers) = (game.id.clone(), plays.iter().map(|play| play.worker.clone()).collect());
        let odd = odd_one(&plays);
        if plays.len() < MAX_PLAYS
            && let Some((number, game)) = self.begin(at, game, agreement, plays, owners)
        {
            return RepeatOutcome::Again(number, game);
        }
        RepeatOutcome::Tell(LeaderNotice::Disagreed { id, workers, odd })
    }

    /// Drops a repeat that nobody will play. Returns the notice for people if it stays undecided.
    fn drop_one(&mut self, number: u64) -> Option<LeaderNotice> {
        self.open.remove(&number)?.undecided()
    }

    /// Returns the repeats that nobody will play: no other owner has a worker, or they have waited too long.
    pub(super) fn hopeless(&self, at: Duration, owners: &Owners) -> Vec<u64> {
        let is_hopeless = |open: &OpenRepeat| {
            owners.keys().all(|owner| open.game.not_for.contains(owner))
                || at.saturating_sub(open.since) > REPEAT_TIMEOUT
        };
        self.open.iter().filter(|(_, open)| is_hopeless(open)).map(|(number, _)| *number).collect()
    }
}

/// Returns the worker whose play differs from those of the others, if these agree.
fn odd_one(plays: &[Play]) -> Option<String> {
    let agree = |play: &Play| plays.iter().filter(|other| other.agrees(play)).count();
    let mut odd = plays.iter().filter(|play| agree(play) == 1);
    match (plays.len(), odd.next(), odd.next()) {
        (MAX_PLAYS.., Some(one), None) => Some(one.worker.clone()),
        _ => None,
    }
}

impl<G: GameSource> Leader<G> {
    /// Returns the repeat that a game should have, with the record to compare it with.
    pub(super) fn planned_repeat(
        &self,
        number: u64,
        record: &GameRecord,
    ) -> Option<(PackedGame, Agreement, GameRecord)> {
        let game = self.out.game(number)?;
        let agreement = self.games.repeat(game).filter(|_| record.void.is_none())?;
        Some((game.clone(), agreement, record.clone()))
    }

    /// Starts the repeat of a game that a worker has played, if it should have one.
    pub(super) fn begin_repeat(
        &mut self,
        at: Duration,
        worker: &str,
        planned: Option<(PackedGame, Agreement, GameRecord)>,
    ) {
        let Some((game, agreement, record)) = planned else { return };
        let owners = self.workers.owners(&self.refused);
        let begun = self.repeats.begin(at, game, agreement, vec![Play::of(worker, &record)], &owners);
        self.send_repeat(begun);
    }

    /// Notes the games of earlier runs that have to be repeated.
    pub(super) fn owe_repeats(&mut self) {
        for (game, record) in self.games.take_unrepeated() {
            if let Some(agreement) = self.games.repeat(&game) {
                self.repeats.owe(game, agreement, &record);
            }
        }
    }

    /// Drops the repeats that nobody will play, and starts those of earlier runs while the league has games.
    pub(super) fn tend_repeats(&mut self, at: Duration) {
        if self.repeats.is_empty() {
            return;
        }
        let owners = self.workers.owners(&self.refused);
        self.drop_repeats(self.repeats.hopeless(at, &owners));
        if self.is_ready && self.order == LeaderOrder::Play && !self.no_more_games {
            let begun = self.repeats.begin_owed(at, &owners);
            begun.into_iter().for_each(|begun| self.send_repeat(Some(begun)));
        }
    }

    /// Starts the owed repeat that a worker reports. Returns its number; `None` if it is not owed.
    pub(super) fn reported_repeat(&mut self, at: Duration, key: &GameKey, worker: &str) -> Option<u64> {
        let (number, game) = self.repeats.begin_reported(at, key, worker)?;
        self.out.add(number, game);
        Some(number)
    }

    fn send_repeat(&mut self, begun: Option<(u64, PackedGame)>) {
        let Some((number, game)) = begun else { return };
        let is_adopted = self.packs.adopt(&game.key(), number);
        self.out.add(number, game);
        if !is_adopted {
            self.packs.queue_alone(vec![number]);
        }
    }

    /// Takes the record of a game that another worker has played before.
    pub(super) fn take_repeat(
        &mut self,
        at: Duration,
        number: u64,
        (worker, mut record): (String, GameRecord),
    ) {
        let Some(game) = self.repeats.game(number).cloned() else { return };
        // An earlier leader may have excluded other owners, or the worker ignored `not_for`.
        if game.not_for.iter().any(|other| other == owner(&worker)) {
            self.packs.queue([number]);
            return;
        }
        record.worker.get_or_insert_default().repeat = Some(game.repeat);
        if let Err(why) = self.games.keep_repeat(&game, record.clone()) {
            self.packs.queue([number]);
            self.refuse(worker, game.id, why);
            return;
        }
        self.last_busy = at;
        self.forget(number);
        let owners = self.workers.owners(&self.refused);
        match self.repeats.take(at, number, (&worker, &record), &owners) {
            RepeatOutcome::Done => {}
            RepeatOutcome::Tell(notice) => self.actions.push(LeaderAction::Tell(notice)),
            RepeatOutcome::Again(number, game) => self.send_repeat(Some((number, game))),
        }
    }

    /// Drops repeats, and adds notices about the disagreements that stay undecided.
    pub(super) fn drop_repeats(&mut self, numbers: Vec<u64>) {
        for number in numbers {
            self.actions.extend(self.repeats.drop_one(number).map(LeaderAction::Tell));
            self.forget(number);
        }
    }
}
