//! Rows of text and parts of a page, cut to what can be listened to.

use alidade_picture::Area;

use super::intent::Side;
use super::page::{Line, Page};
use super::seen::cut;
use super::words;

/// Rows that are read out in one go.
const MOST_ROWS: usize = 6;
/// Letters that are read out in one go.
const MOST_LETTERS: usize = 320;
/// Letters of a row.
pub(super) const MOST_ROW: usize = 120;

/// The largest few lines, as they stand from above.
pub(super) fn most_telling(page: &Page) -> Vec<String> {
    let mut order: Vec<usize> = (0..page.lines.len())
        .filter(|index| {
            page.lines
                .get(*index)
                .is_some_and(|line| line.text.chars().count() > 1)
        })
        .collect();
    let height = |index: &usize| page.lines.get(*index).map_or(0.0, |line| line.area.height);
    order.sort_by(|a, b| height(b).total_cmp(&height(a)));
    order.truncate(3);
    order.sort_unstable();
    order
        .iter()
        .filter_map(|index| page.lines.get(*index))
        .map(|line| cut(&unquoted(&line.text), 60))
        .collect()
}

/// What is said of all text: as much as can be listened to.
pub(super) fn said(page: &Page) -> Option<String> {
    let rows = row_texts(page);
    if rows.is_empty() {
        return None;
    }
    let (read, more) = first(&rows);
    let read = quoted(&read);
    Some(if more == 0 {
        words::says(&read)
    } else {
        words::says_more(&read, more)
    })
}

/// As many rows as are read out in one go, and how many are left.
pub(super) fn first(rows: &[String]) -> (Vec<String>, usize) {
    let mut letters = 0;
    let mut read = Vec::new();
    for row in rows {
        letters += row.chars().count();
        if read.len() == MOST_ROWS || (letters > MOST_LETTERS && !read.is_empty()) {
            break;
        }
        read.push(row.clone());
    }
    let more = rows.len() - read.len();
    (read, more)
}

/// The rows of a page as text.
pub(super) fn row_texts(page: &Page) -> Vec<String> {
    page.rows()
        .iter()
        .map(|row| {
            let texts: Vec<&str> = row.iter().map(|line| line.text.as_str()).collect();
            cut(&unquoted(&texts.join(" ")), MOST_ROW)
        })
        .collect()
}

/// Text that can stand in quotation marks.
fn unquoted(text: &str) -> String {
    text.replace(['“', '”'], "\"")
}

/// Rows in quotation marks.
pub(super) fn quoted(rows: &[String]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| unquoted(row)).collect();
    words::quoted(&rows)
}

/// What is said of one line, from 1; from the end where negative.
pub(super) fn read_line(page: &Page, number: i32) -> String {
    let rows = row_texts(page);
    let index = if number < 0 {
        rows.len().checked_sub(1)
    } else {
        usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1))
    };
    match index.and_then(|index| rows.get(index)) {
        Some(row) => words::line(number, &quoted(std::slice::from_ref(row))),
        None if rows.is_empty() => words::NO_TEXT.to_owned(),
        None => words::no_line(rows.len()),
    }
}

/// What of a page stands in a rectangle.
pub(super) fn within(page: &Page, area: Area) -> Page {
    let margin = 0.005;
    let inside = |other: Area| {
        let spot = other.centre();
        spot.x >= area.x - margin
            && spot.x <= area.right() + margin
            && spot.y >= area.y - margin
            && spot.y <= area.bottom() + margin
    };
    Page {
        frame: page.frame.clone(),
        small: page.small,
        lines: page
            .lines
            .iter()
            .filter(|line| inside(line.area))
            .cloned()
            .collect(),
        things: page
            .things
            .iter()
            .filter(|thing| thing.area.is_some_and(inside))
            .cloned()
            .collect(),
    }
}

/// What of a page stands on a side.
pub(super) fn on_side(page: &Page, side: Side) -> Page {
    let on = |area: Area| {
        let spot = area.centre();
        match side {
            Side::Left => spot.x < 0.4,
            Side::Right => spot.x > 0.6,
            Side::Top => spot.y < 0.4,
            Side::Bottom => spot.y > 0.6,
            Side::Middle => (0.25..=0.75).contains(&spot.x) && (0.25..=0.75).contains(&spot.y),
        }
    };
    Page {
        frame: page.frame.clone(),
        small: page.small,
        lines: page
            .lines
            .iter()
            .filter(|line| on(line.area))
            .cloned()
            .collect(),
        things: page
            .things
            .iter()
            .filter(|thing| thing.area.is_some_and(on))
            .cloned()
            .collect(),
    }
}

/// A line with its value: a line that has none takes the next figure to its right, else the one below.
pub(super) fn with_neighbours(page: &Page, index: usize) -> (String, Area) {
    let Some(line) = page.lines.get(index) else {
        return (String::new(), Area::default());
    };
    let has_figure = |line: &Line| line.text.chars().any(|letter| letter.is_ascii_digit());
    let mut lines = vec![line];
    if !has_figure(line) {
        let row = page
            .rows()
            .into_iter()
            .find(|row| row.iter().any(|other| std::ptr::eq(*other, line)))
            .unwrap_or_default();
        // A screen has many columns: what stands far away in the row belongs to something else.
        let right: Vec<&Line> = row
            .into_iter()
            .filter(|other| other.area.x > line.area.x && gap(other.area, line.area) < 0.5)
            .collect();
        let below = page
            .lines
            .iter()
            .filter(|other| {
                other.area.y >= line.area.bottom() - 0.25 * line.area.height
                    && other.area.y - line.area.bottom() < 3.0 * line.area.height
                    && other.area.right().min(line.area.right()) > other.area.x.max(line.area.x)
            })
            .min_by(|a, b| a.area.y.total_cmp(&b.area.y));
        match (
            right.iter().position(|other| has_figure(other)),
            below.filter(|other| has_figure(other)),
        ) {
            (Some(0), _) | (None, None) => lines.extend(right.first()),
            (_, Some(below)) => lines.push(below),
            (Some(at), None) => lines.extend(right.iter().take(at + 1)),
        }
    }
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let area = lines
        .iter()
        .fold(line.area, |all, line| union(all, line.area));
    (text.join(" "), area)
}

/// The texts with figures that belong to a line: its own, else those in its row, else the one below.
pub(super) fn figures_with(page: &Page, index: usize) -> Vec<String> {
    let Some(line) = page.lines.get(index) else {
        return Vec::new();
    };
    let has_figure = |line: &Line| line.text.chars().any(|letter| letter.is_ascii_digit());
    let row = page
        .rows()
        .into_iter()
        .find(|row| row.iter().any(|other| std::ptr::eq(*other, line)))
        .unwrap_or_default();
    let figures: Vec<String> = row
        .into_iter()
        .filter(|other| other.area.x >= line.area.x && has_figure(other))
        .map(|other| cut(&other.text, MOST_ROW))
        .collect();
    if figures.is_empty() {
        let (text, _) = with_neighbours(page, index);
        return if text.chars().any(|letter| letter.is_ascii_digit()) {
            vec![text]
        } else {
            Vec::new()
        };
    }
    figures
}

fn gap(a: Area, b: Area) -> f64 {
    (a.x - b.right()).max(b.x - a.right()).max(0.0)
}

fn union(a: Area, b: Area) -> Area {
    let x = a.x.min(b.x);
    let y = a.y.min(b.y);
    Area::new(
        x,
        y,
        a.right().max(b.right()) - x,
        a.bottom().max(b.bottom()) - y,
    )
}
