//! Inputs that once came from outside, replayed through every parser.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::JoinQuery;
use crate::data::decode;
use crate::sdp::sections;
use crate::vp8::Assembler;

fn files(kind: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(kind);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.sort();
    files
}

/// The input, every beginning of it, and it with single bytes changed.
fn variants(input: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let step = (input.len() / 200).max(1);
    let cut = (0..=input.len())
        .step_by(step)
        .map(|end| input[..end].to_vec());
    let changed = (0..input.len()).step_by(step).flat_map(|at| {
        [0x00, 0x7f, 0x80, 0xff].map(|byte| {
            let mut changed = input.to_vec();
            changed[at] = byte;
            changed
        })
    });
    cut.chain(changed)
}

fn is_good(path: &Path) -> bool {
    path.file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .starts_with("good")
}

#[test]
fn joins() {
    for (path, input) in files("join") {
        let text = String::from_utf8_lossy(&input);
        assert_eq!(
            JoinQuery::parse(text.trim()).is_ok(),
            is_good(&path),
            "{}",
            path.display()
        );
        for variant in variants(&input) {
            let _ = JoinQuery::parse(&String::from_utf8_lossy(&variant));
        }
    }
}

#[test]
fn offers() {
    for (path, input) in files("sdp") {
        let text = String::from_utf8_lossy(&input);
        assert_eq!(
            !sections(&text).is_empty(),
            is_good(&path),
            "{}",
            path.display()
        );
        for variant in variants(&input) {
            let _ = sections(&String::from_utf8_lossy(&variant));
        }
    }
}

#[test]
fn packets() {
    for (path, input) in files("packet") {
        let read = decode(input.clone().into()).is_some_and(|packet| packet.value.is_some());
        assert_eq!(read, is_good(&path), "{}", path.display());
        for variant in variants(&input) {
            let _ = decode(variant.into());
        }
    }
}

#[test]
fn media() {
    for (path, input) in files("vp8") {
        let now = Instant::now();
        let whole = Assembler::default().push(1, 1, true, &input.clone().into(), now);
        assert_eq!(
            whole.pictures.len() == 1,
            is_good(&path),
            "{}",
            path.display()
        );
        for variant in variants(&input) {
            Assembler::default().push(1, 1, true, &variant.into(), now);
        }
    }
}
