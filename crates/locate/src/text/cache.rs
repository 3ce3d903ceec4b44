//! What was read before: lines by their pixels, and whole pictures by what changed in them.

use std::collections::HashMap;

use alidade_picture::{Area, Picture, Size};
use parking_lot::Mutex;

use super::{Reading, recognise::Char};

/// Strips remembered at most, about 1 KB each.
const STRIPS: usize = 4096;
/// Pictures remembered at most, a byte a pixel each.
const PICTURES: usize = 3;
/// Side of the squares that are compared, in pixels.
const SQUARE: usize = 16;
/// A square has changed where a pixel differs by more: coding noise stays below, a letter does not.
const PIXEL: u8 = 48;
/// … or where its pixels differ by more than this on average.
const MEAN: usize = 5;

/// Characters by the key of their strip; the least recently used go first.
#[derive(Default)]
pub(super) struct Strips(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// When each was used last, and what it says.
    read: HashMap<u64, (u64, Vec<Char>)>,
    /// Counts uses.
    now: u64,
}

impl Strips {
    pub(super) fn get(&self, key: u64) -> Option<Vec<Char>> {
        let mut kept = self.0.lock();
        kept.now += 1;
        let now = kept.now;
        let (used, read) = kept.read.get_mut(&key)?;
        *used = now;
        Some(read.clone())
    }

    pub(super) fn put(&self, key: u64, read: Vec<Char>) {
        let mut kept = self.0.lock();
        if kept.read.len() >= STRIPS {
            let mut ages: Vec<u64> = kept.read.values().map(|(used, _)| *used).collect();
            let (_, middle, _) = ages.select_nth_unstable(STRIPS / 2);
            let middle = *middle;
            kept.read.retain(|_, (used, _)| *used > middle);
        }
        kept.now += 1;
        let now = kept.now;
        kept.read.insert(key, (now, read));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().read.len()
    }
}

/// Brightness of a picture, to compare with later ones.
pub(super) struct Luma {
    size: Size,
    rows: Vec<u8>,
}

impl Luma {
    pub(super) fn of(picture: &Picture) -> Self {
        let rgb = picture.rgb();
        let rows = rgb
            .chunks_exact(3)
            .map(|p| {
                ((u32::from(p[0]) * 77 + u32::from(p[1]) * 150 + u32::from(p[2]) * 29) >> 8) as u8
            })
            .collect();
        Self {
            size: picture.size(),
            rows,
        }
    }

    /// Squares of `self` that look different in `other`; nothing where the sizes differ.
    pub(super) fn changed(&self, other: &Self) -> Option<Changes> {
        if self.size != other.size {
            return None;
        }
        let (width, height) = (self.size.width as usize, self.size.height as usize);
        let columns = width.div_ceil(SQUARE);
        let mut squares = vec![false; columns * height.div_ceil(SQUARE)];
        for (band, squares) in squares.chunks_exact_mut(columns).enumerate() {
            let rows = band * SQUARE..((band + 1) * SQUARE).min(height);
            let bytes = rows.start * width..rows.end * width;
            if self.rows[bytes.clone()] == other.rows[bytes] {
                continue;
            }
            for (column, square) in squares.iter_mut().enumerate() {
                let across = column * SQUARE..((column + 1) * SQUARE).min(width);
                let (mut sum, mut most) = (0usize, 0u8);
                for row in rows.clone() {
                    let here = row * width + across.start..row * width + across.end;
                    for (a, b) in self.rows[here.clone()].iter().zip(&other.rows[here]) {
                        let differs = a.abs_diff(*b);
                        sum += usize::from(differs);
                        most = most.max(differs);
                    }
                }
                *square = most > PIXEL || sum > MEAN * rows.len() * across.len();
            }
        }
        Some(Changes {
            size: self.size,
            columns,
            squares,
        })
    }
}

/// Which squares of a picture changed.
pub(super) struct Changes {
    size: Size,
    columns: usize,
    squares: Vec<bool>,
}

impl Changes {
    /// Share of the picture that changed.
    pub(super) fn share(&self) -> f64 {
        self.squares.iter().filter(|s| **s).count() as f64 / self.squares.len().max(1) as f64
    }

    /// The rows of pixels from the first to the last change.
    pub(super) fn rows(&self) -> Option<std::ops::Range<u32>> {
        let first = self.squares.iter().position(|s| *s)? / self.columns;
        let last = self.squares.iter().rposition(|s| *s)? / self.columns;
        let end = ((last + 1) * SQUARE).min(self.size.height as usize);
        Some((first * SQUARE) as u32..end as u32)
    }

    /// Whether the area touches a change.
    pub(super) fn touch(&self, area: &Area) -> bool {
        let (width, height) = (f64::from(self.size.width), f64::from(self.size.height));
        let square = |v: f64| (v.max(0.0) as usize) / SQUARE;
        let columns = square(area.x * width)..=square(area.right() * width);
        let rows = square(area.y * height)..=square(area.bottom() * height);
        rows.into_iter().any(|row| {
            columns.clone().any(|column| {
                column < self.columns
                    && self
                        .squares
                        .get(row * self.columns + column)
                        .copied()
                        .unwrap_or(false)
            })
        })
    }
}

/// The last pictures that were read whole.
#[derive(Default)]
pub(super) struct Pictures(Mutex<Vec<(Luma, Reading)>>);

impl Pictures {
    /// The remembered picture that changed least, what changed, and what it said.
    pub(super) fn nearest(&self, luma: &Luma) -> Option<(Changes, Reading)> {
        let kept = self.0.lock();
        kept.iter()
            .filter_map(|(old, reading)| Some((old.changed(luma)?, reading)))
            .min_by(|a, b| a.0.share().total_cmp(&b.0.share()))
            .map(|(changes, reading)| (changes, reading.clone()))
    }

    pub(super) fn put(&self, luma: Luma, reading: Reading) {
        let mut kept = self.0.lock();
        // The same screen again replaces its older picture.
        let near = |old: &Luma| old.changed(&luma).is_some_and(|c| c.share() < 0.02);
        if let Some(at) = kept.iter().position(|(old, _)| near(old)) {
            kept.remove(at);
        } else if kept.len() >= PICTURES {
            kept.remove(0);
        }
        kept.push((luma, reading));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::PictureId;

    fn luma(size: Size, level: impl Fn(u32, u32) -> u8) -> Luma {
        let rgb = (0..size.height)
            .flat_map(|y| (0..size.width).map(move |x| (x, y)))
            .flat_map(|(x, y)| [level(x, y); 3])
            .collect::<Vec<u8>>();
        Luma::of(&Picture::from_rgb(PictureId(1), size, rgb).unwrap())
    }

    #[test]
    fn strips_are_bounded_and_the_used_ones_stay() {
        let strips = Strips::default();
        for key in 0..3 * STRIPS as u64 {
            strips.put(key, Vec::new());
            assert!(strips.get(0).is_some(), "it was used just now");
            assert!(strips.len() <= STRIPS);
        }
        assert!(strips.get(1).is_none());
    }

    #[test]
    fn a_letter_is_a_change_and_noise_is_not() {
        let size = Size::new(100, 70);
        let before = luma(size, |_, _| 200);
        let noisy = luma(size, |x, y| 200 + ((x * 7 + y * 3) % 5) as u8);
        assert_eq!(before.changed(&noisy).unwrap().rows(), None);
        let letter = luma(size, |x, y| {
            if x == 50 && (36..46).contains(&y) {
                90
            } else {
                200
            }
        });
        let changes = before.changed(&letter).unwrap();
        assert_eq!(changes.rows(), Some(32..48));
        assert!(
            changes.touch(&Area::new(0.5, 0.5, 0.01, 0.1))
                && !changes.touch(&Area::new(0.0, 0.0, 0.3, 0.3))
        );
        let greyed = luma(size, |x, y| if x < 16 && y < 16 { 190 } else { 200 });
        assert_eq!(before.changed(&greyed).unwrap().rows(), Some(0..16));
        assert!(
            before
                .changed(&luma(Size::new(70, 100), |_, _| 200))
                .is_none()
        );
    }

    #[test]
    fn few_pictures_are_kept_and_the_same_screen_once() {
        let pictures = Pictures::default();
        let size = Size::new(64, 64);
        for level in 0..20u8 {
            pictures.put(luma(size, |_, _| level * 12), Reading::default());
            pictures.put(luma(size, |_, _| level * 12), Reading::default());
            assert!(pictures.0.lock().len() <= PICTURES);
        }
        let (changes, _) = pictures.nearest(&luma(size, |_, _| 19 * 12 + 1)).unwrap();
        assert_eq!(changes.rows(), None);
    }
}
