//! Labels that are a part of a line, or stand in two lines.

use alidade_picture::Area;

use super::lexical::{self, Label};
use crate::{Line, query::Query};

/// The words of a line from the first to the last that was said.
pub(super) fn said_part(query: &Query, line: &Line) -> Option<(Area, String)> {
    let hit: Vec<bool> = line
        .words
        .iter()
        .map(|word| {
            let overlap = lexical::overlap(query, &Label::of(&word.text));
            overlap.said > 0.0 && overlap.label > 0.5
        })
        .collect();
    // The longest stretch in which at most one word lies between two that were said.
    let (mut best, mut at) = (0..0, 0);
    while at < hit.len() {
        if !hit[at] {
            at += 1;
            continue;
        }
        let (start, mut end) = (at, at + 1);
        while let Some(next) = (end..(end + 2).min(hit.len())).find(|i| hit[*i]) {
            end = next + 1;
        }
        if end - start > best.len() {
            best = start..end;
        }
        at = end;
    }
    let words = line.words.get(best)?;
    let area = words.iter().map(|w| w.area).reduce(|a, b| a.around(&b))?;
    let text: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
    Some((area, text.join(" ")))
}

/// Lines that stand closely one below the other, aligned at the left or in the middle: a label in two lines.
pub(super) fn stacked(lines: &[Line]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (above, a) in lines.iter().enumerate() {
        if a.words.len() > 4 {
            continue;
        }
        for (below, b) in lines.iter().enumerate().skip(above + 1) {
            let gap = b.area.y - a.area.bottom();
            let unit = a.area.height.min(b.area.height);
            if gap > 1.2 * unit {
                if b.area.y > a.area.bottom() + 4.0 * a.area.height {
                    break;
                }
                continue;
            }
            let aligned = (a.area.x - b.area.x).abs() < unit
                || (a.area.centre().x - b.area.centre().x).abs() < unit;
            let alike = unit > 0.6 * a.area.height.max(b.area.height);
            if gap > -0.3 * unit && aligned && alike && b.words.len() <= 4 {
                pairs.push((above, below));
            }
        }
    }
    pairs.truncate(400);
    pairs
}
