//! The `linesman` program; everything it does is in [`linesman::cli`], but for
//! the launcher of bots, which must be quick and small.

use std::process::ExitCode;

use linesman::process::cage;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == cage::ARGUMENT) {
        return cage::main(arguments);
    }
    linesman::cli::main()
}
