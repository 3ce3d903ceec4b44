//! Pictures between an application and a peer connection.

mod line;
mod receive;
mod send;

pub(crate) use receive::{Order, Receiving, receive};
pub(crate) use send::{Sending, send};
