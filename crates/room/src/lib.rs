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
pub mod limits;
mod packet;
mod participant;
mod picture;
mod reason;
pub mod rpc;
mod secret;
pub mod server;

pub use client::{Joined, Room, RoomEvent, VideoOptions, VideoTrack};
pub use packet::{ByteStream, SendError, UserPacket};
pub use participant::{Participant, ParticipantKind, TrackInfo, TrackKind, TrackSource};
pub use picture::EncodedPicture;
pub use reason::DisconnectReason;
pub use rpc::{RpcCall, RpcError};
pub use secret::Secret;
pub use server::{Agent, AgentEvent, JoinQuery, RoomOptions, ServerRoom};
