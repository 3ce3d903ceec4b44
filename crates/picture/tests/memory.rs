//! Memory that pictures take on their way, measured from outside: one test in a process of its own.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::{fs, io::Write};

use alidade_picture::{DecodeLimits, Fit, Picture, PictureId, Size};
use flate2::{Compression, write::ZlibEncoder};

/// What a source of pictures asks for.
const FIT: Fit = Fit {
    side: 8192,
    pixels: 16_000_000,
};

/// The most memory this process ever had, in megabytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1024
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(data);
    let length = (data.len() as u32).to_be_bytes();
    [&length, &kind[..], data, &sum.sum().to_be_bytes()].concat()
}

/// Zeros, packed.
fn packed(megabytes: usize) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..megabytes {
        packed.write_all(&zeros).unwrap();
    }
    packed.finish().unwrap()
}

/// A picture of four pixels with one more chunk before them.
fn with_chunk(kind: &[u8; 4], start: &[u8], packed: &[u8]) -> Vec<u8> {
    let mut header = [2_u32.to_be_bytes(), 2_u32.to_be_bytes()].concat();
    header.extend([8, 0, 0, 0, 0]);
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    pixels.write_all(&[0, 9, 9, 0, 9, 9]).unwrap();
    [
        b"\x89PNG\r\n\x1a\n",
        &chunk(b"IHDR", &header)[..],
        &chunk(kind, &[start, packed].concat()),
        &chunk(b"IDAT", &pixels.finish().unwrap()),
        &chunk(b"IEND", b""),
    ]
    .concat()
}

/// A black picture, written row by row.
fn black(side: u32, color: png::ColorType, depth: png::BitDepth) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().unwrap();
    let mut rows = writer.stream_writer().unwrap();
    let row = vec![0; (side as usize * color.samples() * depth as usize).div_ceil(8)];
    for _ in 0..side {
        rows.write_all(&row).unwrap();
    }
    rows.finish().unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn neither_packed_texts_nor_large_pictures_take_much_more_memory_than_what_comes_out() {
    let decode =
        |bytes: &[u8]| Picture::decode_fitted(bytes, PictureId(1), DecodeLimits::default(), FIT);
    let bomb = packed(400);
    let bombs = [
        with_chunk(b"iCCP", b"name\0\0", &bomb),
        with_chunk(b"zTXt", b"name\0\0", &bomb),
        with_chunk(b"iTXt", b"name\0\x01\0\0\0", &bomb),
        with_chunk(b"iTXt", b"XML:com.adobe.xmp\0\x01\0\0\0", &bomb),
    ];
    let before = peak();
    for bytes in &bombs {
        assert_eq!(decode(bytes).unwrap().size(), Size::new(2, 2));
        assert!(peak() - before < 32, "{} MB", peak() - before);
    }

    let large = [
        black(8000, png::ColorType::Rgba, png::BitDepth::Eight),
        black(16_384, png::ColorType::Grayscale, png::BitDepth::Eight),
        black(5000, png::ColorType::Rgba, png::BitDepth::Sixteen),
    ];
    let before = peak();
    for bytes in &large {
        let picture = decode(bytes).unwrap();
        let size = picture.size();
        assert!(size.pixels() <= FIT.pixels && size.width > 3990, "{size}");
        // 48 MB come out; as a whole in four channels the first takes 256 MB.
        assert!(peak() - before < 120, "{} MB", peak() - before);
    }
}
