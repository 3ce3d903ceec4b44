//! The thing a printed label belongs to: what carries it, or what it stands beside.
//!
//! What carries a label is the largest compact thing around it that carries no other label. Where the next
//! larger thing carries several labels – a panel – the label stands beside its thing; on one device it always
//! stands on the same side, so all labels are asked together.

use alidade_picture::{Area, Picture};

use super::{
    Thing,
    outline::Blob,
    pieces::{Pieces, pieces},
};
use crate::colour;

/// A label in pixels of the raster.
#[derive(Clone, Copy)]
struct Label {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Label {
    fn middle(&self) -> (f32, f32) {
        (
            (self.left + self.right) / 2.0,
            (self.top + self.bottom) / 2.0,
        )
    }

    fn height(&self) -> f32 {
        (self.bottom - self.top).max(1.0)
    }
}

/// On which side of its label a thing lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
    Left,
    Right,
}

const SIDES: [Side; 4] = [Side::Above, Side::Below, Side::Left, Side::Right];

/// For each label the thing it names, where there is one. All labels of the picture should be given: a thing
/// that carries two of them is a panel. RGB picture. About 0.2 s.
pub(crate) fn things_near(picture: &Picture, labels: &[Area]) -> Vec<Option<Thing>> {
    let nothing = || vec![None; labels.len()];
    if labels.is_empty() {
        return nothing();
    }
    let Some(pieces) = pieces(picture) else {
        return nothing();
    };
    let (w, h) = (pieces.raster.width as f32, pieces.raster.height as f32);
    let across = |v: f64| (v as f32 * w).clamp(-w, 2.0 * w);
    let down = |v: f64| (v as f32 * h).clamp(-h, 2.0 * h);
    let labels: Vec<Label> = labels
        .iter()
        .map(|a| Label {
            left: across(a.x),
            top: down(a.y),
            right: across(a.right()),
            bottom: down(a.bottom()),
        })
        .collect();
    let carried: Vec<Vec<usize>> = pieces
        .blobs
        .iter()
        .map(|b| {
            (0..labels.len())
                .filter(|n| carries(b, &labels[*n]))
                .collect()
        })
        .collect();
    let own: Vec<Option<usize>> = (0..labels.len())
        .map(|n| carrier(n, &labels, &pieces, &carried))
        .collect();
    let side = usual_side(&own, &labels, &pieces, &carried);
    (0..labels.len())
        .map(|n| {
            let (bounds, blob, sure) = match own[n] {
                Some(at) => {
                    let blob = &pieces.blobs[at];
                    (with_cap(blob, &labels, &pieces), blob, 0.7)
                }
                None => {
                    let side = side?;
                    let (at, _) = beside(&labels[n], &labels, side, &pieces, &carried)?;
                    let blob = &pieces.blobs[at];
                    (blob.bounds.map(|v| v as f32), blob, 0.6)
                }
            };
            Some(thing(picture, &pieces, bounds, blob, sure))
        })
        .collect()
}

fn thing(picture: &Picture, pieces: &Pieces, b: [f32; 4], blob: &Blob, sure: f32) -> Thing {
    let area = pieces.raster.area(
        f64::from(b[0]),
        f64::from(b[1]),
        f64::from(b[2]),
        f64::from(b[3]),
    );
    Thing {
        area,
        round: blob.round,
        colour: colour::of(picture, &area).first().map(|c| c.0),
        sure,
    }
}

/// Whether the label stands on the blob: its middle and most of its length.
fn carries(blob: &Blob, label: &Label) -> bool {
    let (x, y) = label.middle();
    let inside = |x: f32, y: f32| x >= 0.0 && y >= 0.0 && blob.has(x as usize, y as usize);
    let quarter = (label.right - label.left) * 0.42;
    inside(x, y) && inside(x - quarter, y) && inside(x + quarter, y)
}

fn carrier(n: usize, labels: &[Label], pieces: &Pieces, carried: &[Vec<usize>]) -> Option<usize> {
    let label = &labels[n];
    let (lw, lh) = (label.right - label.left, label.height());
    let whole = (pieces.raster.width * pieces.raster.height) as f32;
    // Largest first, as the blobs are.
    (0..pieces.blobs.len()).find(|at| {
        let blob = &pieces.blobs[*at];
        let (w, h) = (blob.width() as f32, blob.height() as f32);
        // A box around slanted words is larger than they are: letters leave holes in what they stand on,
        // and letters taken for one thing are none themselves.
        let ample = blob.count as f32 >= 2.2 * lw * lh && w >= 1.02 * lw && h >= 1.25 * lh;
        let pierced = blob.hollow > 0.04 && blob.solid >= 0.9 && w >= 0.85 * lw && h >= 1.15 * lh;
        carried[*at] == [n]
            && (ample || pierced)
            && (blob.count as f32) < 0.2 * whole
            && (blob.count as f32) < 120.0 * lw * lh
            && blob.solid > 0.8
    })
}

/// The thing on this side of a label, and how far away in label heights.
fn beside(
    label: &Label,
    labels: &[Label],
    side: Side,
    pieces: &Pieces,
    carried: &[Vec<usize>],
) -> Option<(usize, f32)> {
    let lh = label.height();
    let (lx, ly) = label.middle();
    let mut best: Option<(usize, f32)> = None;
    for (at, blob) in pieces.blobs.iter().enumerate() {
        // What has a label beside it has a plain form; pieces of a shadow or a grain have none.
        let plain = blob.solid > 0.8 && blob.round.max(blob.rectangular) > 0.85;
        if carried[at].len() > 1 || !plain {
            continue;
        }
        let [left, top, right, bottom] = blob.bounds.map(|v| v as f32);
        let (w, h) = (right - left, bottom - top);
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let fits = h >= 0.45 * lh && w >= 0.45 * lh && h <= 14.0 * lh && w <= 16.0 * lh;
        if !fits || w > 8.0 * h || h > 8.0 * w {
            continue;
        }
        let reach = 0.5 * w.max(label.right - label.left) + 0.4 * lh;
        let (gap, level) = match side {
            Side::Above => (label.top - bottom, (x - lx).abs() <= reach),
            Side::Below => (top - label.bottom, (x - lx).abs() <= reach),
            Side::Left => (label.left - right, (y - ly).abs() <= 0.5 * h.max(lh)),
            Side::Right => (left - label.right, (y - ly).abs() <= 0.5 * h.max(lh)),
        };
        let gap = gap / lh;
        if !level || !(-0.5..=2.8).contains(&gap) {
            continue;
        }
        // Letters of this or another label are no thing.
        // What two labels of one line stand under is two things.
        let shared = labels.iter().filter(|l| {
            let (mx, my) = l.middle();
            let (on_line, in_line) = match side {
                Side::Above | Side::Below => ((my - ly).abs() < 0.25 * w, mx > left && mx < right),
                Side::Left | Side::Right => ((mx - lx).abs() < 0.25 * h, my > top && my < bottom),
            };
            on_line && in_line && l.height() < 2.0 * lh
        });
        if shared.count() > 1 {
            continue;
        }
        // A far larger "label" is a picture that was taken for one.
        let letters = |l: &Label| l.height() < 1.6 * lh && covers(l, blob);
        if carried[at].is_empty() && labels.iter().any(letters) {
            continue;
        }
        // Of things within each other the outermost counts: they are sorted by size.
        let nested = best.is_some_and(|(b, _)| {
            let o = pieces.blobs[b].bounds;
            let i = blob.bounds;
            i[0] >= o[0] && i[1] >= o[1] && i[2] <= o[2] && i[3] <= o[3]
        });
        let off = match side {
            Side::Above | Side::Below => (x - lx).abs() / lh,
            Side::Left | Side::Right => (y - ly).abs() / lh,
        };
        // Below and beside its place what is far off to one side belongs to the neighbour.
        let far = gap.max(0.0) + 0.5 * off;
        // An inner one only where the outer one reaches over to a neighbour.
        let handicap = if nested { 0.35 } else { 0.0 };
        if best.is_none_or(|(_, least)| far + handicap < least) {
            best = Some((at, far));
        }
    }
    best
}

/// Whether most of the blob lies in the label.
fn covers(label: &Label, blob: &Blob) -> bool {
    let [left, top, right, bottom] = blob.bounds.map(|v| v as f32);
    let width = (right.min(label.right) - left.max(label.left)).max(0.0);
    let height = (bottom.min(label.bottom) - top.max(label.top)).max(0.0);
    width * height > 0.15 * (right - left) * (bottom - top)
}

/// The side on which most labels that nothing carries have something, the nearer the better.
fn usual_side(
    own: &[Option<usize>],
    labels: &[Label],
    pieces: &Pieces,
    carried: &[Vec<usize>],
) -> Option<Side> {
    let mut best: Option<(Side, f32)> = None;
    // Where most labels are carried the others are too, by something that was not recognised.
    let enough = if labels.len() < 3 {
        1
    } else {
        (labels.len() * 2).div_ceil(5).max(2)
    };
    for side in SIDES {
        let distances: Vec<f32> = labels
            .iter()
            .zip(own)
            .filter(|(_, own)| own.is_none())
            .filter_map(|(label, _)| beside(label, labels, side, pieces, carried))
            .map(|(_, far)| far)
            .collect();
        let score: f32 = distances.iter().map(|far| 1.0 / (1.0 + 0.4 * far)).sum();
        if distances.len() >= enough && best.is_none_or(|(_, most)| score > most * 1.05) {
            best = Some((side, score));
        }
    }
    best.map(|(side, _)| side)
}

/// The bounds of a thing with a lid, a cap, a foot, or contents that show through: what touches it above or
/// below, is about as wide, stands in line with it and carries no label.
fn with_cap(blob: &Blob, labels: &[Label], pieces: &Pieces) -> [f32; 4] {
    let own = blob.bounds.map(|v| v as f32);
    let (width, height) = (own[2] - own[0], own[3] - own[1]);
    let mut all = own;
    for _ in 0..4 {
        let before = all;
        for other in &pieces.blobs {
            let [left, top, right, bottom] = other.bounds.map(|v| v as f32);
            let (w, h) = (right - left, bottom - top);
            let wide = (0.7..=1.45).contains(&(w / width.max(1.0)));
            let centred = ((left + right) - (own[0] + own[2])).abs() / 2.0 < 0.2 * width;
            let slack = 0.05 * height + 2.0;
            let touching = ((all[1] - slack)..=(all[1] + slack)).contains(&bottom)
                || ((all[3] - slack)..=(all[3] + slack)).contains(&top);
            let bare = !labels.iter().any(|l| {
                let (x, y) = l.middle();
                x > left && x < right && y > top && y < bottom
            });
            if wide && centred && touching && bare && h < 2.5 * height && other.solid > 0.8 {
                all = [
                    all[0].min(left),
                    all[1].min(top),
                    all[2].max(right),
                    all[3].max(bottom),
                ];
            }
        }
        if all == before {
            break;
        }
    }
    all
}
