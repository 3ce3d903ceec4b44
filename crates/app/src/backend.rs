//! The server a session talks to.

use std::sync::Arc;

use alidade_host::{Host, HostError, HostOptions};
use alidade_locate::{LocateError, Locator, Models};
use alidade_sdk::agent::rest::{Endpoint, InsecureBaseUrl, Unreachable};

/// How the local backend is to be served.
#[derive(Clone, Debug, Default)]
pub struct LocalOptions {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// Web pages that may call, such as `https://app.example`.
    pub origins: Vec<String>,
}

/// Why there is no backend.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The model files are missing or damaged.
    #[error(transparent)]
    Models(#[from] LocateError),
    /// The local server did not start.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The address may not carry a credential.
    #[error(transparent)]
    Address(#[from] InsecureBaseUrl),
    /// No HTTP client could be made.
    #[error(transparent)]
    Client(#[from] Unreachable),
}

/// The local backend, in this process. Dropping it ends every session.
#[derive(Debug)]
pub struct Backend {
    host: Host,
}

impl Backend {
    /// Starts the local backend with the offline brain.
    ///
    /// # Errors
    /// [`BackendError`], a sentence each.
    pub async fn local(options: LocalOptions) -> Result<Self, BackendError> {
        let locator = Locator::open(Models::find()?)?;
        let host = Host::start(HostOptions {
            port: options.port,
            origins: options.origins,
            locator: Some(Arc::new(locator)),
            ..HostOptions::default()
        })
        .await?;
        Ok(Self { host })
    }

    /// Where it listens, as `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn base_url(&self) -> String {
        self.host.base_url()
    }

    /// The key of this run, in the clear. Whoever has it may start sessions.
    #[must_use]
    pub fn reveal_key(&self) -> &str {
        self.host.api_key().reveal()
    }

    /// What a session needs to start here.
    pub(crate) fn rest(&self) -> Result<alidade_sdk::agent::Backend, BackendError> {
        let endpoint = Endpoint::new(&self.base_url(), self.reveal_key())?;
        Ok(alidade_sdk::agent::Backend::new(endpoint)?)
    }

    /// Ends every session and stops, in bounded time.
    pub async fn shutdown(self) {
        self.host.shutdown().await;
    }
}
