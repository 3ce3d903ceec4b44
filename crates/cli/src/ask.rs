//! `ask`: one question about one source.

use std::path::Path;

use alidade_app::{
    Answer, Backend, Conversation, LocalOptions, Source, SourceSpec,
    agents::{AgentFolder, Places, find},
    mark,
};

use crate::{Status, arguments, batch, print};

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
        print::problem("Say what to look at: --image FILE, --folder FOLDER, --video FILE or --camera.");
        return Status::WrongUse;
    };
    if let Some(why) = arguments.out.as_deref().and_then(|out| mark::refuses(out)) {
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

fn spec(source: &arguments::Source) -> Option<SourceSpec> {
    let arguments::Source { image, folder, video, camera } = source;
    image
        .clone()
        .map(SourceSpec::picture)
        .or_else(|| folder.clone().map(SourceSpec::folder))
        .or_else(|| video.clone().map(SourceSpec::video))
        .or_else(|| camera.clone().map(SourceSpec::camera))
}

async fn asked(
    agent: &AgentFolder,
    spec: SourceSpec,
    arguments: &arguments::Ask,
) -> Result<Status, Box<dyn std::error::Error>> {
    let question = arguments.question.as_deref().unwrap_or_default();
    // The picture first: what is wrong with it is known before anything is started.
    let mut source = Source::open(spec).await?;
    let picture = source.next().await?;
    let backend = Backend::local(LocalOptions::default()).await?;
    let mut conversation = Conversation::start(agent, &backend).await?;
    conversation.show(&picture, source.showing()).await?;
    let answer = conversation.ask(question).await?;
    conversation.end().await;
    backend.shutdown().await;

    if let Some(out) = &arguments.out {
        mark::write(answer.picture.as_ref().unwrap_or(&picture), &answer, out)?;
    }
    say(&answer, arguments.json, arguments.out.as_deref())?;
    Ok(if answer.not_found { Status::NotFound } else { Status::Answered })
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
