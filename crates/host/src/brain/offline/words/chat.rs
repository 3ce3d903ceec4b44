//! Sentences of the talk around it: greetings, help, and what it is not made for.

use super::join;

/// A greeting.
pub(in crate::brain::offline) const HELLO: &str =
    "Hello! Name something in the picture and I'll show you where it is.";

/// You are welcome.
pub(in crate::brain::offline) const WELCOME: &str = "You're welcome.";

/// All right.
pub(in crate::brain::offline) const FINE: &str = "All right.";

/// Goodbye.
pub(in crate::brain::offline) const BYE: &str = "Goodbye.";

/// Stopped.
pub(in crate::brain::offline) const STOPPED: &str = "All right, I've stopped.";

/// What can be asked.
pub(in crate::brain::offline) const HELP: &str = "Ask where something is and I mark it: “where is Save?”, “point at the red knob”, “which key confirms the code?”. I also read text, describe and count what I see, and go on when you say “next” or “clear”.";

/// What can be asked, with what the tools do.
pub(in crate::brain::offline) fn help_tools(examples: &[String]) -> String {
    format!(
        "You can also say {}.",
        join(
            &examples
                .iter()
                .map(|example| format!("“{example}”"))
                .collect::<Vec<_>>()
        )
    )
}

/// Who this is.
pub(in crate::brain::offline) const WHO: &str = "I'm Alidade's offline helper: I find, read and mark things in what you show me, on this machine alone and without a language model.";

/// Nothing was said.
pub(in crate::brain::offline) const NOTHING_SAID: &str =
    "I didn't get that. Name something and I'll show you where it is.";

/// Knowledge.
pub(in crate::brain::offline) const CANNOT_KNOW: &str =
    "I can't answer general questions offline; I find and read things in the picture you show me.";

/// Talk.
pub(in crate::brain::offline) const CANNOT_CHAT: &str =
    "I'm not made for talk offline; I find, read and mark things in the picture you show me.";

/// Acting.
pub(in crate::brain::offline) const CANNOT_ACT: &str =
    "I can't act on your desktop; I can show you where to press. Name the control.";

/// Properties.
pub(in crate::brain::offline) const CANNOT_TELL: &str = "I can't tell that from the picture; I can show you where a thing is and read what stands on it.";

/// Another language.
pub(in crate::brain::offline) const ONLY_ENGLISH: &str =
    "I only understand English offline; ask me in English where something is, and I'll show you.";

/// Not understood.
pub(in crate::brain::offline) const NOT_UNDERSTOOD: &str = "I didn't understand that. I can show where something is, read text, describe and count what I see.";

/// More than is listened to.
pub(in crate::brain::offline) const TOO_LONG: &str =
    "That is longer than I can take in. Ask me in a sentence or two.";
