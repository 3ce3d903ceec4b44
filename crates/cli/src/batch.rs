//! `ask --batch`: many questions through one backend, answered in order.

use std::{
    io::{self, BufRead},
    path::{Path, PathBuf},
    time::SystemTime,
};

use alidade_app::{
    Backend, Conversation, LocalOptions, Source, SourceSpec, TrackSource, Written,
    agents::AgentFolder,
};
use serde::Serialize;
use serde_json::Value;

use crate::{Status, print};

/// Longest line that is read; a longer one is an error of its own.
const LINE: usize = 1 << 20;

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
    shown: Option<Version>,
}

pub(crate) async fn run(agent: &AgentFolder, file: &Path) -> Status {
    let (lines, folder) = match open(file) {
        Ok(opened) => opened,
        Err(error) => return unreadable(file, &error),
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
        Err(Stopped::Reading(error)) => unreadable(file, &error),
        Err(Stopped::Writing(error)) => print::unwritten("The answers", &error),
    };
    if let Some(conversation) = asking.conversation {
        conversation.end().await;
    }
    asking.backend.shutdown().await;
    status
}

/// Why a batch ends before its last line.
enum Stopped {
    Reading(io::Error),
    Writing(io::Error),
}

fn unreadable(file: &Path, error: &io::Error) -> Status {
    print::problem(format_args!("{} cannot be read: {error}.", file.display()));
    Status::Failed
}

/// The lines of a batch, and the folder its pictures are named from.
type Opened = (Box<dyn BufRead>, PathBuf);

fn open(file: &Path) -> io::Result<Opened> {
    if file == Path::new("-") {
        return Ok((Box::new(io::BufReader::new(io::stdin())), PathBuf::new()));
    }
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let opened = std::fs::File::open(file)?;
    // A folder can be opened but not read: told now, before a backend is started.
    if opened.metadata()?.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    Ok((Box::new(io::BufReader::new(opened)), folder))
}

async fn answer_all(
    asking: &mut Asking<'_>,
    mut lines: Box<dyn BufRead>,
    folder: &Path,
) -> Result<Status, Stopped> {
    let mut status = Status::Answered;
    let mut number = 0_u64;
    while let Some(line) = next_line(&mut lines).map_err(Stopped::Reading)? {
        number += 1;
        let line = line.map(|text| without_mark(text, number));
        if line.as_deref().is_ok_and(|l| l.trim().is_empty()) {
            continue;
        }
        let counted = Value::from(number);
        let case = line
            .and_then(|line| case(&line))
            .map_err(|why| format!("Line {number} {why}."));
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
        print::json(&done).map_err(Stopped::Writing)?;
    }
    Ok(status)
}

/// A byte-order mark at the beginning of a file is no part of its first line.
fn without_mark(line: String, number: u64) -> String {
    match line.strip_prefix('\u{feff}') {
        Some(rest) if number == 1 => rest.to_owned(),
        _ => line,
    }
}

/// What a line asks. The error goes on from "Line 3".
fn case(line: &str) -> Result<Case, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| {
        format!(
            "is not JSON from its character {} on; write it as {LIKE}",
            error.column()
        )
    })?;
    let Value::Object(mut fields) = value else {
        return Err(format!("is JSON but no object; write it as {LIKE}"));
    };
    let mut text = |key: &str| match fields.get_mut(key) {
        None => Err(format!("has no {key}; write it as {LIKE}")),
        Some(Value::String(text)) if text.trim().is_empty() => Err(format!("has an empty {key}")),
        Some(Value::String(text)) => Ok(std::mem::take(text)),
        Some(_) => Err(format!("has a {key} that is no text; write it as {LIKE}")),
    };
    Ok(Case {
        image: text("image")?,
        question: text("question")?,
        id: fields.remove("id").filter(|id| !id.is_null()),
    })
}

const LIKE: &str = r#"{"image": "shot.png", "question": "Where is Save?"}"#;

/// The next line; the inner error says what is wrong with this line alone, and goes on from "Line 3".
fn next_line(lines: &mut Box<dyn BufRead>) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(&mut *lines, LINE as u64);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() == LINE && bytes.last() != Some(&b'\n') {
        skip_line(lines)?;
        return Ok(Some(Err(format!("is longer than {LINE} bytes"))));
    }
    Ok(Some(
        String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".into()),
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

/// A file and what it was when it was read.
type Version = (PathBuf, u64, Option<SystemTime>);

fn version(path: &Path) -> Option<Version> {
    let data = std::fs::metadata(path).ok()?;
    Some((path.to_path_buf(), data.len(), data.modified().ok()))
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
                    error: print::sentence(&error.to_string()),
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
        // A file that was written anew meanwhile is another picture.
        let version = version(&path);
        let fresh = if version.is_some() && self.shown == version {
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
            self.shown = version;
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

    #[test]
    fn a_line_is_an_object_and_what_is_wrong_with_it_is_said() {
        let good =
            case(r#"{"image": "a.png", "question": "Where?", "id": 7, "more": []}"#).unwrap();
        assert_eq!(
            (good.image.as_str(), good.question.as_str(), good.id),
            ("a.png", "Where?", Some(7.into()))
        );
        for (line, says) in [
            ("nonsense", "not JSON"),
            (r#"[null, "a.png", "Where?"]"#, "no object"),
            (r#"{"question": "Where?"}"#, "no image"),
            (r#"{"image": "", "question": "Where?"}"#, "empty image"),
            (
                r#"{"image": "a.png", "question": 3}"#,
                "question that is no text",
            ),
        ] {
            let why = case(line).err().unwrap();
            assert!(why.contains(says), "{line}: {why}");
            assert!(!why.contains("struct") && !why.contains("ident"), "{why}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(without_mark("\u{feff}{}".into(), 1), "{}");
        assert_eq!(without_mark("\u{feff}{}".into(), 2), "\u{feff}{}");
    }
}
