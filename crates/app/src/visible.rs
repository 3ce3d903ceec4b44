//! Text of strangers made fit for a terminal or a log: nothing in it moves the cursor, changes colours or
//! turns the reading direction around.
//!
//! Names of files, agents' texts and answers about pictures may hold anything. Whoever prints them
//! passes them through here; text for a model or a web page is left as it is.

/// Whether a character acts instead of being read: a control character, a line or paragraph separator,
/// or one that overrides or isolates the reading direction. The plain marks of right-to-left scripts are
/// text and may stay.
#[must_use]
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text on one line: what would act is written out, as in `\u{1b}`, line breaks as `\n`.
#[must_use]
pub fn one_line(text: &str) -> String {
    with(text, |c, out| out.extend(c.escape_default()))
}

/// The text with its line breaks and tabs; everything else that would act is written out.
#[must_use]
pub fn lines(text: &str) -> String {
    with(&text.replace("\r\n", "\n"), |c, out| match c {
        '\n' | '\t' => out.push(c),
        _ => out.extend(c.escape_default()),
    })
}

/// JSON text that says the same: what would act is written as JSON's own escape. A serializer escapes
/// the first 32 control characters only.
#[must_use]
pub fn json(text: &str) -> String {
    with(text, |c, out| {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

fn with(text: &str, written: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            written(c, &mut out);
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    const NASTY: &str = "a\u{1b}[31m\0\u{9b}2J\u{202e}b\u{2066}\r\u{7f}";

    #[test]
    fn what_acts_on_a_terminal_is_written_out() {
        assert_eq!(
            one_line(NASTY),
            "a\\u{1b}[31m\\u{0}\\u{9b}2J\\u{202e}b\\u{2066}\\r\\u{7f}"
        );
        assert_eq!(one_line("a\nb"), "a\\nb");
        assert_eq!(lines("a\r\n\tb\u{7}"), "a\n\tb\\u{7}");
    }

    #[test]
    fn words_of_every_script_stay_as_they_are() {
        for text in ["Grüße, 世界", "שלום\u{200f}", "👩\u{200d}🚀"] {
            assert_eq!((one_line(text), lines(text)), (text.into(), text.into()));
        }
    }

    #[test]
    fn json_says_the_same_and_acts_on_nothing() {
        let json = json(&serde_json::to_string(NASTY).unwrap());
        assert!(!json.chars().any(acts), "{json:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), NASTY);
    }
}
