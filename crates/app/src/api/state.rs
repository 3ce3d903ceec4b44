//! What there is to see, and who is told when it changes.

use std::sync::Arc;

use alidade_media::Source;
use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast, futures::Notified};

use super::view::{
    BackendView, Change, Entry, EntryView, Event, SessionView, Snapshot, SourceState,
};

/// Entries that are kept; the oldest make room.
const ENTRIES: usize = 2_000;

pub(super) struct State {
    inner: Mutex<Inner>,
    events: broadcast::Sender<Event>,
    /// Told when another source is looked at, or none.
    looking: Notify,
}

struct Inner {
    snapshot: Snapshot,
    looked_at: Option<(u32, Arc<Source>)>,
}

impl State {
    pub(super) fn new(events: broadcast::Sender<Event>) -> Self {
        let snapshot = Snapshot {
            revision: 0,
            backend: BackendView::Starting,
            session: SessionView::Idle,
            agents: Vec::new(),
            agent: String::new(),
            source: None,
            entries: Vec::new(),
            marks: Vec::new(),
            thinking: false,
        };
        Self {
            inner: Mutex::new(Inner {
                snapshot,
                looked_at: None,
            }),
            events,
            looking: Notify::new(),
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.inner.lock().snapshot.clone()
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Snapshot) -> T) -> T {
        read(&self.inner.lock().snapshot)
    }

    pub(super) fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Applies a change and tells everyone, in one step, so that events are in the order of the snapshots.
    pub(super) fn change(&self, change: Change) {
        let mut inner = self.inner.lock();
        inner.snapshot.revision = inner.snapshot.revision.wrapping_add(1);
        apply(&mut inner.snapshot, &change);
        // Nobody listening is no fault.
        let _ = self.events.send(Event {
            revision: inner.snapshot.revision,
            change,
        });
    }

    pub(super) fn look_at(&self, number: u32, source: Option<Arc<Source>>) {
        self.inner.lock().looked_at = source.map(|source| (number, source));
        self.looking.notify_waiters();
    }

    /// What is looked at, and a future that ends when that is something else.
    pub(super) fn looked_at(&self) -> (Option<(u32, Arc<Source>)>, Notified<'_>) {
        // Made first: nothing that happens between the two is missed.
        let changed = self.looking.notified();
        (self.inner.lock().looked_at.clone(), changed)
    }

    /// The source of this number, where it is still looked at.
    pub(super) fn source(&self, number: u32) -> Option<Arc<Source>> {
        let inner = self.inner.lock();
        let (found, source) = inner.looked_at.as_ref()?;
        (*found == number).then(|| source.clone())
    }

    /// Lets go of the file or device without waiting for anybody.
    pub(super) fn stop_source(&self) {
        let Some((_, source)) = self.inner.lock().looked_at.take() else {
            return;
        };
        self.looking.notify_waiters();
        tokio::task::spawn_blocking(move || source.stop());
    }

    /// The source gives pictures; only now is it known what a device is called. Nothing where another took its place.
    pub(super) fn source_opened(&self, number: u32, name: &str) {
        let source = self.read(|s| s.source.clone());
        if let Some(mut source) = source.filter(|s| s.id == number) {
            source.state = SourceState::Showing;
            if source.name.is_empty() {
                name.clone_into(&mut source.name);
            }
            self.change(Change::Source {
                source: Some(source),
            });
        }
    }

    /// The source is over, unless another one took its place.
    pub(super) fn source_state(&self, number: u32, state: SourceState) {
        let source = self.read(|s| s.source.clone());
        if let Some(mut source) = source.filter(|s| s.id == number) {
            source.state = state;
            self.change(Change::Source {
                source: Some(source),
            });
        }
    }
}

fn apply(snapshot: &mut Snapshot, change: &Change) {
    match change.clone() {
        Change::Backend { backend } => snapshot.backend = backend,
        Change::Session { session } => snapshot.session = session,
        Change::Agents { agents, agent } => {
            snapshot.agents = agents;
            snapshot.agent = agent;
        }
        Change::Source { source } => snapshot.source = source,
        Change::Entry { entry } => put(&mut snapshot.entries, entry),
        Change::More { id, text: more } => {
            let entry = snapshot.entries.iter_mut().rev().find(|e| e.id == id);
            if let Some(EntryView::Said { text, .. }) = entry.map(|e| &mut e.what) {
                text.push_str(&more);
            }
        }
        Change::Marks { marks } => snapshot.marks = marks,
        Change::Thinking { thinking } => snapshot.thinking = thinking,
    }
}

fn put(entries: &mut Vec<Entry>, entry: Entry) {
    match entries.iter_mut().rev().find(|old| old.id == entry.id) {
        Some(old) => *old = entry,
        None => {
            entries.push(entry);
            if entries.len() > ENTRIES {
                entries.drain(..entries.len() - ENTRIES);
            }
        }
    }
}
