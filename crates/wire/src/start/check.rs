//! Reading a start body as a server must (S3, S4).

use serde_json::Value;

use super::{
    AgentBlock, Audio, CatalogAgent, ClientTool, InlineAgent, InterruptionSensitivity, Model,
    ModelOptions, NoiseCancellation, OpenAiTurnDetection, SdkInfo, ServerHook, ServerTool,
    SessionOptions, StartBody, ToolBlock, Voice,
    model::{Delegation, GeminiTurnDetection},
};
use crate::{
    error::slug,
    fault::Problem,
    limits, names,
    read::{Node, Obj, Problems, Word},
    rest::ErrorBody,
    schema::Schema,
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
    tools_fit(body.agent.tools(), &mut tool_faults);
    if let Some(fault) = tool_faults.into_iter().next() {
        return Err(StartRefusal::typed(slug::INVALID_TOOL_CONFIG, fault));
    }
    if let AgentBlock::Inline(agent) = &body.agent
        && let Some(Model::Options(model)) = &agent.model
    {
        model_fits(model, !agent.tools.is_empty())?;
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
    let tools = tools(given, side, tool_faults);
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
    let tools = tools(given, side, tool_faults);
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

fn tools(agent: &Obj<'_>, side: Side, tool_faults: &mut Vec<String>) -> Option<Vec<ToolBlock>> {
    let Some(node) = agent.maybe("tools") else {
        return Some(Vec::new());
    };
    let most = if side == Side::Server {
        limits::SERVER_TOOLS_MAX
    } else {
        limits::TOOLS_MAX
    };
    let items = node.items()?;
    if items.len() > most {
        return node.wrong("too_long", format!("must have at most {most} entries"));
    }
    let mut tools = Vec::with_capacity(items.len());
    let mut complete = true;
    for item in &items {
        match tool(item, tool_faults) {
            Some(tool) => tools.push(tool),
            None => complete = false,
        }
    }
    complete.then_some(tools)
}

fn tool(node: &Node<'_>, tool_faults: &mut Vec<String>) -> Option<ToolBlock> {
    let tool = node.object()?;
    let kind = tool.text("kind")?;
    if let Some(kind) = ServerTool::from_kind(&kind) {
        tool.only(&["kind"]);
        return Some(ToolBlock::Server(kind));
    }
    if kind != "client" {
        let index = node.loc.last().map_or("", String::as_str);
        let kinds: Vec<_> = ServerTool::ALL.iter().map(|kind| kind.as_str()).collect();
        tool_faults.push(format!(
            "tool {index} is of a kind that is not run here; the kinds are client, {}",
            kinds.join(", ")
        ));
        return None;
    }
    tool.only(&["kind", "name", "description", "parameters"]);
    let name = tool
        .need("name")
        .and_then(|node| node.text_within(1, limits::TOOL_NAME_SCALARS));
    let description = tool
        .need("description")
        .and_then(|node| node.text_within(0, limits::DESCRIPTION_SCALARS));
    let parameters = tool.need("parameters").and_then(|node| node.map());
    Some(ToolBlock::Client(ClientTool {
        name: name?,
        description: description?,
        parameters: Value::Object(parameters?),
    }))
}

/// Names, duplicates and schemas of tools whose form is right (S4).
fn tools_fit(tools: &[ToolBlock], faults: &mut Vec<String>) {
    let mut seen = std::collections::HashSet::new();
    for tool in tools {
        if !seen.insert((matches!(tool, ToolBlock::Client(_)), tool.name())) {
            faults.push(format!("the tool {} is declared twice", tool.name()));
        }
        let ToolBlock::Client(tool) = tool else {
            continue;
        };
        if let Some(fault) = names::refused_on_wire(&tool.name) {
            faults.push(format!("the tool {}: {fault}", tool.name));
        }
        if let Err(fault) = Schema::build(tool.parameters.clone()) {
            faults.push(format!(
                "the parameters of the tool {} are refused: {fault}",
                tool.name
            ));
        }
    }
}

/// What a server checks about a model's options and a client does not.
fn model_fits(model: &ModelOptions, has_tools: bool) -> Result<(), StartRefusal> {
    let (named, other_is_tuned) = match model {
        ModelOptions::Gemini(gemini) => {
            let tunes_provider = gemini.end_of_speech_sensitivity.is_some()
                || gemini.silence_duration_ms.is_some()
                || gemini.prefix_padding_ms.is_some();
            match gemini.turn_detection {
                Some(GeminiTurnDetection::CosmoVad) => ("cosmo_vad", tunes_provider),
                Some(GeminiTurnDetection::ServerVad) => ("server_vad", gemini.cosmo_vad.is_some()),
                None => ("", false),
            }
        }
        ModelOptions::OpenAi(openai) => match openai.turn_detection {
            Some(OpenAiTurnDetection::SemanticVad) => (
                "semantic_vad",
                openai.silence_duration_ms.is_some() || openai.prefix_padding_ms.is_some(),
            ),
            Some(OpenAiTurnDetection::ServerVad) => ("server_vad", openai.eagerness.is_some()),
            None => ("", false),
        },
        ModelOptions::OpenAiLive(live) => {
            if has_tools
                && matches!(
                    live.delegation,
                    Some(Delegation::Client | Delegation::Cosmo)
                )
            {
                return Err(StartRefusal::typed(
                    slug::INVALID_TOOL_CONFIG,
                    "tools cannot go together with the delegation of this openai_live model; use \"responses\" or no tools",
                ));
            }
            ("", false)
        }
        ModelOptions::OpenAiMini(_) | ModelOptions::Grok(_) => ("", false),
    };
    if other_is_tuned {
        return Err(StartRefusal::typed(
            slug::TURN_DETECTION_KNOB_MISMATCH,
            format!("turn_detection names {named}, but options of another turn detector are set"),
        ));
    }
    Ok(())
}
