//! A wish that is a name, or something to be done.

use super::heard::Heard;
use super::intent::{But, Find, Form, Intent, Manner, Target, Unable};
use super::language::is_foreign;
use super::understand::{MOST_NAMED, MOST_WORDS, Weight};
use super::{handling, naming, verbs};

/// A thing to be shown, by its name.
pub(super) fn thing(named: &str, manner: Manner) -> (Weight, Intent) {
    let named = naming::tidy(named);
    let many = naming::several(&named);
    let named = if many {
        naming::without_all(&named)
    } else {
        named
    };
    let mut found = Find::new(&capped(&named), Form::Thing);
    found.manner = manner;
    found.many = many
        || matches!(&found.target, Target::Named(name) if naming::without_article(name).starts_with("all "));
    (Weight::Plain, Intent::Find(found))
}

/// Something to be done, of which the control is to be shown.
pub(super) fn action(rest: &str, but: Option<But>) -> (Weight, Intent) {
    let tidied = naming::tidy(rest);
    let named = naming::tidy(&handling::action(&tidied));
    let form = if named == tidied {
        Form::Action
    } else {
        Form::Thing
    };
    let mut found = Find::new(&capped(&named), form);
    found.but = but;
    (Weight::Plain, Intent::Find(found))
}

/// A name, or a wish in the imperative.
pub(super) fn bare(heard: &Heard) -> (Weight, Intent) {
    let all = heard.len();
    let text = heard.slice(0, all);
    let asks = heard.is_any(
        0,
        &[
            "what", "who", "whom", "whose", "when", "why", "how", "do", "does", "did", "could",
            "would", "should", "will", "shall", "if", "because", "am", "i", "you", "he", "she",
            "they", "we", "but", "have", "has", "had", "was", "were",
        ],
    );
    if is_foreign(text) {
        return (Weight::Statement, Intent::Unable(Unable::Language));
    }
    // "do not show this again" stands on many a check box.
    let forbids = heard.is(0, "do") && heard.is(1, "not");
    if asks && !forbids && all > 1 || all > MOST_WORDS {
        return (Weight::Statement, Intent::Unable(Unable::Understand));
    }
    if verbs::is_imperative(heard) {
        let (_, intent) = action(text, None);
        return (Weight::Bare, intent);
    }
    let (_, intent) = thing(text, Manner::Any);
    (Weight::Bare, intent)
}

/// A name of a bearable length.
pub(super) fn capped(named: &str) -> String {
    if named.len() <= MOST_NAMED {
        return named.to_owned();
    }
    let cut: String = named.chars().take(MOST_NAMED).collect();
    cut.trim().to_owned()
}
