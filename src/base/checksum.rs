//! Checksums of lines: a line of a journal ends with the CRC-32 (IEEE 802.3, as of zlib) of what stands before it, so
//! that one that was damaged later is known.

/// Number of bytes that are taken at once.
const STEP: usize = 8;

/// Remainders of each byte, with this many bytes of zeros behind it.
const fn tables() -> [[u32; 256]; STEP] {
    let mut tables = [[0; 256]; STEP];
    let mut i = 0;
    while i < 256 * STEP {
        let (zeros, byte) = (i / 256, i % 256);
        // The byte itself, or what it left with a zero less.
        let mut rest = if zeros == 0 { byte as u32 } else { tables[zeros - 1][byte] };
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0xEDB8_8320 } else { rest >> 1 };
            bit += 1;
        }
        tables[zeros][byte] = rest;
        i += 1;
    }
    tables
}

static TABLES: [[u32; 256]; STEP] = tables();

fn crc32(bytes: &[u8]) -> u32 {
    let (steps, rest) = bytes.as_chunks::<STEP>();
    let by_steps = steps.iter().fold(!0_u32, |crc, step| {
        let word = u64::from_le_bytes(*step) ^ u64::from(crc);
        let of = |place: usize| TABLES[STEP - 1 - place][usize::from((word >> (8 * place)) as u8)];
        of(0) ^ of(1) ^ of(2) ^ of(3) ^ of(4) ^ of(5) ^ of(6) ^ of(7)
    });
    !rest.iter().fold(by_steps, |crc, byte| TABLES[0][usize::from(crc as u8 ^ byte)] ^ crc >> 8)
}

/// The code of these bytes in eight digits.
fn digits_of(bytes: &[u8]) -> String {
    format!("{:0DIGITS$x}", crc32(bytes))
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
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926, "the published check of this code");
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
