//! Frames, REST bodies, limits and error codes of the protocol, as pure functions that both ends need.
