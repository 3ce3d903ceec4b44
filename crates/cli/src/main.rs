//! The `alidade-cli` binary: the command line alone, without a window.

use std::process::ExitCode;

fn main() -> ExitCode {
    alidade_cli::run(std::env::args_os())
}
