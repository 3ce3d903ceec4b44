//! VP8 and Opus, encoded and decoded; the only crate with calls into C libraries.
