//! A reader that never fails: every input is a frame or something unknown (R61), and chunks become what they carry.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::ServerFrame;
use crate::{
    chunk::{Assembled, Assembler},
    read,
};

/// What a reader makes of one input; reading never fails (R61).
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A frame of the protocol. Chunks are given to a [`crate::chunk::Assembler`].
    Frame(ServerFrame),
    /// Anything else.
    Unknown(Unknown),
}

/// An input that is no frame of the protocol, as the application sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknown {
    /// Its `type` if it has one.
    pub raw_type: Option<String>,
    /// The object if it was one.
    pub payload: Option<Map<String, Value>>,
    /// The text when no type could be read.
    pub raw_text: Option<String>,
}

impl Unknown {
    /// A frame that cannot be used after all, as it stood.
    fn frame(bytes: &[u8]) -> Self {
        match read::frame_object(bytes) {
            Ok((raw_type, payload)) => Self {
                raw_type: Some(raw_type),
                payload: Some(payload),
                raw_text: None,
            },
            Err(_) => Self::default(),
        }
    }
}

impl Incoming {
    /// Reads one input as `frames.md` §4 says, chunks aside: they come out as [`ServerFrame::EnvelopeChunk`].
    pub fn read(bytes: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Self::Unknown(Unknown::default());
        };
        let payload = match serde_json::from_str(text) {
            Ok(Value::Object(map)) => map,
            _ => {
                return Self::Unknown(Unknown {
                    raw_text: Some(text.to_owned()),
                    ..Unknown::default()
                });
            }
        };
        let Some(Value::String(raw_type)) = payload.get("type") else {
            return Self::Unknown(Unknown {
                payload: Some(payload),
                raw_text: Some(text.to_owned()),
                raw_type: None,
            });
        };
        match ServerFrame::from_map(raw_type.clone(), &payload) {
            Ok(frame) => Self::Frame(frame),
            Err(_) => Self::Unknown(Unknown {
                raw_type: Some(raw_type.clone()),
                payload: Some(payload),
                raw_text: None,
            }),
        }
    }
}

/// Reads inputs in arrival order and puts chunks together (R62).
#[derive(Debug, Default)]
pub struct Reader {
    assembler: Assembler,
}

impl Reader {
    /// Nothing has arrived.
    pub fn new() -> Self {
        Self::default()
    }

    /// What to do with one input; nothing while a large frame is incomplete or a guard dropped a chunk.
    pub fn read(&mut self, bytes: &[u8]) -> Option<Incoming> {
        let mut bytes = Cow::Borrowed(bytes);
        loop {
            // A chunk may carry a chunk. Each level is a quarter smaller, so this ends soon.
            let chunk = match Incoming::read(&bytes) {
                Incoming::Frame(ServerFrame::EnvelopeChunk(chunk)) => chunk,
                other => return Some(other),
            };
            match self.assembler.push(chunk) {
                Assembled::Nothing => return None,
                Assembled::Frame(whole) => bytes = Cow::Owned(whole),
                Assembled::Undecodable => return Some(Incoming::Unknown(Unknown::frame(&bytes))),
            }
        }
    }

    /// Chunks and sets dropped so far.
    pub fn dropped(&self) -> u64 {
        self.assembler.dropped()
    }
}
