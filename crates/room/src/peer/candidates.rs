//! ICE candidates as they travel in `trickle`, and the queue for those that come too early.

use serde_json::{Value, json};
use webrtc::peer_connection::{PeerConnection, RTCIceCandidate, RTCIceCandidateInit};

use crate::limits::MAX_WAITING_CANDIDATES;

/// The JSON of `TrickleRequest.candidateInit`. The official client wants `sdpMid` and
/// `sdpMLineIndex` to be there.
pub(crate) fn candidate_json(candidate: &RTCIceCandidate) -> Option<String> {
    let init = candidate.to_json().ok()?;
    Some(
        json!({
            "candidate": init.candidate,
            "sdpMid": init.sdp_mid.filter(|mid| !mid.is_empty()).unwrap_or_else(|| "0".into()),
            "sdpMLineIndex": init.sdp_mline_index.unwrap_or(0),
        })
        .to_string(),
    )
}

/// Reads `candidateInit`; anything unreadable is `None`.
pub(crate) fn parse_candidate(text: &str) -> Option<RTCIceCandidateInit> {
    let value: Value = serde_json::from_str(text).ok()?;
    let candidate = value.get("candidate")?.as_str()?.to_owned();
    Some(RTCIceCandidateInit {
        candidate,
        sdp_mid: value
            .get("sdpMid")
            .and_then(Value::as_str)
            .map(str::to_owned),
        sdp_mline_index: value
            .get("sdpMLineIndex")
            .and_then(Value::as_u64)
            .and_then(|index| u16::try_from(index).ok()),
        ..RTCIceCandidateInit::default()
    })
}

/// Remote candidates that wait for the remote description.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    ready: bool,
    waiting: Vec<RTCIceCandidateInit>,
}

impl Candidates {
    /// Takes a `trickle` message. Unusable candidates are passed over.
    pub(crate) async fn take(&mut self, connection: &dyn PeerConnection, text: &str) {
        let Some(candidate) = parse_candidate(text) else {
            tracing::debug!("an unreadable candidate was passed over");
            return;
        };
        if candidate.candidate.is_empty() {
            return;
        }
        if self.ready {
            add(connection, candidate).await;
        } else if self.waiting.len() < MAX_WAITING_CANDIDATES {
            self.waiting.push(candidate);
        }
    }

    /// The remote description is there.
    pub(crate) async fn release(&mut self, connection: &dyn PeerConnection) {
        self.ready = true;
        for candidate in std::mem::take(&mut self.waiting) {
            add(connection, candidate).await;
        }
    }
}

async fn add(connection: &dyn PeerConnection, candidate: RTCIceCandidateInit) {
    if let Err(error) = connection.add_ice_candidate(candidate).await {
        tracing::debug!(%error, "a candidate was passed over");
    }
}
