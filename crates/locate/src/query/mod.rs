//! What a person named, as a question that can be compared with what stands in a picture.
//!
//! Words get weights: "the" has none, "click" a little, "Save" all. The kind of thing ("the Save *button*"),
//! its colour, shape and place among several are taken out of the words. What stands in quotation marks
//! is meant letter by letter.

mod entering;
mod place;
mod weigh;
mod words;

use crate::{colour::Colour, shape::Shape};

pub(crate) use place::Place;
pub(crate) use weigh::{NOT, particle};
pub(crate) use words::{Words, plain};

/// What sort of thing was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Button,
    Field,
    Check,
    Menu,
    Tab,
    Icon,
    Link,
    /// A part of a device that bears a label: key, knob, lamp, port.
    Part,
}

impl Kind {
    fn called(name: &str) -> Option<Self> {
        Some(match name {
            "button" => Self::Button,
            "field" => Self::Field,
            "check" => Self::Check,
            "menu" => Self::Menu,
            "tab" => Self::Tab,
            "icon" => Self::Icon,
            "link" => Self::Link,
            "part" => Self::Part,
            _ => return None,
        })
    }
}

/// One word that names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    /// As it was said.
    pub(crate) word: String,
    /// How much it must be there, 0 to 1.
    pub(crate) weight: f32,
    /// What it is compared by.
    pub(crate) token: Token,
}

/// A word as it is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Token {
    /// Lower case, letters and digits; a number word in digits.
    pub(crate) plain: String,
    /// Without endings.
    pub(crate) stem: String,
    /// Groups of words that name the same.
    pub(crate) groups: Vec<u16>,
    /// Its digits, where it has some: they must be the same.
    pub(crate) digits: String,
    /// It may be shortened: capitals throughout, as on a panel.
    pub(crate) short: bool,
    /// Stems of its parts, where it has some: "README.md".
    pub(crate) parts: Vec<String>,
}

/// A question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Query {
    /// What was said, without the way of asking: for comparing by meaning.
    pub(crate) said: String,
    /// The same without kind, colour and place.
    pub(crate) name: String,
    /// The words of the name.
    pub(crate) terms: Vec<Term>,
    /// In quotation marks: must stand there as it is.
    pub(crate) exact: Option<String>,
    /// What sort of thing.
    pub(crate) kind: Option<Kind>,
    /// The word that said the sort: "knob".
    pub(crate) noun: Option<String>,
    /// A colour it has.
    pub(crate) colour: Option<Colour>,
    /// A shape it has.
    pub(crate) shape: Option<Shape>,
    /// Where among several.
    pub(crate) place: Place,
    /// A single sign that was called by name: "the hash key".
    pub(crate) sign: Option<char>,
    /// A word of a text is looked for: "the word …", "where does it say …".
    pub(crate) wording: bool,
    /// A place with a number is to be gone to: "take me to page 7".
    pub(crate) travel: bool,
    /// It is called by its name: there is a capital inside the phrase.
    pub(crate) named: bool,
    /// It is about a part of something ("the cat's nose"), and this is the whole ("cat").
    pub(crate) whole: Option<String>,
}

/// Longest phrase that is looked at, in characters: more is no name.
const LONGEST: usize = 300;
/// Words of who looks for words.
const WORDING: &[&str] = &[
    "word",
    "words",
    "sentence",
    "say",
    "says",
    "written",
    "mention",
    "mentions",
    "mentioned",
    "paragraph",
    "read",
    "reads",
];
/// Words that end the first noun and begin what it is about.
const JOINTS: &[&str] = &[
    "for", "of", "to", "that", "which", "with", "where", "named", "called", "labelled", "labeled",
    "saying", "says", "is", "has", "on", "in", "marked", "from", "about", "reading",
];

impl Query {
    /// Understands a phrase: "the Save button", or a whole question around it.
    pub(crate) fn of(phrase: &str) -> Self {
        let phrase: String = phrase.chars().take(LONGEST).collect();
        let words = Words::get();
        let mut query = Self {
            exact: quoted(&phrase),
            ..Self::default()
        };
        let spoken = split(&phrase);
        query.named = weigh::named(&spoken);
        query.wording = spoken
            .iter()
            .any(|w| WORDING.contains(&w.to_lowercase().as_str()));
        let (mut spoken, opening) = opened(spoken, words);
        query.said = spoken.join(" ");
        query.whole = whole(&spoken);
        query.place = place::taken(&mut spoken);
        if query.wording && spoken.len() > 1 {
            // "the word …" is about what follows.
            spoken.retain(|w| !["word", "words", "sentence"].contains(&w.to_lowercase().as_str()));
        }
        query.kind_of(&mut spoken, opening.which, words);
        if query.kind.is_none() && opening.place && entering::verb(&spoken, words).is_some() {
            query.kind = Some(Kind::Field);
        }
        if query.kind == Some(Kind::Field) {
            entering::without_verb(&mut spoken, words);
        }
        if let Some(exact) = &query.exact {
            spoken = split(exact);
        }
        query.looks(&mut spoken);
        query.name = spoken.join(" ");
        let initial = !opening.asked;
        query.terms = weigh::terms(&spoken, query.exact.is_some(), initial, &query.place, words);
        if query.kind == Some(Kind::Field) && query.exact.is_none() {
            entering::aim_first(&mut query.terms);
        }
        query.travel = opening.travel && query.terms.iter().any(|t| !t.token.digits.is_empty());
        query.sign = sign(&spoken, words);
        query
    }

    /// Whether only its own letters will do: quoted, with digits, a file's name.
    pub(crate) fn is_literal(&self) -> bool {
        let exact = |t: &Term| {
            t.weight > 0.0
                && (!t.token.digits.is_empty() || !t.token.parts.is_empty() && t.word.contains('.'))
        };
        self.exact.is_some() || self.sign.is_some() || self.terms.iter().any(exact)
    }

    /// How much the terms weigh together.
    pub(crate) fn weight(&self) -> f32 {
        self.terms.iter().map(|t| t.weight).sum()
    }

    /// Takes the noun of kind out of the words: "Save *button*", "*button* for a new tab".
    fn kind_of(&mut self, spoken: &mut Vec<String>, which: bool, words: &Words) {
        let lower: Vec<String> = spoken.iter().map(|w| plain(w)).collect();
        let head = lower
            .iter()
            .enumerate()
            .position(|(at, w)| at > 0 && JOINTS.contains(&w.as_str()))
            .unwrap_or(lower.len());
        let at_end = |noun: &[String], end: usize| {
            end >= noun.len() && lower[end - noun.len()..end] == *noun
        };
        let found = [head, lower.len()].into_iter().find_map(|end| {
            let (noun, kind) = words.kinds.iter().find(|(noun, _)| at_end(noun, end))?;
            Some((end - noun.len()..end, *kind))
        });
        // "which key confirms the code": the noun stands first.
        let first = lower
            .iter()
            .position(|w| w != "the" && w != "a")
            .unwrap_or(0);
        let found = found.or_else(|| {
            let (noun, kind) = words
                .kinds
                .iter()
                .find(|(noun, _)| lower[first..].starts_with(noun))?;
            let stands_first = which && *kind != Kind::Menu
                || matches!(kind, Kind::Check | Kind::Field | Kind::Button | Kind::Link);
            (stands_first && lower.len() > first + noun.len())
                .then_some((first..first + noun.len(), *kind))
        });
        let Some((mut range, kind)) = found else {
            return;
        };
        // "the search box": its first word says what it is for.
        if range.len() > 1 && words.field_aims.contains(&lower[range.start]) {
            range.start += 1;
        }
        // "Tabs": a name of one word is a name and no kind.
        let others = lower
            .iter()
            .enumerate()
            .any(|(at, w)| !range.contains(&at) && !words.silent.contains(w));
        if !others {
            return;
        }
        self.kind = Some(kind);
        self.noun = Some(lower[range.clone()].join(" "));
        spoken.drain(range);
    }

    /// Colours and shapes; they leave the words where something else names the thing.
    fn looks(&mut self, spoken: &mut Vec<String>) {
        if self.exact.is_some() {
            return;
        }
        for at in (0..spoken.len()).rev() {
            let word = spoken[at]
                .trim_matches(|c: char| !c.is_alphanumeric())
                .to_lowercase();
            // A capital inside a phrase is a name: "the Red Hat menu".
            let name = at > 0 && spoken[at].starts_with(char::is_uppercase);
            if name {
                continue;
            }
            if let Some(colour) = Colour::named(&word) {
                self.colour = Some(colour);
                spoken.remove(at);
            } else if let Some(shape) = Shape::named(&word) {
                self.shape = Some(shape);
                spoken.remove(at);
            }
        }
    }
}

/// Words of a text as tokens, with the weights that a label's words have.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let spoken: Vec<String> = split(text);
    made(&spoken, Words::get())
}

fn made(spoken: &[String], words: &Words) -> Vec<Token> {
    let plains: Vec<String> = spoken.iter().map(|w| plain(w)).collect();
    let stems: Vec<String> = plains.iter().map(|w| words.stem(w)).collect();
    let groups = words.groups(&stems);
    let made = plains.into_iter().zip(stems).zip(groups).zip(spoken);
    made.map(|(((plain, stem), groups), word)| {
        let plain = words.digits(&plain).map_or(plain, str::to_owned);
        let digits = plain.chars().filter(char::is_ascii_digit).collect();
        let parts: Vec<String> = word
            .split(|c: char| !c.is_alphanumeric())
            .filter(|p| p.chars().count() > 1)
            .map(|p| words.stem(&self::plain(p)))
            .collect();
        let parts = if parts.len() > 1 { parts } else { Vec::new() };
        let short = word.chars().count() >= 3 && word.chars().all(char::is_uppercase);
        Token {
            plain,
            stem,
            groups,
            digits,
            parts,
            short,
        }
    })
    .collect()
}

/// What stands between quotation marks.
fn quoted(phrase: &str) -> Option<String> {
    for (open, close) in [
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('‘', '’'),
        ('\'', '\''),
        ('`', '`'),
    ] {
        let Some(start) = phrase.find(open) else {
            continue;
        };
        // An apostrophe is no quotation mark.
        if start > 0 && phrase[..start].ends_with(char::is_alphanumeric) {
            continue;
        }
        let inside = &phrase[start + open.len_utf8()..];
        if let Some(end) = inside
            .rfind(close)
            .filter(|end| !inside[..*end].trim().is_empty())
        {
            return Some(inside[..end].trim().to_owned());
        }
    }
    None
}

/// Words, without the marks around them. Signs that stand alone stay.
pub(crate) fn split(text: &str) -> Vec<String> {
    let apart = |c: char| c.is_whitespace() || "_/|()[]{}\",;:!?“”«»".contains(c);
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let before = words.len();
        for part in piece.split(apart) {
            let bare = part.trim_matches(|c: char| !c.is_alphanumeric());
            if !bare.is_empty() {
                // A sign before a number belongs to it: "-1".
                let minus = part
                    .strip_prefix('-')
                    .is_some_and(|r| r == bare && r.bytes().all(|b| b.is_ascii_digit()));
                words.push(if minus {
                    part.to_owned()
                } else {
                    bare.to_owned()
                });
            }
        }
        let sign = piece.trim_end_matches(['.', ',', ';', ':', '?', '!']);
        let sign = if sign.is_empty() { piece } else { sign };
        if words.len() == before
            && !["–", "—", "-", "\"", "“", "”", "'", "|"].contains(&sign)
            && sign.chars().count() <= 3
        {
            words.push(sign.to_owned());
        }
    }
    words
}

/// How it was asked.
#[derive(Clone, Copy, Default)]
struct Opening {
    /// There was a way of asking at all.
    asked: bool,
    /// "which …"
    which: bool,
    /// "take me to …"
    travel: bool,
    /// "where …"
    place: bool,
}

/// Without the way of asking.
fn opened(mut spoken: Vec<String>, words: &Words) -> (Vec<String>, Opening) {
    let mut opening = Opening::default();
    loop {
        let lower: Vec<String> = spoken.iter().map(|w| plain(w)).collect();
        // "Find and Replace" is a name; "find the button" is not.
        let name = |ask: &[String]| {
            let single = ["find", "mark", "highlight", "point", "locate"];
            let article = ["the", "a", "an", "my", "me"];
            ask.len() == 1
                && single.contains(&ask[0].as_str())
                && (opening.asked || !article.contains(&lower[1].as_str()))
        };
        let front = words
            .asks
            .iter()
            .find(|ask| lower.starts_with(ask) && lower.len() > ask.len() && !name(ask));
        let Some(ask) = front else {
            let travel = ["go to", "jump to", "scroll to"];
            opening.travel |= lower.len() > 2 && travel.contains(&lower[..2].join(" ").as_str());
            return (spoken, opening);
        };
        opening.asked = true;
        opening.which |= ["which", "what"].contains(&ask[0].as_str());
        opening.place |= ask.iter().any(|w| w == "where")
            && !ask
                .last()
                .is_some_and(|w| ["is", "are", "was"].contains(&w.as_str()));
        opening.travel |= ask.last().is_some_and(|w| w == "to")
            && ask.len() == 3
            && ask[1] == "me"
            && ask[0] != "point";
        spoken.drain(..ask.len());
    }
}

/// "the cat's nose" is about a part of a cat.
fn whole(spoken: &[String]) -> Option<String> {
    let (at, owner) = spoken.iter().enumerate().find_map(|(at, w)| {
        let owner = w.strip_suffix("'s").or_else(|| w.strip_suffix("’s"))?;
        Some((at, owner.to_lowercase()))
    })?;
    (at + 1 < spoken.len()).then_some(owner)
}

/// A sign called by its name, where the name is all that was said.
fn sign(spoken: &[String], words: &Words) -> Option<char> {
    let name: Vec<String> = spoken
        .iter()
        .map(|w| plain(w))
        .filter(|w| !words.silent.contains(w))
        .collect();
    words.sign(&name.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heavy(query: &Query) -> Vec<&str> {
        query
            .terms
            .iter()
            .filter(|t| t.weight >= 0.5)
            .map(|t| t.word.as_str())
            .collect()
    }

    #[test]
    fn the_way_of_asking_and_the_kind_are_no_part_of_the_name() {
        for (phrase, kind, name) in [
            ("the Save button", Some(Kind::Button), &["Save"][..]),
            ("Where is the Save button?", Some(Kind::Button), &["Save"]),
            (
                "can you please show me the button for a new account",
                Some(Kind::Button),
                &["new", "account"],
            ),
            ("the Tabs menu", Some(Kind::Menu), &["Tabs"]),
            ("Which knob sets the speed?", Some(Kind::Part), &["speed"]),
            ("Which field is for the city?", Some(Kind::Field), &["city"]),
            ("Where do I type the city?", Some(Kind::Field), &["city"]),
            ("the tab of report.odt", Some(Kind::Tab), &["report.odt"]),
            ("find the Find button", Some(Kind::Button), &["Find"]),
            ("Find and Replace", None, &["Find", "Replace"]),
            ("Open", None, &["Open"]),
            ("click it", None, &["click"]),
        ] {
            let query = Query::of(phrase);
            assert_eq!(
                (query.kind, heavy(&query).as_slice()),
                (kind, name),
                "{phrase}: {query:?}"
            );
        }
    }

    #[test]
    fn quotation_marks_are_taken_letter_by_letter() {
        let query = Query::of("Where is \"Show the button\"?");
        assert_eq!(query.exact.as_deref(), Some("Show the button"));
        assert_eq!(heavy(&query), ["Show", "the", "button"]);
        assert_eq!(Query::of("the cat's nose").exact, None);
    }

    #[test]
    fn colours_shapes_and_signs_are_heard() {
        let query = Query::of("the red button");
        assert_eq!(
            (query.colour, query.kind),
            (Some(Colour::Red), Some(Kind::Button))
        );
        assert!(query.terms.iter().all(|t| t.word == "the"));
        assert_eq!(Query::of("the Red Hat menu").terms.len(), 3);
        assert_eq!(Query::of("the hash key").sign, Some('#'));
        assert_eq!(Query::of("the cat's nose").whole.as_deref(), Some("cat"));
    }

    #[test]
    fn numbers_count_in_words_and_digits() {
        let query = Query::of("five minutes");
        assert_eq!(query.terms[0].token.digits, "5");
        assert_eq!(tokens("LAN3")[0].digits, "3");
    }

    #[test]
    fn nothing_at_all_is_no_question_and_no_panic() {
        for phrase in [
            "",
            "   ",
            "?",
            "the",
            "\"\"",
            "where is",
            "'s",
            "🦀",
            "the the button of of",
        ] {
            let query = Query::of(phrase);
            assert!(query.weight().is_finite());
        }
    }

    proptest::proptest! {
        #[test]
        fn any_phrase_is_understood_without_a_panic(phrase in ".{0,80}") {
            let _ = Query::of(&phrase);
        }

        #[test]
        fn any_order_of_known_words_is_understood(words in proptest::collection::vec(
            proptest::sample::select(vec!["where", "is", "the", "on", "left", "side", "of", "button", "red", "two", "Save", "second", "key", "'s", "\""]), 0..10)
        ) {
            let _ = Query::of(&words.join(" "));
        }
    }
}
