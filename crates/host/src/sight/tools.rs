//! The server tools that look: one picture, one answer that names it.

use std::sync::Arc;

use alidade_locate::{Cancel, Found, LocateError};
use alidade_picture::{Area, Picture};
use serde_json::{Map, Value, json};

use super::{Seen, Sight};
use crate::{
    Eyes,
    brain::{DETECT_OBJECTS, EXAMINE_IMAGE, POINT_AT_OBJECT},
};

/// Lines and objects of one answer.
const LISTED: usize = 500;

/// Raises the flag when the caller stops waiting, also by being dropped.
pub(super) struct CancelOnDrop(pub(super) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Sight {
    /// Runs a server tool by its model-facing name.
    ///
    /// # Errors
    /// A sentence for the person: nothing to see, nothing named, no models.
    pub(crate) async fn tool(
        &self,
        name: &str,
        args: &Map<String, Value>,
    ) -> Result<Value, String> {
        match name {
            DETECT_OBJECTS => {
                let (seen, findings) = self.find(args).await?;
                let found: Vec<_> = findings
                    .found
                    .iter()
                    .map(|found| place(found, "box", area(found.area)))
                    .collect();
                Ok(json!({
                    "frame": seen.picture.id().0, "source": seen.source.as_str(), "found": found, "ambiguous": findings.ambiguous,
                }))
            }
            POINT_AT_OBJECT => {
                let (seen, findings) = self.find(args).await?;
                let found: Vec<_> = findings
                    .found
                    .iter()
                    .map(|found| {
                        let spot = found.area.centre();
                        place(
                            found,
                            "point",
                            json!({ "x": round(spot.x), "y": round(spot.y) }),
                        )
                    })
                    .collect();
                Ok(json!({
                    "frame": seen.picture.id().0, "source": seen.source.as_str(), "found": found, "ambiguous": findings.ambiguous,
                }))
            }
            EXAMINE_IMAGE => self.examine().await,
            _ => Err(format!("There is no tool named {name} in this session.")),
        }
    }

    async fn find(
        &self,
        args: &Map<String, Value>,
    ) -> Result<(Seen, alidade_locate::Findings), String> {
        let phrase = match args.get("query") {
            Some(Value::String(phrase)) if !phrase.trim().is_empty() => phrase.trim().to_owned(),
            _ => {
                return Err(
                    "The tool was not told what to look for; its query is missing.".to_owned(),
                );
            }
        };
        let seen = self.look().await.map_err(|unseen| unseen.to_string())?;
        let findings = self
            .with_eyes(&seen.picture, move |eyes, picture, cancel| {
                eyes.find(picture, &phrase, cancel)
            })
            .await?;
        Ok((seen, findings))
    }

    async fn examine(&self) -> Result<Value, String> {
        let seen = self.look().await.map_err(|unseen| unseen.to_string())?;
        let (reading, objects) = self
            .with_eyes(&seen.picture, |eyes, picture, cancel| {
                Ok((eyes.read(picture, cancel)?, eyes.objects(picture, cancel)?))
            })
            .await?;
        let size = seen.picture.size();
        let lines: Vec<_> = reading
            .lines
            .iter()
            .take(LISTED)
            .map(|line| json!({ "text": line.text, "box": area(line.area) }))
            .collect();
        let text = reading
            .lines
            .iter()
            .take(LISTED)
            .map(|line| line.text.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        let objects: Vec<_> = objects
            .iter()
            .take(LISTED)
            .map(|object| json!({ "name": object.name, "box": area(object.area), "sure": round(f64::from(object.sure)) }))
            .collect();
        Ok(json!({
            "frame": seen.picture.id().0, "source": seen.source.as_str(),
            "size": { "width": size.width, "height": size.height }, "lines": lines, "objects": objects, "text": text,
        }))
    }

    /// Looks on a thread that may block; stops soon after the caller or the session does.
    async fn with_eyes<T: Send + 'static>(
        &self,
        picture: &Picture,
        look: impl FnOnce(&dyn Eyes, &Picture, &Cancel) -> Result<T, LocateError> + Send + 'static,
    ) -> Result<T, String> {
        let Some(eyes) = self.eyes.clone() else {
            return Err(
                "The model files that find things in pictures are not installed.".to_owned(),
            );
        };
        // What is being read ahead need not be read twice.
        self.ahead.make_way(picture).await;
        let guard = CancelOnDrop(Cancel::new());
        let (picture, cancel) = (picture.clone(), guard.0.clone());
        let looking =
            tokio::task::spawn_blocking(move || look(Arc::as_ref(&eyes), &picture, &cancel));
        let looked = tokio::select! {
            looked = looking => looked,
            () = self.closed.cancelled() => return Err(super::Unseen::Closed.to_string()),
        };
        match looked {
            Ok(looked) => looked.map_err(|error| error.to_string()),
            Err(_) => Err(
                "Something went wrong while looking at the picture; please ask again.".to_owned(),
            ),
        }
    }
}

fn place(found: &Found, key: &str, place: Value) -> Value {
    json!({ key: place, "label": found.says, "way": found.way, "sure": round(f64::from(found.sure)) })
}

fn area(area: Area) -> Value {
    let Area {
        x,
        y,
        width,
        height,
    } = area.inside_picture().unwrap_or_default();
    json!({ "x": round(x), "y": round(y), "width": round(width), "height": round(height) })
}

/// Five digits: a hundredth of a pixel of the largest screens.
fn round(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}
