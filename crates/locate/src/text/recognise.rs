//! What a strip says: the recogniser's columns, decoded greedily.

use alidade_picture::{Scaling, Size, scale_rgb};
use rten_tensor::{AsView, Layout, NdTensor};

use super::strip::Strip;
use crate::{LocateError, ModelFile, Models, models::Network};

/// Rows the network takes.
const HEIGHT: u32 = 48;
/// Its columns are a multiple of this.
const STEP: usize = 32;
/// Columns one pass may have; longer lines are read in parts.
pub(super) const COLUMNS: usize = 1600;

/// A character and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Char {
    pub(super) is: char,
    /// Left edge as a share of the strip's width.
    pub(super) from: f32,
    /// Right edge.
    pub(super) to: f32,
    /// Probability.
    pub(super) sure: f32,
}

/// Reads strips.
pub(super) struct Recogniser {
    network: Network,
    /// By class; class 0 is "nothing".
    characters: Vec<char>,
}

impl Recogniser {
    pub(super) fn load(models: &Models) -> Result<Self, LocateError> {
        let lines = models.lines(ModelFile::TextCharacters)?;
        // The last one is the space.
        let mut characters = vec!['\0'];
        characters.extend(lines.iter().filter_map(|l| l.chars().next()));
        Ok(Self {
            network: models.network(ModelFile::TextRecogniser)?,
            characters,
        })
    }

    /// Characters of the strip, left to right.
    pub(super) fn read(&self, strip: &Strip) -> Result<Vec<Char>, LocateError> {
        let wanted = (strip.width as f64 * f64::from(HEIGHT) / strip.height as f64).ceil();
        let width = (wanted as usize).clamp(8, COLUMNS * 2);
        let scaled = scaled(strip, width as u32)?;
        let padded = width.div_ceil(STEP) * STEP;
        let height = HEIGHT as usize;
        let plane = padded * height;
        let mut input = vec![0.0f32; 3 * plane];
        for (row, pixels) in scaled.chunks_exact(width * 3).enumerate() {
            for (column, pixel) in pixels.chunks_exact(3).enumerate() {
                for channel in 0..3 {
                    // Blue first, -1 to 1.
                    let value = f32::from(pixel[2 - channel]) / 127.5 - 1.0;
                    input[channel * plane + row * padded + column] = value;
                }
            }
        }
        let input = NdTensor::from_data([1, 3, height, padded], input);
        let out = self.network.run(vec![input.into()])?;
        let out: NdTensor<f32, 3> = out
            .into_iter()
            .next()
            .ok_or_else(|| LocateError::inference("the text recogniser gave nothing"))?
            .try_into()
            .map_err(LocateError::inference)?;
        let [_, steps, classes] = out.shape();
        if classes != self.characters.len() || steps == 0 {
            return Err(LocateError::inference(
                "the text recogniser knows other characters",
            ));
        }
        let step = padded as f32 / steps as f32 / width as f32;
        Ok(decoded(&out.to_vec(), &self.characters, step))
    }
}

fn scaled(strip: &Strip, width: u32) -> Result<Vec<u8>, LocateError> {
    let from = Size::new(strip.width as u32, strip.height as u32);
    scale_rgb(
        &strip.rgb,
        from,
        None,
        Size::new(width, HEIGHT),
        Scaling::Linear,
    )
    .map_err(|e| LocateError::Picture(e.to_string()))
}

/// The likeliest class of every column, repeats and blanks dropped. `step` is a column's share of the width.
fn decoded(scores: &[f32], characters: &[char], step: f32) -> Vec<Char> {
    let mut read: Vec<Char> = Vec::new();
    let mut last = 0;
    for (column, row) in scores.chunks_exact(characters.len()).enumerate() {
        let (class, sure) =
            row.iter().enumerate().fold(
                (0, f32::MIN),
                |best, (i, v)| if *v > best.1 { (i, *v) } else { best },
            );
        let (from, to) = (column as f32 * step, (column + 1) as f32 * step);
        match read.last_mut() {
            Some(same) if class != 0 && class == last => {
                same.to = to.min(1.0);
                same.sure = same.sure.max(sure);
            }
            _ if class != 0 && from < 1.0 => read.push(Char {
                is: characters[class],
                from,
                to: to.min(1.0),
                sure: sure.clamp(0.0, 1.0),
            }),
            _ => {}
        }
        last = class;
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_one_character_and_a_blank_parts_them() {
        let characters = ['\0', 'l', 'o', ' '];
        let columns = [2, 2, 0, 1, 0, 1, 3, 2];
        let scores: Vec<f32> = columns
            .iter()
            .flat_map(|c| (0..4).map(move |i| if i == *c { 0.8 } else { 0.05 }))
            .collect();
        let read = decoded(&scores, &characters, 0.125);
        let text: String = read.iter().map(|c| c.is).collect();
        assert_eq!(text, "oll o");
        assert_eq!((read[0].from, read[0].to, read[0].sure), (0.0, 0.25, 0.8));
        assert_eq!(read[1].from, 0.375);
    }

    #[test]
    fn what_the_padding_says_is_not_read() {
        let scores = [0.1, 0.9, 0.9, 0.1, 0.1, 0.9];
        assert_eq!(decoded(&scores, &['\0', 'x'], 0.6).len(), 1);
    }
}
