//! A connection that is being made, kept awake.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use webrtc::peer_connection::PeerConnection;

/// Between two nudges, and how many there are before it gets slower.
const FAST: (Duration, u32) = (Duration::from_millis(2), 150);
const SLOW: (Duration, u32) = (Duration::from_millis(20), 600);

/// Wakes the connection's task again and again until `ready`.
///
/// The task turns its events into packets (the end of the DTLS handshake into the first SCTP
/// packet, the association into the opening of the channels) only after it has sent what there
/// was to send, and then sleeps until a timer or a packet wakes it: 200 ms each time. Setting the
/// configuration anew changes nothing and wakes it.
pub(crate) async fn nudge(connection: Arc<dyn PeerConnection>, ready: CancellationToken) {
    let nudging = async {
        for (pause, times) in [FAST, SLOW] {
            for _ in 0..times {
                tokio::time::sleep(pause).await;
                let configuration = connection.get_configuration().await;
                if connection.set_configuration(configuration).await.is_err() {
                    return;
                }
            }
        }
    };
    ready.run_until_cancelled(nudging).await;
}
