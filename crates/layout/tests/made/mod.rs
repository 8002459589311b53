//! Makes small archives and compound files, honest and hostile ones.

#![allow(dead_code, reason = "each test file uses a part")]

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// A zip archive of these parts, deflated. `flags` go into every header.
pub(crate) fn zip_with(parts: &[(&str, &[u8])], flags: u16) -> Vec<u8> {
    let mut zip = Vec::new();
    let mut directory = Vec::new();
    for (name, part) in parts {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(part).expect("memory takes it");
        let packed = encoder.finish().expect("memory takes it");
        let mut fields = Vec::new();
        for field in [20, flags, 8, 0, 0] {
            fields.extend(field.to_le_bytes());
        }
        for field in [0, packed.len() as u32, part.len() as u32] {
            fields.extend(field.to_le_bytes());
        }
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend((zip.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        zip.extend(b"PK\x03\x04");
        zip.extend(&fields);
        zip.extend(name.as_bytes());
        zip.extend(&packed);
    }
    let start = zip.len() as u32;
    zip.extend(&directory);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend((parts.len() as u16).to_le_bytes());
    zip.extend((parts.len() as u16).to_le_bytes());
    zip.extend((directory.len() as u32).to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

pub(crate) fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(parts, 0)
}

/// A DOCX with this in its body.
pub(crate) fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
         <w:body>{body}</w:body></w:document>"
    );
    zip(&[("word/document.xml", document.as_bytes())])
}

/// A compound file with one stream. Its table is sector 0, its directory sector 1.
pub(crate) fn compound(name: &str, stream: &[u8]) -> Vec<u8> {
    // Smaller streams lie elsewhere; the end of a stream is not looked at.
    let mut stream = stream.to_vec();
    stream.resize(stream.len().max(4096).div_ceil(512) * 512, 0);
    let sectors = stream.len() / 512;
    let mut header = vec![0; 512];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    put(24, &[0x3E, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0]);
    put(44, &1_u32.to_le_bytes());
    put(48, &1_u32.to_le_bytes());
    put(56, &4096_u32.to_le_bytes());
    put(60, &END.to_le_bytes());
    put(68, &END.to_le_bytes());
    put(76, &0_u32.to_le_bytes());
    put(80, &[0xFF; 432]);
    let chain = (0..sectors as u32).map(|at| if at + 1 == sectors as u32 { END } else { at + 3 });
    let mut table: Vec<u8> =
        [0xFFFF_FFFD, END].into_iter().chain(chain).flat_map(u32::to_le_bytes).collect();
    table.resize(512, 0xFF);
    let mut directory = entry("Root Entry", 5, 1, END, 0);
    directory.extend(entry(name, 2, u32::MAX, 2, stream.len() as u32));
    directory.resize(512, 0);
    [header, table, directory, stream].concat()
}

const END: u32 = 0xFFFF_FFFE;

fn entry(name: &str, kind: u8, child: u32, start: u32, size: u32) -> Vec<u8> {
    let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let length = entry.len() as u16 + 2;
    entry.resize(64, 0);
    entry.extend(length.to_le_bytes());
    entry.extend([kind, 1]);
    entry.extend([0xFF; 8]);
    entry.extend(child.to_le_bytes());
    entry.resize(116, 0);
    entry.extend(start.to_le_bytes());
    entry.extend(size.to_le_bytes());
    entry.resize(128, 0);
    entry
}

/// The stream of a Word 6 document in Windows' Western code page, whose first paragraph is set
/// bold in 20 points and centred.
pub(crate) fn word_6(text: &[u8]) -> Vec<u8> {
    const TEXT: usize = 1536;
    let first = text.iter().position(|byte| *byte == b'\r').unwrap_or(0) + 1;
    let places = [TEXT, TEXT + first, TEXT + text.len()].map(|place| place as u32);
    let mut stream = vec![0; TEXT];
    let mut put = |at: usize, bytes: &[u8]| stream[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &[0xDC, 0xA5, 101, 0, 0, 0, 0x07, 0x04]);
    put(0x18, &places[0].to_le_bytes());
    put(0x1C, &places[2].to_le_bytes());
    put(0x34, &(text.len() as u32).to_le_bytes());
    // The two indexes, each of one page: first and last place, number of the page.
    for (number, (pointer, index)) in [(0xB8, 0x180), (0xC0, 0x190)].into_iter().enumerate() {
        put(pointer, &(index as u32).to_le_bytes());
        put(pointer + 4, &10_u32.to_le_bytes());
        put(index, &places[0].to_le_bytes());
        put(index + 4, &places[2].to_le_bytes());
        put(index + 8, &[number as u8 + 1, 0]);
    }
    for page in [512, 1024] {
        for (number, place) in places.iter().enumerate() {
            put(page + number * 4, &place.to_le_bytes());
        }
        put(page + 511, &[2]);
    }
    put(512 + 12, &[200, 0]);
    put(512 + 400, &[5, 85, 1, 99, 40, 0]);
    put(1024 + 12, &[200]);
    put(1024 + 400, &[2, 0, 0, 5, 1]);
    stream.extend(text);
    stream
}
