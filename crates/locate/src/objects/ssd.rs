//! SSD MobileNetV2: twenty-three classes of Open Images.

use alidade_picture::{Area, Picture};
use rten::ValueOrView;
use rten_tensor::{AsView, Layout, NdTensor};

use super::{boxes::Seen, boxes::Window, classes};
use crate::{LocateError, models::Network};

/// Side of the input, in pixels.
const SIDE: usize = 300;
/// Cells a side of the six maps.
const GRIDS: [usize; 6] = [19, 10, 5, 3, 2, 1];
const SMALLEST: f64 = 0.2;
const LARGEST: f64 = 0.95;
/// Twenty-three and, first, "nothing".
const CLASSES: usize = 24;
/// How the box code is scaled: centre and extent.
const CODE: [f64; 2] = [10.0, 5.0];

/// A box the network's answer is relative to: centre and extent, 0 to 1.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

fn anchors() -> Vec<Anchor> {
    let last = GRIDS.len() - 1;
    let scale = |layer: usize| SMALLEST + (LARGEST - SMALLEST) * layer as f64 / last as f64;
    let mut all = Vec::with_capacity(1917);
    for (layer, grid) in GRIDS.into_iter().enumerate() {
        let own = scale(layer);
        let next = if layer == last { 1.0 } else { scale(layer + 1) };
        // Aspect ratio and size of each box of a cell. The finest map has only three.
        let shapes: Vec<(f64, f64)> = if layer == 0 {
            vec![(1.0, 0.1), (2.0, own), (0.5, own)]
        } else {
            let ratios = [1.0, 2.0, 0.5, 3.0, 1.0 / 3.0];
            let mut shapes: Vec<_> = ratios.into_iter().map(|ratio| (ratio, own)).collect();
            shapes.push((1.0, (own * next).sqrt()));
            shapes
        };
        for cell in 0..grid * grid {
            for (ratio, size) in &shapes {
                all.push(Anchor {
                    x: ((cell % grid) as f64 + 0.5) / grid as f64,
                    y: ((cell / grid) as f64 + 0.5) / grid as f64,
                    width: size * ratio.sqrt(),
                    height: size / ratio.sqrt(),
                });
            }
        }
    }
    all
}

/// What it sees in one window of the picture above `least`, duplicates included.
pub(super) fn look(
    network: &Network,
    picture: &Picture,
    window: &Window,
    least: f32,
) -> Result<Vec<Seen>, LocateError> {
    let Some(pixels) = window.pixels(picture, SIDE) else {
        return Ok(Vec::new());
    };
    let input = pixels.iter().map(|v| f32::from(*v) / 127.5 - 1.0);
    let input = NdTensor::from_data([1, SIDE, SIDE, 3], input.collect::<Vec<_>>());
    let outputs = network.run(vec![ValueOrView::from(input.as_dyn())])?;
    let (mut codes, mut scores) = (Vec::new(), Vec::new());
    for value in outputs {
        let map: NdTensor<f32, 3> = value.try_into().map_err(LocateError::inference)?;
        match map.shape()[2] {
            4 => codes = map.to_vec(),
            CLASSES => scores = map.to_vec(),
            _ => {}
        }
    }
    let anchors = anchors();
    if codes.len() != anchors.len() * 4 || scores.len() != anchors.len() * CLASSES {
        return Err(LocateError::inference(
            "the detector answered in another form",
        ));
    }
    let mut seen = Vec::new();
    for (n, anchor) in anchors.iter().enumerate() {
        let row = &scores[n * CLASSES + 1..(n + 1) * CLASSES];
        for (index, logit) in row.iter().enumerate() {
            let score = 1.0 / (1.0 + (-logit).exp());
            if score.is_nan() || score < least {
                continue;
            }
            let code = |at: usize| f64::from(codes[n * 4 + at]);
            let y = code(0) / CODE[0] * anchor.height + anchor.y;
            let x = code(1) / CODE[0] * anchor.width + anchor.x;
            let height = (code(2) / CODE[1]).exp() * anchor.height;
            let width = (code(3) / CODE[1]).exp() * anchor.width;
            let area = Area::new(x - width / 2.0, y - height / 2.0, width, height);
            if let (Some(class), Some(area)) =
                (classes::of_open_images(index), window.outside(&area))
            {
                seen.push(Seen { class, area, score });
            }
        }
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_anchor_for_each_answer_of_the_network() {
        let anchors = anchors();
        assert_eq!(anchors.len(), 1917);
        assert!((anchors[0].width - 0.1).abs() < 1e-9);
        assert!((anchors[0].x - 0.5 / 19.0).abs() < 1e-9);
        let last = anchors[1916];
        assert!((last.width - 0.95f64.sqrt()).abs() < 1e-9 && (last.x - 0.5).abs() < 1e-9);
    }
}
