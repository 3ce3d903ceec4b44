//! `agents list` and `agents check`.

use std::io;

use alidade_app::agents::{AgentFolder, Places, find, hidden, list, override_problem};

use crate::{
    Status,
    arguments::{Agents, AgentsCommand},
    print,
};

/// Names are padded to the widest one, but to no more than this many characters.
const WIDEST: usize = 24;

pub(crate) fn run(arguments: &Agents) -> Status {
    let places = places();
    let done = match &arguments.command {
        AgentsCommand::List => show(&places),
        AgentsCommand::Check { agent } => check(&places, agent),
    };
    done.unwrap_or_else(|error| print::unwritten("The list", &error))
}

/// Where agents are looked for; a place that was named and is not there is told.
pub(crate) fn places() -> Places {
    if let Some(problem) = override_problem() {
        print::problem(problem);
    }
    Places::default()
}

fn show(places: &Places) -> io::Result<Status> {
    let agents = list(places);
    if agents.is_empty() {
        print::problem("There are no agents on this machine. These places were looked in:");
        for place in &places.0 {
            print::problem(format_args!("  {}", place.display()));
        }
        return Ok(Status::NotFound);
    }
    let width = |name: &str| name.chars().count();
    let widest = agents.iter().map(|(name, _)| width(name)).max();
    let widest = widest.unwrap_or(0).min(WIDEST);
    for (name, agent) in agents {
        match agent {
            Ok(agent) => print::line(format_args!("{name:widest$}  {}", agent.description))?,
            Err(faults) => {
                let things = counted(faults.0.len(), "fault");
                print::line(format_args!(
                    "{name:widest$}  (has {things}: alidade-cli agents check {name})"
                ))?;
            }
        }
    }
    for hidden in hidden(places) {
        print::line(format_args!(
            "Not reached by name: {} (give its path), because {} comes first.",
            hidden.folder.display(),
            hidden.by.display()
        ))?;
    }
    Ok(Status::Answered)
}

fn check(places: &Places, agent: &str) -> io::Result<Status> {
    match find(places, agent) {
        Ok(agent) => {
            for warning in &agent.warnings {
                print::line(warning)?;
            }
            print::line(summary(&agent))?;
            Ok(Status::Answered)
        }
        Err(faults) => {
            print::faults(&faults);
            Ok(Status::NotFound)
        }
    }
}

fn summary(agent: &AgentFolder) -> String {
    format!(
        "{}: no faults ({}, {}, in {})",
        agent.name,
        counted(agent.server_tools.len() + agent.renderers.len(), "tool"),
        counted(agent.skills.len(), "skill"),
        agent.folder.display()
    )
}

fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
