//! What is counted of a session and stays readable after it (S36).

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use alidade_wire::{
    rest::{Tokens, UsageAnswer},
    server::Usage,
};
use parking_lot::Mutex;
use serde_json::{Value, json};

/// The counters of one session.
pub(super) struct Record {
    began: Instant,
    /// Seconds since 1970.
    began_at: f64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Length in seconds, and whether it ended by a fault.
    ended: Option<(f64, bool)>,
    forgotten: bool,
    turns: i64,
    tokens: Option<Usage>,
}

impl Record {
    pub(super) fn new() -> Self {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            began: Instant::now(),
            began_at: now.as_secs_f64(),
            state: Mutex::default(),
        }
    }

    pub(super) fn began(&self) -> f64 {
        self.began_at
    }

    /// How long ago it began.
    pub(super) fn age(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn turn(&self) {
        self.state.lock().turns += 1;
    }

    /// Adds tokens; answers the totals.
    pub(super) fn used(&self, more: Usage) -> Usage {
        let mut state = self.state.lock();
        let sum = state.tokens.get_or_insert_with(Usage::default);
        for (total, more) in [
            (&mut sum.input_text_tokens, more.input_text_tokens),
            (&mut sum.input_image_tokens, more.input_image_tokens),
            (&mut sum.input_audio_tokens, more.input_audio_tokens),
            (&mut sum.input_cached_tokens, more.input_cached_tokens),
            (&mut sum.output_text_tokens, more.output_text_tokens),
            (&mut sum.output_audio_tokens, more.output_audio_tokens),
            (&mut sum.total_tokens, more.total_tokens),
        ] {
            *total = total.saturating_add(more.max(0));
        }
        *sum
    }

    pub(super) fn ended(&self, fault: bool) {
        let length = self.began.elapsed().as_secs_f64();
        self.state.lock().ended.get_or_insert((length, fault));
    }

    pub(super) fn forget(&self) {
        self.state.lock().forgotten = true;
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.state.lock().forgotten
    }

    fn status(state: &State) -> &'static str {
        match state.ended {
            None => "active",
            Some((_, false)) => "completed",
            Some((_, true)) => "error",
        }
    }

    /// Tokens are told where a model reported them; without one there is nothing to wait for.
    pub(super) fn usage(&self) -> UsageAnswer {
        let state = self.state.lock();
        let usage_status = match (&state.tokens, state.ended) {
            (None, _) => "unavailable",
            (Some(_), None) => "pending",
            (Some(_), Some(_)) => "recorded",
        };
        let length = state
            .ended
            .map_or_else(|| self.began.elapsed().as_secs_f64(), |(length, _)| length);
        UsageAnswer {
            status: Self::status(&state).to_owned(),
            usage_status: usage_status.to_owned(),
            duration_seconds: Some((length * 1000.0).round() / 1000.0),
            turn_count: Some(state.turns),
            tokens: state.tokens.map(|usage| Tokens {
                input_tokens: usage.input_text_tokens
                    + usage.input_image_tokens
                    + usage.input_audio_tokens,
                output_tokens: usage.output_text_tokens + usage.output_audio_tokens,
                total_tokens: usage.total_tokens,
                input_audio_tokens: usage.input_audio_tokens,
                input_text_tokens: usage.input_text_tokens,
                input_image_tokens: usage.input_image_tokens,
                input_cached_tokens: usage.input_cached_tokens,
                output_audio_tokens: usage.output_audio_tokens,
                output_text_tokens: usage.output_text_tokens,
            }),
            ..UsageAnswer::default()
        }
    }

    pub(super) fn listed(&self, id: &str) -> Value {
        let state = self.state.lock();
        let mut row = json!({
            "id": id,
            "status": Self::status(&state),
            "started_at": self.began_at,
            "has_resumption_handle": false,
        });
        if let Some((length, _)) = state.ended {
            row["ended_at"] = (self.began_at + length).into();
        }
        row
    }
}
