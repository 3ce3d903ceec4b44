//! The query a client joins with.

use std::fmt;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use livekit_protocol as proto;
use prost::Message as _;
use proto::wrapped_join_request::Compression;

use crate::limits::{MAX_JOIN_QUERY_BYTES, MAX_JOIN_REQUEST_BYTES};

/// A join query that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadJoin {
    /// The query is longer than a join can be.
    #[error("the join query is too long")]
    TooLong,
    /// There is no `join_request`.
    #[error("the join query has no join_request")]
    Missing,
    /// `join_request` is not what it should be.
    #[error("the join_request is not readable: {0}")]
    Unreadable(&'static str),
}

/// A parsed query of `/rtc/v1`.
#[derive(Clone)]
pub struct JoinQuery {
    pub(crate) request: proto::JoinRequest,
}

impl fmt::Debug for JoinQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The offer holds the secrets of the media connection.
        f.debug_struct("JoinQuery")
            .field("reconnect", &self.request.reconnect)
            .finish_non_exhaustive()
    }
}

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl JoinQuery {
    /// Reads the query part of the request, without the question mark.
    ///
    /// # Errors
    /// [`BadJoin`]; none of them contains the token.
    pub fn parse(query: &str) -> Result<Self, BadJoin> {
        if query.len() > MAX_JOIN_QUERY_BYTES {
            return Err(BadJoin::TooLong);
        }
        let mut join_request = None;
        let mut reconnect = false;
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "join_request" => join_request = Some(value),
                "reconnect" => reconnect = value == "1" || value == "true",
                _ => {}
            }
        }
        let join_request = join_request.ok_or(BadJoin::Missing)?;
        // Standard and URL-safe alphabets both occur; a plus sign may have become a space.
        let text: String = join_request
            .chars()
            .map(|character| match character {
                '+' | ' ' => '-',
                '/' => '_',
                other => other,
            })
            .collect();
        let wrapped = BASE64
            .decode(text)
            .map_err(|_| BadJoin::Unreadable("it is not base64"))?;
        let wrapped = proto::WrappedJoinRequest::decode(&wrapped[..])
            .map_err(|_| BadJoin::Unreadable("it is not a wrapped join request"))?;
        let plain = match Compression::try_from(wrapped.compression) {
            Ok(Compression::None) => wrapped.join_request,
            Ok(Compression::Gzip) => unzip(&wrapped.join_request)?,
            Err(_) => return Err(BadJoin::Unreadable("its compression is unknown")),
        };
        if plain.len() > MAX_JOIN_REQUEST_BYTES {
            return Err(BadJoin::TooLong);
        }
        let mut request = proto::JoinRequest::decode(&plain[..])
            .map_err(|_| BadJoin::Unreadable("it is not a join request"))?;
        request.reconnect |= reconnect;
        let offers = request
            .publisher_offer
            .as_ref()
            .is_some_and(|offer| offer.r#type == "offer" && !offer.sdp.is_empty());
        if !offers && !request.reconnect {
            return Err(BadJoin::Unreadable("it has no offer"));
        }
        Ok(Self { request })
    }

    /// Whether the client wants to resume an earlier stay, which is not possible here: such a
    /// client is told to join anew.
    pub fn is_resume(&self) -> bool {
        self.request.reconnect
    }
}

/// The value of `join_request` for the query.
pub(crate) fn wrap(request: &proto::JoinRequest) -> String {
    let wrapped = proto::WrappedJoinRequest {
        compression: Compression::None as i32,
        join_request: request.encode_to_vec(),
    };
    base64::engine::general_purpose::URL_SAFE.encode(wrapped.encode_to_vec())
}

fn unzip(bytes: &[u8]) -> Result<Vec<u8>, BadJoin> {
    let mut plain = Vec::new();
    let limit = MAX_JOIN_REQUEST_BYTES as u64 + 1;
    flate2::read::GzDecoder::new(bytes)
        .take(limit)
        .read_to_end(&mut plain)
        .map_err(|_| BadJoin::Unreadable("it is not gzip"))?;
    Ok(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::io::Write as _;

    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
    use livekit_protocol as proto;
    use proptest::prelude::*;
    use prost::Message as _;

    use super::{BadJoin, JoinQuery, wrap};
    use crate::limits::{MAX_JOIN_QUERY_BYTES, MAX_JOIN_REQUEST_BYTES};

    fn request() -> proto::JoinRequest {
        proto::JoinRequest {
            publisher_offer: Some(proto::SessionDescription {
                r#type: "offer".into(),
                sdp: "v=0\r\n".repeat(30),
                ..Default::default()
            }),
            ..Default::default()
        }
    }

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        writer.write_all(plain).unwrap();
        proto::WrappedJoinRequest {
            compression: 1,
            join_request: writer.finish().unwrap(),
        }
        .encode_to_vec()
    }

    #[test]
    fn a_join_is_read_in_every_dress() {
        let plain = format!("access_token=t&join_request={}", wrap(&request()));
        assert_eq!(JoinQuery::parse(&plain).unwrap().request, request());
        let zipped = gzip(&request().encode_to_vec());
        for text in [
            URL_SAFE.encode(&zipped),
            URL_SAFE_NO_PAD.encode(&zipped),
            STANDARD.encode(&zipped),
            STANDARD
                .encode(&zipped)
                .replace('+', "%2B")
                .replace('/', "%2F"),
        ] {
            let query = format!("join_request={text}");
            assert_eq!(JoinQuery::parse(&query).unwrap().request, request());
        }
    }

    #[test]
    fn a_resume_needs_no_offer_and_a_join_does() {
        let bare = wrap(&proto::JoinRequest::default());
        let query = format!("join_request={bare}");
        assert!(matches!(
            JoinQuery::parse(&query),
            Err(BadJoin::Unreadable(_))
        ));
        let query = format!("reconnect=1&join_request={bare}");
        assert!(JoinQuery::parse(&query).unwrap().is_resume());
    }

    #[test]
    fn what_is_too_long_or_missing_is_refused() {
        assert_eq!(
            JoinQuery::parse("access_token=t").unwrap_err(),
            BadJoin::Missing
        );
        let long = "a".repeat(MAX_JOIN_QUERY_BYTES + 1);
        assert_eq!(JoinQuery::parse(&long).unwrap_err(), BadJoin::TooLong);
        // A small archive that unpacks to more than a join may have.
        let bomb = gzip(&vec![0; MAX_JOIN_REQUEST_BYTES * 50]);
        assert!(bomb.len() < MAX_JOIN_QUERY_BYTES / 2);
        let query = format!("join_request={}", URL_SAFE.encode(bomb));
        assert_eq!(JoinQuery::parse(&query).unwrap_err(), BadJoin::TooLong);
    }

    #[test]
    fn no_error_and_no_debug_shows_the_query() {
        let query = format!("access_token=canary&join_request={}", wrap(&request()));
        let join = JoinQuery::parse(&query).unwrap();
        assert!(!format!("{join:?}").contains("v=0"));
        let error = JoinQuery::parse("access_token=canary&join_request=%%").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"));
    }

    proptest! {
        #[test]
        fn garbage_is_refused_quietly(text in ".{0,300}") {
            let _ = JoinQuery::parse(&text);
            let _ = JoinQuery::parse(&format!("join_request={text}"));
        }

        #[test]
        fn damaged_joins_are_read_or_refused(at in 0usize..150, byte in any::<u8>()) {
            let mut zipped = gzip(&request().encode_to_vec());
            let at = at % zipped.len();
            zipped[at] = byte;
            let _ = JoinQuery::parse(&format!("join_request={}", URL_SAFE.encode(zipped)));
        }
    }
}
