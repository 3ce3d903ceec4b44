//! Arriving media packets put together to pictures, one task for all tracks of a connection.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rtc::rtcp::payload_feedbacks::picture_loss_indication::PictureLossIndication;
use rtc::rtp::packet::Packet;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use webrtc::media_stream::track_remote::{TrackRemote, TrackRemoteEvent};

use super::line::Line;
use crate::vp8::{Assembler, Verdict, key_size};
use crate::{AgentEvent, TrackInfo, TrackKind};

/// Packets kept of a stream nobody has named yet.
const EARLY_PACKETS: usize = 2_048;
/// Streams nobody has named yet.
const EARLY_STREAMS: usize = 8;
/// Streams known at a time.
const MAX_STREAMS: usize = 64;
/// How often holes are looked at.
const TICK: Duration = Duration::from_millis(50);
/// Silence after which another layer may take over.
const LAYER_SILENCE: Duration = Duration::from_secs(2);

/// What the owner of a connection tells the task.
pub(crate) enum Order {
    /// The client's track of this name is this one.
    Publish { cid: String, info: TrackInfo },
    /// These streams carry the track of this name.
    Bind { ssrcs: Vec<u32>, cid: String },
    /// A remote track opened.
    Opened(Arc<dyn TrackRemote>),
    /// A stream of a remote track began.
    Began { ssrc: u32, cid: String },
    /// A track ended.
    End { sid: String },
    /// A key picture of this track is wanted.
    KeyWanted { sid: String },
}

struct Stream {
    assembler: Assembler,
    cid: Option<String>,
    early: Vec<Packet>,
    area: u64,
    heard: Instant,
}

struct Track {
    info: TrackInfo,
    line: Option<Arc<Line>>,
    chosen: Option<u32>,
}

/// What the task works with.
pub(crate) struct Receiving {
    pub(crate) packets: mpsc::Receiver<Packet>,
    /// Packets that found the queue full.
    pub(crate) lost: Arc<AtomicU64>,
    pub(crate) orders: mpsc::UnboundedReceiver<Order>,
    pub(crate) again: mpsc::UnboundedSender<Order>,
    pub(crate) events: mpsc::Sender<AgentEvent>,
    pub(crate) tasks: TaskTracker,
    pub(crate) over: CancellationToken,
}

#[derive(Default)]
struct State {
    streams: HashMap<u32, Stream>,
    tracks: HashMap<String, Track>,
    remotes: Vec<(String, Arc<dyn TrackRemote>)>,
    /// Tracks whose key picture was wanted before any remote track was there to ask through.
    wanting: Vec<String>,
}

/// Runs until `over`.
pub(crate) async fn receive(mut receiving: Receiving) {
    let mut state = State::default();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let over = receiving.over.clone();
    loop {
        tokio::select! {
            biased;
            () = over.cancelled() => break,
            Some(order) = receiving.orders.recv() => state.order(order, &receiving).await,
            packet = receiving.packets.recv() => match packet {
                Some(packet) => state.packet(packet, &receiving).await,
                None => break,
            },
            _ = tick.tick() => state.tick().await,
        }
    }
    for track in state.tracks.values() {
        track.end();
    }
    let lost = receiving.lost.load(Ordering::Relaxed);
    let given_up: u64 = state
        .streams
        .values()
        .map(|stream| stream.assembler.dropped())
        .sum();
    if lost + given_up > 0 {
        tracing::debug!(
            lost,
            given_up,
            "packets and pictures that did not get through"
        );
    }
}

impl Track {
    fn end(&self) {
        if let Some(line) = &self.line {
            if line.dropped() > 0 {
                tracing::debug!(
                    sid = self.info.sid,
                    dropped = line.dropped(),
                    "pictures nobody read"
                );
            }
            line.end();
        }
    }
}

impl State {
    async fn order(&mut self, order: Order, receiving: &Receiving) {
        match order {
            Order::Publish { cid, info } => {
                self.tracks.insert(
                    cid.clone(),
                    Track {
                        info,
                        line: None,
                        chosen: None,
                    },
                );
                self.replay(&cid, receiving).await;
            }
            Order::Bind { ssrcs, cid } => {
                for ssrc in ssrcs {
                    self.bind(ssrc, &cid);
                }
                self.replay(&cid, receiving).await;
            }
            Order::Began { ssrc, cid } => {
                // A session description is the better witness: a remote track keeps its old name
                // when its section is used again.
                if self
                    .streams
                    .get(&ssrc)
                    .is_none_or(|stream| stream.cid.is_none())
                {
                    self.bind(ssrc, &cid);
                    self.replay(&cid, receiving).await;
                }
            }
            Order::Opened(remote) => self.opened(remote, receiving).await,
            Order::End { sid } => {
                let Some(cid) = self.cid_of(&sid) else { return };
                if let Some(track) = self.tracks.remove(&cid) {
                    track.end();
                }
                self.streams
                    .retain(|_, stream| stream.cid.as_ref() != Some(&cid));
            }
            Order::KeyWanted { sid } => {
                if let Some(cid) = self.cid_of(&sid) {
                    self.ask_key(&cid).await;
                }
            }
        }
    }

    fn cid_of(&self, sid: &str) -> Option<String> {
        self.tracks
            .iter()
            .find(|(_, track)| track.info.sid == sid)
            .map(|(cid, _)| cid.clone())
    }

    async fn opened(&mut self, remote: Arc<dyn TrackRemote>, receiving: &Receiving) {
        let cid = remote.track_id().await;
        self.remotes.push((cid.clone(), remote.clone()));
        if self.remotes.len() > MAX_STREAMS {
            self.remotes.remove(0);
        }
        for cid in std::mem::take(&mut self.wanting) {
            self.ask_key(&cid).await;
        }
        let orders = receiving.again.clone();
        receiving.tasks.spawn(
            receiving
                .over
                .clone()
                .run_until_cancelled_owned(async move {
                    while let Some(event) = remote.poll().await {
                        if let TrackRemoteEvent::OnOpen(opened) = event {
                            let order = Order::Began {
                                ssrc: opened.ssrc,
                                cid: opened.track_id.clone(),
                            };
                            if orders.send(order).is_err() {
                                return;
                            }
                        }
                    }
                }),
        );
    }

    fn bind(&mut self, ssrc: u32, cid: &str) {
        if self.streams.len() >= MAX_STREAMS && !self.streams.contains_key(&ssrc) {
            return;
        }
        let stream = self.streams.entry(ssrc).or_insert_with(Stream::new);
        if stream.cid.as_deref() != Some(cid) {
            stream.cid = Some(cid.to_owned());
            stream.area = 0;
        }
    }

    async fn replay(&mut self, cid: &str, receiving: &Receiving) {
        if !self.tracks.contains_key(cid) {
            return;
        }
        let early: Vec<Packet> = self
            .streams
            .values_mut()
            .filter(|stream| stream.cid.as_deref() == Some(cid))
            .flat_map(|stream| std::mem::take(&mut stream.early))
            .collect();
        for packet in early {
            self.packet(packet, receiving).await;
        }
    }

    async fn packet(&mut self, packet: Packet, receiving: &Receiving) {
        let now = Instant::now();
        let ssrc = packet.header.ssrc;
        if !self.streams.contains_key(&ssrc) {
            let unnamed = self.streams.values().filter(|s| s.cid.is_none()).count();
            if unnamed >= EARLY_STREAMS || self.streams.len() >= MAX_STREAMS {
                return;
            }
            self.streams.insert(ssrc, Stream::new());
        }
        let Some(stream) = self.streams.get_mut(&ssrc) else {
            return;
        };
        stream.heard = now;
        let Some(track) = stream.cid.as_ref().and_then(|cid| self.tracks.get_mut(cid)) else {
            if stream.early.len() < EARLY_PACKETS {
                stream.early.push(packet);
            }
            return;
        };
        if track.info.kind != TrackKind::Video {
            return;
        }
        let Verdict { pictures, ask_key } = stream.assembler.push(
            packet.header.sequence_number,
            packet.header.timestamp,
            packet.header.marker,
            &packet.payload,
            now,
        );
        let mut ask = ask_key;
        let cid = stream.cid.clone().unwrap_or_default();
        if track.line.is_none() {
            let line = Arc::new(Line::default());
            let (sender, reader) = mpsc::channel(1);
            receiving.tasks.spawn(line.clone().pump(sender));
            track.line = Some(line);
            let event = AgentEvent::TrackMedia {
                track: track.info.clone(),
                pictures: reader,
            };
            tokio::select! {
                () = receiving.over.cancelled() => return,
                _ = receiving.events.send(event) => {}
            }
        }
        for picture in pictures {
            if let Some((width, height)) = key_size(&picture.data) {
                self.choose(&cid, ssrc, u64::from(width) * u64::from(height), now);
            }
            let Some(track) = self.tracks.get(&cid) else {
                break;
            };
            if track.chosen == Some(ssrc)
                && let Some(line) = &track.line
            {
                ask |= !line.push(picture);
            }
        }
        if ask {
            self.ask_key(&cid).await;
        }
    }

    /// Of several layers the largest is shown; another one only when that has fallen silent.
    fn choose(&mut self, cid: &str, ssrc: u32, area: u64, now: Instant) {
        if let Some(stream) = self.streams.get_mut(&ssrc) {
            stream.area = area;
        }
        let Some(track) = self.tracks.get_mut(cid) else {
            return;
        };
        let shown = track
            .chosen
            .and_then(|chosen| self.streams.get(&chosen))
            .map(|stream| (stream.area, stream.heard));
        let better = match shown {
            None => true,
            Some((shown_area, heard)) => {
                area > shown_area || now.saturating_duration_since(heard) > LAYER_SILENCE
            }
        };
        if better {
            track.chosen = Some(ssrc);
        }
    }

    async fn tick(&mut self) {
        let now = Instant::now();
        let mut asking = Vec::new();
        for (ssrc, stream) in &mut self.streams {
            let Some(cid) = &stream.cid else { continue };
            let Some(track) = self.tracks.get(cid) else {
                continue;
            };
            let shown = track.chosen.is_none_or(|chosen| chosen == *ssrc);
            if stream.assembler.tick(now).ask_key && shown {
                asking.push(cid.clone());
            }
        }
        for cid in asking {
            self.ask_key(&cid).await;
        }
    }

    async fn ask_key(&mut self, cid: &str) {
        let Some((_, remote)) = self
            .remotes
            .iter()
            .rev()
            .find(|(own, _)| own == cid)
            .or_else(|| self.remotes.last())
        else {
            if !self.wanting.iter().any(|own| own == cid) {
                self.wanting.push(cid.to_owned());
            }
            return;
        };
        for (ssrc, stream) in &self.streams {
            if stream.cid.as_deref() == Some(cid) {
                let request = PictureLossIndication {
                    sender_ssrc: 0,
                    media_ssrc: *ssrc,
                };
                if let Err(error) = remote.write_rtcp(vec![Box::new(request)]).await {
                    tracing::debug!(%error, "a key picture could not be asked for");
                }
            }
        }
    }
}

impl Stream {
    fn new() -> Self {
        Self {
            assembler: Assembler::default(),
            cid: None,
            early: Vec::new(),
            area: 0,
            heard: Instant::now(),
        }
    }
}
