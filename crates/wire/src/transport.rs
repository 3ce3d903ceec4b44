//! Which carrier a session uses (`rest.md` §6).

use crate::read::words;

words! {
    /// How frames and media travel.
    pub enum Transport {
        /// A room over WebRTC.
        Webrtc = "webrtc",
        /// One websocket.
        Websocket = "websocket",
    }
}

/// No carrier has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid_value: no transport is called {given:?}; use \"webrtc\" or \"websocket\"")]
pub struct UnknownTransport {
    /// What was asked for.
    pub given: String,
}

/// What was chosen, and whether it was asked for by a name that goes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The carrier.
    pub transport: Transport,
    /// True for `livekit`, the old name of `webrtc`: tell the person.
    pub deprecated: bool,
}

/// The carrier for an explicit argument (matched exactly), else for `COSMO_TRANSPORT` (trimmed, lower-cased, empty
/// counts as unset), else WebRTC.
pub fn choose(
    argument: Option<&str>,
    environment: Option<&str>,
) -> Result<Choice, UnknownTransport> {
    let from_environment = environment
        .map(|text| text.trim().to_lowercase())
        .filter(|text| !text.is_empty());
    let given = argument.map(str::to_owned).or(from_environment);
    let (transport, deprecated) = match given.as_deref() {
        None | Some("webrtc") => (Transport::Webrtc, false),
        Some("livekit") => (Transport::Webrtc, true),
        Some("websocket") => (Transport::Websocket, false),
        Some(other) => {
            return Err(UnknownTransport {
                given: other.to_owned(),
            });
        }
    };
    Ok(Choice {
        transport,
        deprecated,
    })
}
