//! Reading a start body as a server must (S3, S4).

use serde_json::Value;

use super::{
    AgentBlock, Audio, CatalogAgent, InlineAgent, InterruptionSensitivity, Model, ModelOptions,
    NoiseCancellation, SdkInfo, ServerHook, SessionOptions, StartBody, Voice, tool,
};
use crate::{
    error::slug,
    fault::Problem,
    limits,
    read::{Node, Obj, Problems},
    rest::ErrorBody,
    text,
};

/// A start body that is refused, with all the server has to answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", body.message)]
pub struct StartRefusal {
    /// HTTP status.
    pub status: u16,
    /// The body of the answer.
    pub body: ErrorBody,
}

impl StartRefusal {
    /// The slug a client will see.
    pub fn slug(&self) -> &str {
        self.body.code.as_deref().unwrap_or(self.body.kind.as_str())
    }

    fn typed(code: &str, message: impl Into<String>) -> Self {
        Self {
            status: 422,
            body: ErrorBody::api(code, message),
        }
    }

    fn malformed(problems: Vec<Problem>) -> Self {
        Self {
            status: 422,
            body: ErrorBody::validation(presentable(problems)),
        }
    }
}

/// Most faults of one body that are answered, and most characters of a member's name in them.
const FAULTS_SHOWN: usize = 50;
const STEP_SCALARS: usize = 100;

fn presentable(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.truncate(FAULTS_SHOWN);
    for step in problems.iter_mut().flat_map(|problem| &mut problem.loc) {
        *step = text::first(step, STEP_SCALARS).to_owned();
    }
    problems
}

/// Whose rules a body is read by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// What our own client may send.
    Client,
    /// What a server takes: also the forms of SDKs of older generations.
    Server,
}

/// Reads a start body, or says how to refuse it.
///
/// Unknown members are refused inside `agent`, `session` and all below; at the top level they are ignored, so
/// that a newer SDK may add some. Older SDKs are understood too: `agent.model_options` beside `agent.model`,
/// `audio.noise_cancellation` as a bool, and `audio.ambience`, which is ignored. Faults of form come first as one
/// `validation_error` that lists them; then faults of tools as `invalid_tool_config`; then of the model.
#[allow(
    clippy::result_large_err,
    reason = "a start is checked once in a session's life; the refusal is moved straight into the answer"
)]
pub fn check(body: &Value) -> Result<StartBody, StartRefusal> {
    let problems = Problems::default();
    let mut tool_faults = Vec::new();
    let read = read(body, &problems, Side::Server, &mut tool_faults);
    let problems = problems.into_vec();
    let body = match read {
        Some(body) if problems.is_empty() => body,
        // A tool of a kind that is never run has no form to read; it alone is the fault then.
        _ if problems.is_empty() && !tool_faults.is_empty() => {
            return Err(StartRefusal::typed(
                slug::INVALID_TOOL_CONFIG,
                tool_faults.swap_remove(0),
            ));
        }
        _ => return Err(StartRefusal::malformed(problems)),
    };
    tool::tools_fit(body.agent.tools(), &mut tool_faults);
    if let Some(fault) = tool_faults.into_iter().next() {
        return Err(StartRefusal::typed(slug::INVALID_TOOL_CONFIG, fault));
    }
    if let AgentBlock::Inline(agent) = &body.agent
        && let Some(Model::Options(model)) = &agent.model
        && let Err((code, message)) = model.fits_server(!agent.tools.is_empty())
    {
        return Err(StartRefusal::typed(code, message));
    }
    Ok(body)
}

/// Reads a body by the rules of one side. Tools the server never runs are told in `tool_faults`.
pub(super) fn read(
    body: &Value,
    problems: &Problems,
    side: Side,
    tool_faults: &mut Vec<String>,
) -> Option<StartBody> {
    let top = Node::top(body, problems).object()?;
    if top
        .text("type")
        .is_some_and(|kind| kind != "session-config")
    {
        top.wrong::<()>("type", "literal_error", "must be session-config");
    }
    let sdk = top.need("sdk").and_then(|node| sdk(&node.object()?));
    let agent = top
        .need("agent")
        .and_then(|node| agent(&node.object()?, side, tool_faults));
    let session = top
        .maybe("session")
        .map_or(Some(SessionOptions::default()), |node| {
            SessionOptions::read(&node)
        });
    Some(StartBody {
        sdk: sdk?,
        agent: agent?,
        session: session?,
    })
}

fn sdk(given: &Obj<'_>) -> Option<SdkInfo> {
    let name = given
        .need("name")
        .and_then(|node| node.text_within(0, limits::SDK_NAME_SCALARS));
    let version = given
        .need("version")
        .and_then(|node| node.text_within(0, limits::SDK_VERSION_SCALARS));
    Some(SdkInfo {
        name: name?,
        version: version?,
    })
}

fn agent(given: &Obj<'_>, side: Side, tool_faults: &mut Vec<String>) -> Option<AgentBlock> {
    match given.text("type")?.as_str() {
        "inline" => inline(given, side, tool_faults).map(AgentBlock::from),
        "catalog" => catalog(given, side, tool_faults).map(AgentBlock::from),
        _ => given.wrong(
            "type",
            "union_tag_invalid",
            "must be one of: inline, catalog",
        ),
    }
}

fn inline(given: &Obj<'_>, side: Side, tool_faults: &mut Vec<String>) -> Option<InlineAgent> {
    let mut known = vec![
        "type",
        "instructions",
        "model",
        "voice",
        "audio",
        "greeting",
        "tools",
        "interruption_sensitivity",
        "hooks",
    ];
    if side == Side::Server {
        known.push("model_options");
    }
    given.only(&known);
    let instructions = given.optional("instructions", |node| {
        node.text_within(0, limits::INSTRUCTIONS_SCALARS)
    });
    let model = match given
        .maybe("model_options")
        .filter(|_| side == Side::Server)
    {
        Some(options) => old_model(given, &options).map(Some),
        None => given.optional("model", Model::read),
    };
    let voice = given.optional("voice", voice);
    let audio = given.optional("audio", |node| audio(&node.object()?, side));
    let greeting = given.optional("greeting", |node| {
        node.text_within(0, limits::GREETING_SCALARS)
    });
    let tools = tool::tools(given, side, tool_faults);
    let sensitivity = given.optional(
        "interruption_sensitivity",
        Node::word::<InterruptionSensitivity>,
    );
    let hooks = match given.maybe("hooks") {
        None => Some(Vec::new()),
        Some(node) => {
            if node
                .value
                .as_array()
                .is_some_and(|hooks| hooks.len() > limits::HOOKS_MAX)
            {
                node.wrong::<()>(
                    "too_long",
                    format!("must have at most {} entries", limits::HOOKS_MAX),
                );
            }
            node.list(ServerHook::read)
        }
    };
    Some(InlineAgent {
        instructions: instructions?,
        model: model?,
        voice: voice?,
        audio: audio?,
        greeting: greeting?,
        tools: tools?,
        interruption_sensitivity: sensitivity?,
        hooks: hooks?,
    })
}

/// The model of an older SDK: its name in `model`, its options without or with a provider in `model_options`.
fn old_model(given: &Obj<'_>, options: &Node<'_>) -> Option<Model> {
    let name = given.optional("model", Node::text)?;
    let options = options.object()?;
    if options.map.contains_key("provider") {
        return ModelOptions::read(&options).map(Model::Options);
    }
    let Some(name) = name else {
        return options.wrong("provider", "missing", "is required where no model is named");
    };
    let mut map = options.map.clone();
    map.insert("provider".to_owned(), name.clone().into());
    let problems = Problems::default();
    let read = ModelOptions::read(&Obj::at(&map, options.loc.clone(), &problems));
    match (read, problems.into_vec().into_iter().next()) {
        (Some(read), None) => Some(Model::Options(read)),
        // A concrete model id: which provider it belongs to is not known here, so its options are not read.
        (_, Some(problem)) if problem.kind == "union_tag_invalid" => Some(Model::Named(name)),
        (_, problem) => {
            let problem = problem?;
            options.wrong(
                problem.loc.last().map_or("provider", String::as_str),
                problem.kind,
                problem.msg,
            )
        }
    }
}

fn catalog(given: &Obj<'_>, side: Side, tool_faults: &mut Vec<String>) -> Option<CatalogAgent> {
    given.only(&["type", "name", "inputs", "tools", "voice"]);
    let name = given.need("name").and_then(|node| {
        let name = node.text_within(1, limits::CATALOG_NAME_SCALARS)?;
        let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        if !name.bytes().all(plain) || name.starts_with('-') || name.ends_with('-') {
            return node.wrong(
                "string_pattern_mismatch",
                "must be lower-case letters, digits and inner hyphens",
            );
        }
        Some(name)
    });
    let inputs = given.optional("inputs", |node| {
        let inputs = node.object()?;
        inputs
            .map
            .keys()
            .map(|key| Some((key.clone(), inputs.given(key)?.text()?)))
            .collect()
    });
    let tools = tool::tools(given, side, tool_faults);
    let voice = given.optional("voice", voice);
    Some(CatalogAgent {
        name: name?,
        inputs: inputs?,
        tools: tools?,
        voice: voice?,
    })
}

fn voice(node: &Node<'_>) -> Option<Voice> {
    let voice = node.object()?;
    voice.only(&["name", "speaking_style"]);
    let name = voice.optional("name", |node| {
        node.text_within(0, limits::VOICE_NAME_SCALARS)
    });
    let style = voice.optional("speaking_style", |node| {
        node.text_within(0, limits::SPEAKING_STYLE_SCALARS)
    });
    Some(Voice {
        name: name?,
        speaking_style: style?,
    })
}

fn audio(audio: &Obj<'_>, side: Side) -> Option<Audio> {
    audio.only(if side == Side::Server {
        &["output", "noise_cancellation", "ambience"]
    } else {
        &["output", "noise_cancellation"]
    });
    let output = audio.optional("output", Node::bool);
    let noise_cancellation = audio.optional("noise_cancellation", |node| match node.value {
        Value::Bool(true) if side == Side::Server => Some(NoiseCancellation::Denoise),
        Value::Bool(false) if side == Side::Server => Some(NoiseCancellation::Off),
        _ => node.word(),
    });
    Some(Audio {
        output: output?,
        noise_cancellation: noise_cancellation?,
    })
}
