//! Folding of transcripts (R65, `events.md` §2) and of hand-off texts (R66, §3). Pure.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use alidade_wire::server::Role;

/// One turn, as said or typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptItem {
    /// Fresh per item; never changes or recurs within a session.
    pub id: String,
    /// Who said it.
    pub role: Role,
    /// What was said so far.
    pub text: String,
    /// Whether it will not change any more.
    pub is_final: bool,
}

/// The items of a transcript, shared: cheap to clone.
pub type Items = Arc<[Arc<TranscriptItem>]>;

/// The fold. At most one item per role is open (not final) at a time.
#[derive(Debug, Default)]
pub struct Transcript {
    items: Vec<Arc<TranscriptItem>>,
    made: u64,
    resolved: HashMap<String, String>,
    spent: HashSet<String>,
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

impl Transcript {
    /// All items in order.
    #[must_use]
    pub fn items(&self) -> Items {
        self.items.as_slice().into()
    }

    /// A piece of speech. Returns whether something changed.
    pub fn delta(&mut self, role: Role, text: &str, is_final: bool) -> bool {
        let Some(at) = self.open(role) else {
            if blank(text) {
                return false;
            }
            self.push(role, text, is_final);
            return true;
        };
        if !is_final {
            if text.is_empty() {
                return false;
            }
            Arc::make_mut(&mut self.items[at]).text.push_str(text);
        } else if blank(text) {
            self.items.remove(at);
        } else {
            let item = Arc::make_mut(&mut self.items[at]);
            text.clone_into(&mut item.text);
            item.is_final = true;
        }
        true
    }

    /// Typed text: a closed user item of its own; blank text adds nothing. Returns whether something changed.
    pub fn typed(&mut self, text: &str) -> bool {
        let said = !blank(text);
        if said {
            self.push(Role::User, text, true);
        }
        said
    }

    /// The turn of that role is over. Returns whether something changed.
    pub fn turn_complete(&mut self, role: Role) -> bool {
        match self.open(role) {
            Some(at) => {
                self.close(at);
                true
            }
            None => false,
        }
    }

    /// The session is over: every open item closes. Returns whether something changed.
    pub fn close_open(&mut self) -> bool {
        let mut changed = false;
        for role in [Role::User, Role::Assistant] {
            changed |= self.turn_complete(role);
        }
        changed
    }

    /// The text of a hand-off (R66): what the wire says, or else the newest thing the user said, once.
    pub fn hand_off(&mut self, id: &str, wire: &str) -> String {
        if let Some(known) = self.resolved.get(id) {
            return known.clone();
        }
        let newest = self
            .items
            .iter()
            .rev()
            .find(|item| item.role == Role::User && !blank(&item.text));
        let said = newest.filter(|item| self.spent.insert(item.id.clone()));
        let text = if blank(wire) {
            said.map_or_else(String::new, |item| item.text.clone())
        } else {
            wire.to_owned()
        };
        self.resolved.insert(id.to_owned(), text.clone());
        text
    }

    fn open(&self, role: Role) -> Option<usize> {
        self.items
            .iter()
            .rposition(|item| item.role == role && !item.is_final)
    }

    fn close(&mut self, at: usize) {
        if blank(&self.items[at].text) {
            self.items.remove(at);
        } else {
            Arc::make_mut(&mut self.items[at]).is_final = true;
        }
    }

    fn push(&mut self, role: Role, text: &str, is_final: bool) {
        self.made += 1;
        let id = format!("item-{}", self.made);
        self.items.push(Arc::new(TranscriptItem {
            id,
            role,
            text: text.to_owned(),
            is_final,
        }));
    }
}
