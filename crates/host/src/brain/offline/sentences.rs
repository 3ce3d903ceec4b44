//! A text cut into its sentences.

use super::heard::MOST_CHARS;

/// The sentences of a text, in order; quoted text is not cut.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let capped: String = text.chars().take(MOST_CHARS).collect();
    let mut all = Vec::new();
    let mut current = String::new();
    let mut quoted = false;
    let mut letters = capped.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '“' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            _ => {}
        }
        // A line may break anywhere; it ends a sentence only where the next begins as one.
        let breaks = letter == '\n';
        let line_end = breaks && !dangles(&current) && begins_sentence(letters.clone());
        current.push(if breaks { ' ' } else { letter });
        let ends = line_end
            || (!quoted
                && matches!(letter, '.' | '?' | '!' | ';' | '…')
                && letters.peek().is_none_or(|next| next.is_whitespace())
                && !abbreviated(&current));
        if ends && !current.trim().is_empty() {
            all.push(std::mem::take(&mut current).trim().to_owned());
        }
    }
    if !current.trim().is_empty() {
        all.push(current.trim().to_owned());
    }
    all
}

/// Whether what comes after a line's end begins a sentence of its own: after an empty line, or with a
/// word that wishes and questions begin with.
fn begins_sentence(rest: impl Iterator<Item = char>) -> bool {
    let mut word = String::new();
    for letter in rest {
        if letter == '\n' && word.is_empty() {
            return true;
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        } else if !word.is_empty() || !letter.is_whitespace() {
            break;
        }
    }
    BEGINNERS.contains(&word.as_str())
}

/// Whether a line ends in a word that cannot be the last of a sentence.
fn dangles(line: &str) -> bool {
    let last = line.split_whitespace().next_back().unwrap_or("");
    DANGLING.contains(&last.to_lowercase().as_str())
}

/// Words that more has to follow.
const DANGLING: &[&str] = &[
    "is", "are", "the", "a", "an", "of", "to", "in", "on", "at", "for", "me", "and", "or", "where",
    "what", "how", "which", "show", "find", "point", "tell", "that", "my", "your", "with", "can",
    "could", "you", "i", "do", "does", "please", "where's", "what's",
];

/// Words that sentences begin with.
const BEGINNERS: &[&str] = &[
    "where",
    "wheres",
    "what",
    "whats",
    "how",
    "which",
    "who",
    "when",
    "why",
    "read",
    "show",
    "find",
    "point",
    "tell",
    "mark",
    "highlight",
    "describe",
    "count",
    "then",
    "please",
    "thanks",
    "can",
    "could",
    "is",
    "are",
    "does",
    "do",
    "i",
    "click",
    "clear",
    "next",
];

fn abbreviated(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("").to_lowercase();
    matches!(
        last.as_str(),
        "e.g." | "i.e." | "etc." | "no." | "nr." | "mr." | "mrs." | "dr." | "st." | "vs."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            sentences("Hi! Where is report.txt? Thanks."),
            ["Hi!", "Where is report.txt?", "Thanks."]
        );
        assert_eq!(sentences("find \"a. b. c\" now"), ["find \"a. b. c\" now"]);
        assert_eq!(sentences("one\n\ntwo"), ["one", "two"]);
        assert!(sentences(" \n\t").is_empty());
    }
}
