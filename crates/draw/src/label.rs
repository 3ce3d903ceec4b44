//! What is written beside a mark: text from outside, made safe and short.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Most characters a label shows.
pub const SHOWN: usize = 40;

/// Most characters that are looked at; a label of a megabyte costs no more than this.
const READ: usize = 400;

/// Most marks that may stand on one letter.
const STACKED: usize = 2;

/// A label as it may be shown: one line, without control characters, invisible characters and
/// direction overrides, spaces collapsed, at most two marks on a letter, at most [`SHOWN`] characters
/// with an ellipsis where it was longer. `None` where nothing is left.
#[must_use]
pub fn tidy(label: &str) -> Option<String> {
    let mut tidy = String::new();
    let (mut letters, mut stacked) = (0, 0);
    let mut space = false;
    let mut cut = label.chars().nth(READ).is_some();
    for c in label.chars().take(READ).nfc() {
        if c.is_whitespace() || c.is_control() {
            space = true;
            continue;
        }
        if invisible(c) {
            continue;
        }
        if is_combining_mark(c) {
            stacked += 1;
            if stacked <= STACKED && !tidy.is_empty() && !space {
                tidy.push(c);
            }
            continue;
        }
        let gap = usize::from(space && !tidy.is_empty());
        if letters + gap + 1 > SHOWN {
            cut = true;
            break;
        }
        if gap == 1 {
            tidy.push(' ');
        }
        tidy.push(c);
        letters += gap + 1;
        (stacked, space) = (0, false);
    }
    if tidy.is_empty() {
        return None;
    }
    if cut {
        shorten(&mut tidy);
    }
    Some(tidy)
}

/// Replaces the last letter and what stands on it, or a trailing space, by an ellipsis.
pub(crate) fn shorten(label: &mut String) {
    while label.pop().is_some_and(is_combining_mark) {}
    label.truncate(label.trim_end().len());
    label.push('…');
}

/// Characters that show nothing themselves but may hide or turn round what is beside them.
fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_plain_stays() {
        assert_eq!(tidy("Save"), Some("Save".to_owned()));
        assert_eq!(tidy("  Größe\tändern \n"), Some("Größe ändern".to_owned()));
        assert_eq!(tidy("e\u{301}"), Some("é".to_owned()));
    }

    #[test]
    fn nothing_visible_is_no_label() {
        for empty in [
            "",
            "   ",
            "\u{0}\u{1b}\u{7f}",
            "\u{200b}\u{202e}\u{feff}",
            "\u{301}",
        ] {
            assert_eq!(tidy(empty), None, "{empty:?}");
        }
    }

    #[test]
    fn direction_overrides_cannot_turn_a_label_round() {
        assert_eq!(tidy("\u{202e}exe.cod\u{2066}"), Some("exe.cod".to_owned()));
    }

    #[test]
    fn a_long_label_ends_in_an_ellipsis() {
        let short = tidy(&"word ".repeat(100_000)).unwrap_or_default();
        assert!(
            short.ends_with('…') && short.chars().count() <= SHOWN,
            "{short}"
        );
        let fits = "x".repeat(SHOWN);
        assert_eq!(tidy(&fits), Some(fits));
    }

    #[test]
    fn no_tower_of_marks_grows_out_of_a_letter() {
        let tower = format!("q{}x", "\u{301}".repeat(300));
        assert_eq!(tidy(&tower), Some("q\u{301}\u{301}x".to_owned()));
    }

    proptest! {
        #[test]
        fn any_text_becomes_one_short_line(text in "\\PC{0,80}|.{0,80}|[\\x00-\\u{ff}\\u{300}-\\u{36f}]{0,500}") {
            if let Some(label) = tidy(&text) {
                prop_assert!(!label.is_empty());
                prop_assert!(label.chars().filter(|c| !is_combining_mark(*c)).count() <= SHOWN);
                prop_assert!(!label.chars().any(|c| c.is_control() || invisible(c)));
                prop_assert_eq!(label.trim(), &label);
            }
        }
    }
}
