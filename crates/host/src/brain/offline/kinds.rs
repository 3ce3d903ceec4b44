//! Kinds of things that are not recognised by themselves: a switch has no words of its own.

use super::heard::Heard;
use super::naming;
use super::seen::{Candidate, Way};

/// Kinds that are only found by the words on or beside them, in the singular.
const UNSEEN: &[&str] = &[
    "switch",
    "toggle",
    "checkbox",
    "tickbox",
    "slider",
    "icon",
    "button",
    "field",
    "dropdown",
    "drop-down",
    "sidebar",
    "toolbar",
    "menu",
    "tab",
    "link",
    "item",
    "entry",
    "file",
    "folder",
    "row",
    "column",
    "window",
    "panel",
    "pane",
    "scrollbar",
    "control",
    "option",
    "setting",
    "box",
    "label",
    "combo",
    "spinner",
    "shortcut",
    "thumbnail",
];

/// Words before a kind that only make it another kind: "text field", "radio button".
const SORTS: &[&str] = &[
    "text",
    "check",
    "tick",
    "radio",
    "toggle",
    "push",
    "menu",
    "tool",
    "scroll",
    "side",
    "input",
    "list",
    "combo",
    "drop",
    "drop-down",
    "dropdown",
    "search",
    "progress",
    "status",
    "title",
];

/// Kinds whose words stand beside them, never on them.
const LABELLED: &[&str] = &[
    "switch",
    "toggle",
    "slider",
    "checkbox",
    "tickbox",
    "spinner",
    "scrollbar",
];

/// The kind, in the plural, where a phrase names a kind and nothing else: "all the switches".
pub(super) fn alone(phrase: &str) -> Option<String> {
    let heard = Heard::new(phrase);
    let words: Vec<&str> = heard
        .words()
        .iter()
        .map(|word| word.plain.as_str())
        .skip_while(|word| {
            naming::DETERMINERS.contains(word)
                || ["of", "other", "available", "visible", "single"].contains(word)
        })
        .collect();
    let (last, before) = words.split_last()?;
    let one = naming::singular(last);
    let kind = UNSEEN.contains(&one.as_str())
        && match before {
            [] => true,
            [sort] => SORTS.contains(sort),
            _ => false,
        };
    kind.then(|| {
        let named = words.join(" ");
        if one == *last {
            super::words::plural(&named)
        } else {
            named
        }
    })
}

/// Whether something was found by its words alone: "3 items" is no item.
pub(super) fn by_words(found: &[Candidate]) -> bool {
    found
        .iter()
        .all(|candidate| matches!(candidate.way, Way::Text | Way::Meaning))
}

/// The kind that was asked for, where what was found is only its label: "the switch for Sounds".
pub(super) fn beside_label(phrase: &str, found: &Candidate) -> Option<&'static str> {
    if !matches!(found.way, Way::Text | Way::Meaning) || naming::unquoted(phrase) != phrase {
        return None;
    }
    let heard = Heard::new(phrase);
    let label = Heard::new(&found.label);
    // Alone, or as a word of the label, it is not the kind of something else.
    let (kind, _) = LABELLED
        .iter()
        .filter_map(|kind| {
            (0..heard.len())
                .find(|at| heard.is(*at, kind))
                .map(|at| (*kind, at))
        })
        .find(|(_, at)| {
            at + 1 == heard.len()
                || heard.is_any(
                    at + 1,
                    &[
                        "for", "of", "labelled", "labeled", "called", "named", "next", "beside",
                        "to", "with", "by", "near", "left", "right", "in", "on",
                    ],
                )
        })?;
    let in_label = (0..label.len()).any(|at| label.is(at, kind));
    (!in_label && heard.len() > 1).then_some(kind)
}
