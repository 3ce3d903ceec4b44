//! What is remembered from one turn to the next; always a little, however long the session.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::intent::{Asked, Find, Situation};
use super::seen::Candidate;

/// Candidates that are remembered of one search.
pub(super) const MOST_CANDIDATES: usize = 12;
/// Skills that are remembered as loaded.
const MOST_LOADED: usize = 64;

/// What was searched for and found.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The wish.
    pub(super) ask: Find,
    /// What was looked for.
    pub(super) phrase: String,
    /// What the picture was of.
    pub(super) source: String,
    /// What was found, as it was numbered or best first.
    pub(super) candidates: Vec<Candidate>,
    /// Which of them was shown last.
    pub(super) at: Option<usize>,
    /// What was asked about them.
    pub(super) asked: Asked,
}

/// The steps of a skill.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// The lines.
    pub(super) lines: Vec<String>,
    /// Which is being shown.
    pub(super) at: usize,
}

/// A tool that waits for a parameter.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The tool.
    pub(super) tool: String,
    /// What is known already.
    pub(super) known: Map<String, Value>,
    /// What was asked for.
    pub(super) wanted: String,
    /// How often in a row it was asked for.
    pub(super) tries: u8,
}

/// What kind of question was asked last, for "and the other?".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Where is it?
    #[default]
    Find,
    /// Is it there?
    Exists,
    /// How many?
    Count,
    /// What does it say?
    Read,
    /// How much is it?
    Value,
}

/// All that is remembered.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// What was spoken of last: "it".
    pub(super) subject: Option<String>,
    /// What was asked about it.
    pub(super) kind: Kind,
    /// How it was to be shown.
    pub(super) last: Option<Find>,
    /// What was found.
    pub(super) shown: Option<Shown>,
    /// Whether anything is marked.
    pub(super) marked: bool,
    /// The steps being gone through.
    pub(super) steps: Option<Steps>,
    /// Whether text that was read in this turn is too small to be read well.
    pub(super) small: bool,
    /// What the person said, where what is looked for is put in other words.
    pub(super) reworded: Option<String>,
    /// The tool that waits.
    pub(super) waiting: Option<Waiting>,
    loaded: VecDeque<String>,
}

impl Memory {
    /// What a turn comes into.
    pub(super) fn situation(&self) -> Situation {
        Situation {
            asked: self
                .shown
                .as_ref()
                .map_or(Asked::Nothing, |shown| shown.asked),
            going: self.steps.is_some() || self.shown.is_some(),
        }
    }

    /// Remembers that a skill was loaded; false where it had been.
    pub(super) fn load(&mut self, skill: &str) -> bool {
        if self.loaded.iter().any(|loaded| loaded == skill) {
            return false;
        }
        if self.loaded.len() == MOST_LOADED {
            self.loaded.pop_front();
        }
        self.loaded.push_back(skill.to_owned());
        true
    }

    /// Whether a skill was loaded before.
    pub(super) fn has_loaded(&self, skill: &str) -> bool {
        self.loaded.iter().any(|loaded| loaded == skill)
    }
}
