//! Where pictures come from: files, folders, videos and cameras.
