//! What is printed: fit for a terminal, and told where it cannot be printed or followed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{fs, process::Command};

fn cli() -> Command {
    Command::new(env!("CARGO_BIN_EXE_alidade-cli"))
}

#[test]
fn nothing_that_is_printed_acts_on_the_terminal() {
    let nasty = "no\u{1b}[31m\n\u{202e}";
    for arguments in [
        &["ask", "where?", "--image", nasty][..],
        &["ask", "where?", "--image", "a.png", "--out", nasty],
        &["agents", "check", nasty],
        &["ask", "--batch", nasty],
        &[nasty],
        &["host", "--origin", nasty],
    ] {
        let output = cli().args(arguments).output().unwrap();
        let says = String::from_utf8(output.stderr).unwrap();
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!says.is_empty() && !says.chars().any(acts), "{says:?}");
    }
}

#[test]
fn an_output_that_is_full_is_told() {
    for arguments in [&["--help"][..], &["agents", "list"]] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = cli().args(arguments).stdout(full).output().unwrap();
        let says = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{says}");
        assert!(says.contains("could not be written"), "{says}");
    }
}

#[test]
fn settings_that_cannot_be_followed_are_told() {
    let output = cli()
        .args(["agents", "list"])
        .env("ALIDADE_AGENTS", "/nowhere/agents")
        .env("ALIDADE_LOG", "not[a filter")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let says = String::from_utf8(output.stderr).unwrap();
    assert!(
        says.contains("/nowhere/agents") && says.contains("ALIDADE_LOG"),
        "{says}"
    );
}
