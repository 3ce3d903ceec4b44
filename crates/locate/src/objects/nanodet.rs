//! NanoDet: eighty classes, trained on COCO.

use alidade_picture::{Area, Picture};
use rten::ValueOrView;
use rten_tensor::{AsView, Layout, NdTensor};

use super::{boxes::Seen, boxes::Window, classes};
use crate::{LocateError, models::Network};

/// Side of the input, in pixels.
pub(super) const SIDE: usize = 416;
/// Sizes of the three grids' cells, in input pixels.
const STRIDES: [usize; 3] = [8, 16, 32];
/// A distance is the expectation over this many steps of one cell.
const STEPS: usize = 11;
const CLASSES: usize = 80;
/// In the order of the channels: blue, green, red.
const MEAN: [f32; 3] = [103.53, 116.28, 123.675];
const DEVIATION: [f32; 3] = [57.375, 57.12, 58.395];

/// What it sees in one window of the picture above `least`, duplicates included.
pub(super) fn look(
    network: &Network,
    picture: &Picture,
    window: &Window,
    least: f32,
) -> Result<Vec<Seen>, LocateError> {
    let plane = SIDE * SIDE;
    let mut input = vec![0.0f32; 3 * plane];
    let Some(pixels) = window.pixels(picture, SIDE) else {
        return Ok(Vec::new());
    };
    for channel in 0..3 {
        let (mean, deviation) = (MEAN[channel], DEVIATION[channel]);
        let to = &mut input[channel * plane..(channel + 1) * plane];
        for (value, rgb) in to.iter_mut().zip(pixels.chunks_exact(3)) {
            *value = (f32::from(rgb[2 - channel]) - mean) / deviation;
        }
    }
    let input = NdTensor::from_data([1, 3, SIDE, SIDE], input);
    let outputs = network.run(vec![ValueOrView::from(input.as_dyn())])?;
    let mut maps: Vec<(usize, usize, Vec<f32>)> = Vec::new();
    for value in outputs {
        let map: NdTensor<f32, 3> = value.try_into().map_err(LocateError::inference)?;
        let [_, cells, wide] = map.shape();
        maps.push((cells, wide, map.to_vec()));
    }
    let mut seen = Vec::new();
    for stride in STRIDES {
        let grid = SIDE / stride;
        let find = |wide: usize| {
            maps.iter()
                .find(|(cells, w, _)| *cells == grid * grid && *w == wide)
                .map(|(.., values)| values)
                .ok_or_else(|| LocateError::inference("the detector answered in another form"))
        };
        let (scores, sides) = (find(CLASSES)?, find(4 * STEPS)?);
        for cell in 0..grid * grid {
            let row = &scores[cell * CLASSES..(cell + 1) * CLASSES];
            let Some((best, score)) = strongest(row).filter(|(_, score)| *score >= least) else {
                continue;
            };
            let side = |n: usize| {
                let at = (cell * 4 + n) * STEPS;
                f64::from(expectation(&sides[at..at + STEPS])) * stride as f64
            };
            let x = ((cell % grid) as f64 + 0.5) * stride as f64;
            let y = ((cell / grid) as f64 + 0.5) * stride as f64;
            let (left, top) = (x - side(0), y - side(1));
            let (right, bottom) = (x + side(2), y + side(3));
            let all = SIDE as f64;
            let area = Area::new(
                left / all,
                top / all,
                (right - left) / all,
                (bottom - top) / all,
            );
            if let (Some(class), Some(area)) = (classes::of_coco(best), window.outside(&area)) {
                seen.push(Seen { class, area, score });
            }
        }
    }
    Ok(seen)
}

fn strongest(row: &[f32]) -> Option<(usize, f32)> {
    row.iter()
        .copied()
        .enumerate()
        .filter(|(_, v)| v.is_finite())
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The mean step of a distribution given as logits.
fn expectation(logits: &[f32]) -> f32 {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let (mut sum, mut total) = (0.0, 0.0);
    for (step, logit) in logits.iter().enumerate() {
        let weight = (logit - top).exp();
        total += weight;
        sum += weight * step as f32;
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_the_mean_of_its_distribution() {
        let mut logits = [-50.0; STEPS];
        logits[4] = 0.0;
        assert!((expectation(&logits) - 4.0).abs() < 1e-4);
        assert!((expectation(&[0.0; STEPS]) - 5.0).abs() < 1e-4);
    }
}
