//! Pictures cut into packets and sent at a bearable pace.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use rtc::rtcp::payload_feedbacks::full_intra_request::FullIntraRequest;
use rtc::rtcp::payload_feedbacks::picture_loss_indication::PictureLossIndication;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use webrtc::media_stream::track_local::static_rtp::TrackLocalStaticRTP;
use webrtc::media_stream::track_local::{TrackLocal, TrackLocalEvent};

use crate::EncodedPicture;
use crate::client::TrackEnded;
use crate::limits::WAITING_PICTURES;
use crate::peer::Taken;
use crate::vp8::Packetiser;

/// Packets sent in one go. Socket buffers hold some 180; the receiver may be busy for a moment.
const BURST: usize = 64;
/// Rest after a burst.
const REST: Duration = Duration::from_millis(1);
/// When the last packet of a picture is sent again, unless another picture follows. Loss at the
/// end of a picture shows nowhere, so nobody would ask for it. Receivers drop the copies.
const REPEATS: [Duration; 3] = [
    Duration::from_millis(15),
    Duration::from_millis(45),
    Duration::from_millis(150),
];
/// Longest wait for the connection to take the last packets of a track that has ended. It does so
/// at once, unless it is closed or its other side is gone.
const TAKEN_PATIENCE: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<EncodedPicture>,
    broken: bool,
    written: u64,
    dropped: u64,
}

/// The line between an application and the sending task of one track.
#[derive(Debug)]
pub(crate) struct Sending {
    state: Mutex<State>,
    filled: Notify,
    done: watch::Sender<u64>,
    wanted: watch::Sender<u64>,
    over: CancellationToken,
}

impl Sending {
    pub(crate) fn new(over: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            filled: Notify::new(),
            done: watch::Sender::new(0),
            wanted: watch::Sender::new(0),
            over,
        })
    }

    pub(crate) fn wanted(&self) -> watch::Receiver<u64> {
        self.wanted.subscribe()
    }

    pub(crate) fn end(&self) {
        self.over.cancel();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.state.lock().dropped
    }

    pub(crate) fn write(&self, picture: EncodedPicture) -> Result<(), TrackEnded> {
        if self.over.is_cancelled() {
            return Err(TrackEnded);
        }
        let mut state = self.state.lock();
        state.written += 1;
        let before = state.dropped;
        if picture.key {
            // What has not left yet is old news.
            state.dropped += state.waiting.len() as u64;
            state.waiting.clear();
            state.broken = false;
            state.waiting.push_back(picture);
        } else if state.broken || state.waiting.len() >= WAITING_PICTURES {
            state.dropped += state.waiting.len() as u64 + 1;
            state.waiting.clear();
            state.broken = true;
        } else {
            state.waiting.push_back(picture);
        }
        let (dropped, broken) = (state.dropped - before, state.broken);
        drop(state);
        if dropped > 0 {
            self.done.send_modify(|done| *done += dropped);
        }
        if broken {
            self.wanted.send_modify(|count| *count += 1);
        }
        self.filled.notify_one();
        Ok(())
    }

    pub(crate) async fn flush(&self) -> Result<(), TrackEnded> {
        let goal = self.state.lock().written;
        let mut done = self.done.subscribe();
        tokio::select! {
            biased;
            reached = done.wait_for(|done| *done >= goal) => reached.map(drop).map_err(|_| TrackEnded),
            () = self.over.cancelled() => Err(TrackEnded),
        }
    }

    async fn next(&self) -> EncodedPicture {
        loop {
            let filled = self.filled.notified();
            if let Some(picture) = self.state.lock().waiting.pop_front() {
                return picture;
            }
            filled.await;
        }
    }
}

/// Sends what is written until the track or the connection ends. When this returns, the track may be
/// withdrawn: the connection has taken all its packets.
pub(crate) async fn send(
    sending: Arc<Sending>,
    track: Arc<TrackLocalStaticRTP>,
    mut packetiser: Packetiser,
    taken: Taken,
) {
    let ssrc = packetiser.ssrc();
    let written = AtomicU64::new(0);
    let write = async |packet| {
        track.write_rtp(packet).await?;
        written.fetch_add(1, Ordering::Relaxed);
        Ok::<(), webrtc::error::Error>(())
    };
    let over = sending.over.clone();
    let requests = async {
        while let Some(event) = track.poll().await {
            let TrackLocalEvent::OnRtcpPacket(packets) = event else {
                continue;
            };
            let asks = packets.iter().any(|packet| {
                let packet = packet.as_any();
                packet.is::<PictureLossIndication>() || packet.is::<FullIntraRequest>()
            });
            if asks {
                sending.wanted.send_modify(|count| *count += 1);
            }
        }
        std::future::pending::<()>().await;
    };
    let pictures = async {
        let mut next = sending.next().await;
        loop {
            let packets = packetiser.cut(&next.data, next.rtp_time);
            let last = packets.last().cloned();
            for (index, packet) in packets.into_iter().enumerate() {
                if index > 0 && index % BURST == 0 {
                    tokio::time::sleep(REST).await;
                }
                if let Err(error) = write(packet).await {
                    // The error's text holds the packet; its kind says enough.
                    drop(error);
                    tracing::debug!("the connection takes no more pictures");
                    return;
                }
            }
            sending.done.send_modify(|done| *done += 1);
            next = 'next: {
                for rest in REPEATS {
                    tokio::select! {
                        biased;
                        picture = sending.next() => break 'next picture,
                        () = tokio::time::sleep(rest) => {}
                    }
                    if let Some(last) = last.clone() {
                        let _ = write(last).await;
                    }
                }
                sending.next().await
            };
        }
    };
    tokio::select! {
        () = over.cancelled() => {}
        () = requests => {}
        () = pictures => {}
    }
    sending.over.cancel();
    let taken_over = taken.reached(ssrc, written.load(Ordering::Relaxed));
    if tokio::time::timeout(TAKEN_PATIENCE, taken_over)
        .await
        .is_err()
    {
        tracing::debug!("a track ends with packets that did not leave");
    }
    taken.forget(ssrc);
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::Sending;
    use crate::EncodedPicture;
    use crate::client::TrackEnded;

    fn picture(number: u32, key: bool) -> EncodedPicture {
        EncodedPicture::new(vec![0], number, key)
    }

    #[test]
    fn the_newest_picture_wins_and_drops_are_counted() {
        let sending = Sending::new(CancellationToken::new());
        for number in 0..5 {
            assert_eq!(sending.write(picture(number, true)), Ok(()));
        }
        assert_eq!(sending.dropped(), 4);
        assert_eq!(sending.state.lock().waiting[0].rtp_time, 4);
        assert_eq!(*sending.wanted().borrow(), 0);
    }

    #[test]
    fn a_full_line_starts_again_with_a_key_picture() {
        let sending = Sending::new(CancellationToken::new());
        for number in 0..4 {
            assert_eq!(sending.write(picture(number, number == 0)), Ok(()));
        }
        assert_eq!((sending.dropped(), *sending.wanted().borrow()), (0, 0));
        assert_eq!(sending.write(picture(4, false)), Ok(()));
        assert_eq!((sending.dropped(), *sending.wanted().borrow()), (5, 1));
        assert_eq!(sending.write(picture(5, false)), Ok(()));
        assert_eq!(sending.write(picture(6, true)), Ok(()));
        assert_eq!(sending.state.lock().waiting.len(), 1);
    }

    #[tokio::test]
    async fn an_ended_track_takes_nothing_and_keeps_nobody_waiting() {
        let sending = Sending::new(CancellationToken::new());
        assert_eq!(sending.write(picture(0, true)), Ok(()));
        sending.end();
        assert_eq!(sending.flush().await, Err(TrackEnded));
        assert_eq!(sending.write(picture(1, true)), Err(TrackEnded));
    }
}
