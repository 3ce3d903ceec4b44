//! What can go wrong, a sentence each.

use std::path::PathBuf;

/// Why nothing could be looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// No place that is looked at holds the model files.
    #[error(
        "the model files were not found; looked in {}; reinstall Alidade or set ALIDADE_MODELS to the folder that holds them",
        list(looked)
    )]
    NoModels {
        /// Folders that were looked at, in order.
        looked: Vec<PathBuf>,
    },
    /// One file is not there or cannot be read.
    #[error("the model file {} cannot be read ({why}); reinstall Alidade or put the file back", path.display())]
    ModelUnreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// One file is not the one this program was made for.
    #[error("the model file {} is damaged or of another version ({why}); reinstall Alidade or put the right file there", path.display())]
    ModelMismatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        why: String,
    },
    /// The model ran into an error, which no picture should be able to cause.
    #[error("the picture could not be looked at: {0}")]
    Inference(String),
    /// The pixels could not be prepared.
    #[error("the picture could not be prepared: {0}")]
    Picture(String),
    /// The caller gave up.
    #[error("the search was cancelled")]
    Cancelled,
}

fn list(paths: &[PathBuf]) -> String {
    let shown: Vec<_> = paths.iter().map(|p| p.display().to_string()).collect();
    shown.join(", ")
}

impl LocateError {
    pub(crate) fn inference(error: impl std::fmt::Display) -> Self {
        Self::Inference(error.to_string())
    }
}
