//! The floor: a bare ping-pong over pipes. It has the same bots and bytes and one thread per
//! game with blocking reads and writes, but no rules, records or deadlines.

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

/// A bot without supervisor or sandbox.
pub struct BareBot(pub Child);

impl Drop for BareBot {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Only its end matters.
        let _ = self.0.wait();
    }
}

/// Starts a bot in its own session, like the referee's bots: kernels that share CPUs
/// among sessions schedule by it.
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
    // The switch is never used: the bots answer.
    Player::start(cpu, StopSwitch::new(), move || {
        // Started here, so that the bots inherit this thread's CPU.
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

/// Starts a side of concurrent bare games.
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
