//! Decodes the streams of a PDF, within a budget.
//!
//! The parser of the file could decode them too, but knows no limit: a few kilobytes may stand for
//! gigabytes. So here every filter stops where the budget ends, and what was decoded until then is
//! used: half a page is better than none. Filters of images are not decoded, they hold no text.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::{Array, Dict, Object, Stream};

use super::lexer::{hexadecimal, is_white};

/// Bytes one stream may decode to. The content of a dense page is under 1 MB, a font under 20.
pub const MAX_STREAM_BYTES: usize = 32 << 20;

/// Bytes all streams of a document may decode to together, so that many large ones end as well.
pub const MAX_DECODED_BYTES: usize = 256 << 20;

/// Filters applied to one stream one after the other; real files use two.
const MAX_FILTERS: usize = 4;

/// How much may still be decoded.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
    /// Whether something was left out because of it.
    pub(super) exceeded: bool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: MAX_DECODED_BYTES, exceeded: false }
    }
}

impl Budget {
    #[cfg(test)]
    fn of(left: usize) -> Budget {
        Budget { left, exceeded: false }
    }

    fn for_one(&self) -> usize {
        self.left.min(MAX_STREAM_BYTES)
    }

    fn spend(&mut self, decoded: &mut Vec<u8>) {
        let allowed = self.for_one();
        if decoded.len() > allowed {
            decoded.truncate(allowed);
            self.exceeded = true;
        }
        self.left -= decoded.len();
    }
}

/// The bytes of a stream; `None` for images.
pub(super) fn decoded(stream: &Stream<'_>, budget: &mut Budget) -> Option<Vec<u8>> {
    let filters = stream.filters();
    let parameters = parameters(stream.dict());
    let mut bytes = stream.raw_data().into_owned();
    for (at, filter) in filters.iter().take(MAX_FILTERS).enumerate() {
        let limit = budget.for_one().saturating_add(1);
        bytes = match filter {
            Filter::FlateDecode => inflate(&bytes, limit),
            Filter::LzwDecode => {
                let early = parameters.get(at).and_then(|dict| dict.get::<i32>("EarlyChange"));
                unpack_lzw(&bytes, early != Some(0), limit)
            }
            Filter::Ascii85Decode => ascii_85(&bytes),
            Filter::AsciiHexDecode => {
                hexadecimal(bytes.split(|&byte| byte == b'>').next().unwrap_or_default())
            }
            Filter::RunLengthDecode => run_length(&bytes, limit),
            Filter::Crypt => bytes,
            _ => return None,
        };
        if let Some(dict) = parameters.get(at)
            && matches!(filter, Filter::FlateDecode | Filter::LzwDecode)
        {
            bytes = undo_prediction(bytes, &Prediction::of(dict));
        }
        budget.spend(&mut bytes);
    }
    Some(bytes)
}

fn parameters<'a>(dict: &Dict<'a>) -> Vec<Dict<'a>> {
    let key = if dict.contains_key("DecodeParms") { "DecodeParms" } else { "DP" };
    if let Some(array) = dict.get::<Array<'_>>(key) {
        let members = array.iter::<Object<'_>>().take(MAX_FILTERS);
        return members.map(|member| member.into_dict().unwrap_or_default()).collect();
    }
    dict.get::<Dict<'_>>(key).into_iter().collect()
}

/// Takes what comes before an error: streams are often cut, or end with a wrong checksum.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut decoded = Vec::new();
    // An error ends the stream; what came before it stays in `decoded`.
    let _ = ZlibDecoder::new(bytes).take(limit as u64).read_to_end(&mut decoded);
    if decoded.is_empty() {
        let _ = DeflateDecoder::new(bytes).take(limit as u64).read_to_end(&mut decoded);
    }
    decoded
}

/// The LZW of TIFF and PDF: codes of 9 to 12 bits, 256 clears the table, 257 ends.
fn unpack_lzw(bytes: &[u8], early_change: bool, limit: usize) -> Vec<u8> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    let early = usize::from(early_change);
    let mut decoded: Vec<u8> = Vec::new();
    // Each further code stands for a stretch of what is already decoded.
    let mut table: Vec<(usize, usize)> = Vec::new();
    let mut previous: Option<(usize, usize)> = None;
    let (mut bits, mut held, mut width) = (0_u32, 0_u32, 9_u32);
    for &byte in bytes {
        bits = bits << 8 | u32::from(byte);
        held += 8;
        if held < width {
            continue;
        }
        held -= width;
        let code = (bits >> held & ((1 << width) - 1)) as usize;
        bits &= (1 << held) - 1;
        match code {
            END => break,
            CLEAR => {
                table.clear();
                previous = None;
                width = 9;
                continue;
            }
            _ => {}
        }
        let start = decoded.len();
        match (code, previous) {
            (0..CLEAR, _) => decoded.push((code & 0xff) as u8),
            (_, Some((from, length))) if code == END + 1 + table.len() => {
                decoded.extend_from_within(from..from + length);
                decoded.extend_from_within(from..=from);
            }
            _ => match table.get(code - END - 1) {
                Some(&(from, length)) => decoded.extend_from_within(from..from + length),
                None => break,
            },
        }
        if let Some((from, length)) = previous
            && END + 1 + table.len() < 4096
        {
            // The previous stretch and the first byte of this one stand next to each other.
            table.push((from, length + 1));
        }
        previous = Some((start, decoded.len() - start));
        width = match END + 1 + table.len() + early {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        if decoded.len() >= limit {
            break;
        }
    }
    decoded
}

fn ascii_85(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len() / 5 * 4);
    let mut group = [0_u8; 5];
    let mut filled = 0;
    for &byte in bytes.iter().filter(|&&byte| !is_white(byte)) {
        match byte {
            b'!'..=b'u' => {
                group[filled] = byte - b'!';
                filled += 1;
                if filled == 5 {
                    decoded.extend(value_85(group).to_be_bytes());
                    filled = 0;
                }
            }
            b'z' if filled == 0 => decoded.extend([0; 4]),
            _ => break,
        }
    }
    if filled > 1 {
        group[filled..].fill(84);
        decoded.extend(&value_85(group).to_be_bytes()[..filled - 1]);
    }
    decoded
}

fn value_85(group: [u8; 5]) -> u32 {
    group.iter().fold(0_u32, |value, &digit| value.wrapping_mul(85).wrapping_add(u32::from(digit)))
}

fn run_length(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut at = 0;
    while let Some(&length) = bytes.get(at)
        && length != 128
        && decoded.len() < limit
    {
        at += 1;
        if length < 128 {
            let end = bytes.len().min(at + usize::from(length) + 1);
            decoded.extend(&bytes[at..end]);
            at = end;
        } else if let Some(&byte) = bytes.get(at) {
            decoded.extend(std::iter::repeat_n(byte, 257 - usize::from(length)));
            at += 1;
        }
    }
    decoded
}

/// How each byte was replaced by its difference from a neighbour before packing.
#[derive(Debug, PartialEq)]
struct Prediction {
    predictor: i32,
    bytes_per_pixel: usize,
    row: usize,
}

impl Prediction {
    fn of(dict: &Dict<'_>) -> Prediction {
        let number = |key, default: usize| {
            dict.get::<i32>(key).and_then(|n| usize::try_from(n).ok()).unwrap_or(default)
        };
        let bits = number("Colors", 1).clamp(1, 64) * number("BitsPerComponent", 8).clamp(1, 32);
        let columns = number("Columns", 1).clamp(1, MAX_STREAM_BYTES / 64);
        Prediction {
            predictor: dict.get::<i32>("Predictor").unwrap_or(1),
            bytes_per_pixel: bits.div_ceil(8),
            row: (bits * columns).div_ceil(8),
        }
    }
}

fn undo_prediction(bytes: Vec<u8>, prediction: &Prediction) -> Vec<u8> {
    let Prediction { predictor, bytes_per_pixel, row } = *prediction;
    match predictor {
        2 => {
            let mut bytes = bytes;
            for line in bytes.chunks_mut(row) {
                for at in bytes_per_pixel..line.len() {
                    line[at] = line[at].wrapping_add(line[at - bytes_per_pixel]);
                }
            }
            bytes
        }
        10.. => {
            let mut plain: Vec<u8> = Vec::with_capacity(bytes.len());
            for line in bytes.chunks(row + 1) {
                let above = plain.len().checked_sub(row);
                let start = plain.len();
                for (at, &byte) in line[1..].iter().enumerate() {
                    let left = at.checked_sub(bytes_per_pixel);
                    let a = left.map_or(0, |left| plain[start + left]);
                    let b = above.map_or(0, |above| plain[above + at]);
                    let c = above.zip(left).map_or(0, |(above, left)| plain[above + left]);
                    plain.push(byte.wrapping_add(match line[0] {
                        1 => a,
                        2 => b,
                        3 => a.midpoint(b),
                        4 => paeth(a, b, c),
                        _ => 0,
                    }));
                }
            }
            plain
        }
        _ => bytes,
    }
}

/// Of left, above and above left the one nearest to left + above − above left (PNG, section 9.4).
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |value: u8| (estimate - i16::from(value)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(corner) {
        left
    } else if distance(above) <= distance(corner) {
        above
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory takes all");
        encoder.finish().expect("memory takes all")
    }

    #[test]
    fn what_is_cut_is_read_until_there() {
        let text: Vec<u8> = (0..10_000_u32).flat_map(u32::to_be_bytes).collect();
        let whole = packed(&text);
        assert_eq!(inflate(&whole, usize::MAX), text);
        let half = inflate(&whole[..whole.len() / 2], usize::MAX);
        assert!(half.len() > 1000 && text.starts_with(&half), "{}", half.len());
    }

    #[test]
    fn a_bomb_ends_at_the_limit() {
        let bomb = packed(&vec![0; 50 << 20]);
        assert_eq!(inflate(&bomb, 1 << 20).len(), 1 << 20);
        let mut budget = Budget::of(100);
        let mut decoded = vec![0; 200];
        budget.spend(&mut decoded);
        assert_eq!((decoded.len(), budget.left, budget.exceeded), (100, 0, true));
    }

    #[test]
    fn lzw() {
        // The example of the PDF specification, 7.4.4.2.
        let packed = [0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01];
        let expected = [45, 45, 45, 45, 45, 65, 45, 45, 45, 66];
        assert_eq!(unpack_lzw(&packed, true, usize::MAX), expected);
    }

    #[test]
    fn text_forms() {
        assert_eq!(ascii_85(b"87cUR\nD]i,\"Ebo80~>"), b"Hello World!");
        assert_eq!(ascii_85(b"z87cUR~>"), b"\0\0\0\0Hell");
        assert_eq!(run_length(&[2, b'a', b'b', b'c', 254, b'x', 128, 9], 100), b"abcxxx");
    }

    #[test]
    fn predictions() {
        let rows = |predictor| Prediction { predictor, bytes_per_pixel: 1, row: 3 };
        assert_eq!(undo_prediction(vec![1, 1, 1, 5, 0, 1], &rows(2)), [1, 2, 3, 5, 5, 6]);
        let png = vec![1, 1, 1, 1, 2, 1, 1, 1, 0, 7, 7, 7, 4, 1, 1, 1];
        assert_eq!(undo_prediction(png, &rows(12)), [1, 2, 3, 2, 3, 4, 7, 7, 7, 8, 9, 10]);
    }
}
