//! Documents that want to break the readers: bombs, circles, depths, cuts and noise.

mod made;

use auslese_layout::{Format, LayoutText, MAX_GROUPS, ReadLimits, read, unpack};
use made::{compound, docx, word_6, zip};
use proptest::prelude::*;

const PAPERS: [(Format, &[u8]); 5] = [
    (Format::Docx, include_bytes!("documents/paper.docx")),
    (Format::Odt, include_bytes!("documents/paper.odt")),
    (Format::Odt, include_bytes!("documents/paper.fodt")),
    (Format::Rtf, include_bytes!("documents/paper.rtf")),
    (Format::Doc, include_bytes!("documents/paper.doc")),
];

const FORMATS: [Format; 4] = [Format::Docx, Format::Odt, Format::Rtf, Format::Doc];

fn words(text: &LayoutText) -> usize {
    let blocks = text.pages.iter().flat_map(|page| &page.blocks);
    blocks.flat_map(|block| &block.lines).map(|line| line.words.len()).sum()
}

fn has(text: &LayoutText, kind: &str) -> bool {
    text.oddities.iter().any(|oddity| oddity.kind == kind)
}

/// What holds for every reading: no empty pages, blocks, lines or words, and a reason for silence.
fn check(bytes: &[u8], format: Format) -> LayoutText {
    let limits = ReadLimits { unpacked: 4 << 20, words: 5_000, ..ReadLimits::default() };
    let text = read(bytes, format, &limits);
    assert!(words(&text) <= limits.words);
    for block in text.pages.iter().flat_map(|page| &page.blocks) {
        assert!(!block.lines.is_empty());
        assert!(block.lines.iter().all(|line| !line.words.is_empty()));
        let words = block.lines.iter().flat_map(|line| &line.words);
        assert!(words.clone().all(|word| !word.text.is_empty() && word.style.size.is_finite()));
        assert!(words.clone().all(|word| !word.text.contains(char::is_whitespace)));
    }
    assert!(text.pages.iter().all(|page| !page.blocks.is_empty()));
    text
}

#[test]
fn zip_bombs_are_cut_off() {
    let mut body = "<w:p><w:r><w:t>Anfang</w:t></w:r></w:p>".to_owned();
    body.push_str(&" ".repeat(30 << 20));
    let bomb = docx(&body);
    assert!(bomb.len() < 100_000);
    let text = read(&bomb, Format::Docx, &ReadLimits::default());
    assert_eq!(words(&text), 1);
    assert!(has(&text, "too-large-unpacked"));
}

#[test]
fn parts_together_keep_to_the_limit() {
    let limits = ReadLimits { unpacked: 1_000, ..ReadLimits::default() };
    let styles = format!("<styles>{}</styles>", "<style/>".repeat(100));
    let body = format!("<body>{}</body>", "<p><r><t>Wort</t></r></p>".repeat(100));
    let parts = [("word/styles.xml", styles.as_bytes()), ("word/document.xml", body.as_bytes())];
    let text = read(&zip(&parts), Format::Docx, &limits);
    assert!(has(&text, "too-large-unpacked"));
    assert!((1..20).contains(&words(&text)));
}

#[test]
fn entities_are_not_expanded() {
    let document = b"<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\
        <body><p><r><t>&b;</t></r></p></body>";
    let text = check(&zip(&[("word/document.xml", document)]), Format::Docx);
    assert_eq!(text.pages[0].blocks[0].lines[0].words[0].text, "&b;");
}

#[test]
fn depths_are_bounded() {
    let deep = |open: &str, close: &str, count: usize| {
        format!("{}tief{}", open.repeat(count), close.repeat(count))
    };
    let boxes = deep("<w:p><w:r><w:t>x</w:t>", "</w:r></w:p>", 200);
    assert_eq!(words(&check(&docx(&boxes), Format::Docx)), 200);
    let elements = deep("<w:x>", "</w:x>", 10_000);
    assert!(has(&check(&docx(&elements), Format::Docx), "broken-xml"));
    let spans = deep("<text:span>", "</text:span>", 400);
    let content = format!("<d><office:body><text:p>{spans}</text:p></office:body></d>");
    assert_eq!(words(&check(&zip(&[("content.xml", content.as_bytes())]), Format::Odt)), 1);
    let groups = format!("{{\\rtf1{} Ende}}", deep("{", "}", MAX_GROUPS * 300));
    assert_eq!(words(&check(groups.as_bytes(), Format::Rtf)), 2);
    let notes = format!("{{\\rtf1 a{}", r"{\footnote{\shptxt b".repeat(50_000));
    check(notes.as_bytes(), Format::Rtf);
}

#[test]
fn circles_of_sectors_end() {
    let honest = compound("WordDocument", &word_6(b"Text\r"));
    // Every sector is followed by each of these, itself among them.
    for next in 0..12_u32 {
        let mut bytes = honest.clone();
        for entry in bytes[512..1024].chunks_exact_mut(4) {
            entry.copy_from_slice(&next.to_le_bytes());
        }
        check(&bytes, Format::Doc);
    }
    // The directory's entries are each other's neighbours and children.
    let mut bytes = honest;
    for entry in 0..2 {
        let at = 1024 + entry * 128 + 68;
        bytes[at..at + 12].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    }
    assert_eq!(words(&check(&bytes, Format::Doc)), 1);
}

#[test]
fn pieces_that_repeat_the_file_end() {
    let mut stream = word_6(b"Text\r");
    let count = 20_000_u32;
    let start = stream.len() as u32;
    stream.push(2);
    stream.extend((count * 12 + 4).to_le_bytes());
    let size = stream.len() as u32;
    (0..=count).for_each(|number| stream.extend((number * size).to_le_bytes()));
    (0..count).for_each(|_| stream.extend([0; 8]));
    stream[0x34..0x38].copy_from_slice(&u32::MAX.to_le_bytes());
    let length = stream.len() as u32 - start;
    stream[0x160..0x164].copy_from_slice(&start.to_le_bytes());
    stream[0x164..0x168].copy_from_slice(&length.to_le_bytes());
    // The table has room for 126 sectors only, so the stream is cut off; it is read all the same.
    check(&compound("WordDocument", &stream), Format::Doc);
}

#[test]
fn files_cut_off_give_what_they_hold() {
    for (format, paper) in PAPERS {
        for part in 1..40 {
            check(&paper[..paper.len() * part / 40], format);
        }
        let most = check(&paper[..paper.len() * 9 / 10], format);
        assert!(!most.oddities.is_empty(), "{format:?}");
    }
    // Half an RTF has half its text, and a DOCX without its directory what its parts still hold.
    let (_, rtf) = PAPERS[3];
    assert!(words(&check(&rtf[..rtf.len() * 9 / 10], Format::Rtf)) > 20);
    let (_, docx) = PAPERS[0];
    assert!(words(&check(&docx[..docx.len() * 9 / 10], Format::Docx)) > 20);
}

/// A paper with some bytes changed, some cut out and some put in.
fn mutated(paper: &[u8], changes: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = paper.to_vec();
    for (place, kind, value) in changes {
        let at = place % bytes.len().max(1);
        match kind % 4 {
            0 | 1 if !bytes.is_empty() => bytes[at] = *value,
            2 => drop(bytes.splice(at..(at + usize::from(*value)).min(bytes.len()), [])),
            _ => bytes.insert(at.min(bytes.len()), *value),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn noise_is_survived(bytes in prop::collection::vec(any::<u8>(), 0..3_000)) {
        unpack(&bytes, &ReadLimits::default());
        Format::of(&bytes, Some("a.doc"), None);
        for format in FORMATS {
            check(&bytes, format);
        }
    }

    #[test]
    fn noise_behind_a_signature_is_survived(
        format in 0..4_usize,
        bytes in prop::collection::vec(any::<u8>(), 0..3_000),
    ) {
        let start: [&[u8]; 4] = [
            b"PK\x03\x04",
            b"<office:document><office:body><text:p>",
            b"{\\rtf1\\ansi ",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        ];
        check(&[start[format], &bytes].concat(), FORMATS[format]);
        for magic in [&b"\x1F\x9D\x90"[..], b"\x1F\x8B\x08\0\0\0\0\0\0\x03"] {
            let limits = ReadLimits { unpacked: 100_000, ..ReadLimits::default() };
            prop_assert!(unpack(&[magic, &bytes].concat(), &limits).0.len() <= 100_000);
        }
    }

    #[test]
    fn changed_papers_are_survived(
        paper in 0..PAPERS.len(),
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..20),
    ) {
        let (format, bytes) = PAPERS[paper];
        let bytes = mutated(bytes, &changes);
        check(&bytes, format);
        Format::of(&bytes, None, None);
    }

    #[test]
    fn changed_parts_are_survived(
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..20),
        stream in prop::collection::vec((0..1_600_usize, any::<u8>()), 1..30),
    ) {
        let body = b"<w:p><w:pPr><w:pStyle w:val=\"a\"/><w:jc w:val=\"both\"/></w:pPr><w:r><w:rPr>\
            <w:b/><w:sz w:val=\"20\"/></w:rPr><w:t>Wort</w:t><w:footnoteReference w:id=\"2\"/></w:r></w:p>";
        let document = mutated(body, &changes);
        check(&zip(&[("word/document.xml", &document)]), Format::Docx);
        let mut word = word_6(b"Erster Absatz\rZweiter Absatz\x13 X \x14 Y\x15\r");
        for (at, value) in stream {
            if let Some(byte) = word.get_mut(at) {
                *byte = value;
            }
        }
        check(&compound("WordDocument", &word), Format::Doc);
    }
}
