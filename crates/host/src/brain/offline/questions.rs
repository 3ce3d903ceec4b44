//! Questions about what is there: is it, how many, what is it like.

use super::heard::Heard;
use super::intent::{But, Find, Form, Intent, Manner, Part, Read, Target, Unable};
use super::understand::Weight;
use super::wishes::{capped, thing};
use super::{naming, reading_words};

/// "is there a lamp", "do you see any cups"
pub(super) fn exists(rest: &str, empty: bool) -> Option<(Weight, Intent)> {
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
    let somebody = ["someone", "somebody", "anyone", "anybody"];
    if heard.len() > 0 && heard.is_any(0, &somebody) {
        return Some((Weight::Plain, Intent::Exists(Target::named("a person"))));
    }
    let named = match heard.opens(0, "anything|something about|on|like|of") {
        Some(end) if end < heard.len() => heard.slice(end, heard.len()).to_owned(),
        _ => without_any(&named),
    };
    Some((
        Weight::Plain,
        Intent::Exists(Target::named(&capped(&named))),
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
pub(super) fn judge(rest: &str, first: &str) -> (Weight, Intent) {
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

/// "how many cups are there"
pub(super) fn count(rest: &str) -> Intent {
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

/// "describe the picture", "what do you see on the left"
pub(super) fn describe(rest: &str, first: &str) -> Intent {
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
