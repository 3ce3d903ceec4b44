//! From a probability map to boxes, which may be slanted.

/// A connected region of the map.
pub(super) struct Component {
    /// Pixels in it.
    pub(super) pixels: usize,
    /// Their mean probability.
    pub(super) mean: f32,
    runs: Vec<Run>,
}

#[derive(Clone, Copy)]
struct Run {
    y: u32,
    /// First column.
    from: u32,
    /// Column after the last.
    to: u32,
}

/// A rectangle that may be turned: a line of text as it lies in the picture. Pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slanted {
    /// The middle.
    pub(crate) x: f64,
    /// The middle.
    pub(crate) y: f64,
    /// Extent along the text.
    pub(crate) along: f64,
    /// Extent across it.
    pub(crate) across: f64,
    /// Direction of the text, in radians, clockwise from rightward.
    pub(crate) angle: f64,
}

/// Slants below this are drawn from noise, or do not matter.
const LEVEL: f64 = 0.02;
/// What is less elongated has no direction that can be trusted.
const ELONGATED: f64 = 2.5;

impl Slanted {
    /// Grown on all sides by `growth` × area ÷ perimeter.
    pub(super) fn grown(self, growth: f64) -> Self {
        let by = growth * self.along * self.across / (2.0 * (self.along + self.across)).max(1e-9);
        Self {
            along: self.along + 2.0 * by,
            across: self.across + 2.0 * by,
            ..self
        }
    }

    /// In a picture that is larger by these factors (which are nearly the same).
    pub(super) fn scaled(self, across: f64, down: f64) -> Self {
        let (cos, sin) = (self.angle.cos().abs(), self.angle.sin().abs());
        Self {
            x: self.x * across,
            y: self.y * down,
            along: self.along * (across * cos + down * sin),
            across: self.across * (across * sin + down * cos),
            angle: self.angle,
        }
    }

    /// A place given along (0 to `along`) and across (0 to `across`) the box, in the picture.
    pub(super) fn place(&self, along: f64, across: f64) -> (f64, f64) {
        let (cos, sin) = (self.angle.cos(), self.angle.sin());
        let (a, c) = (along - self.along / 2.0, across - self.across / 2.0);
        (self.x + a * cos - c * sin, self.y + a * sin + c * cos)
    }
}

impl Component {
    /// The smallest rectangle around it; upright unless it clearly is slanted.
    pub(super) fn slanted(&self) -> Slanted {
        let upright = self.upright();
        let hull = hull(&self.corners());
        let Some(turned) = smallest(&hull) else {
            return upright;
        };
        let long = turned.along >= turned.across * ELONGATED;
        if !long || turned.angle.abs() < LEVEL {
            return upright;
        }
        // Letters stick out of a level line, so that a slightly turned box may be smaller by chance.
        let gain = upright.along * upright.across / (turned.along * turned.across).max(1e-9);
        if gain < 1.15 { upright } else { turned }
    }

    fn upright(&self) -> Slanted {
        let left = self.runs.iter().map(|r| r.from).min().unwrap_or(0);
        let right = self.runs.iter().map(|r| r.to).max().unwrap_or(0);
        let top = self.runs.iter().map(|r| r.y).min().unwrap_or(0);
        let bottom = self.runs.iter().map(|r| r.y + 1).max().unwrap_or(0);
        let (left, right) = (f64::from(left), f64::from(right));
        let (top, bottom) = (f64::from(top), f64::from(bottom));
        Slanted {
            x: (left + right) / 2.0,
            y: (top + bottom) / 2.0,
            along: right - left,
            across: bottom - top,
            angle: 0.0,
        }
    }

    fn corners(&self) -> Vec<(f64, f64)> {
        let mut corners = Vec::with_capacity(self.runs.len() * 4);
        for run in &self.runs {
            for x in [f64::from(run.from), f64::from(run.to)] {
                corners.push((x, f64::from(run.y)));
                corners.push((x, f64::from(run.y + 1)));
            }
        }
        corners
    }
}

/// Regions of `map` (rows of `width`) above `threshold`, joined over edges and corners.
pub(super) fn components(map: &[f32], width: usize, threshold: f32) -> Vec<Component> {
    let mut runs: Vec<Run> = Vec::new();
    let mut sums: Vec<f32> = Vec::new();
    let mut parent: Vec<usize> = Vec::new();
    let mut above = 0..0;
    for (y, row) in map.chunks_exact(width.max(1)).enumerate() {
        let start = runs.len();
        let mut x = 0;
        while x < width {
            if row[x] <= threshold {
                x += 1;
                continue;
            }
            let from = x;
            while x < width && row[x] > threshold {
                x += 1;
            }
            runs.push(Run {
                y: y as u32,
                from: from as u32,
                to: x as u32,
            });
            sums.push(row[from..x].iter().sum());
            parent.push(parent.len());
        }
        // Both rows are in order of columns: one walk finds every touching pair.
        let mut other = above.clone();
        for here in start..runs.len() {
            while other.start < above.end && runs[other.start].to < runs[here].from {
                other.start += 1;
            }
            for touching in other.start..above.end {
                if runs[touching].from > runs[here].to {
                    break;
                }
                join(&mut parent, touching, here);
            }
        }
        above = start..runs.len();
    }
    let mut slot = vec![usize::MAX; runs.len()];
    let mut found: Vec<Component> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let root = root(&mut parent, index);
        if slot[root] == usize::MAX {
            slot[root] = found.len();
            found.push(Component {
                pixels: 0,
                mean: 0.0,
                runs: Vec::new(),
            });
        }
        let into = &mut found[slot[root]];
        into.pixels += (run.to - run.from) as usize;
        into.mean += sums[index];
        into.runs.push(*run);
    }
    for component in &mut found {
        component.mean /= component.pixels.max(1) as f32;
    }
    found
}

fn root(parent: &mut [usize], mut of: usize) -> usize {
    while parent[of] != of {
        parent[of] = parent[parent[of]];
        of = parent[of];
    }
    of
}

fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}

/// Convex hull, without repeating its first point.
fn hull(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let turn = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
    };
    let half = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut chain: Vec<(f64, f64)> = Vec::new();
        for point in points {
            while chain.len() >= 2
                && turn(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut sorted.iter().copied());
    lower.extend(half(&mut sorted.iter().rev().copied()));
    lower
}

/// The rectangle of the smallest extent around a hull, its longer side along the text.
fn smallest(hull: &[(f64, f64)]) -> Option<Slanted> {
    let mut best: Option<(f64, Slanted)> = None;
    for (index, a) in hull.iter().enumerate() {
        let b = hull[(index + 1) % hull.len()];
        let angle = (b.1 - a.1).atan2(b.0 - a.0);
        let (cos, sin) = (angle.cos(), angle.sin());
        let mut low = (f64::MAX, f64::MAX);
        let mut high = (f64::MIN, f64::MIN);
        for (x, y) in hull {
            let (u, v) = (x * cos + y * sin, y * cos - x * sin);
            low = (low.0.min(u), low.1.min(v));
            high = (high.0.max(u), high.1.max(v));
        }
        let (along, across) = (high.0 - low.0, high.1 - low.1);
        let extent = along * across;
        if best
            .as_ref()
            .is_some_and(|(smallest, _)| *smallest <= extent)
        {
            continue;
        }
        let (u, v) = ((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0);
        let turned = Slanted {
            x: u * cos - v * sin,
            y: u * sin + v * cos,
            along,
            across,
            angle,
        };
        best = Some((extent, forward(turned)));
    }
    best.map(|(_, turned)| turned)
}

/// The same rectangle with its longer side along, read from left to right.
fn forward(mut turned: Slanted) -> Slanted {
    use std::f64::consts::{FRAC_PI_2, PI};
    if turned.along < turned.across {
        std::mem::swap(&mut turned.along, &mut turned.across);
        turned.angle += FRAC_PI_2;
    }
    while turned.angle > FRAC_PI_2 {
        turned.angle -= PI;
    }
    while turned.angle <= -FRAC_PI_2 {
        turned.angle += PI;
    }
    turned
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use proptest::prelude::*;

    fn drawn(rows: &[&str]) -> (Vec<f32>, usize) {
        let width = rows[0].len();
        let map = rows
            .iter()
            .flat_map(|r| r.bytes())
            .map(|b| if b == b'#' { 0.9 } else { 0.1 });
        (map.collect(), width)
    }

    #[test]
    fn touching_regions_are_one_also_over_corners() {
        let (map, width) = drawn(&["##..#..", "..#.#..", "....#.#", "#######"]);
        let mut found = components(&map, width, 0.3);
        found.sort_by_key(|c| c.pixels);
        assert_eq!(found.iter().map(|c| c.pixels).collect::<Vec<_>>(), [3, 11]);
        assert!((found[0].mean - 0.9).abs() < 1e-6);
        let upright = found[0].slanted();
        assert_eq!(
            (upright.along, upright.across, upright.angle),
            (3.0, 2.0, 0.0)
        );
    }

    #[test]
    fn a_slanted_bar_keeps_its_slant_and_its_length() {
        let (width, height, angle) = (200usize, 120usize, 0.3f64);
        let mut map = vec![0.0; width * height];
        for y in 0..height {
            for x in 0..width {
                let (dx, dy) = (x as f64 + 0.5 - 100.0, y as f64 + 0.5 - 60.0);
                let (u, v) = (
                    dx * angle.cos() + dy * angle.sin(),
                    dy * angle.cos() - dx * angle.sin(),
                );
                if u.abs() <= 70.0 && v.abs() <= 6.0 {
                    map[y * width + x] = 1.0;
                }
            }
        }
        let bar = components(&map, width, 0.5)[0].slanted();
        assert!((bar.angle - angle).abs() < 0.02, "{bar:?}");
        assert!((bar.along - 140.0).abs() < 3.0 && (bar.across - 12.0).abs() < 3.0);
        let (x, y) = bar.place(bar.along / 2.0, bar.across / 2.0);
        assert!((x - 100.0).abs() < 1.0 && (y - 60.0).abs() < 1.0);
    }

    proptest! {
        #[test]
        fn no_pixel_is_lost_and_every_box_holds_its_pixels(
            bits in proptest::collection::vec(any::<bool>(), 1..300), width in 1usize..20
        ) {
            let rows = bits.len() / width;
            let map: Vec<f32> = bits[..rows * width].iter().map(|b| f32::from(u8::from(*b))).collect();
            let found = components(&map, width, 0.5);
            let set = map.iter().filter(|v| **v > 0.5).count();
            prop_assert_eq!(found.iter().map(|c| c.pixels).sum::<usize>(), set);
            for component in &found {
                let around = component.slanted();
                prop_assert!(around.along * around.across + 1e-6 >= component.pixels as f64);
            }
        }
    }
}
