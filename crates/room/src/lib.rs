//! LiveKit-compatible rooms over WebRTC: signalling, data, calls and pictures.
//!
//! Two sides live here. [`server`] is a room for one client and an agent that lives in the same
//! process, on one peer connection. [`client`] joins such a room. Neither knows what the
//! messages mean.
//!
//! ```no_run
//! use std::{collections::HashSet, time::Duration};
//! use alidade_room::{RoomEvent, Secret, client::{JoinOptions, join}};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let mut joined = join(JoinOptions {
//!     url: "ws://127.0.0.1:7880".into(),
//!     token: Secret::new("…"),
//!     sdk_name: "example".into(),
//!     sdk_version: "0.1.0".into(),
//!     methods: HashSet::from(["draw".to_owned()]),
//!     timeout: Duration::from_secs(15),
//! })
//! .await?;
//! joined.room.send_user("hello".into(), None, &[]).await?;
//! while let Some(event) = joined.events.recv().await {
//!     if let RoomEvent::Closed(reason) = event {
//!         println!("closed: {reason}");
//!     }
//! }
//! # Ok(())
//! # }
//! ```

pub mod client;
mod data;
pub mod limits;
mod media;
mod packet;
mod participant;
mod peer;
mod picture;
mod reason;
pub mod rpc;
mod sdp;
mod secret;
pub mod server;
#[cfg(test)]
mod tests;
mod vp8;

pub use client::{Joined, Room, RoomEvent, VideoOptions, VideoTrack};
pub use packet::{ByteStream, SendError, UserPacket};
pub use participant::{Participant, ParticipantKind, TrackInfo, TrackKind, TrackSource};
pub use picture::EncodedPicture;
pub use reason::DisconnectReason;
pub use rpc::{RpcCall, RpcError};
pub use secret::Secret;
pub use server::{Agent, AgentEvent, JoinQuery, RoomOptions, ServerRoom};

/// Milliseconds since 1970, as LiveKit's messages want them.
fn now_ms() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}

/// A new identifier in LiveKit's manner: a prefix, `_` and twelve letters and digits.
fn new_sid(prefix: &str) -> String {
    let id = uuid::Uuid::new_v4().simple().to_string();
    let separator = if prefix.contains('_') { "" } else { "_" };
    format!("{prefix}{separator}{}", &id[..12])
}
