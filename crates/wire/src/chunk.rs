//! Large frames in pieces: `envelope-chunk` from the client, `server-envelope-chunk` from the server.

use std::collections::{BTreeMap, VecDeque};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::json;

use crate::{limits, read::Obj};

/// One piece of a large frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chunk {
    /// Shared by all pieces of a frame.
    pub envelope_id: String,
    /// Place among the pieces, from 0.
    pub seq: i64,
    /// How many there are.
    pub total: i64,
    /// Standard base64 with padding of the piece.
    pub data: String,
}

impl Chunk {
    pub(crate) fn read(frame: &Obj<'_>) -> Option<Self> {
        Some(Self {
            envelope_id: frame.text("envelope_id")?,
            seq: frame.int("seq")?,
            total: frame.int("total")?,
            data: frame.text("data")?,
        })
    }
}

const CLIENT: &str = "envelope-chunk";
const SERVER: &str = "server-envelope-chunk";

/// The room packets for a client frame: itself when it is at most 12,000 bytes, else `envelope-chunk` frames
/// (R63). Empty for a chunk frame over the limit, which is never cut and must not be sent.
pub fn split(frame: &str) -> Vec<String> {
    split_as(CLIENT, frame)
}

/// The room packets for a server frame: itself when it is at most 12,000 bytes, else `server-envelope-chunk`
/// frames (S33). Empty for a chunk frame over the limit.
pub fn split_server(frame: &str) -> Vec<String> {
    split_as(SERVER, frame)
}

fn split_as(kind: &str, frame: &str) -> Vec<String> {
    if frame.len() <= limits::WHOLE_FRAME_BYTES {
        return vec![frame.to_owned()];
    }
    if is_chunk(frame) {
        return Vec::new();
    }
    let envelope_id = uuid::Uuid::new_v4().simple().to_string();
    let slices = frame.as_bytes().chunks(limits::CHUNK_SLICE_BYTES);
    let total = slices.len();
    slices
        .enumerate()
        .map(|(seq, slice)| {
            json!({ "type": kind, "envelope_id": envelope_id, "seq": seq, "total": total, "data": STANDARD.encode(slice) })
                .to_string()
        })
        .collect()
}

fn is_chunk(frame: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Typed<'a> {
        #[serde(rename = "type", borrow)]
        kind: std::borrow::Cow<'a, str>,
    }
    serde_json::from_str::<Typed<'_>>(frame)
        .is_ok_and(|typed| typed.kind == CLIENT || typed.kind == SERVER)
}

/// What became of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assembled {
    /// More is needed, or the chunk was dropped by a guard (which is silent).
    Nothing,
    /// The bytes of the whole frame, to be handled as if they had just arrived.
    Frame(Vec<u8>),
    /// A piece does not decode; the chunk that completed the set is surfaced as unknown.
    Undecodable,
}

/// Puts the pieces together, in any order, under the guards of `frames.md` §5 (R62, S32).
#[derive(Debug, Default)]
pub struct Assembler {
    /// Open sets, oldest first. At most 64, so a walk is cheap.
    sets: VecDeque<(String, Set)>,
    dropped: u64,
}

#[derive(Debug)]
struct Set {
    total: i64,
    chars: usize,
    pieces: BTreeMap<i64, String>,
}

impl Assembler {
    /// No set is open.
    pub fn new() -> Self {
        Self::default()
    }

    /// Chunks ignored and sets discarded so far, by any guard.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Sets that wait for more.
    pub fn open_sets(&self) -> usize {
        self.sets.len()
    }

    /// Takes one chunk.
    pub fn push(&mut self, chunk: Chunk) -> Assembled {
        let place = self
            .sets
            .iter()
            .position(|(id, _)| *id == chunk.envelope_id);
        if chunk.total <= 0 || chunk.seq < 0 || chunk.seq >= chunk.total {
            return self.drop_set(None);
        }
        if chunk.total > limits::CHUNK_TOTAL_MAX {
            return self.drop_set(place);
        }
        let place = match place {
            Some(place) => place,
            None => {
                if self.sets.len() >= limits::CHUNK_SETS_MAX {
                    self.drop_set(Some(0));
                }
                let set = Set {
                    total: chunk.total,
                    chars: 0,
                    pieces: BTreeMap::new(),
                };
                self.sets.push_back((chunk.envelope_id.clone(), set));
                self.sets.len() - 1
            }
        };
        let Some((_, set)) = self.sets.get_mut(place) else {
            return Assembled::Nothing;
        };
        set.chars = set.chars.saturating_add(chunk.data.chars().count());
        if set.total != chunk.total || set.chars > limits::CHUNK_SET_CHARS_MAX {
            return self.drop_set(Some(place));
        }
        set.pieces.insert(chunk.seq, chunk.data);
        if set.pieces.len() as i64 != set.total {
            return Assembled::Nothing;
        }
        match self.sets.remove(place) {
            Some((_, set)) => join(&set.pieces),
            None => Assembled::Nothing,
        }
    }

    fn drop_set(&mut self, place: Option<usize>) -> Assembled {
        self.dropped += 1;
        if let Some(place) = place {
            self.sets.remove(place);
        }
        Assembled::Nothing
    }
}

fn join(pieces: &BTreeMap<i64, String>) -> Assembled {
    let mut whole = Vec::new();
    for piece in pieces.values() {
        // The standard engine refuses other alphabets, missing padding, line breaks and stray trailing bits.
        if STANDARD.decode_vec(piece, &mut whole).is_err() {
            return Assembled::Undecodable;
        }
    }
    Assembled::Frame(whole)
}
