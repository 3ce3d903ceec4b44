//! The application without a window: agents on disk, sessions, sources and marks.
