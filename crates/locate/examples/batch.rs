//! Measures finding directly on pictures, without a room or a codec in between.
//!
//! * `batch ask FILE DIR [CACHE]` reads questions, either JSON lines `{"image", "question"}` or a document with
//!   `"cases"`, images below DIR, and writes an answer a line; with CACHE, what was read is kept there.
//! * `batch objects IMAGE…` lists what the detectors know by name.
//! * `batch read IMAGE…` writes what stands on each picture as JSON, with the times on standard error.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal"
)]

use std::{collections::HashMap, error::Error, fs, path::Path, time::Instant};

use alidade_locate::{Cancel, Locator, Models, Reading};
use alidade_picture::{DecodeLimits, Picture, PictureId, decode_file};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let locator = Locator::open(Models::find()?)?;
    match args
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["read", images @ ..] => {
            for image in images {
                read(&locator, Path::new(image))?;
            }
        }
        ["objects", images @ ..] => {
            for image in images {
                let picture = decode_file(Path::new(image), PictureId(1), DecodeLimits::default())?;
                let start = Instant::now();
                let objects = locator.objects(&picture)?;
                println!("{image}: {:?}", start.elapsed());
                for object in objects {
                    println!("  {} {:.2} {:?}", object.name, object.sure, object.area);
                }
            }
        }
        ["ask", file, dir] => ask(&locator, file, Path::new(dir), None)?,
        ["ask", file, dir, cache] => ask(&locator, file, Path::new(dir), Some(Path::new(cache)))?,
        _ => eprintln!("batch ask FILE DIR [CACHE] | batch objects IMAGE… | batch read IMAGE…"),
    }
    Ok(())
}

fn read(locator: &Locator, image: &Path) -> Result<(), Box<dyn Error>> {
    let picture = decode_file(image, PictureId(1), DecodeLimits::default())?;
    let start = Instant::now();
    let reading = locator.read(&picture)?;
    let cold = start.elapsed();
    let start = Instant::now();
    locator.read(&picture)?;
    let (lines, again) = (reading.lines.len(), start.elapsed());
    eprintln!(
        "{}: {lines} lines in {cold:?}, again in {again:?}",
        image.display()
    );
    println!("{}", serde_json::to_string(&reading)?);
    Ok(())
}

fn ask(
    locator: &Locator,
    file: &str,
    dir: &Path,
    cache: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let cases: Vec<Value> = match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(mut document)) if document.contains_key("cases") => {
            serde_json::from_value(document["cases"].take())?
        }
        _ => text
            .lines()
            .filter(|l| !l.trim().is_empty())
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?,
    };
    let mut seen: HashMap<String, (Picture, Reading)> = HashMap::new();
    for case in &cases {
        let (image, question) = (
            case["image"].as_str().unwrap_or(""),
            case["question"].as_str().unwrap_or(""),
        );
        let start = Instant::now();
        if !seen.contains_key(image) {
            let picture = decode_file(&dir.join(image), PictureId(1), DecodeLimits::default())?;
            let reading = kept(locator, &picture, cache, image)?;
            seen.insert(image.to_owned(), (picture, reading));
        }
        let (picture, reading) = &seen[image];
        let findings = locator.find_in(picture, reading, question, &Cancel::new())?;
        let boxes: Vec<[f64; 4]> = findings
            .found
            .iter()
            .map(|f| [f.area.x, f.area.y, f.area.width, f.area.height])
            .collect();
        let first = findings.found.first();
        println!(
            "{}",
            json!({
                "image": image,
                "question": question,
                "answer": first.map(|f| f.says.clone()),
                "way": first.map(|f| f.way),
                "sure": findings.found.iter().take(3).map(|f| format!("{} {:.2}", f.says, f.sure)).collect::<Vec<_>>(),
                "points": [],
                "ambiguous": findings.ambiguous,
                "not_found": boxes.is_empty(),
                "boxes": boxes,
                "ms": start.elapsed().as_millis() as u64,
            })
        );
    }
    Ok(())
}

fn kept(
    locator: &Locator,
    picture: &Picture,
    cache: Option<&Path>,
    image: &str,
) -> Result<Reading, Box<dyn Error>> {
    let Some(cache) = cache else {
        return Ok(locator.read(picture)?);
    };
    let path = cache.join(format!("{}.json", image.replace('/', "_")));
    if let Ok(text) = fs::read_to_string(&path) {
        return Ok(serde_json::from_str(&text)?);
    }
    let reading = locator.read(picture)?;
    fs::create_dir_all(cache)?;
    fs::write(path, serde_json::to_string(&reading)?)?;
    Ok(reading)
}
