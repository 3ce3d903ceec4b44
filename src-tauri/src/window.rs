//! The main window, and the application behind it.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use alidade_app::{
    AgentPlaces,
    api::{App, Show},
};
use tauri::{
    AppHandle, DragDropEvent, Emitter, Manager, RunEvent, Runtime, WebviewUrl,
    WebviewWindowBuilder, Window, WindowEvent,
};

use crate::{commands, texts};

/// The window's name, which `capabilities/main.json` grants things to.
pub(crate) const MAIN: &str = "main";
/// Whether something hangs over the window, for the page.
const DRAG: &str = "alidade://drag";
/// Longest wait for sessions and devices to be let go at the end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Opens the window and stays until it is closed; the first of these pictures is looked at.
pub(crate) fn open(pictures: Vec<PathBuf>) -> ExitCode {
    alidade_cli::start_log();
    if !has_display() {
        commands::complain(texts::NO_DISPLAY);
        return ExitCode::from(3);
    }
    let built = tauri::Builder::default()
        // The first of all, so that a second start does nothing but this.
        .plugin(tauri_plugin_single_instance::init(started_again))
        .setup(move |tauri| {
            // The application's tasks run on the same threads as the commands.
            let app = tauri::async_runtime::block_on(async { App::open(AgentPlaces::default()) });
            if let Some(first) = pictures.into_iter().next() {
                show(&app, first);
            }
            tauri.manage(app);
            tauri.manage(commands::Listener::default());
            tauri.manage(commands::Copied::default());
            WebviewWindowBuilder::new(tauri, MAIN, WebviewUrl::default())
                .title(texts::TITLE)
                .inner_size(1280.0, 800.0)
                .min_inner_size(640.0, 480.0)
                .build()?;
            Ok(())
        })
        .on_window_event(dropped)
        .invoke_handler(tauri::generate_handler![
            commands::snapshot,
            commands::events,
            commands::preview,
            commands::ask,
            commands::clear_marks,
            commands::choose_agent,
            commands::end_session,
            commands::stop_showing,
            commands::cameras,
            commands::screens,
            commands::show,
            commands::open,
            commands::paste,
            commands::paste_clipboard,
            commands::save_marked,
            commands::copy_marked,
        ])
        .build(tauri::generate_context!());
    let tauri = match built {
        Ok(tauri) => tauri,
        Err(error) => {
            commands::complain(&format!("{}: {error}", texts::NO_WINDOW));
            return ExitCode::from(3);
        }
    };
    tauri.run(|tauri, event| {
        if let RunEvent::Exit = event {
            let app = tauri.state::<App>().inner().clone();
            // A driver that hangs must not keep the program.
            tauri::async_runtime::block_on(async move {
                let _ = tokio::time::timeout(FAREWELL, app.close()).await;
            });
        }
    });
    ExitCode::SUCCESS
}

/// The program was started while it runs: its window comes forward and shows what was given.
fn started_again<R: Runtime>(tauri: &AppHandle<R>, arguments: Vec<String>, folder: String) {
    if let Some(window) = tauri.get_webview_window(MAIN) {
        // A window manager may refuse either; the picture is shown all the same.
        let _ = window.unminimize();
        let _ = window.set_focus();
    }
    if let (Some(first), Some(app)) = (arguments.into_iter().nth(1), tauri.try_state::<App>()) {
        show(app.inner(), Path::new(&folder).join(first));
    }
}

/// Looks at what was dropped on the window, and tells the page when something hangs over it.
fn dropped<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    let WindowEvent::DragDrop(drag) = event else {
        return;
    };
    let over = match drag {
        DragDropEvent::Enter { .. } => true,
        DragDropEvent::Drop { paths, .. } => {
            if let Some(first) = paths.first() {
                show(window.state::<App>().inner(), first.clone());
            }
            false
        }
        DragDropEvent::Leave => false,
        _ => return,
    };
    // Only a highlight: a page that is not there yet misses nothing.
    let _ = window.emit(DRAG, over);
}

fn show(app: &App, path: PathBuf) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        // Closing is the only reason not to take it.
        let _ = app.show(Show::path(path)).await;
    });
}

#[cfg(target_os = "linux")]
fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        // Named is not there: the tool kit would panic over it later.
        && gtk::init().is_ok()
}

#[cfg(not(target_os = "linux"))]
fn has_display() -> bool {
    true
}
