//! Reads a picture: only what it has not read before.

use std::sync::OnceLock;

use alidade_picture::{Picture, PictureId, Size};
use parking_lot::Mutex;

use super::{
    Line, Reading,
    boxes::Slanted,
    cache::{Luma, Pictures, Strips},
    detect::Detector,
    lines,
    recognise::{Char, Recogniser},
    strip::Strip,
};
use crate::{Cancel, LocateError, Models};

/// Lines read from one picture at most: a page of small print has half of this.
const LINES: usize = 1500;
/// Above this share of changed squares the whole picture is read again.
const FEW: f64 = 0.6;
/// Rows around a change that are looked at with it, so that no line is cut.
const AROUND: u32 = 48;
/// Lines that are read at the same time.
const HANDS: usize = 2;

/// The text networks and what they read before.
#[derive(Default)]
pub(crate) struct Reader {
    detector: OnceLock<Detector>,
    recogniser: OnceLock<Recogniser>,
    loading: Mutex<()>,
    strips: Strips,
    pictures: Pictures,
}

impl Reader {
    /// Every line of the picture. RGB picture of bounded size.
    pub(crate) fn read(
        &self,
        models: &Models,
        picture: &Picture,
        cancel: &Cancel,
    ) -> Result<Reading, LocateError> {
        cancel.check()?;
        let luma = Luma::of(picture);
        let mut kept = Vec::new();
        let mut rows = 0..picture.size().height;
        let height = f64::from(picture.size().height);
        if let Some((changes, before)) = self.pictures.nearest(&luma) {
            let Some(changed) = changes.rows() else {
                return Ok(before);
            };
            if changes.share() <= FEW {
                rows = changed.start.saturating_sub(AROUND)..(changed.end + AROUND).min(rows.end);
                kept = before.lines;
                kept.retain(|l| !changes.touch(&l.area));
            }
        }
        let (detector, recogniser) = self.networks(models)?;
        let band = band(picture, &rows)?;
        let mut slanted = detector.lines(&band)?;
        cancel.check()?;
        for line in &mut slanted {
            line.y += f64::from(rows.start);
        }
        let fresh = self.recognised(recogniser, picture, &slanted, cancel)?;
        // A line at the rim of the band may be cut, but what it shows has not changed; elsewhere the new
        // reading counts.
        let rim = |line: &Line| {
            let near = |edge: u32, open: bool, at: f64| {
                open && (at * height - f64::from(edge)).abs() < 3.0
            };
            near(rows.start, rows.start > 0, line.area.y)
                || near(
                    rows.end,
                    rows.end < picture.size().height,
                    line.area.bottom(),
                )
        };
        for line in fresh {
            let again = |k: &Line| {
                let least = line.area.extent().min(k.area.extent());
                k.area
                    .shared(&line.area)
                    .is_some_and(|s| s.extent() > 0.3 * least)
            };
            if !rim(&line) {
                kept.retain(|k| !again(k));
                kept.push(line);
            } else if !kept.iter().any(again) {
                kept.push(line);
            }
        }
        let reading = Reading {
            lines: in_order(kept),
        };
        self.pictures.put(luma, reading.clone());
        Ok(reading)
    }

    fn networks(&self, models: &Models) -> Result<(&Detector, &Recogniser), LocateError> {
        let _one = self.loading.lock();
        if self.detector.get().is_none() {
            let _ = self.detector.set(Detector::load(models)?);
        }
        if self.recogniser.get().is_none() {
            let _ = self.recogniser.set(Recogniser::load(models)?);
        }
        match (self.detector.get(), self.recogniser.get()) {
            (Some(detector), Some(recogniser)) => Ok((detector, recogniser)),
            _ => Err(LocateError::inference("the text networks are not there")),
        }
    }

    fn recognised(
        &self,
        recogniser: &Recogniser,
        picture: &Picture,
        slanted: &[Slanted],
        cancel: &Cancel,
    ) -> Result<Vec<Line>, LocateError> {
        let strips: Vec<Strip> = slanted
            .iter()
            .filter_map(|s| Strip::cut(picture, s))
            .flat_map(lines::labels)
            .take(LINES)
            .collect();
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || -> Result<Vec<Line>, LocateError> {
            let mut read = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(strip) = strips.get(index) else {
                    return Ok(read);
                };
                cancel.check()?;
                let line = self.line(recogniser, strip)?;
                read.extend(line.into_iter().flat_map(lines::parted));
            }
        };
        let parts =
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..HANDS).map(|_| scope.spawn(work)).collect();
                let mut parts = vec![work()];
                for other in others {
                    parts.push(other.join().unwrap_or_else(|_| {
                        Err(LocateError::inference("a reading thread failed"))
                    }));
                }
                parts
            });
        let mut read = Vec::new();
        for part in parts {
            read.extend(part?);
        }
        Ok(read)
    }

    fn line(&self, recogniser: &Recogniser, strip: &Strip) -> Result<Option<Line>, LocateError> {
        // Text that runs up or down: higher than wide, and more than one character.
        if strip.height as f64 > 2.2 * strip.width as f64 {
            let mut best: Option<Line> = None;
            for turned in [strip.quarter(true), strip.quarter(false)] {
                let line = lines::line(&turned, &self.characters(recogniser, &turned)?);
                if let Some(line) = line.filter(|l| best.as_ref().is_none_or(|b| l.sure > b.sure)) {
                    best = Some(line);
                }
            }
            return Ok(best.filter(|l| l.text.chars().count() > 2 && l.sure > 0.8));
        }
        Ok(lines::line(strip, &self.characters(recogniser, strip)?))
    }

    fn characters(&self, recogniser: &Recogniser, strip: &Strip) -> Result<Vec<Char>, LocateError> {
        let key = strip.key();
        if let Some(read) = self.strips.get(key) {
            return Ok(read);
        }
        let read = recogniser.read(strip)?;
        self.strips.put(key, read.clone());
        Ok(read)
    }
}

/// These rows of the picture as one of their own.
fn band(picture: &Picture, rows: &std::ops::Range<u32>) -> Result<Picture, LocateError> {
    let size = picture.size();
    if rows.len() as u32 == size.height {
        return Ok(picture.clone());
    }
    let stride = size.width as usize * 3;
    let bytes = picture.rgb()[rows.start as usize * stride..rows.end as usize * stride].to_vec();
    Picture::from_rgb(
        PictureId(picture.id().0),
        Size::new(size.width, rows.len() as u32),
        bytes,
    )
    .map_err(|e| LocateError::Picture(e.to_string()))
}

/// Top to bottom, and left to right among those that stand in one row.
fn in_order(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.area.centre().y.total_cmp(&b.area.centre().y));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let middle = line.area.centre().y;
        match rows.last_mut() {
            Some(row)
                if row.first().is_some_and(|f| {
                    middle < f.area.bottom()
                        && (middle - f.area.centre().y) < 0.5 * line.area.height.max(f.area.height)
                }) =>
            {
                row.push(line)
            }
            _ => rows.push(vec![line]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.area.x.total_cmp(&b.area.x));
    }
    rows.into_iter().flatten().collect()
}
