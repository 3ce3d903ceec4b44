//! A camera through `nokhwa`: every system's own way behind one interface.
//!
//! Known faults that are worked around: only `Closest` with a size the camera offers exactly opens
//! reliably, so sizes are tried in turn; errors are texts, so the system's number is read out of them;
//! a camera that stops blocks for ever, which the watchdog ends; panics are caught by the caller.

use std::panic::{AssertUnwindSafe, catch_unwind};

use alidade_picture::Size;
use nokhwa::{
    Camera, NokhwaError,
    utils::{
        CameraFormat, CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType, Resolution,
    },
};

use super::{
    CameraInfo,
    device::{Device, Driver, Frame, Layout},
};
use crate::SourceError;

/// Sizes that are asked for, the best first: text in 720p can be read, and it stays fluent.
const SIZES: [(u32, u32); 6] = [
    (1280, 720),
    (1920, 1080),
    (1280, 960),
    (800, 600),
    (640, 480),
    (640, 360),
];

/// Layouts, the best first: over USB 2 only Motion JPEG is fluent in 720p.
const LAYOUTS: [FrameFormat; 3] = [FrameFormat::MJPEG, FrameFormat::YUYV, FrameFormat::NV12];

/// Pictures a second that are asked for.
const RATE: u32 = 30;

pub(super) struct Nokhwa {
    index: CameraIndex,
    name: String,
}

impl Nokhwa {
    pub(super) fn new(info: &CameraInfo) -> Self {
        Self {
            index: CameraIndex::Index(info.index),
            name: info.name.clone(),
        }
    }
}

impl Driver for Nokhwa {
    fn open(self: Box<Self>) -> Result<Box<dyn Device>, SourceError> {
        let Self { index, name } = *self;
        let wishes = SIZES.iter().flat_map(|(width, height)| {
            LAYOUTS.iter().map(|layout| {
                let wish = CameraFormat::new(Resolution::new(*width, *height), *layout, RATE);
                RequestedFormatType::Closest(wish)
            })
        });
        let mut refused = None;
        // At last whatever it offers first.
        for wish in wishes.chain([RequestedFormatType::None]) {
            let format = RequestedFormat::with_formats(wish, &LAYOUTS);
            let opened = Camera::new(index.clone(), format).and_then(|mut camera| {
                camera.open_stream()?;
                Ok(camera)
            });
            match opened {
                Ok(camera) => {
                    tracing::debug!(camera = name, format = %camera.camera_format(), "opened");
                    return Ok(Box::new(Open { camera, name }));
                }
                Err(error) => {
                    let error = meaning(&name, &error);
                    // Another size helps only against a refused size.
                    if !matches!(error, SourceError::Camera { .. }) {
                        return Err(error);
                    }
                    refused = Some(error);
                }
            }
        }
        Err(refused.unwrap_or(SourceError::NoCamera))
    }
}

struct Open {
    camera: Camera,
    name: String,
}

impl Device for Open {
    fn frame(&mut self) -> Result<Frame, SourceError> {
        let buffer = self
            .camera
            .frame()
            .map_err(|error| meaning(&self.name, &error))?;
        let size = buffer.resolution();
        Ok(Frame {
            size: Size::new(size.width(), size.height()),
            layout: match buffer.source_frame_format() {
                FrameFormat::MJPEG => Layout::Mjpeg,
                FrameFormat::YUYV => Layout::Yuyv,
                FrameFormat::NV12 => Layout::Nv12,
                FrameFormat::GRAY => Layout::Grey,
                FrameFormat::RAWRGB => Layout::Rgb,
                FrameFormat::RAWBGR => Layout::Bgr,
            },
            bytes: buffer.buffer().to_vec(),
        })
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // The light goes off here; a driver that fails at it must not end the program.
        let _ = catch_unwind(AssertUnwindSafe(|| self.camera.stop_stream()));
    }
}

/// The system's number is all there is to tell errors apart by.
fn meaning(camera: &str, error: &NokhwaError) -> SourceError {
    let text = error.to_string();
    let number = text
        .split("os error ")
        .nth(1)
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next())
        .and_then(|digits| digits.parse::<u32>().ok());
    let camera = camera.to_owned();
    match number {
        Some(2) => SourceError::Unplugged(camera),
        Some(1 | 13) => SourceError::Denied(camera),
        Some(16) => SourceError::Busy(camera),
        // No such device or address, no such device.
        Some(6 | 19) => SourceError::Unplugged(camera),
        _ => SourceError::Camera { camera, why: text },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_denied_and_unplugged_have_their_own_sentences() {
        let of = |text: &str| {
            let error = NokhwaError::OpenDeviceError("0".into(), format!("V4L2 Error: {text}"));
            meaning("Webcam", &error)
        };
        let webcam = || "Webcam".to_owned();
        assert_eq!(
            of("Device or resource busy (os error 16)"),
            SourceError::Busy(webcam())
        );
        assert_eq!(
            of("Permission denied (os error 13)"),
            SourceError::Denied(webcam())
        );
        assert_eq!(
            of("No such device (os error 19)"),
            SourceError::Unplugged(webcam())
        );
        assert_eq!(
            of("No such file or directory (os error 2)"),
            SourceError::Unplugged(webcam())
        );
        for unclear in ["Failed to Fufill", "os error ", "os error 160"] {
            assert!(
                matches!(of(unclear), SourceError::Camera { .. }),
                "{unclear}"
            );
        }
    }

    #[test]
    fn a_camera_that_is_not_there_is_unplugged_and_nothing_panics() {
        let driver = Nokhwa {
            index: CameraIndex::Index(987_654),
            name: "Webcam".into(),
        };
        let refused = Box::new(driver).open().err();
        assert!(
            matches!(
                refused,
                Some(SourceError::Unplugged(_) | SourceError::Camera { .. })
            ),
            "{refused:?}"
        );
    }
}
