//! The `linesman` program; everything it does is in [`linesman::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman::cli::main()
}
