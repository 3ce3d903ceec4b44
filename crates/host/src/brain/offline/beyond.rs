//! Questions that are beyond rules, told by more than how they begin.

use super::heard::Heard;

/// Sums: "what is 12 times 3".
pub(super) fn arithmetic(heard: &Heard) -> bool {
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
            || word.plain.chars().any(|letter| "+*×÷%".contains(letter))
                && word.plain.chars().filter(char::is_ascii_digit).count() >= 1
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

/// "translate good night into Polish"
pub(super) fn translation(heard: &Heard) -> bool {
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
