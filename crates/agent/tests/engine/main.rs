//! The agent library replayed against the golden data, with fakes at its outermost edges: the network and the carrier.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]
#![allow(unreachable_pub, reason = "nothing is outside a test")]

mod approvals;
mod config;
mod dispatch;
mod hooks;
mod jobs;
mod session;
mod session_flow;
mod skills;
mod support;
mod transcript;
