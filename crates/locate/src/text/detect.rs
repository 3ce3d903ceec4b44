//! Where lines of text are: the detector's probability map, cut into boxes.

use alidade_picture::{Picture, Size};
use rten_tensor::{AsView, Layout, NdTensor};

use super::boxes::{Slanted, components};
use crate::{LocateError, ModelFile, Models, models::Network};

/// The detector takes sides that are multiples of this.
const STEP: u32 = 32;
/// Pixels one pass may have; more are scaled down first.
const PASS: u64 = 2_300_000;
/// A pixel belongs to text above this.
const PIXEL: f32 = 0.3;
/// A region is text where its pixels have at least this on average.
const REGION: f32 = 0.5;
/// The map shows a shrunken core; it grows by this much of area over perimeter.
const GROWTH: f64 = 1.5;
/// Mean and deviation the network was trained with, in its order blue, green, red.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

/// Finds lines of text.
pub(super) struct Detector {
    network: Network,
}

impl Detector {
    pub(super) fn load(models: &Models) -> Result<Self, LocateError> {
        Ok(Self {
            network: models.network(ModelFile::TextDetector)?,
        })
    }

    /// Lines of text in pixels of the picture, in no order. RGB picture.
    pub(super) fn lines(&self, picture: &Picture) -> Result<Vec<Slanted>, LocateError> {
        let size = picture.size();
        let fitted = size.fitted(u32::MAX, PASS);
        let pass = Size::new(rounded(fitted.width), rounded(fitted.height));
        let scaled = picture
            .scaled(pass)
            .map_err(|e| LocateError::Picture(e.to_string()))?;
        let map = self.map(&scaled)?;
        let across = f64::from(size.width) / f64::from(pass.width);
        let down = f64::from(size.height) / f64::from(pass.height);
        let found = components(&map, pass.width as usize, PIXEL)
            .into_iter()
            .filter(|c| c.mean >= REGION && c.pixels >= 6)
            .map(|c| c.slanted().grown(GROWTH).scaled(across, down))
            .collect();
        Ok(found)
    }

    fn map(&self, picture: &Picture) -> Result<Vec<f32>, LocateError> {
        let (width, height) = (
            picture.size().width as usize,
            picture.size().height as usize,
        );
        let plane = width * height;
        let mut input = vec![0.0f32; 3 * plane];
        let rgb = picture.rgb();
        for (channel, values) in input.chunks_exact_mut(plane).enumerate() {
            let levels = levels(MEAN[channel], DEVIATION[channel]);
            // The network wants blue first.
            let bytes = rgb.iter().skip(2 - channel).step_by(3);
            for (value, byte) in values.iter_mut().zip(bytes) {
                *value = levels[usize::from(*byte)];
            }
        }
        let input = NdTensor::from_data([1, 3, height, width], input);
        let out = self.network.run(vec![input.into()])?;
        let map: NdTensor<f32, 4> = out
            .into_iter()
            .next()
            .ok_or_else(|| LocateError::inference("the text detector gave nothing"))?
            .try_into()
            .map_err(LocateError::inference)?;
        if map.shape() != [1, 1, height, width] {
            return Err(LocateError::inference(
                "the text detector gave another size",
            ));
        }
        Ok(map.to_vec())
    }
}

/// Every byte's value as the network sees it.
fn levels(mean: f32, deviation: f32) -> [f32; 256] {
    std::array::from_fn(|byte| (byte as f32 / 255.0 - mean) / deviation)
}

fn rounded(side: u32) -> u32 {
    ((side + STEP / 2) / STEP * STEP).max(STEP)
}
