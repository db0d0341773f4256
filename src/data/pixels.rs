//! Bitmaps. They stand here, not beside the charts, because what is made from records is not compiled for speed.

/// Bitmap of half the width and height: each pixel of three bytes is the mean of a square of two by two.
pub fn halved(bitmap: &[u8], width: usize) -> Vec<u8> {
    let row = width * 3;
    let mut pixels = Vec::with_capacity(bitmap.len() / 4);
    for rows in bitmap.chunks_exact(2 * row) {
        let (upper, lower) = rows.split_at(row);
        for (upper, lower) in upper.chunks_exact(6).zip(lower.chunks_exact(6)) {
            pixels.extend((0..3).map(|byte| {
                let four = [upper[byte], upper[byte + 3], lower[byte], lower[byte + 3]];
                let sum: u16 = four.map(u16::from).iter().sum();
                ((sum + 2) / 4) as u8
            }));
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_the_mean_of_four() {
        let [a, b, c, d] = [[0, 10, 255], [2, 10, 255], [4, 10, 255], [5, 11, 0]];
        assert_eq!(halved(&[a, b, c, d].concat(), 2), [3, 10, 191]);
        let white = [255; 3];
        assert_eq!(halved(&[a, b, white, white, c, d, white, white].concat(), 4), [3, 10, 191, 255, 255, 255]);
    }
}
