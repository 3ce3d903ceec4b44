//! Sentences about text and about everything that is seen.

use super::{article, in_quotes, join, number, plural, this};

/// Text, quoted.
pub(in crate::brain::offline) fn says(quoted: &str) -> String {
    format!("It says {quoted}.")
}

/// Text, quoted, and how much more there is.
pub(in crate::brain::offline) fn says_more(quoted: &str, more: usize) -> String {
    let lines = if more == 1 {
        "one more line".to_owned()
    } else {
        format!("{} more lines", number(more))
    };
    format!("It says {quoted} and {lines}.")
}

/// What stands on a thing.
pub(in crate::brain::offline) fn thing_says(name: &str, quoted: &str) -> String {
    format!("On {name} I read {quoted}.")
}

/// A thing without text.
pub(in crate::brain::offline) fn thing_silent(name: &str) -> String {
    format!("I can't read anything on {name}.")
}

/// The thing was not found, but there is text.
pub(in crate::brain::offline) fn not_there_but_reads(asked: &str, quoted: &str) -> String {
    format!("I can't pick out {}, but I can read {quoted}.", this(asked))
}

/// No text.
pub(in crate::brain::offline) const NO_TEXT: &str = "I can't read any text here.";

/// No text on a side.
pub(in crate::brain::offline) const NO_TEXT_THERE: &str = "I can't read any text there.";

/// A line.
pub(in crate::brain::offline) fn line(number: i32, quoted: &str) -> String {
    if number < 0 {
        format!("The last line says {quoted}.")
    } else {
        format!("Line {number} says {quoted}.")
    }
}

/// There is no such line.
pub(in crate::brain::offline) fn no_line(count: usize) -> String {
    if count == 1 {
        "There is only one line of text.".to_owned()
    } else {
        format!("There are only {} lines of text.", number(count))
    }
}

/// The title.
pub(in crate::brain::offline) fn title(quoted: &str) -> String {
    format!("The largest text says {quoted}.")
}

/// The text about something.
pub(in crate::brain::offline) fn value(quoted: &str) -> String {
    format!("It says {quoted}.")
}

/// No text about something.
pub(in crate::brain::offline) fn no_value(asked: &str) -> String {
    format!(
        "I can't read anything about {} here, and without a model I only know what I can see.",
        in_quotes(asked)
    )
}

/// Text in quotation marks; several lines are set apart.
pub(in crate::brain::offline) fn quoted(lines: &[String]) -> String {
    let joined: Vec<String> = lines.iter().map(|line| format!("“{line}”")).collect();
    join(&joined)
}

/// What is seen.
pub(in crate::brain::offline) fn see(things: &[(String, usize)]) -> String {
    let listed: Vec<String> = things
        .iter()
        .map(|(name, count)| match count {
            1 => format!("{} {name}", article(name)),
            count => format!("{} {}", number(*count), plural(name)),
        })
        .collect();
    format!("I see {}.", join(&listed))
}

/// Text among what is seen.
pub(in crate::brain::offline) fn and_read(quoted: &str, more: usize) -> String {
    match more {
        0 => format!("I can read {quoted}."),
        1 => format!("I can read {quoted} and one more line."),
        more => format!("I can read {quoted} and {} more lines.", number(more)),
    }
}

/// Nothing is seen.
pub(in crate::brain::offline) const SEE_NOTHING: &str =
    "I can't make out anything I know here, and no text.";

/// Nothing is seen on a side.
pub(in crate::brain::offline) const SEE_NOTHING_THERE: &str =
    "I can't make out anything I know there, and no text.";

/// There is no tool that reads.
pub(in crate::brain::offline) const CANNOT_READ: &str =
    "I have no way of reading a picture in this session.";

/// Figures beside a name do not tell what begins or ends when.
pub(in crate::brain::offline) fn cannot_tell_when(asked: &str, quoted: &str) -> String {
    format!(
        "I can't tell what begins or ends when; with {} I read {quoted}.",
        in_quotes(asked)
    )
}

/// The text is too small.
pub(in crate::brain::offline) const SMALL_TEXT: &str =
    "The text in this picture is too small to read well, so I may misread it; show it larger.";
