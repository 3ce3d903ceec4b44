//! The `alidade-cli` binary.
fn main() {}
