#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use super::*;
use alidade_picture::{PictureId, Size};
use proptest::prelude::*;

const W: i32 = 480;
const H: i32 = 300;

/// A picture painted pixel by pixel, in light that falls off to the right, with a little grain.
fn painted(paint: impl Fn(f32, f32) -> [u8; 3]) -> Picture {
    let mut pixels = Vec::new();
    let mut state = 7u32;
    for y in 0..H {
        for x in 0..W {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let grain = (state >> 29) as f32 - 3.5;
            let light = 1.0 - 0.35 * x as f32 / W as f32;
            let rgb = paint(x as f32 + 0.5, y as f32 + 0.5);
            pixels.extend(rgb.map(|v| (f32::from(v) * light + grain).clamp(0.0, 255.0) as u8));
        }
    }
    Picture::from_rgb(PictureId(1), Size::new(W as u32, H as u32), pixels).unwrap()
}

fn area([x, y, w, h]: [f32; 4]) -> Area {
    let (across, down) = (f64::from(W), f64::from(H));
    Area::new(
        f64::from(x) / across,
        f64::from(y) / down,
        f64::from(w) / across,
        f64::from(h) / down,
    )
}

/// Strokes of a printed word.
fn printed(x: f32, y: f32, [left, top, w, h]: [f32; 4]) -> bool {
    x >= left && x < left + w && y >= top && y < top + h && (x - left) % 8.0 < 3.0
}

const PANEL: [u8; 3] = [110, 116, 112];
const INK: [u8; 3] = [240, 240, 235];

#[test]
fn a_label_under_a_knob_names_the_knob() {
    let knobs = [
        [60.0, 60.0, 60.0, 60.0],
        [200.0, 60.0, 60.0, 60.0],
        [340.0, 60.0, 60.0, 60.0],
    ];
    let colours = [[200, 40, 40], [50, 80, 210], [40, 150, 70]];
    let labels = knobs.map(|[x, y, ..]| [x + 4.0, y + 70.0, 52.0, 14.0]);
    let picture = painted(|x, y| {
        for (knob, colour) in knobs.iter().zip(colours) {
            if (x - knob[0] - 30.0).hypot(y - knob[1] - 30.0) <= 30.0 {
                let pointer = (x - knob[0] - 30.0).abs() < 2.0 && y < knob[1] + 22.0;
                return if pointer { INK } else { colour };
            }
        }
        let ink = labels.iter().any(|l| printed(x, y, *l));
        if ink { INK } else { PANEL }
    });
    let things = things_near(&picture, &labels.map(area));
    let names = [Colour::Red, Colour::Blue, Colour::Green];
    for ((thing, knob), colour) in things.iter().zip(knobs).zip(names) {
        let thing = thing.as_ref().unwrap();
        assert!(thing.area.overlap(&area(knob)) > 0.8, "{thing:?}");
        assert!(thing.round > 0.9);
        assert_eq!(thing.colour, Some(colour));
    }
}

#[test]
fn a_label_on_a_key_names_the_key() {
    let keys: Vec<[f32; 4]> = (0..6)
        .map(|n| {
            [
                60.0 + (n % 3) as f32 * 110.0,
                50.0 + (n / 3) as f32 * 100.0,
                80.0,
                70.0,
            ]
        })
        .collect();
    let labels: Vec<[f32; 4]> = keys
        .iter()
        .map(|[x, y, ..]| [x + 28.0, y + 22.0, 24.0, 26.0])
        .collect();
    let picture = painted(|x, y| {
        if labels.iter().any(|l| printed(x, y, *l)) {
            return INK;
        }
        let on = |[l, t, w, h]: &[f32; 4]| x >= *l && x < l + w && y >= *t && y < t + h;
        if keys.iter().any(on) {
            [60, 62, 66]
        } else {
            [190, 186, 176]
        }
    });
    let places: Vec<Area> = labels.iter().map(|l| area(*l)).collect();
    for (thing, key) in things_near(&picture, &places).iter().zip(&keys) {
        let thing = thing.as_ref().unwrap();
        assert!(thing.area.overlap(&area(*key)) > 0.8, "{thing:?}");
    }
}

#[test]
fn a_label_with_nothing_near_names_nothing() {
    let label = [200.0, 140.0, 60.0, 14.0];
    let picture = painted(|x, y| if printed(x, y, label) { INK } else { PANEL });
    assert!(things_near(&picture, &[area(label)])[0].is_none());
    assert!(things_near(&picture, &[]).is_empty());
}

#[test]
fn plain_shapes_are_found_and_named() {
    let picture = painted(|x, y| {
        let disc = (x - 90.0).hypot(y - 90.0) < 45.0;
        let square = (200.0..280.0).contains(&x) && (50.0..130.0).contains(&y);
        let bar = (60.0..420.0).contains(&x) && (220.0..250.0).contains(&y);
        let triangle = (40.0..130.0).contains(&y) && (x - 380.0).abs() < (y - 40.0) * 0.55;
        if disc || square || bar || triangle {
            [200, 50, 40]
        } else {
            PANEL
        }
    });
    for colour in [None, Some(Colour::Red)] {
        let found = outlines(&picture, colour);
        for (shape, truth) in [
            (Shape::Round, [45.0, 45.0, 90.0, 90.0]),
            (Shape::Square, [200.0, 50.0, 80.0, 80.0]),
            (Shape::Rectangle, [60.0, 220.0, 360.0, 30.0]),
            (Shape::Triangle, [331.0, 40.0, 98.0, 90.0]),
        ] {
            let hit = found
                .iter()
                .find(|o| o.area.overlap(&area(truth)) > 0.75)
                .unwrap_or_else(|| unreachable!("{shape:?} {colour:?}: {found:?}"));
            assert_eq!(hit.shape, shape, "{hit:?}");
        }
    }
    assert!(outlines(&picture, Some(Colour::Blue)).is_empty());
}

#[test]
fn words_for_shapes_are_known() {
    assert_eq!(Shape::named("Circles"), Some(Shape::Round));
    assert_eq!(Shape::named("rectangular"), Some(Shape::Rectangle));
    assert_eq!(Shape::named("red"), None);
}

#[test]
fn pictures_of_every_shape_are_survived() {
    for (width, height) in [(1u32, 1u32), (1, 3000), (4000, 1), (2, 2), (4096, 2000)] {
        let pixels = vec![255; width as usize * height as usize * 3];
        let picture = Picture::from_rgb(PictureId(1), Size::new(width, height), pixels).unwrap();
        assert!(outlines(&picture, None).is_empty());
        assert!(things_near(&picture, &[Area::new(0.0, 0.0, 1.0, 1.0)])[0].is_none());
    }
}

proptest! {
    #[test]
    fn noise_and_any_label_are_survived(
        w in 1u32..40, h in 1u32..40, seed in any::<u64>(),
        x in -1.0f64..2.0, y in -1.0f64..2.0, lw in -1.0f64..2.0, lh in -1.0f64..2.0,
    ) {
        let mut state = seed | 1;
        let pixels: Vec<u8> = (0..w * h * 3)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        let picture = Picture::from_rgb(PictureId(1), Size::new(w, h), pixels).unwrap();
        for outline in outlines(&picture, None) {
            prop_assert!((0.0..=1.0).contains(&outline.sure));
        }
        things_near(&picture, &[Area::new(x, y, lw, lh), Area::new(y, x, lh, lw)]);
    }
}
