//! Eyes that find whatever is asked for.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use alidade_host::Eyes;
use alidade_locate::{Cancel, Findings, Found, Line, LocateError, Object, Reading, Way};
use alidade_picture::{Area, Picture};

/// Finds whatever is asked for where the picture is brightest, as the brightness says.
#[derive(Default)]
pub(crate) struct MadeUp {
    pub(crate) reads: AtomicUsize,
    /// A find blocks until it is cancelled.
    pub(crate) stuck: AtomicBool,
    pub(crate) cancelled: AtomicUsize,
}

fn brightness(picture: &Picture) -> u8 {
    let rgb = picture.rgb();
    let sum: u64 = rgb.iter().map(|v| u64::from(*v)).sum();
    (sum / rgb.len() as u64) as u8
}

impl Eyes for MadeUp {
    fn find(
        &self,
        picture: &Picture,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError> {
        while self.stuck.load(Ordering::SeqCst) {
            if cancel.is_cancelled() {
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                return Err(LocateError::Cancelled);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        match phrase {
            "nothing" => Ok(Findings::default()),
            "panic" => panic!("made up"),
            _ => Ok(Findings {
                found: vec![Found {
                    area: Area::new(0.25, 0.5, 0.1, 0.2),
                    says: format!("{phrase} at {}", brightness(picture)),
                    way: Way::Text,
                    sure: 0.875,
                }],
                ambiguous: false,
            }),
        }
    }

    fn read(&self, picture: &Picture, _cancel: &Cancel) -> Result<Reading, LocateError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let mut reading = Reading::default();
        reading.lines.push(Line {
            text: format!("brightness {}", brightness(picture)),
            area: Area::new(0.1, 0.1, 0.5, 0.1),
            words: Vec::new(),
            sure: 1.0,
        });
        Ok(reading)
    }

    fn objects(&self, _picture: &Picture, _cancel: &Cancel) -> Result<Vec<Object>, LocateError> {
        Ok(vec![Object {
            name: "lamp".to_owned(),
            area: Area::new(0.0, 0.0, 1.0, 1.0),
            sure: 0.5,
        }])
    }

    fn similarity(&self, _phrase: &str, others: &[&str]) -> Result<Vec<f32>, LocateError> {
        Ok(vec![0.0; others.len()])
    }
}
