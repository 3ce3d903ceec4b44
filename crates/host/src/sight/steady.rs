//! Whether a picture still shows the same. A screen that stands still comes out of the codec a little
//! different every time; what was read of it stays right, and is found again by its pixels.

use alidade_picture::{Picture, Pixels};

/// No single sample may differ by more: a changed stroke of the smallest letter differs by far more.
const SAMPLE: u8 = 20;
/// Nor may they differ by more than this on average: a fade, or a picture that gets sharper.
const AVERAGE: f64 = 0.75;

/// `new`, or what was shown before under the id and time of `new` where both look the same.
pub(super) fn or_same(shown: Option<&Picture>, new: Picture) -> Picture {
    match shown {
        Some(shown) if same(shown, &new) => shown.clone().with_id(new.id()).with_time(new.taken()),
        _ => new,
    }
}

fn same(a: &Picture, b: &Picture) -> bool {
    if a.size() != b.size() {
        return false;
    }
    let (Pixels::I420(a), Pixels::I420(b)) = (a.pixels(), b.pixels()) else {
        return false;
    };
    let planes = [(a.y(), b.y()), (a.u(), b.u()), (a.v(), b.v())];
    planes.into_iter().all(|(a, b)| plane_same(a, b))
}

fn plane_same(a: &[u8], b: &[u8]) -> bool {
    let mut sum: u64 = 0;
    // In pieces, so that a picture that changed is told after the first of them that did.
    for (a, b) in a.chunks(4096).zip(b.chunks(4096)) {
        let mut most = 0;
        let mut part: u32 = 0;
        for (a, b) in a.iter().zip(b) {
            let differs = a.abs_diff(*b);
            most = most.max(differs);
            part += u32::from(differs);
        }
        if most > SAMPLE {
            return false;
        }
        sum += u64::from(part);
    }
    a.len() == b.len() && sum as f64 <= AVERAGE * a.len() as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::{I420, PictureId, Size};

    fn grey(id: u64, change: impl Fn(&mut Vec<u8>)) -> Picture {
        let size = Size::new(64, 64);
        let mut bytes = vec![128; 64 * 64 * 3 / 2];
        change(&mut bytes);
        Picture::from_i420(PictureId(id), I420::new(size, bytes).unwrap()).unwrap()
    }

    #[test]
    fn noise_of_the_codec_keeps_the_pixels_and_takes_the_new_id() {
        let first = grey(1, |_| {});
        let again = or_same(Some(&first), grey(2, |bytes| bytes[100] = 131));
        assert_eq!(again.id(), PictureId(2));
        assert!(again.shares_pixels_with(&first));
    }

    #[test]
    fn one_changed_stroke_and_a_slow_fade_are_changes() {
        let first = grey(1, |_| {});
        let stroke = or_same(Some(&first), grey(2, |bytes| bytes[100] = 20));
        assert!(!stroke.shares_pixels_with(&first));
        let fade = or_same(Some(&first), grey(3, |bytes| bytes.fill(129)));
        assert!(!fade.shares_pixels_with(&first));
    }
}
