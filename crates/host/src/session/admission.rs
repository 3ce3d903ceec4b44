//! Who may come in: a join token lets one client in, once.
//!
//! Only a client whose connection broke may come back with it, for a short while and a few times,
//! because that is how every LiveKit client recovers. Somebody who has seen the token gets in neither
//! while the client is there nor after it left of its own will.
//!
//! There is one seat. Whoever is admitted takes it; it becomes free again only by the verdict of the
//! session's life, which has heard from the room how the stay ended.

use std::{sync::Arc, time::Duration};

use alidade_room::ServerRoom;
use tokio::{sync::watch, time::Instant};
use tokio_util::sync::CancellationToken;

use super::Session;

/// Most joins of one session.
const JOINS: u32 = 16;
/// Longest wait of a join for the verdict on the stay before it.
const SETTLING: Duration = Duration::from_secs(3);

/// The seat of a session's client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Nobody has come in yet.
    Free,
    /// Somebody is in, or coming in.
    Taken,
    /// The signalling of who was in is over, and why is about to be told.
    Leaving,
    /// The connection of who was in broke; until then the client may come back.
    Lost(Instant),
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Also the number of the newest admission.
    joins: u32,
    seat: Seat,
}

impl State {
    fn opens(self, now: Instant) -> bool {
        self.joins < JOINS
            && match self.seat {
                Seat::Free => true,
                Seat::Taken | Seat::Leaving => false,
                Seat::Lost(until) => now < until,
            }
    }
}

/// The state of a session's token.
pub(super) struct Latch(watch::Sender<State>);

impl Latch {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(State {
            joins: 0,
            seat: Seat::Free,
        }))
    }

    /// Whether nobody has come in yet, nor tried to.
    pub(super) fn is_untouched(&self) -> bool {
        self.0.borrow().joins == 0
    }

    fn opens(&self, now: Instant) -> bool {
        self.0.borrow().opens(now)
    }

    /// Takes the seat; answers the number of the admission.
    fn enter(&self, now: Instant) -> Option<u32> {
        let mut number = None;
        self.0.send_if_modified(|state| {
            if !state.opens(now) {
                return false;
            }
            state.joins += 1;
            state.seat = Seat::Taken;
            number = Some(state.joins);
            true
        });
        number
    }

    /// The signalling of this admission is over. Where the seat is free already, or somebody else's,
    /// that changes nothing.
    fn left(&self, number: u32) {
        self.0.send_if_modified(|state| {
            let sits = state.joins == number && state.seat == Seat::Taken;
            if sits {
                state.seat = Seat::Leaving;
            }
            sits
        });
    }

    /// The verdict on the stay that is over.
    pub(super) fn vacate(&self, seat: Seat) {
        self.0.send_modify(|state| state.seat = seat);
    }

    /// Whether a verdict is waited for.
    pub(super) fn is_leaving(&self) -> bool {
        self.0.borrow().seat == Seat::Leaving
    }

    /// Waits until a verdict is wanted.
    pub(super) async fn wants_verdict(&self) {
        self.until(|seat| seat == Seat::Leaving).await;
    }

    async fn until(&self, is: impl Fn(Seat) -> bool) {
        let mut states = self.0.subscribe();
        // An error is impossible: the sender is `self`.
        let _ = states.wait_for(|state| is(state.seat)).await;
    }
}

/// A client that was let in; dropping it says that its signalling ended.
pub(crate) struct Admission {
    pub(crate) room: ServerRoom,
    /// Raised when the session is over.
    pub(crate) until: CancellationToken,
    session: Arc<Session>,
    number: u32,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.session.latch.left(self.number);
    }
}

impl Session {
    /// Whether the token would let somebody in now.
    pub(crate) fn admits(&self) -> bool {
        self.is_live() && self.latch.opens(Instant::now())
    }

    /// Spends the token.
    pub(crate) async fn admit(self: &Arc<Self>) -> Option<Admission> {
        // A client that is told to join anew does so at once: the end of its stay may not be known yet.
        let settled = self.latch.until(|seat| seat != Seat::Leaving);
        let _ = tokio::time::timeout(SETTLING, settled).await;
        if !self.is_live() {
            return None;
        }
        let number = self.latch.enter(Instant::now())?;
        Some(Admission {
            room: self.room.clone(),
            until: self.over.clone(),
            session: Arc::clone(self),
            number,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn later(now: Instant, seconds: u64) -> Instant {
        now + Duration::from_secs(seconds)
    }

    #[test]
    fn nobody_gets_in_beside_a_client_however_its_signalling_ends() {
        let (latch, now) = (Latch::new(), Instant::now());
        let number = latch.enter(now).unwrap();
        assert_eq!(latch.enter(now), None, "a client is there");
        latch.left(number);
        assert_eq!(latch.enter(now), None, "why it went is not known yet");
        latch.vacate(Seat::Lost(later(now, 15)));
        assert!(latch.opens(later(now, 14)));
        assert!(
            !latch.opens(later(now, 15)),
            "the time to come back is over"
        );
    }

    #[test]
    fn a_lost_client_comes_back_once_at_a_time() {
        let (latch, now) = (Latch::new(), Instant::now());
        let first = latch.enter(now).unwrap();
        latch.vacate(Seat::Lost(later(now, 15)));
        let second = latch.enter(now);
        assert!(second.is_some());
        assert_eq!(latch.enter(now), None);
        latch.left(first);
        assert!(
            !latch.is_leaving(),
            "the end of an old stay does not free the seat of the new one"
        );
        assert_eq!(latch.enter(now), None);
    }

    #[test]
    fn a_join_that_let_nobody_in_spends_nothing_but_one_of_a_few_tries() {
        let (latch, now) = (Latch::new(), Instant::now());
        for _ in 0..JOINS {
            let number = latch.enter(now).unwrap();
            latch.left(number);
            assert!(latch.is_leaving());
            latch.vacate(Seat::Free);
        }
        assert_eq!(latch.enter(now), None);
    }
}
