//! The meeting place of one thread that makes pictures and any number of readers.
//!
//! It holds one picture, the newest. It also holds the end of the source, the wish to stop, and the
//! time by which the maker must give a sign of life.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use alidade_picture::{Picture, PictureId};
use parking_lot::{Condvar, Mutex};
use tokio::sync::watch;

use crate::SourceError;

/// See the module's page.
pub(crate) struct Slot {
    state: Mutex<State>,
    /// For threads: any change.
    changed: Condvar,
    /// For async readers: any change.
    news: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    latest: Option<Picture>,
    /// Nobody has seen `latest` yet.
    unseen: bool,
    /// Somebody waits for a picture newer than `latest`.
    wanted: bool,
    end: Option<SourceError>,
    stop: bool,
    skip: bool,
    due: Option<Instant>,
    made: u64,
    missed: u64,
    makers: usize,
    /// Ends what the maker waits for, such as a child process.
    interrupt: Option<Box<dyn Fn() + Send>>,
}

/// Why a maker's sleep is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// The time has come.
    Time,
    /// Somebody wants the next one now.
    Skip,
    /// The source is over.
    Stop,
}

impl Slot {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            news: watch::Sender::new(()),
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let out = change(&mut self.state.lock());
        self.changed.notify_all();
        self.news.send_replace(());
        out
    }

    // For the maker.

    /// Shows a picture under the next id; false where the source is over and nobody will see it.
    pub(crate) fn publish(&self, picture: Picture) -> bool {
        self.change(|state| {
            if state.over() {
                return false;
            }
            state.made += 1;
            state.missed += u64::from(state.unseen);
            state.latest = Some(picture.with_id(PictureId(state.made)));
            (state.unseen, state.wanted) = (true, false);
            true
        })
    }

    /// Ends the source; the first reason stays. What was shown last stays only where a video has ended
    /// in the ordinary way: the last picture of a camera that was unplugged shows the past.
    pub(crate) fn end(&self, why: SourceError) {
        self.change(|state| {
            if state.end.is_none() {
                if why != SourceError::Ended {
                    state.latest = None;
                }
                state.end = Some(why);
            }
        });
    }

    /// Whether the source is stopped or has ended.
    pub(crate) fn over(&self) -> bool {
        self.state.lock().over()
    }

    /// Whether a picture made now would be read.
    pub(crate) fn wanted(&self) -> bool {
        let state = self.state.lock();
        state.wanted || state.latest.is_none()
    }

    /// Sleeps until the time, a skip, or the end.
    pub(crate) fn sleep_until(&self, time: Instant) -> Woken {
        let mut state = self.state.lock();
        loop {
            if state.over() {
                return Woken::Stop;
            }
            if std::mem::take(&mut state.skip) {
                return Woken::Skip;
            }
            if self.changed.wait_until(&mut state, time).timed_out() {
                return if state.over() {
                    Woken::Stop
                } else {
                    Woken::Time
                };
            }
        }
    }

    /// The maker lives, and gives the next sign within `limit`; none is expected without one.
    pub(crate) fn alive(&self, limit: Option<Duration>) {
        // No notification: the watchdog looks again when the time it knew has come.
        self.state.lock().due = limit.map(|limit| Instant::now() + limit);
    }

    /// What is done, once, when the source is stopped or its maker gives no sign of life.
    pub(crate) fn on_interrupt(&self, interrupt: impl Fn() + Send + 'static) {
        let mut state = self.state.lock();
        if state.over() {
            interrupt();
        } else {
            state.interrupt = Some(Box::new(interrupt));
        }
    }

    /// Runs the maker on its own thread. When it returns an error, the source ends with it.
    pub(crate) fn make(
        self: &Arc<Self>,
        name: &str,
        maker: impl FnOnce(&Slot) -> Result<(), SourceError> + Send + 'static,
    ) -> Result<(), SourceError> {
        let slot = self.clone();
        self.state.lock().makers += 1;
        let run = move || {
            // Counts down also where the maker panics.
            let counted = Counted(&slot);
            if let Err(why) = maker(&slot) {
                slot.end(why);
            }
            drop(counted);
        };
        match thread::Builder::new().name(name.to_owned()).spawn(run) {
            Ok(_) => Ok(()),
            Err(error) => {
                self.state.lock().makers -= 1;
                Err(SourceError::NoRoom(error.to_string()))
            }
        }
    }

    /// Watches over the maker: a sign of life that does not come in time ends the source with `late`. The
    /// maker's thread is left behind if the interruption does not end it.
    pub(crate) fn guard(
        self: &Arc<Self>,
        limit: Duration,
        late: SourceError,
    ) -> Result<(), SourceError> {
        let slot = self.clone();
        self.alive(Some(limit));
        let run = move || {
            let mut state = slot.state.lock();
            loop {
                if state.over() {
                    return;
                }
                match state.due {
                    Some(due) if Instant::now() >= due => break,
                    Some(due) => _ = slot.changed.wait_until(&mut state, due),
                    None => slot.changed.wait(&mut state),
                }
            }
            let interrupt = state.interrupt.take();
            drop(state);
            tracing::warn!(why = %late, "a source gave no sign of life and is left behind");
            slot.end(late);
            if let Some(interrupt) = interrupt {
                interrupt();
            }
        };
        thread::Builder::new()
            .name("watchdog".into())
            .spawn(run)
            .map(drop)
            .map_err(|error| SourceError::NoRoom(error.to_string()))
    }

    // For the readers.

    /// The newest picture that is not `after`; waits for it.
    pub(crate) async fn next(&self, after: Option<PictureId>) -> Result<Picture, SourceError> {
        let mut news = self.news.subscribe();
        loop {
            if let Some(answer) = self.answer(after) {
                return answer;
            }
            // The sender lives as long as the slot.
            let _ = news.changed().await;
        }
    }

    fn answer(&self, after: Option<PictureId>) -> Option<Result<Picture, SourceError>> {
        let mut state = self.state.lock();
        if state.stop {
            return Some(Err(SourceError::Stopped));
        }
        if let Some(latest) = &state.latest
            && Some(latest.id()) != after
        {
            let latest = latest.clone();
            state.unseen = false;
            return Some(Ok(latest));
        }
        if let Some(end) = &state.end {
            return Some(Err(end.clone()));
        }
        state.wanted = true;
        None
    }

    /// Why the source is over, once it is. Makes nobody make a picture.
    pub(crate) async fn ended(&self) -> SourceError {
        let mut news = self.news.subscribe();
        loop {
            {
                let state = self.state.lock();
                if state.stop {
                    return SourceError::Stopped;
                }
                if let Some(end) = &state.end {
                    return end.clone();
                }
            }
            // The sender lives as long as the slot.
            let _ = news.changed().await;
        }
    }

    /// Waits on a plain thread until there is a picture, or the end.
    pub(crate) fn wait_first(&self) -> Result<(), SourceError> {
        let mut state = self.state.lock();
        loop {
            if state.latest.is_some() {
                return Ok(());
            }
            if let Some(end) = &state.end {
                return Err(end.clone());
            }
            if state.stop {
                return Err(SourceError::Stopped);
            }
            self.changed.wait(&mut state);
        }
    }

    pub(crate) fn skip(&self) {
        self.change(|state| state.skip = true);
    }

    /// Pictures that were replaced before anybody read them.
    pub(crate) fn missed(&self) -> u64 {
        self.state.lock().missed
    }

    /// Ends the source from the readers' side.
    pub(crate) fn stop(&self) {
        let interrupt = self.change(|state| {
            state.stop = true;
            state.latest = None;
            state.interrupt.take()
        });
        if let Some(interrupt) = interrupt {
            interrupt();
        }
    }

    /// Waits until the makers have let go of everything; false where one is left behind.
    pub(crate) fn wait_gone(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        let mut state = self.state.lock();
        while state.makers > 0 {
            if self.changed.wait_until(&mut state, until).timed_out() {
                return state.makers == 0;
            }
        }
        true
    }
}

impl State {
    fn over(&self) -> bool {
        self.stop || self.end.is_some()
    }
}

struct Counted<'a>(&'a Slot);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0
                .end(SourceError::NoRoom("a task ended unexpectedly".into()));
        }
        self.0.change(|state| state.makers -= 1);
    }
}
