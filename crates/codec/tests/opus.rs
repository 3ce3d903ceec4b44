//! Round trips through real Opus.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use alidade_codec::opus::{Channels, Decoder, Encoder, SAMPLES, SoundError};
use proptest::prelude::*;

/// A tone of `hertz` at half level, 20 ms from packet `n` on; the right channel half as loud.
fn tone(channels: Channels, hertz: f64, n: usize) -> Vec<i16> {
    let mut samples = Vec::new();
    for i in n * SAMPLES..(n + 1) * SAMPLES {
        let level = (i as f64 / 48_000.0 * hertz * std::f64::consts::TAU).sin() * 12_000.0;
        samples.push(level as i16);
        if channels == Channels::Stereo {
            samples.push((level / 2.0) as i16);
        }
    }
    samples
}

/// Root of the mean square of every `step`th sample from `start`.
fn loudness(samples: &[i16], start: usize, step: usize) -> f64 {
    let heard: Vec<f64> = samples
        .iter()
        .skip(start)
        .step_by(step)
        .map(|s| f64::from(*s).powi(2))
        .collect();
    (heard.iter().sum::<f64>() / heard.len() as f64).sqrt()
}

#[test]
fn a_tone_keeps_its_loudness_and_its_sides() {
    for channels in [Channels::Mono, Channels::Stereo] {
        let mut encoder = Encoder::new(channels, 64).unwrap();
        let mut decoder = Decoder::new(channels).unwrap();
        let mut heard = Vec::new();
        for n in 0..20 {
            let packet = encoder.encode(&tone(channels, 440.0, n)).unwrap();
            heard = decoder.decode(&packet).unwrap();
            assert_eq!(heard.len(), SAMPLES * channels.count());
        }
        let left = loudness(&heard, 0, channels.count());
        assert!((7_000.0..10_000.0).contains(&left), "{channels:?} {left}");
        if channels == Channels::Stereo {
            let right = loudness(&heard, 1, 2);
            assert!((right * 2.0 / left - 1.0).abs() < 0.2, "{left} {right}");
        }
    }
}

#[test]
fn silence_costs_next_to_nothing() {
    let mut encoder = Encoder::new(Channels::Mono, 32).unwrap();
    let silence = [0; SAMPLES];
    let lengths: Vec<usize> = (0..60)
        .map(|_| encoder.encode(&silence).unwrap().len())
        .collect();
    let tiny = lengths.iter().filter(|l| **l <= 2).count();
    assert!(tiny > 30, "{lengths:?}");
}

#[test]
fn a_lost_packet_is_guessed_and_the_next_one_decodes() {
    let mut encoder = Encoder::new(Channels::Mono, 32).unwrap();
    let mut decoder = Decoder::new(Channels::Mono).unwrap();
    let packets: Vec<_> = (0..12)
        .map(|n| encoder.encode(&tone(Channels::Mono, 300.0, n)).unwrap())
        .collect();
    for packet in &packets[..8] {
        decoder.decode(packet).unwrap();
    }
    for guess in [
        decoder.conceal(None).unwrap(),
        decoder.conceal(Some(&packets[10])).unwrap(),
    ] {
        assert_eq!(guess.len(), SAMPLES);
        assert!(loudness(&guess, 0, 1) > 1_000.0);
    }
    assert_eq!(decoder.decode(&packets[10]).unwrap().len(), SAMPLES);
}

#[test]
fn another_length_than_20_ms_is_refused_with_a_sentence() {
    let mut encoder = Encoder::new(Channels::Stereo, 64).unwrap();
    let refused = encoder.encode(&[0; SAMPLES]).unwrap_err();
    assert_eq!(
        refused,
        SoundError::Length {
            expected: 2 * SAMPLES,
            got: SAMPLES
        }
    );
    assert_eq!(
        refused.to_string(),
        "a sound packet takes 1920 samples, but 960 were given"
    );
}

proptest! {
    #[test]
    fn garbage_is_an_error_or_sound_and_never_ends_the_stream(
        garbage in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..1500), 1..6)
    ) {
        let mut decoder = Decoder::new(Channels::Stereo).unwrap();
        for bytes in &garbage {
            if let Ok(heard) = decoder.decode(bytes) {
                prop_assert!(heard.len() <= 2 * 5760);
            }
            let _ = decoder.conceal(Some(bytes));
        }
        let packet = Encoder::new(Channels::Stereo, 64).unwrap().encode(&[0; 2 * SAMPLES]).unwrap();
        prop_assert_eq!(decoder.decode(&packet).unwrap().len(), 2 * SAMPLES);
    }
}
