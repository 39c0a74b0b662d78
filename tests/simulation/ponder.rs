//! Pondering of a simulated bot: the moves it expects, and its behaviour until a hit or miss.

use std::time::Duration;

use linesman::games::Table;
use linesman::protocol::GoLimit;
use linesman::seat::Seat;

use crate::behaviours::Proof;
use crate::bot::{MS, Playing, SimBot};
use crate::chance::Chance;
use crate::turn::chosen;

/// A ponder search of a bot.
#[derive(Default)]
pub struct Ponder {
    /// The table before the last `position` line, and the number of that line's words applied to it.
    pub before: Option<(Box<dyn Table>, usize)>,
    /// The same before the position being pondered, with the time for its move.
    pub search: Option<(Box<dyn Table>, usize, GoLimit)>,
}

impl SimBot {
    /// Returns the words after an answer that name the move to ponder on: usually the move that follows, sometimes
    /// another one, or nonsense.
    pub fn expects(&self, game: &Playing, answer: &str, chance: &mut Chance) -> String {
        if !game.ponders || chance.hits(200) {
            return String::new();
        }
        if chance.hits(50) {
            return " ponder xyzzy".to_owned();
        }
        let is_right = chance.hits(700);
        let mut table = game.table.fork();
        table.play(answer.trim_end().trim_start_matches("bestmove ")).expect("it is legal");
        let mut words = String::new();
        while !table.is_over() && table.to_move() != game.seat {
            let other = table.to_move();
            let turn = if other > game.seat { game.turns } else { game.turns + 1 };
            let mut others = self.turn_chance(&game.id, other, turn);
            let mv = chosen(&*table, if is_right { &mut others } else { chance });
            table.play(&mv).expect("it is legal");
            words.push(' ');
            words.push_str(&mv);
        }
        if words.is_empty() { words } else { format!(" ponder{words}") }
    }

    /// Returns the generator for a bot's actions in a turn of a game.
    pub fn turn_chance(&self, id: &str, seat: Seat, turn: u32) -> Chance {
        Chance::of(self.shared.seed, ("turn", id, seat.number(), turn))
    }

    /// Starts to ponder.
    pub fn begin_pondering(&self, going: GoLimit, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        let Some(game) = &mut inner.game else { return };
        assert_eq!(game.table.to_move(), game.seat, "who ponders would be on move");
        assert!(!game.table.is_over(), "nobody ponders on a game that is over");
        let (table, applied) = game.ponder.before.take().expect("a position came before");
        game.ponder.search = Some((table, applied, going));
        let (seat, turns) = (game.seat, game.turns);
        let mut chance = Chance::of(self.shared.seed, ("ponder", &game.id, seat.number(), turns));
        for _ in 0..chance.below(3) {
            let at = now + chance.within(300 * MS);
            inner.say(at, b"info depth 2 pv a b\n".to_vec());
        }
        if chance.hits(15) {
            // It does not wait for the end of its search.
            inner.say(now + chance.within(300 * MS), b"bestmove 1\n".to_vec());
            self.shared.witness.borrow_mut().is_a_race = true;
            drop(inner);
            self.confess(Some(seat), &["protocol", "not_a_move", "illegal_move"], Proof::Maybe);
        }
    }

    /// Handles a miss.
    pub fn stop_pondering(&self, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        let Some(game) = &mut inner.game else { return };
        let (table, applied, _) = game.ponder.search.take().expect("only a search is stopped");
        (game.table, game.applied) = (table, applied);
        let (seat, turns) = (game.seat, game.turns);
        let mut chance = Chance::of(self.shared.seed, ("stop", &game.id, seat.number(), turns));
        if chance.hits(15) {
            // Its next answer is taken for the one that is due here.
            self.shared.witness.borrow_mut().is_a_race = true;
            drop(inner);
            let words = &["time", "protocol", "not_a_move", "illegal_move"];
            return self.confess(Some(seat), words, Proof::Maybe);
        }
        let latest = if chance.hits(50) { Duration::from_secs(2) } else { 20 * MS };
        inner.say(now + chance.within(latest), b"bestmove whatever\n".to_vec());
    }

    /// Handles a hit: its turn starts.
    pub fn hit(&self, now: Duration) {
        let going = {
            let mut inner = self.inner.borrow_mut();
            let Some(game) = &mut inner.game else { return };
            let (_, _, going) = game.ponder.search.take().expect("only a search is hit");
            going
        };
        self.think(&going, now);
    }
}
