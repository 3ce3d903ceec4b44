//! A camera, on a thread of its own that may be left behind.
//!
//! Drivers hang, panic and hand out damaged pictures. None of it reaches the caller but as a sentence:
//! a watchdog ends the source when no picture comes, panics are caught, a damaged picture is passed
//! over. Pictures are decoded only when somebody waits for one.

mod device;
mod scan;
mod through_nokhwa;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

pub use scan::{CameraInfo, cameras};

use crate::{SourceError, slot::Slot};
use device::{Driver, Frame};

/// Which camera.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CameraChoice {
    /// The first there is.
    #[default]
    First,
    /// By its number, the N of `/dev/videoN` on Linux.
    Index(u32),
    /// By its name, or a part of it; large and small letters alike.
    Named(String),
}

/// How long a camera may take, and how much it may get wrong.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// To open and give the first picture. Cheap ones take seconds to wake up.
    first: Duration,
    /// From one picture to the next.
    next: Duration,
    /// Damaged pictures in a row.
    damaged: u32,
}

const PATIENCE: Patience = Patience {
    first: Duration::from_secs(10),
    next: Duration::from_secs(3),
    damaged: 60,
};

pub(crate) fn start(slot: &Arc<Slot>, choice: &CameraChoice) -> Result<String, SourceError> {
    let info = scan::choose(choice, cameras()?)?;
    let driver = through_nokhwa::Nokhwa::new(&info);
    start_with(slot, info.name, Box::new(driver), PATIENCE)
}

fn start_with(
    slot: &Arc<Slot>,
    name: String,
    driver: Box<dyn Driver>,
    patience: Patience,
) -> Result<String, SourceError> {
    slot.guard(
        patience.first,
        SourceError::timed_out(&name, patience.first),
    )?;
    let camera = name.clone();
    slot.make("camera", move |slot| run(slot, &camera, driver, patience))?;
    Ok(name)
}

fn run(
    slot: &Slot,
    camera: &str,
    driver: Box<dyn Driver>,
    patience: Patience,
) -> Result<(), SourceError> {
    let mut device = caught(camera, || driver.open())?;
    let mut damaged = 0;
    while !slot.over() {
        let frame = caught(camera, || device.frame())?;
        slot.alive(Some(patience.next));
        if !slot.wanted() {
            continue;
        }
        match decoded(&frame) {
            Ok(picture) => {
                damaged = 0;
                slot.publish(picture);
            }
            Err(why) => {
                damaged += 1;
                tracing::debug!(camera, why, "a damaged picture is passed over");
                if damaged >= patience.damaged {
                    return Err(SourceError::Camera {
                        camera: camera.to_owned(),
                        why: format!("its pictures are damaged ({why})"),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Runs driver code; a panic in it becomes an error.
fn caught<T>(
    camera: &str,
    driver: impl FnOnce() -> Result<T, SourceError>,
) -> Result<T, SourceError> {
    catch_unwind(AssertUnwindSafe(driver)).unwrap_or_else(|_| {
        Err(SourceError::Camera {
            camera: camera.to_owned(),
            why: "its driver failed".into(),
        })
    })
}

fn decoded(frame: &Frame) -> Result<alidade_picture::Picture, String> {
    catch_unwind(AssertUnwindSafe(|| frame.decode()))
        .unwrap_or_else(|_| Err("the decoder failed".into()))
}

#[cfg(test)]
mod tests;
