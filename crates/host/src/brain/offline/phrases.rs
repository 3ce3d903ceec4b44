//! Example phrases of tools: `Say: rename {from} to {to}` at the end of a tool's description.
//!
//! What the person typed is held against them; `{x}` takes up what stands in its place and fills
//! parameter x. A required parameter that is missing is asked for.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::coerce::{self, Coerced};
use super::heard::{Heard, MOST_CHARS, like, sentences, squeezed};
use super::memory::Waiting;
use super::mind::{Mind, SAME};
use super::polite::polite;
use super::understand::is_plain;
use super::{naming, words};
use crate::brain::{Desk, ToolDecl, ToolOutcome};

/// Parts of a phrase.
const MOST_PARTS: usize = 24;
/// Phrases of one tool.
const MOST_PHRASES: usize = 16;
/// Phrases that are compared by meaning.
const MOST_COMPARED: usize = 48;
/// Words of a turn that are held against phrases.
const MOST_WORDS: usize = 240;
/// How often in a row a parameter is asked for.
const MOST_TRIES: u8 = 2;

/// A piece of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Word(String),
    Slot(String),
}

/// An example phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    text: String,
    pieces: Vec<Piece>,
}

/// What a turn says of a phrase's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fit {
    slots: Vec<(String, String)>,
    words: usize,
    complete: bool,
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
fn callable(tool: &ToolDecl) -> bool {
    !tool.server && !tool.name.starts_with("cosmo_")
}

impl Mind {
    /// Starts the tool whose phrase the person used.
    pub(super) async fn tool_by_phrase(&mut self, text: &str, desk: &dyn Desk) -> Option<String> {
        let (tool, fit) = best_fit(text, desk.tools())?;
        let tool = tool.clone();
        let mut known = Map::new();
        let mut refused = None;
        for (name, said) in &fit.slots {
            match coerce::coerce(said, property(&tool.parameters, name)) {
                Coerced::Value(value) => {
                    known.insert(name.clone(), value);
                }
                Coerced::Refused(kind) => refused = refused.or(Some((name.clone(), kind))),
            }
        }
        if let Some((name, kind)) = refused {
            self.memory.waiting = Some(Waiting {
                tool: tool.name.clone(),
                known,
                wanted: name.clone(),
                tries: 1,
            });
            return Some(words::ask_again(&name, &kind));
        }
        Some(self.ask_or_call(&tool, known, desk).await)
    }

    /// Starts a tool whose phrase means the same as what the person said; only one without blanks.
    pub(super) async fn tool_by_meaning(&mut self, text: &str, desk: &dyn Desk) -> Option<String> {
        let mut told = Vec::new();
        let mut tools = Vec::new();
        for tool in desk.tools().iter().filter(|tool| callable(tool)) {
            for phrase in phrases(&tool.description) {
                if told.len() < MOST_COMPARED
                    && !phrase
                        .pieces
                        .iter()
                        .any(|piece| matches!(piece, Piece::Slot(_)))
                {
                    told.push(phrase.text);
                    tools.push(tool);
                }
            }
        }
        let text: String = text.chars().take(200).collect();
        let alike = self.meanings(&text, &told).await?;
        let (index, most) = alike
            .into_iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        if most < SAME {
            return None;
        }
        let tool = (*tools.get(index)?).clone();
        Some(self.ask_or_call(&tool, Map::new(), desk).await)
    }

    /// Takes a turn as the parameter that was asked for. None where it is something else.
    pub(super) async fn waited_for(&mut self, text: &str, desk: &dyn Desk) -> Option<String> {
        let waiting = self.memory.waiting.take()?;
        let tool = desk
            .tools()
            .iter()
            .find(|tool| tool.name == waiting.tool)?
            .clone();
        let heard = Heard::new(&text.chars().take(MOST_CHARS).collect::<String>());
        let dropped = heard.len() == 0
            || [
                "cancel|stop|quit|exit|abort|nothing that|it?",
                "never mind",
                "nevermind",
                "forget it|that|about?",
                "no|none thanks?",
                "leave it|that?",
            ]
            .iter()
            .any(|pattern| heard.whole(0, heard.len(), pattern));
        if dropped {
            return Some(words::STOPPED.to_owned());
        }
        let other = best_fit(text, desk.tools()).is_some_and(|(_, fit)| fit.complete);
        if other || is_plain(text, super::intent::Situation::default()) {
            return None;
        }
        match coerce::coerce(&squeezed(text), property(&tool.parameters, &waiting.wanted)) {
            Coerced::Value(value) => {
                let mut known = waiting.known;
                known.insert(waiting.wanted, value);
                Some(self.ask_or_call(&tool, known, desk).await)
            }
            Coerced::Refused(_) if waiting.tries >= MOST_TRIES => None,
            Coerced::Refused(kind) => {
                let answer = words::ask_again(&waiting.wanted, &kind);
                self.memory.waiting = Some(Waiting {
                    tries: waiting.tries + 1,
                    ..waiting
                });
                Some(answer)
            }
        }
    }

    /// Calls a tool, or asks for the first required parameter that is missing.
    async fn ask_or_call(
        &mut self,
        tool: &ToolDecl,
        known: Map<String, Value>,
        desk: &dyn Desk,
    ) -> String {
        let required = tool
            .parameters
            .get("required")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let missing = required
            .iter()
            .filter_map(Value::as_str)
            .find(|name| !known.contains_key(*name))
            .map(str::to_owned);
        if let Some(name) = missing {
            let described = property(&tool.parameters, &name)
                .and_then(|schema| schema.get("description"))
                .and_then(Value::as_str)
                .filter(|text| !text.trim().is_empty() && text.chars().count() <= 120)
                .map(squeezed);
            self.memory.waiting = Some(Waiting {
                tool: tool.name.clone(),
                known,
                wanted: name.clone(),
                tries: 0,
            });
            return match described {
                Some(described) => words::ask_for_described(&name, &described),
                None => words::ask_for(&name),
            };
        }
        match desk.call(&tool.name, known).await {
            ToolOutcome::Ok(result) => told(&result),
            ToolOutcome::Failed(why) => words::tool_failed(why.trim()),
            ToolOutcome::Deferred { note, .. } if note.trim().is_empty() => {
                words::WORKING.to_owned()
            }
            ToolOutcome::Deferred { note, .. } => words::sentence(&note),
        }
    }
}

fn property<'a>(parameters: &'a Value, name: &str) -> Option<&'a Value> {
    parameters.get("properties")?.get(name)
}

/// The tool whose phrase fits a turn best.
fn best_fit<'a>(text: &str, tools: &'a [ToolDecl]) -> Option<(&'a ToolDecl, Fit)> {
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

/// What a tool's result is worth saying.
fn told(result: &Value) -> String {
    let said = match result {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => [
            "summary", "message", "text", "answer", "says", "note", "result",
        ]
        .iter()
        .find_map(|key| map.get(*key).and_then(Value::as_str))
        .map(str::to_owned)
        .or_else(|| listed(map)),
        _ => None,
    };
    match said
        .map(|said| super::seen::cut(&squeezed(&said), 400))
        .filter(|said| !said.is_empty())
    {
        Some(said) => words::done(&said),
        None => words::DONE.to_owned(),
    }
}

/// A small result as "name: value" pairs.
fn listed(map: &Map<String, Value>) -> Option<String> {
    let pairs: Vec<String> = map
        .iter()
        .filter_map(|(key, value)| {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => words::flag(*flag).to_owned(),
                _ => return None,
            };
            Some(format!("{}: {value}", key.replace('_', " ")))
        })
        .take(4)
        .collect();
    (!pairs.is_empty()).then(|| naming::tidy(&pairs.join(", ")))
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
