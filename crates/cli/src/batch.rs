//! `ask --batch`: many questions through one backend, answered in order.

use std::{
    io::{self, BufRead},
    path::{Path, PathBuf},
};

use alidade_app::{
    Backend, Conversation, LocalOptions, Source, SourceSpec, TrackSource, Written,
    agents::AgentFolder,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Status, print};

/// Longest line that is read; a longer one is an error of its own.
const LINE: usize = 1 << 20;

#[derive(Deserialize)]
struct Case {
    id: Option<Value>,
    image: String,
    question: String,
}

#[derive(Serialize)]
struct Done<'a> {
    id: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Answer(Written),
    Error { error: String },
}

/// The session the cases are asked in, made anew when one breaks.
struct Asking<'a> {
    agent: &'a AgentFolder,
    backend: Backend,
    conversation: Option<Conversation>,
    shown: Option<PathBuf>,
}

pub(crate) async fn run(agent: &AgentFolder, file: &Path) -> Status {
    let (lines, folder) = match open(file) {
        Ok(opened) => opened,
        Err(error) => {
            print::problem(format_args!("{} cannot be read: {error}.", file.display()));
            return Status::WrongUse;
        }
    };
    let backend = match Backend::local(LocalOptions::default()).await {
        Ok(backend) => backend,
        Err(error) => {
            print::problem(error);
            return Status::Failed;
        }
    };
    let mut asking = Asking {
        agent,
        backend,
        conversation: None,
        shown: None,
    };
    let status = match answer_all(&mut asking, lines, &folder).await {
        Ok(status) => status,
        Err(error) => {
            print::problem(format_args!("The answers could not be written: {error}."));
            Status::Failed
        }
    };
    if let Some(conversation) = asking.conversation {
        conversation.end().await;
    }
    asking.backend.shutdown().await;
    status
}

/// The lines of a batch, and the folder its pictures are named from.
type Opened = (Box<dyn BufRead>, PathBuf);

fn open(file: &Path) -> io::Result<Opened> {
    if file == Path::new("-") {
        return Ok((Box::new(io::BufReader::new(io::stdin())), PathBuf::new()));
    }
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok((
        Box::new(io::BufReader::new(std::fs::File::open(file)?)),
        folder,
    ))
}

async fn answer_all(
    asking: &mut Asking<'_>,
    mut lines: Box<dyn BufRead>,
    folder: &Path,
) -> io::Result<Status> {
    let mut status = Status::Answered;
    let mut number = 0_u64;
    while let Some(line) = next_line(&mut lines)? {
        number += 1;
        if line.as_deref().is_ok_and(|l| l.trim().is_empty()) {
            continue;
        }
        let counted = Value::from(number);
        let case = line.and_then(|l| {
            serde_json::from_str::<Case>(&l)
                .map_err(|e| format!("line {number} is not {{\"image\", \"question\"}}: {e}"))
        });
        let (case, outcome) = match case {
            Ok(case) => {
                let outcome = asking.one(&case, folder).await;
                (Some(case), outcome)
            }
            Err(error) => (None, Outcome::Error { error }),
        };
        if matches!(outcome, Outcome::Error { .. }) {
            status = Status::Failed;
        }
        let id = case
            .as_ref()
            .and_then(|c| c.id.as_ref())
            .unwrap_or(&counted);
        let done = Done {
            id,
            image: case.as_ref().map(|c| c.image.as_str()),
            question: case.as_ref().map(|c| c.question.as_str()),
            outcome,
        };
        print::line(serde_json::to_string(&done)?)?;
    }
    Ok(status)
}

/// The next line; the inner error is a sentence about this line alone.
fn next_line(lines: &mut Box<dyn BufRead>) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(&mut *lines, LINE as u64);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() == LINE && bytes.last() != Some(&b'\n') {
        skip_line(lines)?;
        return Ok(Some(Err(format!("this line is longer than {LINE} bytes"))));
    }
    Ok(Some(
        String::from_utf8(bytes).map_err(|_| "this line is not UTF-8 text".into()),
    ))
}

fn skip_line(lines: &mut Box<dyn BufRead>) -> io::Result<()> {
    loop {
        let part = lines.fill_buf()?;
        if part.is_empty() {
            return Ok(());
        }
        let (used, ended) = match part.iter().position(|b| *b == b'\n') {
            Some(at) => (at + 1, true),
            None => (part.len(), false),
        };
        lines.consume(used);
        if ended {
            return Ok(());
        }
    }
}

impl Asking<'_> {
    async fn one(&mut self, case: &Case, folder: &Path) -> Outcome {
        match self.answer(case, folder).await {
            Ok(written) => Outcome::Answer(written),
            Err(error) => {
                // Whatever broke, the next case starts from a fresh session.
                self.shown = None;
                if let Some(conversation) = self.conversation.take() {
                    conversation.end().await;
                }
                Outcome::Error {
                    error: error.to_string(),
                }
            }
        }
    }

    async fn answer(
        &mut self,
        case: &Case,
        folder: &Path,
    ) -> Result<Written, Box<dyn std::error::Error>> {
        let path = folder.join(&case.image);
        // A picture that is shown already is asked about again, as a person would.
        let fresh = if self.shown.as_deref() == Some(&path) {
            None
        } else {
            Some(Source::opened(SourceSpec::Picture(path.clone())).await?)
        };
        let conversation = match &mut self.conversation {
            Some(conversation) => conversation,
            none => none.insert(Conversation::start(self.agent, &self.backend).await?),
        };
        if let Some(source) = fresh {
            conversation.show(source, TrackSource::ScreenShare).await?;
            self.shown = Some(path);
        }
        Ok(conversation.ask(&case.question).await?.written())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn a_line_that_is_too_long_or_no_text_spoils_only_itself() {
        let mut input = vec![b'x'; LINE + 10];
        input.extend_from_slice(b"\n\xff\xfe\nlast");
        let mut lines: Box<dyn BufRead> = Box::new(io::Cursor::new(input));
        assert!(
            next_line(&mut lines)
                .unwrap()
                .unwrap()
                .unwrap_err()
                .contains("longer")
        );
        assert!(
            next_line(&mut lines)
                .unwrap()
                .unwrap()
                .unwrap_err()
                .contains("UTF-8")
        );
        assert_eq!(next_line(&mut lines).unwrap().unwrap().unwrap(), "last");
        assert!(next_line(&mut lines).unwrap().is_none());
    }
}
