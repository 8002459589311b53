//! Small pictures, made rather than shipped.

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// A PNG in true colour; `pixel` gives red, green and blue at x and y.
pub(crate) fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::fast());
    for y in 0..height {
        // Each row begins with its filter: none.
        let mut row = vec![0];
        row.extend((0..width).flat_map(|x| pixel(x, y)));
        rows.write_all(&row).expect("a Vec takes all bytes");
    }
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);

    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut bytes, b"IHDR", &header);
    chunk(&mut bytes, b"IDAT", &rows.finish().expect("a Vec takes all bytes"));
    chunk(&mut bytes, b"IEND", &[]);
    bytes
}

fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    // Chunks of pictures this small fit any length field.
    bytes.extend_from_slice(&(data.len() as u32).to_be_bytes());
    let mut crc = Crc::new();
    for part in [&kind[..], data] {
        crc.update(part);
        bytes.extend_from_slice(part);
    }
    bytes.extend_from_slice(&crc.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_of_a_png() {
        let bytes = png(2, 1, |x, _| [x as u8, 0, 0]);
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x02\0\0\0\x01\x08\x02"));
        // The last chunk is the same in every PNG, checksum included.
        assert!(bytes.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }
}
