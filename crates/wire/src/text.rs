//! Measures and cuts of text. Every limit counts Unicode scalars.

/// What a shortened text ends with: 13 scalars, 15 bytes.
pub const SUFFIX: &str = "… [truncated]";

/// Whether `text` has more than `most` scalars, without counting all of a long one.
pub fn longer_than(text: &str, most: usize) -> bool {
    // A scalar takes one to four bytes.
    text.len() > most && text.chars().nth(most).is_some()
}

/// The first `most` scalars.
pub fn first(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(end, _)| &text[..end])
}

/// The first `most` scalars followed by [`SUFFIX`], or the text as it is when it has no more than that.
pub fn capped(text: &str, most: usize) -> String {
    if longer_than(text, most) {
        format!("{}{SUFFIX}", first(text, most))
    } else {
        text.to_owned()
    }
}

/// Whether a text may stand in a prompt (the clean-text rule of tool definitions): no control character, a
/// newline excepted where `newlines` allows it, and no line that starts with three hyphens after spaces or tabs.
pub fn is_clean(text: &str, newlines: bool) -> bool {
    let control = |c: char| (c < '\u{20}' && !(newlines && c == '\n')) || c == '\u{7f}';
    !text.chars().any(control)
        && !text
            .split('\n')
            .any(|line| line.trim_start_matches([' ', '\t']).starts_with("---"))
}
