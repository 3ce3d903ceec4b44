//! Screens of the X Window System.

mod area;
mod display;
mod grab;
mod target;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_picture::{Fit, Picture, PictureId, Pool, Region, Size};
use yuv::bgra_to_rgb;

use self::{
    area::{Rect, seen_of_own},
    display::{Display, Failure},
    grab::{Grabber, PIXEL},
    target::Target,
};
use super::{ScreenChoice, Screens};
use crate::{
    SourceError,
    slot::{Slot, Woken},
    still::FIT,
};

/// Between two looks while something moves.
const MOVING: Duration = Duration::from_millis(33);
/// Between two looks at a screen that has been still for [`STILL_AFTER`], or that nobody waits to see.
const STILL: Duration = Duration::from_millis(150);
const STILL_AFTER: Duration = Duration::from_secs(2);
/// A display that answers nothing for this long hangs.
const PATIENCE: Duration = Duration::from_secs(10);
/// What our own windows look like in a picture: nothing.
const MASK: u8 = 0x80;

pub(super) fn screens() -> Result<Screens, SourceError> {
    let display = Display::open()?;
    Ok(Screens {
        monitors: display.monitors()?,
        windows: display.windows()?,
    })
}

pub(super) fn start(slot: &Arc<Slot>, choice: ScreenChoice) -> Result<String, SourceError> {
    let display = Display::open()?;
    let target = Target::new(&display, choice)?;
    let name = target.name();
    slot.guard(
        PATIENCE,
        SourceError::Screen(format!("it gave no sign for {} s", PATIENCE.as_secs())),
    )?;
    slot.make("screen", move |slot| Eye::new(display, target).run(slot))?;
    Ok(name)
}

/// Looks at one target again and again.
struct Eye {
    display: Display,
    target: Target,
    grabber: Grabber,
    pool: Pool,
    /// The last picture's pixels as they came, our own windows masked, and where they lie.
    last: Vec<u8>,
    last_rect: Option<Rect>,
    /// The ones that are being looked at.
    now: Vec<u8>,
}

impl Eye {
    fn new(display: Display, target: Target) -> Self {
        Self {
            display,
            target,
            grabber: Grabber::new(),
            pool: Pool::new(),
            last: Vec::new(),
            last_rect: None,
            now: Vec::new(),
        }
    }

    fn run(mut self, slot: &Slot) -> Result<(), SourceError> {
        let mut changed = Instant::now();
        let outcome = loop {
            let begun = Instant::now();
            match self.look() {
                Ok(Some(picture)) => {
                    changed = begun;
                    slot.publish(picture);
                }
                Ok(None) | Err(Failure::Changed) => {}
                Err(Failure::Lasting(error)) => break Err(error),
            }
            slot.alive(Some(PATIENCE));
            if slot.sleep_until(begun + MOVING) == Woken::Stop {
                break Ok(());
            }
            let idle = changed.elapsed() > STILL_AFTER || !slot.wanted();
            if idle && slot.sleep_until(begun + STILL) == Woken::Stop {
                break Ok(());
            }
        };
        self.grabber.let_go(&self.display.connection);
        outcome
    }

    /// The picture, where it is another than last time.
    fn look(&mut self) -> Result<Option<Picture>, Failure> {
        let Some(view) = self.target.view(&self.display)? else {
            return Ok(None);
        };
        let before = match view.masked {
            true => self.display.placed()?,
            false => Vec::new(),
        };
        let pixels = self
            .grabber
            .grab(&self.display, view.drawable, view.inside)?;
        self.now.clear();
        self.now.extend_from_slice(pixels);
        if view.masked {
            // Only where nothing has moved in between is it known what lies where in the picture.
            if self.display.placed()? != before {
                return Err(Failure::Changed);
            }
            for rect in seen_of_own(&before) {
                mask(&mut self.now, view.place, rect);
            }
        }
        if self.last_rect == Some(view.place) && self.last == self.now {
            return Ok(None);
        }
        std::mem::swap(&mut self.last, &mut self.now);
        self.last_rect = Some(view.place);
        self.picture(view.place).map(Some)
    }

    fn picture(&self, place: Rect) -> Result<Picture, Failure> {
        let (width, height) = (place.width(), place.height());
        let size = Size::new(width, height);
        let mut converted = Ok(());
        let rgb = self
            .pool
            .filled(width as usize * height as usize * 3, |rgb| {
                let stride = width * PIXEL as u32;
                converted = bgra_to_rgb(&self.last, stride, rgb, width * 3, width, height);
            });
        let wrong = |why: String| Failure::Lasting(SourceError::Screen(why));
        converted.map_err(|error| wrong(error.to_string()))?;
        let region = Region {
            x: place.left,
            y: place.top,
            size,
        };
        let picture = Picture::from_rgb(PictureId(0), size, rgb)
            .map_err(|error| wrong(error.to_string()))?
            .with_region(region);
        let Fit { side, pixels } = FIT;
        let fitted = size.fitted(side, pixels);
        if fitted == size {
            return Ok(picture);
        }
        picture
            .scaled(fitted)
            .map_err(|error| wrong(error.to_string()))
    }
}

/// Covers what `rect` shows of ours in a picture that shows `place`.
fn mask(pixels: &mut [u8], place: Rect, rect: Rect) {
    let Some(hidden) = place.shared(rect) else {
        return;
    };
    let row = place.width() as usize * PIXEL;
    let from = (hidden.left - place.left).unsigned_abs() as usize * PIXEL;
    let length = hidden.width() as usize * PIXEL;
    let first = (hidden.top - place.top).unsigned_abs() as usize;
    for line in pixels
        .chunks_exact_mut(row.max(1))
        .skip(first)
        .take(hidden.height() as usize)
    {
        if let Some(part) = line.get_mut(from..from + length) {
            part.fill(MASK);
        }
    }
}

#[cfg(test)]
mod tests;
