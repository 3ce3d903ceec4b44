//! Agents, tools, hooks, skills and the session engine over a transport.
//!
//! An [`Agent`] is described once and started any number of times. A [`Session`] starts it at a [`Backend`], joins
//! the carrier a [`Transport`] brings, and gives one ordered stream of [`Event`]s. Calls of the agent's tools go
//! through hooks, validation and the [`gate`] before a handler runs. There is no WebRTC here; the `alidade-sdk` crate
//! joins this engine to a room.
//!
//! What belongs here: what an agent is, what a session does, who may do what. What does not: media, sockets,
//! windows, where agents are stored.

mod agent;
mod dispatch;
mod event;
mod failure;
pub mod gate;
mod hook;
mod job;
pub mod rest;
mod session;
pub mod skill;
pub mod tool;
mod transcript;
pub mod transport;

pub use agent::{Agent, AgentBuilder, AgentError, ConfigError};
pub use alidade_wire::{
    error::{EndReason, StartCode},
    rest::Secret,
};
pub use event::{EVENTS_WAITING_MAX, Event, Events};
pub use failure::Failure;
pub use gate::{AllowList, Gate};
pub use hook::{
    Folded, Hook, HookError, Hooks, Outcome, Permission, PreToolUse, SessionOver, ToolUse, ToolUsed,
};
pub use job::Job;
pub use rest::{Backend, Endpoint, StartError};
pub use session::{
    Session, SessionError, SessionState, Settings, Start, StateObserver, Timing, VideoClaim,
    VideoKind, VoiceClaim,
};
pub use skill::{Skill, SkillCode, SkillError};
pub use tool::{Arguments, Tool, ToolResult};
pub use transcript::{Items, Transcript, TranscriptItem};
pub use transport::{JoinFailure, SendFailure, Transport};
