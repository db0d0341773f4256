//! Width of keys: how many bits of its key tell an entry's position from others. Entries keep all 64 bits; that fewer
//! are compared shows what a table with narrower keys takes for the position that it is asked for.

use crate::settings::settings;

settings! {
    /// Parameters of the comparison of keys.
    pub struct KeyWidth, "feature";
    => "Width of keys", "ColChess page (two keys)", tried by ["key-bits=8"];
    bits: i32 [8..=64 "bits"] = 64, "key-bits",
        "bits of the key by which an entry of the table is known to be of a position, half of them from either half of \
         the key";
}

impl KeyWidth {
    /// The bits that are compared: the lower ones of each half, because the place in a table, or in a tier, is taken
    /// from the higher ones and tells entries apart already.
    pub(super) fn mask(self) -> u64 {
        let lowest = |bits: i32| (1 << bits) - 1;
        lowest(self.bits - self.bits / 2) | lowest(self.bits / 2) << 32
    }
}
