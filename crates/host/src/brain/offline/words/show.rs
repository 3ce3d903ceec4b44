//! Sentences about where things are: shown, not shown, which one, how many.

use super::super::beside::Toward;
use super::{Way, a, capital, in_quotes, name, number, sentence, this};

/// Shown, surely.
pub(in crate::brain::offline) fn here(name: &str, place: &str, by: &str) -> String {
    format!("Here it is: {name}, {place}{by}.")
}

/// Shown, but not surely.
pub(in crate::brain::offline) fn perhaps(name: &str, place: &str, by: &str) -> String {
    format!("I'm not certain: it may be {name}, {place}{by}. Is that it?")
}

/// Where it is, without a mark.
pub(in crate::brain::offline) fn lies(name: &str, place: &str, beside: &str, by: &str) -> String {
    format!(
        "{}{} is {place}{beside}{by}.",
        name.chars()
            .next()
            .map(|first| first.to_uppercase().to_string())
            .unwrap_or_default(),
        name.chars().skip(1).collect::<String>()
    )
}

/// Where it may be, without a mark.
pub(in crate::brain::offline) fn may_lie(
    name: &str,
    place: &str,
    beside: &str,
    by: &str,
) -> String {
    format!("I'm not certain: it may be {name}, {place}{beside}{by}.")
}

/// The mark was not drawn, and why.
pub(in crate::brain::offline) fn not_drawn(reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("I could not mark it: {}", sentence(reason)),
        None => "I could not mark it on the picture.".to_owned(),
    }
}

/// It is not there.
pub(in crate::brain::offline) fn not_there(asked: &str, action: bool) -> String {
    if action {
        format!("I can't find anything for {} here.", in_quotes(asked))
    } else {
        format!("I can't find {} here.", a(asked))
    }
}

/// There is no field to enter something in.
pub(in crate::brain::offline) fn no_field(wish: &str) -> String {
    format!("I can't find a field for {} here.", in_quotes(wish))
}

/// Nothing of several things is there.
pub(in crate::brain::offline) fn no_such(asked: &str) -> String {
    format!("No, I can't find {} here.", a(asked))
}

/// Several fit; they are numbered on the picture.
pub(in crate::brain::offline) fn which(listed: &[String], more: usize) -> String {
    let count = listed.len();
    let rest = if more > 0 {
        format!(" The best {count} of {} are numbered.", count + more)
    } else {
        String::new()
    };
    format!(
        "{} places fit: {}.{rest} Which one do you mean?",
        capital(&number(count + more)),
        listed.join("; ")
    )
}

/// Several fit and look the same.
pub(in crate::brain::offline) fn which_of_same(
    name: &str,
    count: usize,
    more: usize,
    marked: bool,
) -> String {
    let all = number(count + more);
    let numbered = match (marked, more) {
        (false, _) => String::new(),
        (true, 0) => " and numbered them".to_owned(),
        (true, _) => format!(" and numbered the best {count}"),
    };
    format!("I see {all} that fit {name}{numbered}. Which one do you mean?")
}

/// One of several, listed.
pub(in crate::brain::offline) fn listed(number: usize, name: &str, place: &str) -> String {
    format!("{number} {name} {place}")
}

/// The one that was chosen.
pub(in crate::brain::offline) fn chosen(number: usize, name: &str, place: &str) -> String {
    format!("Number {number}: {name}, {place}.")
}

/// The next candidate.
pub(in crate::brain::offline) fn next(
    name: &str,
    place: &str,
    number: usize,
    count: usize,
) -> String {
    format!("The next one, {number} of {count}: {name}, {place}.")
}

/// The candidate before.
pub(in crate::brain::offline) fn previous(
    name: &str,
    place: &str,
    number: usize,
    count: usize,
) -> String {
    format!("Back to {number} of {count}: {name}, {place}.")
}

/// All that were asked for, marked.
pub(in crate::brain::offline) fn all_of(count: usize, marked: usize, what: &str) -> String {
    match (count, marked) {
        (1, 1) => format!("There is one, and I have marked it: {what}."),
        (count, marked) if marked >= count => {
            format!("I have marked all {} of them.", number(count))
        }
        (count, 0) => format!("There are {}.", number(count)),
        (count, marked) => format!(
            "There are {}; I have marked the first {}.",
            number(count),
            number(marked)
        ),
    }
}

/// How many there are.
pub(in crate::brain::offline) fn count(count: usize, marked: usize) -> String {
    let there = if count == 1 {
        "I count one".to_owned()
    } else {
        format!("I count {}", number(count))
    };
    match marked {
        0 => format!("{there}."),
        marked if marked >= count => format!("{there}, marked on the picture."),
        marked => format!("{there}; the first {} are marked.", number(marked)),
    }
}

/// How many lines of text there are.
pub(in crate::brain::offline) fn count_lines(count: usize) -> String {
    match count {
        0 => "I can't read any text here.".to_owned(),
        1 => "I count one line of text.".to_owned(),
        count => format!("I count {} lines of text.", number(count)),
    }
}

/// It is there.
pub(in crate::brain::offline) fn yes(name: &str, place: &str, by: &str) -> String {
    format!("Yes: {name}, {place}{by}.")
}

/// It may be there.
pub(in crate::brain::offline) fn yes_perhaps(name: &str, place: &str, by: &str) -> String {
    format!("Perhaps, I'm not certain: {name}, {place}{by}.")
}

/// Several are there.
pub(in crate::brain::offline) fn yes_several(count: usize) -> String {
    format!("Yes, {} of them.", number(count))
}

/// Cannot click or type, but can show.
pub(in crate::brain::offline) const CANNOT_ACT_HERE: &str =
    "I can't press or type anything for you.";

/// Cannot judge a state, but can show.
pub(in crate::brain::offline) const CANNOT_JUDGE: &str = "I can't judge what state it is in.";

/// Cannot explain, but can show.
pub(in crate::brain::offline) const CANNOT_EXPLAIN: &str =
    "I can't explain what it is or does without a model.";

/// The picture is another one now.
pub(in crate::brain::offline) const CHANGED: &str =
    "The picture has changed since I numbered them.";

/// Nothing is asked.
pub(in crate::brain::offline) const NOTHING_ASKED: &str =
    "I haven't asked you anything. Name something and I'll look for it.";

/// Several are numbered, and "yes" is no answer.
pub(in crate::brain::offline) const WHICH_NUMBER: &str = "Which one? Say its number.";

/// None of those.
pub(in crate::brain::offline) const NONE_OF_THEM: &str =
    "Then I don't see it. Say what it looks like or what stands on it.";

/// Yes, that was it.
pub(in crate::brain::offline) const GOOD: &str = "Good.";

/// There is no such number.
pub(in crate::brain::offline) fn no_number(number: usize, count: usize) -> String {
    if count <= 1 {
        return format!("There is no number {number}; I have only one.");
    }
    format!("There is no number {number}; I have {count}. Which one do you mean?")
}

/// Nothing to move on to.
pub(in crate::brain::offline) const NOTHING_NEXT: &str =
    "There is nothing to move on to yet. Ask me for something first.";

/// Nothing to say or show again.
pub(in crate::brain::offline) const NOTHING_AGAIN: &str =
    "There is nothing to show again yet. Name something and I'll look for it.";

/// No more candidates.
pub(in crate::brain::offline) fn no_more(name: &str) -> String {
    format!("I know of no other place for {name}.")
}

/// Nothing before.
pub(in crate::brain::offline) const NOTHING_BEFORE: &str = "There is nothing before this.";

/// What "it" is, is not known.
pub(in crate::brain::offline) const WHAT_IS_IT: &str =
    "I'm not sure what you mean by that. Name the thing, for example “the Save button”.";

/// Marks wiped by a tool.
pub(in crate::brain::offline) const CLEARED: &str = "The marks are gone.";

/// Marks that only the window can wipe.
pub(in crate::brain::offline) const LET_GO: &str = "I've let go of the marks; they leave the picture when they have faded or when you clear them in the window.";

/// Nothing to wipe.
pub(in crate::brain::offline) const NOTHING_MARKED: &str = "I haven't marked anything.";

/// There is no tool that looks.
pub(in crate::brain::offline) const CANNOT_LOOK: &str =
    "I have no way of looking at a picture in this session.";

/// A look failed without a word.
pub(in crate::brain::offline) const LOOK_FAILED: &str =
    "I could not look at the picture. Please try again.";

/// A kind that has no look of its own, in the plural.
pub(in crate::brain::offline) fn unseen_kind(kind: &str) -> String {
    format!(
        "I can't recognise {kind} by themselves; ask for the words on or beside the one you mean."
    )
}

/// What was looked for was put in other words; the person's own are quoted.
pub(in crate::brain::offline) fn not_there_as_said(said: &str) -> String {
    format!(
        "I can't find an answer to “{}” here. Name a thing by the words on it and I'll look for it.",
        said.replace(['“', '”'], "\"")
    )
}

/// The label of a control that has no words on it, marked.
pub(in crate::brain::offline) fn label_here(
    kind: &str,
    name: &str,
    place: &str,
    by: &str,
) -> String {
    format!("Its label is here: {name}, {place}{by}. I can't make out the {kind} itself.")
}

/// The label of a control that has no words on it, without a mark.
pub(in crate::brain::offline) fn label_lies(
    kind: &str,
    name: &str,
    place: &str,
    by: &str,
) -> String {
    format!("Its label, {name}, is {place}{by}. I can't make out the {kind} itself.")
}

/// A side of something, at the head of a sentence or in it.
fn side(toward: Toward) -> &'static str {
    match toward {
        Toward::Left => "to the left of",
        Toward::Right => "to the right of",
        Toward::Above => "above",
        Toward::Below => "below",
        Toward::Next => "next to",
    }
}

/// What stands beside something.
pub(in crate::brain::offline) fn stands_beside(
    toward: Toward,
    asked: &str,
    label: &str,
    way: Way,
) -> String {
    let verb = if way == Way::Object { "see" } else { "read" };
    format!(
        "{} {} I {verb} {}.",
        capital(side(toward)),
        this_or_quoted(asked),
        name(label, way, "")
    )
}

/// Nothing stands beside something.
pub(in crate::brain::offline) fn nothing_beside(toward: Toward, asked: &str) -> String {
    format!(
        "I can't read anything {} {}.",
        side(toward),
        this_or_quoted(asked)
    )
}

/// What was named stands in several places.
pub(in crate::brain::offline) fn several_places(asked: &str) -> String {
    format!(
        "I see {} in more than one place. Ask where it is, choose one, or name something beside it.",
        this_or_quoted(asked)
    )
}

fn this_or_quoted(asked: &str) -> String {
    if asked.to_lowercase().starts_with("the ") {
        this(asked)
    } else {
        in_quotes(asked)
    }
}
