//! The only place that writes to the terminal. Whatever it is given may come from strangers, so nothing
//! in it may act on the terminal.

use std::{
    fmt::Display,
    io::{self, Write},
};

use alidade_app::{agents::Faults, visible};

use crate::Status;

/// Writes one line to the standard output.
///
/// # Errors
/// Where the output is closed or its disk is full; the caller stops then.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    out(&visible::one_line(&text.to_string()))
}

/// Writes text of several lines to the standard output.
///
/// # Errors
/// As for [`line`].
pub(crate) fn text(text: impl Display) -> io::Result<()> {
    out(&visible::lines(&text.to_string()))
}

/// Writes a line of JSON to the standard output.
///
/// # Errors
/// As for [`line`].
pub(crate) fn json(value: &impl serde::Serialize) -> io::Result<()> {
    out(&visible::json(&serde_json::to_string(value)?))
}

fn out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Writes a problem to the error output, as one line and a sentence. Where that is closed there is
/// nobody left to tell.
pub(crate) fn problem(text: impl Display) {
    let _ = writeln!(
        io::stderr().lock(),
        "{}",
        visible::one_line(&sentence(&text.to_string()))
    );
}

/// Writes how a command is used, several lines, to the error output.
pub(crate) fn wrong_use(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible::lines(text.trim_end()));
}

/// Writes what is wrong with an agent to the error output, a line each.
pub(crate) fn faults(faults: &Faults) {
    for fault in &faults.0 {
        // It begins with the name of a file, which is written as it is.
        let _ = writeln!(
            io::stderr().lock(),
            "{}",
            visible::one_line(&fault.to_string())
        );
    }
}

/// How a command ends that could not print: whoever closed the output has read what they wanted, any
/// other reason is a failure and is told.
pub(crate) fn unwritten(what: &str, error: &io::Error) -> Status {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Status::Answered;
    }
    problem(format_args!("{what} could not be written: {error}."));
    Status::Failed
}

/// With a capital and a full stop. A first word that is no plain word, such as the name of a file, stays
/// as it is.
pub(crate) fn sentence(text: &str) -> String {
    let text = text.trim_end();
    let first = text.split(' ').next().unwrap_or_default();
    let plain = !first.is_empty() && first.chars().all(|c| c.is_ascii_lowercase());
    let (head, tail) = text.split_at(usize::from(plain));
    let stop = if text.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{}{tail}{stop}", head.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_a_sentence_and_a_name_stays_as_it_is() {
        for (text, says) in [
            ("there is no camera", "There is no camera."),
            ("a/b.png is damaged", "a/b.png is damaged."),
            ("b.png is damaged.", "b.png is damaged."),
            ("Why?", "Why?"),
            ("\u{fc}ber alles", "\u{fc}ber alles."),
        ] {
            assert_eq!(sentence(text), says);
        }
    }

    #[test]
    fn a_reader_that_went_away_is_no_failure() {
        let broken = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(unwritten("The answer", &broken), Status::Answered);
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(unwritten("The answer", &full), Status::Failed);
    }
}
