//! Session options (`session-config.md` §7).

use serde::Serialize;

use crate::{
    limits,
    read::{Node, Obj},
};

/// How the session runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SessionOptions {
    /// Requested cap in seconds, 60 to 14400; the server takes the minimum with its own (S10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_session_seconds: Option<i64>,
    /// Whole-run storage opt-out; only narrows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_recording: Option<bool>,
    /// Storage of audio; wins over `store_recording`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_audio: Option<bool>,
    /// Storage of the transcript; wins over `store_recording`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_transcript: Option<bool>,
    /// Storage of video; wins over `store_recording`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_video: Option<bool>,
    /// What may change between releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<Experimental>,
}

/// Options that may change between releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Experimental {
    /// Session to resume, as a lower-case canonical UUID. [`SessionOptions::resume`] writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume_session_id: Option<String>,
    /// A renderer that shows the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<Avatar>,
}

/// A renderer that joins and republishes the agent's speech as video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Avatar {
    /// The face, non-empty.
    pub face_id: String,
}

impl Serialize for Avatar {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serde_json::json!({ "provider": "tavus", "face_id": self.face_id }).serialize(to)
    }
}

/// The id given is no UUID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session to resume must be given as a UUID, as `ready` named it")]
pub struct NotAUuid;

impl SessionOptions {
    /// Asks to resume a session; the id is normalised to lower-case canonical form.
    pub fn resume(&mut self, session_id: &str) -> Result<(), NotAUuid> {
        let id = uuid::Uuid::try_parse(session_id.trim()).map_err(|_| NotAUuid)?;
        self.experimental.get_or_insert_default().resume_session_id =
            Some(id.hyphenated().to_string());
        Ok(())
    }

    pub(crate) fn read(node: &Node<'_>) -> Option<Self> {
        let session = node.object()?;
        session.only(&[
            "max_session_seconds",
            "store_recording",
            "store_audio",
            "store_transcript",
            "store_video",
            "experimental",
        ]);
        let seconds = session.optional("max_session_seconds", |node| {
            node.int_within(limits::SESSION_SECONDS)
        });
        let flag = |key: &str| session.optional(key, Node::bool);
        let (recording, audio) = (flag("store_recording"), flag("store_audio"));
        let (transcript, video) = (flag("store_transcript"), flag("store_video"));
        let experimental = session.optional("experimental", |node| experimental(&node.object()?));
        Some(Self {
            max_session_seconds: seconds?,
            store_recording: recording?,
            store_audio: audio?,
            store_transcript: transcript?,
            store_video: video?,
            experimental: experimental?,
        })
    }
}

fn experimental(given: &Obj<'_>) -> Option<Experimental> {
    given.only(&["resume_session_id", "avatar"]);
    let resume_session_id =
        given.optional("resume_session_id", |node| {
            match uuid::Uuid::try_parse(&node.text()?) {
                Ok(id) => Some(id.hyphenated().to_string()),
                Err(_) => node.wrong("uuid_parsing", "must be a UUID"),
            }
        });
    let avatar = given.optional("avatar", |node| {
        let avatar = node.object()?;
        avatar.only(&["provider", "face_id"]);
        if avatar.need("provider")?.text()? != "tavus" {
            return avatar.wrong("provider", "literal_error", "must be one of: tavus");
        }
        Some(Avatar {
            face_id: avatar.need("face_id")?.text_within(1, usize::MAX)?,
        })
    });
    Some(Experimental {
        resume_session_id: resume_session_id?,
        avatar: avatar?,
    })
}
