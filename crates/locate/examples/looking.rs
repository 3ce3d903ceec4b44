//! Shows what the ways of looking that need no model make of a picture, as JSON lines: for measuring.
//!
//! `looking controls|things|shapes PICTURE LINES …`, where `LINES` is a JSON file with the lines that can be
//! read, `[["text", [x, y, width, height]], …]`, normalised. Boxes come out in pixels.

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    clippy::print_stdout,
    reason = "it holds the private modules it measures, and shows the figures"
)]

#[path = "../src/colour/mod.rs"]
mod colour;
#[path = "../src/controls/mod.rs"]
mod controls;
#[path = "../src/shape/mod.rs"]
mod shape;

use std::{error::Error, time::Instant};

use alidade_picture::{Area, DecodeLimits, Picture, PictureId, decode_file};
use serde_json::{Value, json};

type Lines = Vec<(String, [f64; 4])>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap_or_default();
    while let (Some(file), Some(lines)) = (args.next(), args.next()) {
        let picture = decode_file(file.as_ref(), PictureId(1), DecodeLimits::default())?.into_rgb();
        let lines: Lines = serde_json::from_slice(&std::fs::read(lines)?)?;
        let mut seen = match what.as_str() {
            "controls" => controls_of(&picture, &lines),
            "things" => things_of(&picture, &lines),
            "shapes" => shapes_of(&picture),
            _ => return Err("say controls, things or shapes, then pairs of PICTURE LINES".into()),
        };
        seen["file"] = json!(file);
        println!("{seen}");
    }
    Ok(())
}

fn areas(lines: &Lines) -> Vec<Area> {
    let area = |[x, y, width, height]: [f64; 4]| Area::new(x, y, width, height);
    lines.iter().map(|l| area(l.1)).collect()
}

fn pixels(picture: &Picture, area: &Area) -> Value {
    let (w, h) = (
        f64::from(picture.size().width),
        f64::from(picture.size().height),
    );
    let all = [area.x * w, area.y * h, area.width * w, area.height * h];
    json!(all.map(f64::round))
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

fn controls_of(picture: &Picture, lines: &Lines) -> Value {
    let texts = areas(lines);
    let start = Instant::now();
    let found = controls::boxes(picture, &texts);
    let ms = ms(start);
    let around = |n: usize| controls::around(&found, n).map(|c| pixels(picture, &c.area));
    let field = |n: usize| controls::field_for(&found, &texts, n).map(|c| pixels(picture, &c.area));
    let listed = found.iter().map(|c| {
        json!({"box": pixels(picture, &c.area), "kind": format!("{:?}", c.kind), "sure": c.sure,
            "texts": c.texts, "drawn": c.drawn})
    });
    let named = lines.iter().zip(&texts);
    json!({
        "ms": ms,
        "controls": listed.collect::<Vec<_>>(),
        "lines": named.map(|(l, a)| json!({"text": l.0, "box": pixels(picture, a)})).collect::<Vec<_>>(),
        "around": (0..texts.len()).map(around).collect::<Vec<_>>(),
        "field": (0..texts.len()).map(field).collect::<Vec<_>>(),
    })
}

fn things_of(picture: &Picture, lines: &Lines) -> Value {
    let texts = areas(lines);
    let start = Instant::now();
    let found = shape::things_near(picture, &texts);
    let ms = ms(start);
    let things = lines.iter().zip(&found).map(|(line, thing)| {
        let thing = thing.as_ref().map(|t| {
            let colour = t.colour.map(|c| c.name());
            json!({"box": pixels(picture, &t.area), "round": t.round, "colour": colour, "sure": t.sure})
        });
        json!({"label": line.0, "thing": thing})
    });
    json!({"ms": ms, "things": things.collect::<Vec<_>>()})
}

fn shapes_of(picture: &Picture) -> Value {
    let start = Instant::now();
    let found = shape::outlines(picture, None);
    let ms = ms(start);
    let show = |o: &shape::Outline| json!({"box": pixels(picture, &o.area), "shape": format!("{:?}", o.shape), "sure": o.sure});
    let patches = colour::Colour::ALL.into_iter().map(|c| {
        let regions = colour::regions(picture, c);
        let regions = regions
            .iter()
            .take(5)
            .map(|r| json!({"box": pixels(picture, &r.area), "fill": r.fill, "sure": r.sure}));
        let outlines = shape::outlines(picture, Some(c));
        let outlines = outlines.iter().take(5).map(show);
        json!({"colour": c.name(), "patches": regions.collect::<Vec<_>>(), "shapes": outlines.collect::<Vec<_>>()})
    });
    json!({
        "ms": ms,
        "shapes": found.iter().take(15).map(show).collect::<Vec<_>>(),
        "colours": patches.collect::<Vec<_>>(),
    })
}
