//! Marks: told to the faces, and painted on the picture they belong to.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use alidade_draw::{
    marks::{Seen, Shape},
    paint,
};
use alidade_picture::Picture;

use super::{
    super::{
        CommandError,
        view::{Change, MarkView, ShapeView, Trouble},
    },
    Desk,
};
use crate::mark;

/// Steps of a mark's strength: finer ones nobody sees.
const STRENGTHS: f32 = 16.0;

impl Desk {
    /// Tells the marks, where they look otherwise than before.
    pub(super) fn marks(&self) {
        let marks: Vec<MarkView> = match &self.live {
            Some(live) => {
                let seen = live.board.marks.lock().seen(Instant::now());
                seen.iter().map(viewed).collect()
            }
            None => Vec::new(),
        };
        if self.state.read(|s| s.marks != marks) {
            self.state.change(Change::Marks { marks });
        }
    }

    pub(super) async fn marked(&self) -> Result<Marked, CommandError> {
        let marks = match &self.live {
            Some(live) => live.board.marks.lock().seen(Instant::now()),
            None => Vec::new(),
        };
        let sent = self
            .live
            .as_ref()
            .and_then(|live| live.conversation.picture_of(&marks));
        let picture = match sent {
            Some(picture) => Some(picture),
            None => self.looked_at().await,
        };
        Ok(Marked {
            picture: picture.ok_or(CommandError::NoPicture)?,
            marks,
            original: self.original.clone(),
        })
    }

    /// The picture that is seen now.
    pub(super) async fn looked_at(&self) -> Option<Picture> {
        let number = self.state.read(|s| s.source.as_ref().map(|s| s.id))?;
        self.state.source(number)?.next(None).await.ok()
    }
}

/// A picture and its marks.
pub(in crate::api) struct Marked {
    picture: Picture,
    marks: Vec<Seen>,
    /// Where it came from.
    original: Option<PathBuf>,
}

impl Marked {
    pub(in crate::api) fn painted(&self) -> Picture {
        paint::paint(&self.picture, &self.marks)
    }

    pub(in crate::api) fn write(&self, file: &Path) -> Result<(), CommandError> {
        let over = || mark::refuses_over(file, self.original.as_deref()?);
        if let Some(why) = mark::refuses(file).or_else(over) {
            return Err(CommandError::Write(why));
        }
        mark::write(&self.picture, &self.marks, file)
            .map_err(|error| CommandError::Write(Trouble::new(&error).says))
    }
}

fn viewed(seen: &Seen) -> MarkView {
    let shape = match seen.mark.shape {
        Shape::Box(area) => ShapeView::Box {
            x: area.x,
            y: area.y,
            width: area.width,
            height: area.height,
        },
        Shape::Point(spot) => ShapeView::Point {
            x: spot.x,
            y: spot.y,
        },
    };
    MarkView {
        id: seen.mark.id.0.try_into().unwrap_or(u32::MAX),
        shape,
        label: seen.mark.label.clone(),
        strength: (seen.strength * STRENGTHS).ceil() / STRENGTHS,
        newest: seen.newest,
    }
}
