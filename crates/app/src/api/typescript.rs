//! The types of this API, as the window's front end knows them.
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use ts_rs::{Config, TS};

use super::view::{
    AgentView, BackendView, CameraOffer, Change, Entry, EntryView, Event, MarkView, MonitorOffer,
    ScreenOffers, SessionView, ShapeView, Snapshot, SourceKind, SourceState, SourceView,
    ToolOutcome, Trouble, Wanted, WindowOffer,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/lib/api.ts");

fn declared<T: TS + 'static>(config: &Config) -> String {
    let docs = T::docs().unwrap_or_default();
    format!("{docs}export {}\n", T::decl(config))
}

fn written() -> String {
    let c = &Config::default();
    let types = [
        declared::<Trouble>(c),
        declared::<BackendView>(c),
        declared::<SessionView>(c),
        declared::<AgentView>(c),
        declared::<SourceKind>(c),
        declared::<SourceState>(c),
        declared::<SourceView>(c),
        declared::<ToolOutcome>(c),
        declared::<EntryView>(c),
        declared::<Entry>(c),
        declared::<ShapeView>(c),
        declared::<MarkView>(c),
        declared::<Snapshot>(c),
        declared::<Change>(c),
        declared::<Event>(c),
        declared::<CameraOffer>(c),
        declared::<MonitorOffer>(c),
        declared::<WindowOffer>(c),
        declared::<ScreenOffers>(c),
        declared::<Wanted>(c),
    ];
    let mut written =
        String::from("// Written from crates/app/src/api/view.rs by its tests. Do not edit.\n\n");
    for line in types.join("\n").lines() {
        written.push_str(line.trim_end());
        written.push('\n');
    }
    written
}

/// With `ALIDADE_WRITE=1` the file is written instead.
#[test]
fn the_front_end_knows_the_types_as_they_are() {
    if std::env::var_os("ALIDADE_WRITE").is_some_and(|set| set == "1") {
        std::fs::write(FILE, written()).unwrap();
    }
    assert!(
        std::fs::read_to_string(FILE).unwrap_or_default() == written(),
        "ui/src/lib/api.ts is old; run this test with ALIDADE_WRITE=1"
    );
}
