//! Join tokens: signed with a key of this run, short-lived, good for one room.
//!
//! That a token works once is kept by the session it opens, which knows whether somebody is in.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use alidade_room::Secret;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use rand::RngCore;
use serde::{Deserialize, Serialize};

const ISSUER: &str = "alidade";
/// No token of ours is longer.
const TOKEN_BYTES: usize = 2 << 10;

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    jti: String,
    nbf: u64,
    exp: u64,
    video: Grants,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Grants {
    room_join: bool,
    room: String,
    can_publish: bool,
    can_subscribe: bool,
    can_publish_data: bool,
}

/// Why a token does not open anything. The text never holds the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadTicket {
    #[error("the join token has expired; start a new session")]
    Expired,
    #[error("the join token is not one of this backend")]
    Foreign,
}

/// Makes and checks join tokens.
pub(crate) struct Tickets {
    signs: EncodingKey,
    checks: DecodingKey,
    life: Duration,
}

impl fmt::Debug for Tickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tickets(***)")
    }
}

impl Tickets {
    pub(crate) fn new(life: Duration) -> Self {
        let mut key = [0; 32];
        rand::rng().fill_bytes(&mut key);
        Self {
            signs: EncodingKey::from_secret(&key),
            checks: DecodingKey::from_secret(&key),
            life,
        }
    }

    /// A token for the client of one session.
    pub(crate) fn issue(&self, session_id: &str, room: &str, identity: &str) -> Option<Secret> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        let claims = Claims {
            iss: ISSUER.to_owned(),
            sub: identity.to_owned(),
            jti: session_id.to_owned(),
            nbf: now.saturating_sub(1),
            exp: now + self.life.as_secs().max(1),
            video: Grants {
                room_join: true,
                room: room.to_owned(),
                can_publish: true,
                can_subscribe: true,
                can_publish_data: true,
            },
        };
        encode(&Header::new(Algorithm::HS256), &claims, &self.signs)
            .ok()
            .map(Secret::new)
    }

    /// The session a token opens.
    pub(crate) fn check(&self, token: &str) -> Result<String, BadTicket> {
        if token.len() > TOKEN_BYTES {
            return Err(BadTicket::Foreign);
        }
        let mut rules = Validation::new(Algorithm::HS256);
        rules.set_issuer(&[ISSUER]);
        rules.set_required_spec_claims(&["exp", "nbf", "iss", "sub"]);
        rules.validate_nbf = true;
        rules.leeway = 0;
        match decode::<Claims>(token, &self.checks, &rules) {
            Ok(token) if token.claims.video.room_join => Ok(token.claims.jti),
            Ok(_) => Err(BadTicket::Foreign),
            Err(error) if *error.kind() == jsonwebtoken::errors::ErrorKind::ExpiredSignature => {
                Err(BadTicket::Expired)
            }
            Err(_) => Err(BadTicket::Foreign),
        }
    }
}
