//! Joining a room: the participant's side.
//!
//! One peer connection, signalling at `/rtc/v1`. Servers that offer only `/rtc` with two
//! connections are not supported.

mod join;
mod people;
mod publish;
mod room;
mod session;
mod signal;
mod tracks;
mod upgrade;

#[cfg(test)]
pub(crate) use join::join_in;
pub use join::{JoinError, JoinOptions, Joined, join};
pub use publish::{PublishError, TrackEnded, VideoOptions, VideoTrack};
pub use room::{Room, RoomEvent};
