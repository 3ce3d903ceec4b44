//! What a person wants, by rules.
//!
//! The one way in is [`understand`]. It sees only what the person typed; nothing that was read in a
//! picture ever comes here.

use super::heard::Heard;
use super::intent::{But, Find, Form, Intent, Manner, Part, Situation, Unable};
use super::openings::{self, Opening};
use super::sentences::sentences;
use super::wishes::{action, bare, capped, thing};
use super::{beside, beyond, naming, polite, questions, reading_words, verbs, which, whole};

/// More words than a name or a plain wish has.
pub(super) const MOST_WORDS: usize = 25;
/// More letters than a name has; what is longer is cut before it is looked for.
pub(super) const MOST_NAMED: usize = 200;

/// How plainly a sentence says what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Empty,
    Social,
    Statement,
    Bare,
    Wanted,
    Plain,
}

/// Wishes that are answered in one turn.
const MOST_WISHES: usize = 3;

/// Understands a turn: every sentence that says plainly what is wanted, or else the one that says so
/// most. Never empty.
pub(super) fn understand_all(text: &str, situation: Situation) -> Vec<Intent> {
    let mut plain = Vec::new();
    let mut best = (Weight::Empty, Intent::Nothing);
    for sentence in sentences(text) {
        for part in parts(&sentence, situation) {
            let (weight, intent) = sentence_means(&part, situation);
            if weight == Weight::Plain && plain.len() < MOST_WISHES && !plain.contains(&intent) {
                plain.push(intent.clone());
            }
            if weight > best.0 {
                best = (weight, intent);
            }
        }
    }
    if plain.is_empty() {
        vec![best.1]
    } else {
        plain
    }
}

/// A sentence cut where a second wish begins: "find the cup and read the label".
fn parts(sentence: &str, situation: Situation) -> Vec<String> {
    let heard = Heard::new(sentence);
    for at in 1..heard.len().min(MOST_WORDS) {
        let Some(end) = heard.opens(at, "and|then also|then?") else {
            continue;
        };
        let begins = heard.is_any(
            end,
            &[
                "where",
                "what",
                "how",
                "which",
                "read",
                "show",
                "find",
                "point",
                "tell",
                "mark",
                "highlight",
                "describe",
                "count",
            ],
        );
        if !begins || heard.slice(0, at).matches(['"', '“', '”']).count() % 2 == 1 {
            continue;
        }
        let halves = [
            heard.slice(0, at).to_owned(),
            heard.slice(end, heard.len()).to_owned(),
        ];
        if halves
            .iter()
            .all(|half| sentence_means(half, situation).0 == Weight::Plain)
        {
            return halves.to_vec();
        }
    }
    vec![sentence.to_owned()]
}

/// Whether a text says so plainly what is wanted that it cannot be an answer to something else.
pub(super) fn is_plain(text: &str, situation: Situation) -> bool {
    sentences(text)
        .iter()
        .any(|sentence| sentence_means(sentence, situation).0 == Weight::Plain)
}

fn sentence_means(sentence: &str, situation: Situation) -> (Weight, Intent) {
    let mut heard = Heard::new(sentence);
    let all = heard.len();
    if all == 0 {
        return (Weight::Empty, Intent::Nothing);
    }
    if let Some(intent) = whole::whole(&heard, 0, all, situation) {
        return (weight_of(&intent), intent);
    }
    let (from, to) = polite::polite(&mut heard);
    if from >= to {
        return (Weight::Social, Intent::Fine);
    }
    if (from, to) != (0, all)
        && let Some(intent) = whole::whole(&heard, from, to, situation)
    {
        return (weight_of(&intent), intent);
    }
    wish(&heard.cut(from, to), situation, 0)
}

fn weight_of(intent: &Intent) -> Weight {
    match intent {
        Intent::Hello | Intent::Thanks | Intent::Fine | Intent::Bye => Weight::Social,
        Intent::Unable(_) | Intent::Yes | Intent::No => Weight::Statement,
        Intent::Either(..) => Weight::Bare,
        _ => Weight::Plain,
    }
}

/// Understands a sentence without its polite ends.
fn wish(heard: &Heard, situation: Situation, depth: u8) -> (Weight, Intent) {
    if beyond::arithmetic(heard) || beyond::translation(heard) {
        return (Weight::Statement, Intent::Unable(Unable::Know));
    }
    // "everything but Save" is not Save, and no list of the others.
    let leaves_out = (0..heard.len().min(MOST_WORDS)).any(|at| {
        heard
            .opens(at, "everything|anything|all but|except for?")
            .is_some_and(|end| end < heard.len())
    });
    if leaves_out {
        return (Weight::Statement, Intent::Unable(Unable::Understand));
    }
    if let Some(intent) = beside::asked(heard) {
        return (Weight::Plain, intent);
    }
    if heard.len() > 2
        && heard.opens(0, "not the").is_some()
        && heard.is_any(heard.len() - 1, &["one", "ones"])
    {
        return (Weight::Plain, Intent::NotThat);
    }
    // "the bin, where is it?"
    for tail in [
        "where is|are it|that|he|she|they|this|those",
        "where do i find it|them",
        "where",
    ] {
        for length in 1..=tail.split(' ').count() {
            if length < heard.len()
                && heard.whole(heard.len() - length, heard.len(), tail)
                && !heard.is_any(0, &["show", "tell", "do"])
            {
                return thing(heard.slice(0, heard.len() - length), Manner::Any);
            }
        }
    }
    if let Some((opening, end)) = openings::opening(heard, 0)
        && let Some(found) = opened(heard, opening, end, situation, depth)
    {
        return found;
    }
    // A question after a lead-in: "in this program, how do I print?"
    if depth < 2 {
        for at in 1..heard.len().min(MOST_WORDS) {
            let asks = [
                "where is|are|was|do|can|could|should",
                "how do|can|could i|you|we|one",
                "show me",
                "point at|to",
                "which",
                "what does",
                "what is",
                "how many",
                "can|do you see",
            ]
            .iter()
            .any(|pattern| heard.opens(at, pattern).is_some());
            if asks {
                let rest = Heard::new(heard.slice(at, heard.len()));
                let found = wish(&rest, situation, depth + 1);
                if found.0 >= Weight::Wanted {
                    return found;
                }
            }
        }
    }
    bare(heard)
}

/// What a beginning and the rest of its sentence mean; none where the beginning is but a name.
fn opened(
    heard: &Heard,
    opening: Opening,
    end: usize,
    situation: Situation,
    depth: u8,
) -> Option<(Weight, Intent)> {
    let all = heard.len();
    let rest = heard.slice(end, all);
    let empty = end >= all;
    let first = heard.words().first().map_or("", |word| word.plain.as_str());
    let plain = |intent: Intent| Some((Weight::Plain, intent));
    match opening {
        Opening::Thing => {
            if empty && all == 1 && !matches!(first, "where" | "whereabouts") {
                return None;
            }
            if first == "find"
                && heard.is_any(1, &["and", "next", "previous", "in", "again", "all"])
                && !heard.is_any(2, &["the", "of", "my"])
            {
                return None;
            }
            Some(thing(&naming::clause(rest), Manner::Any))
        }
        Opening::Clause => Some(thing(&naming::clause(rest), Manner::Any)),
        Opening::Lost => {
            let mut found = Find::new(&naming::tidy(rest), Form::Thing);
            found.many = naming::several(rest);
            plain(Intent::Find(found))
        }
        Opening::Action => {
            if empty {
                return plain(Intent::Help);
            }
            let rest = Heard::new(rest);
            let place = (0..end).any(|at| heard.is_any(at, &["where", "whereabouts"]));
            if place && let Some(question) = verbs::field_question(&rest, 0) {
                return plain(Intent::Find(Find::new(&capped(&question), Form::Thing)));
            }
            // "help me find …", "I want to know where …", "how do I get to …"
            if depth < 2
                && let Some((inner, inner_end)) = openings::opening(&rest, 0)
                && !matches!(
                    inner,
                    Opening::Statement
                        | Opening::Judge
                        | Opening::Act
                        | Opening::Type
                        | Opening::Drag
                        | Opening::Follow
                        | Opening::Exists
                        | Opening::Says
                )
                && let Some(found) = opened(&rest, inner, inner_end, situation, depth + 1)
            {
                return Some(found);
            }
            let skip = rest
                .opens(0, "with|to|be able? to?")
                .filter(|end| *end < rest.len())
                .unwrap_or(0);
            let (_, intent) = action(rest.slice(skip, rest.len()), None);
            // What someone is about is told before the question proper.
            let weight = if matches!(first, "i" | "we" | "trying") {
                Weight::Wanted
            } else {
                Weight::Plain
            };
            Some((weight, intent))
        }
        Opening::PointAt | Opening::BoxAround | Opening::Mark => {
            if empty && all == 1 {
                return None;
            }
            if heard
                .words()
                .iter()
                .skip(end)
                .any(|word| word.plain == "as")
                || first == "mark" && heard.is_any(1, &["down", "up"]) && all == 2
            {
                return None;
            }
            let manner = match opening {
                Opening::PointAt => Manner::Point,
                Opening::BoxAround => Manner::Box,
                _ => Manner::Any,
            };
            Some(thing(&naming::clause(rest), manner))
        }
        Opening::Which => plain(which::which(heard, end)),
        Opening::Act => {
            if empty
                || (end + 1 == all
                    && heard.is_any(end, &["count", "counter", "rate", "up", "down"]))
            {
                return None;
            }
            let mut found = Find::new(&naming::tidy(&verbs::before_purpose(rest)), Form::Thing);
            found.but = Some(But::Act);
            plain(Intent::Find(found))
        }
        Opening::Type => {
            let goal = (end + 1..all)
                .rev()
                .find(|at| heard.is_any(*at, &["in", "into", "to", "on", "inside"]));
            match goal {
                Some(at) if at + 1 < all => {
                    let mut found = Find::new(&naming::tidy(heard.slice(at + 1, all)), Form::Thing);
                    found.but = Some(But::Act);
                    plain(Intent::Find(found))
                }
                _ if first == "type" && all > 1 => plain(Intent::Unable(Unable::Act)),
                _ => None,
            }
        }
        Opening::Drag => {
            let upto = (end..all)
                .find(|at| heard.is_any(*at, &["to", "onto", "into", "over"]) && *at > end)
                .unwrap_or(all);
            let mut found = Find::new(&naming::tidy(heard.slice(end, upto)), Form::Thing);
            found.but = Some(But::Act);
            plain(Intent::Find(found))
        }
        Opening::Exists => questions::exists(rest, empty),
        Opening::Judge if heard.is(1, "not") => None,
        Opening::Judge => Some(questions::judge(rest, first)),
        Opening::Count => {
            if empty || (first == "count" && heard.is_any(1, &["down", "up", "from"])) {
                return None;
            }
            plain(questions::count(rest))
        }
        Opening::When => plain(reading_words::when(rest)),
        Opening::Value => plain(reading_words::value(rest, first == "how")),
        Opening::Read => reading_words::read(heard, end).map(|read| (Weight::Plain, read)),
        Opening::Says => Some((Weight::Plain, reading_words::says(rest))),
        Opening::Written => plain(Intent::Read(reading_words::place(rest))),
        Opening::Describe => {
            if all == 1 && first != "describe" && first != "summarise" && first != "summarize" {
                return None;
            }
            plain(questions::describe(rest, first))
        }
        Opening::What => plain(match reading_words::side_in(rest) {
            Some(side) => Intent::Describe(Part::Side(side)),
            None if heard.is_any(end, &["made", "worth", "doing", "about", "used"])
                || heard.is_any(all - 1, &["for", "called", "worth"]) =>
            {
                Intent::Unable(Unable::Tell)
            }
            None => Intent::Describe(Part::This),
        }),
        Opening::Does => {
            let mut found = Find::new(&naming::tidy(rest), Form::Thing);
            found.but = Some(But::Explain);
            plain(Intent::Find(found))
        }
        Opening::Another => {
            if empty {
                return plain(Intent::Next);
            }
            plain(Intent::Another(naming::tidy(rest)))
        }
        Opening::Follow => {
            if empty {
                return None;
            }
            let inner = Heard::new(rest);
            if depth < 2 {
                if let Some(intent) = whole::whole(&inner, 0, inner.len(), situation) {
                    return Some((weight_of(&intent), intent));
                }
                let (weight, intent) = wish(&inner, situation, depth + 1);
                // "and undo?" asks the same about something else; "then save it" is the next wish.
                let goes_on = weight == Weight::Bare
                    && first == "then"
                    && matches!(&intent, Intent::Find(find) if find.form == Form::Action);
                if weight >= Weight::Wanted || goes_on {
                    return Some((Weight::Plain, intent));
                }
            }
            plain(Intent::Follow(naming::tidy(rest)))
        }
        Opening::Know => Some((Weight::Statement, Intent::Unable(Unable::Know))),
        Opening::Chat => Some((Weight::Statement, Intent::Unable(Unable::Chat))),
        Opening::Tell => Some((Weight::Statement, Intent::Unable(Unable::Tell))),
        Opening::Statement => {
            // The statement may lead in to a question; if not, it is one.
            let asks = (1..all).any(|at| {
                openings::opening(heard, at).is_some_and(|(inner, _)| {
                    matches!(
                        inner,
                        Opening::Thing | Opening::Which | Opening::Lost | Opening::PointAt
                    )
                }) && heard.is_any(at, &["where", "which", "show", "point", "find"])
            });
            (!asks || depth > 0).then_some((Weight::Statement, Intent::Unable(Unable::Understand)))
        }
    }
}
