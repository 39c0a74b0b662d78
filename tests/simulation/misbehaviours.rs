//! Faults of bots, and the verdicts that they allow.

use std::time::Duration;

use linesman::seat::Seat;

use crate::behaviours::{Aftermath, Character, Misbehaviour, Proof};
use crate::bot::{Inner, LINE, MS, OUTPUT_OFF_MOVE, OUTPUT_ON_MOVE, SimBot};
use crate::chance::Chance;
use crate::runtime::{Answer, Shared};
use crate::turn::move_of;

impl Shared {
    /// Notes a legal move printed in time.
    pub fn has_answered(&self, inner: &Inner, seat: Seat, answer: &str, now: Duration) {
        if inner.is_silent() {
            return;
        }
        let text = move_of(answer).to_owned();
        self.witness.borrow_mut().answers.push(Answer {
            seat: seat.number(),
            text,
            thought: inner.last_output.saturating_sub(now),
            was_read_at_once: inner.character != Character::SlowReader,
        });
    }
}

impl SimBot {
    #[expect(clippy::too_many_arguments, reason = "it is the rest of a long function")]
    pub fn misbehave(
        &self,
        misbehaviour: Misbehaviour,
        seat: Seat,
        now: Duration,
        at: Duration,
        too_late: Duration,
        answer: String,
        chance: &mut Chance,
    ) {
        let mut inner = self.inner.borrow_mut();
        let mut proof = Proof::Sure;
        let words: &[&str] = match misbehaviour {
            Misbehaviour::Nonsense => {
                inner.say(at, b"bestmove xyzzy\n".to_vec());
                &["not_a_move", "illegal_move"]
            }
            Misbehaviour::Illegal => {
                let text = self.forbidden(&inner).unwrap_or_else(|| "a9".to_owned());
                inner.say(at, format!("bestmove {text}\n").into_bytes());
                &["illegal_move", "not_a_move"]
            }
            Misbehaviour::Malformed => {
                inner.say(at, b"bestmove\n".to_vec());
                &["protocol"]
            }
            Misbehaviour::NotText => {
                inner.say(at, b"bestmove \xff\xfe\n".to_vec());
                &["protocol"]
            }
            Misbehaviour::Ends => {
                inner.ends = Some((at, 42));
                inner.is_held_open = chance.hits(300);
                self.crash()
            }
            Misbehaviour::EndsInMidLine => {
                inner.say(at, answer.trim_end().as_bytes().to_vec());
                inner.ends = Some((at, 0));
                self.crash()
            }
            Misbehaviour::Closes => {
                inner.closes = Some(at);
                &["closed_output", "time"]
            }
            Misbehaviour::Silent => {
                if self.shared.trouble.starved > 0 && self.shared.hits(500) {
                    // It has no CPU for a while, and then does not use it.
                    inner.waits.push((now, MS * self.shared.up_to(1_900) as u32));
                }
                &["time"]
            }
            Misbehaviour::Late => {
                inner.say(too_late + MS + chance.within(MS * 500), answer.into_bytes());
                if !self.shared.trouble.keeps_time() {
                    // A referee that was late itself can't decide.
                    proof = Proof::Maybe;
                }
                &["time"]
            }
            Misbehaviour::LongLine => {
                inner.say_in_pieces(chance, &[b'x'; LINE + 1], now, at);
                &["limit"]
            }
            Misbehaviour::Flood => {
                let line = [&[b'y'; LINE - 1][..], b"\n"].concat();
                inner.say_in_pieces(chance, &line.repeat(OUTPUT_ON_MOVE / LINE + 1), now, at);
                &["limit", "time"]
            }
            Misbehaviour::Stderr => {
                inner.stderr = Some(at);
                &["limit", "time"]
            }
            Misbehaviour::Resigns => {
                inner.say(at, b"bestmove resign\n".to_vec());
                return;
            }
        };
        drop(inner);
        if proof == Proof::Maybe {
            self.shared.witness.borrow_mut().is_a_race = true;
        }
        self.confess(Some(seat), words, proof);
    }

    /// Returns a move that is legal at the start, but not here.
    fn forbidden(&self, inner: &Inner) -> Option<String> {
        let game = inner.game.as_ref()?;
        let is_forbidden =
            |text: &String| matches!(game.table.fork().play(text), Err(linesman::games::Refusal::Illegal(_)));
        linesman::games::legal_moves(&*self.shared.setup.start()).into_iter().find(is_forbidden)
    }

    /// Returns the words for its end: a referee that is too late to see when it happened reports lateness.
    fn crash(&self) -> &'static [&'static str] {
        if self.shared.trouble.keeps_time() { &["crash"] } else { &["crash", "time"] }
    }

    /// Misbehaves after an answer. `proof` applies to what it prints together with its answer.
    pub fn misbehave_afterwards(&self, after: Aftermath, seat: Seat, at: Duration, proof: Proof) {
        let mut inner = self.inner.borrow_mut();
        let words: &[&str] = match after {
            Aftermath::Ends => {
                inner.ends = Some((at, 7));
                self.crash()
            }
            Aftermath::Closes => {
                inner.closes = Some(at);
                &["closed_output", "time"]
            }
            Aftermath::AnotherMove => &["protocol"],
            Aftermath::AnotherMoveLater => {
                inner.say(at, b"bestmove 1\n".to_vec());
                // Its next turn can have begun by then.
                &["protocol", "not_a_move", "illegal_move"]
            }
            Aftermath::Flood => {
                inner.say(at, b"words\n".repeat(OUTPUT_OFF_MOVE / 6 + 1));
                &["limit"]
            }
        };
        drop(inner);
        if matches!(after, Aftermath::AnotherMoveLater | Aftermath::Flood) {
            self.shared.witness.borrow_mut().is_a_race = true;
        }
        // With its answer, the game can end by an earlier fault of another bot.
        let is_alone = self.shared.witness.borrow().guilt.is_empty();
        let proof = if after == Aftermath::AnotherMove && is_alone { proof } else { Proof::Maybe };
        self.confess(Some(seat), words, proof);
    }
}
