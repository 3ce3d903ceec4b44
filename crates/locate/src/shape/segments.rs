//! A photograph in pieces: neighbouring pixels that differ less from each other than from what is around.
//!
//! Pieces grow by joining along their weakest boundaries first, and two pieces join where the boundary between
//! them is no stronger than what already varies inside either (graph-based segmentation). The light may fall
//! off slowly over a thing without cutting it in two.

use crate::colour::{Raster, exact_lab};

/// Every pixel's piece.
pub(super) struct Segments {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Number of the piece, by pixel.
    pub(super) label: Vec<u32>,
    /// Pieces there are.
    pub(super) count: usize,
}

/// Steps in which boundaries are told apart; one is a hundredth of the way from black to white.
const LEVELS: usize = 512;
const FINEST: f32 = 0.6;
/// Shadow changes lightness more than colour.
const LIGHT: f32 = 0.75;
const COLOUR: f32 = 1.6;

/// OKLab planes, softened by three pixels each way: noise would make edges of its own.
pub(super) fn softened(raster: &Raster) -> Vec<[f32; 3]> {
    let (w, h) = (raster.width, raster.height);
    let mut rows = vec![[0u16; 3]; w * h];
    for y in 0..h {
        for x in 0..w {
            let before = raster.pixel(x.saturating_sub(1), y);
            let (here, after) = (raster.pixel(x, y), raster.pixel((x + 1).min(w - 1), y));
            for c in 0..3 {
                rows[y * w + x][c] =
                    u16::from(before[c]) + 2 * u16::from(here[c]) + u16::from(after[c]);
            }
        }
    }
    let mut out = Vec::with_capacity(w * h);
    for y in 0..h {
        let (up, down) = (y.saturating_sub(1) * w, (y + 1).min(h - 1) * w);
        for x in 0..w {
            let sum = |c: usize| {
                let total = u32::from(rows[up + x][c])
                    + 2 * u32::from(rows[y * w + x][c])
                    + u32::from(rows[down + x][c]);
                total as f32 / 16.0
            };
            out.push(quick_lab([sum(0), sum(1), sum(2)]));
        }
    }
    out
}

/// OKLab by a table of six bits a channel with the rest added linearly along lightness.
fn quick_lab(rgb: [f32; 3]) -> [f32; 3] {
    use std::sync::OnceLock;
    const SIDE: usize = 33;
    static GRID: OnceLock<Vec<[f32; 3]>> = OnceLock::new();
    let grid = GRID.get_or_init(|| {
        let at = |n: usize| n as f32 * 255.0 / (SIDE - 1) as f32;
        let mut grid = Vec::with_capacity(SIDE * SIDE * SIDE);
        for r in 0..SIDE {
            for g in 0..SIDE {
                for b in 0..SIDE {
                    grid.push(exact_lab([at(r), at(g), at(b)]));
                }
            }
        }
        grid
    });
    let scale = (SIDE - 1) as f32 / 255.0;
    let place = rgb.map(|v| (v * scale).clamp(0.0, (SIDE - 1) as f32));
    let low = place.map(|v| (v as usize).min(SIDE - 2));
    let part = [0, 1, 2].map(|c| place[c] - low[c] as f32);
    let mut out = [0.0; 3];
    for corner in 0..8usize {
        let bit = |c: usize| (corner >> c) & 1;
        let weight: f32 = (0..3)
            .map(|c| if bit(c) == 1 { part[c] } else { 1.0 - part[c] })
            .product();
        if weight <= 0.0 {
            continue;
        }
        let cell = ((low[0] + bit(0)) * SIDE + low[1] + bit(1)) * SIDE + low[2] + bit(2);
        for c in 0..3 {
            out[c] += weight * grid[cell][c];
        }
    }
    out
}

fn step(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    let (l, x, y) = (
        (a[0] - b[0]) * LIGHT,
        (a[1] - b[1]) * COLOUR,
        (a[2] - b[2]) * COLOUR,
    );
    (l * l + x * x + y * y).sqrt()
}

struct Forest {
    parent: Vec<u32>,
    size: Vec<u32>,
    inside: Vec<f32>,
}

impl Forest {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let next = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = next;
            at = next;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32, weight: f32) {
        let (big, small) = if self.size[a as usize] >= self.size[b as usize] {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[small as usize] = big;
        self.size[big as usize] += self.size[small as usize];
        self.inside[big as usize] = weight;
    }
}

/// Takes the picture apart. A larger `grain` makes larger pieces (about 0.5 to 3); pieces of fewer than
/// `least` pixels go to the neighbour they differ least from.
pub(super) fn segments(lab: &[[f32; 3]], width: usize, grain: f32, least: u32) -> Segments {
    let height = lab.len().checked_div(width).unwrap_or(0);
    let count = width * height;
    let mut order: Vec<Vec<(u32, u32)>> = vec![Vec::new(); LEVELS];
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            let mut edge = |to: usize| {
                let level = step(&lab[at], &lab[to]) / FINEST * LEVELS as f32;
                order[(level as usize).min(LEVELS - 1)].push((at as u32, to as u32));
            };
            if x + 1 < width {
                edge(at + 1);
            }
            if y + 1 < height {
                edge(at + width);
                if x + 1 < width {
                    edge(at + width + 1);
                }
                if x > 0 {
                    edge(at + width - 1);
                }
            }
        }
    }
    let mut forest = Forest {
        parent: (0..count as u32).collect(),
        size: vec![1; count],
        inside: vec![0.0; count],
    };
    for (level, edges) in order.iter().enumerate() {
        let weight = level as f32 * FINEST / LEVELS as f32;
        for (a, b) in edges {
            let (a, b) = (forest.root(*a), forest.root(*b));
            if a == b {
                continue;
            }
            let varies =
                |n: u32| forest.inside[n as usize] + grain / forest.size[n as usize] as f32;
            if weight <= varies(a).min(varies(b)) {
                forest.join(a, b, weight);
            }
        }
    }
    for edges in &order {
        for (a, b) in edges {
            let (a, b) = (forest.root(*a), forest.root(*b));
            if a != b && forest.size[a as usize].min(forest.size[b as usize]) < least {
                let weight = forest.inside[a as usize].max(forest.inside[b as usize]);
                forest.join(a, b, weight);
            }
        }
    }
    numbered(width, height, &mut forest)
}

fn numbered(width: usize, height: usize, forest: &mut Forest) -> Segments {
    let count = width * height;
    let mut number = vec![u32::MAX; count];
    let mut label = vec![0; count];
    let mut pieces = 0;
    for (at, label) in label.iter_mut().enumerate() {
        let root = forest.root(at as u32) as usize;
        if number[root] == u32::MAX {
            number[root] = pieces;
            pieces += 1;
        }
        *label = number[root];
    }
    Segments {
        width,
        height,
        label,
        count: pieces as usize,
    }
}
