//! The connection to the X server, and what it knows about monitors and windows.

use alidade_picture::{Region, Size};
use x11rb::{
    atom_manager,
    connection::{Connection as _, RequestConnection as _},
    errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError},
    protocol::{
        ErrorKind, composite,
        randr::{self, ConnectionExt as _},
        res::{self, ConnectionExt as _},
        shape::{self, ConnectionExt as _},
        shm::{self, ConnectionExt as _},
        xproto::{
            Atom, AtomEnum, ConnectionExt as _, ImageOrder, MapState, Screen, Window, WindowClass,
        },
    },
    rust_connection::RustConnection,
};

use super::area::{Placed, Rect};
use crate::{MonitorInfo, SourceError, WindowInfo};

atom_manager! {
    /// Names the server knows windows' properties by.
    pub(super) Atoms:
    AtomsCookie {
        _NET_CLIENT_LIST_STACKING,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_STATE,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_DESKTOP,
        _NET_WM_WINDOW_TYPE_DOCK,
        UTF8_STRING,
    }
}

/// Why a request came to nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// What was asked about is otherwise by now, or gone.
    Changed,
    /// It will not work again either.
    Lasting(SourceError),
}

impl From<ConnectionError> for Failure {
    fn from(error: ConnectionError) -> Self {
        Self::Lasting(SourceError::Screen(error.to_string()))
    }
}

impl From<ReplyError> for Failure {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::X11Error(x)
                if matches!(
                    x.error_kind,
                    ErrorKind::Window
                        | ErrorKind::Drawable
                        | ErrorKind::Pixmap
                        | ErrorKind::Match
                        | ErrorKind::Value
                ) =>
            {
                Self::Changed
            }
            ReplyError::X11Error(x) => Self::Lasting(SourceError::Screen(format!(
                "the display refused a request ({:?})",
                x.error_kind
            ))),
            ReplyError::ConnectionError(error) => error.into(),
        }
    }
}

impl From<ReplyOrIdError> for Failure {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            ReplyOrIdError::X11Error(x) => ReplyError::X11Error(x).into(),
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::IdsExhausted => Self::Lasting(SourceError::Screen(
                "the display has no numbers left".into(),
            )),
        }
    }
}

impl From<Failure> for SourceError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Changed => Self::Screen("it changes all the time".into()),
            Failure::Lasting(error) => error,
        }
    }
}

/// A connection of our own.
pub(super) struct Display {
    pub(super) connection: RustConnection,
    pub(super) root: Window,
    pub(super) atoms: Atoms,
    /// Whether pixels can come through memory that both see.
    pub(super) shared_memory: bool,
    /// Whether the server draws windows apart from each other.
    pub(super) composite: bool,
    /// Whether the server tells which process a window belongs to.
    resources: bool,
    shapes: bool,
    /// Bits of a pixel on the screen itself: windows that have more may be seen through.
    depth: u8,
}

impl Display {
    /// Connects to the display of this session.
    pub(super) fn open() -> Result<Self, SourceError> {
        if std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty()) {
            // What X shows there is empty wherever other programs do not use it.
            return Err(SourceError::NoScreen);
        }
        Self::at(std::env::var("DISPLAY").ok().as_deref().unwrap_or_default())
    }

    /// Connects to a display by its name.
    pub(super) fn at(name: &str) -> Result<Self, SourceError> {
        if name.is_empty() {
            return Err(SourceError::NoScreen);
        }
        // Memory is shared with a server on this machine alone.
        let near = name.starts_with([':', '/']) || name.starts_with("unix:");
        let (connection, number) = x11rb::connect(Some(name)).map_err(|error| match error {
            ConnectError::DisplayParsingError(_) => SourceError::NoScreen,
            other => SourceError::Screen(other.to_string()),
        })?;
        let screen = connection
            .setup()
            .roots
            .get(number)
            .cloned()
            .ok_or(SourceError::NoScreen)?;
        check_pixels(&connection, &screen)?;
        Self::with(connection, &screen, near).map_err(SourceError::from)
    }

    fn with(connection: RustConnection, screen: &Screen, near: bool) -> Result<Self, Failure> {
        let atoms = Atoms::new(&connection)?.reply()?;
        let has = |name| -> Result<bool, Failure> {
            Ok(connection.extension_information(name)?.is_some())
        };
        let shared_memory = near && has(shm::X11_EXTENSION_NAME)? && {
            // Older ones cannot hand memory over.
            let version = connection.shm_query_version()?.reply()?;
            (version.major_version, version.minor_version) >= (1, 2)
        };
        let composite = has(composite::X11_EXTENSION_NAME)? && {
            let version = composite::query_version(&connection, 0, 4)?.reply()?;
            (version.major_version, version.minor_version) >= (0, 2)
        };
        let resources = has(res::X11_EXTENSION_NAME)? && {
            let version = connection.res_query_version(1, 2)?.reply()?;
            (version.server_major, version.server_minor) >= (1, 2)
        };
        let shapes = has(shape::X11_EXTENSION_NAME)?;
        if !has(randr::X11_EXTENSION_NAME)? {
            return Err(Failure::Lasting(SourceError::Screen(
                "its display does not tell its monitors".into(),
            )));
        }
        connection.randr_query_version(1, 5)?.reply()?;
        Ok(Self {
            root: screen.root,
            depth: screen.root_depth,
            connection,
            atoms,
            shared_memory,
            composite,
            resources,
            shapes,
        })
    }

    /// The size of the whole screen.
    pub(super) fn whole(&self) -> Result<Rect, Failure> {
        let root = self.connection.get_geometry(self.root)?.reply()?;
        Ok(Rect::new(0, 0, root.width.into(), root.height.into()))
    }

    /// The monitors, the first one first.
    pub(super) fn monitors(&self) -> Result<Vec<MonitorInfo>, Failure> {
        let reply = self
            .connection
            .randr_get_monitors(self.root, true)?
            .reply()?;
        let mut monitors = Vec::with_capacity(reply.monitors.len());
        for monitor in reply.monitors {
            let name = self.connection.get_atom_name(monitor.name)?.reply()?.name;
            monitors.push(MonitorInfo {
                name: String::from_utf8_lossy(&name).into_owned(),
                region: Region {
                    x: monitor.x.into(),
                    y: monitor.y.into(),
                    size: Size::new(monitor.width.into(), monitor.height.into()),
                },
                primary: monitor.primary,
            });
        }
        monitors.sort_by_key(|m| !m.primary);
        Ok(monitors)
    }

    /// Windows of other programs that can be looked at, the uppermost first.
    pub(super) fn windows(&self) -> Result<Vec<WindowInfo>, Failure> {
        let clients = self.clients()?;
        let own = self.own(&clients)?;
        let mut windows = Vec::new();
        for (client, own) in clients.into_iter().zip(own).rev() {
            if own {
                continue;
            }
            match self.described(client) {
                Ok(Some(window)) => windows.push(window),
                // Closed meanwhile, or nothing one would choose.
                Ok(None) | Err(Failure::Changed) => {}
                Err(lasting) => return Err(lasting),
            }
        }
        Ok(windows)
    }

    /// A window as it is chosen; none for panels, the desktop and what is minimised.
    fn described(&self, window: Window) -> Result<Option<WindowInfo>, Failure> {
        let atoms = &self.atoms;
        let kinds = self.list(window, atoms._NET_WM_WINDOW_TYPE, AtomEnum::ATOM)?;
        let states = self.list(window, atoms._NET_WM_STATE, AtomEnum::ATOM)?;
        let map = self.connection.get_window_attributes(window)?.reply()?;
        if kinds.contains(&atoms._NET_WM_WINDOW_TYPE_DESKTOP)
            || kinds.contains(&atoms._NET_WM_WINDOW_TYPE_DOCK)
            || states.contains(&atoms._NET_WM_STATE_HIDDEN)
            || map.map_state == MapState::UNMAPPED
        {
            return Ok(None);
        }
        Ok(Some(WindowInfo {
            id: window,
            title: self.title(window)?,
            program: self.program(window)?,
        }))
    }

    /// What stands in a window's title bar.
    pub(super) fn title(&self, window: Window) -> Result<String, Failure> {
        let modern = self.bytes(window, self.atoms._NET_WM_NAME, self.atoms.UTF8_STRING)?;
        if !modern.is_empty() {
            return Ok(String::from_utf8_lossy(&modern).into_owned());
        }
        let old = self.bytes(window, AtomEnum::WM_NAME.into(), AtomEnum::ANY.into())?;
        Ok(String::from_utf8_lossy(&old).into_owned())
    }

    fn program(&self, window: Window) -> Result<String, Failure> {
        let class = self.bytes(window, AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into())?;
        // Two names, each ended by a zero: this window's, and the program's.
        let names: Vec<_> = class.split(|b| *b == 0).filter(|n| !n.is_empty()).collect();
        Ok(names
            .last()
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .unwrap_or_default())
    }

    /// All windows with a place on the screen, from the lowest to the uppermost, and which are this program's.
    pub(super) fn placed(&self) -> Result<Vec<Placed>, Failure> {
        let c = &self.connection;
        let tree = c.query_tree(self.root)?.reply()?.children;
        let mut asked = Vec::with_capacity(tree.len());
        for &window in &tree {
            let shape = match self.shapes {
                true => Some(c.shape_query_extents(window)?),
                false => None,
            };
            asked.push((
                window,
                c.get_window_attributes(window)?,
                c.get_geometry(window)?,
                shape,
            ));
        }
        let mut frames = Vec::new();
        for (window, attributes, geometry, shape) in asked {
            let (attributes, geometry) = match (attributes.reply(), geometry.reply()) {
                (Ok(attributes), Ok(geometry)) => (attributes, geometry),
                // Whatever closes between two requests has left the picture.
                (Err(error), _) | (_, Err(error)) => match Failure::from(error) {
                    Failure::Changed => return Err(Failure::Changed),
                    lasting @ Failure::Lasting(_) => return Err(lasting),
                },
            };
            let shaped = match shape {
                Some(shape) => shape.reply()?.bounding_shaped,
                None => false,
            };
            if attributes.map_state != MapState::VIEWABLE
                || attributes.class == WindowClass::INPUT_ONLY
            {
                continue;
            }
            let border = u32::from(geometry.border_width) * 2;
            let rect = Rect::new(
                geometry.x.into(),
                geometry.y.into(),
                u32::from(geometry.width) + border,
                u32::from(geometry.height) + border,
            );
            // What has holes or may be seen through hides nothing below it for sure.
            frames.push((window, rect, !shaped && geometry.depth == self.depth));
        }

        // A window manager's frames belong to it; who is in them decides.
        let clients = self.clients()?;
        let owners: Vec<Window> = {
            let mut owners: Vec<Window> = frames.iter().map(|(window, ..)| *window).collect();
            for client in clients {
                let frame = self.frame(client)?;
                if let Some(at) = frames.iter().position(|(window, ..)| *window == frame) {
                    owners[at] = client;
                }
            }
            owners
        };
        let own = self.own(&owners)?;
        Ok(frames
            .into_iter()
            .zip(own)
            .filter(|((_, _, hides), own)| *own || *hides)
            .map(|((_, rect, _), own)| Placed { rect, own })
            .collect())
    }

    /// The window the manager put around this one, or itself: a child of the root.
    pub(super) fn frame(&self, window: Window) -> Result<Window, Failure> {
        let mut at = window;
        // Managers nest two or three deep.
        for _ in 0..16 {
            let tree = self.connection.query_tree(at)?.reply()?;
            if tree.parent == self.root || tree.parent == x11rb::NONE {
                return Ok(at);
            }
            at = tree.parent;
        }
        Err(Failure::Changed)
    }

    /// The windows the manager looks after, from the lowest to the uppermost.
    fn clients(&self) -> Result<Vec<Window>, Failure> {
        let list = self.atoms._NET_CLIENT_LIST_STACKING;
        self.list(self.root, list, AtomEnum::WINDOW)
    }

    /// Which of these windows are this process's own, by the server's knowledge or by their own word.
    pub(super) fn own(&self, windows: &[Window]) -> Result<Vec<bool>, Failure> {
        let process = std::process::id();
        let mut own = Vec::with_capacity(windows.len());
        let words: Vec<_> = windows
            .iter()
            .map(|&window| {
                let pid = self.atoms._NET_WM_PID;
                self.connection
                    .get_property(false, window, pid, AtomEnum::CARDINAL, 0, 1)
            })
            .collect::<Result<_, _>>()?;
        for word in words {
            let pid = match word.reply() {
                Ok(property) => property.value32().and_then(|mut v| v.next()),
                Err(error) => match Failure::from(error) {
                    Failure::Changed => None,
                    lasting @ Failure::Lasting(_) => return Err(lasting),
                },
            };
            own.push(pid == Some(process));
        }
        if self.resources && !windows.is_empty() {
            let specs: Vec<_> = windows
                .iter()
                .map(|&client| res::ClientIdSpec {
                    client,
                    mask: res::ClientIdMask::LOCAL_CLIENT_PID,
                })
                .collect();
            let known = self.connection.res_query_client_ids(&specs)?.reply()?;
            // The server names clients by the first of their numbers.
            let masks = self.connection.setup().resource_id_mask;
            for id in known.ids {
                if id.value.first() == Some(&process) {
                    for (window, own) in windows.iter().zip(&mut own) {
                        *own |= window & !masks == id.spec.client & !masks;
                    }
                }
            }
        }
        Ok(own)
    }

    fn list(&self, window: Window, name: Atom, kind: AtomEnum) -> Result<Vec<u32>, Failure> {
        const MOST: u32 = 4_096;
        let reply = self
            .connection
            .get_property(false, window, name, kind, 0, MOST)?
            .reply()?;
        Ok(reply.value32().map(Iterator::collect).unwrap_or_default())
    }

    fn bytes(&self, window: Window, name: Atom, kind: Atom) -> Result<Vec<u8>, Failure> {
        // Four bytes each: longer names are cut.
        const MOST: u32 = 256;
        let reply = self
            .connection
            .get_property(false, window, name, kind, 0, MOST)?
            .reply()?;
        Ok(reply.value)
    }
}

/// Only the layout that every screen in use has is read: four bytes a pixel, blue first.
fn check_pixels(connection: &RustConnection, screen: &Screen) -> Result<(), SourceError> {
    let setup = connection.setup();
    let format = setup
        .pixmap_formats
        .iter()
        .find(|f| f.depth == screen.root_depth);
    let visual = screen
        .allowed_depths
        .iter()
        .flat_map(|depth| &depth.visuals)
        .find(|visual| visual.visual_id == screen.root_visual);
    let usual = format.is_some_and(|f| f.bits_per_pixel == 32)
        && visual.is_some_and(|v| {
            (v.red_mask, v.green_mask, v.blue_mask) == (0xff_0000, 0x00_ff00, 0x00_00ff)
        })
        && setup.image_byte_order == ImageOrder::LSB_FIRST;
    if usual {
        Ok(())
    } else {
        Err(SourceError::Screen(format!(
            "it has {} bits of colour; set it to 24",
            screen.root_depth
        )))
    }
}
