//! A video file or animated picture, played at its own pace as if a camera saw it.
//!
//! `ffmpeg` decodes it in a process of its own and writes raw pictures into a pipe. The pipe is small,
//! so nothing runs ahead: this side reads a picture when its time has come.

mod ffmpeg;
mod process;
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
    SourceError, Wanted,
    slot::{Slot, Woken},
    still,
};

/// Time without a picture after which a video counts as stuck.
const LIMIT: Duration = Duration::from_secs(10);

/// A delay larger than this is not made up for: the machine slept.
const SLEPT: Duration = Duration::from_secs(1);

pub(crate) fn start(slot: &Arc<Slot>, path: &Path, looped: bool) -> Result<String, SourceError> {
    start_with(slot, &ffmpeg::program(), path, looped, LIMIT)
}

fn start_with(
    slot: &Arc<Slot>,
    program: &OsStr,
    path: &Path,
    looped: bool,
    limit: Duration,
) -> Result<String, SourceError> {
    // Only to look at: a pipe or a device must never reach the decoder.
    let length = open_file(path).and_then(|file| Ok(file.metadata()?.len()));
    let length = length.map_err(|error| SourceError::opening(path, &error, Wanted::Video))?;
    let name = still::name(path);
    let shown = path.display().to_string();
    if length == 0 {
        return Err(SourceError::Video {
            path: shown,
            why: "it is empty; copy it again".into(),
        });
    }
    slot.guard(limit, SourceError::video_timed_out(&name, limit))?;
    let mut child = ffmpeg::Child::start(program, path, looped)?;
    let process = child.process();
    slot.on_interrupt(move || process.kill());
    let path = shown;
    slot.make("video", move |slot| {
        let played = play(slot, &mut child, limit);
        let said = child.finish();
        match played {
            Ok(0) => {
                // For whoever looks into it; the person gets a sentence.
                tracing::info!(said, "a video could not be played");
                let why = ffmpeg::sentence(&said);
                Err(SourceError::Video { path, why })
            }
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
fn play(slot: &Slot, child: &mut ffmpeg::Child, limit: Duration) -> Result<u64, String> {
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
        slot.alive(Some(limit));
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
        let file = video();
        let missing = OsStr::new("there-is-no-such-program");
        let refused = start_with(&Slot::new(), missing, file.path(), false, LIMIT).unwrap_err();
        assert_eq!(refused, SourceError::NoVideoProgram);
        assert!(refused.to_string().contains("apt install ffmpeg"));
    }

    /// What no program here looks into.
    fn video() -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "a video").unwrap();
        file
    }

    /// A program that starts another one and then does nothing for ever. The other one's number is in a
    /// file beside it.
    #[cfg(target_os = "linux")]
    fn hanging(folder: &Path) -> std::path::PathBuf {
        let program = folder.join("hanging");
        // Another process writes it: one that was started meanwhile from here would hold it open for
        // writing, and then it could not be run.
        let write = r#"printf '#!/bin/sh\nsleep 100000 &\necho $! > "$0.new"\nmv "$0.new" "$0.number"\nwait\n' > "$0" && chmod +x "$0""#;
        let written = std::process::Command::new("sh")
            .args(["-c", write])
            .arg(&program)
            .status();
        assert!(written.unwrap().success());
        program
    }

    /// Whether the process runs, rather than waits to be cleared away.
    #[cfg(target_os = "linux")]
    fn runs(number: &str) -> bool {
        std::fs::read_to_string(format!("/proc/{number}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_script_that_hangs_ends_with_all_it_started() {
        let (folder, file, slot) = (tempfile::tempdir().unwrap(), video(), Slot::new());
        let program = hanging(folder.path());
        let hour = Duration::from_secs(3600);
        start_with(&slot, program.as_os_str(), file.path(), false, hour).unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        let number = loop {
            if let Ok(number) = std::fs::read_to_string(folder.path().join("hanging.number")) {
                break number.trim().to_owned();
            }
            assert!(Instant::now() < until, "the script was not run");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(runs(&number));
        slot.stop();
        assert!(slot.wait_gone(hour));
        // The system may take a moment to end what was started by what has ended.
        let until = Instant::now() + Duration::from_secs(60);
        while runs(&number) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!runs(&number), "{number} is left behind");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_decoder_that_hangs_is_given_up_with_a_sentence_about_the_file() {
        let (folder, file, slot) = (tempfile::tempdir().unwrap(), video(), Slot::new());
        let program = hanging(folder.path());
        let limit = Duration::from_millis(200);
        start_with(&slot, program.as_os_str(), file.path(), false, limit).unwrap();
        let end = slot.wait_first().unwrap_err();
        assert!(matches!(end, SourceError::VideoTimedOut { .. }), "{end:?}");
        assert!(!end.to_string().contains("camera"), "{end}");
        assert!(slot.wait_gone(Duration::from_secs(60)));
    }
}
