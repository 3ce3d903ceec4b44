//! What a text is by its form: a price looks like a price without saying so.

use crate::query::Query;

/// A form that a person may name instead of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Path,
    Address,
    Mail,
    Date,
    Time,
    Percent,
    Price,
}

impl Form {
    /// The forms that were named.
    pub(crate) fn named(query: &Query) -> Vec<Self> {
        let strong = query.terms.iter().filter(|t| t.weight >= 0.5);
        strong
            .flat_map(|term| match term.token.plain.trim_end_matches('s') {
                "path" => &[Self::Path, Self::Address][..],
                "location" | "folder" | "directory" => &[Self::Path],
                "addres" => &[Self::Address, Self::Path],
                "url" | "link" | "website" | "webpage" => &[Self::Address],
                "email" | "mail" => &[Self::Mail],
                "date" | "day" => &[Self::Date],
                "time" | "clock" | "duration" | "long" => &[Self::Time],
                "zoom" | "percentage" | "percent" | "scale" => &[Self::Percent],
                "price" | "cost" | "total" => &[Self::Price],
                _ => &[],
            })
            .copied()
            .collect()
    }

    /// Whether a text has it.
    pub(crate) fn fits(self, text: &str) -> bool {
        let text = text.trim();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let chars = text.chars().count();
        let spaced = text.split_whitespace().count();
        match self {
            Self::Path => {
                let unix = text.starts_with('/') || text.starts_with("~/");
                let windows = text.chars().nth(1) == Some(':') && text.contains('\\');
                (unix && chars > 1 || windows) && spaced <= 4
            }
            Self::Address => {
                let scheme = ["http://", "https://", "www.", "file:///", "ftp://"];
                spaced == 1 && scheme.iter().any(|s| text.to_lowercase().starts_with(s))
            }
            Self::Mail => {
                let split = text.split_once('@');
                spaced == 1 && split.is_some_and(|(a, b)| !a.is_empty() && b.contains('.'))
            }
            Self::Date => {
                let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
                parts.len() == 3
                    && parts.iter().all(|p| {
                        (1..=4).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit())
                    })
            }
            Self::Time => {
                let bare =
                    text.trim_end_matches(|c: char| c.is_alphabetic() || c == ' ' || c == '.');
                let parts: Vec<&str> = bare.split(':').map(str::trim).collect();
                (2..=3).contains(&parts.len())
                    && parts.iter().all(|p| {
                        (1..=2).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit())
                    })
            }
            Self::Percent => text.ends_with('%') && digits > 0 && chars <= 7,
            Self::Price => {
                let sign = text.contains(['$', '€', '£', '¥'])
                    || text.ends_with("EUR")
                    || text.ends_with("USD");
                sign && digits > 0 && chars <= 12
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        for (form, yes, no) in [
            (
                Form::Path,
                &["/home/ana/Documents", "~/notes", "C:\\Users"][..],
                &["/", "and/or", "either / or"][..],
            ),
            (
                Form::Address,
                &["https://example.org/a", "www.example.org"],
                &["example", "see https://example.org"],
            ),
            (Form::Mail, &["ana@example.org"], &["@ana", "a@b"]),
            (
                Form::Date,
                &["2024-05-01", "1.5.2024", "05/01/24"],
                &["1.5", "10.2.3 beta"],
            ),
            (
                Form::Time,
                &["12:30", "7:05 pm", "01:02:03"],
                &["12", "a:b", "4:3:2:1"],
            ),
            (Form::Percent, &["100%", "12.5 %"], &["%", "100"]),
            (Form::Price, &["£34.99", "12 €"], &["34.99", "US $"]),
        ] {
            assert!(yes.iter().all(|t| form.fits(t)), "{form:?}");
            assert!(no.iter().all(|t| !form.fits(t)), "{form:?}");
        }
    }
}
