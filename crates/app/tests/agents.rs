//! Agents' folders: what is wrong with them is said, with file, line and a sentence.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{fs, os::unix::fs::symlink, path::Path};

use alidade_app::agents::{AgentFolder, Fault, Places, find, hidden, list};

const GOOD: &str = "name = \"helper\"\ndescription = \"Helps.\"\nserver_tools = [\"detect_objects\"]\nrenderers = [\"draw_box\"]\n";

fn folder(place: &Path, manifest: &str) -> std::path::PathBuf {
    let folder = place.join("helper");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("agent.toml"), manifest).unwrap();
    fs::write(folder.join("instructions.md"), "Be brief.").unwrap();
    folder
}

fn faults(manifest: &str) -> Vec<Fault> {
    let place = tempfile::tempdir().unwrap();
    AgentFolder::load(folder(place.path(), manifest))
        .expect_err(manifest)
        .0
}

#[test]
fn the_shipped_agents_have_no_faults_and_no_warnings() {
    let shipped = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../agents"));
    let agents = list(&Places(vec![shipped.into()]));
    assert!(agents.iter().any(|(name, _)| name == "point-and-ask"));
    for (name, agent) in agents {
        let agent = agent.unwrap_or_else(|faults| panic!("{name}: {faults}"));
        assert_eq!(agent.warnings, [], "{name}");
        assert!(
            !agent.skills.is_empty(),
            "{name} shows how a skill is written"
        );
    }
}

#[test]
fn a_fault_names_its_line_and_says_what_to_do() {
    let cases = [
        (
            "name = \"helper\"\ndescription = \"x\"\ncolour = \"red\"\n",
            3,
            "colour",
        ),
        ("name = \"Helper\"\ndescription = \"x\"\n", 1, "lower-case"),
        ("\nname = \"other\"\ndescription = \"x\"\n", 2, "same name"),
        ("name = \"helper\"\ndescription = \" \"\n", 2, "empty"),
        (
            "name = \"helper\"\ndescription = \"x\"\nserver_tools = [\n  \"detect_objects\",\n  \"fly\",\n]\n",
            5,
            "detect_objects",
        ),
        (
            "name = \"helper\"\ndescription = \"x\"\nrenderers = [\"draw_box\",\n \"draw_box\"]\n",
            4,
            "twice",
        ),
        (
            "name = \"helper\"\ndescription = \"x\"\n\n[[silence]]\ntimeout_seconds = 0\n",
            5,
            "timeout_seconds",
        ),
        (
            "name = \"helper\"\ndescription = \"x\"\n[[gate]]\ntool = \"[a\"\naction = \"deny\"\n",
            4,
            "never closed",
        ),
        (
            "name = \"helper\"\ndescription = \"x\"\n[[gate]]\ntool = \"a\"\naction = \"allow\"\n",
            5,
            "allow",
        ),
        ("name = \"helper\"\ndescription =\n", 2, ""),
    ];
    for (manifest, line, word) in cases {
        let found = faults(manifest);
        assert_eq!(found.len(), 1, "{manifest}: {found:?}");
        assert_eq!(found[0].line, Some(line), "{manifest}: {}", found[0]);
        assert!(found[0].says.contains(word), "{manifest}: {}", found[0]);
        assert!(found[0].says.ends_with('.'), "a sentence: {}", found[0]);
        assert!(found[0].file.ends_with("helper/agent.toml"));
    }
}

#[test]
fn every_fault_is_reported_at_once() {
    let place = tempfile::tempdir().unwrap();
    let folder = folder(
        place.path(),
        "name = \"x y\"\ndescription = \"\"\nserver_tools = [\"fly\"]\n",
    );
    fs::remove_file(folder.join("instructions.md")).unwrap();
    fs::create_dir_all(folder.join("skills/one")).unwrap();
    fs::write(
        folder.join("skills/one/SKILL.md"),
        "---\nname: one\nno colon here\n---\n",
    )
    .unwrap();
    let found = AgentFolder::load(&folder).unwrap_err().0;
    assert_eq!(found.len(), 5, "{found:#?}");
    let skill = found
        .iter()
        .find(|f| f.file.ends_with("skills/one/SKILL.md"))
        .expect("the skill's fault");
    assert_eq!(skill.line, Some(3));
}

#[test]
fn a_link_out_of_the_folder_and_a_pipe_are_refused_without_waiting() {
    let place = tempfile::tempdir().unwrap();
    let folder = folder(place.path(), GOOD);
    let outside = place.path().join("secret");
    fs::write(&outside, "secret").unwrap();
    let instructions = folder.join("instructions.md");
    fs::remove_file(&instructions).unwrap();
    symlink(&outside, &instructions).unwrap();
    let says = AgentFolder::load(&folder).unwrap_err().to_string();
    assert!(says.contains("leaves the folder"), "{says}");

    fs::remove_file(&instructions).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&instructions)
            .status()
            .unwrap()
            .success()
    );
    let says = AgentFolder::load(&folder).unwrap_err().to_string();
    assert!(says.contains("not a regular file"), "{says}");
}

#[test]
fn instructions_that_are_no_text_name_their_line() {
    let place = tempfile::tempdir().unwrap();
    let folder = folder(place.path(), GOOD);
    fs::write(folder.join("instructions.md"), b"one\ntwo\n\xff\n").unwrap();
    let found = AgentFolder::load(&folder).unwrap_err().0;
    assert_eq!((found.len(), found[0].line), (1, Some(3)), "{found:?}");
}

#[test]
fn an_agent_is_found_by_name_in_the_first_place_that_has_it() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    folder(first.path(), &GOOD.replace("Helps.", "First."));
    folder(second.path(), GOOD);
    let places = Places(vec![
        first.path().into(),
        "/nowhere".into(),
        second.path().into(),
    ]);
    assert_eq!(find(&places, "helper").unwrap().description, "First.");
    assert_eq!(list(&places).len(), 1);
    let says = find(&places, "nobody").unwrap_err().to_string();
    assert!(says.contains("helper"), "it lists those there are: {says}");
    assert!(find(&places, "../helper").is_err());
}

/// A skill's folder with this text as its `SKILL.md`.
fn skill(agent: &Path, name: &str, text: &str) {
    let folder = agent.join("skills").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), text).unwrap();
}

fn pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[test]
fn one_wrong_field_hides_no_other() {
    let manifest = r#"
name = "helper"
description = 3
greeting = ["x"]
server_tools = "fly"
renderers = ["rm_rf", 4]
colour = 1
shape = 2
[voice]
pitch = 3
[backend]
prefer = "moon"
[[gate]]
tool = "[a"
action = "allow"
[[silence]]
timeout_seconds = 0
max_count = 99999999999999999999
say = "x"
end_call = true
farewell = 3
"#;
    let found = faults(manifest);
    let lines: Vec<_> = found.iter().filter_map(|fault| fault.line).collect();
    assert_eq!(
        lines,
        [3, 4, 5, 6, 6, 7, 8, 10, 12, 14, 15, 16, 17, 18, 21],
        "{found:#?}"
    );
    for fault in &found {
        for jargon in ["variant", "invalid type", "i128", "u32", "sequence"] {
            assert!(!fault.says.to_lowercase().contains(jargon), "{fault}");
        }
    }
}

#[test]
fn a_field_that_is_missing_or_there_twice_is_named() {
    let found = faults("greeting = \"a\"\ngreeting = \"b\"\n");
    let says: Vec<_> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 3, "{says:?}");
    for word in [
        "`name` is missing",
        "`description` is missing",
        "`greeting` stands here twice",
    ] {
        assert!(says.iter().any(|s| s.contains(word)), "{word}: {says:?}");
    }
}

#[test]
fn links_out_of_the_folder_of_skills_are_refused_with_a_sentence() {
    let place = tempfile::tempdir().unwrap();
    let outside = place.path().join("outside");
    skill(&outside, "one", "---\ndescription: d\n---\nx");
    let agent = folder(place.path(), GOOD);
    let refused = |what: &str| {
        let found = AgentFolder::load(&agent).expect_err(what).0;
        assert_eq!(found.len(), 1, "{what}: {found:?}");
        assert!(
            found[0].says.contains("link that le"),
            "{what}: {}",
            found[0]
        );
    };
    let skills = agent.join("skills");
    for target in [
        outside.join("skills"),
        "..".into(),
        ".".into(),
        "/nowhere".into(),
    ] {
        symlink(&target, &skills).unwrap();
        refused(&format!("skills -> {}", target.display()));
        fs::remove_file(&skills).unwrap();
    }
    fs::create_dir(&skills).unwrap();
    for target in [
        "/etc",
        "..",
        "../../helper",
        "../../outside/skills/one",
        "gone",
    ] {
        symlink(target, skills.join("it")).unwrap();
        refused(&format!("skills/it -> {target}"));
        fs::remove_file(skills.join("it")).unwrap();
    }
    fs::create_dir(skills.join("it")).unwrap();
    symlink(
        outside.join("skills/one/SKILL.md"),
        skills.join("it/SKILL.md"),
    )
    .unwrap();
    refused("skills/it/SKILL.md");
}

#[test]
fn one_broken_skill_hides_no_other() {
    let place = tempfile::tempdir().unwrap();
    let agent = folder(place.path(), GOOD);
    skill(&agent, "b", "no front matter");
    skill(&agent, "c", "---\nname: ../x\ndescription: d\n---\n");
    skill(
        &agent,
        "d",
        "---\nname: step-by-step\ndescription: d\n---\n",
    );
    skill(&agent, "e", "---\ndescription: a\u{1b}[31mb\n---\n");
    skill(&agent, "good", "---\nname: good\ndescription: d\n---\n");
    fs::create_dir(agent.join("skills/a")).unwrap();
    pipe(&agent.join("skills/a/SKILL.md"));
    let found = AgentFolder::load(&agent).unwrap_err().0;
    let at: Vec<_> = found
        .iter()
        .map(|fault| {
            let folder = fault.file.parent().unwrap().file_name().unwrap();
            (folder.to_str().unwrap(), fault.line)
        })
        .collect();
    let expected = [
        ("a", None),
        ("b", None),
        ("c", Some(2)),
        ("d", Some(2)),
        ("e", Some(2)),
    ];
    assert_eq!(at, expected, "{found:#?}");
}

#[test]
fn control_characters_are_refused_and_never_printed() {
    for field in ["greeting", "voice.name"] {
        for escape in ["\\u001b[31m", "\\u0000", "\\u202e", "\\u009b"] {
            let found = faults(&format!("{GOOD}{field} = \"a{escape}b\"\n"));
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(
                found[0].says.contains("control character U+"),
                "{}",
                found[0]
            );
        }
    }
    // What is quoted from the file, and the file's own name, act on no terminal either.
    let place = tempfile::tempdir().unwrap();
    let agent = folder(&place.path().join("a\n\u{1b}[2J"), "\"x\\u001b\" = 1\n");
    let says = AgentFolder::load(agent).unwrap_err().to_string();
    let lines = says.lines().count();
    assert_eq!(lines, 3, "a line for each fault: {says:?}");
    assert!(
        !says.replace('\n', "").chars().any(char::is_control),
        "{says:?}"
    );
}

#[test]
fn an_agent_that_can_do_nothing_is_warned_of() {
    let place = tempfile::tempdir().unwrap();
    let agent = folder(place.path(), "name = \"helper\"\ndescription = \"x\"\n");
    fs::write(agent.join("instructions.md"), " \n").unwrap();
    fs::create_dir_all(agent.join("skills/empty")).unwrap();
    let warnings = AgentFolder::load(&agent).unwrap().warnings;
    for word in ["can look at nothing", "told nothing", "no SKILL.md"] {
        assert!(
            warnings.iter().any(|w| w.says.contains(word)),
            "{word}: {warnings:?}"
        );
    }
}

#[test]
fn an_agent_that_an_earlier_place_hides_is_named() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let by = folder(first.path(), GOOD);
    let behind = folder(second.path(), GOOD);
    let alias = second.path().join("alias");
    symlink(first.path(), &alias).unwrap();
    // The first place under another name hides nothing of itself.
    let places = Places(vec![first.path().into(), alias, second.path().into()]);
    let found = hidden(&places);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0].folder, &found[0].by), (&behind, &by));
}

#[test]
fn the_path_of_a_manifest_names_its_folder() {
    let place = tempfile::tempdir().unwrap();
    let manifest = folder(place.path(), GOOD).join("agent.toml");
    let agent = find(&Places(Vec::new()), manifest.to_str().unwrap()).unwrap();
    assert_eq!(agent.name, "helper");
}
