//! Which cameras there are.
//!
//! On Linux the nodes `/dev/video<N>` are looked at one by one, in the order of their numbers: many are
//! not cameras (a webcam has a second node for its metadata; encoders and loudspeakers of the video
//! world have nodes too), and names that are no number must do no harm.

use std::path::{Path, PathBuf};

use super::CameraChoice;
use crate::SourceError;

/// A camera that is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameraInfo {
    /// Its number, the N of `/dev/videoN` on Linux.
    pub index: u32,
    /// Its name as the maker or the system gives it, never empty.
    pub name: String,
    /// Where it is plugged in, as the system says it; stays the same when it is plugged in again.
    pub place: String,
}

/// The cameras that are plugged in, by number; none is no error.
///
/// # Errors
/// [`SourceError::Denied`] where there are cameras and the system lets this person use none;
/// [`SourceError::Camera`] where the system does not tell.
pub fn cameras() -> Result<Vec<CameraInfo>, SourceError> {
    #[cfg(target_os = "linux")]
    {
        scan(Path::new("/dev"), &linux::look)
    }
    #[cfg(not(target_os = "linux"))]
    {
        elsewhere()
    }
}

/// The camera that was chosen.
pub(super) fn choose(
    choice: &CameraChoice,
    cameras: Vec<CameraInfo>,
) -> Result<CameraInfo, SourceError> {
    if cameras.is_empty() {
        return Err(SourceError::NoCamera);
    }
    let lower = |name: &str| name.to_lowercase();
    let found = match choice {
        CameraChoice::First => cameras.first(),
        CameraChoice::Index(index) => cameras.iter().find(|camera| camera.index == *index),
        CameraChoice::Named(name) => {
            let name = lower(name.trim());
            // A whole name before a part of one.
            cameras
                .iter()
                .find(|camera| lower(&camera.name) == name)
                .or_else(|| cameras.iter().find(|c| lower(&c.name).contains(&name)))
        }
    };
    found.cloned().ok_or_else(|| SourceError::OtherCamera {
        wanted: match choice {
            CameraChoice::First => "at all".into(),
            CameraChoice::Index(index) => format!("number {index}"),
            CameraChoice::Named(name) => format!("“{name}”"),
        },
        found: cameras
            .iter()
            .map(|camera| format!("{} (number {})", camera.name, camera.index))
            .collect::<Vec<_>>()
            .join(", "),
    })
}

/// What a look at a node tells.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Camera { name: String, place: String },
    SomethingElse,
    Denied,
}

/// Looks at every `video<N>` of a folder, in the order of the numbers.
fn scan(folder: &Path, look: &dyn Fn(&Path) -> Node) -> Result<Vec<CameraInfo>, SourceError> {
    let mut nodes: Vec<(u32, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let index = number(entry.file_name().to_str()?)?;
            Some((index, entry.path()))
        })
        .collect();
    nodes.sort();
    let (mut cameras, mut denied) = (Vec::new(), None);
    for (index, path) in nodes {
        match look(&path) {
            Node::Camera { name, place } => {
                let name = match name.trim() {
                    "" => format!("Camera {index}"),
                    name => name.to_owned(),
                };
                cameras.push(CameraInfo { index, name, place });
            }
            Node::SomethingElse => {}
            Node::Denied => denied = denied.or(Some(path)),
        }
    }
    match denied {
        Some(path) if cameras.is_empty() => Err(SourceError::Denied(format!(
            "the camera {}",
            path.display()
        ))),
        _ => Ok(cameras),
    }
}

/// The number of a node, and nothing for any other name.
fn number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("video")?;
    let plain =
        digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    plain.then(|| digits.parse().ok()).flatten()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{io::ErrorKind, path::Path};

    use v4l::{Device, capability::Flags};

    use super::Node;

    /// Asks the driver behind a node what it is.
    pub(super) fn look(path: &Path) -> Node {
        use std::os::unix::fs::FileTypeExt;
        // Opening anything but a device might wait, or tell nothing.
        let device = std::fs::metadata(path).is_ok_and(|m| m.file_type().is_char_device());
        if !device {
            return Node::SomethingElse;
        }
        let capabilities = match Device::with_path(path).and_then(|device| device.query_caps()) {
            Ok(capabilities) => capabilities,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Node::Denied,
            Err(_) => return Node::SomethingElse,
        };
        let wanted = Flags::VIDEO_CAPTURE | Flags::STREAMING;
        if !capabilities.capabilities.contains(wanted) {
            return Node::SomethingElse;
        }
        Node::Camera {
            name: capabilities.card,
            place: capabilities.bus,
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn elsewhere() -> Result<Vec<CameraInfo>, SourceError> {
    use std::panic::catch_unwind;

    use nokhwa::{
        query,
        utils::{ApiBackend, CameraIndex},
    };

    let found = catch_unwind(|| query(ApiBackend::Auto))
        .map_err(|_| "its driver failed".to_owned())
        .and_then(|found| found.map_err(|error| error.to_string()))
        .map_err(|why| SourceError::Camera {
            camera: "the camera system".into(),
            why,
        })?;
    Ok((0..)
        .zip(found)
        .map(|(place, info)| CameraInfo {
            index: match info.index() {
                CameraIndex::Index(index) => *index,
                CameraIndex::String(_) => place,
            },
            name: info.human_name(),
            place: info.misc(),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn camera(name: &str) -> Node {
        Node::Camera {
            name: name.into(),
            place: "usb-1".into(),
        }
    }

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        folder
    }

    fn last(path: &Path) -> String {
        path.file_name().unwrap().to_string_lossy().into_owned()
    }

    #[test]
    fn nodes_come_in_the_order_of_their_numbers_and_other_names_are_left_alone() {
        let folder = folder(&[
            "video10",
            "video2",
            "video0",
            "video",
            "videos",
            "video-1",
            "video1a",
            "video007",
            "video99999999999",
            "null",
            "v4l",
            "video３",
        ]);
        let found = scan(folder.path(), &|path| camera(&last(path))).unwrap();
        let indices: Vec<u32> = found.iter().map(|camera| camera.index).collect();
        assert_eq!(indices, [0, 2, 10]);
        assert_eq!(found[2].name, "video10");
    }

    #[test]
    fn nodes_that_are_no_cameras_are_left_out() {
        let folder = folder(&["video0", "video1", "video2"]);
        let found = scan(folder.path(), &|path| match last(path).as_str() {
            "video1" => camera(" \t"),
            "video2" => Node::Denied,
            _ => Node::SomethingElse,
        })
        .unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].index, found[0].name.as_str()), (1, "Camera 1"));
    }

    #[test]
    fn cameras_that_may_not_be_used_are_no_cameras_with_a_sentence() {
        let folder = folder(&["video3"]);
        let refused = scan(folder.path(), &|_| Node::Denied).unwrap_err();
        assert!(matches!(refused, SourceError::Denied(_)));
        assert!(refused.to_string().contains("group video"), "{refused}");
    }

    #[test]
    fn a_folder_without_nodes_and_a_missing_one_hold_no_cameras() {
        let folder = folder(&["null"]);
        assert_eq!(scan(folder.path(), &|_| camera("x")), Ok(vec![]));
        let missing = folder.path().join("missing");
        assert_eq!(scan(&missing, &|_| camera("x")), Ok(vec![]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_pipes_and_other_devices_named_like_cameras_are_none() {
        let folder = folder(&["video0"]);
        std::fs::create_dir(folder.path().join("video1")).unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.path().join("video2")).unwrap();
        std::os::unix::fs::symlink("/missing", folder.path().join("video3")).unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .arg(folder.path().join("video4"))
            .status();
        assert!(pipe.unwrap().success());
        assert_eq!(scan(folder.path(), &linux::look), Ok(vec![]));
    }

    #[test]
    fn a_camera_is_chosen_by_number_by_name_and_by_a_part_of_it() {
        let info = |index, name: &str| CameraInfo {
            index,
            name: name.into(),
            place: String::new(),
        };
        let all = || {
            vec![
                info(0, "HD Webcam Pro"),
                info(2, "Webcam"),
                info(4, "Microscope"),
            ]
        };
        let chosen = |choice| choose(&choice, all()).map(|camera| camera.index);
        let named = |name: &str| chosen(CameraChoice::Named(name.into()));
        assert_eq!(chosen(CameraChoice::First), Ok(0));
        assert_eq!(chosen(CameraChoice::Index(2)), Ok(2));
        assert_eq!(named("webcam"), Ok(2), "a whole name before a part of one");
        assert_eq!(named("micro"), Ok(4));
        assert_eq!(
            named("phone").unwrap_err().to_string(),
            "there is no camera “phone”; there is HD Webcam Pro (number 0), Webcam (number 2), \
             Microscope (number 4)"
        );
        assert!(chosen(CameraChoice::Index(1)).is_err());
        assert_eq!(
            choose(&CameraChoice::First, vec![]).unwrap_err(),
            SourceError::NoCamera
        );
    }
}
