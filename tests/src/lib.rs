//! Helpers that several of these tests share.
