//! What the client's frames do to a session (`frames.md` §1).

use alidade_wire::{
    chunk::Assembled,
    client::{Channel, ClientFrame},
    error::slug,
    server::ServerFrame,
    text,
};
use tokio::time::Instant;

use super::{Ending, life::Life, talk::Item};

/// Longest message of an `error` frame about a frame of the client.
const ERROR_SCALARS: usize = 300;
/// Most times a whole frame may itself turn out to be a chunk.
const CHUNK_NESTING: usize = 32;
/// Longest turn text, in bytes.
const TURN_BYTES: usize = 256 << 10;

impl Life {
    /// A frame that cannot be used never ends anything (S37).
    fn refuse(&self, why: &str) {
        let message = text::first(why, ERROR_SCALARS).to_owned();
        self.out.try_send(&ServerFrame::Error {
            code: slug::INVALID_MESSAGE.to_owned(),
            message,
            fatal: false,
        });
    }

    /// Does what a frame says; `nesting` chunks were unwrapped to get it.
    pub(super) fn frame(&mut self, bytes: &[u8], nesting: usize) {
        let frame = match ClientFrame::decode(bytes) {
            Ok(frame) => frame,
            Err(bad) => return self.refuse(&bad.to_string()),
        };
        match frame {
            ClientFrame::SendText { content } if content.len() > TURN_BYTES => {
                self.refuse("the text of a send-text frame is too long to be answered");
            }
            ClientFrame::SendText { content } => {
                self.silence.person(Instant::now());
                self.give(Item::Turn(content));
            }
            ClientFrame::SendContext { content } => {
                self.give(Item::Note(content));
            }
            ClientFrame::DelegationAppend {
                channel: Channel::Commentary,
                content,
                ..
            } => {
                self.give(Item::Say(content));
            }
            ClientFrame::DelegationAppend { content, .. } => {
                self.give(Item::Note(content));
            }
            ClientFrame::SendImage { data, .. } => {
                self.give(Item::Still(data));
            }
            ClientFrame::ToolJobResult(result) => {
                if let Some(job) = self.jobs.result(result) {
                    self.give(Item::Job(job));
                }
            }
            ClientFrame::Ping => self.out.try_send(&ServerFrame::Pong),
            ClientFrame::End => self.session.end(Ending::ClientEnded),
            ClientFrame::EnvelopeChunk(chunk) => match self.chunks.push(chunk) {
                Assembled::Nothing => {}
                Assembled::Frame(whole) if nesting < CHUNK_NESTING => {
                    self.frame(&whole, nesting + 1)
                }
                Assembled::Frame(_) => self.refuse("chunks are nested too deep"),
                Assembled::Undecodable => self.refuse("a chunk is not base64"),
            },
            ClientFrame::ConnectTimings(timings) => {
                tracing::debug!(request_ms = ?timings.request_ms, room_ms = ?timings.room_ms, ready_ms = ?timings.ready_ms, "the client connected");
            }
            ClientFrame::Mute { muted } => {
                self.ear.mute(muted);
                self.listen();
            }
            // The one client is bound as it is (S24); where nothing is heard no turn of speech ends.
            ClientFrame::BindInput | ClientFrame::ActivityEnd => {}
        }
    }
}
