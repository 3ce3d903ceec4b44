//! The life of one session: its room's events, the client's frames, the clock (`session-lifecycle.md` §9).
//!
//! Nothing here waits for the client or for the brain: frames are put where they can be dropped and
//! counted, turns are put in a bounded queue, and the end comes in bounded time.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use alidade_room::{Agent, AgentEvent, DisconnectReason, RpcError, TrackKind};
use alidade_wire::{
    chunk::{Assembled, Assembler},
    client::{Channel, ClientFrame},
    error::slug,
    server::{Ready, ServerFrame},
    start::{HookAction, InlineAgent},
    text,
};
use tokio::{sync::mpsc, task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    Ending, READY_ATTRIBUTE, Session, Sessions,
    desk::SessionDesk,
    jobs::Jobs,
    offer::Offer,
    outbox::Outbox,
    silence::{Firing, Silence},
    talk::{Item, Queue, Signal, Talk},
};
use crate::{Limits, sight::Sight};

/// Longest message of an `error` frame about a frame of the client.
const ERROR_SCALARS: usize = 300;
/// Most times a whole frame may itself turn out to be a chunk.
const CHUNK_NESTING: usize = 32;
/// Longest turn text, in bytes.
const TURN_BYTES: usize = 256 << 10;
/// Longest wait for what was said last to leave.
const FLUSH: Duration = Duration::from_millis(500);
/// Longest wait for the room to close.
const CLOSE: Duration = Duration::from_secs(2);

/// What a session is to be.
pub(super) struct Plan {
    pub(super) agent: InlineAgent,
    pub(super) offer: Offer,
    pub(super) ready: Ready,
    pub(super) longest: Duration,
}

/// One life.
pub(super) struct Life {
    session: Arc<Session>,
    limits: Limits,
    agent: Agent,
    stop: CancellationToken,
    out: Outbox,
    queue: Queue,
    signals: mpsc::Receiver<Signal>,
    talk: Option<JoinHandle<()>>,
    sight: Arc<Sight>,
    jobs: Arc<Jobs>,
    chunks: Assembler,
    silence: Silence,
    /// `ready` as it is written, or the sentence of a failed boot.
    boot: Result<String, String>,
    greeting: Option<String>,
    /// Until when somebody must be there.
    absent_until: Option<Instant>,
    longest: Duration,
    /// How long before its end the client is warned.
    soon: Duration,
    ends_at: Option<Instant>,
    warned: bool,
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
            greeting: plan.agent.greeting.filter(|words| !words.trim().is_empty()),
            longest: plan.longest,
            // A short session is not warned of as it begins.
            soon: limits.ending_soon.min(plan.longest / 4),
            stop: sessions.stop.clone(),
            chunks: Assembler::new(),
            ends_at: None,
            warned: false,
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
                () = sleep_until(wake) => self.clock(Instant::now()),
            }
        }
    }

    fn wakes_at(&self) -> Option<Instant> {
        let soon = self.ends_at.map(|end| {
            if self.warned {
                end
            } else {
                end - self.limits.ending_soon.min(self.longest)
            }
        });
        let silent = if self.opened && !self.busy {
            self.silence.next()
        } else {
            None
        };
        [self.absent_until, soon, silent]
            .into_iter()
            .flatten()
            .min()
    }

    fn clock(&mut self, now: Instant) {
        if self.absent_until.is_some_and(|until| until <= now) {
            self.session.end(Ending::NobodyThere);
            return;
        }
        if let Some(end) = self.ends_at {
            if end <= now {
                self.session.end(Ending::Duration);
                return;
            }
            if !self.warned && end - now <= self.soon {
                self.warned = true;
                let seconds_remaining = (end - now).as_secs_f64().round();
                let reason = Ending::Duration.slug().to_owned();
                self.out.try_send(&ServerFrame::SessionEndingSoon {
                    seconds_remaining,
                    reason,
                });
            }
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
                if self.ends_at.is_none() {
                    self.ends_at = Some(Instant::now() + self.longest);
                }
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
            AgentEvent::TrackPublished(track) if track.kind == TrackKind::Video => {
                self.sight.published(&track)
            }
            AgentEvent::TrackMedia { track, pictures } => {
                let agent = self.agent.clone();
                let sid = track.sid.clone();
                self.sight
                    .watch(&track, pictures, move || agent.request_key_frame(&sid));
            }
            AgentEvent::TrackEnded { sid } => self.sight.ended(&sid),
            AgentEvent::ClientLeft { reason } => {
                self.sight.forget_tracks();
                if reason == DisconnectReason::ClientInitiated {
                    self.session.end(Ending::ClientLeft);
                } else {
                    tracing::info!(%reason, "the client was lost");
                    self.absent_until = Some(Instant::now() + self.limits.rejoin);
                }
            }
            _ => {}
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

    /// A frame that cannot be used never ends anything (S37).
    fn refuse(&self, why: &str) {
        let message = text::first(why, ERROR_SCALARS).to_owned();
        self.out.try_send(&ServerFrame::Error {
            code: slug::INVALID_MESSAGE.to_owned(),
            message,
            fatal: false,
        });
    }

    fn give(&self, item: Item) -> bool {
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

    fn frame(&mut self, bytes: &[u8], nesting: usize) {
        let frame = match ClientFrame::decode(bytes) {
            Ok(frame) => frame,
            Err(bad) => return self.refuse(&bad.to_string()),
        };
        match frame {
            ClientFrame::SendText { content } if content.len() > TURN_BYTES => {
                self.refuse("the text of a send-text frame is too long to be answered");
            }
            ClientFrame::SendText { content } => {
                self.silence.person(Instant::now());
                self.give(Item::Turn(content));
            }
            ClientFrame::SendContext { content } => {
                self.give(Item::Note(content));
            }
            ClientFrame::DelegationAppend {
                channel: Channel::Commentary,
                content,
                ..
            } => {
                self.give(Item::Say(content));
            }
            ClientFrame::DelegationAppend { content, .. } => {
                self.give(Item::Note(content));
            }
            ClientFrame::SendImage { data, .. } => {
                self.give(Item::Still(data));
            }
            ClientFrame::ToolJobResult(result) => {
                if let Some(job) = self.jobs.result(result) {
                    self.give(Item::Job(job));
                }
            }
            ClientFrame::Ping => self.out.try_send(&ServerFrame::Pong),
            ClientFrame::End => self.session.end(Ending::ClientEnded),
            ClientFrame::EnvelopeChunk(chunk) => match self.chunks.push(chunk) {
                Assembled::Nothing => {}
                Assembled::Frame(whole) if nesting < CHUNK_NESTING => {
                    self.frame(&whole, nesting + 1)
                }
                Assembled::Frame(_) => self.refuse("chunks are nested too deep"),
                Assembled::Undecodable => self.refuse("a chunk is not base64"),
            },
            ClientFrame::ConnectTimings(timings) => {
                tracing::debug!(request_ms = ?timings.request_ms, room_ms = ?timings.room_ms, ready_ms = ?timings.ready_ms, "the client connected");
            }
            // There is no ear yet: what these say about it has nothing to change.
            ClientFrame::Mute { .. } | ClientFrame::BindInput | ClientFrame::ActivityEnd => {}
        }
    }

    /// The end: the turn that runs is cut off, the client hears why, the room closes (S34).
    async fn close(mut self, why: Ending, mut events: mpsc::Receiver<AgentEvent>) {
        if let Some(talk) = self.talk.take() {
            talk.abort();
            let _ = talk.await;
        }
        self.sight.close();
        if self.agent.client().is_some() {
            self.out.try_send(&ServerFrame::SessionEnded {
                reason: Some(why.slug().to_owned()),
            });
            self.out.flush(FLUSH).await;
            // The frame goes another way than the close; one who has gone need not be waited for.
            let _ = tokio::time::timeout(self.limits.farewell, gone(&mut events)).await;
        }
        drop(events);
        let reason = match why {
            Ending::Shutdown => DisconnectReason::ServerShutdown,
            _ => DisconnectReason::RoomDeleted,
        };
        if tokio::time::timeout(CLOSE, self.agent.close(reason))
            .await
            .is_err()
        {
            tracing::warn!("the room did not close in time");
        }
    }
}

/// Waits until the client has left.
async fn gone(events: &mut mpsc::Receiver<AgentEvent>) {
    while let Some(event) = events.recv().await {
        if matches!(event, AgentEvent::ClientLeft { .. }) {
            return;
        }
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
