//! What a client asks for over its socket.

use livekit_protocol as proto;
use proto::leave_request::Action;
use proto::request_response::Reason;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;
use webrtc::peer_connection::RTCSessionDescription;

use super::AgentEvent;
use super::session::{End, Session};
use super::state::merge;
use super::tracks::{Added, info};
use crate::media::Order;
use crate::{DisconnectReason, sdp};

impl Session {
    /// Does what a readable message asks for.
    pub(super) async fn request(&mut self, request: Request) -> Result<(), End> {
        match request {
            Request::Offer(offer) => match self.offer(offer).await {
                Ok(sent) => sent,
                Err(error) => {
                    tracing::warn!(%error, "an offer cannot be answered");
                    Err(End::Dismiss(
                        DisconnectReason::StateMismatch,
                        Action::Reconnect,
                    ))
                }
            },
            Request::Trickle(trickle) => {
                self.candidates
                    .take(&*self.connection, &trickle.candidate_init)
                    .await;
                Ok(())
            }
            Request::AddTrack(request) => self.add_track(request).await,
            Request::Mute(mute) => {
                self.mute(mute).await;
                Ok(())
            }
            Request::UpdateMetadata(update) => self.update_metadata(update).await,
            Request::Ping(timestamp) => {
                let _ = timestamp;
                self.send(Response::Pong(crate::now_ms())).await
            }
            Request::PingReq(ping) => {
                self.send(Response::PongResp(proto::Pong {
                    last_ping_timestamp: ping.timestamp,
                    timestamp: crate::now_ms(),
                }))
                .await
            }
            Request::Leave(leave) => {
                let reason = DisconnectReason::from_number(leave.reason);
                Err(End::Left(if reason == DisconnectReason::Unknown {
                    DisconnectReason::ClientInitiated
                } else {
                    reason
                }))
            }
            _ => Ok(()),
        }
    }

    /// Answers an offer. The inner result is about the socket.
    pub(super) async fn offer(
        &mut self,
        offer: proto::SessionDescription,
    ) -> Result<Result<(), End>, webrtc::error::Error> {
        let sections = sdp::sections(&offer.sdp);
        self.connection
            .set_remote_description(RTCSessionDescription::offer(offer.sdp)?)
            .await?;
        self.candidates.release(&*self.connection).await;
        let changes = self.tracks.offered(&sections);
        for (ssrcs, cid) in changes.carried {
            self.order(Order::Bind { ssrcs, cid });
        }
        let answer = self.connection.create_answer(None).await?;
        let sdp = answer.sdp.clone();
        self.connection.set_local_description(answer).await?;
        // Before anybody hears of it: media may arrive, and the application may look, right behind
        // the answer.
        let tracks = self.tracks.infos();
        self.update_client(|client| client.tracks = tracks);
        let sent = self
            .send(Response::Answer(proto::SessionDescription {
                r#type: "answer".to_owned(),
                sdp,
                id: offer.id,
                ..Default::default()
            }))
            .await;
        for sid in changes.ended {
            self.order(Order::End { sid: sid.clone() });
            self.tell(AgentEvent::TrackEnded { sid }).await;
        }
        Ok(sent)
    }

    async fn add_track(&mut self, request: proto::AddTrackRequest) -> Result<(), End> {
        let (wire, new) = match self.tracks.add(&request) {
            Added::New(wire) => (wire, true),
            Added::Known(wire) => (wire, false),
            Added::TooMany => {
                return self
                    .refuse(
                        request,
                        Reason::LimitExceeded,
                        "too many tracks are published",
                    )
                    .await;
            }
            Added::Unusable => {
                return self
                    .refuse(
                        request,
                        Reason::InvalidRequest,
                        "the track cannot be published",
                    )
                    .await;
            }
        };
        if new {
            let info = info(&wire);
            self.order(Order::Publish {
                cid: request.cid.clone(),
                info: info.clone(),
            });
            let tracks = self.tracks.infos();
            self.update_client(|client| {
                client.tracks = tracks;
                client.is_publisher = true;
            });
            self.tell(AgentEvent::TrackPublished(info)).await;
        }
        self.send(Response::TrackPublished(proto::TrackPublishedResponse {
            cid: request.cid,
            track: Some(wire),
        }))
        .await
    }

    async fn refuse(
        &mut self,
        request: proto::AddTrackRequest,
        reason: Reason,
        why: &str,
    ) -> Result<(), End> {
        tracing::warn!(why, "a track of the client was refused");
        self.send(Response::RequestResponse(proto::RequestResponse {
            reason: reason as i32,
            message: why.to_owned(),
            request: Some(proto::request_response::Request::AddTrack(request)),
            ..Default::default()
        }))
        .await
    }

    /// Notes the mute. It is never sent back: the client would mute again and so on for ever.
    async fn mute(&mut self, mute: proto::MuteTrackRequest) {
        if self.tracks.mute(&mute.sid, mute.muted) {
            let tracks = self.tracks.infos();
            self.update_client(|client| client.tracks = tracks);
            self.tell(AgentEvent::TrackMuted {
                sid: mute.sid,
                muted: mute.muted,
            })
            .await;
        }
    }

    async fn update_metadata(
        &mut self,
        update: proto::UpdateParticipantMetadata,
    ) -> Result<(), End> {
        let request_id = update.request_id;
        let client = self.update_client(|client| {
            if !update.metadata.is_empty() && update.metadata.len() <= 64 << 10 {
                client.metadata = update.metadata;
            }
            if !update.name.is_empty() && update.name.len() <= 1_024 {
                client.name = update.name;
            }
            merge(client, update.attributes);
        });
        if let Some(client) = client {
            self.send_update(client).await?;
        }
        self.send(Response::RequestResponse(proto::RequestResponse {
            request_id,
            reason: Reason::Ok as i32,
            ..Default::default()
        }))
        .await
    }
}
