//! Rows of any layout on their way to a picture in red, green and blue, scaled down as they come.

use image::ColorType;

use super::{DecodeError, zeroed};
use crate::{Part, PixelError, Scaling, Size, scale_rgb};

/// Rows of the result that are made at a time.
const GROUP: u32 = 64;

/// How many times larger than the result the averaged picture is at least. With twice, averaging cannot
/// be told from scaling all the way sharply.
const GAP: f64 = 2.0;

/// How the pixels of a row lie in memory, in the machine's own byte order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    channels: usize,
    sample: Sample,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    U8,
    U16,
    F32,
}

impl Layout {
    /// None for what no decoder here gives.
    pub(super) fn of(color: ColorType) -> Option<Self> {
        let (channels, sample) = match color {
            ColorType::L8 => (1, Sample::U8),
            ColorType::La8 => (2, Sample::U8),
            ColorType::Rgb8 => (3, Sample::U8),
            ColorType::Rgba8 => (4, Sample::U8),
            ColorType::L16 => (1, Sample::U16),
            ColorType::La16 => (2, Sample::U16),
            ColorType::Rgb16 => (3, Sample::U16),
            ColorType::Rgba16 => (4, Sample::U16),
            ColorType::Rgb32F => (3, Sample::F32),
            ColorType::Rgba32F => (4, Sample::F32),
            _ => return None,
        };
        Some(Self { channels, sample })
    }

    pub(super) fn is_rgb(self) -> bool {
        self.channels == 3 && self.sample == Sample::U8
    }

    fn bytes(self) -> usize {
        let sample = match self.sample {
            Sample::U8 => 1,
            Sample::U16 => 2,
            Sample::F32 => 4,
        };
        self.channels * sample
    }
}

/// Collects rows. Only what the next rows of the result need is kept of those that came.
pub(super) struct Rows {
    from: Size,
    to: Size,
    /// Rows that came.
    came: u32,
    /// The finished rows of the result.
    made: Vec<u8>,
    /// Samples brought to bytes, and a row brought to three channels.
    bytes: Vec<u8>,
    row: Vec<u8>,
    /// This many pixels each way are averaged first; 1 for none.
    step: u32,
    sums: Vec<u32>,
    /// Averaged rows from `first` on.
    strip: Vec<u8>,
    first: u32,
}

impl Rows {
    /// For rows of `from`, to be scaled to `to`, which is no larger.
    pub(super) fn new(from: Size, to: Size) -> Result<Self, DecodeError> {
        let ratio = (f64::from(from.width) / f64::from(to.width.max(1)))
            .min(f64::from(from.height) / f64::from(to.height.max(1)));
        let step = ((ratio / GAP) as u32).max(1);
        let mut made = zeroed(to.pixels().saturating_mul(3))?;
        made.clear();
        Ok(Self {
            from,
            to,
            came: 0,
            made,
            bytes: Vec::new(),
            row: vec![0; from.width as usize * 3],
            step,
            sums: vec![0; from.width.div_ceil(step) as usize * 3],
            strip: Vec::new(),
            first: 0,
        })
    }

    /// All rows at once.
    pub(super) fn push_all(&mut self, all: &[u8], layout: Layout) -> Result<(), PixelError> {
        let row = (self.from.width as usize * layout.bytes()).max(1);
        all.chunks_exact(row)
            .try_for_each(|row| self.push(row, layout))
    }

    /// The next row. One that is short leaves the rest as the row before had it.
    pub(super) fn push(&mut self, row: &[u8], layout: Layout) -> Result<(), PixelError> {
        if self.came == self.from.height {
            return Ok(());
        }
        self.came += 1;
        let narrowed = match layout.sample {
            Sample::U8 => row,
            Sample::U16 | Sample::F32 => {
                narrow(row, layout.sample, &mut self.bytes);
                &self.bytes
            }
        };
        to_rgb(narrowed, layout.channels, &mut self.row);
        if self.from == self.to {
            self.made.extend_from_slice(&self.row);
            return Ok(());
        }
        if self.step == 1 {
            self.strip.extend_from_slice(&self.row);
        } else {
            self.average();
        }
        self.emit()
    }

    /// The result; none where rows are missing.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        (self.made.len() as u64 == self.to.pixels() * 3).then_some(self.made)
    }

    /// Adds the row to the sums; the last of `step` rows makes them a row of the strip.
    fn average(&mut self) {
        let step = self.step as usize;
        for (pixels, sum) in self.row.chunks(3 * step).zip(self.sums.chunks_exact_mut(3)) {
            for pixel in pixels.chunks_exact(3) {
                for (sum, value) in sum.iter_mut().zip(pixel) {
                    *sum += u32::from(*value);
                }
            }
        }
        let left = self.came % self.step;
        if left != 0 && self.came != self.from.height {
            return;
        }
        let rows = if left == 0 { self.step } else { left };
        let columns = self.from.width.div_ceil(self.step);
        for (column, sum) in (0..columns).zip(self.sums.chunks_exact_mut(3)) {
            // The last column and the last row may stand for fewer pixels.
            let count = rows * self.step.min(self.from.width - column * self.step);
            for sum in sum {
                self.strip.push(((*sum + count / 2) / count) as u8);
                *sum = 0;
            }
        }
    }

    /// Makes the rows of the result whose surroundings are all there, and lets go of what no row after
    /// them looks at.
    fn emit(&mut self) -> Result<(), PixelError> {
        let step = f64::from(self.step);
        let width = self.from.width.div_ceil(self.step);
        let length = width as usize * 3;
        // Rows of the strip to one of the result, and how far around itself one of these looks.
        let ratio = f64::from(self.from.height) / step / f64::from(self.to.height);
        let around = (2.0 * ratio).ceil() as u32 + 2;
        loop {
            let start = (self.made.len() / (self.to.width as usize * 3)) as u32;
            let end = (start + GROUP).min(self.to.height);
            let there = self.first + (self.strip.len() / length) as u32;
            let needed = (f64::from(end) * ratio).ceil() as u32 + around;
            if start == end || (there < needed && self.came < self.from.height) {
                return Ok(());
            }
            let part = Part {
                left: 0.0,
                top: f64::from(start) * ratio - f64::from(self.first),
                width: f64::from(self.from.width) / step,
                height: f64::from(end - start) * ratio,
            };
            let strip = Size::new(width, there - self.first);
            // A rounding error must not push the last part over the edge.
            let part = Part {
                height: part.height.min(f64::from(strip.height) - part.top),
                ..part
            };
            let made = Size::new(self.to.width, end - start);
            let made = scale_rgb(&self.strip, strip, Some(part), made, Scaling::Sharp)?;
            self.made.extend_from_slice(&made);
            let keep = ((f64::from(end) * ratio) as u32).saturating_sub(around);
            let drop = keep.clamp(self.first, there) - self.first;
            self.strip.drain(..drop as usize * length);
            self.first += drop;
        }
    }
}

/// Sixteen bits and fractions to bytes.
fn narrow(row: &[u8], sample: Sample, bytes: &mut Vec<u8>) {
    bytes.clear();
    match sample {
        Sample::U8 => bytes.extend_from_slice(row),
        Sample::U16 => bytes.extend(row.as_chunks::<2>().0.iter().map(|two| {
            let value = u32::from(u16::from_ne_bytes(*two));
            ((value + 128) / 257) as u8
        })),
        Sample::F32 => bytes.extend(row.as_chunks::<4>().0.iter().map(|four| {
            let value = f32::from_ne_bytes(*four).clamp(0.0, 1.0);
            (value * 255.0).round() as u8
        })),
    }
}

/// Any channels to red, green and blue. Transparent pixels stand on white, as most viewers show them.
fn to_rgb(row: &[u8], channels: usize, rgb: &mut [u8]) {
    let mixed = |value: u8, alpha: u8| {
        let alpha = u16::from(alpha);
        ((u16::from(value) * alpha + 255 * (255 - alpha)) / 255) as u8
    };
    let to = rgb.as_chunks_mut::<3>().0.iter_mut();
    match channels {
        1 => to.zip(row).for_each(|(to, grey)| *to = [*grey; 3]),
        2 => (to.zip(row.as_chunks::<2>().0))
            .for_each(|(to, [grey, alpha])| *to = [mixed(*grey, *alpha); 3]),
        4 => (to.zip(row.as_chunks::<4>().0)).for_each(|(to, [red, green, blue, alpha])| {
            *to = [
                mixed(*red, *alpha),
                mixed(*green, *alpha),
                mixed(*blue, *alpha),
            ];
        }),
        _ => (to.zip(row.as_chunks::<3>().0)).for_each(|(to, from)| *to = *from),
    }
}
