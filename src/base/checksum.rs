//! Checksums of lines: a line of a journal ends with the CRC-32 (IEEE 802.3, as of zlib) of what stands before it, so
//! that one that was damaged later is known.

/// The code of these bytes in eight digits.
fn digits_of(bytes: &[u8]) -> String {
    format!("{:0DIGITS$x}", crc32fast::hash(bytes))
}

/// Parts of the last key of a line with a checksum, around its digits: `,"crc":"0123abcd"}`.
const KEY: &[u8] = b",\"crc\":\"";
const DIGITS: usize = 8;
const END: &[u8] = b"\"}";

/// Adds the checksum to a JSON object as its last key.
pub fn sign(object: &mut Vec<u8>) {
    object.pop();
    let digits = digits_of(object);
    object.extend_from_slice(KEY);
    object.extend_from_slice(digits.as_bytes());
    object.extend_from_slice(END);
}

/// Whether the checksum of a JSON object is right; nothing if it has none.
pub fn is_right(object: &[u8]) -> Option<bool> {
    let rest = object.strip_suffix(END)?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let signed = rest.strip_suffix(KEY)?;
    Some(digits == digits_of(signed).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_bit_is_known() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926, "the published check of this code");
        let mut line = br#"{"index":7,"position":"BK01"}"#.to_vec();
        assert_eq!(is_right(&line), None);
        sign(&mut line);
        assert_eq!(is_right(&line), Some(true));
        for bit in 0..8 * line.len() {
            let mut damaged = line.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(is_right(&damaged), Some(true), "bit {bit}");
        }
    }
}
