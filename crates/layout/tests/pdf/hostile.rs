//! Files that are broken, or made to break a reader.

use auslese_layout::{MAX_STREAM_BYTES, PageLimit, read_pdf};
use proptest::prelude::*;

use crate::writer::{TIMES, Writer, packed, page, page_of, stream};
use crate::{fonts, has_oddity, sample, texts};

const CONTENT: &str = "BT /F1 10 Tf 100 700 Td (Ein Rest bleibt) Tj ET";

#[test]
fn without_an_index() {
    let file = page("", &fonts(TIMES), CONTENT);
    let text = String::from_utf8_lossy(&file).replace("startxref", "s").replace("xref", "x");
    assert_eq!(texts(text.as_bytes()), ["Ein", "Rest", "bleibt"]);
    assert!(has_oddity(&read_pdf(text.as_bytes(), PageLimit::All), "damaged"));
}

#[test]
fn with_a_wrong_index() {
    let file =
        [b"Vorspann des Servers\r\n\r\n".to_vec(), page("", &fonts(TIMES), CONTENT)].concat();
    assert_eq!(texts(&file), ["Ein", "Rest", "bleibt"]);
}

#[test]
fn cut_before_the_catalogue() {
    let file = page("", &fonts(TIMES), CONTENT);
    let end = memchr::memmem::find(&file, b"/Type /Pages").expect("it is there");
    let text = read_pdf(&file[..end], PageLimit::All);
    assert!(has_oddity(&text, "damaged"), "{:?}", text.oddities);
    assert_eq!(text.pages[0].blocks[0].text(), "Ein Rest bleibt");
}

#[test]
fn a_real_file_cut_anywhere() {
    let whole = sample("packed.pdf");
    for end in (0..whole.len()).step_by(397) {
        read_pdf(&whole[..end], PageLimit::All);
    }
}

#[test]
fn circles() {
    let mut writer = Writer::default();
    // A form that draws itself and another that draws it, many times over.
    let calls = "/X Do /Y Do ".repeat(200);
    let form = |inner: usize| {
        format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</X {inner} 0 R /Y 2 0 R>>>>"
        )
    };
    writer.stream(&form(2), calls.as_bytes());
    writer.stream(&form(1), calls.as_bytes());
    // A font that is its own descendant, and a length that is its own stream.
    writer.add("<</Type /Font /Subtype /Type0 /DescendantFonts [3 0 R] /FontDescriptor 3 0 R /Encoding 3 0 R /ToUnicode 4 0 R>>");
    writer.add("<</Length 4 0 R>> stream\nabc\nendstream");
    let resources = "/XObject <</X 1 0 R>> /Font <</F1 3 0 R /F2 <</Type /Font /Subtype /Type1 /BaseFont /Times-Roman>>>>";
    let content = "/X Do BT /F1 10 Tf (ab) Tj /F2 10 Tf 100 700 Td (Ende) Tj ET";
    let file = page_of(&mut writer, "", resources, content.as_bytes());
    assert_eq!(texts(&file).last().map(String::as_str), Some("Ende"));
}

#[test]
fn pages_that_are_their_own_parents() {
    let mut writer = Writer::default();
    writer.add("<</Type /Pages /Kids [1 0 R 2 0 R 1 0 R] /Count 9>>");
    writer.add("<</Type /Pages /Kids [1 0 R 2 0 R] /Parent 2 0 R>>");
    let catalogue = writer.add("<</Type /Catalog /Pages 1 0 R>>");
    let text = read_pdf(&writer.finish(catalogue), PageLimit::All);
    assert!(text.pages.is_empty());
    assert!(has_oddity(&text, "damaged"));
}

#[test]
fn a_stream_that_swells() {
    let mut writer = Writer::default();
    let swollen = [CONTENT.as_bytes(), &vec![b' '; MAX_STREAM_BYTES + 1000]].concat();
    let content = writer.add(stream("/Filter /FlateDecode", &packed(&swollen)));
    writer.add(format!("<</Type /Page /Parent 3 0 R /MediaBox [0 0 600 800] /Resources <<{}>> /Contents {content} 0 R>>", fonts(TIMES)));
    writer.add("<</Type /Pages /Kids [2 0 R] /Count 1>>");
    let catalogue = writer.add("<</Type /Catalog /Pages 3 0 R>>");
    let file = writer.finish(catalogue);
    assert!(file.len() < MAX_STREAM_BYTES / 100);
    let text = read_pdf(&file, PageLimit::All);
    assert!(has_oddity(&text, "large-stream"), "{:?}", text.oddities);
    assert_eq!(text.pages[0].blocks[0].text(), "Ein Rest bleibt");
}

#[test]
fn swollen_packed_objects() {
    let mut writer = Writer::default();
    let bomb = packed(&vec![b' '; 140 << 20]);
    writer.stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &bomb);
    let text = read_pdf(&page_of(&mut writer, "", "", b""), PageLimit::All);
    assert!(has_oddity(&text, "packed-objects"), "{:?}", text.oddities);
}

#[test]
fn a_page_that_never_ends() {
    let content = "q ".repeat(5_000_000);
    let file = page("", &fonts(TIMES), &content);
    assert!(has_oddity(&read_pdf(&file, PageLimit::All), "crowded-page"));
}

#[test]
fn not_a_pdf() {
    let text = read_pdf(b"<html>404</html>", PageLimit::All);
    assert!(has_oddity(&text, "not-a-pdf"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        read_pdf(&bytes, PageLimit::All);
        read_pdf(&[b"%PDF-1.4\n".to_vec(), bytes].concat(), PageLimit::All);
    }

    #[test]
    fn any_content(content in "([a-zA-Z'\"*]{1,2}|[0-9.-]{1,6}|\\(|\\)|<|>|\\[|\\]|/F1|/X|BT|TJ|Tf|Tm| |\n){0,200}") {
        read_pdf(&page("", &fonts(TIMES), &content), PageLimit::All);
    }

    #[test]
    fn changed_bytes(
        name in prop::sample::select(&["groff.pdf", "packed.pdf", "open.pdf"][..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut file = sample(name);
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        read_pdf(&file, PageLimit::All);
    }
}
