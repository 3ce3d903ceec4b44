//! How long a session may last, and when its end is announced (S10). Time comes in from outside.

use std::time::Duration;

use tokio::time::Instant;

/// The cap of one session. It runs from the first client's coming in.
pub(super) struct Cap {
    longest: Duration,
    /// How long before the end the client is warned.
    soon: Duration,
    ends_at: Option<Instant>,
    warned: bool,
}

/// What the clock says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The end is this far away and to be announced.
    Warning(Duration),
    /// It is reached.
    End,
}

impl Cap {
    /// A session of at most `longest`, warned of `soon` before; a short one is not warned of as it
    /// begins.
    pub(super) fn new(longest: Duration, soon: Duration) -> Self {
        Self {
            longest,
            soon: soon.min(longest / 4),
            ends_at: None,
            warned: false,
        }
    }

    /// A client came in; the first one sets the clock going.
    pub(super) fn begin(&mut self, now: Instant) {
        self.ends_at.get_or_insert(now + self.longest);
    }

    /// When there is something to do next.
    pub(super) fn next(&self) -> Option<Instant> {
        self.ends_at
            .map(|end| if self.warned { end } else { end - self.soon })
    }

    /// What is to be done now.
    pub(super) fn due(&mut self, now: Instant) -> Option<Due> {
        let end = self.ends_at?;
        if end <= now {
            return Some(Due::End);
        }
        if self.warned || end - now > self.soon {
            return None;
        }
        self.warned = true;
        Some(Due::Warning(end - now))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn whenever_the_clock_wakes_there_is_something_to_do() {
        let start = Instant::now();
        for longest in [2, 90, 14_400].map(Duration::from_secs) {
            let mut cap = Cap::new(longest, Duration::from_secs(60));
            assert_eq!(cap.next(), None, "nobody has come in");
            cap.begin(start);
            let soon = Duration::from_secs(60).min(longest / 4);
            assert_eq!(cap.due(cap.next().unwrap()), Some(Due::Warning(soon)));
            assert_eq!(cap.due(start + longest - soon), None, "warned once");
            assert_eq!(cap.next(), Some(start + longest));
            assert_eq!(cap.due(start + longest), Some(Due::End));
        }
    }

    #[test]
    fn who_comes_back_gets_no_longer_session() {
        let start = Instant::now();
        let mut cap = Cap::new(Duration::from_secs(60), Duration::ZERO);
        cap.begin(start);
        cap.begin(start + Duration::from_secs(30));
        assert_eq!(cap.due(start + Duration::from_secs(60)), Some(Due::End));
    }
}
