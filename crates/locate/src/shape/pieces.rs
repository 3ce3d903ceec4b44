//! All things of a compact form in a picture: the pieces of two segmentations, holes filled.

use alidade_picture::Picture;

use super::{
    outline::{Blob, blob},
    segments::{Segments, segments, softened},
};
use crate::colour::{Colour, Raster, parts, smoothed};

/// Longest side looked at, in pixels.
const SIDE: u32 = 640;
/// Fine and coarse: a lamp, and the panel it sits on.
const GRAINS: [f32; 2] = [0.5, 1.6];
const LEAST: u32 = 24;
/// Blobs in one answer.
const MOST: usize = 1500;

/// Blobs of a picture with what they were made from.
pub(super) struct Pieces {
    pub(super) raster: Raster,
    pub(super) blobs: Vec<Blob>,
}

/// Takes the picture apart. `None` for a picture without pixels.
pub(super) fn pieces(picture: &Picture) -> Option<Pieces> {
    let raster = Raster::of(picture, SIDE)?;
    let lab = softened(&raster);
    let mut blobs = Vec::new();
    for grain in GRAINS {
        let segments = segments(&lab, raster.width, grain, LEAST);
        blobs.extend(blobs_of(&segments));
    }
    blobs.sort_by_key(|blob: &Blob| std::cmp::Reverse(blob.count));
    blobs.truncate(MOST);
    Some(Pieces {
        raster,
        blobs: distinct(blobs),
    })
}

/// Patches of one colour as blobs.
pub(super) fn of_colour(picture: &Picture, colour: Colour) -> Option<Pieces> {
    let raster = Raster::of(picture, SIDE)?;
    let fits = |p: &[u8]| colour.fits([p[0], p[1], p[2]]) > 0.4;
    let mask: Vec<bool> = raster.rgb.chunks_exact(3).map(fits).collect();
    let mask = smoothed(&mask, raster.width);
    let (labels, found) = parts(&mask, raster.width);
    let mut blobs: Vec<Blob> = found
        .iter()
        .enumerate()
        .filter(|(_, part)| part.count >= LEAST as usize)
        .filter_map(|(n, part)| {
            let bounds = [part.left, part.top, part.right, part.bottom];
            let label = n as u32 + 1;
            blob(bounds, |x, y| labels[y * raster.width + x] == label)
        })
        .collect();
    blobs.sort_by_key(|blob| std::cmp::Reverse(blob.count));
    blobs.truncate(MOST);
    Some(Pieces { raster, blobs })
}

fn blobs_of(segments: &Segments) -> Vec<Blob> {
    let (w, h) = (segments.width, segments.height);
    let mut bounds = vec![[w, h, 0, 0]; segments.count];
    for (at, label) in segments.label.iter().enumerate() {
        let (x, y, b) = (at % w, at / w, &mut bounds[*label as usize]);
        b[0] = b[0].min(x);
        b[1] = b[1].min(y);
        b[2] = b[2].max(x + 1);
        b[3] = b[3].max(y + 1);
    }
    let largest = w * h * 2 / 5;
    bounds
        .into_iter()
        .enumerate()
        .filter(|(_, [left, top, right, bottom])| {
            right > left && bottom > top && (right - left) * (bottom - top) <= largest
        })
        .filter_map(|(n, b)| blob(b, |x, y| segments.label[y * w + x] == n as u32))
        .filter(|b| b.solid > 0.6)
        .collect()
}

/// The same thing from both segmentations counts once.
fn distinct(blobs: Vec<Blob>) -> Vec<Blob> {
    let mut kept: Vec<Blob> = Vec::new();
    for blob in blobs {
        let again = kept.iter().any(|k| {
            let near =
                |a: usize, b: usize| a.abs_diff(b) <= 1 + (blob.width().max(blob.height()) / 24);
            (0..4).all(|n| near(k.bounds[n], blob.bounds[n]))
        });
        if !again {
            kept.push(blob);
        }
    }
    kept
}
