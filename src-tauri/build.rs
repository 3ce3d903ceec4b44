//! Lists the commands: what is not listed and granted in `capabilities` no window may call.

fn main() {
    let commands = &[
        "snapshot",
        "events",
        "preview",
        "ask",
        "clear_marks",
        "choose_agent",
        "end_session",
        "stop_showing",
        "cameras",
        "screens",
        "show",
        "open",
        "paste",
        "paste_clipboard",
        "save_marked",
        "copy_marked",
    ];
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(commands));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error={error:#}");
    }
}
