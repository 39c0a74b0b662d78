//! A bot's turn: what it says to a `go`, and when.

use std::time::Duration;

use linesman::games::Table;
use linesman::protocol::Going;
use linesman::time_control::SAFETY_NET;

use crate::bot::{Inner, LINE, MS, SimBot};
use crate::chance::Chance;
use crate::deeds::{Aftermath, Character, Deed, Proof};

impl SimBot {
    /// Answers a `go`, as the seed says.
    pub fn think(&self, going: &Going, now: Duration) {
        self.shared.turn_begins();
        let mut inner = self.inner.borrow_mut();
        let is_slow = inner.character == Character::SlowReader;
        if let Some((at, _)) = inner.output.front() {
            // It was heard so shortly ago that it is not looked at again.
            let is_new = *at + MS / 20 > now;
            assert!(is_new || is_slow, "who is asked is listened to before");
        }
        let Inner { game, .. } = &mut *inner;
        let Some(game) = game else { return };
        game.turns += 1;
        let (seat, turn, deed) = (game.seat, game.turns, game.deed);
        assert_eq!(game.table.to_move(), seat, "who is asked is on move");
        let limit = match going {
            Going::MoveTime(limit) => *limit,
            Going::Clocks(clocks) => clocks.times[seat],
            Going::Work(_) | Going::Infinite => SAFETY_NET,
        };
        let most = match going {
            // What the machine sleeps through is charged in part, and reading takes its time.
            Going::MoveTime(limit) if is_slow || self.shared.trouble.jumps > 0 => *limit * 2 / 5,
            Going::MoveTime(limit) => *limit * 19 / 20,
            Going::Clocks(_) | Going::Work(_) | Going::Infinite => limit.min(90 * MS),
        };
        let mut chance = self.turn_chance(&game.id, seat, turn);
        let mut answer = format!("bestmove {}\n", chosen(&*game.table, &mut chance));
        if game.ponders && matches!(deed, Deed::None | Deed::AfterTurn(..)) {
            let mut own = Chance::of(self.shared.seed, ("expects", &game.id, seat.number(), turn));
            let expected = self.expects(game, &answer, &mut own);
            answer.insert_str(answer.len() - 1, &expected);
        }
        let at = now + chance.within(most);
        match deed {
            Deed::InTurn(when, crime) if when == turn => {
                drop(inner);
                self.sin(crime, seat, now, at, now + limit + self.shared.margin, answer, &mut chance);
            }
            Deed::AfterTurn(when, after) if when == turn => {
                let at = now + chance.within(most);
                // Its answer is the last that it says, and may stand behind much else.
                let mut text = if chance.hits(500) { much_to_say(&mut chance) } else { Vec::new() };
                // Behind much else it may be cut off from its answer, and nobody looks at it any more.
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
                self.sin_afterwards(after, seat, at + chance.within(delay), proof);
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
                    // As long as a line may be.
                    text.extend_from_slice(&[b'z'; LINE]);
                    text.push(b'\n');
                }
                text.extend_from_slice(answer.as_bytes());
                if is_on_the_brink && matches!(going, Going::MoveTime(_)) && !is_slow {
                    if self.shared.trouble.jumps > 0 {
                        // A part of what the machine sleeps through is charged.
                        self.excuse(seat);
                    }
                    // All at once, and in the last moments of the margin.
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

/// Whether a game is over with this answer.
fn ends_with(table: &dyn Table, answer: &str) -> bool {
    let mut table = table.fork();
    table.play(move_of(answer)).expect("it is legal");
    table.is_over()
}

/// The move of an answer.
pub fn move_of(answer: &str) -> &str {
    answer.split_whitespace().nth(1).expect("an answer has a move")
}

/// Much to say, which fits into a pipe all the same.
fn much_to_say(chance: &mut Chance) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < 60_000 {
        text.extend_from_slice(b"info string ");
        text.extend_from_slice(&[b'x'; LINE][..chance.up_to(LINE - 100)]);
        text.push(b'\n');
    }
    text
}

/// The move that a bot plays here: a legal one.
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
