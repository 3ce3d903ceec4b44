//! Figures of the whole thread, in one process on this machine: start → ready, question → mark by
//! stage, memory and processor time of a session. `tests/bench` builds and runs it.
//!
//! Every figure is p50 and p95 over the runs that stand beside it. Nothing is asserted here.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::{
    error::Error,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use alidade_host::{Host, HostOptions, Limits};
use alidade_locate::{Locator, Models};
use alidade_picture::{DecodeLimits, Picture, PictureId};
use alidade_sdk::{
    Session, TrackSource,
    agent::{
        Agent, Backend, Event,
        rest::Endpoint,
        tool::draw::{Shown, draw_box},
    },
    wire::{
        server::{Role, ServerFrame},
        start::ServerTool,
    },
};

type Outcome<T> = Result<T, Box<dyn Error>>;

const STARTS: usize = 40;
const COLD: usize = 5;
const WARM: usize = 20;
/// A screen, and a question about one of its lines.
const SCREENS: [(&str, &str, &str); 2] = [
    (
        "100 short lines",
        "labels.png",
        "Where is \"Window grammar portrait\"?",
    ),
    (
        "100 long lines",
        "lines.png",
        "Where is \"Market sketch meter point copper contrast\"?",
    ),
];

#[tokio::main]
async fn main() -> Outcome<()> {
    starts().await?;
    for (name, file, question) in SCREENS {
        questions(name, &picture(file)?, question).await?;
    }
    Ok(())
}

fn picture(name: &str) -> Outcome<Picture> {
    let path = format!("{}/pictures/{name}", env!("CARGO_MANIFEST_DIR"));
    Ok(Picture::decode(
        &std::fs::read(path)?,
        PictureId(0),
        DecodeLimits::default(),
    )?)
}

async fn host() -> Outcome<Host> {
    let locator = Locator::open(Models::find()?)?;
    // Reading ahead would hide what a cold question costs.
    let limits = Limits {
        read_ahead: None,
        ..Limits::default()
    };
    Ok(Host::start(HostOptions {
        locator: Some(Arc::new(locator)),
        limits,
        ..HostOptions::default()
    })
    .await?)
}

fn backend(host: &Host) -> Outcome<Backend> {
    Ok(Backend::new(Endpoint::new(
        &host.base_url(),
        host.api_key().reveal(),
    )?)?)
}

async fn starts() -> Outcome<()> {
    let host = host().await?;
    let before = resources()?;
    let mut took = Vec::new();
    for _ in 0..STARTS {
        let agent = Agent::inline().build()?;
        let begun = Instant::now();
        let session = Session::start(agent, backend(&host)?).await?;
        took.push(begun.elapsed());
        session.end().await;
    }
    let after = resources()?;
    report("start to ready", &mut took);
    println!(
        "{:56} {:>8.1} MiB more after {STARTS} sessions, {:.1} ms of processor time each",
        "memory and processor",
        after.memory - before.memory,
        (after.processor - before.processor) * 1000.0 / STARTS as f64
    );
    host.shutdown().await;
    Ok(())
}

/// When the stages of one question were reached, from the question on.
#[derive(Default)]
struct Stages {
    located: Option<Duration>,
    drawn: Option<Duration>,
    said: Option<Duration>,
}

async fn questions(name: &str, screen: &Picture, question: &str) -> Outcome<()> {
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for run in 0..COLD {
        let host = host().await?;
        let drawn = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&drawn);
        let agent = Agent::inline()
            .tool(ServerTool::DetectObjects)
            .tool(draw_box(move |_| {
                if let Ok(mut at) = seen.lock() {
                    *at = Some(Instant::now());
                }
                async { Ok(Shown::yes()) }
            }))
            .build()?;
        let session = Session::start(agent, backend(&host)?).await?;
        // The model files are loaded by a first question about something else.
        let other = picture("settings.png")?;
        let track = session.publish_pictures(TrackSource::ScreenShare).await?;
        track.show(&other).await?;
        ask(&session, "Where is Save?", &drawn).await?;
        track.show(screen).await?;
        cold.push(ask(&session, question, &drawn).await?);
        if run + 1 == COLD {
            for _ in 0..WARM {
                warm.push(ask(&session, question, &drawn).await?);
            }
            let held = resources()?;
            println!(
                "{:56} {:>8.1} MiB resident with all models loaded",
                "memory", held.memory
            );
        }
        session.end().await;
        host.shutdown().await;
    }
    for (when, stages) in [("not read before", &cold), ("read before", &warm)] {
        let pick = |stage: &str, of: fn(&Stages) -> Option<Duration>| {
            let mut took: Vec<Duration> = stages.iter().filter_map(of).collect();
            report(&format!("{name}, {when}: {stage}"), &mut took);
        };
        pick("question to located", |s| s.located);
        pick("question to mark", |s| s.drawn);
        pick("question to last word", |s| s.said);
    }
    Ok(())
}

async fn ask(session: &Session, question: &str, drawn: &Mutex<Option<Instant>>) -> Outcome<Stages> {
    let events = session.events();
    let mut stages = Stages::default();
    let asked = Instant::now();
    session.send_text(question).await?;
    while let Some(event) = events.next().await {
        match event {
            Event::Frame(ServerFrame::ToolResult { .. }) if stages.located.is_none() => {
                stages.located = Some(asked.elapsed());
            }
            Event::Frame(ServerFrame::TurnComplete {
                role: Role::Assistant,
            }) => break,
            Event::SessionEnded { reason } => {
                return Err(format!("the session ended: {reason:?}").into());
            }
            _ => {}
        }
    }
    stages.said = Some(asked.elapsed());
    let at = drawn.lock().ok().and_then(|mut at| at.take());
    stages.drawn = at.map(|at| at.duration_since(asked));
    Ok(stages)
}

fn report(what: &str, took: &mut [Duration]) {
    took.sort();
    let Some(last) = took.len().checked_sub(1) else {
        println!("{what:32} nothing was measured");
        return;
    };
    let at = |share: f64| took[(share * last as f64).round() as usize].as_secs_f64() * 1000.0;
    println!(
        "{what:32} p50 {:8.1} ms   p95 {:8.1} ms   ({} runs)",
        at(0.5),
        at(0.95),
        took.len()
    );
}

struct Resources {
    /// MiB resident.
    memory: f64,
    /// Seconds of processor time, all threads.
    processor: f64,
}

fn resources() -> Outcome<Resources> {
    let pages: f64 = std::fs::read_to_string("/proc/self/statm")?
        .split(' ')
        .nth(1)
        .ok_or("statm has no second field")?
        .parse()?;
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|field| field.parse::<f64>().unwrap_or(0.0))
        .sum();
    // Linux counts in hundredths of a second and, on what this runs on, in pages of 4 KiB.
    Ok(Resources {
        memory: pages * 4096.0 / 1_048_576.0,
        processor: ticks / 100.0,
    })
}
