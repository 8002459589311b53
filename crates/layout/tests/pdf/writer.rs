//! Writes small PDF for the tests, sound ones and broken ones.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A file in the making: objects by number, from 1.
#[derive(Default)]
pub(crate) struct Writer {
    objects: Vec<Vec<u8>>,
    pub(crate) info: Option<usize>,
}

impl Writer {
    pub(crate) fn add(&mut self, object: impl Into<Vec<u8>>) -> usize {
        self.objects.push(object.into());
        self.objects.len()
    }

    pub(crate) fn stream(&mut self, dictionary: &str, data: &[u8]) -> usize {
        self.add(stream(dictionary, data))
    }

    /// The file, with the catalogue as the object of this number.
    pub(crate) fn finish(&self, catalogue: usize) -> Vec<u8> {
        let mut file = b"%PDF-1.5\n%\xe4\xf6\xfc\xdf\n".to_vec();
        let mut places = Vec::new();
        for (at, object) in self.objects.iter().enumerate() {
            places.push(file.len());
            file.extend(format!("{} 0 obj\n", at + 1).as_bytes());
            file.extend(object);
            file.extend(b"\nendobj\n");
        }
        let index = file.len();
        file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).as_bytes());
        for place in &places {
            file.extend(format!("{place:010} 00000 n \n").as_bytes());
        }
        let info = self.info.map(|info| format!("/Info {info} 0 R")).unwrap_or_default();
        let size = places.len() + 1;
        file.extend(format!("trailer <</Root {catalogue} 0 R /Size {size} {info}>>\n").as_bytes());
        file.extend(format!("startxref\n{index}\n%%EOF\n").as_bytes());
        file
    }
}

pub(crate) fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("<<{dictionary} /Length {}>>\nstream\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

pub(crate) fn packed(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

pub(crate) const TIMES: &str =
    "<</Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding>>";

/// A file of one page: its entries, its resources and its content.
pub(crate) fn page(entries: &str, resources: &str, content: &str) -> Vec<u8> {
    page_of(&mut Writer::default(), entries, resources, content.as_bytes())
}

/// The same with objects that are already there.
pub(crate) fn page_of(
    writer: &mut Writer,
    entries: &str,
    resources: &str,
    content: &[u8],
) -> Vec<u8> {
    let content = writer.stream("", content);
    let page = content + 1;
    let pages = page + 1;
    writer.add(format!(
        "<</Type /Page /Parent {pages} 0 R /MediaBox [0 0 600 800] {entries} \
         /Resources <<{resources}>> /Contents {content} 0 R>>"
    ));
    writer.add(format!("<</Type /Pages /Kids [{page} 0 R] /Count 1>>"));
    let catalogue = writer.add(format!("<</Type /Catalog /Pages {pages} 0 R /Lang (de-DE)>>"));
    writer.finish(catalogue)
}
