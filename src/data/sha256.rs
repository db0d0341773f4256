//! SHA-256, as FIPS 180-4 defines it: digests by which anybody, with any other program, finds out whether files are the
//! ones that were meant.

/// Number of bytes that are taken at once.
const BLOCK: usize = 64;
/// Fractional parts of the square roots of the first 8 primes.
const BEGIN: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
/// Fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const ROUNDS: [u32; BLOCK] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// Digest of what is written into it.
#[derive(Clone, Debug)]
pub struct Sha256 {
    state: [u32; 8],
    /// Bytes that do not fill a block yet.
    rest: Vec<u8>,
    length: u64,
}

impl Default for Sha256 {
    fn default() -> Self {
        Self { state: BEGIN, rest: Vec::new(), length: 0 }
    }
}

impl Sha256 {
    /// Digest of these bytes.
    pub fn of(bytes: &[u8]) -> [u8; 32] {
        let mut digest = Self::default();
        digest.add(bytes);
        digest.end()
    }

    /// Adds bytes to what the digest is of.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if !self.rest.is_empty() {
            let (filling, rest) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend_from_slice(filling);
            bytes = rest;
            if let Ok(block) = self.rest.as_slice().try_into() {
                take(&mut self.state, block);
                self.rest.clear();
            }
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        blocks.iter().for_each(|block| take(&mut self.state, block));
        self.rest.extend_from_slice(rest);
    }

    /// The digest.
    pub fn end(mut self) -> [u8; 32] {
        let bits = 8 * self.length;
        let zeros = (BLOCK + BLOCK - 9 - self.rest.len()) % BLOCK;
        self.add(&[&[0x80][..], &[0; BLOCK][..zeros], &bits.to_be_bytes()].concat());
        let mut digest = [0; 32];
        digest.chunks_exact_mut(4).zip(self.state).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_be_bytes()));
        digest
    }
}

fn take(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let mut words = [0_u32; BLOCK];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for at in 16..BLOCK {
        let (near, far) = (words[at - 2], words[at - 15]);
        let of_near = near.rotate_right(17) ^ near.rotate_right(19) ^ near >> 10;
        let of_far = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
        words[at] = words[at - 16].wrapping_add(of_far).wrapping_add(words[at - 7]).wrapping_add(of_near);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, round) in words.into_iter().zip(ROUNDS) {
        let of_e = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let of_a = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let (choice, majority) = (e & f ^ !e & g, a & b ^ a & c ^ b & c);
        let first = h.wrapping_add(of_e).wrapping_add(choice).wrapping_add(round).wrapping_add(word);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(of_a).wrapping_add(majority));
    }
    state.iter_mut().zip([a, b, c, d, e, f, g, h]).for_each(|(word, add)| *word = word.wrapping_add(add));
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
