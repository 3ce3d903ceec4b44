//! Skills: parsed, found, listed and loaded (K1–K20).

use std::{fs, path::Path};

use crate::support::running::running;
use alidade_agent::{
    Agent, Skill, SkillError,
    skill::{PREFACE, SkillSource, parse, resolve},
};
use alidade_wire::start::{AgentBlock, SdkInfo, SessionOptions, ToolBlock};
use serde_json::{Value, json};

fn skill(value: &Value) -> Skill {
    let text = |key: &str| value[key].as_str().unwrap();
    Skill::new(text("name"), text("description"), text("body"))
}

fn shown(skill: &Skill) -> Value {
    json!({"name": skill.name, "description": skill.description, "body": skill.body})
}

fn told<T>(outcome: Result<T, SkillError>, show: impl Fn(T) -> Value) -> Value {
    outcome.map_or_else(|error| json!({"error": error.code.as_str()}), show)
}

fn tree(input: &Value) -> (tempfile::TempDir, Vec<SkillSource>) {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in input["files"].as_object().unwrap() {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.as_str().unwrap()).unwrap();
    }
    for folder in input["dirs"].as_array().unwrap() {
        fs::create_dir_all(root.path().join(folder.as_str().unwrap())).unwrap();
    }
    let source = |given: &Value| match given.as_str() {
        Some(path) => SkillSource::Folder(root.path().join(path)),
        None => SkillSource::Memory(skill(&given["skill"])),
    };
    let sources = input["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(source)
        .collect();
    (root, sources)
}

fn menu(input: &Value, expect: &Value, name: &str) {
    let base = input["instructions"].as_str();
    let mut builder = Agent::inline();
    if let Some(base) = base {
        builder = builder.instructions(base);
    }
    for given in input["skills"].as_array().unwrap() {
        builder = builder.skill(skill(given));
    }
    let sdk = SdkInfo {
        name: "t".into(),
        version: "1".into(),
    };
    let body = builder
        .build()
        .unwrap()
        .start_body(sdk, SessionOptions::default(), &[])
        .unwrap();
    let AgentBlock::Inline(inline) = body.agent else {
        panic!("an inline agent")
    };
    let text = inline.instructions.unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(json!(lines), expect["menu_lines"], "{name}");
    match (expect["starts_with_base"].as_str(), lines.is_empty()) {
        (Some(base), true) => assert_eq!(text, base, "{name}"),
        (Some(base), false) => {
            let separator = expect["separator"].as_str().unwrap();
            assert!(
                text.starts_with(&format!("{base}{separator}## Skills\n")),
                "{name}: {text}"
            );
        }
        (None, _) => assert!(text.starts_with("## Skills\n"), "{name}: {text}"),
    }
    if !lines.is_empty() {
        let how = text
            .lines()
            .skip_while(|line| *line != "## Skills")
            .nth(1)
            .unwrap();
        assert!(how.contains("cosmo_sdk_load_skill(name)"), "{name}: {how}");
    }
    let names: Vec<&str> = inline.tools.iter().map(ToolBlock::name).collect();
    assert_eq!(json!(names), expect["tools"], "{name}");
    if let (Some(ToolBlock::Client(tool)), Some(wanted)) =
        (inline.tools.first(), expect["parameters"].as_object())
    {
        assert_eq!(tool.parameters["type"], wanted["type"], "{name}");
        assert_eq!(tool.parameters["required"], wanted["required"], "{name}");
        assert_eq!(
            tool.parameters["properties"]["name"]["enum"], wanted["name_enum"],
            "{name}"
        );
    }
}

async fn load(input: &Value, expect: &Value, name: &str) {
    let builder = input["skills"]
        .as_array()
        .unwrap()
        .iter()
        .fold(Agent::inline(), |builder, given| {
            builder.skill(skill(given))
        });
    let run = running(builder.build().unwrap()).await;
    let reply = run
        .carrier
        .calls("cosmo_sdk_load_skill", &input["args"].to_string())
        .await
        .unwrap();
    assert!(reply.len() <= 15_360, "{name}");
    let reply: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(reply["ok"], expect["ok"], "{name}: {reply}");
    if let Some(keys) = expect.get("result_keys") {
        let got: Vec<&String> = reply["result"].as_object().unwrap().keys().collect();
        assert_eq!(json!(got), *keys, "{name}");
    }
    if let Some(body) = expect["body_after_prefix"].as_str() {
        assert_eq!(
            reply["result"]["instructions"].as_str().unwrap(),
            format!("{PREFACE}{body}"),
            "{name}"
        );
    }
    for known in expect["error_names"].as_array().into_iter().flatten() {
        assert!(
            reply["error"]
                .as_str()
                .unwrap()
                .contains(known.as_str().unwrap()),
            "{name}: {reply}"
        );
    }
}

#[tokio::test]
async fn k1_to_k17_skills_are_what_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("skills.json") {
        match input["op"].as_str().unwrap() {
            "parse" => {
                let parsed = parse(
                    input["text"].as_str().unwrap(),
                    input["default_name"].as_str().unwrap(),
                );
                assert_eq!(told(parsed, |skill| shown(&skill)), expect, "{name}");
            }
            "resolve" => {
                let (_root, sources) = tree(&input);
                let found = told(
                    resolve(&sources),
                    |skills| json!({"skills": skills.iter().map(shown).collect::<Vec<_>>()}),
                );
                assert_eq!(found, expect, "{name}");
            }
            "menu" => menu(&input, &expect, &name),
            "load" => load(&input, &expect, &name).await,
            other => panic!("no operation is called {other}"),
        }
    }
}

fn code(path: &Path) -> String {
    resolve(&[SkillSource::Folder(path.to_owned())])
        .unwrap_err()
        .code
        .as_str()
        .to_owned()
}

const GOOD: &str = "---\ndescription: D\n---\nB";

#[test]
fn a_fault_says_file_line_and_what_to_do() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("a/SKILL.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "---\nname: a\njust words\n---\n").unwrap();
    let error = resolve(&[SkillSource::Folder(root.path().to_owned())]).unwrap_err();
    assert_eq!(error.line, Some(3));
    assert!(
        error
            .message
            .starts_with(&format!("{}:3: ", file.display())),
        "{error}"
    );
}

#[test]
fn a_file_that_is_too_large_or_not_text_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("SKILL.md");
    fs::write(&file, format!("{GOOD}{}", "x".repeat(300 * 1024))).unwrap();
    assert_eq!(code(root.path()), "cannot_read");
    fs::write(&file, b"---\ndescription: \xff\n---\n").unwrap();
    assert_eq!(code(root.path()), "cannot_read");
    fs::write(&file, GOOD).unwrap();
    assert_eq!(
        resolve(&[SkillSource::Folder(root.path().to_owned())])
            .unwrap()
            .len(),
        1
    );
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_followed_and_one_within_is() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let outside = root.path().join("secret.md");
    fs::write(&outside, GOOD).unwrap();
    let skills = root.path().join("skills");
    fs::create_dir_all(skills.join("a")).unwrap();
    symlink(&outside, skills.join("a/SKILL.md")).unwrap();
    assert_eq!(code(&skills), "cannot_read");
    fs::remove_file(skills.join("a/SKILL.md")).unwrap();
    fs::create_dir_all(skills.join("shared")).unwrap();
    fs::write(skills.join("shared/text.md"), GOOD).unwrap();
    symlink(skills.join("shared/text.md"), skills.join("a/SKILL.md")).unwrap();
    assert_eq!(
        resolve(&[SkillSource::Folder(skills)]).unwrap()[0].name,
        "a"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_or_device_is_refused_without_being_waited_for() {
    let root = tempfile::tempdir().unwrap();
    let fifo = root.path().join("SKILL.md");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(code(root.path()), "cannot_read");
}

#[test]
fn k19_files_are_read_when_the_agent_is_built_and_never_again() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("SKILL.md");
    fs::write(&file, GOOD).unwrap();
    let agent = Agent::inline().skills_from(root.path()).build().unwrap();
    fs::write(&file, "changed").unwrap();
    assert_eq!(agent.skills()[0].body, "B");
}
