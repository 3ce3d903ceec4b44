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
mod tests;
