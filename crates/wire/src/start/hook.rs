//! Server hooks: declarative rules the server runs (`hooks.md` §8).

use serde::Serialize;

use crate::{
    fault::Problem,
    limits, number,
    read::{self, Node, words},
};

words! {
    /// When the counter of a hook starts again.
    pub enum ResetMode {
        /// It counts over the whole session.
        Never = "never",
        /// It counts one run of silence.
        OnUserSpeech = "on_user_speech",
    }
}

/// What a server hook does when it fires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HookAction {
    /// The agent speaks; at most one of the two texts, neither lets the model speak freely (H27).
    Say {
        /// The exact words, at most 4096 characters.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// What the model words itself, at most 4096 characters.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<String>,
    },
    /// The session ends.
    EndCall {
        /// The last words, at most 4096 characters.
        #[serde(skip_serializing_if = "Option::is_none")]
        farewell: Option<String>,
    },
}

/// The silence timeout, the one kind of server hook.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerHook {
    /// Seconds of silence, 1 to 1000.
    pub timeout_seconds: f64,
    /// What then happens.
    pub action: HookAction,
    /// Firings at most, 1 to 10.
    pub max_count: i64,
    /// What `max_count` counts.
    pub reset_mode: ResetMode,
    /// Stretches the timeout once the user has spoken, 1 to 10.
    pub present_multiplier: Option<f64>,
    /// A label, at most 256 characters.
    pub name: Option<String>,
}

impl ServerHook {
    /// A hook with the defaults: three firings, never reset.
    pub fn new(timeout_seconds: f64, action: HookAction) -> Self {
        Self {
            timeout_seconds,
            action,
            max_count: 3,
            reset_mode: ResetMode::Never,
            present_multiplier: None,
            name: None,
        }
    }

    /// Reads a hook as it stands in a start body (H25, H26); `trigger`, `max_count` and `reset_mode` may be left out.
    pub fn from_value(value: &serde_json::Value) -> Result<Self, Problem> {
        read::first_problem(|problems| Self::read(&Node::top(value, problems)))
    }

    pub(crate) fn read(node: &Node<'_>) -> Option<Self> {
        let hook = node.object()?;
        hook.only(&[
            "trigger",
            "timeout_seconds",
            "action",
            "max_count",
            "reset_mode",
            "present_multiplier",
            "name",
        ]);
        if hook
            .map
            .get("trigger")
            .is_some_and(|trigger| trigger != TRIGGER)
        {
            return hook.wrong("trigger", "literal_error", format!("must be {TRIGGER}"));
        }
        let timeout_seconds = hook
            .need("timeout_seconds")
            .and_then(|node| node.number_within((1.0, 1000.0)));
        let action = hook
            .need("action")
            .and_then(|node| HookAction::read(&node, true));
        let max_count = hook
            .given("max_count")
            .map_or(Some(3), |node| node.int_within((1, 10)));
        let reset_mode = hook
            .given("reset_mode")
            .map_or(Some(ResetMode::Never), |node| node.word());
        let present_multiplier =
            hook.optional("present_multiplier", |node| node.number_within((1.0, 10.0)));
        let name = hook.optional("name", |node| {
            node.text_within(0, limits::HOOK_NAME_SCALARS)
        });
        Some(Self {
            timeout_seconds: timeout_seconds?,
            action: action?,
            max_count: max_count?,
            reset_mode: reset_mode?,
            present_multiplier: present_multiplier?,
            name: name?,
        })
    }
}

const TRIGGER: &str = "user.speech.timeout";

impl Serialize for ServerHook {
    /// `trigger`, `max_count` and `reset_mode` are always written (H25).
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            trigger: &'static str,
            #[serde(serialize_with = "number::plain")]
            timeout_seconds: f64,
            action: &'a HookAction,
            max_count: i64,
            reset_mode: ResetMode,
            #[serde(
                skip_serializing_if = "Option::is_none",
                serialize_with = "number::plain_option"
            )]
            present_multiplier: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            name: &'a Option<String>,
        }
        Written {
            trigger: TRIGGER,
            timeout_seconds: self.timeout_seconds,
            action: &self.action,
            max_count: self.max_count,
            reset_mode: self.reset_mode,
            present_multiplier: self.present_multiplier,
            name: &self.name,
        }
        .serialize(to)
    }
}

impl HookAction {
    /// `closed` refuses unknown members and long texts, as the start body does; a frame's reader lets them be.
    pub(crate) fn read(node: &Node<'_>, closed: bool) -> Option<Self> {
        let action = node.object()?;
        let most = if closed {
            limits::HOOK_TEXT_SCALARS
        } else {
            usize::MAX
        };
        let text = |key: &str| action.optional(key, |node| node.text_within(0, most));
        let only = |known: &[&str]| {
            if closed {
                action.only(known);
            }
        };
        match action.need("type")?.text()?.as_str() {
            "say" => {
                only(&["type", "text", "prompt"]);
                let (text, prompt) = (text("text")?, text("prompt")?);
                if text.is_some() && prompt.is_some() {
                    return action.wrong("say", "value_error", "takes text or prompt, not both");
                }
                Some(Self::Say { text, prompt })
            }
            "end_call" => {
                only(&["type", "farewell"]);
                Some(Self::EndCall {
                    farewell: text("farewell")?,
                })
            }
            _ => action.wrong("type", "literal_error", "must be one of: say, end_call"),
        }
    }
}
