//! A client on our own room.

use std::sync::Arc;

use alidade_codec::vp8::{Content, Encoder, VideoConfig};
use alidade_picture::{Picture, PictureId, Size};
use alidade_room::{
    DisconnectReason, EncodedPicture, Room, RoomEvent, RpcCall, TrackSource, VideoOptions,
    VideoTrack,
};
use alidade_wire::{
    chunk::{Assembled, Assembler, split},
    server::{Ready, ServerFrame},
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::PATIENCE;

/// A client in a room.
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) room: Room,
    pub(crate) events: mpsc::Receiver<RoomEvent>,
    pub(crate) calls: mpsc::Receiver<RpcCall>,
    pub(super) chunks: Assembler,
    /// Sizes of the packets that came, in bytes.
    pub(crate) whole: Vec<usize>,
    pub(crate) closed: Option<DisconnectReason>,
}

impl Client {
    pub(crate) async fn send(&self, frame: Value) {
        for packet in split(&frame.to_string()) {
            self.room.send_user(packet.into(), None, &[]).await.unwrap();
        }
    }

    pub(crate) async fn send_text(&self, content: &str) {
        self.send(json!({ "type": "send-text", "content": content }))
            .await;
    }

    /// The next frame; `None` once the room is closed.
    pub(crate) async fn next(&mut self) -> Option<ServerFrame> {
        loop {
            let event = tokio::time::timeout(PATIENCE, self.events.recv())
                .await
                .expect("nothing came");
            match event? {
                RoomEvent::User(packet) => {
                    self.whole.push(packet.payload.len());
                    match ServerFrame::decode(&packet.payload).unwrap() {
                        ServerFrame::EnvelopeChunk(chunk) => {
                            if let Assembled::Frame(whole) = self.chunks.push(chunk) {
                                return Some(ServerFrame::decode(&whole).unwrap());
                            }
                        }
                        frame => return Some(frame),
                    }
                }
                RoomEvent::Closed(reason) => {
                    self.closed = Some(reason);
                    return None;
                }
                _ => {}
            }
        }
    }

    /// Frames up to the one that `stop` is true for, that one included.
    pub(crate) async fn until(&mut self, stop: impl Fn(&ServerFrame) -> bool) -> Vec<ServerFrame> {
        let mut frames = Vec::new();
        loop {
            let frame = self
                .next()
                .await
                .unwrap_or_else(|| panic!("the room closed after {frames:?}"));
            let stops = stop(&frame);
            frames.push(frame);
            if stops {
                return frames;
            }
        }
    }

    pub(crate) async fn ready(&mut self) -> Ready {
        match self
            .until(|frame| matches!(frame, ServerFrame::Ready(_)))
            .await
            .pop()
        {
            Some(ServerFrame::Ready(ready)) => ready,
            other => panic!("{other:?}"),
        }
    }

    /// The frames of one turn, to its end.
    pub(crate) async fn turn(&mut self) -> Vec<ServerFrame> {
        self.until(|frame| matches!(frame, ServerFrame::TurnComplete { .. }))
            .await
    }

    /// What the agent says to this text, as its final transcript.
    pub(crate) async fn ask(&mut self, content: &str) -> String {
        self.send_text(content).await;
        said(&self.turn().await)
    }

    /// Everything until the room closes; answers the reason of `session-ended`.
    pub(crate) async fn end(&mut self) -> Option<String> {
        let mut reason = None;
        while let Some(frame) = self.next().await {
            if let ServerFrame::SessionEnded { reason: said } = frame {
                reason = said;
            }
        }
        reason
    }

    pub(crate) async fn call(&mut self) -> RpcCall {
        tokio::time::timeout(PATIENCE, self.calls.recv())
            .await
            .expect("no call came")
            .unwrap()
    }

    pub(crate) async fn publish(&self, source: TrackSource) -> Show {
        let size = Size::new(64, 48);
        let options = VideoOptions {
            name: "shown".to_owned(),
            source,
            width: size.width,
            height: size.height,
        };
        let track = self.room.publish_video(options).await.unwrap();
        let encoder = Encoder::new(VideoConfig::new(size, Content::Screen)).unwrap();
        Show {
            track: Arc::new(track),
            encoder: Arc::new(Mutex::new(encoder)),
            size,
        }
    }
}

/// The text of the final transcript.
pub(crate) fn said(frames: &[ServerFrame]) -> String {
    frames
        .iter()
        .find_map(|frame| match frame {
            ServerFrame::Transcript {
                text,
                is_final: true,
                ..
            } => Some(text.clone()),
            _ => None,
        })
        .unwrap_or_else(|| panic!("nothing was said: {frames:?}"))
}

/// A published track that shows one grey.
#[derive(Clone)]
pub(crate) struct Show {
    pub(crate) track: Arc<VideoTrack>,
    encoder: Arc<Mutex<Encoder>>,
    size: Size,
}

impl Show {
    /// Shows a grey under this RTP time.
    pub(crate) fn show(&self, grey: u8, rtp_time: u32) {
        let rgb = vec![grey; self.size.pixels() as usize * 3];
        let picture = Picture::from_rgb(PictureId(0), self.size, rgb).unwrap();
        let encoded = self.encoder.lock().encode(&picture, true).unwrap();
        self.track
            .write(EncodedPicture::new(encoded.data, rtp_time, encoded.key))
            .unwrap();
    }
}

/// The JSON that `ok …` is followed by.
pub(crate) fn result_of(said: &str) -> Value {
    serde_json::from_str(said.strip_prefix("ok ").unwrap_or_else(|| panic!("{said}"))).unwrap()
}

/// A number in words like `Save at 128`, within what the codec changes.
pub(crate) fn shows(label: &str, grey: u8) -> bool {
    label
        .rsplit(' ')
        .next()
        .and_then(|n| n.parse::<i32>().ok())
        .is_some_and(|n| (n - i32::from(grey)).abs() <= 3)
}
