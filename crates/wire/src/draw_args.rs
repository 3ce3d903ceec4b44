//! Arguments of the two draw tools (`tools.md` §8, T47, T48).

use serde_json::{Map, Value};

use crate::names;

/// A place on the frame the model was shown: each member 0 to 1, origin top left, y downward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A box. `x + width` may exceed 1.
    Box {
        /// Left side.
        x: f64,
        /// Top side.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
    /// A single spot.
    Point {
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
    },
}

/// What a draw call asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawRequest {
    /// Where, clamped into the frame.
    pub place: Place,
    /// What to write beside it; of any length.
    pub label: Option<String>,
    /// The picture the place belongs to, when the server says so: the 90 kHz RTP time stamp of its first packet.
    pub frame: Option<u64>,
}

/// Arguments of the wrong shape. The text names the tool and the shape expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDraw {
    /// Of `cosmo_sdk_draw_box`.
    #[error(
        "cosmo_sdk_draw_box needs {{\"box\": {{\"x\", \"y\", \"width\", \"height\"}}}}, four numbers from 0 to 1, and an optional text \"label\""
    )]
    Box,
    /// Of `cosmo_sdk_draw_point`.
    #[error(
        "cosmo_sdk_draw_point needs {{\"point\": {{\"x\", \"y\"}}}}, two numbers from 0 to 1, and an optional text \"label\""
    )]
    Point,
}

/// Reads the arguments of `cosmo_sdk_draw_box`.
pub fn decode_box(args: &Map<String, Value>) -> Result<DrawRequest, BadDraw> {
    let place = (|| {
        let Value::Object(given) = args.get("box")? else {
            return None;
        };
        Some(Place::Box {
            x: coordinate(given, "x")?,
            y: coordinate(given, "y")?,
            width: coordinate(given, "width")?,
            height: coordinate(given, "height")?,
        })
    })();
    place.map(|place| request(place, args)).ok_or(BadDraw::Box)
}

/// Reads the arguments of `cosmo_sdk_draw_point`.
pub fn decode_point(args: &Map<String, Value>) -> Result<DrawRequest, BadDraw> {
    let place = (|| {
        let Value::Object(given) = args.get("point")? else {
            return None;
        };
        Some(Place::Point {
            x: coordinate(given, "x")?,
            y: coordinate(given, "y")?,
        })
    })();
    place
        .map(|place| request(place, args))
        .ok_or(BadDraw::Point)
}

/// Reads the arguments of either draw tool; nothing when the name is neither's.
pub fn decode(tool: &str, args: &Map<String, Value>) -> Option<Result<DrawRequest, BadDraw>> {
    match tool {
        names::DRAW_BOX => Some(decode_box(args)),
        names::DRAW_POINT => Some(decode_point(args)),
        _ => None,
    }
}

fn request(place: Place, args: &Map<String, Value>) -> DrawRequest {
    DrawRequest {
        place,
        label: args.get("label").and_then(Value::as_str).map(str::to_owned),
        frame: args.get("frame").and_then(Value::as_u64),
    }
}

fn coordinate(given: &Map<String, Value>, key: &str) -> Option<f64> {
    let number = given
        .get(key)?
        .as_f64()
        .filter(|number| number.is_finite())?;
    Some(number.clamp(0.0, 1.0))
}
