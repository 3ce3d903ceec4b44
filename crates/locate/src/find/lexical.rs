//! How far words that were said are the words that stand there.

use crate::query::{NOT, Query, Term, Token, Words, particle, plain, split, tokens};

/// A label, prepared for comparing.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// As it stands there.
    pub(crate) text: String,
    /// Its words.
    pub(crate) tokens: Vec<Token>,
    /// How much each word is part of its name, 0 to 1.
    pub(crate) weights: Vec<f32>,
    /// All of it in one.
    pub(crate) joined: String,
}

impl Label {
    pub(crate) fn of(text: &str) -> Self {
        let words = Words::get();
        let spoken = split(text);
        let tokens = tokens(text);
        let weights = (0..spoken.len().min(tokens.len()))
            .map(|at| weight(at, &spoken, &tokens[at], words))
            .collect();
        let weights = signs_apart(&tokens, weights);
        let joined = tokens.iter().map(|t| t.plain.as_str()).collect();
        Self {
            text: text.to_owned(),
            tokens,
            weights,
            joined,
        }
    }
}

fn weight(at: usize, spoken: &[String], token: &Token, words: &Words) -> f32 {
    if shortcut(&spoken[at]) {
        0.05
    } else if particle(at, spoken) {
        0.8
    } else if words.is_silent(&token.plain) {
        0.15
    } else if words.is_class(&token.stem) {
        0.5
    } else {
        1.0
    }
}

/// A box to tick or an arrow is read as a single letter beside its label.
fn signs_apart(tokens: &[Token], mut weights: Vec<f32>) -> Vec<f32> {
    let longer = tokens.iter().any(|t| t.plain.chars().count() > 2);
    for (token, weight) in tokens.iter().zip(&mut weights) {
        let single = token.plain.chars().count() == 1 && token.digits.is_empty();
        if longer && single {
            *weight = weight.min(0.1);
        }
    }
    weights
}

/// "Ctrl+Shift+S" beside a label says how to reach it and not what it is.
fn shortcut(word: &str) -> bool {
    let parts: Vec<String> = word.split(['+', '-']).map(plain).collect();
    parts.len() > 1
        && parts.iter().any(|p| {
            [
                "ctrl", "strg", "alt", "shift", "cmd", "super", "meta", "altgr",
            ]
            .contains(&p.as_str())
        })
}

/// What of the words was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Overlap {
    /// Share of what was said that stands in the label, by weight.
    pub(crate) said: f32,
    /// Share of the label that was said.
    pub(crate) label: f32,
    /// The label is what was said, letter by letter.
    pub(crate) same: bool,
    /// A number that was said is not there, or another one is.
    pub(crate) number_missing: bool,
    /// Words that were found as they are or in another form, and not only one that means the same.
    pub(crate) literal: f32,
    /// One of both is the opposite of the other: "save" and "do not save".
    pub(crate) other_sign: bool,
    /// A word of the label excludes one that was said: "zoom in" and "Zoom Out".
    pub(crate) opposite: bool,
}

/// Compares a question with a label.
pub(crate) fn overlap(query: &Query, label: &Label) -> Overlap {
    let total = query.weight();
    if total <= 0.0 || label.tokens.is_empty() {
        return Overlap::default();
    }
    let terms = &query.terms;
    let mut told = vec![0.0f32; label.tokens.len()];
    let mut overlap = Overlap::default();
    let mut strong = 0.0;
    for (index, term) in terms.iter().enumerate() {
        let mut best = 0.0f32;
        let mut at = None;
        for (place, token) in label.tokens.iter().enumerate() {
            let alike = alike(&term.token, token).max(joined(terms, index, &label.tokens, place));
            if alike > best {
                (best, at) = (alike, Some(place));
            }
        }
        if let Some(place) = at {
            // Joined words tell both of theirs.
            for (near, told) in told.iter_mut().enumerate() {
                let also = near == place
                    || near.abs_diff(place) == 1 && joined(terms, index, &label.tokens, near) > 0.0;
                if also {
                    *told = told.max(best);
                }
            }
        }
        if !term.token.digits.is_empty() && best < 0.9 && term.weight > 0.0 {
            overlap.number_missing = true;
        }
        strong += term.weight * best;
        if best >= 0.85 {
            overlap.literal += term.weight;
        }
    }
    let not = |token: &Token| NOT.contains(&token.plain.as_str());
    overlap.other_sign = terms.iter().any(|t| not(&t.token)) != label.tokens.iter().any(not);
    overlap.opposite = opposite(terms, &label.tokens);
    overlap.said = strong / total;
    overlap.literal /= total;
    let whole: f32 = label.weights.iter().sum();
    let heard: f32 = told.iter().zip(&label.weights).map(|(t, w)| t * w).sum();
    overlap.label = if whole > 0.0 { heard / whole } else { 0.0 };
    let name: String = terms.iter().map(|t| t.token.plain.as_str()).collect();
    let articles = ["the", "a", "an", "my"];
    let content: String = terms
        .iter()
        .map(|t| t.token.plain.as_str())
        .filter(|w| !articles.contains(w))
        .collect();
    overlap.same = !label.joined.is_empty() && (label.joined == name || label.joined == content);
    overlap
}

/// Whether a word of the label excludes one that was said and that the label lacks.
fn opposite(terms: &[Term], tokens: &[Token]) -> bool {
    let words = Words::get();
    terms.iter().enumerate().any(|(index, term)| {
        let said = &term.token.stem;
        if tokens.iter().any(|t| t.stem == *said) {
            return false;
        }
        tokens.iter().enumerate().any(|(place, token)| {
            // "in" and "on" say something only behind the same word.
            let loose = !words.is_silent(&term.token.plain);
            let before = |i: usize| i.checked_sub(1);
            let same_before = before(index)
                .zip(before(place))
                .is_some_and(|(i, p)| terms[i].token.stem == tokens[p].stem);
            (loose || same_before) && words.opposite(said, &token.stem)
        })
    })
}

/// How alike two words are: 1 the same, 0 strangers.
fn alike(said: &Token, there: &Token) -> f32 {
    if said.plain == there.plain {
        return 1.0;
    }
    if said.plain.len() > 2 && said.digits.is_empty() && there.parts.contains(&said.stem) {
        return 0.88;
    }
    if said.digits != there.digits {
        return 0.0;
    }
    if said.stem == there.stem {
        return 0.95;
    }
    if said.groups.iter().any(|g| there.groups.contains(g)) {
        return 0.9;
    }
    if slip(&said.plain, &there.plain) {
        0.86
    } else if misread(&said.plain, &there.plain) {
        0.84
    } else if there.short
        && said.plain.len() > there.plain.len()
        && said.plain.starts_with(&there.plain)
    {
        // "VENT" and "TEMP" on a panel stand for the whole word.
        0.84
    } else {
        0.0
    }
}

/// Two words on one side that are one word on the other: "check box" and "checkbox".
fn joined(terms: &[Term], index: usize, tokens: &[Token], place: usize) -> f32 {
    let pair = |a: &str, b: &str, whole: &str| {
        whole.len() == a.len() + b.len() && whole.starts_with(a) && whole.ends_with(b)
    };
    let here = &terms[index].token.plain;
    let there = &tokens[place].plain;
    let said_apart = [index.checked_sub(1), Some(index)]
        .into_iter()
        .flatten()
        .any(|first| {
            terms
                .get(first + 1)
                .is_some_and(|next| pair(&terms[first].token.plain, &next.token.plain, there))
        });
    let stands_apart = [place.checked_sub(1), Some(place)]
        .into_iter()
        .flatten()
        .any(|first| {
            tokens
                .get(first + 1)
                .is_some_and(|next| pair(&tokens[first].plain, &next.plain, here))
        });
    if said_apart || stands_apart {
        0.97
    } else {
        0.0
    }
}

/// A slip of the finger or of the reader: one letter of a long word, or signs that look the same.
fn slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a.len().min(b.len()) < 4 {
        return false;
    }
    if looks(&a) == looks(&b) {
        return true;
    }
    let long = a.len().min(b.len());
    long >= 6 && a[0] == b[0] && within_one(&a, &b)
}

/// Letters of which one is read for the other, an underline or a speck added.
const MISREAD: &[(char, char)] = &[
    ('t', 'i'),
    ('t', 'l'),
    ('e', 'c'),
    ('o', 'c'),
    ('g', 'q'),
    ('h', 'b'),
    ('n', 'h'),
    ('u', 'v'),
    ('y', 'v'),
    ('j', 'i'),
    ('e', 'é'),
];

/// The same word but for one such letter.
fn misread(a: &str, b: &str) -> bool {
    let differ: Vec<(char, char)> = a.chars().zip(b.chars()).filter(|(x, y)| x != y).collect();
    let [(x, y)] = differ.as_slice() else {
        return false;
    };
    let long = a.chars().count();
    long >= 4
        && long == b.chars().count()
        && (MISREAD.contains(&(*x, *y)) || MISREAD.contains(&(*y, *x)))
}

/// Signs that are taken for each other, in one form.
fn looks(word: &[char]) -> String {
    let text: String = word
        .iter()
        .map(|c| match c {
            '0' => 'o',
            '1' | 'i' | '|' | 'í' | 'ì' => 'l',
            '5' => 's',
            '8' => 'b',
            other => *other,
        })
        .collect();
    text.replace("rn", "m")
        .replace("vv", "w")
        .replace("cl", "d")
}

/// One letter more, less, other, or two swapped.
fn within_one(a: &[char], b: &[char]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let first = short
        .iter()
        .zip(long)
        .position(|(x, y)| x != y)
        .unwrap_or(short.len());
    if long.len() > short.len() {
        return short[first..] == long[first + 1..];
    }
    if first == short.len() {
        return true;
    }
    let swapped = first + 1 < short.len()
        && short[first] == long[first + 1]
        && short[first + 1] == long[first]
        && short[first + 2..] == long[first + 2..];
    swapped || short[first + 1..] == long[first + 1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(phrase: &str, label: &str) -> Overlap {
        overlap(&Query::of(phrase), &Label::of(label))
    }

    #[test]
    fn the_same_words_are_the_same_in_any_dress() {
        for (phrase, label) in [
            ("the Save button", "Save"),
            ("save as", "Save As…"),
            ("email", "E-mail"),
            ("the checkbox wrap lines", "Wrap lines"),
            ("where is read-only", "Read only"),
            ("spell check", "Spellcheck"),
            ("find & replace", "Find and Replace…"),
            ("invert the colours", "Invert Colors"),
            ("Save", "Save Ctrl+S"),
            ("five minutes", "5 min"),
        ] {
            let overlap = of(phrase, label);
            assert!(
                overlap.said > 0.85 && overlap.label > 0.8 && !overlap.number_missing,
                "{phrase} – {label}: {overlap:?}"
            );
        }
        assert!(of("Save As", "Save As...").same && !of("Save As", "Save").same);
    }

    #[test]
    fn another_number_is_another_thing() {
        for (phrase, label) in [
            ("LAN 3", "LAN 4"),
            ("LAN 3", "LAN"),
            ("30 minutes", "3 minutes"),
            ("the 8", "B"),
            ("AUX3", "AUX 8"),
        ] {
            let overlap = of(phrase, label);
            assert!(overlap.number_missing, "{phrase} – {label}: {overlap:?}");
        }
        assert!(!of("LAN3", "LAN 3").number_missing && !of("LAN 3", "LAN3").number_missing);
    }

    #[test]
    fn opposites_exclude_each_other() {
        for (phrase, label) in [
            ("zoom in", "Zoom Out"),
            ("the zoom in entry", "Zoom out"),
            ("next page", "Previous page"),
            ("sign out", "Sign in"),
        ] {
            assert!(of(phrase, label).opposite, "{phrase} – {label}");
        }
        for (phrase, label) in [
            ("zoom in", "Zoom In"),
            ("the button in the corner", "Log out"),
            ("copy and paste", "Copy"),
            ("save", "Open"),
        ] {
            assert!(!of(phrase, label).opposite, "{phrase} – {label}");
        }
    }

    #[test]
    fn slips_are_forgiven_and_other_words_are_not() {
        for (phrase, label) in [
            ("prefrences", "Preferences"),
            ("Settings", "Settlngs"),
            ("modem", "modern"),
            ("Tabs menu", "Iabs"),
        ] {
            assert!(of(phrase, label).said > 0.7, "{phrase} – {label}");
        }
        for (phrase, label) in [
            ("next", "Text"),
            ("point", "Print"),
            ("cut", "Cup"),
            ("left", "Lift"),
            ("port", "Sort"),
        ] {
            assert!(of(phrase, label).said < 0.5, "{phrase} – {label}");
        }
    }

    #[test]
    fn a_word_of_many_is_little() {
        let overlap = of("Find in Files", "Find");
        assert!(overlap.said < 0.66, "{overlap:?}");
        let overlap = of("Open", "Please open the door before you start");
        assert!(overlap.label < 0.4, "{overlap:?}");
    }
}
