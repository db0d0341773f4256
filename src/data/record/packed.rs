//! Whole numbers in little room: each in groups of seven bits, the lowest first; the eighth bit says that another group
//! follows. Nearly all counts of a search fit into one group or two.

/// Bit of a group that says that another group follows.
pub const MORE: u8 = 0x80;

/// Adds a number.
pub fn pack(mut number: u64, to: &mut Vec<u8>) {
    while number >= MORE.into() {
        to.push(number as u8 | MORE);
        number >>= 7;
    }
    to.push(number as u8);
}

/// The numbers that were packed, in order.
pub fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let group = |bits: u64, (place, byte): (usize, &u8)| bits | u64::from(byte & !MORE) << (7 * place);
    bytes.split_inclusive(|byte| *byte < MORE).map(move |groups| groups.iter().enumerate().fold(0, group))
}
