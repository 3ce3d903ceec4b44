//! Serves the local backend alone and prints what an SDK needs to find it.
//!
//! `cargo run -p alidade-host --example backend`, then stop it with Ctrl-C.
#![allow(clippy::print_stdout, reason = "the two lines are what this is for")]

use std::{error::Error, sync::Arc};

use alidade_host::{Eyes, Host, HostOptions};
use alidade_locate::{Locator, Models};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let locator = match Models::find().and_then(Locator::open) {
        Ok(locator) => Some(Arc::new(locator) as Arc<dyn Eyes>),
        Err(missing) => {
            println!("# {missing}");
            None
        }
    };
    let host = Host::start(HostOptions {
        locator,
        ..HostOptions::default()
    })
    .await?;
    println!("COSMO_BASE_URL={}", host.base_url());
    println!("COSMO_API_KEY={}", host.api_key().reveal());
    tokio::signal::ctrl_c().await?;
    host.shutdown().await;
    Ok(())
}
