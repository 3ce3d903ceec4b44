//! `ask`: one question about one source.

use std::{io, path::Path, time::Duration};

use alidade_app::{
    Answer, Backend, CameraChoice, Conversation, LocalOptions, ScreenChoice, Source, SourceSpec,
    TrackSource,
    agents::{AgentFolder, find},
    mark,
};

use crate::{Status, agents::places, arguments, batch, print};

/// How long each picture of a folder is shown: longer than any question takes.
const EACH_PICTURE: Duration = Duration::from_secs(3600);
/// What a camera is given to get its exposure right.
const SETTLING: Duration = Duration::from_millis(800);

pub(crate) async fn run(arguments: arguments::Ask) -> Status {
    let spec = spec(&arguments.source);
    if arguments.batch.is_none() && spec.is_none() {
        print::problem(
            "Say what to look at: --image FILE, --folder FOLDER, --video FILE, --camera, --screen or --window TITLE.",
        );
        return Status::WrongUse;
    }
    if let Some(why) = arguments
        .out
        .as_deref()
        .and_then(|out| refuses(out, &arguments.source))
    {
        print::problem(why);
        return Status::WrongUse;
    }
    let agent = match find(&places(), &arguments.agent) {
        Ok(agent) => agent,
        Err(faults) => {
            print::faults(&faults);
            return Status::Failed;
        }
    };
    let Some(spec) = spec else {
        return match &arguments.batch {
            Some(file) => batch::run(&agent, file).await,
            None => Status::WrongUse,
        };
    };
    match asked(&agent, spec, &arguments).await {
        Ok(status) => status,
        Err(error) => {
            print::problem(error);
            Status::Failed
        }
    }
}

/// Why the marked picture cannot go there.
fn refuses(out: &Path, source: &arguments::Source) -> Option<String> {
    let originals = [&source.image, &source.folder, &source.video];
    mark::refuses(out).or_else(|| {
        originals
            .into_iter()
            .flatten()
            .find_map(|original| mark::refuses_over(out, original))
    })
}

/// The source and what it is for the agent: a picture of a screen, or what a camera sees.
fn spec(source: &arguments::Source) -> Option<(SourceSpec, TrackSource)> {
    let arguments::Source {
        image,
        folder,
        video,
        camera,
        screen,
        window,
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
        .or(screen
            .map(|name| match name.as_str() {
                "" => ScreenChoice::Whole,
                _ => ScreenChoice::Monitor(name),
            })
            .or(window.map(ScreenChoice::Titled))
            .map(|choice| (SourceSpec::Screen(choice), TrackSource::ScreenShare)))
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

    // The answer first: it is not lost where the picture cannot be written.
    let said = say(&answer, arguments);
    if let (Some(out), Some(picture)) = (&arguments.out, &answer.picture) {
        mark::write(picture, &answer.marks, out)?;
    }
    if let Err(error) = said.and_then(|()| say_where(&answer, arguments)) {
        return Ok(print::unwritten("The answer", &error));
    }
    Ok(if answer.not_found {
        Status::NotFound
    } else {
        Status::Answered
    })
}

fn say(answer: &Answer, arguments: &arguments::Ask) -> io::Result<()> {
    if arguments.json {
        return print::json(&answer.written());
    }
    print::text(&answer.text)
}

/// Where the picture was left. JSON is one line, and says nothing about that.
fn say_where(answer: &Answer, arguments: &arguments::Ask) -> io::Result<()> {
    let Some(out) = arguments.out.as_deref().filter(|_| !arguments.json) else {
        return Ok(());
    };
    let what = match (&answer.picture, answer.marks.is_empty()) {
        (None, _) => return Ok(()),
        (_, true) => "Picture, with nothing marked",
        (_, false) => "Marked picture",
    };
    print::line(format_args!("{what}: {}", out.display()))
}
