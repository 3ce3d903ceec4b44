//! Frames, REST bodies, limits and error codes of the protocol, as pure functions that both ends need.
//!
//! Nothing here does I/O, waits, or knows a transport. The client side writes a [`client::ClientFrame`] and
//! reads a [`server::ServerFrame`]; a server does the reverse. Everything that faces the other end decodes
//! strictly and never panics.
//!
//! ```
//! use alidade_wire::{client::ClientFrame, server::{Incoming, ServerFrame}};
//!
//! let sent = ClientFrame::SendText { content: "where is Save?".into() }.encode();
//! assert_eq!(sent, r#"{"type":"send-text","content":"where is Save?"}"#);
//!
//! match Incoming::read(br#"{"type":"pong"}"#) {
//!     Incoming::Frame(frame) => assert_eq!(frame, ServerFrame::Pong),
//!     Incoming::Unknown(_) => unreachable!(),
//! }
//! ```
//!
//! Marks such as R17, T12, S3 or `tools.md` §6 in these pages name the statement of the protocol's description that
//! is held there.
//!
//! What belongs here: what is written on the wire and what both ends must agree about to the byte. What does
//! not: sessions, time, retries, transports, what a tool does.

pub mod base_url;
pub mod chunk;
pub mod client;
pub mod draw_args;
pub mod error;
mod fault;
pub mod glob;
pub mod job;
pub mod limits;
pub mod names;
mod number;
pub mod phone;
mod read;
pub mod reply;
pub mod rest;
pub mod schema;
pub mod server;
pub mod start;
pub mod text;
pub mod transport;
mod word;

pub use fault::{BadFrame, Problem};
pub use serde_json::{Map, Value};

/// Compact JSON of one of our own types.
///
/// Their keys are text and their numbers finite or written as null, so writing cannot fail; if it ever did, an
/// empty object would be refused at the other end rather than bring this one down.
fn encode<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "{}".to_owned())
}
