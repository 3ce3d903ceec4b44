//! LiveKit signalling, data, RPC and tracks over the webrtc crate, as client and as in-process server.
