//! What a handler or hook of the application says when it cannot do its work.

use std::error::Error;

/// A failure with the words the model will read.
///
/// Any error turns into one with `?`; an error without a message shows its type's name (T20).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// A failure that says this, verbatim.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// The words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_message(self) -> String {
        if self.0.is_empty() {
            "Failure".to_owned()
        } else {
            self.0
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let message = error.to_string();
        if message.is_empty() {
            let path = std::any::type_name::<E>();
            // `a::b::Kind<c::D>` is called `Kind`.
            let bare = path.split('<').next().unwrap_or(path);
            return Self(bare.rsplit("::").next().unwrap_or(bare).to_owned());
        }
        Self(message)
    }
}

#[cfg(test)]
mod tests {
    use super::Failure;

    #[derive(Debug, thiserror::Error)]
    #[error("")]
    struct PrinterOffline;

    #[test]
    fn t20_an_empty_message_becomes_the_type_name() {
        assert_eq!(
            Failure::from(PrinterOffline).into_message(),
            "PrinterOffline"
        );
        assert_eq!(
            Failure::from(std::io::Error::other("no paper")).into_message(),
            "no paper"
        );
        assert_eq!(Failure::new("").into_message(), "Failure");
    }
}
