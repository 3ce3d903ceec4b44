#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use super::*;
use alidade_picture::{PictureId, Size};
use proptest::prelude::*;

/// A drawn screen, `scale` pixels to a unit.
struct Screen {
    size: (i32, i32),
    scale: i32,
    rgb: Vec<u8>,
    texts: Vec<Area>,
}

/// Window, control, edge, ink.
type Theme = [[u8; 3]; 4];
const LIGHT: Theme = [[240; 3], [254; 3], [180; 3], [30; 3]];
const DARK: Theme = [[45, 45, 45], [56, 56, 56], [25, 25, 25], [230; 3]];

impl Screen {
    fn new(scale: i32, ground: [u8; 3]) -> Self {
        let size = (640 * scale, 400 * scale);
        Self {
            size,
            scale,
            rgb: ground.repeat((size.0 * size.1) as usize),
            texts: Vec::new(),
        }
    }

    fn dot(&mut self, x: i32, y: i32, rgb: [u8; 3]) {
        let at = ((y * self.size.0 + x) * 3) as usize;
        self.rgb[at..at + 3].copy_from_slice(&rgb);
    }

    fn fill(&mut self, [x, y, w, h]: [i32; 4], rgb: [u8; 3]) {
        let s = self.scale;
        for y in y * s..(y + h) * s {
            for x in x * s..(x + w) * s {
                self.dot(x, y, rgb);
            }
        }
    }

    fn framed(&mut self, [x, y, w, h]: [i32; 4], inside: [u8; 3], edge: [u8; 3]) {
        self.fill([x, y, w, h], edge);
        self.fill([x + 1, y + 1, w - 2, h - 2], inside);
    }

    fn disc(&mut self, [x, y, d]: [i32; 3], inside: [u8; 3], edge: [u8; 3]) {
        let s = self.scale;
        let r = (d * s) as f32 / 2.0;
        for py in 0..d * s {
            for px in 0..d * s {
                let off = (px as f32 + 0.5 - r).hypot(py as f32 + 0.5 - r);
                if off <= r {
                    let rgb = if off > r - s as f32 { edge } else { inside };
                    self.dot(x * s + px, y * s + py, rgb);
                }
            }
        }
    }

    /// Strokes that stand for a word, ten units high; gives its number.
    fn word(&mut self, x: i32, y: i32, w: i32, ink: [u8; 3]) -> usize {
        for at in (0..w).step_by(4) {
            self.fill([x + at, y + (at / 4 % 2) * 3, 2, 7], ink);
        }
        self.texts.push(Self::area([x, y, w, 10]));
        self.texts.len() - 1
    }

    fn area([x, y, w, h]: [i32; 4]) -> Area {
        Area::new(
            f64::from(x) / 640.0,
            f64::from(y) / 400.0,
            f64::from(w) / 640.0,
            f64::from(h) / 400.0,
        )
    }

    fn controls(&self) -> Vec<Control> {
        let size = Size::new(self.size.0 as u32, self.size.1 as u32);
        let picture = Picture::from_rgb(PictureId(1), size, self.rgb.clone()).unwrap();
        boxes(&picture, &self.texts)
    }
}

fn every_theme(check: impl Fn(&mut Screen, Theme)) {
    for theme in [LIGHT, DARK] {
        for scale in [1, 2] {
            check(&mut Screen::new(scale, theme[0]), theme);
        }
    }
}

#[test]
fn a_text_in_a_button_grows_to_the_button() {
    every_theme(|screen, [_, control, edge, ink]| {
        screen.framed([100, 40, 80, 26], control, edge);
        let ok = screen.word(126, 48, 28, ink);
        screen.framed([200, 40, 80, 26], control, edge);
        let cancel = screen.word(220, 48, 40, ink);
        let controls = screen.controls();
        for (text, truth) in [(ok, [100, 40, 80, 26]), (cancel, [200, 40, 80, 26])] {
            let found = around(&controls, text).unwrap();
            assert!(found.area.overlap(&Screen::area(truth)) > 0.85, "{found:?}");
            assert!(found.drawn && found.kind == Kind::Box);
        }
    });
}

#[test]
fn a_label_leads_to_the_field_right_of_it_or_below() {
    every_theme(|screen, [_, control, edge, ink]| {
        let beside = screen.word(20, 90, 56, ink);
        screen.framed([100, 82, 200, 26], control, edge);
        let above = screen.word(20, 200, 56, ink);
        screen.framed([20, 216, 200, 26], control, edge);
        let controls = screen.controls();
        for (label, truth) in [(beside, [100, 82, 200, 26]), (above, [20, 216, 200, 26])] {
            let field = field_for(&controls, &screen.texts, label).unwrap();
            assert!(field.area.overlap(&Screen::area(truth)) > 0.85, "{field:?}");
        }
    });
}

#[test]
fn what_stands_in_a_box_does_not_name_the_box_beside_it() {
    every_theme(|screen, [_, control, edge, ink]| {
        screen.framed([20, 60, 120, 36], control, edge);
        let first = screen.word(40, 73, 40, ink);
        screen.framed([180, 60, 120, 36], control, edge);
        screen.word(200, 73, 40, ink);
        let controls = screen.controls();
        let field = field_for(&controls, &screen.texts, first);
        let own = Screen::area([20, 60, 120, 36]);
        assert!(
            field.is_none_or(|f| f.area.overlap(&own) > 0.85),
            "{field:?}"
        );
    });
}

#[test]
fn a_word_of_a_bar_does_not_name_the_field_under_the_bar() {
    every_theme(|screen, [_, control, edge, ink]| {
        let words = [20, 76, 132].map(|x| screen.word(x, 8, 40, ink));
        screen.framed([20, 24, 200, 26], control, edge);
        let controls = screen.controls();
        assert!(field_for(&controls, &screen.texts, words[0]).is_none());
    });
}

#[test]
fn room_for_several_lines_is_a_field() {
    every_theme(|screen, [_, control, edge, ink]| {
        let label = screen.word(20, 90, 56, ink);
        screen.framed([100, 82, 300, 90], control, edge);
        let controls = screen.controls();
        let field = field_for(&controls, &screen.texts, label).unwrap();
        let truth = Screen::area([100, 82, 300, 90]);
        assert!(field.area.overlap(&truth) > 0.85, "{field:?}");
    });
}

#[test]
fn a_box_to_tick_and_its_label_are_one() {
    every_theme(|screen, [_, control, edge, ink]| {
        screen.framed([20, 130, 14, 14], control, edge);
        let square = screen.word(42, 132, 80, ink);
        screen.disc([20, 160, 14], control, edge);
        let disc = screen.word(42, 162, 80, ink);
        let controls = screen.controls();
        for (label, kind, y) in [(square, Kind::Checkbox, 130), (disc, Kind::Radio, 160)] {
            let found = around(&controls, label).unwrap();
            assert_eq!(found.kind, kind, "{found:?}");
            let truth = Screen::area([20, y, 102, 14]);
            assert!(found.area.overlap(&truth) > 0.8, "{found:?}");
        }
    });
}

#[test]
fn entries_of_a_menu_are_as_wide_as_the_menu() {
    every_theme(|screen, [_, control, edge, ink]| {
        screen.framed([300, 100, 180, 134], control, edge);
        let words: Vec<usize> = (0..5)
            .map(|n| {
                screen.word(450, 110 + 26 * n, 20, ink);
                screen.word(312, 110 + 26 * n, 60, ink)
            })
            .collect();
        let controls = screen.controls();
        for (n, word) in words.into_iter().enumerate() {
            let entry = around(&controls, word).unwrap();
            let truth = Screen::area([300, 102 + 26 * n as i32, 180, 26]);
            assert!(entry.area.overlap(&truth) > 0.8, "{entry:?}");
        }
    });
}

#[test]
fn a_picture_without_text_is_an_icon_and_a_word_is_none() {
    every_theme(|screen, [_, _, _, ink]| {
        for step in 0..4 {
            let n = step * 4;
            screen.fill([400 + n, 40, 2, 16 - n], [200, 40 + 40 * step as u8, 60]);
            screen.fill([400, 40 + n, 16 - n, 2], [40, 90, 200 - 30 * step as u8]);
        }
        let word = screen.word(40, 300, 60, ink);
        let controls = screen.controls();
        let icons: Vec<_> = controls.iter().filter(|c| c.kind == Kind::Icon).collect();
        let truth = Screen::area([400, 40, 16, 16]);
        assert!(
            icons.iter().any(|i| i.area.contains(truth.centre())),
            "{icons:?}"
        );
        assert!(
            icons
                .iter()
                .all(|i| !i.area.contains(screen.texts[word].centre()))
        );
    });
}

#[test]
fn running_text_is_no_control() {
    every_theme(|screen, [_, _, _, ink]| {
        let lines: Vec<usize> = (0..6)
            .map(|n| screen.word(40, 40 + 15 * n, 300, ink))
            .collect();
        let controls = screen.controls();
        assert!(
            lines
                .into_iter()
                .all(|line| around(&controls, line).is_none()),
            "{controls:?}"
        );
    });
}

#[test]
fn pictures_of_every_shape_are_survived() {
    for (width, height) in [(1u32, 1u32), (1, 3000), (4000, 1), (3, 3), (4096, 2100)] {
        let pixels = vec![0; width as usize * height as usize * 3];
        let picture = Picture::from_rgb(PictureId(1), Size::new(width, height), pixels).unwrap();
        let everywhere = Area::new(0.0, 0.0, 1.0, 1.0);
        assert!(
            boxes(&picture, &[everywhere])
                .iter()
                .all(|c| c.area.extent() < 1.1)
        );
    }
}

proptest! {
    #[test]
    fn noise_and_any_text_boxes_are_survived(
        w in 1u32..50, h in 1u32..50, seed in any::<u64>(), levels in 1u8..=255,
        texts in prop::collection::vec((-1.0f64..2.0, -1.0f64..2.0, -1.0f64..2.0, -1.0f64..2.0), 0..6),
    ) {
        let mut state = seed | 1;
        let pixels: Vec<u8> = (0..w * h * 3)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8 % levels
            })
            .collect();
        let picture = Picture::from_rgb(PictureId(1), Size::new(w, h), pixels).unwrap();
        let texts: Vec<Area> = texts.into_iter().map(|(x, y, w, h)| Area::new(x, y, w, h)).collect();
        let controls = boxes(&picture, &texts);
        for n in 0..texts.len() {
            around(&controls, n);
            field_for(&controls, &texts, n);
        }
        for control in &controls {
            prop_assert!(control.texts.iter().all(|t| *t < texts.len()));
            prop_assert!((0.0..=1.0).contains(&control.sure));
        }
    }
}
