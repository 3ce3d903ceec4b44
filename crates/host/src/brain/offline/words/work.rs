//! Sentences about skills and about tools of the client.

use super::{join, sentence};

/// A step of a skill.
pub(in crate::brain::offline) fn step(number: usize, count: usize, line: &str) -> String {
    format!("Step {number} of {count}: {}", sentence(line))
}

/// Where a step's control is.
pub(in crate::brain::offline) fn step_here(name: &str, place: &str) -> String {
    format!("That is {name}, {place}.")
}

/// A step's control is not in sight.
pub(in crate::brain::offline) const STEP_NOT_THERE: &str =
    "I can't see it yet; say “next” when you are past it.";

/// How to go on.
pub(in crate::brain::offline) const SAY_NEXT: &str = "Say “next” when you are ready.";

/// After the last step.
pub(in crate::brain::offline) const LAST_STEP: &str = "That was the last step.";

/// A tool did what it should.
pub(in crate::brain::offline) const DONE: &str = "Done.";

/// A tool said what came of it.
pub(in crate::brain::offline) fn done(what: &str) -> String {
    sentence(what)
}

/// A tool did not.
pub(in crate::brain::offline) fn tool_failed(why: &str) -> String {
    if why.is_empty() {
        "That did not work.".to_owned()
    } else {
        format!("That did not work: {}", sentence(why))
    }
}

/// A tool goes on working.
pub(in crate::brain::offline) const WORKING: &str =
    "I've started it and will tell you when it is done.";

/// A parameter is missing.
pub(in crate::brain::offline) fn ask_for(what: &str) -> String {
    format!("What should “{what}” be?")
}

/// A parameter is missing, with what it is for.
pub(in crate::brain::offline) fn ask_for_described(what: &str, description: &str) -> String {
    format!(
        "What should “{what}” be ({})?",
        description.trim_end_matches(['.', ' '])
    )
}

/// A parameter is of the wrong kind.
pub(in crate::brain::offline) fn ask_again(what: &str, kind: &str) -> String {
    format!("“{what}” has to be {kind}. What should it be?")
}

/// A number.
pub(in crate::brain::offline) const A_NUMBER: &str = "a number";

/// A whole number.
pub(in crate::brain::offline) const A_WHOLE_NUMBER: &str = "a whole number";

/// Yes or no.
pub(in crate::brain::offline) const YES_OR_NO: &str = "yes or no";

/// Something else than can be said in words.
pub(in crate::brain::offline) const SOMETHING_ELSE: &str = "something I can't take from words";

/// One of a list.
pub(in crate::brain::offline) fn one_of(choices: &[String]) -> String {
    format!("one of {}", join(choices))
}

/// No less than a bound.
pub(in crate::brain::offline) fn at_least(least: f64) -> String {
    format!("at least {least}")
}

/// No more than a bound.
pub(in crate::brain::offline) fn at_most(most: f64) -> String {
    format!("at most {most}")
}

/// Yes or no, as a value.
pub(in crate::brain::offline) fn flag(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}
