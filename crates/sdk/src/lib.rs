//! The library people use: the session engine joined to the room and the codecs.
