//! Client and server of this crate against each other.
