//! The floor: a bare ping-pong over pipes. The same bots, the same bytes, a thread a
//! game that writes and reads, blocking; no rules, no records, no deadlines.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use linesman::referee::driver::StopSwitch;
use linesman::seat::Seat;

use crate::bot::{Manner, arguments};
use crate::players::{NotMeasured, Placement, Player, Side};
use crate::recorded::Recorded;
use crate::this_program;

/// A bot without anything around it.
pub struct BareBot(pub Child);

impl Drop for BareBot {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Its end is all that is waited for.
        let _ = self.0.wait();
    }
}

/// Starts a bot in a session of its own, as the referee's are: where the kernel
/// shares CPUs among sessions, that decides how it is scheduled.
pub fn bare_bot(arguments: &[String]) -> BareBot {
    let mut command = Command::new("setsid");
    command.arg(this_program()).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    BareBot(command.spawn().expect("it starts"))
}

/// Plays the recorded game once.
pub fn game(recorded: &Recorded, bots: &mut [BareBot]) {
    let mut buffer = [0; 4096];
    for step in &recorded.steps {
        let bot = &mut bots[step.seat.index()].0;
        let (input, output) = (bot.stdin.as_mut().expect("piped"), bot.stdout.as_mut().expect("piped"));
        input.write_all(step.text.as_bytes()).expect("the bot reads");
        if step.answer.is_some() {
            let mut filled = 0;
            while filled == 0 || buffer[filled - 1] != b'\n' {
                filled += output.read(&mut buffer[filled..]).expect("the bot answers");
            }
        }
    }
}

fn player(recorded: &Arc<Recorded>, tag: &str, manner: &Manner, cpu: Option<usize>) -> Player {
    let recorded = Arc::clone(recorded);
    let (tag, manner) = (tag.to_owned(), manner.clone());
    // Nothing stops it: its bots answer.
    Player::start(cpu, StopSwitch::new(), move || {
        // Started here, so that they share this thread's placement.
        let start = |seat| bare_bot(&arguments(&tag, recorded.script(seat), &manner, None));
        let mut bots: Vec<BareBot> = Seat::all(2).map(start).collect();
        Box::new(move |until| {
            let mut moves = 0;
            while moves == 0 || Instant::now() < until {
                game(&recorded, &mut bots);
                moves += recorded.plies() as u64;
            }
            moves
        })
    })
}

/// So many games at once.
pub fn floor(
    recorded: &Arc<Recorded>,
    games: usize,
    manner: &Manner,
    placement: Placement,
    cpus: &[usize],
) -> Result<Side, NotMeasured> {
    let tag = format!("floor-{placement:?}-{games}-{}", cpus.len());
    let cpu = |game: usize| (placement == Placement::Bound).then(|| cpus[game % cpus.len()]);
    let players = (0..games).map(|game| player(recorded, &tag, manner, cpu(game))).collect();
    Side::new(players, &tag, 2 * games)
}
