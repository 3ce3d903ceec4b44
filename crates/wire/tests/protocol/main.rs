//! The golden data of the protocol, and inputs that must never bring a reader down.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod chunking;
mod client_frames;
mod never_panics;
mod replies;
mod rest;
mod schemas;
mod server_frames;
mod small;
mod start_body;
mod start_check;
mod vectors;
