//! The log: to the error output, quiet unless `ALIDADE_LOG` says otherwise (`ALIDADE_LOG=info`,
//! `ALIDADE_LOG=alidade_host=debug`).

use std::io;

use tracing_subscriber::{EnvFilter, fmt};

pub(crate) fn start() {
    let filter = EnvFilter::try_from_env("ALIDADE_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    // A second start in one process (the tests) keeps the first.
    let _ = fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .try_init();
}
