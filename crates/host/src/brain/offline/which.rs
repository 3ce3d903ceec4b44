//! "Which …" and "what button …".

use super::heard::Heard;
use super::intent::{Find, Form, Intent, Manner, Target};
use super::naming::{self, DETERMINERS, singular, tidy};

/// Understands what follows "which", or what begins with a noun after "what".
pub(super) fn which(heard: &Heard, end: usize) -> Intent {
    // "what button …": the noun belongs to the rest.
    let from = if heard.is(0, "which") { end } else { 1 };
    let rest = Heard::new(&tidy(heard.slice(from, heard.len())));
    let all = rest.len();
    if all == 0 || rest.whole(0, all, "one|ones|of? them|these|those?") {
        let mut found = Find::new("it", Form::Thing);
        found.target = Target::It;
        return Intent::Find(found);
    }
    let phrase = named(&rest);
    let mut found = Find::new(&tidy(&phrase), Form::Thing);
    found.manner = Manner::Any;
    Intent::Find(found)
}

fn named(rest: &Heard) -> String {
    let all = rest.len();
    // "which of the two dogs is the lower", "which of these is the fuse"
    if let Some(end) = rest.opens(0, "one|ones? of the|these|those|my|them|all") {
        let verb = verb_of(rest, end, end);
        let Some(verb) = verb else {
            return rest.slice(end, all).to_owned();
        };
        let group = rest.slice(end, verb);
        let is = rest.is_any(verb, &["is", "are", "was"]);
        if group.is_empty() {
            return if is {
                rest.slice(verb + 1, all).to_owned()
            } else {
                format!("the one that {}", rest.slice(verb, all))
            };
        }
        if is && rest.is_any(verb + 1, DETERMINERS) && all - verb > 2 {
            let last = rest
                .words()
                .get(all - 1)
                .map_or("", |word| word.plain.as_str());
            if all - verb == 3 && !naming::CONTROLS.contains(&last) {
                return format!("{} of the {group}", rest.slice(verb + 1, all));
            }
            return rest.slice(verb + 1, all).to_owned();
        }
        if is && all - verb == 2 {
            return format!("the {} of the {group}", rest.slice(verb + 1, all));
        }
        let one = one_of(group);
        return if is {
            format!("{one} {}", rest.slice(verb + 1, all))
        } else {
            format!("{one} that {}", rest.slice(verb, all))
        };
    }
    // "which is the Save button", "which one is bigger"
    if let Some(end) = rest.opens(0, "one|ones? is|are|was|were") {
        let rest_of = rest.slice(end, all);
        return if end + 1 == all && !rest.is_any(end, DETERMINERS) {
            format!("the {rest_of} one")
        } else {
            rest_of.to_owned()
        };
    }
    if let Some(end) = rest.opens(0, "one|ones do|should|must|can|could i|we|you press|use|click|push|take|turn|need? to|for|if|when") {
        return rest.slice(end, all).to_owned();
    }
    if let Some(end) = rest.opens(0, "one|ones") {
        return format!("the one that {}", rest.slice(end, all));
    }
    let Some(verb) = verb_of(rest, 1, 0) else {
        return rest.slice(0, all).to_owned();
    };
    let noun = rest.slice(0, verb);
    if rest.is_any(
        verb,
        &[
            "do", "does", "should", "must", "can", "could", "would", "did", "shall", "will",
        ],
    ) {
        // "which key do I press to go back"
        for at in verb + 1..all {
            if rest.is_any(at, &["to", "for", "if", "when"]) && at + 1 < all {
                let what = rest.slice(at + 1, all);
                return if rest.is(at, "to") {
                    format!("{noun} to {what}")
                } else {
                    format!("{noun} for {what}")
                };
            }
        }
        let skip = rest
            .opens(
                verb,
                "do|should|must|can|could|would|did|does|shall|will i|we|you|one have? to?",
            )
            .unwrap_or(verb + 1);
        return if skip < all
            && !rest.is_any(
                skip,
                &[
                    "press", "click", "push", "use", "take", "turn", "need", "want", "choose",
                ],
            ) {
            format!("{noun} to {}", rest.slice(skip, all))
        } else {
            noun.to_owned()
        };
    }
    if rest.is_any(verb, &["is", "are", "was", "were"]) {
        let told = rest.slice(verb + 1, all);
        if rest.is_any(
            verb + 1,
            &["the", "my", "called", "named", "labelled", "labeled"],
        ) {
            return if rest.is_any(verb + 1, &["the", "my"]) {
                told.to_owned()
            } else {
                format!("{noun} {told}")
            };
        }
        if rest.is_any(
            verb + 1,
            &[
                "for", "used", "in", "on", "at", "next", "below", "above", "under", "near",
                "between", "behind", "left", "right", "to", "a", "an", "not",
            ],
        ) {
            let told = rest
                .opens(verb + 1, "used for|to")
                .map_or(told, |end| rest.slice(end - 1, all));
            if rest.is_any(verb + 1, &["on", "not", "a", "an"]) && all - verb <= 2 {
                return format!("{noun} that is {told}");
            }
            return format!("{noun} {told}");
        }
        if all - verb == 2 {
            return format!("{told} {}", one_of(noun));
        }
        return format!("{noun} that {}", rest.slice(verb, all));
    }
    format!("{noun} that {}", rest.slice(verb, all))
}

/// Where the verb of the clause stands: a small verb if there is one, else what looks like one.
fn verb_of(rest: &Heard, start: usize, from: usize) -> Option<usize> {
    let small = |at: &usize| {
        rest.is_any(
            *at,
            &[
                "is", "are", "was", "were", "do", "does", "did", "should", "must", "can", "could",
                "would", "will", "has", "have", "shall",
            ],
        )
    };
    // A small verb after the real one belongs to what follows: "which key tells what it is".
    let real = (start..rest.len()).find(|at| looks_like_verb(rest, *at, from));
    let aux = (start..rest.len()).find(small);
    match (aux, real) {
        (Some(aux), Some(real)) if real + 2 < aux => Some(real),
        (Some(aux), _) => Some(aux),
        (None, real) => real,
    }
}

/// Whether a word is a verb by its ending.
fn looks_like_verb(rest: &Heard, at: usize, from: usize) -> bool {
    let Some(word) = rest.words().get(at) else {
        return false;
    };
    let word = word.plain.as_str();
    // "confirms", "opens", "lets": but not the plural that was asked about, as in "keys opens".
    let plural = rest.words().get(at + 1).is_some_and(|next| {
        next.plain != "this"
            && next.plain.len() > 3
            && next.plain.ends_with('s')
            && !next.plain.ends_with("ss")
    }) && at < from + 2;
    at > from
        && !plural
        && word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !naming::CONTROLS.contains(&word)
}

/// The last word of a noun phrase in the singular.
fn one_of(group: &str) -> String {
    match group.rsplit_once(' ') {
        Some((head, last)) => {
            let head = head
                .trim_start_matches("two ")
                .trim_start_matches("three ")
                .trim_start_matches("four ");
            if ["two", "three", "four", "many"].contains(&head) {
                singular(last)
            } else {
                format!("{head} {}", singular(last))
            }
        }
        None => singular(group),
    }
}
