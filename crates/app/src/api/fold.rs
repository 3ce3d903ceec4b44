//! From the events of a session to the entries of a conversation. Pure: time comes in from outside.

use std::{collections::HashMap, time::Instant};

use alidade_sdk::{
    agent::{Event, TranscriptItem},
    wire::server::{Role, ServerFrame},
};

use super::view::{Change, Entry, EntryView, ToolOutcome, Trouble};

/// What a session's events come to.
#[derive(Debug)]
pub(super) struct Fold {
    /// Sets the entries of this session apart from those of the sessions before.
    session: u32,
    /// What was shown of every transcript item.
    said: HashMap<String, (String, bool)>,
    /// Calls that run, in order of their beginning.
    running: Vec<(String, String, Instant)>,
    troubles: u32,
}

impl Fold {
    pub(super) fn new(session: u32) -> Self {
        Self {
            session,
            said: HashMap::new(),
            running: Vec::new(),
            troubles: 0,
        }
    }

    /// What is otherwise after this event.
    pub(super) fn take(&mut self, event: &Event, now: Instant) -> Vec<Change> {
        match event {
            Event::TranscriptUpdated { items } => {
                items.iter().filter_map(|item| self.item(item)).collect()
            }
            Event::Frame(frame) => self.frame(frame, now),
            Event::SessionEnded { .. } => self.cut(now),
            _ => Vec::new(),
        }
    }

    /// An entry for what went wrong.
    pub(super) fn trouble(&mut self, trouble: Trouble) -> Change {
        self.troubles += 1;
        let id = format!("{}.trouble.{}", self.session, self.troubles);
        Change::Entry {
            entry: Entry {
                id,
                what: EntryView::Trouble { trouble },
            },
        }
    }

    fn item(&mut self, item: &TranscriptItem) -> Option<Change> {
        let id = format!("{}.{}", self.session, item.id);
        let before = self.said.get(&id);
        if before.is_some_and(|(text, done)| *text == item.text && *done == item.is_final) {
            return None;
        }
        let more = before
            .filter(|(_, done)| item.role == Role::Assistant && !done && !item.is_final)
            .and_then(|(text, _)| item.text.strip_prefix(text.as_str()))
            .map(str::to_owned);
        self.said
            .insert(id.clone(), (item.text.clone(), item.is_final));
        if let Some(text) = more {
            return Some(Change::More { id, text });
        }
        let text = item.text.clone();
        let what = match item.role {
            Role::User => EntryView::Asked { text },
            _ => EntryView::Said {
                text,
                done: item.is_final,
            },
        };
        Some(Change::Entry {
            entry: Entry { id, what },
        })
    }

    fn frame(&mut self, frame: &ServerFrame, now: Instant) -> Vec<Change> {
        match frame {
            ServerFrame::ToolCall { tool_call_id, name } => {
                if !self.running.iter().any(|(id, ..)| id == tool_call_id) {
                    self.running.push((tool_call_id.clone(), name.clone(), now));
                }
                vec![self.tool(tool_call_id, name, ToolOutcome::Running, None, None)]
            }
            ServerFrame::ToolResult {
                tool_call_id,
                ok,
                summary,
            } => {
                let Some(at) = self.running.iter().position(|(id, ..)| id == tool_call_id) else {
                    return Vec::new();
                };
                let (id, name, begun) = self.running.remove(at);
                let outcome = if *ok {
                    ToolOutcome::Done
                } else {
                    ToolOutcome::Failed
                };
                let took = Some(milliseconds(begun, now));
                vec![self.tool(&id, &name, outcome, took, summary.clone())]
            }
            ServerFrame::Error { message, .. } => vec![self.trouble(Trouble::new(message))],
            _ => Vec::new(),
        }
    }

    /// What still ran when the session ended never comes to an end.
    fn cut(&mut self, now: Instant) -> Vec<Change> {
        std::mem::take(&mut self.running)
            .into_iter()
            .map(|(id, name, begun)| {
                let took = Some(milliseconds(begun, now));
                self.tool(&id, &name, ToolOutcome::Cut, took, None)
            })
            .collect()
    }

    fn tool(
        &self,
        id: &str,
        name: &str,
        outcome: ToolOutcome,
        took_ms: Option<u32>,
        summary: Option<String>,
    ) -> Change {
        Change::Entry {
            entry: Entry {
                id: format!("{}.tool.{id}", self.session),
                what: EntryView::Tool {
                    name: name.to_owned(),
                    outcome,
                    took_ms,
                    summary,
                },
            },
        }
    }
}

fn milliseconds(from: Instant, to: Instant) -> u32 {
    to.saturating_duration_since(from)
        .as_millis()
        .try_into()
        .unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "a failed test may panic")]
    use std::{sync::Arc, time::Duration};

    use super::*;

    fn said(id: &str, role: Role, text: &str, is_final: bool) -> Event {
        let item = TranscriptItem {
            id: id.into(),
            role,
            text: text.into(),
            is_final,
        };
        Event::TranscriptUpdated {
            items: Arc::from([Arc::new(item)]),
        }
    }

    fn entry(change: &Change) -> &EntryView {
        match change {
            Change::Entry { entry } => &entry.what,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_that_come_bit_by_bit_are_sent_once() {
        let now = Instant::now();
        let mut fold = Fold::new(1);
        let first = fold.take(&said("a", Role::Assistant, "Here", false), now);
        assert!(
            matches!(entry(&first[0]), EntryView::Said { text, done: false } if text == "Here")
        );
        let more = fold.take(&said("a", Role::Assistant, "Here it is", false), now);
        assert_eq!(
            more,
            [Change::More {
                id: "1.a".into(),
                text: " it is".into()
            }]
        );
        assert!(
            fold.take(&said("a", Role::Assistant, "Here it is", false), now)
                .is_empty()
        );
        // The final text replaces what was said so far.
        let last = fold.take(&said("a", Role::Assistant, "There it is.", true), now);
        assert!(
            matches!(entry(&last[0]), EntryView::Said { text, done: true } if text == "There it is.")
        );
    }

    #[test]
    fn a_tool_runs_ends_and_is_cut_by_the_end_of_the_session() {
        let begun = Instant::now();
        let mut fold = Fold::new(1);
        for id in ["a", "b"] {
            let call = ServerFrame::ToolCall {
                tool_call_id: id.into(),
                name: "cosmo_detect_objects".into(),
            };
            let running = fold.take(&Event::Frame(call), begun);
            assert!(matches!(
                entry(&running[0]),
                EntryView::Tool {
                    outcome: ToolOutcome::Running,
                    took_ms: None,
                    ..
                }
            ));
        }
        let later = begun + Duration::from_millis(40);
        let result = ServerFrame::ToolResult {
            tool_call_id: "a".into(),
            ok: true,
            summary: Some("one place".into()),
        };
        let done = fold.take(&Event::Frame(result.clone()), later);
        assert!(matches!(
            entry(&done[0]),
            EntryView::Tool {
                outcome: ToolOutcome::Done,
                took_ms: Some(40),
                ..
            }
        ));
        assert!(fold.take(&Event::Frame(result), later).is_empty());
        let cut = fold.take(&Event::SessionEnded { reason: None }, later);
        assert_eq!(cut.len(), 1);
        assert!(matches!(
            entry(&cut[0]),
            EntryView::Tool {
                outcome: ToolOutcome::Cut,
                ..
            }
        ));
    }
}
