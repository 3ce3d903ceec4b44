//! Statements G1 to G11, and the golden data.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use alidade_draw::geometry::{
    Extent, Mode, Position, Rect, View, box_rect, point_position, spot_at,
};
use alidade_picture::{Area, Spot};
use proptest::prelude::*;
use serde_json::Value;

const VECTORS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/vectors/geometry.json"
));

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn rects_near(a: &Rect, b: &Rect) -> bool {
    near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height)
}

#[test]
fn g1_g2_g3_every_vector_is_reproduced_with_the_defaults_where_none_are_given() {
    let cases: Vec<Value> = serde_json::from_str(VECTORS).unwrap();
    assert!(cases.len() >= 50);
    for case in cases {
        let (name, input, expect) = (&case["name"], &case["input"], &case["expect"]);
        let number = |of: &Value, key: &str| of[key].as_f64().unwrap();
        let extent = |of: &Value| Extent::new(number(of, "width"), number(of, "height"));
        let mut view = View::new(extent(&input["container"]), extent(&input["frame"]));
        match input["mode"].as_str() {
            Some("contain") => view = view.mode(Mode::Contain),
            Some("cover") => view = view.mode(Mode::Cover),
            other => assert_eq!(other, None),
        }
        if let Some(mirrored) = input["mirrored"].as_bool() {
            view = view.mirrored(mirrored);
        }
        if let Some(of) = input.get("box") {
            let area = Area::new(
                number(of, "x"),
                number(of, "y"),
                number(of, "width"),
                number(of, "height"),
            );
            let expected = Rect::new(
                number(expect, "x"),
                number(expect, "y"),
                number(expect, "width"),
                number(expect, "height"),
            );
            let got = box_rect(area, &view);
            assert!(rects_near(&got, &expected), "{name}: {got:?}");
        } else {
            let of = &input["point"];
            let spot = Spot {
                x: number(of, "x"),
                y: number(of, "y"),
            };
            let got = point_position(spot, &view);
            assert!(
                near(got.x, number(expect, "x")) && near(got.y, number(expect, "y")),
                "{name}: {got:?}"
            );
        }
    }
}

#[test]
fn g3_a_side_that_is_no_positive_number_gives_zeros() {
    let area = Area::new(0.1, 0.2, 0.3, 0.4);
    for bad in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY, f64::INFINITY] {
        for place in 0..4 {
            let mut sides = [300.0, 200.0, 640.0, 480.0];
            sides[place] = bad;
            for mirrored in [false, true] {
                let view = View::new(
                    Extent::new(sides[0], sides[1]),
                    Extent::new(sides[2], sides[3]),
                )
                .mirrored(mirrored);
                assert_eq!(box_rect(area, &view), Rect::default());
                assert_eq!(point_position(area.centre(), &view), Position::default());
                assert_eq!(spot_at(Position::default(), &view), None);
            }
        }
    }
}

#[test]
fn a_view_that_comes_as_json_has_the_defaults_too() {
    let view: View = serde_json::from_str(
        r#"{"container":{"width":4.0,"height":2.0},"frame":{"width":2.0,"height":1.0}}"#,
    )
    .unwrap();
    assert_eq!(
        view,
        View::new(Extent::new(4.0, 2.0), Extent::new(2.0, 1.0))
    );
    assert_eq!((view.mode, view.mirrored), (Mode::Cover, false));
}

fn side() -> impl Strategy<Value = f64> {
    1.0f64..4000.0
}

fn extent() -> impl Strategy<Value = Extent> {
    (side(), side()).prop_map(|(width, height)| Extent::new(width, height))
}

fn view() -> impl Strategy<Value = View> {
    (extent(), extent(), any::<bool>(), any::<bool>()).prop_map(
        |(container, frame, cover, mirrored)| {
            let mode = if cover { Mode::Cover } else { Mode::Contain };
            View::new(container, frame).mode(mode).mirrored(mirrored)
        },
    )
}

/// Also outside 0 to 1 (G10).
fn area() -> impl Strategy<Value = Area> {
    (-1.0f64..2.0, -1.0f64..2.0, 0.0f64..2.0, 0.0f64..2.0)
        .prop_map(|(x, y, width, height)| Area::new(x, y, width, height))
}

const WHOLE: Area = Area::new(0.0, 0.0, 1.0, 1.0);

proptest! {
    #[test]
    fn g4_contain_shows_the_whole_picture_in_its_shape_and_centred(view in view()) {
        let view = view.mode(Mode::Contain);
        let rect = box_rect(WHOLE, &view);
        prop_assert!(near(rect.width * view.frame.height, rect.height * view.frame.width));
        prop_assert!(near(rect.x + rect.right(), view.container.width));
        prop_assert!(near(rect.y + rect.bottom(), view.container.height));
        prop_assert!(rect.x >= -1e-6 && rect.y >= -1e-6);
    }

    #[test]
    fn g5_cover_fills_the_view_and_is_centred(view in view()) {
        let view = view.mode(Mode::Cover);
        let rect = box_rect(WHOLE, &view);
        prop_assert!(rect.width >= view.container.width * (1.0 - 1e-9));
        prop_assert!(rect.height >= view.container.height * (1.0 - 1e-9));
        prop_assert!(near(rect.x + rect.right(), view.container.width));
        prop_assert!(near(rect.y + rect.bottom(), view.container.height));
        prop_assert!(rect.x <= 1e-9 || rect.y <= 1e-9);
    }

    #[test]
    fn g6_g7_mirroring_changes_x_only_and_twice_is_not_at_all(view in view(), area in area()) {
        let plain = box_rect(area, &view.mirrored(false));
        let mirrored = box_rect(area, &view.mirrored(true));
        prop_assert_eq!((plain.y, plain.width, plain.height), (mirrored.y, mirrored.width, mirrored.height));
        prop_assert!(near(view.container.width - mirrored.right(), plain.x));
    }

    #[test]
    fn g8_only_the_ratio_of_the_pictures_sides_matters(view in view(), area in area(), k in 0.01f64..100.0) {
        let scaled = View { frame: Extent::new(view.frame.width * k, view.frame.height * k), ..view };
        prop_assert!(rects_near(&box_rect(area, &view), &box_rect(area, &scaled)));
    }

    #[test]
    fn g9_a_larger_view_scales_every_output(view in view(), area in area(), k in 0.01f64..100.0) {
        let container = Extent::new(view.container.width * k, view.container.height * k);
        let a = box_rect(area, &view);
        let b = box_rect(area, &View { container, ..view });
        let scaled = Rect::new(a.x * k, a.y * k, a.width * k, a.height * k);
        prop_assert!((b.x - scaled.x).abs() < 1e-6 * k.max(1.0) && (b.y - scaled.y).abs() < 1e-6 * k.max(1.0));
        prop_assert!(near(b.width, scaled.width) && near(b.height, scaled.height));
    }

    #[test]
    fn g10_places_outside_the_picture_map_linearly(view in view(), x in -3.0f64..4.0, y in -3.0f64..4.0) {
        let at = |x, y| point_position(Spot { x, y }, &view);
        let (zero, one, there) = (at(0.0, 0.0), at(1.0, 1.0), at(x, y));
        prop_assert!((there.x - (zero.x + x * (one.x - zero.x))).abs() < 1e-6);
        prop_assert!((there.y - (zero.y + y * (one.y - zero.y))).abs() < 1e-6);
    }

    #[test]
    fn g11_a_corner_as_a_point_is_the_corner_of_the_box(view in view(), area in area()) {
        let corner = Spot { x: area.x, y: area.y };
        let rect = box_rect(area, &view.mirrored(false));
        let point = point_position(corner, &view.mirrored(false));
        prop_assert!(near(point.x, rect.x) && near(point.y, rect.y));
        let rect = box_rect(area, &view.mirrored(true));
        let point = point_position(corner, &view.mirrored(true));
        prop_assert!((point.x - rect.right()).abs() < 1e-6 && near(point.y, rect.y));
    }

    #[test]
    fn what_is_clicked_is_what_is_shown_there(view in view(), x in -1.0f64..2.0, y in -1.0f64..2.0) {
        let back = spot_at(point_position(Spot { x, y }, &view), &view).unwrap();
        prop_assert!((back.x - x).abs() < 1e-9 && (back.y - y).abs() < 1e-9);
    }
}
