//! The marks of a session, and the tools that change them.

use std::{sync::Arc, time::Instant};

use alidade_draw::marks::{Marks, NewMark, Wipe};
use alidade_sdk::agent::{
    Tool,
    tool::draw::{Shown, draw_box, draw_point},
};
use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::Notify;

use super::AskError;
use crate::agents::Renderer;

/// The application's own tool that takes marks away; it touches nothing else.
pub(super) const CLEAR_MARKS: &str = "clear_marks";

/// The marks of a session, shared with the tools that draw.
#[derive(Default)]
pub(crate) struct Board {
    pub(crate) marks: Mutex<Marks>,
    /// Told after every change.
    pub(crate) changed: Notify,
}

/// The tool that puts the agent's marks on the board.
pub(super) fn drawing(renderer: Renderer, board: &Arc<Board>) -> Tool {
    let board = Arc::clone(board);
    match renderer {
        Renderer::DrawBox => draw_box(move |request| {
            let mark = NewMark {
                label: request.label,
                picture: request.frame,
                ..NewMark::area(request.area)
            };
            let shown = board.put(mark);
            async move { Ok(shown) }
        }),
        Renderer::DrawPoint => draw_point(move |request| {
            let mark = NewMark {
                label: request.label,
                picture: request.frame,
                ..NewMark::spot(request.spot)
            };
            let shown = board.put(mark);
            async move { Ok(shown) }
        }),
    }
}

impl Board {
    fn put(&self, mark: NewMark) -> Shown {
        let added = self.marks.lock().add(mark, Instant::now());
        self.changed.notify_one();
        match added {
            Ok(_) => Shown::yes(),
            Err(why) => Shown::no(why.to_string()),
        }
    }

    /// Takes all marks away and answers how many there were.
    pub(crate) fn wipe(&self, why: Wipe) -> usize {
        let wiped = self.marks.lock().wipe(why);
        self.changed.notify_one();
        wiped
    }
}

/// The tool by which "clear" reaches the board.
pub(super) fn clearing(board: &Arc<Board>) -> Result<Tool, AskError> {
    let board = Arc::clone(board);
    let about = "Takes all marks off the user's live view. Call it when they ask to clear or remove the marks.";
    let nothing = json!({"type": "object", "properties": {}});
    Ok(Tool::plain(CLEAR_MARKS, about, nothing, move |_| {
        let cleared = board.wipe(Wipe::Cleared);
        async move { Ok(json!({"cleared": cleared})) }
    })?)
}
