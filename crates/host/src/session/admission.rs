//! Who may come in: a join token lets one client in, once.
//!
//! Only a client whose connection broke may come back with it, for a short while and a few times,
//! because that is how every LiveKit client recovers. Somebody who has seen the token gets in neither
//! while the client is there nor after it left.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_room::ServerRoom;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::Session;

/// Most joins of one session.
const JOINS: u32 = 16;

/// The state of a session's token.
pub(super) struct Latch {
    rejoin: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    joins: u32,
    inside: bool,
    lost: Option<Instant>,
}

impl Latch {
    pub(super) fn new(rejoin: Duration) -> Self {
        Self {
            rejoin,
            state: Mutex::default(),
        }
    }

    fn opens(&self, state: &State) -> bool {
        state.joins == 0
            || (!state.inside
                && state.joins < JOINS
                && state.lost.is_some_and(|lost| lost.elapsed() < self.rejoin))
    }
}

/// A client that was let in; dropping it says that its signalling ended.
pub(crate) struct Admission {
    pub(crate) room: ServerRoom,
    /// Raised when the session is over.
    pub(crate) until: CancellationToken,
    session: Arc<Session>,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut state = self.session.latch.state.lock();
        state.inside = false;
        state.lost = Some(Instant::now());
    }
}

impl Session {
    /// Whether the token would let somebody in now.
    pub(crate) fn admits(&self) -> bool {
        self.is_live() && self.latch.opens(&self.latch.state.lock())
    }

    /// Spends the token.
    pub(crate) fn admit(self: &Arc<Self>) -> Option<Admission> {
        if !self.is_live() {
            return None;
        }
        let mut state = self.latch.state.lock();
        if !self.latch.opens(&state) {
            return None;
        }
        state.joins += 1;
        state.inside = true;
        drop(state);
        Some(Admission {
            room: self.room.clone(),
            until: self.over.clone(),
            session: Arc::clone(self),
        })
    }
}
