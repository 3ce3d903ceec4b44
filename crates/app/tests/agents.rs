//! Agents' folders: what is wrong with them is said, with file, line and a sentence.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{fs, path::Path};

use alidade_app::agents::{AgentFolder, Fault, Places, find, list};

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
            4,
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
    std::os::unix::fs::symlink(&outside, &instructions).unwrap();
    let says = AgentFolder::load(&folder).unwrap_err().to_string();
    assert!(says.contains("leaves the agent's folder"), "{says}");

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
