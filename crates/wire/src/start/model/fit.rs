//! What a server checks about a model's options and a client does not.

use super::{Delegation, GeminiTurnDetection, ModelOptions, OpenAiTurnDetection};
use crate::error::slug;

impl ModelOptions {
    /// The slug and sentence of a refusal, when the options do not go together.
    pub(in crate::start) fn fits_server(
        &self,
        has_tools: bool,
    ) -> Result<(), (&'static str, String)> {
        let (named, other_is_tuned) = match self {
            ModelOptions::Gemini(gemini) => {
                let tunes_provider = gemini.end_of_speech_sensitivity.is_some()
                    || gemini.silence_duration_ms.is_some()
                    || gemini.prefix_padding_ms.is_some();
                match gemini.turn_detection {
                    Some(GeminiTurnDetection::CosmoVad) => ("cosmo_vad", tunes_provider),
                    Some(GeminiTurnDetection::ServerVad) => {
                        ("server_vad", gemini.cosmo_vad.is_some())
                    }
                    None => ("", false),
                }
            }
            ModelOptions::OpenAi(openai) => match openai.turn_detection {
                Some(OpenAiTurnDetection::SemanticVad) => (
                    "semantic_vad",
                    openai.silence_duration_ms.is_some() || openai.prefix_padding_ms.is_some(),
                ),
                Some(OpenAiTurnDetection::ServerVad) => ("server_vad", openai.eagerness.is_some()),
                None => ("", false),
            },
            ModelOptions::OpenAiLive(live) => {
                if has_tools
                    && matches!(
                        live.delegation,
                        Some(Delegation::Client | Delegation::Cosmo)
                    )
                {
                    return Err((
                        slug::INVALID_TOOL_CONFIG,
                        "tools cannot go together with the delegation of this openai_live model; use \"responses\" or no tools"
.to_owned(),
                    ));
                }
                ("", false)
            }
            ModelOptions::OpenAiMini(_) | ModelOptions::Grok(_) => ("", false),
        };
        if other_is_tuned {
            return Err((
                slug::TURN_DETECTION_KNOB_MISMATCH,
                format!(
                    "turn_detection names {named}, but options of another turn detector are set"
                ),
            ));
        }
        Ok(())
    }
}
