//! Pixels out of the server: through memory that both see where that is possible, over the wire otherwise.

use std::fs::File;

use memmap2::{MmapMut, MmapOptions};
use x11rb::{
    connection::Connection as _,
    protocol::{
        shm::{self, ConnectionExt as _},
        xproto::{ConnectionExt as _, Drawable, ImageFormat},
    },
    rust_connection::RustConnection,
};

use super::{
    area::Rect,
    display::{Display, Failure},
};
use crate::SourceError;

/// Bytes of a pixel, in the one layout that is read: blue, green, red, nothing.
pub(super) const PIXEL: usize = 4;

/// Takes pictures of what is drawn.
pub(super) struct Grabber {
    shared: Option<Shared>,
    /// Where there is no shared memory.
    wired: Vec<u8>,
}

struct Shared {
    segment: shm::Seg,
    memory: MmapMut,
}

impl Grabber {
    pub(super) fn new() -> Self {
        Self {
            shared: None,
            wired: Vec::new(),
        }
    }

    /// The pixels of `rect` in the drawable's own coordinates, rows without padding, until the next grab.
    pub(super) fn grab(
        &mut self,
        display: &Display,
        drawable: Drawable,
        rect: Rect,
    ) -> Result<&[u8], Failure> {
        let length = rect.width() as usize * rect.height() as usize * PIXEL;
        let narrow = |value: i32| i16::try_from(value).unwrap_or(i16::MAX);
        let short = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
        let (x, y) = (narrow(rect.left), narrow(rect.top));
        let (width, height) = (short(rect.width()), short(rect.height()));
        if display.shared_memory {
            if self
                .shared
                .as_ref()
                .is_none_or(|s| s.memory.len() < length || s.memory.len() / 4 > length)
            {
                self.let_go(&display.connection);
                self.shared = Some(Shared::new(&display.connection, length)?);
            }
            let Some(shared) = &self.shared else {
                return Err(wrong("there is no memory to share"));
            };
            display
                .connection
                .shm_get_image(
                    drawable,
                    x,
                    y,
                    width,
                    height,
                    u32::MAX,
                    ImageFormat::Z_PIXMAP.into(),
                    shared.segment,
                    0,
                )?
                .reply()?;
            return shared.memory.get(..length).ok_or_else(short_of_pixels);
        }
        let reply = display
            .connection
            .get_image(
                ImageFormat::Z_PIXMAP,
                drawable,
                x,
                y,
                width,
                height,
                u32::MAX,
            )?
            .reply()?;
        self.wired = reply.data;
        self.wired.get(..length).ok_or_else(short_of_pixels)
    }

    /// Gives the shared memory back to the server.
    pub(super) fn let_go(&mut self, connection: &RustConnection) {
        if let Some(shared) = self.shared.take() {
            // A server that is gone has nothing to give back.
            let _ = connection.shm_detach(shared.segment);
        }
    }
}

fn wrong(why: impl Into<String>) -> Failure {
    Failure::Lasting(SourceError::Screen(why.into()))
}

fn short_of_pixels() -> Failure {
    wrong("its picture came incomplete")
}

impl Shared {
    fn new(connection: &RustConnection, length: usize) -> Result<Self, Failure> {
        let size = u32::try_from(length).map_err(|_| wrong("it is larger than can be shared"))?;
        let segment = connection.generate_id()?;
        let reply = connection
            .shm_create_segment(segment, size, false)?
            .reply()?;
        let file = File::from(reply.shm_fd);
        let mapped = map(&file, length);
        mapped
            .map(|memory| Self { segment, memory })
            .inspect_err(|_| {
                let _ = connection.shm_detach(segment);
            })
    }
}

#[allow(
    unsafe_code,
    reason = "memory that is shared with the server has no safe interface"
)]
fn map(file: &File, length: usize) -> Result<MmapMut, Failure> {
    // SAFETY: the file is a nameless piece of memory that the server made for this connection alone and gives to
    // nobody else. It writes there only between a request of ours and its reply, and nothing here holds a reference
    // into the memory meanwhile: `Grabber::grab` borrows itself for as long as its pixels are read.
    unsafe { MmapOptions::new().len(length).map_mut(file) }
        .map_err(|error| wrong(format!("its memory cannot be shared ({error})")))
}
