//! From an address and a token to a room.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use livekit_protocol as proto;
use proto::signal_response::Message as Response;
use rtc::data_channel::RTCDataChannelInit;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use webrtc::peer_connection::RTCIceServer;

use super::people::People;
use super::room::{Room, RoomEvent};
use super::session::Session;
use super::signal::{Heard, Signal, endpoint, is_local};
use crate::data::{Calls, Inlet, LOSSY, Outbox, RELIABLE, Sink, Stamp, write};
use crate::limits::EVENT_QUEUE;
use crate::peer::{Peer, PeerOptions, Reach, nudge};
use crate::server::wrap;
use crate::{DisconnectReason, RpcCall, Secret};

/// Signal protocol spoken: see the server's side.
const SIGNAL_PROTOCOL: i32 = 16;

/// What a join needs.
#[derive(Debug, Clone)]
pub struct JoinOptions {
    /// Address of the server: `ws`, `wss`, `http` or `https`, with or without a path before `/rtc`.
    pub url: String,
    /// The join token.
    pub token: Secret,
    /// Name of this program.
    pub sdk_name: String,
    /// Version of this program.
    pub sdk_version: String,
    /// Methods answered on this side. A call of another method is answered with error 1400.
    pub methods: HashSet<String>,
    /// Time for the whole join, until the data channel is open.
    pub timeout: Duration,
}

/// A join that came about.
#[derive(Debug)]
pub struct Joined {
    /// The room.
    pub room: Room,
    /// What happens in the room, in order. [`RoomEvent::Closed`] is the last. Keep reading: a full
    /// queue stops the data of the room.
    pub events: mpsc::Receiver<RoomEvent>,
    /// Calls of the methods named in [`JoinOptions::methods`].
    pub calls: mpsc::Receiver<RpcCall>,
}

/// Why a join did not come about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The address is unusable.
    #[error("the room address is not usable: {0}")]
    BadUrl(String),
    /// The server refused the connection with this HTTP status.
    #[error("the room server refused the join with status {status}: {text}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the server said, shortened.
        text: String,
    },
    /// The server ended the join with a reason.
    #[error("the room server ended the join: {0}")]
    Left(DisconnectReason),
    /// The server could not be reached or spoke something else.
    #[error("the room server cannot be reached: {0}")]
    Signal(String),
    /// The media connection did not come about.
    #[error("the media connection could not be set up: {0}")]
    Media(String),
    /// Time ran out.
    #[error("the room did not answer in time; is the server running and reachable?")]
    Timeout,
}

fn media(error: webrtc::error::Error) -> JoinError {
    JoinError::Media(error.to_string())
}

/// Joins a room and returns once data can flow.
///
/// # Errors
/// [`JoinError`]; none of them contains the token.
pub async fn join(options: JoinOptions) -> Result<Joined, JoinError> {
    join_in(
        options,
        #[cfg(test)]
        None,
    )
    .await
}

/// [`join`], in tests through bad weather.
pub(crate) async fn join_in(
    options: JoinOptions,
    #[cfg(test)] weather: Option<Arc<crate::peer::weather::Weather>>,
) -> Result<Joined, JoinError> {
    let url = endpoint(&options.url)?;
    let deadline = tokio::time::Instant::now() + options.timeout;
    let reach = if is_local(&url) {
        Reach::Loopback
    } else {
        Reach::Everywhere
    };
    let peer = Peer::open(PeerOptions {
        reach: Some(reach),
        ice_servers: Vec::new(),
        #[cfg(test)]
        weather,
    })
    .await
    .map_err(media)?;
    let connection = peer.connection.clone();
    let attempt = tokio::time::timeout_at(deadline, attempt(options, url, reach, peer));
    let joined = attempt.await.unwrap_or(Err(JoinError::Timeout));
    if joined.is_err() {
        // Nobody else knows the connection any more.
        let _ = connection.close().await;
    }
    joined
}

async fn attempt(
    options: JoinOptions,
    url: url::Url,
    reach: Reach,
    peer: Peer,
) -> Result<Joined, JoinError> {
    let connection = peer.connection;
    let lossy = connection
        .create_data_channel(
            LOSSY,
            Some(RTCDataChannelInit {
                ordered: false,
                max_retransmits: Some(0),
                ..RTCDataChannelInit::default()
            }),
        )
        .await
        .map_err(media)?;
    let reliable = connection
        .create_data_channel(RELIABLE, None)
        .await
        .map_err(media)?;
    let offer = connection.create_offer(None).await.map_err(media)?;
    let request = proto::JoinRequest {
        client_info: Some(proto::ClientInfo {
            sdk: proto::client_info::Sdk::Rust as i32,
            version: options.sdk_version.clone(),
            protocol: SIGNAL_PROTOCOL,
            os: std::env::consts::OS.to_owned(),
            other_sdks: format!("{}:{}", options.sdk_name, options.sdk_version),
            // Left at 0, so that calls come as packets.
            client_protocol: 0,
            ..Default::default()
        }),
        connection_settings: Some(proto::ConnectionSettings {
            auto_subscribe: true,
            ..Default::default()
        }),
        publisher_offer: Some(proto::SessionDescription {
            r#type: "offer".to_owned(),
            sdp: offer.sdp.clone(),
            id: 1,
            ..Default::default()
        }),
        ..Default::default()
    };
    if reach == Reach::Loopback {
        // No servers to wait for: gathering can begin.
        connection
            .set_local_description(offer.clone())
            .await
            .map_err(media)?;
    }
    let mut signal = Signal::open(url, &options.token, &wrap(&request)).await?;
    let join = first(&mut signal).await?;
    if reach == Reach::Everywhere {
        let servers: Vec<RTCIceServer> = join
            .ice_servers
            .iter()
            .map(|server| RTCIceServer {
                urls: server.urls.clone(),
                username: server.username.clone(),
                credential: server.credential.clone(),
            })
            .collect();
        if !servers.is_empty() {
            let configuration = webrtc::peer_connection::RTCConfigurationBuilder::new()
                .with_ice_servers(servers)
                .build();
            connection
                .set_configuration(configuration)
                .await
                .map_err(media)?;
        }
        connection
            .set_local_description(offer)
            .await
            .map_err(media)?;
    }
    let Some(local) = join.participant else {
        return Err(JoinError::Signal("its join names no participant".into()));
    };
    let stamp = Stamp {
        stay: 0,
        identity: local.identity.clone(),
        sid: local.sid.clone(),
        sequence: Arc::default(),
    };
    let people = Arc::new(People::new(local));
    let calls = Arc::new(Calls::default());
    let (outbox, mut packets) = Outbox::new();
    let (events, event_reader) = mpsc::channel(EVENT_QUEUE);
    let (call_sender, call_reader) = mpsc::channel(EVENT_QUEUE);
    let (commands, command_reader) = mpsc::unbounded_channel();
    let over = CancellationToken::new();
    // Until the join has come about, giving it up ends everything that was started for it.
    let unfinished = over.clone().drop_guard();
    let tasks = TaskTracker::new();
    let inlet = Arc::new(Inlet {
        sink: Sink::Room {
            events: events.clone(),
            calls: call_sender,
            methods: options.methods,
        },
        roster: people.clone(),
        own_identity: stamp.identity.clone(),
        only_sender: None,
        calls: calls.clone(),
        outbox: outbox.clone(),
        seen: Default::default(),
        streams: Default::default(),
        serving: Arc::new(AtomicUsize::new(0)),
        tasks: tasks.clone(),
        over: over.clone(),
    });
    let (open_sender, open) = oneshot::channel();
    {
        let (inlet, reliable) = (inlet.clone(), reliable.clone());
        tasks.spawn(async move { inlet.read(reliable, Some(open_sender)).await });
    }
    {
        let inlet = inlet.clone();
        tasks.spawn(async move { inlet.read(lossy, None).await });
    }
    let (ready_sender, ready) = oneshot::channel();
    let opened = over.child_token();
    tasks.spawn(nudge(connection.clone(), opened.clone()));
    let stay = over.clone();
    tasks.spawn(over.clone().run_until_cancelled_owned(async move {
        // Before the channel is open, a message would vanish without a word.
        if open.await.is_ok() {
            opened.cancel();
            let _ = ready_sender.send(());
            write(reliable, &mut packets, stamp, &stay).await;
        }
    }));
    let session = Session::new(
        signal,
        connection,
        people.clone(),
        calls.clone(),
        inlet,
        events,
        commands.downgrade(),
        tasks,
        over.clone(),
        &join.server_info.unwrap_or_default(),
        (join.ping_interval, join.ping_timeout),
        peer.media_taken,
    );
    let (failed_sender, failed) = oneshot::channel();
    tokio::spawn(async move {
        let reason = session
            .run(join.other_participants, command_reader, peer.events)
            .await;
        let _ = failed_sender.send(reason);
    });
    tokio::select! {
        biased;
        Ok(()) = ready => {}
        reason = failed => {
            return Err(JoinError::Left(reason.unwrap_or(DisconnectReason::Unknown)));
        }
    }
    unfinished.disarm();
    Ok(Joined {
        room: Room::new(people, calls, outbox, commands, over),
        events: event_reader,
        calls: call_reader,
    })
}

/// Waits for the join message.
async fn first(signal: &mut Signal) -> Result<proto::JoinResponse, JoinError> {
    loop {
        match signal.next().await {
            Heard::Message(message) => match *message {
                Response::Join(join) => return Ok(join),
                Response::Leave(leave) => {
                    return Err(JoinError::Left(DisconnectReason::from_number(leave.reason)));
                }
                _ => {}
            },
            Heard::Other => {}
            Heard::Closed => {
                return Err(JoinError::Signal("it closed the connection".into()));
            }
        }
    }
}
