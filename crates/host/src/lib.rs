//! The local backend: the whole server side of the protocol in this process.
//!
//! [`Host::start`] listens on the loopback interface, answers the REST calls, opens a room for every
//! session and lets a [`brain::Brain`] answer in it. Nothing leaves the machine.
//!
//! ```no_run
//! use std::sync::Arc;
//! use alidade_host::{Host, HostOptions};
//! use alidade_locate::{Locator, Models};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let locator = Locator::open(Models::find()?)?;
//! let host = Host::start(HostOptions { locator: Some(Arc::new(locator)), ..HostOptions::default() }).await?;
//! println!("COSMO_BASE_URL={}", host.base_url());
//! println!("COSMO_API_KEY={}", host.api_key().reveal());
//! host.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! What is where: `door` is what faces the network (connections, headers, credentials, REST, the way
//! into a room), `session` is the life of one session and the order of its turns, `sight` is the
//! pictures it sees and the server tools that look at them, [`brain`] is what answers.

pub mod brain;
mod door;
mod eyes;
mod host;
mod options;
mod session;
mod sight;

pub use alidade_room::Secret;
pub use eyes::Eyes;
pub use host::{Host, HostError};
pub use options::{HostOptions, Limits};
