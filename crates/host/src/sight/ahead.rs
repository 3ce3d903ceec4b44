//! Reading ahead: a screen that stands still is read before anybody asks, so that the answer is quick.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use alidade_locate::Cancel;
use alidade_picture::Picture;
use parking_lot::Mutex;
use tokio::{sync::watch, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{Sight, tools::CancelOnDrop};
use crate::Eyes;

/// The reading that runs ahead of a question, if any.
#[derive(Default)]
pub(super) struct Ahead(Mutex<Option<Reading>>);

struct Reading {
    picture: Picture,
    cancel: Cancel,
    done: watch::Receiver<bool>,
}

impl Ahead {
    /// A question about `picture` comes: the reading of the same pixels is waited for, any other is
    /// stopped.
    pub(super) async fn make_way(&self, picture: &Picture) {
        let mut done = {
            let reading = self.0.lock();
            match &*reading {
                Some(reading) if reading.picture.shares_pixels_with(picture) => {
                    reading.done.clone()
                }
                Some(reading) => return reading.cancel.cancel(),
                None => return,
            }
        };
        // An error says that the reading is gone, which is as good.
        let _ = done.wait_for(|done| *done).await;
    }

    /// Stops what runs.
    pub(super) fn stop(&self) {
        if let Some(reading) = &*self.0.lock() {
            reading.cancel.cancel();
        }
    }
}

/// Watches the screen of one session until it is over.
pub(super) async fn watch(
    sight: Weak<Sight>,
    eyes: Arc<dyn Eyes>,
    after: Duration,
    closed: CancellationToken,
) {
    let Some(mut changed) = sight.upgrade().map(|sight| sight.changed.subscribe()) else {
        return;
    };
    let mut read: Option<Picture> = None;
    let mut still: Option<(Picture, Instant)> = None;
    loop {
        let now = match sight.upgrade() {
            Some(sight) => sight.screen(),
            None => return,
        };
        still = match (now, still) {
            (Some(now), Some((before, since))) if now.shares_pixels_with(&before) => {
                Some((now, since))
            }
            (Some(now), _) => Some((now, Instant::now())),
            (None, _) => None,
        };
        let due = match &still {
            Some((now, since))
                if !read
                    .as_ref()
                    .is_some_and(|read| read.shares_pixels_with(now)) =>
            {
                Some(*since + after)
            }
            _ => None,
        };
        tokio::select! {
            () = closed.cancelled() => return,
            moved = changed.changed() => if moved.is_err() { return },
            () = async {
                match due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            } => {
                if let (Some((picture, _)), Some(sight)) = (&still, sight.upgrade()) {
                    read = Some(picture.clone());
                    run(&sight, &eyes, picture.clone()).await;
                }
            }
        }
    }
}

async fn run(sight: &Sight, eyes: &Arc<dyn Eyes>, picture: Picture) {
    let guard = CancelOnDrop(Cancel::new());
    let (done, waiting) = watch::channel(false);
    *sight.ahead.0.lock() = Some(Reading {
        picture: picture.clone(),
        cancel: guard.0.clone(),
        done: waiting,
    });
    let (eyes, cancel) = (Arc::clone(eyes), guard.0.clone());
    let reading = tokio::task::spawn_blocking(move || eyes.read(&picture, &cancel).map(|_| ()));
    if let Ok(Err(error)) = reading.await {
        tracing::debug!(%error, "the screen was not read ahead");
    }
    *sight.ahead.0.lock() = None;
    let _ = done.send(true);
}
