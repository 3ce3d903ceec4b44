//! What form a set of pixels has.

/// A set of pixels with its holes filled, and its form.
#[derive(Clone, Debug)]
pub(super) struct Blob {
    /// First column and row, column and row after the last.
    pub(super) bounds: [usize; 4],
    /// Pixels, holes filled.
    pub(super) count: usize,
    /// Share of its pixels that were holes.
    pub(super) hollow: f32,
    /// Which pixels of the bounds belong to it, by rows.
    pub(super) mask: Vec<bool>,
    /// Likeness to an ellipse, 0 to 1.
    pub(super) round: f32,
    /// Likeness to a rectangle in any position, 0 to 1.
    pub(super) rectangular: f32,
    /// Likeness to a triangle, 0 to 1.
    pub(super) triangular: f32,
    /// Shorter to longer axis, 0 to 1.
    pub(super) even: f32,
    /// Share of its convex hull that it fills.
    pub(super) solid: f32,
}

impl Blob {
    pub(super) fn width(&self) -> usize {
        self.bounds[2] - self.bounds[0]
    }

    pub(super) fn height(&self) -> usize {
        self.bounds[3] - self.bounds[1]
    }

    /// Whether the pixel belongs to it.
    pub(super) fn has(&self, x: usize, y: usize) -> bool {
        let [left, top, right, bottom] = self.bounds;
        x >= left
            && x < right
            && y >= top
            && y < bottom
            && self.mask[(y - top) * (right - left) + x - left]
    }
}

/// The blob of the pixels inside `bounds` for which `member` says yes. `None` for less than a dozen.
pub(super) fn blob(bounds: [usize; 4], member: impl Fn(usize, usize) -> bool) -> Option<Blob> {
    let [left, top, right, bottom] = bounds;
    let (w, h) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
    if w < 3 || h < 3 {
        return None;
    }
    let mut mask: Vec<bool> = (0..w * h)
        .map(|n| member(left + n % w, top + n / w))
        .collect();
    let own = mask.iter().filter(|m| **m).count();
    fill(&mut mask, w, h);
    let count = mask.iter().filter(|m| **m).count();
    if count < 12 {
        return None;
    }
    let moments = Moments::of(&mask, w, count);
    let hull = hull(&mask, w, h);
    let hull_area = area(&hull).max(1.0);
    Some(Blob {
        bounds,
        count,
        hollow: 1.0 - own as f32 / count as f32,
        round: moments.likeness(&mask, w, h),
        rectangular: (count as f32 / least_rectangle(&hull).max(1.0)).min(1.0),
        triangular: (count as f32 / largest_excess(&hull, hull_area)).min(1.0),
        even: moments.even(),
        solid: (count as f32 / hull_area).min(1.0),
        mask,
    })
}

/// What cannot be reached from outside is inside.
fn fill(mask: &mut [bool], w: usize, h: usize) {
    let mut outside = vec![false; w * h];
    let mut open = Vec::new();
    let edge = (0..w)
        .flat_map(|x| [x, (h - 1) * w + x])
        .chain((0..h).flat_map(|y| [y * w, y * w + w - 1]));
    for at in edge {
        if !mask[at] && !outside[at] {
            outside[at] = true;
            open.push(at);
        }
    }
    while let Some(at) = open.pop() {
        let (x, y) = (at % w, at / w);
        let mut visit = |to: usize| {
            if !mask[to] && !outside[to] {
                outside[to] = true;
                open.push(to);
            }
        };
        if x > 0 {
            visit(at - 1);
        }
        if x + 1 < w {
            visit(at + 1);
        }
        if y > 0 {
            visit(at - w);
        }
        if y + 1 < h {
            visit(at + w);
        }
    }
    for (m, o) in mask.iter_mut().zip(outside) {
        *m = !o;
    }
}

/// Centre and spread of the pixels.
struct Moments {
    x: f32,
    y: f32,
    xx: f32,
    xy: f32,
    yy: f32,
}

impl Moments {
    fn of(mask: &[bool], w: usize, count: usize) -> Self {
        let n = count.max(1) as f64;
        let (mut x, mut y) = (0.0, 0.0);
        let set = || {
            mask.iter()
                .enumerate()
                .filter(|(_, m)| **m)
                .map(|(at, _)| at)
        };
        for at in set() {
            x += (at % w) as f64;
            y += (at / w) as f64;
        }
        let (x, y) = (x / n, y / n);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for at in set() {
            let (dx, dy) = ((at % w) as f64 - x, (at / w) as f64 - y);
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        // A pixel is a small square, not a point.
        let own = 1.0 / 12.0;
        Self {
            x: x as f32,
            y: y as f32,
            xx: (xx / n + own) as f32,
            xy: (xy / n) as f32,
            yy: (yy / n + own) as f32,
        }
    }

    /// Overlap of the pixels with the ellipse of the same spread: 1 for an ellipse, about 0.84 for a square.
    fn likeness(&self, mask: &[bool], w: usize, h: usize) -> f32 {
        let det = (self.xx * self.yy - self.xy * self.xy).max(1e-6);
        let (a, b, c) = (self.yy / det, -self.xy / det, self.xx / det);
        let (mut both, mut either) = (0u32, 0u32);
        for y in 0..h {
            for x in 0..w {
                let (dx, dy) = (x as f32 - self.x, y as f32 - self.y);
                // Within two standard deviations lies all of an even ellipse.
                let inside = a * dx * dx + 2.0 * b * dx * dy + c * dy * dy <= 4.0;
                let set = mask[y * w + x];
                both += u32::from(inside && set);
                either += u32::from(inside || set);
            }
        }
        both as f32 / either.max(1) as f32
    }

    fn even(&self) -> f32 {
        let half = (self.xx + self.yy) / 2.0;
        let off = (((self.xx - self.yy) / 2.0).powi(2) + self.xy * self.xy).sqrt();
        ((half - off).max(0.0) / (half + off).max(1e-6)).sqrt()
    }
}

/// Corners of the smallest convex outline around the pixels.
fn hull(mask: &[bool], w: usize, h: usize) -> Vec<(f32, f32)> {
    let mut points = Vec::with_capacity(4 * h);
    for y in 0..h {
        let row = &mask[y * w..(y + 1) * w];
        let first = row.iter().position(|m| *m);
        let last = row.iter().rposition(|m| *m);
        if let (Some(first), Some(last)) = (first, last) {
            for edge in [y as f32, y as f32 + 1.0] {
                points.push((first as f32, edge));
                points.push((last as f32 + 1.0, edge));
            }
        }
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    let cross = |o: (f32, f32), a: (f32, f32), b: (f32, f32)| {
        (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)
    };
    let half = |points: &mut dyn Iterator<Item = (f32, f32)>| {
        let mut chain: Vec<(f32, f32)> = Vec::new();
        for p in points {
            while chain.len() >= 2
                && cross(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

fn area(polygon: &[(f32, f32)]) -> f32 {
    let mut twice = 0.0;
    for (n, a) in polygon.iter().enumerate() {
        let b = polygon[(n + 1) % polygon.len()];
        twice += a.0 * b.1 - b.0 * a.1;
    }
    twice.abs() / 2.0
}

/// Area of the smallest rectangle in any position around a convex outline.
fn least_rectangle(hull: &[(f32, f32)]) -> f32 {
    let mut least = f32::INFINITY;
    for (n, a) in hull.iter().enumerate() {
        let b = hull[(n + 1) % hull.len()];
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy);
        if length < 1e-3 {
            continue;
        }
        let (ux, uy) = (dx / length, dy / length);
        let (mut lo, mut hi, mut deep) = (f32::INFINITY, f32::NEG_INFINITY, 0.0f32);
        for p in hull {
            let along = p.0 * ux + p.1 * uy;
            lo = lo.min(along);
            hi = hi.max(along);
            deep = deep.max(((p.0 - a.0) * -uy + (p.1 - a.1) * ux).abs());
        }
        least = least.min((hi - lo) * deep);
    }
    if least.is_finite() { least } else { 0.0 }
}

/// Area that makes a triangle's likeness 1: of the largest triangle inside, turned so that what does not fit
/// into a triangle lowers the likeness.
fn largest_excess(hull: &[(f32, f32)], hull_area: f32) -> f32 {
    // Corners enough for a good triangle, few enough to try all.
    let every = hull.len().div_ceil(40).max(1);
    let corners: Vec<(f32, f32)> = hull.iter().step_by(every).copied().collect();
    let mut best = 0.0f32;
    for a in 0..corners.len() {
        for b in a + 1..corners.len() {
            for c in b + 1..corners.len() {
                best = best.max(area(&[corners[a], corners[b], corners[c]]));
            }
        }
    }
    if best <= 0.0 {
        return f32::INFINITY;
    }
    hull_area * hull_area / best
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn drawn(side: usize, inside: impl Fn(f32, f32) -> bool) -> Blob {
        blob([0, 0, side, side], |x, y| {
            inside(x as f32 + 0.5, y as f32 + 0.5)
        })
        .unwrap()
    }

    #[test]
    fn discs_squares_and_triangles_are_told_apart() {
        for side in [14usize, 24, 80] {
            let s = side as f32;
            let disc = drawn(side, |x, y| {
                (x - s / 2.0).hypot(y - s / 2.0) <= s / 2.0 - 1.0
            });
            assert!(
                disc.round > 0.92 && disc.rectangular < 0.86,
                "{side}: {disc:?}"
            );
            let square = drawn(side, |x, y| {
                x > 2.0 && x < s - 2.0 && y > 2.0 && y < s - 2.0
            });
            assert!(square.round < 0.88 && square.rectangular > 0.95, "{side}");
            let leaning = drawn(side, |x, y| {
                let (dx, dy) = (x - s / 2.0, y - s / 2.0);
                (dx * 0.9 + dy * 0.43).abs() < s * 0.33 && (dy * 0.9 - dx * 0.43).abs() < s * 0.33
            });
            assert!(
                leaning.round < 0.9 && leaning.rectangular > 0.79,
                "{side}: {}",
                leaning.rectangular
            );
            let triangle = drawn(side, |x, y| y > 1.0 && (x - s / 2.0).abs() < y * 0.5 - 1.0);
            assert!(
                triangle.triangular > 0.68,
                "{side}: {}",
                triangle.triangular
            );
            assert!(disc.triangular < 0.6 && square.triangular < 0.6, "{side}");
        }
    }

    #[test]
    fn a_ring_is_a_disc_with_a_hole() {
        let ring = drawn(40, |x, y| {
            let r = (x - 20.0).hypot(y - 20.0);
            (14.0..19.0).contains(&r)
        });
        assert!(ring.round > 0.93 && ring.hollow > 0.4);
    }
}
