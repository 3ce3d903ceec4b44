//! Server hooks: what happens when the person says nothing (`hooks.md` §8). Time comes in from outside.

use std::time::Duration;

use alidade_wire::start::{HookAction, ResetMode, ServerHook};
use tokio::time::Instant;

/// The silence hooks of one session.
pub(super) struct Silence {
    hooks: Vec<Hook>,
    spoken: bool,
}

struct Hook {
    rule: ServerHook,
    since: Instant,
    fired: i64,
}

/// One firing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Firing {
    pub(super) silence_ms: i64,
    pub(super) trigger_count: i64,
    pub(super) max_count: i64,
    pub(super) action: HookAction,
}

impl Silence {
    pub(super) fn new(rules: Vec<ServerHook>, now: Instant) -> Self {
        let hooks = rules
            .into_iter()
            .map(|rule| Hook {
                rule,
                since: now,
                fired: 0,
            })
            .collect();
        Self {
            hooks,
            spoken: false,
        }
    }

    /// The person said something.
    pub(super) fn person(&mut self, now: Instant) {
        self.spoken = true;
        for hook in &mut self.hooks {
            hook.since = now;
            if hook.rule.reset_mode == ResetMode::OnUserSpeech {
                hook.fired = 0;
            }
        }
    }

    /// The agent stopped saying something.
    pub(super) fn agent(&mut self, now: Instant) {
        for hook in &mut self.hooks {
            hook.since = now;
        }
    }

    /// When the next hook fires if nobody speaks until then.
    pub(super) fn next(&self) -> Option<Instant> {
        self.hooks
            .iter()
            .filter_map(|hook| hook.due(self.spoken))
            .min()
    }

    /// The hooks that fire now, in declared order.
    pub(super) fn fire(&mut self, now: Instant) -> Vec<Firing> {
        let spoken = self.spoken;
        let mut fired = Vec::new();
        for hook in &mut self.hooks {
            if hook.due(spoken).is_some_and(|due| due <= now) {
                hook.fired += 1;
                fired.push(Firing {
                    silence_ms: i64::try_from((now - hook.since).as_millis()).unwrap_or(i64::MAX),
                    trigger_count: hook.fired,
                    max_count: hook.rule.max_count,
                    action: hook.rule.action.clone(),
                });
                hook.since = now;
            }
        }
        fired
    }
}

impl Hook {
    fn due(&self, spoken: bool) -> Option<Instant> {
        if self.fired >= self.rule.max_count {
            return None;
        }
        let stretch = if spoken {
            self.rule.present_multiplier.unwrap_or(1.0)
        } else {
            1.0
        };
        let seconds = (self.rule.timeout_seconds * stretch).clamp(0.0, 1_000_000.0);
        Some(self.since + Duration::from_secs_f64(seconds))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn hook(reset_mode: ResetMode) -> ServerHook {
        ServerHook {
            max_count: 2,
            reset_mode,
            present_multiplier: Some(2.0),
            ..ServerHook::new(
                10.0,
                HookAction::Say {
                    text: None,
                    prompt: None,
                },
            )
        }
    }

    #[test]
    fn a_hook_counts_from_the_last_firing_and_stops_at_its_bound() {
        let start = Instant::now();
        let mut silence = Silence::new(vec![hook(ResetMode::Never)], start);
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(silence.next(), Some(at(10)));
        assert!(silence.fire(at(9)).is_empty());
        let first = silence.fire(at(10)).remove(0);
        assert_eq!(
            (first.silence_ms, first.trigger_count, first.max_count),
            (10_000, 1, 2)
        );
        assert_eq!(silence.fire(at(20)).remove(0).trigger_count, 2);
        assert_eq!(silence.next(), None);
        silence.person(at(21));
        assert_eq!(
            silence.next(),
            None,
            "a bound of the session is not reset by speech"
        );
    }

    #[test]
    fn speech_stretches_the_wait_and_resets_a_count_of_one_silence() {
        let start = Instant::now();
        let mut silence = Silence::new(vec![hook(ResetMode::OnUserSpeech)], start);
        let at = |seconds| start + Duration::from_secs(seconds);
        silence.fire(at(10));
        silence.fire(at(20));
        silence.person(at(30));
        assert_eq!(
            silence.next(),
            Some(at(50)),
            "twice ten seconds once the person has spoken"
        );
        assert_eq!(silence.fire(at(50)).remove(0).trigger_count, 1);
    }

    #[test]
    fn what_the_agent_says_is_no_silence() {
        let start = Instant::now();
        let mut silence = Silence::new(vec![hook(ResetMode::Never)], start);
        silence.agent(start + Duration::from_secs(4));
        assert_eq!(silence.next(), Some(start + Duration::from_secs(14)));
    }
}
