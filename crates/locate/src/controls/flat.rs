//! Flat surfaces: connected pixels whose colour hardly changes from one to the next.
//!
//! A programme's window is made of them: the inside of a button, its outline, a page, the back of a menu.
//! Neighbours are compared with each other and not with a mean, so a gentle gradient stays one surface.

use crate::colour::Raster;

/// Neighbours that differ by at most this in every channel belong together. Above what a video codec
/// leaves of noise in flat parts, below the faintest outlines of dark themes.
const STEP: u8 = 4;

/// One surface, in pixels of the raster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub(super) left: u32,
    pub(super) top: u32,
    /// Column after the last.
    pub(super) right: u32,
    /// Row after the last.
    pub(super) bottom: u32,
    /// Pixels that belong to it.
    pub(super) count: u32,
    /// Pixels between its first and last in each row, summed: what it would have without holes.
    pub(super) span: u32,
    /// Mean colour.
    pub(super) rgb: [u8; 3],
}

impl Surface {
    pub(super) fn width(&self) -> u32 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> u32 {
        self.bottom - self.top
    }

    fn bounds(&self) -> f32 {
        (self.width() as f32 * self.height() as f32).max(1.0)
    }

    /// How much of its bounds it takes, holes filled: 1 for a rectangle or its outline, 0.79 for a disc.
    pub(super) fn fullness(&self) -> f32 {
        self.span as f32 / self.bounds()
    }

    /// How much of its bounds its own pixels take: little for an outline.
    pub(super) fn body(&self) -> f32 {
        self.count as f32 / self.bounds()
    }
}

/// A stretch of one row whose neighbours differ little.
#[derive(Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
    root: u32,
}

fn root(runs: &mut [Run], mut at: u32) -> u32 {
    while runs[at as usize].root != at {
        let next = runs[at as usize].root;
        let after = runs[next as usize].root;
        runs[at as usize].root = after;
        at = after;
    }
    at
}

fn alike(a: &[u8], b: &[u8]) -> bool {
    a[0].abs_diff(b[0]) <= STEP && a[1].abs_diff(b[1]) <= STEP && a[2].abs_diff(b[2]) <= STEP
}

/// Columns `from..to` of row `y` that belong to one surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) y: u32,
    pub(super) from: u32,
    pub(super) to: u32,
    /// Index of the surface.
    pub(super) surface: u32,
}

/// A picture taken apart.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// In the order of their first pixel.
    pub(super) surfaces: Vec<Surface>,
    /// All pixels, by rows.
    pub(super) stretches: Vec<Stretch>,
}

/// Takes a picture apart into surfaces.
pub(super) fn taken_apart(raster: &Raster) -> Flat {
    let (width, height) = (raster.width, raster.height);
    if width == 0 || height == 0 || raster.rgb.len() < width * height * 3 {
        return Flat::default();
    }
    let mut runs: Vec<Run> = Vec::with_capacity(height * 24);
    let mut rows: Vec<u32> = Vec::with_capacity(height + 1);
    for row in raster.rgb.chunks_exact(width * 3) {
        let above = rows.last().map_or(0, |start| *start as usize)..runs.len();
        let start = runs.len();
        rows.push(start as u32);
        split(row, &mut runs);
        if rows.len() > 1 {
            let y = rows.len() - 1;
            let before = &raster.rgb[(y - 1) * width * 3..y * width * 3];
            join(row, before, &mut runs, above, start);
        }
    }
    rows.push(runs.len() as u32);
    gather(raster, &mut runs, &rows)
}

fn split(row: &[u8], runs: &mut Vec<Run>) {
    let mut from = 0;
    let pixels = row.len() / 3;
    for x in 1..=pixels {
        if x == pixels || !alike(&row[x * 3 - 3..x * 3], &row[x * 3..x * 3 + 3]) {
            let root = runs.len() as u32;
            runs.push(Run {
                from: from as u32,
                to: x as u32,
                root,
            });
            from = x;
        }
    }
}

/// Joins the runs of a row with those above that they continue. Three columns have to agree, where there are
/// three: one alone is the softened corner of a button that has the colour of both sides.
fn join(row: &[u8], before: &[u8], runs: &mut [Run], above: std::ops::Range<usize>, start: usize) {
    let (mut a, mut b) = (above.start, start);
    while a < above.end && b < runs.len() {
        let (from, to) = (runs[a].from.max(runs[b].from), runs[a].to.min(runs[b].to));
        if from < to {
            let needed = (to - from).min(3);
            let mut agree = 0;
            for x in from as usize..to as usize {
                if alike(&row[x * 3..x * 3 + 3], &before[x * 3..x * 3 + 3]) {
                    agree += 1;
                    if agree >= needed {
                        break;
                    }
                }
            }
            if agree >= needed {
                let (ra, rb) = (root(runs, a as u32), root(runs, b as u32));
                let (old, new) = (ra.min(rb), ra.max(rb));
                runs[new as usize].root = old;
            }
        }
        if runs[a].to <= runs[b].to {
            a += 1;
        } else {
            b += 1;
        }
    }
}

#[derive(Clone, Copy)]
struct Sum {
    row: u32,
    first: u32,
    last: u32,
    rgb: [u64; 3],
}

fn gather(raster: &Raster, runs: &mut [Run], rows: &[u32]) -> Flat {
    // A root is always the earliest run of its surface, so its number is met first.
    let mut number: Vec<u32> = vec![u32::MAX; runs.len()];
    let mut sums: Vec<Sum> = Vec::new();
    let mut flat = Flat::default();
    flat.stretches.reserve(runs.len());
    for (y, bounds) in rows.windows(2).enumerate() {
        let y = y as u32;
        for at in bounds[0]..bounds[1] {
            let top = root(runs, at) as usize;
            let Run { from, to, .. } = runs[at as usize];
            if number[top] == u32::MAX {
                number[top] = sums.len() as u32;
                sums.push(Sum {
                    row: y,
                    first: from,
                    last: to,
                    rgb: [0; 3],
                });
                flat.surfaces.push(Surface {
                    left: from,
                    top: y,
                    right: to,
                    bottom: y + 1,
                    count: 0,
                    span: 0,
                    rgb: [0; 3],
                });
            }
            let surface = number[top];
            flat.stretches.push(Stretch {
                y,
                from,
                to,
                surface,
            });
            let (sum, s) = (
                &mut sums[surface as usize],
                &mut flat.surfaces[surface as usize],
            );
            if sum.row != y {
                s.span += sum.last - sum.first;
                (sum.row, sum.first, sum.last) = (y, from, to);
            }
            sum.first = sum.first.min(from);
            sum.last = sum.last.max(to);
            s.left = s.left.min(from);
            s.right = s.right.max(to);
            s.bottom = y + 1;
            s.count += to - from;
            // The middle of each run stands for it; runs hardly vary.
            let pixel = raster.pixel((from + to) as usize / 2, y as usize);
            for (total, value) in sum.rgb.iter_mut().zip(pixel) {
                *total += u64::from(value) * u64::from(to - from);
            }
        }
    }
    for (surface, sum) in flat.surfaces.iter_mut().zip(sums) {
        surface.span += sum.last - sum.first;
        surface.rgb = sum.rgb.map(|v| (v / u64::from(surface.count.max(1))) as u8);
    }
    flat
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::{Picture, PictureId, Size};

    fn raster(width: u32, height: u32, paint: impl Fn(u32, u32) -> [u8; 3]) -> Raster {
        let pixels: Vec<u8> = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .flat_map(|(x, y)| paint(x, y))
            .collect();
        let picture = Picture::from_rgb(PictureId(1), Size::new(width, height), pixels).unwrap();
        Raster::of(&picture, 10_000).unwrap()
    }

    #[test]
    fn a_box_with_an_outline_is_three_surfaces() {
        let found = taken_apart(&raster(60, 40, |x, y| match (x, y) {
            (11..=48, 11..=28) => [240; 3],
            (10..=49, 10..=29) => [100; 3],
            _ => [220; 3],
        }))
        .surfaces;
        assert_eq!(found.len(), 3);
        let outline = found.iter().find(|s| s.rgb == [100; 3]).unwrap();
        assert_eq!(
            (outline.left, outline.top, outline.right, outline.bottom),
            (10, 10, 50, 30)
        );
        assert!(outline.fullness() > 0.999 && outline.body() < 0.2);
    }

    #[test]
    fn a_gentle_gradient_is_one_surface() {
        let found = taken_apart(&raster(30, 60, |_, y| [100 + 2 * y as u8; 3])).surfaces;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].count, 1800);
    }

    #[test]
    fn a_surface_that_forks_and_meets_again_is_one() {
        // A "U" and an "n": both arms belong together.
        let found = taken_apart(&raster(30, 30, |x, y| {
            let hole = (10..20).contains(&x) && (10..20).contains(&y);
            if hole { [0; 3] } else { [200; 3] }
        }))
        .surfaces;
        assert_eq!(found.len(), 2);
        assert_eq!(found.iter().map(|s| s.count).sum::<u32>(), 900);
    }
}
