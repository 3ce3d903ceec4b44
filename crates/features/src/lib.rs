//! The one feature set of shared dependencies; see `Cargo.toml`. There is no code here.
