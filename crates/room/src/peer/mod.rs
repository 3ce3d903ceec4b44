//! One peer connection, set up the way a room needs it.

mod candidates;
mod flights;
mod nudge;
mod sockets;
mod tap;
#[cfg(test)]
pub(crate) mod weather;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use rtc::ice::mdns::MulticastDnsMode;
use rtc::interceptor::{
    NackGeneratorBuilder, NackResponderBuilder, ReceiverReportBuilder, Registry,
    SenderReportBuilder, Slot, TwccReceiverBuilder,
};
use rtc::peer_connection::configuration::media_engine::{MIME_TYPE_OPUS, MIME_TYPE_VP8};
use rtc::rtp_transceiver::rtp_sender::{
    RTCPFeedback, RTCRtpCodec, RTCRtpCodecParameters, RTCRtpHeaderExtensionCapability, RtpCodecKind,
};
use tokio::sync::mpsc;
use webrtc::data_channel::DataChannel;
use webrtc::media_stream::track_remote::TrackRemote;
use webrtc::peer_connection::{
    MediaEngine, PeerConnection, PeerConnectionBuilder, PeerConnectionEventHandler,
    RTCConfigurationBuilder, RTCIceServer, RTCPeerConnectionIceEvent, RTCPeerConnectionState,
    SettingEngineBuilder,
};

pub(crate) use candidates::{Candidates, candidate_json};
pub(crate) use nudge::nudge;
use sockets::Sockets;
pub(crate) use tap::Taken;
use tap::{MEDIA_QUEUE, Tap};

/// Payload type of VP8 where this side makes the offer.
pub(crate) const VP8_PAYLOAD_TYPE: u8 = 96;
const OPUS_PAYLOAD_TYPE: u8 = 111;

/// Between two checks of a pair, and checks before a pair counts as failed: ten seconds
/// altogether. The first handshake message waits for the next check, so that the default of
/// 200 ms shows as a stall.
const CHECKS_NEAR: (Duration, u16) = (Duration::from_millis(5), 2_000);
const CHECKS_FAR: (Duration, u16) = (Duration::from_millis(25), 400);
/// A retransmission may come thousands of packets late.
const REPLAY_WINDOW: usize = 8_192;
/// Packets kept for retransmission, and tracked for loss.
const HISTORY: u16 = 8_192;
/// Between two requests for what is missing.
const NACK_INTERVAL: Duration = Duration::from_millis(20);
/// Requests for the same packet before it is given up.
const NACKS: u16 = 25;

/// Where connections may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// 127.0.0.1 only.
    Loopback,
    /// All interfaces.
    Everywhere,
}

/// What a peer connection tells its owner.
pub(crate) enum PeerEvent {
    /// A local candidate, as JSON for the wire.
    Candidate(String),
    State(RTCPeerConnectionState),
    Channel(Arc<dyn DataChannel>),
    Track(Arc<dyn TrackRemote>),
}

/// A peer connection with its events and its arriving media packets.
pub(crate) struct Peer {
    pub(crate) connection: Arc<dyn PeerConnection>,
    pub(crate) events: mpsc::Receiver<PeerEvent>,
    pub(crate) media: mpsc::Receiver<rtc::rtp::packet::Packet>,
    pub(crate) media_dropped: Arc<AtomicU64>,
    pub(crate) media_taken: Taken,
}

/// What differs between peer connections.
#[derive(Debug, Default)]
pub(crate) struct PeerOptions {
    pub(crate) reach: Option<Reach>,
    pub(crate) ice_servers: Vec<RTCIceServer>,
    #[cfg(test)]
    pub(crate) weather: Option<Arc<weather::Weather>>,
}

struct Handler {
    events: mpsc::Sender<PeerEvent>,
}

#[async_trait::async_trait]
impl PeerConnectionEventHandler for Handler {
    async fn on_ice_candidate(&self, event: RTCPeerConnectionIceEvent) {
        if let Some(json) = candidate_json(&event.candidate) {
            self.tell(PeerEvent::Candidate(json));
        }
    }

    async fn on_connection_state_change(&self, state: RTCPeerConnectionState) {
        self.tell(PeerEvent::State(state));
    }

    async fn on_data_channel(&self, channel: Arc<dyn DataChannel>) {
        self.tell(PeerEvent::Channel(channel));
    }

    async fn on_track(&self, track: Arc<dyn TrackRemote>) {
        self.tell(PeerEvent::Track(track));
    }
}

impl Handler {
    /// Called on the connection's own task, which must never wait.
    fn tell(&self, event: PeerEvent) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.events.try_send(event) {
            tracing::warn!("a peer connection has more to tell than its owner takes");
        }
    }
}

fn media_engine() -> Result<MediaEngine, webrtc::error::Error> {
    let mut engine = MediaEngine::default();
    let feedback = |typ: &str, parameter: &str| RTCPFeedback {
        typ: typ.to_owned(),
        parameter: parameter.to_owned(),
    };
    engine.register_codec(
        RTCRtpCodecParameters {
            rtp_codec: RTCRtpCodec {
                mime_type: MIME_TYPE_OPUS.to_owned(),
                clock_rate: 48_000,
                channels: 2,
                sdp_fmtp_line: "minptime=10;useinbandfec=1".to_owned(),
                rtcp_feedback: vec![],
            },
            payload_type: OPUS_PAYLOAD_TYPE,
        },
        RtpCodecKind::Audio,
    )?;
    engine.register_codec(
        RTCRtpCodecParameters {
            rtp_codec: vp8_codec(),
            payload_type: VP8_PAYLOAD_TYPE,
        },
        RtpCodecKind::Video,
    )?;
    for kind in [RtpCodecKind::Audio, RtpCodecKind::Video] {
        engine.register_feedback(feedback("transport-cc", ""), kind);
        for uri in [
            rtc::sdp::extmap::TRANSPORT_CC_URI,
            rtc::sdp::extmap::SDES_MID_URI,
        ] {
            engine.register_header_extension(
                RTCRtpHeaderExtensionCapability {
                    uri: uri.to_owned(),
                },
                kind,
                None,
            )?;
        }
    }
    for uri in [
        rtc::sdp::extmap::SDES_RTP_STREAM_ID_URI,
        rtc::sdp::extmap::SDES_REPAIR_RTP_STREAM_ID_URI,
    ] {
        engine.register_header_extension(
            RTCRtpHeaderExtensionCapability {
                uri: uri.to_owned(),
            },
            RtpCodecKind::Video,
            None,
        )?;
    }
    Ok(engine)
}

/// VP8 with the feedback that is understood here. `video/rtx` is left out on purpose: with it,
/// lost packets are requested and sent over and over.
pub(crate) fn vp8_codec() -> RTCRtpCodec {
    let feedback = |typ: &str, parameter: &str| RTCPFeedback {
        typ: typ.to_owned(),
        parameter: parameter.to_owned(),
    };
    RTCRtpCodec {
        mime_type: MIME_TYPE_VP8.to_owned(),
        clock_rate: 90_000,
        channels: 0,
        sdp_fmtp_line: String::new(),
        rtcp_feedback: vec![
            feedback("nack", ""),
            feedback("nack", "pli"),
            feedback("ccm", "fir"),
        ],
    }
}

impl Peer {
    /// Opens the sockets and starts the connection's task.
    pub(crate) async fn open(options: PeerOptions) -> Result<Self, webrtc::error::Error> {
        let (event_sender, events) = mpsc::channel(256);
        let (media_sender, media) = mpsc::channel(MEDIA_QUEUE);
        let media_dropped = Arc::new(AtomicU64::new(0));
        let media_taken = Taken::default();
        let registry = Registry::new()
            .with(
                Slot::NackResponder,
                NackResponderBuilder::new().with_size(HISTORY).build(),
            )
            .with(
                Slot::NackGenerator,
                NackGeneratorBuilder::new()
                    .with_size(HISTORY)
                    .with_interval(NACK_INTERVAL)
                    .with_max_nacks_per_packet(NACKS)
                    .build(),
            )
            .with(Slot::TwccReceiver, TwccReceiverBuilder::new().build())
            .with(Slot::ReceiverReport, ReceiverReportBuilder::new().build())
            .with(Slot::SenderReport, SenderReportBuilder::new().build())
            .with(
                Slot::from(14_000),
                Tap::new(media_sender, media_dropped.clone(), media_taken.clone()),
            );
        let loopback = options.reach != Some(Reach::Everywhere);
        let at_once = Some(Duration::ZERO);
        let (check_interval, checks) = if loopback { CHECKS_NEAR } else { CHECKS_FAR };
        let settings = SettingEngineBuilder::new()
            .with_include_loopback_candidate(loopback)
            .with_multicast_dns_mode(MulticastDnsMode::Disabled)
            .with_host_acceptance_min_wait(at_once)
            .with_srflx_acceptance_min_wait(if loopback { at_once } else { None })
            .with_prflx_acceptance_min_wait(at_once)
            .with_ice_connection_attempts(Some(check_interval), Some(checks))
            .with_srtp_replay_protection_window(REPLAY_WINDOW)
            .build();
        let runtime = Sockets {
            #[cfg(test)]
            weather: options.weather,
        };
        let connection = PeerConnectionBuilder::new()
            .with_configuration(
                RTCConfigurationBuilder::new()
                    .with_ice_servers(options.ice_servers)
                    .build(),
            )
            .with_media_engine(media_engine()?)
            .with_setting_engine(settings)
            .with_interceptor_registry(registry)
            .with_handler(Arc::new(Handler {
                events: event_sender,
            }))
            .with_runtime(Arc::new(runtime))
            .with_udp_addrs(vec![if loopback { "127.0.0.1:0" } else { "0.0.0.0:0" }])
            .with_data_channel_send_buffer_limit(crate::limits::CHANNEL_BUFFER_BYTES)
            .build()
            .await?;
        Ok(Self {
            connection: Arc::new(connection),
            events,
            media,
            media_dropped,
            media_taken,
        })
    }
}
