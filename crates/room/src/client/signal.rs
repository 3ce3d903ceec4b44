//! The signalling socket.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use livekit_protocol as proto;
use prost::Message as _;
use tokio_tungstenite::tungstenite::Message;
use url::Url;

use super::JoinError;
use super::upgrade::{self, Socket};
use crate::Secret;

/// Longest wait for the socket to take a message.
const SOCKET_PATIENCE: Duration = Duration::from_secs(5);

/// An open signalling socket.
pub(super) struct Signal {
    socket: Socket,
}

/// What comes out of the socket.
pub(super) enum Heard {
    Message(Box<proto::signal_response::Message>),
    /// Something else that only shows that the other side lives.
    Other,
    Closed,
}

/// The address of `/rtc/v1` below `url`, without a query.
pub(super) fn endpoint(url: &str) -> Result<Url, JoinError> {
    let mut parsed = Url::parse(url).map_err(|error| JoinError::BadUrl(error.to_string()))?;
    let scheme = match parsed.scheme() {
        "http" | "ws" => "ws",
        "https" | "wss" => "wss",
        other => {
            return Err(JoinError::BadUrl(format!(
                "{other} is not ws, wss, http or https"
            )));
        }
    };
    if parsed.host_str().is_none_or(str::is_empty) {
        return Err(JoinError::BadUrl("it names no host".into()));
    }
    parsed
        .set_scheme(scheme)
        .map_err(|()| JoinError::BadUrl("its scheme cannot be used".into()))?;
    let path = format!("{}/rtc/v1", parsed.path().trim_end_matches('/'));
    parsed.set_path(&path);
    parsed.set_query(None);
    parsed.set_fragment(None);
    Ok(parsed)
}

/// Whether the server is on this machine.
pub(super) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl Signal {
    /// Opens the socket. The token goes into a header, not into the address: addresses are what
    /// programs on the way write into their logs.
    pub(super) async fn open(
        mut url: Url,
        token: &Secret,
        join_request: &str,
    ) -> Result<Self, JoinError> {
        url.query_pairs_mut()
            .append_pair("join_request", join_request);
        let socket = upgrade::open(&url, token).await?;
        Ok(Self { socket })
    }

    pub(super) async fn send(
        &mut self,
        message: proto::signal_request::Message,
    ) -> Result<(), Lost> {
        let request = proto::SignalRequest {
            message: Some(message),
        };
        let message = Message::Binary(request.encode_to_vec().into());
        match tokio::time::timeout(SOCKET_PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Lost),
        }
    }

    /// The next thing the server says. May be dropped and called again.
    pub(super) async fn next(&mut self) -> Heard {
        match self.socket.next().await {
            Some(Ok(Message::Binary(bytes))) => match proto::SignalResponse::decode(bytes) {
                Ok(proto::SignalResponse {
                    message: Some(message),
                }) => Heard::Message(Box::new(message)),
                _ => {
                    tracing::debug!("an unreadable signalling message was passed over");
                    Heard::Other
                }
            },
            Some(Ok(Message::Close(_))) | Some(Err(_)) | None => Heard::Closed,
            Some(Ok(_)) => Heard::Other,
        }
    }

    pub(super) async fn close(&mut self) {
        let _ = tokio::time::timeout(Duration::from_millis(500), self.socket.close(None)).await;
    }
}

/// The socket is gone.
#[derive(Debug)]
pub(super) struct Lost;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{endpoint, is_local};

    #[test]
    fn addresses_lead_to_the_endpoint() {
        for (url, expected) in [
            ("ws://127.0.0.1:7880", "ws://127.0.0.1:7880/rtc/v1"),
            ("http://127.0.0.1:7880/", "ws://127.0.0.1:7880/rtc/v1"),
            (
                "https://rooms.example/a/?x=1#y",
                "wss://rooms.example/a/rtc/v1",
            ),
            ("wss://rooms.example", "wss://rooms.example/rtc/v1"),
        ] {
            assert_eq!(endpoint(url).unwrap().as_str(), expected);
        }
        for url in ["", "rooms.example", "ftp://rooms.example", "unix:/tmp/x"] {
            assert!(endpoint(url).is_err(), "{url}");
        }
    }

    #[test]
    fn loopback_addresses_are_local() {
        for (url, local) in [
            ("ws://127.0.0.1:1", true),
            ("ws://localhost:1", true),
            ("ws://[::1]:1", true),
            ("ws://10.0.0.1:1", false),
            ("wss://localhost.example", false),
        ] {
            assert_eq!(is_local(&endpoint(url).unwrap()), local, "{url}");
        }
    }
}
