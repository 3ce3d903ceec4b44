//! The picture as every way of looking takes it: RGB bytes, of bounded size.

use alidade_picture::{Picture, Size};

use crate::LocateError;

/// Longest side looked at, in pixels. Larger pictures are scaled down first.
const SIDE: u32 = 4096;
/// Pixels looked at: a 4K screen fits.
const PIXELS: u64 = 9_000_000;

/// RGB pixels at a bounded size; what follows may rely on [`Picture::rgb`] being borrowed.
pub(crate) fn bounded(picture: &Picture) -> Result<Picture, LocateError> {
    let size: Size = picture.size().fitted(SIDE, PIXELS);
    let picture = picture.clone().into_rgb();
    picture
        .scaled(size)
        .map_err(|e| LocateError::Picture(e.to_string()))
}

/// Whether it looks drawn by a program: most pixels are like their right neighbour, which no camera makes.
pub(crate) fn is_drawn(picture: &Picture) -> bool {
    let rgb = picture.rgb();
    let stride = picture.size().width as usize * 3;
    if stride < 6 {
        return false;
    }
    let (mut alike, mut all) = (0usize, 0usize);
    // Every fourth row is enough.
    for row in rgb.chunks_exact(stride).step_by(4) {
        for pair in row.windows(6).step_by(3) {
            let differs = (0..3)
                .map(|c| pair[c].abs_diff(pair[c + 3]))
                .max()
                .unwrap_or(0);
            alike += usize::from(differs <= 1);
            all += 1;
        }
    }
    alike * 100 > all * 75
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::PictureId;

    fn picture(width: u32, height: u32, pixel: impl Fn(u32) -> u8) -> Picture {
        let rgb = (0..width * height)
            .flat_map(|i| [pixel(i); 3])
            .collect::<Vec<u8>>();
        Picture::from_rgb(PictureId(1), Size::new(width, height), rgb).unwrap()
    }

    #[test]
    fn flat_is_drawn_and_noise_is_not() {
        assert!(is_drawn(&picture(64, 64, |i| if i % 64 < 20 {
            240
        } else {
            30
        })));
        assert!(!is_drawn(&picture(
            64,
            64,
            |i| (i.wrapping_mul(2_654_435_761) >> 24) as u8
        )));
        assert!(!is_drawn(&picture(1, 1, |_| 0)));
    }

    #[test]
    fn a_huge_picture_is_looked_at_smaller() {
        let looked = bounded(&picture(10_000, 1500, |_| 9)).unwrap();
        assert!(looked.size().width <= SIDE && looked.size().pixels() <= PIXELS);
        assert_eq!(
            bounded(&picture(1, 1, |_| 9)).unwrap().size(),
            Size::new(1, 1)
        );
    }
}
