//! Alidade as a library: start an agent, show it pictures, ask, and be shown.
//!
//! ```no_run
//! use alidade_picture::{DecodeLimits, Picture, PictureId};
//! use alidade_sdk::{Session, TrackSource, agent::{Agent, Backend, Endpoint, Event, tool::draw}};
//! use alidade_sdk::wire::{server::ServerFrame, start::ServerTool};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let agent = Agent::inline()
//!     .instructions("Find what the user asks for and draw a box around it.")
//!     .tool(ServerTool::DetectObjects)
//!     .tool(draw::draw_box(|mark| async move {
//!         println!("{:?} {:?}", mark.area, mark.label);
//!         Ok(draw::Shown::yes())
//!     }))
//!     .build()?;
//! let backend = Backend::new(Endpoint::new("http://127.0.0.1:7880", "the key")?)?;
//! let session = Session::start(agent, backend).await?;
//!
//! let screen = session.publish_pictures(TrackSource::ScreenShare).await?;
//! screen.show(&Picture::decode(&std::fs::read("shot.png")?, PictureId(0), DecodeLimits::default())?).await?;
//! session.send_text("Where is Save?").await?;
//!
//! let events = session.events();
//! while let Some(event) = events.next().await {
//!     if let Event::Frame(ServerFrame::TurnComplete { .. }) = event {
//!         break;
//!     }
//! }
//! session.end().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Guide
//!
//! **An agent** is built once ([`agent::Agent`]): instructions, tools, skills, hooks. Tools that run in your process
//! are made with [`agent::Tool::plain`], or [`agent::Tool::background`] where the work outlives the call.
//!
//! **Nothing acts without permission.** Drawing and skills may run; any other tool of yours is denied until the
//! session's [`agent::Gate`] allows it. A program whose author is the person may list its own tools:
//!
//! ```
//! use std::sync::Arc;
//! use alidade_sdk::{Settings, agent::AllowList};
//!
//! let settings = Settings { gate: Arc::new(AllowList::new(["read_*"])?), ..Settings::default() };
//! # let _ = settings;
//! # Ok::<(), alidade_sdk::agent::HookError>(())
//! ```
//!
//! **Pictures** go out through a [`PictureTrack`]. The track is published with its first picture; what was shown last
//! is sent again at a low rate, so that a lost packet heals. A question sent with [`Session::send_text`] leaves only
//! after a fresh picture did. Every picture that left has an id, the one the far end knows too: a mark that names one
//! finds it again with [`Session::picture`] for ten seconds.
//!
//! **Events** come in one ordered stream ([`Session::events`]); read it, or the newest are dropped and counted once
//! [`agent::EVENTS_WAITING_MAX`] wait.

pub use alidade_agent as agent;
pub use alidade_wire as wire;

mod carrier;
mod clock;
mod kept;
mod painter;
mod session;
mod track;

pub use agent::{SessionState, Settings, StartError, Timing};
pub use carrier::RoomCarrier;
pub use session::Session;
pub use track::{PictureTrack, PublishError, TrackSource};
