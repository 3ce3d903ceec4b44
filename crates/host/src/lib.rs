//! The local backend: REST, the room lane, sessions, server tools and the offline brain.

pub mod brain;
