//! Generators of pseudo-random numbers whose output is fixed for ever by their seeds.

/// SplitMix64: a Weyl sequence passed through a mixing function (Steele, Lea and Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014).
///
/// Equal seeds give equal numbers on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[inline]
    #[allow(clippy::should_implement_trait)] // an iterator that never ends would make every caller unwrap
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// A number below `bound`, which must not be 0. The bias is below 2^-32 for bounds below 2^32.
    #[inline]
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// Brings the elements into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for i in (1..elements.len()).rev() {
            elements.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// The next number between 0 and 1, neither included.
    pub fn uniform(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// The next normal variable of mean 0 and deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura, "Mersenne Twister", 1998), seeded as in its first version:
/// what programs of about 2000 have their keys from.
#[derive(Clone, Debug)]
pub struct Twister {
    words: [u32; Self::WORDS],
    next: usize,
}

impl Twister {
    const WORDS: usize = 624;
    const MIDDLE: usize = 397;

    /// A generator with this seed.
    pub fn new(seed: u32) -> Self {
        let mut words = [seed; Self::WORDS];
        for i in 1..Self::WORDS {
            words[i] = words[i - 1].wrapping_mul(69_069);
        }
        Self { words, next: Self::WORDS }
    }

    /// The next 32 random bits.
    #[allow(clippy::should_implement_trait)] // as of the other generator
    pub fn next(&mut self) -> u32 {
        if self.next == Self::WORDS {
            for i in 0..Self::WORDS {
                let high_and_low = self.words[i] & 1 << 31 | self.words[(i + 1) % Self::WORDS] & !(1 << 31);
                let twist = if high_and_low & 1 == 1 { 0x9908_B0DF } else { 0 };
                self.words[i] = self.words[(i + Self::MIDDLE) % Self::WORDS] ^ high_and_low >> 1 ^ twist;
            }
            self.next = 0;
        }
        let mut bits = self.words[self.next];
        self.next += 1;
        bits ^= bits >> 11;
        bits ^= bits << 7 & 0x9D2C_5680;
        bits ^= bits << 15 & 0xEFC6_0000;
        bits ^ bits >> 18
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published program with its own seed, and those about the first change of all words.
    #[test]
    fn the_twister_gives_the_published_numbers() {
        let mut twister = Twister::new(4357);
        let numbers: Vec<u32> = std::iter::repeat_with(|| twister.next()).take(625).collect();
        assert_eq!(numbers[..4], [3_510_405_877, 4_290_933_890, 2_191_955_339, 564_929_546]);
        assert_eq!(numbers[623..], [730_882_493, 2_222_118_351]);
    }
}
