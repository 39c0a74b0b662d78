//! A bot's turn: its answer to a `go`, and when.

use std::time::Duration;

use linesman::games::Table;
use linesman::protocol::GoLimit;
use linesman::time_control::SAFETY_NET;

use crate::behaviours::{Aftermath, Behaviour, Character, Proof};
use crate::bot::{Inner, LINE, MS, SimBot};
use crate::chance::Chance;

impl SimBot {
    /// Answers a `go` according to the seed.
    pub fn think(&self, going: &GoLimit, now: Duration) {
        self.shared.turn_begins();
        let mut inner = self.inner.borrow_mut();
        let is_slow = inner.character == Character::SlowReader;
        if let Some((at, _)) = inner.output.front() {
            // It spoke so recently that it is not read again.
            let is_new = *at + MS / 20 > now;
            assert!(is_new || is_slow, "who is asked is listened to before");
        }
        let Inner { game, .. } = &mut *inner;
        let Some(game) = game else { return };
        game.turns += 1;
        let (seat, turn, behaviour) = (game.seat, game.turns, game.behaviour);
        assert_eq!(game.table.to_move(), seat, "who is asked is on move");
        let limit = match going {
            GoLimit::MoveTime(limit) => *limit,
            GoLimit::Clocks(clocks) => clocks.times[seat],
            GoLimit::Work(_) | GoLimit::Infinite => SAFETY_NET,
        };
        let latest = match going {
            // Short, because the machine's sleep is partly charged, and reading takes time.
            GoLimit::MoveTime(limit) if is_slow || self.shared.trouble.jumps > 0 => *limit * 2 / 5,
            GoLimit::MoveTime(limit) => *limit * 19 / 20,
            GoLimit::Clocks(_) | GoLimit::Work(_) | GoLimit::Infinite => limit.min(90 * MS),
        };
        let mut chance = self.turn_chance(&game.id, seat, turn);
        let mut answer = format!("bestmove {}\n", chosen(&*game.table, &mut chance));
        if game.ponders && matches!(behaviour, Behaviour::None | Behaviour::AfterTurn(..)) {
            let mut own = Chance::of(self.shared.seed, ("expects", &game.id, seat.number(), turn));
            let expected = self.expects(game, &answer, &mut own);
            answer.insert_str(answer.len() - 1, &expected);
        }
        let at = now + chance.within(latest);
        match behaviour {
            Behaviour::InTurn(when, misbehaviour) if when == turn => {
                drop(inner);
                self.misbehave(
                    misbehaviour,
                    seat,
                    now,
                    at,
                    now + limit + self.shared.margin,
                    answer,
                    &mut chance,
                );
            }
            Behaviour::AfterTurn(when, after) if when == turn => {
                let at = now + chance.within(latest);
                // Its answer is its last output, perhaps after much other output.
                let mut text = if chance.hits(500) { much_to_say(&mut chance) } else { Vec::new() };
                // After much other output, its answer can be read too late for its fault to be noticed.
                let goes_on = text.is_empty() && !ends_with(&*game.table, &answer);
                let proof = if goes_on && !inner.is_silent() { Proof::Sure } else { Proof::Maybe };
                text.extend_from_slice(answer.as_bytes());
                if after == Aftermath::AnotherMove {
                    text.extend_from_slice(b"bestmove 1\n");
                }
                inner.say(at, text);
                self.shared.has_answered(&inner, seat, &answer, now);
                drop(inner);
                // At the same moment, at once, or a while later.
                let delay = *chance.pick(&[Duration::ZERO, MS / 50, 300 * MS]);
                self.misbehave_afterwards(after, seat, at + chance.within(delay), proof);
            }
            _ => {
                let mut text = Vec::new();
                let says_much = chance.hits(20);
                let is_on_the_brink = chance.hits(20);
                if says_much || is_on_the_brink {
                    text = much_to_say(&mut chance);
                }
                for _ in 0..chance.below(3) {
                    let words: &[&[u8]] = &[
                        b"info depth 3 score cp 12 nodes 100 pv a b c string hm\n",
                        b"what is this\n",
                        b"tell hello\n",
                        b"\n",
                        b"readyok\n",
                        b"\xc3\xa4\r\n",
                    ];
                    let words: &[u8] = chance.pick::<&[u8]>(words);
                    text.extend_from_slice(words);
                }
                if chance.hits(20) {
                    // The maximum length of a line.
                    text.extend_from_slice(&[b'z'; LINE]);
                    text.push(b'\n');
                }
                text.extend_from_slice(answer.as_bytes());
                if is_on_the_brink && matches!(going, GoLimit::MoveTime(_)) && !is_slow {
                    if self.shared.trouble.jumps > 0 {
                        // The machine's sleep is partly charged.
                        self.excuse(seat);
                    }
                    // At the very end of the margin.
                    let last = now + limit + self.shared.margin - MS;
                    inner.say(last - chance.within(self.shared.margin - MS), text);
                } else {
                    let at = at + self.starve(&mut inner, seat, now);
                    inner.say_in_pieces(&mut chance, &text, now, at);
                }
                self.shared.has_answered(&inner, seat, &answer, now);
            }
        }
    }
}

/// True if an answer ends the game.
fn ends_with(table: &dyn Table, answer: &str) -> bool {
    let mut table = table.fork();
    table.play(move_of(answer)).expect("it is legal");
    table.is_over()
}

/// Returns the move of an answer.
pub fn move_of(answer: &str) -> &str {
    answer.split_whitespace().nth(1).expect("an answer has a move")
}

/// Returns much output that still fits into a pipe.
fn much_to_say(chance: &mut Chance) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < 60_000 {
        text.extend_from_slice(b"info string ");
        text.extend_from_slice(&[b'x'; LINE][..chance.up_to(LINE - 100)]);
        text.push(b'\n');
    }
    text
}

/// Returns the legal move that a bot plays.
pub fn chosen(table: &dyn Table, chance: &mut Chance) -> String {
    let mut chosen = String::new();
    let mut seen = 0;
    table.legal(&mut |mv| {
        seen += 1;
        if chance.below(seen) == 0 {
            chosen.clear();
            chosen.push_str(mv);
        }
    });
    chosen
}
