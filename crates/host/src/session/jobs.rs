//! Background jobs of client tools: which are open, and results that come before anybody knows them (S31).
//!
//! A call whose connection broke has failed, whatever the client makes of it. Where its reply comes after
//! all, or the result of a job that it took on, that is no reply any more but belongs to the
//! conversation: it is known by its tool, once for each call that was cut off.

use std::collections::VecDeque;

use alidade_room::RpcError;
use alidade_wire::{
    client::{self, JobStatus},
    reply::{self, Reply},
};
use parking_lot::Mutex;

use crate::brain::JobResult;

/// Jobs open at a time; the oldest is forgotten for a new one.
const OPEN: usize = 256;
/// Results held back while a call is under way.
const EARLY: usize = 16;

#[derive(Default)]
struct State {
    /// Id and tool, oldest first.
    open: VecDeque<(String, String)>,
    /// Calls whose reply has not been read.
    calling: usize,
    early: VecDeque<client::JobResult>,
    /// Tools of the calls that were cut off, oldest first.
    cut_off: VecDeque<String>,
    dropped: u64,
}

/// The jobs of one session.
#[derive(Default)]
pub(super) struct Jobs(Mutex<State>);

/// A call whose reply has not been read; it ends with [`Calling::over`], or by being dropped.
pub(super) struct Calling<'a>(&'a Jobs);

impl Calling<'_> {
    /// The reply was read, or never will be. Answers the results that were held back for it and belong
    /// to calls that were cut off.
    pub(super) fn over(self) -> Vec<JobResult> {
        let mut state = self.0.0.lock();
        if state.calling > 1 {
            return Vec::new();
        }
        let early = std::mem::take(&mut state.early);
        early
            .into_iter()
            .filter_map(|result| state.orphan(result))
            .collect()
    }
}

impl Drop for Calling<'_> {
    fn drop(&mut self) {
        let mut state = self.0.0.lock();
        state.calling -= 1;
        if state.calling == 0 {
            state.dropped += state.early.len() as u64;
            state.early.clear();
        }
    }
}

impl State {
    /// A result that no open job expects: that of a call that was cut off, or of nobody's.
    fn orphan(&mut self, result: client::JobResult) -> Option<JobResult> {
        let call = self
            .cut_off
            .iter()
            .position(|tool| *tool == result.tool_name);
        let Some(tool) = call.and_then(|place| self.cut_off.remove(place)) else {
            self.dropped += 1;
            tracing::debug!(
                dropped = self.dropped,
                "the result of an unknown job was dropped"
            );
            return None;
        };
        Some(heard(result, tool))
    }
}

impl Jobs {
    /// A client tool is being called. The reply and the result of a quick job take two ways through the
    /// room and may arrive in either order; until the reply is read, unknown results are kept.
    pub(super) fn calling(&self) -> Calling<'_> {
        self.0.lock().calling += 1;
        Calling(self)
    }

    /// A tool took a job on. Answers its result where that came first.
    pub(super) fn deferred(&self, job_id: &str, tool: &str) -> Option<JobResult> {
        let mut state = self.0.lock();
        if let Some(place) = state
            .early
            .iter()
            .position(|result| result.job_id == job_id)
        {
            return state
                .early
                .remove(place)
                .map(|result| heard(result, tool.to_owned()));
        }
        if state.open.len() >= OPEN {
            state.open.pop_front();
        }
        state.open.push_back((job_id.to_owned(), tool.to_owned()));
        None
    }

    /// A result arrived. Answers it where the job is known; an unknown one is dropped.
    pub(super) fn result(&self, result: client::JobResult) -> Option<JobResult> {
        let mut state = self.0.lock();
        if let Some(place) = state.open.iter().position(|(id, _)| *id == result.job_id) {
            let (_, tool) = state.open.remove(place)?;
            return Some(heard(result, tool));
        }
        if state.calling > 0 && state.early.len() < EARLY {
            state.early.push_back(result);
            return None;
        }
        state.orphan(result)
    }

    /// The client is back and answers a call that was cut off. What came of it is heard; of a job that
    /// was taken on, the result will be.
    pub(super) fn late_reply(
        &self,
        tool: &str,
        answer: Result<String, RpcError>,
    ) -> Option<JobResult> {
        let mut state = self.0.lock();
        // Where the result of the job was first, it took this place.
        let place = state.cut_off.iter().position(|cut| cut == tool)?;
        state.cut_off.remove(place);
        drop(state);
        let (ok, says, result) = match answer.map(|answer| reply::parse(&answer)) {
            Ok(Ok(Reply::Success(result))) => {
                let says = format!("{tool} was done after all.");
                (true, says, result.map(serde_json::Value::Object))
            }
            Ok(Ok(Reply::Failure(why))) => (false, why, None),
            Ok(Ok(Reply::Deferred { job_id, .. })) => return self.deferred(&job_id, tool),
            Ok(Err(bad)) => (false, bad.to_string(), None),
            Err(error) => (
                false,
                format!("The app could not run {tool}: {}", error.message),
                None,
            ),
        };
        Some(JobResult {
            job_id: uuid::Uuid::new_v4().simple().to_string(),
            tool_name: tool.to_owned(),
            ok,
            says,
            result,
        })
    }

    /// The connection broke while a tool ran.
    pub(super) fn cut_off(&self, tool: &str) {
        let mut state = self.0.lock();
        if state.cut_off.len() >= OPEN {
            state.cut_off.pop_front();
        }
        state.cut_off.push_back(tool.to_owned());
    }
}

fn heard(result: client::JobResult, tool_name: String) -> JobResult {
    let ok = result.status == JobStatus::Completed;
    let text = if ok { result.summary } else { result.error };
    let says = text
        .filter(|text| !text.trim().is_empty())
        .unwrap_or_else(|| {
            let how = if ok {
                "is done"
            } else {
                "failed, and did not say why"
            };
            format!("The job {tool_name} {how}.")
        });
    JobResult {
        job_id: result.job_id,
        tool_name,
        ok,
        says,
        result: result.result.map(serde_json::Value::Object),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn result(job_id: &str) -> client::JobResult {
        client::JobResult {
            job_id: job_id.to_owned(),
            tool_name: "export".to_owned(),
            status: JobStatus::Completed,
            result: None,
            summary: Some("ready".to_owned()),
            error: None,
        }
    }

    #[test]
    fn s31_a_result_of_a_known_job_is_heard_once_and_an_unknown_one_never() {
        let jobs = Jobs::default();
        assert_eq!(jobs.result(result("a")), None);
        assert_eq!(
            jobs.deferred("a", "export"),
            None,
            "what came while nobody called is gone"
        );
        assert_eq!(jobs.result(result("a")).unwrap().says, "ready");
        assert_eq!(jobs.result(result("a")), None);
    }

    #[test]
    fn a_result_that_overtakes_its_reply_is_heard() {
        let jobs = Jobs::default();
        let call = jobs.calling();
        assert_eq!(jobs.result(result("a")), None);
        assert_eq!(jobs.deferred("a", "export").unwrap().job_id, "a");
        assert_eq!(jobs.result(result("b")), None);
        drop(call);
        assert_eq!(
            jobs.deferred("b", "export"),
            None,
            "an early result lives as long as a call"
        );
    }

    #[test]
    fn the_result_of_a_call_that_was_cut_off_is_heard_once_for_each_call() {
        let jobs = Jobs::default();
        let call = jobs.calling();
        jobs.cut_off("export");
        assert!(call.over().is_empty());
        let other = client::JobResult {
            tool_name: "other".to_owned(),
            ..result("b")
        };
        assert_eq!(jobs.result(other), None, "no call of that tool was cut off");
        assert_eq!(jobs.result(result("a")).unwrap().job_id, "a");
        assert_eq!(jobs.result(result("a")), None);
    }

    #[test]
    fn a_result_during_a_new_call_is_its_own_first() {
        let jobs = Jobs::default();
        jobs.cut_off("export");
        let call = jobs.calling();
        assert_eq!(jobs.result(result("new")), None);
        assert_eq!(
            jobs.result(result("old")),
            None,
            "it may belong to the call"
        );
        assert_eq!(jobs.deferred("new", "export").unwrap().job_id, "new");
        let heard = call.over();
        assert_eq!(heard.len(), 1);
        assert_eq!(heard.first().unwrap().job_id, "old");
    }

    #[test]
    fn a_reply_that_comes_after_a_break_is_heard_once_as_conversation() {
        let jobs = Jobs::default();
        let done = || Ok(reply::success(&serde_json::json!({ "n": 1 })));
        assert_eq!(
            jobs.late_reply("export", done()),
            None,
            "no call was cut off"
        );
        jobs.cut_off("export");
        let heard = jobs.late_reply("export", done()).unwrap();
        assert_eq!(
            (heard.ok, heard.says.as_str(), heard.result),
            (
                true,
                "export was done after all.",
                Some(serde_json::json!({ "n": 1 }))
            )
        );
        assert_eq!(jobs.late_reply("export", done()), None);
        for (answer, says) in [
            (Ok(reply::failure("No disk.")), "No disk."),
            (
                Err(RpcError::application("It fell over.")),
                "The app could not run export: It fell over.",
            ),
        ] {
            jobs.cut_off("export");
            let heard = jobs.late_reply("export", answer).unwrap();
            assert_eq!((heard.ok, heard.says.as_str()), (false, says));
        }
    }

    #[test]
    fn a_job_taken_on_in_a_late_reply_is_an_open_job() {
        let jobs = Jobs::default();
        jobs.cut_off("export");
        assert_eq!(
            jobs.late_reply("export", Ok(reply::deferred("", "late"))),
            None
        );
        assert_eq!(jobs.result(result("late")).unwrap().says, "ready");
        // The result was first: the reply says nothing new.
        jobs.cut_off("export");
        assert!(jobs.result(result("quick")).is_some());
        assert_eq!(
            jobs.late_reply("export", Ok(reply::deferred("", "quick"))),
            None
        );
        assert_eq!(jobs.result(result("quick")), None);
    }

    #[test]
    fn a_job_without_words_still_has_a_sentence() {
        let jobs = Jobs::default();
        jobs.deferred("a", "export");
        let failed = client::JobResult {
            status: JobStatus::Failed,
            summary: None,
            ..result("a")
        };
        let heard = jobs.result(failed).unwrap();
        assert!(!heard.ok);
        assert_eq!(heard.says, "The job export failed, and did not say why.");
    }

    #[test]
    fn open_jobs_are_bounded() {
        let jobs = Jobs::default();
        for n in 0..=OPEN {
            jobs.deferred(&n.to_string(), "export");
        }
        assert_eq!(jobs.result(result("0")), None);
        assert!(jobs.result(result("1")).is_some());
    }
}
