//! The `linesman` program. Everything is in [`linesman::cli`] except for the launcher of bots, the probe, the `setup`
//! of bots and the guard of the terminal, which must be small and fast.

use std::process::ExitCode;

use linesman::league::content::setup;
use linesman::process::isolation::probe;
use linesman::process::launcher;
use linesman::process::terminal;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == launcher::ARGUMENT => launcher::main(arguments),
        Some(first) if first == probe::ARGUMENT => probe::main(arguments),
        Some(first) if first == setup::ARGUMENT => setup::main(arguments),
        Some(first) if first == terminal::ARGUMENT => terminal::main(),
        _ => linesman::cli::main(),
    }
}
