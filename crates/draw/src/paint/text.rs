//! One line of text in the font that comes along.
//!
//! Letters the font does not know are left out rather than shown as empty boxes. Right-to-left text is
//! put into the order in which it is seen; its letters are not joined.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use unicode_bidi::BidiInfo;

use super::canvas::{Canvas, Colour};

static BYTES: &[u8] = include_bytes!("../../fonts/DejaVuSans.ttf");

fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(BYTES).ok())
        .as_ref()
}

/// A line that is ready to be painted.
pub(super) struct Line {
    glyphs: Vec<(GlyphId, f32)>,
    scale: PxScale,
    /// In pixels.
    pub(super) width: f64,
    /// Height of an upright letter, in pixels.
    cap: f32,
}

impl Line {
    /// Lays out `text`, `size` pixels from ascender to descender; `None` where no letter can be shown.
    pub(super) fn new(text: &str, size: f64) -> Option<Self> {
        let font = font()?;
        let scale = PxScale::from(size as f32);
        let scaled = font.as_scaled(scale);
        let mut glyphs: Vec<(GlyphId, f32)> = Vec::new();
        let mut x = 0.0;
        let mut inked = false;
        for letter in ordered(text).chars() {
            let glyph = scaled.glyph_id(letter);
            if glyph.0 == 0 {
                continue;
            }
            if let Some((last, _)) = glyphs.last() {
                x += scaled.kern(*last, glyph);
            }
            glyphs.push((glyph, x));
            x += scaled.h_advance(glyph);
            inked |= !letter.is_whitespace() && letter != '…';
        }
        let cap = font
            .outline(font.glyph_id('H'))
            .map_or(0.7 * scaled.ascent(), |outline| {
                outline.bounds.height().abs() * scaled.v_scale_factor()
            });
        inked.then_some(Self {
            glyphs,
            scale,
            width: f64::from(x),
            cap,
        })
    }

    /// Paints the line so that its capitals are centred on `middle`, beginning at `left`.
    pub(super) fn paint(
        &self,
        canvas: &mut Canvas,
        left: f64,
        middle: f64,
        colour: Colour,
        alpha: f32,
    ) {
        let Some(font) = font() else { return };
        let base = middle as f32 + self.cap / 2.0;
        for (glyph, x) in &self.glyphs {
            let placed = glyph.with_scale_and_position(self.scale, point(left as f32 + x, base));
            let Some(outline) = font.outline_glyph(placed) else {
                continue;
            };
            let corner = outline.px_bounds().min;
            let (start_x, start_y) = (corner.x as i64, corner.y as i64);
            outline.draw(|x, y, cover| {
                canvas.blend(
                    start_x + i64::from(x),
                    start_y + i64::from(y),
                    colour,
                    cover * alpha,
                );
            });
        }
    }
}

/// The letters in the order in which they are seen, left to right.
fn ordered(text: &str) -> String {
    let bidi = BidiInfo::new(text, None);
    bidi.paragraphs
        .first()
        .map_or_else(String::new, |paragraph| {
            bidi.reorder_line(paragraph, paragraph.range.clone())
                .into_owned()
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn the_font_comes_along_and_measures() {
        let short = Line::new("Save", 20.0).unwrap();
        let long = Line::new("Save all", 20.0).unwrap();
        assert!(short.width > 20.0 && long.width > 1.5 * short.width);
        assert!(short.cap > 8.0 && short.cap < 16.0);
    }

    #[test]
    fn unknown_letters_are_left_out_and_nothing_is_no_line() {
        let plain = Line::new("Save ", 20.0).unwrap();
        let mixed = Line::new("Save 保存", 20.0).unwrap();
        assert!((plain.width - mixed.width).abs() < 1e-6);
        assert!(Line::new("保存", 20.0).is_none());
        assert!(Line::new("", 20.0).is_none());
        assert!(Line::new("…", 20.0).is_none());
    }

    #[test]
    fn right_to_left_letters_are_seen_from_the_right() {
        assert_eq!(ordered("שלום"), "םולש");
        assert_eq!(ordered("Save"), "Save");
    }
}
