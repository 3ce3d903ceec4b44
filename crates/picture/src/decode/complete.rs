//! Whether a file has its end, for formats whose decoders do not mind.

use image::ImageFormat;

/// False where the end of the file is missing for certain.
pub(super) fn is_complete(bytes: &[u8], format: ImageFormat) -> bool {
    match format {
        ImageFormat::Jpeg => Markers::of(bytes).any(|marker| marker == END),
        ImageFormat::WebP => webp_is_complete(bytes),
        _ => true,
    }
}

/// Whether a JPEG picture comes in rounds, each of which refines all of it.
pub(super) fn is_progressive(jpeg: &[u8]) -> bool {
    // Of the kinds of frame, every fourth from the third on; between them lie three other markers.
    Markers::of(jpeg).any(|marker| matches!(marker, 0xC2 | 0xC6 | 0xCA | 0xCE))
}

/// It says how long it is. The byte that makes an odd length even is forgotten by some.
fn webp_is_complete(bytes: &[u8]) -> bool {
    let length = bytes.get(4..8).and_then(|length| length.try_into().ok());
    let length = length.map_or(0, u32::from_le_bytes);
    bytes.len() as u64 + 1 >= 8 + u64::from(length)
}

/// The marker at the end of a JPEG picture.
const END: u8 = 0xD9;

/// The marker before compressed pixels.
const SCAN: u8 = 0xDA;

/// The markers of a JPEG picture in their order, without those within compressed pixels, and without
/// what lies in segments: a small picture within a tag has an end too.
struct Markers<'a> {
    rest: &'a [u8],
    within_scan: bool,
}

impl<'a> Markers<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes.get(2..).unwrap_or_default(),
            within_scan: false,
        }
    }
}

impl Iterator for Markers<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let at = self.rest.iter().position(|byte| *byte == 0xFF)?;
            let marker = *self.rest.get(at + 1)?;
            match marker {
                // Any number of such bytes may stand before a marker.
                0xFF => self.rest = self.rest.get(at + 1..)?,
                // Stuffing, restarts, and what no marker is: a part of the compressed pixels.
                0x00..=0xBF | 0xD0..=0xD8 => self.rest = self.rest.get(at + 2..)?,
                // Reserved kinds do not occur in the middle of pixels but by damage.
                0xF0..=0xFD if self.within_scan => self.rest = self.rest.get(at + 2..)?,
                END => {
                    self.rest = &[];
                    return Some(END);
                }
                _ => {
                    let length = self.rest.get(at + 2..at + 4)?.try_into().ok()?;
                    let length = usize::from(u16::from_be_bytes(length));
                    self.rest = self.rest.get(at + 2 + length..).unwrap_or_default();
                    self.within_scan = marker == SCAN;
                    return Some(marker);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_within_a_tag_or_within_pixels_is_not_the_end() {
        let start = b"\xFF\xD8\xFF\xE1\x00\x06ab\xFF\xD9\xFF\xC0\x00\x03x\xFF\xDA\x00\x03x";
        let pixels = b"one\xFF\x00\xD9two\xFF\xD3three\xFF\xFF\xF7\x00\x02four";
        let cut = [&start[..], pixels].concat();
        assert!(!is_complete(&cut, ImageFormat::Jpeg));
        let whole = [&cut[..], b"\xFF\xFF\xD9junk"].concat();
        assert!(is_complete(&whole, ImageFormat::Jpeg));
        for end in 0..cut.len() {
            assert!(!is_complete(&cut[..end], ImageFormat::Jpeg));
        }
        let markers: Vec<u8> = Markers::of(&whole).collect();
        assert_eq!(markers, [0xE1, 0xC0, SCAN, END]);
    }
}
