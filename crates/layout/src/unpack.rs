//! Undoes the packing around a whole document: gzip, and the `compress` of older Unix.
//!
//! `.ps.gz` is how preprints were kept, and a server may have packed once more, so two layers are
//! undone. What could be unpacked before a fault is kept.

use crate::ReadLimits;
use auslese_model::Oddity;
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// Layers of packing that are undone.
pub const MAX_LAYERS: usize = 2;

/// The document without its packing, and what was odd about that: `too-large-unpacked` if it had to
/// be cut off, `truncated` if the packing is broken.
pub fn unpack<'a>(bytes: &'a [u8], limits: &ReadLimits) -> (Cow<'a, [u8]>, Option<Oddity>) {
    let mut unpacked = Cow::Borrowed(bytes);
    for _ in 0..MAX_LAYERS {
        let (layer, oddity) = match unpacked.get(..2) {
            Some(b"\x1F\x8B") => unwrap_gzip(&unpacked, limits.unpacked),
            Some(b"\x1F\x9D") => unwrap_compress(&unpacked, limits.unpacked),
            _ => break,
        };
        unpacked = Cow::Owned(layer);
        if oddity.is_some() {
            return (unpacked, oddity);
        }
    }
    (unpacked, None)
}

/// Undoes gzip up to so many bytes.
pub fn unwrap_gzip(packed: &[u8], limit: usize) -> (Vec<u8>, Option<Oddity>) {
    let mut unpacked = Vec::new();
    let mut reader = MultiGzDecoder::new(packed).take(limit as u64 + 1);
    let fault = reader.read_to_end(&mut unpacked).err();
    let oddity = if unpacked.len() > limit {
        unpacked.truncate(limit);
        Some(too_large(limit))
    } else {
        // Some programs fill the file up with zeros; what follows the document does not matter.
        fault
            .filter(|_| unpacked.is_empty() || !ends_with_zeros(packed))
            .map(|fault| Oddity::new("truncated", format!("gzip: {fault}")))
    };
    (unpacked, oddity)
}

fn ends_with_zeros(packed: &[u8]) -> bool {
    packed.ends_with(&[0; 16])
}

fn too_large(limit: usize) -> Oddity {
    Oddity::new("too-large-unpacked", format!("only {limit} bytes are read"))
}

/// Codes of `compress` below this are bytes; with blocks, this one empties the table.
const CLEAR: usize = 256;

/// Undoes LZW as `compress` writes it: codes of 9 to 16 bits, in groups of eight.
fn unwrap_compress(packed: &[u8], limit: usize) -> (Vec<u8>, Option<Oddity>) {
    let flags = packed.get(2).copied().unwrap_or(0);
    let (widest, has_blocks) = (u32::from(flags & 0x1F), flags & 0x80 != 0);
    if !(9..=16).contains(&widest) {
        return (Vec::new(), Some(Oddity::new("truncated", "no header of compress")));
    }
    let mut codes = Codes { bytes: &packed[3..], bit: 0, group: 0, width: 9 };
    let first_free = if has_blocks { CLEAR + 1 } else { CLEAR };
    // For each code from 256 on, the code it continues and the byte it adds.
    let mut table: Vec<(u16, u8)> = vec![(0, 0); first_free - CLEAR];
    let mut unpacked: Vec<u8> = Vec::new();
    let mut last: Option<(u16, u8)> = None;
    let mut word = Vec::new();
    while let Some(code) = codes.next() {
        if has_blocks && usize::from(code) == CLEAR {
            table.truncate(first_free - CLEAR);
            codes.set_width(9);
            last = None;
            continue;
        }
        let next_free = CLEAR + table.len();
        let (mut at, ending) = match last {
            // The code that is being defined: the last word and its own first byte.
            Some((before, first)) if usize::from(code) == next_free => (before, Some(first)),
            _ if usize::from(code) < next_free => (code, None),
            _ => return (unpacked, Some(Oddity::new("truncated", "compress: no such code"))),
        };
        word.clear();
        word.extend(ending);
        while usize::from(at) >= CLEAR {
            let (before, byte) = table[usize::from(at) - CLEAR];
            word.push(byte);
            at = before;
        }
        let first = (at & 0xFF) as u8;
        word.push(first);
        if unpacked.len() + word.len() > limit {
            return (unpacked, Some(too_large(limit)));
        }
        unpacked.extend(word.iter().rev());
        if let Some((before, _)) = last
            && next_free < 1 << widest
        {
            table.push((before, first));
            if CLEAR + table.len() >= 1 << codes.width && codes.width < widest {
                codes.set_width(codes.width + 1);
            }
        }
        last = Some((code, first));
    }
    (unpacked, None)
}

/// Reads codes. When the width changes, the rest of the group of eight is passed over.
struct Codes<'a> {
    bytes: &'a [u8],
    bit: usize,
    /// Where the codes of this width began.
    group: usize,
    width: u32,
}

impl Codes<'_> {
    fn next(&mut self) -> Option<u16> {
        let mut code = 0;
        let start = self.bit / 8;
        for (number, byte) in self.bytes.get(start..)?.iter().take(4).enumerate() {
            code |= u32::from(*byte) << (number * 8);
        }
        self.bit += self.width as usize;
        if self.bit > self.bytes.len() * 8 {
            return None;
        }
        let shift = (self.bit - self.width as usize) % 8;
        Some(((code >> shift) & ((1 << self.width) - 1)) as u16)
    }

    fn set_width(&mut self, width: u32) {
        let group = self.width as usize * 8;
        let used = self.bit - self.group;
        self.bit = self.group + used.div_ceil(group) * group;
        self.group = self.bit;
        self.width = width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn layers_are_undone() {
        let limits = ReadLimits::default();
        let twice = gzip(&gzip(b"%!PS"));
        assert_eq!(unpack(&twice, &limits), (Cow::Borrowed(&b"%!PS"[..]), None));
        assert_eq!(unpack(b"%!PS", &limits).0, &b"%!PS"[..]);
    }

    #[test]
    fn bombs_and_cut_off_files_give_what_they_hold() {
        let limits = ReadLimits { unpacked: 1_000, ..ReadLimits::default() };
        let bomb = gzip(&vec![b'a'; 1_000_000]);
        let (bytes, oddity) = unpack(&bomb, &limits);
        assert_eq!((bytes.len(), oddity.unwrap().kind), (1_000, "too-large-unpacked".to_owned()));
        let letters: Vec<u8> = (0..800_u32).map(|n| (n * n % 251) as u8).collect();
        let whole = gzip(&letters);
        let (bytes, oddity) = unpack(&whole[..whole.len() / 2], &limits);
        assert!(letters.starts_with(&bytes));
        assert_eq!(oddity.unwrap().kind, "truncated");
    }

    #[test]
    fn compress_is_undone() {
        // `compress` wrote this.
        #[rustfmt::skip]
        let packed = [
            0x1F, 0x9D, 0x90, 0x61, 0xC4, 0x04, 0x1C, 0x28, 0xB0, 0x20, 0x41, 0x82,
            0x20, 0x4A, 0x84, 0x80, 0x32, 0x05, 0xC4, 0xC1, 0x82, 0x0A, 0x00,
        ];
        let text = &b"abababababababababab %!PS abababab\n"[..];
        assert_eq!(unpack(&packed, &ReadLimits::default()), (Cow::Borrowed(text), None));
        let small = ReadLimits { unpacked: 10, ..ReadLimits::default() };
        assert_eq!(unpack(&packed, &small).1.unwrap().kind, "too-large-unpacked");
    }
}
