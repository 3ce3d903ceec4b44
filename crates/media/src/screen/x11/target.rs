//! What is looked at, and where it lies now.

use x11rb::{
    connection::Connection as _,
    protocol::{
        composite::{ConnectionExt as _, Redirect},
        xproto::{ConnectionExt as _, Drawable, MapState, Pixmap, Window},
    },
};

use super::{
    ScreenChoice,
    area::Rect,
    display::{Display, Failure},
};
use crate::SourceError;

/// What is looked at.
pub(super) enum Target {
    Whole,
    Monitor(String),
    Window {
        window: Window,
        /// The window with its title bar, as the manager frames it.
        frame: Window,
        title: String,
        /// Its pixels apart from all others, for the place it was made at.
        pixmap: Option<(Pixmap, Rect)>,
    },
}

/// Where the target's pixels are now.
pub(super) struct View {
    /// What holds them.
    pub(super) drawable: Drawable,
    /// Where, in the drawable's own coordinates.
    pub(super) inside: Rect,
    /// Where, on the screen.
    pub(super) place: Rect,
    /// Whether windows of ours may lie in it.
    pub(super) masked: bool,
}

impl Target {
    pub(super) fn new(display: &Display, choice: ScreenChoice) -> Result<Self, SourceError> {
        match choice {
            ScreenChoice::Whole => Ok(Self::Whole),
            ScreenChoice::Monitor(name) => {
                let monitors = display.monitors()?;
                if monitors.iter().any(|m| m.name == name) {
                    return Ok(Self::Monitor(name));
                }
                let there: Vec<_> = monitors.into_iter().map(|m| m.name).collect();
                Err(SourceError::NoMonitor {
                    wanted: name,
                    found: there.join(", "),
                })
            }
            ScreenChoice::Titled(words) => {
                let sought = words.to_lowercase();
                let found = display
                    .windows()?
                    .into_iter()
                    .find(|window| window.title.to_lowercase().contains(&sought));
                match found {
                    Some(window) => Self::new(display, ScreenChoice::Window(window.id)),
                    None => Err(SourceError::NoWindow(words)),
                }
            }
            ScreenChoice::Window(window) => {
                if !display.composite {
                    return Err(SourceError::Screen(
                        "its windows cannot be seen one by one; choose a monitor".into(),
                    ));
                }
                Self::window(display, window).map_err(|failure| match failure {
                    Failure::Changed => SourceError::WindowGone("that was chosen".into()),
                    Failure::Lasting(error) => error,
                })
            }
        }
    }

    fn window(display: &Display, window: Window) -> Result<Self, Failure> {
        if display.own(&[window])? == [true] {
            return Err(Failure::Lasting(SourceError::OwnWindow));
        }
        let (frame, title) = (display.frame(window)?, display.title(window)?);
        display
            .connection
            .composite_redirect_window(frame, Redirect::AUTOMATIC)?
            .check()?;
        Ok(Self::Window {
            window,
            frame,
            title,
            pixmap: None,
        })
    }

    /// What the person calls it; empty for the whole screen.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::Monitor(name) => name.clone(),
            Self::Window { title, .. } => title.clone(),
        }
    }

    /// Where it is now; none while it is minimised.
    pub(super) fn view(&mut self, display: &Display) -> Result<Option<View>, Failure> {
        match self {
            Self::Whole => {
                let rect = display.whole()?;
                Ok(Some(View {
                    drawable: display.root,
                    inside: rect,
                    place: rect,
                    masked: true,
                }))
            }
            Self::Monitor(name) => {
                let monitors = display.monitors()?;
                let Some(monitor) = monitors.iter().find(|m| m.name == *name) else {
                    return Err(Failure::Lasting(SourceError::MonitorGone(name.clone())));
                };
                let region = monitor.region;
                let rect = Rect::new(region.x, region.y, region.size.width, region.size.height);
                // While monitors are rearranged, one may lie outside the screen for a moment.
                let Some(rect) = rect.shared(display.whole()?) else {
                    return Ok(None);
                };
                Ok(Some(View {
                    drawable: display.root,
                    inside: rect,
                    place: rect,
                    masked: true,
                }))
            }
            Self::Window {
                window,
                frame,
                title,
                pixmap,
            } => window_view(display, *window, *frame, pixmap).map_err(|failure| match failure {
                // Its numbers are unknown by now: it was closed.
                Failure::Changed => {
                    let asked = display.connection.get_geometry(*window);
                    match asked.map(x11rb::cookie::Cookie::reply) {
                        Ok(Ok(_)) => Failure::Changed,
                        _ => Failure::Lasting(SourceError::WindowGone(title.clone())),
                    }
                }
                lasting @ Failure::Lasting(_) => lasting,
            }),
        }
    }
}

fn window_view(
    display: &Display,
    window: Window,
    frame: Window,
    pixmap: &mut Option<(Pixmap, Rect)>,
) -> Result<Option<View>, Failure> {
    let c = &display.connection;
    let (outside, inside) = (
        c.get_window_attributes(frame)?,
        c.get_window_attributes(window)?,
    );
    let inner = c.get_geometry(window)?;
    let geometry = c.get_geometry(frame)?.reply()?;
    let inner = inner.reply()?;
    let seen = [outside.reply()?, inside.reply()?]
        .iter()
        .all(|attributes| attributes.map_state == MapState::VIEWABLE);
    // A manager that minimises with a motion shrinks the frame first.
    let shrunk = geometry.width < inner.width || geometry.height < inner.height;
    if !seen || shrunk {
        // What it showed before it was minimised is lost.
        if let Some((old, _)) = pixmap.take() {
            c.free_pixmap(old)?.ignore_error();
        }
        return Ok(None);
    }
    let border = u32::from(geometry.border_width) * 2;
    let place = Rect::new(
        geometry.x.into(),
        geometry.y.into(),
        u32::from(geometry.width) + border,
        u32::from(geometry.height) + border,
    );
    let same =
        pixmap.is_some_and(|(_, at)| at.width() == place.width() && at.height() == place.height());
    if !same {
        if let Some((old, _)) = pixmap.take() {
            c.free_pixmap(old)?.ignore_error();
        }
        let named = c.generate_id()?;
        c.composite_name_window_pixmap(frame, named)?.check()?;
        *pixmap = Some((named, place));
    }
    Ok(pixmap.map(|(drawable, _)| View {
        drawable,
        inside: Rect::new(0, 0, place.width(), place.height()),
        place,
        masked: false,
    }))
}
