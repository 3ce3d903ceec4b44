//! The screen: all of it, one monitor, or one window.
//!
//! Pictures come when something on it has changed. The program's own windows are never in them: whoever looks at
//! the picture must not find the marks, questions and approvals that are about it.

#[cfg(target_os = "linux")]
mod x11;

use std::sync::Arc;

use alidade_picture::Region;

use crate::{SourceError, slot::Slot};

/// Which part of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenChoice {
    /// All monitors as one picture.
    Whole,
    /// One monitor, by the name the system has for its output.
    Monitor(String),
    /// One window, by the number the system has for it. Covered parts are seen too.
    Window(u32),
    /// The uppermost window with these words in its title; large and small letters alike.
    Titled(String),
}

/// A monitor as a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorInfo {
    /// The name of its output.
    pub name: String,
    /// Where it lies on the screen, in pixels.
    pub region: Region,
    /// Whether the person made it the first one.
    pub primary: bool,
}

/// A window of another program as a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowInfo {
    /// What the system calls it.
    pub id: u32,
    /// What stands in its title bar.
    pub title: String,
    /// The program, as it names itself.
    pub program: String,
}

/// What of the screen can be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screens {
    /// The monitors, the first one first.
    pub monitors: Vec<MonitorInfo>,
    /// Windows of other programs that are open and not minimised, the uppermost first.
    pub windows: Vec<WindowInfo>,
}

/// What of the screen can be looked at now. Blocks for a moment.
///
/// # Errors
/// [`SourceError::NoScreen`] where this desktop shows its screen to no program.
pub fn screens() -> Result<Screens, SourceError> {
    #[cfg(target_os = "linux")]
    return x11::screens();
    #[cfg(not(target_os = "linux"))]
    Err(SourceError::NoScreen)
}

pub(crate) fn start(slot: &Arc<Slot>, choice: ScreenChoice) -> Result<String, SourceError> {
    #[cfg(target_os = "linux")]
    return x11::start(slot, choice);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (slot, choice);
        Err(SourceError::NoScreen)
    }
}
