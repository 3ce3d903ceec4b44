//! Reading of server frames: required members, defaults, and the rule for an explicit null (R60).

use super::{Origin, Ready, ReadyAgent, RejectedTool, Role, ServerFrame, ToolInvocation, Usage};
use crate::{
    chunk::Chunk,
    read::{Node, Obj},
    start::HookAction,
};

/// The outer `None` says that no server frame has this type.
pub(super) fn from_object(raw_type: &str, frame: &Obj<'_>) -> Option<Option<ServerFrame>> {
    Some(match raw_type {
        "ready" => ready(frame).map(ServerFrame::Ready),
        "transcript" => transcript(frame),
        "model-text" => model_text(frame),
        "turn-complete" => frame
            .need("role")
            .and_then(|node| Role::read(&node))
            .map(|role| ServerFrame::TurnComplete { role }),
        "user-started-speaking" => Some(ServerFrame::UserStartedSpeaking),
        "user-stopped-speaking" => Some(ServerFrame::UserStoppedSpeaking),
        "bot-started-speaking" => Some(ServerFrame::BotStartedSpeaking),
        "bot-stopped-speaking" => Some(ServerFrame::BotStoppedSpeaking),
        "bot-llm-started" => Some(ServerFrame::BotLlmStarted),
        "bot-llm-stopped" => Some(ServerFrame::BotLlmStopped),
        "bot-tts-started" => Some(ServerFrame::BotTtsStarted),
        "bot-tts-stopped" => Some(ServerFrame::BotTtsStopped),
        "tool-call" => {
            call(frame).map(|(tool_call_id, name)| ServerFrame::ToolCall { tool_call_id, name })
        }
        "tool-dispatch-started" => call(frame)
            .map(|(tool_call_id, name)| ServerFrame::ToolDispatchStarted { tool_call_id, name }),
        "tool-result" => tool_result(frame),
        "tool-invocation" => tool_invocation(frame).map(ServerFrame::ToolInvocation),
        "user-speech-timeout" => user_speech_timeout(frame),
        "delegation-created" => delegation_created(frame),
        "reconnecting" => frame
            .optional("seconds_remaining", Node::number)
            .map(|seconds_remaining| ServerFrame::Reconnecting { seconds_remaining }),
        "session-ending-soon" => session_ending_soon(frame),
        "session-ended" => frame
            .optional("reason", Node::text)
            .map(|reason| ServerFrame::SessionEnded { reason }),
        "error" => error(frame),
        "cosmo.usage" => usage(frame).map(ServerFrame::Usage),
        "cosmo.session-state" => session_state(frame),
        "pong" => Some(ServerFrame::Pong),
        "server-envelope-chunk" => Chunk::read(frame).map(ServerFrame::EnvelopeChunk),
        _ => return None,
    })
}

fn ready(frame: &Obj<'_>) -> Option<Ready> {
    Some(Ready {
        session_id: frame.text("session_id")?,
        rejected_tools: frame.list_or_empty("rejected_tools", |node| {
            let tool = node.object()?;
            Some(RejectedTool {
                name: tool.text("name")?,
                reason: tool.text("reason")?,
            })
        })?,
        max_session_seconds: frame.optional("max_session_seconds", Node::number)?,
        agent: frame.optional("agent", |node| {
            let agent = node.object()?;
            Some(ReadyAgent {
                name: agent.text("name")?,
                tools: agent.list_or_empty("tools", Node::text)?,
            })
        })?,
    })
}

fn transcript(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::Transcript {
        role: Role::read(&frame.need("role")?)?,
        text: frame.text("text")?,
        is_final: frame.bool("is_final")?,
    })
}

fn model_text(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::ModelText {
        text: frame.text("text")?,
        is_final: frame.bool_or("is_final", false)?,
    })
}

fn call(frame: &Obj<'_>) -> Option<(String, String)> {
    Some((frame.text("tool_call_id")?, frame.text("name")?))
}

fn tool_result(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::ToolResult {
        tool_call_id: frame.text("tool_call_id")?,
        ok: frame.bool("ok")?,
        summary: frame.optional("summary", Node::text)?,
    })
}

fn tool_invocation(frame: &Obj<'_>) -> Option<ToolInvocation> {
    Some(ToolInvocation {
        request_id: frame.text("request_id")?,
        tool_call_id: frame.text("tool_call_id")?,
        name: frame.text("name")?,
        args: frame.map_or_empty("args")?,
        origin: frame
            .given("origin")
            .map_or(Some(Origin::Realtime), |node| node.word())?,
        executable: frame.bool_or("executable", true)?,
    })
}

fn user_speech_timeout(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::UserSpeechTimeout {
        session_id: frame.text("session_id")?,
        silence_ms: frame.int("silence_ms")?,
        trigger_count: frame.int("trigger_count")?,
        max_count: frame.int("max_count")?,
        action: HookAction::read(&frame.need("action")?, false)?,
    })
}

fn delegation_created(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::DelegationCreated {
        delegation_id: frame.text("delegation_id")?,
        transcript: frame.text("transcript")?,
    })
}

fn session_ending_soon(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::SessionEndingSoon {
        seconds_remaining: frame.need("seconds_remaining")?.number()?,
        reason: frame.text("reason")?,
    })
}

fn error(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::Error {
        code: frame.text("code")?,
        message: frame.text("message")?,
        fatal: frame.bool_or("fatal", false)?,
    })
}

fn usage(frame: &Obj<'_>) -> Option<Usage> {
    Some(Usage {
        input_text_tokens: frame.int_or("input_text_tokens", 0)?,
        input_image_tokens: frame.int_or("input_image_tokens", 0)?,
        input_audio_tokens: frame.int_or("input_audio_tokens", 0)?,
        input_cached_tokens: frame.int_or("input_cached_tokens", 0)?,
        output_text_tokens: frame.int_or("output_text_tokens", 0)?,
        output_audio_tokens: frame.int_or("output_audio_tokens", 0)?,
        total_tokens: frame.int_or("total_tokens", 0)?,
    })
}

fn session_state(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::SessionState {
        state: frame.map_or_empty("state")?,
        updated_keys: frame.list_or_empty("updated_keys", Node::text)?,
        warnings: frame.list_or_empty("warnings", Node::text)?,
        stage: frame.optional("stage", Node::text)?,
    })
}
