//! Whole, in order, and bounded whatever comes.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::{Duration, Instant};

use bytes::Bytes;
use proptest::prelude::*;
use rtc::rtp::packet::Packet;

use super::{Assembler, Verdict};
use crate::vp8::Packetiser;

fn picture(bytes: usize, key: bool, fill: u8) -> Bytes {
    let mut data = vec![fill; bytes];
    data[0] = u8::from(!key);
    data.into()
}

fn push(assembler: &mut Assembler, packet: &Packet, now: Instant) -> Verdict {
    assembler.push(
        packet.header.sequence_number,
        packet.header.timestamp,
        packet.header.marker,
        &packet.payload,
        now,
    )
}

#[test]
fn a_picture_of_a_thousand_packets_comes_out_as_it_went_in() {
    let data = picture(1_200_000, true, 7);
    let packets = Packetiser::new(1, 96, 65_000, 0x7fff).cut(&data, 90);
    assert!(packets.len() > 1_000);
    let mut assembler = Assembler::default();
    let now = Instant::now();
    let mut out = Vec::new();
    for packet in packets.iter().rev() {
        out.extend(push(&mut assembler, packet, now).pictures);
    }
    assert_eq!(out.len(), 1);
    assert_eq!(out[0].data, data);
    assert_eq!((out[0].rtp_time, out[0].key), (90, true));
    assert_eq!(assembler.bytes, 0);
}

#[test]
fn a_delta_waits_for_its_predecessor_and_follows_it() {
    let mut cutter = Packetiser::new(1, 96, 10, 5);
    let key = cutter.cut(&picture(3_000, true, 1), 0);
    let first = cutter.cut(&picture(3_000, false, 2), 3_000);
    let second = cutter.cut(&picture(3_000, false, 3), 6_000);
    let mut assembler = Assembler::default();
    let now = Instant::now();
    let mut times = Vec::new();
    for packet in key
        .iter()
        .chain(&first[1..])
        .chain(&second)
        .chain(&first[..1])
    {
        times.extend(
            push(&mut assembler, packet, now)
                .pictures
                .iter()
                .map(|p| p.rtp_time),
        );
    }
    assert_eq!(times, [0, 3_000, 6_000]);
}

#[test]
fn lost_padding_between_pictures_is_no_hole() {
    let mut assembler = Assembler::default();
    let now = Instant::now();
    let key = Packetiser::new(1, 96, 10, 5).cut(&picture(3_000, true, 1), 0);
    let delta = Packetiser::new(1, 96, 40, 6).cut(&picture(500, false, 1), 3_000);
    let mut count = 0;
    for packet in key.iter().chain(&delta) {
        count += push(&mut assembler, packet, now).pictures.len();
    }
    assert_eq!(count, 2);
}

#[test]
fn a_hole_asks_for_a_key_picture_which_makes_the_rest_needless() {
    let mut cutter = Packetiser::new(1, 96, 10, 5);
    let key = cutter.cut(&picture(3_000, true, 1), 0);
    let holed = cutter.cut(&picture(3_000, false, 2), 3_000);
    let delta = cutter.cut(&picture(3_000, false, 3), 6_000);
    let again = cutter.cut(&picture(3_000, true, 4), 9_000);
    let mut assembler = Assembler::default();
    let now = Instant::now();
    for packet in key.iter().chain(&holed[..1]).chain(&delta) {
        assert!(!push(&mut assembler, packet, now).ask_key);
    }
    assert!(!assembler.tick(now + Duration::from_millis(100)).ask_key);
    assert!(assembler.tick(now + Duration::from_millis(300)).ask_key);
    assert!(!assembler.tick(now + Duration::from_millis(400)).ask_key);
    assert!(assembler.tick(now + Duration::from_millis(900)).ask_key);
    let mut times = Vec::new();
    for packet in &again {
        times.extend(
            push(&mut assembler, packet, now)
                .pictures
                .iter()
                .map(|p| p.rtp_time),
        );
    }
    assert_eq!(times, [9_000]);
    assert_eq!(assembler.dropped(), 2);
    assert_eq!((assembler.bytes, assembler.partials.len()), (0, 0));
}

#[test]
fn repeats_of_a_delivered_picture_are_nothing() {
    let packets = Packetiser::new(1, 96, 10, 5).cut(&picture(3_000, true, 1), 0);
    let mut assembler = Assembler::default();
    let now = Instant::now();
    let mut count = 0;
    for packet in packets.iter().chain(&packets).chain(&packets[2..]) {
        count += push(&mut assembler, packet, now).pictures.len();
    }
    assert_eq!((count, assembler.partials.len()), (1, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Any order and any repeats: pictures come out whole and in order.
    #[test]
    fn order_and_repeats_do_not_matter(
        sizes in proptest::collection::vec(1usize..6_000, 1..6),
        first in any::<u16>(),
        picture_id in any::<u16>(),
        seed in any::<u64>(),
    ) {
        let mut cutter = Packetiser::new(1, 96, first, picture_id);
        let mut pictures = Vec::new();
        let mut packets = Vec::new();
        for (index, size) in sizes.iter().enumerate() {
            let data = picture(*size, index == 0, index as u8);
            packets.extend(cutter.cut(&data, index as u32 * 3_000));
            pictures.push(data);
        }
        packets.extend(packets.clone());
        let mut state = seed | 1;
        // The first stays first, so that the sequence numbers have a beginning.
        for index in (2..packets.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            packets.swap(index, 1 + (state >> 33) as usize % index);
        }
        let mut assembler = Assembler::default();
        let now = Instant::now();
        let mut out = Vec::new();
        for packet in &packets {
            out.extend(push(&mut assembler, packet, now).pictures.into_iter().map(|p| p.data));
        }
        prop_assert_eq!(out, pictures);
        prop_assert_eq!(assembler.bytes, 0);
    }

    /// Garbage neither panics nor piles up.
    #[test]
    fn garbage_is_bounded(
        input in proptest::collection::vec(
            (any::<u16>(), 0u32..8, any::<bool>(), proptest::collection::vec(any::<u8>(), 0..24)),
            0..400,
        )
    ) {
        let mut assembler = Assembler::default();
        let now = Instant::now();
        for (sequence, time, marker, payload) in input {
            assembler.push(sequence, time, marker, &payload.into(), now);
            assembler.tick(now);
        }
        let held: usize = assembler.partials.iter().map(|(_, partial)| partial.bytes).sum();
        prop_assert_eq!(held, assembler.bytes);
    }
}
