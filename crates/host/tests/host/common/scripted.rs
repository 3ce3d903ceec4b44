//! A brain that does what it is told.

use std::time::Duration;

use alidade_host::brain::{Brain, BrainError, Desk, JobResult, ToolOutcome};
use alidade_wire::server::Usage;
use async_trait::async_trait;
use serde_json::{Map, Value};

/// Does what the turn says, a word a command:
/// `say …`, `which N`, `call NAME ARGS`, `notes`, `big N`, `sleep MS`, `blank`, `fail …`, `panic`, `tokens`.
#[derive(Default)]
pub(crate) struct Scripted {
    notes: Vec<String>,
}

#[async_trait]
impl Brain for Scripted {
    async fn turn(&mut self, text: &str, desk: &dyn Desk) -> Result<(), BrainError> {
        let (command, rest) = text.split_once(' ').unwrap_or((text, ""));
        match command {
            "say" => {
                for piece in rest.split_inclusive(' ') {
                    desk.say(piece).await;
                }
            }
            "which" => {
                desk.asked_which(rest.parse().unwrap());
                desk.say("Which one?").await;
            }
            "call" => {
                let (name, args) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let args: Map<String, Value> = serde_json::from_str(args).unwrap();
                let said = match desk.call(name, args).await {
                    ToolOutcome::Ok(value) => format!("ok {value}"),
                    ToolOutcome::Failed(why) => format!("failed {why}"),
                    ToolOutcome::Deferred { note, job_id } => format!("deferred {note} {job_id}"),
                };
                desk.say(&said).await;
            }
            "tools" => {
                let names: Vec<_> = desk.tools().iter().map(|tool| tool.name.as_str()).collect();
                desk.say(&names.join(",")).await;
            }
            "instructions" => desk.say(desk.instructions()).await,
            "notes" => desk.say(&self.notes.join("|")).await,
            "big" => desk.say(&"é".repeat(rest.parse().unwrap())).await,
            "sleep" => tokio::time::sleep(Duration::from_millis(rest.parse().unwrap())).await,
            "blank" => desk.say("  ").await,
            "fail" => return Err(BrainError::Turn(rest.to_owned())),
            "panic" => panic!("scripted"),
            "tokens" => desk.used(Usage {
                input_text_tokens: 3,
                output_text_tokens: 4,
                total_tokens: 7,
                ..Usage::default()
            }),
            _ => desk.say("?").await,
        }
        Ok(())
    }

    fn note(&mut self, context: &str) {
        self.notes.push(context.to_owned());
    }

    async fn job(&mut self, job: &JobResult, desk: &dyn Desk) -> Result<(), BrainError> {
        desk.say(&format!(
            "job {} {} {} {}",
            job.job_id, job.tool_name, job.ok, job.says
        ))
        .await;
        Ok(())
    }
}
