//! The rules of the house that can be read off the workspace: who may use whom, and what every crate
//! has in common.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// Which crate may use which others of ours, directly. `picture` and `draw` hold the words (picture,
/// area, mark) that everyone above them speaks, so they are named wherever they are spoken. `features`
/// holds no code and may be named by all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("features", &[]),
    ("wire", &[]),
    ("picture", &[]),
    ("draw", &["picture"]),
    ("codec", &["picture"]),
    ("room", &[]),
    ("agent", &["wire", "draw", "picture"]),
    ("sdk", &["agent", "room", "codec", "wire", "picture"]),
    ("locate", &["picture"]),
    ("media", &["picture"]),
    ("host", &["wire", "room", "codec", "locate", "picture"]),
    (
        "app",
        &["sdk", "host", "media", "locate", "draw", "picture"],
    ),
    ("cli", &["app"]),
    ("src-tauri", &["app", "cli"]),
    // Tests and benchmarks may look into every room.
    (
        "tests",
        &[
            "wire", "picture", "draw", "codec", "room", "agent", "sdk", "locate", "media", "host",
            "app", "cli",
        ],
    ),
];

fn workspace() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap()
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let table: BTreeMap<&str, BTreeSet<&str>> = MAY_USE
        .iter()
        .map(|(name, may)| (*name, may.iter().copied().collect()))
        .collect();
    let mut seen = BTreeSet::new();
    for package in &workspace().packages {
        let name = package.name.strip_prefix("alidade-").unwrap().to_owned();
        let allowed = table
            .get(name.as_str())
            .unwrap_or_else(|| panic!("{name} is not in the table"));
        for dependency in package
            .dependencies
            .iter()
            .filter(|d| d.kind == DependencyKind::Normal)
        {
            if let Some(used) = dependency.name.strip_prefix("alidade-") {
                assert!(
                    used == "features" || allowed.contains(used),
                    "alidade-{name} may not use alidade-{used}"
                );
            }
        }
        seen.insert(name);
    }
    let listed: BTreeSet<String> = table.keys().map(ToString::to_string).collect();
    assert_eq!(listed, seen, "the table names exactly the crates there are");
}

#[test]
fn every_crate_shares_version_licence_toolchain_and_lints() {
    let metadata = workspace();
    for package in &metadata.packages {
        assert_eq!(
            package.license.as_deref(),
            Some("Apache-2.0"),
            "{}",
            package.name
        );
        assert_eq!(
            package.rust_version.as_ref().unwrap().to_string(),
            "1.90.0",
            "{}",
            package.name
        );
        assert_eq!(
            package.publish,
            Some(vec![]),
            "{} must not be published by accident",
            package.name
        );
        let manifest = std::fs::read_to_string(&package.manifest_path).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{} does not use the workspace's lints",
            package.name
        );
        let pinned = manifest
            .lines()
            .find(|l| l.contains("version = \"") && !l.starts_with("version"));
        if package.name.as_str() != "alidade-features" {
            assert_eq!(
                pinned, None,
                "{}: versions stand in the workspace's Cargo.toml alone",
                package.name
            );
        }
    }
}

#[test]
fn unsafe_code_is_allowed_in_codec_and_media_alone() {
    let root = workspace().workspace_root;
    for room in std::fs::read_dir(root.join("crates")).unwrap() {
        let room = room.unwrap().path();
        let name = room.file_name().unwrap().to_string_lossy().into_owned();
        if matches!(name.as_str(), "codec" | "media") {
            continue;
        }
        for file in rust_files(&room.join("src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(
                !text.contains("allow(unsafe_code"),
                "{} allows unsafe code",
                file.display()
            );
        }
    }
}

fn rust_files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}
