//! What there is to look at, as it is offered to a person. Asking drivers and displays blocks, so it is done aside.

use alidade_media::SourceError;

use super::{
    CommandError,
    view::{CameraOffer, MonitorOffer, ScreenOffers, Trouble, WindowOffer},
};

/// The cameras there are.
///
/// # Errors
/// [`CommandError::Source`] where they cannot be listed.
pub async fn cameras() -> Result<Vec<CameraOffer>, CommandError> {
    let cameras = aside(alidade_media::cameras).await?;
    let offer = |camera: alidade_media::CameraInfo| CameraOffer {
        index: camera.index,
        name: camera.name,
    };
    Ok(cameras.into_iter().map(offer).collect())
}

/// The monitors and windows there are.
///
/// # Errors
/// [`CommandError::Source`] where this desktop shows its screen to no program.
pub async fn screens() -> Result<ScreenOffers, CommandError> {
    let screens = aside(alidade_media::screens).await?;
    Ok(ScreenOffers {
        monitors: screens
            .monitors
            .into_iter()
            .map(|monitor| MonitorOffer {
                name: monitor.name,
                width: monitor.region.size.width,
                height: monitor.region.size.height,
            })
            .collect(),
        windows: screens
            .windows
            .into_iter()
            .map(|window| WindowOffer {
                id: window.id,
                title: window.title,
                program: window.program,
            })
            .collect(),
    })
}

async fn aside<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, SourceError> + Send + 'static,
) -> Result<T, CommandError> {
    let said = |error: &dyn std::fmt::Display| CommandError::Source(Trouble::new(error).says);
    match tokio::task::spawn_blocking(ask).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(said(&error)),
        Err(error) => Err(said(&error)),
    }
}
