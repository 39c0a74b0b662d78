//! Bots that end while they play.

use std::io::{self, Write};

use super::harness::Harness;
use super::kernel;
use super::{ExpectedEnding, HostileBot};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "exits-after-a-move",
        "Plays one good move and exits with status 5.",
        &[ExpectedEnding::Exits(5)],
        |harness| harness.on_first_turn(|harness| harness.play().map(|()| 5)),
    ),
    HostileBot::program(
        "segfaults",
        "Dies of SIGSEGV on move.",
        &[ExpectedEnding::Dies(libc::SIGSEGV)],
        |harness| die_in_turn(harness, libc::SIGSEGV),
    ),
    HostileBot::program(
        "aborts",
        "Dies of SIGABRT on move.",
        &[ExpectedEnding::Dies(libc::SIGABRT)],
        |harness| die_in_turn(harness, libc::SIGABRT),
    ),
    HostileBot::program(
        "kills-itself",
        "Dies of SIGKILL on move.",
        &[ExpectedEnding::Dies(libc::SIGKILL)],
        |harness| die_in_turn(harness, libc::SIGKILL),
    ),
    HostileBot::program(
        "overflows-its-stack",
        "Recurses until its stack overflows.",
        // Rust's runtime reports the overflow and aborts, if it can.
        &[ExpectedEnding::Dies(libc::SIGABRT), ExpectedEnding::Dies(libc::SIGSEGV)],
        |harness| harness.on_first_turn(|_| Ok(u8::from(recurse(1) == 0))),
    )
    .within(2_000),
    HostileBot::program(
        "exits-139",
        "Exits with status 139, like a shell after a segmentation fault.",
        &[ExpectedEnding::Exits(139)],
        |harness| harness.on_first_turn(|_| Ok(139)),
    ),
    HostileBot::program(
        "long-traceback",
        "Writes a traceback of 1 MB and exits with status 101.",
        &[ExpectedEnding::Exits(101)],
        |harness| harness.on_first_turn(|_| write_traceback()),
    )
    .within(2_000),
];

fn die_in_turn(harness: &mut Harness, signal: i32) -> io::Result<u8> {
    harness.on_first_turn(|_| {
        kernel::die_by(signal);
        Ok(0)
    })
}

#[expect(unconditional_recursion, reason = "the bot overflows its stack")]
fn recurse(depth: u64) -> u64 {
    let room = std::hint::black_box([depth; 64]);
    // Not a tail call, which would need no stack.
    recurse(std::hint::black_box(depth + 1)).wrapping_add(room[3])
}

fn write_traceback() -> io::Result<u8> {
    let mut stderr = io::stderr().lock();
    for line in 0..16_000 {
        writeln!(stderr, "  File \"bot.py\", line {line}, in think deeper and deeper")?;
    }
    writeln!(stderr, "ValueError: the last line tells")?;
    Ok(101)
}
