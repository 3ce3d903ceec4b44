//! The only place that writes to the terminal.

use std::{
    fmt::Display,
    io::{self, Write},
};

/// Writes a line to the standard output.
///
/// # Errors
/// Where the output is closed or its disk is full; the caller stops then.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Writes a problem to the error output. Where that is closed there is nobody left to tell.
pub(crate) fn problem(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
