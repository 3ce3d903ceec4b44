//! `ask`: one question about one source.

use std::{path::Path, time::Duration};

use alidade_app::{
    Answer, Backend, CameraChoice, Conversation, LocalOptions, Source, SourceSpec, TrackSource,
    agents::{AgentFolder, Places, find},
    mark,
};

use crate::{Status, arguments, batch, print};

/// How long each picture of a folder is shown: longer than any question takes.
const EACH_PICTURE: Duration = Duration::from_secs(3600);
/// What a camera is given to get its exposure right.
const SETTLING: Duration = Duration::from_millis(800);

pub(crate) async fn run(arguments: arguments::Ask) -> Status {
    let agent = match find(&Places::default(), &arguments.agent) {
        Ok(agent) => agent,
        Err(faults) => {
            print::problem(faults);
            return Status::WrongUse;
        }
    };
    if let Some(file) = &arguments.batch {
        return batch::run(&agent, file).await;
    }
    let Some(spec) = spec(&arguments.source) else {
        print::problem(
            "Say what to look at: --image FILE, --folder FOLDER, --video FILE or --camera.",
        );
        return Status::WrongUse;
    };
    if let Some(why) = arguments.out.as_deref().and_then(mark::refuses) {
        print::problem(why);
        return Status::WrongUse;
    }
    match asked(&agent, spec, &arguments).await {
        Ok(status) => status,
        Err(error) => {
            print::problem(error);
            Status::Failed
        }
    }
}

/// The source and what it is for the agent: a picture of a screen, or what a camera sees.
fn spec(source: &arguments::Source) -> Option<(SourceSpec, TrackSource)> {
    let arguments::Source {
        image,
        folder,
        video,
        camera,
    } = source.clone();
    image
        .map(|path| (SourceSpec::Picture(path), TrackSource::ScreenShare))
        .or(folder.map(|path| {
            (
                SourceSpec::Folder {
                    path,
                    every: EACH_PICTURE,
                },
                TrackSource::ScreenShare,
            )
        }))
        .or(video.map(|path| {
            (
                SourceSpec::Video {
                    path,
                    looped: false,
                },
                TrackSource::Camera,
            )
        }))
        .or(camera.map(|name| (SourceSpec::Camera(choice(&name)), TrackSource::Camera)))
}

fn choice(name: &str) -> CameraChoice {
    match name.parse() {
        _ if name.is_empty() => CameraChoice::First,
        Ok(number) => CameraChoice::Index(number),
        Err(_) => CameraChoice::Named(name.to_owned()),
    }
}

async fn asked(
    agent: &AgentFolder,
    (spec, kind): (SourceSpec, TrackSource),
    arguments: &arguments::Ask,
) -> Result<Status, Box<dyn std::error::Error>> {
    let question = arguments.question.as_deref().unwrap_or_default();
    // The source first: what is wrong with it is known before anything is started.
    let live = matches!(spec, SourceSpec::Camera(_));
    let source = Source::opened(spec).await?;
    let backend = Backend::local(LocalOptions::default()).await?;
    let mut conversation = Conversation::start(agent, &backend).await?;
    conversation.show(source, kind).await?;
    if live {
        // Cameras begin in the dark and brighten over their first pictures.
        tokio::time::sleep(SETTLING).await;
    }
    let answer = conversation.ask(question).await?;
    conversation.end().await;
    backend.shutdown().await;

    if let (Some(out), Some(picture)) = (&arguments.out, &answer.picture) {
        mark::write(picture, &answer.marks, out)?;
    }
    say(&answer, arguments.json, arguments.out.as_deref())?;
    Ok(if answer.not_found {
        Status::NotFound
    } else {
        Status::Answered
    })
}

fn say(answer: &Answer, json: bool, out: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    if json {
        print::line(serde_json::to_string(&answer.written())?)?;
        return Ok(());
    }
    print::line(&answer.text)?;
    if let Some(out) = out {
        print::line(format_args!("Marked picture: {}", out.display()))?;
    }
    Ok(())
}
