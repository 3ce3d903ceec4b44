//! The `ffmpeg` process: how it is called, ended, and what it means to say.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read},
    path::Path,
    process::{ChildStdout, Command, Stdio},
    sync::Arc,
    thread,
};

use super::process::Process;
use crate::{SourceError, Wanted};

/// Longest side of a played picture: what a camera gives.
const SIDE: u32 = 1920;

/// Most pictures a second.
const RATE: u32 = 30;

/// Kinds of file that are played. Play lists are not among them: they name other files and addresses.
const KINDS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,gif,apng,mpeg,mpegts,mpegvideo,ogg,flv,asf,\
     h264,hevc,ivf,obu,av1,mjpeg,yuv4mpegpipe,nut,dv,webp_pipe";

/// Most bytes of its messages that are kept.
const KEPT: usize = 4096;

/// Which program decodes videos: `ALIDADE_FFMPEG`, else `ffmpeg` on the search path.
pub(super) fn program() -> OsString {
    std::env::var_os("ALIDADE_FFMPEG")
        .filter(|program| !program.is_empty())
        .unwrap_or_else(|| "ffmpeg".into())
}

/// A running decoder; ended when dropped.
pub(super) struct Child {
    process: Arc<Process>,
    said: Option<thread::JoinHandle<String>>,
}

impl Child {
    /// Starts decoding. Whatever the path looks like, it is read as the name of one local file.
    pub(super) fn start(program: &OsStr, path: &Path, looped: bool) -> Result<Self, SourceError> {
        // Absolute and with the protocol before it, a name cannot pass for an option or an address.
        let path =
            std::path::absolute(path).map_err(|e| SourceError::opening(path, &e, Wanted::Video))?;
        let mut input = OsString::from("file:");
        input.push(&path);
        let mut command = Command::new(program);
        command
            .env_remove("FFREPORT")
            .args(["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error"])
            .args(["-max_alloc", "536870912"])
            .args(["-protocol_whitelist", "file,pipe"])
            .args(["-format_whitelist", KINDS])
            // Before a decoder allocates: 8K and no more.
            .args(["-max_pixels", "33177600"])
            .args(["-stream_loop", if looped { "-1" } else { "0" }])
            .arg("-i")
            .arg(input)
            .args(["-map", "0:v:0", "-an", "-sn", "-dn", "-map_metadata", "-1"])
            .arg("-vf")
            .arg(filters())
            .args(["-f", "yuv4mpegpipe", "pipe:1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let process = Process::start(&mut command).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SourceError::NoVideoProgram,
            _ => SourceError::NoRoom(error.to_string()),
        })?;
        let messages = process.messages();
        let said = messages.and_then(|pipe| {
            thread::Builder::new()
                .name("video messages".into())
                .spawn(move || last_words(pipe))
                .ok()
        });
        Ok(Self {
            process: Arc::new(process),
            said,
        })
    }

    /// The pipe the pictures come out of; once.
    pub(super) fn pictures(&mut self) -> Option<ChildStdout> {
        self.process.output()
    }

    /// What to end it with from another thread.
    pub(super) fn process(&self) -> Arc<Process> {
        self.process.clone()
    }

    /// Ends it, and answers what it had to say.
    pub(super) fn finish(&mut self) -> String {
        // Its pictures were read to the end or are not wanted: there is nothing to wait for.
        self.process.finish();
        self.said
            .take()
            .and_then(|said| said.join().ok())
            .unwrap_or_default()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Square pixels, upright (ffmpeg turns them before), no larger than a camera's, at an even pace, in the
/// colours this side expects.
fn filters() -> String {
    format!(
        "scale=w='max(1,round(iw*sar))':h=ih,setsar=1,\
         scale=w='min(iw,{SIDE})':h='min(ih,{SIDE})':force_original_aspect_ratio=decrease:\
         out_color_matrix=bt601:out_range=tv,format=yuv420p,fps=fps='min(source_fps,{RATE})'"
    )
}

/// Reads messages to their end, so that the writer never waits, and keeps the first and the last.
fn last_words(mut pipe: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = pipe.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        if kept.len() > 2 * KEPT {
            kept.drain(KEPT / 2..kept.len() - KEPT / 2);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// What the messages mean to the person.
pub(super) fn sentence(said: &str) -> String {
    let known = [
        (
            "moov atom not found",
            "it is incomplete or not a video file; copy it again",
        ),
        ("matches no streams", "it has no moving picture in it"),
        (
            "does not contain any stream",
            "it has no moving picture in it",
        ),
        ("not in allowed", "it is not a video file"),
        ("Format not on whitelist", "it is not a video file"),
        ("not on whitelist", "it is not a video file"),
        ("Permission denied", "you are not allowed to read it"),
        ("max_pixels", "its pictures are too large"),
        ("Picture size", "its pictures are too large"),
        (
            "Decoder (codec",
            "ffmpeg here does not know how it was encoded",
        ),
        (
            "could not find codec",
            "ffmpeg here does not know how it was encoded",
        ),
        (
            "Unrecognized option",
            "this ffmpeg is too old; install version 4.4 or newer",
        ),
        (
            "Option not found",
            "this ffmpeg is too old; install version 4.4 or newer",
        ),
        ("Cannot allocate memory", "there is not enough memory"),
        (
            "Invalid data found",
            "it is damaged or not a video file; copy it again",
        ),
    ];
    known
        .iter()
        .find(|(sign, _)| said.contains(sign))
        .map_or_else(
            || "it is damaged or has no moving picture in it; copy it again".to_owned(),
            |(_, meaning)| (*meaning).to_owned(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_messages_is_read_to_its_end_and_kept_short() {
        let flood = format!("first\n{}last\n", "noise\n".repeat(1_000_000));
        let kept = last_words(flood.as_bytes());
        assert!(kept.len() <= 2 * KEPT && kept.starts_with("first") && kept.ends_with("last\n"));
    }

    #[test]
    fn unknown_messages_still_make_a_sentence() {
        assert!(!sentence("").is_empty());
        assert_eq!(
            sentence("[mov @ 0x55] moov atom not found\nInvalid data found"),
            "it is incomplete or not a video file; copy it again"
        );
    }
}
