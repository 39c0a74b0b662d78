//! The game that all sides play, byte for byte.

use std::sync::Arc;
use std::time::Duration;

use linesman::games::{self, Consultation, Setup, legal_moves};
use linesman::referee::core::{
    Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Introduction,
    Pondering, SeatLimits, SeatSetup, SendKind,
};
use linesman::seat::{BySeat, Seat};
use linesman::time_control::{ClockKind, TimeControl};

/// Lines sent to a bot, and its answer, if any.
pub struct Step {
    pub seat: Seat,
    pub text: String,
    pub answer: Option<String>,
}

/// A random game of Quixo.
pub struct Recorded {
    pub rules: Arc<dyn Setup>,
    pub setup: GameSetup,
    pub moves: Vec<String>,
    pub steps: Vec<Step>,
}

impl Recorded {
    pub fn of(plies: usize) -> Recorded {
        let max_plies = plies.to_string();
        let rules = games::find("quixo").expect("Quixo is there");
        let rules = rules
            .configure(&[("max_plies", max_plies.as_str()), ("repetition", "0")])
            .expect("the options are good");
        let moves = (1..).find_map(|seed| random_game(&*rules, seed, plies)).expect("there are such games");
        let setup = setup(&*rules);
        let steps = record(&*rules, &setup, &moves);
        Recorded { rules, setup, moves, steps }
    }

    /// Returns a seat's moves as its bot takes them, separated by commas.
    pub fn script(&self, seat: Seat) -> String {
        self.moves.iter().skip(seat.index()).step_by(2).cloned().collect::<Vec<_>>().join(",")
    }

    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// Returns random moves, if they make a game of exactly `plies` plies.
fn random_game(rules: &dyn Setup, mut seed: u64, plies: usize) -> Option<Vec<String>> {
    let mut table = rules.start();
    let mut moves = Vec::new();
    while !table.is_over() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut legal = legal_moves(&*table);
        let mv = legal.swap_remove((seed >> 33) as usize % legal.len());
        table.play(&mv).expect("the move is legal");
        moves.push(mv);
    }
    (moves.len() == plies).then_some(moves)
}

fn setup(rules: &dyn Setup) -> GameSetup {
    let introduction = Introduction { protocol: 1, ..Introduction::default() };
    let limits = SeatLimits {
        start: Duration::from_secs(10),
        ready: Duration::from_secs(10),
        max_move_time: None,
        line: 64 << 10,
        output_on_move: 8 << 20,
        output_off_move: 1 << 20,
    };
    let seat = SeatSetup {
        bot: BotState::Warm(introduction),
        options: Vec::new(),
        limits,
        fairness: Fairness::default(),
        time_control: None,
    };
    GameSetup {
        game: rules.id().to_owned(),
        options: rules.options().to_string(),
        consultation: Consultation::of(rules.options()),
        id: "a~b~1".to_owned(),
        opening_token: None,
        opening_moves: Vec::new(),
        time_control: TimeControl::MoveTime(Duration::from_secs(1)),
        clock: ClockKind::Wall,
        margin: Duration::from_millis(50),
        pondering: Pondering::Off,
        adjudication: Adjudication::default(),
        seats: BySeat::from_fn(2, |_| seat.clone()),
    }
}

/// Plays the game once without processes and records the dialogue.
fn record(rules: &dyn Setup, setup: &GameSetup, moves: &[String]) -> Vec<Step> {
    let mut core = Core::new(setup.clone(), rules.start());
    let (mut actions, mut steps, mut ply) = (Vec::new(), Vec::new(), 0);
    core.start(&mut actions);
    while !actions.is_empty() {
        for action in std::mem::take(&mut actions) {
            let Action::Send { seat, text, kind } = action else { continue };
            let at = GameTime(Duration::from_millis(steps.len() as u64));
            let answer = if kind == SendKind::Turn {
                core.handle(Input { at, event: Event::Sent { seat } }, &mut actions);
                ply += 1;
                Some(format!("bestmove {}", moves[ply - 1]))
            } else {
                text.ends_with("isready\n").then(|| "readyok".to_owned())
            };
            if let Some(answer) = &answer {
                core.line(at, seat, answer.as_bytes(), &mut actions);
            }
            steps.push(Step { seat, text, answer });
        }
    }
    assert_eq!(ply, moves.len(), "the whole game was recorded");
    steps
}
