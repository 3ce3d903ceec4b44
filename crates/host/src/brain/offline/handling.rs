//! Doing that only reaches for a control, and the control named in it.

use super::heard::Heard;
use super::naming;

/// The thing named in something to be done, where naming it says more than the doing: "open the Edit
/// menu" is the Edit menu, "tick the Wrap box" the Wrap box. Anything else stays whole: "sort by size".
pub(super) fn action(phrase: &str) -> String {
    let heard = Heard::new(phrase);
    let all = heard.len();
    for pattern in HANDLING {
        let Some(end) = heard.opens(0, pattern) else {
            continue;
        };
        if end >= all {
            continue;
        }
        let last = all - 1;
        let names_control = (end..all).any(|at| {
            heard.is_any(at, naming::CONTROLS)
                && (at == last
                    || heard.is_any(
                        at + 1,
                        &[
                            "in", "on", "at", "of", "next", "below", "above", "under", "with",
                            "labelled", "labeled", "called", "named",
                        ],
                    ))
        });
        let quoted = heard.slice(end, all).starts_with(['"', '“']);
        if names_control || quoted {
            return heard.slice(end, all).to_owned();
        }
    }
    phrase.to_owned()
}

/// Doing that only reaches for a control.
const HANDLING: &[&str] = &[
    "click|tap|press|push|hit|touch on? in? at?",
    "double|right|left click on?",
    "open|use|choose|select|pick|activate|access|reach|see|find|view|expand",
    "go|get|switch|change|jump|move|navigate|return back? over? to|into",
    "tick|untick|check|uncheck|toggle|flip|turn > the|a|this",
    "show > the|this|that|a",
];

/// The same for a line of instructions, where every verb of handling is only a way to the control.
pub(super) fn step(line: &str) -> String {
    let heard = Heard::new(line);
    let all = heard.len();
    for pattern in STEP_VERBS {
        if let Some(end) = heard.opens(0, pattern)
            && end < all
        {
            // "Type the name in the Title field": the field is what can be shown.
            if pattern.starts_with("type") {
                for at in (end..all).rev() {
                    if heard.is_any(at, &["in", "into", "to", "under", "on"]) && at + 1 < all {
                        return naming::tidy(heard.slice(at + 1, all));
                    }
                }
            }
            return naming::tidy(&until_purpose(heard.slice(end, all)));
        }
    }
    naming::tidy(line)
}

/// Whether a line of instructions tells one to handle something that can be shown.
pub(super) fn is_step(line: &str) -> bool {
    let heard = Heard::new(line);
    STEP_VERBS
        .iter()
        .any(|pattern| heard.opens(0, pattern).is_some_and(|end| end < heard.len()))
}

/// Verbs that instructions for a program or a device begin with.
const STEP_VERBS: &[&str] = &[
    "then|next|now|first|finally? click|tap|press|push|hit|touch on? in?",
    "then|next|now|first|finally? double|right|left click on?",
    "then|next|now|first|finally? go|switch|navigate|move back? to",
    "then|next|now|first|finally? open|choose|select|pick|activate|expand|close|find|tick|untick|check|uncheck|toggle|enable|disable|hold|turn|lift|pull|flip|plug|unplug|insert|remove|unscrew|drag|slide|scroll",
    "type|enter|write|fill|paste|put",
];

/// A line up to the words that only say why.
fn until_purpose(phrase: &str) -> String {
    let heard = Heard::new(phrase);
    for at in 1..heard.len() {
        let ends = heard.is(at, "so") && heard.is_any(at + 1, &["that", "the", "it", "you"])
            || heard.is(at, "in") && heard.is(at + 1, "order")
            || heard.is(at, "and")
                && heard.is_any(
                    at + 1,
                    &["then", "wait", "choose", "click", "select", "press"],
                )
            || heard.is(at, "until");
        if ends {
            return heard.slice(0, at).to_owned();
        }
    }
    phrase.to_owned()
}
