//! The `alidade` program: the command line where one of its commands is given, the window otherwise.

// A window program needs no console beside it on Windows.
#![cfg_attr(
    all(not(debug_assertions), target_os = "windows"),
    windows_subsystem = "windows"
)]

mod commands;
mod display;
mod texts;
mod window;

use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if alidade_cli::is_command(&arguments) {
        return alidade_cli::run(arguments);
    }
    let pictures: Vec<PathBuf> = arguments.into_iter().skip(1).map(PathBuf::from).collect();
    display::prepare();
    window::open(pictures)
}
