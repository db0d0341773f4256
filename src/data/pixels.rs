//! Bitmaps. They stand here, not beside the charts, because what is made from records is not compiled for speed.

/// Bitmap of half the width and height: each pixel of three bytes is the mean of a square of two by two. Plain loops,
/// and white places as a whole, for charts are mostly white.
pub fn halved(bitmap: &[u8], width: usize) -> Vec<u8> {
    const WHITE: [u8; 192] = [0xFF; 192];
    let row = width * 3;
    let mut pixels = Vec::with_capacity(bitmap.len() / 4);
    for rows in bitmap.chunks_exact(2 * row) {
        let (upper, lower) = rows.split_at(row);
        let mut left = 0;
        while left < row {
            let white = &WHITE[..WHITE.len().min(row - left)];
            if upper[left..].starts_with(white) && lower[left..].starts_with(white) {
                pixels.extend_from_slice(&white[..white.len() / 2]);
                left += white.len();
                continue;
            }
            let mean = |byte: usize| {
                let (here, beside) = (left + byte, left + byte + 3);
                let sum = upper[here] as u16 + upper[beside] as u16 + lower[here] as u16 + lower[beside] as u16;
                ((sum + 2) / 4) as u8
            };
            pixels.extend_from_slice(&[mean(0), mean(1), mean(2)]);
            left += 6;
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
