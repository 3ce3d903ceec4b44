//! A line of text cut out of the picture and laid level, and where its ink is.

use std::hash::{DefaultHasher, Hash, Hasher};

use alidade_picture::{Area, Picture};

use super::boxes::Slanted;

/// Pixels of one line, level, with the way back to the picture.
pub(super) struct Strip {
    pub(super) rgb: Vec<u8>,
    pub(super) width: usize,
    pub(super) height: usize,
    from: Slanted,
    size: (f64, f64),
}

/// Pixels a strip may have; more is no line of text.
const LARGEST: f64 = 4_000_000.0;

impl Strip {
    /// Cuts it out; nothing where it lies outside or has no extent.
    pub(super) fn cut(picture: &Picture, slanted: &Slanted) -> Option<Self> {
        let size = (
            f64::from(picture.size().width),
            f64::from(picture.size().height),
        );
        if !(slanted.along >= 1.0 && slanted.across >= 1.0)
            || slanted.along * slanted.across > LARGEST
        {
            return None;
        }
        if slanted.angle == 0.0 {
            Self::level(picture, slanted, size)
        } else {
            Some(Self::turned(picture, slanted, size))
        }
    }

    fn level(picture: &Picture, slanted: &Slanted, size: (f64, f64)) -> Option<Self> {
        let left = (slanted.x - slanted.along / 2.0).floor().max(0.0);
        let top = (slanted.y - slanted.across / 2.0).floor().max(0.0);
        let right = (slanted.x + slanted.along / 2.0).ceil().min(size.0);
        let bottom = (slanted.y + slanted.across / 2.0).ceil().min(size.1);
        if right - left < 1.0 || bottom - top < 1.0 {
            return None;
        }
        let (width, height) = ((right - left) as usize, (bottom - top) as usize);
        let pixels = picture.rgb();
        let stride = size.0 as usize * 3;
        let mut rgb = Vec::with_capacity(width * height * 3);
        for row in 0..height {
            let start = (top as usize + row) * stride + left as usize * 3;
            rgb.extend_from_slice(pixels.get(start..start + width * 3)?);
        }
        let from = Slanted {
            x: (left + right) / 2.0,
            y: (top + bottom) / 2.0,
            along: right - left,
            across: bottom - top,
            angle: 0.0,
        };
        Some(Self {
            rgb,
            width,
            height,
            from,
            size,
        })
    }

    fn turned(picture: &Picture, slanted: &Slanted, size: (f64, f64)) -> Self {
        let (width, height) = (
            slanted.along.round() as usize,
            slanted.across.round() as usize,
        );
        let from = Slanted {
            along: width as f64,
            across: height as f64,
            ..*slanted
        };
        let pixels = picture.rgb();
        let (columns, rows) = (size.0 as usize, size.1 as usize);
        let mut rgb = Vec::with_capacity(width * height * 3);
        for row in 0..height {
            for column in 0..width {
                let (x, y) = from.place(column as f64 + 0.5, row as f64 + 0.5);
                let x = (x - 0.5).clamp(0.0, size.0 - 1.0);
                let y = (y - 0.5).clamp(0.0, size.1 - 1.0);
                let (x0, y0) = (x as usize, y as usize);
                let (x1, y1) = ((x0 + 1).min(columns - 1), (y0 + 1).min(rows - 1));
                let (fx, fy) = (x - x0 as f64, y - y0 as f64);
                for channel in 0..3 {
                    let at =
                        |x: usize, y: usize| f64::from(pixels[(y * columns + x) * 3 + channel]);
                    let above = at(x0, y0) * (1.0 - fx) + at(x1, y0) * fx;
                    let below = at(x0, y1) * (1.0 - fx) + at(x1, y1) * fx;
                    rgb.push((above * (1.0 - fy) + below * fy).round() as u8);
                }
            }
        }
        Self {
            rgb,
            width,
            height,
            from,
            size,
        }
    }

    /// Tells strips apart; equal pixels have equal keys.
    pub(super) fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.width, self.height).hash(&mut hasher);
        hasher.write(&self.rgb);
        hasher.finish()
    }

    /// A part of the strip, by columns.
    pub(super) fn part(&self, columns: std::ops::Range<usize>) -> Self {
        let columns = columns.start.min(self.width)..columns.end.min(self.width);
        let mut rgb = Vec::with_capacity(columns.len() * self.height * 3);
        for row in self.rgb.chunks_exact(self.width * 3) {
            rgb.extend_from_slice(&row[columns.start * 3..columns.end * 3]);
        }
        let middle = (columns.start + columns.end) as f64 / 2.0;
        let (x, y) = self.from.place(middle, self.from.across / 2.0);
        Self {
            rgb,
            width: columns.len(),
            height: self.height,
            from: Slanted {
                x,
                y,
                along: columns.len() as f64,
                ..self.from
            },
            size: self.size,
        }
    }

    /// A quarter turn: what ran upward runs to the right where `upward`, else what ran downward.
    pub(super) fn quarter(&self, upward: bool) -> Self {
        let mut rgb = Vec::with_capacity(self.rgb.len());
        for row in 0..self.width {
            for column in 0..self.height {
                let (x, y) = if upward {
                    (row, self.height - 1 - column)
                } else {
                    (self.width - 1 - row, column)
                };
                let at = (y * self.width + x) * 3;
                rgb.extend_from_slice(&self.rgb[at..at + 3]);
            }
        }
        let quarter = if upward {
            -std::f64::consts::FRAC_PI_2
        } else {
            std::f64::consts::FRAC_PI_2
        };
        Self {
            rgb,
            width: self.height,
            height: self.width,
            from: Slanted {
                along: self.from.across,
                across: self.from.along,
                angle: self.from.angle + quarter,
                ..self.from
            },
            size: self.size,
        }
    }

    /// Columns and rows of the strip as an area of the picture.
    pub(super) fn area(
        &self,
        columns: &std::ops::Range<usize>,
        rows: &std::ops::Range<usize>,
    ) -> Area {
        let mut low = (f64::MAX, f64::MAX);
        let mut high = (f64::MIN, f64::MIN);
        for along in [columns.start, columns.end] {
            for across in [rows.start, rows.end] {
                let (x, y) = self.from.place(along as f64, across as f64);
                low = (low.0.min(x), low.1.min(y));
                high = (high.0.max(x), high.1.max(y));
            }
        }
        let area = Area::new(
            low.0 / self.size.0,
            low.1 / self.size.1,
            (high.0 - low.0) / self.size.0,
            (high.1 - low.1) / self.size.1,
        );
        area.inside_picture().unwrap_or(area)
    }

    /// Where ink stands in it.
    pub(super) fn ink(&self) -> Ink {
        Ink::of(&self.rgb, self.width, self.height)
    }
}

/// Which columns and rows of a strip hold ink.
pub(super) struct Ink {
    /// A column is ink where light and dark meet in it.
    pub(super) columns: Vec<bool>,
    /// Likewise a row.
    pub(super) rows: Vec<bool>,
}

impl Ink {
    fn of(rgb: &[u8], width: usize, height: usize) -> Self {
        let luma: Vec<u8> = rgb
            .chunks_exact(3)
            .map(|p| {
                ((u32::from(p[0]) * 77 + u32::from(p[1]) * 150 + u32::from(p[2]) * 29) >> 8) as u8
            })
            .collect();
        // The outermost rows may belong to the line above, to a frame or an underline.
        let edge = height / 6;
        let inner = edge..height - edge;
        let contrast = |values: &mut dyn Iterator<Item = u8>| {
            let (low, high) = values.fold((255u8, 0u8), |(l, h), v| (l.min(v), h.max(v)));
            high.saturating_sub(low)
        };
        let columns: Vec<u8> = (0..width)
            .map(|x| contrast(&mut inner.clone().map(|y| luma[y * width + x])))
            .collect();
        let threshold = threshold(&columns);
        let columns: Vec<bool> = columns.iter().map(|c| *c > threshold).collect();
        // Ink and the blank beside it: a row of ink alone has no contrast.
        let near: Vec<bool> = (0..width)
            .map(|x| (x.saturating_sub(1)..(x + 2).min(width)).any(|n| columns[n]))
            .collect();
        let rows = luma
            .chunks_exact(width)
            .map(|row| {
                let mut inked = row
                    .iter()
                    .zip(&near)
                    .filter(|(_, ink)| **ink)
                    .map(|(v, _)| *v);
                contrast(&mut inked) > threshold
            })
            .collect();
        Self { columns, rows }
    }

    /// Rows from the first to the last ink, the core's neighbours left out.
    pub(super) fn tall(&self) -> std::ops::Range<usize> {
        let middle = self.rows.len() / 2;
        let Some(seed) = (0..self.rows.len())
            .filter(|y| self.rows[*y])
            .min_by_key(|y| y.abs_diff(middle))
        else {
            return 0..self.rows.len();
        };
        // Dots and accents stand a row or two apart from their letters.
        let bridge = (self.rows.len() / 8).max(1);
        let (mut top, mut bottom) = (seed, seed);
        for y in (0..seed).rev() {
            if self.rows[y] && top - y <= bridge + 1 {
                top = y;
            }
        }
        for y in seed..self.rows.len() {
            if self.rows[y] && y - bottom <= bridge + 1 {
                bottom = y;
            }
        }
        top..bottom + 1
    }

    /// Runs of columns that hold ink, joined where less than `gap` lies between.
    pub(super) fn runs(&self, gap: usize) -> Vec<std::ops::Range<usize>> {
        let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
        for (x, _) in self.columns.iter().enumerate().filter(|(_, ink)| **ink) {
            match runs.last_mut() {
                Some(run) if x - run.end < gap.max(1) => run.end = x + 1,
                _ => runs.push(x..x + 1),
            }
        }
        runs
    }

    /// The widest stretch without ink inside these columns.
    pub(super) fn widest_gap(
        &self,
        within: std::ops::Range<usize>,
    ) -> Option<std::ops::Range<usize>> {
        let end = within.end.min(self.columns.len());
        let mut best: Option<std::ops::Range<usize>> = None;
        let mut from = None;
        for x in within.start..=end {
            let blank = x < end && !self.columns[x];
            match (blank, from) {
                (true, None) => from = Some(x),
                (false, Some(start)) => {
                    if best.as_ref().is_none_or(|b| x - start > b.len()) {
                        best = Some(start..x);
                    }
                    from = None;
                }
                _ => {}
            }
        }
        best
    }
}

/// What counts as contrast: well above the flat columns, well below the inked ones.
fn threshold(contrasts: &[u8]) -> u8 {
    let mut sorted = contrasts.to_vec();
    sorted.sort_unstable();
    let strong = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(0);
    (f32::from(strong) * 0.3).max(12.0) as u8
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::{PictureId, Size};

    /// Black bars on white at these columns, over rows 4 to 12 of 16.
    fn bars(width: usize, bars: &[std::ops::Range<usize>]) -> Picture {
        let mut rgb = vec![255; width * 16 * 3];
        for y in 4..12 {
            for x in bars.iter().cloned().flatten() {
                // Letters are not solid blocks: every column holds light and dark.
                if y != 7 {
                    rgb[(y * width + x) * 3..][..3].fill(0);
                }
            }
        }
        Picture::from_rgb(PictureId(1), Size::new(width as u32, 16), rgb).unwrap()
    }

    fn whole(width: f64) -> Slanted {
        Slanted {
            x: width / 2.0,
            y: 8.0,
            along: width,
            across: 16.0,
            angle: 0.0,
        }
    }

    #[test]
    fn ink_is_where_the_bars_are() {
        let strip = Strip::cut(&bars(40, &[3..8, 20..25]), &whole(40.0)).unwrap();
        let ink = strip.ink();
        assert_eq!(ink.runs(6), vec![3..8, 20..25]);
        assert_eq!(ink.runs(13), vec![3..25]);
        assert_eq!(ink.tall(), 4..12);
        assert_eq!(ink.widest_gap(0..40), Some(25..40));
        assert_eq!(ink.widest_gap(3..25), Some(8..20));
        assert_eq!(
            strip.area(&(20..25), &(4..12)),
            Area::new(0.5, 0.25, 0.125, 0.5)
        );
    }

    #[test]
    fn a_part_lies_where_it_was_cut_and_has_a_key_of_its_own() {
        let strip = Strip::cut(&bars(40, &[3..8, 20..25]), &whole(40.0)).unwrap();
        let part = strip.part(16..32);
        assert_eq!(
            part.area(&(4..9), &(0..16)),
            Area::new(0.5, 0.0, 0.125, 1.0)
        );
        assert_ne!(part.key(), strip.key());
        assert_eq!(part.key(), strip.part(16..32).key());
    }

    #[test]
    fn quarter_turns_come_back_to_the_same_place() {
        let bar = 3..8;
        let strip = Strip::cut(&bars(40, std::slice::from_ref(&bar)), &whole(40.0)).unwrap();
        for upward in [true, false] {
            let turned = strip.quarter(upward);
            assert_eq!((turned.width, turned.height), (16, 40));
            let rows = if upward { 3..8 } else { 32..37 };
            let back = turned.area(&(0..16), &rows);
            assert!(
                (back.x - 3.0 / 40.0).abs() < 1e-9 && (back.width - 0.125).abs() < 1e-9,
                "{back:?}"
            );
            assert_eq!(turned.quarter(!upward).rgb, strip.rgb);
        }
    }

    #[test]
    fn what_lies_outside_or_is_empty_is_not_cut() {
        let picture = bars(40, &[]);
        let outside = Slanted {
            x: 400.0,
            ..whole(40.0)
        };
        assert!(Strip::cut(&picture, &outside).is_none());
        assert!(
            Strip::cut(
                &picture,
                &Slanted {
                    along: 0.0,
                    ..whole(40.0)
                }
            )
            .is_none()
        );
        let slanted = Slanted {
            x: -5.0,
            angle: 0.4,
            ..whole(40.0)
        };
        assert_eq!(
            Strip::cut(&picture, &slanted).unwrap().rgb.len(),
            40 * 16 * 3
        );
    }
}
