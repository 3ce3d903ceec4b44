//! What a picture costs: `cargo run -p alidade-codec --example codec_figures -- PICTURE…` prints, for every
//! file and quality, the milliseconds to encode and decode, the bytes, and how far the result is from
//! the original (PSNR of brightness, in dB).
#![allow(clippy::print_stdout, reason = "it is a program that prints figures")]

use std::{error::Error, time::Instant};

use alidade_codec::vp8::{Content, Decoder, Encoder, Quality, VideoConfig, fit};
use alidade_picture::{DecodeLimits, Picture, PictureId, decode_file};

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:34} {:>10} {:8} {:>7} {:>7} {:>9} {:>6} | {:>7} {:>9} {:>6}",
        "file", "size", "quality", "key ms", "dec ms", "bytes", "PSNR", "next ms", "bytes", "PSNR"
    );
    for path in std::env::args_os().skip(1) {
        let path = std::path::PathBuf::from(path);
        let still = decode_file(&path, PictureId(1), DecodeLimits::default())?;
        let still = still.scaled(fit(still.size()))?;
        let still = Picture::from_i420(still.id(), still.i420())?;
        let kind = match path.extension().is_some_and(|e| e == "jpg") {
            true => Content::Camera,
            false => Content::Screen,
        };
        for quality in [Quality::Still, Quality::Live] {
            let mut encoder = Encoder::new(VideoConfig::new(still.size(), kind).quality(quality))?;
            let mut decoder = Decoder::new()?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let (mut first, mut rest) = (String::new(), String::new());
            for turn in 0..5 {
                let start = Instant::now();
                let sent = encoder.encode(&still, false)?;
                let encoded = start.elapsed().as_secs_f64() * 1000.0;
                let start = Instant::now();
                let shown = decoder.decode(&sent.data)?.ok_or("nothing shown")?;
                let decoded = start.elapsed().as_secs_f64() * 1000.0;
                let psnr = psnr(&still, &shown);
                let bytes = sent.data.len();
                if turn == 0 {
                    first = format!("{encoded:7.1} {decoded:7.1} {bytes:9} {psnr:6.2}");
                } else {
                    rest = format!("{encoded:7.1} {bytes:9} {psnr:6.2}");
                }
            }
            println!(
                "{name:34} {:>10} {:8} {first} | {rest}",
                still.size().to_string(),
                format!("{quality:?}")
            );
        }
    }
    Ok(())
}

fn psnr(a: &Picture, b: &Picture) -> f64 {
    let (a, b) = (a.i420(), b.i420());
    let sum: f64 = a
        .y()
        .iter()
        .zip(b.y())
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
        .sum();
    10.0 * (255.0 * 255.0 / (sum / a.y().len() as f64).max(1e-9)).log10()
}
