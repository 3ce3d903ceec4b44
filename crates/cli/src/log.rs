//! The log: to the error output, quiet unless `ALIDADE_LOG` says otherwise (`ALIDADE_LOG=info`,
//! `ALIDADE_LOG=alidade_host=debug`).

use std::io;

use tracing_subscriber::{EnvFilter, fmt};

pub(crate) fn start() {
    let mut filter =
        EnvFilter::try_from_env("ALIDADE_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    // At their chattiest these libraries log whole requests, credentials included.
    for library in [
        "tungstenite",
        "tokio_tungstenite",
        "reqwest",
        "hyper",
        "hyper_util",
    ] {
        if let Ok(quiet) = format!("{library}=info").parse() {
            filter = filter.add_directive(quiet);
        }
    }
    // A second start in one process (the tests) keeps the first.
    let _ = fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .try_init();
}
