//! What was typed, cut into sentences and words that rules can look at.
//!
//! Words keep their place in the text, so that what a person named is handed on letter for letter.
//! Contractions are spread out ("where's" is heard as "where is") and small slips of the fingers are
//! forgiven, but only in the words that rules look for, never in what was named.

/// One word as rules see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Lower case, without surrounding punctuation.
    pub(super) plain: String,
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    /// Where it ends in the text, in bytes.
    pub(super) end: usize,
}

/// A sentence with its words.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    text: String,
    words: Vec<Word>,
}

/// More than a person asks in one breath; the rest of a longer text is not looked at.
pub(super) const MOST_CHARS: usize = 1_200;

/// How contractions are heard. Typed without the apostrophe too.
const SPREAD: &[(&str, &str)] = &[
    ("where's", "where is"),
    ("where're", "where are"),
    ("where'd", "where did"),
    ("what's", "what is"),
    ("what're", "what are"),
    ("who's", "who is"),
    ("how's", "how is"),
    ("that's", "that is"),
    ("there's", "there is"),
    ("it's", "it is"),
    ("i'm", "i am"),
    ("i'd", "i would"),
    ("i've", "i have"),
    ("i'll", "i will"),
    ("you're", "you are"),
    ("don't", "do not"),
    ("doesn't", "does not"),
    ("didn't", "did not"),
    ("isn't", "is not"),
    ("aren't", "are not"),
    ("wasn't", "was not"),
    ("can't", "can not"),
    ("couldn't", "could not"),
    ("won't", "will not"),
    ("let's", "let us"),
    ("wheres", "where is"),
    ("whats", "what is"),
    ("whos", "who is"),
    ("hows", "how is"),
    ("thats", "that is"),
    ("theres", "there is"),
    ("im", "i am"),
    ("ive", "i have"),
    ("dont", "do not"),
    ("doesnt", "does not"),
    ("didnt", "did not"),
    ("isnt", "is not"),
    ("cant", "can not"),
    ("cannot", "can not"),
    ("wont", "will not"),
    ("wanna", "want to"),
    ("gotta", "have to"),
    ("gimme", "give me"),
    ("lemme", "let me"),
    ("u", "you"),
    ("ur", "your"),
    ("r", "are"),
    ("pls", "please"),
    ("plz", "please"),
    ("plse", "please"),
    ("teh", "the"),
    ("hte", "the"),
    ("waht", "what"),
    ("wat", "what"),
];

impl Heard {
    /// Cuts one sentence into words.
    pub(super) fn new(sentence: &str) -> Self {
        let text = squeezed(sentence);
        let mut words = Vec::new();
        let mut from = 0;
        for piece in text.split(' ') {
            let start = from;
            from += piece.len() + 1;
            let (plain, start, end) = bare(piece, start);
            if plain.is_empty() {
                continue;
            }
            match SPREAD.iter().find(|(short, _)| *short == plain) {
                Some((_, long)) => words.extend(long.split(' ').map(|part| Word {
                    plain: part.to_owned(),
                    start,
                    end,
                })),
                None => words.push(Word { plain, start, end }),
            }
        }
        Self { text, words }
    }

    /// The words.
    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The words from one place to another as a sentence of their own.
    pub(super) fn cut(&self, from: usize, to: usize) -> Self {
        let end = self
            .words
            .get(to)
            .map_or(self.text.len(), |next| next.start);
        Self {
            text: self
                .text
                .get(..end)
                .unwrap_or(&self.text)
                .trim_end()
                .to_owned(),
            words: self.words.get(from..to).unwrap_or(&[]).to_vec(),
        }
    }

    /// The text from one word up to, not including, another; as it was typed.
    pub(super) fn slice(&self, from: usize, to: usize) -> &str {
        let (Some(first), Some(last)) = (
            self.words.get(from),
            to.checked_sub(1).and_then(|index| self.words.get(index)),
        ) else {
            return "";
        };
        // Quotation marks and brackets that belong to the first or last word come along with it.
        let end = self
            .words
            .get(to)
            .map_or(self.text.len(), |next| next.start);
        let head = self.text.get(..first.start).unwrap_or("");
        let opened = head.len()
            - head
                .trim_end_matches(['"', '“', '(', '[', '\'', '‘', '«'])
                .len();
        let start = first.start - opened;
        let end = end.max(last.end);
        self.text.get(start..end).map_or("", |slice| {
            slice.trim_end_matches(['“', '«', '(', '[', ' ']).trim()
        })
    }

    /// Whether a word stands at a place.
    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        self.words.get(at).is_some_and(|found| found.plain == word)
    }

    /// Whether any of these words stands at a place.
    pub(super) fn is_any(&self, at: usize, words: &[&str]) -> bool {
        self.words
            .get(at)
            .is_some_and(|found| words.contains(&found.plain.as_str()))
    }

    /// Hears "showing" at a place as "show", as after "would you mind".
    pub(super) fn ungerund(&mut self, at: usize) {
        if let Some(word) = self.words.get_mut(at)
            && let Some(stem) = word.plain.strip_suffix("ing")
            && stem.len() > 2
        {
            word.plain = match stem {
                "locat" | "circl" | "describ" | "indicat" | "outlin" => format!("{stem}e"),
                "putt" | "spott" | "tagg" => stem.get(..stem.len() - 1).unwrap_or(stem).to_owned(),
                _ => stem.to_owned(),
            };
        }
    }

    /// Where a pattern that stands at `at` ends, the longest way it can be read.
    ///
    /// A pattern is words in a row: `a|b` stands for either, a trailing `?` for a word that may be
    /// missing. Words after ` > ` must follow but are not counted in.
    pub(super) fn opens(&self, at: usize, pattern: &str) -> Option<usize> {
        let (pattern, next) = pattern.split_once(" > ").unwrap_or((pattern, ""));
        let parts: Vec<&str> = pattern.split(' ').collect();
        let end = self.matched(at, &parts)?;
        (next.is_empty() || self.opens(end, next).is_some()).then_some(end)
    }

    /// Whether a pattern takes up everything from `at` up to `to`.
    pub(super) fn whole(&self, at: usize, to: usize, pattern: &str) -> bool {
        let parts: Vec<&str> = pattern.split(' ').collect();
        self.filled(at, to, &parts)
    }

    fn matched(&self, at: usize, parts: &[&str]) -> Option<usize> {
        let Some((part, rest)) = parts.split_first() else {
            return Some(at);
        };
        let (part, optional) = optional(part);
        let taken = self
            .words
            .get(at)
            .filter(|word| part.split('|').any(|choice| like(&word.plain, choice)))
            .and_then(|_| self.matched(at + 1, rest));
        match taken {
            Some(end) => Some(end),
            None if optional => self.matched(at, rest),
            None => None,
        }
    }

    fn filled(&self, at: usize, to: usize, parts: &[&str]) -> bool {
        let Some((part, rest)) = parts.split_first() else {
            return at == to;
        };
        let (part, optional) = optional(part);
        let taken = at < to
            && self
                .words
                .get(at)
                .is_some_and(|word| part.split('|').any(|choice| like(&word.plain, choice)))
            && self.filled(at + 1, to, rest);
        taken || (optional && self.filled(at, to, rest))
    }
}

fn optional(part: &str) -> (&str, bool) {
    part.strip_suffix('?')
        .map_or((part, false), |part| (part, true))
}

/// Spaces of every kind become one, control characters go, apostrophes become plain.
pub(super) fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4 * MOST_CHARS));
    let mut gap = false;
    for letter in text.chars() {
        if letter.is_whitespace()
            || letter.is_control()
            || matches!(letter, '\u{200b}' | '\u{feff}')
        {
            gap = true;
            continue;
        }
        // Marks of the direction of writing come in pairs; a quotation may hold but one of them.
        if matches!(letter, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            continue;
        }
        if gap && !out.is_empty() {
            out.push(' ');
        }
        gap = false;
        out.push(match letter {
            '’' | '´' | '`' => '\'',
            other => other,
        });
    }
    out
}

/// A word without the punctuation around it, and where that is.
fn bare(piece: &str, start: usize) -> (String, usize, usize) {
    let keep = |letter: char| letter.is_alphanumeric() || "+#%&@/\\$€£*=<>×÷−°^~|".contains(letter);
    let head = piece.len() - piece.trim_start_matches(|letter| !keep(letter)).len();
    let body = piece
        .get(head..)
        .unwrap_or("")
        .trim_end_matches(|letter| !keep(letter));
    (body.to_lowercase(), start + head, start + head + body.len())
}

/// Words that look like a slip in a word of the rules but are words of their own.
const OWN_WORDS: &[&str] = &[
    "here", "how", "red", "hat", "net", "fin", "pint", "lear", "ark", "mar", "wit", "tap", "ring",
    "her", "hose", "were", "wheel", "there", "these", "bar", "rad", "had", "mak", "ext", "nest",
    "text", "print", "paint", "form", "from", "on", "no", "cont", "want", "went", "ware", "war",
    "sow", "shoe", "hack", "lack", "lose", "loose", "nay", "clean", "mart", "men", "man", "ever",
    "very", "bow", "own", "low", "now", "two", "tow", "won", "lace", "pace", "cleat", "wheat",
    "reed", "reads", "finds", "shows", "marks", "points", "wears", "waits", "loads", "locates",
    "clears",
];

/// Whether a word is one of the rules' words, allowing a slip: two letters swapped, one left out, one
/// typed twice; in long words one wrong letter.
pub(super) fn like(word: &str, wanted: &str) -> bool {
    if word == wanted {
        return true;
    }
    let length = wanted.chars().count();
    if length < 4 || OWN_WORDS.contains(&word) || !word.is_ascii() || !wanted.is_ascii() {
        return false;
    }
    let (word, wanted) = (word.as_bytes(), wanted.as_bytes());
    let same = word.iter().zip(wanted).take_while(|(a, b)| a == b).count();
    let tail_of = |skip_word: usize, skip_wanted: usize| {
        word.get(same + skip_word..).is_some()
            && word.get(same + skip_word..) == wanted.get(same + skip_wanted..)
    };
    let swapped = word.len() == wanted.len()
        && word.get(same) == wanted.get(same + 1)
        && word.get(same + 1) == wanted.get(same)
        && word.get(same + 1).is_some()
        && tail_of(2, 2);
    let left_out = word.len() + 1 == wanted.len() && length >= 5 && same > 0 && tail_of(0, 1);
    let twice = word.len() == wanted.len() + 1
        && same > 0
        && word.get(same) == word.get(same - 1)
        && tail_of(1, 0);
    let wrong = length >= 6 && word.len() == wanted.len() && same > 0 && tail_of(1, 1);
    swapped || left_out || twice || wrong
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "tests may"
    )]

    use super::*;

    fn plain(text: &str) -> Vec<String> {
        Heard::new(text)
            .words()
            .iter()
            .map(|word| word.plain.clone())
            .collect()
    }

    #[test]
    fn contractions_are_spread_with_and_without_the_apostrophe() {
        for text in ["Where's it?", "where’s it", "WHERES IT"] {
            assert_eq!(plain(text), ["where", "is", "it"], "{text}");
        }
    }

    #[test]
    fn what_was_named_keeps_its_letters() {
        let heard = Heard::new("find  the “Save As…” button, (please)!");
        assert_eq!(heard.slice(1, 5), "the “Save As…” button,");
        assert_eq!(heard.slice(2, 4), "“Save As…”");
        assert_eq!(heard.slice(4, 9), "");
        assert_eq!(Heard::new("put a box around C++ please").slice(4, 5), "C++");
    }

    #[test]
    fn slips_are_forgiven_and_other_words_are_not_bent() {
        for (word, wanted) in [
            ("whre", "where"),
            ("wehre", "where"),
            ("shwo", "show"),
            ("fnid", "find"),
            ("higlight", "highlight"),
            ("discribe", "describe"),
            ("clera", "clear"),
            ("pointt", "point"),
        ] {
            assert!(like(word, wanted), "{word}");
        }
        for (word, wanted) in [
            ("here", "where"),
            ("there", "where"),
            ("red", "read"),
            ("print", "point"),
            ("text", "next"),
            ("how", "show"),
            ("clean", "clear"),
            ("mask", "mark"),
            ("kind", "find"),
            ("that", "what"),
            ("slow", "show"),
        ] {
            assert!(!like(word, wanted), "{word}");
        }
    }

    #[test]
    fn patterns_take_choices_and_words_that_may_be_missing() {
        let heard = Heard::new("where can i find the bin");
        assert_eq!(heard.opens(0, "where do|can|could i|we find?"), Some(4));
        assert_eq!(heard.opens(0, "where do|can|could i|we look?"), Some(3));
        assert!(heard.whole(0, 3, "where can i now?"));
        assert!(!heard.whole(0, 4, "where can i now?"));
    }
}
