//! Starting and stopping the backend.

use std::{net::SocketAddr, sync::Arc};

use alidade_room::Secret;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    HostOptions,
    door::{self, Door},
    session::Sessions,
};

/// Why the backend did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The port cannot be had.
    #[error(
        "the local backend cannot listen on 127.0.0.1:{port} ({why}); close what uses the port, or choose another"
    )]
    Listen {
        /// The port that was asked for; 0 is any.
        port: u16,
        /// The system's reason.
        why: std::io::Error,
    },
    /// A given key is too weak or cannot be sent in a header.
    #[error(
        "the API key must be 16 to 512 visible ASCII characters; leave it out to get a random one"
    )]
    BadKey,
}

/// The running backend. Dropping it ends every session without waiting for anything.
pub struct Host {
    address: SocketAddr,
    api_key: Secret,
    sessions: Arc<Sessions>,
    stop: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
    patience: std::time::Duration,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Host {
    /// Starts listening. Requests are answered from the moment this returns.
    ///
    /// # Errors
    /// [`HostError`], a sentence each.
    pub async fn start(options: HostOptions) -> Result<Self, HostError> {
        let api_key = match options.api_key.clone() {
            None => door::random_key(),
            Some(key) if door::usable_key(key.reveal()) => key,
            Some(_) => return Err(HostError::BadKey),
        };
        let port = options.port;
        let refused = |why| HostError::Listen { port, why };
        let listener = TcpListener::bind(("127.0.0.1", port))
            .await
            .map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let patience = options.limits.shutdown;
        let stop = CancellationToken::new();
        let sessions = Sessions::new(&options, stop.child_token());
        let door = Door::new(
            &options,
            address.port(),
            api_key.clone(),
            Arc::clone(&sessions),
        );
        let serving = tokio::spawn(door::serve(listener, Arc::new(door), stop.child_token()));
        tracing::info!(port = address.port(), "the local backend listens");
        Ok(Self {
            address,
            api_key,
            sessions,
            stop,
            serving,
            patience,
        })
    }

    /// What clients call `COSMO_BASE_URL`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.address.port())
    }

    /// What clients call `COSMO_API_KEY`.
    #[must_use]
    pub fn api_key(&self) -> &Secret {
        &self.api_key
    }

    /// Sessions that run now.
    #[must_use]
    pub fn active_sessions(&self) -> usize {
        self.sessions.active()
    }

    /// Ends every session with the reason `server_shutdown`, closes every connection, and returns once
    /// that is done, at the latest after [`crate::Limits::shutdown`].
    pub async fn shutdown(mut self) {
        let all = async {
            self.sessions.end_all().await;
            self.stop.cancel();
            let _ = (&mut self.serving).await;
        };
        if tokio::time::timeout(self.patience, all).await.is_err() {
            tracing::warn!("the local backend did not stop in time; what is left is cut off");
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
