//! Colours as people name them: which word fits a pixel, where in a picture a colour is, and what colour a
//! thing has that its surroundings do not.

mod mask;
mod name;
mod raster;

use alidade_picture::{Area, Picture, Size};

pub(crate) use mask::{parts, smoothed};
pub(crate) use name::{Colour, called, exact_lab};
pub(crate) use raster::Raster;

/// A patch of one colour.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Its bounding box, normalised.
    pub(crate) area: Area,
    /// Share of the box that has the colour, 0 to 1.
    pub(crate) fill: f32,
    /// How well the patch stands for the colour's name, 0 to 1.
    pub(crate) sure: f32,
}

/// Longest side at which patches are looked for, in pixels.
const SIDE: u32 = 720;
/// Patches in one answer.
const MOST: usize = 48;

/// Patches of this colour, largest first, specks left out, at most a few dozen. RGB picture.
pub(crate) fn regions(picture: &Picture, colour: Colour) -> Vec<Region> {
    let Some(raster) = Raster::of(picture, SIDE) else {
        return Vec::new();
    };
    let fits: Vec<f32> = raster
        .rgb
        .chunks_exact(3)
        .map(|p| colour.fits([p[0], p[1], p[2]]))
        .collect();
    // What fits a little belongs to the patch where it touches what fits well: the shaded side of a knob.
    let mask: Vec<bool> = fits.iter().map(|f| *f > 0.3).collect();
    let mask = smoothed(&mask, raster.width);
    let (labels, parts) = parts(&mask, raster.width);
    let mut sums = vec![(0.0f32, 0usize); parts.len()];
    for (label, fit) in labels.iter().zip(&fits) {
        if let Some(sum) = (*label as usize)
            .checked_sub(1)
            .and_then(|n| sums.get_mut(n))
        {
            sum.0 += fit;
            sum.1 += usize::from(*fit > 0.6);
        }
    }
    let speck = (raster.width * raster.height / 8000).clamp(6, 60);
    let mut found: Vec<(usize, Region)> = parts
        .iter()
        .zip(sums)
        .filter(|(part, (_, strong))| part.count >= speck && strong * 4 >= part.count)
        .map(|(part, (sum, _))| {
            let area = raster.area(
                part.left as f64,
                part.top as f64,
                part.right as f64,
                part.bottom as f64,
            );
            let region = Region {
                area,
                fill: part.fill(),
                sure: sum / part.count.max(1) as f32,
            };
            (part.count, region)
        })
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.0));
    found.truncate(MOST);
    found.into_iter().map(|(_, region)| region).collect()
}

/// How much of the area is of this colour, 0 to 1. RGB picture.
#[cfg(test)]
pub(crate) fn share(picture: &Picture, area: &Area, colour: Colour) -> f32 {
    let Some(raster) = Raster::part(picture, *area, Size::new(48, 48)) else {
        return 0.0;
    };
    let pixels = raster.rgb.chunks_exact(3);
    let sum: f32 = pixels.map(|p| colour.fits([p[0], p[1], p[2]])).sum();
    sum / (raster.width * raster.height).max(1) as f32
}

/// The colours of an area, most telling first: by how much more of a colour there is inside than around it.
/// A red knob on a grey panel is red, then grey, whatever the light. Values are 0 to 1.
pub(crate) fn of(picture: &Picture, area: &Area) -> Vec<(Colour, f32)> {
    let Some(inside) = histogram(picture, area) else {
        return Vec::new();
    };
    let wider = Area::new(
        area.x - area.width * 0.5,
        area.y - area.height * 0.5,
        area.width * 2.0,
        area.height * 2.0,
    );
    // The wider area holds the inner one as a quarter, or more where the picture ends.
    let around = histogram(picture, &wider).unwrap_or(inside);
    let part = wider.inside_picture().map_or(0.25, |w| {
        (area.extent() / w.extent().max(1e-12)).clamp(0.05, 1.0)
    }) as f32;
    let mut ranked: Vec<(Colour, f32)> = Colour::ALL
        .into_iter()
        .enumerate()
        .map(|(n, colour)| {
            let outside = if part < 0.95 {
                ((around[n] - part * inside[n]) / (1.0 - part)).clamp(0.0, 1.0)
            } else {
                0.0
            };
            // A hue says more than grey does, which is the colour of shadow and shine.
            let tells = if colour.has_hue() { 1.0 } else { 0.75 };
            (colour, inside[n] * (1.0 - 0.75 * outside.min(1.0)) * tells)
        })
        .filter(|(_, value)| *value > 0.02)
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

/// Share of each name, in the order of [`Colour::ALL`].
fn histogram(picture: &Picture, area: &Area) -> Option<[f32; 13]> {
    let raster = Raster::part(picture, *area, Size::new(64, 64))?;
    let mut counts = [0usize; 13];
    for p in raster.rgb.chunks_exact(3) {
        counts[called([p[0], p[1], p[2]]) as usize] += 1;
    }
    let all = (raster.width * raster.height).max(1) as f32;
    Some(counts.map(|c| c as f32 / all))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::PictureId;
    use proptest::prelude::*;

    /// A panel whose light falls off to the right, with a disc of `rgb` in the middle.
    fn panel(rgb: [u8; 3]) -> Picture {
        let (w, h) = (200u32, 120u32);
        let mut pixels = Vec::new();
        for y in 0..h {
            for x in 0..w {
                let light = 1.0 - 0.5 * f64::from(x) / f64::from(w);
                let inside = (f64::from(x) - 100.0).hypot(f64::from(y) - 60.0) < 30.0;
                let base = if inside { rgb } else { [120, 124, 120] };
                pixels.extend(base.map(|v| (f64::from(v) * light) as u8));
            }
        }
        Picture::from_rgb(PictureId(1), Size::new(w, h), pixels).unwrap()
    }

    #[test]
    fn a_patch_is_found_whole_in_uneven_light() {
        for (rgb, colour) in [
            ([220, 30, 30], Colour::Red),
            ([40, 180, 70], Colour::Green),
            ([50, 80, 220], Colour::Blue),
            ([230, 200, 30], Colour::Yellow),
        ] {
            let picture = panel(rgb);
            let found = regions(&picture, colour);
            let truth = Area::new(70.0 / 200.0, 30.0 / 120.0, 60.0 / 200.0, 60.0 / 120.0);
            assert!(found[0].area.overlap(&truth) > 0.85, "{colour:?} {found:?}");
            assert_eq!(of(&picture, &truth)[0].0, colour);
            assert!(share(&picture, &truth, colour) > 0.5);
        }
    }

    #[test]
    fn a_colour_that_is_not_there_is_not_found() {
        assert!(regions(&panel([220, 30, 30]), Colour::Purple).is_empty());
        assert!(regions(&panel([220, 30, 30]), Colour::Green).is_empty());
    }

    proptest! {
        #[test]
        fn any_picture_and_area_are_survived(
            w in 1u32..40, h in 1u32..40, seed in any::<u64>(),
            x in -1.0f64..2.0, y in -1.0f64..2.0, aw in -0.5f64..2.0, ah in -0.5f64..2.0,
        ) {
            let mut state = seed | 1;
            let pixels: Vec<u8> = (0..w * h * 3)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 56) as u8
                })
                .collect();
            let picture = Picture::from_rgb(PictureId(1), Size::new(w, h), pixels).unwrap();
            let area = Area::new(x, y, aw, ah);
            for colour in Colour::ALL {
                for region in regions(&picture, colour) {
                    prop_assert!(region.area.inside_picture().is_some());
                }
                prop_assert!((0.0..=1.0).contains(&share(&picture, &area, colour)));
            }
            of(&picture, &area);
        }
    }
}
