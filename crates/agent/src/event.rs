//! What the application sees: one ordered, bounded stream per session (`events.md` §1).

use std::{collections::VecDeque, sync::Arc};

use alidade_wire::server::{ServerFrame, Unknown};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::transcript::Items;

/// One thing that happened in a session, in order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A frame of the server. Never `session-ended` or a chunk; a hand-off carries its resolved text (R66), typed
    /// text comes as a final user transcript (R67).
    Frame(ServerFrame),
    /// The transcript changed; all of it.
    TranscriptUpdated {
        /// Every item, in order.
        items: Items,
    },
    /// The session is over. Sent once, last.
    SessionEnded {
        /// Why, in the words of whoever ended it.
        reason: Option<String>,
    },
    /// Something that is no frame of the protocol (R61).
    Unknown(Unknown),
}

/// Most events that wait for a reader; further ones are dropped and counted.
pub const EVENTS_WAITING_MAX: usize = 1024;

#[derive(Default)]
struct Waiting {
    events: VecDeque<Event>,
    dropped: u64,
    closed: bool,
}

/// The sending end, inside a session.
#[derive(Clone, Default)]
pub(crate) struct EventQueue {
    shared: Arc<(Mutex<Waiting>, Notify)>,
}

impl EventQueue {
    /// Queues an event; at the bound the new one is dropped and counted.
    pub(crate) fn push(&self, event: Event) {
        let (waiting, notify) = &*self.shared;
        let mut waiting = waiting.lock();
        if waiting.closed {
            return;
        }
        if waiting.events.len() >= EVENTS_WAITING_MAX {
            waiting.dropped += 1;
            if waiting.dropped.is_power_of_two() {
                tracing::warn!(
                    dropped = waiting.dropped,
                    "nobody reads the session's events; new ones are dropped"
                );
            }
            return;
        }
        waiting.events.push_back(event);
        drop(waiting);
        notify.notify_one();
    }

    /// Queues the last event, if there is one, evicting the oldest where there is no room, and ends the stream.
    pub(crate) fn finish(&self, last: Option<Event>) {
        let (waiting, notify) = &*self.shared;
        let mut waiting = waiting.lock();
        if waiting.closed {
            return;
        }
        if let Some(last) = last {
            while waiting.events.len() >= EVENTS_WAITING_MAX {
                waiting.events.pop_front();
                waiting.dropped += 1;
            }
            waiting.events.push_back(last);
        }
        waiting.closed = true;
        drop(waiting);
        notify.notify_waiters();
        notify.notify_one();
    }

    pub(crate) fn reader(&self) -> Events {
        Events {
            queue: self.clone(),
        }
    }
}

/// The events of a session. Clones share the stream: each event goes to one of them.
#[derive(Clone)]
pub struct Events {
    queue: EventQueue,
}

impl Events {
    /// The next event; `None` once the session is over and everything was read.
    pub async fn next(&self) -> Option<Event> {
        let (waiting, notify) = &*self.queue.shared;
        loop {
            let notified = notify.notified();
            {
                let mut waiting = waiting.lock();
                if let Some(event) = waiting.events.pop_front() {
                    // Another reader may sleep beside events that arrived together.
                    if !waiting.events.is_empty() || waiting.closed {
                        notify.notify_one();
                    }
                    return Some(event);
                }
                if waiting.closed {
                    notify.notify_one();
                    return None;
                }
            }
            notified.await;
        }
    }

    /// An event that already waits, without waiting for one.
    #[must_use]
    pub fn try_next(&self) -> Option<Event> {
        self.queue.shared.0.lock().events.pop_front()
    }

    /// How many events were dropped because [`EVENTS_WAITING_MAX`] were waiting.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.queue.shared.0.lock().dropped
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[tokio::test]
    async fn overflow_drops_the_new_event_and_counts_it_but_the_last_always_fits() {
        let queue = EventQueue::default();
        let events = queue.reader();
        for _ in 0..EVENTS_WAITING_MAX + 3 {
            queue.push(Event::Frame(ServerFrame::Pong));
        }
        assert_eq!(events.dropped(), 3);
        queue.finish(Some(Event::SessionEnded { reason: None }));
        assert_eq!(events.dropped(), 4, "the oldest made room");
        queue.push(Event::Frame(ServerFrame::Pong));
        let mut read = Vec::new();
        while let Some(event) = events.next().await {
            read.push(event);
        }
        assert_eq!(read.len(), EVENTS_WAITING_MAX);
        assert_eq!(read.last(), Some(&Event::SessionEnded { reason: None }));
        assert_eq!(events.next().await, None, "the end stays");
    }

    #[tokio::test]
    async fn every_waiting_reader_learns_of_the_end() {
        let queue = EventQueue::default();
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let events = queue.reader();
                tokio::spawn(async move { events.next().await })
            })
            .collect();
        tokio::task::yield_now().await;
        queue.finish(None);
        for reader in readers {
            assert_eq!(reader.await.unwrap(), None);
        }
    }
}
