//! Checksums of JSON files: like a line of a journal, a file ends with the CRC-32 of what stands before it, as its last
//! key. From [`SEALED_FORMAT`] on every JSON file of a folder and every line of its journals has one; a file of that
//! format without one has lost it. Older files are read as they are.

use serde_json::Value;

use super::description::SEALED_FORMAT;
use crate::checksum;

/// Beginning of the last key of what has a checksum.
const KEY: &str = ",\"crc\":";

/// A JSON object with the checksum of its text as the last key, in place of one that it may have.
pub fn sealed(object: &str) -> String {
    let object = object.trim_end();
    let whole = match checksum::is_right(object.as_bytes()) {
        Some(_) => object.rsplit_once(KEY).map_or(object, |(before, _)| before),
        None => object.strip_suffix('}').unwrap_or(object).trim_end(),
    };
    let mut bytes = format!("{whole}}}").into_bytes();
    checksum::sign(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned() + "\n"
}

/// Contents of a JSON file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The JSON object of a file, without the checksum.
    pub value: Value,
    /// Whether it has a checksum, which is right.
    pub is_sealed: bool,
}

impl Contents {
    /// Reads a file's bytes; what is wrong with them, in words.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let object = bytes.trim_ascii_end();
        let is_right = checksum::is_right(object);
        if is_right == Some(false) {
            return Err("it is damaged: its checksum is wrong".to_owned());
        }
        let mut value: Value = serde_json::from_slice(object).map_err(|error| error.to_string())?;
        if let (Some(_), Value::Object(fields)) = (is_right, &mut value) {
            fields.remove("crc");
        }
        Ok(Self { value, is_sealed: is_right.is_some() })
    }

    /// Makes sure that a file of this format has its checksum.
    pub fn check(&self, format: u64) -> Result<(), String> {
        match self.is_sealed || !has_checksums(format) {
            true => Ok(()),
            false => Err(format!("it is damaged: it has no checksum, which every file of format {format} ends with")),
        }
    }
}

/// Whether files and lines of this format have checksums.
pub(super) fn has_checksums(format: u64) -> bool {
    format >= u64::from(SEALED_FORMAT)
}

/// First key of a file that is in nothing that was read of it, such as `positions[2].bezt`.
pub(super) fn unknown_key(file: &Value, read: &Value) -> Option<String> {
    match (file, read) {
        (Value::Object(file), Value::Object(read)) => file.iter().find_map(|(key, value)| match read.get(key) {
            None => Some(key.clone()),
            Some(known) => {
                let below = unknown_key(value, known)?;
                Some(format!("{key}{}{below}", if below.starts_with('[') { "" } else { "." }))
            }
        }),
        (Value::Array(file), Value::Array(read)) => {
            let mut pairs = file.iter().zip(read).enumerate();
            pairs.find_map(|(place, (value, known))| Some(format!("[{place}].{}", unknown_key(value, known)?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_bit_of_a_file_changes_without_a_word() {
        let file = sealed("{\n  \"format\": 4,\n  \"best\": [\"e2e4\"]\n}\n");
        let whole = Contents::read(file.as_bytes()).unwrap();
        assert!(whole.is_sealed && whole.value == json!({ "format": 4, "best": ["e2e4"] }), "{file}");
        assert_eq!(sealed(&file), file, "one checksum, not two");
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone().into_bytes();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let read = Contents::read(&damaged).and_then(|read| read.check(4).map(|()| read.value));
            assert!(read.is_err() || read == Ok(whole.value.clone()), "bit {bit}");
        }
        let old = Contents::read(b"{}").unwrap();
        assert!(old.check(3).is_ok() && old.check(4).unwrap_err().contains("it has no checksum"));
    }

    #[test]
    fn an_unknown_key_is_named_with_its_place() {
        let read = json!({ "a": 1, "list": [{ "best": 1 }, { "best": 2, "fen": "" }], "map": { "x": {} } });
        for (file, expected) in [
            (json!({ "a": 1 }), None),
            (json!({ "b": 1 }), Some("b")),
            (json!({ "list": [{}, { "bezt": 2 }] }), Some("list[1].bezt")),
            (json!({ "map": { "x": { "y": 1 } } }), Some("map.x.y")),
        ] {
            assert_eq!(unknown_key(&file, &read).as_deref(), expected);
        }
    }
}
