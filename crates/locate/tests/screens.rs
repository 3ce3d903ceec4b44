//! Finding on whole pictures of our own: programs and a device that do not exist (`data/draw.py`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::path::{Path, PathBuf};

use alidade_locate::{Cancel, Findings, LocateError, Locator, Models};
use alidade_picture::{Area, DecodeLimits, Picture, PictureId, Size, decode_file};

#[derive(serde::Deserialize)]
struct Question {
    image: String,
    question: String,
    /// Pixels: x, y, width, height.
    target: Vec<[f64; 4]>,
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn picture(name: &str) -> Picture {
    decode_file(&data(name), PictureId(1), DecodeLimits::default()).unwrap()
}

fn locator() -> Locator {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    Locator::open(Models::at(models).unwrap()).unwrap()
}

fn plain(size: Size, level: impl Fn(u64) -> u8) -> Picture {
    let rgb = (0..size.pixels() * 3).map(level).collect::<Vec<u8>>();
    Picture::from_rgb(PictureId(1), size, rgb).unwrap()
}

/// Whether the first answer lies on a target, or nothing was pointed at where there is none.
fn right(findings: &Findings, size: Size, targets: &[[f64; 4]]) -> bool {
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    match findings.found.first() {
        None => targets.is_empty(),
        Some(first) => targets.iter().any(|[x, y, w, h]| {
            Area::new(x / width, y / height, w / width, h / height).contains(first.area.centre())
        }),
    }
}

#[test]
fn what_is_there_is_pointed_at_and_what_is_not_is_not() {
    let questions: Vec<Question> =
        serde_json::from_slice(&std::fs::read(data("questions.json")).unwrap()).unwrap();
    let locator = locator();
    let (mut hits, mut present) = (0, 0);
    let mut wrong = Vec::new();
    for Question {
        image,
        question,
        target,
    } in &questions
    {
        let picture = picture(image);
        let findings = locator.find(&picture, question).unwrap();
        let hit = right(&findings, picture.size(), target);
        if target.is_empty() {
            assert!(
                hit,
                "{image}: {question} is not there, but got {:?}",
                findings.found.first()
            );
            continue;
        }
        present += 1;
        hits += usize::from(hit);
        if !hit {
            wrong.push((
                image,
                question,
                findings.found.first().map(|f| f.says.clone()),
            ));
        }
    }
    assert!(hits * 20 >= present * 19, "{hits} of {present}: {wrong:#?}");
}

#[test]
fn every_word_is_read_with_its_place() {
    let picture = picture("backup.png");
    let reading = locator().read(&picture).unwrap();
    let texts: Vec<&str> = reading.lines.iter().map(|l| l.text.as_str()).collect();
    for label in [
        "Sources",
        "Schedule",
        "Exclusions",
        "Folder:",
        "/home/mia/Photos",
        "Browse...",
        "Server name:",
        "attic.example",
        "Encrypt the copies",
        "Help",
        "Cancel",
        "Start now",
        "The last copy was made on Tuesday and took 12 minutes.",
    ] {
        assert!(texts.contains(&label), "{label} is not among {texts:?}");
    }
    let cancel = reading.lines.iter().find(|l| l.text == "Cancel").unwrap();
    // Ink-tight inside the button at 410, 376, 100 × 30.
    let button = Area::new(410.0 / 640.0, 376.0 / 420.0, 100.0 / 640.0, 30.0 / 420.0);
    assert!(button.shared(&cancel.area).unwrap().extent() > 0.99 * cancel.area.extent());
    assert!(cancel.area.width * 640.0 > 35.0 && cancel.area.width * 640.0 < 55.0);
    let tuesday = reading
        .lines
        .iter()
        .flat_map(|l| &l.words)
        .find(|w| w.text == "Tuesday")
        .unwrap();
    assert!((tuesday.area.centre().y * 420.0 - 331.0).abs() < 4.0);
}

#[test]
fn a_changed_part_is_read_anew_and_the_rest_is_kept() {
    let locator = locator();
    let before = picture("backup.png");
    let first = locator.read(&before).unwrap();
    assert_eq!(locator.read(&before).unwrap(), first);
    // The red button vanishes.
    let size = before.size();
    let mut rgb = before.rgb().into_owned();
    for y in 374..408 {
        let row = (y * size.width as usize + 515) * 3;
        rgb[row..row + 112 * 3].fill(233);
    }
    let after = Picture::from_rgb(PictureId(2), size, rgb).unwrap();
    let second = locator.read(&after).unwrap();
    let gone: Vec<&str> = first
        .lines
        .iter()
        .filter(|l| !second.lines.iter().any(|s| s.text == l.text))
        .map(|l| l.text.as_str())
        .collect();
    assert_eq!(gone, ["Start now"]);
    assert_eq!(second.lines.len() + 1, first.lines.len());
    assert!(locator.find(&after, "Start now").unwrap().found.is_empty());
    assert_eq!(
        locator.find(&before, "Start now").unwrap().found[0].says,
        "Start now"
    );
}

#[test]
fn noise_of_a_codec_does_not_make_a_screen_new() {
    let locator = locator();
    let before = picture("editor.png");
    let first = locator.read(&before).unwrap();
    let noisy = before
        .rgb()
        .iter()
        .enumerate()
        .map(|(i, v)| v.saturating_add((i % 3) as u8))
        .collect::<Vec<u8>>();
    let noisy = Picture::from_rgb(PictureId(2), before.size(), noisy).unwrap();
    assert_eq!(locator.read(&noisy).unwrap(), first);
}

#[test]
fn equal_places_are_ambiguous_until_a_place_is_said() {
    let locator = locator();
    let size = Size::new(640, 840);
    let once = picture("backup.png");
    let twice = [&*once.rgb(), &*once.rgb()].concat();
    let twice = Picture::from_rgb(PictureId(1), size, twice).unwrap();
    let both = locator.find(&twice, "the Cancel button").unwrap();
    assert!(both.ambiguous && both.found.len() == 2, "{both:?}");
    let lower = locator
        .find(&twice, "the Cancel button at the bottom")
        .unwrap();
    assert!(!lower.ambiguous && lower.found[0].area.y > 0.5, "{lower:?}");
    let first = locator
        .find(&twice, "the first of the Cancel buttons")
        .unwrap();
    assert!(!first.ambiguous && first.found[0].area.y < 0.5, "{first:?}");
}

#[test]
fn a_cancelled_search_ends_with_its_own_error() {
    let cancel = Cancel::new();
    cancel.cancel();
    let picture = picture("backup.png");
    let locator = locator();
    assert_eq!(
        locator.read_until(&picture, &cancel),
        Err(LocateError::Cancelled)
    );
    assert_eq!(
        locator.find_until(&picture, "Help", &cancel).unwrap_err(),
        LocateError::Cancelled
    );
    assert!(locator.find(&picture, "Help").unwrap().found.len() == 1);
}

#[test]
fn pictures_of_every_shape_are_survived() {
    let locator = locator();
    for size in [
        Size::new(1, 1),
        Size::new(1, 900),
        Size::new(900, 1),
        Size::new(33, 31),
    ] {
        for level in [0, 255] {
            let findings = locator
                .find(&plain(size, |_| level), "the Save button")
                .unwrap();
            assert!(findings.found.is_empty(), "{size}: {findings:?}");
        }
    }
    let noise = plain(Size::new(320, 200), |i| {
        (i.wrapping_mul(6_364_136_223_846_793_005) >> 56) as u8
    });
    assert!(
        locator
            .find(&noise, "the red knob on the left")
            .unwrap()
            .found
            .iter()
            .all(|f| f.sure < 0.9)
    );
}

#[test]
fn any_phrase_is_answered_without_a_panic() {
    let locator = locator();
    let picture = picture("panel.jpg");
    let reading = locator.read(&picture).unwrap();
    let long = "the knob ".repeat(3000);
    for phrase in [
        "",
        " ",
        "?",
        "the",
        "\"",
        "\"\"",
        ",,,",
        "where is",
        "🦀",
        "the second",
        "red",
        "round",
        long.as_str(),
    ] {
        locator
            .find_in(&picture, &reading, phrase, &Cancel::new())
            .unwrap();
    }
    assert!(locator.find(&picture, "").unwrap().found.is_empty());
}

#[test]
fn phrases_that_mean_the_same_are_alike() {
    let alike = locator()
        .similarity("log in", &["Sign in", "Print"])
        .unwrap();
    assert!(alike[0] > 0.6 && alike[1] < 0.4, "{alike:?}");
}
