//! Pixels at the size one looks at them: a picture, or a part of it, scaled down and no further.

use alidade_picture::{Area, Part, Picture, Scaling, Size, scale_rgb};

/// Rows of RGB bytes that stand for a part of a picture.
#[derive(Clone, Debug)]
pub(crate) struct Raster {
    /// Columns.
    pub(crate) width: usize,
    /// Rows.
    pub(crate) height: usize,
    /// Three bytes a pixel, without row padding.
    pub(crate) rgb: Vec<u8>,
    part: Area,
}

impl Raster {
    /// All of a picture, its longer side at most `side` pixels; never enlarged.
    pub(crate) fn of(picture: &Picture, side: u32) -> Option<Self> {
        let size = picture.size().fitted(side, u64::MAX);
        Self::part(picture, Area::new(0.0, 0.0, 1.0, 1.0), size)
    }

    /// The part inside `area` at exactly `size`. `None` where the area holds less than a pixel.
    pub(crate) fn part(picture: &Picture, area: Area, size: Size) -> Option<Self> {
        let full = picture.size();
        let area = area.inside_picture()?;
        let (w, h) = (f64::from(full.width), f64::from(full.height));
        let left = (area.x * w).floor().clamp(0.0, w - 1.0);
        let top = (area.y * h).floor().clamp(0.0, h - 1.0);
        let right = (area.right() * w).ceil().clamp(left + 1.0, w);
        let bottom = (area.bottom() * h).ceil().clamp(top + 1.0, h);
        let part = Area::new(left / w, top / h, (right - left) / w, (bottom - top) / h);
        if size.is_empty() {
            return None;
        }
        let rgb = picture.rgb();
        if size == full && part == Area::new(0.0, 0.0, 1.0, 1.0) {
            return Some(Self {
                width: size.width as usize,
                height: size.height as usize,
                rgb: rgb.into_owned(),
                part,
            });
        }
        // Far smaller than it was: two samples a pixel each way are enough and cost no full pass.
        let far = (right - left) / f64::from(size.width) > 6.0
            || (bottom - top) / f64::from(size.height) > 6.0;
        let how = if far {
            Scaling::Sampled
        } else {
            Scaling::Linear
        };
        let cut = Part {
            left,
            top,
            width: right - left,
            height: bottom - top,
        };
        let scaled = scale_rgb(&rgb, full, Some(cut), size, how).ok()?;
        Some(Self {
            width: size.width as usize,
            height: size.height as usize,
            rgb: scaled,
            part,
        })
    }

    /// Red, green, blue.
    pub(crate) fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * 3;
        match self.rgb.get(at..at + 3) {
            Some(p) => [p[0], p[1], p[2]],
            None => [0; 3],
        }
    }

    /// The area, normalised to the picture, of raster columns `left..right` and rows `top..bottom`.
    pub(crate) fn area(&self, left: f64, top: f64, right: f64, bottom: f64) -> Area {
        let (w, h) = (self.width.max(1) as f64, self.height.max(1) as f64);
        Area::new(
            self.part.x + left / w * self.part.width,
            self.part.y + top / h * self.part.height,
            (right - left) / w * self.part.width,
            (bottom - top) / h * self.part.height,
        )
    }

    /// Columns and rows, `[left, top, right, bottom)`, that an area of the picture covers; at least one
    /// pixel each way.
    pub(crate) fn pixels(&self, area: &Area) -> [usize; 4] {
        let across = |v: f64| (v - self.part.x) / self.part.width.max(1e-9) * self.width as f64;
        let down = |v: f64| (v - self.part.y) / self.part.height.max(1e-9) * self.height as f64;
        let left = (across(area.x).floor().max(0.0) as usize).min(self.width.saturating_sub(1));
        let top = (down(area.y).floor().max(0.0) as usize).min(self.height.saturating_sub(1));
        [
            left,
            top,
            (across(area.right()).ceil().max(0.0) as usize)
                .clamp(left + 1, self.width.max(left + 1)),
            (down(area.bottom()).ceil().max(0.0) as usize).clamp(top + 1, self.height.max(top + 1)),
        ]
    }
}
