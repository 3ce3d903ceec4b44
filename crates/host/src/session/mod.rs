//! Sessions: how many, which are live, and what is kept of those that ended.
//!
//! `life` owns one session: its room and its clock; `frames` is what the client's frames do to it,
//! `close` its end. `talk` owns the brain and takes one turn at a time. `desk` is where the brain works,
//! `outbox` the one way frames leave, `jobs` the background jobs of client tools, `offer` which tools
//! there are. `admission` says who may come in, `cap` how long it may last, `silence` which hooks fire
//! when nobody speaks, `ear` when somebody speaks in vain.

mod admission;
mod cap;
mod close;
mod desk;
mod ear;
mod frames;
mod jobs;
mod life;
mod offer;
mod outbox;
mod record;
mod silence;
mod talk;

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use alidade_room::{Agent, RoomOptions, ServerRoom};
use alidade_wire::{
    rest::UsageAnswer,
    server::Ready,
    start::{AgentBlock, StartBody},
};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use admission::Admission;

use crate::{Eyes, HostOptions, Limits, brain::BrainMaker};
use admission::Latch;
use record::Record;

/// The attribute of the agent that says the session is ready (S20).
const READY_ATTRIBUTE: &str = "cosmo.ready";
/// Ended sessions whose usage can still be asked for.
const ENDED_KEPT: usize = 256;

/// Why a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The client sent `end`.
    ClientEnded,
    /// The client left the room.
    ClientLeft,
    /// Nobody joined, or nobody came back.
    NobodyThere,
    /// The session's cap.
    Duration,
    /// A silence hook hung up.
    Silence,
    /// The brain hung up.
    EndCall,
    /// Deleted by REST.
    Deleted,
    /// The backend stops.
    Shutdown,
    /// The session could not begin or go on.
    Internal,
}

impl Ending {
    /// The reason of the `session-ended` frame.
    pub(crate) const fn slug(self) -> &'static str {
        match self {
            Self::ClientEnded => "client_ended",
            Self::ClientLeft => "client_left",
            Self::NobodyThere => "nobody_joined",
            Self::Duration => "max_session_duration",
            Self::Silence => "user_silent",
            Self::EndCall => "end_call",
            Self::Deleted => "session_deleted",
            Self::Shutdown => "server_shutdown",
            Self::Internal => "internal_error",
        }
    }

    const fn is_fault(self) -> bool {
        matches!(self, Self::Internal | Self::NobodyThere)
    }
}

/// Why a session was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenError {
    /// As many run as may (S6). A place becomes free after `retry_after` at the latest, where that is
    /// known.
    Full {
        limit: usize,
        active: usize,
        retry_after: Option<Duration>,
    },
    /// The backend is stopping.
    Stopping,
}

/// One session, as others see it.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) room_name: String,
    pub(crate) identity: String,
    room: ServerRoom,
    latch: Latch,
    record: Record,
    /// Set once; whoever sets it first names the reason.
    ending: watch::Sender<Option<Ending>>,
    /// Raised when everything of the session is over.
    over: CancellationToken,
}

impl Session {
    /// Asks the session to end; the first reason stands.
    pub(crate) fn end(&self, why: Ending) {
        self.ending.send_if_modified(|ending| {
            let first = ending.is_none();
            if first {
                *ending = Some(why);
            }
            first
        });
    }

    /// Whether it runs and nobody has asked it to end.
    pub(crate) fn is_live(&self) -> bool {
        self.ending.borrow().is_none()
    }

    /// What the usage endpoint answers.
    pub(crate) fn usage(&self) -> UsageAnswer {
        self.record.usage()
    }

    /// What the listing endpoint answers.
    pub(crate) fn listed(&self) -> Value {
        self.record.listed(&self.id)
    }
}

/// All sessions of a host.
pub(crate) struct Sessions {
    limits: Limits,
    eyes: Option<Arc<dyn Eyes>>,
    brain: BrainMaker,
    stop: CancellationToken,
    tasks: TaskTracker,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    stopping: bool,
    live: HashMap<String, Arc<Session>>,
    /// Oldest first.
    ended: VecDeque<Arc<Session>>,
}

impl Sessions {
    pub(crate) fn new(options: &HostOptions, stop: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            limits: options.limits.clone(),
            eyes: options.locator.clone(),
            brain: options.brain_maker(),
            stop,
            tasks: TaskTracker::new(),
            all: Mutex::default(),
        })
    }

    /// Opens the room of a new session and lets its life begin (`session-lifecycle.md` §9).
    pub(crate) fn open(self: &Arc<Self>, body: StartBody) -> Result<Arc<Session>, OpenError> {
        let id = uuid::Uuid::new_v4().hyphenated().to_string();
        let asked = body
            .session
            .max_session_seconds
            .map(|seconds| Duration::from_secs(seconds.unsigned_abs()));
        let longest = asked.map_or(self.limits.session, |asked| asked.min(self.limits.session));
        let agent = match body.agent {
            AgentBlock::Inline(agent) => *agent,
            // Refused at the door: this host has no catalog.
            AgentBlock::Catalog(_) => return Err(OpenError::Stopping),
        };
        let offer = offer::offer(&agent.tools, self.eyes.is_some());
        let ready = Ready {
            session_id: id.clone(),
            rejected_tools: offer.rejected.clone(),
            max_session_seconds: Some(longest.as_secs_f64()),
            agent: None,
        };

        let mut all = self.all.lock();
        if all.stopping {
            return Err(OpenError::Stopping);
        }
        self.make_room(&all)?;
        let room_name = format!("alidade-{id}");
        let identity = format!("user:{id}");
        let (room, agent_seat, events) = ServerRoom::open(RoomOptions {
            name: room_name.clone(),
            client_identity: identity.clone(),
            client_name: String::new(),
            agent_identity: format!("agent:{id}"),
            agent_attributes: BTreeMap::new(),
        });
        let session = Arc::new(Session {
            id: id.clone(),
            room_name,
            identity,
            room,
            latch: Latch::new(),
            record: Record::new(),
            ending: watch::Sender::new(None),
            over: CancellationToken::new(),
        });
        all.live.insert(id, Arc::clone(&session));
        drop(all);
        self.spawn(
            &session,
            agent_seat,
            events,
            life::Plan {
                agent,
                offer,
                ready,
                longest,
            },
        );
        Ok(session)
    }

    /// Sees to it that one more may run. Who started sessions and joined none is not kept from starting:
    /// the oldest that nobody has joined for a while gives way.
    fn make_room(&self, all: &All) -> Result<(), OpenError> {
        // One that was told to end has given its place up already (`session-lifecycle.md` §9).
        let live = || all.live.values().filter(|session| session.is_live());
        let (active, limit) = (live().count(), self.limits.sessions);
        if active < limit {
            return Ok(());
        }
        let waits = live()
            .filter(|session| session.latch.is_untouched())
            .max_by_key(|session| session.record.age());
        let retry_after = match waits {
            Some(session) => {
                let left = self.limits.unjoined.saturating_sub(session.record.age());
                if left.is_zero() {
                    session.end(Ending::NobodyThere);
                    return Ok(());
                }
                Some(left)
            }
            None => None,
        };
        Err(OpenError::Full {
            limit,
            active,
            retry_after,
        })
    }

    fn spawn(
        self: &Arc<Self>,
        session: &Arc<Session>,
        agent: Agent,
        events: tokio::sync::mpsc::Receiver<alidade_room::AgentEvent>,
        plan: life::Plan,
    ) {
        use tracing::Instrument;
        let span = tracing::info_span!("session", id = %session.id);
        let (sessions, session) = (Arc::clone(self), Arc::clone(session));
        let leaving = Leaving {
            sessions: Arc::clone(&sessions),
            session: Arc::clone(&session),
        };
        self.tasks.spawn(
            async move {
                // Also when the life panics, the session must not stay among the living.
                let leaving = leaving;
                life::Life::new(&sessions, session, agent, plan)
                    .run(events)
                    .await;
                drop(leaving);
            }
            .instrument(span),
        );
    }

    /// A session that runs.
    pub(crate) fn live(&self, id: &str) -> Option<Arc<Session>> {
        self.all
            .lock()
            .live
            .get(id)
            .filter(|session| session.is_live())
            .cloned()
    }

    /// A session that runs or ended lately.
    pub(crate) fn any(&self, id: &str) -> Option<Arc<Session>> {
        let all = self.all.lock();
        all.live
            .get(id)
            .or_else(|| all.ended.iter().find(|session| session.id == id))
            .cloned()
    }

    /// The newest sessions that began before `before` (seconds since 1970), newest first.
    pub(crate) fn newest(&self, limit: usize, before: f64) -> Vec<Arc<Session>> {
        let all = self.all.lock();
        let mut found: Vec<_> = all
            .live
            .values()
            .chain(&all.ended)
            .filter(|session| session.record.began() < before)
            .cloned()
            .collect();
        drop(all);
        found.sort_by(|a, b| b.record.began().total_cmp(&a.record.began()));
        found.truncate(limit);
        found
    }

    /// Ends a session and forgets it; false where there is none.
    pub(crate) fn delete(&self, id: &str) -> bool {
        let mut all = self.all.lock();
        if let Some(place) = all.ended.iter().position(|session| session.id == id) {
            all.ended.remove(place);
            return true;
        }
        let Some(session) = all.live.get(id).cloned() else {
            return false;
        };
        drop(all);
        session.record.forget();
        session.end(Ending::Deleted);
        true
    }

    pub(crate) fn active(&self) -> usize {
        self.all.lock().live.len()
    }

    /// Asks every session to end and waits until all have.
    pub(crate) async fn end_all(&self) {
        let live: Vec<_> = {
            let mut all = self.all.lock();
            all.stopping = true;
            all.live.values().cloned().collect()
        };
        for session in live {
            session.end(Ending::Shutdown);
        }
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Moves a session from the living to the ended, whatever way its life went.
struct Leaving {
    sessions: Arc<Sessions>,
    session: Arc<Session>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let session = &self.session;
        session.end(Ending::Internal);
        session
            .record
            .ended(session.ending.borrow().is_some_and(Ending::is_fault));
        session.over.cancel();
        let mut all = self.sessions.all.lock();
        all.live.remove(&session.id);
        if !session.record.is_forgotten() {
            all.ended.push_back(Arc::clone(session));
            if all.ended.len() > ENDED_KEPT {
                all.ended.pop_front();
            }
        }
    }
}
