//! Reading a table of `agent.toml` field by field, so that one wrong field hides no other.

use std::{ops::Range, path::PathBuf};

use toml::{
    Spanned,
    de::{DeInteger, DeTable, DeValue},
};

use super::{Fault, text::line_of};
use crate::visible;

/// What is wrong with one file, as it is found.
pub(super) struct Check<'a> {
    pub(super) file: PathBuf,
    pub(super) text: &'a str,
    pub(super) faults: Vec<Fault>,
}

impl Check<'_> {
    /// Adds a fault at a byte position of the file.
    pub(super) fn fault(&mut self, at: usize, says: impl Into<String>) {
        self.faults.push(Fault {
            file: self.file.clone(),
            line: Some(line_of(self.text.as_bytes(), at)),
            says: says.into(),
        });
    }
}

/// A value and the byte position it begins at.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub(super) at: usize,
    pub(super) is: T,
}

/// One table, and which of its fields have been asked for. What nobody asked for is unknown.
pub(super) struct Fields<'t> {
    /// What stands before a field's name in sentences, such as `voice.`.
    prefix: &'static str,
    /// Where the table begins.
    at: usize,
    table: Option<&'t DeTable<'t>>,
    asked: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    pub(super) fn new(prefix: &'static str, table: &'t DeTable<'t>, at: usize) -> Self {
        Self {
            prefix,
            at,
            table: Some(table),
            asked: Vec::new(),
        }
    }

    /// Where the table begins, as a byte position.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether the field stands in the table, right or wrong.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.is_some_and(|table| table.contains_key(key))
    }

    fn take(&mut self, key: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.push(key);
        self.table?.get(key)
    }

    /// Reads a field; one of the wrong kind is a fault that says what it takes.
    fn read<T>(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        takes: &str,
        read: impl Fn(&'t DeValue<'t>) -> Option<T>,
    ) -> Option<At<T>> {
        let value = self.take(key)?;
        let at = value.span().start;
        let is = read(value.get_ref());
        if is.is_none() {
            let kind = kind(value.get_ref());
            check.fault(
                at,
                format!("`{}{key}` is {kind}; it takes {takes}.", self.prefix),
            );
        }
        is.map(|is| At { at, is })
    }

    /// A field that must be there.
    pub(super) fn need<T>(
        &self,
        check: &mut Check<'_>,
        key: &str,
        example: &str,
        read: Option<At<T>>,
    ) -> Option<At<T>> {
        if !self.has(key) {
            check.fault(
                self.at,
                format!(
                    "`{}{key}` is missing. Add it, as in `{key} = {example}`.",
                    self.prefix
                ),
            );
        }
        read
    }

    /// Text of at most `most` characters (Unicode scalars) that acts on no terminal.
    pub(super) fn text(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        most: usize,
    ) -> Option<At<String>> {
        let found = self.read(check, key, "text in quotes", |value| {
            value.as_str().map(str::to_owned)
        })?;
        let length = found.is.chars().count();
        if length > most {
            check.fault(
                found.at,
                format!(
                    "`{}{key}` has {length} characters; at most {most} are allowed.",
                    self.prefix
                ),
            );
        }
        let layout = |c: char| matches!(c, '\n' | '\r' | '\t');
        if let Some(c) = found.is.chars().find(|c| visible::acts(*c) && !layout(*c)) {
            check.fault(
                found.at,
                format!(
                    "`{}{key}` holds the control character U+{:04X}. Take it out.",
                    self.prefix,
                    u32::from(c)
                ),
            );
        }
        Some(found)
    }

    /// One of several words.
    pub(super) fn choice<T: Copy>(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        options: &[(&str, T)],
    ) -> Option<At<T>> {
        let found = self.text(check, key, usize::MAX)?;
        let chosen = options.iter().find(|(word, _)| *word == found.is);
        if chosen.is_none() {
            check.fault(
                found.at,
                format!(
                    "`{}{key}` cannot be `{}`. It takes one of: {}.",
                    self.prefix,
                    found.is,
                    words(options)
                ),
            );
        }
        chosen.map(|(_, is)| At {
            at: found.at,
            is: *is,
        })
    }

    /// `true` or `false`.
    pub(super) fn yes(&mut self, check: &mut Check<'_>, key: &'static str) -> Option<bool> {
        self.read(check, key, "true or false", DeValue::as_bool)
            .map(|found| found.is)
    }

    /// A number from the first to the second.
    pub(super) fn number(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        (least, most): (f64, f64),
    ) -> Option<f64> {
        let found = self.read(check, key, "a number", |value| match value {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(whole) => Some(float(whole)),
            _ => None,
        })?;
        // Written so that what is no number at all is outside too.
        if (least..=most).contains(&found.is) {
            return Some(found.is);
        }
        check.fault(
            found.at,
            format!("`{}{key}` must be {least} to {most}.", self.prefix),
        );
        None
    }

    /// A whole number from the first to the second.
    pub(super) fn whole(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        (least, most): (i64, i64),
    ) -> Option<i64> {
        // A number too large for the type is as wrong as one that is too large for the field.
        let found = self.read(check, key, "a whole number", |value| {
            value
                .as_integer()
                .map(|whole| i64::from_str_radix(whole.as_str(), whole.radix()).ok())
        })?;
        if let Some(number) = found.is.filter(|number| (least..=most).contains(number)) {
            return Some(number);
        }
        check.fault(
            found.at,
            format!("`{}{key}` must be {least} to {most}.", self.prefix),
        );
        None
    }

    /// The texts of a list; entries of another kind are faults of their own.
    pub(super) fn list(&mut self, check: &mut Check<'_>, key: &'static str) -> Vec<At<String>> {
        let takes = "a list, as in [\"one\", \"two\"]";
        let Some(list) = self.read(check, key, takes, DeValue::as_array) else {
            return Vec::new();
        };
        let mut texts = Vec::new();
        for entry in list.is.iter() {
            let at = entry.span().start;
            match entry.get_ref().as_str() {
                Some(text) => texts.push(At {
                    at,
                    is: text.to_owned(),
                }),
                None => {
                    let kind = kind(entry.get_ref());
                    check.fault(
                        at,
                        format!(
                            "An entry of `{}{key}` is {kind}; it takes text in quotes.",
                            self.prefix
                        ),
                    );
                }
            }
        }
        texts
    }

    /// A table within this one; an empty one where it is missing or no table.
    pub(super) fn table(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        prefix: &'static str,
    ) -> Fields<'t> {
        let takes = format!("a table: a line [{key}] with its fields below");
        let found = self.read(check, key, &takes, DeValue::as_table);
        Fields {
            prefix,
            at: found.as_ref().map_or(self.at, |found| found.at),
            table: found.map(|found| found.is),
            asked: Vec::new(),
        }
    }

    /// The tables of a list of tables.
    pub(super) fn tables(
        &mut self,
        check: &mut Check<'_>,
        key: &'static str,
        prefix: &'static str,
    ) -> Vec<Fields<'t>> {
        let takes = format!("tables: a line [[{key}]] for each, with its fields below");
        let Some(list) = self.read(check, key, &takes, DeValue::as_array) else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        for entry in list.is.iter() {
            let Range { start, .. } = entry.span();
            match entry.get_ref().as_table() {
                Some(table) => tables.push(Fields::new(prefix, table, start)),
                None => {
                    let kind = kind(entry.get_ref());
                    check.fault(
                        start,
                        format!("An entry of `{key}` is {kind}; it takes {takes}."),
                    );
                }
            }
        }
        tables
    }

    /// Every field that nobody asked for is a fault.
    pub(super) fn finish(self, check: &mut Check<'_>) {
        let known = self.asked.join(", ");
        for (key, _) in self.table.into_iter().flatten() {
            if !self.asked.contains(&key.get_ref().as_ref()) {
                check.fault(
                    key.span().start,
                    format!(
                        "There is no field `{}{}`. These exist here: {known}.",
                        self.prefix,
                        key.get_ref()
                    ),
                );
            }
        }
    }
}

/// The words of a choice, for a sentence.
pub(super) fn words<T>(options: &[(&str, T)]) -> String {
    let words: Vec<&str> = options.iter().map(|(word, _)| *word).collect();
    words.join(", ")
}

fn float(whole: &DeInteger<'_>) -> f64 {
    // More digits than a float holds are rounded; the ranges of every field are far smaller.
    i128::from_str_radix(whole.as_str(), whole.radix()).map_or(f64::INFINITY, |number| {
        #[allow(clippy::cast_precision_loss, reason = "see above")]
        let rounded = number as f64;
        rounded
    })
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
