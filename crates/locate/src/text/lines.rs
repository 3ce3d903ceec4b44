//! From a region of text to the labels in it, and from characters to words.

use std::ops::Range;

use super::{
    Line, Word,
    recognise::{COLUMNS, Char},
    strip::{Ink, Strip},
};

/// A blank wider than this share of the ink's height parts labels: no space between words is.
const PARTING: f64 = 1.2;
/// A blank wider than this many letters parts labels too; in text of equal letters a space is at most 1.7.
const LETTERS: f64 = 1.75;
/// Shares of the ink's height kept blank around a label: the recogniser expects a little air.
const AIR: f64 = 0.25;
/// A line read with less than this is a guess.
const LEAST: f32 = 0.5;

/// Parts of a region that stand apart from each other: entries of a menu bar, cells of a row.
pub(super) fn labels(strip: Strip) -> Vec<Strip> {
    let ink = strip.ink();
    let tall = ink.tall().len().max(6) as f64;
    let runs = ink.runs((tall * PARTING).ceil() as usize);
    if runs.is_empty() {
        return Vec::new();
    }
    let longest = (COLUMNS * strip.height / 48).max(strip.height);
    let air = (tall * AIR).ceil() as usize;
    let mut parts = Vec::new();
    for run in &runs {
        for piece in pieces(&ink, run.clone(), longest) {
            parts.push(piece.start.saturating_sub(air)..(piece.end + air).min(strip.width));
        }
    }
    if let [only] = parts.as_slice()
        && only.len() + 2 * air >= strip.width
    {
        return vec![strip];
    }
    parts.into_iter().map(|p| strip.part(p)).collect()
}

/// A run too long for one pass, cut at blanks.
fn pieces(ink: &Ink, run: Range<usize>, longest: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut rest = run;
    while rest.len() > longest {
        let search = rest.start + longest * 2 / 3..rest.start + longest;
        let cut = ink
            .widest_gap(search.clone())
            .map_or(search.end, |gap| (gap.start + gap.end) / 2);
        pieces.push(rest.start..cut);
        rest = cut..rest.end;
    }
    pieces.push(rest);
    pieces
}

/// A line with its words placed; nothing where nothing can be read with confidence.
pub(super) fn line(strip: &Strip, read: &[Char]) -> Option<Line> {
    let ink = strip.ink();
    let spoken: Vec<&Char> = read.iter().filter(|c| !c.is.is_whitespace()).collect();
    let sure = spoken.iter().map(|c| c.sure).sum::<f32>() / spoken.len().max(1) as f32;
    if spoken.is_empty() || sure < LEAST {
        return None;
    }
    let text: String = read.iter().map(|c| c.is).collect();
    let tall = ink.tall();
    let column = |share: f32| ((share * strip.width as f32) as usize).min(strip.width);
    let groups: Vec<&[Char]> = read
        .split(|c| c.is.is_whitespace())
        .filter(|g| !g.is_empty())
        .collect();
    let middle = |c: &Char| column((c.from + c.to) / 2.0);
    let mut words: Vec<Word> = Vec::with_capacity(groups.len());
    let mut start = 0;
    for (index, group) in groups.iter().enumerate() {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        // Where the next word begins, the widest blank between the two characters is the space.
        let (end, next) = match groups.get(index + 1).and_then(|g| g.first()) {
            Some(after) => match ink.widest_gap(middle(last)..middle(after)) {
                Some(gap) => (gap.start, gap.end),
                None => (column(last.to), column(after.from)),
            },
            None => (strip.width, strip.width),
        };
        let spread = tight(&ink, start..end).unwrap_or(column(first.from)..column(last.to).max(1));
        words.push(Word {
            text: group.iter().map(|c| c.is).collect(),
            area: strip.area(&spread, &tall),
        });
        start = next;
    }
    let area = words.iter().map(|w| w.area).reduce(|a, b| a.around(&b))?;
    Some(Line {
        text: text.trim().to_owned(),
        area,
        words,
        sure,
    })
}

/// Parts a line where words stand further apart than any space is wide: entries of a narrow menu bar.
pub(super) fn parted(line: Line) -> Vec<Line> {
    let letters: usize = line.words.iter().map(|w| w.text.chars().count()).sum();
    let inked: f64 = line.words.iter().map(|w| w.area.width).sum();
    let widest = LETTERS * inked / letters.max(1) as f64;
    let apart = |pair: &[Word]| pair[1].area.x - pair[0].area.right() > widest;
    // Of slanted lines the boxes say nothing about the blank between.
    let level = line.area.width > 1.5 * line.area.height;
    if !level || !line.words.windows(2).any(apart) {
        return vec![line];
    }
    let mut parts: Vec<Vec<Word>> = Vec::new();
    for word in line.words {
        match parts.last_mut() {
            Some(part)
                if part
                    .last()
                    .is_some_and(|last| word.area.x - last.area.right() <= widest) =>
            {
                part.push(word);
            }
            _ => parts.push(vec![word]),
        }
    }
    let made = parts.into_iter().filter_map(|words| {
        let area = words.iter().map(|w| w.area).reduce(|a, b| a.around(&b))?;
        let text: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
        Some(Line {
            text: text.join(" "),
            area,
            words,
            sure: line.sure,
        })
    });
    made.collect()
}

/// From the first ink to the last.
fn tight(ink: &Ink, columns: Range<usize>) -> Option<Range<usize>> {
    let mut inked = columns.filter(|x| ink.columns.get(*x).copied().unwrap_or(false));
    let first = inked.next()?;
    Some(first..inked.next_back().unwrap_or(first) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alidade_picture::Area;

    fn spaced(words: &[(&str, f64)]) -> Line {
        let mut x = 0.0;
        let words: Vec<Word> = words
            .iter()
            .map(|(text, gap)| {
                x += gap;
                let width = text.len() as f64 * 0.01;
                let area = Area::new(x, 0.1, width, 0.02);
                x += width;
                Word {
                    text: (*text).to_owned(),
                    area,
                }
            })
            .collect();
        let area = words
            .iter()
            .map(|w| w.area)
            .reduce(|a, b| a.around(&b))
            .unwrap_or_default();
        let text: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
        Line {
            text: text.join(" "),
            area,
            words,
            sure: 1.0,
        }
    }

    #[test]
    fn a_menu_bar_is_parted_and_a_sentence_is_not() {
        let bar = parted(spaced(&[
            ("File", 0.0),
            ("Edit", 0.022),
            ("Find", 0.022),
            ("Next", 0.007),
        ]));
        let texts: Vec<&str> = bar.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts, ["File", "Edit", "Find Next"]);
        assert!((bar[2].area.x - 0.124).abs() < 1e-9 && bar[2].words.len() == 2);
        let equal_letters = spaced(&[("the", 0.0), ("quick", 0.013), ("fox", 0.0165)]);
        assert_eq!(parted(equal_letters.clone()), [equal_letters]);
    }
}
