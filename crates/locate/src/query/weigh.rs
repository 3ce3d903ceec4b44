//! How much each word must be there.
//!
//! What names one thing among others weighs most: in "support channel" that is "support", in "insert a chart"
//! it is "chart", in "print this page" it is "print", since every page is a page.

use std::collections::HashSet;

use super::{Place, Term, made, plain, words::Words};

/// Words that stand before a noun.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "my", "your", "this", "these", "that", "those", "all", "some", "any", "it",
    "only",
];
/// Words that make another verb of the one before them.
const PARTICLES: &[&str] = &[
    "in", "out", "up", "down", "off", "on", "over", "as", "back", "away",
];

/// Which way something goes, wherever it stands.
const DIRECTIONS: &[&str] = &["up", "down", "off", "out", "back", "away"];
/// Words that turn the meaning round; compared apart.
pub(crate) const NOT: &[&str] = &[
    "not", "dont", "never", "without", "no", "disable", "cannot", "doesnt",
];

/// The words with their weights. `initial`: the first of them is the first of all that was said, so that its
/// capital says nothing.
pub(super) fn terms(
    spoken: &[String],
    exact: bool,
    initial: bool,
    place: &Place,
    words: &Words,
) -> Vec<Term> {
    let tokens = made(spoken, words);
    let named = named(spoken);
    let mut terms: Vec<Term> = Vec::with_capacity(tokens.len());
    for (at, (word, token)) in spoken.iter().zip(tokens).enumerate() {
        let lower = plain(word);
        let capital = word.starts_with(char::is_uppercase) && !(initial && at == 0);
        let is = |set: &HashSet<String>| set.contains(&lower) || set.contains(&token.stem);
        let before_noun = at == 0 && next_determines(spoken, 0);
        let weight = if exact || !token.digits.is_empty() || named && capital && at > 0 {
            1.0
        } else if particle(at, spoken) {
            0.8
        } else if DIRECTIONS.contains(&lower.as_str()) {
            0.5
        } else if words.silent.contains(&lower) {
            0.0
        } else if named && capital {
            1.0
        } else if is(&words.act) {
            0.2
        } else if is(&words.amount) || NOT.contains(&lower.as_str()) {
            0.3
        } else if is(&words.open) {
            if before_noun { 0.35 } else { 0.5 }
        } else if named && at > 0 {
            0.4
        } else if is(&words.class) || place.soft && place_word(&lower) {
            0.6
        } else if word.ends_with("'s") || word.ends_with("’s") {
            // "today's date" is a date first.
            0.5
        } else {
            1.0
        };
        terms.push(Term {
            word: word.clone(),
            weight,
            token,
        });
    }
    if !exact {
        if !named {
            heads(&mut terms);
        }
        deeds(&mut terms, spoken, words);
    }
    // Nothing but weak words: then they are the name.
    let most = terms.iter().map(|t| t.weight).fold(0.0, f32::max);
    for (term, word) in terms.iter_mut().zip(spoken) {
        let article = DETERMINERS.contains(&word.to_lowercase().as_str());
        term.weight = match most > 0.0 {
            true => term.weight / most,
            // "the On button"
            false => f32::from(u8::from(!article)),
        };
    }
    terms
}

/// Capitals after the first word say that a name is meant, all of it.
pub(super) fn named(spoken: &[String]) -> bool {
    spoken
        .iter()
        .skip(1)
        .any(|w| w.starts_with(char::is_uppercase) && w != "I")
}

/// Whether the word at this place belongs to the one before it: "zoom *out*", "save *as*".
pub(crate) fn particle(at: usize, spoken: &[String]) -> bool {
    at > 0 && at + 1 == spoken.len() && PARTICLES.contains(&spoken[at].to_lowercase().as_str())
}

fn next_determines(spoken: &[String], at: usize) -> bool {
    spoken
        .get(at + 1)
        .is_some_and(|next| DETERMINERS.contains(&next.to_lowercase().as_str()))
}

/// In "support channel" the first word tells which channel: the last says less.
fn heads(terms: &mut [Term]) {
    for at in 1..terms.len() {
        let ends = terms.get(at + 1).is_none_or(|next| next.weight == 0.0);
        let before = &terms[at - 1];
        let compound = before.weight >= 0.6 && before.token.digits.is_empty();
        if ends && compound && terms[at].weight > 0.0 && terms[at].token.digits.is_empty() {
            terms[at].weight *= 0.5;
            if terms[at - 1].weight < 1.0 && terms[at].weight < 0.5 {
                terms[at - 1].weight = 1.0;
            }
        }
    }
}

/// "close this window", "mute the channel": a deed done to the one thing that is there. The deed is the name.
fn deeds(terms: &mut [Term], spoken: &[String], words: &Words) {
    let Some(deed) = terms.first() else { return };
    let verb = deed.weight >= 0.35
        && !words.class.contains(&deed.token.stem)
        && deed.token.digits.is_empty();
    if !verb || !next_determines(spoken, 0) || spoken[1].eq_ignore_ascii_case("it") {
        return;
    }
    let generic = deed.weight < 1.0;
    let objects: Vec<usize> = (1..terms.len())
        .filter(|at| terms[*at].weight >= 0.3)
        .collect();
    let [object] = objects.as_slice() else { return };
    let object = *object;
    let classed = terms[object].weight < 1.0;
    if classed && object + 1 == terms.len() {
        // Every window is a window.
        terms[0].weight = 1.0;
        terms[object].weight = 0.25;
    } else if !generic && terms[object].token.digits.is_empty() {
        terms[object].weight *= 0.4;
    }
}

fn place_word(word: &str) -> bool {
    [
        "left", "right", "top", "bottom", "upper", "lower", "middle", "first", "second", "third",
        "last", "big", "small",
    ]
    .contains(&word)
}

#[cfg(test)]
mod tests {
    use super::super::Query;

    fn weights(phrase: &str) -> Vec<(String, f32)> {
        let query = Query::of(phrase);
        let heavy = query.terms.into_iter().filter(|t| t.weight > 0.0);
        heavy.map(|t| (t.word.to_lowercase(), t.weight)).collect()
    }

    fn heaviest(phrase: &str) -> String {
        let mut weights = weights(phrase);
        weights.sort_by(|a, b| b.1.total_cmp(&a.1));
        weights.first().map(|w| w.0.clone()).unwrap_or_default()
    }

    #[test]
    fn what_tells_it_from_others_weighs_most() {
        for (phrase, word) in [
            ("the support channel", "support"),
            ("the pie chart of rain", "pie"),
            ("Close this dialog.", "close"),
            ("Where do I print the page?", "print"),
            ("Open the Window menu", "window"),
            ("mute the channel", "mute"),
            ("click the blue folder for taxes", "taxes"),
        ] {
            assert_eq!(heaviest(phrase), word, "{phrase}: {:?}", weights(phrase));
        }
    }

    #[test]
    fn a_capital_at_the_beginning_of_a_sentence_is_no_name() {
        assert!(weights("Open the Document menu")[0].1 < 0.5);
        assert_eq!(weights("Where is Open?"), [("open".to_owned(), 1.0)]);
        assert_eq!(
            weights("Save As"),
            [("save".to_owned(), 1.0), ("as".to_owned(), 1.0)]
        );
    }
}
