//! The command line: ask, host and agents.
