//! Every sentence that this brain says, in one place, so that they can be translated.
//!
//! A function for each sentence; what it is given is data and is put in as it is, quoted where it was
//! read in a picture. Here is what sentences are made of: names of things and places, numbers, lists.
//! The sentences are in `show` (where things are), `read` (what is read and seen), `work` (skills and
//! tools) and `chat` (the talk around it).

mod chat;
mod read;
mod show;
mod work;

pub(super) use chat::*;
pub(super) use read::*;
pub(super) use show::*;
pub(super) use work::*;

use super::place::{Across, Beside, Down, Place};
use super::seen::Way;

/// What a place is called.
pub(super) fn place(place: Place) -> &'static str {
    match place {
        Place::Corner(Across::Left, Down::Top) => "in the top left corner",
        Place::Corner(Across::Right, Down::Top) => "in the top right corner",
        Place::Corner(Across::Left, _) => "in the bottom left corner",
        Place::Corner(_, Down::Bottom) => "in the bottom right corner",
        Place::Part(Across::Left, Down::Top) | Place::Corner(_, Down::Top) => "near the top left",
        Place::Part(Across::Middle, Down::Top) => "near the top",
        Place::Part(Across::Right, Down::Top) => "near the top right",
        Place::Part(Across::Left, Down::Middle) => "on the left",
        Place::Part(Across::Middle, Down::Middle) => "in the middle",
        Place::Part(Across::Right, Down::Middle) | Place::Corner(_, Down::Middle) => "on the right",
        Place::Part(Across::Left, Down::Bottom) => "near the bottom left",
        Place::Part(Across::Middle, Down::Bottom) => "near the bottom",
        Place::Part(Across::Right, Down::Bottom) => "near the bottom right",
    }
}

/// What helps to find a place.
pub(super) fn beside(beside: &Beside) -> String {
    match beside {
        Beside::RightOf(text) => format!(", to the right of “{text}”"),
        Beside::LeftOf(text) => format!(", to the left of “{text}”"),
        Beside::Below(text) => format!(", below “{text}”"),
        Beside::Above(text) => format!(", above “{text}”"),
    }
}

/// What was found, as it is spoken of: text quoted, a thing with its article.
pub(super) fn name(label: &str, way: Way, asked: &str) -> String {
    match way {
        Way::Text | Way::Meaning if !label.is_empty() => format!("“{label}”"),
        Way::Object if !label.is_empty() => format!("the {}", label.to_lowercase()),
        _ if !asked.is_empty() => this(asked),
        _ if !label.is_empty() => format!("the {label}"),
        _ => "it".to_owned(),
    }
}

/// What a person named, with the article that suits it in a sentence.
fn this(asked: &str) -> String {
    if let Some(quoted) = quoted_name(asked) {
        return quoted;
    }
    let lower = asked.to_lowercase();
    if ["the ", "my ", "your ", "this ", "that ", "these ", "those "]
        .iter()
        .any(|head| lower.starts_with(head))
    {
        return format!(
            "{}{}",
            lower.split(' ').next().unwrap_or(""),
            asked.get(lower.find(' ').unwrap_or(0)..).unwrap_or("")
        );
    }
    for head in ["a ", "an ", "any ", "some "] {
        if lower.starts_with(head) {
            return format!("the {}", asked.get(head.len()..).unwrap_or(asked));
        }
    }
    format!("the {asked}")
}

/// How it was found, where the words do not tell already.
pub(super) fn by(way: Way) -> &'static str {
    match way {
        Way::Text => "",
        Way::Meaning => " – the closest in meaning",
        Way::Object => " – I know it by its look",
        Way::Colour => " – I went by its colour",
        Way::Shape => " – I went by its shape",
        Way::Control => " – a control without text",
    }
}

/// What was named, with the article of something that may not exist.
fn a(asked: &str) -> String {
    if let Some(quoted) = quoted_name(asked) {
        return quoted;
    }
    let lower = asked.to_lowercase();
    if let Some(rest) = lower
        .strip_prefix("the ")
        .map(|_| asked.get(4..).unwrap_or(asked))
    {
        // "the Print button": one of its kind; names of things in the world keep their article.
        let control = rest
            .split(' ')
            .next_back()
            .is_some_and(|last| super::naming::CONTROLS.contains(&last.to_lowercase().as_str()));
        let plural = rest.ends_with('s') && !rest.ends_with("ss");
        if control && !plural && rest.contains(' ') && !rest.contains(" of ") {
            return format!("{} {rest}", article(rest));
        }
        return format!("the {rest}");
    }
    let known = [
        "a ", "an ", "any ", "my ", "your ", "some ", "this ", "that ", "these ", "those ",
    ];
    if known.iter().any(|head| lower.starts_with(head)) {
        let first = lower.split(' ').next().unwrap_or("");
        return format!("{first}{}", asked.get(first.len()..).unwrap_or(""));
    }
    in_quotes(asked)
}

/// A name that the person put in quotation marks, in ours.
fn quoted_name(asked: &str) -> Option<String> {
    let inner = super::naming::unquoted(asked);
    (inner != asked).then(|| format!("“{inner}”"))
}

/// A name between our quotation marks.
pub(super) fn in_quotes(asked: &str) -> String {
    format!("“{}”", super::naming::unquoted(asked))
}

fn article(noun: &str) -> &'static str {
    let first = noun
        .chars()
        .find(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase());
    if matches!(first, Some('a' | 'e' | 'i' | 'o' | 'u')) {
        "an"
    } else {
        "a"
    }
}

/// "a, b and c".
pub(super) fn join(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

pub(super) fn plural(name: &str) -> String {
    for (one, many) in [
        ("person", "people"),
        ("man", "men"),
        ("woman", "women"),
        ("mouse", "mice"),
        ("knife", "knives"),
        ("sheep", "sheep"),
    ] {
        if let Some(head) = name.strip_suffix(one) {
            return format!("{head}{many}");
        }
    }
    if name.ends_with('s') || name.ends_with('x') || name.ends_with("ch") || name.ends_with("sh") {
        return format!("{name}es");
    }
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{name}s"),
    }
}

fn number(count: usize) -> String {
    const SMALL: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    SMALL
        .get(count)
        .map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A text as a sentence: with an end.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}
