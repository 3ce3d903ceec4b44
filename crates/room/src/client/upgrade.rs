//! From an address to a websocket.
//!
//! The opening request is made here, because the websocket library writes the whole of it, with the
//! token in its header, into the log at its lowest level. Nothing below writes header values.

use std::sync::Arc;

use axum::http::header::{
    AUTHORIZATION, CONNECTION, HOST, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use url::Url;

use super::JoinError;
use crate::Secret;
use crate::limits::MAX_SIGNAL_BYTES;

/// Longest refusal that is read, in bytes.
const REFUSAL_BYTES: usize = 4 << 10;
/// Most of a refusal that is passed on, in characters.
const REFUSAL_CHARACTERS: usize = 200;

pub(super) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Opens a websocket at `url`, with `token` in a header.
pub(super) async fn open(url: &Url, token: &Secret) -> Result<Socket, JoinError> {
    let bad = |what: &str| JoinError::BadUrl(what.to_owned());
    let (host, port) = (url.host(), url.port_or_known_default());
    let (Some(host), Some(port)) = (host, port) else {
        return Err(bad("it names no host"));
    };
    let stream = match &host {
        url::Host::Domain(name) => TcpStream::connect((*name, port)).await,
        url::Host::Ipv4(address) => TcpStream::connect((*address, port)).await,
        url::Host::Ipv6(address) => TcpStream::connect((*address, port)).await,
    };
    let stream = stream.map_err(signal)?;
    stream.set_nodelay(true).map_err(signal)?;
    let key = generate_key();
    let request = request(url, token, &key)?;
    let response = if url.scheme() == "wss" {
        let name = match host {
            url::Host::Domain(name) => ServerName::try_from(name.to_owned())
                .map_err(|_| bad("its host cannot have a certificate"))?,
            url::Host::Ipv4(address) => ServerName::from(std::net::IpAddr::from(address)),
            url::Host::Ipv6(address) => ServerName::from(std::net::IpAddr::from(address)),
        };
        let secure = tls()?.connect(name, stream).await.map_err(signal)?;
        ask(secure, request).await?
    } else {
        ask(stream, request).await?
    };
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(refused(response, token).await);
    }
    let expected = derive_accept_key(key.as_bytes());
    let accepted = response
        .headers()
        .get(SEC_WEBSOCKET_ACCEPT)
        .is_some_and(|accept| accept.as_bytes() == expected.as_bytes());
    if !accepted {
        return Err(JoinError::Signal("it opened no websocket".into()));
    }
    let upgraded = hyper::upgrade::on(response).await.map_err(signal)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_SIGNAL_BYTES))
        .max_frame_size(Some(MAX_SIGNAL_BYTES));
    let stream = TokioIo::new(upgraded);
    Ok(WebSocketStream::from_raw_socket(stream, Role::Client, Some(config)).await)
}

fn signal(error: impl std::fmt::Display) -> JoinError {
    JoinError::Signal(error.to_string())
}

fn request(url: &Url, token: &Secret, key: &str) -> Result<Request<String>, JoinError> {
    let mut bearer = HeaderValue::from_str(&format!("Bearer {}", token.reveal()))
        .map_err(|_| JoinError::BadUrl("the token holds characters no header may have".into()))?;
    bearer.set_sensitive(true);
    // What is asked of a server is the address from the path on, and whom is a header of its own.
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    Request::get(target)
        .header(HOST, authority)
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, key)
        .header(AUTHORIZATION, bearer)
        .body(String::new())
        .map_err(|_| JoinError::BadUrl("it cannot be requested".into()))
}

fn tls() -> Result<TlsConnector, JoinError> {
    let roots: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(signal)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

async fn ask(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<String>,
) -> Result<Response<Incoming>, JoinError> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(signal)?;
    // Ends with the upgrade, or when sender and response are dropped.
    tokio::spawn(connection.with_upgrades());
    sender.send_request(request).await.map_err(signal)
}

/// What a server said instead.
async fn refused(response: Response<Incoming>, token: &Secret) -> JoinError {
    let status = response.status().as_u16();
    let body = Limited::new(response.into_body(), REFUSAL_BYTES)
        .collect()
        .await
        .map(|body| body.to_bytes())
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&body);
    let text = text.trim().chars().take(REFUSAL_CHARACTERS).collect();
    JoinError::Refused {
        status,
        text: hide(text, token),
    }
}

/// A server may say the token back.
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

    use axum::http::header::{AUTHORIZATION, HOST};
    use url::Url;

    use super::{hide, request};

    #[test]
    fn the_token_is_in_a_sensitive_header_and_nowhere_else() {
        let url = Url::parse("wss://rooms.example:8443/a/rtc/v1?join_request=x").unwrap();
        let request = request(&url, &"canary".into(), "key").unwrap();
        assert_eq!(request.uri(), "/a/rtc/v1?join_request=x");
        assert_eq!(request.headers()[HOST], "rooms.example:8443");
        assert_eq!(request.headers()[AUTHORIZATION], "Bearer canary");
        assert!(!format!("{request:?}").contains("canary"));
    }

    #[test]
    fn a_host_keeps_its_brackets_and_loses_the_usual_port() {
        for (url, host) in [
            ("ws://[::1]:7880/rtc/v1", "[::1]:7880"),
            ("wss://rooms.example:443/rtc/v1", "rooms.example"),
        ] {
            let request = request(&Url::parse(url).unwrap(), &"t".into(), "key").unwrap();
            assert_eq!(request.headers()[HOST], host);
        }
    }

    #[test]
    fn a_token_no_header_may_hold_is_refused_without_saying_it() {
        let url = Url::parse("ws://127.0.0.1:1/rtc/v1").unwrap();
        let error = request(&url, &"canary\n".into(), "key").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"));
    }

    #[test]
    fn a_token_said_back_is_hidden() {
        assert_eq!(
            hide("no canary here".into(), &"canary".into()),
            "no *** here"
        );
        assert_eq!(hide("nothing".into(), &"".into()), "nothing");
    }
}
