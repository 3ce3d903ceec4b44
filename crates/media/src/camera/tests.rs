//! The camera's thread and its watchdog, with a driver that misbehaves at the outermost edge.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
    mpsc,
};

use alidade_picture::{Picture, PictureId, Size};

use super::{device::*, *};

/// What the fake camera does at its n-th picture, from 0.
type Script = Box<dyn FnMut(u32) -> Result<Frame, SourceError> + Send>;

struct Fake {
    script: Script,
    held: Arc<AtomicBool>,
}

struct Running {
    script: Script,
    count: u32,
    held: Arc<AtomicBool>,
}

impl Driver for Fake {
    fn open(self: Box<Self>) -> Result<Box<dyn Device>, SourceError> {
        self.held.store(true, Ordering::SeqCst);
        Ok(Box::new(Running {
            script: self.script,
            count: 0,
            held: self.held,
        }))
    }
}

impl Device for Running {
    fn frame(&mut self) -> Result<Frame, SourceError> {
        self.count += 1;
        (self.script)(self.count - 1)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.held.store(false, Ordering::SeqCst);
    }
}

const QUICK: Patience = Patience {
    first: Duration::from_millis(300),
    next: Duration::from_millis(300),
    damaged: 60,
};

fn grey(level: u8) -> Frame {
    Frame {
        size: Size::new(4, 4),
        layout: Layout::Grey,
        bytes: vec![level; 16],
    }
}

/// A running fake, and whether its device is held.
fn camera(
    patience: Patience,
    script: impl FnMut(u32) -> Result<Frame, SourceError> + Send + 'static,
) -> (Arc<Slot>, Arc<AtomicBool>) {
    let slot = Slot::new();
    let held = Arc::new(AtomicBool::new(false));
    let fake = Fake {
        script: Box::new(script),
        held: held.clone(),
    };
    start_with(&slot, "Fake".into(), Box::new(fake), patience).unwrap();
    (slot, held)
}

fn paced(level: u32) -> Result<Frame, SourceError> {
    std::thread::sleep(Duration::from_millis(2));
    Ok(grey(level as u8))
}

fn first_level(picture: &Picture) -> u8 {
    picture.rgb()[0]
}

/// Sleeps until the sender is gone: a driver that hangs until the test lets it go.
fn hang(on: &mpsc::Receiver<()>) {
    let _ = on.recv();
}

#[tokio::test]
async fn pictures_come_one_after_the_other_and_the_device_is_let_go_on_stop() {
    let (slot, held) = camera(PATIENCE, paced);
    let mut after: Option<PictureId> = None;
    let mut level = None;
    for _ in 0..5 {
        let picture = slot.next(after).await.unwrap();
        assert!(after < Some(picture.id()));
        assert!(level < Some(first_level(&picture)));
        (after, level) = (Some(picture.id()), Some(first_level(&picture)));
    }
    assert!(held.load(Ordering::SeqCst));
    slot.stop();
    assert!(slot.wait_gone(Duration::from_secs(30)));
    assert!(!held.load(Ordering::SeqCst), "the light is still on");
    assert_eq!(slot.next(None).await.unwrap_err(), SourceError::Stopped);
}

#[tokio::test]
async fn pictures_nobody_waits_for_are_not_decoded() {
    let seen = Arc::new(AtomicU32::new(0));
    let counted = seen.clone();
    let (slot, _held) = camera(PATIENCE, move |n| {
        counted.store(n, Ordering::SeqCst);
        paced(n)
    });
    let first = slot.next(None).await.unwrap();
    while seen.load(Ordering::SeqCst) < 20 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // Twenty pictures went by; the newest one is still the first that was asked for.
    assert_eq!(slot.next(None).await.unwrap().id(), first.id());
    let second = slot.next(Some(first.id())).await.unwrap();
    assert_eq!(second.id(), PictureId(first.id().0 + 1));
    assert!(first_level(&second) >= 20, "it is a fresh one");
    slot.stop();
}

#[tokio::test]
async fn a_camera_that_stops_in_the_middle_times_out_and_its_thread_is_left_behind() {
    let (let_go, wait) = mpsc::channel();
    let (slot, held) = camera(QUICK, move |n| {
        if n == 3 {
            hang(&wait);
        }
        paced(n)
    });
    let mut after = None;
    let end = loop {
        match slot.next(after).await {
            Ok(picture) => after = Some(picture.id()),
            Err(end) => break end,
        }
    };
    assert!(matches!(end, SourceError::TimedOut { .. }), "{end}");
    assert!(end.to_string().starts_with("Fake gave no picture"));
    // An old picture is not shown as if it were the present.
    assert_eq!(slot.next(None).await.unwrap_err(), end);
    assert!(!slot.wait_gone(Duration::from_millis(1)), "it still hangs");
    drop(let_go);
    assert!(slot.wait_gone(Duration::from_secs(30)));
    assert!(!held.load(Ordering::SeqCst));
    assert_eq!(slot.next(None).await.unwrap_err(), end);
}

#[test]
fn a_camera_that_never_gives_a_first_picture_times_out() {
    let (let_go, wait) = mpsc::channel::<()>();
    let (slot, _held) = camera(QUICK, move |n| {
        hang(&wait);
        paced(n)
    });
    assert!(matches!(
        slot.wait_first().unwrap_err(),
        SourceError::TimedOut { .. }
    ));
    drop(let_go);
}

#[tokio::test]
async fn stopping_a_camera_that_hangs_does_not_hang() {
    let (let_go, wait) = mpsc::channel();
    let (tell, hangs) = mpsc::channel();
    let (slot, _held) = camera(PATIENCE, move |n| {
        if n == 1 {
            tell.send(()).unwrap();
            hang(&wait);
        }
        paced(n)
    });
    slot.next(None).await.unwrap();
    hangs.recv_timeout(Duration::from_secs(60)).unwrap();
    slot.stop();
    assert!(!slot.wait_gone(Duration::from_millis(20)));
    drop(let_go);
}

#[tokio::test]
async fn a_panic_in_the_driver_is_a_sentence() {
    let (slot, held) = camera(PATIENCE, |n| {
        assert!(n < 2, "a fault in the driver");
        paced(n)
    });
    let first = slot.next(None).await.unwrap();
    let mut after = Some(first.id());
    let end = loop {
        match slot.next(after).await {
            Ok(picture) => after = Some(picture.id()),
            Err(end) => break end,
        }
    };
    assert!(matches!(&end, SourceError::Camera { camera, .. } if camera == "Fake"));
    assert!(slot.wait_gone(Duration::from_secs(30)));
    assert!(!held.load(Ordering::SeqCst));
}

#[tokio::test]
async fn an_unplugged_or_busy_camera_says_so() {
    for error in [
        SourceError::Unplugged("Fake".into()),
        SourceError::Busy("Fake".into()),
    ] {
        let wanted = error.clone();
        let (slot, _held) = camera(PATIENCE, move |_| Err(error.clone()));
        assert_eq!(slot.next(None).await.unwrap_err(), wanted);
    }
}

fn damaged() -> Frame {
    Frame {
        bytes: vec![1; 3],
        ..grey(0)
    }
}

#[tokio::test]
async fn a_damaged_picture_is_passed_over() {
    let (slot, _held) = camera(PATIENCE, |n| {
        paced(n)?;
        Ok(if n % 2 == 0 { damaged() } else { grey(n as u8) })
    });
    let mut after = None;
    for _ in 0..4 {
        let picture = slot.next(after).await.unwrap();
        assert_eq!(first_level(&picture) % 2, 1);
        after = Some(picture.id());
    }
    slot.stop();
}

#[tokio::test]
async fn a_camera_that_gives_only_damaged_pictures_ends_with_a_sentence() {
    let strict = Patience {
        damaged: 5,
        ..PATIENCE
    };
    let (slot, _held) = camera(strict, |n| {
        paced(n)?;
        Ok(damaged())
    });
    let end = slot.next(None).await.unwrap_err();
    assert!(end.to_string().contains("damaged"), "{end}");
}

#[tokio::test]
async fn a_picture_whose_decoder_panics_is_passed_over() {
    let corrupt = |n| {
        // The beginning of a JPEG picture, then noise.
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xdb, 0x00, 0x43];
        bytes.extend((0..400_u32).map(|i| (i * 7919 + n) as u8));
        Frame {
            size: Size::new(16, 16),
            layout: Layout::Mjpeg,
            bytes,
        }
    };
    let (slot, _held) = camera(PATIENCE, move |n| {
        paced(n)?;
        Ok(if n < 10 { corrupt(n) } else { grey(7) })
    });
    assert_eq!(first_level(&slot.next(None).await.unwrap()), 7);
    slot.stop();
}
