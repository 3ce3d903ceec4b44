//! Small pictures without a frame: clusters of whatever is not a surface and not text.

use super::{
    flat::{Flat, Surface},
    rect::Rect,
};

/// Clusters in one answer.
const MOST: usize = 600;

/// Clusters of small surfaces, at most `5 × unit` a side, apart from `texts`. `unit` is the height of a line of
/// text in pixels.
pub(super) fn clusters(
    flat: &Flat,
    width: usize,
    height: usize,
    unit: f32,
    texts: &[Rect],
) -> Vec<Rect> {
    let largest = 5.0 * unit;
    let cell = ((unit / 4.0).round() as usize).max(2);
    let (columns, rows) = (width.div_ceil(cell), height.div_ceil(cell));
    if columns == 0 || rows == 0 {
        return Vec::new();
    }
    let small = |s: &Surface| {
        let (w, h) = (s.width() as f32, s.height() as f32);
        w <= largest && h <= largest
    };
    // What a surface encloses is drawn on it; the surface itself, however small, is the ground.
    let is_ink: Vec<bool> = flat.surfaces.iter().map(small).collect();
    let mut marked = vec![false; columns * rows];
    let mut bounds: Vec<[u32; 4]> = vec![[u32::MAX, u32::MAX, 0, 0]; columns * rows];
    for stretch in &flat.stretches {
        if !is_ink[stretch.surface as usize] {
            continue;
        }
        let row = stretch.y as usize / cell * columns;
        for column in stretch.from as usize / cell..=(stretch.to as usize - 1) / cell {
            let from = stretch.from.max((column * cell) as u32);
            let to = stretch.to.min(((column + 1) * cell) as u32);
            marked[row + column] = true;
            let b = &mut bounds[row + column];
            b[0] = b[0].min(from);
            b[1] = b[1].min(stretch.y);
            b[2] = b[2].max(to);
            b[3] = b[3].max(stretch.y + 1);
        }
    }
    unmark(&mut marked, columns, rows, cell, texts);
    let (labels, parts) = crate::colour::parts(&marked, columns);
    let mut rects = vec![[u32::MAX, u32::MAX, 0, 0]; parts.len()];
    for (label, b) in labels.iter().zip(&bounds) {
        if let Some(r) = (*label as usize)
            .checked_sub(1)
            .and_then(|n| rects.get_mut(n))
        {
            r[0] = r[0].min(b[0]);
            r[1] = r[1].min(b[1]);
            r[2] = r[2].max(b[2]);
            r[3] = r[3].max(b[3]);
        }
    }
    rects
        .into_iter()
        .filter(|r| r[2] > r[0] && r[3] > r[1])
        .map(|r| Rect::new(r[0] as f32, r[1] as f32, r[2] as f32, r[3] as f32))
        .filter(|r| {
            let (long, short) = (r.width().max(r.height()), r.width().min(r.height()));
            long <= largest && long >= 0.6 * unit && short >= 0.25 * unit && long <= 3.0 * short
        })
        .take(MOST)
        .collect()
}

/// Cells that lie in a text, with a hair's breadth around it, are no picture.
fn unmark(marked: &mut [bool], columns: usize, rows: usize, cell: usize, texts: &[Rect]) {
    for text in texts {
        let column = |x: f32| ((x.max(0.0) as usize) / cell).min(columns - 1);
        let row = |y: f32| ((y.max(0.0) as usize) / cell).min(rows - 1);
        for y in row(text.top - 1.0)..=row(text.bottom) {
            for x in column(text.left - 1.0)..=column(text.right) {
                marked[y * columns + x] = false;
            }
        }
    }
}
