//! A video file or animated picture, played at its own pace as if a camera saw it.
//!
//! `ffmpeg` decodes it in a process of its own and writes raw pictures into a pipe. The pipe is small,
//! so nothing runs ahead: this side reads a picture when its time has come.

mod ffmpeg;
mod y4m;

use std::{
    ffi::OsStr,
    io::BufReader,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_picture::open_file;

use crate::{
    SourceError,
    slot::{Slot, Woken},
    still,
};

/// Time without a picture after which a video counts as stuck.
const LIMIT: Duration = Duration::from_secs(10);

/// A delay larger than this is not made up for: the machine slept.
const SLEPT: Duration = Duration::from_secs(1);

pub(crate) fn start(slot: &Arc<Slot>, path: &Path, looped: bool) -> Result<String, SourceError> {
    start_with(slot, &ffmpeg::program(), path, looped)
}

fn start_with(
    slot: &Arc<Slot>,
    program: &OsStr,
    path: &Path,
    looped: bool,
) -> Result<String, SourceError> {
    // Only to look at: a pipe or a device must never reach the decoder.
    open_file(path).map_err(|error| SourceError::opening(path, &error))?;
    let name = still::name(path);
    slot.guard(LIMIT, name.clone())?;
    let mut child = ffmpeg::Child::start(program, path, looped)?;
    let killer = child.killer();
    slot.on_interrupt(move || killer.kill());
    let path = path.display().to_string();
    slot.make("video", move |slot| {
        let played = play(slot, &mut child);
        let said = child.finish();
        match played {
            Ok(0) => Err(SourceError::Video {
                path,
                why: ffmpeg::sentence(&said),
            }),
            Ok(_) => {
                if !said.is_empty() {
                    tracing::warn!(said, "the video is damaged");
                }
                Err(SourceError::Ended)
            }
            Err(why) => Err(SourceError::Video { path, why }),
        }
    })?;
    Ok(name)
}

/// Plays to the end and answers how many pictures there were.
fn play(slot: &Slot, child: &mut ffmpeg::Child) -> Result<u64, String> {
    let Some(pipe) = child.pictures() else {
        return Ok(0);
    };
    let mut reader = match y4m::Reader::new(BufReader::with_capacity(1 << 16, pipe)) {
        Ok(reader) => reader,
        Err(y4m::Broken::End) => return Ok(0),
        Err(y4m::Broken::Format(why)) => return Err(why),
    };
    let mut pace = Pace::new(reader.period(), Instant::now());
    let mut shown = 0;
    loop {
        let picture = match reader.picture() {
            Ok(picture) => picture,
            Err(y4m::Broken::End) => return Ok(shown),
            Err(y4m::Broken::Format(why)) => return Err(why),
        };
        if slot.sleep_until(pace.next(Instant::now())) == Woken::Stop {
            return Ok(shown);
        }
        slot.alive(Some(LIMIT));
        if !slot.publish(picture.with_time(Instant::now())) {
            return Ok(shown);
        }
        shown += 1;
    }
}

/// When the pictures of a video are due.
struct Pace {
    period: Duration,
    start: Instant,
    count: u32,
}

impl Pace {
    fn new(period: Duration, start: Instant) -> Self {
        Self {
            period,
            start,
            count: 0,
        }
    }

    /// When the next picture is due, which came at `now`. A small delay is made up for by the pictures
    /// after it; after a large one the pace begins anew.
    fn next(&mut self, now: Instant) -> Instant {
        let due = self.start + self.period * self.count;
        let late = now.saturating_duration_since(due);
        if late > SLEPT || self.count == u32::MAX {
            (self.start, self.count) = (now, 1);
            return now;
        }
        self.count += 1;
        due
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    const PERIOD: Duration = Duration::from_millis(40);

    #[test]
    fn pictures_are_due_at_the_videos_own_pace_and_a_small_delay_is_made_up_for() {
        let start = Instant::now();
        let mut pace = Pace::new(PERIOD, start);
        for n in 0..5 {
            assert_eq!(pace.next(start), start + PERIOD * n);
        }
        let late = start + PERIOD * 5 + Duration::from_millis(700);
        assert_eq!(pace.next(late), start + PERIOD * 5);
        assert_eq!(pace.next(late), start + PERIOD * 6);
    }

    #[test]
    fn after_the_machine_slept_a_video_goes_on_and_does_not_race() {
        let start = Instant::now();
        let mut pace = Pace::new(PERIOD, start);
        pace.next(start);
        let awake = start + Duration::from_secs(3600);
        assert_eq!(pace.next(awake), awake);
        assert_eq!(pace.next(awake), awake + PERIOD);
    }

    #[test]
    fn a_missing_program_is_named_with_the_way_to_get_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let missing = OsStr::new("there-is-no-such-program");
        let refused = start_with(&Slot::new(), missing, file.path(), false).unwrap_err();
        assert_eq!(refused, SourceError::NoVideoProgram);
        assert!(refused.to_string().contains("apt install ffmpeg"));
    }
}
