//! The pictures of a folder, one after the other.

use std::{
    cmp::Ordering,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    SourceError, Wanted,
    slot::{Slot, Woken},
    still,
};

/// Most pictures of one folder.
const MOST: usize = 10_000;

/// Shortest time a picture is shown.
const SHORTEST: Duration = Duration::from_millis(50);

const ENDINGS: [&str; 14] = [
    "png", "jpg", "jpeg", "jpe", "jfif", "webp", "gif", "bmp", "tif", "tiff", "pnm", "ppm", "pgm",
    "qoi",
];

pub(crate) fn start(slot: &Arc<Slot>, path: &Path, every: Duration) -> Result<String, SourceError> {
    let pictures = pictures(path)?;
    let folder = path.display().to_string();
    slot.make("pictures", move |slot| {
        show(slot, &folder, &pictures, every.max(SHORTEST))
    })?;
    Ok(still::name(path))
}

/// Shows them in turn. One that cannot be read is passed over; the source ends where none can.
fn show(
    slot: &Slot,
    folder: &str,
    pictures: &[PathBuf],
    every: Duration,
) -> Result<(), SourceError> {
    let mut failed: Option<SourceError> = None;
    let mut shown = false;
    loop {
        for path in pictures {
            if slot.over() {
                return Ok(());
            }
            let from = Instant::now();
            match still::read(path) {
                Ok(picture) => _ = slot.publish(picture),
                Err(why) => {
                    tracing::warn!(%why, "a picture of the folder is passed over");
                    failed = Some(why);
                    continue;
                }
            }
            shown = true;
            match slot.sleep_until(from + every) {
                Woken::Stop => return Ok(()),
                Woken::Time | Woken::Skip => {}
            }
        }
        // A whole round without a picture, the first one or after all were deleted.
        if !std::mem::take(&mut shown) {
            return Err(failed.unwrap_or_else(|| SourceError::NoPictures(folder.to_owned())));
        }
    }
}

/// The picture files of a folder by their endings, hidden ones left out, in natural order.
fn pictures(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let shown = || path.display().to_string();
    let entries = std::fs::read_dir(path).map_err(|error| {
        if path.exists() && !path.is_dir() {
            SourceError::NotAFolder(shown())
        } else {
            SourceError::opening(path, &error, Wanted::Folder)
        }
    })?;
    let mut pictures: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| is_picture(path))
        .take(MOST)
        .collect();
    if pictures.is_empty() {
        return Err(SourceError::NoPictures(shown()));
    }
    pictures.sort_by(|a, b| natural(&still::name(a), &still::name(b)).then_with(|| a.cmp(b)));
    Ok(pictures)
}

fn is_picture(path: &Path) -> bool {
    let known = path
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ENDINGS.iter().any(|e| ending.eq_ignore_ascii_case(e)));
    known && !still::name(path).starts_with('.') && path.is_file()
}

/// Runs of digits compare as numbers, everything else letter by letter, large and small alike.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let (Some(x), Some(y)) = (left.peek().copied(), right.peek().copied()) else {
            return left.peek().is_some().cmp(&right.peek().is_some());
        };
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (x, y) = (digits(&mut left), digits(&mut right));
            // Without leading zeros, the longer number is the larger one.
            x.len().cmp(&y.len()).then_with(|| x.cmp(&y))
        } else {
            left.next();
            right.next();
            x.to_lowercase().cmp(y.to_lowercase())
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

fn digits(from: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut run = String::new();
    while let Some(digit) = from.next_if(char::is_ascii_digit) {
        run.push(digit);
    }
    run.trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = [
            "b1.png",
            "a10.png",
            "a2.png",
            "A1.png",
            "a02b.png",
            "10.png",
            "9.png",
            "a.png",
            "",
            "a99999999999999999999999999999999.png",
            "a100.png",
        ];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            [
                "",
                "9.png",
                "10.png",
                "a.png",
                "A1.png",
                "a2.png",
                "a02b.png",
                "a10.png",
                "a100.png",
                "a99999999999999999999999999999999.png",
                "b1.png"
            ]
        );
    }
}
