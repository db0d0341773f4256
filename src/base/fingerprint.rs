//! Fingerprints by which equal texts are known: FNV-1a of 64 bits. No protection against forgery.

const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01B3;

/// Fingerprint of the bytes of these parts, one after the other, in sixteen hexadecimal digits.
pub fn fingerprint<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    let hash = parts.into_iter().fold(BASIS, |hash, part| continued(hash, part.as_ref()));
    format!("{hash:016x}")
}

/// Not generic, so that it is compiled here, with more optimisation than where it is called: a run reads the whole
/// program with it.
fn continued(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn published_values() {
        for (text, hash) in [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")] {
            assert_eq!(fingerprint([text]), hash);
        }
        assert_eq!(fingerprint(["foo", "", "bar"]), fingerprint(["foobar"]));
    }
}
