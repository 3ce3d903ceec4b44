//! Decoding a track: every picture in order, because each builds on the one before; only the newest is
//! kept.

use std::{
    sync::Weak,
    time::{Duration, Instant},
};

use alidade_codec::vp8::Decoder;
use alidade_picture::PictureId;
use alidade_room::EncodedPicture;
use tokio::sync::mpsc;

use super::{Sight, steady};

/// A key picture is asked for no more often than this.
const KEY_EVERY: Duration = Duration::from_millis(300);

/// Runs on a thread that may block, until the track or the session ends.
pub(super) fn decode(
    sight: &Weak<Sight>,
    sid: &str,
    mut pictures: mpsc::Receiver<EncodedPicture>,
    ask_key: &dyn Fn(),
) {
    let mut decoder = match Decoder::new() {
        Ok(decoder) => decoder,
        Err(error) => {
            tracing::error!(%error, "no picture of the client can be decoded");
            return;
        }
    };
    let mut asked: Option<Instant> = None;
    let mut shown = None;
    while let Some(encoded) = pictures.blocking_recv() {
        let Some(sight) = sight.upgrade() else { return };
        if !sight.decoding(sid, true) {
            return;
        }
        match decoder.decode(&encoded.data) {
            Ok(Some(picture)) => {
                let id = PictureId(u64::from(encoded.rtp_time));
                let picture = picture.with_id(id).with_time(encoded.received);
                let picture = steady::or_same(shown.as_ref(), picture);
                shown = Some(picture.clone());
                if !sight.shows(sid, picture) {
                    return;
                }
            }
            Ok(None) => {}
            Err(error) => {
                tracing::debug!(%error, "a picture could not be decoded");
                if asked.is_none_or(|asked| asked.elapsed() >= KEY_EVERY) {
                    asked = Some(Instant::now());
                    ask_key();
                }
            }
        }
        if pictures.is_empty() && !sight.decoding(sid, false) {
            return;
        }
    }
}
