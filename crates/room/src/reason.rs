//! Why a stay in a room ended.

use std::fmt;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $number:literal $text:literal),+ $(,)?) => {
        /// LiveKit's `DisconnectReason`. Displays as its upper-case wire name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum DisconnectReason {
            $($(#[$doc])* $name,)+
        }

        impl DisconnectReason {
            /// The upper-case name used on the wire.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// LiveKit's number.
            pub fn number(self) -> i32 {
                match self { $(Self::$name => $number,)+ }
            }

            /// The reason with this number; a number nobody knows counts as unknown.
            pub fn from_number(number: i32) -> Self {
                match number { $($number => Self::$name,)+ _ => Self::Unknown }
            }
        }
    };
}

reasons! {
    /// Nothing was said, for example when a connection broke.
    Unknown = 0 "UNKNOWN_REASON",
    /// The client left of its own will.
    ClientInitiated = 1 "CLIENT_INITIATED",
    /// The same identity joined again elsewhere.
    DuplicateIdentity = 2 "DUPLICATE_IDENTITY",
    /// The server is going away.
    ServerShutdown = 3 "SERVER_SHUTDOWN",
    /// The participant was removed.
    ParticipantRemoved = 4 "PARTICIPANT_REMOVED",
    /// The room was deleted.
    RoomDeleted = 5 "ROOM_DELETED",
    /// Client and server do not agree on the state of the session.
    StateMismatch = 6 "STATE_MISMATCH",
    /// The join did not come about.
    JoinFailure = 7 "JOIN_FAILURE",
    /// The session moves to another server.
    Migration = 8 "MIGRATION",
    /// The signalling connection closed.
    SignalClose = 9 "SIGNAL_CLOSE",
    /// The room was closed.
    RoomClosed = 10 "ROOM_CLOSED",
    /// A called person did not answer.
    UserUnavailable = 11 "USER_UNAVAILABLE",
    /// A called person refused.
    UserRejected = 12 "USER_REJECTED",
    /// The phone trunk failed.
    SipTrunkFailure = 13 "SIP_TRUNK_FAILURE",
    /// The connection timed out.
    ConnectionTimeout = 14 "CONNECTION_TIMEOUT",
    /// The media connection failed.
    MediaFailure = 15 "MEDIA_FAILURE",
    /// The agent failed.
    AgentError = 16 "AGENT_ERROR",
}

impl fmt::Display for DisconnectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::DisconnectReason;
    use livekit_protocol as proto;

    #[test]
    fn numbers_and_names_are_those_of_livekit() {
        for number in 0..=16 {
            let reason = DisconnectReason::from_number(number);
            assert_eq!(reason.number(), number);
            let wire = proto::DisconnectReason::try_from(number).unwrap();
            assert_eq!(reason.name(), wire.as_str_name());
        }
        assert_eq!(
            DisconnectReason::from_number(999),
            DisconnectReason::Unknown
        );
    }
}
