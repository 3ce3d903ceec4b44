//! Stills of `send-image`: base64 of a picture file, under caps.

use alidade_picture::{DecodeLimits, Picture, PictureId};
use base64::{Engine, engine::general_purpose::STANDARD};

/// Decodes on a thread that may block.
pub(super) async fn decode(data: String) -> Result<Picture, String> {
    let decoded = tokio::task::spawn_blocking(move || {
        let bytes = STANDARD
            .decode(data.as_bytes())
            .map_err(|_| "The image of the send-image frame is not base64.".to_owned())?;
        let limits = DecodeLimits {
            side: 8_192,
            pixels: 33_177_600,
            bytes: 12_000_000,
        };
        Picture::decode(&bytes, PictureId(0), limits)
            .map_err(|error| format!("The image that was sent cannot be used: {error}"))
    });
    decoded
        .await
        .unwrap_or_else(|_| Err("The image that was sent could not be decoded.".to_owned()))
}
