//! Connected parts of a mask.

/// A connected part: its bounds and what it weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    /// First column.
    pub(crate) left: usize,
    /// First row.
    pub(crate) top: usize,
    /// Column after the last.
    pub(crate) right: usize,
    /// Row after the last.
    pub(crate) bottom: usize,
    /// Pixels.
    pub(crate) count: usize,
}

impl Part {
    /// Share of the bounds that it fills.
    pub(crate) fn fill(&self) -> f32 {
        let all = (self.right - self.left) * (self.bottom - self.top);
        self.count as f32 / all.max(1) as f32
    }
}

/// Labels the connected parts of a mask of `width` columns (eight neighbours count). Labels start at 1,
/// 0 is outside; part `n` has label `n + 1`.
pub(crate) fn parts(mask: &[bool], width: usize) -> (Vec<u32>, Vec<Part>) {
    let mut labels = vec![0u32; mask.len()];
    let mut parts = Vec::new();
    if width == 0 {
        return (labels, parts);
    }
    let height = mask.len() / width;
    let mut open: Vec<usize> = Vec::new();
    for start in 0..width * height {
        if !mask[start] || labels[start] != 0 {
            continue;
        }
        let label = parts.len() as u32 + 1;
        let mut part = Part {
            left: width,
            top: height,
            right: 0,
            bottom: 0,
            count: 0,
        };
        labels[start] = label;
        open.push(start);
        while let Some(at) = open.pop() {
            let (x, y) = (at % width, at / width);
            part.count += 1;
            part.left = part.left.min(x);
            part.right = part.right.max(x + 1);
            part.top = part.top.min(y);
            part.bottom = part.bottom.max(y + 1);
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    let next = ny * width + nx;
                    if mask[next] && labels[next] == 0 {
                        labels[next] = label;
                        open.push(next);
                    }
                }
            }
        }
        parts.push(part);
    }
    (labels, parts)
}

/// A pixel stays or becomes set where most of the nine around it are: closes pinholes, drops specks.
pub(crate) fn smoothed(mask: &[bool], width: usize) -> Vec<bool> {
    if width == 0 {
        return Vec::new();
    }
    let height = mask.len() / width;
    let mut out = vec![false; mask.len()];
    for y in 0..height {
        for x in 0..width {
            let (mut set, mut all) = (0, 0);
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    all += 1;
                    set += usize::from(mask[ny * width + nx]);
                }
            }
            out[y * width + x] = set * 2 > all;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonal_neighbours_are_one_part() {
        let rows = ["x...", ".x..", "...x"];
        let mask: Vec<bool> = rows.concat().chars().map(|c| c == 'x').collect();
        let (labels, parts) = parts(&mask, 4);
        assert_eq!(parts.len(), 2);
        assert_eq!((parts[0].count, parts[0].right, parts[0].bottom), (2, 2, 2));
        assert_eq!((labels[0], labels[5], labels[11]), (1, 1, 2));
    }
}
