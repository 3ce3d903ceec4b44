//! Phone numbers, checked before anything is sent (R16).

/// The number is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid_request: a phone number is a + and 8 to 15 digits, such as +14155550199")]
pub struct BadNumber;

/// The number trimmed, if it is `+` and 8 to 15 digits.
pub fn normalise(number: &str) -> Result<String, BadNumber> {
    let number = number.trim();
    let digits = number.strip_prefix('+').ok_or(BadNumber)?;
    if (8..=15).contains(&digits.len()) && digits.bytes().all(|c| c.is_ascii_digit()) {
        Ok(number.to_owned())
    } else {
        Err(BadNumber)
    }
}
