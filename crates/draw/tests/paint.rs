//! What marks look like on a picture.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::time::Instant;

use alidade_draw::{
    marks::{NewMark, Seen},
    paint::{BRASS, INK, PAPER, paint},
};
use alidade_picture::{Area, I420, Picture, PictureId, Size, Spot};
use proptest::prelude::*;

const SIZE: Size = Size::new(400, 300);

fn plain(size: Size, colour: [u8; 3]) -> Picture {
    let rgb = colour.repeat(size.pixels() as usize);
    Picture::from_rgb(PictureId(5), size, rgb).unwrap()
}

fn alone(mark: NewMark) -> Seen {
    Seen::alone(mark, None, Instant::now())
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * picture.size().width + x) * 3) as usize;
    picture.rgb()[at..at + 3].try_into().unwrap()
}

fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |v: u8| (f64::from(v) / 255.0).powf(2.2);
    0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
}

/// Contrast ratio as accessibility guidelines count it, 1 to 21.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn an_outline_reads_on_every_ground() {
    let boxed = Area::new(0.25, 0.25, 0.5, 0.5);
    for ground in [
        [255; 3],
        [0; 3],
        [128; 3],
        BRASS,
        INK,
        PAPER,
        [200, 30, 30],
        [40, 90, 200],
    ] {
        for newest in [true, false] {
            let mut seen = alone(NewMark::area(boxed));
            seen.newest = newest;
            let marked = paint(&plain(SIZE, ground), &[seen]);
            // Along a row that crosses the left edge of the box, something stands out clearly.
            let best = (80..110)
                .map(|x| contrast(pixel(&marked, x, 150), ground))
                .fold(1.0, f64::max);
            assert!(best >= 3.0, "{ground:?} {newest}: {best}");
        }
    }
}

#[test]
fn neither_outline_nor_label_covers_the_thing() {
    let ground = [70, 80, 90];
    for (x, y) in [(0.1, 0.1), (0.4, 0.02), (0.8, 0.45), (0.3, 0.88)] {
        let area = Area::new(x, y, 0.12, 0.08);
        let marked = paint(
            &plain(SIZE, ground),
            &[alone(NewMark::area(area).label("Preferences"))],
        );
        let (left, right) = ((x * 400.0) as u32, ((x + 0.12) * 400.0) as u32);
        let (top, bottom) = ((y * 300.0) as u32, ((y + 0.08) * 300.0) as u32);
        for column in left..right {
            for row in top..bottom {
                assert_eq!(pixel(&marked, column, row), ground, "{column} {row}");
            }
        }
        assert_ne!(marked.rgb(), plain(SIZE, ground).rgb());
    }
}

#[test]
fn the_newest_is_in_the_accent_and_an_older_one_is_not() {
    let ground = [60; 3];
    let brass = |newest| {
        let mut seen = alone(NewMark::area(Area::new(0.3, 0.3, 0.3, 0.3)));
        seen.newest = newest;
        let marked = paint(&plain(SIZE, ground), &[seen]);
        marked.rgb().chunks(3).filter(|p| *p == BRASS).count()
    };
    assert!(brass(true) > 200);
    assert_eq!(brass(false), 0);
}

#[test]
fn a_point_is_a_ring_with_a_dot_that_leaves_room_around_it() {
    let ground = [60; 3];
    let spot = Spot { x: 0.5, y: 0.5 };
    let marked = paint(&plain(SIZE, ground), &[alone(NewMark::spot(spot))]);
    assert_eq!(pixel(&marked, 200, 150), BRASS);
    assert_eq!(pixel(&marked, 205, 150), ground);
    assert!((206..215).any(|x| pixel(&marked, x, 150) == BRASS));
}

#[test]
fn a_faint_mark_lets_the_picture_through_and_one_of_no_strength_is_not_painted() {
    let ground = [60; 3];
    let painted = |strength| {
        let mut seen = alone(NewMark::area(Area::new(0.3, 0.3, 0.3, 0.3)).label("x"));
        seen.strength = strength;
        paint(&plain(SIZE, ground), &[seen])
    };
    let difference = |picture: &Picture| {
        let rgb = picture.rgb().into_owned();
        rgb.iter().map(|v| u64::from(v.abs_diff(60))).sum::<u64>()
    };
    let (full, half) = (difference(&painted(1.0)), difference(&painted(0.5)));
    assert!(
        half * 10 > full * 4 && half * 10 < full * 6,
        "{half} {full}"
    );
    assert_eq!(difference(&painted(0.0)), 0);
}

#[test]
fn the_marked_picture_keeps_id_size_and_source() {
    let picture = plain(Size::new(200, 100), [9; 3]);
    let half = picture.scaled(Size::new(100, 50)).unwrap();
    let marked = paint(
        &half,
        &[alone(NewMark::area(Area::new(0.1, 0.1, 0.2, 0.2)))],
    );
    assert_eq!(
        (marked.id(), marked.size(), marked.region(), marked.taken()),
        (half.id(), half.size(), half.region(), half.taken())
    );
    assert_eq!(paint(&half, &[]).rgb(), half.rgb());
}

#[test]
fn planar_pictures_are_painted_too() {
    let size = Size::new(41, 31);
    let planes = I420::new(size, vec![128; I420::length(size) as usize]).unwrap();
    let picture = Picture::from_i420(PictureId(1), planes).unwrap();
    let marked = paint(&picture, &[alone(NewMark::spot(Spot { x: 0.5, y: 0.5 }))]);
    assert_eq!(pixel(&marked, 20, 15), BRASS);
}

#[test]
fn awkward_labels_are_painted_without_harm() {
    let ground = plain(SIZE, [90; 3]);
    for label in [
        "שלום עולם",
        "مرحبا بالعالم",
        "abc שלום def",
        "😀😀😀",
        "👨‍👩‍👧‍👦 family",
        "保存",
        "\u{202e}reversed",
        "\0\x1b[31mred\r\n",
        "Z̸̢͎͇a̵l̶g̷o̴",
        &"W".repeat(5000),
        &"long words ".repeat(50),
        "\u{fffd}\u{10ffff}",
    ] {
        let marked = paint(
            &ground,
            &[alone(
                NewMark::area(Area::new(0.4, 0.4, 0.1, 0.1)).label(label),
            )],
        );
        assert_eq!(marked.size(), SIZE, "{label:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_mark_on_any_picture_is_painted_without_harm(
        width in 1u32..90, height in 1u32..90,
        marks in proptest::collection::vec(
            (any::<f64>(), -0.5f64..1.5, any::<f64>(), 0.0f64..1.5, any::<bool>(), ".{0,12}", any::<Option<u32>>()),
            0..5,
        ),
    ) {
        let size = Size::new(width, height);
        let seen: Vec<Seen> = marks
            .into_iter()
            .map(|(x, y, w, h, point, label, number)| {
                let mark = if point {
                    NewMark::spot(Spot { x, y })
                } else {
                    NewMark::area(Area::new(y, x, h, w))
                };
                Seen::alone(mark.label(label), number, Instant::now())
            })
            .collect();
        prop_assert_eq!(paint(&plain(size, [50; 3]), &seen).size(), size);
    }
}
