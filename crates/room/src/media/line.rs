//! Received pictures waiting for the application. The newest ones count: whoever reads too
//! slowly loses the oldest, never the connection.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Notify, mpsc};

use crate::EncodedPicture;
use crate::limits::RECEIVED_PICTURES;

#[derive(Debug, Default)]
struct State {
    pictures: VecDeque<EncodedPicture>,
    /// Set after a drop: what follows cannot be decoded until a key picture comes.
    broken: bool,
    ended: bool,
    dropped: u64,
}

/// Keeps the newest pictures of one track.
#[derive(Debug, Default)]
pub(super) struct Line {
    state: Mutex<State>,
    changed: Notify,
}

impl Line {
    /// Takes a picture. `false` asks for a key picture: the reader was too slow for the others.
    pub(super) fn push(&self, picture: EncodedPicture) -> bool {
        let mut state = self.state.lock();
        let mut fine = true;
        if picture.key {
            state.broken = false;
        }
        if state.broken {
            state.dropped += 1;
            fine = false;
        } else {
            if state.pictures.len() >= RECEIVED_PICTURES {
                // Decoding can begin again at the newest key picture only.
                let keep = if picture.key {
                    state.pictures.len()
                } else {
                    state
                        .pictures
                        .iter()
                        .rposition(|waiting| waiting.key)
                        .filter(|index| *index > 0)
                        .unwrap_or(state.pictures.len())
                };
                state.pictures.drain(..keep);
                state.dropped += keep as u64;
                if state.pictures.is_empty() && !picture.key {
                    state.broken = true;
                    state.dropped += 1;
                    fine = false;
                }
            }
            if fine {
                state.pictures.push_back(picture);
            }
        }
        drop(state);
        self.changed.notify_one();
        fine
    }

    pub(super) fn dropped(&self) -> u64 {
        self.state.lock().dropped
    }

    pub(super) fn end(&self) {
        self.state.lock().ended = true;
        self.changed.notify_one();
    }

    /// Moves pictures to the application until the track or the application's interest ends.
    pub(super) async fn pump(self: Arc<Self>, out: mpsc::Sender<EncodedPicture>) {
        loop {
            // The place first, then the picture: while the reader is slow, the line still changes.
            let place = tokio::select! {
                place = out.reserve() => match place {
                    Ok(place) => place,
                    Err(_) => return,
                },
                () = self.until_ended() => return,
            };
            let picture = loop {
                {
                    let mut state = self.state.lock();
                    if state.ended {
                        return;
                    }
                    if let Some(picture) = state.pictures.pop_front() {
                        break picture;
                    }
                }
                tokio::select! {
                    () = self.changed.notified() => {}
                    () = out.closed() => return,
                }
            };
            place.send(picture);
        }
    }

    async fn until_ended(&self) {
        while !self.state.lock().ended {
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::sync::Arc;

    use tokio::sync::mpsc;

    use super::Line;
    use crate::EncodedPicture;
    use crate::limits::RECEIVED_PICTURES;

    fn picture(number: u32, key: bool) -> EncodedPicture {
        EncodedPicture::new(vec![0], number, key)
    }

    #[tokio::test]
    async fn a_slow_reader_gets_the_newest_decodable_pictures() {
        let line = Arc::new(Line::default());
        for number in 0..20 {
            assert!(line.push(picture(number, true)));
        }
        // Twice full, each time emptied in favour of the newest key picture.
        assert_eq!(line.dropped(), 16);
        let (sender, mut pictures) = mpsc::channel(1);
        let pump = tokio::spawn(line.clone().pump(sender));
        assert_eq!(pictures.recv().await.unwrap().rtp_time, 16);
        line.end();
        pump.await.unwrap();
        assert!(line.dropped() < 20);
    }

    #[tokio::test]
    async fn a_drop_asks_for_a_key_picture_and_waits_for_it() {
        let line = Arc::new(Line::default());
        assert!(line.push(picture(0, true)));
        for number in 1..RECEIVED_PICTURES as u32 {
            assert!(line.push(picture(number, false)));
        }
        assert!(!line.push(picture(100, false)));
        assert!(!line.push(picture(101, false)));
        assert!(line.push(picture(102, true)));
        assert!(line.push(picture(103, false)));
        let (sender, mut pictures) = mpsc::channel(1);
        tokio::spawn(line.clone().pump(sender));
        assert_eq!(pictures.recv().await.unwrap().rtp_time, 102);
        assert_eq!(pictures.recv().await.unwrap().rtp_time, 103);
    }
}
