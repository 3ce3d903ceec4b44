//! The backend over the network, as a client meets it: the door, the room, sessions, tools.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

mod client_tools;
mod common;
mod ears;
mod golden;
mod guard;
mod life;
mod reconnects;
mod rest;
mod secrets;
mod sight;
mod starts;
mod tokens;
mod turns;
mod weather;
