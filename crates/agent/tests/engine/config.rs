//! From an agent to the start body (R20–R28, T2, T50, T51, H25–H28).

use std::collections::BTreeMap;

use alidade_agent::{Agent, AgentBuilder, AgentError, ConfigError, Hook, Skill, Tool, tool::draw};
use alidade_wire::start::{
    Audio, HookAction, InterruptionSensitivity, NoiseCancellation, ResetMode, SdkInfo, ServerHook,
    ServerTool, SessionOptions, Voice,
};
use serde_json::{Value, json};

fn sdk() -> SdkInfo {
    SdkInfo {
        name: "test".into(),
        version: "1".into(),
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_owned)
}

fn tool(given: &Value) -> Option<Tool> {
    let kind = given["kind"].as_str().unwrap();
    if let Some(kind) = ServerTool::from_kind(kind) {
        // A member too many cannot be written down in Rust.
        return (given.as_object().unwrap().len() == 1).then(|| Tool::server(kind));
    }
    let (name, description) = (
        text(given, "name").unwrap(),
        text(given, "description").unwrap(),
    );
    Some(
        Tool::declared(
            &name,
            &description,
            given["parameters"].clone(),
            |_| async { Ok(Value::Null) },
        )
        .unwrap(),
    )
}

fn hook(given: &Value) -> Option<ServerHook> {
    let action = match given["action"]["type"].as_str()? {
        "say" => HookAction::Say {
            text: text(&given["action"], "text"),
            prompt: text(&given["action"], "prompt"),
        },
        _ => HookAction::EndCall {
            farewell: text(&given["action"], "farewell"),
        },
    };
    Some(ServerHook {
        max_count: given["max_count"].as_i64().unwrap_or(3),
        reset_mode: match given["reset_mode"].as_str() {
            None | Some("never") => ResetMode::Never,
            Some("on_user_speech") => ResetMode::OnUserSpeech,
            Some(_) => return None,
        },
        present_multiplier: given["present_multiplier"].as_f64(),
        name: text(given, "name"),
        ..ServerHook::new(given["timeout_seconds"].as_f64().unwrap(), action)
    })
}

/// The agent a case describes; nothing where Rust's types do not let it be described.
fn agent(given: &Value) -> Option<AgentBuilder> {
    let mut builder = if given["kind"] == "catalog" {
        Agent::catalog(given["name"].as_str().unwrap())
    } else {
        Agent::inline()
    };
    if let Some(words) = text(given, "instructions") {
        builder = builder.instructions(words);
    }
    if let Some(words) = text(given, "greeting") {
        builder = builder.greeting(words);
    }
    builder = match &given["voice"] {
        Value::String(name) => builder.voice(name.as_str()),
        Value::Object(_) => builder.voice(Voice {
            name: text(&given["voice"], "name"),
            speaking_style: text(&given["voice"], "speaking_style"),
        }),
        _ => builder,
    };
    if let Some(audio) = given["audio"].as_object() {
        let noise_cancellation = match audio.get("noise_cancellation") {
            None => None,
            Some(word) => Some(match word.as_str()? {
                "off" => NoiseCancellation::Off,
                "denoise" => NoiseCancellation::Denoise,
                _ => NoiseCancellation::VoiceFocus,
            }),
        };
        builder = builder.audio(Audio {
            output: audio.get("output").and_then(Value::as_bool),
            noise_cancellation,
        });
    }
    if let Some(word) = given["interruption_sensitivity"].as_str() {
        builder = builder.interruption_sensitivity(match word {
            "default" => InterruptionSensitivity::Default,
            "high" => InterruptionSensitivity::High,
            _ => InterruptionSensitivity::Low,
        });
    }
    if let Some(values) = given["inputs"].as_object() {
        let values = values
            .iter()
            .map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned()));
        builder = builder.inputs(values.collect::<BTreeMap<_, _>>());
    }
    for given in given["tools"].as_array().into_iter().flatten() {
        builder = builder.tool(tool(given)?);
    }
    for given in given["hooks"].as_array().into_iter().flatten() {
        builder = builder.hook(hook(given)?);
    }
    for given in given["skills"].as_array().into_iter().flatten() {
        builder = builder.skill(Skill::new(
            text(given, "name").unwrap(),
            text(given, "description").unwrap(),
            text(given, "body").unwrap(),
        ));
    }
    Some(builder)
}

fn options(input: &Value) -> Option<SessionOptions> {
    let run = &input["run"];
    let mut options = SessionOptions {
        max_session_seconds: input["session"]["max_session_seconds"].as_i64(),
        store_recording: run["store_recording"].as_bool(),
        store_audio: run["store_audio"].as_bool(),
        store_transcript: run["store_transcript"].as_bool(),
        store_video: run["store_video"].as_bool(),
        experimental: None,
    };
    if let Some(id) = run["resume_session_id"].as_str() {
        options.resume(id).ok()?;
    }
    Some(options)
}

fn failure(error: &AgentError) -> Value {
    match error {
        AgentError::Hook(hook) => json!({"kind": "HookError", "code": hook.code()}),
        AgentError::Skill(skill) => json!({"kind": "SkillError", "code": skill.code.as_str()}),
        AgentError::Tool(tool) => {
            json!({"kind": "ToolDefinitionError", "code": tool.code.as_str()})
        }
        other => panic!("{other}"),
    }
}

/// Our own words for the skills menu: its second line and the loader's descriptions.
fn own_words(body: &mut Value) {
    if let Some(instructions) = body["agent"]["instructions"].as_str() {
        let lines: Vec<&str> = instructions
            .lines()
            .filter(|line| !line.contains("cosmo_sdk_load_skill(name)"))
            .collect();
        body["agent"]["instructions"] = lines.join("\n").into();
    }
    if let Some(tools) = body["agent"]["tools"].as_array_mut() {
        for tool in tools
            .iter_mut()
            .filter(|tool| tool["name"] == "cosmo_sdk_load_skill")
        {
            *tool = crate::support::without_prose(tool);
        }
    }
}

/// The case that takes a capture handler for granted, which an agent cannot have yet (R24).
const LOCATES: &str = "tool_screen_locate";

#[test]
fn r24_without_a_capture_handler_screen_locate_is_never_sent() {
    let agent = Agent::inline()
        .tool(ServerTool::DetectObjects)
        .tool(ServerTool::ScreenLocate)
        .build()
        .unwrap();
    let refused = agent.start_body(sdk(), SessionOptions::default(), &[]);
    assert_eq!(refused.unwrap_err(), ConfigError::NoCaptureHandler);
    // A tool of the application's own that happens to be called so is another matter.
    let own = Tool::plain("screen_locate", "d", json!({"type": "object"}), |_| async {
        Ok(Value::Null)
    });
    let agent = Agent::inline().tool(own.unwrap()).build().unwrap();
    assert!(
        agent
            .start_body(sdk(), SessionOptions::default(), &[])
            .is_ok()
    );
}

#[test]
fn r20_to_r27_the_start_body_is_that_of_the_golden_data() {
    let mut replayed = 0;
    for (name, input, expect) in crate::support::cases("session_config.json") {
        let given = &input["agent"];
        // Models are the wire's own affair; plugins and MCP are not part of an agent yet.
        if given.get("model").is_some()
            || given.get("plugins").is_some()
            || input.get("mcp").is_some()
        {
            continue;
        }
        if input["session"].get("experimental").is_some() {
            continue;
        }
        let (Some(builder), Some(options)) = (agent(given), options(&input)) else {
            assert!(
                expect.get("error").is_some(),
                "{name}: only what is wrong may be impossible to write"
            );
            continue;
        };
        replayed += 1;
        let built = match builder.build() {
            Ok(built) => built,
            Err(error) => {
                crate::support::same(&name, &expect["error"], &failure(&error));
                continue;
            }
        };
        match built.start_body(sdk(), options, &[]) {
            Ok(body) => {
                let mut body = body.to_value();
                assert_eq!(
                    body.as_object_mut().unwrap().shift_remove("sdk"),
                    Some(json!({"name": "test", "version": "1"}))
                );
                let mut wanted = expect["body"].clone();
                own_words(&mut body);
                own_words(&mut wanted);
                crate::support::same(&name, &wanted, &body);
            }
            Err(ConfigError::Tool(error)) => {
                crate::support::same(
                    &name,
                    &expect["error"],
                    &json!({"kind": "ToolDefinitionError", "code": error.code.as_str()}),
                );
            }
            Err(ConfigError::Fault(fault)) => {
                assert_eq!(expect["error"]["kind"], "validation", "{name}: {fault}");
                let field = expect["error"]["fields"][0].as_str().unwrap();
                let last = field.rsplit('.').next().unwrap();
                let named = |problem: &alidade_wire::Problem| problem.to_string().contains(last);
                assert!(
                    fault.problems.iter().any(named),
                    "{name}: {fault} does not name {field}"
                );
            }
            Err(ConfigError::NoCaptureHandler) => assert_eq!(name, LOCATES),
            Err(other) => panic!("{name}: {other}"),
        }
    }
    assert!(replayed > 50, "{replayed} cases were replayed");
}

fn wire_tool(given: &Value) -> Option<Result<Tool, String>> {
    let run = |_| async { Ok(Value::Null) };
    Some(match given {
        Value::String(name) => match name.as_str() {
            "cosmo_sdk_draw_box" => Ok(draw::draw_box(|_| async { Ok(draw::Shown::yes()) })),
            "cosmo_sdk_draw_point" => Ok(draw::draw_point(|_| async { Ok(draw::Shown::yes()) })),
            // Takes a capture handler for granted, which an agent cannot have yet (R24).
            "screen_locate" => return None,
            other => Ok(ServerTool::from_kind(other)?.into()),
        },
        given => {
            let name = given["name"].as_str().unwrap();
            let description = given["description"].as_str().unwrap_or("d");
            let parameters = given
                .get("parameters")
                .cloned()
                .unwrap_or(json!({"type": "object"}));
            let made = if given["hand_built"] == true {
                Tool::declared(name, description, parameters, run)
            } else if given["background"] == true {
                Tool::background(name, description, parameters, |_, _| async { Ok(()) })
            } else {
                Tool::plain(name, description, parameters, run)
            };
            made.map_err(|error| error.code.as_str().to_owned())
        }
    })
}

#[test]
fn t50_and_t51_tools_are_written_as_the_golden_data_says() {
    let mut skipped = Vec::new();
    for (name, input, expect) in crate::support::cases("tool_wire.json") {
        let tools: Option<Vec<_>> = input["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(wire_tool)
            .collect();
        let Some(tools) = tools else {
            skipped.push(name);
            continue;
        };
        let made: Result<Vec<Tool>, String> = tools.into_iter().collect();
        let outcome = made.and_then(|tools| {
            let mut builder = Agent::inline().tools(tools);
            for skill in input["skills"].as_array().unwrap() {
                builder = builder.skill(Skill::new(skill.as_str().unwrap(), "d", "b"));
            }
            builder
                .build()
                .unwrap()
                .start_body(sdk(), SessionOptions::default(), &[])
                .map_err(|error| match error {
                    ConfigError::Tool(error) => error.code.as_str().to_owned(),
                    _ => "too_many_tools".to_owned(),
                })
        });
        match outcome {
            Ok(body) => {
                assert_eq!(expect["ok"], true, "{name}");
                let tools = body.to_value()["agent"]
                    .get("tools")
                    .cloned()
                    .unwrap_or(Value::Null);
                if let Some(wanted) = expect.get("tools") {
                    let lean = crate::support::without_prose;
                    crate::support::same(&name, &lean(wanted), &lean(&tools));
                }
                if let Some(count) = expect.get("count") {
                    assert_eq!(json!(tools.as_array().unwrap().len()), *count, "{name}");
                }
            }
            Err(code) => {
                assert_eq!(expect["ok"], false, "{name}: {code}");
                let wanted = expect
                    .get("code")
                    .or_else(|| expect.get("error"))
                    .and_then(Value::as_str);
                assert_eq!(wanted.unwrap_or("too_many_tools"), code, "{name}");
            }
        }
    }
    assert_eq!(
        skipped.len(),
        4,
        "the screen renderers and the locator alone are not there yet: {skipped:?}"
    );
}

#[test]
fn h25_to_h27_server_hooks_are_written_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("hook_server.json") {
        let mut builder = Agent::inline();
        let mut possible = true;
        for given in input["hooks"].as_array().unwrap() {
            match hook(given) {
                Some(hook) => builder = builder.hook(Hook::server(hook)),
                None => possible = false,
            }
        }
        if !possible {
            assert_eq!(expect["ok"], false, "{name}");
            continue;
        }
        match builder
            .build()
            .unwrap()
            .start_body(sdk(), SessionOptions::default(), &[])
        {
            Ok(body) => {
                assert_eq!(expect["ok"], true, "{name}");
                let hooks = body.to_value()["agent"]
                    .get("hooks")
                    .cloned()
                    .unwrap_or(Value::Null);
                crate::support::same(&name, &expect["wire"], &hooks);
            }
            Err(error) => assert_eq!(expect["ok"], false, "{name}: {error}"),
        }
    }
}

#[test]
fn h19_what_a_session_start_hook_says_follows_the_menu() {
    let agent = Agent::inline()
        .instructions("Base.")
        .skill(Skill::new("a", "d", "b"))
        .build()
        .unwrap();
    let body = agent
        .start_body(
            sdk(),
            SessionOptions::default(),
            &["One".into(), "Two".into()],
        )
        .unwrap();
    let text = body.to_value()["agent"]["instructions"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        text.starts_with("Base.\n\n## Skills\n") && text.ends_with("- a: d\n\nOne\n\nTwo"),
        "{text}"
    );
}

#[test]
fn two_client_tools_of_one_name_are_refused_early() {
    let tool = || {
        Tool::plain("twice", "d", json!({"type": "object"}), |_| async {
            Ok(Value::Null)
        })
        .unwrap()
    };
    let error = Agent::inline()
        .tool(tool())
        .tool(tool())
        .build()
        .unwrap_err();
    assert!(matches!(error, AgentError::DuplicateTool(name) if name == "twice"));
}

#[test]
fn t1_to_t6_what_is_refused_is_refused_where_the_tool_is_made() {
    for (name, input, expect) in crate::support::cases("tool_names.json") {
        let text = |key: &str| input[key].as_str().unwrap_or_default();
        let parameters = input["parameters"].clone();
        let made = if input["background"] == true {
            Tool::background(
                text("name"),
                text("description"),
                parameters,
                |_, _| async { Ok(()) },
            )
        } else {
            Tool::plain(text("name"), text("description"), parameters, |_| async {
                Ok(Value::Null)
            })
        };
        match made {
            Ok(_) => assert_eq!(expect["ok"], true, "{name}"),
            Err(error) => assert_eq!(
                expect["code"].as_str().or(expect["error"].as_str()),
                Some(error.code.as_str()),
                "{name}"
            ),
        }
    }
}
