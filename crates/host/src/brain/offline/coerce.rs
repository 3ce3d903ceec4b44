//! Words as the values a tool's schema asks for.

use serde_json::{Number, Value};

use super::heard::Heard;
use super::{naming, words};

/// Choices that are read out when none of them was said.
const MOST_CHOICES: usize = 8;

/// A value, or what it has to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Coerced {
    /// What was said.
    Value(Value),
    /// What it has to be, in words.
    Refused(String),
}

/// Takes what was said as a value of a schema; of any kind where there is none.
pub(super) fn coerce(said: &str, schema: Option<&Value>) -> Coerced {
    let text = spoken(said);
    let Some(schema) = schema else {
        return Coerced::Value(Value::from(text));
    };
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return choose(&text, choices);
    }
    if let Some(ways) = schema.get("anyOf").and_then(Value::as_array) {
        let mut refused = words::SOMETHING_ELSE.to_owned();
        for way in ways
            .iter()
            .filter(|way| way.get("type").and_then(Value::as_str) != Some("null"))
        {
            match coerce(said, Some(way)) {
                Coerced::Refused(kind) => refused = kind,
                found => return found,
            }
        }
        return Coerced::Refused(refused);
    }
    match schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("string")
    {
        "integer" => {
            match number(&text).filter(|value| value.fract() == 0.0 && value.abs() < 9e15) {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "whole and in range, checked above"
                )]
                Some(value) => in_range(value, schema)
                    .unwrap_or_else(|| Coerced::Value(Value::from(value as i64))),
                None => Coerced::Refused(words::A_WHOLE_NUMBER.to_owned()),
            }
        }
        "number" => match number(&text) {
            Some(value) => in_range(value, schema).unwrap_or_else(|| {
                Number::from_f64(value)
                    .map_or(Coerced::Refused(words::A_NUMBER.to_owned()), |number| {
                        Coerced::Value(Value::Number(number))
                    })
            }),
            None => Coerced::Refused(words::A_NUMBER.to_owned()),
        },
        "boolean" => match flag(&text) {
            Some(value) => Coerced::Value(Value::Bool(value)),
            None => Coerced::Refused(words::YES_OR_NO.to_owned()),
        },
        "array" => {
            let mut values = Vec::new();
            for part in text
                .split(',')
                .flat_map(|part| part.split(" and "))
                .map(str::trim)
                .filter(|part| !part.is_empty())
            {
                match coerce(part, schema.get("items")) {
                    Coerced::Value(value) => values.push(value),
                    refused => return refused,
                }
            }
            Coerced::Value(Value::Array(values))
        }
        "string" => Coerced::Value(Value::from(text)),
        _ => Coerced::Refused(words::SOMETHING_ELSE.to_owned()),
    }
}

/// What was said, without the end of the sentence and without quotation marks.
fn spoken(said: &str) -> String {
    let said = said
        .trim()
        .trim_end_matches([',', ';', '!', '?'])
        .trim_end();
    let said = said.strip_suffix('.').unwrap_or(said);
    naming::unquoted(said)
}

fn choose(text: &str, choices: &[Value]) -> Coerced {
    let named = |choice: &Value| match choice {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let plain = |text: &str| text.to_lowercase().replace(['-', '_'], " ");
    let said = plain(naming::without_article(text));
    if let Some(found) = choices.iter().find(|choice| plain(&named(choice)) == said) {
        return Coerced::Value(found.clone());
    }
    let mut close = choices
        .iter()
        .filter(|choice| naming::overlap(&plain(&named(choice)), &said) >= 1.0);
    if let (Some(found), None) = (close.next(), close.next()) {
        return Coerced::Value(found.clone());
    }
    let listed: Vec<String> = choices.iter().take(MOST_CHOICES).map(named).collect();
    Coerced::Refused(words::one_of(&listed))
}

fn in_range(value: f64, schema: &Value) -> Option<Coerced> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| value < *least) {
        return Some(Coerced::Refused(words::at_least(least)));
    }
    if let Some(most) = bound("maximum").filter(|most| value > *most) {
        return Some(Coerced::Refused(words::at_most(most)));
    }
    None
}

fn flag(text: &str) -> Option<bool> {
    match Heard::new(text)
        .words()
        .first()
        .map(|word| word.plain.as_str())?
    {
        "yes" | "true" | "on" | "yeah" | "yep" | "sure" | "ok" | "okay" | "enable" | "enabled"
        | "y" | "1" => Some(true),
        "no" | "false" | "off" | "nope" | "disable" | "disabled" | "n" | "0" | "not" => Some(false),
        _ => None,
    }
}

/// A number in digits or words, with a unit behind it or not: "5", "2.5 cm", "twenty-five minutes".
fn number(text: &str) -> Option<f64> {
    let first = text.split_whitespace().next()?;
    let digits: String = first
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || matches!(letter, '.' | '-' | '+' | ','))
        .collect();
    if digits.chars().any(|letter| letter.is_ascii_digit()) {
        // "1,000" has a thousands mark; "2,5" does not come in English.
        let digits = digits.replace(',', "");
        return digits
            .trim_end_matches('.')
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite());
    }
    let heard = Heard::new(&text.replace('-', " "));
    let mut value = 0.0;
    let mut any = false;
    for word in heard.words() {
        match word.plain.as_str() {
            "hundred" => value = if any { value * 100.0 } else { 100.0 },
            "thousand" => value = if any { value * 1000.0 } else { 1000.0 },
            "and" if any => continue,
            "a" | "an" if !any => value = 1.0,
            "half" if !any => value = 0.5,
            "minus" if !any => {
                return number(text.trim_start_matches("minus").trim()).map(|value| -value);
            }
            other => match small(other) {
                Some(small) => value += small,
                None => break,
            },
        }
        any = true;
    }
    any.then_some(value)
}

fn small(word: &str) -> Option<f64> {
    const WORDS: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let index = |list: &[&str]| {
        list.iter()
            .position(|known| *known == word)
            .and_then(|at| u8::try_from(at).ok())
            .map(f64::from)
    };
    index(&WORDS).or_else(|| index(&TENS).map(|at| (at + 2.0) * 10.0))
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "tests may"
    )]

    use serde_json::json;

    use super::*;

    #[test]
    fn values_take_the_kind_of_the_schema() {
        let of = |said: &str, schema: Value| coerce(said, Some(&schema));
        for (said, schema, wanted) in [
            ("five minutes", json!({"type": "integer"}), json!(5)),
            ("twenty-five", json!({"type": "integer"}), json!(25)),
            ("a hundred and ten", json!({"type": "integer"}), json!(110)),
            ("1,000 items", json!({"type": "integer"}), json!(1000)),
            ("minus 3", json!({"type": "integer"}), json!(-3)),
            ("2.5 cm.", json!({"type": "number"}), json!(2.5)),
            ("on", json!({"type": "boolean"}), json!(true)),
            ("no", json!({"type": "boolean"}), json!(false)),
            (
                "\"My file.txt\".",
                json!({"type": "string"}),
                json!("My file.txt"),
            ),
            ("report.", json!({"type": "string"}), json!("report")),
            (
                "tea, milk and honey",
                json!({"type": "array", "items": {"type": "string"}}),
                json!(["tea", "milk", "honey"]),
            ),
            (
                "Dark Mode",
                json!({"type": "string", "enum": ["light", "dark_mode"]}),
                json!("dark_mode"),
            ),
            (
                "the dark one",
                json!({"type": "string", "enum": ["light", "dark"]}),
                json!("dark"),
            ),
            (
                "7",
                json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}),
                json!(7),
            ),
        ] {
            assert_eq!(of(said, schema), Coerced::Value(wanted), "{said}");
        }
        for (said, schema) in [
            ("soon", json!({"type": "integer"})),
            ("2.5", json!({"type": "integer"})),
            ("perhaps", json!({"type": "boolean"})),
            ("blue", json!({"enum": ["red", "green"]})),
            ("500", json!({"type": "integer", "maximum": 60})),
            ("x", json!({"type": "object"})),
        ] {
            assert!(matches!(of(said, schema), Coerced::Refused(_)), "{said}");
        }
    }
}
