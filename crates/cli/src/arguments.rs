//! What may be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Point at something, ask, and be shown.
#[derive(Debug, Parser)]
#[command(name = "alidade-cli", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Asks about a picture, a video, a camera or the screen, and says where the thing is
    Ask(Box<Ask>),
    /// Serves the local backend to other programs until it is ended
    Host(Host),
    /// Lists the agents on this machine, or checks one
    Agents(Agents),
}

/// `ask`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 answered, 1 what you asked about is not in the picture, 2 wrong use,\n3 failed, for example because a file is missing.\n\nExample: alidade-cli ask \"where is Save?\" --image shot.png --out marked.png"
)]
pub(crate) struct Ask {
    /// What you want to know, in your own words
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub question: Option<String>,
    #[command(flatten)]
    pub source: Source,
    /// Writes the picture with the marks on it there, as PNG or JPEG
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub out: Option<PathBuf>,
    /// Prints the answer as one line of JSON, places included
    #[arg(long, conflicts_with = "batch")]
    pub json: bool,
    /// Answers many: a file (or - for the input) with one {"id"?, "image", "question"} a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["image", "folder", "video", "camera", "screen", "window"])]
    pub batch: Option<PathBuf>,
    /// The agent that answers: its name, or the path of its folder
    #[arg(long, value_name = "NAME", default_value = "point-and-ask")]
    pub agent: String,
}

/// What is looked at. One of them, unless there is a batch.
#[derive(Clone, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Source {
    /// A picture file
    #[arg(long, value_name = "FILE")]
    pub image: Option<PathBuf>,
    /// A folder of pictures; the first one is looked at
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// A video file, played as a camera
    #[arg(long, value_name = "FILE")]
    pub video: Option<PathBuf>,
    /// A camera: its number or part of its name; without one, the first
    #[arg(long, value_name = "CAMERA", num_args = 0..=1, default_missing_value = "")]
    pub camera: Option<String>,
    /// The screen: one monitor by the name of its output; without one, all of it
    #[arg(long, value_name = "MONITOR", num_args = 0..=1, default_missing_value = "")]
    pub screen: Option<String>,
    /// A window: words of its title
    #[arg(long, value_name = "TITLE")]
    pub window: Option<String>,
}

/// `host`.
#[derive(Debug, Args)]
pub(crate) struct Host {
    /// The port on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// A web page that may call, such as https://app.example; may be given several times
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = crate::host::origin)]
    pub origins: Vec<String>,
}

/// `agents`.
#[derive(Debug, Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    pub command: AgentsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// Lists the agents on this machine
    List,
    /// Checks an agent's folder and says everything that is wrong with it
    Check {
        /// Its name, or the path of its folder
        agent: String,
    },
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_contradict_nothing() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_file_is_no_command() {
        let is = |line: &[&str]| {
            let arguments: Vec<_> = ["alidade"].iter().chain(line).map(Into::into).collect();
            crate::is_command(&arguments)
        };
        assert!(is(&["ask"]) && is(&["agents", "list"]) && is(&["--help"]) && is(&["help"]));
        assert!(!is(&[]) && !is(&["shot.png"]) && !is(&["./ask"]));
    }

    #[test]
    fn a_camera_needs_no_name_and_a_batch_no_question() {
        let parse = |line: &[&str]| Arguments::try_parse_from([&["alidade-cli"], line].concat());
        assert!(parse(&["ask", "where?", "--camera"]).is_ok());
        assert!(parse(&["ask", "--batch", "cases.jsonl"]).is_ok());
        assert!(parse(&["ask"]).is_err());
        assert!(parse(&["host", "--origin", "null"]).is_err());
        assert!(parse(&["ask", "where?", "--image", "a", "--camera"]).is_err());
        assert!(parse(&["ask", "where?", "--screen"]).is_ok());
        assert!(parse(&["ask", "where?", "--screen", "--window", "Editor"]).is_err());
        assert!(parse(&["ask", "where?", "--batch", "cases.jsonl"]).is_err());
    }
}
