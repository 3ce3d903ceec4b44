//! The signalling socket.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use livekit_protocol as proto;
use prost::Message as _;
use rustls::crypto::CryptoProvider;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use url::Url;

use super::JoinError;
use crate::Secret;
use crate::limits::MAX_SIGNAL_BYTES;

/// Longest wait for the socket to take a message.
const SOCKET_PATIENCE: Duration = Duration::from_secs(5);

/// An open signalling socket.
pub(super) struct Signal {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
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
    /// Opens the socket. The token goes into a header that is marked as sensitive: an address is what
    /// libraries write into logs.
    pub(super) async fn open(
        mut url: Url,
        token: &Secret,
        join_request: &str,
    ) -> Result<Self, JoinError> {
        url.query_pairs_mut()
            .append_pair("join_request", join_request);
        let mut request = url
            .as_str()
            .into_client_request()
            .map_err(|_| JoinError::BadUrl("it cannot be requested".into()))?;
        let mut bearer =
            HeaderValue::from_str(&format!("Bearer {}", token.reveal())).map_err(|_| {
                JoinError::BadUrl("the token holds characters no header may have".into())
            })?;
        bearer.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, bearer);
        if url.scheme() == "wss" && CryptoProvider::get_default().is_none() {
            // An error means that another thread was faster.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_SIGNAL_BYTES))
            .max_frame_size(Some(MAX_SIGNAL_BYTES));
        match connect_async_with_config(request, Some(config), true).await {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(Error::Http(response)) => {
                let text = response
                    .body()
                    .as_deref()
                    .map(String::from_utf8_lossy)
                    .unwrap_or_default();
                let text: String = text.trim().chars().take(200).collect();
                Err(JoinError::Refused {
                    status: response.status().as_u16(),
                    text: hide(text, token),
                })
            }
            Err(error) => Err(JoinError::Signal(hide(error.to_string(), token))),
        }
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

fn hide(text: String, token: &Secret) -> String {
    if token.is_empty() {
        text
    } else {
        text.replace(token.reveal(), "***")
    }
}

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
