//! Bots that take memory, but at most 192 MiB and for at most [`HANG_TIME`](super::harness::HANG_TIME).

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::harness::{Harness, Request, Stopwatch, hang};
use super::kernel;
use super::{ExpectedEnding, FaultKind, HostileBot, Limit, PLAYS, Sandbox};

/// The total number of bytes that a bot takes.
const TOTAL: usize = 192 << 20;
/// The number of bytes that a bot takes in one step.
const PIECE: usize = 8 << 20;

/// Without the sandbox, only some kinds of memory are counted.
const UNSANDBOXED: &[ExpectedEnding] =
    &[ExpectedEnding::Exceeds(Limit::Memory), ExpectedEnding::Fails(FaultKind::Time)];
const SANDBOXED: &[ExpectedEnding] = &[
    ExpectedEnding::Exceeds(Limit::Memory),
    ExpectedEnding::Exits(12),
    ExpectedEnding::Dies(libc::SIGKILL),
    ExpectedEnding::Dies(libc::SIGABRT),
];

pub(super) const BOTS: &[HostileBot] = &[
    eater("eats-heap", "Allocates heap memory.", |harness| {
        let mut pieces = Vec::new();
        eat(harness, || {
            let mut piece: Vec<u8> = Vec::new();
            piece.try_reserve_exact(PIECE).map_err(io::Error::other)?;
            piece.resize(PIECE, 1);
            pieces.push(std::hint::black_box(piece));
            Ok(())
        })
    }),
    eater("eats-mapped-memory", "Maps memory and touches it.", |harness| {
        eat(harness, || kernel::take_memory(PIECE, libc::MAP_PRIVATE))
    }),
    eater("eats-shared-memory", "Maps shared memory and touches it.", |harness| {
        eat(harness, || kernel::take_memory(PIECE, libc::MAP_SHARED))
    }),
    eater("eats-memory-files", "Fills files that exist only in memory.", |harness| {
        let mut files = Vec::new();
        eat(harness, || {
            let mut file = File::from(memfd_create("hostile", MemfdFlags::empty())?);
            file.write_all(&vec![1; PIECE])?;
            files.push(file);
            Ok(())
        })
    })
    // The sandbox may block such files.
    .sandboxed(Sandbox::Portable, &[ExpectedEnding::Exits(12), ExpectedEnding::Exceeds(Limit::Memory)]),
    eater("eats-pipes", "Fills pipes and never empties them.", |harness| {
        let mut pipes = Vec::new();
        // 8 steps take 64 pipes. 24 steps, as `eat` takes, would need 384 descriptors, more than the default limit
        // of 256 open files.
        eat_bites(harness, 8, || {
            for _ in 0..8 {
                let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::NONBLOCK)?;
                rustix::pipe::fcntl_setpipe_size(&write, 1 << 20)?;
                while rustix::io::write(&write, &[1; 4096]).is_ok() {}
                pipes.push((read, write));
            }
            Ok(())
        })
    })
    // The kernel limits the pages in a user's pipes, with every sandbox setting.
    .sandboxed(
        Sandbox::Off,
        &[
            ExpectedEnding::Fails(FaultKind::Time),
            ExpectedEnding::Exits(12),
            ExpectedEnding::Exceeds(Limit::Memory),
        ],
    ),
    eater("eats-unmapped-memory", "Fills shared memory and unmaps it.", |harness| {
        eat(harness, || kernel::take_memory_unseen(PIECE))
    }),
    eater("eats-page-tables", "Maps 96 GiB and reads one page in every 2 MiB.", |harness| {
        eat(harness, || kernel::take_page_tables(PIECE))
    }),
    eater("eats-sockets", "Fills socket pairs in four processes.", |harness| {
        eat_bites(harness, 4, || {
            if kernel::fork()?.is_none() {
                let pairs: io::Result<Vec<_>> = (0..100).map(|_| full_pair()).collect();
                if pairs.is_ok() {
                    let _ = hang();
                }
                kernel::exit(0);
            }
            Ok(())
        })
    }),
    eater(
        "eats-without-a-main-thread",
        "Ends its main thread and allocates memory in another one.",
        |harness| {
            harness.on_first_turn(|_| {
                std::thread::spawn(|| {
                    for _ in 0..TOTAL / PIECE {
                        if kernel::take_memory(PIECE, libc::MAP_PRIVATE).is_err() {
                            kernel::exit(12);
                        }
                    }
                    let _ = hang();
                });
                kernel::end_thread();
                Ok(0)
            })
        },
    ),
    eater("eats-by-children", "Has 16 children allocate 12 MiB each.", |harness| {
        eat_bites(harness, 16, || {
            if kernel::fork()?.is_none() {
                let taken = kernel::take_memory(12 << 20, libc::MAP_PRIVATE);
                if taken.is_ok() {
                    let _ = hang();
                }
                kernel::exit(0);
            }
            Ok(())
        })
    }),
    HostileBot::program(
        "fills-file-cache",
        "Reads 192 MiB of system files into the page cache and plays on.",
        PLAYS,
        |harness| {
            if harness.until(Request::Go)? {
                let stopwatch = Stopwatch::start();
                let mut left = TOTAL;
                let mut buffer = vec![0; 256 << 10];
                read_below(Path::new("/usr"), &mut buffer, &mut left, stopwatch, harness.limit / 2);
            }
            harness.play_from_here()
        },
    )
    .within(3_000)
    .heavy(),
];

/// Creates a pair of sockets, and fills their buffers.
fn full_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let pair = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::NONBLOCK, None)?;
    for socket in [&pair.0, &pair.1] {
        while rustix::io::write(socket, &[1; 4096]).is_ok() {}
    }
    Ok(pair)
}

/// Reads files below a folder until `left` bytes have been read, or the time is up.
fn read_below(folder: &Path, buffer: &mut [u8], left: &mut usize, stopwatch: Stopwatch, time: Duration) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            read_below(&entry.path(), buffer, left, stopwatch, time);
        } else if kind.is_file() {
            let Ok(mut file) = File::open(entry.path()) else { continue };
            while *left > 0
                && !stopwatch.is_past(time)
                && let Ok(count @ 1..) = file.read(buffer)
            {
                *left = left.saturating_sub(count);
            }
        }
        if *left == 0 || stopwatch.is_past(time) {
            return;
        }
    }
}

const fn eater(
    name: &'static str,
    does: &'static str,
    play: fn(&mut Harness) -> io::Result<u8>,
) -> HostileBot {
    let bot = HostileBot::program(name, does, UNSANDBOXED, play);
    bot.sandboxed(Sandbox::Portable, SANDBOXED).within(800).heavy()
}

fn eat(harness: &mut Harness, bite: impl FnMut() -> io::Result<()>) -> io::Result<u8> {
    eat_bites(harness, TOTAL / PIECE, bite)
}

/// Takes this number of bites of memory, and keeps them. Exits with status 12 if one is refused.
fn eat_bites(
    harness: &mut Harness,
    bites: usize,
    mut bite: impl FnMut() -> io::Result<()>,
) -> io::Result<u8> {
    harness.on_first_turn(|_| if (0..bites).any(|_| bite().is_err()) { Ok(12) } else { hang() })
}
