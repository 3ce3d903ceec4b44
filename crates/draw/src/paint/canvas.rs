//! Rounded shapes blended onto rows of red, green, blue bytes, with smooth edges.
//!
//! A shape is asked how far each pixel is from its edge; the distance gives the coverage. Only pixels
//! near the edge are visited for an outline, so a frame around a whole 8K picture costs little.

use alidade_picture::Size;

use crate::geometry::Rect;

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

/// Pixels that are painted on.
pub(super) struct Canvas {
    size: Size,
    rgb: Vec<u8>,
}

impl Canvas {
    /// `rgb` holds width × height × 3 bytes.
    pub(super) fn new(size: Size, rgb: Vec<u8>) -> Self {
        Self { size, rgb }
    }

    pub(super) fn into_rgb(self) -> Vec<u8> {
        self.rgb
    }

    /// Mixes `colour` into one pixel; outside the picture nothing happens.
    pub(super) fn blend(&mut self, x: i64, y: i64, colour: Colour, alpha: f32) {
        let (width, height) = (i64::from(self.size.width), i64::from(self.size.height));
        if x < 0 || y < 0 || x >= width || y >= height || alpha <= 0.0 {
            return;
        }
        let at = (y * width + x) as usize * 3;
        let alpha = alpha.min(1.0);
        for (under, over) in self.rgb[at..at + 3].iter_mut().zip(colour) {
            let mixed = f32::from(*under) + (f32::from(over) - f32::from(*under)) * alpha;
            *under = mixed.round() as u8;
        }
    }

    /// Fills a rectangle with rounded corners.
    pub(super) fn fill(&mut self, rect: &Rect, radius: f64, colour: Colour, alpha: f32) {
        self.band(rect, radius, f64::NEG_INFINITY, 0.0, colour, alpha);
    }

    /// Paints what lies between `from` and `to` pixels outside the edge of a rectangle with rounded
    /// corners; negative distances lie inside.
    pub(super) fn band(
        &mut self,
        rect: &Rect,
        radius: f64,
        from: f64,
        to: f64,
        colour: Colour,
        alpha: f32,
    ) {
        let radius = radius.clamp(0.0, (rect.width.min(rect.height) / 2.0).max(0.0));
        let outer = rect.grown(to + 1.0);
        let rows = span(outer.y, outer.bottom(), self.size.height);
        let columns = span(outer.x, outer.right(), self.size.width);
        // Inside this hole nothing is painted, so it is not visited.
        let hole = rect.grown(from.min(0.0) - radius - 1.0);
        let hole_columns = span(hole.x.ceil(), hole.right().floor() - 1.0, self.size.width);
        for y in rows {
            let within = (y as f64) > hole.y && ((y + 1) as f64) < hole.bottom();
            let skip = within && from.is_finite() && hole.width > 2.0 && hole.height > 2.0;
            let mut x = columns.start;
            while x < columns.end {
                if skip && hole_columns.contains(&x) {
                    x = hole_columns.end;
                    continue;
                }
                let away = distance(x as f64 + 0.5, y as f64 + 0.5, rect, radius);
                let cover = (away - from + 0.5).min(to - away + 0.5).clamp(0.0, 1.0);
                self.blend(x, y, colour, cover as f32 * alpha);
                x += 1;
            }
        }
    }
}

/// Pixel numbers from `start` to `end` that lie in a side of `limit` pixels.
fn span(start: f64, end: f64, limit: u32) -> std::ops::Range<i64> {
    let limit = f64::from(limit);
    start.floor().clamp(0.0, limit) as i64..end.ceil().clamp(0.0, limit) as i64
}

/// How far a place lies outside the edge of a rounded rectangle; negative inside.
fn distance(x: f64, y: f64, rect: &Rect, radius: f64) -> f64 {
    let (half_width, half_height) = (rect.width / 2.0, rect.height / 2.0);
    let across = (x - rect.x - half_width).abs() - half_width + radius;
    let down = (y - rect.y - half_height).abs() - half_height + radius;
    across.max(0.0).hypot(down.max(0.0)) + across.max(down).min(0.0) - radius
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas(width: u32, height: u32) -> Canvas {
        let size = Size::new(width, height);
        Canvas::new(size, vec![0; size.pixels() as usize * 3])
    }

    fn at(canvas: &Canvas, x: u32, y: u32) -> u8 {
        canvas.rgb[((y * canvas.size.width + x) * 3) as usize]
    }

    #[test]
    fn a_band_paints_its_width_and_leaves_the_inside_alone() {
        let mut canvas = canvas(60, 40);
        let rect = Rect::new(10.0, 10.0, 40.0, 20.0);
        canvas.band(&rect, 0.0, 0.0, 2.0, [200; 3], 1.0);
        for x in 10..50 {
            assert_eq!((at(&canvas, x, 8), at(&canvas, x, 9)), (200, 200));
            assert_eq!((at(&canvas, x, 7), at(&canvas, x, 10)), (0, 0));
            assert_eq!((at(&canvas, x, 30), at(&canvas, x, 31)), (200, 200));
        }
        for y in 10..30 {
            assert_eq!((at(&canvas, 9, y), at(&canvas, 10, y)), (200, 0));
            assert_eq!((at(&canvas, 49, y), at(&canvas, 50, y)), (0, 200));
        }
    }

    #[test]
    fn skipping_the_inside_changes_no_pixel() {
        for (width, height, radius) in [(30.0, 30.0, 8.0), (50.0, 9.0, 3.0), (4.0, 4.0, 2.0)] {
            let rect = Rect::new(6.3, 7.7, width, height);
            let mut banded = canvas(70, 60);
            banded.band(&rect, radius, 1.0, 3.5, [255; 3], 1.0);
            for y in 0..60 {
                for x in 0..70 {
                    let away = distance(f64::from(x) + 0.5, f64::from(y) + 0.5, &rect, radius);
                    let cover = (away - 1.0 + 0.5).min(3.5 - away + 0.5).clamp(0.0, 1.0);
                    let expected = (255.0 * cover as f32).round() as u8;
                    assert!(at(&banded, x, y).abs_diff(expected) <= 1, "{x} {y}");
                }
            }
        }
    }

    #[test]
    fn outside_the_picture_nothing_is_painted_and_nothing_breaks() {
        let mut canvas = canvas(4, 4);
        canvas.fill(&Rect::new(-1e12, -1e12, 1.0, 1.0), 1.0, [9; 3], 1.0);
        canvas.fill(&Rect::new(f64::NAN, 0.0, 1.0, 1.0), 1.0, [9; 3], 1.0);
        canvas.blend(-1, 0, [9; 3], 1.0);
        canvas.blend(4, 0, [9; 3], 1.0);
        assert!(canvas.rgb.iter().all(|v| *v == 0));
        canvas.fill(&Rect::new(-1e12, -1e12, 2e12, 2e12), 1.0, [9; 3], 1.0);
        assert!(canvas.rgb.iter().all(|v| *v == 9));
    }
}
