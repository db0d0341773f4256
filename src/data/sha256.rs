//! SHA-256, as FIPS 180-4 defines it: digests by which anybody, with any other program, finds out whether files are the
//! ones that were meant.

use sha2::Digest;

/// Digest of what is written into it.
#[derive(Clone, Debug, Default)]
pub struct Sha256(sha2::Sha256);

impl Sha256 {
    /// Digest of these bytes.
    pub fn of(bytes: &[u8]) -> [u8; 32] {
        let mut digest = Self::default();
        digest.add(bytes);
        digest.end()
    }

    /// Adds bytes to what the digest is of.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest.
    pub fn end(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// Bytes in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes in base 64 (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| -> String {
        let all = three.iter().chain(&[0, 0]).take(3).fold(0, |all, byte| all << 8 | usize::from(*byte));
        let digit = |place: usize| match place > three.len() {
            true => '=',
            false => char::from(DIGITS[all >> (18 - 6 * place) & 63]),
        };
        (0..4).map(digit).collect()
    };
    bytes.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let million = "a".repeat(1_000_000);
        for (text, digest) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            assert_eq!(hexadecimal(&Sha256::of(text.as_bytes())), digest);
        }
        for (text, digits) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), digits);
        }
    }

    #[test]
    fn it_is_the_same_in_pieces() {
        let bytes: Vec<u8> = (0..300_u16).map(|i| i as u8).collect();
        for length in [1, 7, 55, 56, 63, 64, 65, 119, 128, 299] {
            for step in [1, 3, 64, 100] {
                let mut digest = Sha256::default();
                bytes[..length].chunks(step).for_each(|piece| digest.add(piece));
                assert_eq!(digest.end(), Sha256::of(&bytes[..length]), "{length} by {step}");
            }
        }
    }
}
