//! The `linesman` program; everything it does is in [`linesman::cli`], but for
//! the launcher of bots and the probe, which must be quick and small.

use std::process::ExitCode;

use linesman::process::cage;
use linesman::process::isolation::probe;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == cage::ARGUMENT => cage::main(arguments),
        Some(first) if first == probe::ARGUMENT => probe::main(arguments),
        _ => linesman::cli::main(),
    }
}
