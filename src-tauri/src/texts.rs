//! What people read that does not come from the window's page or from the application.

pub(crate) const TITLE: &str = "Alidade";
pub(crate) const PICTURES: &str = "Pictures";
pub(crate) const VIDEOS: &str = "Videos";
pub(crate) const OPEN_PICTURE: &str = "Open a picture";
pub(crate) const OPEN_VIDEO: &str = "Open a video";
pub(crate) const OPEN_FOLDER: &str = "Open a folder of pictures";
pub(crate) const SAVE_MARKED: &str = "Save the marked picture";
pub(crate) const MARKED_FILE: &str = "marked.png";
pub(crate) const NO_PICTURE: &str =
    "There is no picture on the clipboard. Copy one and paste again.";
pub(crate) const NO_BYTES: &str = "What was pasted is no picture.";
pub(crate) const NO_WINDOW: &str = "The window could not be opened";
pub(crate) const NO_DISPLAY: &str = "There is no display that a window can be opened on. The command line works without one: alidade ask \"where is Save?\" --image shot.png";
