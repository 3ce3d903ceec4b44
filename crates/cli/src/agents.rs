//! `agents list` and `agents check`.

use alidade_app::agents::{AgentFolder, Places, find, list};

use crate::{
    Status,
    arguments::{Agents, AgentsCommand},
    print,
};

pub(crate) fn run(arguments: &Agents) -> Status {
    let places = Places::default();
    let done = match &arguments.command {
        AgentsCommand::List => show(&places),
        AgentsCommand::Check { agent } => check(&places, agent),
    };
    done.unwrap_or(Status::Failed)
}

fn show(places: &Places) -> std::io::Result<Status> {
    let agents = list(places);
    if agents.is_empty() {
        print::problem("There are no agents on this machine. These places were looked in:");
        for place in &places.0 {
            print::problem(format_args!("  {}", place.display()));
        }
        return Ok(Status::NotFound);
    }
    let widest = agents
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    for (name, agent) in agents {
        match agent {
            Ok(agent) => print::line(format_args!("{name:widest$}  {}", agent.description))?,
            Err(faults) => {
                let count = faults.0.len();
                let things = if count == 1 {
                    "1 fault".to_owned()
                } else {
                    format!("{count} faults")
                };
                print::line(format_args!(
                    "{name:widest$}  (has {things}: alidade-cli agents check {name})"
                ))?;
            }
        }
    }
    Ok(Status::Answered)
}

fn check(places: &Places, agent: &str) -> std::io::Result<Status> {
    match find(places, agent) {
        Ok(agent) => {
            for warning in &agent.warnings {
                print::line(format_args!("{warning}"))?;
            }
            print::line(summary(&agent))?;
            Ok(Status::Answered)
        }
        Err(faults) => {
            print::problem(faults);
            Ok(Status::NotFound)
        }
    }
}

fn summary(agent: &AgentFolder) -> String {
    let tools = agent.server_tools.len() + agent.renderers.len();
    format!(
        "{}: no faults ({tools} tools, {} skills, in {})",
        agent.name,
        agent.skills.len(),
        agent.folder.display()
    )
}
