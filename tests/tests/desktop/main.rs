//! The real program in its real web view, driven as a person would: `tests/desktop/run` gives it a screen.
//!
//! Needs a display, a web driver and the built program, so it is left out of a plain test run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

mod figures;
mod harness;
mod page;
mod programs;
