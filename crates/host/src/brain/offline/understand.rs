//! What a person wants, by rules.
//!
//! The one way in is [`understand`]. It sees only what the person typed; nothing that was read in a
//! picture ever comes here.

use super::heard::{Heard, sentences};
use super::intent::{But, Find, Form, Intent, Manner, Part, Read, Situation, Target, Unable};
use super::language::is_foreign;
use super::naming;
use super::openings::{OPENINGS, Opening};
use super::{reading_words, verbs, which, whole};

/// More words than a name or a plain wish has.
const MOST_WORDS: usize = 25;
/// More letters than a name has; what is longer is cut before it is looked for.
pub(super) const MOST_NAMED: usize = 200;

/// How plainly a sentence says what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Empty,
    Social,
    Statement,
    Bare,
    Wanted,
    Plain,
}

/// Understands a turn: of its sentences, the first that says most plainly what is wanted.
pub(super) fn understand(text: &str, situation: Situation) -> Intent {
    let mut best = (Weight::Empty, Intent::Nothing);
    for sentence in sentences(text) {
        let (weight, intent) = sentence_means(&sentence, situation);
        if weight > best.0 {
            best = (weight, intent);
        }
    }
    best.1
}

/// Whether a text says so plainly what is wanted that it cannot be an answer to something else.
pub(super) fn is_plain(text: &str, situation: Situation) -> bool {
    sentences(text).iter().any(|sentence| sentence_means(sentence, situation).0 == Weight::Plain)
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
    let (from, to) = polite(&mut heard);
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
    if arithmetic(heard) || translation(heard) {
        return (Weight::Statement, Intent::Unable(Unable::Know));
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
    if let Some((opening, end)) = opening(heard, 0)
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

/// The longest beginning that stands at a place.
fn opening(heard: &Heard, at: usize) -> Option<(Opening, usize)> {
    let mut best: Option<(Opening, usize, usize)> = None;
    for (pattern, opening) in OPENINGS {
        let Some(end) = heard.opens(at, pattern) else {
            continue;
        };
        // Words looked ahead at make a beginning more telling without belonging to it.
        let told = end + usize::from(pattern.contains(" > "));
        if best.is_none_or(|(_, _, most)| told > most) {
            best = Some((*opening, end, told));
        }
    }
    best.map(|(opening, end, _)| (opening, end))
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
            // "help me find …", "I want to know where …", "how do I get to …"
            if depth < 2
                && let Some((inner, inner_end)) = self::opening(&rest, 0)
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
        Opening::Exists => exists(rest, empty),
        Opening::Judge => Some(judge(rest, first)),
        Opening::Count => {
            if empty || (first == "count" && heard.is_any(1, &["down", "up", "from"])) {
                return None;
            }
            plain(count(rest))
        }
        Opening::Value => plain(reading_words::value(rest)),
        Opening::Read => reading_words::read(heard, end).map(|read| (Weight::Plain, read)),
        Opening::Says => Some((Weight::Plain, reading_words::says(rest))),
        Opening::Written => plain(Intent::Read(reading_words::place(rest))),
        Opening::Describe => {
            if all == 1 && first != "describe" && first != "summarise" && first != "summarize" {
                return None;
            }
            plain(describe(rest, first))
        }
        Opening::What => plain(match reading_words::side_in(rest) {
            Some(side) => Intent::Describe(Part::Side(side)),
            None if heard.is_any(
                end,
                &["for", "called", "made", "worth", "doing", "about", "used"],
            ) =>
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
                let bare_thing = matches!(&intent, Intent::Find(find) if find.form == Form::Thing)
                    && weight == Weight::Bare;
                let about = matches!(first, "what" | "how" | "same");
                if !bare_thing && weight >= if about { Weight::Wanted } else { Weight::Bare } {
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
                self::opening(heard, at).is_some_and(|(inner, _)| {
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

/// A thing to be shown, by its name.
fn thing(named: &str, manner: Manner) -> (Weight, Intent) {
    let named = naming::tidy(named);
    let many = naming::several(&named);
    let named = if many {
        naming::without_all(&named)
    } else {
        named
    };
    let mut found = Find::new(&capped(&named), Form::Thing);
    found.manner = manner;
    found.many = many
        || matches!(&found.target, Target::Named(name) if naming::without_article(name).starts_with("all "));
    (Weight::Plain, Intent::Find(found))
}

/// Something to be done, of which the control is to be shown.
fn action(rest: &str, but: Option<But>) -> (Weight, Intent) {
    let tidied = naming::tidy(rest);
    let named = naming::tidy(&naming::action(&tidied));
    let form = if named == tidied {
        Form::Action
    } else {
        Form::Thing
    };
    let mut found = Find::new(&capped(&named), form);
    found.but = but;
    (Weight::Plain, Intent::Find(found))
}

/// A name, or a wish in the imperative.
fn bare(heard: &Heard) -> (Weight, Intent) {
    let all = heard.len();
    let text = heard.slice(0, all);
    let asks = heard.is_any(
        0,
        &[
            "what", "who", "whom", "whose", "when", "why", "how", "do", "does", "did", "could",
            "would", "should", "will", "shall", "if", "because", "am", "i", "you", "he", "she",
            "they", "we", "but", "have", "has", "had", "was", "were",
        ],
    );
    if is_foreign(text) {
        return (Weight::Statement, Intent::Unable(Unable::Language));
    }
    if asks && all > 1 || all > MOST_WORDS {
        return (Weight::Statement, Intent::Unable(Unable::Understand));
    }
    if verbs::is_imperative(heard) {
        let (_, intent) = action(text, None);
        return (Weight::Bare, intent);
    }
    let (_, intent) = thing(text, Manner::Any);
    (Weight::Bare, intent)
}

fn exists(rest: &str, empty: bool) -> Option<(Weight, Intent)> {
    if empty {
        return Some((Weight::Plain, Intent::Describe(Part::Whole)));
    }
    let named = naming::clause(rest);
    let heard = Heard::new(&named);
    if heard.whole(0, heard.len(), "me|anything|something|it|everything|my? screen|picture|image|camera|anyone|anybody|what|text?") && !heard.is(0, "it") {
        return Some((Weight::Plain, Intent::Describe(Part::Whole)));
    }
    if heard.whole(
        0,
        heard.len(),
        "any|some|a? text|writing|words on|in|there? it?",
    ) {
        return Some((Weight::Plain, Intent::Read(Read::All)));
    }
    Some((
        Weight::Plain,
        Intent::Exists(Target::named(&capped(&without_any(&named)))),
    ))
}

fn without_any(named: &str) -> String {
    let heard = Heard::new(named);
    if heard.is_any(0, &["any", "some"]) && heard.len() > 1 {
        return heard.slice(1, heard.len()).to_owned();
    }
    named.to_owned()
}

/// "is the Save button there", "is the light on", "is this the fuse".
fn judge(rest: &str, first: &str) -> (Weight, Intent) {
    let tidied = naming::tidy(rest);
    let heard = Heard::new(&tidied);
    let all = heard.len();
    let raw = Heard::new(rest);
    let asks_presence = raw.len() > all
        || heard.is_any(
            all.saturating_sub(1),
            &[
                "there",
                "visible",
                "present",
                "shown",
                "available",
                "around",
            ],
        );
    if all == 0 {
        return (Weight::Statement, Intent::Unable(Unable::Understand));
    }
    if heard.is_any(
        0,
        &[
            "this", "that", "it", "these", "those", "they", "he", "she", "you", "i", "we",
        ],
    ) && all > 1
    {
        if heard.is_any(1, naming::DETERMINERS) && matches!(first, "is" | "are") {
            return thing(heard.slice(1, all), Manner::Any);
        }
        let controls = heard.is_any(1, naming::CONTROLS);
        if !controls {
            return (Weight::Statement, Intent::Unable(Unable::Tell));
        }
    }
    if asks_presence && matches!(first, "is" | "are" | "was" | "were") {
        let upto = if raw.len() > all {
            all
        } else {
            all.saturating_sub(1)
        };
        let named = if upto == 0 {
            tidied.clone()
        } else {
            naming::tidy(heard.slice(0, upto))
        };
        return (
            Weight::Plain,
            Intent::Exists(Target::named(&without_any(&named))),
        );
    }
    // "turned on", "greyed out" and the like are the last two words.
    let cut = if heard.is_any(
        all.saturating_sub(1),
        &["on", "off", "out", "in", "up", "down"],
    ) && heard.is_any(
        all.saturating_sub(2),
        &[
            "turned", "switched", "greyed", "grayed", "plugged", "lit", "ticked", "locked",
            "logged", "pulled", "zoomed", "filled",
        ],
    ) {
        2
    } else {
        1
    };
    if all > cut {
        let mut found = Find::new(&naming::tidy(heard.slice(0, all - cut)), Form::Thing);
        found.but = Some(But::Judge);
        return (Weight::Plain, Intent::Find(found));
    }
    (Weight::Statement, Intent::Unable(Unable::Tell))
}

fn count(rest: &str) -> Intent {
    let heard = Heard::new(rest);
    let upto = (1..heard.len())
        .find(|at| {
            heard.is_any(
                *at,
                &[
                    "are", "is", "do", "does", "can", "could", "did", "have", "has", "you",
                    "there", "were",
                ],
            )
        })
        .unwrap_or(heard.len());
    let noun = heard.slice(0, upto);
    if heard.is_any(
        upto.saturating_sub(1),
        &[
            "minutes",
            "hours",
            "seconds",
            "days",
            "weeks",
            "months",
            "years",
            "percent",
            "degrees",
            "euros",
            "dollars",
            "pounds",
            "times",
            "calories",
            "grams",
            "litres",
            "liters",
            "volts",
            "watts",
            "miles",
            "kilometres",
            "points",
            "pages",
            "people?",
        ],
    ) && upto < heard.len()
    {
        return Intent::Value(naming::tidy(noun));
    }
    let named = naming::without_all(&naming::tidy(noun));
    Intent::Count(Target::named(&capped(naming::without_article(&named))))
}

fn describe(rest: &str, first: &str) -> Intent {
    if let Some(side) = reading_words::side_in(rest) {
        return Intent::Describe(Part::Side(side));
    }
    let named = naming::tidy(rest);
    let heard = Heard::new(&named);
    let whole = heard.len() == 0
        || heard.is_any(0, &["it", "what", "everything", "all", "how", "in", "on", "going", "here", "there", "me", "happening", "you"])
        || heard.whole(0, heard.len(), "the|this|that|my|a? picture|image|photo|scene|screen|view|screenshot|page|window|room|situation|surroundings|camera|desk|table");
    if first == "describe" && !whole {
        if naming::points_back(&named) {
            return Intent::Describe(Part::This);
        }
        let mut found = Find::new(&named, Form::Thing);
        found.but = Some(But::Explain);
        return Intent::Find(found);
    }
    Intent::Describe(Part::Whole)
}

/// Takes politeness off both ends; where words of substance begin and end.
pub(super) fn polite(heard: &mut Heard) -> (usize, usize) {
    let mut from = 0;
    let mut to = heard.len();
    while from < to {
        if heard.opens(from, "can|could|do you see|spot|notice|recognise|recognize|detect|make|hear|know|like|love|read").is_some() && heard.opens(from, "can|could you read").is_none() {
            break;
        }
        let longest = POLITE_HEADS
            .iter()
            .filter_map(|pattern| Some((heard.opens(from, pattern)?, pattern)))
            .filter(|(end, _)| *end > from && *end < to)
            .max_by_key(|(end, _)| *end);
        let Some((end, _)) = longest else {
            break;
        };
        from = end;
        if heard.is_any(end - 1, &["mind", "about"]) {
            heard.ungerund(end);
        }
    }
    'tails: while to > from + 1 {
        for pattern in POLITE_TAILS {
            for length in (1..=pattern.split(' ').count()).rev() {
                if length < to - from && heard.whole(to - length, to, pattern) {
                    to -= length;
                    continue 'tails;
                }
            }
        }
        break;
    }
    (from, to)
}

const POLITE_HEADS: &[&str] = &[
    "please|pls|kindly",
    "hi|hello|hey|hiya|yo|hallo > there|alidade|can|could|please|where|what|how|show|find|point|i|is|which|read|do",
    "hey|hi|hello there|alidade|buddy|mate|friend",
    "alidade",
    "good morning|afternoon|evening > where|what|how|show|find|point|i|is|which|can|could|please",
    "ok|okay|alright|well|um|uh|erm|hm|hmm|oh|right|so|anyway|actually > alidade|please|where|what|how|show|find|point|i|is|which|read|can|could|now|then|so|well|and|the|next|clear|mark|highlight|describe|let|do|tell|open|save|put",
    "now > where|what|how|show|find|point|is|which|read|can|could|please|the|mark|highlight|clear|describe|tell|open|save|put|let",
    "excuse|pardon|forgive me but?",
    "sorry but?",
    "one|quick|just|i have question|a|quick|one? quick? question",
    "can|could|would|will|may you please|kindly|maybe|perhaps|just|quickly|possibly|also|now|then?",
    "could|can|would you be so? kind|nice|good enough|as? and?|to?",
    "would|do you mind",
    "how about > showing|pointing|finding|marking|reading|highlighting",
    "do|would you think you could|can",
    "are you able to",
    "is it possible for you to",
    "i would? want|like|need|love you to",
    "i was? wondering|wonder if you could|can|would",
    "if you could|can|would",
    "just|quickly|simply|maybe|perhaps > show|find|point|tell|mark|read|highlight|circle|describe|put|draw|where|look|give|open|save",
    "go ahead and",
    "try to|and",
    "be so kind as? to|and",
    "you should|must|can|could > show|find|point|tell|mark|read|highlight|circle|describe|put|draw|look",
    "and please",
    "do|did > show|tell",
];

const POLITE_TAILS: &[&str] = &[
    "please|pls|thanks|thx|cheers",
    "thank you very? much?",
    "thanks a lot",
    "thanks in advance",
    "for me please?",
    "if you can|could|would|may|please",
    "if possible",
    "would|could|can|will you please?",
    "alidade",
];

fn arithmetic(heard: &Heard) -> bool {
    let start = heard
        .opens(0, "what is|are")
        .or_else(|| heard.opens(0, "calculate|compute|solve"))
        .or_else(|| heard.opens(0, "how much is"))
        .unwrap_or(0);
    let words = heard.words().get(start..).unwrap_or(&[]);
    let digits = words
        .iter()
        .any(|word| word.plain.chars().any(|letter| letter.is_ascii_digit()));
    let operators = words.iter().any(|word| {
        [
            "plus",
            "minus",
            "times",
            "divided",
            "multiplied",
            "percent",
            "squared",
            "x",
            "+",
            "-",
            "*",
            "/",
            "×",
            "÷",
            "−",
            "=",
        ]
        .contains(&word.plain.as_str())
            || word.plain.chars().any(|letter| "+*×÷".contains(letter))
                && word.plain.chars().filter(char::is_ascii_digit).count() >= 2
    });
    let only = words.iter().all(|word| {
        word.plain
            .chars()
            .all(|letter| letter.is_ascii_digit() || "+-*/×÷−=.,%^()".contains(letter))
            || [
                "plus",
                "minus",
                "times",
                "divided",
                "multiplied",
                "by",
                "percent",
                "squared",
                "of",
                "x",
                "and",
                "the",
                "root",
                "square",
            ]
            .contains(&word.plain.as_str())
    });
    digits && operators && only && words.len() + usize::from(start > 0) > 1
}

fn translation(heard: &Heard) -> bool {
    heard.is(0, "translate")
        && (1..heard.len()).any(|at| {
            heard.is_any(at, &["to", "into", "from"])
                && heard.is_any(
                    at + 1,
                    &[
                        "german",
                        "french",
                        "spanish",
                        "english",
                        "italian",
                        "portuguese",
                        "dutch",
                        "polish",
                        "russian",
                        "chinese",
                        "japanese",
                        "arabic",
                        "latin",
                        "greek",
                        "turkish",
                        "korean",
                        "hindi",
                    ],
                )
        })
}

fn capped(named: &str) -> String {
    if named.len() <= MOST_NAMED {
        return named.to_owned();
    }
    let cut: String = named.chars().take(MOST_NAMED).collect();
    cut.trim().to_owned()
}
