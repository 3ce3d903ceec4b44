//! The pictures that left last, so that a mark finds the one it belongs to.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use alidade_picture::{Picture, PictureId};

/// How long a picture is kept after it left.
pub(crate) const KEPT_FOR: Duration = Duration::from_secs(10);
/// Most bytes of different pictures that are kept; the newest is kept in any case.
const BYTES_MAX: u64 = 192 * 1024 * 1024;
/// Most entries, so that a still picture sent again and again does not pile up.
const ENTRIES_MAX: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct Kept {
    entries: VecDeque<(Instant, Picture)>,
}

/// An upper bound, whatever the layout of the pixels.
fn bytes(picture: &Picture) -> u64 {
    picture.size().pixels() * 3
}

impl Kept {
    /// Keeps a picture under its id; one sent again shares its pixels and costs nothing more.
    pub(crate) fn keep(&mut self, picture: Picture, now: Instant) {
        self.entries.push_back((now, picture));
        while self.entries.len() > 1 && self.too_much(now) {
            self.entries.pop_front();
        }
    }

    fn too_much(&self, now: Instant) -> bool {
        let oldest = self
            .entries
            .front()
            .is_some_and(|(left, _)| now.saturating_duration_since(*left) > KEPT_FOR);
        oldest || self.entries.len() > ENTRIES_MAX || self.held() > BYTES_MAX
    }

    fn held(&self) -> u64 {
        let mut held = 0;
        let mut last: Option<&Picture> = None;
        for (_, picture) in &self.entries {
            if last.is_none_or(|last| !last.shares_pixels_with(picture)) {
                held += bytes(picture);
            }
            last = Some(picture);
        }
        held
    }

    /// The picture with that id, if it left within the last ten seconds or is the newest.
    pub(crate) fn get(&self, id: PictureId, now: Instant) -> Option<Picture> {
        let newest = self.entries.len().checked_sub(1)?;
        let fresh = |at: usize, left: &Instant| {
            at == newest || now.saturating_duration_since(*left) <= KEPT_FOR
        };
        let found = self
            .entries
            .iter()
            .enumerate()
            .rev()
            .find(|(_, (_, picture))| picture.id() == id);
        found
            .filter(|(at, (left, _))| fresh(*at, left))
            .map(|(_, (_, picture))| picture.clone())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use alidade_picture::Size;

    use super::*;

    fn picture(id: u64, side: u32) -> Picture {
        Picture::from_rgb(
            PictureId(id),
            Size::new(side, side),
            vec![9; (side * side * 3) as usize],
        )
        .unwrap()
    }

    #[test]
    fn a_picture_is_found_for_ten_seconds_and_the_newest_longer() {
        let mut kept = Kept::default();
        let begin = Instant::now();
        kept.keep(picture(1, 2), begin);
        kept.keep(picture(2, 2), begin + Duration::from_secs(1));
        assert_eq!(
            kept.get(PictureId(1), begin + KEPT_FOR).unwrap().id(),
            PictureId(1)
        );
        let later = begin + KEPT_FOR + Duration::from_secs(5);
        assert!(kept.get(PictureId(1), later).is_none());
        assert_eq!(
            kept.get(PictureId(2), later).unwrap().id(),
            PictureId(2),
            "the newest may still be shown"
        );
        assert!(kept.get(PictureId(3), begin).is_none());
    }

    #[test]
    fn pictures_are_kept_within_bounds_and_one_sent_again_costs_nothing() {
        let mut kept = Kept::default();
        let now = Instant::now();
        let still = picture(0, 4000);
        for id in 0..400 {
            kept.keep(still.clone().with_id(PictureId(id)), now);
        }
        assert!(kept.get(PictureId(0), now).is_some(), "one buffer of 48 MB");
        for id in 1000..1006 {
            kept.keep(picture(id, 4000), now);
        }
        assert!(kept.held() <= BYTES_MAX);
        assert!(kept.get(PictureId(0), now).is_none() && kept.get(PictureId(1005), now).is_some());
        for id in 2000..4000 {
            kept.keep(picture(id, 1), now);
        }
        assert!(kept.entries.len() <= ENTRIES_MAX);
    }
}
