//! How fast the window is. Prints; nothing in it can fail for being slow.

#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::process::Command;

use crate::harness::{Window, file};

/// Runs a program to its end.
async fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program)
        .args(arguments)
        .status()
        .await
        .unwrap();
    assert!(status.success(), "{program}: {status}");
}

/// Processor time in seconds and resident memory in MiB of this program's processes, by their name in /proc.
fn cost(names: &[&str]) -> (f64, f64) {
    let (mut seconds, mut memory) = (0.0, 0.0);
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let folder = entry.path();
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        if !names.contains(&read("comm").trim()) {
            continue;
        }
        let stat = read("stat");
        let numbers: Vec<f64> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .skip(1)
            .filter_map(|n| n.parse().ok())
            .collect();
        // User and system time, in hundredths of a second.
        seconds += (numbers[10] + numbers[11]) / 100.0;
        memory += read("smaps_rollup")
            .lines()
            .find_map(|line| {
                line.strip_prefix("Pss:")?
                    .trim()
                    .strip_suffix(" kB")?
                    .parse()
                    .ok()
            })
            .map_or(0.0, |kib: f64| kib / 1024.0);
    }
    (seconds, memory)
}

const PROCESSES: [&str; 3] = ["alidade", "WebKitWebProces", "WebKitNetworkPr"];

async fn cost_over(span: Duration) -> String {
    let before = cost(&PROCESSES).0;
    let begun = Instant::now();
    tokio::time::sleep(span).await;
    let (after, memory) = cost(&PROCESSES);
    let share = (after - before) / begun.elapsed().as_secs_f64() * 100.0;
    format!("{share:.1} % of a core, {memory:.0} MiB")
}

#[tokio::test]
#[ignore = "measures: tests/desktop/run with the name of this test"]
async fn figures() {
    let started = Instant::now();
    let window = Window::open(&[file("settings.png")]).await;
    window.picture().await;
    println!(
        "start → first picture, driver included: {} ms",
        started.elapsed().as_millis()
    );
    tokio::time::sleep(Duration::from_secs(5)).await;
    println!(
        "a still picture, idle: {}",
        cost_over(Duration::from_secs(10)).await
    );

    // From the application's word that there is a mark until the frame that shows it.
    window
        .client
        .execute(
            "window.spans = []; new MutationObserver((all) => {
               if (!all.some((m) => [...m.addedNodes].some((n) => n.matches?.('.mark') || n.querySelector?.('.mark')))) return;
               const heard = performance.now();
               requestAnimationFrame(() => requestAnimationFrame(() => window.spans.push(performance.now() - heard)));
             }).observe(document.body, { childList: true, subtree: true })",
            vec![],
        )
        .await
        .unwrap();
    for round in 0..6 {
        window
            .ask(["Where is the Cancel button?", "Where is Save?"][round % 2])
            .await;
        let count = format!("return window.spans.length > {round} ? true : null");
        window.until("a mark", &count).await;
    }
    let spans = window.until("spans", "return window.spans").await;
    println!("mark in the page → second frame after it, ms: {spans}");
    println!(
        "in a session, idle: {}",
        cost_over(Duration::from_secs(10)).await
    );
    window.close().await;

    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("moving.mp4");
    let video = video.to_str().unwrap();
    run(
        "ffmpeg",
        &[
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=1280x720:rate=30:duration=20",
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            video,
        ],
    )
    .await;
    let window = Window::open(&[video.to_owned()]).await;
    window.picture().await;
    window
        .client
        .execute(
            "window.pictures = 0;
             const draw = CanvasRenderingContext2D.prototype.drawImage;
             CanvasRenderingContext2D.prototype.drawImage = function (...all) { window.pictures += 1; return draw.apply(this, all) };
             const put = ImageBitmapRenderingContext.prototype.transferFromImageBitmap;
             ImageBitmapRenderingContext.prototype.transferFromImageBitmap = function (...all) { window.pictures += 1; return put.apply(this, all) }",
            vec![],
        )
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let count = || async {
        match window
            .client
            .execute("return window.pictures", vec![])
            .await
            .unwrap()
        {
            Value::Number(n) => n.as_f64().unwrap(),
            other => panic!("{other}"),
        }
    };
    let (before, begun) = (count().await, Instant::now());
    let cost = cost_over(Duration::from_secs(8)).await;
    let rate = (count().await - before) / begun.elapsed().as_secs_f64();
    println!("720p at 30 a second: {rate:.1} pictures a second shown, {cost}");
    window.close().await;
}
