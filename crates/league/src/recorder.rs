//! Makes records of games.

use crate::bots::Identity;
use crate::dispatcher::Assignment;
use crate::file::Tournament;
use crate::openings::Drawer;
use linesman_driver::{BotSpec, Load, Played, Usage};
use linesman_protocol::Said;
use linesman_record::text::printable;
use linesman_record::{
    AdjudicationRecord, GameRecord, LoadRecord, SaidRecord, SandboxRecord, SeatRecord, TranscriptRecord,
    UsageRecord, VERSION, WorkerRecord, microseconds,
};
use linesman_referee::PlayedMove;
use linesman_sandbox::isolation::{Means, SandboxStatus};
use linesman_types::seat::Teams;
use linesman_types::time_control::{ClockKind, TimeControl};

/// Maximum length of the name and the author that a bot reports, in a record, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// The environment of a run, in the form of records.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct RecordContext {
    /// The program and its version: `linesman 0.1.0`.
    pub software: String,
    /// The machine.
    pub host: String,
    pub sandbox: Option<SandboxRecord>,
}

impl RecordContext {
    /// Converts the status of the sandbox to the form of records.
    pub fn sandbox(status: &SandboxStatus) -> SandboxRecord {
        SandboxRecord {
            asked: status.asked.word().to_owned(),
            layers: status.layers.names().into_iter().map(str::to_owned).collect(),
            held: status
                .held
                .iter()
                .map(|(guarantee, by)| (guarantee.word().to_owned(), joined(by)))
                .collect(),
        }
    }
}

/// The means of a guarantee: `bubblewrap+landlock`.
fn joined(means: &[Means]) -> String {
    means.iter().map(|means| means.word()).collect::<Vec<_>>().join("+")
}

/// Makes the records of one run.
#[derive(Clone, Debug)]
pub struct Recorder {
    common: GameRecord,
    /// The time control of the bots that have none of their own.
    time_control: TimeControl,
    /// The bots in the tournament's order, each with its own time control if it has one.
    bots: Vec<(SeatRecord, Option<TimeControl>)>,
    /// The names of the teams in the tournament's order, in a game of teams.
    team_names: Option<Vec<String>>,
    teams: Teams,
    /// The openings of the games, if they don't start from the usual position.
    drawer: Option<Drawer>,
}

impl Recorder {
    /// Makes a recorder for a tournament. `identities` are those of its bots, in the tournament's order.
    pub fn new(tournament: &Tournament, identities: &[Identity], context: RecordContext) -> Recorder {
        let mut common = GameRecord {
            v: VERSION,
            league: Some(tournament.name.clone()),
            game: tournament.game.id().to_owned(),
            time_control: Some(tournament.time_control.to_string()),
            clock: (tournament.clock != ClockKind::Wall).then(|| tournament.clock.word().to_owned()),
            wall_bound: match tournament.clock {
                ClockKind::Wall => None,
                ClockKind::Cpu { wall_bound } => Some(wall_bound.get()),
            },
            margin_ms: u64::try_from(tournament.margin.as_millis()).ok(),
            software: Some(context.software),
            host: Some(context.host),
            sandbox: context.sandbox,
            ..GameRecord::default()
        };
        common.set_options(tournament.game.options());
        let adjudication = AdjudicationRecord::from(&tournament.adjudication.scores);
        common.adjudication = Some(adjudication).filter(|rule| *rule != AdjudicationRecord::default());
        let bots = identities
            .iter()
            .zip(&tournament.bots)
            .map(|(identity, bot)| {
                let seat = SeatRecord {
                    name: identity.name.clone(),
                    command: Some(identity.command.clone()),
                    digest: identity.digest.clone(),
                    time_control: bot.time_control.map(|control| control.to_string()),
                    ..SeatRecord::default()
                };
                (seat, bot.time_control)
            })
            .collect();
        let names = || tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        Recorder {
            common,
            time_control: tournament.time_control,
            bots,
            team_names: tournament.has_teams().then(names),
            teams: tournament.game.teams(),
            drawer: Drawer::of(tournament),
        }
    }

    /// Sets, for each bot, the layers of the run that it does without.
    #[must_use]
    pub fn with_starts(mut self, specs: &[BotSpec]) -> Recorder {
        let layers = self.common.sandbox.iter().flat_map(|sandbox| &sandbox.layers);
        for ((bot, _), spec) in self.bots.iter_mut().zip(specs) {
            let isolation = spec.command.isolation.as_ref();
            let used = isolation.map_or_else(Vec::new, |isolation| isolation.layers.names());
            bot.without = layers.clone().filter(|layer| !used.contains(&layer.as_str())).cloned().collect();
        }
        self
    }

    /// Sets the digest of the table that decides games, and the first ply at which it may decide a game.
    #[must_use]
    pub fn with_table(mut self, digest: String, from: u32) -> Recorder {
        let adjudication = self.common.adjudication.get_or_insert_default();
        adjudication.table = Some(digest);
        adjudication.table_from = Some(from);
        self
    }

    /// Makes the part of a game's record that follows from the plan.
    pub fn planned(&self, assignment: &Assignment) -> GameRecord {
        let pairing = &assignment.pairing;
        let mut record = self.common.clone();
        record.id.clone_from(&pairing.id);
        record.attempt = assignment.attempt;
        record.seats = pairing.bots.values().map(|bot| self.bots[*bot].0.clone()).collect();
        if let Some(names) = &self.team_names {
            for ((_, entrant), seat) in pairing.entrants.iter().zip(&mut record.seats) {
                seat.team = Some(names[*entrant].clone());
            }
        }
        if let Some(drawer) = &self.drawer {
            let drawn = drawer.draw(pairing);
            record.opening = Some(drawn.opening.into());
            record.pair = Some(drawn.pair);
        }
        record.seed = Some(pairing.seed);
        record
    }

    /// Enters the worker that played the game of an assignment, with the time controls of its machine.
    pub fn enter_worker(&self, record: &mut GameRecord, assignment: &Assignment, worker: WorkerRecord) {
        if let Some(scale) = worker.time_scale() {
            let scaled = |control: TimeControl| control.scaled(scale).to_string();
            record.time_control = Some(scaled(self.time_control));
            for (seat, bot) in record.seats.iter_mut().zip(assignment.pairing.bots.values()) {
                seat.time_control = self.bots[*bot].1.map(scaled);
            }
        }
        record.worker = Some(worker);
    }

    /// Makes the record of a game that started at `started` (UTC, RFC 3339).
    pub fn record(&self, assignment: &Assignment, played: &Played, started: String) -> GameRecord {
        let Played { finished, usage, load, duration, .. } = played;
        let mut record = self.planned(assignment);
        let bounded = |text: &String| printable(text, MAX_NAME_BYTES);
        for (record, (seat, usage)) in record.seats.iter_mut().zip(usage.iter()) {
            if let Some(introduction) = &finished.introductions[seat] {
                record.version = introduction.name.as_ref().map(bounded);
                record.author = introduction.author.as_ref().map(bounded);
            }
            record.ponders = finished.ponders[seat];
            let nothing_measured = UsageRecord { moves: usage.moves, ..UsageRecord::default() };
            record.usage = Some(usage_record(usage)).filter(|record| *record != nothing_measured);
        }
        record.load = load.as_ref().map(load_record);
        record.started = Some(started);
        record.duration_ms = u64::try_from(duration.as_millis()).ok();
        record.moves = Some(Vec::with_capacity(finished.moves.len()));
        record.times_us = Some(Vec::with_capacity(finished.moves.len()));
        for made in &finished.moves {
            record.push_move(
                &made.text,
                made.used,
                made.said.as_deref().map(said_record).unwrap_or_default(),
            );
        }
        if record.clock.is_some() {
            let walls = finished.moves.iter().map(|made| microseconds(made.wall.unwrap_or(made.used)));
            record.walls_us = Some(walls.collect());
        }
        record.set_evidence(finished.moves.iter().map(|made| made.evidence));
        let expected = |made: &PlayedMove| Some(made.ponder.as_ref()?.moves().map(str::to_owned).collect());
        record.set_ponder(finished.moves.iter().map(expected));
        record.set_verdict(&finished.verdict, &finished.marks, &self.teams);
        if !record.faults.is_empty() || record.void.is_some() {
            record.transcript = (played.transcript.lines())
                .flat_map(|sent| TranscriptRecord::of_bytes(sent.at.0, sent.seat, sent.direction, sent.bytes))
                .collect();
        }
        record
    }
}

fn usage_record(usage: &Usage) -> UsageRecord {
    UsageRecord {
        moves: usage.moves,
        measured: usage.measured,
        wall_us: microseconds(usage.wall),
        cpu_us: microseconds(usage.cpu),
        wait_us: microseconds(usage.wait),
        lag_us: microseconds(usage.lag),
        total_cpu_us: usage.total_cpu.map(microseconds),
        off_move_cpu_us: usage.off_move_cpu.map(microseconds),
        ponder_cpu_us: usage.ponder_cpu.map(microseconds),
        peak_kib: usage.peak_kib,
        paused: usage.is_paused,
    }
}

fn load_record(load: &Load) -> LoadRecord {
    LoadRecord {
        span_us: microseconds(load.span),
        // The kernel's count is read shortly after the end of the span.
        pressure_us: load.counted.pressure.map(|pressure| microseconds(pressure.min(load.span))),
        steal_us: load.counted.steal.map(microseconds),
    }
}

/// Converts a bot's statements about its search to the form of records.
pub fn said_record(said: &Said) -> SaidRecord {
    SaidRecord {
        depth: said.depth,
        score_cp: said.score_cp,
        nodes: said.nodes,
        pv: said.pv.moves().map(str::to_owned).collect(),
        text: said.text.clone(),
        time_ms: said.time_ms,
    }
}
