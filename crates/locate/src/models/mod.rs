//! Where the model files are, and that they are the right ones.

mod network;

use std::{
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::LocateError;
pub(crate) use network::Network;

/// Names the folder that is looked at first.
const OVERRIDE: &str = "ALIDADE_MODELS";

/// One file of the model folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelFile {
    /// Finds lines of text.
    TextDetector,
    /// Reads a line of text.
    TextRecogniser,
    /// The characters the recogniser knows.
    TextCharacters,
    /// Turns a phrase into a direction of meaning.
    Meaning,
    /// Cuts a phrase into the pieces the former knows.
    MeaningTokens,
    /// Detector of 80 everyday objects.
    ObjectsCoco,
    /// Detector of 23 more.
    ObjectsOpenImages,
    /// Names of the latter.
    ObjectsOpenImagesNames,
}

impl ModelFile {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::TextDetector,
        Self::TextRecogniser,
        Self::TextCharacters,
        Self::Meaning,
        Self::MeaningTokens,
        Self::ObjectsCoco,
        Self::ObjectsOpenImages,
        Self::ObjectsOpenImagesNames,
    ];

    /// Path below the model folder.
    #[must_use]
    pub const fn path(self) -> &'static str {
        self.facts().0
    }

    /// Bytes the right file has.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.facts().1
    }

    /// SHA-256 of the right file, in hexadecimal.
    #[must_use]
    pub const fn sha256(self) -> &'static str {
        self.facts().2
    }

    const fn facts(self) -> (&'static str, u64, &'static str) {
        match self {
            Self::TextDetector => (
                "ocr/det.onnx",
                4_740_548,
                "62f0e79763dfd9bdadae166dd61078e703d9149df891e11a58c48d18595fad6f",
            ),
            Self::TextRecogniser => (
                "ocr/rec-latin.onnx",
                12_225_015,
                "f95f0457c78a7c9de6ffcb8054dc5870aec70f5f193657aa8b62c9ee31df83a2",
            ),
            Self::TextCharacters => (
                "ocr/rec-latin.dict.txt",
                940,
                "c31dd253de7cbd4d1ec563a643d61cc4bed1af5ffa1e8e331b088660d7bec5e9",
            ),
            Self::Meaning => (
                "embed/minilm-l6-v2-int8.onnx",
                22_928_619,
                "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            ),
            Self::MeaningTokens => (
                "embed/tokenizer.json",
                466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            ),
            Self::ObjectsCoco => (
                "detect/nanodet-coco80.onnx",
                15_168_681,
                "2ed60b5e502b7ca0eddf6d92d52fb3e4ed49e288a6f48ed0f24319d4cfd3d0b1",
            ),
            Self::ObjectsOpenImages => (
                "detect/ssd-mobilenetv2-oidv4.onnx",
                19_891_718,
                "c80a4902b138e9d03a73138fb667477a115bf530f9a5e3fd0dbcfb78aec18760",
            ),
            Self::ObjectsOpenImagesNames => (
                "detect/oidv4.labels.txt",
                184,
                "c148336a65f673013609a923fdcbdeec0f49df935045029c3746a3828a0e80e0",
            ),
        }
    }
}

/// A folder that holds every model file, each of the right size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Models {
    dir: PathBuf,
}

impl Models {
    /// Looks in one documented order: the folder named by `ALIDADE_MODELS`; `models` beside the
    /// executable; the system's data folders; the checkout this was built from. The first that exists
    /// counts, so that a broken override is reported and not passed over.
    ///
    /// # Errors
    /// [`LocateError::NoModels`] where none exists, and what [`Models::at`] says of the first that does.
    pub fn find() -> Result<Self, LocateError> {
        let chosen = std::env::var_os(OVERRIDE).filter(|v| !v.is_empty());
        if let Some(dir) = chosen {
            return Self::at(PathBuf::from(dir));
        }
        let executable = std::env::current_exe().ok();
        first_of(places(executable.as_deref()))
    }

    /// The model files in this folder. Presence and sizes are checked here, checksums when a file is read.
    ///
    /// # Errors
    /// [`LocateError::ModelUnreadable`] or [`LocateError::ModelMismatch`], naming the file.
    pub fn at(dir: impl Into<PathBuf>) -> Result<Self, LocateError> {
        let models = Self { dir: dir.into() };
        for file in ModelFile::ALL {
            let path = models.dir.join(file.path());
            let found = fs::metadata(&path).map_err(|e| unreadable(&path, &e))?;
            if !found.is_file() {
                return Err(unreadable(&path, &"it is not a file"));
            }
            check_length(&path, file, found.len())?;
        }
        Ok(models)
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The contents of a file, verified by size and SHA-256.
    pub(crate) fn read(&self, file: ModelFile) -> Result<Vec<u8>, LocateError> {
        let path = self.dir.join(file.path());
        // The size goes first: a file swapped for a huge one is never read whole.
        let length = fs::metadata(&path)
            .map_err(|e| unreadable(&path, &e))?
            .len();
        check_length(&path, file, length)?;
        let bytes = fs::read(&path).map_err(|e| unreadable(&path, &e))?;
        check_length(&path, file, bytes.len() as u64)?;
        let sum: String = Sha256::digest(&bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        if sum != file.sha256() {
            let why = format!("its SHA-256 is {sum} and should be {}", file.sha256());
            return Err(LocateError::ModelMismatch { path, why });
        }
        Ok(bytes)
    }

    /// The lines of a text file.
    pub(crate) fn lines(&self, file: ModelFile) -> Result<Vec<String>, LocateError> {
        let bytes = self.read(file)?;
        let text =
            String::from_utf8(bytes).map_err(|e| unreadable(&self.dir.join(file.path()), &e))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// A network, ready to run.
    pub(crate) fn network(&self, file: ModelFile) -> Result<Network, LocateError> {
        let bytes = self.read(file)?;
        Network::load(bytes).map_err(|why| unreadable(&self.dir.join(file.path()), &why))
    }
}

fn first_of(places: Vec<PathBuf>) -> Result<Models, LocateError> {
    match places.iter().find(|p| p.is_dir()) {
        Some(dir) => Models::at(dir),
        None => Err(LocateError::NoModels { looked: places }),
    }
}

/// Places after the override, in order.
fn places(executable: Option<&Path>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let Some(beside) = executable.and_then(Path::parent) {
        places.push(beside.join("models"));
        if cfg!(target_os = "macos") {
            places.push(beside.join("../Resources/models"));
        }
        places.push(beside.join("../share/alidade/models"));
    }
    if cfg!(unix) {
        places.push("/usr/local/share/alidade/models".into());
        places.push("/usr/share/alidade/models".into());
    }
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("models"));
    places
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> LocateError {
    LocateError::ModelUnreadable {
        path: path.to_owned(),
        why: why.to_string(),
    }
}

fn check_length(path: &Path, file: ModelFile, length: u64) -> Result<(), LocateError> {
    if length == file.bytes() {
        return Ok(());
    }
    Err(LocateError::ModelMismatch {
        path: path.to_owned(),
        why: format!("it has {length} bytes and should have {}", file.bytes()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn here() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
    }

    fn copy_to(dir: &Path) {
        for file in ModelFile::ALL {
            let to = dir.join(file.path());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(here().join(file.path()), to).unwrap();
        }
    }

    #[test]
    fn every_committed_file_is_the_one_listed() {
        let sums = fs::read_to_string(here().join("SHA256SUMS")).unwrap();
        let models = Models::at(here()).unwrap();
        for file in ModelFile::ALL {
            models.read(file).unwrap();
            assert!(
                sums.contains(&format!("{}  {}\n", file.sha256(), file.path())),
                "{file:?} is not in SHA256SUMS as the program knows it"
            );
        }
        assert_eq!(sums.lines().count(), ModelFile::ALL.len());
    }

    #[test]
    fn a_missing_file_is_named_with_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        copy_to(dir.path());
        fs::remove_file(dir.path().join("ocr/det.onnx")).unwrap();
        let said = Models::at(dir.path()).unwrap_err().to_string();
        assert!(
            said.contains("det.onnx") && said.contains("reinstall"),
            "{said}"
        );
    }

    #[test]
    fn a_short_and_an_altered_file_are_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        copy_to(dir.path());
        let path = dir.path().join("detect/oidv4.labels.txt");
        let mut bytes = fs::read(&path).unwrap();
        bytes[0] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let models = Models::at(dir.path()).unwrap();
        let altered = models.lines(ModelFile::ObjectsOpenImagesNames).unwrap_err();
        assert!(matches!(&altered, LocateError::ModelMismatch { path: p, .. } if *p == path));
        fs::write(&path, &bytes[1..]).unwrap();
        assert!(matches!(
            Models::at(dir.path()).unwrap_err(),
            LocateError::ModelMismatch { path: p, .. } if p == path
        ));
    }

    #[test]
    fn beside_the_executable_comes_before_the_system_and_the_checkout_last() {
        let places = places(Some(Path::new("/opt/alidade/bin/alidade")));
        assert_eq!(places[0], Path::new("/opt/alidade/bin/models"));
        assert_eq!(*places.last().unwrap(), here());
        let nowhere = first_of(vec!["/nowhere/a".into(), "/nowhere/b".into()]).unwrap_err();
        let said = nowhere.to_string();
        assert!(said.contains("/nowhere/a, /nowhere/b") && said.contains("ALIDADE_MODELS"));
    }
}
