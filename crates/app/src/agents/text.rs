//! Reading the files of a folder that may come from anyone.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use super::Fault;

/// No text of an agent is larger.
const LARGEST: u64 = 1 << 20;

/// The text of a regular file beneath `folder`; a link that leaves the folder is not followed.
pub(super) fn read_beneath(folder: &Path, name: &str) -> Result<String, Fault> {
    let file = folder.join(name);
    let fault = |says: String| Fault {
        file: file.clone(),
        line: None,
        says,
    };
    let real = real_path(&file).map_err(|e| {
        fault(format!(
            "This file cannot be read: {e}. Every agent needs it."
        ))
    })?;
    let home =
        real_path(folder).map_err(|e| fault(format!("The agent's folder cannot be read: {e}.")))?;
    if !real.starts_with(&home) {
        return Err(fault(
            "This is a link that leaves the agent's folder. Put the file itself here.".into(),
        ));
    }
    let about =
        fs::metadata(&real).map_err(|e| fault(format!("This file cannot be read: {e}.")))?;
    // Checked before opening: opening a pipe would wait for a writer that never comes.
    if !about.is_file() {
        return Err(fault(
            "This is not a regular file. Put a text file here.".into(),
        ));
    }
    if about.len() > LARGEST {
        return Err(fault(format!(
            "This file has {} bytes; at most {LARGEST} are read.",
            about.len()
        )));
    }
    let mut bytes = Vec::new();
    let opened =
        fs::File::open(&real).map_err(|e| fault(format!("This file cannot be opened: {e}.")))?;
    // One byte more than allowed, so that a file that grew meanwhile is noticed.
    opened
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| fault(format!("This file cannot be read: {e}.")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(fault(format!(
            "This file has more than the {LARGEST} bytes that are read."
        )));
    }
    String::from_utf8(bytes).map_err(|e| Fault {
        file: file.clone(),
        line: Some(line_of(e.as_bytes(), e.utf8_error().valid_up_to())),
        says: "This line is not UTF-8 text. Save the file as UTF-8.".into(),
    })
}

fn real_path(path: &Path) -> std::io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// The line of a byte position, counted from one.
pub(super) fn line_of(text: &[u8], at: usize) -> usize {
    1 + text[..at.min(text.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
}
