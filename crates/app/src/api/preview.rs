//! Pictures for the eye: the newest one, as small as it is shown.

use alidade_media::Source;
use alidade_picture::{Picture, PictureId, Scaling, Size};
use turbojpeg::{Image, PixelFormat, Subsamp};

/// Longest side that is sent to a face, in pixels.
const LONGEST_SIDE: u32 = 1920;
/// Good enough that small text stays sharp.
const QUALITY: i32 = 88;

/// A picture for the eye.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Which source it is from.
    pub source: u32,
    /// Which picture of that source.
    pub picture: u32,
    /// The picture's own size in pixels, which marks are shares of.
    pub size: Size,
    /// The picture, perhaps smaller.
    pub jpeg: Vec<u8>,
}

impl Preview {
    /// As bytes for a web view: source, picture, width and height as little-endian 32-bit numbers, then the JPEG.
    #[must_use]
    pub fn packet(&self) -> Vec<u8> {
        let numbers = [self.source, self.picture, self.size.width, self.size.height];
        let mut packet = Vec::with_capacity(16 + self.jpeg.len());
        for number in numbers {
            packet.extend(number.to_le_bytes());
        }
        packet.extend(&self.jpeg);
        packet
    }
}

/// The newest picture that is not `after`, as soon as there is one; none where the source gives no more.
pub(super) async fn newest(source: &Source, number: u32, after: Option<u32>) -> Option<Preview> {
    let after = after.map(|id| PictureId(id.into()));
    let picture = source.next(after).await.ok()?;
    tokio::task::spawn_blocking(move || encoded(&picture, number))
        .await
        .ok()?
}

fn encoded(picture: &Picture, source: u32) -> Option<Preview> {
    let size = picture.size();
    let longest = size.width.max(size.height);
    let shown = if longest > LONGEST_SIDE {
        let share = f64::from(LONGEST_SIDE) / f64::from(longest);
        let side = |pixels: u32| ((f64::from(pixels) * share).round() as u32).max(1);
        Size::new(side(size.width), side(size.height))
    } else {
        size
    };
    let rgb = picture.rgb();
    let scaled;
    let pixels = if shown == size {
        &rgb[..]
    } else {
        scaled = alidade_picture::scale_rgb(&rgb, size, None, shown, Scaling::Linear).ok()?;
        &scaled[..]
    };
    let image = Image {
        pixels,
        width: shown.width as usize,
        pitch: shown.width as usize * 3,
        height: shown.height as usize,
        format: PixelFormat::RGB,
    };
    // Coloured text blurs where colours are kept at half the width.
    let jpeg = turbojpeg::compress(image, QUALITY, Subsamp::None).ok()?;
    Some(Preview {
        source,
        picture: picture.id().0.try_into().ok()?,
        size,
        jpeg: jpeg.to_vec(),
    })
}
