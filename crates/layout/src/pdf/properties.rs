//! What a PDF says about itself: the information dictionary, and the XMP packet where that is silent.

use hayro_syntax::Pdf;
use hayro_syntax::object::{DateTime, Dict, Stream, String as PdfString};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;

use super::encodings::text_string;
use super::filters::{Budget, decoded};
use crate::Properties;

/// Characters of one property that are kept. Some writers put the whole text into a property.
const MAX_PROPERTY: usize = 4_096;

/// Bytes of an XMP packet that are read; it may carry pictures and the history of the file.
const MAX_XMP: usize = 1 << 20;

pub(super) fn read(pdf: &Pdf, budget: &mut Budget) -> Properties {
    let info = pdf.metadata();
    let text =
        |bytes: &Option<Box<[u8]>>| bytes.as_deref().map(text_string).and_then(|text| tidy(&text));
    let catalogue = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let packet =
        catalogue.get::<Stream<'_>>("Metadata").and_then(|stream| decoded(&stream, budget));
    let packet = packet.map(|bytes| read_xmp(&bytes)).unwrap_or_default();
    let language = catalogue.get::<PdfString<'_>>("Lang").and_then(|tag| tidy(&text_string(&tag)));
    Properties {
        title: text(&info.title).or(packet.title),
        author: text(&info.author).or(packet.author),
        subject: text(&info.subject).or(packet.subject),
        keywords: text(&info.keywords).or(packet.keywords),
        created: info.creation_date.as_ref().map(date).or(packet.created),
        producer: text(&info.producer).or_else(|| text(&info.creator)).or(packet.producer),
        language: language.or(packet.language),
    }
}

fn date(date: &DateTime) -> String {
    let DateTime { year, month, day, hour, minute, second, utc_offset_hour, utc_offset_minute } =
        date;
    let date = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    format!("{date}{utc_offset_hour:+03}:{utc_offset_minute:02}")
}

fn tidy(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let tidy = words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ");
    let tidy: String = tidy.chars().take(MAX_PROPERTY).collect();
    (!tidy.is_empty()).then_some(tidy)
}

/// Properties are elements or attributes, and lists of values are joined.
fn read_xmp(packet: &[u8]) -> Properties {
    let text = String::from_utf8_lossy(&packet[..packet.len().min(MAX_XMP)]);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = false;
    let mut found = Found::default();
    let mut open: Option<Field> = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                if let Some(field) = Field::named(element.name().as_ref()) {
                    open = Some(field);
                }
                found.add_attributes(&element);
            }
            Ok(Event::Empty(element)) => found.add_attributes(&element),
            Ok(Event::End(element)) => {
                if Field::named(element.name().as_ref()).is_some() {
                    open = None;
                }
            }
            Ok(Event::Text(text)) => {
                if let Some(field) = open {
                    found.add(field, &text);
                }
            }
            Ok(Event::GeneralRef(name)) => {
                let reference = format!("&{};", &*name);
                if let (Some(field), Ok(text)) = (open, unescape(&reference)) {
                    found.append(field, &text);
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    found.properties()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Author,
    Subject,
    Keywords,
    Created,
    Producer,
    Language,
}

impl Field {
    fn named(name: &str) -> Option<Field> {
        Some(match name {
            "dc:title" => Field::Title,
            "dc:creator" => Field::Author,
            "dc:description" => Field::Subject,
            "dc:subject" | "pdf:Keywords" => Field::Keywords,
            "xmp:CreateDate" | "xap:CreateDate" => Field::Created,
            "pdf:Producer" | "xmp:CreatorTool" => Field::Producer,
            "dc:language" => Field::Language,
            _ => return None,
        })
    }
}

#[derive(Debug, Default)]
struct Found([String; 7], /* whether the next text goes on without a mark */ bool);

impl Found {
    fn add(&mut self, field: Field, text: &str) {
        let goes_on = std::mem::take(&mut self.1);
        let place = &mut self.0[field as usize];
        if text.trim().is_empty() && !goes_on || place.len() > MAX_PROPERTY {
            return;
        }
        if !place.is_empty() && !goes_on {
            place.push_str("; ");
        }
        place.push_str(text);
    }

    fn append(&mut self, field: Field, text: &str) {
        let place = &mut self.0[field as usize];
        if place.len() <= MAX_PROPERTY {
            place.push_str(text);
        }
        self.1 = true;
    }

    fn add_attributes(&mut self, element: &quick_xml::events::BytesStart<'_>) {
        for attribute in element.attributes().filter_map(Result::ok).take(64) {
            if let Some(field) = Field::named(attribute.key.as_ref()) {
                self.add(field, &attribute.value);
            }
        }
    }

    fn properties(self) -> Properties {
        let [title, author, subject, keywords, created, producer, language] =
            self.0.map(|text| tidy(&text));
        Properties { title, author, subject, keywords, created, producer, language }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xmp() {
        let packet = r#"<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>
            <rdf:Description pdf:Producer="pdfTeX" xmp:CreateDate="2004-03-12"/>
            <rdf:Description><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Räume &amp; Ringe</rdf:li></rdf:Alt></dc:title>
            <dc:creator><rdf:Seq><rdf:li>A. Eins</rdf:li> <rdf:li>B. Zwei</rdf:li></rdf:Seq></dc:creator>
            </rdf:Description></rdf:RDF></x:xmpmeta>"#;
        let properties = read_xmp(packet.as_bytes());
        assert_eq!(properties.title.as_deref(), Some("Räume & Ringe"));
        assert_eq!(properties.author.as_deref(), Some("A. Eins; B. Zwei"));
        assert_eq!(properties.created.as_deref(), Some("2004-03-12"));
        assert_eq!(properties.producer.as_deref(), Some("pdfTeX"));
        assert_eq!(properties.subject, None);
    }
}
