//! The application's API as commands of the window: nothing but translation.

use std::sync::Mutex;

use alidade_app::api::{
    self, App, CommandError, Event, Show, Snapshot, Wanted,
    view::{CameraOffer, ScreenOffers},
};
use serde::Deserialize;
use tauri::{
    State,
    async_runtime::JoinHandle,
    ipc::{Channel, InvokeBody, Request, Response},
};
use tokio::sync::broadcast::error::RecvError;

use crate::texts;

/// A command's error, as the sentence it is.
type Outcome<T = ()> = Result<T, String>;

fn said<T>(outcome: Result<T, CommandError>) -> Outcome<T> {
    outcome.map_err(|error| error.to_string())
}

/// Says something on the error output, where there is no window to say it.
#[allow(clippy::print_stderr, reason = "there is no window to say it in")]
pub(crate) fn complain(says: &str) {
    eprintln!("alidade: {says}");
}

/// The task that tells the page what changes: one, however often the page is loaded anew.
#[derive(Default)]
pub(crate) struct Listener(Mutex<Option<JoinHandle<()>>>);

#[tauri::command]
pub(crate) fn snapshot(app: State<'_, App>) -> Snapshot {
    app.snapshot()
}

#[tauri::command]
pub(crate) fn events(app: State<'_, App>, listener: State<'_, Listener>, channel: Channel<Event>) {
    let mut events = app.events();
    let task = tauri::async_runtime::spawn(async move {
        loop {
            match events.recv().await {
                Ok(event) => {
                    if channel.send(event).is_err() {
                        return;
                    }
                }
                // The page sees the gap in the numbers and takes a snapshot.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    });
    if let Ok(mut current) = listener.0.lock()
        && let Some(old) = current.replace(task)
    {
        old.abort();
    }
}

#[tauri::command]
pub(crate) async fn preview(
    app: State<'_, App>,
    source: Option<u32>,
    after: Option<u32>,
) -> Outcome<Response> {
    let newest = app.preview(source.zip(after)).await;
    Ok(Response::new(
        newest.map_or(Vec::new(), |preview| preview.packet()),
    ))
}

#[tauri::command]
pub(crate) async fn ask(app: State<'_, App>, question: String) -> Outcome {
    said(app.ask(&question).await)
}

#[tauri::command]
pub(crate) async fn clear_marks(app: State<'_, App>) -> Outcome {
    said(app.clear_marks().await)
}

#[tauri::command]
pub(crate) async fn choose_agent(app: State<'_, App>, name: String) -> Outcome {
    said(app.choose_agent(&name).await)
}

#[tauri::command]
pub(crate) async fn end_session(app: State<'_, App>) -> Outcome {
    said(app.end_session().await)
}

#[tauri::command]
pub(crate) async fn stop_showing(app: State<'_, App>) -> Outcome {
    said(app.stop_showing().await)
}

#[tauri::command]
pub(crate) async fn cameras() -> Outcome<Vec<CameraOffer>> {
    said(api::cameras().await)
}

#[tauri::command]
pub(crate) async fn screens() -> Outcome<ScreenOffers> {
    said(api::screens().await)
}

#[tauri::command]
pub(crate) async fn show(app: State<'_, App>, what: Wanted) -> Outcome {
    said(app.show(what.into()).await)
}

/// What a dialog is opened for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Kind {
    Picture,
    Video,
    Folder,
}

#[tauri::command]
pub(crate) async fn open(app: State<'_, App>, kind: Kind) -> Outcome {
    const PICTURES: [&str; 12] = [
        "png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "pnm", "ppm", "pgm", "qoi",
    ];
    const VIDEOS: [&str; 7] = ["mp4", "mkv", "webm", "mov", "avi", "m4v", "ogv"];
    let dialog = rfd::AsyncFileDialog::new();
    let chosen = match kind {
        Kind::Picture => {
            dialog
                .set_title(texts::OPEN_PICTURE)
                .add_filter(texts::PICTURES, &PICTURES)
                .pick_file()
                .await
        }
        Kind::Video => {
            dialog
                .set_title(texts::OPEN_VIDEO)
                .add_filter(texts::VIDEOS, &VIDEOS)
                .pick_file()
                .await
        }
        Kind::Folder => dialog.set_title(texts::OPEN_FOLDER).pick_folder().await,
    };
    match chosen {
        Some(file) => said(app.show(Show::path(file.path().to_owned())).await),
        // They thought better of it.
        None => Ok(()),
    }
}

#[tauri::command]
pub(crate) async fn paste(app: State<'_, App>, request: Request<'_>) -> Outcome {
    let InvokeBody::Raw(bytes) = request.body() else {
        return Err(texts::NO_BYTES.into());
    };
    said(app.show(Show::Pasted(bytes.clone())).await)
}

#[tauri::command]
pub(crate) async fn paste_clipboard(app: State<'_, App>) -> Outcome {
    // The program that copied it is asked for it, which blocks.
    let found = tauri::async_runtime::spawn_blocking(|| {
        arboard::Clipboard::new().and_then(|mut clipboard| clipboard.get_image())
    })
    .await
    .map_err(|error| error.to_string())?;
    let image = match found {
        Ok(image) => image,
        Err(arboard::Error::ContentNotAvailable | arboard::Error::ConversionFailure) => {
            return Err(texts::NO_PICTURE.into());
        }
        Err(error) => return Err(error.to_string()),
    };
    let shown = tauri::async_runtime::spawn_blocking(move || {
        Show::pixels(image.width, image.height, &image.bytes)
    })
    .await
    .map_err(|error| error.to_string())?;
    said(app.show(said(shown)?).await)
}

#[tauri::command]
pub(crate) async fn save_marked(app: State<'_, App>) -> Outcome {
    let chosen = rfd::AsyncFileDialog::new()
        .set_title(texts::SAVE_MARKED)
        .set_file_name(texts::MARKED_FILE)
        .add_filter(texts::PICTURES, &["png", "jpg", "jpeg"])
        .save_file()
        .await;
    match chosen {
        Some(file) => said(app.save_marked(file.path().to_owned()).await),
        None => Ok(()),
    }
}

/// What was copied: on some systems it is there only as long as the program holds it.
#[derive(Default)]
pub(crate) struct Copied(Mutex<Option<arboard::Clipboard>>);

#[tauri::command]
pub(crate) async fn copy_marked(app: State<'_, App>, copied: State<'_, Copied>) -> Outcome {
    let picture = said(app.marked().await)?;
    let size = picture.size();
    let mut bytes = Vec::with_capacity(size.width as usize * size.height as usize * 4);
    for pixel in picture.rgb().chunks_exact(3) {
        bytes.extend([pixel[0], pixel[1], pixel[2], u8::MAX]);
    }
    let image = arboard::ImageData {
        width: size.width as usize,
        height: size.height as usize,
        bytes: bytes.into(),
    };
    let mut clipboard = arboard::Clipboard::new().map_err(|error| error.to_string())?;
    clipboard
        .set_image(image)
        .map_err(|error| error.to_string())?;
    if let Ok(mut held) = copied.0.lock() {
        *held = Some(clipboard);
    }
    Ok(())
}
