//! Skills on disk: found one level deep, read carefully. Nothing is followed out of the folder, and nothing that is
//! not a small regular file is opened.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use super::{Skill, SkillCode, SkillError, parse};

/// Largest `SKILL.md` that is read, in bytes; more than ten times what a model can be given.
pub const SKILL_FILE_BYTES_MAX: u64 = 256 * 1024;
/// Most entries of a folder that are looked at.
const ENTRIES_MAX: usize = 4096;

const FILE: &str = "SKILL.md";

pub(super) fn read(path: &Path) -> Result<Vec<Skill>, SkillError> {
    let path = expand_home(path);
    let not_a_folder = || {
        SkillError::new(
            SkillCode::NotADirectory,
            "there is no folder here; name a folder that holds SKILL.md files",
        )
        .in_file(&path)
    };
    let root = path.canonicalize().map_err(|_| not_a_folder())?;
    if !root.is_dir() {
        return Err(not_a_folder());
    }
    if let Some(skill) = skill_of(&root, &root, &path)? {
        return Ok(vec![skill]);
    }
    let mut folders = Vec::new();
    let entries = fs::read_dir(&root).map_err(|error| cannot_read(&path, &error.to_string()))?;
    for entry in entries.take(ENTRIES_MAX) {
        let entry = entry.map_err(|error| cannot_read(&path, &error.to_string()))?;
        if entry.path().is_dir() {
            folders.push(entry.file_name());
        }
    }
    // Code-point order: OsString compares bytes.
    folders.sort_unstable_by(|a: &OsString, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
    let mut skills = Vec::new();
    for name in folders {
        skills.extend(skill_of(&root, &root.join(&name), &path.join(&name))?);
    }
    if skills.is_empty() {
        tracing::warn!(folder = %path.display(), "no skills here");
    }
    Ok(skills)
}

/// The skill of one folder, if it has a `SKILL.md`. `shown` is the folder as the person named it.
fn skill_of(root: &Path, folder: &Path, shown: &Path) -> Result<Option<Skill>, SkillError> {
    let file = folder.join(FILE);
    let shown_file = shown.join(FILE);
    // The name must be exactly this, also where the file system ignores case.
    if !has_exact_entry(folder) {
        return Ok(None);
    }
    let Ok(real) = file.canonicalize() else {
        return Err(cannot_read(&shown_file, "it is a link that leads nowhere"));
    };
    if real.is_dir() {
        return Ok(None);
    }
    if !real.starts_with(root) {
        return Err(cannot_read(
            &shown_file,
            "it is a link that leads out of the folder",
        ));
    }
    let text = read_text(&real).map_err(|why| cannot_read(&shown_file, &why))?;
    let named = shown
        .file_name()
        .or_else(|| root.file_name())
        .map(|name| name.to_string_lossy().into_owned());
    let name = named.unwrap_or_default();
    parse(&text, &name)
        .map(Some)
        .map_err(|error| error.in_file(&shown_file))
}

fn has_exact_entry(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries
        .take(ENTRIES_MAX)
        .flatten()
        .any(|entry| entry.file_name() == FILE)
}

fn read_text(path: &Path) -> Result<String, String> {
    // Looked at before it is opened: opening a FIFO would wait for a writer.
    let looked = fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    if !looked.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = open(path).map_err(|error| error.to_string())?;
    // And again once it is open: the name may lead elsewhere by now.
    let opened = file.metadata().map_err(|error| error.to_string())?;
    if !opened.is_file() || !same(&looked, &opened) {
        return Err("it changed while it was opened".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(SKILL_FILE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > SKILL_FILE_BYTES_MAX {
        return Err(format!(
            "it is larger than {} KiB",
            SKILL_FILE_BYTES_MAX / 1024
        ));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
}

#[cfg(target_os = "linux")]
fn open(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // O_NONBLOCK: a FIFO swapped in meanwhile does not hold us up.
    const NONBLOCK: i32 = 0o4000;
    fs::OpenOptions::new()
        .read(true)
        .custom_flags(NONBLOCK)
        .open(path)
}

#[cfg(not(target_os = "linux"))]
fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
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

fn cannot_read(path: &Path, why: &str) -> SkillError {
    SkillError::new(SkillCode::CannotRead, format!("cannot be read: {why}")).in_file(path)
}

fn expand_home(path: &Path) -> PathBuf {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    match path.strip_prefix("~") {
        Ok(rest) => home().map_or_else(|| path.to_owned(), |home| home.join(rest)),
        Err(_) => path.to_owned(),
    }
}
