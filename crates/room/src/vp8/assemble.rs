//! RTP packets put together to pictures.
//!
//! A picture is whole when the packets from its start bit to its marker are there without a gap.
//! Whether it may be decoded is judged by its picture id: the next id follows the last delivered
//! picture, or the picture is a key picture. Gaps in the sequence numbers *between* pictures
//! count for nothing, because senders fill them with padding that is never repeated.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};

use super::is_key;
use crate::EncodedPicture;
use crate::limits::MAX_PICTURE_BYTES;

/// How long a hole is waited for before a key picture is asked for.
const PATIENCE: Duration = Duration::from_millis(250);
/// Least time between two requests for a key picture.
const ASK_AGAIN: Duration = Duration::from_millis(500);
/// Most unfinished or undeliverable pictures kept.
const MAX_WAITING: usize = 64;

/// What became of the input.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Pictures that are whole and decodable now, in order.
    pub(crate) pictures: Vec<EncodedPicture>,
    /// Whether the sender has to be asked for a key picture.
    pub(crate) ask_key: bool,
}

#[derive(Debug)]
struct Partial {
    packets: BTreeMap<u64, Bytes>,
    start: Option<u64>,
    end: Option<u64>,
    picture_id: Option<PictureId>,
    bytes: usize,
    since: Instant,
    whole: Option<EncodedPicture>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PictureId {
    number: u16,
    /// 15 bits instead of 7.
    long: bool,
}

impl PictureId {
    fn next(self) -> Self {
        let mask = if self.long { 0x7fff } else { 0x7f };
        Self {
            number: (self.number + 1) & mask,
            long: self.long,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Delivered {
    end: u64,
    rtp_time: u32,
    picture_id: Option<PictureId>,
}

/// Puts together the pictures of one stream (one SSRC).
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    /// By the lowest sequence number seen of each picture at its creation; few entries.
    partials: Vec<(u32, Partial)>,
    highest: Option<u64>,
    last: Option<Delivered>,
    bytes: usize,
    asked: Option<Instant>,
    dropped: u64,
}

struct Descriptor {
    start: bool,
    picture_id: Option<PictureId>,
    length: usize,
}

/// RFC 7741 §4.2. `None` when the payload ends inside the descriptor.
fn descriptor(payload: &[u8]) -> Option<Descriptor> {
    let first = *payload.first()?;
    let mut at = 1;
    let mut picture_id = None;
    if first & 0x80 != 0 {
        let extension = *payload.get(at)?;
        at += 1;
        if extension & 0x80 != 0 {
            let high = *payload.get(at)?;
            at += 1;
            picture_id = Some(if high & 0x80 != 0 {
                let low = *payload.get(at)?;
                at += 1;
                PictureId {
                    number: u16::from_be_bytes([high & 0x7f, low]),
                    long: true,
                }
            } else {
                PictureId {
                    number: u16::from(high),
                    long: false,
                }
            });
        }
        if extension & 0x40 != 0 {
            at += 1;
        }
        if extension & 0x30 != 0 {
            at += 1;
        }
    }
    (at <= payload.len()).then_some(Descriptor {
        start: first & 0x10 != 0 && first & 0x07 == 0,
        picture_id,
        length: at,
    })
}

impl Assembler {
    /// Pictures given up so far.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Takes one packet.
    pub(crate) fn push(
        &mut self,
        sequence: u16,
        rtp_time: u32,
        marker: bool,
        payload: &Bytes,
        now: Instant,
    ) -> Verdict {
        let sequence = self.extend(sequence);
        let Some(descriptor) = descriptor(payload) else {
            return Verdict::default();
        };
        let part = payload.slice(descriptor.length..);
        if part.is_empty() {
            return Verdict::default();
        }
        if self
            .last
            .is_some_and(|last| sequence <= last.end || rtp_time == last.rtp_time)
        {
            return Verdict::default();
        }
        let index = match self.partials.iter().position(|(time, _)| *time == rtp_time) {
            Some(index) => index,
            None => {
                self.partials.push((
                    rtp_time,
                    Partial {
                        packets: BTreeMap::new(),
                        start: None,
                        end: None,
                        picture_id: descriptor.picture_id,
                        bytes: 0,
                        since: now,
                        whole: None,
                    },
                ));
                self.partials.len() - 1
            }
        };
        let partial = &mut self.partials[index].1;
        if partial.whole.is_some() {
            return Verdict::default();
        }
        if descriptor.start {
            partial.start = Some(partial.start.map_or(sequence, |start| start.min(sequence)));
        }
        if marker {
            partial.end = Some(partial.end.map_or(sequence, |end| end.max(sequence)));
        }
        let length = part.len();
        if partial.packets.insert(sequence, part).is_none() {
            partial.bytes += length;
            self.bytes += length;
        }
        partial.finish(rtp_time, now);
        if self.partials.len() > MAX_WAITING || self.bytes > MAX_PICTURE_BYTES {
            self.give_up();
            return Verdict {
                pictures: Vec::new(),
                ask_key: self.ask(now),
            };
        }
        Verdict {
            pictures: self.deliver(),
            ask_key: false,
        }
    }

    /// Looks whether a hole has been waited for long enough. To be called every 50 ms or so.
    pub(crate) fn tick(&mut self, now: Instant) -> Verdict {
        let stale = self
            .partials
            .iter()
            .any(|(_, partial)| now.saturating_duration_since(partial.since) >= PATIENCE);
        Verdict {
            pictures: Vec::new(),
            ask_key: stale && self.ask(now),
        }
    }

    fn ask(&mut self, now: Instant) -> bool {
        let due = self
            .asked
            .is_none_or(|asked| now.saturating_duration_since(asked) >= ASK_AGAIN);
        if due {
            self.asked = Some(now);
        }
        due
    }

    fn give_up(&mut self) {
        self.dropped += self.partials.len() as u64;
        self.partials.clear();
        self.bytes = 0;
    }

    /// The sequence number without its wrap.
    fn extend(&mut self, sequence: u16) -> u64 {
        let Some(highest) = self.highest else {
            // Room below for packets that arrive late.
            let first = (1 << 16) + u64::from(sequence);
            self.highest = Some(first);
            return first;
        };
        let step = sequence.wrapping_sub(highest as u16) as i16;
        let extended = highest.saturating_add_signed(i64::from(step));
        self.highest = Some(highest.max(extended));
        extended
    }

    fn deliver(&mut self) -> Vec<EncodedPicture> {
        let mut pictures = Vec::new();
        loop {
            // A whole key picture makes everything before it needless: the newest one wins.
            let next = self
                .partials
                .iter()
                .enumerate()
                .filter(|(_, (_, partial))| partial.is_key())
                .max_by_key(|(_, (_, partial))| partial.end)
                .or_else(|| {
                    self.partials
                        .iter()
                        .enumerate()
                        .find(|(_, (_, partial))| partial.follows(self.last))
                })
                .map(|(index, _)| index);
            let Some(index) = next else {
                return pictures;
            };
            let (rtp_time, partial) = self.partials.swap_remove(index);
            self.bytes -= partial.bytes;
            let (Some(picture), Some(end)) = (partial.whole, partial.end) else {
                return pictures;
            };
            self.last = Some(Delivered {
                end,
                rtp_time,
                picture_id: partial.picture_id,
            });
            if picture.key {
                self.asked = None;
            }
            pictures.push(picture);
            self.forget_until(end);
        }
    }

    fn forget_until(&mut self, end: u64) {
        let mut freed = 0;
        let before = self.partials.len();
        self.partials.retain(|(_, partial)| {
            let newer = partial
                .packets
                .keys()
                .next()
                .is_none_or(|first| *first > end)
                && partial.end.is_none_or(|own| own > end);
            if !newer {
                freed += partial.bytes;
            }
            newer
        });
        self.bytes -= freed;
        self.dropped += (before - self.partials.len()) as u64;
    }
}

impl Partial {
    fn is_key(&self) -> bool {
        self.whole.as_ref().is_some_and(|picture| picture.key)
    }

    fn follows(&self, last: Option<Delivered>) -> bool {
        let (Some(last), Some(_), Some(start)) = (last, &self.whole, self.start) else {
            return false;
        };
        match (last.picture_id, self.picture_id) {
            (Some(before), Some(own)) => before.next() == own,
            _ => last.end + 1 == start,
        }
    }

    fn finish(&mut self, rtp_time: u32, now: Instant) {
        let (Some(start), Some(end)) = (self.start, self.end) else {
            return;
        };
        if end < start || self.packets.len() as u64 != end - start + 1 {
            return;
        }
        if self.packets.keys().next() != Some(&start) {
            return;
        }
        let mut data = BytesMut::with_capacity(self.bytes);
        for part in self.packets.values() {
            data.extend_from_slice(part);
        }
        let data = data.freeze();
        self.whole = Some(EncodedPicture {
            key: is_key(&data),
            data,
            rtp_time,
            received: now,
        });
    }
}

#[cfg(test)]
mod tests {
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
}
