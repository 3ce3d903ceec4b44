//! Reading the files of a folder that may come from anyone.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::Fault;

/// No text of an agent is larger, in bytes.
pub(super) const LARGEST: u64 = 1 << 20;

/// The text of a regular file beneath `folder` of at most `largest` bytes; a link that leaves the folder
/// is not followed. A byte-order mark at its beginning is left out.
pub(super) fn read_beneath(folder: &Path, name: &str, largest: u64) -> Result<String, Fault> {
    let file = folder.join(name);
    let fault = |says: String| Fault {
        file: file.clone(),
        line: None,
        says,
    };
    let unreadable = |e: io::Error| fault(format!("This file cannot be read: {e}."));
    if fs::symlink_metadata(&file).is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
        return Err(fault("This file is missing. Every agent needs it.".into()));
    }
    let real = leads_beneath(folder, &file).map_err(&fault)?;
    let looked = fs::symlink_metadata(&real).map_err(unreadable)?;
    // Checked before opening: opening a pipe would wait for a writer that never comes.
    if !looked.is_file() {
        return Err(fault(
            "This is not a regular file. Put a text file here.".into(),
        ));
    }
    let opened = open(&real).map_err(unreadable)?;
    // And again once it is open: the name may lead elsewhere by now.
    let about = opened.metadata().map_err(unreadable)?;
    if !about.is_file() || !same(&looked, &about) {
        return Err(fault(
            "This file changed while it was opened. Try again.".into(),
        ));
    }
    if about.len() > largest {
        return Err(fault(format!(
            "This file has {} bytes; at most {largest} are read.",
            about.len()
        )));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed, so that a file that grew meanwhile is noticed.
    opened
        .take(largest + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(fault(format!(
            "This file has more than the {largest} bytes that are read."
        )));
    }
    let text = String::from_utf8(bytes).map_err(|e| Fault {
        file: file.clone(),
        line: Some(line_of(e.as_bytes(), e.utf8_error().valid_up_to())),
        says: "This line is not UTF-8 text. Save the file as UTF-8.".into(),
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Where `path` really is, if that is beneath `folder`: not the folder itself, nothing above it and
/// nothing beside it. The error is a sentence.
pub(super) fn leads_beneath(folder: &Path, path: &Path) -> Result<PathBuf, String> {
    let home = fs::canonicalize(folder)
        .map_err(|e| format!("The folder {} cannot be read: {e}.", folder.display()))?;
    let is_link = fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
    let real = fs::canonicalize(path).map_err(|e| {
        if is_link && e.kind() == io::ErrorKind::NotFound {
            "This is a link that leads nowhere. Put the thing itself here.".to_owned()
        } else {
            format!("This cannot be read: {e}.")
        }
    })?;
    if real == home || !real.starts_with(&home) {
        return Err(format!(
            "This is a link that leaves the folder {}. Put the thing itself here.",
            folder.display()
        ));
    }
    Ok(real)
}

#[cfg(target_os = "linux")]
fn open(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    // O_NONBLOCK: a pipe swapped in meanwhile does not hold us up.
    const NONBLOCK: i32 = 0o4000;
    fs::OpenOptions::new()
        .read(true)
        .custom_flags(NONBLOCK)
        .open(path)
}

#[cfg(not(target_os = "linux"))]
fn open(path: &Path) -> io::Result<fs::File> {
    fs::File::open(path)
}

#[cfg(unix)]
fn same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    a.len() == b.len()
}

/// The line of a byte position, counted from one.
pub(super) fn line_of(text: &[u8], at: usize) -> usize {
    1 + text[..at.min(text.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
}
