//! What a person named, freed of politeness and of words that only carry it.
//!
//! Kind, colour and place words stay in: the locator reads them.

use super::heard::{Heard, like};

/// Words for parts of a program's surface or a device that are pressed, turned or looked at.
pub(super) const CONTROLS: &[&str] = &[
    "button",
    "buttons",
    "menu",
    "submenu",
    "tab",
    "tabs",
    "field",
    "box",
    "checkbox",
    "tickbox",
    "list",
    "dropdown",
    "drop-down",
    "panel",
    "toolbar",
    "icon",
    "icons",
    "entry",
    "item",
    "items",
    "option",
    "options",
    "link",
    "switch",
    "toggle",
    "slider",
    "knob",
    "key",
    "dial",
    "lever",
    "handle",
    "bar",
    "label",
    "radio",
    "combo",
    "sidebar",
    "pane",
    "area",
    "setting",
    "settings",
    "section",
    "page",
    "row",
    "column",
    "cell",
    "spinner",
    "scrollbar",
    "arrow",
    "control",
];

/// Words that begin a thing named.
pub(super) const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "my", "your", "our", "his", "their", "any",
    "some", "every", "each", "all", "both", "its",
];

/// Whether a phrase only points back at something spoken of before.
pub(super) fn points_back(phrase: &str) -> bool {
    let heard = Heard::new(phrase);
    heard.len() == 0
        || [
            "it|that|this|them|those|these|one|there",
            "that|this|the|these|those one|ones|thing|things|same|place|spot",
            "the same|right one|thing|place",
            "me|to? it|that|them",
            "all of them|these|those|it",
        ]
        .iter()
        .any(|pattern| heard.whole(0, heard.len(), pattern))
}

/// Takes from the ends of a phrase what is not part of the name. What was put in quotation marks stays
/// in them: the locator takes it letter by letter.
pub(super) fn tidy(phrase: &str) -> String {
    let mut phrase = trimmed(phrase);
    loop {
        let shorter = trimmed(&without_tail(&without_head(&phrase)));
        if shorter.is_empty() || shorter.len() >= phrase.len() {
            break;
        }
        phrase = shorter;
    }
    let inner = unquoted(&phrase);
    if inner == phrase {
        phrase
    } else {
        format!("\"{inner}\"")
    }
}

/// Punctuation at the ends that is no part of a name.
fn trimmed(phrase: &str) -> String {
    let phrase = phrase.trim();
    let cut = phrase
        .trim_end_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, '?' | '!' | '.' | ',' | ';' | ':' | '…')
        })
        .trim_start_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, ',' | ';' | ':' | '…' | '-' | '–')
        });
    // An ellipsis belongs to a quoted label ("Save As…") only where a quotation mark follows it.
    if cut.is_empty() {
        phrase.to_owned()
    } else {
        cut.to_owned()
    }
}

/// Takes one pair of quotation marks off where they hold the whole phrase.
pub(super) fn unquoted(phrase: &str) -> String {
    for (open, close) in [
        ('"', '"'),
        ('“', '”'),
        ('\'', '\''),
        ('‘', '\''),
        ('«', '»'),
        ('„', '“'),
    ] {
        if let Some(inner) = phrase
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            && !inner.trim().is_empty()
            && !inner.contains([open, close])
        {
            return inner.trim().to_owned();
        }
    }
    phrase.to_owned()
}

fn without_head(phrase: &str) -> String {
    let heard = Heard::new(phrase);
    for pattern in [
        "please|kindly|just|actually|maybe|exactly|precisely|where",
        "to me",
        "me|us",
        "the location|position|place|spot of",
        "out|up where|how",
        "how|where to|do i|you|is|are",
    ] {
        if let Some(end) = heard.opens(0, pattern)
            && end < heard.len()
        {
            return heard.slice(end, heard.len()).to_owned();
        }
    }
    phrase.to_owned()
}

fn without_tail(phrase: &str) -> String {
    let heard = Heard::new(phrase);
    let all = heard.len();
    for pattern in [
        "please|pls|thanks|thx|located|situated|hiding|somewhere|anywhere|exactly|here|mate|alidade",
        "thank you",
        "thanks a lot",
        "thank you very? so? much",
        "for|to me|us",
        "right now",
        "at all",
        "if you can|could|would|may|please",
        "if possible",
        "would|could|can|will you",
        "on|in|from this|the|my picture|image|photo|photograph|screen|screenshot|camera|video|view",
        "in|on front of me",
        "on here",
        "over there|here",
        "for me please",
        "do you know",
        "or not|something|so|what",
    ] {
        let most = pattern.split(' ').count();
        for length in (1..=most).rev() {
            if length < all && heard.whole(all - length, all, pattern) {
                return heard.slice(0, all - length).to_owned();
            }
        }
    }
    phrase.to_owned()
}

/// A name out of a clause that ends in its verb: "the bin is" in "show me where the bin is".
pub(super) fn clause(phrase: &str) -> String {
    let phrase = tidy(phrase);
    let heard = Heard::new(&phrase);
    let all = heard.len();
    for pattern in [
        "is|are|was|were|went|goes|lives|lies|sits|belongs|at|hides|stands",
        "is|are at|located|found|hiding|now|placed|shown",
        "can|could|might be|hide found?",
        "has|have gone|moved",
        "is|are supposed to be",
    ] {
        for length in (1..=pattern.split(' ').count()).rev() {
            if length < all && heard.whole(all - length, all, pattern) {
                return tidy(heard.slice(0, all - length));
            }
        }
    }
    for pattern in [
        "on|in|at the|this|my? screen|picture|image|page|window is|are",
        "i|you|we|one can|could|should|must|would|may|have|need to? find?|see?",
        "is|are|was",
        "to find?|see?",
    ] {
        if let Some(end) = heard.opens(0, pattern)
            && end < all
        {
            return tidy(heard.slice(end, all));
        }
    }
    phrase
}

/// Whether a phrase speaks of several things: "all the cups", "every button", "cups".
pub(super) fn several(phrase: &str) -> bool {
    let heard = Heard::new(phrase);
    heard.is_any(0, &["all", "every", "each", "both"])
}

/// A phrase without its words for "all".
pub(super) fn without_all(phrase: &str) -> String {
    let heard = Heard::new(phrase);
    for pattern in [
        "all of the|these|those|my",
        "all the|my|these|those",
        "all|every|each|both single? of? the?",
    ] {
        if let Some(end) = heard.opens(0, pattern)
            && end < heard.len()
        {
            return heard.slice(end, heard.len()).to_owned();
        }
    }
    phrase.to_owned()
}

/// A phrase without its article.
pub(super) fn without_article(phrase: &str) -> &str {
    for article in [
        "the ", "The ", "a ", "A ", "an ", "An ", "my ", "My ", "any ", "some ", "THE ",
    ] {
        if let Some(rest) = phrase.strip_prefix(article) {
            return rest;
        }
    }
    phrase
}

/// The singular of a plain English plural, for speaking and for looking.
pub(super) fn singular(word: &str) -> String {
    let irregular = [
        ("people", "person"),
        ("men", "man"),
        ("women", "woman"),
        ("children", "child"),
        ("mice", "mouse"),
        ("knives", "knife"),
        ("leaves", "leaf"),
        ("shelves", "shelf"),
        ("feet", "foot"),
        ("teeth", "tooth"),
        ("geese", "goose"),
    ];
    if let Some((_, one)) = irregular.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies")
        && stem.len() > 1
    {
        return format!("{stem}y");
    }
    for ending in ["ches", "shes", "sses", "xes", "zes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    if word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
    {
        return word.strip_suffix('s').unwrap_or(word).to_owned();
    }
    word.to_owned()
}

/// The words of a phrase that carry its meaning.
pub(super) fn content(phrase: &str) -> Vec<String> {
    Heard::new(phrase)
        .words()
        .iter()
        .filter(|word| !EMPTY.contains(&word.plain.as_str()))
        .map(|word| singular(&word.plain))
        .collect()
}

/// How much of what was meant stands in a text, 0 to 1, by words alone.
pub(super) fn overlap(meant: &str, text: &str) -> f32 {
    let meant = content(meant);
    if meant.is_empty() {
        return 0.0;
    }
    let there = content(text);
    let hits = meant
        .iter()
        .filter(|word| {
            there.iter().any(|other| {
                other == *word
                    || like(other, word)
                    || (word.len() >= 4 && other.starts_with(word.as_str()))
                    || (other.len() >= 4 && word.starts_with(other.as_str()))
            })
        })
        .count();
    #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
    let share = hits as f32 / meant.len() as f32;
    share
}

/// Whether a label has anything of a name in it, letter by letter: what has not was found as another
/// word for the same.
pub(super) fn shares(name: &str, label: &str) -> bool {
    let run = |text: &str| -> String {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let (name_run, label_run) = (run(without_article(name)), run(label));
    content(name).is_empty()
        || overlap(name, label) > 0.0
        || overlap(label, name) > 0.0
        || name_run.contains(&label_run)
        || label_run.contains(&name_run)
}

const EMPTY: &[&str] = &[
    "the", "a", "an", "of", "to", "in", "on", "at", "for", "and", "or", "is", "are", "it", "this",
    "that", "these", "those", "my", "your", "i", "you", "me", "we", "do", "does", "can", "with",
    "by", "from", "as", "be", "what", "which", "where", "how", "when", "please", "want", "would",
    "some", "any", "one", "there", "here", "use", "person",
];
