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
pub(super) struct Strips(Mutex<(HashMap<u64, (u64, Vec<Char>)>, u64)>);

impl Strips {
    pub(super) fn get(&self, key: u64) -> Option<Vec<Char>> {
        let mut kept = self.0.lock();
        kept.1 += 1;
        let now = kept.1;
        let (used, read) = kept.0.get_mut(&key)?;
        *used = now;
        Some(read.clone())
    }

    pub(super) fn put(&self, key: u64, read: Vec<Char>) {
        let mut kept = self.0.lock();
        if kept.0.len() >= STRIPS {
            let mut ages: Vec<u64> = kept.0.values().map(|(used, _)| *used).collect();
            let (_, middle, _) = ages.select_nth_unstable(STRIPS / 2);
            let middle = *middle;
            kept.0.retain(|_, (used, _)| *used > middle);
        }
        kept.1 += 1;
        let now = kept.1;
        kept.0.insert(key, (now, read));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().0.len()
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
