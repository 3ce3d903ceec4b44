//! The commands as a person runs them: what they print and how they end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

fn cli() -> Command {
    Command::new(env!("CARGO_BIN_EXE_alidade-cli"))
}

fn settings() -> PathBuf {
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/pictures/settings.png"
    )
    .into()
}

fn ask(question: &str, image: &Path, more: &[&str]) -> Output {
    cli()
        .args(["ask", question, "--image"])
        .arg(image)
        .args(more)
        .output()
        .unwrap()
}

fn failed(output: &Output) -> String {
    let says = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!says.contains("panicked"), "{says}");
    assert_eq!(output.status.code(), Some(3), "{says}");
    assert!(says.trim().len() > 20, "a sentence: {says:?}");
    says
}

#[test]
fn a_found_thing_is_printed_and_marked_and_ends_with_0() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("marked.png");
    let output = ask(
        "Where is the Save button?",
        &settings(),
        &["--json", "--out", out.to_str().unwrap()],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let side = |n: usize| answer["boxes"][0][n].as_f64().unwrap();
    let (x, y) = (side(0) + side(2) / 2.0, side(1) + side(3) / 2.0);
    assert!(
        (1002.0..1112.0).contains(&(x * 1280.0)) && (672.0..708.0).contains(&(y * 800.0)),
        "{answer}"
    );
    let size = |path: &Path| fs::read(path).unwrap().len();
    assert!(size(&out) > 1000 && fs::read(&out).unwrap() != fs::read(settings()).unwrap());
    assert_eq!(
        fs::read_dir(place.path()).unwrap().count(),
        1,
        "nothing half-written is left"
    );
}

#[test]
fn what_is_not_there_ends_with_1_and_points_at_nothing() {
    let output = ask("Where is the Frobnicate button?", &settings(), &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["boxes"], &answer["not_found"]),
        (&serde_json::json!([]), &Value::Bool(true))
    );
}

#[test]
fn wrong_use_ends_with_2() {
    for arguments in [
        &["ask", "where?"][..],
        &["ask"],
        &["ask", "where?", "--image", "a.png", "--out", "a.txt"],
        &[
            "ask",
            "where?",
            "--image",
            "a.png",
            "--out",
            "/nowhere/a.png",
        ],
        &["ask", "where?", "--image", "a.png", "--out", "/proc/a.png"],
        &[
            "ask",
            "where?",
            "--image",
            "a.png",
            "--out",
            "/dev/null.png/a.png",
        ],
        &["host", "--origin", "null"],
        &["host", "--origin", "http://a.b/path"],
        &["fly"],
        &[],
    ] {
        let output = cli().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{arguments:?}"
        );
    }
}

#[test]
fn what_is_named_but_not_there_ends_with_3() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    for arguments in [
        &["ask", "where?", "--image", "/nowhere/a.png"][..],
        &["ask", "where?", "--image", "a.png", "--agent", "nobody"],
        &["ask", "--batch", "/nowhere/cases.jsonl"],
        &["ask", "--batch", folder],
    ] {
        let says = failed(&cli().args(arguments).output().unwrap());
        assert!(says.trim_end().ends_with('.'), "{says}");
        assert!(!says.contains("could not be written"), "{says}");
    }
}

#[test]
fn the_picture_that_is_looked_at_is_not_written_over() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::copy(settings(), at("in.png")).unwrap();
    std::os::unix::fs::symlink(at("in.png"), at("link.png")).unwrap();
    for out in ["in.png", "./in.png", "link.png"] {
        let output = ask(
            "Where?",
            &at("in.png"),
            &["--out", at(out).to_str().unwrap()],
        );
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
    assert!(fs::read(at("in.png")).unwrap() == fs::read(settings()).unwrap());
}

#[test]
fn a_file_that_is_read_only_is_not_written_over_and_nothing_is_asked() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("kept.png");
    fs::write(&out, "kept").unwrap();
    let mut rights = fs::metadata(&out).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&out, rights).unwrap();
    let output = ask(
        "Where is Save?",
        &settings(),
        &["--out", out.to_str().unwrap()],
    );
    let says = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{says}");
    assert!(
        says.contains("kept.png") && says.contains("read-only"),
        "{says}"
    );
    assert_eq!(fs::read(&out).unwrap(), b"kept");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn every_bad_picture_ends_with_3_and_a_sentence() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at("words.png"), "these are words").unwrap();
    fs::write(at("empty.png"), "").unwrap();
    let whole = fs::read(settings()).unwrap();
    fs::write(at("cut.png"), &whole[..whole.len() / 2]).unwrap();
    // A GIF of no width and no height.
    fs::write(at("nothing.gif"), b"GIF89a\0\0\0\0\0\0\0;").unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(at("pipe.png"))
            .status()
            .unwrap()
            .success()
    );
    for name in [
        "words.png",
        "empty.png",
        "cut.png",
        "nothing.gif",
        "pipe.png",
        "missing.png",
        ".",
    ] {
        failed(&ask("Where is Save?", &at(name), &[]));
    }
}

#[test]
fn no_camera_is_a_sentence() {
    if fs::read_dir("/dev")
        .unwrap()
        .flatten()
        .any(|e| e.file_name().to_string_lossy().starts_with("video"))
    {
        // A machine with cameras is asked for one that it does not have.
        let output = cli()
            .args(["ask", "where?", "--camera", "no such camera"])
            .output()
            .unwrap();
        failed(&output);
    } else {
        let output = cli().args(["ask", "where?", "--camera"]).output().unwrap();
        assert!(failed(&output).contains("camera"));
    }
}

#[test]
fn missing_model_files_are_named_with_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    let output = cli()
        .args(["ask", "Where is Save?", "--image"])
        .arg(settings())
        .env("ALIDADE_MODELS", place.path())
        .output()
        .unwrap();
    let says = failed(&output) + &String::from_utf8_lossy(&output.stdout);
    assert!(says.contains("model"), "{says}");
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_half_written() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("marked.png");
    // The shell ignores the signal for "file too large", so that writing fails as on a full disk.
    let script =
        "trap '' XFSZ; ulimit -f 4; exec \"$0\" ask 'Where is Save?' --image \"$1\" --out \"$2\"";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_alidade-cli")])
        .arg(settings())
        .arg(&out)
        .output()
        .unwrap();
    assert!(failed(&output).contains("marked.png"));
    assert!(
        !output.stdout.is_empty(),
        "the answer is not lost with its picture"
    );
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);

    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = cli()
        .args(["ask", "Where is Save?", "--image"])
        .arg(settings())
        .stdout(full)
        .output()
        .unwrap();
    // An answer that could not be printed is no answer.
    assert!(failed(&output).contains("The answer could not be written"));
}

#[test]
fn a_huge_picture_is_scaled_and_answered() {
    let place = tempfile::tempdir().unwrap();
    // All black, and never written: the file system keeps no byte of it.
    let huge = place.path().join("huge.pgm");
    let header = b"P5\n16384 16384\n255\n";
    fs::write(&huge, header).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&huge).unwrap();
    file.set_len(header.len() as u64 + 16_384 * 16_384).unwrap();
    let output = ask("Where is Save?", &huge, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_batch_answers_in_order_and_a_bad_line_spoils_only_itself() {
    let place = tempfile::tempdir().unwrap();
    fs::copy(settings(), place.path().join("s.png")).unwrap();
    let batch = place.path().join("cases.jsonl");
    let lines = [
        r#"{"id": "a", "image": "s.png", "question": "Where is Save?"}"#,
        "no json",
        "",
        r#"{"image": "missing.png", "question": "Where is Save?"}"#,
        r#"{"id": 7, "image": "s.png", "question": "Where is the Frobnicate button?"}"#,
    ];
    // With a byte-order mark, as some editors write.
    fs::write(&batch, format!("\u{feff}{}", lines.join("\n"))).unwrap();
    let output = cli()
        .arg("ask")
        .arg("--batch")
        .arg(&batch)
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(3),
        "one of them failed: {output:?}"
    );
    let out: Vec<Value> = output
        .stdout
        .lines()
        .map(|l| serde_json::from_str(&l.unwrap()).unwrap())
        .collect();
    assert_eq!(out.len(), 4, "{out:?}");
    assert_eq!(out[0]["id"], "a");
    assert_eq!(out[0]["boxes"].as_array().unwrap().len(), 1, "{}", out[0]);
    assert!(out[0]["ms"].is_u64() && out[0]["question"] == "Where is Save?");
    assert!(out[1]["error"].is_string() && out[1]["id"] == 2);
    assert!(out[2]["error"].is_string() && out[2]["image"] == "missing.png");
    assert_eq!(
        (&out[3]["id"], &out[3]["not_found"]),
        (&Value::from(7), &Value::Bool(true))
    );
}

#[test]
fn the_backend_says_where_it_is_and_ends_when_told() {
    let mut host = cli()
        .arg("host")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let url = lines.next().unwrap();
    let key = lines.next().unwrap();
    let port = url
        .strip_prefix("COSMO_BASE_URL=http://127.0.0.1:")
        .expect(&url)
        .to_owned();
    let key = key.strip_prefix("COSMO_API_KEY=").expect(&key).to_owned();
    assert!(key.len() >= 16);

    let refused = cli().args(["host", "--port", &port]).output().unwrap();
    assert!(failed(&refused).contains(&port));

    let mut socket = std::net::TcpStream::connect(("127.0.0.1", port.parse().unwrap())).unwrap();
    write!(socket, "GET /api/v1/external/realtime/verify HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut status = String::new();
    BufReader::new(socket).read_line(&mut status).unwrap();
    assert!(status.contains("401"), "{status}");

    Command::new("kill")
        .arg(host.id().to_string())
        .status()
        .unwrap();
    let rest = host.wait_with_output().unwrap();
    assert_eq!(rest.status.code(), Some(0), "{rest:?}");
    assert!(!String::from_utf8_lossy(&rest.stderr).contains(&key));
}

#[test]
fn agents_are_listed_and_checked() {
    let listed = cli().args(["agents", "list"]).output().unwrap();
    assert!(String::from_utf8_lossy(&listed.stdout).contains("point-and-ask"));
    let checked = cli()
        .args(["agents", "check", "point-and-ask"])
        .output()
        .unwrap();
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");

    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("agent.toml"), "name = 3\n").unwrap();
    let refused = cli()
        .args(["agents", "check"])
        .arg(place.path())
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("agent.toml:1:"),
        "{refused:?}"
    );
}

#[test]
fn r24_a_tool_that_no_session_starts_with_is_a_fault_of_the_agent() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("looker");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("instructions.md"), "Look.\n").unwrap();
    let check = |tools: &str| {
        let manifest =
            format!("name = \"looker\"\ndescription = \"Looks.\"\nserver_tools = [{tools}]\n");
        fs::write(folder.join("agent.toml"), manifest).unwrap();
        cli()
            .args(["agents", "check"])
            .arg(&folder)
            .output()
            .unwrap()
    };
    let fine = check("\"detect_objects\"");
    assert_eq!(fine.status.code(), Some(0), "{fine:?}");
    let refused = check("\"detect_objects\", \"screen_locate\"");
    let says = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{says}");
    assert!(
        says.contains("agent.toml:")
            && says.contains("not supported yet")
            && says.to_lowercase().contains("screen_locate"),
        "{says}"
    );
}
