//! The clock pictures are named by: 90 kHz RTP time, one per session, so that no two pictures share a name.

use std::{
    hash::{BuildHasher, RandomState},
    time::Instant,
};

use parking_lot::Mutex;

/// Ticks a second.
const RTP_HZ: u128 = 90_000;

#[derive(Debug)]
pub(crate) struct Clock {
    began: Instant,
    /// RTP time begins anywhere.
    base: u32,
    last: Mutex<Option<u32>>,
}

impl Clock {
    pub(crate) fn new() -> Self {
        // A fresh hasher is seeded at random.
        let base = RandomState::new().hash_one(0u8) as u32;
        Self {
            began: Instant::now(),
            base,
            last: Mutex::new(None),
        }
    }

    /// The time stamp for a picture that leaves now; later than every one before.
    pub(crate) fn stamp(&self, now: Instant) -> u32 {
        let ticks = now.saturating_duration_since(self.began).as_nanos() * RTP_HZ / 1_000_000_000;
        let time = self.base.wrapping_add(ticks as u32);
        let mut last = self.last.lock();
        let stamp = match *last {
            // Compared as RTP does, around the wrap after thirteen hours.
            Some(last) if (time.wrapping_sub(last) as i32) <= 0 => last.wrapping_add(1),
            _ => time,
        };
        *last = Some(stamp);
        stamp
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn stamps_run_at_90_khz_and_never_repeat() {
        let clock = Clock {
            began: Instant::now(),
            base: u32::MAX - 10,
            last: Mutex::new(None),
        };
        let begin = clock.began;
        let first = clock.stamp(begin);
        assert_eq!(first, u32::MAX - 10);
        assert_eq!(
            clock.stamp(begin),
            first + 1,
            "two pictures at one time have two names"
        );
        let wrapped = clock.stamp(begin + Duration::from_secs(1));
        assert_eq!(wrapped, first.wrapping_add(90_000));
        assert_eq!(
            clock.stamp(begin),
            wrapped.wrapping_add(1),
            "a clock that runs back does not"
        );
    }
}
