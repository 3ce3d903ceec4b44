//! Answers to "which one?": numbers, sides, sizes.

use super::heard::Heard;
use super::intent::{Choice, Side};

/// An answer to "which one?". With `asked`, a bare number will do.
pub(super) fn choice(heard: &Heard, from: usize, to: usize, asked: bool) -> Option<Choice> {
    let is = |patterns: &[&str]| {
        patterns
            .iter()
            .any(|pattern| heard.whole(from, to, pattern))
    };
    if is(&[
        "all of? them|these|those|it?",
        "both of? them|these?",
        "every one",
        "everyone",
        "all|the two|three|four|five",
        "mark|show|highlight me? all|both of? them|these?",
    ]) {
        return Some(Choice::All);
    }
    if is(&[
        "none of? them|these|those?",
        "neither of? them|these?",
        "no one",
    ]) {
        return Some(Choice::None);
    }
    let mut found = None;
    let mut one = false;
    let mut pointed = false;
    let mut named = asked;
    for at in from..to {
        let word = heard.words().get(at)?.plain.as_str();
        let choice = match word {
            "one" => {
                one = true;
                continue;
            }
            "the" | "this" | "that" => {
                pointed = true;
                continue;
            }
            "number" | "no" | "nr" | "option" | "candidate" | "choice" => {
                named = true;
                continue;
            }
            _ if FILLERS.contains(&word) => continue,
            "last" | "final" => Choice::Last,
            "biggest" | "bigger" | "big" | "larger" | "largest" | "large" => Choice::Largest,
            "smallest" | "smaller" | "small" | "little" | "tiny" => Choice::Smallest,
            _ => match (side(word), number(word)) {
                (Some(side), _) => Choice::Side(side),
                (None, Some((number, ordinal))) => {
                    if !ordinal && !named && !word.starts_with('#') {
                        return None;
                    }
                    Choice::Number(number)
                }
                (None, None) => return None,
            },
        };
        if found.is_some_and(|before| before != choice) {
            return None;
        }
        found = Some(choice);
    }
    match found {
        // "Right", "top", "last" alone are answers to a question only.
        Some(Choice::Number(_)) => found,
        Some(_) if asked || (one && pointed) => found,
        None if one && !pointed && named => Some(Choice::Number(1)),
        _ => None,
    }
}

/// The side a word speaks of.
pub(super) fn side(word: &str) -> Option<Side> {
    Some(match word {
        "left" | "leftmost" | "lefthand" | "left-hand" => Side::Left,
        "right" | "rightmost" | "righthand" | "right-hand" => Side::Right,
        "top" | "topmost" | "upper" | "uppermost" | "above" | "highest" | "higher" => Side::Top,
        "bottom" | "bottommost" | "lower" | "lowermost" | "lowest" | "below" => Side::Bottom,
        "middle" | "centre" | "center" | "central" => Side::Middle,
        _ => return None,
    })
}

/// The number a word stands for, and whether it is one of order.
pub(super) fn number(word: &str) -> Option<(usize, bool)> {
    const WORDS: &[(&str, &str)] = &[
        ("one", "first"),
        ("two", "second"),
        ("three", "third"),
        ("four", "fourth"),
        ("five", "fifth"),
        ("six", "sixth"),
        ("seven", "seventh"),
        ("eight", "eighth"),
        ("nine", "ninth"),
        ("ten", "tenth"),
        ("eleven", "eleventh"),
        ("twelve", "twelfth"),
    ];
    for (index, (count, order)) in WORDS.iter().enumerate() {
        if word == *count {
            return Some((index + 1, false));
        }
        if word == *order {
            return Some((index + 1, true));
        }
    }
    let digits = word.trim_start_matches('#');
    for ending in ["st", "nd", "rd", "th"] {
        if let Some(number) = digits.strip_suffix(ending)
            && let Ok(number) = number.parse()
        {
            return Some((number, true));
        }
    }
    digits.parse().ok().map(|number| (number, false))
}

const FILLERS: &[&str] = &[
    "i", "mean", "meant", "want", "take", "choose", "pick", "it", "is", "a", "please", "think",
    "would", "like", "show", "me", "mark", "on", "at", "in", "to", "far", "most", "hand", "side",
    "of", "your", "my", "them", "with", "ok", "okay", "um", "er", "well", "go", "for", "answer",
];
