//! A game for tests, with any number of seats: count up by 1, 2 or 3 in turn; the seat that reaches the goal
//! wins.

use linesman_games::limits::BY_LENGTH;
use linesman_games::scene::Scene;
use linesman_games::tandem::POINTS;
use linesman_games::{Ending, Illegal, NotAMove, Refusal, Table};
use linesman_types::seat::{BySeat, Seat, Teams};

#[derive(Clone)]
pub(super) struct Count {
    teams: Teams,
    goal: u32,
    sum: u32,
    ply: u32,
    max_plies: u32,
    to_move: Seat,
    out: Vec<Seat>,
    winner: Option<Seat>,
}

impl Count {
    pub(super) fn new(teams: Teams, goal: u32) -> Count {
        Count {
            teams,
            goal,
            sum: 0,
            ply: 0,
            max_plies: 40,
            to_move: Seat::FIRST,
            out: Vec::new(),
            winner: None,
        }
    }

    fn turn_on(&mut self) {
        for _ in 0..self.teams.seats() {
            self.to_move = self.to_move.next(self.teams.seats());
            if !self.out.contains(&self.to_move) {
                return;
            }
        }
    }
}

impl Table for Count {
    fn teams(&self) -> &Teams {
        &self.teams
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn legal(&self, visit: &mut dyn FnMut(&str)) {
        let last = self.goal - self.sum;
        ["1", "2", "3"].into_iter().take(last as usize).for_each(visit);
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let number = match text.parse::<u32>() {
            Ok(number) if text.len() == 1 => number,
            _ => return Err(NotAMove { why: "a move is a digit".to_owned() }.into()),
        };
        if !(1..=3).contains(&number) || self.sum + number > self.goal {
            return Err(Illegal::new("goal", "no counting past the goal").into());
        }
        self.sum += number;
        self.ply += 1;
        if self.sum == self.goal {
            self.winner = Some(self.to_move);
        }
        self.turn_on();
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        let end = |reason, measure: &dyn Fn(Seat) -> i32| {
            Some(Ending {
                places: BySeat::by_measure(&self.teams, measure),
                reason,
                marks: Vec::new(),
                why: "".into(),
            })
        };
        match self.winner {
            Some(winner) => end(POINTS, &|seat| i32::from(seat == winner)),
            None if self.ply >= self.max_plies => end(BY_LENGTH, &|_| 0),
            None => None,
        }
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.ply >= self.max_plies
    }

    fn tie_break_scores(&self) -> BySeat<i32> {
        BySeat::from_fn(self.teams.seats(), |_| 0)
    }

    fn eliminate(&mut self, seat: Seat) {
        assert!(self.teams.sides() > 2, "a game of two sides ends when one goes out");
        self.out.push(seat);
        if self.to_move == seat {
            self.turn_on();
        }
    }

    fn token(&self) -> String {
        format!("{}:{}:{}", self.sum, self.to_move, self.ply)
    }

    fn scene(&self) -> Scene {
        Scene::default()
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
