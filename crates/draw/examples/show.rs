//! Marks on a picture, to be looked at: `cargo run -p alidade-draw --example show -- IN.png OUT.png
//! [x,y,w,h,label | x,y,label]…` in shares of the picture; an argument `old` makes what came before it
//! an older answer, `several` numbers what comes after it.
#![allow(clippy::print_stdout, reason = "it is a program")]

use std::{error::Error, path::Path, time::Instant};

use alidade_draw::{
    marks::{Marks, NewMark},
    paint::paint,
};
use alidade_picture::{Area, DecodeLimits, PictureId, Spot, decode_file, image};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (from, to) = (
        arguments.next().ok_or("IN?")?,
        arguments.next().ok_or("OUT?")?,
    );
    let picture = decode_file(Path::new(&from), PictureId(1), DecodeLimits::default())?;
    let now = Instant::now();
    let mut marks = Marks::default();
    let mut several: Option<Vec<NewMark>> = None;
    for argument in arguments {
        if argument == "old" {
            marks.new_answer();
            continue;
        }
        if argument == "several" {
            several = Some(Vec::new());
            continue;
        }
        let parts: Vec<&str> = argument.split(',').collect();
        let numbers: Vec<f64> = parts.iter().map_while(|p| p.parse().ok()).collect();
        let mark = match numbers[..] {
            [x, y, w, h, ..] => NewMark::area(Area::new(x, y, w, h)),
            [x, y] => NewMark::spot(Spot { x, y }),
            _ => return Err(format!("not a mark: {argument}").into()),
        };
        let mark = match parts.get(numbers.len()) {
            Some(label) => mark.label(*label),
            None => mark,
        };
        match &mut several {
            Some(all) => all.push(mark),
            None => _ = marks.add(mark, now)?,
        }
    }
    if let Some(all) = several {
        marks.add_candidates(all, now)?;
    }
    let start = Instant::now();
    let marked = paint(&picture, &marks.seen(now));
    println!("painted {} in {:?}", marked.size(), start.elapsed());
    let size = marked.size();
    image::save_buffer(
        &to,
        &marked.rgb(),
        size.width,
        size.height,
        image::ColorType::Rgb8,
    )?;
    Ok(())
}
