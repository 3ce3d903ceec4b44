//! What has to be settled before the first window: the tool kit reads its environment once.

/// Where the machine has no usable graphics processor, WebKitGTK composites in software through a path that shows
/// twelve pictures a second; without compositing it shows thirty. The variable must be there when the process
/// begins, so the program starts itself anew with it.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() {
    use std::{env, os::unix::process::CommandExt, process::Command};

    const COMPOSITING: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
    if env::var_os(COMPOSITING).is_some() || has_graphics_processor() {
        return;
    }
    let Ok(program) = env::current_exe() else {
        return;
    };
    let error = Command::new(program)
        .args(env::args_os().skip(1))
        .env(COMPOSITING, "1")
        .exec();
    // Only slower without it.
    tracing::warn!(%error, "the program could not start itself anew");
}

#[cfg(target_os = "linux")]
fn has_graphics_processor() -> bool {
    std::fs::read_dir("/dev/dri").is_ok_and(|devices| {
        devices
            .flatten()
            .any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() {}
