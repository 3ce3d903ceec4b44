//! The application without a window: agents on disk, the backend, conversations about pictures, marks.
//!
//! Every face of the product (the command line, the window) speaks to this crate alone. Nothing here
//! draws on a screen or reads a keyboard, so all of it is tested without one.
//!
//! What is where: [`agents`] reads agents from their folders, [`Backend`] is the server a session
//! talks to, [`Conversation`] shows it pictures and asks about them, [`mark`] leaves the marked picture
//! behind. [`visible`] makes strangers' text fit to print. [`api`] is what faces that stay open use: commands, events and snapshots.

pub mod agents;
mod answer;
pub mod api;
mod backend;
mod conversation;
pub mod mark;
pub mod visible;

pub use agents::Places as AgentPlaces;
pub use alidade_media::{CameraChoice, ScreenChoice, Source, SourceError, SourceSpec};
pub use alidade_media::{CameraInfo, cameras};
pub use alidade_sdk::TrackSource;
pub use answer::{Answer, Written};
pub use backend::{Backend, BackendError, LocalOptions};
pub use conversation::{AskError, Conversation, LONGEST_QUESTION};

use alidade_sdk::wire::start::SdkInfo;

/// What this program calls itself on the wire.
pub(crate) fn sdk_info() -> SdkInfo {
    SdkInfo {
        name: "alidade".into(),
        version: env!("CARGO_PKG_VERSION").into(),
    }
}
