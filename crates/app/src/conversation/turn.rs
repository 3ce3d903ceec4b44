//! Which frames of a session belong to the answer, and what the answer came to. Pure.

use std::collections::HashMap;

use alidade_sdk::wire::{
    server::{Role, ServerFrame},
    start::HookAction,
};

use super::AskError;

/// What one turn of the agent came to.
#[derive(Default)]
pub(super) struct Turn {
    /// The turn that answers has begun.
    pub(super) begun: bool,
    pub(super) said: String,
    /// Calls of tools that look at the picture and are under way; whether they say where things are.
    looking: HashMap<String, bool>,
    /// A locator looked and answered; whether it found anything is seen from what was drawn.
    pub(super) located: bool,
    /// A tool looked, and one could not.
    saw: bool,
    blind: bool,
    /// It asked which of several things was meant.
    pub(super) asked_which: bool,
    pub(super) trouble: Option<String>,
}

impl Turn {
    /// Takes a frame; answers once the turn is over, with what keeps it from being an answer.
    pub(super) fn take(
        &mut self,
        frame: ServerFrame,
        unasked: &mut u32,
    ) -> Option<Result<(), AskError>> {
        match frame {
            ServerFrame::UserSpeechTimeout {
                action: HookAction::Say { .. },
                ..
            } => *unasked += 1,
            ServerFrame::BotLlmStarted if *unasked == 0 => self.begun = true,
            // Refused at the door: no turn will come of it.
            ServerFrame::Error { message, .. } if !self.begun && *unasked == 0 => {
                return Some(Err(AskError::Refused(message)));
            }
            ServerFrame::Error { message, .. } => self.trouble = Some(message),
            _ if !self.begun && *unasked > 0 => {}
            ServerFrame::Transcript {
                role: Role::Assistant,
                text,
                is_final: true,
            } => {
                self.begun = true;
                self.say(&text);
            }
            ServerFrame::ToolCall { tool_call_id, name } => {
                self.begun = true;
                if looks(&name) {
                    self.looking.insert(tool_call_id, is_locator(&name));
                }
            }
            ServerFrame::ToolResult {
                tool_call_id, ok, ..
            } => {
                if let Some(locator) = self.looking.remove(&tool_call_id) {
                    self.located |= ok && locator;
                    self.saw |= ok;
                    self.blind |= !ok;
                }
            }
            // The local host says so outright; other servers leave it out.
            ServerFrame::SessionState { state, .. } => {
                self.asked_which = state.get("asked").is_some_and(|asked| asked == "which");
            }
            ServerFrame::TurnComplete {
                role: Role::Assistant,
            } => return Some(self.over()),
            _ => {}
        }
        None
    }

    fn over(&mut self) -> Result<(), AskError> {
        if self.blind && !self.saw {
            // What it said then is why.
            return Err(AskError::Refused(std::mem::take(&mut self.said)));
        }
        match self.trouble.take() {
            Some(why) if self.said.is_empty() => Err(AskError::Refused(why)),
            _ => Ok(()),
        }
    }

    fn say(&mut self, text: &str) {
        let text = text.trim();
        if !self.said.is_empty() && !text.is_empty() {
            self.said.push(' ');
        }
        self.said.push_str(text);
    }
}

fn looks(tool: &str) -> bool {
    is_locator(tool) || tool == "cosmo_examine_image"
}

fn is_locator(tool: &str) -> bool {
    matches!(tool, "cosmo_detect_objects" | "cosmo_point_at_object")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn all(frames: Vec<ServerFrame>, unasked: &mut u32) -> (Turn, Option<Result<(), AskError>>) {
        let mut turn = Turn::default();
        for frame in frames {
            if *unasked > 0 && !turn.begun && matches!(frame, ServerFrame::TurnComplete { .. }) {
                *unasked -= 1;
            } else if let Some(over) = turn.take(frame, unasked) {
                return (turn, Some(over));
            }
        }
        (turn, None)
    }

    fn said(text: &str) -> Vec<ServerFrame> {
        vec![
            ServerFrame::BotLlmStarted,
            ServerFrame::Transcript {
                role: Role::Assistant,
                text: text.into(),
                is_final: true,
            },
            ServerFrame::TurnComplete {
                role: Role::Assistant,
            },
        ]
    }

    #[test]
    fn greetings_and_words_after_a_silence_are_no_answers() {
        let mut frames = said("Show me the bench.");
        frames.push(ServerFrame::UserSpeechTimeout {
            session_id: "s".into(),
            silence_ms: 5_000,
            trigger_count: 1,
            max_count: 2,
            action: HookAction::Say {
                text: Some("Still there?".into()),
                prompt: None,
            },
        });
        frames.extend(said("Still there?"));
        frames.extend(said("Here it is."));
        let mut unasked = 1;
        let (turn, over) = all(frames, &mut unasked);
        assert!(matches!(over, Some(Ok(()))));
        assert_eq!((turn.said.as_str(), unasked), ("Here it is.", 0));
    }

    #[test]
    fn a_question_that_is_refused_and_a_tool_that_cannot_look_are_errors() {
        let refused = ServerFrame::Error {
            code: "invalid_message".into(),
            message: "too long".into(),
            fatal: false,
        };
        let (_, over) = all(vec![refused], &mut 0);
        assert!(matches!(over, Some(Err(AskError::Refused(why))) if why == "too long"));
        let mut frames = said("The model file is damaged.");
        let call = ServerFrame::ToolCall {
            tool_call_id: "1".into(),
            name: "cosmo_detect_objects".into(),
        };
        let failed = ServerFrame::ToolResult {
            tool_call_id: "1".into(),
            ok: false,
            summary: None,
        };
        frames.splice(1..1, [call, failed]);
        let (_, over) = all(frames, &mut 0);
        assert!(matches!(over, Some(Err(AskError::Refused(why))) if why.contains("damaged")));
    }
}
