//! A session that is up, over the fake carrier.

use std::sync::Arc;

use alidade_agent::{
    Agent, Events, Gate, Session, Settings,
    gate::{Proposal, Rule},
    transport::Lane,
};
use serde_json::{Value, json};

use super::{
    carrier::{Fake, OneAnswer, data},
    start_answer,
};

/// Allows everything: what the golden data was recorded with.
pub struct AllowAll;

impl Gate for AllowAll {
    fn rule(&self, _: &Proposal) -> Rule {
        Rule::Allow
    }
}

pub struct Running {
    pub session: Session,
    pub carrier: Fake,
    pub events: Events,
}

pub fn ready() -> Value {
    json!({"type": "ready", "session_id": "s-1"})
}

/// A started session whose tools may all run.
pub async fn running(agent: Agent) -> Running {
    running_with(agent, Arc::new(AllowAll)).await
}

pub async fn running_with(agent: Agent, gate: Arc<dyn Gate>) -> Running {
    let carrier = Fake::new(Lane::Room);
    carrier.during_join(data(&ready()));
    let network = OneAnswer::new(200, &start_answer(&Value::Null));
    let settings = Settings {
        gate,
        ..Settings::default()
    };
    let (session, start) = Session::new(
        agent,
        network.backend(),
        Arc::new(carrier.clone()),
        settings,
    );
    start.run().await.unwrap();
    let events = session.events();
    Running {
        session,
        carrier,
        events,
    }
}
