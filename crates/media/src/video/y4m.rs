//! Raw pictures as they come through the pipe: YUV4MPEG2, a line of facts, then for every picture a
//! line and its planes.

use std::{
    io::{self, BufRead},
    time::Duration,
};

use alidade_picture::{I420, Picture, PictureId, Pool, Size};

/// Longest line that is read.
const LINE: u64 = 512;

/// Largest area that is believed, in pixels.
const AREA: u64 = 40_000_000;

/// Why there is no further picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The pipe is at its end, or broke within a picture.
    End,
    /// What came is not what was agreed on.
    Format(String),
}

pub(super) struct Reader<R> {
    from: R,
    size: Size,
    period: Duration,
    pool: Pool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the first line.
    pub(super) fn new(mut from: R) -> Result<Self, Broken> {
        let line = line(&mut from)?;
        let mut words = line.split(' ');
        if words.next() != Some("YUV4MPEG2") {
            return Err(unexpected(&line));
        }
        let (mut size, mut period) = (Size::new(0, 0), None);
        for word in words {
            let (key, value) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            match key {
                "W" => size.width = value.parse().unwrap_or(0),
                "H" => size.height = value.parse().unwrap_or(0),
                "F" => period = per_picture(value),
                // All kinds of 4:2:0 with eight bits; where exactly chroma lies within half a pixel
                // does not matter here.
                "C" if value.starts_with("420") && !value.contains('p') => {}
                "C" if ["420jpeg", "420paldv", "420mpeg2"].contains(&value) => {}
                "C" => return Err(unexpected(&line)),
                _ => {}
            }
        }
        match period {
            Some(period) if !size.is_empty() && size.pixels() <= AREA => Ok(Self {
                from,
                size,
                period,
                pool: Pool::new(),
            }),
            _ => Err(unexpected(&line)),
        }
    }

    /// Time from one picture to the next.
    pub(super) fn period(&self) -> Duration {
        self.period
    }

    /// Reads the next picture.
    pub(super) fn picture(&mut self) -> Result<Picture, Broken> {
        let line = line(&mut self.from)?;
        if line.split(' ').next() != Some("FRAME") {
            return Err(unexpected(&line));
        }
        let mut read = Ok(());
        let planes = self.pool.filled(I420::length(self.size) as usize, |to| {
            read = self.from.read_exact(to);
        });
        read.map_err(|_| Broken::End)?;
        I420::new(self.size, planes)
            .and_then(|planes| Picture::from_i420(PictureId(0), planes))
            .map_err(|error| Broken::Format(error.to_string()))
    }
}

fn line(from: &mut impl BufRead) -> Result<String, Broken> {
    let mut line = Vec::new();
    match io::Read::take(from, LINE).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => return Err(Broken::End),
        Ok(_) => {}
    }
    if line.pop() != Some(b'\n') {
        return Err(Broken::End);
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// From "pictures:seconds" to the time of one picture, kept between 1 ms and 10 s.
fn per_picture(rate: &str) -> Option<Duration> {
    let (pictures, seconds) = rate.split_once(':')?;
    let (pictures, seconds): (f64, f64) = (pictures.parse().ok()?, seconds.parse().ok()?);
    let period = seconds / pictures;
    (period.is_finite() && period > 0.0).then(|| Duration::from_secs_f64(period.clamp(0.001, 10.0)))
}

fn unexpected(line: &str) -> Broken {
    Broken::Format(format!("the decoder answered something unexpected: {line}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn pictures_of_odd_sizes_are_read_one_by_one() {
        let mut stream = b"YUV4MPEG2 W3 H3 F30000:1001 Ip A1:1 C420jpeg XYSCSS=420JPEG\n".to_vec();
        for level in [7, 9] {
            stream.extend_from_slice(b"FRAME\n");
            stream.extend_from_slice(&[level; 9 + 8]);
        }
        stream.extend_from_slice(b"FRAME\nhalf");
        let mut reader = Reader::new(&*stream).unwrap();
        assert_eq!(reader.period().as_micros(), 33_366);
        for level in [7, 9] {
            let picture = reader.picture().unwrap();
            assert_eq!(picture.size(), Size::new(3, 3));
            assert!(picture.i420().y().iter().all(|y| *y == level));
        }
        assert_eq!(reader.picture().unwrap_err(), Broken::End);
    }

    #[test]
    fn what_is_no_stream_is_refused_whatever_it_is() {
        for start in [
            "",
            "\n",
            "GIF89a\n",
            "YUV4MPEG2\n",
            "YUV4MPEG2 W0 H4 F25:1\n",
            "YUV4MPEG2 W4 H4 F0:0\n",
            "YUV4MPEG2 W4 H4 F25\n",
            "YUV4MPEG2 W4 H4 F25:1 C444\n",
            "YUV4MPEG2 W4 H4 F25:1 C420p10\n",
            "YUV4MPEG2 W99999 H99999 F25:1\n",
            "YUV4MPEG2 W4 H4 F25:1",
        ] {
            assert!(Reader::new(start.as_bytes()).is_err(), "{start}");
        }
        let long = "x".repeat(10_000_000);
        assert_eq!(Reader::new(long.as_bytes()).err(), Some(Broken::End));
        let mut reader = Reader::new(&b"YUV4MPEG2 W4 H4 F25:1 C420mpeg2\nFRAMES\n"[..]).unwrap();
        assert!(matches!(reader.picture().unwrap_err(), Broken::Format(_)));
    }
}
