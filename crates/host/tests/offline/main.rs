//! Conversations with the offline brain, at a desk whose tools follow a script.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "tests may"
)]

mod dialogue;
mod honesty;
mod limits;
mod reading;
mod script;
mod skills;
mod steadiness;
mod tools;
mod which;
