//! What is to be read, in the words people use for it.

use super::choosing;
use super::heard::Heard;
use super::intent::{But, Find, Form, Intent, Part, Read, Side, Unable};
use super::naming::{self, tidy};

/// Understands what follows "read"; none where "read" is the name of a control.
pub(super) fn read(heard: &Heard, end: usize) -> Option<Intent> {
    let all = heard.len();
    if heard.is(0, "read")
        && heard.is_any(
            1,
            &[
                "only", "more", "receipts", "receipt", "later", "mode", "write", "aloud",
            ],
        )
        && all == 2
        && !heard.is(1, "aloud")
    {
        return None;
    }
    Some(Intent::Read(place(heard.slice(end, all))))
}

/// What is to be read, from the words that say where it stands.
pub(super) fn place(rest: &str) -> Read {
    let tidied = tidy(rest);
    let heard = Heard::new(&tidied);
    let all = heard.len();
    if all == 0 {
        return Read::All;
    }
    let is = |pattern: &str| heard.whole(0, all, pattern);
    if let Some(line) = line(&heard) {
        return Read::Line(line);
    }
    if is("the|its|this? title|heading|headline|header")
        || is(
            "the? title|heading|headline|header of the|this|that|my window|page|picture|screen|document|dialog|dialogue|image",
        )
        || is("the? biggest|largest|big text|line|word|words|writing")
    {
        return Read::Title;
    }
    if is("on|in? it|that|them|those|there") || is("what it|that says|reads") {
        return Read::OnIt;
    }
    if EVERYTHING.iter().any(|pattern| is(pattern)) {
        return Read::All;
    }
    if let Some(side) = side_in(&tidied)
        && heard.words().iter().all(|word| {
            choosing::side(&word.plain).is_some()
                || [
                    "the", "on", "at", "in", "to", "text", "part", "half", "side", "of", "very",
                    "what", "is", "writing", "words", "corner", "most", "list", "text", "column",
                    "panel", "pane", "sidebar", "section", "menu", "bar",
                ]
                .contains(&word.plain.as_str())
        })
    {
        return Read::Side(side);
    }
    // "the text on the label", "what is on the label", "what the label says"
    for pattern in [
        "the|all|any? text|words|writing|inscription|lettering|numbers|number|letters|message on|in|of|at|from|under|above",
        "what is? written|printed|shown|displayed|standing on|in|at|under|above|below",
        "what is on|in",
        "what stands on|in",
        "me|us out|aloud? what?",
        "what",
        "on|in|at|from|out",
        "me|us",
    ] {
        if let Some(end) = heard.opens(0, pattern)
            && end < all
        {
            let inner = tidy(heard.slice(end, all));
            let inner = Heard::new(&inner);
            let upto = if inner.is_any(
                inner.len().saturating_sub(1),
                &["says", "say", "reads", "shows"],
            ) && inner.len() > 1
            {
                inner.len() - 1
            } else {
                inner.len()
            };
            return place(inner.slice(0, upto));
        }
    }
    if naming::points_back(&tidied) {
        return Read::OnIt;
    }
    Read::On(tidied)
}

/// "the second line", "line 3", "the last line".
fn line(heard: &Heard) -> Option<i32> {
    let all = heard.len();
    let at =
        (0..all).find(|at| heard.is_any(*at, &["line", "row", "sentence", "word", "paragraph"]))?;
    if !heard.is_any(at, &["line", "row", "sentence", "paragraph"]) {
        return None;
    }
    let of = |index: usize| heard.words().get(index).map(|word| word.plain.as_str());
    if let Some(before) = at.checked_sub(1).and_then(of) {
        if matches!(before, "last" | "final" | "bottom" | "lowest") {
            return Some(-1);
        }
        if matches!(before, "top" | "upper" | "uppermost") {
            return Some(1);
        }
        if let Some((number, _)) = choosing::number(before) {
            return i32::try_from(number).ok().filter(|number| *number > 0);
        }
    }
    let after = if heard.is_any(at + 1, &["number", "no", "nr"]) {
        at + 2
    } else {
        at + 1
    };
    let (number, _) = choosing::number(of(after)?)?;
    i32::try_from(number).ok().filter(|number| *number > 0)
}

/// Understands the rest of "what does …".
pub(super) fn says(rest: &str) -> Intent {
    let tidied = tidy(rest);
    let heard = Heard::new(&tidied);
    let all = heard.len();
    let verb = (0..all).find(|at| {
        heard.is_any(
            *at,
            &[
                "say", "says", "read", "reads", "show", "shows", "display", "displays", "state",
                "mean", "means", "do", "does", "cost", "costs", "weigh", "look", "measure",
                "contain", "have", "stand", "print", "is",
            ],
        )
    });
    let Some(verb) = verb else {
        return Intent::Unable(Unable::Understand);
    };
    let subject = tidy(heard.slice(0, verb));
    let after = tidy(heard.slice(verb + 1, all));
    let word = heard
        .words()
        .get(verb)
        .map_or("", |word| word.plain.as_str());
    match word {
        "do" | "does" => {
            if subject.is_empty() {
                return Intent::Unable(Unable::Understand);
            }
            let mut found = Find::new(&subject, Form::Thing);
            found.but = Some(But::Explain);
            Intent::Find(found)
        }
        "mean" | "means" => Intent::Unable(Unable::Know),
        "look" => Intent::Unable(Unable::Tell),
        "is" | "cost" | "costs" | "weigh" | "measure" => {
            if naming::points_back(&subject) {
                Intent::Value("price".to_owned())
            } else {
                Intent::Value(subject)
            }
        }
        _ => {
            // "what does it say on the label"
            let place = if naming::points_back(&subject) && !after.is_empty() {
                place(&after)
            } else {
                place(&subject)
            };
            match place {
                // "it" with nothing spoken of before is the picture; the brain sees to that.
                Read::On(name) if Heard::new(&name).is_any(0, &["i", "you", "we"]) => {
                    Intent::Describe(Part::Whole)
                }
                place => Intent::Read(place),
            }
        }
    }
}

/// Understands the rest of "what is …", "how much is …".
pub(super) fn value(rest: &str, much: bool) -> Intent {
    let tidied = tidy(rest);
    let heard = Heard::new(&tidied);
    let all = heard.len();
    if all == 0 {
        return Intent::Read(Read::All);
    }
    if much
        && (naming::points_back(&tidied) || heard.whole(0, all, "it|this|that|they cost|costs?"))
    {
        return Intent::Value("price".to_owned());
    }
    if naming::points_back(&tidied) {
        return if heard.is_any(0, &["it", "this", "that"]) {
            Intent::Describe(Part::This)
        } else {
            Intent::Describe(Part::Whole)
        };
    }
    match place(&tidied) {
        found @ (Read::Line(_) | Read::Title | Read::All | Read::OnIt | Read::Side(_))
            if !heard.is(0, "this") =>
        {
            return Intent::Read(found);
        }
        _ => {}
    }
    // "the thing on the left", "the red thing": what it is cannot be read.
    if let Some(side) = side_in(&tidied)
        && heard
            .words()
            .iter()
            .any(|word| ["thing", "object", "item", "stuff"].contains(&word.plain.as_str()))
    {
        return Intent::Describe(Part::Side(side));
    }
    if heard.opens(0, "on|in|at > the|this|my").is_some() {
        return Intent::Describe(Part::Whole);
    }
    let mut from = 0;
    if let Some(end) = heard.opens(0, "the|a? price|cost of|for") {
        from = end;
    }
    let upto = (from + 1..all)
        .find(|at| {
            // "how much is left": on the left it is a place.
            let side = heard.is(*at, "left") && heard.is_any(at - 1, &["the", "my", "your"]);
            !side
                && heard.is_any(
                    *at,
                    &["cost", "costs", "worth", "left", "showing", "displayed"],
                )
                && *at + 1 == all
        })
        .unwrap_or(all);
    let named = heard.slice(from, upto);
    let named: Vec<&str> = named
        .split(' ')
        .filter(|word| {
            !["is", "are", "does", "do", "was", "it", "this", "that"]
                .contains(&word.to_lowercase().as_str())
        })
        .collect();
    if named.is_empty() {
        return Intent::Describe(Part::This);
    }
    Intent::Value(tidy(&named.join(" ")))
}

/// Understands the rest of "when does …".
pub(super) fn when(rest: &str) -> Intent {
    let tidied = tidy(rest);
    let heard = Heard::new(&tidied);
    let last = heard.len().saturating_sub(1);
    let turns = heard.is_any(
        last,
        &[
            "end", "ends", "ending", "begin", "begins", "start", "starts", "stop", "stops",
            "finish", "finishes", "open", "opens", "close", "closes", "over",
        ],
    );
    let named = tidy(heard.slice(0, last));
    if turns && !named.is_empty() && !naming::points_back(&named) {
        return Intent::When(named, heard.slice(last, last + 1).to_owned());
    }
    value(rest, false)
}

/// The side of the picture that a phrase speaks of.
pub(super) fn side_in(phrase: &str) -> Option<Side> {
    let heard = Heard::new(phrase);
    let all = heard.len();
    let mut found = None;
    for at in 0..all {
        let side = heard
            .words()
            .get(at)
            .and_then(|word| choosing::side(&word.plain));
        // "right now", "left over" and "to the left of the cup" are no sides of the picture.
        if side.is_some()
            && (heard.is_any(at + 1, &["of", "now", "over", "click", "menu", "bar"])
                && !heard.is_any(at + 2, &["the", "this"])
                || heard.is(at + 1, "now"))
        {
            continue;
        }
        found = found.or(side);
    }
    found
}

/// Ways to speak of all the text there is.
const EVERYTHING: &[&str] = &[
    "this|these|here",
    "on? the|all|this|my|any? whole|entire? text|texts|words|word|writing|screen|page|picture|image|document|content|contents|lines",
    "all|everything|whatever|anything there? is|stands? here|there|written|visible?",
    "all of the|this|that|it? text|words|writing|lines|page|screen?",
    "the whole|entire thing|lot",
    "everything|all|what you|i can? see|read|here|there?",
    "what is written|printed|there|here|shown|displayed on|in|here|there? it|this|the|my? screen|page|picture?",
    "on|in|from the|this|my screen|page|picture|image|document",
    "any|some|the text|words|writing on|in|here|there? it|here|there?",
];
