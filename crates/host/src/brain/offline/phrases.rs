//! Example phrases of tools: `Say: rename {from} to {to}` at the end of a tool's description.
//!
//! What the person typed is held against them; `{x}` takes up what stands in its place and fills
//! parameter x. A required parameter that is missing is asked for.

use std::collections::HashSet;

use super::heard::{Heard, MOST_CHARS, like, squeezed};
use super::polite::polite;
use super::sentences::sentences;
use crate::brain::ToolDecl;

/// Parts of a phrase.
const MOST_PARTS: usize = 24;
/// Phrases of one tool.
const MOST_PHRASES: usize = 16;
/// Words of a turn that are held against phrases.
const MOST_WORDS: usize = 240;

/// A piece of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Word(String),
    Slot(String),
}

/// An example phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) text: String,
    pieces: Vec<Piece>,
}

/// What a turn says of a phrase's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    pub(super) slots: Vec<(String, String)>,
    words: usize,
    pub(super) complete: bool,
}

impl Phrase {
    fn of(line: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            push_words(&mut pieces, before);
            let name = name.trim();
            if name.is_empty() || matches!(pieces.last(), Some(Piece::Slot(_))) {
                return None;
            }
            pieces.push(Piece::Slot(name.to_owned()));
            rest = after;
        }
        push_words(&mut pieces, rest);
        let has_words = pieces.iter().any(|piece| matches!(piece, Piece::Word(_)));
        (has_words && pieces.len() <= MOST_PARTS).then(|| Self {
            text: line.trim().to_owned(),
            pieces,
        })
    }

    /// Whether it has blanks to fill.
    pub(super) fn has_blanks(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Slot(_)))
    }

    /// Whether it begins with a word that this brain's own questions begin with.
    fn is_like_a_question(&self) -> bool {
        match self.pieces.first() {
            Some(Piece::Word(word)) => [
                "where",
                "find",
                "show",
                "what",
                "which",
                "how",
                "read",
                "mark",
                "point",
                "highlight",
                "describe",
                "count",
                "is",
                "are",
                "do",
                "does",
                "next",
                "clear",
                "the",
                "a",
            ]
            .contains(&word.as_str()),
            _ => true,
        }
    }

    fn fit(&self, heard: &Heard) -> Option<Fit> {
        let mut failed = HashSet::new();
        let mut slots = Vec::new();
        let mut fit = Fit {
            slots: Vec::new(),
            words: 0,
            complete: false,
        };
        self.fits(heard, 0, 0, &mut slots, 0, &mut failed, &mut fit)
            .then_some(fit)
    }

    /// Walks phrase and turn side by side. Where the turn ends early what is left is missing.
    #[expect(clippy::too_many_arguments, reason = "the state of one walk")]
    fn fits(
        &self,
        heard: &Heard,
        at: usize,
        piece: usize,
        slots: &mut Vec<(String, String)>,
        words: usize,
        failed: &mut HashSet<(usize, usize)>,
        fit: &mut Fit,
    ) -> bool {
        let all = heard.len();
        let Some(current) = self.pieces.get(piece) else {
            if at < all {
                return false;
            }
            *fit = Fit {
                slots: slots.clone(),
                words,
                complete: true,
            };
            return true;
        };
        if at >= all {
            let rest_optional = self
                .pieces
                .iter()
                .skip(piece)
                .all(|piece| matches!(piece, Piece::Word(word) if article(word)));
            if words == 0 {
                return false;
            }
            *fit = Fit {
                slots: slots.clone(),
                words,
                complete: rest_optional,
            };
            return true;
        }
        if failed.contains(&(at, piece)) {
            return false;
        }
        let fits = match current {
            Piece::Word(word) => {
                let here = heard.words().get(at).map_or("", |word| word.plain.as_str());
                (like(here, word)
                    && self.fits(heard, at + 1, piece + 1, slots, words + 1, failed, fit))
                    || (words > 0
                        && article(here)
                        && self.fits(heard, at + 1, piece, slots, words, failed, fit))
                    || (article(word) && self.fits(heard, at, piece + 1, slots, words, failed, fit))
            }
            Piece::Slot(name) => {
                let last = self.pieces.len() == piece + 1;
                let mut found = false;
                for end in if last { all..=all } else { at + 1..=all } {
                    slots.push((name.clone(), heard.slice(at, end).to_owned()));
                    if self.fits(heard, end, piece + 1, slots, words, failed, fit) {
                        found = true;
                        break;
                    }
                    slots.pop();
                }
                found
            }
        };
        if !fits {
            failed.insert((at, piece));
        }
        fits
    }
}

fn article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "my" | "please")
}

fn push_words(pieces: &mut Vec<Piece>, text: &str) {
    pieces.extend(
        Heard::new(text)
            .words()
            .iter()
            .map(|word| Piece::Word(word.plain.clone())),
    );
}

/// The example phrases at the end of a description.
pub(super) fn phrases(description: &str) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = Vec::new();
    for line in description.lines().rev() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let Some(phrase) = line
            .get(..4)
            .filter(|head| head.eq_ignore_ascii_case("say:"))
            .and_then(|_| line.get(4..))
        else {
            break;
        };
        found.extend(Phrase::of(&squeezed(phrase)));
        if found.len() == MOST_PHRASES {
            break;
        }
    }
    found.reverse();
    found
}

/// A few phrases of tools, for "what can you do?".
pub(super) fn examples(tools: &[ToolDecl]) -> Vec<String> {
    tools
        .iter()
        .filter(|tool| callable(tool))
        .filter_map(|tool| phrases(&tool.description).into_iter().next())
        .map(|phrase| phrase.text.replace(['{', '}'], ""))
        .take(3)
        .collect()
}

/// Whether a phrase may start a tool: those of the client that it declared itself.
pub(super) fn callable(tool: &ToolDecl) -> bool {
    !tool.server && !tool.name.starts_with("cosmo_")
}

/// The tool whose phrase fits a turn best.
pub(super) fn best_fit<'a>(text: &str, tools: &'a [ToolDecl]) -> Option<(&'a ToolDecl, Fit)> {
    if tools
        .iter()
        .all(|tool| !callable(tool) || !tool.description.to_ascii_lowercase().contains("say:"))
    {
        return None;
    }
    let text: String = text.chars().take(MOST_CHARS).collect();
    let mut ways = vec![Heard::new(&text)];
    let sentences = sentences(&text);
    if sentences.len() > 1 {
        ways.extend(sentences.iter().map(|sentence| Heard::new(sentence)));
    }
    for index in 0..ways.len() {
        let Some(heard) = ways.get(index) else { break };
        let mut heard = heard.clone();
        let (from, to) = polite(&mut heard);
        if (from, to) != (0, heard.len()) && from < to {
            ways.push(heard.cut(from, to));
        }
    }
    ways.retain(|heard| heard.len() > 0 && heard.len() <= MOST_WORDS);
    let mut best: Option<(&ToolDecl, Fit)> = None;
    for tool in tools.iter().filter(|tool| callable(tool)) {
        for phrase in phrases(&tool.description) {
            for heard in &ways {
                let Some(fit) = phrase.fit(heard) else {
                    continue;
                };
                // A part of a phrase starts nothing that is a question of this brain's own.
                if !fit.complete && phrase.is_like_a_question() {
                    continue;
                }
                let rank = |fit: &Fit| {
                    (
                        fit.complete,
                        fit.words,
                        std::cmp::Reverse(
                            fit.slots.iter().map(|(_, said)| said.len()).sum::<usize>(),
                        ),
                    )
                };
                if best
                    .as_ref()
                    .is_none_or(|(_, before)| rank(&fit) > rank(before))
                {
                    best = Some((tool, fit));
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "tests may"
    )]

    use super::*;

    fn slots(phrase: &str, text: &str) -> Option<(Vec<(String, String)>, bool)> {
        let fit = Phrase::of(phrase)?.fit(&Heard::new(text))?;
        Some((fit.slots, fit.complete))
    }

    #[test]
    fn a_blank_takes_what_stands_in_its_place() {
        let (found, complete) = slots(
            "rename {from} to {to}",
            "Rename My Report.txt to Final report.txt",
        )
        .unwrap();
        assert!(complete);
        assert_eq!(
            found,
            [
                ("from".to_owned(), "My Report.txt".to_owned()),
                ("to".to_owned(), "Final report.txt".to_owned())
            ]
        );
        assert!(slots("rename {from} to {to}", "the rename of a to b").is_none());
        assert!(slots("empty the bin", "empty bin").unwrap().1);
        assert!(slots("empty the bin", "empty my bin").unwrap().1);
        assert!(slots("empty the bin", "empty the bin of apples").is_none());
    }

    #[test]
    fn what_is_not_said_is_missing() {
        let (found, complete) = slots("rename {from} to {to}", "rename notes.md").unwrap();
        assert!(!complete);
        assert_eq!(found.len(), 1);
        assert!(!slots("rename {from} to {to}", "rename").unwrap().1);
    }

    #[test]
    fn a_phrase_needs_words_of_its_own() {
        assert!(Phrase::of("{anything}").is_none());
        assert!(Phrase::of("say {a} {b}").is_none());
        assert!(Phrase::of("broken {a").is_none());
        assert_eq!(phrases("Renames.\nSay: rename {from} to {to}\nsay: call {from} {to}\nSAY: give {from} the name {to}\n").len(), 2);
        assert!(phrases("Say: early\nThen more text.").is_empty());
    }

    #[test]
    fn many_blanks_and_many_words_end_soon() {
        let phrase = (0..10)
            .map(|n| format!("and {{p{n}}}"))
            .collect::<Vec<_>>()
            .join(" ");
        let text = "and ".repeat(200) + "or";
        let _ = Phrase::of(&phrase).unwrap().fit(&Heard::new(&text));
    }
}
