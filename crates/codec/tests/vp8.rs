//! Round trips through real VP8: sizes, quality, rate, damage.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::time::{Duration, Instant};

use alidade_codec::vp8::{
    Content, DecodeError, Decoder, EncodeError, EncodedVideo, Encoder, LARGEST_AREA, Quality,
    VideoConfig,
};
use alidade_picture::{Picture, PictureId, Size};
use proptest::prelude::*;

/// Looks like a screen: a light ground, dark lines one pixel wide, moved by `shift`.
fn lines(size: Size, shift: u32) -> Picture {
    let mut rgb = Vec::with_capacity(size.pixels() as usize * 3);
    for y in 0..size.height {
        for x in 0..size.width {
            let dark = (x + shift).is_multiple_of(7) || (y + shift).is_multiple_of(9);
            rgb.extend_from_slice(if dark {
                &[20, 24, 40]
            } else {
                &[240, 238, 230]
            });
        }
    }
    Picture::from_rgb(PictureId(7), size, rgb).unwrap()
}

/// Noise that no encoder can predict, always the same for a seed.
fn noise(size: Size, seed: u32) -> Picture {
    let mut state = seed | 1;
    let rgb: Vec<u8> = (0..size.pixels() * 3)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as u8
        })
        .collect();
    Picture::from_rgb(PictureId(7), size, rgb).unwrap()
}

fn worst_difference(a: &Picture, b: &Picture) -> u8 {
    let (a, b) = (a.i420(), b.i420());
    a.y()
        .iter()
        .zip(b.y())
        .map(|(a, b)| a.abs_diff(*b))
        .max()
        .unwrap()
}

fn still(size: Size) -> Encoder {
    Encoder::new(VideoConfig::new(size, Content::Screen).quality(Quality::Still)).unwrap()
}

fn one_key(size: Size) -> EncodedVideo {
    still(size).encode(&lines(size, 0), true).unwrap()
}

#[test]
fn text_on_a_still_picture_comes_out_nearly_loss_free() {
    let size = Size::new(640, 360);
    let sent = lines(size, 0);
    let encoded = still(size).encode(&sent, false).unwrap();
    let shown = Decoder::new()
        .unwrap()
        .decode(&encoded.data)
        .unwrap()
        .unwrap();
    let worst = worst_difference(&sent, &shown);
    assert!(worst <= 16, "a level was off by {worst}");
}

#[test]
fn every_size_from_one_pixel_on_makes_the_round_trip_odd_ones_too() {
    for size in [
        (1, 1),
        (1, 2),
        (2, 1),
        (3, 3),
        (16, 16),
        (17, 15),
        (33, 1),
        (1, 50),
        (641, 359),
    ] {
        let size = Size::new(size.0, size.1);
        let sent = lines(size, 1);
        let encoded = still(size).encode(&sent, false).unwrap();
        let shown = Decoder::new()
            .unwrap()
            .decode(&encoded.data)
            .unwrap()
            .unwrap();
        assert_eq!(shown.size(), size);
        assert!(worst_difference(&sent, &shown) <= 24, "{size}");
    }
}

#[test]
fn the_longest_side_works_and_one_more_is_refused_with_a_sentence() {
    let longest = Size::new(16_383, 2);
    let encoded = one_key(longest);
    let shown = Decoder::new()
        .unwrap()
        .decode(&encoded.data)
        .unwrap()
        .unwrap();
    assert_eq!(shown.size(), longest);
    for size in [
        Size::new(16_384, 2),
        Size::new(16_383, 16_383),
        Size::new(0, 9),
    ] {
        let refused = Encoder::new(VideoConfig::new(size, Content::Screen)).unwrap_err();
        assert_eq!(refused, EncodeError::Size(size));
        assert!(refused.to_string().contains("scale it"), "{refused}");
    }
}

#[test]
fn a_picture_of_another_size_is_refused_and_the_stream_goes_on() {
    let size = Size::new(64, 48);
    let mut encoder = still(size);
    let other = Size::new(64, 50);
    assert_eq!(
        encoder.encode(&lines(other, 0), false).unwrap_err(),
        EncodeError::OtherSize {
            expected: size,
            got: other
        }
    );
    assert!(encoder.encode(&lines(size, 0), false).unwrap().key);
}

#[test]
fn only_the_first_and_the_forced_are_key_pictures() {
    let size = Size::new(64, 48);
    for quality in [Quality::Still, Quality::Live] {
        let config = VideoConfig::new(size, Content::Camera).quality(quality);
        let mut encoder = Encoder::new(config).unwrap();
        let keys: Vec<bool> = (0..12)
            // Nothing stays as it was, and still no key picture is made on the encoder's own account.
            .map(|n| encoder.encode(&noise(size, n), n == 5).unwrap().key)
            .collect();
        let wanted: Vec<bool> = (0..12).map(|n| n == 0 || n == 5).collect();
        assert_eq!(keys, wanted, "{quality:?}");
    }
}

#[test]
fn a_stream_is_followed_picture_by_picture_and_over_a_change_of_size() {
    let mut decoder = Decoder::new().unwrap();
    for size in [Size::new(96, 64), Size::new(31, 77), Size::new(200, 120)] {
        let mut encoder = still(size);
        for shift in 0..4 {
            let sent = lines(size, shift);
            let encoded = encoder.encode(&sent, false).unwrap();
            let shown = decoder.decode(&encoded.data).unwrap().unwrap();
            assert_eq!(shown.size(), size);
            assert!(worst_difference(&sent, &shown) <= 24, "{size} {shift}");
        }
    }
}

#[test]
fn a_picture_that_does_not_change_costs_next_to_nothing() {
    let size = Size::new(320, 240);
    let mut encoder = still(size);
    let first = encoder.encode(&lines(size, 0), false).unwrap();
    let mut last = first.data.len();
    for _ in 0..4 {
        last = encoder.encode(&lines(size, 0), false).unwrap().data.len();
    }
    assert!(
        last * 20 < first.data.len(),
        "{last} of {}",
        first.data.len()
    );
}

/// Kilobits a second of `count` pictures of noise, taken a fifteenth of a second apart.
fn rate(encoder: &mut Encoder, size: Size, start: Instant, from: u32, count: u32) -> f64 {
    let step = Duration::from_secs(1) / 15;
    let bytes: usize = (from..from + count)
        .map(|n| {
            let picture = noise(size, n + 1).with_time(start + step * n);
            encoder.encode(&picture, false).unwrap().data.len()
        })
        .sum();
    bytes as f64 * 8.0 / 1000.0 / (f64::from(count) / 15.0)
}

#[test]
fn the_rate_is_kept_and_can_be_changed_while_the_stream_runs() {
    let size = Size::new(160, 120);
    let start = Instant::now();
    let config = VideoConfig::new(size, Content::Camera).target_kbps(800);
    let mut encoder = Encoder::new(config).unwrap();
    rate(&mut encoder, size, start, 0, 15);
    let high = rate(&mut encoder, size, start, 15, 45);
    encoder.adjust(Quality::Live, 300).unwrap();
    rate(&mut encoder, size, start, 60, 15);
    let low = rate(&mut encoder, size, start, 75, 45);
    assert!((400.0..1200.0).contains(&high), "{high} kbit/s of 800");
    assert!((150.0..500.0).contains(&low), "{low} kbit/s of 300");
}

#[test]
fn a_live_stream_becomes_sharp_for_one_still_picture_without_a_key_picture() {
    let size = Size::new(320, 240);
    let mut encoder =
        Encoder::new(VideoConfig::new(size, Content::Camera).target_kbps(100)).unwrap();
    let mut decoder = Decoder::new().unwrap();
    let mut worst = [0; 2];
    for turn in 0..6 {
        if turn == 5 {
            encoder.adjust(Quality::Still, 100).unwrap();
        }
        let sent = lines(size, turn);
        let encoded = encoder.encode(&sent, false).unwrap();
        assert_eq!(encoded.key, turn == 0);
        let shown = decoder.decode(&encoded.data).unwrap().unwrap();
        worst[usize::from(turn == 5)] = worst_difference(&sent, &shown);
    }
    assert!(worst[1] <= 20 && worst[0] > 2 * worst[1], "{worst:?}");
}

#[test]
fn times_that_stand_still_or_run_back_do_no_harm() {
    let size = Size::new(64, 48);
    let now = Instant::now();
    let mut encoder = Encoder::new(VideoConfig::new(size, Content::Camera)).unwrap();
    let mut decoder = Decoder::new().unwrap();
    for (n, seconds) in [10, 10, 10, 3, 0, 500_000, 500_000, 1]
        .into_iter()
        .enumerate()
    {
        let picture = lines(size, n as u32).with_time(now + Duration::from_secs(seconds));
        let encoded = encoder.encode(&picture, false).unwrap();
        assert!(decoder.decode(&encoded.data).unwrap().is_some());
    }
}

#[test]
fn a_stream_that_is_joined_late_waits_for_a_key_picture() {
    let size = Size::new(64, 48);
    let mut encoder = still(size);
    encoder.encode(&lines(size, 0), false).unwrap();
    let later = encoder.encode(&lines(size, 3), false).unwrap();
    let mut decoder = Decoder::new().unwrap();
    assert_eq!(
        decoder.decode(&later.data).unwrap_err(),
        DecodeError::KeyWanted
    );
    assert!(decoder.key_wanted());
    let key = encoder.encode(&lines(size, 4), true).unwrap();
    assert!(decoder.decode(&key.data).unwrap().is_some());
    assert!(!decoder.key_wanted());
}

#[test]
fn after_damage_nothing_is_shown_until_the_next_key_picture() {
    let size = Size::new(64, 48);
    let mut encoder = still(size);
    let mut decoder = Decoder::new().unwrap();
    let key = encoder.encode(&lines(size, 0), false).unwrap();
    decoder.decode(&key.data).unwrap();
    assert!(matches!(
        decoder.decode(&[]).unwrap_err(),
        DecodeError::Damaged(_)
    ));
    let next = encoder.encode(&lines(size, 1), false).unwrap();
    assert_eq!(
        decoder.decode(&next.data).unwrap_err(),
        DecodeError::KeyWanted
    );
    let key = encoder.encode(&lines(size, 2), true).unwrap();
    assert!(decoder.decode(&key.data).unwrap().is_some());
}

#[test]
fn ten_bytes_that_claim_an_enormous_picture_take_no_memory() {
    // A key picture's header as RFC 6386 lays it out: tag, start code, fourteen bits a side.
    let claim = |width: u16, height: u16| {
        let mut bytes = vec![0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a];
        bytes.extend_from_slice(&width.to_le_bytes());
        bytes.extend_from_slice(&height.to_le_bytes());
        bytes.extend_from_slice(&[0; 64]);
        bytes
    };
    let mut decoder = Decoder::new().unwrap();
    let size = Size::new(16_383, 16_383);
    assert!(size.pixels() > LARGEST_AREA);
    assert_eq!(
        decoder.decode(&claim(16_383, 16_383)).unwrap_err(),
        DecodeError::TooLarge(size)
    );
    assert!(decoder.decode(&claim(0, 0)).is_err());
    assert!(decoder.decode(&one_key(Size::new(8, 8)).data).is_ok());
}

#[test]
fn a_key_picture_cut_anywhere_does_no_harm() {
    let whole = one_key(Size::new(48, 40)).data;
    for end in 0..whole.len() {
        let mut decoder = Decoder::new().unwrap();
        let _ = decoder.decode(&whole[..end]);
        assert!(decoder.decode(&whole).unwrap().is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn garbage_is_an_error_and_the_decoder_lives_on(
        garbage in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..400), 1..6)
    ) {
        let mut decoder = Decoder::new().unwrap();
        for bytes in &garbage {
            let _ = decoder.decode(bytes);
        }
        prop_assert!(decoder.decode(&one_key(Size::new(24, 16)).data).unwrap().is_some());
    }

    #[test]
    fn flipped_bits_in_a_stream_do_no_harm(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..8, 0usize..3), 1..24),
    ) {
        let size = Size::new(40, 24);
        let mut encoder = still(size);
        let mut decoder = Decoder::new().unwrap();
        for turn in 0..3 {
            let mut data = encoder.encode(&lines(size, turn as u32), false).unwrap().data.to_vec();
            for (place, bit, when) in &flips {
                if *when == turn {
                    let place = place.index(data.len());
                    data[place] ^= 1 << bit;
                }
            }
            if let Ok(Some(shown)) = decoder.decode(&data) {
                prop_assert!(shown.size().pixels() <= LARGEST_AREA);
            }
        }
        prop_assert!(decoder.decode(&one_key(size).data).unwrap().is_some());
    }
}
