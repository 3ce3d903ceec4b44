//! Leaving the marked picture behind.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use alidade_draw::{marks::Seen, paint};
use alidade_picture::Picture;
use image::{ExtendedColorType, ImageEncoder, codecs};

/// Why there is no marked picture.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// It could not be written.
    #[error("the marked picture could not be written to {}: {why}", file.display())]
    Write {
        /// Where to.
        file: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
    /// It could not be encoded.
    #[error("the marked picture could not be encoded: {0}")]
    Encode(image::ImageError),
}

enum Format {
    Png,
    Jpeg,
}

fn format(file: &Path) -> Option<Format> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "png" => Some(Format::Png),
        "jpg" | "jpeg" => Some(Format::Jpeg),
        _ => None,
    }
}

/// Why a marked picture cannot go there, known before anything is asked: how the file is called, what
/// lies there, and whether a file can be made in its folder (one is, and taken away again).
#[must_use]
pub fn refuses(file: &Path) -> Option<String> {
    let shown = file.display();
    if format(file).is_none() {
        let only_an_ending = file.extension().is_none()
            && file.file_name().is_some_and(|name| {
                let mut named = std::ffi::OsString::from("x");
                named.push(name);
                format(Path::new(&named)).is_some()
            });
        return Some(if only_an_ending {
            format!("{shown} has no name before its ending; call it picture.png or so.")
        } else {
            format!("{shown} must end in .png or .jpg: that says how the picture is written.")
        });
    }
    // The thing itself, not what a link leads to.
    match fs::symlink_metadata(file) {
        Ok(about) if about.is_dir() => {
            return Some(format!("{shown} is a folder; give the name of a file."));
        }
        Ok(about) if about.is_symlink() => {
            return Some(format!(
                "{shown} is a link; give the name of the file that it leads to, or another one."
            ));
        }
        Ok(about) if !about.is_file() => {
            return Some(format!(
                "{shown} is a device or a pipe, not a regular file; give another name."
            ));
        }
        Ok(about) => {
            if let Some(why) = protected(file, &about) {
                return Some(format!(
                    "{shown} cannot be written over: {why}. Make it writable, or give another name."
                ));
            }
        }
        Err(_) => {}
    }
    let folder = folder_of(file);
    if !folder.is_dir() {
        return Some(format!(
            "The folder {} does not exist; make it first.",
            folder.display()
        ));
    }
    match Part::beside(file) {
        Ok(_) => None,
        Err(why) => Some(format!(
            "No picture can be written into the folder {}: {why}.",
            folder.display()
        )),
    }
}

/// Why a file that lies there already is not replaced: whoever took the right to write to it away wants it to stay,
/// though a new file in its folder could take its place.
fn protected(file: &Path, about: &fs::Metadata) -> Option<String> {
    if about.permissions().readonly() {
        return Some("it is read-only".to_owned());
    }
    // Opened as it is, nothing is cut off.
    let opened = fs::OpenOptions::new().write(true).open(file);
    opened.err().map(|why| why.to_string())
}

/// Why a marked picture cannot go there when this is what is looked at: it would destroy the original,
/// or a picture of a folder of them.
#[must_use]
pub fn refuses_over(file: &Path, original: &Path) -> Option<String> {
    let shown = file.display();
    if original.is_dir() {
        let within = file.exists() && same(&folder_of(file), original);
        return within.then(|| {
            format!("{shown} is one of the pictures that are looked at; give another name.")
        });
    }
    same(file, original)
        .then(|| format!("{shown} is what is looked at: it would be lost. Give another name."))
}

/// Whether two paths lead to one file, be it by links.
#[cfg(unix)]
fn same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Paints the marks on the picture and writes it, whole or not at all: what was there before
/// stays until the new one is complete, and who may read it does not change.
///
/// # Errors
/// [`MarkError`], a sentence each.
pub fn write(picture: &Picture, marks: &[Seen], file: &Path) -> Result<(), MarkError> {
    let marked = paint::paint(picture, marks);
    let failed = |why| MarkError::Write {
        file: file.to_path_buf(),
        why,
    };
    let part = Part::beside(file).map_err(failed)?;
    if let Ok(before) = fs::symlink_metadata(file)
        && before.is_file()
    {
        // Before a byte of the picture is in it.
        part.open
            .set_permissions(before.permissions())
            .map_err(failed)?;
    }
    encode(&marked, file, &part.open)?;
    fs::rename(&part.path, file).map_err(failed)
}

/// A file of our own beside the one that is to be, on the same file system. Taken away when dropped,
/// unless it has been renamed: half a picture helps nobody.
struct Part {
    path: PathBuf,
    open: fs::File,
}

impl Part {
    /// Never opens what is there already: in a folder that others may write to, that could be a link.
    fn beside(file: &Path) -> io::Result<Self> {
        let mut tried = 0;
        loop {
            // A short name: one as long as the file's own would not fit where that just does.
            let path = file.with_file_name(format!(".alidade-{}-{tried}.part", std::process::id()));
            match fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)
            {
                Ok(open) => return Ok(Self { path, open }),
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists && tried < 100 => tried += 1,
                Err(why) => return Err(why),
            }
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // That it may not be removable, or is gone because it was renamed, changes nothing.
        let _ = fs::remove_file(&self.path);
    }
}

fn encode(picture: &Picture, file: &Path, part: &fs::File) -> Result<(), MarkError> {
    let failed = |why| MarkError::Write {
        file: file.to_path_buf(),
        why,
    };
    let size = picture.size();
    let rgb = picture.rgb();
    let refused = |error| match error {
        image::ImageError::IoError(why) => failed(why),
        other => MarkError::Encode(other),
    };
    let mut out = BufWriter::new(part);
    let how = (size.width, size.height, ExtendedColorType::Rgb8);
    match format(file) {
        Some(Format::Jpeg) => {
            codecs::jpeg::JpegEncoder::new_with_quality(&mut out, 92)
                .write_image(&rgb, how.0, how.1, how.2)
                .map_err(refused)?;
        }
        _ => codecs::png::PngEncoder::new(&mut out)
            .write_image(&rgb, how.0, how.1, how.2)
            .map_err(refused)?,
    }
    out.flush().map_err(failed)?;
    // A full disk is told here at the latest.
    out.get_ref().sync_all().map_err(failed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::{PictureId, Size};

    fn picture() -> Picture {
        Picture::from_rgb(PictureId(1), Size::new(2, 1), vec![0; 6]).unwrap()
    }

    #[test]
    fn what_is_no_regular_file_is_not_written_over() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("there.png"), "x").unwrap();
        fs::create_dir(at("folder.png")).unwrap();
        std::os::unix::fs::symlink(at("there.png"), at("link.png")).unwrap();
        std::os::unix::fs::symlink(at("nowhere.png"), at("loose.png")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe.png"))
            .status();
        assert!(made.unwrap().success());
        for name in [
            "folder.png",
            "link.png",
            "loose.png",
            "pipe.png",
            ".png",
            "a.txt",
            "no/a.png",
        ] {
            assert!(refuses(&at(name)).is_some(), "{name}");
        }
        let before = fs::read_dir(place.path()).unwrap().count();
        assert_eq!(
            (refuses(&at("there.png")), refuses(&at("new.png"))),
            (None, None)
        );
        assert_eq!(fs::read(at("there.png")).unwrap(), b"x");
        assert_eq!(
            fs::read_dir(place.path()).unwrap().count(),
            before,
            "trying leaves nothing"
        );
        // Nobody, whatever their rights, makes a file there.
        assert!(refuses(Path::new("/proc/a.png")).is_some());
    }

    #[test]
    fn the_original_is_not_written_over() {
        let place = tempfile::tempdir().unwrap();
        let original = place.path().join("in.png");
        fs::write(&original, "x").unwrap();
        let hard = place.path().join("hard.png");
        fs::hard_link(&original, &hard).unwrap();
        for same in [original.clone(), place.path().join("./in.png"), hard] {
            assert!(
                refuses_over(&same, &original).is_some(),
                "{}",
                same.display()
            );
        }
        let other = place.path().join("out.png");
        assert_eq!(refuses_over(&other, &original), None);
        assert_eq!(
            refuses_over(&other, place.path()),
            None,
            "a new file in a folder"
        );
        assert!(refuses_over(&original, place.path()).is_some());
    }

    #[test]
    fn who_may_read_a_picture_stays_when_it_is_written_anew() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("a.png");
        fs::write(&file, "x").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        write(&picture(), &[], &file).unwrap();
        let about = fs::metadata(&file).unwrap();
        assert!(about.len() > 8);
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(place.path()).unwrap().count(),
            1,
            "nothing half-written is left"
        );
    }
}
