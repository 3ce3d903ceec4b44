//! The command line: `ask`, `host` and `agents`.
//!
//! The same commands are in the `alidade` program, which opens a window when it is given none of
//! them; this crate links no web view. What belongs here: reading arguments, printing answers, exit
//! statuses. What does not: anything that answers; that is `alidade-app`.

mod agents;
mod arguments;
mod ask;
mod batch;
mod host;
mod log;
mod print;

use std::{ffi::OsString, process::ExitCode};

use clap::Parser;

/// How a command ended, as its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did what was asked: an answer was given.
    Answered = 0,
    /// What was asked about is not there, or a checked thing has faults.
    NotFound = 1,
    /// The command was used wrongly; nothing was done. What is named rightly but is not there or cannot be
    /// read is [`Status::Failed`].
    WrongUse = 2,
    /// It could not be done.
    Failed = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Whether these arguments, the program's name first, are for [`run`]: a command of its own, or a question about the
/// program. Anything else is for a program with a window.
#[must_use]
pub fn is_command(arguments: &[OsString]) -> bool {
    let Some(first) = arguments.get(1).and_then(|first| first.to_str()) else {
        return false;
    };
    let command = <arguments::Arguments as clap::CommandFactory>::command();
    first == "help"
        || first.starts_with('-')
        || command.get_subcommands().any(|c| c.get_name() == first)
}

/// Starts the log as `ALIDADE_LOG` wishes; for programs that do not go through [`run`].
pub fn start_log() {
    log::start();
}

/// Runs the command line and says how it ended. Never panics on what it is given.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = match arguments::Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // Without colours: what was typed stands in it, and may hold anything.
            print::wrong_use(&error.render().to_string());
            return Status::WrongUse.into();
        }
        // Help and version, asked for; clap prints them itself.
        Err(error) => {
            return match error.print() {
                Ok(()) => Status::Answered,
                Err(error) => print::unwritten("The help", &error),
            }
            .into();
        }
    };
    log::start();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            print::problem(format_args!(
                "The program could not start its threads: {error}."
            ));
            return Status::Failed.into();
        }
    };
    let status = runtime.block_on(async {
        match command.command {
            arguments::Command::Ask(arguments) => ask::run(*arguments).await,
            arguments::Command::Host(arguments) => host::run(arguments).await,
            arguments::Command::Agents(arguments) => agents::run(&arguments),
        }
    });
    // A camera driver may hang in its own thread: that must not keep the program.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    status.into()
}
