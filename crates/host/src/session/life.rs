//! The life of one session: its room's events, the client's frames, the clock (`session-lifecycle.md` §9).
//!
//! Nothing here waits for the client or for the brain: frames are put where they can be dropped and
//! counted, turns are put in a bounded queue, and the end comes in bounded time.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use alidade_room::{Agent, AgentEvent, DisconnectReason, RpcError, TrackKind};
use alidade_wire::{
    chunk::Assembler,
    error::slug,
    server::{Ready, ServerFrame},
    start::{HookAction, InlineAgent},
};
use tokio::{sync::mpsc, task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    Ending, READY_ATTRIBUTE, Session, Sessions,
    admission::Seat,
    cap::{Cap, Due},
    desk::SessionDesk,
    ear::Ear,
    jobs::Jobs,
    offer::Offer,
    outbox::Outbox,
    silence::{Firing, Silence},
    talk::{Item, Queue, Signal, Talk},
};
use crate::{Limits, sight::Sight};

/// What a session is to be.
pub(super) struct Plan {
    pub(super) agent: InlineAgent,
    pub(super) offer: Offer,
    pub(super) ready: Ready,
    pub(super) longest: Duration,
}

/// One life.
pub(super) struct Life {
    pub(super) session: Arc<Session>,
    pub(super) limits: Limits,
    pub(super) agent: Agent,
    stop: CancellationToken,
    pub(super) out: Outbox,
    queue: Queue,
    signals: mpsc::Receiver<Signal>,
    pub(super) talk: Option<JoinHandle<()>>,
    pub(super) sight: Arc<Sight>,
    pub(super) jobs: Arc<Jobs>,
    pub(super) chunks: Assembler,
    pub(super) silence: Silence,
    pub(super) ear: Ear,
    /// `ready` as it is written, or the sentence of a failed boot.
    boot: Result<String, String>,
    greeting: Option<String>,
    /// Until when somebody must be there; none while somebody is.
    absent_until: Option<Instant>,
    /// Somebody has been in.
    visited: bool,
    cap: Cap,
    opened: bool,
    busy: bool,
}

impl Life {
    pub(super) fn new(
        sessions: &Sessions,
        session: Arc<Session>,
        agent: Agent,
        plan: Plan,
    ) -> Self {
        let now = Instant::now();
        let limits = sessions.limits.clone();
        let (out, writing) = Outbox::new(agent.clone());
        tokio::spawn(writing);
        let sight = Sight::new(sessions.eyes.clone(), limits.picture, limits.read_ahead);
        let jobs = Arc::new(Jobs::default());
        let (queue, waiting) = Queue::new(limits.waiting_turns);
        let (signal, signals) = mpsc::channel(64);
        let (talk, boot) = match (sessions.brain)() {
            Ok(brain) => {
                let desk = SessionDesk {
                    tools: plan.offer.tools,
                    instructions: plan.agent.instructions.unwrap_or_default(),
                    limits: limits.clone(),
                    session: Arc::clone(&session),
                    agent: agent.clone(),
                    out: out.clone(),
                    sight: Arc::clone(&sight),
                    jobs: Arc::clone(&jobs),
                    queue: queue.clone(),
                    turn: super::desk::Turn::default(),
                };
                let talk = Talk {
                    brain,
                    maker: sessions.brain.clone(),
                    desk,
                    signals: signal,
                };
                let ready = ServerFrame::Ready(plan.ready).encode();
                (Some(tokio::spawn(talk.run(waiting))), Ok(ready))
            }
            Err(error) => (None, Err(error.to_string())),
        };
        if let Ok(ready) = &boot {
            // Room state that every joiner reads, however late (S20).
            agent.set_attributes(BTreeMap::from([(
                READY_ATTRIBUTE.to_owned(),
                ready.clone(),
            )]));
        }
        Self {
            absent_until: Some(now + limits.join),
            silence: Silence::new(plan.agent.hooks, now),
            ear: Ear::default(),
            visited: false,
            greeting: plan.agent.greeting.filter(|words| !words.trim().is_empty()),
            cap: Cap::new(plan.longest, limits.ending_soon),
            stop: sessions.stop.clone(),
            chunks: Assembler::new(),
            opened: false,
            busy: false,
            session,
            limits,
            agent,
            out,
            queue,
            signals,
            talk,
            sight,
            jobs,
            boot,
        }
    }

    pub(super) async fn run(mut self, mut events: mpsc::Receiver<AgentEvent>) {
        tracing::info!("the session begins");
        let why = self.live(&mut events).await;
        self.session.end(why);
        self.close(why, events).await;
        tracing::info!(reason = why.slug(), "the session is over");
    }

    async fn live(&mut self, events: &mut mpsc::Receiver<AgentEvent>) -> Ending {
        let mut ending = self.session.ending.subscribe();
        let stop = self.stop.clone();
        let session = Arc::clone(&self.session);
        loop {
            let wake = self.wakes_at();
            tokio::select! {
                why = ending.wait_for(Option::is_some) => {
                    return why.ok().and_then(|why| *why).unwrap_or(Ending::Internal);
                }
                () = stop.cancelled() => self.session.end(Ending::Shutdown),
                signal = self.signals.recv(), if self.talk.is_some() => match signal {
                    Some(signal) => self.signal(signal),
                    // The conversation is gone, which it never should be.
                    None => {
                        self.talk = None;
                        self.fatal("The conversation broke off; please start again.");
                        self.session.end(Ending::Internal);
                    }
                },
                event = events.recv() => match event {
                    Some(event) => self.event(event),
                    None => self.session.end(Ending::ClientLeft),
                },
                () = session.latch.wants_verdict() => {
                    // How the stay ended was told before its signalling was over.
                    while let Ok(event) = events.try_recv() {
                        self.event(event);
                    }
                    if session.latch.is_leaving() {
                        self.vacate();
                    }
                }
                () = sleep_until(wake) => self.clock(Instant::now()),
            }
        }
    }

    fn wakes_at(&self) -> Option<Instant> {
        let silent = if self.opened && !self.busy {
            self.silence.next()
        } else {
            None
        };
        [self.absent_until, self.cap.next(), silent]
            .into_iter()
            .flatten()
            .min()
    }

    fn clock(&mut self, now: Instant) {
        if self.absent_until.is_some_and(|until| until <= now) {
            self.session.end(Ending::NobodyThere);
            return;
        }
        match self.cap.due(now) {
            Some(Due::End) => {
                self.session.end(Ending::Duration);
                return;
            }
            Some(Due::Warning(left)) => self.out.try_send(&ServerFrame::SessionEndingSoon {
                seconds_remaining: left.as_secs_f64().round(),
                reason: Ending::Duration.slug().to_owned(),
            }),
            None => {}
        }
        if self.opened && !self.busy {
            for firing in self.silence.fire(now) {
                self.fire(firing);
            }
        }
    }

    /// A silence hook fired (S35).
    fn fire(&mut self, firing: Firing) {
        let item = match firing.action.clone() {
            HookAction::Say {
                text: Some(words), ..
            } => Item::Say(words),
            HookAction::Say { prompt, .. } => Item::Nudge(prompt),
            HookAction::EndCall { farewell } => Item::Farewell(farewell),
        };
        self.out.try_send(&ServerFrame::UserSpeechTimeout {
            session_id: self.session.id.clone(),
            silence_ms: firing.silence_ms,
            trigger_count: firing.trigger_count,
            max_count: firing.max_count,
            action: firing.action,
        });
        self.give(item);
    }

    fn signal(&mut self, signal: Signal) {
        match signal {
            Signal::Began => self.busy = true,
            Signal::Ended => {
                self.busy = false;
                self.silence.agent(Instant::now());
            }
            Signal::HangUp(why) => self.session.end(why),
        }
    }

    fn event(&mut self, event: AgentEvent) {
        match event {
            AgentEvent::ClientJoined(_) => {
                self.absent_until = None;
                self.visited = true;
                self.cap.begin(Instant::now());
            }
            AgentEvent::DataReady => self.data_ready(),
            // Streams and packets of the agent framework are none of ours.
            AgentEvent::User(packet)
                if packet
                    .topic
                    .as_deref()
                    .is_some_and(|topic| topic.starts_with("lk.")) => {}
            AgentEvent::User(packet) => self.frame(&packet.payload, 0),
            AgentEvent::Call(call) => call.reply(Err(RpcError::unsupported_method())),
            AgentEvent::LateAnswer { method, answer } => {
                if let Some(job) = self.jobs.late_reply(&method, answer) {
                    self.give(Item::Job(job));
                }
            }
            AgentEvent::TrackPublished(track) if track.kind == TrackKind::Video => {
                self.sight.published(&track)
            }
            AgentEvent::TrackPublished(track) => {
                self.ear.published(&track);
                self.listen();
            }
            AgentEvent::TrackMedia { track, pictures } => {
                let agent = self.agent.clone();
                let sid = track.sid.clone();
                self.sight
                    .watch(&track, pictures, move || agent.request_key_frame(&sid));
            }
            AgentEvent::TrackEnded { sid } => {
                self.sight.ended(&sid);
                self.ear.ended(&sid);
            }
            AgentEvent::ClientLeft { reason } => {
                self.sight.forget_tracks();
                self.ear.forget_tracks();
                if broke(reason) {
                    tracing::info!(%reason, "the client was lost");
                    self.vacate();
                } else {
                    self.session.end(Ending::ClientLeft);
                }
            }
            _ => {}
        }
    }

    /// Frees the seat of a client that is gone without having said goodbye. The time to come back runs
    /// from the loss; a join that lets nobody in does not lengthen it.
    fn vacate(&mut self) {
        let seat = if self.visited {
            let lost = || Instant::now() + self.limits.rejoin;
            Seat::Lost(*self.absent_until.get_or_insert_with(lost))
        } else {
            Seat::Free
        };
        self.session.latch.vacate(seat);
    }

    /// Says so where the client speaks and nobody hears.
    pub(super) fn listen(&mut self) {
        if self.ear.speaks_in_vain() {
            self.out.try_send(&ServerFrame::Error {
                code: slug::VOICE_DISABLED.to_owned(),
                message: "This backend does not hear; type what you want to ask.".to_owned(),
                fatal: false,
            });
        }
    }

    /// Frames sent from now on arrive.
    fn data_ready(&mut self) {
        match &self.boot {
            // The data frame for those who look at no attribute; a later copy is ignored (S20).
            Ok(_) if !self.opened => {
                self.opened = true;
                self.send_ready();
                self.silence.agent(Instant::now());
                if let Some(words) = self.greeting.take() {
                    self.give(Item::Greet(words));
                }
            }
            Ok(_) => self.send_ready(),
            Err(why) => {
                let why = why.clone();
                self.fatal(&why);
                self.session.end(Ending::Internal);
            }
        }
    }

    fn send_ready(&self) {
        if let Ok(ready) = &self.boot
            && let Ok(frame) = ServerFrame::decode(ready.as_bytes())
        {
            self.out.try_send(&frame);
        }
    }

    fn fatal(&self, message: &str) {
        let (code, message) = (slug::INTERNAL_ERROR.to_owned(), message.to_owned());
        self.out.try_send(&ServerFrame::Error {
            code,
            message,
            fatal: true,
        });
    }

    /// Puts something in line for the conversation, or says that too much waits.
    pub(super) fn give(&self, item: Item) -> bool {
        let given = self.queue.give(item);
        if !given {
            let message =
                "Too much is waiting to be answered; this was dropped. Wait for an answer first."
                    .to_owned();
            self.out.try_send(&ServerFrame::Error {
                code: "too_many_messages".to_owned(),
                message,
                fatal: false,
            });
        }
        given
    }
}

/// Whether a stay that ended so was broken off, so that the client may come back. One that left, was
/// replaced, or was sent away may not.
fn broke(reason: DisconnectReason) -> bool {
    matches!(
        reason,
        DisconnectReason::SignalClose
            | DisconnectReason::ConnectionTimeout
            | DisconnectReason::MediaFailure
            | DisconnectReason::JoinFailure
    )
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
