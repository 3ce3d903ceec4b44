//! Numbers compare by value: a whole float is written, and read, like an integer.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// The largest magnitude below which every whole `f64` is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a whole number, `30` and `30.0` alike.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let float = value.as_f64().filter(|_| !value.is_u64())?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
}

/// Writes a float without a fraction as an integer, which every reader of either kind takes.
pub(crate) fn plain<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() <= EXACT {
        to.serialize_i64(*number as i64)
    } else {
        to.serialize_f64(*number)
    }
}

/// [`plain`] for an optional number.
pub(crate) fn plain_option<S: Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => plain(number, to),
        None => ().serialize(to),
    }
}

/// Whether a JSON value is a number without a fraction, of any size.
pub(crate) fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|float| float.fract() == 0.0)
}
