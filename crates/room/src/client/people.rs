//! Who is in the room, as last heard.

use livekit_protocol as proto;
use parking_lot::Mutex;
use proto::participant_info::State;

use crate::Participant;
use crate::data::Roster;

/// Most participants remembered.
const MAX_PEOPLE: usize = 256;

/// The participants of a room.
#[derive(Debug)]
pub(super) struct People {
    local: Mutex<proto::ParticipantInfo>,
    /// Oldest first.
    remote: Mutex<Vec<proto::ParticipantInfo>>,
}

/// What an update told.
#[derive(Debug)]
pub(super) enum Change {
    Changed(Participant),
    Left(Participant),
}

impl People {
    pub(super) fn new(local: proto::ParticipantInfo) -> Self {
        Self {
            local: Mutex::new(local),
            remote: Mutex::default(),
        }
    }

    pub(super) fn local(&self) -> Participant {
        Participant::from_wire(&self.local.lock())
    }

    pub(super) fn remote(&self) -> Vec<Participant> {
        self.remote
            .lock()
            .iter()
            .map(Participant::from_wire)
            .collect()
    }

    /// Takes what the server says about somebody. An older version than the known one is nothing.
    pub(super) fn update(&self, info: proto::ParticipantInfo) -> Option<Change> {
        let mut local = self.local.lock();
        if info.sid == local.sid || info.identity == local.identity {
            if info.version >= local.version {
                *local = info;
            }
            return None;
        }
        drop(local);
        let mut remote = self.remote.lock();
        let known = remote
            .iter()
            .position(|known| known.sid == info.sid || known.identity == info.identity);
        if info.state == State::Disconnected as i32 {
            let known = known.filter(|index| remote[*index].sid == info.sid)?;
            return Some(Change::Left(Participant::from_wire(&remote.remove(known))));
        }
        let change = Change::Changed(Participant::from_wire(&info));
        match known {
            Some(index) => {
                let same = remote[index].sid == info.sid;
                if same && info.version < remote[index].version {
                    return None;
                }
                remote[index] = info;
            }
            None if remote.len() >= MAX_PEOPLE => return None,
            None => remote.push(info),
        }
        Some(change)
    }
}

impl Roster for People {
    fn find(&self, identity: &str) -> Option<Participant> {
        if identity.is_empty() {
            return None;
        }
        self.remote
            .lock()
            .iter()
            .find(|info| info.identity == identity)
            .map(Participant::from_wire)
    }
}

#[cfg(test)]
mod tests {
    use livekit_protocol as proto;

    use super::{Change, People};

    fn info(sid: &str, identity: &str, version: u32, state: i32) -> proto::ParticipantInfo {
        proto::ParticipantInfo {
            sid: sid.into(),
            identity: identity.into(),
            version,
            state,
            ..Default::default()
        }
    }

    #[test]
    fn updates_go_by_version_and_order_is_kept() {
        let people = People::new(info("PA_me", "me", 1, 2));
        assert!(matches!(
            people.update(info("PA_a", "a", 1, 2)),
            Some(Change::Changed(_))
        ));
        assert!(matches!(
            people.update(info("PA_b", "b", 1, 2)),
            Some(Change::Changed(_))
        ));
        assert!(matches!(
            people.update(info("PA_a", "a", 3, 2)),
            Some(Change::Changed(_))
        ));
        assert!(people.update(info("PA_a", "a", 2, 2)).is_none());
        assert!(people.update(info("PA_me", "me", 2, 2)).is_none());
        let names: Vec<_> = people.remote().into_iter().map(|p| p.identity).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(people.update(info("PA_old", "a", 9, 3)).is_none());
        assert!(matches!(
            people.update(info("PA_a", "a", 4, 3)),
            Some(Change::Left(_))
        ));
        assert_eq!(people.remote().len(), 1);
    }

    #[test]
    fn a_new_stay_of_the_same_identity_takes_the_place_of_the_old() {
        let people = People::new(info("PA_me", "me", 1, 2));
        people.update(info("PA_a", "a", 7, 2));
        assert!(matches!(
            people.update(info("PA_a2", "a", 1, 2)),
            Some(Change::Changed(_))
        ));
        assert_eq!(people.remote()[0].sid, "PA_a2");
        assert_eq!(people.remote().len(), 1);
    }
}
