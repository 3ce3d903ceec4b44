//! Byte streams: header, chunks, trailer.

use std::collections::HashMap;

use bytes::{Bytes, BytesMut};
use livekit_protocol as proto;
use proto::data_packet::Value;
use proto::data_stream::header::ContentHeader;
use proto::data_stream::{ByteHeader, Chunk, Header, Trailer};

use super::outbox::{Outbox, packet};
use crate::limits::{
    MAX_OPEN_STREAM_BYTES, MAX_OPEN_STREAMS, MAX_STREAM_BYTES, STREAM_CHUNK_BYTES,
};
use crate::{ByteStream, SendError};

struct Open {
    header: Header,
    name: String,
    content: BytesMut,
    next: u64,
}

/// Streams that are arriving, by sender and stream id. Text streams are passed over.
#[derive(Default)]
pub(crate) struct Streams {
    open: HashMap<(String, String), Open>,
    bytes: usize,
}

impl Streams {
    /// Begins a stream. One too many, or one announced too long, is passed over.
    pub(crate) fn header(&mut self, sender: &str, mut header: Header) {
        let Some(ContentHeader::ByteHeader(ByteHeader { name })) = header.content_header.take()
        else {
            return;
        };
        let announced = header.total_length.unwrap_or(0);
        if self.open.len() >= MAX_OPEN_STREAMS || announced > MAX_STREAM_BYTES as u64 {
            tracing::warn!(
                announced,
                "a byte stream was passed over: too many or too long"
            );
            return;
        }
        let key = (sender.to_owned(), header.stream_id.clone());
        self.forget(&key);
        self.open.insert(
            key,
            Open {
                header,
                name,
                content: BytesMut::new(),
                next: 0,
            },
        );
    }

    /// Continues a stream. A hole, or too many bytes, ends it unheard.
    pub(crate) fn chunk(&mut self, sender: &str, chunk: &Chunk) {
        let key = (sender.to_owned(), chunk.stream_id.clone());
        let Some(open) = self.open.get_mut(&key) else {
            return;
        };
        if chunk.chunk_index < open.next {
            return;
        }
        let length = chunk.content.len();
        if chunk.chunk_index > open.next
            || open.content.len() + length > MAX_STREAM_BYTES
            || self.bytes + length > MAX_OPEN_STREAM_BYTES
        {
            tracing::warn!("a byte stream was given up: a hole or too many bytes");
            self.forget(&key);
            return;
        }
        open.next += 1;
        open.content.extend_from_slice(&chunk.content);
        self.bytes += length;
    }

    /// Ends a stream; `Some` when it is whole.
    pub(crate) fn trailer(&mut self, sender: &str, trailer: Trailer) -> Option<ByteStream> {
        let key = (sender.to_owned(), trailer.stream_id);
        let open = self.forget(&key)?;
        let whole = open
            .header
            .total_length
            .is_none_or(|total| total == open.content.len() as u64);
        if !whole || !trailer.reason.is_empty() {
            tracing::debug!("a byte stream ended before it was whole");
            return None;
        }
        let mut attributes = open.header.attributes;
        attributes.extend(trailer.attributes);
        Some(ByteStream {
            sender: None,
            topic: open.header.topic,
            name: open.name,
            mime_type: open.header.mime_type,
            attributes: attributes.into_iter().collect(),
            bytes: open.content.freeze(),
        })
    }

    fn forget(&mut self, key: &(String, String)) -> Option<Open> {
        let open = self.open.remove(key)?;
        self.bytes -= open.content.len();
        Some(open)
    }
}

/// Sends `bytes` as one stream.
pub(crate) async fn send_bytes(
    outbox: &Outbox,
    topic: &str,
    name: &str,
    bytes: Bytes,
    to: &[String],
) -> Result<(), SendError> {
    if bytes.len() > MAX_STREAM_BYTES {
        return Err(SendError::TooLarge {
            bytes: bytes.len(),
            limit: MAX_STREAM_BYTES,
        });
    }
    let stream_id = uuid::Uuid::new_v4().to_string();
    let header = Header {
        stream_id: stream_id.clone(),
        timestamp: crate::now_ms(),
        topic: topic.to_owned(),
        mime_type: "application/octet-stream".to_owned(),
        total_length: Some(bytes.len() as u64),
        content_header: Some(ContentHeader::ByteHeader(ByteHeader {
            name: name.to_owned(),
        })),
        ..Default::default()
    };
    outbox.send(packet(Value::StreamHeader(header), to)).await?;
    for (index, content) in bytes.chunks(STREAM_CHUNK_BYTES).enumerate() {
        let chunk = Chunk {
            stream_id: stream_id.clone(),
            chunk_index: index as u64,
            content: content.to_vec(),
            ..Default::default()
        };
        outbox.send(packet(Value::StreamChunk(chunk), to)).await?;
    }
    let trailer = Trailer {
        stream_id,
        ..Default::default()
    };
    outbox.send(packet(Value::StreamTrailer(trailer), to)).await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use livekit_protocol::data_stream::header::ContentHeader;
    use livekit_protocol::data_stream::{ByteHeader, Chunk, Header, Trailer};

    use super::Streams;
    use crate::limits::{MAX_OPEN_STREAMS, MAX_STREAM_BYTES};

    fn header(id: &str, total: Option<u64>) -> Header {
        Header {
            stream_id: id.into(),
            topic: "screen_capture".into(),
            total_length: total,
            content_header: Some(ContentHeader::ByteHeader(ByteHeader { name: "n".into() })),
            ..Default::default()
        }
    }

    fn chunk(id: &str, index: u64, bytes: usize) -> Chunk {
        Chunk {
            stream_id: id.into(),
            chunk_index: index,
            content: vec![index as u8; bytes],
            ..Default::default()
        }
    }

    fn trailer(id: &str) -> Trailer {
        Trailer {
            stream_id: id.into(),
            ..Default::default()
        }
    }

    #[test]
    fn a_stream_arrives_whole() {
        let mut streams = Streams::default();
        streams.header("c", header("1", Some(5)));
        streams.chunk("c", &chunk("1", 0, 3));
        streams.chunk("c", &chunk("1", 0, 3));
        streams.chunk("c", &chunk("1", 1, 2));
        let stream = streams.trailer("c", trailer("1")).unwrap();
        assert_eq!(&stream.bytes[..], &[0, 0, 0, 1, 1]);
        assert_eq!(
            (stream.topic.as_str(), stream.name.as_str()),
            ("screen_capture", "n")
        );
        assert_eq!(streams.bytes, 0);
    }

    #[test]
    fn a_hole_a_short_end_and_a_foreign_sender_give_nothing() {
        let mut streams = Streams::default();
        streams.header("c", header("1", None));
        streams.chunk("c", &chunk("1", 1, 3));
        assert!(streams.trailer("c", trailer("1")).is_none());
        streams.header("c", header("2", Some(9)));
        streams.chunk("c", &chunk("2", 0, 3));
        assert!(streams.trailer("other", trailer("2")).is_none());
        assert!(streams.trailer("c", trailer("2")).is_none());
        assert_eq!((streams.bytes, streams.open.len()), (0, 0));
    }

    #[test]
    fn streams_and_their_bytes_are_capped() {
        let mut streams = Streams::default();
        streams.header("c", header("long", Some(MAX_STREAM_BYTES as u64 + 1)));
        assert!(streams.open.is_empty());
        for id in 0..100 {
            streams.header("c", header(&id.to_string(), None));
        }
        assert_eq!(streams.open.len(), MAX_OPEN_STREAMS);
        for index in 0..3_000 {
            streams.chunk("c", &chunk("0", index, 15_000));
        }
        assert!(streams.trailer("c", trailer("0")).is_none());
        assert_eq!(streams.bytes, 0);
    }
}
