//! Where a mark lands on a view, and how long it stays there.
