//! How a picture fills a network's input, and what the network saw there.

use alidade_picture::{Area, Picture, Size};

use super::classes::Class;
use crate::colour::Raster;

/// One answer of one network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) class: Class,
    /// Normalised to the whole picture.
    pub(super) area: Area,
    pub(super) score: f32,
}

/// How the picture fills a network's square input: stretched, or with empty margins that keep its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Share of the input's width and height that the picture takes.
    filled: (f64, f64),
}

impl Window {
    /// Stretched to a square.
    pub(super) const STRETCHED: Self = Self { filled: (1.0, 1.0) };

    /// In its own shape, margins to the right or below.
    pub(super) fn shaped(picture: &Picture) -> Self {
        let (width, height) = (
            f64::from(picture.size().width),
            f64::from(picture.size().height),
        );
        let longer = width.max(height).max(1.0);
        Self {
            filled: ((width / longer).max(0.02), (height / longer).max(0.02)),
        }
    }

    /// `side` × `side` RGB pixels; margins are neutral grey.
    pub(super) fn pixels(&self, picture: &Picture, side: usize) -> Option<Vec<u8>> {
        let scaled = |share: f64| ((side as f64 * share).round() as u32).clamp(1, side as u32);
        let size = Size::new(scaled(self.filled.0), scaled(self.filled.1));
        let inner = Raster::part(picture, Area::new(0.0, 0.0, 1.0, 1.0), size)?;
        if inner.width == side && inner.height == side {
            return Some(inner.rgb);
        }
        let mut pixels = vec![114; side * side * 3];
        for (to, from) in pixels
            .chunks_exact_mut(side * 3)
            .zip(inner.rgb.chunks_exact(inner.width * 3))
        {
            to[..inner.width * 3].copy_from_slice(from);
        }
        Some(pixels)
    }

    /// An area of the input, 0 to 1, in the picture; nothing where it lies in the margins.
    pub(super) fn outside(&self, area: &Area) -> Option<Area> {
        let (fx, fy) = self.filled;
        let all = [area.x, area.y, area.width, area.height];
        if all.iter().any(|v| !v.is_finite()) {
            return None;
        }
        Area::new(area.x / fx, area.y / fy, area.width / fx, area.height / fy).inside_picture()
    }
}

/// Of boxes of one class that lie on each other, only the surest stays.
pub(super) fn distinct(mut seen: Vec<Seen>, most: f64) -> Vec<Seen> {
    seen.sort_by(|a, b| b.score.total_cmp(&a.score));
    seen.truncate(1000);
    let mut kept: Vec<Seen> = Vec::new();
    for one in seen {
        let again = kept
            .iter()
            .any(|k| k.class == one.class && same_place(&k.area, &one.area, most));
        if !again {
            kept.push(one);
        }
    }
    kept
}

/// Whether two boxes are one thing: they overlap by `most`, or one lies nearly wholly in the other and is
/// not much smaller.
pub(super) fn same_place(a: &Area, b: &Area, most: f64) -> bool {
    if a.overlap(b) > most {
        return true;
    }
    let shared = a.shared(b).map_or(0.0, |s| s.extent());
    let smaller = a.extent().min(b.extent());
    shared > 0.85 * smaller && smaller > 0.35 * a.extent().max(b.extent())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::PictureId;

    #[test]
    fn a_window_with_margins_maps_back_to_the_picture() {
        let size = Size::new(200, 100);
        let picture = Picture::from_rgb(PictureId(1), size, vec![9; 200 * 100 * 3]).unwrap();
        let window = Window::shaped(&picture);
        let pixels = window.pixels(&picture, 40).unwrap();
        assert_eq!(pixels.len(), 40 * 40 * 3);
        assert_eq!((pixels[0], pixels[40 * 30 * 3]), (9, 114));
        let back = window.outside(&Area::new(0.5, 0.0, 0.5, 0.5)).unwrap();
        assert!(back.overlap(&Area::new(0.5, 0.0, 0.5, 1.0)) > 0.99);
        assert!(window.outside(&Area::new(0.0, 0.7, 0.2, 0.2)).is_none());
    }
}
