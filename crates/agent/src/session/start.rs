//! The start sequence (`session-lifecycle.md` §2 and §4).

use std::sync::Arc;

use alidade_wire::{
    client::{ClientFrame, ConnectTimings},
    error::slug,
};
use tokio::{task::JoinHandle, time::Instant};

use super::{
    SessionState,
    core::{Core, Over},
    inbound::{handshake_failure, pump},
};
use crate::{
    EndReason, StartCode, StartError,
    rest::Started,
    transport::{JoinRequest, Lane, inbox},
};

/// What starts a session, once.
#[must_use = "a session does nothing before it is started"]
pub struct Start {
    core: Arc<Core>,
}

/// Tears the session down when the start is given up half-way.
struct GivenUp {
    core: Arc<Core>,
    armed: bool,
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        if self.armed {
            self.core.finish(
                EndReason::ClientClosed,
                Some("start cancelled".to_owned()),
                false,
            );
        }
    }
}

impl Start {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self { core }
    }

    /// Runs until the agent is ready (R33). Dropping the future closes the session.
    ///
    /// # Errors
    /// [`StartError`]; the session is torn down by then.
    pub async fn run(self) -> Result<(), StartError> {
        let core = self.core;
        let mut guard = GivenUp {
            core: Arc::clone(&core),
            armed: true,
        };
        core.move_to(SessionState::Connecting);
        let outcome = core.start().await;
        guard.armed = false;
        if outcome.is_err() {
            core.done().await;
        }
        outcome
    }
}

impl Core {
    async fn start(self: &Arc<Self>) -> Result<(), StartError> {
        let context = self.unless_over(self.agent.hooks().session_start()).await?;
        let began = Instant::now();
        let started = match self.unless_over(self.request(&context)).await? {
            Ok(started) => started,
            Err(error) => {
                let detail = format!("{}: {}", error.code.as_str(), error.message);
                self.finish(
                    EndReason::HandshakeFailed,
                    Some(detail_of(&error, detail)),
                    false,
                );
                return Err(error);
            }
        };
        let request = began.elapsed();
        self.state.lock().session_id = Some(started.session_id.clone());
        let joining = Instant::now();
        self.join(&started).await?;
        let room = joining.elapsed();
        self.wait_ready().await?;
        let millis = |time: std::time::Duration| i64::try_from(time.as_millis()).ok();
        let timings = ConnectTimings {
            request_ms: millis(request),
            room_ms: millis(room),
            mic_ms: None,
            ready_ms: millis(began.elapsed()),
            server: started.timings,
        };
        // For the server's figures; a failure is nobody's concern (R38).
        if let Err(error) = self.send(ClientFrame::ConnectTimings(timings)).await {
            tracing::debug!(%error, "the connect timings were not sent");
        }
        Ok(())
    }

    /// Does one step of the start, or gives it up as soon as something else ends the session.
    async fn unless_over<T>(&self, step: impl Future<Output = T>) -> Result<T, StartError> {
        let mut over = self.over.subscribe();
        tokio::select! {
            biased;
            _ = over.wait_for(|over| *over != Over::Running) => Err(self.start_failure()),
            done = step => Ok(done),
        }
    }

    /// The body, and the start request.
    async fn request(&self, context: &[String]) -> Result<Started, StartError> {
        let lane = self.transport.lane();
        self.check_lane(lane)?;
        let settings = &self.settings;
        let body = self
            .agent
            .start_body(settings.sdk.clone(), settings.options.clone(), context)
            .map_err(|error| StartError::new(StartCode::Config, error.to_string()))?;
        self.backend.start(lane, &settings.sdk, &body).await
    }

    /// What the websocket does not carry is refused before any request (R31).
    fn check_lane(&self, lane: Lane) -> Result<(), StartError> {
        if lane == Lane::Room {
            return Ok(());
        }
        let refused = |message: String, code| {
            Err(StartError::new(StartCode::Config, message).with_server_code(code))
        };
        let mut background: Vec<_> = self
            .agent
            .tools()
            .iter()
            .filter(|tool| tool.is_background())
            .map(crate::Tool::name)
            .collect();
        background.sort_unstable();
        if !background.is_empty() {
            let message = format!(
                "background client tools are not supported on the websocket transport: {}",
                background.join(", ")
            );
            return refused(message, slug::BACKGROUND_TOOLS_UNSUPPORTED);
        }
        if self.agent.tools().iter().any(crate::Tool::needs_capture) {
            let message = "screen_locate is not supported on the websocket transport".to_owned();
            return refused(message, slug::SCREEN_LOCATE_UNSUPPORTED);
        }
        Ok(())
    }

    async fn join(self: &Arc<Self>, started: &Started) -> Result<(), StartError> {
        let (put, take) = inbox();
        let reading = tokio::spawn(pump(Arc::clone(self), take));
        let request = JoinRequest {
            url: started.url.clone(),
            token: started.token.clone(),
            methods: self.dispatcher.methods(),
            sdk: self.settings.sdk.clone(),
            timeout: self.settings.timing.join,
        };
        let joined = self.unless_over(self.transport.join(request, put)).await?;
        match joined {
            Ok(link) => {
                *self.link.lock() = Some(Arc::from(link));
                let (early, ended) = {
                    let mut state = self.state.lock();
                    state.joined = true;
                    (state.early_close.take(), state.terminal)
                };
                if ended {
                    // The teardown looked for a carrier before there was one.
                    let link = self.link.lock().take();
                    if let Some(link) = link {
                        link.leave().await;
                    }
                    return Err(self.start_failure());
                }
                self.move_to(SessionState::Connected);
                if let Some(close) = early {
                    self.carrier_closed(close.kind, close.detail);
                }
                Ok(())
            }
            Err(failure) => {
                self.read_on(reading).await;
                Err(self.join_failed(failure.0))
            }
        }
    }

    /// What arrived during a join that failed may say why: it is read to its end. A transport that keeps its inbox
    /// must not hold us up.
    async fn read_on(&self, reading: JoinHandle<()>) {
        let stop = reading.abort_handle();
        if tokio::time::timeout(self.settings.timing.leave, reading)
            .await
            .is_err()
        {
            stop.abort();
        }
    }

    fn join_failed(self: &Arc<Self>, words: String) -> StartError {
        let (error, reason, detail) = {
            let state = self.state.lock();
            let close = state
                .early_close
                .as_ref()
                .and_then(|close| close.detail.clone());
            if state.early_error.is_some() || close.is_some() {
                let (error, detail) = handshake_failure(&state, close);
                (error, EndReason::HandshakeFailed, detail)
            } else {
                let error = StartError::new(StartCode::JoinFailed, words.as_str());
                (error, EndReason::TransportError, Some(words))
            }
        };
        self.finish(reason, detail, false);
        error
    }

    async fn wait_ready(self: &Arc<Self>) -> Result<(), StartError> {
        let (mut ready, mut over) = (self.is_ready.subscribe(), self.over.subscribe());
        tokio::select! {
            biased;
            _ = ready.wait_for(|ready| *ready) => Ok(()),
            _ = over.wait_for(|over| *over != Over::Running) => Err(self.start_failure()),
            () = tokio::time::sleep(self.settings.timing.ready) => {
                self.finish(EndReason::HandshakeFailed, Some("ready timeout".to_owned()), false);
                Err(StartError::new(StartCode::ReadyTimeout, "the agent was not ready in time"))
            }
        }
    }

    /// Why the start failed, where something else ended the session.
    fn start_failure(&self) -> StartError {
        let known = self.state.lock().start_failure.take();
        known.unwrap_or_else(|| {
            StartError::new(
                StartCode::HandshakeFailed,
                "the session was closed before it was ready",
            )
        })
    }
}

/// The recorded detail of a start that was refused. Refusals by the websocket stand without their code.
fn detail_of(error: &StartError, coded: String) -> String {
    match error.server_code.as_deref() {
        Some(slug::BACKGROUND_TOOLS_UNSUPPORTED | slug::SCREEN_LOCATE_UNSUPPORTED) => {
            error.message.clone()
        }
        _ => coded,
    }
}
