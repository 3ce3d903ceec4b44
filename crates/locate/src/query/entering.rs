//! Who asks where to enter something asks for a field, whatever else is called so.

use super::{Term, plain, words::Words};

/// Aims that name a field alone.
const SEEKING: &[&str] = &["search", "filter"];
/// What is left of the weight of the words beside such an aim.
const ASIDE: f32 = 0.4;
/// What is said of one's own things: "where do I put *my* name".
const OWN: &[&str] = &["my", "our", "your", "their", "his", "her"];

/// Where the words that say that something is entered stand, in what is left of a question.
pub(super) fn verb(spoken: &[String], words: &Words) -> Option<std::ops::Range<usize>> {
    let lower: Vec<String> = spoken.iter().map(|w| plain(w)).collect();
    let start = lower.iter().position(|w| !words.silent.contains(w))?;
    let long = (1..=2).rev().find(|long| {
        lower
            .get(start..start + long)
            .is_some_and(|row| words.field_verbs.contains(&row.join(" ")))
    });
    let own = || {
        let put = lower.get(start).is_some_and(|w| w == "put");
        (put && lower
            .get(start + 1)
            .is_some_and(|w| OWN.contains(&w.as_str())))
        .then_some(1)
    };
    long.or_else(own).map(|long| start..start + long)
}

/// Takes out what only says that something is entered; "search" says what for.
pub(super) fn without_verb(spoken: &mut Vec<String>, words: &Words) {
    let Some(range) = verb(spoken, words) else {
        return;
    };
    let says_what_for = spoken
        .get(range.start)
        .is_some_and(|w| words.field_aims.contains(&plain(w)));
    let rest = spoken
        .iter()
        .skip(range.end)
        .any(|w| !words.silent.contains(&plain(w)));
    if !says_what_for && rest {
        spoken.drain(range);
    }
}

/// Where a field has an aim, that is what it is called: of "search for a book" the book says little.
pub(super) fn aim_first(terms: &mut [Term]) {
    let is_aim = |term: &Term| SEEKING.contains(&term.token.plain.as_str());
    if !terms.iter().any(is_aim) {
        return;
    }
    for term in terms.iter_mut() {
        if is_aim(term) {
            term.weight = 1.0;
        } else if term.token.digits.is_empty() {
            term.weight *= ASIDE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Query};

    #[test]
    fn who_asks_where_to_enter_something_asks_for_a_field_for_it() {
        for (phrase, heavy) in [
            ("Where do I type which files I want?", &["files"][..]),
            (
                "where can I enter the e-mail address",
                &["e-mail", "address"],
            ),
            ("where do I fill in my town", &["town"]),
            // Many fields hold a number: it says little.
            ("where do I put my phone number", &["phone"]),
            ("Where can I search?", &["search"]),
            ("where can I search for a book", &["search", "book"]),
            ("where do I type to filter the list", &["filter", "list"]),
            ("the search box", &["search"]),
            ("point at the address bar", &["address"]),
            ("which field holds the limit", &["limit"]),
        ] {
            let query = Query::of(phrase);
            assert_eq!(query.kind, Some(Kind::Field), "{phrase}: {query:?}");
            let said: Vec<String> = query
                .terms
                .iter()
                .filter(|t| t.weight >= 0.25)
                .map(|t| t.word.to_lowercase())
                .collect();
            assert_eq!(said, heavy, "{phrase}");
        }
        for phrase in [
            "where do I put the cup",
            "where is the Search menu",
            "where is Enter",
            "the key that enters the code",
        ] {
            assert_ne!(Query::of(phrase).kind, Some(Kind::Field), "{phrase}");
        }
    }
}
