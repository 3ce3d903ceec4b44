//! Every cap and every wait of a room, in one place.

use std::time::Duration;

/// Longest encoded data packet, in bytes: what LiveKit's clients accept.
pub const MAX_PACKET_BYTES: usize = 64_000;
/// Longest payload of a user packet in bytes; the rest of a packet is identities and numbers.
pub const MAX_USER_BYTES: usize = 62_000;
/// Longest RPC request or response payload, in bytes.
pub const MAX_RPC_PAYLOAD_BYTES: usize = 15_360;
/// Longest RPC error message, in bytes.
pub const MAX_RPC_ERROR_MESSAGE_BYTES: usize = 256;
/// Longest RPC error data, in bytes.
pub const MAX_RPC_ERROR_DATA_BYTES: usize = 15_360;
/// Time the called side has for its acknowledgement.
pub const RPC_ACK_TIMEOUT: Duration = Duration::from_secs(7);
/// Response time granted when the caller names none.
pub const RPC_DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);
/// Most calls that may wait for an answer at a time, in each direction.
pub const MAX_OPEN_CALLS: usize = 256;

/// Longest content of one stream chunk, in bytes.
pub const STREAM_CHUNK_BYTES: usize = 15_000;
/// Longest byte stream that is kept, in bytes.
pub const MAX_STREAM_BYTES: usize = 16 << 20;
/// Most streams open at a time.
pub const MAX_OPEN_STREAMS: usize = 16;
/// Most bytes all open streams may hold together.
pub const MAX_OPEN_STREAM_BYTES: usize = 32 << 20;

/// Longest query of `/rtc/v1` that is looked at, in bytes.
pub const MAX_JOIN_QUERY_BYTES: usize = 128 << 10;
/// Longest unpacked `JoinRequest`, in bytes.
pub const MAX_JOIN_REQUEST_BYTES: usize = 256 << 10;
/// Longest signalling message, in bytes.
pub const MAX_SIGNAL_BYTES: usize = 512 << 10;
/// Unreadable signalling messages after which a client is sent away.
pub const MAX_UNREADABLE: u32 = 32;
/// Most tracks a client may publish at a time.
pub const MAX_TRACKS: usize = 8;
/// Most ICE candidates that wait for the remote description.
pub const MAX_WAITING_CANDIDATES: usize = 64;
/// Most attribute keys of a participant.
pub const MAX_ATTRIBUTES: usize = 64;
/// Most bytes of all attribute keys and values together.
pub const MAX_ATTRIBUTE_BYTES: usize = 256 << 10;

/// Longest encoded picture that is put together, in bytes.
pub const MAX_PICTURE_BYTES: usize = 16 << 20;
/// Pictures waiting for the application on the receiving side; more and the oldest is dropped.
pub const RECEIVED_PICTURES: usize = 8;
/// Pictures waiting to be sent; more and the line restarts with a key picture.
pub const WAITING_PICTURES: usize = 4;

/// Events waiting for the application.
pub const EVENT_QUEUE: usize = 1_024;
/// Data packets waiting to be sent.
pub const OUTBOX_QUEUE: usize = 256;
/// Bytes that the data channel takes before senders wait.
pub const CHANNEL_BUFFER_BYTES: usize = 1 << 20;
/// Longest wait for room in the outbox before a send gives up.
pub const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// Longest wait of a client that leaves for what it has in line to arrive at the other side.
pub const LEAVE_FLUSH: Duration = Duration::from_secs(2);
/// Longest time to read what arrived before a client said that it leaves; its data channel ends
/// long before that as a rule.
pub const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often a client has to ping.
pub const PING_INTERVAL: Duration = Duration::from_secs(5);
/// Silence after which the other side counts as gone.
pub const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// Time a client has from the join until its data channel is open.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
