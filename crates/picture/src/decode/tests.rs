//! Good files, bad files and files made to do harm.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test may panic")]
use super::*;
use image::{ImageFormat, Rgba, RgbaImage};

fn png(width: u32, height: u32, pixel: [u8; 4]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbaImage::from_pixel(width, height, Rgba(pixel))
        .write_to(&mut bytes, ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn a_transparent_picture_stands_on_white() {
    let picture = Picture::decode(
        &png(2, 1, [0, 0, 0, 0]),
        PictureId(1),
        DecodeLimits::default(),
    )
    .unwrap();
    assert_eq!(&*picture.rgb(), &[255; 6]);
}

#[test]
fn unknown_damaged_and_too_large_have_their_own_sentences() {
    let limits = DecodeLimits {
        side: 16,
        pixels: 100,
        bytes: 1000,
    };
    let decode = |bytes: &[u8]| Picture::decode(bytes, PictureId(1), limits).unwrap_err();
    assert!(matches!(
        decode(b"hello there, no picture"),
        DecodeError::Unknown
    ));
    assert!(matches!(decode(b""), DecodeError::NoBytes));
    let whole = png(8, 8, [1, 2, 3, 255]);
    assert!(matches!(
        decode(&whole[..whole.len() / 2]),
        DecodeError::Incomplete
    ));
    assert!(matches!(
        decode(&png(17, 1, [0; 4])),
        DecodeError::TooLarge { .. }
    ));
    assert!(matches!(
        decode(&png(11, 10, [0; 4])),
        DecodeError::TooLarge { .. }
    ));
}

#[test]
fn half_transparent_pixels_are_mixed_with_white() {
    let picture = Picture::decode(
        &png(3, 2, [0, 100, 255, 51]),
        PictureId(1),
        DecodeLimits::default(),
    )
    .unwrap();
    assert_eq!(&*picture.rgb(), [204, 224, 255].repeat(6));
}

#[test]
fn a_folder_and_a_pipe_are_refused_at_once() {
    let folder = std::env::temp_dir();
    let read = |path: &Path| decode_file(path, PictureId(1), DecodeLimits::default());
    let refused = read(&folder).unwrap_err().to_string();
    assert!(refused.contains("it is not a file"), "{refused}");
    #[cfg(unix)]
    {
        let pipe = folder.join(format!("alidade-picture-{}", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let refused = read(&pipe);
        std::fs::remove_file(&pipe).unwrap();
        assert!(matches!(refused, Err(DecodeError::Io(_))));
    }
}

#[test]
fn a_file_longer_than_the_limit_is_not_read() {
    let path = std::env::temp_dir().join(format!("alidade-long-{}", std::process::id()));
    std::fs::write(&path, png(9, 9, [1, 2, 3, 255])).unwrap();
    let limits = DecodeLimits {
        bytes: 20,
        ..DecodeLimits::default()
    };
    let refused = decode_file(&path, PictureId(1), limits);
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(refused, Err(DecodeError::TooLarge { .. })));
}

#[test]
fn cutting_a_file_anywhere_never_panics() {
    let whole = png(5, 7, [9, 8, 7, 200]);
    for end in 0..whole.len() {
        let _ = Picture::decode(&whole[..end], PictureId(1), DecodeLimits::default());
    }
}

/// A chunk of a PNG file with its checksum.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(data);
    let length = (data.len() as u32).to_be_bytes();
    [&length, &kind[..], data, &sum.sum().to_be_bytes()].concat()
}

/// The start of a PNG file that claims this size.
fn header(width: u32, height: u32) -> Vec<u8> {
    let mut data = [width.to_be_bytes(), height.to_be_bytes()].concat();
    data.extend([8, 2, 0, 0, 0]);
    [b"\x89PNG\r\n\x1a\n", &chunk(b"IHDR", &data)[..]].concat()
}

fn decode_default(bytes: &[u8]) -> Result<Picture, DecodeError> {
    Picture::decode(bytes, PictureId(1), DecodeLimits::default())
}

/// Pixels that differ from each other and do not compress away.
fn noisy(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let mixed = (x * 7 + y * 13) ^ (x * y);
        image::Rgb([mixed as u8, (mixed >> 3) as u8, (x ^ y) as u8])
    })
}

const FORMATS: [ImageFormat; 8] = [
    ImageFormat::Png,
    ImageFormat::Jpeg,
    ImageFormat::WebP,
    ImageFormat::Gif,
    ImageFormat::Bmp,
    ImageFormat::Tiff,
    ImageFormat::Pnm,
    ImageFormat::Qoi,
];

fn encoded(still: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    still.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn half_a_file_of_any_format_is_refused_with_a_sentence_that_says_so() {
    let still = noisy(120, 90);
    for format in FORMATS {
        let whole = encoded(&still, format);
        let decoded = decode_default(&whole).unwrap();
        assert_eq!(decoded.size(), Size::new(120, 90), "{format:?}");
        for end in [whole.len() / 2, whole.len() * 9 / 10] {
            let refused = decode_default(&whole[..end]).unwrap_err();
            assert!(
                refused.to_string().contains("incomplete"),
                "{format:?} {refused:?}"
            );
        }
    }
}

#[test]
fn a_jpeg_whose_end_is_missing_is_incomplete_and_one_with_more_after_it_is_whole() {
    let whole = encoded(&noisy(120, 90), ImageFormat::Jpeg);
    for end in [whole.len() / 2, whole.len() - 2] {
        let cut = decode_default(&whole[..end]);
        assert!(matches!(cut, Err(DecodeError::Incomplete)), "{end} {cut:?}");
    }
    let more = [&whole[..], b"and something else"].concat();
    assert!(decode_default(&more).is_ok());
}

#[test]
fn a_sentence_names_the_one_limit_that_is_broken() {
    let sentence = |bytes: &[u8]| decode_default(bytes).unwrap_err().to_string();
    let area = sentence(&header(20_000, 20_000));
    assert!(
        area.contains("300 megapixels") && !area.contains("32768"),
        "{area}"
    );
    let side = sentence(&header(40_000, 2));
    assert!(
        side.contains("32768 pixels a side") && !side.contains("mega"),
        "{side}"
    );
    // As much as the format can claim, and more than it may.
    for most in [i32::MAX as u32, u32::MAX] {
        let claimed = decode_default(&header(most, most));
        assert!(
            matches!(claimed, Err(DecodeError::TooLarge { .. })),
            "{claimed:?}"
        );
    }
    assert!(matches!(
        decode_default(&header(0, 7)),
        Err(DecodeError::Empty)
    ));
    assert!(matches!(decode_default(b""), Err(DecodeError::NoBytes)));
}

#[test]
fn what_a_decoder_says_stays_out_of_the_sentence() {
    let pixels = chunk(b"IDAT", &[0x78, 0x9C, 0xFF, 0xFF, 0xFF, 0xFF]);
    let broken = [&header(4, 4)[..], &pixels, &chunk(b"IEND", b"")].concat();
    let Err(DecodeError::Damaged(detail)) = decode_default(&broken) else {
        panic!("it is damaged");
    };
    let sentence = DecodeError::Damaged(detail.clone()).to_string();
    assert!(
        !detail.is_empty() && !sentence.contains(&detail),
        "{sentence}"
    );
    assert!(sentence.contains("copy it again"), "{sentence}");
    for (start, format) in [(3, ImageFormat::Jpeg), (6, ImageFormat::Gif)] {
        let whole = encoded(&noisy(30, 30), format);
        let refused = decode_default(&whole[..start]).unwrap_err().to_string();
        assert!(
            !refused.contains("rror") && refused.contains("copy it again"),
            "{refused}"
        );
    }
}

#[test]
fn a_picture_scaled_while_it_is_decoded_is_the_one_scaled_afterwards() {
    // Soft waves, which averaging must not change, with a hard edge.
    let still = RgbImage::from_fn(1201, 803, |x, y| {
        let wave = |v: u32, slow: f32| ((v as f32 / slow).sin() * 100.0 + 120.0) as u8;
        image::Rgb([wave(x, 40.0), wave(y, 31.0), if x > 600 { 250 } else { 5 }])
    });
    let source = Size::new(1201, 803);
    for (side, format) in [
        (1200, ImageFormat::Png),
        (700, ImageFormat::Png),
        (301, ImageFormat::Png),
        (70, ImageFormat::Png),
        (1, ImageFormat::Png),
        (301, ImageFormat::Bmp),
    ] {
        let fit = Fit {
            side,
            pixels: u64::MAX,
        };
        let bytes = encoded(&still, format);
        let fitted =
            Picture::decode_fitted(&bytes, PictureId(1), DecodeLimits::default(), fit).unwrap();
        assert_eq!(fitted.size(), source.fitted(side, u64::MAX));
        assert_eq!(fitted.region().size, source);
        let afterwards = decode_default(&bytes)
            .unwrap()
            .scaled(fitted.size())
            .unwrap();
        let (mut worst, mut sum) = (0, 0);
        for (a, b) in fitted.rgb().iter().zip(afterwards.rgb().iter()) {
            worst = worst.max(a.abs_diff(*b));
            sum += u64::from(a.abs_diff(*b));
        }
        let mean = sum as f64 / fitted.rgb().len() as f64;
        // Where nothing is averaged first it is the same but for rounding. A picture of one pixel is
        // all edge.
        let most = if side >= 700 { 1 } else { 24 };
        assert!(
            worst <= most && (mean < 1.0 || side == 1),
            "{side}: {worst} {mean}"
        );
    }
}

#[test]
fn every_layout_comes_out_as_the_colours_it_stands_for() {
    use image::{DynamicImage, ImageBuffer, Luma, LumaA, Rgb};
    let (w, h) = (5, 3);
    let stills = [
        DynamicImage::ImageLuma8(ImageBuffer::from_pixel(w, h, Luma([100]))),
        DynamicImage::ImageLumaA8(ImageBuffer::from_pixel(w, h, LumaA([100, 255]))),
        DynamicImage::ImageRgb8(ImageBuffer::from_pixel(w, h, Rgb([100, 100, 100]))),
        DynamicImage::ImageRgba8(ImageBuffer::from_pixel(w, h, Rgba([0, 0, 0, 155]))),
        DynamicImage::ImageLuma16(ImageBuffer::from_pixel(w, h, Luma([25_700]))),
        DynamicImage::ImageRgb16(ImageBuffer::from_pixel(w, h, Rgb([25_700; 3]))),
        DynamicImage::ImageRgba16(ImageBuffer::from_pixel(
            w,
            h,
            Rgba([25_700, 25_700, 25_700, 65_535]),
        )),
        DynamicImage::ImageRgb32F(ImageBuffer::from_pixel(w, h, Rgb([100.0 / 255.0; 3]))),
    ];
    for still in stills {
        for format in [ImageFormat::Png, ImageFormat::Tiff] {
            let mut bytes = Cursor::new(Vec::new());
            // Not every format has every layout.
            if still.write_to(&mut bytes, format).is_err() {
                continue;
            }
            let decoded = decode_default(&bytes.into_inner()).unwrap();
            assert_eq!(&*decoded.rgb(), [100; 45], "{format:?} {:?}", still.color());
        }
    }
}

#[test]
fn a_tag_turns_the_picture_and_its_source_size() {
    use image::ImageEncoder;
    // The one entry says that the picture lies on its side: turn it clockwise.
    let tag = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
    let still = RgbImage::from_fn(40, 10, |x, _| image::Rgb([if x < 20 { 0 } else { 255 }; 3]));
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    encoder.set_exif_metadata(tag).unwrap();
    encoder
        .write_image(&still, 40, 10, image::ExtendedColorType::Rgb8)
        .unwrap();
    let fit = Fit {
        side: 20,
        pixels: u64::MAX,
    };
    let turned =
        Picture::decode_fitted(&bytes, PictureId(1), DecodeLimits::default(), fit).unwrap();
    assert_eq!(
        (turned.size(), turned.region().size),
        (Size::new(5, 20), Size::new(10, 40))
    );
    assert!(turned.rgb()[0] < 9 && turned.rgb()[5 * 19 * 3] > 246);
}

#[test]
fn an_interlaced_picture_is_decoded_and_scaled_too() {
    // Eight by eight in grey: seven rounds of rows, each with a filter byte before it.
    let rounds = [(1, 1), (1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4)];
    let mut raw = Vec::new();
    for (width, height) in rounds {
        for _ in 0..height {
            raw.push(0);
            raw.extend(std::iter::repeat_n(77, width));
        }
    }
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &raw).unwrap();
    let mut data = [8_u32.to_be_bytes(), 8_u32.to_be_bytes()].concat();
    data.extend([8, 0, 0, 0, 1]);
    let bytes = [
        b"\x89PNG\r\n\x1a\n",
        &chunk(b"IHDR", &data)[..],
        &chunk(b"IDAT", &packed.finish().unwrap()),
        &chunk(b"IEND", b""),
    ]
    .concat();
    assert_eq!(&*decode_default(&bytes).unwrap().rgb(), [77; 192]);
    let fit = Fit {
        side: 3,
        pixels: u64::MAX,
    };
    let small = Picture::decode_fitted(&bytes, PictureId(1), DecodeLimits::default(), fit).unwrap();
    assert_eq!(&*small.rgb(), [77; 27]);
}
