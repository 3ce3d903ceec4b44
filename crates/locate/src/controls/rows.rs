//! Entries that have no outline of their own: rows of a menu or list, words of a menu bar, tabs.
//!
//! They are known by their neighbours: lines that stand below each other at one distance, words that stand
//! beside each other at one height. Running text stands closer than entries do.

use super::rect::Rect;

/// Lines of running text stand closer than this many letter heights.
const ROW_PITCH: (f32, f32) = (1.65, 4.6);
/// Words of a bar stand further apart than words of a sentence.
const BAR_GAP: (f32, f32) = (0.7, 6.0);

/// Entries of menus and short lists, with the texts in each: panels that hold nothing but rows at an even
/// distance, from top to bottom, a second column (keys) or a sign before the words included. Where most rows
/// have something `framed` in them it is a page of settings and no menu.
pub(super) fn menus(
    texts: &[Rect],
    panels: &[Rect],
    framed: &[Rect],
    unit: f32,
) -> Vec<(Rect, Vec<usize>)> {
    let mut found: Vec<(Rect, Vec<usize>)> = Vec::new();
    let mut used: Vec<Rect> = Vec::new();
    for panel in panels {
        let narrow = panel.width() <= 42.0 * unit && panel.width() >= 4.0 * unit;
        if !narrow || panel.height() < 4.5 * unit || used.iter().any(|u| u.shared(panel) > 0.0) {
            continue;
        }
        let mut inside: Vec<usize> = (0..texts.len())
            .filter(|n| panel.around(&texts[*n], 1.0))
            .collect();
        inside.sort_by(|a, b| texts[*a].middle().1.total_cmp(&texts[*b].middle().1));
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for n in inside {
            let middle = texts[n].middle().1;
            match rows.last_mut() {
                Some(row) if (texts[row[0]].middle().1 - middle).abs() < 0.7 * unit => row.push(n),
                _ => rows.push(vec![n]),
            }
        }
        let has_frame = |row: &&Vec<usize>| {
            let middle = texts[row[0]].middle().1;
            framed.iter().any(|f| {
                panel.around(f, 1.0)
                    && f.width() < 0.85 * panel.width()
                    && (f.top..f.bottom).contains(&middle)
            })
        };
        if rows.iter().filter(has_frame).count() * 2 > rows.len() {
            continue;
        }
        if let Some(entries) = entries(&rows, texts, panel, unit) {
            used.push(*panel);
            found.extend(entries.into_iter().zip(rows));
        }
    }
    found
}

/// The rectangle of each row, if the panel is a menu.
fn entries(rows: &[Vec<usize>], texts: &[Rect], panel: &Rect, unit: f32) -> Option<Vec<Rect>> {
    if rows.len() < 3 {
        return None;
    }
    let middle = |row: &[usize]| {
        let sum: f32 = row.iter().map(|n| texts[*n].middle().1).sum();
        sum / row.len() as f32
    };
    let left = |row: &[usize]| {
        row.iter()
            .map(|n| texts[*n].left)
            .fold(f32::INFINITY, f32::min)
    };
    let middles: Vec<f32> = rows.iter().map(|r| middle(r)).collect();
    let steps: Vec<f32> = middles.windows(2).map(|m| m[1] - m[0]).collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f32::total_cmp);
    let usual = sorted[sorted.len() / 2];
    let even = steps
        .iter()
        .filter(|s| (**s - usual).abs() < 0.16 * usual)
        .count();
    let widest = steps.iter().copied().fold(0.0, f32::max);
    let first = rows.iter().map(|r| left(r)).fold(f32::INFINITY, f32::min);
    let begin = rows.iter().filter(|r| left(r) - first < 4.0 * unit).count();
    let is_menu = usual >= ROW_PITCH.0 * unit
        && usual <= ROW_PITCH.1 * unit
        && widest <= 2.2 * usual
        && even * 2 >= steps.len()
        && begin * 10 >= rows.len() * 9
        && first - panel.left <= 4.0 * unit
        && middles[0] - panel.top <= 1.3 * usual
        && panel.bottom - middles[middles.len() - 1] <= 1.3 * usual;
    is_menu.then(|| {
        middles
            .iter()
            .map(|y| {
                let (top, bottom) = (y - usual / 2.0, y + usual / 2.0);
                Rect::new(
                    panel.left,
                    top.max(panel.top),
                    panel.right,
                    bottom.min(panel.bottom),
                )
            })
            .collect()
    })
}

/// The row that a line is the text of, if it stands in a column of at least three.
///
/// `panels` are large rectangles; the row is as wide as the panel, or reaches to the next column where that is
/// wide.
pub(super) fn row(at: usize, texts: &[Rect], panels: &[Rect], unit: f32) -> Option<Rect> {
    let text = texts.get(at)?;
    let panel = smallest(panels, text)?;
    if panel.width() < text.width() + 0.5 * unit || panel.height() < 4.0 * unit {
        return None;
    }
    let (_, middle) = text.middle();
    let mut above = f32::INFINITY;
    let mut below = f32::INFINITY;
    let mut mates = 0;
    for (n, other) in texts.iter().enumerate() {
        let (_, y) = other.middle();
        let aligned = (other.left - text.left).abs() <= 0.6 * unit;
        if n == at || !aligned || !panel.around(other, 2.0) {
            continue;
        }
        let distance = y - middle;
        if distance > 0.5 * unit {
            below = below.min(distance);
        } else if distance < -0.5 * unit {
            above = above.min(-distance);
        }
        mates += usize::from(distance.abs() < 12.0 * unit);
    }
    let pitch = above.min(below);
    if mates < 2 || pitch < ROW_PITCH.0 * unit || pitch > ROW_PITCH.1 * unit {
        return None;
    }
    let right = if panel.width() <= 34.0 * unit {
        panel.right
    } else {
        // Another column begins where another text of this row does.
        let next = texts
            .iter()
            .filter(|o| {
                o.left > text.right + unit && o.level_with(text) > 0.6 && panel.around(o, 2.0)
            })
            .map(|o| o.left - 0.4 * unit)
            .fold(panel.right, f32::min);
        next.min(text.right + 20.0 * unit)
    };
    let left = if text.left - panel.left <= 8.0 * unit {
        panel.left
    } else {
        text.left - 0.5 * unit
    };
    let half = (pitch / 2.0).min(1.35 * unit);
    Some(Rect::new(
        left,
        (middle - half).max(panel.top),
        right,
        (middle + half).min(panel.bottom),
    ))
}

/// The part of a bar that a word takes, if it stands in a row of at least three.
pub(super) fn part_of_bar(at: usize, texts: &[Rect], panels: &[Rect], unit: f32) -> Option<Rect> {
    let text = texts.get(at)?;
    let panel = smallest(panels, text);
    let mut before = f32::INFINITY;
    let mut after = f32::INFINITY;
    let mut mates = 0;
    for (n, other) in texts.iter().enumerate() {
        let (_, y) = other.middle();
        let level = (y - text.middle().1).abs() < 0.35 * unit;
        if n == at || !level {
            continue;
        }
        if other.left >= text.right {
            after = after.min(other.left - text.right);
        } else if other.right <= text.left {
            before = before.min(text.left - other.right);
        }
        mates += usize::from((other.left - text.left).abs() < 40.0 * unit);
    }
    let gap = before.min(after);
    if mates < 2 || gap < BAR_GAP.0 * unit || gap > BAR_GAP.1 * unit || text.width() > 14.0 * unit {
        return None;
    }
    let pad = gap / 2.0;
    let (_, middle) = text.middle();
    let (mut top, mut bottom) = (middle - 1.15 * unit, middle + 1.15 * unit);
    let mut left = text.left - (before / 2.0).min(pad * 1.6);
    let mut right = text.right + (after / 2.0).min(pad * 1.6);
    if let Some(panel) = panel {
        if panel.height() <= 4.0 * unit {
            (top, bottom) = (panel.top, panel.bottom);
        }
        top = top.max(panel.top);
        bottom = bottom.min(panel.bottom);
        left = left.max(panel.left);
        right = right.min(panel.right);
    }
    Some(Rect::new(left, top, right, bottom))
}

/// The smallest of the panels that holds the text.
pub(super) fn smallest(panels: &[Rect], text: &Rect) -> Option<Rect> {
    panels
        .iter()
        .filter(|p| p.around(text, 1.0))
        .min_by(|a, b| a.extent().total_cmp(&b.extent()))
        .copied()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn lines(pitch: f32) -> Vec<Rect> {
        (0..5)
            .map(|n| Rect::new(20.0, 10.0 + n as f32 * pitch, 70.0, 20.0 + n as f32 * pitch))
            .collect()
    }

    #[test]
    fn a_menu_entry_is_as_wide_as_its_menu() {
        let menu = Rect::new(0.0, 0.0, 200.0, 140.0);
        let row = row(2, &lines(25.0), &[menu], 10.0).unwrap();
        assert_eq!((row.left, row.right), (0.0, 200.0));
        assert!((row.height() - 25.0).abs() < 0.1);
    }

    #[test]
    fn running_text_has_no_rows() {
        let page = Rect::new(0.0, 0.0, 200.0, 140.0);
        assert!(row(2, &lines(14.0), &[page], 10.0).is_none());
    }

    #[test]
    fn words_of_a_bar_meet_half_way() {
        let texts: Vec<Rect> = (0..4)
            .map(|n| Rect::new(10.0 + 60.0 * n as f32, 8.0, 50.0 + 60.0 * n as f32, 18.0))
            .collect();
        let bar = Rect::new(0.0, 0.0, 400.0, 26.0);
        let part = part_of_bar(1, &texts, &[bar], 10.0).unwrap();
        assert_eq!(
            (part.left, part.right, part.top, part.bottom),
            (60.0, 120.0, 0.0, 26.0)
        );
        assert!(part_of_bar(0, &texts[..2], &[bar], 10.0).is_none());
    }
}
