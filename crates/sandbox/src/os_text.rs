//! Paths in JSON: one character for each byte, since a path may contain any bytes except NUL.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

fn text(path: &OsStr) -> String {
    path.as_bytes().iter().map(|byte| char::from(*byte)).collect()
}

fn path<T: From<OsString>, E: Error>(text: &str) -> Result<T, E> {
    let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
    bytes.map(|bytes| OsString::from_vec(bytes).into()).map_err(E::custom)
}

pub(crate) fn serialize<S: Serializer>(path: impl AsRef<OsStr>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(path.as_ref()))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: From<OsString>>(from: D) -> Result<T, D::Error> {
    path(&String::deserialize(from)?)
}

/// The same for an optional path.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, OsStr, OsString, Serializer, path, text};

    pub(crate) fn serialize<S: Serializer, T: AsRef<OsStr>>(
        path: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => serializer.serialize_some(&text(path.as_ref())),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: From<OsString>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(from)?.map(|text| path(&text)).transpose()
    }
}

/// The same for several paths.
pub(crate) mod each {
    use super::{Deserialize, Deserializer, OsStr, OsString, Serializer, path, text};

    pub(crate) fn serialize<S: Serializer, T: AsRef<OsStr>>(
        paths: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| text(path.as_ref())))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: From<OsString>>(
        from: D,
    ) -> Result<Vec<T>, D::Error> {
        Vec::<String>::deserialize(from)?.iter().map(|text| path(text)).collect()
    }
}
